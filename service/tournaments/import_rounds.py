"""The rounds of a file, played again: paired by hand or by their format, results by hand, rulings as they were."""

from collections.abc import Iterator, Sequence

from domain.tournaments import acts, pairing_acts, rulings
from domain.tournaments.adjustments import adjusted
from domain.tournaments.desk import Desk
from domain.tournaments.endings import close_round
from domain.tournaments.entry_events import Returned, Withdrawn
from domain.tournaments.formats import Elimination
from domain.tournaments.history import UNPLAYED
from domain.tournaments.lengths import legs_of
from domain.tournaments.pairing_rounds import pair_next
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.results import record
from domain.tournaments.round_events import StageShortened
from domain.tournaments.rounds_running import start_round
from domain.tournaments.seating import Adjustment, GameResult
from domain.tournaments.state import Decided, Match
from service.tournaments.exporting import MatchOut, RoundOut, RulingOut, is_rotating
from service.tournaments.importing import Run, StepFailed


def playing(played: RoundOut) -> Run:
    """A round: its pairing and its results."""

    def run(desk: Desk) -> None:
        if is_rotating(desk.state.terms):
            _seat_who_was_there(desk, played)
        _pair(desk, played)
        desk.take(start_round(desk.state, desk.now, played.number, desk.by))
        if not is_rotating(desk.state.terms):
            _record(desk, [*_matched(desk, played)])

    return run


def _seat_who_was_there(desk: Desk, played: RoundOut) -> None:
    """Boards that go round are paired by their format alone, which leaves out who has left."""
    stage = desk.state.stage
    assert stage is not None, "A round belongs to a stage."
    there = {*named(played)}
    for each in stage.entrants:
        status = desk.state.entrants[each].status
        if status == "entered" and each not in there:
            desk.add(Withdrawn(entrant=each, reason="other"))
        elif status == "withdrawn" and each in there:
            desk.add(Returned(entrant=each))


def named(played: RoundOut) -> list[str]:
    """Who has a part in a round."""
    seated = (entrant for match in played.matches for side in match.sides for entrant in side)
    return [*seated, *played.byes]


def ending(played: RoundOut) -> Run:
    """What was ruled in a round, and its end."""

    def run(desk: Desk) -> None:
        for own, told in [*_matched(desk, played)]:
            _rule(desk, own.id, told)
        desk.take(close_round(desk.state, played.number, desk.by))

    return run


def ending_stage(rounds: Sequence[RoundOut]) -> Run:
    """The end of all rounds of a stage whose boards went round, also where a director ended it early."""

    def run(desk: Desk) -> None:
        stage = desk.state.stage
        assert stage is not None, "A round belongs to a stage."
        told = any(match.results for played in rounds for match in played.matches)
        if told and len(stage.rounds) < (stage.rounds_planned or 0):
            desk.add(StageShortened(stage=stage.number, rounds=len(stage.rounds), finished=False))
        _record(desk, [pair for played in rounds for pair in _matched(desk, played)])
        for played in rounds:
            ending(played)(desk)

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
        try:
            pairing_acts.pair_by_hand(desk, act)
        except TournamentRefused as refused:
            # Tables of fewer sides than usual are made by the format alone.
            desk.take(pair_next(desk.state, by=desk.by))
            if not _is_paired(desk, played):
                raise refused from None
    if not _is_paired(desk, played):
        raise StepFailed(f"rounds[{played.number - 1}]", "pairing_differs", "The format pairs this round otherwise.")


def _is_paired(desk: Desk, played: RoundOut) -> bool:
    """Whether the round has the matches that the file says."""
    paired = desk.state.rounds.get(played.number)
    told = {match.sides for match in played.matches}
    return paired is not None and told == {desk.state.matches[each].paired.sides for each in paired.matches}


def _matched(desk: Desk, played: RoundOut) -> Iterator[tuple[Match, MatchOut]]:
    """The matches of a round, each with what the file tells of it."""
    told = {match.sides: match for match in played.matches}
    for own in desk.state.matches_of(played.number):
        yield own, told[own.paired.sides]


def _record(desk: Desk, pairs: Sequence[tuple[Match, MatchOut]]) -> None:
    """All results at once, since boards are told when all tables have played them; then hands for ties.

    What was not played to its end was ruled before: nothing would be told while it was open.
    """
    for own, told in pairs:
        if told.over and {each.table for each in told.results} != {*range(1, len(own.paired.tables) + 1)}:
            _rule(desk, own.id, told)
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
    """What a table came to, its games as one result by hand; the hand that decides a tie is a game of its own.

    A hand that was counted as it lay is none that was finished: that it was one decides whether the match counts.
    """
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
        reason="position" if any(each.reason == "position" for each in games) else "ruling",
        loser=next((each.loser for each in games if each.loser is not None), None),
    )


def _rule(desk: Desk, match: str, told: MatchOut) -> None:
    """The ruling of the file, or one that sets what the file says where playing does not lead there."""
    own = desk.state.matches[match]
    if own.ruling is not None:
        return
    if told.ruling is not None:
        _rule_as_told(desk, own, told, told.ruling)
        return
    if told.decided in UNPLAYED:
        absent = tuple(side != told.winner for side in range(len(told.sides)))
        adjustment = Adjustment(kind="forfeit", forfeit=absent)
        rulings.rule(desk, acts.Rule(match=match, adjustment=adjustment, reason="absence", accept_dependants=True))
    elif told.score is not None and not _came_to(own, told):
        # So too where somebody had gone on in a bracket already when a ruling was taken back.
        adjustment = Adjustment(kind="score", score=told.score)
        _rule_as_told(desk, own, told, RulingOut(adjustment=adjustment, winner=told.winner, reason="other"))


def _came_to(own: Match, told: MatchOut) -> bool:
    """Whether playing leads to what the file says."""
    found = own.outcome
    if found is None or found.score != told.score or told.points not in (None, found.points):
        return False
    return own.paired.bracket is None or found.winner == told.winner


def _rule_as_told(desk: Desk, own: Match, told: MatchOut, ruling: RulingOut) -> None:
    """A ruling as it was made. What the games had come to by then is none but the file's to tell."""
    ruled = adjusted(desk.state, own, ruling.adjustment)
    winner = ruled.winner if own.paired.bracket is None else _side(told, ruling.winner)
    points, score = ruled.points, ruled.score
    if told.points is not None and len(told.points) == len(points):
        points = told.points
    if told.score is not None and score is not None and len(told.score) == len(score):
        score = told.score
    ruled = Decided(points, score, winner, ruled.how)
    rulings.issue(desk, own, ruling.adjustment, ruled, ruling.reason, accept_dependants=True)


def _side(told: MatchOut, winner: int | None) -> int | None:
    """Raises `StepFailed` for a side that there is not."""
    if winner is not None and winner >= len(told.sides):
        raise StepFailed(f"match {told.id}", "winner_invalid", "This side is none of the match.")
    return winner
