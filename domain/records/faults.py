"""What can be wrong with a game record: the line, a code for programs, a sentence for people."""

from enum import StrEnum

from msgspec import Struct


class RecordFaultCode(StrEnum):
    """Why a record is refused. The first five groups need no rules, the last one does."""

    # The text of a line.
    LINE_TOO_LONG = "line_too_long"
    BYTE_ORDER_MARK = "byte_order_mark"
    CARRIAGE_RETURN = "carriage_return"
    BLANK_LINE = "blank_line"
    NUL_BYTE = "nul_byte"
    INVALID_UTF8 = "invalid_utf8"
    INVALID_JSON = "invalid_json"
    TOO_DEEP = "too_deep"
    DUPLICATE_KEY = "duplicate_key"
    LONE_SURROGATE = "lone_surrogate"
    NOT_CANONICAL = "not_canonical"

    # The shape of what stands in it.
    UNKNOWN_VERSION = "unknown_version"
    HEADER_MISSING = "header_missing"
    UNKNOWN_EVENT_TYPE = "unknown_event_type"
    UNKNOWN_KEY = "unknown_key"
    MISSING_KEY = "missing_key"
    ILL_TYPED = "ill_typed"
    BAD_TIME = "bad_time"
    BAD_SALT = "bad_salt"
    INCOMPLETE = "incomplete"

    # The order of the lines.
    TRUNCATED = "truncated"
    EVENT_MISSING = "event_missing"
    EVENT_REPEATED = "event_repeated"
    AFTER_TRAILER = "after_trailer"

    # The chain.
    PREV_WRONG = "prev_wrong"
    HASH_WRONG = "hash_wrong"
    COUNT_WRONG = "count_wrong"
    HEAD_WRONG = "head_wrong"

    # The header beside the events.
    RULESET_INVALID = "ruleset_invalid"
    HEADER_DIFFERS = "header_differs"

    # The game.
    OUT_OF_PLACE = "out_of_place"
    UNKNOWN_SEAT = "unknown_seat"
    TABLE_REFUSED = "table_refused"
    MOVE_REFUSED = "move_refused"
    DIFFERS = "differs"
    NOT_A_PACK = "not_a_pack"
    DECK_WRONG = "deck_wrong"
    DEALER_WRONG = "dealer_wrong"
    POSITION_INVALID = "position_invalid"
    FAIRNESS_INVALID = "fairness_invalid"
    COMMITMENT_WRONG = "commitment_wrong"
    NOT_ENDED = "not_ended"
    NOT_REVEALED = "not_revealed"
    DOES_NOT_FOLD = "does_not_fold"


class RecordFault(Struct, frozen=True):
    """The first thing wrong with a record: its line, counted from 1, the reason as a code and as a sentence.

    For a file that ends too early the line is the one that should have come next.
    """

    line: int
    code: RecordFaultCode
    message: str


class RecordInvalidError(ValueError):
    """A record that is refused; `fault` says where and why."""

    def __init__(self, line: int, code: RecordFaultCode, message: str) -> None:
        super().__init__(f"line {line}: {message}")
        self.fault = RecordFault(line, code, message)
