"""The next round of a stage: proposed by its format, checked, seated at tables, and written down as one event."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Final

from msgspec import UNSET

from domain.events import encode
from domain.pairing.shapes import Sides
from domain.tournaments import clocks
from domain.tournaments.at_will import propose_challenges, propose_from_pool
from domain.tournaments.by_bracket import propose_by_bracket, ready_matches
from domain.tournaments.by_fide import propose_by_fide
from domain.tournaments.by_partners import propose_by_partners
from domain.tournaments.by_schedule import propose_by_schedule
from domain.tournaments.by_standing import propose_by_standing
from domain.tournaments.entrants import next_round
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.formats import Arena, Danish, Elimination, Individual, Ladder, Swiss
from domain.tournaments.history import history
from domain.tournaments.numbering import SERVICE, numbered
from domain.tournaments.playing import field_of, goes_in_waves, has_schedule, kept_out, present, takes_part
from domain.tournaments.proposals import Proposal, ProposedMatch, check_proposal
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import RoundPaired
from domain.tournaments.round_sizes import ROUND_BYTES_MAX
from domain.tournaments.seating import Bye
from domain.tournaments.state import Round, StageState, Tournament
from domain.tournaments.tables import seated

DIRECTOR = "director"
"""The engine of a director's own pairing."""

PINNED: Final = "pinned"
GIVEN_BYE: Final = "given_bye"
"""Relaxations that tell what of a pairing by its format was the director's: a couple, a bye."""

FEWEST: Final = 2
"""Entrants who can be seated without whom a round has to wait."""


def pair_next(state: Tournament, by: str = SERVICE) -> list[AnyTournamentEvent]:
    """The next round of the stage by its format.

    Raises `TournamentRefused`: `stage_over` (`needed` tells the act by which one goes on), `entrants_too_few` who
    agreed and checked in, `no_pairing` (`why` and `entrants` tell), `boards_spent`.
    """
    stage = stage_not_over(state)
    proposal = _proposed(state, stage)
    form = state.stage_terms(stage.number).format
    if not isinstance(form, Elimination | Arena | Ladder):
        check_proposal(proposal, present(state, next_round(state)), map(frozenset, history(state).met))
    return _written(state, stage, proposal, by)


def stage_not_over(state: Tournament) -> StageState:
    """The stage that has begun last and has a further round.

    Raises `TournamentRefused`: `stage_over` (`needed` tells the act by which one goes on).
    """
    stage = state.stage
    if stage is None:
        raise TournamentRefused(TournamentCode.STAGE_OVER, stage=None, needed="start")
    if stage_is_over(state):
        last = stage.number + 1 == len(state.terms.stages)
        needed = "finish" if last else "advance or end_stage"
        raise TournamentRefused(TournamentCode.STAGE_OVER, stage=stage.number, needed=needed)
    return stage


def paired(
    state: Tournament,
    sides: Sequence[Sides],
    byes: Mapping[str, Bye],
    engine: str = DIRECTOR,
    *,
    relaxations: tuple[str, ...] = (),
    explanation: tuple[str, ...] = (),
    digest: str | None = None,
) -> list[AnyTournamentEvent]:
    """A round of these matches and byes; whoever is in none of them has a zero bye.

    `digest` is that of the sides and byes themselves unless something else was given. Raises `TournamentRefused`:
    `stage_over` where no stage has begun, `boards_spent`, `no_pairing` where the round is larger than an append.
    """
    if state.stage is None:
        raise TournamentRefused(TournamentCode.STAGE_OVER, stage=None)
    proposal = Proposal(
        matches=tuple(ProposedMatch(match) for match in sides),
        byes=byes,
        engine=engine,
        given={"sides": [*sides], "byes": dict(byes)},
        relaxations=relaxations,
        explanation=explanation,
    )
    return _written(state, state.stage, proposal, SERVICE, digest)


def stage_is_over(state: Tournament, now: datetime | None = None) -> bool:
    """Whether a stage has no further round: all are paired, its time is over, or fewer than two are left to play.

    Without `now` an arena and a ladder never are.
    """
    stage = state.stage
    if stage is None:
        return True
    form = state.stage_terms(stage.number).format
    if isinstance(form, Elimination):
        return not ready_matches(state) and all(state.rounds[each].status == "closed" for each in stage.rounds)
    if isinstance(form, Arena | Ladder):
        return now is not None and now >= end_of_waves(stage, form)
    if stage.rounds_planned is not None and len(stage.rounds) >= stage.rounds_planned:
        return True
    return len(field_of(state, next_round(state))) < 2


def end_of_waves(stage: StageState, form: Arena | Ladder) -> datetime:
    """When an arena or a ladder is over."""
    lasts = timedelta(minutes=form.minutes) if isinstance(form, Arena) else timedelta(days=form.days)
    return clocks.moment(stage.begun_at) + lasts


def _proposed(state: Tournament, stage: StageState) -> Proposal:
    form = state.stage_terms(stage.number).format
    if isinstance(form, Elimination):
        return propose_by_bracket(state)
    if isinstance(form, Arena):
        return propose_from_pool(state)
    if isinstance(form, Ladder):
        return propose_challenges(state)
    number = next_round(state)
    there = present(state, number)
    field = [state.entrants[each] for each in field_of(state, number)]
    seatable = sum(takes_part(state, each) for each in field)
    if seatable < FEWEST:
        others = kept_out(state, field)
        raise TournamentRefused(TournamentCode.ENTRANTS_TOO_FEW, needed=FEWEST, found=seatable, **others)
    if has_schedule(state, stage):
        assert not isinstance(form, Swiss | Danish), "These go by standing."
        return propose_by_schedule(state, form, stage, there)
    if len(there) < FEWEST:
        return nobody_meets(there)
    if isinstance(form, Individual):
        return propose_by_partners(state, there)
    if isinstance(form, Swiss) and form.method != "victory_points":
        return propose_by_fide(state, form, there)
    assert isinstance(form, Swiss | Danish), "All other formats have a schedule."
    return propose_by_standing(state, form, there)


def is_directors_own(paired: Round) -> bool:
    """Whether a pairing, or a part of it, was a director's, which nothing takes back but an act."""
    parts = {each.partition(":")[0] for each in paired.relaxations}
    return paired.engine == DIRECTOR or not parts.isdisjoint((PINNED, GIVEN_BYE))


def nobody_meets(there: Iterable[str]) -> Proposal:
    """A round that the others sit out: whoever is there has a bye."""
    byes: dict[str, Bye] = dict.fromkeys(there, "bye")
    return Proposal(matches=(), byes=byes, engine="meldhouse 1", given={"there": [*byes]})


def _written(
    state: Tournament,
    stage: StageState,
    proposal: Proposal,
    by: str,
    digest: str | None = None,
) -> list[AnyTournamentEvent]:
    number = next_round(state)
    event = RoundPaired(
        round=number,
        stage=stage.number,
        matches=seated(state, number, proposal.matches),
        byes=_all_byes(state, stage, proposal, number),
        engine=proposal.engine,
        digest=proposal.digest if digest is None else digest,
        relaxations=proposal.relaxations,
        explanation=proposal.explanation or UNSET,
    )
    size = len(encode(event))
    if size > ROUND_BYTES_MAX:
        # More have come in since the plan was checked.
        told = {"why": "round_too_large", "entrants": [], "most": ROUND_BYTES_MAX, "found": size}
        raise TournamentRefused(TournamentCode.NO_PAIRING, **told)
    return numbered(state, by, [event])


def _all_byes(state: Tournament, stage: StageState, proposal: Proposal, number: int) -> dict[str, Bye]:
    """The byes given, those asked for, and zero byes for all others who are entered and not seated.

    Nobody has a bye where matches begin at will, or waits for one in a bracket.
    """
    terms = state.stage_terms(stage.number)
    if goes_in_waves(terms) or isinstance(terms.format, Elimination):
        return dict(proposal.byes)
    known = {entrant for match in proposal.matches for side in match.sides for entrant in side} | {*proposal.byes}
    byes = dict(proposal.byes)
    for each in field_of(state, number):
        if each not in known:
            entrant = state.entrants[each]
            there = takes_part(state, entrant)
            byes[each] = entrant.byes_asked.get(number, "zero_bye") if there else "zero_bye"
    return byes
