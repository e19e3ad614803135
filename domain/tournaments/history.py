"""What a pairing looks back on: who met whom, who sat where, who had byes, who stands where."""

from itertools import combinations
from typing import Final

from msgspec import Struct

from domain.pairing.shapes import SIDES, Compass, couple
from domain.tournaments.state import Match, Tournament

UNPLAYED: Final = frozenset({"walkover", "nobody"})
"""`how` of a match in which a side was missing from the start, or all of them."""


class Past(Struct):
    """What an entrant did in the rounds of the stage so far. `byes` counts also matches won without playing."""

    byes: int = 0
    ns: int = 0
    last: Compass | None = None
    last_opponents: tuple[str, ...] = ()


class History(Struct, frozen=True):
    """The rounds of the present stage, counted from 1 in it.

    `met` has the last round in which two were opponents, by their ids in order of text; a match that nobody played is
    no meeting.
    """

    round: int
    met: dict[tuple[str, str], int]
    past: dict[str, Past]

    def of(self, entrant: str) -> Past:
        """What one entrant did in the rounds before; nothing for a newcomer."""
        return self.past.get(entrant, _NOTHING)


_NOTHING: Final = Past()


def history(state: Tournament) -> History:
    """Everything that happened in the present stage, for the pairing of its next round."""
    stage = state.stage
    assert stage is not None, "A round belongs to a stage."
    met: dict[tuple[str, str], int] = {}
    past: dict[str, Past] = {}
    for place, number in enumerate(stage.rounds, 1):
        for match in state.matches_of(number):
            _note(match, place, met, past)
        for entrant, bye in state.rounds[number].byes.items():
            if bye == "bye":
                past.setdefault(entrant, Past()).byes += 1
    return History(len(stage.rounds) + 1, met, past)


def _note(match: Match, place: int, met: dict[tuple[str, str], int], past: dict[str, Past]) -> None:
    unplayed = is_unplayed(match)
    for number, side in enumerate(match.paired.sides):
        others = tuple(other for each in match.paired.sides if each is not side for other in each)
        for entrant in side:
            known = past.setdefault(entrant, Past())
            if unplayed:
                known.byes += is_winner_unplayed(match, number)
                continue
            known.last_opponents = others
            if len(match.paired.sides) == 2:
                known.ns += number == 0
                known.last = SIDES[number]
    if not unplayed:
        for one, other in combinations(match.paired.sides, 2):
            for pair in ((a, b) for a in one for b in other):
                met[couple(*pair)] = place


def is_unplayed(match: Match) -> bool:
    """Whether a match was decided without being played, or counts for nobody."""
    adjustment = match.ruling.adjustment if match.ruling is not None else None
    if adjustment is not None:
        return adjustment.kind in ("forfeit", "void")
    return match.decided is not None and match.decided.how in UNPLAYED


def is_winner_unplayed(match: Match, side: int) -> bool:
    """Whether a side of a match that was not played came to it."""
    adjustment = match.ruling.adjustment if match.ruling is not None else None
    if adjustment is not None:
        return adjustment.kind == "forfeit" and not adjustment.forfeit[side]
    outcome = match.outcome
    if outcome is None:
        return False
    if outcome.winner is None and outcome.how == "walkover":
        # Several may have come to a table of more than two sides.
        if outcome.score is not None:
            return outcome.score[side] == max(outcome.score)
        return not any(each in match.missing for each in match.paired.sides[side])
    return outcome.winner == side
