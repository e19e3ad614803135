"""Perft for the listed moves: from a position, how many there are, by kind and along every sequence of them.

A position is given by its game: the preset, the seats, a seed, and how many moves at random lead to it. Depth 1 counts
the possible blocks of the seat to act by kind; depth n counts the sequences of n blocks, each one made (with the
completion it needs), whoever is to act after it. A sequence ends early where its hand ends.

    preset seats seed moves | depth count | depth count …
    preset seats seed moves | kind possible/listed …
"""

from collections import Counter
from collections.abc import Iterable, Iterator
from pathlib import Path
from random import Random
from typing import Final

from msgspec import Struct

from domain.decide import decide
from domain.evolve import fold
from domain.legal import legal_moves
from domain.options import LegalMoves, MeldOption, Option
from domain.refusals import Refusal
from domain.rules import compile_rules
from domain.rulesets import resolve
from domain.state import State
from domain.waiting import seat_to_act
from tests.domain.listing import to_send
from tests.domain.random_games import hands

FOLDER: Final = Path(__file__).parent
KINDS: Final = ("draw", "takes", "melds", "additions", "joins", "red_threes", "discards", "pass_", "ask", "answers")


class Place(Struct, frozen=True, order=True):
    """How a position is reached."""

    preset: str
    players: int
    seed: int
    moves: int

    def state(self) -> State:
        """The position. The hand must be long enough."""
        rules = compile_rules(resolve(self.preset), self.players)
        steps = hands(rules, Random(self.seed), 1)
        for _ in range(self.moves):
            next(steps)
        return next(steps)[0]

    def __str__(self) -> str:
        return f"{self.preset} {self.players} {self.seed} {self.moves}"


def options_by_kind(legal: LegalMoves) -> Iterator[tuple[str, list[Option | MeldOption]]]:
    """The options of a list by the kind of move."""
    for kind in KINDS:
        listed = getattr(legal, kind)
        yield kind, list(listed) if isinstance(listed, list) else [listed] if isinstance(listed, Option) else []


def counts(state: State) -> dict[str, tuple[int, int]]:
    """By kind how many blocks are possible, and how many are listed."""
    legal = legal_moves(state, _to_act(state))
    return {
        kind: (sum(option.possible for option in listed), len(listed))
        for kind, listed in options_by_kind(legal)
        if listed
    }


def sequences(state: State, depth: int) -> int:
    """How many sequences of so many possible blocks there are."""
    seat = seat_to_act(state)
    if seat is None or depth == 0:
        return 1
    possible = [
        option for _, listed in options_by_kind(legal_moves(state, seat)) for option in listed if option.possible
    ]
    if depth == 1:
        return len(possible)
    number = 0
    for option in possible:
        happened = decide(state, seat, to_send(option))
        assert not isinstance(happened, Refusal), (option, happened)
        number += sequences(fold(state, happened), depth - 1)
    return number


def _to_act(state: State) -> int:
    seat = seat_to_act(state)
    assert seat is not None
    return seat


def line_of_counts(place: Place) -> str:
    """The line of a place in `counts.perft`."""
    told = " ".join(f"{kind} {possible}/{listed}" for kind, (possible, listed) in counts(place.state()).items())
    return f"{place} | {told}"


def line_of_sequences(place: Place, depth: int) -> str:
    """The line of a place in `sequences.perft`."""
    state = place.state()
    return " | ".join([str(place), *(f"{each} {sequences(state, each)}" for each in range(1, depth + 1))])


def read(name: str) -> list[tuple[Place, list[str]]]:
    """The lines of a file: places and what is told of them."""
    found = []
    for line in (FOLDER / name).read_text(encoding="utf-8").splitlines():
        place, *told = line.split(" | ")
        preset, players, seed, moves = place.split()
        found.append((Place(preset, int(players), int(seed), int(moves)), told))
    return found


def total(lines: Iterable[tuple[Place, list[str]]]) -> Counter[str]:
    """How many possible blocks of each kind the lines of `counts.perft` tell of."""
    found: Counter[str] = Counter()
    for _, (told,) in lines:
        words = told.split()
        for kind, number in zip(words[::2], words[1::2], strict=True):
            found[kind] += int(number.split("/")[0])
    return found
