"""Editions of the engine: by which reading of the rules a game's moves are decided (`created.engine`).

A game is played to its end, and verified for ever, as it began. What is legal and what it counts is mostly data, in
the rule set that its first event embeds. Where the engine itself has to change (a move was allowed against the rule
book, a line was counted wrongly), the changed code asks for `rules.edition`, and the number of the newest edition goes
up: new games name it at the end of `created.engine`, as in `meldhouse/0.3.0 rules/2`, and old ones are decided as
before.

An engine that names none, of this house or another, is of edition 1: the rule book of formats 1.
The fold never asks for the edition, since every fact that it needs is in the events.
"""

import re
from typing import Final

EDITION: Final[int] = 1
"""The newest edition: what new games are decided by, and positions that belong to no game."""

_FIRST: Final = 1
_named: Final = re.compile(r" rules/([1-9][0-9]{0,5})", re.ASCII)


def edition_of(engine: str) -> int:
    """The edition that `created.engine` names; it may be one that this program does not know."""
    found = _named.search(engine)
    return int(found[1]) if found is not None and found.end() == len(engine) else _FIRST


def engine_name(program: str) -> str:
    """`created.engine` of new games: the program that opens them, and the edition that decides them."""
    return program if EDITION == _FIRST else f"{program} rules/{EDITION}"


def is_known(edition: int) -> bool:
    """Whether this program can decide the moves of a game of this edition."""
    return edition <= EDITION
