"""Ways to tamper with a record, and a campaign of many: every one of them has to be found.

    python -m tests.domain.records.tampering --count 10000 [--seed 1]

Most are found by the record itself. A record whose hashes were all made anew and that is legal throughout is another
game, or the same one at other times: that shows by its head alone, which players and checkpoints keep.
"""

import random
import sys
from collections import Counter
from collections.abc import Callable
from typing import Any

import click

from domain.records.lines import split_lines
from domain.records.verification import verify
from tests.domain.golden_games import NAMES
from tests.domain.records.record_files import Values, chained, golden, golden_bytes, values_of

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


REORDERINGS: list[Callable[[list[Values], int, random.Random], list[Values]]] = [removed, doubled, swapped, moved]


# --- a campaign ---


def retimed(name: str, chance: random.Random) -> list[bytes]:
    """A record with another time, or another salt, and every hash made anew: no rule can tell."""
    header, *events = values_of(golden(name)[:-1])
    event = chance.choice(events)
    if chance.random() < 0.5:
        event["at"] = event["at"][:-1] + "9Z" if "." in event["at"] else event["at"][:-1] + ".9Z"
    else:
        event["salt"] = chance.randbytes(16).hex()
    return chained(header, events)


def found(name: str, lines: list[bytes]) -> str | None:
    """What shows a tampering: the code of the first fault, or the head that somebody kept; None if nothing does."""
    if b"".join(lines) == golden_bytes(name):
        return "unchanged"
    verdict = verify(split_lines([b"".join(lines)]))
    if verdict.fault is not None:
        return verdict.fault.code.value
    return "kept head" if verdict.head != verify(golden(name), redecide=False).head else None


def one(chance: random.Random) -> tuple[str, str, list[bytes]] | None:
    """A tampering of a random kind with a random golden record: the kind, the record's name, its lines now."""
    name = chance.choice(NAMES)
    kind = chance.randrange(4)
    if kind == 0:
        tamper = chance.choice(KINDS)
        lines = golden(name)
        tamper(lines, chance)
        return tamper.__name__, name, lines
    if kind == 1:
        made = forge(name, chance)
        return None if made is None else ("a fact forged, hashes anew", name, made[2])
    if kind == 2:
        change = chance.choice(REORDERINGS)
        header, *events = values_of(golden(name)[:-1])
        change(events, chance.randrange(len(events) - 1), chance)
        return f"an event {change.__name__}, hashes anew", name, chained(header, events)
    return "a time or salt, hashes anew", name, retimed(name, chance)


def campaign(count: int, seed: int) -> Counter[tuple[str, str]]:
    """So many tamperings, by kind and by what each was found. Raises `LookupError` for one that was not."""
    chance = random.Random(seed)
    tally: Counter[tuple[str, str]] = Counter()
    while tally.total() < count:
        tried = one(chance)
        if tried is None:
            continue
        kind, name, lines = tried
        by = found(name, lines)
        if by is None:
            raise LookupError(f"{kind} of {name} was not found (seed {seed}, after {tally.total()}).")
        if by != "unchanged":
            tally[kind, by] += 1
    return tally


@click.command()
@click.option("--count", default=10_000, show_default=True, help="How many tamperings to try.")
@click.option("--seed", default=1, show_default=True)
def main(count: int, seed: int) -> None:
    """Tamper with golden records, and see that every tampering is found."""
    tally = campaign(count, seed)
    for (kind, by), number in sorted(tally.items()):
        print(f"{number:6}  {kind}: {by}")
    print(f"{tally.total():6}  in all, every one found")


if __name__ == "__main__":
    sys.exit(main())
