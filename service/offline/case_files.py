"""Case files (formats, part 10): one case a line, each with its verdict."""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any, Final

from domain.cases import Verdict, run_case
from domain.records.lines import LINE_BYTES_MAX, split_lines

_ESCAPED_SURROGATE: Final = re.compile(rb"\\u[dD][89a-fA-F]")


def verdicts(name: str, chunks: Iterable[bytes]) -> Iterator[Verdict]:
    """A verdict for every line of a case file that comes in chunks; `name` is the file's, for lines that are no case.

    Blank lines are passed over. A line that is no JSON object is a failed case by the name of its place.
    """
    empty = True
    for number, line in enumerate(split_lines(chunks), start=1):
        if not line.strip():
            continue
        empty = False
        place = f"{name}:{number}"
        try:
            case = _read(line)
        except UnicodeDecodeError as error:
            # Whatever follows is no text either, as a rule.
            yield Verdict(place, False, f"the file is not UTF-8: byte {error.start} of this line is wrong")
            return
        except ValueError as error:
            yield Verdict(place, False, str(error))
            continue
        verdict = run_case(case)
        yield verdict if isinstance(case.get("id"), str) else Verdict(place, False, verdict.why or "no id")
    if empty:
        yield Verdict(name, False, "the file holds no case")


def _read(line: bytes) -> dict[str, Any]:
    """The object in a line. Raises `ValueError` with what is wrong with it, `UnicodeDecodeError` among them."""
    if len(line) > LINE_BYTES_MAX:
        raise ValueError(f"the line is longer than {LINE_BYTES_MAX} bytes")
    try:
        value = json.loads(line.decode(), object_pairs_hook=_object, parse_constant=_refuse_constant)
    except json.JSONDecodeError as error:
        raise ValueError(f"the line is not JSON: {error.msg[:1].lower()}{error.msg[1:]} at {error.pos}") from error
    except RecursionError as error:
        raise ValueError("lists and objects are nested too deep") from error
    if not isinstance(value, dict):
        raise ValueError("the line is not an object")
    if _ESCAPED_SURROGATE.search(line):
        _check_text(value)
    return value


def _check_text(value: Any) -> None:
    """Raises `ValueError` for a lone surrogate, which is no text although JSON can spell it."""
    try:
        json.dumps(value, ensure_ascii=False).encode()
    except UnicodeEncodeError as error:
        raise ValueError("a lone surrogate is no text") from error


def _object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    read = dict(pairs)
    if len(read) < len(pairs):
        raise ValueError("a key stands twice in one object")
    return read


def _refuse_constant(name: str) -> None:
    raise ValueError(f"{name} is not JSON")
