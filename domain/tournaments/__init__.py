"""Tournaments: event-sourced like games, pure like the rules.

terms      what is settled before the start: entrants, stages, matches, scores, registration
events     what happened in a tournament, once and for ever
state      what the events so far add up to, made by `fold`
"""
