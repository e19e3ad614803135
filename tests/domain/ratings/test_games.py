"""What counts of a game: who is rated, by which ranks, and which games are not."""

from collections.abc import Iterable
from typing import Any

import pytest

from domain import events
from domain.ending import abort, adjudication, resignation, time_out
from domain.events import AnyEvent, GameEnded
from domain.evolve import fold
from domain.lobby import hand_over, open_table, sit
from domain.ratings.games import RatedGame, ranks_of, rated_game
from domain.rulesets import resolve
from domain.state import State
from tests.domain.tables import SEED_ORIGIN, begun, opened


def created(state: State) -> events.Created:
    table = state.table
    return open_table(
        table.rules.ruleset, table.rules.players, watch=table.watch, engine=table.engine,
        fairness=table.fairness, origin=table.origin,
    )  # fmt: skip


def seats(*kinds: Any) -> list[AnyEvent]:
    return [
        events.Seated(seat=seat, player=f"p{seat}", kind=kind, bot=None if kind == "human" else "greedy")
        for seat, kind in enumerate(kinds)
    ]


def started() -> events.Started:
    return events.Started(entropy=(), beacon=None, first_dealer=0)


def played(*after: AnyEvent, kinds: Iterable[Any] = ("human",) * 4, **terms: Any) -> list[AnyEvent]:
    """A game of four that has begun, and what happened then."""
    return [created(opened(players=len([*kinds]), **terms)), *seats(*kinds), started(), *after]


def over(reason: Any = "target", totals: tuple[int, ...] = (100, 200), winners: tuple[int, ...] = (1,)) -> GameEnded:
    return GameEnded(reason=reason, totals=totals, winners=winners)


def rated(happened: list[AnyEvent], *, discarded: bool = True) -> RatedGame:
    found = rated_game(happened, discarded=discarded)
    assert isinstance(found, RatedGame), found
    return found


def test_a_game_of_four_is_of_two_pairs_in_the_pool_of_its_rules() -> None:
    found = rated(played(over()))
    assert found.pool == "samba-4"
    assert found.result.sides == ((("p0", "p2"),), (("p1", "p3"),))
    assert found.result.ranks == (2, 1)


@pytest.mark.parametrize(("players", "sides"), [(2, 2), (3, 3), (5, 5), (6, 3)])
def test_games_of_other_numbers_are_of_as_many_sides_as_the_rules_have(players: int, sides: int) -> None:
    totals = tuple(100 * side for side in range(sides))
    found = rated(played(over("target", totals, (sides - 1,)), kinds=["human"] * players))
    assert found.pool == f"samba-{players}"
    assert found.result.ranks == tuple(range(sides, 0, -1))


def test_a_practice_game_does_not_count() -> None:
    assert rated_game(played(over(), origin=SEED_ORIGIN), discarded=True) == "practice"


def test_a_game_that_never_began_does_not_count() -> None:
    happened = [event for event in played(over("aborted", (), ())) if not isinstance(event, events.Started)]
    assert rated_game(happened, discarded=True) == "not_started"


def test_a_game_that_was_broken_off_does_not_count() -> None:
    assert rated_game(played(over("aborted", (0, 0), ())), discarded=True) == "aborted"


@pytest.mark.parametrize("seat", range(4))
def test_a_game_with_a_bot_at_any_seat_does_not_count(seat: int) -> None:
    kinds = ["bot" if each == seat else "human" for each in range(4)]
    assert rated_game(played(over(), kinds=kinds), discarded=True) == "bot"


@pytest.mark.parametrize("reason", ["resigned", "timed_out", "adjudicated"])
def test_a_game_that_was_given_up_before_the_first_discard_does_not_count(reason: str) -> None:
    happened = played(over(reason))
    assert rated_game(happened, discarded=False) == "no_discard"
    assert rated(happened).result.ranks == (2, 1)


@pytest.mark.parametrize("reason", ["target", "hand_cap"])
def test_a_game_that_was_played_out_counts_without_any_discard(reason: str) -> None:
    assert rated(played(over(reason)), discarded=False).pool == "samba-4"


def test_who_left_a_seat_before_the_start_is_not_rated() -> None:
    left = events.Unseated(seat=1, player="p1", kind="human", bot=None)
    came = events.Seated(seat=1, player="q1", kind="human", bot=None)
    happened = [created(opened()), *seats(*["human"] * 4), left, came, started(), over()]
    assert rated(happened).result.sides == ((("p0", "p2"),), (("q1", "p3"),))


def test_who_leaves_a_game_under_way_keeps_the_result_of_the_seat() -> None:
    state = begun()
    happened = hand_over(state, 1, "p1", "bot-greedy-1", "bot", "greedy")
    assert rated(played(*happened, over())).result.sides == ((("p0", "p2"),), (("p1", "p3"),))


def test_what_a_stand_in_played_counts_for_the_seats_owner() -> None:
    stood = events.StoodIn(seat=1, reason="absence")
    assert rated(played(stood, over())).result.sides == ((("p0", "p2"),), (("p1", "p3"),))


def test_several_winners_are_a_draw_whatever_their_totals() -> None:
    assert ranks_of(over("hand_cap", (100, 300, 200), (0, 1, 2)), None) == (1, 1, 1)
    assert ranks_of(over("target", (300, 300, 200), (0, 1)), None) == (1, 1, 3)


def test_the_others_are_ranked_by_their_totals() -> None:
    assert ranks_of(over("target", (100, 500, 100, -50), (1,)), None) == (2, 1, 2, 4)


@pytest.mark.parametrize("end", ["resigned", "timed_out", "adjudicated"])
def test_the_side_against_which_a_game_ended_is_last_however_many_points_it_has(end: str) -> None:
    state = begun(players=3)
    state.totals = state.scores = (900, 100, 200)
    last = {
        "resigned": lambda: resignation(state, 0),
        "timed_out": lambda: time_out(state, 0, "time"),
        "adjudicated": lambda: adjudication(state, 0, "ruling"),
    }[end]()
    assert rated(played(*last, kinds=["human"] * 3)).result.ranks == (3, 2, 1)


def test_a_ruling_against_nobody_goes_by_the_totals() -> None:
    state = begun(players=3)
    state.totals = state.scores = (900, 100, 200)
    assert rated(played(*adjudication(state, None, "time"), kinds=["human"] * 3)).result.ranks == (1, 3, 2)


def test_a_game_broken_off_by_the_rules_own_way_does_not_count() -> None:
    assert rated_game(played(*abort(begun(), "technical")), discarded=True) == "aborted"


def test_seats_taken_by_the_deciders_are_read_like_any() -> None:
    state = opened(players=2)
    happened: list[AnyEvent] = []
    for seat in range(2):
        taken = sit(state, seat, f"p{seat}")
        happened += taken
        state = fold(state, taken)
    found = rated([created(state), *happened, started(), over()])
    assert found.result.sides == ((("p0",),), (("p1",),))
    assert found.pool == "samba-2"
    assert resolve("samba-official").sequences
