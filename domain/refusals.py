"""Refusals: moves turned down, with the rule book's codes (rule book 9.1).

    Refused (exception, inside the engine)  ->  Refusal (value, what `decide` returns)

A refusal's params hold public facts and the caller's own cards, never anything else.
"""

from enum import StrEnum
from typing import Any

from msgspec import Struct


class Code(StrEnum):
    """Why a move was refused."""

    MALFORMED_MOVE = "malformed_move"
    GAME_OVER = "game_over"
    HAND_OVER = "hand_over"
    ANSWER_AWAITED = "answer_awaited"
    NO_QUESTION = "no_question"
    NOT_YOUR_TURN = "not_your_turn"
    MUST_BEGIN_TURN = "must_begin_turn"
    TURN_BEGUN = "turn_begun"
    MUST_DISCARD = "must_discard"
    OFF_IN_RULESET = "off_in_ruleset"
    CARDS_NOT_HELD = "cards_not_held"
    UNKNOWN_MELD = "unknown_meld"
    NOT_YOUR_MELD = "not_your_meld"
    CANNOT_DRAW = "cannot_draw"
    PASS_NOT_ALLOWED = "pass_not_allowed"
    TAKE_REQUIRED = "take_required"
    PILE_EMPTY = "pile_empty"
    PILE_BARRED = "pile_barred"
    PILE_BLOCKED = "pile_blocked"
    ONE_CARD_PILE = "one_card_pile"
    UPCARD_DOES_NOT_FIT = "upcard_does_not_fit"
    NATURAL_PAIR_NEEDED = "natural_pair_needed"
    WILD_PAIR_NEEDED = "wild_pair_needed"
    TAKE_ONTO_CANASTA = "take_onto_canasta"
    PILE_FROZEN = "pile_frozen"
    PILE_NOT_CLEAN = "pile_not_clean"
    MELD_TOO_SMALL = "meld_too_small"
    RED_THREE_IN_MELD = "red_three_in_meld"
    NOT_A_MELD = "not_a_meld"
    WILD_IN_SEQUENCE = "wild_in_sequence"
    WILD_WITH_BLACK_THREES = "wild_with_black_threes"
    MELD_TOO_LONG = "meld_too_long"
    MELD_CLOSED = "meld_closed"
    CARD_DOES_NOT_FIT = "card_does_not_fit"
    JOIN_DOES_NOT_FIT = "join_does_not_fit"
    RANK_ALREADY_MELDED = "rank_already_melded"
    WILD_ON_CANASTA = "wild_on_canasta"
    TOO_MANY_WILDS = "too_many_wilds"
    TOO_FEW_NATURALS = "too_few_naturals"
    BLACK_THREES_ONLY_WHEN_GOING_OUT = "black_threes_only_when_going_out"
    FIRST_MELD_TOO_LOW = "first_meld_too_low"
    KEEP_TWO_CARDS = "keep_two_cards"
    FINAL_DISCARD_NEEDED = "final_discard_needed"
    MAY_NOT_GO_OUT = "may_not_go_out"
    CLOSING_DISCARD_WRONG = "closing_discard_wrong"
    NO_DISCARD_NOW = "no_discard_now"
    NO_PARTNER = "no_partner"
    ALREADY_ASKED = "already_asked"
    ALREADY_MELDED = "already_melded"
    NOT_A_WAY_OUT = "not_a_way_out"


class Refusal(Struct, frozen=True, omit_defaults=True):
    """A move turned down: the code, the facts behind it, and for a list the index of the first move refused."""

    code: Code
    params: dict[str, Any] = {}
    at: int | None = None


class Refused(Exception):
    """Raised by a guard; `decide` turns it into a `Refusal`."""

    def __init__(self, code: str, /, **params: Any) -> None:
        super().__init__(code)
        self.code = Code(code)
        self.params = params

    def refusal(self, at: int | None = None) -> Refusal:
        """The refusal as a value."""
        return Refusal(self.code, self.params, at)
