"""The state of a tournament: what its events so far add up to.

A state is a value: only the fold makes a new one, and what it holds is never changed in place. Entrants, matches and
rounds are frozen; the dictionaries belong to one state.
"""

from typing import Any, Literal

from msgspec import Struct
from msgspec.structs import replace

from domain.tournaments.entry_events import SeedMethod
from domain.tournaments.event import Reason, Text
from domain.tournaments.round_events import RulingIssued
from domain.tournaments.seating import Bye, GameResult, MatchPaired
from domain.tournaments.terms import Stage, Terms

Status = Literal["announced", "registration", "closed", "running", "finished", "cancelled"]
EntrantStatus = Literal["entered", "waiting", "withdrawn", "disqualified"]


class Entrant(Struct, frozen=True, kw_only=True):
    """Who takes part. `place` is the order of entering, from 1; `seed` is given when the tournament starts.

    `former` are those who were in its line-up and are not now; `levels` those of all bots that are or were in it.
    `placed` tells whether it ever had a place, or was only on the waiting list.
    """

    id: str
    place: int
    players: tuple[str, ...]
    bots: tuple[str | None, ...]
    consents: frozenset[str]
    status: EntrantStatus
    name: Text | None = None
    avoid: tuple[str, ...] = ()
    rating: int | None = None
    checked_in: bool = False
    seed: int | None = None
    late_round: int | None = None
    byes_asked: dict[int, Bye] = {}
    former: frozenset[str] = frozenset()
    levels: dict[str, str] = {}
    placed: bool = True

    @property
    def agreed(self) -> bool:
        """Whether every person of the entrant agreed to be seated."""
        return all(
            bot is not None or player in self.consents for player, bot in zip(self.players, self.bots, strict=True)
        )


class Decided(Struct, frozen=True):
    """What a match came to, by side: points, score in hundredths (null where boards are compared), and who goes on, or
    won without playing."""

    points: tuple[int, ...]
    score: tuple[int, ...] | None
    winner: int | None
    how: str | None


class Match(Struct, frozen=True, kw_only=True):
    """A match. `finished` are the games on boards that have ended without their result being told yet.

    `due_at` is the end of its clock where that differs from its round's.
    """

    paired: MatchPaired
    round: int
    stage: int
    started: bool = False
    results: tuple[GameResult, ...] = ()
    finished: tuple[tuple[int, int], ...] = ()
    decided: Decided | None = None
    ruling: RulingIssued | None = None
    due_at: str | None = None
    time_called: bool = False
    missing: tuple[str, ...] = ()
    climbed: tuple[str, int] | None = None
    """Whom it took up a ladder, and from which rung (from 0)."""
    left: frozenset[str] = frozenset()
    """The players who have left a seat of it since it began."""
    by_hand: tuple[tuple[int, int], ...] = ()
    """Table and leg of the games whose results a director recorded: they may have gone on until then."""

    @property
    def id(self) -> str:
        """`r3m7`: the round, and the place in it."""
        return self.paired.id

    @property
    def outcome(self) -> Decided | None:
        """What counts: the ruling, or without one what was played; None while the match is open."""
        ruling = self.ruling
        if ruling is not None and ruling.adjustment is not None:
            return Decided(ruling.points, ruling.score, ruling.winner, "ruling")
        if ruling is not None and ruling.kept and self.decided is not None:
            return replace(self.decided, winner=ruling.winner)
        return self.decided

    @property
    def over(self) -> bool:
        """Whether nothing is to be played any more."""
        return self.outcome is not None

    def result(self, table: int, leg: int) -> GameResult | None:
        """The result of one of its games."""
        return next((each for each in self.results if (each.table, each.leg) == (table, leg)), None)


class Round(Struct, frozen=True, kw_only=True):
    """A round: `matches` are ids."""

    number: int
    stage: int
    matches: tuple[str, ...]
    byes: dict[str, Bye]
    engine: str
    relaxations: tuple[str, ...]
    explanation: tuple[str, ...] = ()
    status: Literal["paired", "started", "closed"] = "paired"
    paired_at: str = ""
    started_at: str | None = None
    due_at: str | None = None
    time_called: bool = False
    closed_at: str | None = None
    challenges: dict[str, str] = {}
    """By the challenger, those of a ladder that were paired here."""


class Penalty(Struct, frozen=True, kw_only=True):
    """Hundredths of score that an entrant loses (or, below zero, gets) in a stage; `n` is the event that says so.

    One for no round is for the stage that had begun last when it was given, also where that begins anew.
    """

    n: int
    entrant: str
    stage: int
    round: int | None
    score: int
    reason: Reason
    note: Text | None


class StageState(Struct, frozen=True, kw_only=True):
    """A stage that has begun: its entrants by seed, what each carries in hundredths, its rounds so far."""

    number: int
    entrants: tuple[str, ...]
    carried: dict[str, int]
    rounds_planned: int | None
    bracket: dict[str, Any] | None
    rounds: tuple[int, ...] = ()
    begun_at: str = ""
    ending: Literal["stage", "finished"] | None = None
    """A director ended it early, and what comes then comes of itself: the next stage, or the end."""


class Announcement(Struct, frozen=True):
    n: int
    at: str
    text: Text


class Tournament(Struct, kw_only=True):
    """A tournament after `version` events. `at` is the time of the last one."""

    id: str
    version: int
    at: str
    terms: Terms
    commitment: str
    title: Text
    created_at: str
    organiser: str
    """Who directs it: who announced it, or to whom it was handed over since."""
    engine: str
    status: Status = "announced"
    entrants: dict[str, Entrant] = {}
    stages: tuple[StageState, ...] = ()
    rounds: dict[int, Round] = {}
    matches: dict[str, Match] = {}
    forbidden: frozenset[frozenset[str]] = frozenset()
    penalties: dict[int, Penalty] = {}
    """By the `n` of the event, those that count."""
    seeding: tuple[str, ...] = ()
    seeded_by: SeedMethod = "rating"
    lots: dict[str, str] = {}
    """By their purpose, the seeds drawn so far, in the order of drawing."""
    lots_known: frozenset[str] = frozenset()
    """The purposes drawn before registration opened last: who has entered since then knew these lots."""
    boards: int = 0
    beacon: dict[str, Any] | None = None
    beacon_shown: dict[str, Any] | None = None
    ladder: tuple[str, ...] = ()
    challenges: dict[str, str] = {}
    """By the challenger, who was challenged and has not answered."""
    challenged_at: dict[str, str] = {}
    """By the challenger, since when a challenge waits to be answered."""
    accepted: dict[str, str] = {}
    """By the challenger, challenges that were accepted and are to be paired."""
    announcements: tuple[Announcement, ...] = ()
    published: int = 0
    """The `n` of the last publication of standings."""
    order: tuple[str, ...] = ()
    """The order last published, in the end the final one."""
    revealed: bool = False
    reopened: bool = False
    """Since its end; nothing goes on of itself until a director finishes it again."""
    cancelled: Reason | None = None

    def copy(self) -> "Tournament":
        """A state of one's own, whose dictionaries may be changed."""
        return replace(
            self,
            entrants=self.entrants.copy(),
            rounds=self.rounds.copy(),
            matches=self.matches.copy(),
            penalties=self.penalties.copy(),
            lots=self.lots.copy(),
            challenges=self.challenges.copy(),
            challenged_at=self.challenged_at.copy(),
            accepted=self.accepted.copy(),
        )

    @property
    def stage(self) -> StageState | None:
        """The stage that has begun last."""
        return self.stages[-1] if self.stages else None

    @property
    def round(self) -> Round | None:
        """The round paired last."""
        return next(reversed(self.rounds.values()), None)

    def stage_terms(self, stage: int) -> Stage:
        """The terms of a stage, from 0."""
        return self.terms.stages[stage]

    def matches_of(self, round_number: int) -> list[Match]:
        """The matches of a round, by table."""
        return [self.matches[each] for each in self.rounds[round_number].matches]

    @property
    def active(self) -> list[Entrant]:
        """Those who take part at present, in the order of entering."""
        return [each for each in self.entrants.values() if each.status == "entered"]
