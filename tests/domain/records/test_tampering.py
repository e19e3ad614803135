"""Whatever is done to a record afterwards is detected, and the first line that is wrong is named."""

import random
from collections.abc import Callable
from typing import Any

import pytest

from domain.records.lines import split_lines
from domain.records.verification import verify
from tests.domain.golden_games import NAMES
from tests.domain.records.record_files import Values, chained, golden, golden_bytes, told, values_of

ROUNDS = 40
"""Tamperings of each kind, spread over the golden records."""

Tampering = Callable[[list[bytes], random.Random], int]
"""Changes the lines of a record; the line that is then the first wrong one."""


def delete_line(lines: list[bytes], chance: random.Random) -> int:
    at = chance.randrange(len(lines))
    del lines[at]
    return at + 1


def double_line(lines: list[bytes], chance: random.Random) -> int:
    at = chance.randrange(len(lines))
    lines.insert(at, lines[at])
    return at + 2


def swap_lines(lines: list[bytes], chance: random.Random) -> int:
    one, other = sorted(chance.sample(range(len(lines)), 2))
    lines[one], lines[other] = lines[other], lines[one]
    return one + 1


def move_line(lines: list[bytes], chance: random.Random) -> int:
    one, other = sorted(chance.sample(range(len(lines)), 2))
    lines.insert(one, lines.pop(other))
    return one + 1


def insert_line_of_another_game(lines: list[bytes], chance: random.Random) -> int:
    other = golden(chance.choice([name for name in NAMES if golden(name)[0] != lines[0]]))
    at = chance.randrange(1, len(lines))
    # Had it the right number too, its chain would still be the other game's.
    lines.insert(at, other[min(at, len(other) - 2)])
    return at + 1


def take_the_rest_of_another_game(lines: list[bytes], chance: random.Random) -> int:
    other = golden(chance.choice([name for name in NAMES if golden(name)[0] != lines[0]]))
    at = chance.randrange(1, min(len(lines), len(other)) - 1)
    lines[at:] = other[at:]
    return at + 1


def flip_a_bit_of_an_event(lines: list[bytes], chance: random.Random) -> int:
    at = chance.randrange(1, len(lines))
    line = bytearray(lines[at])
    line[chance.randrange(len(line))] ^= 1 << chance.randrange(8)
    lines[at] = bytes(line)
    return at + 1


def change_a_digit(lines: list[bytes], chance: random.Random) -> int:
    at = chance.randrange(1, len(lines))
    line = bytearray(lines[at])
    digits = [place for place, byte in enumerate(line) if byte in b"0123456789"]
    place = chance.choice(digits)
    line[place] = chance.choice([digit for digit in b"0123456789" if digit != line[place]])
    lines[at] = bytes(line)
    return at + 1


def cut_off(lines: list[bytes], chance: random.Random) -> int:
    whole = b"".join(lines)
    kept = whole[: chance.randrange(len(whole))]
    lines[:] = list(split_lines([kept]))
    return kept.count(b"\n") + 1


def overwrite_some_bytes(lines: list[bytes], chance: random.Random) -> int:
    at = chance.randrange(1, len(lines))
    line = bytearray(lines[at])
    start = chance.randrange(len(line) - 8)
    before = bytes(line)
    while bytes(line) == before:
        line[start : start + 8] = chance.randbytes(8)
    lines[at] = bytes(line)
    return at + 1


KINDS: list[Tampering] = [
    delete_line, double_line, swap_lines, move_line, insert_line_of_another_game, take_the_rest_of_another_game,
    flip_a_bit_of_an_event, change_a_digit, cut_off, overwrite_some_bytes,
]  # fmt: skip


@pytest.mark.parametrize("tamper", KINDS)
def test_a_file_that_was_tampered_with_is_refused_at_its_first_wrong_line(tamper: Tampering) -> None:
    chance = random.Random(tamper.__name__)
    for _ in range(ROUNDS):
        name = chance.choice(NAMES)
        lines = golden(name)
        line = tamper(lines, chance)
        if b"".join(lines) == golden_bytes(name):
            continue
        fault = verify(split_lines([b"".join(lines)]), redecide=False).fault
        assert fault is not None
        assert fault.line == line, (name, fault)


def test_a_bit_flipped_in_the_header_is_told_at_the_header_or_the_first_event_it_contradicts() -> None:
    chance = random.Random(11)
    lines = golden()
    names = lines[0].split(b'"record"')[0]
    for _ in range(2 * ROUNDS):
        header = bytearray(lines[0])
        # Names are for display, and nothing covers them: they stand in the first part of the line.
        header[chance.randrange(len(names), len(header))] ^= 1 << chance.randrange(8)
        fault = verify(split_lines([b"".join([bytes(header), *lines[1:]])])).fault
        assert fault is not None
        assert fault.line <= 2, fault


# --- with every hash made anew ---

FACTS: dict[str, tuple[str, ...]] = {
    "dealt": ("hand", "dealer", "deck", "holdings", "pile", "stock", "red_threes"),
    "drew": ("seat", "cards", "red_threes", "stock"),
    "took_pile": ("seat", "picked_up", "red_threes"),
    "took_upcard": ("seat", "meld"),
    "melded": ("seat",),
    "laid_red_three": ("seat", "replacement"),
    "answered": ("seat",),
    "discarded": ("seat",),
    "passed": ("seat",),
    "hand_ended": ("hand", "reason", "by", "concealed", "holdings", "lines", "totals"),
    "game_ended": ("reason", "totals", "winners"),
    "started": ("entropy",),
    "nonce_revealed": ("seat", "nonce"),
    "created": ("ruleset_hash", "players", "sides"),
}
"""By type, what moves, decks and the count leave no choice about: another value is wrong by itself."""

COMMUTING = ("melded", "laid_red_three", "seated", "nonce_revealed")
"""What may as well happen a little sooner, later, or together with the next such thing: that is another legal game."""


def another(value: Any, chance: random.Random) -> Any:
    """A value of the same type that is not the one given."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, int):
        return value + chance.choice([-1, 1])
    if isinstance(value, str):
        return another_text(value, chance)
    if isinstance(value, list):
        changed = list(value)
        if not changed:
            return None
        at = chance.randrange(len(changed))
        if chance.random() < 0.3:
            del changed[at]
            return changed
        changed[at] = another(changed[at], chance)
        return None if changed[at] is None else changed
    if isinstance(value, dict):
        key = chance.choice(sorted(value))
        inside = another(value[key], chance)
        return None if inside is None else value | {key: inside}
    return None


def another_text(value: str, chance: random.Random) -> str | None:
    choices = {
        2: ["JK", "5H", "8D", "KC", "2S"],
        64: ["0" * 64, "f" * 64],
    }.get(len(value), [])
    reasons = ["out", "stock"] if value in ("out", "stock") else ["target", "aborted"] if value == "target" else []
    kinds = ["group", "sequence"] if value in ("group", "sequence", "wild", "black_threes") else []
    left = [choice for choice in [*choices, *reasons, *kinds] if choice != value]
    return chance.choice(left) if left else None


def forge(name: str, chance: random.Random) -> tuple[int, str, list[bytes]] | None:
    header, *events = values_of(golden(name)[:-1])
    event = chance.choice([event for event in events if event["type"] in FACTS])
    key = chance.choice([key for key in FACTS[event["type"]] if key in event])
    value = another(event[key], chance)
    if value is None:
        return None
    event[key] = value
    return event["n"] + 1, f"{name} {event['type']}.{key}", chained(header, events)


def test_a_fact_forged_with_every_hash_made_anew_is_refused_at_its_line() -> None:
    chance = random.Random(7)
    forged = 0
    while forged < 5 * ROUNDS:
        made = forge(chance.choice(NAMES), chance)
        if made is not None:
            line, what, lines = made
            found = told(lines)
            assert found is not None, what
            assert found[0] == line, (what, found)
            forged += 1


def removed(events: list[Values], at: int, _chance: random.Random) -> list[Values]:
    return [events.pop(at)]


def doubled(events: list[Values], at: int, _chance: random.Random) -> list[Values]:
    events.insert(at, dict(events[at]))
    return [events[at]]


def swapped(events: list[Values], at: int, _chance: random.Random) -> list[Values]:
    events[at], events[at + 1] = events[at + 1], events[at]
    return [events[at], events[at + 1]]


def moved(events: list[Values], at: int, chance: random.Random) -> list[Values]:
    events.insert(at, events.pop(chance.randrange(at + 1, len(events))))
    return [events[at]]


@pytest.mark.parametrize("change", [removed, doubled, swapped, moved])
def test_events_lost_doubled_or_reordered_with_every_hash_made_anew_are_refused_from_there_on(
    change: Callable[[list[Values], int, random.Random], list[Values]],
) -> None:
    chance = random.Random(change.__name__)
    tried = 0
    while tried < ROUNDS:
        name = chance.choice(NAMES)
        header, *events = values_of(golden(name)[:-1])
        at = chance.randrange(len(events) - 1)
        if any(event["type"] in COMMUTING for event in change(events, at, chance)):
            continue
        found = told(chained(header, events))
        assert found is not None, (name, at)
        assert found[0] >= at + 2, (name, at, found)
        tried += 1
