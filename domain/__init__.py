"""The rules of Samba, Canasta and their relatives: decisions, events, views. Pure: no I/O, no clock, no randomness."""
