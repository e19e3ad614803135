"""Case files: a position or a deck, moves, and what must come of them (formats, part 10)."""

from collections import Counter
from collections.abc import Mapping
from typing import Any

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.cards import ORDER
from domain.dealing import deal
from domain.decide import decide
from domain.evolve import fold
from domain.moves import parse_move
from domain.placing import write_position
from domain.positions import PositionInvalidError, state_from
from domain.refusals import Refusal, Refused
from domain.state import State


class Verdict(Struct, frozen=True):
    """Whether a case came out as it says; `why` tells the first difference."""

    id: str
    ok: bool
    why: str | None


class _Case(Struct, frozen=True):
    id: str
    position: dict[str, Any]
    moves: list[Any]
    expect: dict[str, Any]
    deck: list[str] | None = None


def run_case(raw: object) -> Verdict:
    """Run one case."""
    case_id = raw.get("id") if isinstance(raw, dict) else None
    name = case_id if isinstance(case_id, str) else "?"
    try:
        case = msgspec.convert(raw, _Case)
        why = _difference(case)
    except msgspec.ValidationError as error:
        why = f"not a case: {error}"
    except PositionInvalidError as error:
        why = f"the position is refused: {error}"
    return Verdict(name, why is None, why)


def _difference(case: _Case) -> str | None:
    state = _start(case)
    for index, raw in enumerate(case.moves):
        result = _play(state, raw)
        if isinstance(result, Refusal):
            return _compare_refusal(case.expect, index, result)
        state = result
    if not case.expect.get("legal"):
        return f"every move was accepted, expected {case.expect.get('code')} at {case.expect.get('at')}"
    return _compare(case.expect.get("after", {}), state)


def _start(case: _Case) -> State:
    if case.deck is None:
        return state_from(case.position)
    # The position has the sheet of a hand to come; the deck makes the hand.
    sheet = state_from(case.position)
    before = replace(sheet, totals=sheet.scores)
    return fold(before, [deal(sheet.table, sheet.hand, sheet.dealer, case.deck)])


def _play(state: State, raw: Any) -> State | Refusal:
    seat = state.turn
    if isinstance(raw, dict) and "seat" in raw:
        seat = raw["seat"]
        raw = {key: value for key, value in raw.items() if key != "seat"}
    try:
        decision = decide(state, seat, parse_move(raw))
    except Refused as refused:
        return refused.refusal()
    return decision if isinstance(decision, Refusal) else fold(state, decision)


def _compare_refusal(expect: Mapping[str, Any], index: int, refusal: Refusal) -> str | None:
    if expect.get("legal"):
        return f"move {index} was refused: {refusal.code} {refusal.params}"
    if (index, refusal.code) != (expect.get("at"), expect.get("code")):
        return f"move {index} was refused with {refusal.code}, expected {expect.get('code')} at {expect.get('at')}"
    return None


def _compare(after: Mapping[str, Any], state: State) -> str | None:
    reached = _reached(state)
    for key, expected in after.items():
        if key not in reached:
            return f"{key}: a case cannot ask for this"
        if not _matches(expected, reached[key], ordered=key == "pile"):
            shown = msgspec.json.encode([reached[key], expected], order="sorted").decode()
            return f"{key}: reached and expected differ: {shown}"
    return None


def _reached(state: State) -> dict[str, Any]:
    rules = state.table.rules
    over = state.phase in ("hand_over", "game_over")
    position = write_position(state)
    return position | {
        "red_threes": position["red_threes_by_seat" if rules.lone_side else "red_threes"],
        "hand_over": over,
        "lines": list(state.lines),
        "totals": list(state.totals),
        "winners": list(state.winners),
        "requirement": [rules.requirement(total) for total in (state.totals if over else state.scores)],
        "sides": [list(side) for side in rules.sides],
    }


def _matches(expected: Any, reached: Any, *, ordered: bool = False) -> bool:
    """Whether something reached has all that is expected of it; card lists are multisets unless ordered."""
    if isinstance(reached, list):
        if isinstance(expected, dict):
            return all(_matches(value, reached[int(index)]) for index, value in expected.items())
        if type(expected) is int:
            return len(reached) == expected
        if not isinstance(expected, list) or len(expected) != len(reached):
            return False
        if not ordered and _are_cards(expected) and _are_cards(reached):
            return Counter(expected) == Counter(reached)
        return all(map(_matches, expected, reached))
    if isinstance(reached, dict) and isinstance(expected, dict):
        runs = reached.get("kind") == "sequence"
        return all(
            key in reached and _matches(value, reached[key], ordered=runs or key == "next")
            for key, value in expected.items()
        )
    return bool(expected == reached and type(expected) is type(reached))


def _are_cards(values: list[Any]) -> bool:
    return all(isinstance(value, str) and value in ORDER for value in values)
