"""Rule sets that are refused, and why (rule book 13.2)."""

from typing import Any

import pytest

from domain.rulesets import PRESETS, resolve
from tests.domain.ruleset_builders import CHOICES, RANGES, faults, is_valid, places, whole


@pytest.mark.parametrize("key", PRESETS["samba-official"])
def test_every_key_is_needed(key: str) -> None:
    ruleset = whole()
    del ruleset[key]
    assert places(ruleset) == [(f"/{key}", "missing_key")]
    assert (f"/{key}", "ill_typed") in places("samba-official", {key: 1.5})
    assert (f"/{key}", "ill_typed") in places({**whole(), key: 1.5})


@pytest.mark.parametrize(("key", "low", "high"), RANGES)
def test_numbers_have_ranges(key: str, low: int, high: int) -> None:
    for outside in (low - 1, high + 1, 10**30):
        assert (f"/{key}", "out_of_range") in places({**whole(), key: outside})
    for inside in (low, high):
        found = [] if is_valid({**whole(), key: inside}) else places({**whole(), key: inside})
        assert (f"/{key}", "out_of_range") not in found
    assert (f"/{key}", "ill_typed") in places({**whole(), key: True})
    assert (f"/{key}", "ill_typed") in places({**whole(), key: "1"})


@pytest.mark.parametrize("key", CHOICES)
def test_choices_are_those_of_the_table(key: str) -> None:
    for choice in CHOICES[key]:
        assert getattr(resolve("samba-official", {key: choice}), key) == choice
    (fault,) = faults("samba-official", {key: CHOICES[key][0].upper()})
    assert (fault.pointer, fault.code) == (f"/{key}", "not_a_choice")
    assert fault.params["allowed"] == sorted(CHOICES[key])


@pytest.mark.parametrize("name", ["", "a" * 65, "Samba", "samba_official", "sámba", "samba\n", "samba official"])
def test_a_name_is_64_small_letters_digits_and_dashes(name: str) -> None:
    assert places(whole(name=name)) == [("/name", "bad_text")]
    assert resolve(whole(name="a-9" + "z" * 61)).name.startswith("a-9")


@pytest.mark.parametrize(
    ("players", "expected"),
    [
        ([], ("/players", "too_short")),
        ([1, 2], ("/players/0", "out_of_range")),
        ([6, 7], ("/players/1", "out_of_range")),
        ([3, 2], ("/players", "not_ascending")),
        ([2, 2], ("/players", "not_ascending")),
        ([True], ("/players/0", "ill_typed")),
        (4, ("/players", "ill_typed")),
    ],
)
def test_players_is_an_ascending_list_out_of_2_to_6(players: object, expected: tuple[str, str]) -> None:
    assert expected in places("samba-online", {"players": players})


@pytest.mark.parametrize("key", ["hand_size", "draw_count", "going_out_requirement", "target"])
def test_a_value_by_players_has_exactly_the_permitted_numbers(key: str) -> None:
    value: Any = PRESETS["samba-online"][key]
    exact = dict.fromkeys(("2", "3", "4"), value)
    assert getattr(resolve("samba-online", {key: exact}), key) == exact
    for wrong in ({}, {"2": value, "3": value}, {**exact, "5": value}, {"2": value, "3": value, "04": value}):
        assert places("samba-online", {key: wrong}) == [(f"/{key}", "keys_not_players")]
    assert places("samba-online", {key: {**exact, "4": None}}) == [(f"/{key}/4", "ill_typed")]


def test_other_players_leave_a_preset_by_players_without_its_keys() -> None:
    assert places("canasta-classic", {"players": [2, 4]}) == [
        ("/hand_size", "keys_not_players"),
        ("/draw_count", "keys_not_players"),
        ("/going_out_requirement", "keys_not_players"),
        ("/target", "keys_not_players"),
        ("/three_player", "needs_number_of_players"),
    ]


def test_card_values_name_every_rank_once() -> None:
    values: Any = PRESETS["samba-official"]["card_values"]
    assert resolve("samba-official", {"card_values": {**values, "K": 4}}).card_values["K"] == 4
    for wrong in ({**values, "10": 10}, {key: value for key, value in values.items() if key != "3"}):
        assert places("samba-official", {"card_values": wrong}) == [("/card_values", "keys_not_ranks")]
    for outside in (-1, 1001):
        assert places(whole(card_values={**values, "A": outside})) == [("/card_values/A", "out_of_range")]


@pytest.mark.parametrize(
    ("steps", "expected"),
    [
        ([], ("/first_meld", "too_short")),
        ([{"below": 0, "points": 15}], ("/first_meld/0/below", "last_step_not_open")),
        (
            [{"below": None, "points": 15}, {"below": None, "points": 50}],
            ("/first_meld/0/below", "open_step_not_last"),
        ),
        (
            [{"below": 9, "points": 1}, {"below": 0, "points": 2}, {"below": None, "points": 3}],
            ("/first_meld", "not_ascending"),
        ),
        (
            [{"below": 0, "points": 1}, {"below": 0, "points": 2}, {"below": None, "points": 3}],
            ("/first_meld", "not_ascending"),
        ),
        ([{"below": None}], ("/first_meld/0/points", "missing_key")),
        ([{"points": 1}], ("/first_meld/0/below", "missing_key")),
        ([{"below": None, "points": 1, "to": 2}], ("/first_meld/0/to", "unknown_key")),
        ([{"below": None, "points": 2**53}], ("/first_meld/0/points", "out_of_range")),
        ([[None, 1]], ("/first_meld/0", "ill_typed")),
    ],
)
def test_first_meld_ascends_and_ends_open(steps: object, expected: tuple[str, str]) -> None:
    assert places("samba-official", {"first_meld": steps}) == [expected]


def test_one_open_step_is_enough_for_the_first_meld() -> None:
    assert is_valid("samba-official", {"first_meld": [{"below": None, "points": 30}]})


def test_turning_the_pile_needs_a_draw_of_two_for_every_number_of_seats() -> None:
    assert places("canasta-classic", {"stock_end": "recycle"}) == [("/draw_count", "draw_too_small")]
    assert is_valid("canasta-classic", {"stock_end": "recycle", "draw_count": 2})
    assert places("samba-czech", {"draw_count": 1}) == [("/draw_count", "draw_too_small")]


def test_a_last_turn_of_melding_does_not_go_with_a_required_discard() -> None:
    options = {"last_red_three_may_meld": True, "final_discard_required": True}
    assert places("samba-official", options) == [("/last_red_three_may_meld", "no_way_out")]


@pytest.mark.parametrize("requirement", ["two_with_samba", "two_canastas_one_samba"])
def test_a_requirement_with_a_samba_needs_sequences(requirement: str) -> None:
    for value in (requirement, {"2": "two_any", "3": requirement, "4": "one_any"}):
        options = {"going_out_requirement": value}
        assert places("canasta-classic", options) == [("/going_out_requirement", "needs_sequences")]
    assert places("bolivia", {"sequences": False}) == [("/going_out_requirement", "needs_sequences")]


def test_team_shapes_need_their_number_of_players() -> None:
    options = {"players": [2, 4], "three_player": "lone_side"}
    assert places("samba-online", options) == [("/three_player", "needs_number_of_players")]
    assert places("samba-online", {"six_player_teams": "two_trios"}) == [
        ("/six_player_teams", "needs_number_of_players")
    ]
    assert is_valid("samba-online", {"players": [2], "three_player": "alone", "six_player_teams": "three_pairs"})
    assert is_valid("samba-official", {"three_player": "lone_side", "six_player_teams": "two_trios"})


def test_a_target_is_one_of_the_choices() -> None:
    assert places("samba-official", {"target": 5000}) == [("/target", "not_in_target_choices")]
    assert is_valid("samba-official", {"target": 300, "target_choices": [300, 600]})
    assert places("canasta-classic", {"target": {"2": 5000, "3": 7500, "4": 1}}) == [
        ("/target", "not_in_target_choices")
    ]
    assert places("samba-official", {"target_choices": []}) == [("/target", "not_in_target_choices")]
    assert places("samba-official", {"target_choices": [10000, 5000]}) == [("/target_choices", "not_ascending")]


def test_the_pack_must_serve_the_deal_and_the_upcard() -> None:
    one_pack = {"packs": 1, "jokers": 0, "players": [2, 3], "draw_count": 1}
    assert is_valid("samba-online", {**one_pack, "hand_size": 17})
    (fault,) = faults("samba-online", {**one_pack, "hand_size": 18})
    assert (fault.key, fault.code) == ("hand_size", "too_few_cards")
    assert fault.params == {"players": 3, "needed": 55, "cards": 52}
    assert is_valid("samba-online", {**one_pack, "jokers": 3, "hand_size": 18})


def test_every_fault_is_listed_at_once() -> None:
    ruleset = whole("bolivia", packs=0, jokers="6", red_three_discard=True, target=1, colour="red", sequences=False)
    del ruleset["tie"]
    assert places(ruleset) == [
        ("/packs", "out_of_range"),
        ("/jokers", "ill_typed"),
        ("/tie", "missing_key"),
        ("/colour", "unknown_key"),
        ("/red_three_discard", "excluded"),
        ("/run_take", "excluded"),
        ("/samba_bonus", "excluded"),
        ("/going_out_requirement", "needs_sequences"),
        ("/target", "not_in_target_choices"),
    ]


@pytest.mark.parametrize("ruleset", [None, 1, True, [], 1.5])
def test_a_rule_set_is_a_name_or_an_object(ruleset: object) -> None:
    assert places(ruleset) == [("/ruleset", "ill_typed")]


def test_unknown_presets_and_options_of_another_kind_are_told_together() -> None:
    assert places("canasta", "target") == [("/ruleset", "unknown_preset"), ("/options", "ill_typed")]


def test_a_place_is_a_json_pointer() -> None:
    assert places("bolivia", {"a/b~c": 1}) == [("/a~1b~0c", "unknown_key")]
