"""What a director may do, one shape an act; the tag `act` tells which.

An act is plain JSON as a client sends it. Its text (a note, an announcement) is kept beside the log by the service,
which hands `decide` the reference (`Given.text`). `reason` says why, in a word.
"""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.tournaments.act import ROUND_MAX, TEXT_MAX, BotLevel, DirectorsAct, Id, Ids, Note, Rating, RoundNumber
from domain.tournaments.entrants_acts import (
    Admit,
    AnswerChallenge,
    CheckIn,
    CloseRegistration,
    Disqualify,
    Enter,
    GiveBye,
    OpenRegistration,
    Return,
    Substitute,
    TakeBackChallenge,
    Withdraw,
)
from domain.tournaments.event import Reason
from domain.tournaments.seating import Adjustment, Bye
from domain.tournaments.terms import ENTRANTS_MAX, Time

__all__ = [
    "ROUND_MAX",
    "TEXT_MAX",
    "Admit",
    "AnswerChallenge",
    "BotLevel",
    "CheckIn",
    "CloseRegistration",
    "DirectorsAct",
    "Disqualify",
    "Enter",
    "GiveBye",
    "OpenRegistration",
    "Rating",
    "Return",
    "Substitute",
    "TakeBackChallenge",
    "Withdraw",
]

RECORDED_HANDS_MAX: Final = 64
"""Most hands of a result that is recorded by hand, and most games of a match: twice those of the longest that has a
number of hands, since a match to a score may be longer."""

Points = Annotated[int, Meta(ge=-10_000_000, le=10_000_000)]
Penalty = Annotated[int, Meta(ge=-1_000_000, le=1_000_000)]


# --- seeds and pairings ---


class Seed(DirectorsAct, frozen=True, kw_only=True, tag="seed"):
    """Seeds by rating, drawn by lot, by entry, or in the `order` given, which has to name everybody who plays."""

    by: Literal["rating", "drawn", "entry", "order"]
    order: Ids = ()


class ForbidPairing(DirectorsAct, frozen=True, kw_only=True, tag="forbid_pairing"):
    """These two are not to meet."""

    pair: tuple[Id, Id]


class AllowPairing(DirectorsAct, frozen=True, kw_only=True, tag="allow_pairing"):
    """These two may meet again."""

    pair: tuple[Id, Id]


class Start(DirectorsAct, frozen=True, kw_only=True, tag="start"):
    """Now, whatever the terms say about the time. Who has not agreed, or not checked in where that is asked, waits."""


class Pair(DirectorsAct, frozen=True, kw_only=True, tag="pair"):
    """Pair the next round: matches `pinned` and `byes` as given, everybody else by the format.

    Only rounds that are paired one after the other can have matches pinned. A forbidden pair needs `accept_forbidden`.
    """

    pinned: Annotated[tuple[tuple[Id, Id], ...], Meta(max_length=ENTRANTS_MAX)] = ()
    byes: dict[Id, Bye] = {}
    accept_forbidden: bool = False


class HandPaired(Struct, frozen=True, forbid_unknown_fields=True):
    """A match by hand: the entrants of each side, the first side North-South."""

    sides: Annotated[tuple[Annotated[tuple[Id, ...], Meta(min_length=1, max_length=6)], ...], Meta(max_length=6)]


class PairByHand(DirectorsAct, frozen=True, kw_only=True, tag="pair_by_hand"):
    """The whole next round by hand. Whoever is in no match and not in `byes` has a zero bye.

    A forbidden pair needs `accept_forbidden`.
    """

    matches: Annotated[tuple[HandPaired, ...], Meta(max_length=ENTRANTS_MAX)]
    byes: dict[Id, Bye] = {}
    accept_forbidden: bool = False


class UndoPairing(DirectorsAct, frozen=True, kw_only=True, tag="undo_pairing"):
    """Take back the pairing of the last round, which has not begun."""

    round: RoundNumber


class Swap(DirectorsAct, frozen=True, kw_only=True, tag="swap"):
    """Two entrants of a round that has not begun change places; two of one match change sides, or partners."""

    round: RoundNumber
    entrants: tuple[Id, Id]
    accept_forbidden: bool = False


# --- the clock of a round ---


class StartRound(DirectorsAct, frozen=True, kw_only=True, tag="start_round"):
    """The last round paired begins now."""

    round: RoundNumber


class CloseRound(DirectorsAct, frozen=True, kw_only=True, tag="close_round"):
    """Every match of the round is decided: its standings are published."""

    round: RoundNumber


class ChangeClock(DirectorsAct, frozen=True, kw_only=True, tag="change_clock"):
    """The end of a round, or of some of its matches, is moved by `minutes` (less than 0: sooner) or set to `due_at`."""

    round: RoundNumber
    minutes: Annotated[int, Meta(ge=-100_000, le=100_000)] | None = None
    due_at: Time | None = None
    matches: Ids = ()


class CallTime(DirectorsAct, frozen=True, kw_only=True, tag="call_time"):
    """The clock of a round, or of some of its matches, has run out now; the terms say what becomes of open hands."""

    round: RoundNumber
    matches: Ids = ()


class NoteNoShow(DirectorsAct, frozen=True, kw_only=True, tag="note_no_show"):
    """An entrant did not come to a match. Nothing follows of itself; see `forfeit`."""

    match: Id
    entrant: Id


# --- results and rulings ---


class Consequences(DirectorsAct, frozen=True, kw_only=True):
    """What acts on a match or a score that may already have decided who meets whom have besides.

    Later pairings of a bracket that have not begun are made anew. Where a later match has begun or is over,
    `accept_dependants` has to say that it stays as it is.
    """

    accept_dependants: bool = False


class Forfeit(Consequences, frozen=True, kw_only=True, tag="forfeit"):
    """These entrants' sides did not come, or may not play on; both sides named, both lose."""

    match: Id
    entrants: Annotated[tuple[Id, ...], Meta(min_length=1, max_length=6)]
    reason: Reason
    note: Note | None = None


class Rule(Consequences, frozen=True, kw_only=True, tag="rule"):
    """A ruling on a match of any round, also after the end. It supersedes earlier ones, which stay in the log.

    `adjustment` null takes rulings back. `winner` is the side that goes on from a bracket, whatever the scores.
    """

    match: Id
    adjustment: Adjustment | None
    winner: Annotated[int, Meta(ge=0, le=5)] | None = None
    reason: Reason
    note: Note | None = None


class RecordResult(DirectorsAct, frozen=True, kw_only=True, tag="record_result"):
    """What was played elsewhere at a table of a match: by hand, the points by side of the match.

    It stands for the game `leg` and all further ones at that table.
    """

    match: Id
    table: Annotated[int, Meta(ge=1, le=ENTRANTS_MAX)]
    leg: Annotated[int, Meta(ge=1, le=RECORDED_HANDS_MAX)] = 1
    hands: Annotated[tuple[tuple[Points, ...], ...], Meta(min_length=1, max_length=RECORDED_HANDS_MAX)]
    reason: Reason = "agreement"


class Adjudicate(DirectorsAct, frozen=True, kw_only=True, tag="adjudicate"):
    """An unfinished game of a match is scored as it lies: cards on the table less cards in hand. It ends with that."""

    match: Id
    table: Annotated[int, Meta(ge=1, le=ENTRANTS_MAX)]
    leg: Annotated[int, Meta(ge=1, le=RECORDED_HANDS_MAX)] = 1
    reason: Reason


class Penalise(Consequences, frozen=True, kw_only=True, tag="penalty"):
    """Hundredths of score that an entrant loses (less than 0: gets)."""

    entrant: Id
    score: Penalty
    round: RoundNumber | None = None
    reason: Reason
    note: Note | None = None


class LiftPenalty(Consequences, frozen=True, kw_only=True, tag="lift_penalty"):
    """Take back the penalty that was event `penalty`."""

    penalty: Annotated[int, Meta(ge=1)]
    reason: Reason
    note: Note | None = None


# --- standings, stages, the end ---


class PublishStandings(DirectorsAct, frozen=True, kw_only=True, tag="publish_standings"):
    """The standings as they are now."""


class EndStage(DirectorsAct, frozen=True, kw_only=True, tag="end_stage"):
    """No further round of this stage: the next stage begins, or after the last one the tournament is finished."""


class Advance(DirectorsAct, frozen=True, kw_only=True, tag="advance"):
    """The next stage begins now, with the best `qualifiers` (without a number those of the terms).

    `anew`: the stage that has begun last begins once more, while nothing of it has been played or ruled.
    """

    qualifiers: Annotated[int, Meta(ge=2, le=ENTRANTS_MAX)] | None = None
    anew: bool = False


class HandOver(DirectorsAct, frozen=True, kw_only=True, tag="hand_over"):
    """Another person is the organiser from now on, and tokens made by the one of before direct it no more.

    Only the organiser does so, not a director by a token that is narrowed to the tournament.
    """

    player: Id
    note: Note | None = None


class Announce(DirectorsAct, frozen=True, kw_only=True, tag="announce"):
    """A text for everybody."""

    text: Note


class Finish(DirectorsAct, frozen=True, kw_only=True, tag="finish"):
    """The order as it stands is final. Rounds under way have to be closed or cancelled first."""


class Reopen(DirectorsAct, frozen=True, kw_only=True, tag="reopen"):
    """The tournament is not finished after all."""

    reason: Reason


class Cancel(DirectorsAct, frozen=True, kw_only=True, tag="cancel"):
    """It does not take place, or not to its end. For good."""

    reason: Reason
    note: Note | None = None


Act = (
    OpenRegistration | CloseRegistration | Enter | Admit | CheckIn | Withdraw | Disqualify | Return | GiveBye
    | Substitute | Seed | ForbidPairing | AllowPairing | Start | Pair | PairByHand | UndoPairing | Swap | StartRound
    | CloseRound | ChangeClock | CallTime | NoteNoShow | AnswerChallenge | TakeBackChallenge
    | Forfeit | Rule | RecordResult | Adjudicate | Penalise | LiftPenalty | PublishStandings | EndStage | Advance
    | HandOver | Announce | Finish | Reopen | Cancel
)  # fmt: skip


def text_of(act: Act) -> str | None:
    """The free text of an act, which is kept beside the log: an announcement, a note or a name."""
    if isinstance(act, Announce):
        return act.text
    if isinstance(act, Enter):
        return act.name
    note: str | None = getattr(act, "note", None)
    return note
