"""Director's acts about registration and entrants."""

from msgspec.structs import replace

from domain.tournaments import acts
from domain.tournaments.byes import note_bye
from domain.tournaments.clocks import moment
from domain.tournaments.conditions import takes_late_entrants
from domain.tournaments.desk import Desk
from domain.tournaments.entering import Entry, check_free, note_there, put_in, take_back, take_out
from domain.tournaments.entrants import (
    BEFORE_START,
    NOT_OVER,
    add_rung,
    check_entrant_status,
    check_status,
    entrant_of,
    next_round,
    nothing_to_change,
)
from domain.tournaments.entry_events import Admitted, Withdrawn
from domain.tournaments.events import RegistrationClosed, RegistrationOpened, TermsChanged
from domain.tournaments.lineups import check_lineup
from domain.tournaments.playing import is_open
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.state import Tournament
from domain.tournaments.substituting import substitute


def open_registration(desk: Desk, _act: acts.OpenRegistration) -> None:
    """A time of closing that has passed is taken out of the terms, or registration would close at once.

    Raises `TournamentRefused`: `nothing_to_change`, `tournament_wrong_status`, `time_invalid` where the start is
    past.
    """
    state = desk.state
    if state.status == "registration":
        raise nothing_to_change(status=state.status)
    check_status(state, "announced", "closed")
    if state.beacon is not None:
        raise TournamentRefused(
            TournamentCode.WRONG_STATUS, status=state.status, needed="no round of the beacon fixed for the boards"
        )
    registration = state.terms.registration
    starts_at = state.terms.pace.starts_at
    if starts_at is not None and moment(starts_at) <= desk.now:
        raise TournamentRefused(TournamentCode.TIME_INVALID, field="pace.starts_at", needed="a time to come")
    if registration.closes_at is not None and moment(registration.closes_at) <= desk.now:
        desk.add(TermsChanged(terms=replace(state.terms, registration=replace(registration, closes_at=None))))
    desk.add(RegistrationOpened())


def close_registration(desk: Desk, _act: acts.CloseRegistration) -> None:
    """Nobody enters any more, but for late entries.

    Raises `TournamentRefused`: `nothing_to_change`, `tournament_wrong_status`.
    """
    if desk.state.status == "closed":
        raise nothing_to_change(status="closed")
    check_status(desk.state, "registration")
    desk.add(RegistrationClosed())


def enter(desk: Desk, act: acts.Enter) -> None:
    """Everybody but the director has to agree still; without a free place the entrant waits to be admitted.

    Raises `TournamentRefused`: `tournament_wrong_status`, `lineup_invalid`, `bot_not_permitted`,
    `player_entered_already`, `stage_wrong` and `round_wrong_status` of a late entry.
    """
    state = desk.state
    check_status(state, *NOT_OVER)
    entry = Entry(players=act.players, bots=act.bots or (), avoid=act.avoid, name=desk.given.text, rating=act.rating)
    check_lineup(state.terms, entry.players, entry.levels)
    check_free(state, entry.players)
    consents = (desk.by,) if desk.by in entry.players else ()
    put_in(desk, entry, consents, _late_round(state, act.late_round))


def _late_round(state: Tournament, asked: int | None) -> int | None:
    running = state.status == "running"
    if not running and asked is None:
        return None
    if not (takes_late_entrants(state) if running else is_open(state.stage_terms(0))):
        raise TournamentRefused(
            TournamentCode.STAGE_WRONG, needed="a first stage whose format takes entrants after its beginning"
        )
    first = next_round(state)
    if asked is not None and asked < first:
        raise TournamentRefused(TournamentCode.ROUND_WRONG_STATUS, rounds=[asked], first=first)
    return asked or first


def admit(desk: Desk, act: acts.Admit) -> None:
    """An entrant that waits has a place, also beyond the capacity: the director knows how many chairs there are.

    Raises `TournamentRefused`: `tournament_wrong_status`, `entrant_not_found`, `entrant_wrong_status`, `stage_wrong`.
    """
    state = desk.state
    check_status(state, *NOT_OVER)
    check_entrant_status(entrant_of(state, act.entrant), "waiting")
    late = None if state.status in BEFORE_START else _late_round(state, None)
    desk.add(Admitted(entrant=act.entrant, late_round=late))
    add_rung(desk, act.entrant)


def check_in(desk: Desk, act: acts.CheckIn) -> None:
    """At any time before the end, whether the terms ask for it or not. Those who are in already are passed over.

    Raises `TournamentRefused`: as `note_there` does, `tournament_wrong_status`, `entrant_not_found`,
    `nothing_to_change` where nobody is new.
    """
    check_status(desk.state, *NOT_OVER)
    entrants = [entrant_of(desk.state, each) for each in dict.fromkeys(act.entrants)]
    for each in entrants:
        check_entrant_status(each, "entered")
    newly = [each for each in entrants if not each.checked_in]
    if not newly:
        raise nothing_to_change(entrants=[each.id for each in entrants], checked_in=True)
    for each in newly:
        note_there(desk, each)


def withdraw(desk: Desk, act: acts.Withdraw) -> None:
    """Raises `TournamentRefused`: as `take_out` does."""
    take_out(desk, Withdrawn(entrant=act.entrant, note=desk.given.text))


def come_back(desk: Desk, act: acts.Return) -> None:
    """Also beyond the capacity, as whoever is admitted.

    Raises `TournamentRefused`: `entrant_not_found`, and as `take_back` does.
    """
    take_back(desk, entrant_of(desk.state, act.entrant), beyond=True)


def give_bye(desk: Desk, act: acts.GiveBye) -> None:
    """Raises `TournamentRefused`: `entrant_not_found`, and as `note_bye` does."""
    note_bye(desk, entrant_of(desk.state, act.entrant), act.rounds, act.bye)


def change_lineup(desk: Desk, act: acts.Substitute) -> None:
    """Without the limit that the entrants themselves have.

    Raises `TournamentRefused`: as `substitute` does, `entrant_not_found`, `lineup_invalid`.
    """
    if act.incoming is None:
        raise TournamentRefused(TournamentCode.LINEUP_INVALID, needed="somebody who comes in")
    substitute(desk, entrant_of(desk.state, act.entrant), act.outgoing, act.incoming, act.bot)
