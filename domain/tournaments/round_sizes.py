"""How large a round becomes: it is paired by one event, which has to fit into one append."""

from typing import Final

from domain.events import encode
from domain.tournaments.lengths import boards_of_match
from domain.tournaments.seating import MatchPaired, TableSeats
from domain.tournaments.tables import sides_of, tables_of_match
from domain.tournaments.terms import ENTRANTS_MAX, Stage, Terms

ROUND_BYTES_MAX: Final = 1_000_000
"""Most bytes of a round as it was paired, matches, byes and relaxations together."""

_LONGEST_PLAYER: Final = "p" + "0" * 20
_LONGEST_ENTRANT: Final = f"e{ENTRANTS_MAX}"
_LONGEST_MATCH: Final = f"r1000m{ENTRANTS_MAX}"
_HIGHEST: Final = 9999
"""Of the numbers of tables and of boards, as a rule."""


def most_in_a_round(terms: Terms, stage: Stage) -> int:
    """How many entrants a round of a stage can have at most, by the bytes of its matches."""
    seats = sides_of(terms, terms.players)
    in_side = len(seats[0]) if terms.entrants == "individuals" else 1
    table = TableSeats(_HIGHEST, (_LONGEST_ENTRANT,) * terms.players, (_LONGEST_PLAYER,) * terms.players)
    match = MatchPaired(
        id=_LONGEST_MATCH,
        sides=((_LONGEST_ENTRANT,) * in_side,) * len(seats),
        tables=(table,) * tables_of_match(terms),
        boards=(_HIGHEST,) * (boards_of_match(stage) if terms.boards is not None else 0),
    )
    return ROUND_BYTES_MAX // (len(encode(match)) + 1) * in_side * len(seats)
