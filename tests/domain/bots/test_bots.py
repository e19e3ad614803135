"""What holds for every bot: it always moves, always lawfully, always to the end of its turn, and knows nothing else."""

import ast
from itertools import product
from pathlib import Path

import pytest

from domain import bots
from domain.bots import LEVELS, BotLevelUnknownError, bot_of
from domain.events import Discarded, HandEnded
from domain.rules import compile_rules
from domain.rulesets import PRESETS, resolve
from domain.simulation import Setup, simulate
from tests.domain.bots.choosing import chosen, only
from tests.domain.builders import position

TABLES = [(preset, players) for preset in PRESETS for players in resolve(preset).players]
STEPS_PER_TURN_MAX = 25
"""More requests in one turn would mean that a bot goes round in circles."""

HIDDEN_FROM_BOTS = {"domain.state", "domain.decide", "domain.legal", "domain.evolve", "domain.simulation"}


@pytest.mark.parametrize(("table", "level"), [*product(TABLES, LEVELS)], ids=str)
def test_a_bot_plays_every_rule_set_at_every_table_to_the_end(table: tuple[str, int], level: str) -> None:
    preset, players = table
    setup = Setup(resolve(preset), (level,) * players, 1)
    for number in range(2):
        steps = 0
        reason = None
        for happened, state in simulate(setup, b"to the end", number):
            reason = state.end_reason
            steps += 1
            if any(isinstance(event, Discarded | HandEnded) for event in happened):
                steps = 0
            assert steps < STEPS_PER_TURN_MAX
        assert reason is not None


@pytest.mark.parametrize("requirement", ["required", "advisory", "optional", "off"])
@pytest.mark.parametrize("level", LEVELS)
def test_a_bot_plays_whatever_the_rule_on_asking(level: str, requirement: str) -> None:
    setup = Setup(resolve("canasta-classic", {"partner_permission": requirement}), (level,) * 4, 3)
    *_, (_, state) = simulate(setup, b"asking", 1)
    assert state.hand == 3


def test_a_bot_knows_no_more_of_the_engine_than_a_client_does() -> None:
    folder = Path(bots.__file__).parent
    imported = {
        f"{path.name}: {node.module}"
        for path in folder.glob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.ImportFrom) and node.module in HIDDEN_FROM_BOTS
    }
    assert imported == set()


@pytest.mark.parametrize("level", LEVELS)
def test_the_same_view_and_the_same_chance_give_the_same_moves(level: str) -> None:
    given = position(hand="4S 5S 8D 9D KH KD KC 2C JS", began="stock", melds={"m1": "QS QH QD"})
    assert chosen(given, level) == chosen(given, level)


def test_other_chance_gives_the_random_bot_other_moves() -> None:
    given = position(hand="4S 5S 8D 9D KH KD KC 2C JS", began="stock", melds={"m1": "QS QH QD"})
    assert len({str(chosen(given, "random", bytes([seed]))) for seed in range(20)}) > 3


def test_the_random_bot_lays_every_red_three() -> None:
    given = position(hand="3D 4S 9D KH", began="stock")
    assert {str(only(given, "random", bytes([seed]))) for seed in range(20)} == {
        str({"type": "lay_red_three", "card": "3D"})
    }


@pytest.mark.parametrize("level", LEVELS)
def test_no_bot_takes_the_pile_with_a_joker_that_passes_for_a_jack(level: str) -> None:
    pile, melds = "5S KH KS 4H 5H 7C 9S JH", {"m1": "QS QH QD"}
    with_one = position(hand="JK JD 4S 6H 9D", pile=pile, melds=melds)
    for seed in range(20):
        assert only(with_one, level, bytes([seed])) == {"type": "draw"}
    with_two = position(hand="JK JD JC 4S 6H 9D", pile=pile, melds=melds)
    taken = {only(with_two, level, bytes([seed]))["type"] for seed in range(20)}
    assert "take_pile" in taken


def test_an_unknown_level_is_refused_with_those_there_are() -> None:
    with pytest.raises(BotLevelUnknownError) as refused:
        bot_of("careful", compile_rules(resolve("bolivia"), 2))
    assert refused.value.known == ("random", "greedy")
