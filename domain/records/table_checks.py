"""Checks of what happens before the first card and beside the play: the deciders of `domain.lobby` judge it anew."""

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain import events, lobby
from domain.beacons import BeaconChains
from domain.editions import EDITION, edition_of, is_known
from domain.events import AnyEvent, type_of
from domain.evolve import initial_state
from domain.lobby_refusals import LobbyCode, LobbyRefused
from domain.practice import practice_dealer, practice_position
from domain.records.course import Course, compare, fault
from domain.records.deal_checks import check_round, check_shown, terms_of
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import RecordInvalidError
from domain.records.shapes import Header
from domain.rulesets import RuleSet, RuleSetInvalidError, resolve
from domain.waiting import missing_nonces

_RULE_SETS_MAX: Final = 256
"""How many rule sets are kept as judged."""


def open_course(header: Header, event: AnyEvent, *, redecide: bool, chains: BeaconChains | None) -> Course:
    """Check the first event of a record beside its header. Raises `RecordInvalidError`."""
    if not isinstance(event, events.Created):
        raise fault(event, Code.OUT_OF_PLACE, f"created should stand here, not {type_of(event)}.")
    edition = edition_of(event.engine)
    if not is_known(edition):
        message = f"The game was decided by edition {edition} of the engine, and edition {EDITION} is the newest here."
        raise fault(event, Code.UNKNOWN_ENGINE, message)
    why = _why_no_ruleset(event.ruleset)
    if why is not None:
        raise fault(event, Code.RULESET_INVALID, why)
    try:
        expected = lobby.open_table(
            event.ruleset,
            event.players,
            watch=event.watch,
            engine=event.engine,
            clock=event.clock,
            stock=event.stock,
            fairness=event.fairness,
            origin=event.origin,
        )
    except LobbyRefused as refused:
        raise _turned_down(event, refused) from refused
    compare(event, expected)
    if event.ruleset != header.ruleset:
        raise RecordInvalidError(1, Code.HEADER_DIFFERS, "The rule set is not that of the first event.")
    if event.sides != header.sides:
        raise RecordInvalidError(1, Code.HEADER_DIFFERS, "The sides are not those of the first event.")
    state = initial_state(event)
    try:
        terms_of(state.table)
    except msgspec.ValidationError as error:
        raise fault(event, Code.FAIRNESS_INVALID, f"These are no terms of fair deals: {error}.") from error
    return Course(header=header, state=state, redecide=redecide, chains=chains)


@lru_cache(maxsize=_RULE_SETS_MAX)
def _why_no_ruleset(ruleset: RuleSet) -> str | None:
    try:
        resolve(ruleset.to_json())
    except RuleSetInvalidError as invalid:
        return str(invalid)
    return None


def _turned_down(event: AnyEvent, refused: LobbyRefused) -> RecordInvalidError:
    if refused.code is LobbyCode.NONCE_WRONG:
        return fault(event, Code.NONCE_WRONG, "The nonce is not the one that the seat committed to.")
    params = msgspec.json.encode(refused.params, order="sorted").decode()
    return fault(event, Code.TABLE_REFUSED, f"This {type_of(event)} is refused: {refused.code} {params}.")


def check_table(course: Course, event: AnyEvent) -> None:
    """Check an event beside the play. Raises `RecordInvalidError`."""
    try:
        TABLE_CHECKS[type(event)](course, event)
    except LobbyRefused as refused:
        raise _turned_down(event, refused) from refused


def _created(_course: Course, event: events.Created) -> None:
    raise fault(event, Code.OUT_OF_PLACE, "A game is created once.")


def _seated(course: Course, event: events.Seated) -> None:
    # The format lets a bot be without a level, which this house does not: the seat and the player are put to it.
    lobby.sit(course.state, event.seat, event.player)
    if event.kind == "human" and event.bot is not None:
        raise LobbyRefused(LobbyCode.BOT_LEVEL_INVALID, needed=None)
    course.last_holders[event.seat] = event.kind


def _unseated(course: Course, event: events.Unseated) -> None:
    if course.state.table.status == "closed":
        expected = lobby.reopen(course.state, event.seat)
    else:
        expected = lobby.leave(course.state, event.seat, event.player)
    compare(event, expected[0])


def _closed(course: Course, event: events.Closed) -> None:
    compare(replace(event, beacon=None), lobby.close(course.state, event.nonce_commitments)[0])
    check_round(course, event)


def _nonce_revealed(course: Course, event: events.NonceRevealed) -> None:
    lobby.reveal_nonce(course.state, event.seat, event.nonce)


def _started(course: Course, event: events.Started) -> None:
    table = course.state.table
    if table.status != "closed":
        raise LobbyRefused(LobbyCode.TABLE_NOT_CLOSED, status=table.status)
    missing = missing_nonces(table)
    if missing:
        raise LobbyRefused(LobbyCode.NONCES_MISSING, seats=list(missing))
    # The first dealer of a fair game is known to be right once the master is revealed.
    dealer = practice_dealer(table) if table.origin is not None else event.first_dealer
    if not 0 <= dealer < table.rules.players:
        raise LobbyRefused(LobbyCode.UNKNOWN_SEAT, seat=dealer, players=table.rules.players)
    if event.entropy != table.nonces:
        raise fault(event, Code.NONCE_WRONG, "The entropy is not the nonces that the seats revealed.")
    compare(event, replace(event, first_dealer=dealer))
    check_shown(course, event)
    course.started_line = event.n + 1


def _placed(course: Course, event: events.Placed) -> None:
    table = course.state.table
    position = practice_position(table)
    if table.status != "started" or position is None:
        raise fault(event, Code.OUT_OF_PLACE, "No position is placed here.")
    compare(event, replace(event, position=position))


def _stood_in(course: Course, event: events.StoodIn) -> None:
    lobby.stand_in(course.state, event.seat, event.reason)


TABLE_CHECKS: Final[dict[type[AnyEvent], Callable[[Course, Any], None]]] = {
    events.Created: _created,
    events.Seated: _seated,
    events.Unseated: _unseated,
    events.Closed: _closed,
    events.NonceRevealed: _nonce_revealed,
    events.Started: _started,
    events.Placed: _placed,
    events.StoodIn: _stood_in,
}
"""By event class, the check of what happens beside the play. They raise `LobbyRefused` too."""
