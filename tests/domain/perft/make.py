"""Write the perft files anew: `python -m tests.domain.perft.make`. A change in them is a change in what is listed."""

from random import Random
from typing import Final

from domain.rules import compile_rules
from domain.rulesets import PRESETS, resolve
from domain.waiting import seat_to_act
from tests.domain.perft.counting import FOLDER, Place, line_of_counts, line_of_sequences, sequences
from tests.domain.random_games import hands

PLACES_PER_TABLE: Final = 6
DEPTH: Final = 3
SEQUENCES_MAX: Final = 2500
"""A place with more sequences of the greatest depth is left to a smaller depth."""


def places() -> list[Place]:
    """Places at every table, from early in a hand to its last move."""
    found = []
    for preset in sorted(PRESETS):
        for players in resolve(preset).players:
            for seed in range(PLACES_PER_TABLE):
                rules = compile_rules(resolve(preset), players)
                length = sum(1 for _ in hands(rules, Random(seed), 1))
                found.append(Place(preset, players, seed, length * (seed + 1) // PLACES_PER_TABLE - 1))
    return found


def depth_of(place: Place) -> int:
    """How deep the sequences of a place are counted."""
    state = place.state()
    assert seat_to_act(state) is not None
    depth = 1
    while depth < DEPTH and sequences(state, depth) ** ((depth + 1) / depth) <= SEQUENCES_MAX:
        depth += 1
    return depth


def main() -> None:
    every = places()
    counted = "".join(f"{line_of_counts(place)}\n" for place in every)
    (FOLDER / "counts.perft").write_text(counted, encoding="utf-8")
    deep = "".join(f"{line_of_sequences(place, depth_of(place))}\n" for place in every[::3])
    (FOLDER / "sequences.perft").write_text(deep, encoding="utf-8")


if __name__ == "__main__":
    main()
