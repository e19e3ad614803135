"""Director's acts on pairings: by the format with some given, by hand, taken back, two changing places."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations

from domain.pairing.shapes import Sides
from domain.tournaments import acts
from domain.tournaments.at_will import under_way
from domain.tournaments.challenging import settle_by_hand
from domain.tournaments.desk import Desk, named_twice, round_at
from domain.tournaments.endings import close_round
from domain.tournaments.entrants import check_status, entrant_of, next_round
from domain.tournaments.entry_events import ByeAsked
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import fold
from domain.tournaments.formats import Elimination
from domain.tournaments.given_up import given_up, kept
from domain.tournaments.numbering import numbered
from domain.tournaments.pairing_rounds import (
    DIRECTOR,
    GIVEN_BYE,
    PINNED,
    pair_next,
    paired,
    stage_is_over,
    stage_not_over,
)
from domain.tournaments.playing import field_of, goes_in_waves, is_open, takes_part
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import PairingUndone, RoundPaired
from domain.tournaments.rounds_running import check_unruled, is_through
from domain.tournaments.seating import Bye
from domain.tournaments.state import StageState, Tournament
from domain.tournaments.tables import sides_of


def pair(desk: Desk, act: acts.Pair) -> None:
    """The next round by its format. Whoever is pinned or given a bye is left out of what the engine is given.

    Raises `TournamentRefused`: as `pair_next` and `close_round` do, `tournament_wrong_status`, `round_wrong_status`,
    `stage_wrong`, `entrant_not_found`, `pairing_invalid`, `consent_missing`, `pairing_forbidden`, `no_pairing`.
    """
    stage = _ready(desk)
    state = desk.state
    if not act.pinned and not act.byes:
        happened = pair_next(state, by=desk.by)
        if goes_in_waves(state.stage_terms(stage.number)) and not any(_has_matches(each) for each in happened):
            raise TournamentRefused(TournamentCode.NO_PAIRING, why="nobody_waits", entrants=[])
        desk.take(happened)
        return
    if not is_open(state.stage_terms(stage.number)):
        raise TournamentRefused(TournamentCode.STAGE_WRONG, needed="a format that is paired round by round")
    pinned: list[Sides] = [((one,), (other,)) for one, other in act.pinned]
    _check_by_hand(state, pinned, act.byes)
    _check_forbidden(state, pinned, act.accept_forbidden)
    settle_by_hand(desk, pinned)
    state = desk.state
    number = next_round(state)
    apart = [each for sides in pinned for side in sides for each in side]
    absent: dict[str, Bye] = dict.fromkeys(apart, "zero_bye")
    absent |= act.byes
    left_out = [ByeAsked(entrant=each, rounds=(number,), bye=bye) for each, bye in absent.items()]
    (engine,) = pair_next(fold(state, numbered(state, desk.by, left_out)))
    assert isinstance(engine, RoundPaired)
    desk.take(
        paired(
            state,
            [*pinned, *(match.sides for match in engine.matches)],
            {each: bye for each, bye in engine.byes.items() if each not in apart},
            engine.engine,
            relaxations=(
                *(f"{PINNED}:{one}+{other}" for one, other in act.pinned),
                *(f"{GIVEN_BYE}:{each}" for each in act.byes),
                *given_up(state, pinned),
                *engine.relaxations,
            ),
            explanation=engine.explanation or (),
            digest=engine.digest,
        )
    )


def _has_matches(event: AnyTournamentEvent) -> bool:
    return isinstance(event, RoundPaired) and bool(event.matches)


def pair_by_hand(desk: Desk, act: acts.PairByHand) -> None:
    """The next round as the director has it; whoever is left off has a zero bye.

    Raises `TournamentRefused`: as `close_round` does, `tournament_wrong_status`, `round_wrong_status`, `stage_wrong`,
    `stage_over`, `entrant_not_found`, `pairing_invalid`, `consent_missing`, `pairing_forbidden`, `boards_spent`.
    """
    stage = _ready(desk)
    state = desk.state
    rotating = state.terms.boards is not None and state.terms.boards.movement == "rotating"
    if isinstance(state.stage_terms(stage.number).format, Elimination) or rotating:
        raise TournamentRefused(TournamentCode.STAGE_WRONG, needed="neither a bracket nor boards that go round")
    stage_not_over(state)
    matches = [match.sides for match in act.matches]
    _check_by_hand(state, matches, act.byes)
    _check_forbidden(state, matches, act.accept_forbidden)
    settle_by_hand(desk, matches)
    desk.take(paired(desk.state, matches, act.byes, relaxations=given_up(state, matches)))


def _ready(desk: Desk) -> StageState:
    """The stage whose next round can be paired; a round before it that is over is closed.

    Raises `TournamentRefused`: `tournament_wrong_status`, `round_wrong_status`; `stage_over` where the time of an arena
    or a ladder is.
    """
    check_status(desk.state, "running")
    stage, last = desk.state.stage, desk.state.round
    assert stage is not None, "A running tournament has a stage."
    if goes_in_waves(desk.state.stage_terms(stage.number)) and stage_is_over(desk.state, desk.now):
        raise TournamentRefused(TournamentCode.STAGE_OVER, stage=stage.number, needed="end_stage")
    if last is not None and last.status != "closed" and not goes_in_waves(desk.state.stage_terms(stage.number)):
        if last.status == "paired":
            raise TournamentRefused(
                TournamentCode.ROUND_WRONG_STATUS, round=last.number, status=last.status, needed="closed"
            )
        if not is_through(desk.state, last):
            desk.take(close_round(desk.state, last.number, desk.by))
    return stage


def _check_by_hand(state: Tournament, matches: Sequence[Sides], byes: Mapping[str, Bye]) -> None:
    """Everybody is there and free, nobody twice, and as many sides as a table has.

    Raises `TournamentRefused`: `entrant_not_found`, `pairing_invalid`, `consent_missing`.
    """
    named = [*(each for sides in matches for side in sides for each in side), *byes]
    twice = named_twice(named)
    if twice:
        raise TournamentRefused(TournamentCode.PAIRING_INVALID, needed="nobody twice", twice=twice)
    playing = under_way(state)
    taken = [each for each in named if each in playing]
    if taken:
        needed = "nobody who is under way in another match"
        raise TournamentRefused(TournamentCode.PAIRING_INVALID, needed=needed, entrants=taken)
    field = set(field_of(state, next_round(state)))
    for each in named:
        entrant = entrant_of(state, each)
        if each not in field:
            raise TournamentRefused(TournamentCode.PAIRING_INVALID, needed="who plays in this round", entrant=each)
        if not takes_part(state, entrant) and each not in byes:
            raise TournamentRefused(
                TournamentCode.CONSENT_MISSING, entrant=each, needed="everybody agreed to be seated, and checked in"
            )
    for sides in matches:
        if not _fits(state, sides):
            raise TournamentRefused(
                TournamentCode.PAIRING_INVALID, needed=_shape(state), match=[list(side) for side in sides]
            )


def _fits(state: Tournament, sides: Sides) -> bool:
    terms = state.terms
    if terms.entrants == "teams":
        return [len(side) for side in sides] == [1, 1]
    if terms.entrants == "fixed":
        return [len(side) for side in sides] == [1] * len(sides_of(terms, terms.players))
    players = sum(map(len, sides))
    if players not in terms.ruleset.players:
        return False
    return [len(side) for side in sides] == [len(side) for side in sides_of(terms, players)]


def _shape(state: Tournament) -> str:
    terms = state.terms
    if terms.entrants == "individuals":
        return "single persons in the sides of a table that the rule set permits"
    sides = 2 if terms.entrants == "teams" else len(sides_of(terms, terms.players))
    return f"{sides} sides of one entrant each"


def _check_forbidden(state: Tournament, matches: Iterable[Sides], accepted: bool) -> None:
    """Raises `TournamentRefused`: `pairing_forbidden`."""
    pairs = [
        sorted(pair)
        for sides in matches
        for pair in combinations([each for side in sides for each in side], 2)
        if frozenset(pair) in state.forbidden
    ]
    if pairs and not accepted:
        raise TournamentRefused(TournamentCode.PAIRING_FORBIDDEN, pairs=pairs, needed="accept_forbidden")


def undo_pairing(desk: Desk, act: acts.UndoPairing) -> None:
    """The last round, not begun and without a ruling, is taken back.

    Raises `TournamentRefused`: as `round_at` does, `round_wrong_status`.
    """
    last = round_at(desk.state, act.round, "paired")
    if last is not desk.state.round:
        raise TournamentRefused(TournamentCode.ROUND_WRONG_STATUS, round=act.round, needed="the last round")
    check_unruled(desk.state, last)
    desk.add(PairingUndone(round=last.number))


def swap(desk: Desk, act: acts.Swap) -> None:
    """The round is paired anew with the two in each other's place; one of them may have a bye, and the other one have
    left. Matches of others stay as they are, whoever has left them.

    Raises `TournamentRefused`: as `undo_pairing` does, `entrant_not_found`, `stage_wrong`, `pairing_invalid`,
    `consent_missing`, `pairing_forbidden`.
    """
    state = desk.state
    number = round_at(state, act.round, "paired").number
    one, other = act.entrants
    for each in act.entrants:
        entrant_of(state, each)
    undo_pairing(desk, acts.UndoPairing(round=number))
    before = state.rounds[number]
    stage = state.stage_terms(before.stage)
    if isinstance(stage.format, Elimination) or (state.terms.boards and state.terms.boards.movement == "rotating"):
        raise TournamentRefused(TournamentCode.STAGE_WRONG, needed="neither a bracket nor boards that go round")
    places = {one: other, other: one}
    matches: list[Sides] = [
        tuple(tuple(places.get(each, each) for each in side) for side in match.paired.sides)
        for match in state.matches_of(number)
    ]
    byes = {places.get(each, each): bye for each, bye in before.byes.items()}
    named = {each for sides in matches for side in sides for each in side} | {*byes}
    if one == other or not {one, other} <= named:
        raise TournamentRefused(
            TournamentCode.PAIRING_INVALID, needed="two entrants of the round", entrants=[one, other]
        )
    field = set(field_of(desk.state, number))
    byes = {each: bye for each, bye in byes.items() if each in field}
    changed = [sides for sides in matches if any({one, other} & {*side} for side in sides)]
    _check_by_hand(desk.state, changed, byes)
    _check_forbidden(desk.state, changed, act.accept_forbidden)
    relaxations = (*kept(before.relaxations, matches, byes), *given_up(desk.state, matches))
    desk.take(paired(desk.state, matches, byes, DIRECTOR, relaxations=tuple(dict.fromkeys(relaxations))))
