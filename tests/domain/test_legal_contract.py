"""What a list of legal moves promises, put to the proof on positions at random.

Everything marked possible is accepted, with its completion where it has one; everything else is refused for the reason
given; and for short holdings every meld move and every take that `decide` accepts, found by trying them all, is made of
blocks that are listed as possible.
"""

from random import Random

import pytest
from msgspec import UNSET

from domain.cards import faces_of, split
from domain.decide import decide
from domain.evolve import fold
from domain.legal import legal_moves
from domain.moves import LayMelds, TakePile, TakeUpcard
from domain.refusals import Refusal
from domain.state import State, own_melds
from tests.domain.chance_positions import position_at_random, rules_at_random
from tests.domain.every_move import TooMany, accepted_melds, accepted_takes
from tests.domain.listing import Block, block_of, blocks, meld_blocks, options, possible, take_block, to_send

TRIED_MAX = 4000
"""A position with more moves to try than this is passed over."""


def position(
    seed: int, phase: str, holdings: tuple[int, ...], *, options_max: int = 5, melds: tuple[int, ...] = (0, 1, 3, 4, 7)
) -> State:
    chance = Random(seed)
    rules = rules_at_random(chance, options_max=options_max)
    lying = chance.choice(melds)
    return position_at_random(chance, rules, held=chance.choice(holdings), melds=lying, phase=phase)


def told(state: State) -> str:
    """A position for the message of a failure."""
    lying = [laid.meld for laid in own_melds(state, state.turn).values()]
    return f"{state.table.rules.ruleset.name} {faces_of(state.holdings[state.turn])} {split(state.pile)} {lying}"


@pytest.mark.parametrize("phase", ["draw", "play"])
def test_what_is_possible_is_accepted_and_what_is_not_is_refused_for_the_reason_given(phase: str) -> None:
    completed = refused = 0
    for seed in range(500):
        state = position(seed, phase, (1, 2, 3, 5, 8, 11, 15, 25, 60), options_max=8, melds=(0, 0, 1, 4, 7))
        for option in options(legal_moves(state, state.turn)):
            alone = decide(state, state.turn, option.move)
            if not option.possible:
                assert option.reason == alone, (seed, option, told(state))
                refused += 1
            elif option.completion is UNSET:
                assert not isinstance(alone, Refusal), (seed, option, alone, told(state))
            else:
                whole = decide(state, state.turn, to_send(option))
                assert not isinstance(whole, Refusal), (seed, option, whole, told(state))
                completed += 1
    assert completed > 15
    assert refused > 500


def test_a_completion_contains_the_block_that_it_completes() -> None:
    seen: set[str] = set()
    for seed in range(900):
        state = position(seed, "play", (1, 2, 3, 4, 8, 11), melds=(0, 4, 8))
        for option in possible(legal_moves(state, state.turn)):
            if isinstance(option.move, LayMelds):
                whole = to_send(option)
                assert isinstance(whole, LayMelds)
                assert block_of(option) in blocks(whole), (seed, option, told(state))
                if whole is not option.move:
                    seen.add(str(block_of(option)[0]))
    assert seen >= {"group", "run", "add"}


def test_no_block_is_listed_twice() -> None:
    for seed in range(200):
        state = position(seed, "play", (5, 11, 30))
        legal = legal_moves(state, state.turn)
        listed = [block_of(option) for option in meld_blocks(legal)]
        assert len(set(listed)) == len(listed)
        assert len({str(option.move) for option in legal.discards}) == len(legal.discards)


def test_every_accepted_meld_move_is_made_of_possible_blocks() -> None:
    found = 0
    for seed in range(1000, 1600):
        state = position(seed, "play", (1, 2, 3, 4, 5, 6, 7, 8))
        legal = legal_moves(state, state.turn)
        listed = {block_of(option) for option in meld_blocks(legal) if option.possible}
        accepted: set[Block] = set()
        try:
            for move in accepted_melds(state, state.turn, TRIED_MAX):
                accepted.update(blocks(move))
        except TooMany:
            continue
        assert accepted <= listed, (seed, accepted - listed, told(state))
        found += len(accepted)
    assert found > 1000


def test_every_accepted_take_is_listed_and_no_other_is_possible() -> None:
    found = 0
    for seed in range(1000, 1350):
        state = position(seed, "draw", (1, 2, 3, 4, 5, 6, 7))
        upcard = state.pile[-2:]
        listed = set()
        for option in legal_moves(state, state.turn).takes:
            if option.possible:
                assert isinstance(option.move, TakePile | TakeUpcard)
                listed.add(take_block(option.move, upcard))
        try:
            accepted = {take_block(move, upcard) for move in accepted_takes(state, state.turn, TRIED_MAX)}
        except TooMany:
            continue
        assert accepted == listed, (seed, told(state))
        found += len(accepted)
    assert found > 150


def test_a_way_out_is_accepted_and_ends_the_hand() -> None:
    found = 0
    for seed in range(600):
        state = position(seed, "play", (2, 3, 5, 7, 9))
        way = legal_moves(state, state.turn).way_out
        if way is not UNSET:
            after = state
            for move in way:
                decision = decide(after, state.turn, move)
                assert not isinstance(decision, Refusal), (seed, way, decision, told(state))
                after = fold(after, decision)
            assert after.ended is not None
            assert after.ended.by == state.turn, (seed, way, told(state))
            found += 1
    assert found > 30
