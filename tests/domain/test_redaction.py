"""The public forms of events (formats, part 5, "Who sees what")."""

import importlib.util
from typing import Any

import msgspec
import pytest
from msgspec import UNSET, UnsetType

from domain import events, redaction
from domain.canonical import canonical
from domain.events import AnyEvent, Event, Meld, RedThreeLaid
from domain.moves import Discard
from domain.redaction import Form, UnregisteredEventError, Viewer, check_registry, redact, redacted_bytes
from tests.domain.golden_games import NAMES, events_of

OTHERS: tuple[Viewer, ...] = (1, 2, 3, "watcher")


class Peeked(Event, frozen=True, kw_only=True, tag="peeked"):
    """An event that somebody added and forgot to give a public form."""

    seat: int
    card: str


def public(event: AnyEvent, viewer: Viewer) -> dict[str, Any]:
    """The public form as JSON, without the common keys."""
    shown: dict[str, Any] = msgspec.json.decode(redacted_bytes(event, viewer))
    return {key: value for key, value in shown.items() if key not in ("n", "at", "type")}


# --- the registry ---


def test_an_event_class_without_a_public_form_is_not_registered() -> None:
    with pytest.raises(UnregisteredEventError, match="Peeked states no public form"):
        check_registry([events.Drew, Peeked])


def test_the_module_cannot_be_imported_while_an_event_lacks_its_public_form(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(events, "AnyEvent", events.AnyEvent | Peeked)
    spec = importlib.util.spec_from_file_location("redaction_with_a_planted_event", redaction.__file__)
    assert spec is not None
    assert spec.loader is not None
    with pytest.raises(TypeError, match="Peeked states no public form"):
        spec.loader.exec_module(importlib.util.module_from_spec(spec))


@pytest.mark.parametrize("form", [Form(("seat",)), Form(("seat", "card", "mood")), Form(("seat", "card", "salt"))])
def test_a_form_that_misses_a_field_or_names_a_wrong_one_is_not_registered(
    form: Form, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(redaction._FORMS, Peeked, form)
    with pytest.raises(UnregisteredEventError, match="does not cover it"):
        check_registry([Peeked])


def test_an_event_that_came_unregistered_is_never_passed_on() -> None:
    with pytest.raises(KeyError):
        redact(Peeked(seat=0, card="AS"), 1)


class Whispered(Event, frozen=True, kw_only=True, tag="whispered"):
    """An event to which somebody added an optional field that its form does not name."""

    seat: int
    card: str | UnsetType = UNSET


def test_an_optional_field_that_the_form_does_not_name_is_left_out() -> None:
    form = Form(("seat",))
    shown = redaction._maker(Whispered, form)(Whispered(seat=2, card="AS"), "watcher")
    assert shown == Whispered(seat=2)


# --- the common keys ---


@pytest.mark.parametrize("name", NAMES)
def test_no_public_form_shows_a_salt_and_every_one_shows_its_hashes(name: str) -> None:
    for event in events_of(name):
        shown = redact(event, "watcher")
        assert type(shown) is type(event)
        assert shown.salt is UNSET
        assert (shown.n, shown.at, shown.prev, shown.hash) == (event.n, event.at, event.prev, event.hash)
        assert event.hash is not UNSET


@pytest.mark.parametrize("name", NAMES)
def test_everyone_gets_the_events_of_a_public_record_as_they_are(name: str) -> None:
    for event in events_of(name):
        assert redact(event, "everyone") == event


@pytest.mark.parametrize("name", NAMES)
def test_public_forms_are_canonical_and_do_not_lose_by_being_made_twice(name: str) -> None:
    for event in events_of(name):
        for viewer in (0, "watcher"):
            once = redact(event, viewer)
            written = redacted_bytes(event, viewer)
            assert written == events.encode(once) == canonical(msgspec.json.decode(written))
            assert redact(once, viewer) == once
            assert redact(once, "watcher") == redact(event, "watcher")


# --- event by event ---


def test_a_deal_shows_a_seat_its_own_cards_and_nobody_the_deck() -> None:
    laid = (RedThreeLaid(seat=0, card="3H", replacement="KD"), RedThreeLaid(seat=1, card="3D", replacement=None))
    event = events.Dealt(
        hand=1, dealer=3, deck=("AS", "KD"), holdings=(("AS", "KD"), ("4S",)), pile=("5C",), stock=7, red_threes=laid
    )
    hidden = {"seat": 0, "card": "3H", "replacement": "??"}
    bare = {"seat": 1, "card": "3D", "replacement": None}
    common = {"hand": 1, "dealer": 3, "pile": ["5C"], "stock": 7}
    for viewer in (1, "watcher"):
        own = ["4S"] if viewer == 1 else 1
        assert public(event, viewer) == common | {"holdings": [2, own], "red_threes": [hidden, bare]}
    seen = {"seat": 0, "card": "3H", "replacement": "KD"}
    assert public(event, 0) == common | {"holdings": [["AS", "KD"], 1], "red_threes": [seen, bare]}


def test_a_draw_shows_others_how_many_cards_were_drawn() -> None:
    laid = (RedThreeLaid(seat=0, card="3H", replacement="KD"),)
    event = events.Drew(seat=0, cards=("AS", "3H"), red_threes=laid, stock=7, recycled=4)
    for viewer in OTHERS:
        assert public(event, viewer) == {
            "seat": 0,
            "cards": 2,
            "red_threes": [{"seat": 0, "card": "3H", "replacement": "??"}],
            "stock": 7,
            "recycled": 4,
        }
    assert public(event, 0)["cards"] == ["AS", "3H"]
    assert public(event, 0)["red_threes"][0]["replacement"] == "KD"


def test_a_draw_without_a_turned_pile_does_not_say_so() -> None:
    assert "recycled" not in public(events.Drew(seat=0, cards=("AS",), red_threes=(), stock=7), 1)


def test_a_taken_pile_is_public_but_for_what_replaces_a_red_three() -> None:
    meld = Meld("m1", "group", ("8S", "8H", "8D"))
    laid = (RedThreeLaid(seat=0, card="3H", replacement="KD"),)
    event = events.TookPile(seat=0, meld=meld, melds=(), picked_up=("4S", "5C"), red_threes=laid)
    for viewer in OTHERS:
        shown = public(event, viewer)
        assert shown["picked_up"] == ["4S", "5C"]
        assert shown["red_threes"] == [{"seat": 0, "card": "3H", "replacement": "??"}]


def test_what_replaces_a_laid_red_three_is_hidden_from_others() -> None:
    event = events.LaidRedThree(seat=0, card="3H", replacement="KD")
    assert [public(event, viewer)["replacement"] for viewer in OTHERS] == ["??"] * 4
    assert public(event, 0)["replacement"] == "KD"
    assert public(events.LaidRedThree(seat=0, card="3H", replacement=None), 1)["replacement"] is None


def test_a_question_does_not_tell_what_is_planned() -> None:
    event = events.Asked(seat=0, then=(Discard(("4S",)),))
    for viewer in OTHERS:
        assert public(event, viewer) == {"seat": 0}
    assert public(event, 0)["then"] == [{"type": "discard", "cards": ["4S"]}]


def test_a_hand_that_has_ended_lies_open() -> None:
    event = events.HandEnded(
        hand=1, reason="stock", by=None, concealed=False, holdings=(("AS",), ()), lines=({}, {}), totals=(0, 0)
    )
    assert public(event, "watcher")["holdings"] == [["AS"], []]


# --- a game from a position ---


def position(**keys: Any) -> dict[str, Any]:
    return {
        "ruleset": {"name": "samba-official"},
        "players": 2,
        "turn": 0,
        "phase": "play",
        "holdings": [["AS", "KD"], ["4S"]],
        "stock": {"count": 9, "next": ["QH"]},
        "pile": ["5C"],
        "ask": None,
        "ended": None,
        **keys,
    }


def test_a_placed_position_hides_other_holdings_and_the_stock() -> None:
    event = events.Placed(position=position())
    shown = public(event, 1)["position"]
    assert shown == position(holdings=[2, ["4S"]], stock={"count": 9})
    assert public(event, "watcher")["position"]["holdings"] == [2, 1]


def test_a_placed_question_hides_the_plan_from_all_but_the_asker() -> None:
    ask = {"type": "ask", "then": [{"type": "discard", "cards": ["AS"]}]}
    event = events.Placed(position=position(phase="answer", ask=ask))
    assert public(event, 0)["position"]["ask"] == ask
    assert public(event, 1)["position"]["ask"] == {"type": "ask"}
    assert public(event, "watcher")["position"]["ask"] == {"type": "ask"}


def test_a_placed_hand_that_is_over_lies_open() -> None:
    ended = {"by": 0, "reason": "out", "concealed": False}
    event = events.Placed(position=position(phase="hand_over", ended=ended))
    shown = public(event, "watcher")["position"]
    assert shown["holdings"] == [["AS", "KD"], ["4S"]]
    assert shown["stock"] == {"count": 9}


def test_a_key_that_a_position_does_not_know_is_not_shown() -> None:
    event = events.Placed(position=position(secret="AS"))
    assert "secret" not in public(event, 1)["position"]


@pytest.mark.parametrize(
    ("origin", "shown"),
    [
        (None, None),
        ({"kind": "seed", "seed": "c0ffee", "dealer": 1}, {"kind": "seed"}),
        ({"kind": "decks", "decks": [["AS"]]}, {"kind": "decks"}),
        ({"kind": "position", "position": {"stock": {}}, "seed": "00"}, {"kind": "position"}),
        ({"kind": "fork", "game": "g1", "n": 40, "position": {}}, {"kind": "fork", "game": "g1", "n": 40}),
    ],
)
def test_the_origin_of_a_practice_game_does_not_tell_its_cards(origin: Any, shown: Any) -> None:
    created = msgspec.structs.replace(events_of(NAMES[0])[0], origin=origin)
    for viewer in (0, "watcher"):
        assert public(created, viewer)["origin"] == shown
    assert redact(created, "everyone") == created
