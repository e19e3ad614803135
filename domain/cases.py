"""Case files: a position or a deck, moves, and what must come of them (formats, part 10)."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

import msgspec
from msgspec import Struct
from msgspec.structs import replace

from domain.cards import ORDER, Face
from domain.dealing import deal
from domain.decide import decide
from domain.evolve import fold
from domain.moves import parse_move
from domain.placing import write_position
from domain.positions import PositionInvalidError, state_from
from domain.records.diagnosis import check_keys, json_object, quoted, typed
from domain.records.faults import RecordFaultCode as FaultCode
from domain.records.faults import RecordInvalidError
from domain.refusals import Refusal, Refused
from domain.state import State


class Verdict(Struct, frozen=True):
    """Whether a case came out as it says; `why` tells the first difference."""

    id: str
    ok: bool
    why: str | None


class Expectation(Struct, frozen=True, forbid_unknown_fields=True):
    """What must come of a case: every move is accepted and `after` is reached, or move `at` is refused with `code`."""

    legal: bool
    after: dict[str, Any] = {}
    at: int | None = None
    code: str | None = None


class Case(Struct, frozen=True, forbid_unknown_fields=True):
    """One case: moves are made from a position, or from the deal of a deck."""

    id: str
    position: dict[str, Any]
    moves: list[dict[str, Any]]
    expect: Expectation
    deck: tuple[Face, ...] | None = None
    area: str = ""
    title: str = ""
    source: str = ""


class CaseFileFault(Struct, frozen=True):
    """The first thing wrong with a case file: the line, counted from 1, a code and a sentence."""

    line: int
    code: FaultCode
    message: str


class CaseFileInvalidError(ValueError):
    """A case file that is refused; `fault` says where and why."""

    def __init__(self, fault: CaseFileFault) -> None:
        super().__init__(f"line {fault.line}: {fault.message}")
        self.fault = fault


_VERSION_KEYS: Final = ("record", "cases", "format", "version")
"""Keys by which another format, or another version of this one, would name itself; a case has none of them."""


def read_cases(lines: Iterable[bytes]) -> Iterator[tuple[int, Case]]:
    """The cases of a file with the numbers of their lines, from 1; blank lines are passed over.

    `lines` come with their line feeds (`domain.records.lines.split_lines`), of which the last one may be lacking.
    Raises `CaseFileInvalidError` at the first line that is no case, after every case before it.
    """
    for number, line in enumerate(lines, start=1):
        if line.strip():
            try:
                case = _read_case(line, number)
            except RecordInvalidError as invalid:
                fault = invalid.fault
                raise CaseFileInvalidError(CaseFileFault(fault.line, fault.code, fault.message)) from invalid
            yield number, case


def _read_case(line: bytes, number: int) -> Case:
    try:
        value = json_object(line if line.endswith(b"\n") else line + b"\n", number)
    except RecordInvalidError as invalid:
        if invalid.fault.code is FaultCode.INVALID_JSON and not line.endswith(b"\n"):
            raise RecordInvalidError(number, FaultCode.TRUNCATED, "The file breaks off in this line.") from invalid
        raise
    foreign = next((key for key in _VERSION_KEYS if key in value), None)
    if foreign is not None:
        message = f"This is no case of version 1: it names {quoted(foreign)} {quoted(value[foreign])}."
        raise RecordInvalidError(number, FaultCode.UNKNOWN_VERSION, message)
    check_keys(value, Case, number)
    case = typed(value, Case, number)
    expect = case.expect
    if not expect.legal and (expect.at is None or expect.code is None):
        message = 'A case that is not legal needs "at" and "code" in "expect".'
        raise RecordInvalidError(number, FaultCode.MISSING_KEY, message)
    return case


def run_case(raw: object) -> Verdict:
    """Run one case, read from a file or as decoded JSON."""
    case_id = raw.id if isinstance(raw, Case) else raw.get("id") if isinstance(raw, dict) else None
    name = case_id if isinstance(case_id, str) else "?"
    try:
        case = raw if isinstance(raw, Case) else msgspec.convert(raw, Case)
        why = _difference(case)
    except msgspec.ValidationError as error:
        why = f"not a case: {error}"
    except PositionInvalidError as error:
        why = f"the position is refused: {error}"
    return Verdict(name, why is None, why)


def _difference(case: Case) -> str | None:
    expect = case.expect
    state = _start(case)
    for index, raw in enumerate(case.moves):
        seat = raw.get("seat", state.turn)
        if type(seat) is not int or not 0 <= seat < state.table.rules.players:
            return f"move {index} is made by no seat of this table: {seat}"
        result = _play(state, seat, {key: value for key, value in raw.items() if key != "seat"})
        if isinstance(result, Refusal):
            return _compare_refusal(expect, index, result)
        state = result
    if not expect.legal:
        return f"every move was accepted, expected {expect.code} at {expect.at}"
    return _compare(expect.after, state)


def _start(case: Case) -> State:
    if case.deck is None:
        return state_from(case.position)
    # The position has the sheet of a hand to come; the deck makes the hand.
    sheet = state_from(case.position)
    before = replace(sheet, totals=sheet.scores)
    return fold(before, [deal(sheet.table, sheet.hand, sheet.dealer, case.deck)])


def _play(state: State, seat: int, raw: dict[str, Any]) -> State | Refusal:
    try:
        decision = decide(state, seat, parse_move(raw))
    except Refused as refused:
        return refused.refusal()
    return decision if isinstance(decision, Refusal) else fold(state, decision)


def _compare_refusal(expect: Expectation, index: int, refusal: Refusal) -> str | None:
    if expect.legal:
        return f"move {index} was refused: {refusal.code} {refusal.params}"
    if (index, refusal.code) != (expect.at, expect.code):
        return f"move {index} was refused with {refusal.code}, expected {expect.code} at {expect.at}"
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
            places = {str(index): item for index, item in enumerate(reached)}
            return all(key in places and _matches(value, places[key]) for key, value in expected.items())
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
