"""The statistics of a game, counted anew from the bare JSON of golden games."""

from collections import Counter
from datetime import datetime
from functools import lru_cache
from typing import Any

import msgspec
import pytest
from msgspec.structs import replace

from domain.events import AnyEvent, Dealt, Discarded, StoodIn
from domain.redaction import redact
from domain.rules import Rules, compile_rules
from domain.rulesets import RuleSet
from domain.statistics import Statistics, statistics
from tests.domain.golden_games import NAMES, RECORDS, bare, events_of

LINES = ("cards", "natural_canastas", "mixed_canastas", "wild_canastas", "sambas")
SETS = {"natural_canasta": "natural", "mixed_canasta": "mixed", "wild_canasta": "wild", "samba": "sambas"}


@lru_cache(maxsize=2)
def record(name: str) -> list[dict[str, Any]]:
    """The lines of a golden record without its trailer: the header, then the events by their number."""
    return [msgspec.json.decode(line) for line in (RECORDS / f"{name}.meld.jsonl").read_bytes().splitlines()[:-1]]


@lru_cache(maxsize=2)
def counted(name: str) -> Statistics:
    return statistics(events_of(name))


def rules_of(name: str) -> Rules:
    header = record(name)[0]
    return compile_rules(msgspec.convert(header["ruleset"], RuleSet), len(header["players"]))


def of_type(name: str, *types: str) -> list[dict[str, Any]]:
    return [line for line in record(name) if line.get("type") in types]


@pytest.mark.parametrize("name", NAMES)
def test_a_seat_did_what_its_events_say(name: str) -> None:
    for seat in counted(name).seats:
        own = [line for line in record(name) if line.get("seat") == seat.seat]
        types = Counter(line["type"] for line in own)
        assert (seat.draws, seat.takes, seat.upcards) == (types["drew"], types["took_pile"], types["took_upcard"])
        assert seat.drawn == sum(len(line["cards"]) for line in own if line["type"] == "drew")
        assert seat.discards == sum(len(line["cards"]) for line in own if line["type"] == "discarded")
        taken = [len(line["picked_up"]) + 1 for line in own if line["type"] == "took_pile"]
        assert (seat.taken, seat.largest_take) == (sum(taken), max(taken, default=0))
        assert seat.asks == types["asked"]
        ends = [line for line in of_type(name, "hand_ended") if line["by"] == seat.seat]
        assert (seat.outs, seat.concealed) == (len(ends), sum(line["concealed"] for line in ends))
        laid = [entry for line in record(name) for entry in line.get("red_threes", ()) if entry["seat"] == seat.seat]
        assert seat.red_threes == len(laid) + types["laid_red_three"]


@pytest.mark.parametrize("name", NAMES)
def test_every_turn_is_counted_once_at_the_event_that_ends_it(name: str) -> None:
    ends = []
    for before, line in zip(record(name)[1:], record(name)[2:], strict=False):
        if line["type"] == "discarded" or (line["type"] == "hand_ended" and before["type"] != "discarded"):
            ends.append(line["n"])
    whole = counted(name)
    assert [point.n for point in whole.course] == ends
    assert [point.turn for point in whole.course] == list(range(1, len(ends) + 1))
    assert (
        whole.turns == len(ends) == sum(seat.turns for seat in whole.seats) == sum(hand.turns for hand in whole.hands)
    )
    for point in whole.course:
        assert record(name)[point.n].get("seat", point.seat) == point.seat


@pytest.mark.parametrize("name", NAMES)
def test_points_on_the_table_at_the_end_of_a_hand_are_those_of_its_lines(name: str) -> None:
    """With a lone side the lines are those of a party, in which the melds of both its seats count."""
    whole = counted(name)
    last_points = {point.hand: point for point in whole.course}
    for hand in whole.hands:
        if hand.last is None:
            continue
        point = last_points[hand.hand]
        on_lines = [sum(line.get(key, 0) for key in LINES) for line in hand.lines]
        possible = [list(point.table)]
        if "3p" in name:
            splits: list[list[tuple[int, ...]]] = [[(0,), (1,), (2,)], [(0, 1), (2,)], [(0, 2), (1,)], [(1, 2), (0,)]]
            possible = [
                [sum(point.table[seat] for seat in party_of(side, split)) for side in range(3)] for split in splits
            ]
        assert on_lines in possible
        assert [before + line["total"] for before, line in zip(point.totals, hand.lines, strict=True)] == [*hand.totals]


def party_of(seat: int, split: list[tuple[int, ...]]) -> tuple[int, ...]:
    return next(party for party in split if seat in party)


@pytest.mark.parametrize("name", NAMES)
def test_points_on_the_table_are_those_of_the_melds_that_lie(name: str) -> None:
    rules = rules_of(name)
    bonuses = {
        "natural": rules.natural_canasta_bonus,
        "mixed": rules.mixed_canasta_bonus,
        "wild": rules.wild_canasta_bonus,
        "sambas": rules.samba_bonus,
    }
    melds: dict[str, tuple[int, dict[str, Any]]] = {}
    points = {point.n: point for point in counted(name).course}
    for line in record(name)[1:]:
        if line["type"] == "dealt":
            melds = {}
        changed = [*([line["meld"]] if "meld" in line else []), *line.get("melds", ())]
        changed += [each for key in ("new", "added", "joined") for each in line.get(key, ())]
        for each in changed:
            owner = melds[each["id"]][0] if each["id"] in melds else rules.side_of[line["seat"]]
            for part in each.get("of", ()):
                melds.pop(part)
            melds[each["id"]] = owner, each
        if line["n"] in points:
            table = [0] * len(rules.sides)
            for owner, each in melds.values():
                table[owner] += sum(rules.points[face] for face in each["cards"])
                if len(each["cards"]) >= 7:
                    table[owner] += bonuses[set_of(each)]
            assert list(points[line["n"]].table) == table


def set_of(meld: dict[str, Any]) -> str:
    if meld["kind"] == "group":
        return "mixed" if any(face == "JK" or face[0] == "2" for face in meld["cards"]) else "natural"
    return {"sequence": "sambas", "wild": "wild"}[meld["kind"]]


@pytest.mark.parametrize("name", NAMES)
def test_a_hand_ends_as_its_event_says(name: str) -> None:
    deals, ends = of_type(name, "dealt"), of_type(name, "hand_ended")
    hands = counted(name).hands
    assert [(hand.hand, hand.dealer, hand.first) for hand in hands] == [
        (line["hand"], line["dealer"], line["n"]) for line in deals
    ]
    for hand, end, deal in zip(hands, ends, deals, strict=False):
        assert (hand.last, hand.reason, hand.by) == (end["n"], end["reason"], end["by"])
        assert [*hand.lines] == end["lines"]
        assert [*hand.totals] == end["totals"]
        inside = record(name)[hand.first : end["n"]]
        assert hand.takes == sum(line["type"] == "took_pile" for line in inside)
        assert hand.discards == sum(line["type"] == "discarded" for line in inside)
        laid = sum(len(line.get("red_threes", ())) + (line["type"] == "laid_red_three") for line in inside)
        assert sum(hand.red_threes) == laid
        assert hand.milliseconds == milliseconds(deal["at"], end["at"])
    assert all(hand.last is None and hand.reason is None for hand in hands[len(ends) :])


@pytest.mark.parametrize("name", NAMES)
def test_sets_at_the_end_of_a_hand_are_worth_what_its_lines_say(name: str) -> None:
    rules = rules_of(name)
    for hand in counted(name).hands:
        if hand.last is None or rules.lone_side:
            continue
        for line, sets in zip(hand.lines, hand.canastas, strict=True):
            assert line["natural_canastas"] == sets.natural * rules.natural_canasta_bonus
            assert line["mixed_canastas"] == sets.mixed * rules.mixed_canasta_bonus
            assert line.get("wild_canastas", 0) == sets.wild * rules.wild_canasta_bonus
            assert line.get("sambas", 0) == sets.sambas * rules.samba_bonus


@pytest.mark.parametrize("name", NAMES)
def test_pile_and_stock_are_told_after_every_event_that_changes_them(name: str) -> None:
    pile, stock, told = 0, 0, []
    for line in record(name)[1:]:
        before = (pile, stock)
        match line["type"]:
            case "dealt":
                pile, stock = len(line["pile"]), line["stock"]
            case "drew":
                pile, stock = 0 if "recycled" in line else pile, line["stock"]
            case "took_pile":
                pile = 0
                stock -= sum(laid["replacement"] is not None for laid in line["red_threes"])
            case "took_upcard":
                pile -= 1
            case "laid_red_three":
                stock -= line["replacement"] is not None
            case "discarded":
                pile += len(line["cards"])
        if before != (pile, stock):
            told.append((line["n"], pile, stock))
    assert [(level.n, level.pile, level.stock) for level in counted(name).piles] == told


def milliseconds(before: str, after: str) -> int:
    return round((datetime.fromisoformat(after) - datetime.fromisoformat(before)).total_seconds() * 1000)


@pytest.mark.parametrize("name", NAMES)
def test_time_belongs_to_the_seat_whose_move_was_awaited(name: str) -> None:
    own: Counter[int] = Counter()
    for before, line in zip(record(name)[1:], record(name)[2:], strict=False):
        # In these games every seat makes its own moves, and nothing else happens while one is awaited.
        if "seat" in line and line["type"] not in ("seated", "nonce_revealed", "resigned"):
            own[line["seat"]] += milliseconds(before["at"], line["at"])
    if not of_type(name, "resigned", "adjudicated", "timed_out", "aborted"):
        assert {seat.seat: seat.own_milliseconds for seat in counted(name).seats} == dict(own)
    assert counted(name).milliseconds == milliseconds(record(name)[1]["at"], record(name)[-1]["at"])
    assert sum(seat.stand_in_milliseconds for seat in counted(name).seats) == 0


@pytest.mark.parametrize("name", NAMES)
def test_a_side_has_what_its_seats_have(name: str) -> None:
    whole = counted(name)
    for side in whole.sides:
        own = [whole.seats[seat] for seat in side.seats]
        for key in ("turns", "takes", "taken", "red_threes", "outs"):
            assert getattr(side, key) == sum(getattr(seat, key) for seat in own)
        for key in SETS.values():
            assert getattr(side.canastas, key) == sum(getattr(seat.canastas, key) for seat in own)
        ended = [hand.lines[side.side] for hand in whole.hands if hand.lines]
        assert side.lines == {key: sum(line[key] for line in ended) for key in (ended[0] if ended else ())}
        assert side.total == record(name)[0]["result"]["totals"][side.side]


@pytest.mark.parametrize("name", NAMES)
def test_the_longest_hand_and_the_largest_pile_are_the_first_of_their_size(name: str) -> None:
    whole = counted(name)
    most = max(hand.turns for hand in whole.hands)
    assert whole.longest_hand == next(hand.hand for hand in whole.hands if hand.turns == most)
    takes = [(len(line["picked_up"]) + 1, -line["n"]) for line in of_type(name, "took_pile")]
    size, place = max(takes)
    assert whole.largest_take is not None
    assert (whole.largest_take.cards, whole.largest_take.n) == (size, -place)


@pytest.mark.parametrize("name", NAMES)
def test_everybody_has_the_same_statistics(name: str) -> None:
    for viewer in (0, 1, "watcher"):
        assert statistics(redact(event, viewer) for event in events_of(name)) == counted(name)


@pytest.mark.parametrize("name", NAMES[:2])
def test_the_beginning_of_a_game_has_the_statistics_so_far(name: str) -> None:
    happened = events_of(name)
    for length in range(1, len(happened), 41):
        beginning = statistics(happened[:length])
        assert beginning.events == length
        assert beginning.course == counted(name).course[: beginning.turns]
        assert all(hand.last is not None for hand in beginning.hands[:-1])


def test_without_an_event_there_is_no_game() -> None:
    with pytest.raises(ValueError, match="an event at least"):
        statistics([])


def with_a_stand_in(place: int) -> list[AnyEvent]:
    """A golden game in which a stand-in plays the rest of the turn from the event at `place` on."""
    happened = list(events_of(NAMES[-1]))
    stood_in = StoodIn(seat=record(NAMES[-1])[place + 1]["seat"], reason="absence", at=happened[place - 1].at)
    happened.insert(place, stood_in)
    return [replace(event, n=n) for n, event in enumerate(happened, 1)]


def test_the_time_and_the_turns_of_a_stand_in_are_counted_apart() -> None:
    plain = counted(NAMES[-1])
    happened = events_of(NAMES[-1])
    place = next(index for index, event in enumerate(happened) if isinstance(event, Dealt)) + 1
    end = next(index for index, event in enumerate(happened) if index >= place and isinstance(event, Discarded))
    time = milliseconds(happened[place - 1].at, happened[end].at)
    assert time > 0
    stood = statistics(with_a_stand_in(place))
    seat = record(NAMES[-1])[place + 1]["seat"]
    before, after = plain.seats[seat], stood.seats[seat]
    assert (after.stand_in_turns, after.turns) == (1, before.turns)
    assert after.stand_in_milliseconds == time
    assert after.own_milliseconds == before.own_milliseconds - time
    assert [each.stand_in_turns for each in stood.seats if each.seat != seat] == [0] * (len(stood.seats) - 1)


def test_events_without_times_take_no_time() -> None:
    whole = statistics(map(bare, events_of(NAMES[0])))
    assert whole.milliseconds == 0
    assert {seat.own_milliseconds for seat in whole.seats} == {0}
    assert replace(whole, seats=(), hands=(), milliseconds=0) == replace(
        counted(NAMES[0]), seats=(), hands=(), milliseconds=0
    )


def test_a_clock_that_was_put_back_counts_nothing() -> None:
    happened = [
        replace(event, at="2026-01-01T00:00:00Z" if event.n % 2 else "2026-01-01T00:00:01Z")
        for event in events_of(NAMES[0])
    ]
    for seat in statistics(happened).seats:
        assert 0 <= seat.own_milliseconds <= 1000 * len(happened)
        assert seat.longest_turn_milliseconds >= 0
