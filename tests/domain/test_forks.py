"""Forks: a practice game from any event of a finished one goes on as that one could have."""

from collections.abc import Sequence
from random import Random
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain import events
from domain.cards import canonical
from domain.chance import PracticeChance
from domain.ending import adjudication
from domain.events import AnyEvent, Watch
from domain.evolve import fold, initial_table, replay
from domain.forks import ForkImpossible, fork_origin
from domain.lobby import close, open_table, sit, stand_in
from domain.lobby_refusals import LobbyRefused
from domain.playing import begin, play
from domain.possible import possible_moves
from domain.redaction import Viewer, redact
from domain.refusals import Refusal
from domain.state import State
from domain.views import encode_view, view_for
from domain.waiting import seat_to_act
from service.version import ENGINE
from tests.domain.golden_games import NAMES, bare, events_of
from tests.domain.two_worlds import move_of

SEED = "5e" * 32
CHANCE = PracticeChance()
MOVES = (
    events.Drew, events.TookPile, events.TookUpcard, events.Melded, events.LaidRedThree, events.Asked, events.Answered,
    events.Discarded, events.Passed,
)  # fmt: skip
BROKEN_OFF = (events.Resigned, events.TimedOut, events.Adjudicated, events.Aborted, events.Revealed)
OWN = ("table", "version", "stood_in")
"""What a fork has of its own."""


def begun(happened: Sequence[AnyEvent], origin: dict[str, Any]) -> list[AnyEvent]:
    """All events of a fork up to its first move, players and seats drawn anew."""
    created = happened[0]
    assert isinstance(created, events.Created)
    opened = open_table(
        created.ruleset, created.players, watch=Watch("link", 0), engine=ENGINE, stock=created.stock, origin=origin
    )
    made: list[AnyEvent] = [opened]
    for seat in range(created.players):
        made += sit(replay(made), seat, f"p{seat}")
    made += close(replay(made), [None] * created.players)
    made += begin(replay(made), CHANCE)[0]
    return made


def points(happened: Sequence[AnyEvent], number: int, random: Random) -> list[int]:
    """Some events that can be left, one of each kind among them."""
    last = last_of(happened)
    first_of_kind = {type(event): event.n for event in reversed(happened[:last])}
    drawn = random.sample(range(1, last + 1), min(number, last))
    return sorted({*first_of_kind.values(), *drawn, last})


def last_of(happened: Sequence[AnyEvent]) -> int:
    with pytest.raises(ForkImpossible) as raised:
        fork_origin("g1", happened, len(happened), "original", SEED)
    return raised.value.last


def plays_on(state: State, recorded: State, rest: Sequence[AnyEvent]) -> None:
    """Make the recorded moves in a fork: all that follows must be as recorded, up to its end or a ruling."""
    while rest:
        event = rest[0]
        if isinstance(event, (*BROKEN_OFF, events.GameEnded)):
            return
        made: Sequence[AnyEvent] = [event]
        if isinstance(event, events.StoodIn):
            state = fold(state, stand_in(state, event.seat, event.reason))
        elif isinstance(event, MOVES):
            seat = seat_to_act(state)
            assert seat is not None
            decided = play(state, seat, [move_of(recorded, event)], CHANCE)
            assert not isinstance(decided, Refusal), (decided, event)
            made, state = decided
        for one, other in zip(made, rest, strict=False):
            if isinstance(other, BROKEN_OFF):
                return
            assert replace(bare(one), n=other.n) == bare(other)
        recorded = fold(recorded, rest[: len(made)])
        rest = rest[len(made) :]
    assert state.phase == "game_over"


def reached(happened: Sequence[AnyEvent], n: int) -> int | None:
    """The recorded event at which a fork that leaves the game after event `n` stands once it has begun."""
    phase = replay(happened[:n]).phase
    if phase == "lobby":
        return next(event.n for event in happened if isinstance(event, events.Dealt | events.Placed))
    if phase == "hand_over":
        # Where the game was ended here, the fork is dealt a hand that there never was.
        return n + 1 if isinstance(happened[n], events.Dealt) else None
    return n


def shown(state: State) -> list[bytes]:
    """The views of every seat, of watchers and of everyone, but for who sits there and how the deals come about."""
    plain = state.copy()
    table = initial_table(state.table.rules)
    plain.table = replace(table, striped=state.table.striped)
    plain.version, plain.stood_in = 0, False
    viewers: list[Viewer] = [*range(state.table.rules.players), "watcher", "everyone"]
    return [encode_view(plain, viewer) for viewer in viewers]


def stands(happened: Sequence[AnyEvent], n: int) -> None:
    """A fork that leaves the game after event `n` is in the state in which the game was, and nobody sees another."""
    origin = fork_origin("g1", happened, n, "original", SEED)
    made = begun(happened, origin)
    assert [event.n for event in made] == list(range(1, len(made) + 1))
    assert origin["hash"] == happened[origin["n"] - 1].hash
    there = reached(happened, origin["n"])
    if there is None:
        assert isinstance(made[-1], events.Dealt)
        return
    state, left = replay(made), replay(happened[:there])
    for field in State.__struct_fields__:
        if field not in OWN:
            assert getattr(state, field) == getattr(left, field), (n, field)
    assert shown(state) == shown(left)


def goes_on(happened: Sequence[AnyEvent], n: int) -> None:
    """The recorded moves, made in a fork that leaves the game after event `n`, make the recorded events."""
    origin = fork_origin("g1", happened, n, "original", SEED)
    there = reached(happened, origin["n"])
    if there is not None:
        plays_on(replay(begun(happened, origin)), replay(happened[:there]), happened[there:])


@pytest.mark.parametrize("name", NAMES)
def test_a_fork_stands_where_the_game_stood(name: str) -> None:
    happened = events_of(name)
    for n in points(happened, 20, Random(name)):
        stands(happened, n)


@pytest.mark.parametrize("name", NAMES)
def test_the_same_moves_upon_the_original_deck_make_the_same_events(name: str) -> None:
    happened = events_of(name)
    for n in [1, *Random(name).sample(range(1, last_of(happened)), 2)]:
        goes_on(happened, n)


@pytest.mark.parametrize("stock", ["common", "striped"])
def test_a_fork_of_a_fork_goes_on_too(stock: Any) -> None:
    """Also where each seat draws from a stripe of its own."""
    first = replace(events_of("g1-samba-official-4p")[0], stock=stock)
    random = Random(stock)
    game = played_at_random(begun([first], {"kind": "seed", "seed": SEED}), random, hands=2)
    for _ in range(2):
        for n in points(game, 8, random):
            stands(game, n)
            goes_on(game, n)
        n = random.randrange(1, last_of(game))
        game = played_at_random(begun(game, fork_origin("g1", game, n, "original", SEED)), random, hands=2)
    assert isinstance(game[-1], events.GameEnded)


def played_at_random(made: list[AnyEvent], random: Random, hands: int) -> list[AnyEvent]:
    """A game played on, every possible move alike, for some hands and then ended by a ruling; with hashes of a kind."""
    state = replay(made)
    until = state.hand + hands
    while state.hand < until and (seat := seat_to_act(state)) is not None:
        choices = sorted((choice.move() for choice in possible_moves(state, seat)), key=str)
        decided = play(state, seat, [random.choice(choices)], CHANCE)
        assert not isinstance(decided, Refusal)
        made += decided[0]
        state = decided[1]
    if state.phase != "game_over":
        made += adjudication(state, None, "agreement")
    return [replace(event, hash=f"{event.n:064x}") for event in made]


@pytest.mark.parametrize("name", NAMES)
def test_who_sees_a_fork_sees_what_the_seat_saw(name: str) -> None:
    happened = events_of(name)
    for n in points(happened, 4, Random(name)):
        made = begun(happened, fork_origin("g1", happened, n, "original", SEED))
        whole = replay(made)
        viewers: list[Viewer] = [0, whole.table.rules.players - 1, "watcher"]
        for viewer in viewers:
            seen = replay([redact(event, viewer) for event in made])
            assert view_for(seen, viewer) == view_for(whole, viewer)


@pytest.mark.parametrize("deck", ["original", "fresh"])
def test_the_cards_to_come_are_nobodys_while_the_fork_plays(deck: Any) -> None:
    happened = events_of(NAMES[4])
    n = next(event.n for event in happened if isinstance(event, events.Discarded)) + 30
    made = begun(happened, fork_origin("g1", happened, n, deck, SEED))
    created = msgspec.to_builtins(redact(made[0], 0))
    assert set(created["origin"]) == {"kind", "game", "n", "hash", "carried"}
    placed = msgspec.to_builtins(redact(next(event for event in made if isinstance(event, events.Placed)), 0))
    assert set(placed["position"]["stock"]) == {"count"}
    assert [isinstance(held, int) for held in placed["position"]["holdings"]] == [False, True, True, True]


def test_a_fresh_deck_keeps_what_was_dealt_and_shuffles_what_was_to_come() -> None:
    happened = events_of("g1-samba-official-4p")
    dealt = [event for event in happened if isinstance(event, events.Dealt)]
    n = dealt[1].n + 20
    one, other, again = (fork_origin("g1", happened, n, "fresh", seed) for seed in (SEED, "5f" * 32, SEED))
    original = fork_origin("g1", happened, n, "original", SEED)
    stocks = [origin["position"]["stock"]["next"] for origin in (one, other, again, original)]
    assert stocks[0] == stocks[2]
    assert stocks[0] != stocks[1]
    assert stocks[3] not in stocks[:2]
    assert {canonical(stock) for stock in stocks} == {canonical(stocks[0])}
    assert "decks" not in one
    assert original["decks"] == [event.deck for event in dealt[2:]]
    for origin in (one, original):
        del origin["position"]["stock"]["next"]
    assert one["position"] == original["position"]


def test_nothing_is_left_after_the_end() -> None:
    decided = events_of("g1-samba-official-4p")
    end = next(event.n for event in decided if isinstance(event, events.GameEnded))
    assert isinstance(decided[end - 2], events.HandEnded)
    # The last move ends the hand, and so the game.
    for n in range(end - 2, len(decided) + 1):
        with pytest.raises(ForkImpossible) as raised:
            fork_origin("g1", decided, n, "original", SEED)
        assert raised.value.last == end - 3
    fork_origin("g1", decided, end - 3, "original", SEED)


def test_between_a_move_and_the_end_of_its_hand_nothing_can_be_played() -> None:
    happened = events_of("g1-samba-official-4p")
    ended = next(event.n for event in happened if isinstance(event, events.HandEnded))
    origin = fork_origin("g1", happened, ended - 1, "original", SEED)
    assert origin["n"] == ended
    assert origin["position"]["phase"] == "hand_over"


CARRIED_FAULTS = [
    ("carried.next_meld", {"next_meld": 1}),
    ("carried.turn_first_meld", {"turn_first_meld": 500}),
    ("carried.stripes", {"stripes": [1, 2, 3, 4]}),
    ("origin", {"next_meld": 0}),
]


@pytest.mark.parametrize(("field", "wrong"), CARRIED_FAULTS)
def test_what_a_fork_carries_must_fit_its_position(field: str, wrong: dict[str, Any]) -> None:
    happened = events_of("g1-samba-official-4p")
    n = next(event.n for event in happened if isinstance(event, events.Melded))
    origin = fork_origin("g1", happened, n, "original", SEED)
    origin["carried"] |= wrong
    refused_for(happened, origin, field)


def refused_for(happened: Sequence[AnyEvent], origin: dict[str, Any], field: str) -> None:
    with pytest.raises(LobbyRefused) as raised:
        begun(happened, origin)
    assert (raised.value.code, raised.value.params["field"]) == ("origin_invalid", field)


def test_a_fork_begins_with_something() -> None:
    happened = events_of("g1-samba-official-4p")
    fork = {"kind": "fork", "game": "g1", "n": 3}
    refused_for(happened, fork, "seed")
    refused_for(happened, fork | {"carried": {"next_meld": 1, "turn_first_meld": 1, "touched_old": False}}, "carried")
    refused_for(happened, fork | {"seed": SEED, "dealer": 4}, "dealer")
    refused_for(happened, fork | {"decks": [["JK"]]}, "decks[0]")
    begun(happened, fork | {"seed": SEED})
