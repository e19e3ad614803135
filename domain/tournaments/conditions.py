"""Who may enter: what the terms ask for, with a verdict on each point."""

from collections.abc import Sequence
from datetime import datetime
from hashlib import sha256

from msgspec import Struct

from domain.tournaments.before_start import closing_time
from domain.tournaments.clocks import moment
from domain.tournaments.given import Person
from domain.tournaments.playing import goes_in_waves, is_open
from domain.tournaments.state import Tournament
from domain.tournaments.terms import Condition, Terms


class EntryVerdict(Struct, frozen=True, kw_only=True):
    """Whether one condition is met; `reason` says in words what it is about.

    `needed` and `found` are numbers, texts or absent; a rating that was found is in hundredths.
    """

    condition: str
    ok: bool
    reason: str
    player: str | None = None
    needed: int | str | None = None
    found: int | str | None = None


def may_enter(
    state: Tournament, player: str, person: Person, code: str | None, now: datetime
) -> tuple[EntryVerdict, ...]:
    """Every verdict on a person who thinks of entering: the window, places, the code, each condition."""
    return (
        window(state, now),
        places(state),
        entered_already(state, player),
        code_verdict(state.terms, code),
        *verdicts(state.terms, player, person),
    )


def verdicts(terms: Terms, player: str, person: Person | None) -> tuple[EntryVerdict, ...]:
    """The conditions of the terms on one member of a line-up; `person` is None for a bot."""
    return tuple(_verdict(condition, player, person) for condition in terms.registration.conditions)


def _verdict(condition: Condition, player: str, person: Person | None) -> EntryVerdict:
    kind = condition.kind
    if person is None:
        ok = kind != "persons_only"
        return EntryVerdict(
            condition=kind, ok=ok, player=player, reason="bots are free of it" if ok else "only persons may play here"
        )
    needed = condition.value or 0
    rating = person.rating
    # A rating that nobody has yet is not above a limit, and not as high as one either.
    ok, found, reason = {
        "persons_only": (True, None, "only persons"),
        "listed": (player in (condition.players or ()), None, "one of a list of players"),
        "rating_at_least": (rating is not None and rating >= 100 * needed, rating, f"a rating of {needed} or more"),
        "rating_at_most": (rating is None or rating <= 100 * needed, rating, f"a rating of {needed} or less"),
        "rated_games_at_least": (person.rated_games >= needed, person.rated_games, f"at least {needed} rated games"),
        "account_days_at_least": (person.account_days >= needed, person.account_days, f"an account of {needed} days"),
    }[kind]
    return EntryVerdict(condition=kind, ok=ok, player=player, reason=reason, needed=condition.value, found=found)


def window(state: Tournament, now: datetime) -> EntryVerdict:
    """Whether entries are taken at present: registration is open, or the tournament takes late entrants."""
    registration = state.terms.registration
    match state.status:
        case "registration":
            closes_at = closing_time(state)
            if closes_at is None or now < moment(closes_at):
                return _window(True, "registration is open")
            return _window(False, "registration is over", needed=f"before {closes_at}")
        case "announced":
            opens_at = registration.opens_at
            return _window(False, "registration has not opened yet", needed=opens_at and f"from {opens_at} on")
        case "running":
            return _late_window(state)
        case status:
            return _window(False, "registration is over", found=status)


def _late_window(state: Tournament) -> EntryVerdict:
    last = state.terms.registration.late_rounds
    if not takes_late_entrants(state):
        return _window(False, "the tournament has begun and its format takes no late entrants")
    planned = state.stages[0].rounds_planned
    if planned is not None and len(state.rounds) >= planned:
        return _window(False, "the last round is paired", needed=planned, found=len(state.rounds))
    if goes_in_waves(state.stage_terms(0)):
        return _window(True, "one may enter at any time")
    over = sum(each.status == "closed" for each in state.rounds.values())
    reason = f"late entry ends with round {last}" if last else "the tournament has begun and takes no late entrants"
    return _window(over < last, reason, needed=last, found=over)


def takes_late_entrants(state: Tournament) -> bool:
    """Whether the format of the stage under way can take in somebody who was not there at its start."""
    return len(state.stages) == 1 and is_open(state.stage_terms(0))


def _window(ok: bool, reason: str, needed: int | str | None = None, found: int | str | None = None) -> EntryVerdict:
    return EntryVerdict(condition="registration", ok=ok, reason=reason, needed=needed, found=found)


def places(state: Tournament) -> EntryVerdict:
    """Whether a place is free, or at least one on the waiting list."""
    registration = state.terms.registration
    taken = len(state.active)
    free = taken < registration.capacity
    waits = not free and registration.waiting_list and state.status == "registration"
    reason = "a place is free" if free else "every place is taken" + (", there is a waiting list" if waits else "")
    return EntryVerdict(
        condition="capacity", ok=free or waits, reason=reason, needed=registration.capacity, found=taken
    )


def entered_already(state: Tournament, player: str, but: str | None = None) -> EntryVerdict:
    """Whether a player is free to be entered: in no entrant, `but` one, that plays, waits, has played or is out."""
    for entrant in state.entrants.values():
        if entrant.id == but or (player not in entrant.players and player not in entrant.former):
            continue
        if entrant.status != "withdrawn" or has_played(state, entrant.id):
            return EntryVerdict(
                condition="one_entrant", ok=False, player=player, reason="entered already", found=entrant.id
            )
    return EntryVerdict(condition="one_entrant", ok=True, player=player, reason="not entered yet")


def has_played(state: Tournament, entrant: str) -> bool:
    """Whether an entrant was ever part of a match."""
    return any(entrant in side for match in state.matches.values() for side in match.paired.sides)


def code_verdict(terms: Terms, code: str | None) -> EntryVerdict:
    """Whether the entry code is right (SHA-256 of its UTF-8), where one is asked for."""
    wanted = terms.registration.code_hash
    if wanted is None:
        return EntryVerdict(condition="code", ok=True, reason="no code is needed")
    if code is None:
        return EntryVerdict(condition="code", ok=False, reason="an entry code is needed")
    right = sha256(code.encode()).hexdigest() == wanted
    return EntryVerdict(condition="code", ok=right, reason="the code is right" if right else "the code is wrong")


def unmet(found: Sequence[EntryVerdict]) -> list[EntryVerdict]:
    """The verdicts that stand in the way."""
    return [verdict for verdict in found if not verdict.ok]
