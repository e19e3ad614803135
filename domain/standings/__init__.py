"""Scores of matches and boards, and the order of entrants by a declared list of tie-breaks. Pure functions."""
