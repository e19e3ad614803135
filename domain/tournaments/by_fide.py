"""Rounds of the two Swiss systems of FIDE, which go by win, draw and loss (background b.3)."""

from typing import Final, Literal

import msgspec
from msgspec.structs import replace

from domain.pairing.fide import Event, System, pair_fide
from domain.pairing.fide_tournament import FideContender, FideRound, Points, RoundKind, Virtual
from domain.pairing.shapes import SIDES, NoPairing
from domain.tournaments.by_standing import forbidden_pairs, proposal_of
from domain.tournaments.entrants import next_round
from domain.tournaments.formats import Swiss
from domain.tournaments.history import is_unplayed, is_winner_unplayed
from domain.tournaments.matches import WinDrawLoss
from domain.tournaments.playing import field_of
from domain.tournaments.proposals import Proposal, no_pairing
from domain.tournaments.round_lines import late_percents
from domain.tournaments.standings import totals
from domain.tournaments.state import Match, StageState, Tournament
from domain.tournaments.unplayed import percents_of

BYE_AS_DRAW: Final = 75
"""Up to so many percent of a win the bye counts as a draw in these systems, beyond as a win."""
_ABSENT: Final = FideRound("zero_bye")
_KINDS: Final[dict[int, RoundKind]] = {50: "half_bye", 100: "full_bye"}


def propose_by_fide(state: Tournament, form: Swiss, there: list[str]) -> Proposal:
    """The next round of a stage in a system of FIDE. Raises `TournamentRefused`: `no_pairing`."""
    stage = state.stage
    assert stage is not None, "A round belongs to a stage."
    number = len(stage.rounds) + 1
    contenders = _contenders(state, stage, set(there))
    forbidden = sorted(pair for pair in forbidden_pairs(state) if set(there).issuperset(pair))
    terms = state.stage_terms(stage.number)
    bye: Literal["win", "draw"] = "win" if percents_of(terms).bye > BYE_AS_DRAW else "draw"
    score = terms.score
    points = Points(score.win, score.draw, score.loss) if isinstance(score, WinDrawLoss) else Points()
    event = Event(number, max(form.rounds, number), forbidden=tuple(forbidden), bye=bye, points=points)
    system: System = "dutch" if form.method == "fide_dutch" else "team"
    if isinstance(score, WinDrawLoss):
        event = replace(event, virtual=_beside(state, contenders, number, event.counted(system)))
    try:
        found = pair_fide(system, contenders, event)
    except NoPairing as error:
        raise no_pairing(error) from error
    given = {
        "system": system,
        "event": msgspec.to_builtins(event),
        "contenders": msgspec.to_builtins(contenders),
    }
    return proposal_of(found, given)


def _beside(state: Tournament, contenders: list[FideContender], number: int, points: Points) -> tuple[Virtual, ...]:
    """What an entrant has beside the results that the engine is told: scores of who came late, rulings, penalties.

    It counts for the round that is paired, so that the groups are those of the standings. The library has nobody below
    nothing: where penalties leave less, everybody has as much more.
    """
    scores = totals(state)
    there = [each for each in contenders if not each.absent]
    lift = -min((scores.get(each.entrant, 0) for each in there), default=0)
    beside = {each.entrant: scores.get(each.entrant, 0) - each.score(points) + max(lift, 0) for each in there}
    return tuple(Virtual(entrant, number, number, more) for entrant, more in beside.items() if more)


def _contenders(state: Tournament, stage: StageState, there: set[str]) -> list[FideContender]:
    """Everybody who was ever in the stage: who left is absent, but those whom it met have met it."""
    rounds = [_late(state, stage, number) | _lines(state, number) for number in stage.rounds]
    # Pairing numbers must be the same in every round, so that newcomers follow in the order of their first rounds.
    order = dict.fromkeys(stage.entrants)
    for lines in rounds:
        order |= dict.fromkeys(sorted(lines, key=lambda each: state.entrants[each].place))
    order |= dict.fromkeys(field_of(state, next_round(state)))
    return [
        FideContender(
            entrant=entrant,
            seed=seed,
            rating=max(state.entrants[entrant].rating or 0, 0) // 100,
            rounds=tuple(lines.get(entrant, _ABSENT) for lines in rounds),
            absent=entrant not in there,
        )
        for seed, entrant in enumerate(order, 1)
    ]


def _lines(state: Tournament, number: int) -> dict[str, FideRound]:
    lines = {entrant: FideRound(bye) for entrant, bye in state.rounds[number].byes.items()}
    for match in state.matches_of(number):
        for side in (0, 1):
            lines[match.paired.sides[side][0]] = _line(match, side)
    return lines


def _late(state: Tournament, stage: StageState, number: int) -> dict[str, FideRound]:
    """What late entrants have of a round that they missed, where it is half of a win, or a win."""
    kinds = {entrant: _KINDS.get(percent) for entrant, percent in late_percents(state, stage, number).items()}
    return {entrant: FideRound(kind) for entrant, kind in kinds.items() if kind is not None}


def _line(match: Match, side: int) -> FideRound:
    """A round of one side. A match that is still being played counts as drawn until it is over."""
    outcome = match.outcome
    opponent, compass = match.paired.sides[1 - side][0], SIDES[side]
    if is_unplayed(match):
        return FideRound("forfeit", "win" if is_winner_unplayed(match, side) else "loss", opponent, compass)
    counted = (0, 0) if outcome is None else outcome.points if outcome.score is None else outcome.score
    own, other = counted[side], counted[1 - side]
    return FideRound("played", "draw" if own == other else "win" if own > other else "loss", opponent, compass)
