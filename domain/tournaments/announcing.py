"""A tournament is announced: its terms checked as a whole, every fault told."""

from collections.abc import Container, Iterator, Mapping
from datetime import datetime, timedelta
from types import MappingProxyType
from typing import Any, Final

from msgspec import Struct

from domain.tournaments.asked_times import asked_time
from domain.tournaments.clocks import text
from domain.tournaments.draft import Draft
from domain.tournaments.entrants import BEFORE_START, NOT_OVER, check_status, fill_places, nothing_to_change
from domain.tournaments.event import Text
from domain.tournaments.events import AnyTournamentEvent, Retitled, TermsChanged, TournamentCreated
from domain.tournaments.fold import fold
from domain.tournaments.formats import Elimination, Format, Ladder, Swiss
from domain.tournaments.plans import check_plan
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Condition, Terms

NUMBERS_NEEDED = frozenset({"rating_at_least", "rating_at_most", "rated_games_at_least", "account_days_at_least"})
"""Kinds of condition that have a `value`."""

KEYS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "format_takes_nobody_late": "format",
        "format_needs_two_sides": "format",
        "individuals_need_changing_partners": "format",
        "fixed_entrants_do_not_change_partners": "format",
        "format_is_not_for_teams": "format",
        "sides_of_three_do_not_change_partners": "format",
        "format_cannot_have_boards": "format",
        "boards_rotate_in_a_mitchell_only": "format",
        "rounds_needed": "format.rounds",
        "first_meld_per_hand_needs_fixed_hands": "match.length",
        "boards_need_fixed_hands": "match.length",
        "hands_to_count_beyond_the_match": "match.hands_to_count",
        "steps_not_rising": "score.scale",
        "win_draw_loss_not_falling": "score",
        "score_needs_boards": "score",
        "score_is_for_teams": "score",
        "score_compares_pairs_at_many_tables": "score",
        "qualifiers_without_a_stage_before": "qualifiers",
    }
)
"""The key of a stage that a fault of the plan is to be mended at."""


class TermsFault(Struct, frozen=True):
    """One thing wrong with terms: the field, what is needed there, and what belongs to it."""

    field: str
    needed: str
    params: dict[str, Any] = {}


def announce(
    terms: Terms, title: Text, commitment: str, engine: str, by: str, now: datetime, zones: Container[str]
) -> TournamentCreated:
    """The first event of a tournament. `zones` are the names of the IANA database.

    Raises `TournamentRefused`: `tournament_terms_invalid`, with every fault.
    """
    _check(faults(terms, now, zones))
    return TournamentCreated(n=1, at=text(now), by=by, terms=terms, commitment=commitment, title=title, engine=engine)


def change_terms(
    state: Tournament, terms: Terms, by: str, now: datetime, zones: Container[str]
) -> list[AnyTournamentEvent]:
    """New terms before the start; places that there are more of go to the waiting list.

    Raises `TournamentRefused`: `tournament_wrong_status`, `nothing_to_change`, `tournament_terms_invalid`.
    """
    check_status(state, *BEFORE_START)
    if terms == state.terms:
        raise nothing_to_change(terms=True)
    _check((*faults(terms, now, zones), *_settled(state, terms)))
    draft = Draft(state, by, now)
    draft.add(TermsChanged(terms=terms))
    fill_places(draft)
    return draft.events


def retitle(state: Tournament, title: Text, by: str, now: datetime) -> list[AnyTournamentEvent]:
    """A new title. Raises `TournamentRefused`: `tournament_wrong_status`, `nothing_to_change`."""
    check_status(state, *NOT_OVER)
    if title == state.title:
        raise nothing_to_change(title=True)
    draft = Draft(state, by, now)
    draft.add(Retitled(title=title))
    return draft.events


def _check(found: tuple[TermsFault, ...]) -> None:
    if found:
        raise TournamentRefused(TournamentCode.TERMS_INVALID, faults=list(found))


def faults(terms: Terms, now: datetime, zones: Container[str]) -> tuple[TermsFault, ...]:
    """Everything that is wrong with terms, also what can never be played."""
    found = [*_times(terms, now), *_conditions(terms), *_stages(terms)]
    if terms.ruleset_hash != terms.ruleset.sha256():
        found.append(TermsFault("ruleset_hash", "the SHA-256 of the rule set's canonical JSON"))
    if terms.time_zone not in zones:
        found.append(TermsFault("time_zone", "a name of the IANA database", {"found": terms.time_zone}))
    for fault in check_plan(terms, None):
        # What concerns all stages hangs on how many sit at a table.
        place = "players" if fault.stage is None else f"stages[{fault.stage}].{KEYS[fault.code]}"
        found.append(TermsFault(place, fault.code, fault.params))
    return tuple(found)


def _settled(state: Tournament, terms: Terms) -> Iterator[TermsFault]:
    """What may not change any more."""
    old = state.terms
    if state.entrants and (terms.entrants, terms.players) != (old.entrants, old.players):
        yield TermsFault("entrants", "as it was, since there are entrants", {"entrants": len(state.entrants)})
    if state.boards and (terms.boards, terms.stages, terms.ruleset) != (old.boards, old.stages, old.ruleset):
        yield TermsFault("boards", "boards, stages and rule set as they were, since boards are committed to")


def _times(terms: Terms, now: datetime) -> Iterator[TermsFault]:
    """Times are in RFC 3339, in order, and those of the start still to come."""
    known: list[tuple[str, datetime]] = []
    registration, pace = terms.registration, terms.pace
    named = [
        ("registration.opens_at", registration.opens_at),
        ("registration.closes_at", registration.closes_at),
        ("pace.starts_at", pace.starts_at),
        *((f"pace.round_times[{place}]", each) for place, each in enumerate(pace.round_times)),
    ]
    for field, time in named:
        if time is None:
            continue
        at = asked_time(time)
        if at is None:
            yield TermsFault(field, "a time in RFC 3339, in UTC", {"found": time})
            continue
        if known and at < known[-1][1]:
            yield TermsFault(field, f"not before {known[-1][0]}", {"found": time, "before": text(known[-1][1])})
        known.append((field, at))
    for field, at in known:
        if field != "registration.opens_at" and at <= now:
            yield TermsFault(field, "a time to come", {"found": text(at), "now": text(now)})
    if pace.round_times and pace.starts_at is None:
        yield TermsFault("pace.starts_at", "the time of the first round, where further ones have theirs")
    yield from _ends(terms, now)


def _ends(terms: Terms, now: datetime) -> Iterator[TermsFault]:
    """A round ends after it begins, late enough for a hand to begin, and before the next one does."""
    pace = terms.pace
    starts = [None if each is None else asked_time(each) for each in (pace.starts_at, *pace.round_times)]
    first_hand = timedelta(minutes=min(stage.match.last_hand_minutes for stage in terms.stages))
    before: datetime | None = None
    for place, time in enumerate(pace.round_ends or ()):
        field = f"pace.round_ends[{place}]"
        at = asked_time(time)
        if at is None:
            yield TermsFault(field, "a time in RFC 3339, in UTC", {"found": time})
            continue
        start, following = (starts[each] if each < len(starts) else None for each in (place, place + 1))
        if start is not None and at <= start + first_hand:
            told = {"found": time, "after": text(start + first_hand)}
            yield TermsFault(field, "after the start of the round and its last_hand_minutes", told)
        if following is not None and at > following:
            told = {"found": time, "latest": text(following)}
            yield TermsFault(field, "not after the start of the next round", told)
        if before is not None and at <= before:
            yield TermsFault(field, "after the end of the round before", {"found": time, "after": text(before)})
        if at <= now:
            yield TermsFault(field, "a time to come", {"found": time, "now": text(now)})
        before = at


def _conditions(terms: Terms) -> Iterator[TermsFault]:
    for place, condition in enumerate(terms.registration.conditions):
        field = f"registration.conditions[{place}]"
        yield from _condition(field, condition)
        if condition.kind == "persons_only" and terms.stand_in_level is not None:
            yield TermsFault("stand_in_level", "none, where only persons play")


def _condition(field: str, condition: Condition) -> Iterator[TermsFault]:
    numbered = condition.kind in NUMBERS_NEEDED
    if numbered and condition.value is None:
        yield TermsFault(f"{field}.value", "a number")
    if not numbered and condition.value is not None:
        yield TermsFault(f"{field}.value", "none for this kind", {"kind": condition.kind})
    if condition.kind == "listed" and not condition.players:
        yield TermsFault(f"{field}.players", "at least one player")
    if condition.kind != "listed" and condition.players is not None:
        yield TermsFault(f"{field}.players", "none for this kind", {"kind": condition.kind})


def _stages(terms: Terms) -> Iterator[TermsFault]:
    for place, stage in enumerate(terms.stages):
        played = stage.match
        if played.minutes is not None and played.last_hand_minutes >= played.minutes:
            yield TermsFault(
                f"stages[{place}].match.last_hand_minutes", "fewer than minutes", {"minutes": played.minutes}
            )
        if len(set(stage.tie_breaks)) != len(stage.tie_breaks):
            yield TermsFault(f"stages[{place}].tie_breaks", "each of them once")
        relaxations = stage.format.relaxations if isinstance(stage.format, Swiss) else ()
        if len(set(relaxations)) != len(relaxations):
            yield TermsFault(f"stages[{place}].format.relaxations", "each of them once")
        if isinstance(stage.format, Elimination | Ladder) and stage.carry.what != "nothing":
            # Wins and rungs rank here, so that what was carried would decide nothing.
            yield TermsFault(f"stages[{place}].carry", "nothing, where no score ranks", {"found": stage.carry.what})
        yield from _idle(f"stages[{place}].format", stage.format)


def _idle(field: str, form: Format) -> Iterator[TermsFault]:
    """What a format has a key for, and cannot do beside another one."""
    if isinstance(form, Swiss) and form.method != "victory_points" and form.first_round == "drawn":
        yield TermsFault(f"{field}.first_round", "seeded, as the systems of FIDE are", {"method": form.method})
    if isinstance(form, Elimination) and form.double and form.third_place:
        yield TermsFault(f"{field}.third_place", "false, where the last who loses twice is third", {"double": True})


def change(
    state: Tournament, title: Text | None, terms: Terms | None, by: str, now: datetime, zones: Container[str]
) -> list[AnyTournamentEvent]:
    """A new title, new terms, or both; beside a new title the terms may be as they were.

    Raises `TournamentRefused` as `retitle` and `change_terms` do.
    """
    happened = [] if title is None else retitle(state, title, by, now)
    if terms is not None and not (happened and terms == state.terms):
        happened += change_terms(fold(state, happened), terms, by, now, zones)
    return happened
