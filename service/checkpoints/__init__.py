"""Signed checkpoints over the event log: made, kept, proved against, handed to witnesses, checked by outsiders."""
