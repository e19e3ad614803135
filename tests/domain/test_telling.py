"""What happened in a sentence an event: for complete events and for every public form."""

from random import Random
from typing import get_args

import pytest

from domain import events, telling
from domain.events import AnyEvent, JoinedMeld, Meld, RedThreeLaid
from domain.evolve import evolve
from domain.moves import Discard, LayMelds, TakePile, TakeUpcard
from domain.redaction import Viewer, redact
from domain.telling import card, tell
from tests.domain.golden_games import NAMES, events_of
from tests.domain.two_worlds import drive, first_hand, other_world

PLAYERS = ("Ada", "Ben", "Cyd", "Dan", "Eve", "Fay")
OTHERS: tuple[Viewer, ...] = (1, 2, 3, "watcher")
LAID = (RedThreeLaid(seat=0, card="3H", replacement="KD"),)

HIDING: list[AnyEvent] = [
    events.Drew(seat=0, cards=("KD", "9S"), red_threes=LAID, stock=7),
    events.LaidRedThree(seat=0, card="3H", replacement="KD"),
    events.Asked(seat=0, then=(LayMelds(new=(("KD", "9S"),)), Discard(("9S",)))),
    events.TookPile(
        seat=0, meld=Meld("m1", "group", ("8S", "8H", "8D")), melds=(), picked_up=("4S",), red_threes=LAID
    ),
    events.Dealt(
        hand=1, dealer=3, deck=("KD", "9S"), holdings=(("KD",), ("9S",)), pile=("5C",), stock=7, red_threes=LAID
    ),
    events.Placed(
        position={
            "hand": 2, "turn": 0, "pile": ["5C"], "stock": {"count": 9, "next": ["KD"]},
            "holdings": [["KD"], ["9S"]], "ended": None, "ask": None,
        }
    ),
]  # fmt: skip
"""Events that hide the king of diamonds and the nine of spades from others than seat 0."""


def test_every_type_of_event_can_be_told() -> None:
    assert set(telling._TELLERS) == set(get_args(AnyEvent))


@pytest.mark.parametrize("name", NAMES)
def test_every_event_of_every_game_is_told_to_everybody(name: str) -> None:
    for event in events_of(name):
        for viewer in ("everyone", 0, 1, "watcher"):
            sentence = tell(redact(event, viewer), PLAYERS)
            assert sentence
            assert sentence == " ".join(sentence.split())
            assert not any(word in sentence for word in ("UNSET", "None", "()", "??"))


@pytest.mark.parametrize("event", HIDING, ids=events.type_of)
@pytest.mark.parametrize("viewer", OTHERS)
def test_what_a_form_hides_is_not_told(event: AnyEvent, viewer: Viewer) -> None:
    sentence = tell(redact(event, viewer), PLAYERS)
    assert "K♦" not in sentence
    assert "9♠" not in sentence


@pytest.mark.parametrize("event", HIDING[:3], ids=events.type_of)
def test_what_a_form_shows_to_its_seat_is_told(event: AnyEvent) -> None:
    assert "K♦" in tell(redact(event, 0), PLAYERS)


@pytest.mark.parametrize("name", NAMES)
def test_two_games_that_differ_in_unknown_cards_only_are_told_alike(name: str) -> None:
    before, hand = first_hand(name)
    random = Random(name)
    last = next((n for n, event in enumerate(hand) if isinstance(event, events.Drew) and event.recycled), len(hand))
    told = differing = 0
    for viewer in (*range(before.table.rules.players), "watcher"):
        for _ in range(4):
            until = random.randint(2, last)
            other = other_world(before, hand, until, viewer, random)
            played = drive(evolve(before, other), hand[:until], evolve(before, hand[0]))
            for here, there in zip(hand, [other, *(event for event, _, _ in played)], strict=False):
                assert tell(redact(here, viewer), PLAYERS) == tell(redact(there, viewer), PLAYERS)
                told += 1
                differing += tell(here, PLAYERS) != tell(there, PLAYERS)
    assert told > 50
    assert differing


def meld(kind: events.MeldKind, *cards: str) -> Meld:
    return Meld("m1", kind, cards)


QUEENS = meld("group", "QS", "QH", "QD")
JOINED = JoinedMeld("m1", "group", QUEENS.cards * 2, ("m1", "m2"))
CANASTA = meld("group", "2S", "8S", "8H", "8H", "8D", "8D", "8C")
SAMBA = meld("sequence", *(rank + "S" for rank in "456789T"))


def ended(by: int | None) -> events.HandEnded:
    return events.HandEnded(
        hand=3,
        reason="stock" if by is None else "out",
        by=by,
        concealed=by is not None,
        holdings=(),
        lines=({"total": 90}, {"total": -5}),
        totals=(190, 20),
    )


THREES = (RedThreeLaid(0, "3H", "??"), RedThreeLaid(0, "3D", None))


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (events.Drew(seat=0, cards=2, red_threes=(), stock=9), "Ada draws 2 cards"),
        (events.Drew(seat=0, cards=(), red_threes=(), stock=0), "Ada draws no card"),
        (
            events.Drew(seat=0, cards=("JK", "TS"), red_threes=(), stock=9, recycled=31),
            "Ada draws 2 cards (JK T♠) after 31 cards of the pile are turned over",
        ),
        (
            events.Drew(seat=0, cards=1, red_threes=THREES, stock=0),
            "Ada draws 1 card; lays 3♥ and draws a card for it; lays 3♦ and draws nothing for it",
        ),
        (
            events.TookPile(seat=1, meld=QUEENS, melds=(CANASTA,), picked_up=("4S", "5S"), red_threes=()),
            (
                "Ben takes the pile of 3 cards for the queens Q♠ Q♥ Q♦; "
                "melds the mixed canasta of eights 2♠ 8♠ 8♥ 8♥ 8♦ 8♦ 8♣"
            ),
        ),
        (events.TookUpcard(seat=1, meld=SAMBA), "Ben takes the upcard, which completes the samba 4♠ 5♠ 6♠ 7♠ 8♠ 9♠ T♠"),
        (
            events.TookUpcard(seat=1, meld=meld("sequence", "4S", "5S", "6S", "7S")),
            "Ben takes the upcard onto the sequence 4♠ 5♠ 6♠ 7♠",
        ),
        (
            events.Melded(seat=0, new=(QUEENS, meld("wild", "JK", "2S", "2S")), added=(), joined=()),
            "Ada melds the queens Q♠ Q♥ Q♦ and the wild cards JK 2♠ 2♠",
        ),
        (
            events.Melded(seat=0, new=(), added=(CANASTA, QUEENS), joined=()),
            "Ada completes the mixed canasta of eights 2♠ 8♠ 8♥ 8♥ 8♦ 8♦ 8♣; adds to the queens Q♠ Q♥ Q♦",
        ),
        (
            events.Melded(seat=0, new=(), added=(meld("group", *["QS"] * 8),), joined=()),
            "Ada adds to the natural canasta of queens " + " ".join(["Q♠"] * 8),
        ),
        (
            events.Melded(seat=0, new=(), added=(meld("black_threes", *["3S"] * 7),), joined=()),
            "Ada adds to the black threes " + " ".join(["3♠"] * 7),
        ),
        (
            events.Melded(seat=0, new=(), added=(), joined=(JOINED,)),
            "Ada joins 2 melds into the queens Q♠ Q♥ Q♦ Q♠ Q♥ Q♦",
        ),
        (events.Asked(seat=2), "Cyd asks for leave to go out"),
        (
            events.Asked(seat=2, then=(TakePile(onto="m1"), LayMelds(add={"m1": ("KD",)}), Discard(("9S",)))),
            "Cyd asks for leave to go out and would then take the pile, lay K♦ and discard 9♠",
        ),
        (
            events.Asked(seat=2, then=(TakeUpcard("m1"), LayMelds(join=(("m1", "m2"),)))),
            "Cyd asks for leave to go out and would then take the upcard and join melds",
        ),
        (events.Answered(seat=0, yes=False), "Ada says no"),
        (
            ended(1),
            "Hand 3 ends: Ben is out (concealed); +90, -5; totals 190, 20",
        ),
        (
            ended(None),
            "Hand 3 ends: the stock is at its end; +90, -5; totals 190, 20",
        ),
        (events.StoodIn(seat=1, reason="absence"), "A stand-in plays for Ben (absence)"),
        (events.Resigned(seat=1, side=1, reason=None), "Ben resigns for side 1"),
        (events.TimedOut(side=0, reason="time"), "The time is over against side 0 (time)"),
        (events.Adjudicated(side=None, reason="ruling"), "A ruling ends the game, the best totals win (ruling)"),
        (events.Adjudicated(side=1, reason=None), "A ruling ends the game against side 1"),
        (events.Aborted(side=None, reason=None), "The game is broken off"),
        (
            events.GameEnded(reason="hand_cap", totals=(5, 5, 1), winners=(0, 1)),
            "The game ends (hand cap): sides 0 and 1 draw, totals 5, 5, 1",
        ),
        (
            events.GameEnded(reason="aborted", totals=(5, 5), winners=()),
            "The game ends (aborted): nobody wins, totals 5, 5",
        ),
        (events.Seated(seat=1, player="p", kind="bot", bot="greedy"), "Seat 1 (Ben) is taken by a bot (greedy)"),
        (events.Seated(seat=1, player="p", kind="human", bot=None), "Seat 1 (Ben) is taken by a player"),
        (
            events.Closed(seats=("p", "q"), nonce_commitments=("00", None), beacon=None),
            "The table is closed, with nonces of 1 seat to come",
        ),
        (
            events.Placed(position={"hand": 2, "turn": 1, "pile": [], "stock": {"count": 9}}),
            "The game begins from a position of hand 2: turn of Ben, stock 9, pile of 0 cards",
        ),
    ],
    ids=lambda value: events.type_of(value) if isinstance(value, events.Event) else None,
)
def test_a_sentence_reads(event: AnyEvent, sentence: str) -> None:
    assert tell(event, PLAYERS) == sentence


def test_a_card_is_written_with_its_suit() -> None:
    assert [card(face) for face in ("TS", "3H", "2D", "AC", "JK", "??")] == ["T♠", "3♥", "2♦", "A♣", "JK", "??"]


def test_names_are_told_as_they_are_given() -> None:
    assert tell(events.Passed(seat=0), ["[/red]$x$", "b"]) == "[/red]$x$ passes"
