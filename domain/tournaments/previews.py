"""What an act would change, told before it is applied: the difference between two states of a tournament."""

from collections.abc import Iterator, Mapping
from datetime import datetime
from typing import Any, Literal, TypeVar

from msgspec import Struct
from msgspec.structs import replace

from domain.pairing.shapes import Sides
from domain.tournaments.acts import Act, Consequences
from domain.tournaments.challenge_changes import ChallengeChanged, challenges_changed
from domain.tournaments.dependants import qualified
from domain.tournaments.directing import decide
from domain.tournaments.dropping import Dropped, dropped
from domain.tournaments.entrant_changes import EntrantChanged, entrants_changed
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import fold
from domain.tournaments.given import NOTHING, Draw, Given
from domain.tournaments.noted_changes import (
    ForbiddenChanged,
    MissingChanged,
    TimeCalledChanged,
    forbidden_changed,
    missing_changed,
    time_called_changed,
)
from domain.tournaments.outcomes import hands_counted
from domain.tournaments.rated import ranks_of
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.seating import Bye
from domain.tournaments.standings import standings
from domain.tournaments.state import Status, Tournament

V = TypeVar("V")


class PairingChanged(Struct, frozen=True, kw_only=True):
    """Who plays in a match; null before it was paired, or after its pairing was undone."""

    round: int
    match: str
    old: Sides | None
    new: Sides | None


class ByeChanged(Struct, frozen=True, kw_only=True):
    round: int
    entrant: str
    old: Bye | None
    new: Bye | None


class ResultChanged(Struct, frozen=True, kw_only=True):
    """What a match comes to, by side. `how` is `ruling`, or how it was decided where the points do not tell.

    `hands` is how many hands the score goes by, of the table with the fewest; null where it goes by none.
    """

    match: str
    points_old: tuple[int, ...] | None
    points_new: tuple[int, ...] | None
    score_old: tuple[int, ...] | None
    score_new: tuple[int, ...] | None
    winner_old: int | None
    winner_new: int | None
    how_old: str | None
    how_new: str | None
    hands_old: int | None
    hands_new: int | None


class RankChanged(Struct, frozen=True, kw_only=True):
    """Rank and score (hundredths) in the standings of a stage."""

    stage: int
    entrant: str
    old: int | None
    new: int | None
    score_old: int | None
    score_new: int | None


class QualifierChanged(Struct, frozen=True, kw_only=True):
    """Whether an entrant would go on to `stage`."""

    stage: int
    entrant: str
    old: bool
    new: bool


class StageChanged(Struct, frozen=True, kw_only=True):
    """Who is in a stage by seed, null before it has begun, and its rounds, null where they are open. `ends`: it is over
    as soon as the results that were held back are told, and then the next `stage` begins or all is `finished`."""

    stage: int
    entrants_old: tuple[str, ...] | None
    entrants_new: tuple[str, ...] | None
    rounds_old: int | None
    rounds_new: int | None
    ends: Literal["stage", "finished"] | None


class RoundChanged(Struct, frozen=True, kw_only=True):
    round: int
    old: Literal["paired", "started", "closed"] | None
    new: Literal["paired", "started", "closed"] | None


class ClockMoved(Struct, frozen=True, kw_only=True):
    """The end of the clock of a round, or of one of its matches."""

    round: int
    match: str | None
    old: str | None
    new: str | None


class RatedChanged(Struct, frozen=True, kw_only=True):
    """The places of a match's sides that ratings go by; null where it counts for none."""

    match: str
    old: tuple[int, ...] | None
    new: tuple[int, ...] | None


class Preview(Struct, frozen=True, kw_only=True):
    """Everything that changes. `dependants` are later matches that have begun and stay as they are, which the act has
    to accept."""

    status_old: Status
    status_new: Status
    terms_changed: bool
    dependants: tuple[str, ...] = ()
    entrants: tuple[EntrantChanged, ...] = ()
    pairings: tuple[PairingChanged, ...] = ()
    byes: tuple[ByeChanged, ...] = ()
    results: tuple[ResultChanged, ...] = ()
    ranks: tuple[RankChanged, ...] = ()
    qualifiers: tuple[QualifierChanged, ...] = ()
    stages: tuple[StageChanged, ...] = ()
    rounds: tuple[RoundChanged, ...] = ()
    dropped: tuple[Dropped, ...] = ()
    clocks: tuple[ClockMoved, ...] = ()
    rated: tuple[RatedChanged, ...] = ()
    challenges: tuple[ChallengeChanged, ...] = ()
    forbidden: tuple[ForbiddenChanged, ...] = ()
    missing: tuple[MissingChanged, ...] = ()
    called: tuple[TimeCalledChanged, ...] = ()
    ladder: tuple[str, ...] | None = None
    """The rungs from the top, where they change."""
    announcements: int = 0
    """How many are new."""
    organiser: str | None = None
    """The new one, where it changes."""


def preview(
    state: Tournament, act: Act, by: str, now: datetime, draw: Draw, given: Given = NOTHING
) -> tuple[list[AnyTournamentEvent], Preview]:
    """The events of an act, and what they change; an act that has to accept dependants is shown as if it did.

    Raises `TournamentRefused` as `decide` does.
    """
    hanging: tuple[str, ...] = ()
    if isinstance(act, Consequences):
        try:
            happened = decide(state, replace(act, accept_dependants=False), by, now, draw, given)
        except TournamentRefused as refusal:
            if refusal.code is not TournamentCode.DEPENDANTS:
                raise
            hanging = tuple(refusal.params["matches"])
            happened = decide(state, replace(act, accept_dependants=True), by, now, draw, given)
    else:
        happened = decide(state, act, by, now, draw, given)
    return happened, replace(changes(state, fold(state, happened)), dependants=hanging)


def changes(before: Tournament, after: Tournament) -> Preview:
    """What differs between two states of one tournament, the second some events later."""
    return Preview(
        status_old=before.status,
        status_new=after.status,
        terms_changed=before.terms != after.terms,
        entrants=tuple(entrants_changed(before, after)),
        pairings=tuple(_pairings(before, after)),
        byes=tuple(_byes(before, after)),
        results=tuple(_results(before, after)),
        ranks=tuple(_ranks(before, after)),
        qualifiers=tuple(_qualifiers(before, after)),
        stages=tuple(_stages(before, after)),
        rounds=tuple(_rounds(before, after)),
        dropped=tuple(dropped(before, after)),
        clocks=tuple(_clocks(before, after)),
        rated=tuple(_rated(before, after)),
        challenges=tuple(challenges_changed(before, after)),
        forbidden=tuple(forbidden_changed(before, after)),
        missing=tuple(missing_changed(before, after)),
        called=tuple(time_called_changed(before, after)),
        ladder=after.ladder if before.ladder != after.ladder else None,
        announcements=len(after.announcements) - len(before.announcements),
        organiser=after.organiser if before.organiser != after.organiser else None,
    )


def _either(old: Mapping[Any, V], new: Mapping[Any, V]) -> Iterator[tuple[Any, V | None, V | None]]:
    """What differs under any key of the two."""
    for key in dict.fromkeys((*old, *new)):
        one, other = old.get(key), new.get(key)
        if one != other:
            yield key, one, other


def _pairings(before: Tournament, after: Tournament) -> Iterator[PairingChanged]:
    for key, old, new in _either(before.matches, after.matches):
        match = new or old
        assert match is not None
        sides_old = None if old is None else old.paired.sides
        sides_new = None if new is None else new.paired.sides
        if sides_old != sides_new:
            yield PairingChanged(round=match.round, match=key, old=sides_old, new=sides_new)


def _byes(before: Tournament, after: Tournament) -> Iterator[ByeChanged]:
    given = [
        {(each.number, entrant): bye for each in state.rounds.values() for entrant, bye in each.byes.items()}
        for state in (before, after)
    ]
    for (number, entrant), old, new in _either(given[0], given[1]):
        yield ByeChanged(round=number, entrant=entrant, old=old, new=new)


def _results(before: Tournament, after: Tournament) -> Iterator[ResultChanged]:
    outcomes = [{key: match.outcome for key, match in state.matches.items()} for state in (before, after)]
    for key, old, new in _either(outcomes[0], outcomes[1]):
        yield ResultChanged(
            match=key,
            points_old=old.points if old is not None else None,
            points_new=new.points if new is not None else None,
            score_old=old.score if old is not None else None,
            score_new=new.score if new is not None else None,
            winner_old=old.winner if old is not None else None,
            winner_new=new.winner if new is not None else None,
            how_old=old.how if old is not None else None,
            how_new=new.how if new is not None else None,
            hands_old=hands_counted(before, before.matches[key]) if old is not None else None,
            hands_new=hands_counted(after, after.matches[key]) if new is not None else None,
        )


def _ranks(before: Tournament, after: Tournament) -> Iterator[RankChanged]:
    for stage in range(len(after.stages)):
        places = [
            {row.entrant: (row.rank, row.score) for row in standings(state, stage).rows}
            if stage < len(state.stages)
            else {}
            for state in (before, after)
        ]
        for entrant, old, new in _either(places[0], places[1]):
            yield RankChanged(
                stage=stage,
                entrant=entrant,
                old=old[0] if old is not None else None,
                new=new[0] if new is not None else None,
                score_old=old[1] if old is not None else None,
                score_new=new[1] if new is not None else None,
            )


def _qualifiers(before: Tournament, after: Tournament) -> Iterator[QualifierChanged]:
    for stage in range(len(after.stages)):
        old, new = qualified(before, stage), qualified(after, stage)
        for entrant in sorted(old ^ new):
            yield QualifierChanged(stage=stage + 1, entrant=entrant, old=entrant in old, new=entrant in new)


def _stages(before: Tournament, after: Tournament) -> Iterator[StageChanged]:
    stages = [
        {each.number: (each.entrants, each.rounds_planned, each.ending) for each in state.stages}
        for state in (before, after)
    ]
    for number, old, new in _either(stages[0], stages[1]):
        yield StageChanged(
            stage=number,
            entrants_old=None if old is None else old[0],
            entrants_new=None if new is None else new[0],
            rounds_old=None if old is None else old[1],
            rounds_new=None if new is None else new[1],
            ends=None if new is None else new[2],
        )


def _rounds(before: Tournament, after: Tournament) -> Iterator[RoundChanged]:
    statuses = [{each.number: each.status for each in state.rounds.values()} for state in (before, after)]
    for number, old, new in _either(statuses[0], statuses[1]):
        yield RoundChanged(round=number, old=old, new=new)


def _clocks(before: Tournament, after: Tournament) -> Iterator[ClockMoved]:
    ends = [{each.number: each.due_at for each in state.rounds.values()} for state in (before, after)]
    for number, old, new in _either(ends[0], ends[1]):
        yield ClockMoved(round=number, match=None, old=old, new=new)
    of_matches = [{(each.round, each.id): each.due_at for each in state.matches.values()} for state in (before, after)]
    for (number, match), old, new in _either(of_matches[0], of_matches[1]):
        yield ClockMoved(round=number, match=match, old=old, new=new)


def _rated(before: Tournament, after: Tournament) -> Iterator[RatedChanged]:
    ranks = [{key: ranks_of(match) for key, match in state.matches.items()} for state in (before, after)]
    for key, old, new in _either(ranks[0], ranks[1]):
        yield RatedChanged(match=key, old=old, new=new)
