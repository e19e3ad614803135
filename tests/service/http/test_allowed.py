"""What a caller is told who sent a value that is not allowed: what would have been."""

from enum import Enum
from typing import Annotated, Any, Literal

import httpx
import msgspec
import pytest
from msgspec import UNSET, Meta, Struct, UnsetType

from service.http.allowed import FOUND_MAX, NAMES_MAX, SENTENCE_MAX, Expectation, expectation
from tests.service.http.tables import guest, problem
from tests.service.http.tournaments.event import terms_of


class Bird(Struct, tag="bird", tag_field="kind", forbid_unknown_fields=True):
    wings: Literal["short", "long"] = "long"


class Fish(Struct, tag="fish", tag_field="kind", forbid_unknown_fields=True):
    fins: Annotated[int, Meta(ge=0)] = 2


class Cage(Struct, forbid_unknown_fields=True):
    animal: Bird | Fish | None = None
    house: Literal["hut", "tree"] | Bird | UnsetType = UNSET
    by_name: dict[Literal["left", "right"], Literal["open", "shut"]] = {}
    row: list[Bird | Fish] = []
    two: tuple[int, Literal["up"]] = (1, "up")
    size: Annotated[int, Meta(le=9)] = 1


class Colour(Enum):
    GREEN = "green"
    BLUE = "blue"


def told_of(raw: Any, kind: Any) -> Expectation:
    with pytest.raises(msgspec.ValidationError) as caught:
        msgspec.convert(raw, kind)
    return expectation(caught.value, raw, kind)


@pytest.mark.parametrize(
    ("raw", "at", "expected"),
    [
        ({"animal": {"kind": "worm"}}, ".animal.kind", "one of bird, fish"),
        ({"animal": {"kind": "bird", "wings": "none"}}, ".animal.wings", "one of long, short"),
        ({"animal": {"kind": "fish", "wings": "long"}}, ".animal", "no field but kind, fins"),
        ({"animal": {"fins": 2}}, ".animal", "the field `kind`"),
        ({"animal": "bird"}, ".animal", "`object | null`, got `str`"),
        ({"house": "tent"}, ".house", "one of hut, tree, or an object"),
        ({"by_name": {"left": "ajar"}}, ".by_name[...]", "one of open, shut"),
        ({"by_name": {"top": "open"}}, ".by_name (a key)", "one of left, right"),
        ({"row": [{"kind": "fish"}, {"kind": "bird", "wings": 5}]}, ".row[1].wings", "`str`, got `int`"),
        ({"row": [{"kind": "fish"}, {"kind": "bird", "wings": ""}]}, ".row[1].wings", "one of long, short"),
        ({"two": [1, "down"]}, ".two[1]", "up"),
        ({"size": 10}, ".size", "`int` <= 9"),
        ({"colour": "red"}, "", "no field but animal, house, by_name, row, two, size"),
    ],
)
def test_what_is_allowed_is_told_by_the_place_of_the_fault(raw: Any, at: str, expected: str) -> None:
    told = told_of(raw, Cage)
    assert (told.at, told.expected) == (at, expected)


def test_of_many_values_some_are_named_and_the_others_counted() -> None:
    many: Any = [(f"m{number}", bool, True) for number in range(NAMES_MAX + 3)]
    told = told_of({"none": 1}, msgspec.defstruct("Many", many, forbid_unknown_fields=True))
    assert told.expected == f"no field but {', '.join(name for name, *_ in many[:NAMES_MAX])} and 3 others"


def test_the_values_of_an_enumeration_are_told() -> None:
    colour = msgspec.defstruct("Painted", [("colour", Colour)])
    assert told_of({"colour": "red"}, colour).expected == "one of green, blue"


def test_a_long_value_is_not_told_again_in_full() -> None:
    raw = {"house": "x" * 10_000}
    assert len(told_of(raw, Cage).sentence) < 2 * FOUND_MAX


@pytest.mark.parametrize(
    "made_up",
    [
        {"row": [], "x` - at `$.row[7]": 1},
        {"two": [1, "up"], "x` - at `$.two[7]": 1},
        {"row": [], f"x` - at `$.row[{'9' * 5000}]": 1},
        {"row": [], "house": "x' - at `$.row[7]"},
        {"x` - at `$." + "y" * 10_000: 1},
        {"x" * 10_000 + " - at `$.row": 1},
    ],
)
def test_names_and_values_that_look_like_places_are_faults_as_others_are(made_up: dict[str, Any]) -> None:
    told = told_of(made_up, Cage)
    assert max(map(len, (told.at, told.expected, told.sentence))) <= SENTENCE_MAX


def test_a_value_that_looks_like_a_place_does_not_hide_the_place() -> None:
    told = told_of({"house": "x' - at `$.row[7]"}, Cage)
    assert (told.at, told.expected) == (".house", "one of hut, tree, or an object")


async def test_a_wrong_choice_in_a_body_is_answered_with_the_choices(client: httpx.AsyncClient) -> None:
    wanted = terms_of({"format": {"kind": "swiss", "rounds": 2}, "match": "5x50"})
    told = problem(await client.post("/v1/tournaments", json=wanted, headers=await guest(client)), "invalid_body")
    assert told["params"] == {"at": ".stages[0].match", "expected": "one of 2x25, 3x40, 4x50, or an object"}
    assert told["detail"] == "Expected one of 2x25, 3x40, 4x50, or an object, got '5x50' at .stages[0].match."


async def test_a_wrong_choice_in_a_query_is_answered_with_the_choices(client: httpx.AsyncClient) -> None:
    answer = await client.get("/v1/tournaments/t0/export?format=xml")
    told = problem(answer, "invalid_parameter")
    assert told["params"] == {"name": "format", "expected": "one of csv, json, trf"}
    assert told["detail"] == "format: expected one of csv, json, trf."
