"""What a tournament refuses, and why."""

from enum import StrEnum
from typing import Any


class TournamentCode(StrEnum):
    """Why something is turned down. `service.http.tournaments` gives each a status and a title."""

    # Terms and status.
    TERMS_INVALID = "tournament_terms_invalid"
    WRONG_STATUS = "tournament_wrong_status"
    ROUNDS_IMPOSSIBLE = "rounds_impossible"
    NOTHING_TO_CHANGE = "nothing_to_change"
    TIME_INVALID = "time_invalid"

    # Whom or what one meant.
    ENTRANT_UNKNOWN = "entrant_not_found"
    ROUND_UNKNOWN = "round_not_found"
    MATCH_UNKNOWN = "match_not_found"
    PENALTY_UNKNOWN = "penalty_not_found"
    RULING_UNKNOWN = "ruling_not_found"
    CHALLENGE_UNKNOWN = "challenge_not_found"

    # Entering.
    REGISTRATION_CLOSED = "registration_not_open"
    ENTRY_CODE_WRONG = "entry_code_wrong"
    CONDITIONS_NOT_MET = "entry_conditions_not_met"
    TOURNAMENT_FULL = "tournament_full"
    LINEUP_INVALID = "lineup_invalid"
    PLAYER_ENTERED = "player_entered_already"
    BOT_NOT_PERMITTED = "bot_not_permitted"
    NOT_YOUR_ENTRANT = "not_your_entrant"
    CONSENT_MISSING = "consent_missing"
    ENTRANT_WRONG_STATUS = "entrant_wrong_status"
    CHECK_IN_NOT_OPEN = "check_in_not_open"
    BYES_USED_UP = "byes_used_up"
    SUBSTITUTES_USED_UP = "substitutes_used_up"
    NOT_A_LADDER = "not_a_ladder"
    CHALLENGE_NOT_PERMITTED = "challenge_not_permitted"

    # Pairing and rounds.
    ENTRANTS_TOO_FEW = "entrants_too_few"
    SEEDS_INVALID = "seeds_invalid"
    PAIRING_INVALID = "pairing_invalid"
    PAIRING_FORBIDDEN = "pairing_forbidden"
    NO_PAIRING = "no_pairing"
    BOARDS_SPENT = "boards_spent"
    BEACON_AWAITED = "beacon_awaited"
    ENTRANTS_MISSING = "entrants_missing"
    STAGE_OVER = "stage_over"
    ROUND_WRONG_STATUS = "round_wrong_status"
    ROUND_NOT_STARTED = "round_not_started"
    MATCH_WRONG_STATUS = "match_wrong_status"
    STAGE_WRONG = "stage_wrong"

    # Results and rulings.
    RESULT_INVALID = "result_invalid"
    RESULT_WRONG_TABLE = "result_wrong_table"
    RESULT_WRONG_LEG = "result_wrong_leg"
    RESULT_WRONG_GAME = "result_wrong_game"
    RESULT_RECORDED = "result_recorded_already"
    BOARDS_SEALED = "boards_sealed"
    ADJUSTMENT_INVALID = "adjustment_invalid"
    DEPENDANTS = "dependants_not_accepted"


class TournamentRefused(Exception):
    """Turned down; `params` say what was needed."""

    def __init__(self, code: TournamentCode, **params: Any) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params
