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
    """What every event has: place in the stream from 1, time, salt, and who acted (a player's id, or `meldhouse`).

    `token` is the id of the token it was done with where that was not a person's first one: who directs by a token of
    the organiser acts as the organiser, and the token tells which director it was. `reason` says why, where a director
    brought it about.
    """

    n: int = 0
    at: str = ""
    by: str = ""
    token: str | None = None
    reason: Reason | None = None
    salt: str | UnsetType = UNSET
    prev: str | UnsetType = UNSET
    hash: str | UnsetType = UNSET
