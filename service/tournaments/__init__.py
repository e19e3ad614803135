"""Tournaments as they run: streams of their own, moved on by commands, by timers, and by what happens at the tables.

tournaments   find, perform, tell: a stream of events and the state in memory that follows from it
manager       what goes on of itself: rounds, games of matches, results, boards, ratings
"""
