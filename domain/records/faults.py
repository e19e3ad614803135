"""What can be wrong with a game record: the line, a code for programs, a sentence for people."""

from enum import StrEnum
from typing import Final, Literal

from msgspec import Struct


class RecordFaultCode(StrEnum):
    """Why a record is refused."""

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
    EVENT_MOVED = "event_moved"
    EVENT_REPEATED = "event_repeated"
    AFTER_TRAILER = "after_trailer"

    # The chain.
    PREV_WRONG = "prev_wrong"
    SPLICED = "spliced"
    HASH_WRONG = "hash_wrong"
    COUNT_WRONG = "count_wrong"
    HEAD_WRONG = "head_wrong"

    # The game, and the header beside it.
    RULESET_INVALID = "ruleset_invalid"
    UNKNOWN_ENGINE = "unknown_engine"
    HEADER_DIFFERS = "header_differs"
    OUT_OF_PLACE = "out_of_place"
    UNKNOWN_SEAT = "unknown_seat"
    TABLE_REFUSED = "table_refused"
    DIFFERS = "differs"
    NOT_A_PACK = "not_a_pack"
    NOT_ENDED = "not_ended"
    DOES_NOT_FOLD = "does_not_fold"
    MOVE_REFUSED = "move_refused"

    # The fairness of its deals.
    FAIRNESS_INVALID = "fairness_invalid"
    COMMITMENT_WRONG = "commitment_wrong"
    NONCE_WRONG = "nonce_wrong"
    DEALER_WRONG = "dealer_wrong"
    DECK_WRONG = "deck_wrong"
    NOT_REVEALED = "not_revealed"

    # The beacon.
    BEACON_FORESEEN = "beacon_foreseen"
    BEACON_WRONG = "beacon_wrong"


Check = Literal["form", "chain", "rules", "moves", "fairness", "beacon_signature"]
"""What is checked of a record.

form              lines, JSON, canonical form, keys, types, order, completeness
chain             `prev`, `hash` and the trailer
rules             header, seats, deals from their decks, ends
moves             every move decided anew
fairness          commitment, first dealer, every deck by the master; a practice game has none
beacon_signature  the round lies ahead of the closing, and its signature is that of its chain; `not_checked` where the
                  chain is not known, `not_applicable` where no beacon has come out
"""

_OTHER_THAN_FORM: Final[dict[RecordFaultCode, Check]] = {
    RecordFaultCode.PREV_WRONG: "chain",
    RecordFaultCode.SPLICED: "chain",
    RecordFaultCode.HASH_WRONG: "chain",
    RecordFaultCode.COUNT_WRONG: "chain",
    RecordFaultCode.HEAD_WRONG: "chain",
    RecordFaultCode.RULESET_INVALID: "rules",
    RecordFaultCode.UNKNOWN_ENGINE: "rules",
    RecordFaultCode.HEADER_DIFFERS: "rules",
    RecordFaultCode.OUT_OF_PLACE: "rules",
    RecordFaultCode.UNKNOWN_SEAT: "rules",
    RecordFaultCode.TABLE_REFUSED: "rules",
    RecordFaultCode.DIFFERS: "rules",
    RecordFaultCode.NOT_A_PACK: "rules",
    RecordFaultCode.NOT_ENDED: "rules",
    RecordFaultCode.DOES_NOT_FOLD: "rules",
    RecordFaultCode.MOVE_REFUSED: "moves",
    RecordFaultCode.FAIRNESS_INVALID: "fairness",
    RecordFaultCode.COMMITMENT_WRONG: "fairness",
    RecordFaultCode.NONCE_WRONG: "fairness",
    RecordFaultCode.DEALER_WRONG: "fairness",
    RecordFaultCode.DECK_WRONG: "fairness",
    RecordFaultCode.NOT_REVEALED: "fairness",
    RecordFaultCode.BEACON_FORESEEN: "beacon_signature",
    RecordFaultCode.BEACON_WRONG: "beacon_signature",
}


def check_of(code: RecordFaultCode) -> Check:
    """The check that failed where there is such a fault."""
    return _OTHER_THAN_FORM.get(code, "form")


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
