"""Rule sets compiled for a number of seats (rule book 2.1, part 5, part 11)."""

from typing import Any

import pytest

from domain.cards import FACES
from domain.rules import PlayersNotPermittedError, Rules, compile_rules
from domain.rulesets import PRESETS, SharedKeys, resolve


def rules(preset: str, players: int, **options: Any) -> Rules:
    return compile_rules(resolve(preset, options), players)


@pytest.mark.parametrize(
    ("players", "sides", "side_of"),
    [
        (2, ((0,), (1,)), (0, 1)),
        (3, ((0,), (1,), (2,)), (0, 1, 2)),
        (4, ((0, 2), (1, 3)), (0, 1, 0, 1)),
        (5, ((0,), (1,), (2,), (3,), (4,)), (0, 1, 2, 3, 4)),
        (6, ((0, 3), (1, 4), (2, 5)), (0, 1, 2, 0, 1, 2)),
    ],
)
def test_two_three_and_five_play_alone_four_and_six_in_pairs(
    players: int, sides: tuple[tuple[int, ...], ...], side_of: tuple[int, ...]
) -> None:
    compiled = rules("samba-official", players)
    assert compiled.sides == sides
    assert compiled.side_of == side_of


def test_six_play_in_two_trios_where_the_rule_set_says_so() -> None:
    compiled = rules("samba-official", 6, six_player_teams="two_trios")
    assert compiled.sides == ((0, 2, 4), (1, 3, 5))
    assert compiled.side_of == (0, 1, 0, 1, 0, 1)


def test_a_lone_side_is_for_three_seats_only() -> None:
    assert rules("canasta-classic", 3).lone_side
    assert rules("canasta-classic", 3).sides == ((0,), (1,), (2,))
    assert not rules("canasta-classic", 4).lone_side
    assert not rules("canasta-standard", 3).lone_side


def test_values_by_players_are_those_of_the_table() -> None:
    found = [
        (table.hand_size, table.draw_count, table.going_out_requirement, table.target)
        for table in (rules("canasta-classic", players) for players in (2, 3, 4))
    ]
    assert found == [(15, 2, "two_any", 5000), (13, 2, "one_any", 7500), (11, 1, "one_any", 5000)]
    assert rules("samba-online", 2).hand_size == rules("samba-online", 4).hand_size == 15


@pytest.mark.parametrize("preset", PRESETS)
def test_the_other_keys_keep_name_and_value(preset: str) -> None:
    ruleset = resolve(preset)
    for players in ruleset.players:
        compiled = compile_rules(ruleset, players)
        assert compiled.players == players
        assert compiled.ruleset == ruleset
        assert compiled.ruleset_hash == ruleset.sha256()
        assert all(getattr(compiled, key) == PRESETS[preset][key] for key in SharedKeys.__struct_fields__)


def test_every_key_of_a_rule_set_is_shared_or_compiled() -> None:
    left = set(PRESETS["bolivia"]) - set(SharedKeys.__struct_fields__) - set(Rules.__struct_fields__)
    assert left == {"name", "card_values", "target_choices"}


def test_points_are_those_of_the_rank_and_red_threes_have_none() -> None:
    values: Any = {**resolve("bolivia").card_values, "K": 7, "3": 4}
    points = rules("bolivia", 4, card_values=values).points
    assert list(points) == list(FACES)
    assert [points[face] for face in ("JK", "2C", "AS", "KH", "TD", "4S")] == [50, 20, 20, 7, 10, 5]
    assert [points[face] for face in ("3S", "3C", "3H", "3D")] == [4, 4, 0, 0]


@pytest.mark.parametrize(
    ("total", "needed"),
    [
        (-5000, 15),
        (-1, 15),
        (0, 50),
        (1499, 50),
        (1500, 90),
        (2999, 90),
        (3000, 120),
        (6999, 120),
        (7000, 150),
    ],
)
def test_the_requirement_follows_the_sheet_total(total: int, needed: int) -> None:
    assert rules("samba-official", 4).requirement(total) == needed


def test_a_single_open_step_is_the_requirement_always() -> None:
    one = rules("samba-official", 4, first_meld=[{"below": None, "points": 30}])
    assert one.requirement(-100) == one.requirement(99999) == 30


def test_the_score_lines_depend_on_the_rule_set() -> None:
    always = ("cards", "natural_canastas", "mixed_canastas")
    rest = ("red_threes", "going_out", "in_hand")
    assert rules("canasta-classic", 4).line_keys == (*always, *rest, "total")
    assert rules("samba-official", 4).line_keys == (*always, "sambas", *rest, "total")
    assert rules("samba-czech", 4).line_keys == (
        *always,
        "wild_canastas",
        "sambas",
        *rest,
        "stock_penalty",
        "total",
    )


def test_there_are_two_red_threes_a_pack() -> None:
    assert rules("samba-official", 4).red_threes_all == 6
    assert rules("canasta-classic", 4).red_threes_all == 4


def test_a_table_like_another_is_compiled_once() -> None:
    assert rules("bolivia", 4) is rules("bolivia", 4)
    assert rules("bolivia", 4) is not rules("bolivia", 3)
    assert rules("bolivia", 4, tie="play_on").tie == "play_on"


def test_a_number_of_seats_that_is_not_permitted_is_refused() -> None:
    with pytest.raises(PlayersNotPermittedError) as refused:
        rules("bolivia", 5)
    assert (refused.value.players, refused.value.permitted) == (5, (2, 3, 4))
