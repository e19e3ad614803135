"""How hands and games end: the events that follow the last move (rule book 8.3, 8.6, 12)."""

from collections.abc import Iterable
from typing import Literal

from domain import events
from domain.cards import faces_of
from domain.events import AnyEvent
from domain.evolve import fold
from domain.melds import is_set
from domain.scoring import outcome, score_lines, winners_against
from domain.state import Ended, State, number_of_meld, own_melds


def hand_end(state: State, happened: list[AnyEvent], reason: Literal["out", "stock"], by: int | None) -> list[AnyEvent]:
    """The move's events, then `hand_ended`, and `game_ended` where the game is decided by it."""
    after = fold(state, happened)
    ended = Ended(by, reason, by is not None and _is_concealed(state, happened, by))
    lines = score_lines(after, ended)
    totals = tuple(before + line["total"] for before, line in zip(state.scores, lines, strict=True))
    happened.append(
        events.HandEnded(
            n=after.version + 1,
            hand=state.hand,
            reason=reason,
            by=by,
            concealed=ended.concealed,
            holdings=tuple(map(faces_of, after.holdings)),
            lines=lines,
            totals=totals,
        )
    )
    decided = outcome(state.table.rules, state.hand, totals)
    if decided is not None:
        how, winners = decided
        happened.append(game_end(after.version + 2, how, totals, winners))
    return happened


def _is_concealed(state: State, happened: Iterable[AnyEvent], seat: int) -> bool:
    """Whether the seat goes out concealed with these events (8.6)."""
    if state.has_melded >> seat & 1:
        return False
    if state.table.rules.concealed_condition == "whole_hand":
        return True
    # The turn's facts are those before a discard ends it.
    turn = fold(state, (event for event in happened if not isinstance(event, events.Discarded)))
    if turn.touched_old:
        return False
    rules = state.table.rules
    fresh = (laid.meld for key, laid in own_melds(turn, seat).items() if number_of_meld(key) >= turn.turn_first_meld)
    return any(is_set(rules, meld) for meld in fresh)


def game_end(
    n: int, reason: events.GameEndReason, totals: tuple[int, ...], winners: tuple[int, ...]
) -> events.GameEnded:
    """The event that ends a game."""
    return events.GameEnded(n=n, reason=reason, totals=totals, winners=winners)


def resignation(state: State, seat: int) -> list[AnyEvent]:
    """A seat resigns for its side; the hand being played is not scored (12.3)."""
    side = state.table.rules.side_of[seat]
    resigned = events.Resigned(n=state.version + 1, seat=seat, side=side, reason=None)
    return [
        resigned,
        game_end(state.version + 2, "resigned", state.totals, winners_against(state.totals, side)),
    ]


def adjudication(state: State, side: int | None, reason: events.EndReason | None) -> list[AnyEvent]:
    """A ruling ends the game against a side, or with None for the best totals (12.4)."""
    ruling = events.Adjudicated(n=state.version + 1, side=side, reason=reason)
    return [
        ruling,
        game_end(state.version + 2, "adjudicated", state.totals, winners_against(state.totals, side)),
    ]


def time_out(state: State, side: int | None, reason: events.EndReason | None) -> list[AnyEvent]:
    """A side loses on time, like a resignation (12.4)."""
    lost = events.TimedOut(n=state.version + 1, side=side, reason=reason)
    return [lost, game_end(state.version + 2, "timed_out", state.totals, winners_against(state.totals, side))]


def abort(state: State, reason: events.EndReason | None) -> list[AnyEvent]:
    """The game is broken off; there is no winner (12.4)."""
    aborted = events.Aborted(n=state.version + 1, side=None, reason=reason)
    return [aborted, game_end(state.version + 2, "aborted", state.totals, ())]
