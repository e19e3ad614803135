"""The judgement on a record: fine, or the first thing that is wrong with it, and how far it was read."""

from collections.abc import Iterator
from typing import Final, Literal, get_args

from msgspec import Struct
from msgspec.structs import replace

from domain.beacons import BeaconChains
from domain.events import AnyEvent
from domain.records.course import Course
from domain.records.faults import Check, RecordFault, check_of
from domain.records.shapes import Header, Trailer

Outcome = Literal["passed", "failed", "not_reached", "not_checked", "not_applicable"]


class Verdict(Struct, frozen=True, kw_only=True):
    """What verifying a record came to.

    fault     the first thing wrong with it; None where `ok`
    game      the id in the header; None, like `ruleset`, where the header cannot be read
    players   how many seats; 0 where the first event cannot be read
    practice  whether it is a practice game, for whose deals nobody vouches
    events, hands, moves   how many were read, dealt, decided anew, up to the fault
    totals, winners, reason   how the game ended; empty and None where its end was not reached
    head      hash of the last event; None unless `ok`
    checks    what came of each check; of all of them together at the end, or up to the one that failed
    unchecked by check that is `not_checked`, why it is
    """

    ok: bool
    fault: RecordFault | None
    game: str | None
    ruleset: str | None
    players: int = 0
    practice: bool = False
    events: int = 0
    hands: int = 0
    moves: int = 0
    totals: tuple[int, ...] = ()
    winners: tuple[int, ...] = ()
    reason: str | None = None
    head: str | None = None
    checks: dict[Check, Outcome]
    unchecked: dict[Check, str] = {}


class Progress:
    """How far a verification has come."""

    def __init__(self, redecide: bool, chains: BeaconChains | None) -> None:
        self.redecide: Final = redecide
        self.chains: Final = chains
        self.header: Header | None = None
        self.course: Course | None = None
        self.trailer: Trailer | None = None
        self.rest: Iterator[AnyEvent] = iter(())
        """What stands below the event at which the course ended."""


def verdict_on(progress: Progress, fault: RecordFault | None) -> Verdict:
    """The verdict on a record that was read as far as this, where `fault` stopped it."""
    header, course, trailer = progress.header, progress.course, progress.trailer
    verdict = Verdict(
        ok=fault is None,
        fault=fault,
        game=None if header is None else header.game,
        ruleset=None if header is None else header.ruleset.name,
        checks=_checks(progress, fault),
        unchecked=_unchecked(progress),
    )
    if course is None:
        return verdict
    state = course.state
    ended = state.table.status == "ended"
    return replace(
        verdict,
        players=state.table.rules.players,
        practice=state.table.origin is not None,
        events=state.version,
        hands=len(course.hands),
        moves=course.moves,
        totals=state.totals if ended else (),
        winners=state.winners if ended else (),
        reason=state.end_reason if ended else None,
        head=trailer.head if trailer is not None and fault is None else None,
    )


def _checks(progress: Progress, fault: RecordFault | None) -> dict[Check, Outcome]:
    course = progress.course
    outcomes: dict[Check, Outcome] = dict.fromkeys(get_args(Check), "passed" if fault is None else "not_reached")
    outcomes.update(dict.fromkeys(_unchecked(progress), "not_checked"))
    if course is not None and course.state.table.origin is not None:
        outcomes["fairness"] = "not_applicable"
    if course is None or course.state.table.randomness is None:
        outcomes["beacon_signature"] = "not_applicable"
    if fault is not None:
        outcomes[check_of(fault.code)] = "failed"
    return outcomes


def _unchecked(progress: Progress) -> dict[Check, str]:
    unchecked: dict[Check, str] = {}
    if not progress.redecide:
        unchecked["moves"] = "It was asked not to decide the moves anew."
    if progress.course is not None and progress.course.unsigned is not None:
        unchecked["beacon_signature"] = progress.course.unsigned
    return unchecked
