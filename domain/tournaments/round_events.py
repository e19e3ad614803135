"""Events about rounds: pairings, clocks, results, rulings, standings."""

from typing import Any

from msgspec import UNSET, UnsetType

from domain.tournaments.event import Reason, Text, TournamentEvent
from domain.tournaments.seating import Adjustment, Bye, GameResult, MatchPaired


class StageBegun(TournamentEvent, frozen=True, kw_only=True, tag="stage_begun"):
    """A stage (from 0) begins with these entrants, in the order of their seeds there.

    `carried` is what each brings, in hundredths; `rounds` how many rounds it has, null where that is open;
    `bracket` is the bracket of an elimination.
    """

    stage: int
    entrants: tuple[str, ...]
    carried: tuple[int, ...]
    rounds: int | None
    bracket: dict[str, Any] | None = None


class CarriedChanged(TournamentEvent, frozen=True, kw_only=True, tag="carried_changed"):
    """What each brings into a stage that has begun, in hundredths in the order of its entrants, after a correction of
    a stage before it."""

    stage: int
    carried: tuple[int, ...]


class StageUndone(TournamentEvent, frozen=True, kw_only=True, tag="stage_undone"):
    """The stage that began last is none any more: nothing of it had started, and no round of it is paired."""

    stage: int


class StageShortened(TournamentEvent, frozen=True, kw_only=True, tag="stage_shortened"):
    """A stage has so many rounds and no further ones, so that nobody plays its boards any more and all its results are
    told. Then its rounds close of themselves and the next stage begins, or the tournament is `finished`."""

    stage: int
    rounds: int
    finished: bool


class RoundPaired(TournamentEvent, frozen=True, kw_only=True, tag="round_paired"):
    """A round was paired. Who is in no match and has no bye here has a zero bye.

    `engine` (name and version), `relaxations`, `explanation` (its own words) and `digest` (SHA-256 hex of what it was
    given) say how it came about; a director's own pairing has the engine `director`.
    """

    round: int
    stage: int
    matches: tuple[MatchPaired, ...]
    byes: dict[str, Bye]
    engine: str
    digest: str
    relaxations: tuple[str, ...] = ()
    explanation: tuple[str, ...] | UnsetType = UNSET
    """Unset in rounds that were paired before explanations were kept, and where there is nothing to say."""


class PairingUndone(TournamentEvent, frozen=True, kw_only=True, tag="pairing_undone"):
    """The pairing of a round that has not begun is taken back."""

    round: int


class RoundStarted(TournamentEvent, frozen=True, kw_only=True, tag="round_started"):
    """Games may be played. `due_at` is the end of the round's clock, null without one."""

    round: int
    due_at: str | None


class ClockChanged(TournamentEvent, frozen=True, kw_only=True, tag="clock_changed"):
    """A round, or some matches of it, end later or earlier than they would have."""

    round: int
    due_at: str
    matches: tuple[str, ...] = ()
    """None named: the whole round."""


class TimeCalled(TournamentEvent, frozen=True, kw_only=True, tag="time_called"):
    """The clock of a round, or of some matches of it, has run out, or a director ended it early: it ends now."""

    round: int
    matches: tuple[str, ...] = ()


class NoShowNoted(TournamentEvent, frozen=True, kw_only=True, tag="no_show_noted"):
    """An entrant has not made a move in time."""

    match: str
    entrant: str


class GameFinished(TournamentEvent, frozen=True, kw_only=True, tag="game_finished"):
    """A game on boards has ended; what came of it is told when all tables have finished its boards."""

    match: str
    table: int
    leg: int
    game: str


class ResultRecorded(TournamentEvent, frozen=True, kw_only=True, tag="result_recorded"):
    """A game of a match has ended, and its result counts. One for each game."""

    result: GameResult


class MatchDecided(TournamentEvent, frozen=True, kw_only=True, tag="match_decided"):
    """All games of a match are over: points and score by side, in hundredths (no score where boards are compared with
    other tables). `winner` is the side that goes on from a bracket; `how` says why where the points do not tell."""

    match: str
    points: tuple[int, ...]
    score: tuple[int, ...] | None
    winner: int | None = None
    how: str | None = None


class RulingIssued(TournamentEvent, frozen=True, kw_only=True, tag="ruling_issued"):
    """A director's ruling on a match; it stands in the place of its result and of earlier rulings (`supersedes` is the
    `n` of the last one), which stay in the log. `adjustment` null takes rulings back. `kept`: later matches had begun,
    so that the side that had gone on, `winner`, still has, whatever the match comes to."""

    match: str
    adjustment: Adjustment | None
    points: tuple[int, ...]
    score: tuple[int, ...] | None
    winner: int | None
    reason: Reason
    supersedes: int | None = None
    kept: bool = False
    note: Text | None = None


class PenaltyGiven(TournamentEvent, frozen=True, kw_only=True, tag="penalty_given"):
    """Hundredths of score that an entrant loses (or, below zero, gets); `lifts` takes back the penalty of that `n`."""

    entrant: str
    round: int | None
    score: int
    reason: Reason
    lifts: int | None = None
    note: Text | None = None


class RoundClosed(TournamentEvent, frozen=True, kw_only=True, tag="round_closed"):
    """Every match of the round is decided."""

    round: int


class StandingsPublished(TournamentEvent, frozen=True, kw_only=True, tag="standings_published"):
    """The standings after this event's `n` - 1: their order, and the SHA-256 (hex) of their canonical JSON."""

    stage: int
    round: int
    order: tuple[str, ...]
    digest: str


class RungsMoved(TournamentEvent, frozen=True, kw_only=True, tag="rungs_moved"):
    """The ladder from the top: after the matches of a round that counted for it, or after somebody entered it.

    `climbed` tells of those matches that took somebody up whom, and from which rung (from 0).
    """

    order: tuple[str, ...]
    matches: tuple[str, ...] = ()
    climbed: dict[str, tuple[str, int]] = {}
