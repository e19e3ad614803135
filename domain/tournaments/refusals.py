"""What a tournament refuses, and why."""

from enum import StrEnum
from typing import Any


class TournamentCode(StrEnum):
    """Why something is turned down. `service.http.tournaments` gives each a status and a title."""

    TERMS_INVALID = "tournament_terms_invalid"
    WRONG_STATUS = "tournament_wrong_status"
    ROUNDS_IMPOSSIBLE = "rounds_impossible"
    ENTRANT_UNKNOWN = "entrant_not_found"
    ROUND_UNKNOWN = "round_not_found"
    MATCH_UNKNOWN = "match_not_found"


class TournamentRefused(Exception):
    """Turned down; `params` say what was needed."""

    def __init__(self, code: TournamentCode, **params: Any) -> None:
        super().__init__(code, params)
        self.code = code
        self.params = params
