"""Director's acts on who stands where at the beginning, and who is not to meet."""

from collections.abc import Sequence

from domain.standings.lots import lot_order
from domain.tournaments import acts
from domain.tournaments.desk import Desk, named_twice
from domain.tournaments.draws import SEEDS, purpose_of
from domain.tournaments.entrants import BEFORE_START, NOT_OVER, check_status, entrant_of, nothing_to_change
from domain.tournaments.entry_events import PairingForbidden, Seeded
from domain.tournaments.events import LotsDrawn
from domain.tournaments.formats import Ladder
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import RungsMoved
from domain.tournaments.state import Tournament


def seed(desk: Desk, act: acts.Seed) -> None:
    """Before the start the seeds; on a ladder under way an `order` is that of its rungs.

    Raises `TournamentRefused`: `tournament_wrong_status`, `entrants_too_few`, `seeds_invalid`.
    """
    state = desk.state
    if state.status == "running" and act.by == "order":
        _move_rungs(desk, act.order)
        return
    check_status(state, *BEFORE_START)
    playing = state.active
    if not playing:
        raise TournamentRefused(TournamentCode.ENTRANTS_TOO_FEW, needed=2, found=0)
    match act.by:
        case "entry":
            desk.add(Seeded(order=tuple(each.id for each in playing), method="entry"))
        case "rating":
            rated = sorted(playing, key=lambda each: (each.rating is None, -(each.rating or 0), each.place))
            desk.add(Seeded(order=tuple(each.id for each in rated), method="rating"))
        case "drawn":
            # Who knew the lots could choose who enters after them. So those drawn twice are the same, unless
            # registration was open in between.
            check_status(state, "closed")
            purpose = purpose_of(SEEDS, state.lots_known)
            lots = state.lots.get(purpose)
            if lots is None:
                lots = desk.draw(purpose)
                desk.add(LotsDrawn(purpose=purpose, seed=lots))
            drawn = lot_order(bytes.fromhex(lots), [each.id for each in playing])
            desk.add(Seeded(order=tuple(drawn), method="drawn"))
        case "order":
            _check_order(act.order, [each.id for each in playing])
            desk.add(Seeded(order=act.order, method="director"))


def _move_rungs(desk: Desk, order: tuple[str, ...]) -> None:
    state = desk.state
    if not any(isinstance(state.stage_terms(each.number).format, Ladder) for each in state.stages[-1:]):
        check_status(state, *BEFORE_START)
    _check_order(order, state.ladder)
    desk.add(RungsMoved(order=order))


def _check_order(order: Sequence[str], everybody: Sequence[str]) -> None:
    """Everybody once and nobody else. Raises `TournamentRefused`: `seeds_invalid`."""
    missing = sorted(set(everybody) - set(order))
    unknown = sorted(set(order) - set(everybody))
    twice = named_twice(order)
    if missing or unknown or twice:
        raise TournamentRefused(
            TournamentCode.SEEDS_INVALID,
            needed="everybody who plays, once",
            missing=missing,
            unknown=unknown,
            twice=twice,
        )


def forbid_pairing(desk: Desk, act: acts.ForbidPairing) -> None:
    """Two entrants are not to meet; the format says whether that ever gives way.

    Raises `TournamentRefused`: `tournament_wrong_status`, `entrant_not_found`, `pairing_invalid`, `nothing_to_change`.
    """
    check_status(desk.state, *NOT_OVER)
    pair = _pair(desk.state, act.pair)
    if pair in desk.state.forbidden:
        raise nothing_to_change(pair=sorted(pair), forbidden=True)
    desk.add(PairingForbidden(pair=act.pair))


def allow_pairing(desk: Desk, act: acts.AllowPairing) -> None:
    """Two entrants may meet again.

    Raises `TournamentRefused`: `tournament_wrong_status`, `entrant_not_found`, `pairing_invalid`, `nothing_to_change`.
    """
    check_status(desk.state, *NOT_OVER)
    pair = _pair(desk.state, act.pair)
    if pair not in desk.state.forbidden:
        raise nothing_to_change(pair=sorted(pair), forbidden=False)
    desk.add(PairingForbidden(pair=act.pair, lifted=True))


def _pair(state: Tournament, pair: tuple[str, str]) -> frozenset[str]:
    for each in pair:
        entrant_of(state, each)
    if pair[0] == pair[1]:
        raise TournamentRefused(TournamentCode.PAIRING_INVALID, needed="two entrants", twice=[pair[0]])
    return frozenset(pair)
