"""Reading a record: every fault of form, order and chain is told with its line and its reason."""

import json
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from domain.chain import first_prev, link
from domain.events import Created
from domain.records.chained import read_together
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import RecordInvalidError
from domain.records.lines import LINE_BYTES_MAX, split_lines
from domain.records.reader import RecordReader
from tests.domain.golden_games import NAMES, events_of
from tests.domain.records.record_files import FULL, chained, forged, golden, values_of, written

Lines = list[bytes]
LAST = len(golden())
"""The line of the short record's trailer."""


def refused(lines: Lines) -> tuple[int, Code]:
    with pytest.raises(RecordInvalidError) as caught:
        list(RecordReader(lines))
    fault = caught.value.fault
    assert str(fault.line) in str(caught.value)
    assert fault.message[0].isupper()
    assert fault.message.endswith((".", "…"))
    return fault.line, fault.code


@pytest.mark.parametrize("name", NAMES)
def test_a_record_is_read_whole(name: str) -> None:
    reader = RecordReader(golden(name))
    assert tuple(reader) == events_of(name)
    assert reader.header.game == name
    assert reader.trailer is not None
    assert reader.trailer.head == events_of(name)[-1].hash


def test_a_record_is_never_held_whole() -> None:
    taken = 0

    def lines() -> Iterator[bytes]:
        nonlocal taken
        for line in golden(FULL):
            taken += 1
            yield line

    stream = iter(RecordReader(lines()))
    assert isinstance(next(stream), Created)
    assert taken == 1 + 128 < len(golden(FULL)) // 4


def edited(number: int, change: Callable[[bytes], bytes]) -> Lines:
    """The short record with one line changed, counted from 1."""
    lines = golden()
    lines[number - 1] = change(lines[number - 1])
    return list(split_lines([b"".join(lines)]))


def with_value(**keys: Any) -> Callable[[bytes], bytes]:
    return lambda line: written(json.loads(line) | keys)


def without(key: str) -> Callable[[bytes], bytes]:
    return lambda line: written({name: value for name, value in json.loads(line).items() if name != key})


def nested(depth: int) -> Any:
    value: Any = []
    for _ in range(depth):
        value = [value]
    return value


@pytest.mark.parametrize("number", [1, 2, 40, LAST])
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (lambda line: b"\xef\xbb\xbf" + line, Code.BYTE_ORDER_MARK),
        (lambda line: line[:-1] + b"\r\n", Code.CARRIAGE_RETURN),
        (lambda line: b"\n" + line, Code.BLANK_LINE),
        (lambda line: b"  \t\n" + line, Code.BLANK_LINE),
        (lambda line: line.replace(b'"', b'"\0', 1), Code.NUL_BYTE),
        (lambda line: line.replace(b'"', b'"\xff', 1), Code.INVALID_UTF8),
        (lambda line: line.replace(b'"', b'"\xed\xa0\x80', 1), Code.INVALID_UTF8),
        (lambda line: line.replace(b'"', b'"\\ud800', 1), Code.LONE_SURROGATE),
        (lambda line: line[:-2] + b"\n", Code.INVALID_JSON),
        (lambda line: line[:-1] + b"}\n", Code.INVALID_JSON),
        (lambda line: line[:-1] + b" garbage\n", Code.INVALID_JSON),
        (lambda line: b'{"a":NaN,' + line[1:], Code.INVALID_JSON),
        (lambda line: b"[" * 50_000 + b"\n", Code.TOO_DEEP),
        (lambda line: b'{"a":' + b"[" * 70 + b"]" * 70 + b"}\n", Code.TOO_DEEP),
        (lambda line: line[:1] + line[1:-2].split(b",", 1)[0] + b"," + line[1:], Code.DUPLICATE_KEY),
        (lambda line: line.replace(b",", b", ", 1), Code.NOT_CANONICAL),
        (lambda line: b" " + line, Code.NOT_CANONICAL),
        (lambda line: line[:-1] + b" \n", Code.NOT_CANONICAL),
        (lambda line: b'{"\\u%04x' % line[2] + line[3:], Code.NOT_CANONICAL),
        (lambda line: json.dumps(dict(reversed(json.loads(line).items())), separators=(",", ":")).encode() + b"\n",
         Code.NOT_CANONICAL),
        (lambda line: b'{"a":1.5,' + line[1:], Code.NOT_CANONICAL),
        (lambda line: b'{"a":1e2,' + line[1:], Code.NOT_CANONICAL),
        (lambda line: b'{"a":9007199254740992,' + line[1:], Code.NOT_CANONICAL),
        (lambda line: b'{"a":' + b"9" * 5000 + b"," + line[1:], Code.NOT_CANONICAL),
        (lambda line: b"[]\n", Code.ILL_TYPED),
        (lambda line: b"null\n", Code.ILL_TYPED),
        (lambda line: b'"' + b"x" * LINE_BYTES_MAX + b'"\n', Code.LINE_TOO_LONG),
    ],
)  # fmt: skip
def test_a_line_of_the_wrong_form_is_refused(number: int, change: Callable[[bytes], bytes], code: Code) -> None:
    assert refused(edited(number, change)) == (number, code)


@pytest.mark.parametrize("number", [1, 2, 40, LAST])
def test_a_line_that_breaks_off_is_truncated(number: int) -> None:
    lines = golden()[:number]
    lines[-1] = lines[-1][:20]
    assert refused(lines) == (number, Code.TRUNCATED)


@pytest.mark.parametrize("number", [2, 40, LAST - 1])
@pytest.mark.parametrize(
    ("change", "code"),
    [
        (with_value(type="takeback"), Code.UNKNOWN_EVENT_TYPE),
        (with_value(type=7), Code.UNKNOWN_EVENT_TYPE),
        (with_value(type=["drew"]), Code.UNKNOWN_EVENT_TYPE),
        (without("type"), Code.MISSING_KEY),
        (without("n"), Code.MISSING_KEY),
        (without("at"), Code.MISSING_KEY),
        (without("salt"), Code.MISSING_KEY),
        (without("prev"), Code.MISSING_KEY),
        (without("hash"), Code.MISSING_KEY),
        (with_value(note="fine game"), Code.UNKNOWN_KEY),
        (with_value(a=nested(3)), Code.UNKNOWN_KEY),
        (with_value(n="2"), Code.ILL_TYPED),
        (with_value(at=None), Code.ILL_TYPED),
        (with_value(hash=None), Code.ILL_TYPED),
        (with_value(n=0), Code.EVENT_REPEATED),
        (with_value(n=-3), Code.EVENT_REPEATED),
        (with_value(n=10**9), Code.EVENT_MISSING),
        (with_value(prev="0" * 64), Code.PREV_WRONG),
        (with_value(prev=""), Code.PREV_WRONG),
        (with_value(hash="0" * 64), Code.HASH_WRONG),
        (with_value(hash=""), Code.HASH_WRONG),
        (with_value(at="2026-01-01T00:00:00Z"), Code.HASH_WRONG),
        (with_value(salt="00" * 16), Code.HASH_WRONG),
    ],
)
def test_an_event_that_is_none_or_was_changed_is_refused(
    number: int, change: Callable[[bytes], bytes], code: Code
) -> None:
    assert refused(edited(number, change)) == (number, code)


@pytest.mark.parametrize(
    ("keys", "code"),
    [
        ({"salt": "00" * 15}, Code.BAD_SALT),
        ({"salt": "AB" * 16}, Code.BAD_SALT),
        ({"salt": "xy" * 16}, Code.BAD_SALT),
        ({"salt": "0 1 " * 8}, Code.BAD_SALT),
        ({"at": "2026-01-01 00:00:01Z"}, Code.BAD_TIME),
        ({"at": "2026-13-01T00:00:01Z"}, Code.BAD_TIME),
        ({"at": "2026-01-01T00:00:61Z"}, Code.BAD_TIME),
        ({"at": "2026-01-01T00:00:01+02:00"}, Code.BAD_TIME),
        ({"at": "2026-01-01T00:00:01"}, Code.BAD_TIME),
        ({"at": "٢026-01-01T00:00:01Z"}, Code.BAD_TIME),
        ({"at": ""}, Code.BAD_TIME),
    ],
)
@pytest.mark.parametrize("n", [1, 50])
def test_salts_and_times_have_their_form(keys: dict[str, str], code: Code, n: int) -> None:
    assert refused(forged(lambda _, events: events[n - 1].update(keys))) == (n + 1, code)


def test_salts_may_not_share_their_length_unequally() -> None:
    def shift(_header: Any, events: Any) -> None:
        events[3]["salt"], events[4]["salt"] = "00" * 15, "00" * 17

    assert refused(forged(shift)) == (5, Code.BAD_SALT)


@pytest.mark.parametrize("at", ["2026-01-01T00:00:60Z", "2026-02-28T23:59:59.123456Z", "2026-01-01T00:00:01+00:00"])
def test_a_time_may_have_fractions_a_leap_second_and_a_zero_offset(at: str) -> None:
    assert len(list(RecordReader(forged(lambda _, events: events[9].update(at=at))))) == LAST - 2


def hide(kind: str, **keys: Any) -> Callable[[Any, list[Any]], None]:
    def change(_header: Any, events: list[Any]) -> None:
        event = next(event for event in events if event["type"] == kind)
        event.update(keys)
        for key in [key for key, value in keys.items() if value is None]:
            del event[key]

    return change


@pytest.mark.parametrize(
    ("kind", "keys"),
    [
        ("dealt", {"deck": None}),
        ("dealt", {"holdings": [15, 15, 15, 15]}),
        ("dealt", {"red_threes": [{"seat": 0, "card": "3H", "replacement": "??"}]}),
        ("drew", {"cards": 2}),
        ("drew", {"red_threes": [{"seat": 0, "card": "3H", "replacement": "??"}]}),
        ("took_pile", {"red_threes": [{"seat": 0, "card": "3H", "replacement": "??"}]}),
        ("laid_red_three", {"replacement": "??"}),
        ("asked", {"then": None}),
    ],
)
def test_a_record_hides_nothing(kind: str, keys: dict[str, Any]) -> None:
    lines = forged(hide(kind, **keys), FULL)
    line = next(number for number, value in enumerate(values_of(lines), start=1) if value.get("type") == kind)
    assert refused(lines) == (line, Code.INCOMPLETE)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (with_value(record="meldhouse/2"), Code.UNKNOWN_VERSION),
        (with_value(record="meldhouse/2", tournament="T"), Code.UNKNOWN_VERSION),
        (with_value(record=1), Code.HEADER_MISSING),
        (without("record"), Code.HEADER_MISSING),
        (without("game"), Code.MISSING_KEY),
        (without("result"), Code.MISSING_KEY),
        (without("players"), Code.MISSING_KEY),
        (with_value(site="here"), Code.UNKNOWN_KEY),
        (with_value(players=[{"seat": 0}]), Code.ILL_TYPED),
        (with_value(players=[{"seat": 0, "name": "A", "kind": "cat"}]), Code.ILL_TYPED),
        (with_value(ruleset="samba-official"), Code.ILL_TYPED),
        (with_value(result={"winners": [], "totals": ["x"]}), Code.ILL_TYPED),
    ],
)
def test_a_header_that_is_none_is_refused(change: Callable[[bytes], bytes], code: Code) -> None:
    assert refused(edited(1, change)) == (1, code)


def test_another_version_is_told_before_its_form() -> None:
    assert refused(edited(1, lambda _: b'{"record": "meldhouse/2"}\n')) == (1, Code.UNKNOWN_VERSION)


def test_the_first_event_hangs_on_the_id_of_the_game() -> None:
    assert refused(edited(1, with_value(game="another"))) == (2, Code.SPLICED)


@pytest.mark.parametrize(
    ("change", "code"),
    [
        (with_value(events=LAST), Code.COUNT_WRONG),
        (with_value(head="0" * 64), Code.HEAD_WRONG),
        (with_value(end=False), Code.ILL_TYPED),
        (with_value(events="188"), Code.ILL_TYPED),
        (with_value(more=1), Code.UNKNOWN_KEY),
        (without("head"), Code.MISSING_KEY),
    ],
)
def test_a_trailer_counts_the_events_and_names_the_last_hash(change: Callable[[bytes], bytes], code: Code) -> None:
    assert refused(edited(LAST, change)) == (LAST, code)


def test_an_empty_file_is_truncated() -> None:
    assert refused([]) == (1, Code.TRUNCATED)


@pytest.mark.parametrize("kept", [1, 2, 40, 129, 130, LAST - 1])
def test_a_file_without_its_trailer_is_truncated(kept: int) -> None:
    assert refused(golden()[:kept]) == (kept + 1, Code.TRUNCATED)


def test_a_trailer_without_its_line_feed_is_truncated() -> None:
    assert refused(edited(LAST, lambda line: line[:-1])) == (LAST, Code.TRUNCATED)


@pytest.mark.parametrize("more", [b"\n", b"x", golden()[5], golden()[-1], golden()[0]])
def test_nothing_follows_the_trailer(more: bytes) -> None:
    assert refused([*golden(), more]) == (LAST + 1, Code.AFTER_TRAILER)


def test_nothing_follows_a_trailer_in_the_midst_of_many_lines() -> None:
    lines = golden()[:4]
    head = json.loads(lines[-1])["hash"]
    trailer = written({"end": True, "events": 3, "head": head})
    assert refused([*lines, trailer, *golden()[4:]]) == (6, Code.AFTER_TRAILER)


@pytest.mark.parametrize("number", [2, 3, 129, 130, LAST - 1])
def test_a_missing_line_is_told_where_it_is_missing(number: int) -> None:
    lines = golden()
    del lines[number - 1]
    assert refused(lines) == (number, Code.EVENT_MISSING if number < LAST - 1 else Code.COUNT_WRONG)


@pytest.mark.parametrize("number", [2, 3, 129, 130, LAST - 1])
def test_a_doubled_line_is_told_where_it_stands_again(number: int) -> None:
    lines = golden()
    lines.insert(number, lines[number - 1])
    assert refused(lines) == (number + 1, Code.EVENT_REPEATED)


@pytest.mark.parametrize(("first", "second"), [(2, 3), (10, 90), (129, 130)])
def test_lines_out_of_order_are_told_at_the_first_of_them(first: int, second: int) -> None:
    lines = golden()
    lines[first - 1], lines[second - 1] = lines[second - 1], lines[first - 1]
    assert refused(lines) == (first, Code.EVENT_MOVED)


@pytest.mark.parametrize("number", [2, 60, 128, 129, LAST - 1])
def test_an_event_of_another_game_is_told_from_one_that_was_edited(number: int) -> None:
    lines = golden()
    lines[number - 1] = golden(FULL)[number - 1]
    assert refused(lines) == (number, Code.SPLICED)


def test_an_event_is_told_as_missing_where_it_stands_nowhere_further_down() -> None:
    lines = golden()
    del lines[9]
    lines.insert(20, b'{"n":"9"}\n')
    lines.insert(30, b"[9]\n")
    assert refused(lines) == (10, Code.EVENT_MISSING)


def test_events_before_the_wrong_line_are_given_first() -> None:
    stream = iter(RecordReader(edited(40, with_value(hash="0" * 64))))
    assert [next(stream).n for _ in range(38)] == list(range(1, 39))
    with pytest.raises(RecordInvalidError):
        next(stream)


# --- forms that are right although msgspec would write them otherwise ---


def test_a_plan_may_name_what_it_leaves_empty() -> None:
    def name_empty(_header: Any, events: list[Any]) -> None:
        asked = next(event for event in events if event["type"] == "asked")
        for move in asked["then"]:
            if move["type"] == "meld":
                move.update({key: move.get(key, {} if key == "add" else []) for key in ("new", "add", "join")})

    lines = forged(name_empty, FULL)
    assert lines != golden(FULL)
    assert tuple(event.n for event in RecordReader(lines)) == tuple(event.n for event in events_of(FULL))


FREE = {"hash": "0" * 64, "prev": "1" * 64, "\U0001f0cf": 1, "\ufb01": 2, "deep": {"hash": "2" * 64}}
"""Keys as those of an event, and two that UTF-16 orders the other way round than code points do."""


@pytest.mark.parametrize("key", ["beacon", "context"])
def test_a_free_part_may_hold_keys_of_any_name(key: str) -> None:
    def add(_header: Any, events: list[Any]) -> None:
        event = next(event for event in events if key in event and event["type"] != "started")
        event[key] = FREE

    lines = forged(add)
    assert list(FREE)[2].encode() in b"".join(lines)
    assert len(list(RecordReader(lines))) == LAST - 2


def test_a_free_part_is_canonical_too() -> None:
    def add(_header: Any, events: list[Any]) -> None:
        events[-1]["context"] = FREE

    lines = forged(add)
    one, other = '"\U0001f0cf":1'.encode(), '"\ufb01":2'.encode()
    assert one + b"," + other in lines[-2]
    lines[-2] = lines[-2].replace(one + b"," + other, other + b"," + one)
    assert refused(lines) == (LAST - 1, Code.NOT_CANONICAL)


def with_last_body(change: Callable[[bytes], bytes]) -> Lines:
    """The short record with the body of its last event changed as text, and the hash and the trailer made to fit."""
    *lines, last, _ = forged(lambda _, events: events[-1].update(context={"\ue000": 1, "\U0001f0cf": 2}))
    event = json.loads(last)
    changed = change(last)
    body = changed[:-1]
    for key in ("hash", "prev"):
        body = body.replace(f'"{key}":"{event[key]}",'.encode(), b"")
    hashed = link(event["prev"], body)
    line = changed.replace(event["hash"].encode(), hashed.encode())
    return [*lines, line, written({"end": True, "events": len(lines), "head": hashed})]


ORDERED = '{"\U0001f0cf":2,"\ue000":1}'.encode()


@pytest.mark.parametrize(
    "part",
    [
        b'{"x":1.5}',
        b'{"x":1e3}',
        b'{"x":9007199254740993}',
        '{"\ue000":1,"\U0001f0cf":2}'.encode(),
        b'{"x":"\\u0041"}',
    ],
)
def test_a_free_part_is_canonical_whatever_the_hash_says(part: bytes) -> None:
    assert with_last_body(lambda line: line) == forged(
        lambda _, events: events[-1].update(context={"\ue000": 1, "\U0001f0cf": 2})
    )
    assert refused(with_last_body(lambda line: line.replace(ORDERED, part))) == (LAST - 1, Code.NOT_CANONICAL)


def test_a_sound_event_may_not_be_longer_than_a_line() -> None:
    lines = forged(lambda _, events: events[2].update(player="x" * LINE_BYTES_MAX))
    assert refused(lines) == (4, Code.LINE_TOO_LONG)


def test_a_record_forged_without_a_change_is_the_record() -> None:
    header, *events = values_of(golden()[:-1])
    assert chained(header, events) == golden()


@pytest.mark.parametrize("name", NAMES)
def test_sound_lines_are_accepted_together(name: str) -> None:
    lines = golden(name)
    read = read_together(lines[1:-1], 0, first_prev(name))
    assert read is not None
    assert (tuple(read[0]), read[1]) == (events_of(name), events_of(name)[-1].hash)
