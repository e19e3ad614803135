"""The shared rule cases, each on its own, and what a case file must not be (formats, part 10)."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from domain.cases import Case, CaseFileInvalidError, read_cases, run_case
from domain.records.faults import RecordFaultCode as Code
from domain.records.lines import LINE_BYTES_MAX, split_lines

FILES = sorted((Path(__file__).resolve().parent.parent / "data" / "cases").glob("*.jsonl"))

SOUND = {
    "id": "X1",
    "area": "draw",
    "title": "A seat draws",
    "source": "-",
    "position": {"ruleset": "samba-official", "players": 2, "stock": {"count": 9}, "holdings": [3, 3]},
    "moves": [{"type": "draw"}],
    "expect": {"legal": True, "after": {"phase": "play"}},
}


def shared_cases() -> Iterator[Any]:
    for path in FILES:
        for _, case in read_cases(split_lines([path.read_bytes()])):
            yield pytest.param(case, id=case.id)


@pytest.mark.parametrize("case", [*shared_cases()])
def test_a_shared_case_comes_out_as_it_says(case: Case) -> None:
    assert run_case(case).why is None


def test_every_shared_case_is_read() -> None:
    counted = {path.name: sum(1 for _ in read_cases(split_lines([path.read_bytes()]))) for path in FILES}
    assert counted == {"more.jsonl": 215, "rules.jsonl": 131}


def changed(**keys: Any) -> dict[str, Any]:
    return SOUND | keys


@pytest.mark.parametrize(
    "case",
    [
        changed(expect={"legal": True, "after": {"phase": "draw"}}),
        changed(expect={"legal": True, "after": {"holdings": {"1": 4}}}),
        changed(expect={"legal": True, "after": {"holdings": {"7": 3}}}),
        changed(expect={"legal": True, "after": {"no_such_key": 1}}),
        changed(expect={"legal": False, "at": 0, "code": "pass_not_allowed"}),
        changed(moves=[{"type": "pass"}]),
        changed(moves=[{"type": "draw", "seat": 9}]),
        changed(moves=[{"type": "draw", "seat": "0"}]),
        changed(moves=[{"type": "pass"}], expect={"legal": False, "at": 1, "code": "pass_not_allowed"}),
        changed(moves=[{"type": "pass"}], expect={"legal": False, "at": 0, "code": "cannot_draw"}),
        changed(position={"ruleset": "no-such-rules", "players": 2}),
    ],
)
def test_a_case_that_does_not_come_out_says_why(case: dict[str, Any]) -> None:
    verdict = run_case(case)
    assert (verdict.id, verdict.ok) == ("X1", False)
    assert verdict.why


def test_what_is_no_case_fails_without_a_name() -> None:
    no_cases: list[object] = [None, [], {"id": 3}, {}]
    assert [run_case(raw).id for raw in no_cases] == ["?"] * 4


def line_of(case: object) -> bytes:
    return json.dumps(case).encode() + b"\n"


def test_blank_lines_of_a_case_file_are_passed_over_and_counted() -> None:
    file = b"\n" + line_of(SOUND) + b"  \n" + line_of(changed(id="X2")).rstrip()
    assert [(line, case.id) for line, case in read_cases(split_lines([file]))] == [(2, "X1"), (4, "X2")]


DOUBLED = line_of(SOUND).replace(b'"title"', b'"id": "X9", "title"')


@pytest.mark.parametrize(
    ("line", "code"),
    [
        (line_of(SOUND)[:-30], Code.TRUNCATED),
        (line_of(SOUND)[:-30] + b"\n", Code.INVALID_JSON),
        (b'{"id": NaN}\n', Code.INVALID_JSON),
        (DOUBLED, Code.DUPLICATE_KEY),
        (line_of([SOUND]), Code.ILL_TYPED),
        (line_of(changed(moves={})), Code.ILL_TYPED),
        (line_of(changed(moves=["draw"])), Code.ILL_TYPED),
        (line_of(changed(id=7)), Code.ILL_TYPED),
        (line_of(changed(position="start")), Code.ILL_TYPED),
        (line_of(changed(expect=True)), Code.ILL_TYPED),
        (line_of(changed(expect={"legal": "yes"})), Code.ILL_TYPED),
        (line_of(changed(expect={"legal": False, "code": "game_over"})), Code.MISSING_KEY),
        (line_of(changed(deck=["JK", "??"])), Code.ILL_TYPED),
        (line_of({key: value for key, value in SOUND.items() if key != "expect"}), Code.MISSING_KEY),
        (line_of(changed(expected={})), Code.UNKNOWN_KEY),
        (line_of(changed(version=2)), Code.UNKNOWN_VERSION),
        (line_of({"record": "meldhouse/1"}), Code.UNKNOWN_VERSION),
        (line_of(SOUND).replace(b"\n", b"\r\n"), Code.CARRIAGE_RETURN),
        (b"\xef\xbb\xbf" + line_of(SOUND), Code.BYTE_ORDER_MARK),
        (line_of(changed(title="\x00")).replace(b"\\u0000", b"\0"), Code.NUL_BYTE),
        (line_of(changed(title="é")).replace(b"\\u00e9", b"\xe9"), Code.INVALID_UTF8),
        (line_of(changed(title="\ud800")), Code.LONE_SURROGATE),
        (line_of(changed(moves=[{"type": "draw", "x": json.loads("[" * 80 + "]" * 80)}])), Code.TOO_DEEP),
        (b"[" * 100_000 + b"\n", Code.TOO_DEEP),
        (line_of(changed(title="x" * LINE_BYTES_MAX)), Code.LINE_TOO_LONG),
    ],
)
def test_a_case_file_is_refused_with_the_line_and_the_reason(line: bytes, code: Code) -> None:
    read = read_cases(split_lines([line_of(SOUND), line]))
    assert next(read)[1].id == "X1"
    with pytest.raises(CaseFileInvalidError) as refused:
        next(read)
    fault = refused.value.fault
    assert (fault.line, fault.code) == (2, code)
    assert fault.message in str(refused.value)
