"""Ratings: numbers for persons and partnerships, folded from results in the order in which they count.

A pool is a family of rule sets, a number of seats, and persons only; each pool has one model. What is stored of a
result never changes the arithmetic of another, so the numbers can be made anew from the results at any time.
"""
