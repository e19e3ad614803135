"""A request whole: the moves and what follows of itself."""

from typing import Any

import pytest

from domain.cards import faces_of
from domain.chance import hand_deck
from domain.ending import abort, adjudication
from domain.events import Aborted, AnyEvent, Dealt, Discarded, Drew, GameEnded, HandEnded, Resigned, Revealed
from domain.evolve import fold
from domain.moves import Discard, Draw, Move, Pass, Resign
from domain.playing import complete, play
from domain.problems import problems
from domain.refusals import Refusal
from domain.rulesets import PRESETS
from tests.domain.playing_on import turn, until_hand_ends
from tests.domain.tables import GAME, MASTER, SEED_ORIGIN, begun, chance_of, seated


def types(happened: list[AnyEvent]) -> list[type]:
    return [type(event) for event in happened]


def test_a_move_that_ends_nothing_has_its_own_events_only() -> None:
    state = begun()
    done = play(state, state.turn, [Draw()], chance_of(state))
    assert not isinstance(done, Refusal)
    happened, after = done
    assert types(happened) == [Drew]
    assert after == fold(state, happened)


def test_a_refused_list_tells_which_move_was_turned_down() -> None:
    state = turn(begun())[1]
    card = faces_of(state.holdings[state.turn])[-1]
    done = play(state, state.turn, [Discard((card,)), Pass()], chance_of(state))
    assert isinstance(done, Refusal)
    assert (done.code, done.at) == ("not_your_turn", 1)


def test_no_moves_are_malformed() -> None:
    done = play(begun(), 0, [], chance_of(begun()))
    assert isinstance(done, Refusal)
    assert (done.code, done.params) == ("malformed_move", {"field": "moves"})


@pytest.mark.parametrize("move", [Draw(), Resign()])
def test_before_the_first_deal_there_is_nothing_to_play(move: Move) -> None:
    state = seated()
    done = play(state, 0, [move], chance_of(state))
    assert isinstance(done, Refusal)
    assert done.code == "hand_over"


@pytest.mark.parametrize("terms", [{}, {"origin": SEED_ORIGIN}])
def test_the_end_of_a_hand_is_followed_by_the_next_deal(terms: dict[str, Any]) -> None:
    state = begun(**terms)
    happened, after = until_hand_ends(state)
    assert types(happened[-2:]) == [HandEnded, Dealt]
    assert [event.n for event in happened] == list(range(state.version + 1, after.version + 1))
    assert (after.hand, after.phase, after.dealer) == (2, "draw", (state.dealer + 1) % 4)


def test_the_next_hand_of_a_fair_game_is_dealt_from_its_own_seed() -> None:
    happened, after = until_hand_ends(begun(committed=(1, 3)))
    dealt = happened[-1]
    assert isinstance(dealt, Dealt)
    assert dealt.deck == tuple(hand_deck(after.table, GAME, MASTER, 2))


def test_the_end_of_a_fair_game_is_followed_by_the_reveal() -> None:
    state = begun()
    done = play(state, 2, [Resign()], chance_of(state))
    assert not isinstance(done, Refusal)
    assert types(done[0]) == [Resigned, GameEnded, Revealed]
    assert done[1].table.revealed


def test_the_end_of_a_practice_game_is_the_end() -> None:
    state = begun(origin=SEED_ORIGIN)
    done = play(state, 2, [Resign()], chance_of(state))
    assert not isinstance(done, Refusal)
    assert types(done[0]) == [Resigned, GameEnded]


def test_a_hand_that_decides_the_game_is_followed_by_no_deal() -> None:
    happened, _ = until_hand_ends(begun(options={"hand_cap": 1}))
    assert types(happened[-3:]) == [HandEnded, GameEnded, Revealed]


def test_what_was_decided_otherwise_is_completed_too() -> None:
    state = begun()
    for decision in (abort(state, "technical"), adjudication(state, 1, "ruling")):
        happened, after = complete(fold(state, decision), decision, chance_of(state))
        assert happened == [*decision, happened[-1]]
        assert isinstance(happened[-1], Revealed)
        assert after == fold(state, happened)


def test_completing_twice_adds_nothing() -> None:
    state = begun()
    happened, after = complete(fold(state, abort(state, None)), abort(state, None), chance_of(state))
    assert complete(after, happened, chance_of(state)) == (happened, after)
    assert isinstance(happened[0], Aborted)


@pytest.mark.parametrize("stock", ["common", "striped"])
@pytest.mark.parametrize("ruleset", sorted(PRESETS))
def test_nothing_is_wrong_in_any_state_of_a_hand_of_drawing_and_discarding(ruleset: str, stock: str) -> None:
    state = begun(ruleset=ruleset, stock=stock)
    assert not problems(state)
    discards = 0
    # With a stock that is turned over again and again such a hand never ends.
    while state.hand == 1 and discards < 300:
        happened, after = turn(state)
        for event in happened:
            state = fold(state, [event])
            discards += isinstance(event, Discarded)
            assert not problems(state), (problems(state), event)
        assert state == after
    assert discards > 20
