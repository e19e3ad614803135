"""Whatever is done to a record, both verifiers refuse it at the same line; where one sees more, it is named here."""

import json
import random
from collections.abc import Callable, Sequence
from typing import Any, Final

import pytest

from domain.cards import faces_of
from domain.chance import FairChance, fair_terms
from domain.events import Meld, Melded
from domain.records.lines import split_lines
from tests.domain.golden_games import NAMES
from tests.domain.records.record_files import FULL, Game, Values, chained, forged, golden, told, values_of
from tests.domain.records.tampering import KINDS, REORDERINGS, forge
from tests.domain.records.test_deals import on_boards, with_beacon, with_nonces
from tests.domain.tables import GAME, MASTER
from tests.service.verifier.javascript import faults

Lines = Sequence[bytes]
Change = Callable[[Values, list[Values]], Any]

OTHER: Final = "g8c-canasta-classic-4p"
"""A golden record of another game, with red threes laid unasked."""

ROUNDS: Final = 60
"""Tamperings drawn at random: of bytes and lines, of facts, and of the order of events."""


# --- the file, with its hashes as they were ---


def edited(at: int, edit: Callable[[bytes], bytes]) -> Lines:
    """The record with one line (counted from 0) changed."""
    lines = golden(FULL)
    lines[at] = edit(lines[at])
    return list(split_lines([b"".join(lines)]))


def with_lines(change: Callable[[list[bytes]], Any]) -> Lines:
    lines = golden(FULL)
    change(lines)
    return list(split_lines([b"".join(lines)]))


def swap(lines: list[bytes], one: int, other: int) -> None:
    lines[one], lines[other] = lines[other], lines[one]


def another_value(key: bytes, value: bytes) -> Callable[[bytes], bytes]:
    """Replaces the value of a key by another one of the same length or not."""

    def edit(line: bytes) -> bytes:
        start = line.index(b'"%b":' % key) + len(key) + 3
        end = start + json.JSONDecoder().raw_decode(line[start:].decode())[1]
        return line[:start] + value + line[end:]

    return edit


FILES: Final[dict[str, Callable[[], Lines]]] = {
    "empty": list,
    "nothing but a line feed": lambda: [b"\n"],
    "no record at all": lambda: [b'{"hello":"world"}\n'],
    "cut after the header": lambda: golden(FULL)[:1],
    "cut between two lines": lambda: golden(FULL)[:300],
    "cut within a line": lambda: [*golden(FULL)[:300], golden(FULL)[300][:50]],
    "without its trailer": lambda: golden(FULL)[:-1],
    "without its last line feed": lambda: edited(-1, lambda line: line[:-1]),
    "something behind the trailer": lambda: [*golden(FULL), b"\n"],
    "a second record behind it": lambda: [*golden(FULL), *golden(OTHER)],
    "an event lost": lambda: with_lines(lambda lines: lines.pop(100)),
    "an event doubled": lambda: with_lines(lambda lines: lines.insert(100, lines[100])),
    "two events swapped": lambda: with_lines(lambda lines: swap(lines, 100, 200)),
    "an event moved": lambda: with_lines(lambda lines: lines.insert(100, lines.pop(300))),
    "the header lost": lambda: golden(FULL)[1:],
    "the first event lost": lambda: with_lines(lambda lines: lines.pop(1)),
    "an event of another game": lambda: with_lines(lambda lines: lines.__setitem__(100, golden(OTHER)[100])),
    "the rest of another game": lambda: [*golden(FULL)[:100], *golden(OTHER)[100:]],
    "the header of another game": lambda: [golden(OTHER)[0], *golden(FULL)[1:]],
    "another game's id": lambda: edited(0, another_value(b"game", b'"another"')),
    "a byte order mark": lambda: edited(0, lambda line: b"\xef\xbb\xbf" + line),
    "a byte order mark within": lambda: edited(50, lambda line: b"\xef\xbb\xbf" + line),
    "carriage returns": lambda: [line[:-1] + b"\r\n" for line in golden(FULL)],
    "a space": lambda: edited(50, lambda line: line.replace(b":", b": ", 1)),
    "a space behind": lambda: edited(50, lambda line: line[:-1] + b" \n"),
    "a blank line": lambda: with_lines(lambda lines: lines.insert(50, b"\n")),
    "a NUL byte": lambda: edited(50, lambda line: line[:20] + b"\0" + line[20:]),
    "bytes that are no UTF-8": lambda: edited(50, lambda line: line.replace(b'"at":"2', b'"at":"\xff', 1)),
    "no JSON": lambda: edited(50, lambda line: line[1:]),
    "a list in place of an object": lambda: edited(50, lambda line: b"[" + line[:-1] + b"]\n"),
    "keys in another order": lambda: edited(
        50, lambda line: json.dumps(dict(reversed(json.loads(line).items())), separators=(",", ":")).encode() + b"\n"
    ),
    "a key that stands twice": lambda: edited(50, lambda line: line[:-2] + b',"type":"passed"}\n'),
    "an escape that need not be": lambda: edited(50, lambda line: line.replace(b'"at":"2', b'"at":"\\u0032', 1)),
    "half of a surrogate pair": lambda: edited(50, lambda line: line.replace(b'"at":"', b'"at":"\\ud800', 1)),
    "a number with a fraction": lambda: edited(50, lambda line: line.replace(b'"n":50', b'"n":50.0')),
    "a number too large": lambda: edited(50, lambda line: line.replace(b'"n":50', b'"n":90071992547409931')),
    "nested too deep": lambda: edited(50, lambda line: b'{"a":' + b"[" * 9999 + b"]" * 9999 + b"}\n"),
    "a line too long": lambda: edited(50, lambda line: b'{"a":"%b"}\n' % (b"x" * 300_000)),
    "a future version": lambda: edited(0, lambda line: line.replace(b"meldhouse/1", b"meldhouse/2")),
    "a version that is none": lambda: edited(0, lambda line: line.replace(b'"meldhouse/1"', b"1")),
    "a key that nobody knows": lambda: edited(50, lambda line: line.replace(b'{"at"', b'{"aa":1,"at"')),
    "a key that is missing": lambda: edited(50, lambda line: line.replace(b'"seat":', b'"seatt":')),
    "a type that nobody knows": lambda: edited(50, another_value(b"type", b'"shuffled"')),
    "a salt changed": lambda: edited(50, another_value(b"salt", b'"%b"' % (b"0" * 32))),
    "a salt that is none": lambda: edited(50, another_value(b"salt", b'"no salt"')),
    "a time changed": lambda: edited(50, another_value(b"at", b'"2026-01-01T09:09:09Z"')),
    "a hash changed": lambda: edited(50, another_value(b"hash", b'"%b"' % (b"0" * 64))),
    "a hash before changed": lambda: edited(50, another_value(b"prev", b'"%b"' % (b"0" * 64))),
    "a hash that is none": lambda: edited(50, another_value(b"hash", b'"?"')),
    "a wrong head": lambda: edited(-1, another_value(b"head", b'"%b"' % (b"0" * 64))),
    "a wrong count": lambda: edited(-1, another_value(b"events", b"3")),
    "a trailer that goes on": lambda: edited(-1, another_value(b"end", b"false")),
}  # fmt: skip


# --- the game, with every hash made anew ---


def first(events: list[Values], kind: str) -> Values:
    return next(event for event in events if event["type"] == kind)


def set_in(kind: str, /, **keys: Any) -> Change:
    return lambda _, events: first(events, kind).update(keys)


def insert_after(kind: str, other: str) -> Change:
    return lambda _, events: events.insert(events.index(first(events, kind)) + 1, dict(first(events, other)))


def remove(kind: str) -> Change:
    return lambda _, events: events.remove(first(events, kind))


def within(kind: str, key: str, edit: Callable[[Any], Any]) -> Change:
    return lambda _, events: edit(first(events, kind)[key])


def swap_two_held(holdings: list[list[str]]) -> None:
    holdings[0][0], holdings[1][0] = holdings[1][0], holdings[0][0]


def add_to_line(key: str) -> Change:
    def change(_header: Values, events: list[Values]) -> None:
        line = first(events, "hand_ended")["lines"][0]
        line[key] += 10
        line["total"] += 10

    return change


def swap_sides(totals: list[int]) -> None:
    totals.reverse()


def later_commitment(_header: Values, events: list[Values]) -> None:
    first(events, "closed")["nonce_commitments"][0] = "ab" * 32


def additions_in_another_order(_header: Values, events: list[Values]) -> None:
    next(event for event in events if event["type"] == "melded" and len(event["added"]) > 1)["added"].reverse()


def without_nonces(_header: Values, events: list[Values]) -> None:
    first(events, "closed")["nonce_commitments"] = [None] * 4
    first(events, "started")["entropy"] = [None] * 4
    events[:] = [event for event in events if event["type"] != "nonce_revealed"]


FORGED: Final[dict[str, Change]] = {
    "an event dropped": lambda _, events: events.pop(100),
    "events left out at the end": lambda _, events: events.__delitem__(slice(40, None)),
    "nothing happened": lambda _, events: events.clear(),
    "created twice": insert_after("created", "created"),
    "another rule set": within("created", "ruleset", lambda rules: rules.update(samba_bonus=1400)),
    "another rule set in the header": lambda header, _: header["ruleset"].update(name="house"),
    "a rule set that is none": lambda header, events: [
        rules.update(packs="three") for rules in (header["ruleset"], events[0]["ruleset"])
    ],
    "too small a pack": lambda header, events: [
        rules.update(packs=1) for rules in (header["ruleset"], events[0]["ruleset"])
    ],
    "a wrong hash of the rule set": set_in("created", ruleset_hash="0" * 64),
    "other sides": set_in("created", sides=[[0, 1], [2, 3]]),
    "other sides in the header": lambda header, _: header.update(sides=[[0, 1], [2, 3]]),
    "a seat too many": set_in("created", players=7),
    "an engine to come": set_in("created", engine="meldhouse/9 rules/9"),
    "no fairness and no origin": set_in("created", fairness=None),
    "fairness of no known kind": set_in("created", fairness={"algorithm": "TRUST-ME-1"}),
    "another commitment": within("created", "fairness", lambda terms: terms.update(commitment="0" * 64)),
    "a mode without nonces": within("created", "fairness", lambda terms: terms.update(mode="server_only")),
    "a player in two seats": set_in("seated", player="Seat 1"),
    "a seat taken by nobody": remove("seated"),
    "other seats at closing": within("closed", "seats", list.reverse),
    "another commitment of a player": later_commitment,
    "another nonce": set_in("nonce_revealed", nonce="00" * 32),
    "a nonce that did not come": remove("nonce_revealed"),
    "another entropy": within("started", "entropy", lambda nonces: nonces.__setitem__(0, None)),
    "nonces left out altogether": without_nonces,
    "no first dealer": set_in("started", first_dealer=9),
    "a deal left out": remove("dealt"),
    "another dealer": set_in("dealt", dealer=0),
    "another number of the hand": set_in("dealt", hand=2),
    "a card taken out of the deck": within("dealt", "deck", list.pop),
    "a deck in another order": within("dealt", "deck", list.reverse),
    "holdings exchanged": within("dealt", "holdings", swap_two_held),
    "another upcard": set_in("dealt", pile=["KS"]),
    "another stock": set_in("dealt", stock=3),
    "other cards drawn": set_in("drew", cards=["JK", "JK"]),
    "a draw by another seat": set_in("drew", seat=2),
    "a draw by nobody": set_in("drew", seat=-1),
    "a stock that is wrong": set_in("drew", stock=3),
    "a pile turned over by nobody": set_in("drew", recycled=3),
    "two draws": insert_after("drew", "drew"),
    "additions in another order": additions_in_another_order,
    "a discard before the draw": insert_after("dealt", "discarded"),
    "a card discarded that nobody held": set_in("discarded", cards=["JK"]),
    "nothing discarded": set_in("discarded", cards=[]),
    "another pile taken": set_in("took_pile", picked_up=["JK", "JK"]),
    "a meld of cards that nobody held": within("took_pile", "meld", lambda meld: meld["cards"].append("7C")),
    "a meld of another id": within("took_pile", "meld", lambda meld: meld.update(id="m9")),
    "a meld of another kind": within("took_pile", "meld", lambda meld: meld.update(kind="wild")),
    "nothing melded": set_in("melded", new=[], added=[], joined=[]),
    "an answer by another seat": set_in("answered", seat=0),
    "a plan of nothing": set_in("asked", then=[]),
    "a plan that was granted and not followed": lambda _, events: events.pop(
        events.index(first(events, "answered")) + 1
    ),
    "a question about a take that is none": set_in("asked", then=[{"type": "take_upcard"}]),
    "a replacement that did not come": set_in("laid_red_three", replacement="JK"),
    "a red three that is none": set_in("laid_red_three", card="5H"),
    "a hand without its end": remove("hand_ended"),
    "a hand ended too soon": insert_after("drew", "hand_ended"),
    "a hand ended otherwise": set_in("hand_ended", reason="stock", by=None),
    "another seat went out": set_in("hand_ended", by=0),
    "an exit called concealed": set_in("hand_ended", concealed=True),
    "other cards left in hand": within("hand_ended", "holdings", lambda held: held[0].append("3S")),
    **{f"the line {key} forged": add_to_line(key) for key in (
        "cards", "natural_canastas", "mixed_canastas", "sambas", "red_threes", "going_out", "in_hand",
    )},
    "a line left out": within("hand_ended", "lines", lambda lines: lines[0].pop("sambas")),
    "a side left out": within("hand_ended", "lines", list.pop),
    "totals forged": within("hand_ended", "totals", lambda totals: totals.__setitem__(0, totals[0] + 10)),
    "totals exchanged": within("hand_ended", "totals", swap_sides),
    "a game without its end": remove("game_ended"),
    "a game ended too soon": insert_after("hand_ended", "game_ended"),
    "final totals forged": within("game_ended", "totals", lambda totals: totals.__setitem__(0, 99_999)),
    "other winners": set_in("game_ended", winners=[0]),
    "another reason of the end": set_in("game_ended", reason="hand_cap"),
    "other winners in the header": lambda header, _: header["result"].update(winners=[0]),
    "other totals in the header": lambda header, _: header["result"].update(totals=[0, 0]),
    "other players in the header": lambda header, _: header["players"].pop(),
    "a resignation of the other side": lambda _, events: events.insert(
        -2, {"type": "resigned", "seat": 0, "side": 1, "reason": None, "at": events[-1]["at"], "salt": "0" * 32}
    ),
    "played on after the end": insert_after("game_ended", "drew"),
    "nothing revealed": remove("revealed"),
    "revealed twice": insert_after("revealed", "revealed"),
    "another master": set_in("revealed", master="00" * 128),
    "a master that is none": set_in("revealed", master="xyz"),
    "another context": within("revealed", "context", lambda context: context.update(players=3)),
    "a deck hidden": within("dealt", "deck", list.clear),
    "a card hidden": set_in("laid_red_three", replacement="??"),
    "cards hidden": set_in("drew", cards=2),
    "a time that is none": set_in("drew", at="yesterday"),
}  # fmt: skip


def on(made: Callable[[], Lines], change: Callable[[list[Values]], Any]) -> Callable[[], Lines]:
    """A record of a game made for its fairness, after a change to its events."""

    def lines() -> Lines:
        header, *events = values_of(list(made())[:-1])
        change(events)
        return chained(header, events)

    return lines


FAIRNESS: Final[dict[str, Callable[[], Lines]]] = {
    "another round": on(with_beacon, lambda events: first(events, "started")["beacon"].update(round=1001)),
    "another randomness": on(
        with_beacon, lambda events: first(events, "started")["beacon"].update(randomness="0" * 64)
    ),
    "no beacon shown": on(with_beacon, lambda events: first(events, "started").update(beacon=None)),
    "a beacon that is none": on(with_beacon, lambda events: first(events, "closed").update(beacon={"round": 7})),
    "the boards of another hand": on(on_boards, lambda events: events[0]["fairness"].update(boards=[2, 5])),
    "a board too few": on(on_boards, lambda events: events[0]["fairness"].update(boards=[2])),
    "no boards": on(on_boards, lambda events: events[0]["fairness"].update(boards=[])),
    "another tournament": on(on_boards, lambda events: events[0]["fairness"].update(tournament="T2")),
    "nonces where there are none": on(with_nonces, lambda events: events[0]["fairness"].update(mode="server_only")),
}


def assert_refused_alike(records: dict[str, Lines]) -> None:
    """Both verifiers refuse every record, in the same line and for the same reason."""
    theirs = {name: told(lines) for name, lines in records.items()}
    assert [name for name, fault in theirs.items() if fault is None] == []
    assert dict(zip(records, faults(records.values()), strict=True)) == theirs


def test_files_that_were_tampered_with_are_refused_alike() -> None:
    assert_refused_alike({name: make() for name, make in FILES.items()})


def test_games_that_were_forged_with_every_hash_anew_are_refused_alike() -> None:
    assert_refused_alike({name: forged(change, FULL) for name, change in FORGED.items()})


def test_deals_that_do_not_follow_are_refused_alike() -> None:
    assert_refused_alike({name: make() for name, make in FAIRNESS.items()})


@pytest.mark.parametrize("seed", ["bytes and lines", "facts", "order"])
def test_what_chance_does_to_records_is_refused_alike(seed: str) -> None:
    chance = random.Random(seed)
    records: dict[str, Lines] = {}
    while len(records) < ROUNDS:
        name = chance.choice(NAMES)
        if seed == "bytes and lines":
            lines = golden(name)
            tamper = chance.choice(KINDS)
            tamper(lines, chance)
            made: Lines = list(split_lines([b"".join(lines)]))
        elif seed == "facts":
            forgery = forge(name, chance)
            made = [] if forgery is None else forgery[2]
        else:
            header, *events = values_of(golden(name)[:-1])
            at = chance.randrange(len(events) - 1)
            chance.choice(REORDERINGS)(events, at, chance)
            made = chained(header, events)
        if made:
            records[f"{len(records)} {name}"] = made
    theirs = [told(lines) for lines in records.values()]
    ours = faults(records.values())
    assert [fault and fault[0] for fault in ours] == [fault and fault[0] for fault in theirs]


# --- where one sees more than the other ---


def swap_cards_of_the_stock(_header: Values, events: list[Values]) -> None:
    deck = first(events, "dealt")["deck"]
    other = next(at for at in range(len(deck) - 2, 0, -1) if deck[at] != deck[-1])
    deck[-1], deck[other] = deck[other], deck[-1]


def exchange_what_will_be_drawn(_header: Values, events: list[Values]) -> None:
    """Two cards of the stock change places; who drew the first of them still says so."""
    dealt = first(events, "dealt")
    deck, drawn = dealt["deck"], len(dealt["deck"]) - dealt["stock"]
    other = next(at for at in reversed(range(drawn, len(deck))) if deck[at] not in deck[drawn : drawn + 2])
    deck[drawn], deck[other] = deck[other], deck[drawn]


@pytest.mark.parametrize("change", [exchange_what_will_be_drawn, swap_cards_of_the_stock])
def test_a_deck_is_judged_at_its_deal_whether_its_cards_are_drawn_or_not(change: Change) -> None:
    lines = forged(change, FULL)
    dealt = first(values_of(golden(FULL))[1:-1], "dealt")["n"] + 1
    assert faults([lines]) == [told(lines)] == [(dealt, "deck_wrong")]


@pytest.mark.parametrize(
    "lines",
    [
        forged(set_in("started", first_dealer=0), FULL),
        on(on_boards, lambda events: events[0]["fairness"].update(boards=[3, 3]))(),
    ],
)
def test_the_first_dealer_is_judged_at_the_start(lines: Lines) -> None:
    started = first(values_of(lines)[1:-1], "started")["n"] + 1
    assert faults([lines]) == [told(lines)] == [(started, "dealer_wrong")]


@pytest.mark.parametrize("day", ["2026-02-29", "2026-02-30", "2026-04-31", "1900-02-29", "2024-02-30", "2026-12-32"])
def test_a_day_that_no_month_has_is_no_time(day: str) -> None:
    lines = forged(set_in("drew", at=f"{day}T00:00:00Z"), FULL)
    drew = first(values_of(golden(FULL))[1:-1], "drew")["n"] + 1
    assert faults([lines]) == [told(lines)] == [(drew, "bad_time")]


@pytest.mark.parametrize("day", ["2024-02-29", "2000-02-29", "2026-04-30", "2026-12-31"])
def test_a_day_that_its_month_has_is_a_time(day: str) -> None:
    lines = forged(set_in("drew", at=f"{day}T00:00:00Z"), FULL)
    assert faults([lines]) == [told(lines)] == [None]


def three_alike(holding: Sequence[str]) -> tuple[str, ...] | None:
    """Three low cards of a rank, which are worth too little for a first meld."""
    for rank in "4567":
        cards = tuple(card for card in holding if card[0] == rank)[:3]
        if len(cards) == 3:
            return cards
    return None


def test_whether_a_move_was_legal_is_judged_in_python_alone() -> None:
    game = Game(fairness=fair_terms("server_only", MASTER))
    chance = FairChance(GAME, MASTER)
    game.begin(chance)
    while game.state.phase != "play" or three_alike(faces_of(game.state.holdings[game.state.turn])) is None:
        game.move(chance)
    cards = three_alike(faces_of(game.state.holdings[game.state.turn]))
    assert cards is not None
    meld = Meld("m1", "group", cards)
    game.add([Melded(n=game.state.version + 1, seat=game.state.turn, new=(meld,), added=(), joined=())])
    line = len(game.happened) + 1
    game.move(chance)
    lines = game.finish(chance)
    assert told(lines) == (line, "move_refused")
    assert faults([lines]) == [None]
