"""Games at random: every possible choice alike, from the lean list, hand after hand."""

from collections.abc import Iterator
from random import Random

from domain.cards import pack
from domain.dealing import deal
from domain.decide import decide
from domain.events import AnyEvent
from domain.evolve import fold, initial_table
from domain.moves import Move
from domain.possible import possible_moves
from domain.refusals import Refusal
from domain.rules import Rules
from domain.state import State
from domain.waiting import seat_to_act

Step = tuple[State, int, Move, list[AnyEvent]]
"""A state, the seat to act, what it did, and what came of it."""


def hands(rules: Rules, chance: Random, number: int) -> Iterator[Step]:
    """The steps of so many hands, fewer where the game is decided before. Fails where a seat can do nothing."""
    sheet = (0,) * len(rules.sides)
    state = State(table=initial_table(rules), version=0, scores=sheet, totals=sheet)
    deck = list(pack(rules.packs, rules.jokers))
    for hand in range(1, number + 1):
        chance.shuffle(deck)
        state = fold(state, [deal(state.table, hand, (hand - 1) % rules.players, deck)])
        while (seat := seat_to_act(state)) is not None:
            # In an order of their own, so that a game does not change with the order of the list.
            choices = sorted((choice.move() for choice in possible_moves(state, seat)), key=str)
            assert choices, (rules.ruleset, state)
            move = chance.choice(choices)
            happened = decide(state, seat, move)
            assert not isinstance(happened, Refusal), (rules.ruleset.name, move, happened)
            yield state, seat, move, happened
            state = fold(state, happened)
        if state.phase == "game_over":
            return
