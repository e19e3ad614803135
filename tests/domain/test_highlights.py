"""The moments of a game to jump to, counted anew from the bare JSON of golden games."""

from collections.abc import Iterator
from typing import Any, get_args

import msgspec
import pytest

from domain.decide import decide
from domain.events import AnyEvent, Placed, Watch
from domain.evolve import fold, initial_state
from domain.highlights import Highlight, HighlightKind, highlights
from domain.lobby import open_table
from domain.moves import parse_move
from domain.placing import write_position
from domain.positions import state_from
from domain.redaction import redact
from domain.refusals import Refusal
from tests.domain.builders import EIGHTS, JsonMove, discard, meld
from tests.domain.golden_games import NAMES, RECORDS, events_of
from tests.domain.outcomes import cards
from tests.domain.tables import SEED_ORIGIN

SETS = ("natural_canasta", "mixed_canasta", "wild_canasta", "samba")


def recounted(name: str) -> Iterator[dict[str, Any]]:
    """The highlights of a golden game as JSON, from nothing but the lines of its record."""
    header, *lines = map(msgspec.json.decode, (RECORDS / f"{name}.meld.jsonl").read_bytes().splitlines())
    side_of = {seat: side for side, seats in enumerate(header["sides"]) for seat in seats}
    pile: list[str] = []
    sizes: dict[str, int] = {}
    hand = 0

    def note(kind: str, n: int, seat: int | None = None, **more: Any) -> dict[str, Any]:
        whose = {} if seat is None else {"seat": seat, "side": side_of[seat]}
        return {"n": n, "kind": kind, "hand": hand, **whose, **more}

    for event in lines[:-1]:
        n, seat = event["n"], event.get("seat")
        changed = []
        match event["type"]:
            case "dealt":
                hand, pile, sizes = event["hand"], list(event["pile"]), {}
                yield note("hand_start", n, event["dealer"])
            case "drew":
                pile = [] if "recycled" in event else pile
            case "took_pile":
                yield note("take", n, seat, cards=len(pile), whole=True, card=pile[-1])
                pile = []
                changed = [event["meld"], *event["melds"]]
            case "took_upcard":
                yield note("take", n, seat, cards=1, whole=False, card=pile.pop())
                changed = [event["meld"]]
            case "melded":
                changed = [*event["added"], *event["joined"], *event["new"]]
                for joined in event["joined"]:
                    sizes[joined["id"]] = max(sizes[part] for part in joined["of"])
            case "discarded":
                pile += event["cards"]
            case "asked":
                yield note("ask", n, seat)
            case "answered":
                yield note("answer", n, seat, yes=event["yes"])
            case "hand_ended":
                if event["by"] is not None:
                    yield note("going_out", n - 1, event["by"], concealed=event["concealed"])
                yield note("hand_end", n, reason=event["reason"], totals=event["totals"])
            case "game_ended":
                yield note("game_end", n, reason=event["reason"], totals=event["totals"], winners=event["winners"])
        for laid in changed:
            size = len(laid["cards"])
            if size >= 7 > sizes.get(laid["id"], 0) and laid["kind"] != "black_threes":
                yield note("canasta", n, seat, cards=size, set=kind_of(laid), meld=laid["id"])
            sizes[laid["id"]] = size
        if event["type"] == "laid_red_three":
            yield note("red_three", n, seat, card=event["card"])
        for laid in event.get("red_threes", ()):
            yield note("red_three", n, laid["seat"], card=laid["card"])


def kind_of(laid: dict[str, Any]) -> str:
    wild = any(card == "JK" or card[0] == "2" for card in laid["cards"])
    group = "mixed_canasta" if wild else "natural_canasta"
    return {"sequence": "samba", "wild": "wild_canasta", "group": group}[laid["kind"]]


def in_json(found: list[Highlight]) -> Any:
    return msgspec.json.decode(msgspec.json.encode(found))


@pytest.mark.parametrize("name", NAMES)
def test_the_highlights_of_a_game_are_those_that_its_lines_tell(name: str) -> None:
    assert in_json(highlights(events_of(name))) == list(recounted(name))


def test_the_golden_games_have_highlights_of_every_kind() -> None:
    found = [highlight for name in NAMES for highlight in highlights(events_of(name))]
    assert {highlight.kind for highlight in found} == set(get_args(HighlightKind))
    assert {highlight.set for highlight in found} == {None, *SETS}
    assert {highlight.whole for highlight in found} == {None, True, False}


def played(position: dict[str, Any], *moves: JsonMove) -> list[AnyEvent]:
    """The events of a practice game from a position in which seat 0 plays these moves."""
    state = state_from({"players": 4, "turn": 0, "phase": "play", **position})
    rules = state.table.rules
    created = open_table(rules.ruleset, 4, watch=Watch("nobody", 0), engine="test/1", fairness=None, origin=SEED_ORIGIN)
    placed = Placed(n=2, position=write_position(state))
    happened: list[AnyEvent] = [created, placed]
    state = fold(initial_state(created), [placed])
    for move in moves:
        decided = decide(state, 0, parse_move(move))
        assert not isinstance(decided, Refusal), decided
        happened += decided
        state = fold(state, decided)
    return happened


def lying(*melds: str, kind: str = "group") -> list[Any]:
    return [[{"id": f"m{n}", "kind": kind, "cards": cards(each)} for n, each in enumerate(melds, 1)], []]


def sets_of(happened: list[AnyEvent]) -> list[tuple[int, str | None, int | None]]:
    return [(each.n, each.set, each.cards) for each in highlights(happened) if each.kind == "canasta"]


def test_a_set_that_lies_in_a_position_is_completed_by_nobody() -> None:
    position = {"ruleset": "samba-official", "melds": lying(EIGHTS), "holdings": [cards("8S KD KH"), 3, 3, 3]}
    happened = played(position, meld(add={"m1": "8S"}), discard("KD"))
    assert [highlight.kind for highlight in highlights(happened)] == ["hand_start"]


def test_sequences_joined_to_seven_cards_are_a_samba_completed() -> None:
    melds = lying("4S 5S 6S", "7S 8S 9S TS", kind="sequence")
    position = {"ruleset": "samba-official", "melds": melds, "holdings": [cards("KD KH"), 3, 3, 3]}
    assert sets_of(played(position, meld(join=["m1 m2"]))) == [(3, "samba", 7)]


def test_a_canasta_to_which_a_group_is_joined_was_completed_before() -> None:
    position = {
        "ruleset": "samba-official",
        "options": {"merge_groups": True},
        "melds": lying("KS KH KD", EIGHTS, "8S 8C 8C", "KC KC KC"),
        "holdings": [cards("KD QH 4S"), 3, 3, 3],
    }
    assert sets_of(played(position, meld(join=["m3 m2"]))) == []
    assert sets_of(played(position, meld(add={"m1": "KD"}, join=["m1 m4"]))) == [(3, "natural_canasta", 7)]


@pytest.mark.parametrize(("wilds", "found"), [(True, [(3, "natural_canasta", 7)]), (False, [])])
def test_seven_black_threes_are_a_canasta_where_they_may_hold_wild_cards(wilds: bool, found: list[Any]) -> None:
    position = {
        "ruleset": "samba-official",
        "options": {"packs": 4, "black_three_melds_any_time": True, "black_three_wilds": wilds},
        "melds": lying("3S 3S 3S 3S 3C 3C", kind="black_threes"),
        "holdings": [cards("3C KH 4S 5S"), 3, 3, 3],
    }
    assert sets_of(played(position, meld(add={"m1": "3C"}))) == found


@pytest.mark.parametrize("name", NAMES)
def test_everybody_has_the_same_highlights(name: str) -> None:
    happened = events_of(name)
    whole = highlights(happened)
    for viewer in (0, 1, "watcher"):
        assert highlights(redact(event, viewer) for event in happened) == whole


@pytest.mark.parametrize("name", NAMES[:3])
def test_the_beginning_of_a_game_has_the_highlights_so_far(name: str) -> None:
    happened = events_of(name)
    whole = highlights(happened)
    for length in range(0, len(happened), 23):
        beginning = highlights(happened[:length])
        assert beginning == whole[: len(beginning)]
        assert all(highlight.n > length - 1 for highlight in whole[len(beginning) :])
    assert highlights([]) == []
