"""The next round of a file, paired by the system that the file names."""

import re
from typing import Final

from msgspec import Struct

from domain.pairing.fide import Event, berger_tables, library_version, pair_fide
from domain.pairing.fide_tournament import FideContender, FideRound, Points, Result, RoundKind, Virtual
from domain.pairing.shapes import Engine, NoPairing, NoPairingCode
from service.trf.shapes import BYES, DRAWN, FORFEITED, WON, Code, Competitor, Past, Trf

_BYES: Final[dict[Code, RoundKind]] = {"U": "bye", "F": "full_bye", "H": "half_bye", "Z": "zero_bye"}
NO_COLOURS: Final = ("FIDE_TEAM_MP_GP", "FIDE_TEAM_GP_MP", "FIDE_TEAM_MP", "FIDE_TEAM_GP", "")
"""The types of team Swiss in which nobody has a preference for a colour, or where none is named."""

_OTHER_SYSTEMS: Final = ("BURSTEIN", "DUBOV", "LIM", "DOUBLESWISS", "DOUBLE_SWISS", "OLYMPIAD")

_EDITION: Final = re.compile("FIDE_DUTCH_([0-9]{4})")
FIRST_EDITION: Final = 2025
"""The edition of C.04.3 approved in 2025, in force from 2026, goes by either year."""


class SystemUnsupported(Exception):
    """The file asks for a system that is not there."""


class PairedRound(Struct, frozen=True):
    """A round: pairs of numbers, White first, in the order of the tables, and who has no opponent."""

    round: int
    engine: Engine
    pairs: tuple[tuple[int, int], ...]
    byes: tuple[int, ...]
    notes: tuple[str, ...] = ()
    """What whoever goes by the pairing has to know."""


def pair_round(trf: Trf, number: int | None = None) -> PairedRound:
    """A round, the next one unless told which; later rounds of the file are left aside.

    Raises `NoPairing`, `SystemUnsupported`.
    """
    number = trf.paired + 1 if number is None else number
    if trf.rounds is not None and number > trf.rounds:
        message = f"The file has {trf.rounds} rounds (record 142 or XXR), and {number} is none of them."
        raise NoPairing(NoPairingCode.ROUNDS_IMPOSSIBLE, message, rounds=number, most=trf.rounds)
    if trf.round_robin and "CUSTOM" in trf.code:
        message = f"A round robin in an order of its own ({trf.code}) is gone on with where its rounds were made."
        raise SystemUnsupported(message)
    if trf.round_robin:
        return _by_berger(trf, number)
    if trf.teams and trf.code not in NO_COLOURS:
        raise SystemUnsupported(f"Of team Swiss, those without colours are done here, not {trf.code}.")
    if trf.teams and trf.virtual:
        raise SystemUnsupported("Teams are not accelerated here (record 250).")
    for other in _OTHER_SYSTEMS:
        if re.search(rf"(?<![A-Z]){other}", trf.code):
            raise SystemUnsupported(f"Of the systems of FIDE, the Dutch one is done here, not {trf.code}.")
    named = {str(each.number): each.number for each in trf.competitors}
    ranked = [_contender(each, place, trf, number) for place, each in enumerate(trf.ordered, 1)]
    event = Event(
        round=number,
        # Criteria are left out in the last rounds: where the file does not say how many there are, it knows the last.
        rounds=max(trf.rounds or trf.paired, number),
        forbidden=tuple((str(one), str(other)) for one, other in trf.forbidden_in(number)),
        top=trf.top or "NS",
        points=_points(trf),
        virtual=tuple(
            Virtual(str(each), given.first, given.last, given.points) for given in trf.virtual for each in given.numbers
        ),
    )
    found = pair_fide("team" if trf.teams else "dutch", ranked, event)
    pairs = tuple((named[each.ns], named[each.ew]) for each in found.pairs)
    return PairedRound(number, found.engine, pairs, tuple(named[each] for each in found.byes), _notes(trf, number))


def _points(trf: Trf) -> Points:
    """What results count in the pairing. The engine doubles what matches of teams are worth."""
    if trf.teams:
        worth = trf.matches
        bye = worth.draw if worth.bye is None else worth.bye
        return Points(win=worth.win // 2, draw=worth.draw // 2, loss=worth.loss // 2, bye=bye // 2)
    worth = trf.worth
    return Points(win=worth.win, draw=worth.draw, loss=worth.loss, bye=worth.bye)


def _contender(each: Competitor, place: int, trf: Trf, number: int) -> FideContender:
    return FideContender(
        entrant=str(each.number),
        seed=place,
        rounds=tuple(_round(each.past(before), trf.by_games) for before in range(1, number)),
        rating=each.rating,
        absent=_is_absent(each, trf, number),
    )


def _is_absent(each: Competitor, trf: Trf, number: int) -> bool:
    """Whether somebody does not play: the file says so, or tells of a bye that nobody was given by the pairing."""
    past = each.past(number)
    if number <= trf.paired:
        return past is None or (past.code in BYES and past.code != "U")
    return each.number in trf.absent or past is not None


def _round(past: Past | None, by_games: bool) -> FideRound:
    if past is None:
        return FideRound("zero_bye")
    score = past.games if by_games else None
    if past.opponent is None:
        return FideRound(_BYES[past.code], score=score)
    result: Result = "win" if past.code in WON else "draw" if past.code in DRAWN else "loss"
    return FideRound("forfeit" if past.code in FORFEITED else "played", result, str(past.opponent), past.side, score)


def _by_berger(trf: Trf, number: int) -> PairedRound:
    """A round of FIDE's tables; pairing numbers are places, whatever gaps their numbers have."""
    places = [each.number for each in trf.competitors]
    cycle = len(places) - 1 + len(places) % 2
    movement = berger_tables(len(places), double="DOUBLE" in trf.code or (trf.rounds or 0) > cycle)
    if not 1 <= number <= len(movement.rounds):
        raise SystemUnsupported(f"A round robin of {len(places)} has {len(movement.rounds)} rounds, no round {number}.")
    found = movement.rounds[number - 1]
    pairs = tuple((places[ns - 1], places[ew - 1]) for (ns,), (ew,) in (table.sides for table in found.tables))
    engine = Engine("gacrux-berger", library_version())
    return PairedRound(number, engine, pairs, tuple(places[each - 1] for each in found.out))


def _notes(trf: Trf, number: int) -> tuple[str, ...]:
    notes = []
    edition = _EDITION.match(trf.code)
    if edition is not None and int(edition[1]) < FIRST_EDITION:
        notes.append(f"Paired by the rules of 2026, though the file asks for {trf.code}.")
    if trf.rounds is None and number >= trf.paired:
        notes.append(f"The file has no number of rounds (record 142 or XXR): round {number} is paired as the last.")
    return tuple(notes)
