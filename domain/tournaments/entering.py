"""What entrants do themselves: enter, agree, check in, leave, come back.

`by` is the player who acts; the service has checked who asks. Every function returns the events of one append, or
raises `TournamentRefused` and changes nothing.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from msgspec import Struct

from domain.tournaments.clocks import moment, text
from domain.tournaments.conditions import (
    EntryVerdict,
    code_verdict,
    entered_already,
    places,
    takes_late_entrants,
    unmet,
    verdicts,
    window,
)
from domain.tournaments.draft import Draft
from domain.tournaments.entrants import (
    NOT_OVER,
    add_rung,
    check_entrant_status,
    check_status,
    entrant_of,
    fill_places,
    next_round,
    nothing_to_change,
)
from domain.tournaments.entry_events import CheckedIn, Consented, Entered, Returned, Withdrawn
from domain.tournaments.event import Reason, Text
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.given import Person
from domain.tournaments.lineups import check_lineup, seat_newcomers
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Entrant, Tournament
from domain.tournaments.terms import ENTRANTS_MAX

Events = list[AnyTournamentEvent]


class Entry(Struct, frozen=True, kw_only=True):
    """Somebody who wants to enter.

    `players` in the order of the line-up, with the level of a bot or null beside each in `bots` (empty: all persons);
    `rating` orders the seeds, in hundredths; `avoid` are codes of clubs or households.
    """

    players: tuple[str, ...]
    bots: tuple[str | None, ...] = ()
    code: str | None = None
    avoid: tuple[str, ...] = ()
    name: Text | None = None
    rating: int | None = None

    @property
    def levels(self) -> tuple[str | None, ...]:
        """By seat of the line-up, the level of a bot; None for a person."""
        return self.bots or (None,) * len(self.players)


def enter(state: Tournament, entry: Entry, by: str, now: datetime, persons: Mapping[str, Person]) -> Events:
    """A member enters an entrant; the other persons have to agree to be seated before it plays.

    Raises `TournamentRefused`: `lineup_invalid`, `bot_not_permitted`, `not_your_entrant`, `registration_not_open`,
    `entry_code_wrong`, `player_entered_already`, `entry_conditions_not_met`, `tournament_full`.
    """
    check_lineup(state.terms, entry.players, entry.levels)
    if by not in entry.players:
        raise TournamentRefused(TournamentCode.NOT_YOUR_ENTRANT, needed="one of the players")
    _require(TournamentCode.REGISTRATION_CLOSED, window(state, now))
    _require(TournamentCode.ENTRY_CODE_WRONG, code_verdict(state.terms, entry.code))
    check_free(state, entry.players)
    check_conditions(state, entry.players, entry.levels, persons)
    _require(TournamentCode.TOURNAMENT_FULL, places(state))
    draft = Draft(state, by, now)
    put_in(draft, entry, consents=(by,), late_round=next_round(state) if state.status == "running" else None)
    return draft.events


def put_in(draft: Draft, entry: Entry, consents: tuple[str, ...], late_round: int | None) -> None:
    """The entry as events: entered where a place is free, else on the waiting list.

    Raises `TournamentRefused`: `tournament_full`, beyond the most entrants that any tournament has.
    """
    state = draft.state
    if len(state.entrants) >= ENTRANTS_MAX:
        raise TournamentRefused(TournamentCode.TOURNAMENT_FULL, capacity=ENTRANTS_MAX)
    full = len(state.active) >= state.terms.registration.capacity
    entrant = f"e{len(state.entrants) + 1}"
    draft.add(
        Entered(
            entrant=entrant,
            players=entry.players,
            bots=entry.levels,
            consents=consents,
            status="waiting" if full else "entered",
            name=entry.name,
            avoid=entry.avoid,
            rating=entry.rating,
            late_round=late_round,
        )
    )
    if not full:
        add_rung(draft, entrant)


def check_free(state: Tournament, players: Sequence[str], but: str | None = None) -> None:
    """Nobody is in two entrants; `but` is the one that they are to be in.

    Raises `TournamentRefused`: `player_entered_already`.
    """
    for player in players:
        verdict = entered_already(state, player, but)
        if not verdict.ok:
            raise TournamentRefused(TournamentCode.PLAYER_ENTERED, player=player, entrant=verdict.found)


def check_conditions(
    state: Tournament, players: Sequence[str], bots: Sequence[str | None], persons: Mapping[str, Person]
) -> None:
    """Every member meets the conditions. Raises `TournamentRefused`: `entry_conditions_not_met`, with the verdicts."""
    found = [
        verdict
        for player, bot in zip(players, bots, strict=True)
        for verdict in verdicts(state.terms, player, None if bot is not None else persons.get(player, Person()))
    ]
    if unmet(found):
        raise TournamentRefused(TournamentCode.CONDITIONS_NOT_MET, verdicts=found)


def _require(code: TournamentCode, verdict: EntryVerdict) -> None:
    if not verdict.ok:
        raise TournamentRefused(code, reason=verdict.reason, needed=verdict.needed, found=verdict.found)


def own_entrant(state: Tournament, entrant: str, by: str) -> Entrant:
    """An entrant of which `by` is a member. Raises `TournamentRefused`: `entrant_not_found`, `not_your_entrant`."""
    found = entrant_of(state, entrant)
    if by not in found.players:
        raise TournamentRefused(TournamentCode.NOT_YOUR_ENTRANT, entrant=entrant, needed="one of the players")
    return found


def consent(state: Tournament, entrant: str, by: str, now: datetime) -> Events:
    """A member whom somebody else entered agrees to be seated.

    Raises `TournamentRefused`: `entrant_not_found`, `not_your_entrant`, `tournament_wrong_status`,
    `entrant_wrong_status`, `nothing_to_change`.
    """
    found = own_entrant(state, entrant, by)
    check_status(state, *NOT_OVER)
    check_entrant_status(found, "entered", "waiting")
    if by in found.consents:
        raise nothing_to_change(entrant=entrant, player=by, consented=True)
    draft = Draft(state, by, now)
    draft.add(Consented(entrant=entrant, player=by))
    seat_newcomers(draft, entrant)
    return draft.events


def check_in(state: Tournament, entrant: str, by: str, now: datetime) -> Events:
    """A member says that the entrant is there, from some minutes before the start on.

    Raises `TournamentRefused`: `entrant_not_found`, `not_your_entrant`, `tournament_wrong_status`,
    `entrant_wrong_status`, `check_in_not_open`, `nothing_to_change`.
    """
    found = own_entrant(state, entrant, by)
    check_status(state, *NOT_OVER)
    minutes = state.terms.registration.check_in_minutes
    if minutes == 0:
        raise TournamentRefused(TournamentCode.CHECK_IN_NOT_OPEN, reason="nobody has to check in here")
    starts_at = state.terms.pace.starts_at
    opens_at = None if starts_at is None else moment(starts_at) - timedelta(minutes=minutes)
    if opens_at is not None and now < opens_at and state.status != "running":
        raise TournamentRefused(TournamentCode.CHECK_IN_NOT_OPEN, opens_at=text(opens_at))
    draft = Draft(state, by, now)
    note_there(draft, found)
    return draft.events


def note_there(draft: Draft, entrant: Entrant) -> None:
    """The entrant is there. Raises `TournamentRefused`: `entrant_wrong_status`, `nothing_to_change`."""
    check_entrant_status(entrant, "entered")
    if entrant.checked_in:
        raise nothing_to_change(entrant=entrant.id, checked_in=True)
    draft.add(CheckedIn(entrant=entrant.id))


def withdraw(state: Tournament, entrant: str, by: str, now: datetime, reason: Reason | None = None) -> Events:
    """The entrant plays no more; a free place goes to the waiting list.

    Raises `TournamentRefused`: `entrant_not_found`, `not_your_entrant`, `tournament_wrong_status`,
    `entrant_wrong_status`.
    """
    own_entrant(state, entrant, by)
    draft = Draft(state, by, now)
    take_out(draft, Withdrawn(entrant=entrant, reason=reason))
    return draft.events


def take_out(draft: Draft, withdrawn: Withdrawn) -> None:
    """Raises `TournamentRefused`: `entrant_not_found`, `tournament_wrong_status`, `entrant_wrong_status`."""
    entrant = entrant_of(draft.state, withdrawn.entrant)
    check_status(draft.state, *NOT_OVER)
    if withdrawn.disqualified:
        check_entrant_status(entrant, "entered", "waiting", "withdrawn")
    else:
        check_entrant_status(entrant, "entered", "waiting")
    draft.add(withdrawn)
    fill_places(draft)


def come_back(state: Tournament, entrant: str, by: str, now: datetime) -> Events:
    """An entrant that withdrew plays again, from the next round that is paired.

    Raises `TournamentRefused`: `entrant_not_found`, `not_your_entrant`, `tournament_wrong_status`,
    `entrant_wrong_status`, `stage_wrong`, `tournament_full`, `player_entered_already`.
    """
    found = own_entrant(state, entrant, by)
    check_entrant_status(found, "withdrawn")
    draft = Draft(state, by, now)
    take_back(draft, found)
    return draft.events


def take_back(draft: Draft, entrant: Entrant, *, beyond: bool = False) -> None:
    """Who never had a place waits for one again; everybody else needs one that is free, unless it may go `beyond`.

    Raises `TournamentRefused` as `come_back` does, but for whose entrant it is.
    """
    state = draft.state
    check_status(state, *NOT_OVER)
    check_entrant_status(entrant, "withdrawn", "disqualified")
    stage = state.stage
    if stage is not None and entrant.id not in stage.entrants and not takes_late_entrants(state):
        raise TournamentRefused(TournamentCode.STAGE_WRONG, entrant=entrant.id, needed="an entrant of this stage")
    check_free(state, entrant.players, entrant.id)
    if not entrant.placed:
        draft.add(Returned(entrant=entrant.id, status="waiting"))
        fill_places(draft)
        return
    if len(state.active) >= state.terms.registration.capacity and not beyond:
        raise TournamentRefused(TournamentCode.TOURNAMENT_FULL, capacity=state.terms.registration.capacity)
    draft.add(Returned(entrant=entrant.id))
    add_rung(draft, entrant.id)
