"""The rounds of a file, played again: paired by hand or by their format, results by hand, rulings as they were."""

from collections.abc import Iterator, Sequence
from typing import Final

from domain.tournaments import acts, pairing_acts, registration_acts, rulings
from domain.tournaments.desk import Desk
from domain.tournaments.endings import close_round
from domain.tournaments.formats import Elimination
from domain.tournaments.lengths import legs_of
from domain.tournaments.pairing_rounds import pair_next
from domain.tournaments.results import record
from domain.tournaments.rounds_running import start_round
from domain.tournaments.seating import Adjustment, GameResult
from domain.tournaments.state import Match
from domain.tournaments.terms import Terms
from service.tournaments.exporting import MatchOut, RoundOut
from service.tournaments.importing import Run, StepFailed

UNPLAYED: Final = ("walkover", "nobody")


def is_rotating(terms: Terms) -> bool:
    """Whether boards go round, so that results are told when all rounds of the stage have been played."""
    return terms.boards is not None and terms.boards.movement == "rotating"


def playing(played: RoundOut) -> Run:
    """A round: who comes to it, its pairing and its results."""

    def run(desk: Desk) -> None:
        seated = (entrant for match in played.matches for side in match.sides for entrant in side)
        for entrant in dict.fromkeys([*seated, *played.byes]):
            known = desk.state.entrants.get(entrant)
            if known is not None and known.status == "waiting":
                registration_acts.admit(desk, acts.Admit(entrant=entrant))
        _pair(desk, played)
        desk.take(start_round(desk.state, desk.now, played.number, desk.by))
        _record(desk, [*_matched(desk, played)])

    return run


def ending(played: RoundOut) -> Run:
    """What was ruled in a round, and its end; boards that have gone round are told before."""

    def run(desk: Desk) -> None:
        pairs = [*_matched(desk, played)]
        if is_rotating(desk.state.terms):
            _record(desk, pairs)
        for own, told in pairs:
            _rule(desk, own.id, told)
        desk.take(close_round(desk.state, played.number, desk.by))

    return run


def _pair(desk: Desk, played: RoundOut) -> None:
    """By hand, but for brackets and boards that go round, which only their own format can pair."""
    state = desk.state
    stage = state.stage
    bracket = stage is not None and isinstance(state.stage_terms(stage.number).format, Elimination)
    if bracket or is_rotating(state.terms):
        desk.take(pair_next(state, by=desk.by))
    else:
        matches = tuple(acts.HandPaired(match.sides) for match in played.matches)
        act = acts.PairByHand(matches=matches, byes=played.byes, accept_forbidden=True)
        pairing_acts.pair_by_hand(desk, act)
    paired = desk.state.rounds.get(played.number)
    if paired is None or {match.sides for match in played.matches} != {
        desk.state.matches[each].paired.sides for each in paired.matches
    }:
        raise StepFailed(f"rounds[{played.number - 1}]", "pairing_differs", "The format pairs this round otherwise.")


def _matched(desk: Desk, played: RoundOut) -> Iterator[tuple[Match, MatchOut]]:
    """The matches of a round, each with what the file tells of it."""
    told = {match.sides: match for match in played.matches}
    for own in desk.state.matches_of(played.number):
        yield own, told[own.paired.sides]


def _record(desk: Desk, pairs: Sequence[tuple[Match, MatchOut]]) -> None:
    """All results of a round at once, since boards are told when all tables have played them; then hands for ties."""
    for extra in (False, True):
        results = [
            result
            for own, told in pairs
            for table in range(1, len(own.paired.tables) + 1)
            if (result := _result(desk, own, told, table, extra=extra)) is not None
        ]
        if results:
            desk.take(record(desk.state, results, desk.by))


def _result(desk: Desk, own: Match, told: MatchOut, table: int, *, extra: bool) -> GameResult | None:
    """What a table came to, its games as one result by hand; the hand that decides a tie is a game of its own."""
    legs = legs_of(desk.state.stage_terms(own.stage))
    games = [each for each in told.results if each.table == table and (each.leg > legs) is extra]
    if not games:
        return None
    hands = tuple(hand for each in sorted(games, key=lambda each: each.leg) for hand in each.hands)
    return GameResult(
        match=own.id,
        table=own.paired.tables[table - 1].table,
        leg=legs + 1 if extra else 1,
        game=None,
        points=tuple(sum(hand[side] for hand in hands if side < len(hand)) for side in range(len(told.sides))),
        hands=hands,
        reason="ruling",
        loser=next((each.loser for each in games if each.loser is not None), None),
    )


def _rule(desk: Desk, match: str, told: MatchOut) -> None:
    """The ruling of the file, or one that sets what the file says where playing does not lead there."""
    own = desk.state.matches[match]
    if told.ruling is not None:
        bracket = own.paired.bracket is not None
        rulings.rule(
            desk,
            acts.Rule(
                match=match,
                adjustment=told.ruling.adjustment,
                winner=told.ruling.winner if bracket else None,
                reason=told.ruling.reason,
                accept_dependants=True,
            ),
        )
        return
    if told.decided in UNPLAYED:
        absent = tuple(side != told.winner for side in range(len(told.sides)))
        adjustment = Adjustment(kind="forfeit", forfeit=absent)
        rulings.rule(desk, acts.Rule(match=match, adjustment=adjustment, reason="absence", accept_dependants=True))
        return
    outcome = own.outcome
    if told.score is not None and (outcome is None or outcome.score != told.score):
        adjustment = Adjustment(kind="score", score=told.score)
        rulings.rule(desk, acts.Rule(match=match, adjustment=adjustment, reason="other", accept_dependants=True))
