"""Results of games: taken in once each, told when they may be, and made into what a match comes to."""

from collections.abc import Iterable, Iterator, Sequence

from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.fold import fold
from domain.tournaments.games import game_id, open_games
from domain.tournaments.lengths import decides_ties_by_a_hand, hands_from, hands_of, legs_of
from domain.tournaments.numbering import SERVICE, numbered
from domain.tournaments.outcomes import outcome
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_events import GameFinished, MatchDecided, ResultRecorded
from domain.tournaments.seating import GameResult
from domain.tournaments.state import Match, Tournament

BY_HAND = frozenset({"not_begun", "ruling", "position"})
"""Why a game has a result that no game of its own stands behind."""

POINTS_MAX = 10_000_000
"""No result of a game has more points, for or against."""


def record(state: Tournament, results: Sequence[GameResult], by: str = SERVICE) -> list[AnyTournamentEvent]:
    """The results of games that have ended, and of every match that is over with them what it comes to.

    A game that is in already gives nothing. A game on boards is only noted as finished until all tables that play its
    boards are; then its result counts when it is given (again). Raises `TournamentRefused`: `match_not_found`,
    `round_not_started`, `result_wrong_table`, `result_wrong_leg`, `result_wrong_game`, `result_invalid`.
    """
    happened: list[AnyTournamentEvent] = []
    now = state
    for result in results:
        match = _checked(now, result)
        if match.paired.boards and match.result(result.table, result.leg) is None:
            now = _after(now, by, happened, _finish(match, result))
    missing = [each for each in results if now.matches[each.match].result(each.table, each.leg) is None]
    told = _told(now, missing)
    for result in missing:
        if result.match in told and now.matches[result.match].result(result.table, result.leg) is None:
            now = _after(now, by, happened, [ResultRecorded(result=result)])
    for match_id in dict.fromkeys(each.match for each in results):
        now = _after(now, by, happened, settle(now, match_id, by))
    return happened


def finished(state: Tournament, result: GameResult, by: str = SERVICE) -> list[AnyTournamentEvent]:
    """A game on boards has ended; nothing is told of its result. Nothing where that is known. Refuses as `record`."""
    return numbered(state, by, _finish(_checked(state, result), result))


def settle(state: Tournament, match_id: str, by: str = SERVICE) -> list[AnyTournamentEvent]:
    """What a match comes to, where all its games are over and nobody has said it yet."""
    match = state.matches[match_id]
    if match.decided is not None or not match.results or is_held_back(match) or open_games(state, match):
        return []
    came = outcome(state, match)
    event = MatchDecided(match=match.id, points=came.points, score=came.score, winner=came.winner, how=came.how)
    return numbered(state, by, [event])


def boards_open(state: Tournament, match_id: str) -> bool:
    """Whether results of a match's games may be told."""
    match = state.matches[match_id]
    return not match.paired.boards or _is_open(state, _group(state, match))


def boards_done(state: Tournament) -> frozenset[str]:
    """The matches with results held back that may be told now: all tables that play their boards are through.

    Boards that go round are played to the end of the stage; those of a barometer to that of the round.
    """
    waiting: dict[tuple[int, ...], list[str]] = {}
    for match in state.matches.values():
        if is_held_back(match):
            waiting.setdefault(_group(state, match), []).append(match.id)
    return frozenset(match for group, matches in waiting.items() if _is_open(state, group) for match in matches)


def told_boards(state: Tournament, match: Match) -> list[int]:
    """Those of a match's boards that are told by the results of other matches."""
    told: set[int] = set()
    for each in state.matches.values():
        if each.results and each.id != match.id:
            told.update(each.paired.boards)
    return [board for board in match.paired.boards if board in told]


def is_played_out(state: Tournament, match: Match) -> bool:
    """Whether nothing of a match is being played, whatever may still be held back."""
    return match.over or (match.started and not open_games(state, match))


def _group(state: Tournament, match: Match) -> tuple[int, ...]:
    """The rounds in which the boards of a match are played."""
    boards = state.terms.boards
    if boards is None or boards.movement == "barometer":
        return (match.round,)
    return state.stages[match.stage].rounds


def _is_open(state: Tournament, rounds: tuple[int, ...]) -> bool:
    stage = state.stages[state.rounds[rounds[0]].stage]
    boards = state.terms.boards
    rotating = boards is not None and boards.movement == "rotating"
    goes_on = stage is state.stage and state.status == "running"
    if rotating and goes_on and len(rounds) < (stage.rounds_planned or 0):
        return False
    return all(is_played_out(state, match) for number in rounds for match in state.matches_of(number))


def is_held_back(match: Match) -> bool:
    """Whether games of a match have ended whose results are not told yet."""
    return any(match.result(table, leg) is None for table, leg in match.finished)


def _told(state: Tournament, results: Sequence[GameResult]) -> set[str]:
    """The matches of these results that may be told of them.

    The results themselves can tell that a table has no further game to play: given up, or recorded by hand.
    """
    on_boards = [each for each in results if state.matches[each.match].paired.boards]
    told = {each.match for each in results} - {each.match for each in on_boards}
    if on_boards:
        told |= boards_done(state)
        after = fold(state, numbered(state, SERVICE, [ResultRecorded(result=each) for each in on_boards]))
        groups = {each.match: _group(after, after.matches[each.match]) for each in on_boards}
        through = {group: _is_open(after, group) for group in set(groups.values())}
        told |= {match for match, group in groups.items() if through[group]}
    return told


def _finish(match: Match, result: GameResult) -> Iterator[AnyTournamentEvent]:
    known = (result.table, result.leg) in match.finished or match.result(result.table, result.leg) is not None
    if not known and match.paired.boards:
        game = result.game or ""
        yield GameFinished(match=match.id, table=result.table, leg=result.leg, game=game)


def _after(
    state: Tournament, by: str, happened: list[AnyTournamentEvent], more: Iterable[AnyTournamentEvent]
) -> Tournament:
    fresh = numbered(state, by, more)
    happened += fresh
    return fold(state, fresh) if fresh else state


def _checked(state: Tournament, result: GameResult) -> Match:
    """The match that a result belongs to; it is refused where it cannot be one of its games."""
    match = state.matches.get(result.match)
    if match is None:
        raise TournamentRefused(TournamentCode.MATCH_UNKNOWN, match=result.match)
    if not match.started:
        raise TournamentRefused(TournamentCode.ROUND_NOT_STARTED, match=match.id, round=match.round)
    tables = [seats.table for seats in match.paired.tables]
    if result.table not in tables:
        raise TournamentRefused(TournamentCode.RESULT_WRONG_TABLE, match=match.id, tables=tables, found=result.table)
    if not _is_leg(state, match, result):
        stage = state.stage_terms(match.stage)
        raise TournamentRefused(
            TournamentCode.RESULT_WRONG_LEG,
            match=match.id,
            table=result.table,
            legs=legs_of(stage) + decides_ties_by_a_hand(stage),
            found=result.leg,
        )
    game = game_id(state.id, match.id, result.table, result.leg)
    if result.game not in (game, None) or (result.game is None and result.reason not in BY_HAND):
        raise TournamentRefused(TournamentCode.RESULT_WRONG_GAME, match=match.id, game=game, found=result.game)
    _check_points(state, match, result)
    return match


def _is_leg(state: Tournament, match: Match, result: GameResult) -> bool:
    """Whether a game is one that was played, or is to be played; in a match that is over also the next one."""
    table, leg = result.table, result.leg
    if match.result(table, leg) is not None or (table, leg) in match.finished:
        return True
    if match.over:
        before = match.result(table, leg - 1) is not None or (table, leg - 1) in match.finished
        stage = state.stage_terms(match.stage)
        return leg == 1 or (before and leg <= legs_of(stage) + decides_ties_by_a_hand(stage))
    return any((seats.table, opened) == (table, leg) for seats, opened in open_games(state, match))


def _check_points(state: Tournament, match: Match, result: GameResult) -> None:
    sides = len(match.paired.sides)
    needed = None
    stage = state.stage_terms(match.stage)
    # What is recorded by hand stands for all further games as well.
    most = (hands_from if result.game is None else hands_of)(stage, result.leg)
    if len(result.points) != sides or any(len(hand) != sides for hand in result.hands):
        needed = f"points for {sides} sides"
    elif any(sum(hand[side] for hand in result.hands) != total for side, total in enumerate(result.points)):
        needed = "points that are the sum of the hands"
    elif any(abs(each) > POINTS_MAX for each in result.points):
        needed = f"points up to {POINTS_MAX}"
    elif most is not None and len(result.hands) > most:
        needed = f"at most {most} hands"
    elif result.reason == "position" and not result.hands:
        needed = "the unfinished hand as the last one"
    elif result.loser is not None and not 0 <= result.loser < sides:
        needed = f"a side from 0 to {sides - 1}"
    if needed is not None:
        raise TournamentRefused(TournamentCode.RESULT_INVALID, match=match.id, table=result.table, needed=needed)
