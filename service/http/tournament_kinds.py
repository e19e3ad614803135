"""The problems of tournaments: status and title of every code that a tournament refuses with, and of a few more."""

from typing import Final

from domain.tournaments.refusals import TournamentCode as Code

CONFLICTS: Final[dict[Code, str]] = {
    Code.WRONG_STATUS: "The tournament has not come so far, or is past it",
    Code.NOTHING_TO_CHANGE: "It is so already",
    Code.REGISTRATION_CLOSED: "Registration is not open",
    Code.CONDITIONS_NOT_MET: "A condition of entry is not met",
    Code.TOURNAMENT_FULL: "The tournament is full",
    Code.PLAYER_ENTERED: "The player is in another entrant already",
    Code.CONSENT_MISSING: "Not everybody has agreed to be seated",
    Code.ENTRANT_WRONG_STATUS: "The entrant does not take part so that this could be done",
    Code.CHECK_IN_NOT_OPEN: "Nobody can check in at this moment",
    Code.BYES_USED_UP: "No further bye may be asked for",
    Code.SUBSTITUTES_USED_UP: "No further substitute may play",
    Code.NOT_A_LADDER: "There is no ladder here at present",
    Code.CHALLENGE_NOT_PERMITTED: "This challenge is not permitted",
    Code.ENTRANTS_TOO_FEW: "Too few entrants can play",
    Code.PAIRING_FORBIDDEN: "These entrants are not to meet",
    Code.NO_PAIRING: "The round cannot be paired",
    Code.BOARDS_SPENT: "No committed boards are left",
    Code.BEACON_AWAITED: "The round of the beacon is still awaited",
    Code.ENTRANTS_MISSING: "The round waits for entrants who did not come",
    Code.STAGE_OVER: "The stage has no further round",
    Code.ROUND_WRONG_STATUS: "The round has not come so far, or is past it",
    Code.ROUND_NOT_STARTED: "The round has not started",
    Code.MATCH_WRONG_STATUS: "The match has not come so far, or is past it",
    Code.STAGE_WRONG: "The stage does not allow this",
    Code.RESULT_RECORDED: "The result is recorded already",
    Code.BOARDS_SEALED: "The boards are still played at other tables",
    Code.DEPENDANTS: "Later matches hang on this one",
}

INVALID: Final[dict[Code, str]] = {
    Code.TERMS_INVALID: "The tournament cannot be held so",
    Code.ROUNDS_IMPOSSIBLE: "So many rounds cannot be played",
    Code.TIME_INVALID: "This is no time that could be meant",
    Code.LINEUP_INVALID: "The line-up is not one of this tournament",
    Code.BOT_NOT_PERMITTED: "Bots do not play here",
    Code.SEEDS_INVALID: "The seeds do not name everybody once",
    Code.PAIRING_INVALID: "The pairing does not seat everybody once",
    Code.RESULT_INVALID: "The result does not have the form of this match",
    Code.RESULT_WRONG_TABLE: "The match is not played at this table",
    Code.RESULT_WRONG_LEG: "The match has no such game",
    Code.RESULT_WRONG_GAME: "The result is of another game",
    Code.ADJUSTMENT_INVALID: "The ruling does not fit the match",
}

UNKNOWN: Final[dict[Code, str]] = {
    Code.ENTRANT_UNKNOWN: "The tournament has no such entrant",
    Code.ROUND_UNKNOWN: "The tournament has no such round",
    Code.MATCH_UNKNOWN: "The tournament has no such match",
    Code.PENALTY_UNKNOWN: "There is no such penalty",
    Code.RULING_UNKNOWN: "There is no such ruling",
    Code.CHALLENGE_UNKNOWN: "There is no such challenge",
}

FORBIDDEN: Final[dict[Code, str]] = {
    Code.NOT_YOUR_ENTRANT: "Only a member of the entrant may do this",
    Code.ENTRY_CODE_WRONG: "The entry code is missing or not the right one",
}

STATUS_AND_TITLE: Final[dict[str, tuple[int, str]]] = {
    **{code.value: (403, title) for code, title in FORBIDDEN.items()},
    **{code.value: (404, title) for code, title in UNKNOWN.items()},
    **{code.value: (409, title) for code, title in CONFLICTS.items()},
    **{code.value: (422, title) for code, title in INVALID.items()},
    "tournaments_to_hand_over": (409, "Tournaments would be left without anybody who directs them"),
    "not_your_tournament": (403, "Only a director may do this"),
    "board_not_found": (404, "The tournament has no such board"),
    "stage_not_found": (404, "The tournament has no such stage, or not yet"),
    "import_invalid": (422, "The file cannot be imported"),
    "import_too_large": (422, "The file has more entrants than may be imported at once"),
    "export_not_possible": (409, "The tournament cannot be told in this form"),
    "tournament_too_large": (409, "The tournament is too large for this to be done at once"),
}
"""By code. Every `TournamentCode` is there; a test sees to it."""
