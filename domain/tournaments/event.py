"""What every event of a tournament has, and the words that several of them use."""

from typing import Literal

from msgspec import UNSET, Struct, UnsetType

Reason = Literal[
    "absence", "late", "slow_play", "conduct", "wrong_seat", "technical", "scoring_error", "agreement", "eligibility",
    "request", "other",
]  # fmt: skip
"""Why a director acted; more is told in an announcement or a note."""


class Text(Struct, frozen=True, forbid_unknown_fields=True):
    """A text kept beside the log: its id, and the SHA-256 (hex) of its key and itself."""

    id: str
    digest: str


class TournamentEvent(Struct, frozen=True, kw_only=True, tag_field="type", forbid_unknown_fields=True):
    """What every event has: place in the stream from 1, time, salt, and who acted (a player's id, or `meldhouse`)."""

    n: int = 0
    at: str = ""
    by: str = ""
    salt: str | UnsetType = UNSET
    prev: str | UnsetType = UNSET
    hash: str | UnsetType = UNSET
