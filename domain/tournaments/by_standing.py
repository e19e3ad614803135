"""Rounds by standing: Swiss and Danish (background b.3)."""

from collections.abc import Collection
from itertools import combinations
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.pairing.danish import pair_danish
from domain.pairing.relaxing import Repeats
from domain.pairing.shapes import Contender, Field, NoPairing, Pairing, RelaxationKind, couple
from domain.pairing.swiss import pair_swiss
from domain.standings.lots import lot_order
from domain.tournaments.entrants import next_round
from domain.tournaments.formats import Danish, Relaxation, Swiss
from domain.tournaments.history import History, history
from domain.tournaments.playing import field_of
from domain.tournaments.proposals import Proposal, ProposedMatch, no_pairing
from domain.tournaments.seating import Bye
from domain.tournaments.standings import totals
from domain.tournaments.state import Tournament
from domain.tournaments.tie_breaks import lot_seed

_KINDS: Final[dict[Relaxation, RelaxationKind]] = {
    "avoided": "avoided",
    "forbidden": "forbidden",
    "recent_rematch": "old_rematch",
    "any_rematch": "rematch",
}
"""A relaxation of a format, as the pairing has it."""

_OF_DANISH: Final[tuple[RelaxationKind, ...]] = ("avoided", "old_rematch", "rematch", "forbidden")
"""What gives way in a Danish, which has no order of its own: who is kept apart meets only where all else fails."""

_REPEATS: Final[dict[str, Repeats]] = {"all": "allowed", "not_of_last_round": "not_last", "none": "never"}


def propose_by_standing(state: Tournament, form: Swiss | Danish, there: list[str]) -> Proposal:
    """The next round of a Swiss or Danish stage. Raises `TournamentRefused`: `no_pairing`."""
    past = history(state)
    places = {entrant: number for number, entrant in enumerate(field_of(state, next_round(state)), 1)}
    order = None
    lots = lot_seed(state)
    if form.first_round == "drawn" and past.round == 1 and lots is not None:
        order = lot_order(lots, there)
        if isinstance(form, Danish):
            places = {entrant: number for number, entrant in enumerate(order, 1)}
    field = _field(state, form, [(each, places[each]) for each in there], past)
    try:
        if isinstance(form, Danish):
            found = pair_danish(field, _REPEATS[form.rematches])
        else:
            found = pair_swiss(field, order)
    except NoPairing as error:
        raise no_pairing(error) from error
    return proposal_of(found, {"field": as_json(field), "order": list(order or ())}, rematches=isinstance(form, Danish))


def _field(state: Tournament, form: Swiss | Danish, there: list[tuple[str, int]], past: History) -> Field:
    scores = totals(state)
    contenders = [
        Contender(
            entrant=entrant,
            seed=seed,
            score=scores.get(entrant, 0),
            ns=past.of(entrant).ns,
            last=past.of(entrant).last,
            byes=past.of(entrant).byes,
        )
        for entrant, seed in there
    ]
    known = {entrant for entrant, _ in there}
    relaxations, recent = _OF_DANISH, 1
    if isinstance(form, Swiss):
        relaxations, recent = tuple(_KINDS[each] for each in form.relaxations), form.rematch_after - 1
    return Field(
        contenders=tuple(contenders),
        round=past.round,
        met={pair: last for pair, last in past.met.items() if known.issuperset(pair)},
        forbidden=tuple(sorted(pair for pair in forbidden_pairs(state) if known.issuperset(pair))),
        avoided=tuple(sorted(avoided_pairs(state, known))),
        relaxations=relaxations,
        recent=recent,
    )


def forbidden_pairs(state: Tournament) -> set[tuple[str, str]]:
    """Those whom the director keeps apart."""
    return {couple(*pair) for pair in map(sorted, state.forbidden) if len(pair) == 2}


def avoided_pairs(state: Tournament, known: Collection[str]) -> set[tuple[str, str]]:
    """Those of the same club or household."""
    groups: dict[str, list[str]] = {}
    for entrant in known:
        for code in state.entrants[entrant].avoid:
            groups.setdefault(code, []).append(entrant)
    return {couple(*pair) for group in groups.values() for pair in combinations(group, 2)}


def proposal_of(found: Pairing, given: Any, *, rematches: bool = False) -> Proposal:
    """What a pairing of two sides proposes."""
    byes: dict[str, Bye] = dict.fromkeys(found.byes, "bye")
    return Proposal(
        matches=tuple(ProposedMatch(((pair.ns,), (pair.ew,))) for pair in found.pairs),
        byes=byes,
        engine=f"{found.engine.name} {found.engine.version}",
        given=given,
        relaxations=tuple(f"{each.kind}:{'+'.join(each.entrants)}" for each in found.relaxations),
        explanation=found.explanation,
        rematches=rematches,
    )


def as_json(field: Field) -> dict[str, Any]:
    """A field as plain JSON values, for its digest."""
    plain: dict[str, Any] = msgspec.to_builtins(replace(field, met={}))
    return plain | {"met": [[*pair, last] for pair, last in sorted(field.met.items())]}
