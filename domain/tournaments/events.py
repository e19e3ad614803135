"""Events of a tournament: what happened, stored once and never changed. All of them are public.

No name and no free text stands in them, since events are for ever: persons are ids, titles and announcements are kept
beside the log and named by `Text`. What decided an event (an engine, a relaxation, a lot) stands in it, so that
nothing is worked out anew when a tournament is replayed.
"""

from typing import Any, Final

import msgspec

from domain.tournaments.entry_events import (
    Admitted,
    ByeAsked,
    ChallengeAnswered,
    Challenged,
    ChallengeDropped,
    CheckedIn,
    Consented,
    Entered,
    PairingForbidden,
    Returned,
    Seeded,
    Substituted,
    Withdrawn,
)
from domain.tournaments.event import Reason, Text, TournamentEvent
from domain.tournaments.round_events import (
    CarriedChanged,
    ClockChanged,
    GameFinished,
    MatchDecided,
    NoShowNoted,
    PairingUndone,
    PenaltyGiven,
    ResultRecorded,
    RoundClosed,
    RoundPaired,
    RoundStarted,
    RulingIssued,
    RungsMoved,
    StageBegun,
    StageShortened,
    StageUndone,
    StandingsPublished,
    TimeCalled,
)
from domain.tournaments.terms import Terms


class TournamentCreated(TournamentEvent, frozen=True, kw_only=True, tag="tournament_created"):
    """A tournament was announced. `commitment` is that to its master (fairness, MELD-BOARD-1), for lots and boards."""

    terms: Terms
    commitment: str
    title: Text
    engine: str


class TermsChanged(TournamentEvent, frozen=True, kw_only=True, tag="terms_changed"):
    """New terms, whole; after the start only the number of those who go on to a stage to come."""

    terms: Terms


class Retitled(TournamentEvent, frozen=True, kw_only=True, tag="retitled"):
    title: Text


class RegistrationOpened(TournamentEvent, frozen=True, kw_only=True, tag="registration_opened"): ...


class RegistrationClosed(TournamentEvent, frozen=True, kw_only=True, tag="registration_closed"): ...


class LotsDrawn(TournamentEvent, frozen=True, kw_only=True, tag="lots_drawn"):
    """A seed (hex) that follows from the master and the purpose; lots are the order of hashes under it."""

    purpose: str
    seed: str


class BeaconFixed(TournamentEvent, frozen=True, kw_only=True, tag="beacon_fixed"):
    """The round of the beacon that the boards depend on, still to come: entries are closed."""

    beacon: dict[str, Any]


class BeaconShown(TournamentEvent, frozen=True, kw_only=True, tag="beacon_shown"):
    """That round, with its signature and randomness; verified."""

    beacon: dict[str, Any]


class BoardsCommitted(TournamentEvent, frozen=True, kw_only=True, tag="boards_committed"):
    """So many boards follow from the master committed to (and the beacon), with numbers from 1."""

    boards: int


class HandedOver(TournamentEvent, frozen=True, kw_only=True, tag="handed_over"):
    """Another person is the organiser from now on."""

    organiser: str
    note: Text | None = None


class TournamentStarted(TournamentEvent, frozen=True, kw_only=True, tag="tournament_started"): ...


class Announced(TournamentEvent, frozen=True, kw_only=True, tag="announced"):
    text: Text


class BoardsRevealed(TournamentEvent, frozen=True, kw_only=True, tag="boards_revealed"):
    """No board is still to be played: the master (hex) of boards and lots."""

    master: str


class TournamentFinished(TournamentEvent, frozen=True, kw_only=True, tag="tournament_finished"):
    """The final order, the first one the winner."""

    order: tuple[str, ...]


class TournamentReopened(TournamentEvent, frozen=True, kw_only=True, tag="tournament_reopened"):
    """After the end: the order is not final any more. What follows is the director's, up to the next end."""

    reason: Reason


class TournamentCancelled(TournamentEvent, frozen=True, kw_only=True, tag="tournament_cancelled"):
    reason: Reason
    note: Text | None = None


AnyTournamentEvent = (
    TournamentCreated | TermsChanged | Retitled | RegistrationOpened | RegistrationClosed | Entered | Consented
    | Admitted | CheckedIn | Withdrawn | Returned | ByeAsked | Seeded | LotsDrawn | PairingForbidden | BeaconFixed
    | BeaconShown | BoardsCommitted | HandedOver | TournamentStarted | StageBegun | CarriedChanged | StageUndone
    | StageShortened | RoundPaired | PairingUndone | RoundStarted | ClockChanged | TimeCalled | NoShowNoted
    | Substituted | GameFinished | ResultRecorded | MatchDecided | RulingIssued
    | PenaltyGiven | RoundClosed | StandingsPublished | RungsMoved | Challenged | ChallengeAnswered
    | ChallengeDropped | Announced | BoardsRevealed | TournamentFinished | TournamentReopened | TournamentCancelled
)  # fmt: skip

_DECODER: Final = msgspec.json.Decoder(AnyTournamentEvent)


def decode(data: bytes) -> AnyTournamentEvent:
    """An event from its JSON. Raises `msgspec.ValidationError` or `msgspec.DecodeError`."""
    event: AnyTournamentEvent = _DECODER.decode(data)
    return event
