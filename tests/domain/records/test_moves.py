"""The move behind an event: deciding it makes the same event happen."""

from collections import Counter

import pytest
from msgspec.structs import replace

from domain.decide import decide
from domain.events import Answered, AnyEvent, HandEnded, Melded, Resigned, TookPile
from domain.moves import LayMelds, Resign, TakePile
from domain.records.moves import move_of
from domain.refusals import Refusal
from tests.domain.golden_games import NAMES, bare, events_of, states_of


@pytest.mark.parametrize("name", NAMES)
def test_the_move_behind_an_event_makes_it_happen_again(name: str) -> None:
    decided = Counter[str]()
    due: list[AnyEvent] = []
    for state, event in zip(states_of(name), events_of(name)[1:], strict=False):
        if due:
            assert due.pop(0) == bare(event)
            continue
        move = move_of(state, event)
        if move is not None:
            decision = decide(state, event.seat, move)  # type: ignore[union-attr]
            assert not isinstance(decision, Refusal), (event.n, decision)
            assert decision[0] == bare(event)
            due = decision[1:]
            decided[type(move).__name__] += 1
    assert due == []
    assert decided.total() > len(events_of(name)) // 2
    assert {"Draw", "Discard", "LayMelds", "TakePile"} <= set(decided)


def test_an_event_that_no_seat_asked_for_has_no_move() -> None:
    name = "g2-samba-official-6p"
    events = events_of(name)
    without = [
        event for state, event in zip(states_of(name), events[1:], strict=False) if move_of(state, event) is None
    ]
    assert {type(event).__name__ for event in without} == {
        "Seated", "Closed", "NonceRevealed", "Started", "Dealt", "HandEnded", "GameEnded", "Revealed",
    }  # fmt: skip


def test_a_resignation_with_a_reason_was_no_move() -> None:
    name = "g2-samba-official-6p"
    resigned = next(event for event in events_of(name) if isinstance(event, Resigned))
    state = states_of(name)[resigned.n - 2]
    assert move_of(state, resigned) == Resign()
    assert move_of(state, replace(resigned, reason="absence")) is None


def test_cards_added_in_a_join_are_named_under_the_first_meld() -> None:
    joining = [
        (state, event)
        for name in NAMES
        for state, event in zip(states_of(name), events_of(name)[1:], strict=False)
        if isinstance(event, Melded) and event.joined
    ]
    assert joining
    for state, event in joining:
        move = move_of(state, event)
        assert isinstance(move, LayMelds)
        assert move.join == tuple(joined.of for joined in event.joined)
        assert set(move.add) <= {meld.id for meld in event.added} | {joined.id for joined in event.joined}


def test_a_take_onto_a_meld_names_the_meld() -> None:
    takes = [
        (state, event, move)
        for name in NAMES
        for state, event in zip(states_of(name), events_of(name)[1:], strict=False)
        if isinstance(event, TookPile) and isinstance(move := move_of(state, event), TakePile)
    ]
    onto = [move for _, _, move in takes if isinstance(move.onto, str)]
    assert 0 < len(onto) < len(takes)


def test_what_follows_a_yes_is_not_asked_for_again() -> None:
    name = "g1-samba-official-4p"
    answered = next(event for event in events_of(name) if isinstance(event, Answered))
    state = states_of(name)[answered.n - 2]
    move = move_of(state, answered)
    assert move is not None
    decision = decide(state, answered.seat, move)
    assert not isinstance(decision, Refusal)
    assert isinstance(decision[-1], HandEnded)
