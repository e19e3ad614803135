"""Terms as an organiser writes them: a rule set by name, presets of matches, times of day at the place of the event.

Terms as they are shown can be sent back: what only follows from others is accepted, and has to be as it is.
"""

from datetime import UTC, datetime
from typing import Annotated, Any, Final, Literal, TypeVar

import msgspec
from msgspec import UNSET, Meta, Struct, UnsetType

from domain.ruleset_faults import RuleSetInvalidError
from domain.rulesets import RuleSet, resolve
from domain.tournaments import terms
from domain.tournaments.announcing import faults
from domain.tournaments.clocks import text
from domain.tournaments.formats import Format
from domain.tournaments.matches import (
    PRESETS,
    STEP_SCALES,
    BoardAMatch,
    Butler,
    CrossImps,
    ImpMatch,
    Matchpoints,
    MatchTerms,
    Placing,
    RawPoints,
    Score,
    Steps,
    Unplayed,
    VictoryPoints,
    WbfScale,
    WinDrawLoss,
)
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.terms import Boards, Carry, Condition, Stage, Terms
from service.http.rulesets import ruleset_problem
from service.tournaments.entry_codes import code_hash
from service.tournaments.local_times import YEAR_MAX, every, moment_at, read_time, zones

TITLE_LENGTH_MAX: Final = 120
ENTRY_CODE_MIN: Final = 8
"""Least characters of an entry code: one of four digits is guessed within a minute by whoever may ask."""

Title = Annotated[str, Meta(min_length=1, max_length=TITLE_LENGTH_MAX, pattern=r"^[^\x00-\x1f\x7f]*$(?!\n)")]
Preset = Literal["2x25", "3x40", "4x50"]
StepScaleName = Literal["burraco_3", "burraco_4"]
S = TypeVar("S", bound=Struct)


WrittenTime = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=40,
        description="A time as in RFC 3339; without an offset (2031-07-01T19:30:00) a time of day at `time_zone`.",
    ),
]


class VictoryPointsWanted(Struct, frozen=True, tag_field="kind", tag="victory_points", forbid_unknown_fields=True):
    """The margin of a match as victory points, 20 in all; `scale` in full, or the table of Burraco by name for matches
    of three or of four hands."""

    scale: WbfScale | Steps | StepScaleName = WbfScale()


ScoreWanted = (
    VictoryPointsWanted | WinDrawLoss | RawPoints | Matchpoints | CrossImps | Butler | BoardAMatch | ImpMatch | Placing
)  # fmt: skip


class StageWanted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A stage; `match` in full, or a preset of hands and minutes (`2x25`, `3x40`, `4x50`). Without `tie_breaks` it has
    the usual ones of its `score`."""

    format: Format
    match: MatchTerms | Preset = "4x50"
    score: ScoreWanted = VictoryPointsWanted()
    unplayed: Unplayed = Unplayed()
    tie_breaks: tuple[terms.TieBreak, ...] | UnsetType = UNSET
    qualifiers: Annotated[int, Meta(ge=2, le=terms.ENTRANTS_MAX)] | None = None
    carry: Carry = Carry()


class RegistrationWanted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """How one gets in. `code` is the entry code, of which only the hash is kept: left out it stays as it is, null takes
    it away. `code_hash`, as it is shown, is no more than that. Times as in `pace`."""

    opens_at: WrittenTime | None = None
    closes_at: WrittenTime | None = None
    capacity: Annotated[int, Meta(ge=2, le=terms.ENTRANTS_MAX)] = terms.ENTRANTS_MAX
    waiting_list: bool = True
    code: Annotated[str, Meta(min_length=ENTRY_CODE_MIN, max_length=100)] | UnsetType | None = UNSET
    code_hash: Annotated[str, Meta(max_length=64)] | UnsetType | None = UNSET
    conditions: Annotated[tuple[Condition, ...], Meta(max_length=20)] = ()
    check_in_minutes: Annotated[int, Meta(ge=0, le=10_080)] = 0
    late_rounds: Annotated[int, Meta(ge=0, le=200)] = 0
    late_score: Annotated[int, Meta(ge=0, le=100)] = 0
    late_scored_rounds: Annotated[int, Meta(ge=0, le=10)] = 1


class Weekly(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rounds at the same time of day, each so many days after the one before by the calendar of the place.

    `ends_at` is when the clock of the first one ends; those of the others end as many days later each.
    """

    rounds: Annotated[int, Meta(ge=2, le=200)]
    days: Annotated[int, Meta(ge=1, le=366)] = 7
    ends_at: WrittenTime | None = None


class PaceWanted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What goes on of itself. A time with an offset is that moment; without one it is a time of day at `time_zone`.

    A time that the clocks are put forward over means the moment by the clock of before; one that comes twice the first.
    `repeat` makes the times of all rounds from `starts_at`, and their ends from its `ends_at`. `round_ends` are when
    the clocks of rounds end, the first one first, in the place of the minutes of their matches.
    """

    automatic: bool = True
    starts_at: WrittenTime | None = None
    round_times: Annotated[tuple[WrittenTime, ...], Meta(max_length=200)] = ()
    round_ends: Annotated[tuple[WrittenTime, ...], Meta(max_length=200)] = ()
    repeat: Weekly | None = None
    pause_seconds: Annotated[int, Meta(ge=0, le=604_800)] = 60
    no_show_minutes: Annotated[int, Meta(ge=1, le=100_000)] | None = 10
    no_show: Literal["forfeit", "report"] = "report"


class TermsWanted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """The terms of a tournament; what is left out is as usual.

    `ruleset` is the name of a preset, with `options`, or complete; where `ruleset_hash` is given it has to be its own.
    `players` are the seats of a table.
    """

    ruleset: Annotated[str, Meta(max_length=64)] | dict[str, Any] = "samba-official"
    options: dict[str, Any] | None = None
    ruleset_hash: Annotated[str, Meta(max_length=64)] | None = None
    players: Annotated[int, Meta(ge=2, le=6)] = 4
    entrants: Literal["fixed", "individuals", "teams"] = "fixed"
    stages: Annotated[tuple[StageWanted, ...], Meta(min_length=1, max_length=terms.STAGES_MAX)]
    registration: RegistrationWanted = RegistrationWanted()
    boards: Boards | None = None
    pace: PaceWanted = PaceWanted()
    rated: bool = True
    shown: Literal["public", "unlisted"] = "public"
    watch: Literal["anyone", "nobody"] = "anyone"
    time_zone: Annotated[str, Meta(max_length=64)] = "UTC"
    substitutes_max: Annotated[int, Meta(ge=0, le=terms.PLAYERS_OF_ENTRANT_MAX)] = 4
    stand_in_level: Literal["random", "greedy"] | None = None


class _Times:
    """Reads times as they are written, and notes what is wrong with them."""

    def __init__(self, zone: str) -> None:
        self.zone = zone if zone in zones() else "UTC"
        self.faults: list[dict[str, object]] = []

    def refuse(self, field: str, needed: str) -> None:
        fault: dict[str, object] = {"field": field, "needed": needed}
        # A time from which others follow is read more than once.
        if fault not in self.faults:
            self.faults.append(fault)

    def text(self, field: str, written: str | None) -> str | None:
        """The moment of a time in UTC; None without one, and where it is none."""
        read = None if written is None else self.read(field, written)
        return None if read is None else text(moment_at(read, self.zone))

    def read(self, field: str, written: str) -> datetime | None:
        """A time with its offset where it has one."""
        try:
            return read_time(written)
        except ValueError as needed:
            self.refuse(field, str(needed))
            return None


def resolved(wanted: TermsWanted, master: bytes, present: Terms | None = None) -> Terms:
    """The terms, complete; the entry code is hashed with the master (`entry_codes`), or that of the `present` terms.

    Raises `Problem` (`ruleset_invalid`), `TournamentRefused` (`tournament_terms_invalid`) with every fault where a time
    cannot be read or a hash is another one.
    """
    ruleset = _ruleset(wanted)
    times = _Times(wanted.time_zone)
    if wanted.ruleset_hash not in (None, ruleset.sha256()):
        times.refuse("ruleset_hash", "the hash of this rule set, or nothing")
    registration = _like(
        wanted.registration,
        terms.Registration,
        opens_at=times.text("registration.opens_at", wanted.registration.opens_at),
        closes_at=times.text("registration.closes_at", wanted.registration.closes_at),
        code_hash=_code_hash(wanted.registration, master, present, times),
    )
    stages = tuple(map(_stage, wanted.stages))
    found = _like(
        wanted,
        Terms,
        ruleset=ruleset,
        ruleset_hash=ruleset.sha256(),
        stages=stages,
        registration=registration,
        pace=_pace(wanted.pace, times),
    )
    if times.faults:
        named = {fault["field"] for fault in times.faults}
        others = [each for each in faults(found, datetime.now(UTC), zones()) if each.field not in named]
        raise TournamentRefused(TournamentCode.TERMS_INVALID, faults=[*times.faults, *others])
    return found


def _code_hash(wanted: RegistrationWanted, master: bytes, present: Terms | None, noted: _Times) -> str | None:
    """The hash of the code that is given, else of the one that there is."""
    if isinstance(wanted.code, str):
        return code_hash(master, wanted.code)
    known = None if present is None else present.registration.code_hash
    if wanted.code_hash not in (UNSET, known):
        noted.refuse("registration.code_hash", "the hash of the present code, or nothing; a code of your own in `code`")
    return known if wanted.code is UNSET else None


def _stage(wanted: StageWanted) -> Stage:
    score = _score(wanted.score)
    return _like(
        wanted,
        Stage,
        match=wanted.match if isinstance(wanted.match, MatchTerms) else PRESETS[wanted.match],
        score=score,
        tie_breaks=terms.usual_tie_breaks(score) if wanted.tie_breaks is UNSET else wanted.tie_breaks,
    )


def _score(wanted: ScoreWanted) -> Score:
    if not isinstance(wanted, VictoryPointsWanted):
        return wanted
    return VictoryPoints(STEP_SCALES[wanted.scale] if isinstance(wanted.scale, str) else wanted.scale)


def _ruleset(wanted: TermsWanted) -> RuleSet:
    try:
        return resolve(wanted.ruleset, wanted.options)
    except RuleSetInvalidError as invalid:
        raise ruleset_problem(invalid) from invalid


def _pace(wanted: PaceWanted, times: _Times) -> terms.Pace:
    starts_at = times.text("pace.starts_at", wanted.starts_at)
    rounds, ends = (
        [time for place, each in enumerate(written) if (time := times.text(f"pace.{name}[{place}]", each)) is not None]
        for name, written in (("round_times", wanted.round_times), ("round_ends", wanted.round_ends))
    )
    repeat = wanted.repeat
    if repeat is not None:
        others = wanted.round_times or (wanted.round_ends if repeat.ends_at is not None else ())
        if wanted.starts_at is None or others:
            times.refuse("pace.repeat", "a start, and no times of rounds beside it")
        else:
            rounds = _repeated(repeat, "pace.starts_at", wanted.starts_at, times)[1:]
            if repeat.ends_at is not None:
                ends = _repeated(repeat, "pace.repeat.ends_at", repeat.ends_at, times)
    return _like(wanted, terms.Pace, starts_at=starts_at, round_times=tuple(rounds), round_ends=tuple(ends) or UNSET)


def _repeated(repeat: Weekly, field: str, written: str, times: _Times) -> list[str]:
    """A time of the first round, and those of all others by it."""
    first = times.read(field, written)
    if first is None:
        return []
    if first.year + repeat.rounds * repeat.days // 365 + 1 >= YEAR_MAX:
        times.refuse("pace.repeat", f"times before the year {YEAR_MAX}")
        return []
    return [text(each) for each in every(first, times.zone, repeat.days, repeat.rounds)]


def _like(wanted: Struct, kind: type[S], **settled: Any) -> S:
    """A Struct of this kind with the fields of another one of the same names, and those that are settled."""
    names = {field.name for field in msgspec.structs.fields(kind)} & {*wanted.__struct_fields__}
    taken = {name: getattr(wanted, name) for name in names if name not in settled}
    return kind(**taken, **settled)


class Changes(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What is to be changed of a tournament: its title at any time, its terms, whole, before it starts."""

    title: Title | UnsetType = UNSET
    terms: TermsWanted | UnsetType = UNSET
