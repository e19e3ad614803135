"""A game's state follows from an excerpt of its events as well as from all of them."""

from collections.abc import Sequence
from random import Random
from typing import get_args

import pytest

from domain.ending import adjudication
from domain.events import AnyEvent, type_of
from domain.evolve import replay
from domain.excerpts import HAND_TYPES, excerpt
from domain.forks import fork_origin
from domain.lobby import hand_over, leave, sit, stand_in
from domain.waiting import seat_to_act
from tests.domain.golden_games import NAMES, events_of, states_of
from tests.domain.test_forks import SEED, begun, played_at_random


def picked(happened: Sequence[AnyEvent]) -> list[AnyEvent]:
    return [happened[place] for place in excerpt([type_of(event) for event in happened])]


def test_only_events_of_a_hand_are_left_out() -> None:
    tags = {kind.__struct_config__.tag for kind in get_args(AnyEvent)}
    assert tags.issuperset(HAND_TYPES)
    assert tags.difference(HAND_TYPES) >= {"created", "seated", "unseated", "closed", "started", "placed", "revealed"}


@pytest.mark.parametrize("name", NAMES)
def test_the_state_after_any_event_follows_from_the_excerpt(name: str) -> None:
    happened, states = events_of(name), states_of(name)
    for n in sorted({*range(1, len(happened) + 1, 3), len(happened)}):
        assert replay(picked(happened[:n])) == states[n - 1]
    few = picked(happened)
    hands = sum(type_of(event) == "dealt" for event in happened)
    if hands > 3:
        assert len(few) < len(happened) / 2


def test_it_follows_too_where_seats_changed_hands_and_the_game_began_from_a_position_between_two_hands() -> None:
    source = events_of("g1-samba-official-4p")
    ended = next(event.n for event in source if type_of(event) == "hand_ended")
    game = begun(source, fork_origin("g1", source, ended, "fresh", SEED))
    assert type_of(game[-2]) == "placed"
    random = Random(5)
    for number in range(3):
        game = played_at_random(game, random, hands=1)
        if replay(game).phase == "game_over":
            game = [event for event in game if type_of(event) not in ("adjudicated", "game_ended")]
        state = replay(game)
        game += hand_over(state, number, f"p{number}", f"q{number}")
        game += leave(replay(game), 3, f"p{3}" if number == 0 else f"r{number - 1}")
        game += sit(replay(game), 3, f"r{number}")
        seat = seat_to_act(replay(game))
        if seat is not None:
            game += stand_in(replay(game), seat, "absence")
    game += adjudication(replay(game), None, "ruling")
    for n in range(1, len(game) + 1):
        assert replay(picked(game[:n])) == replay(game[:n])
