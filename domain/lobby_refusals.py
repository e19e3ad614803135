"""Refusals of everything that is asked beside the play: opening a table, seats, closing, starting, revealing."""

from enum import StrEnum
from typing import Any


class LobbyCode(StrEnum):
    """Why something beside the play was refused; the params of each stand behind it.

    Seats are numbers, `status` is how far the table has come, `needed` says what would have been right.
    """

    PLAYERS_NOT_PERMITTED = "players_not_permitted"  # players, permitted
    TERMS_INVALID = "terms_invalid"  # field, needed
    ORIGIN_INVALID = "origin_invalid"  # field, needed, faults (of a position: key and message)
    UNKNOWN_SEAT = "unknown_seat"  # seat, players
    SEAT_TAKEN = "seat_taken"  # seat
    SEAT_EMPTY = "seat_empty"  # seat
    NOT_YOUR_SEAT = "not_your_seat"  # seat
    ALREADY_SEATED = "already_seated"  # seat
    DEPARTED = "departed"  # no params: who left a game under way may not return to it
    BOT_LEVEL_INVALID = "bot_level_invalid"  # needed
    TABLE_NOT_OPEN = "table_not_open"  # status
    TABLE_NOT_CLOSED = "table_not_closed"  # status
    GAME_NOT_UNDER_WAY = "game_not_under_way"  # status
    GAME_OVER = "game_over"
    GAME_NOT_OVER = "game_not_over"  # status
    SEATS_EMPTY = "seats_empty"  # seats
    COMMITMENT_MALFORMED = "commitment_malformed"  # seat (null where the number of entries is wrong), needed
    NONCES_NOT_USED = "nonces_not_used"  # no params: the table's mode knows no nonces
    NONCE_NOT_COMMITTED = "nonce_not_committed"  # seat
    NONCE_ALREADY_REVEALED = "nonce_already_revealed"  # seat
    NONCE_WRONG = "nonce_wrong"  # seat
    NONCES_MISSING = "nonces_missing"  # seats
    BEACON_NOT_USED = "beacon_not_used"  # no params: the table was closed without one, or is a practice table
    BEACON_MISSING = "beacon_missing"  # chain, round
    BEACON_CHAIN_WRONG = "beacon_chain_wrong"  # needed: the chain fixed at closing
    BEACON_ROUND_WRONG = "beacon_round_wrong"  # needed: the round fixed at closing
    HAND_NOT_OVER = "hand_not_over"  # phase
    DECK_WRONG = "deck_wrong"  # cards: how many the pack has
    NOT_TO_ACT = "not_to_act"  # seat, to_act (null where nobody is)
    PRACTICE_GAME = "practice_game"  # no params: it has no master to reveal
    ALREADY_REVEALED = "already_revealed"
    COMMITMENT_MISMATCH = "commitment_mismatch"  # no params: the master is not the one committed to


class LobbyRefused(Exception):
    """Something beside the play was turned down; nothing has changed."""

    def __init__(self, code: LobbyCode, /, **params: Any) -> None:
        super().__init__(f"{code}: {params}")
        self.code = code
        self.params = params
