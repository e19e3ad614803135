"""Why a line is not what should stand there: the slow way round, taken once a line has failed.

A line is looked at from the outside in: bytes, text, JSON, canonical form, keys, types. The first that fails is told.
"""

import json
from collections.abc import Iterable
from typing import Any, Final, TypeVar

import msgspec
from msgspec import Struct

from domain.canonical import CanonicalError, canonical
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import RecordInvalidError
from domain.records.lines import LINE_BYTES_MAX

S = TypeVar("S", bound=Struct)

_QUOTED_MAX: Final = 80
"""The most characters of a file that a message repeats."""

UNREADABLE: Final = (msgspec.MsgspecError, ValueError, OverflowError, RecursionError)
"""What decoding or encoding a line that is none can raise."""

_BYTE_ORDER_MARK: Final = b"\xef\xbb\xbf"


def plain_object(line: bytes, number: int) -> dict[str, Any]:
    """The object in a line, which is canonical JSON and a line feed. Raises `RecordInvalidError`."""
    value = json_object(line, number)
    written = canonical(value)
    if written + b"\n" != line:
        message = "The line is not canonical JSON (keys sorted, no spaces, shortest escapes): "
        raise RecordInvalidError(number, Code.NOT_CANONICAL, message + _first_difference(written, line))
    return value


def json_object(line: bytes, number: int) -> dict[str, Any]:
    """The object in a line, however it is written: JSON of the formats and a line feed. Raises `RecordInvalidError`."""
    value = _json(_text(line, number), number)
    try:
        canonical(value)
    except CanonicalError as error:
        code = {"lone_surrogate": Code.LONE_SURROGATE, "too_deep": Code.TOO_DEEP}.get(error.fault, Code.NOT_CANONICAL)
        raise RecordInvalidError(number, code, f"The formats do not know this: {error.fault}.") from error
    if not isinstance(value, dict):
        raise RecordInvalidError(number, Code.ILL_TYPED, "Every line is an object.")
    return value


def _text(line: bytes, number: int) -> str:
    """The text of a line without its line feed."""
    if len(line) > LINE_BYTES_MAX:
        message = f"The line is longer than {LINE_BYTES_MAX} bytes."
        raise RecordInvalidError(number, Code.LINE_TOO_LONG, message)
    if line.startswith(_BYTE_ORDER_MARK):
        raise RecordInvalidError(number, Code.BYTE_ORDER_MARK, "The line begins with a byte order mark.")
    if b"\r" in line:
        raise RecordInvalidError(number, Code.CARRIAGE_RETURN, "A line ends with a line feed alone.")
    if not line.strip():
        raise RecordInvalidError(number, Code.BLANK_LINE, "The line is blank.")
    if b"\0" in line:
        raise RecordInvalidError(number, Code.NUL_BYTE, "There is a NUL byte in the line.")
    if not line.endswith(b"\n"):
        message = "The file breaks off in this line, which has no line feed."
        raise RecordInvalidError(number, Code.TRUNCATED, message)
    try:
        return line[:-1].decode()
    except UnicodeDecodeError as error:
        message = f"The line is not UTF-8: byte {error.start} is wrong."
        raise RecordInvalidError(number, Code.INVALID_UTF8, message) from error


def _json(text: str, number: int) -> Any:
    doubled: list[str] = []

    def read_object(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        read: dict[str, Any] = {}
        for key, value in pairs:
            if key in read:
                doubled.append(key)
            read[key] = value
        return read

    def refuse(name: str) -> None:
        raise RecordInvalidError(number, Code.INVALID_JSON, f"{name} is not JSON.")

    try:
        value = json.loads(text, object_pairs_hook=read_object, parse_constant=refuse)
    except json.JSONDecodeError as error:
        message = f"The line is not JSON: {error.msg.lower()} at character {error.pos}."
        raise RecordInvalidError(number, Code.INVALID_JSON, message) from error
    except RecursionError as error:
        raise RecordInvalidError(number, Code.TOO_DEEP, "Lists and objects are nested too deep.") from error
    except RecordInvalidError:
        raise
    except ValueError as error:
        message = "The formats do not know this: integer_too_large."
        raise RecordInvalidError(number, Code.NOT_CANONICAL, message) from error
    if doubled:
        message = f"The key {quoted(doubled[0])} stands twice in one object."
        raise RecordInvalidError(number, Code.DUPLICATE_KEY, message)
    return value


def _first_difference(written: bytes, line: bytes) -> str:
    pairs = enumerate(zip(written, line, strict=False))
    at = next((place for place, (right, found) in pairs if right != found), min(len(written), len(line)))
    return f"byte {at} differs."


def check_keys(value: dict[str, Any], shape: type[Struct], number: int, *, also_needed: Iterable[str] = ()) -> None:
    """Check the keys of an object against a Struct. Raises `RecordInvalidError` if they do not fit."""
    fields = msgspec.structs.fields(shape)
    known = {field.encode_name for field in fields} | {shape.__struct_config__.tag_field}
    unknown = next((name for name in value if name not in known), None)
    if unknown is not None:
        raise RecordInvalidError(number, Code.UNKNOWN_KEY, f"There is no key {quoted(unknown)} here.")
    needed = (*also_needed, *(field.encode_name for field in fields if field.required))
    missing = next((name for name in needed if name not in value), None)
    if missing is not None:
        raise RecordInvalidError(number, Code.MISSING_KEY, f"The key {quoted(missing)} is missing.")


def typed(value: dict[str, Any], shape: type[S], number: int) -> S:
    """An object as a Struct. Raises `RecordInvalidError` where a type does not fit."""
    try:
        return msgspec.convert(value, shape)
    except msgspec.ValidationError as error:
        raise RecordInvalidError(number, Code.ILL_TYPED, f"{error}.") from error


def quoted(value: object) -> str:
    """A value from a file as it may stand in a message: as JSON, and not too long."""
    return json.dumps(value)[:_QUOTED_MAX]
