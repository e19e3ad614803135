"""Random events for tests of standings: pairings, byes, forfeits, late entries and withdrawals, made from a seed."""

from collections.abc import Iterable, Sequence
from random import Random
from typing import Final

from domain.standings.lines import VP_SCALE, Entry, Kind, Line, Outcome, Scale

MEETINGS: Final[dict[str, Outcome]] = {"w": "win", "d": "draw", "l": "loss"}


def entries_of(lines: Iterable[Sequence[Line]], ratings: Sequence[int] = ()) -> list[Entry]:
    """Entrants e1, e2, … with these lines, seeded in that order."""
    return [
        Entry(entrant=f"e{n}", seed=n, lines=tuple(own), rating=ratings[n - 1] if ratings else None)
        for n, own in enumerate(lines, start=1)
    ]


def result(random: Random, scale: Scale) -> tuple[int, int]:
    """What the two sides of a played match have."""
    if scale == VP_SCALE:
        own = random.randrange(0, 2001)
        return own, 2000 - own
    own = random.choice((scale.win, scale.draw, scale.loss))
    return own, scale.win + scale.loss - own


def random_field(seed: int, scale: Scale, *, entrants: int, rounds: int, trouble: float) -> list[Entry]:
    """An event with random meetings; `trouble` is the chance that a round of a couple or an entrant goes unplayed."""
    random = Random(seed)
    lines: list[list[Line]] = [[] for _ in range(entrants)]
    here = {n: (random.randrange(1, rounds + 1) if random.random() < trouble else 1) for n in range(entrants)}
    gone = {n: (random.randrange(1, rounds + 1) if random.random() < trouble else rounds) for n in range(entrants)}
    for number in range(1, rounds + 1):
        present = [n for n in range(entrants) if here[n] <= number <= gone[n]]
        random.shuffle(present)
        asking = [n for n in present if random.random() < trouble / 2]
        for n in asking:
            present.remove(n)
            half = random.random() < 0.5
            lines[n].append(_bye(number, "half_bye" if half else "zero_bye", scale.draw if half else 0))
        if len(present) % 2:
            lines[present.pop()].append(_bye(number, "full_bye", 1200 if scale == VP_SCALE else scale.win))
        for one, other in zip(present[::2], present[1::2], strict=True):
            _meet(random, scale, lines, number, one, other, unplayed=random.random() < trouble / 2)
    return entries_of(lines)


def round_robin(seed: int, scale: Scale, *, entrants: int, trouble: float) -> tuple[list[Entry], int]:
    """Everybody against everybody by the circle, with forfeits, and the number of rounds."""
    random = Random(seed)
    circle: list[int | None] = [*range(entrants)] + ([None] if entrants % 2 else [])
    size = len(circle)
    lines: list[list[Line]] = [[] for _ in range(entrants)]
    for number in range(1, size):
        for k in range(size // 2):
            one, other = circle[k], circle[size - 1 - k]
            if one is not None and other is not None:
                _meet(random, scale, lines, number, one, other, unplayed=random.random() < trouble)
        circle.insert(1, circle.pop())
    return entries_of(lines), size - 1


def _bye(number: int, kind: Kind, score: int) -> Line:
    return Line(round=number, kind=kind, score=score)


def _meet(
    random: Random, scale: Scale, lines: list[list[Line]], number: int, one: int, other: int, *, unplayed: bool
) -> None:
    margin = random.randrange(-80, 81) * 50
    for place, opponent, score, theirs, own in _sides(random, scale, one, other):
        if unplayed:
            absent = random.random() < 0.2 if place == one else True
            kind: Kind = "forfeit_loss" if absent else "forfeit_win"
            line = Line(round=number, kind=kind, score=0 if absent else scale.win, opponents=(f"e{opponent + 1}",))
        else:
            kind = "adjusted" if random.random() < 0.1 else "played"
            line = Line(
                round=number,
                kind=kind,
                score=score,
                opponents=(f"e{opponent + 1}",),
                opponent_score=theirs,
                margin=own * margin,
            )
        lines[place].append(line)


def _sides(random: Random, scale: Scale, one: int, other: int) -> list[tuple[int, int, int, int, int]]:
    own, theirs = result(random, scale)
    return [(one, other, own, theirs, 1), (other, one, theirs, own, -1)]
