"""How many games and hands a match has, and on which boards."""

from domain.tournaments.formats import Elimination
from domain.tournaments.matches import FixedHands, PerHand
from domain.tournaments.terms import Stage


def legs_of(stage: Stage) -> int:
    """How many games a match has at each table, without the hand that decides a tie.

    One, or one a hand where every hand has its own first-meld minimum.
    """
    if isinstance(stage.match.first_meld, PerHand) and isinstance(stage.match.length, FixedHands):
        return stage.match.length.hands
    return 1


def hands_of(stage: Stage, leg: int) -> int | None:
    """How many hands a game of a match has; None where a target ends it."""
    if leg > legs_of(stage) or isinstance(stage.match.first_meld, PerHand):
        return 1
    return stage.match.length.hands if isinstance(stage.match.length, FixedHands) else None


def hands_from(stage: Stage, leg: int) -> int | None:
    """How many hands a match has from one of its games on, without the hand that decides a tie; None as `hands_of`."""
    regular = hands_of(stage, leg)
    return regular if regular is None else regular * max(legs_of(stage) - leg + 1, 1)


def decides_ties_by_a_hand(stage: Stage) -> bool:
    """Whether a tied match has one hand more."""
    return isinstance(stage.format, Elimination) and stage.format.tie == "extra_hand"


def boards_of_match(stage: Stage) -> int:
    """How many boards a match needs, one of them for a tie where a hand decides it; 0 where a target ends it."""
    if not isinstance(stage.match.length, FixedHands):
        return 0
    return stage.match.length.hands + decides_ties_by_a_hand(stage)


def boards_of_game(stage: Stage, boards: tuple[int, ...], leg: int) -> tuple[int, ...]:
    """Those of a match's boards that one of its games is played on."""
    legs = legs_of(stage)
    if leg > legs:
        return boards[-1:]
    regular = boards[:-1] if decides_ties_by_a_hand(stage) else boards
    return regular if legs == 1 else regular[leg - 1 : leg]
