"""The beginning of a stage: who goes on, in what order, with what (background b.8)."""

from collections.abc import Sequence

from domain.pairing.shapes import NoPairing
from domain.standings.lots import lot_order
from domain.standings.rounding import half_up
from domain.tournaments.brackets import bracket_of
from domain.tournaments.events import AnyTournamentEvent, LotsDrawn
from domain.tournaments.formats import Elimination, Ladder
from domain.tournaments.given import Draw
from domain.tournaments.head_to_head import head_to_head
from domain.tournaments.numbering import SERVICE, numbered
from domain.tournaments.plans import rounds_planned
from domain.tournaments.playing import is_open, takes_part
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import RungsMoved, StageBegun
from domain.tournaments.standings import standings
from domain.tournaments.state import StageState, Tournament


def begin_stage(state: Tournament, draw: Draw, by: str = SERVICE) -> list[AnyTournamentEvent]:
    """The next stage. Whether the one before is over is not asked: a director may end it early.

    An open first stage has everybody who is entered; a schedule and a bracket only those who are there when it begins.
    Later ones have the first of the stage before; where a rank is shared at the cut, a lot decides.
    Raises `TournamentRefused`: `stage_over` after the last one.
    """
    number = len(state.stages)
    if number >= len(state.terms.stages):
        raise TournamentRefused(TournamentCode.STAGE_OVER, stage=number - 1)
    terms = state.stage_terms(number)
    happened: list[AnyTournamentEvent] = []
    if number == 0:
        there = [each for each in state.active if is_open(terms) or takes_part(state, each)]
        order = tuple(each.id for each in sorted(there, key=lambda each: (each.seed is None, each.seed, each.place)))
    else:
        order, lots = going_on(state, number, draw)
        happened += lots
    try:
        rounds = rounds_planned(state.terms, number, len(order))
        bracket = bracket_of(terms.format, len(order)) if isinstance(terms.format, Elimination) else None
    except NoPairing as error:
        raise TournamentRefused(TournamentCode.ROUNDS_IMPOSSIBLE, stage=number, told=str(error)) from error
    carried = carried_into(state, number, order)
    happened.append(StageBegun(stage=number, entrants=order, carried=carried, rounds=rounds, bracket=bracket))
    if isinstance(terms.format, Ladder):
        happened.append(RungsMoved(order=order))
    return numbered(state, by, happened)


def is_unstarted(state: Tournament, stage: StageState) -> bool:
    """Whether nothing of a stage has been played or ruled, so that it can begin anew."""
    rounds = [state.rounds[each] for each in stage.rounds]
    return all(each.status == "paired" for each in rounds) and not any(
        match.over for each in rounds for match in state.matches_of(each.number)
    )


def going_on(state: Tournament, number: int, draw: Draw) -> tuple[tuple[str, ...], list[AnyTournamentEvent]]:
    """Those who go on to a stage, best first, and the lot that has to be drawn for them."""
    certain, level, places = at_cut(state, number)
    if not level:
        return certain, []
    purpose = cut_purpose(number)
    seed = draw(purpose)
    drawn: list[AnyTournamentEvent] = [] if purpose in state.lots else [LotsDrawn(purpose=purpose, seed=seed)]
    return (*certain, *lot_order(bytes.fromhex(seed), level)[:places]), drawn


def at_cut(state: Tournament, number: int) -> tuple[tuple[str, ...], tuple[str, ...], int]:
    """Those who go on to a stage whatever a lot says, best first; who shares the rank at the cut, and for how many of
    these there are places."""
    known = {each.id for each in state.active}
    rows = [row for row in standings(state, number - 1).rows if row.entrant in known]
    places = state.stage_terms(number).qualifiers
    if places is None or len(rows) <= places or rows[places - 1].rank != rows[places].rank:
        return tuple(row.entrant for row in rows[:places]), (), 0
    certain = tuple(row.entrant for row in rows if row.rank < rows[places].rank)
    level = tuple(row.entrant for row in rows if row.rank == rows[places].rank)
    return certain, level, places - len(certain)


def cut_purpose(number: int) -> str:
    """The purpose of the lot for a rank shared at the cut into a stage."""
    return f"cut/{number}"


def carried_into(state: Tournament, number: int, order: Sequence[str]) -> tuple[int, ...]:
    """What each brings from the stage before, in hundredths; who had no part in that, and has left since, nothing."""
    carry = state.stage_terms(number).carry
    if number == 0 or carry.what == "nothing":
        return (0,) * len(order)
    if carry.what == "score":
        scores = {row.entrant: row.score for row in standings(state, number - 1).rows}
    else:
        scores = head_to_head(state, number - 1, order)
    return tuple(half_up(scores.get(each, 0) * carry.percent, 100) for each in order)
