"""Simulated games: from a seed alone, lawful, the same deals for whoever plays."""

import pytest

from domain import events
from domain.evolve import replay
from domain.lobby_refusals import LobbyRefused
from domain.rulesets import resolve
from domain.simulation import IllegalBotError, Setup, play_on, simulate
from domain.state import State

OFFICIAL = resolve("samba-official")
SETUP = Setup(OFFICIAL, ("greedy", "random", "greedy", "random"), 2)


def game(setup: Setup, seed: bytes = b"seed", number: int = 1) -> tuple[list[events.AnyEvent], State]:
    """Every event of a game, and its last state."""
    steps = list(simulate(setup, seed, number))
    return [event for happened, _ in steps for event in happened], steps[-1][1]


def test_a_game_is_whole_from_the_opened_table_to_the_reveal() -> None:
    happened, final = game(SETUP)
    types = [events.type_of(event) for event in happened]
    assert types[:8] == ["created", *["seated"] * 4, "closed", "started", "dealt"]
    assert types[-3:] == ["adjudicated", "game_ended", "revealed"]
    assert [event.n for event in happened] == [*range(1, len(happened) + 1)]
    assert replay(happened) == final


def test_the_same_seed_and_number_give_the_same_game() -> None:
    assert game(SETUP)[0] == game(SETUP)[0]
    assert game(SETUP)[0] != game(SETUP, b"other")[0]
    assert game(SETUP)[0] != game(SETUP, number=2)[0]


def test_the_deals_do_not_depend_on_who_plays() -> None:
    others = Setup(OFFICIAL, ("random", "greedy", "random", "greedy"), 2)
    decks = [[event.deck for event in game(setup)[0] if isinstance(event, events.Dealt)] for setup in (SETUP, others)]
    assert decks[0] == decks[1]
    assert len(decks[0]) == 2


def test_a_game_without_a_limit_goes_on_to_the_target() -> None:
    happened, final = game(Setup(OFFICIAL, ("greedy",) * 4))
    assert final.end_reason == "target"
    assert max(final.totals) >= 10_000
    assert not any(isinstance(event, events.Adjudicated) for event in happened)


def test_a_game_that_ends_by_itself_in_its_last_hand_is_not_adjudicated() -> None:
    capped = resolve("samba-official", {"hand_cap": 2})
    happened, final = game(Setup(capped, ("greedy",) * 4, 2))
    assert final.end_reason == "hand_cap"
    assert not any(isinstance(event, events.Adjudicated) for event in happened)


def test_as_many_seats_as_the_rule_set_has() -> None:
    with pytest.raises(LobbyRefused) as refused:
        game(Setup(OFFICIAL, ("greedy",) * 7))
    assert refused.value.code == "players_not_permitted"


class _Cheat:
    """A bot that plays what it was not given."""

    def choose(self, *_: object) -> list[object]:
        from domain.moves import Discard

        return [Discard(("4C",))]


def test_a_bot_that_sends_something_illegal_is_told_with_what_it_was() -> None:
    *_, (_, state) = [step for step, _ in zip(simulate(SETUP, b"seed", 1), range(1), strict=False)]
    with pytest.raises(IllegalBotError, match="must_begin_turn"):
        play_on(state, [_Cheat()] * 4, [iter(())] * 4, None)  # type: ignore[arg-type, list-item]
