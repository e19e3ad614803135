"""Director's acts on results: rulings, forfeits, results by hand, adjudications.

A ruling stands in the place of a result and supersedes earlier ones; nothing is edited. What follows from it is in the
same append: a bracket that has to be paired anew, standings that are published again, the end that is none any more.
"""

from collections.abc import Iterable

from domain.tournaments import acts
from domain.tournaments.adjustments import adjusted, check_played
from domain.tournaments.at_will import under_way
from domain.tournaments.by_bracket import ready_matches
from domain.tournaments.corrections import check_accepted, check_cuts, follow, publish_again, reopen_ended
from domain.tournaments.dependants import dependants
from domain.tournaments.desk import Desk, match_of, round_of, side_of
from domain.tournaments.endings import rungs_corrected
from domain.tournaments.entrants import check_status, nothing_to_change
from domain.tournaments.event import Reason
from domain.tournaments.formats import Ladder
from domain.tournaments.pairing_rounds import pair_next, stage_is_over
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.results import record, told_boards
from domain.tournaments.round_events import PairingUndone, ResultRecorded, RulingIssued
from domain.tournaments.seating import Adjustment, GameResult
from domain.tournaments.state import Decided, Match, Tournament


def rule(desk: Desk, act: acts.Rule) -> None:
    """A ruling in the place of the result of a match, or rulings taken back.

    Raises `TournamentRefused`: as `adjusted` and `issue` do, `match_not_found`, `adjustment_invalid`,
    `ruling_not_found`, `match_wrong_status`.
    """
    match = match_of(desk.state, act.match)
    if act.adjustment is None:
        _take_back(desk, match, act)
        return
    ruled = adjusted(desk.state, match, act.adjustment)
    check_played(desk.state, match, act.adjustment)
    if act.winner is not None:
        ruled = _with_winner(match, ruled, act.winner)
    elif act.adjustment.kind == "void" and match.paired.bracket is not None:
        raise TournamentRefused(
            TournamentCode.ADJUSTMENT_INVALID, match=match.id, field="winner", needed="the side that goes on"
        )
    issue(desk, match, act.adjustment, ruled, act.reason, act.accept_dependants)


def _take_back(desk: Desk, match: Match, act: acts.Rule) -> None:
    """What was played counts again; a match without a result of its own can only go back while its round goes on."""
    if match.ruling is None or match.ruling.adjustment is None:
        raise TournamentRefused(TournamentCode.RULING_UNKNOWN, match=match.id)
    if match.decided is None and round_of(desk.state, match.round).status == "closed":
        raise TournamentRefused(
            TournamentCode.MATCH_WRONG_STATUS, match=match.id, needed="a result of its own, or another ruling"
        )
    busy = [] if match.decided is not None else _playing_elsewhere(desk.state, match)
    if busy:
        raise TournamentRefused(
            TournamentCode.MATCH_WRONG_STATUS,
            match=match.id,
            entrants=busy,
            needed="nobody who is under way in another match, or another ruling",
        )
    told = [] if match.decided is not None else told_boards(desk.state, match)
    if told:
        # Everybody knows by now how these boards were played: nobody can play them any more.
        raise TournamentRefused(
            TournamentCode.MATCH_WRONG_STATUS, match=match.id, boards=told, needed="another ruling, or an average"
        )
    issue(desk, match, None, match.decided, act.reason, act.accept_dependants)


def _playing_elsewhere(state: Tournament, match: Match) -> list[str]:
    """Those of a match that is over who have been paired since, where rounds overlap."""
    playing = under_way(state)
    return [entrant for side in match.paired.sides for entrant in side if entrant in playing]


def _with_winner(match: Match, ruled: Decided, winner: int) -> Decided:
    if match.paired.bracket is None or winner >= len(match.paired.sides):
        raise TournamentRefused(
            TournamentCode.ADJUSTMENT_INVALID,
            match=match.id,
            field="winner",
            needed="a side of a match of a bracket",
        )
    return Decided(ruled.points, ruled.score, winner, ruled.how)


def forfeit(desk: Desk, act: acts.Forfeit) -> None:
    """These entrants' sides lose a match without playing, or playing on.

    Raises `TournamentRefused`: as `issue` does, `match_not_found`, `entrant_not_found`.
    """
    match = match_of(desk.state, act.match)
    absent = {side_of(match, entrant) for entrant in act.entrants}
    forfeit_match(desk, match, absent, act.reason, act.accept_dependants)


def forfeit_match(desk: Desk, match: Match, absent: set[int], reason: Reason, accept_dependants: bool) -> None:
    """These sides of a match lose it without playing, or without playing on."""
    sides = range(len(match.paired.sides))
    adjustment = Adjustment(kind="forfeit", forfeit=tuple(side in absent for side in sides))
    issue(desk, match, adjustment, adjusted(desk.state, match, adjustment), reason, accept_dependants)


def issue(
    desk: Desk,
    match: Match,
    adjustment: Adjustment | None,
    ruled: Decided | None,
    reason: Reason,
    accept_dependants: bool,
) -> None:
    """The ruling and everything that follows from it.

    Where a later match of the bracket has begun, who goes on stays as it is, and `accept_dependants` has to say so.
    Raises `TournamentRefused`: `tournament_wrong_status`, `nothing_to_change`, `dependants_not_accepted`.
    """
    before = desk.state
    check_status(before, "running", "finished")
    earlier = match.ruling
    if earlier is not None and earlier.adjustment == adjustment and match.outcome == ruled:
        raise nothing_to_change(match=match.id, ruling=earlier.n)
    ended = reopen_ended(desk, reason)
    points = ruled.points if ruled is not None else (0,) * len(match.paired.sides)
    score = ruled.score if ruled is not None else None
    winner = ruled.winner if ruled is not None else None
    changed = match.outcome is not None and winner != match.outcome.winner
    kept = False
    if changed:
        hanging = dependants(before, match.id)
        begun = [each for each in hanging if before.matches[each].started] or _ruled_ahead(before, hanging)
        if begun:
            check_accepted(accept_dependants, match=match.id, matches=begun)
            assert match.outcome is not None
            winner, changed, kept = match.outcome.winner, False, True
    desk.add(
        RulingIssued(
            match=match.id,
            adjustment=adjustment,
            points=points,
            score=score,
            winner=winner,
            reason=reason,
            supersedes=earlier.n if earlier is not None else None,
            kept=kept,
            note=desk.given.text,
        )
    )
    anew = follow(desk, before, match.stage)
    check_cuts(desk, before, match.stage, anew, accept_dependants, match=match.id)
    if changed:
        _pair_anew(desk, match)
    _move_rungs(desk, match)
    # A bracket that has a match to play after the end has not ended.
    publish_again(desk, match.stage, ended and not _is_to_be_played(desk.state), match.round)


def _move_rungs(desk: Desk, match: Match) -> None:
    """The ladder of the stage under way, where the round counted for it."""
    stage, state = desk.state.stage, desk.state
    if stage is None or match.stage != stage.number or state.rounds[match.round].status != "closed":
        return
    if isinstance(state.stage_terms(stage.number).format, Ladder):
        desk.add(*rungs_corrected(state, match))


def _ruled_ahead(state: Tournament, hanging: Iterable[str]) -> list[str]:
    """Matches of the round to come on which there are rulings already: they would be lost if it were paired anew."""
    last = state.round
    if last is None or last.status != "paired" or not set(hanging) & set(last.matches):
        return []
    return [each for each in last.matches if state.matches[each].ruling is not None]


def _pair_anew(desk: Desk, match: Match) -> None:
    """The round of a bracket that is paired but has not begun, where the outcome of this match decides about it."""
    last = desk.state.round
    hanging = dependants(desk.state, match.id)
    if last is None or last.status != "paired" or not set(hanging) & set(last.matches):
        return
    desk.add(PairingUndone(round=last.number))
    if not stage_is_over(desk.state):
        desk.take(pair_next(desk.state, by=desk.by))


def _is_to_be_played(state: Tournament) -> bool:
    """Whether the present stage is a bracket with a match to play."""
    stage = state.stage
    return stage is not None and stage.bracket is not None and bool(ready_matches(state))


def record_result(desk: Desk, act: acts.RecordResult) -> None:
    """What was played elsewhere, by hand; no more hands than the match has from that game on. Raises as `_record`."""
    result = GameResult(
        match=act.match,
        table=act.table,
        leg=act.leg,
        game=None,
        points=tuple(map(sum, zip(*act.hands, strict=False))),
        hands=act.hands,
        reason="ruling",
    )
    _record(desk, result)


def adjudicate(desk: Desk, act: acts.Adjudicate) -> None:
    """The points come from the game; it is ended when its result stands here.

    What a position comes to tells of the cards in all hands: of a match of their own nobody may know it, nor have it
    shown beforehand. Raises `TournamentRefused`: as `_record` does, `match_not_found`, `result_invalid` without a game
    under way or for who plays in it.
    """
    match = match_of(desk.state, act.match)
    if any(desk.by in seats.players for seats in match.paired.tables):
        raise TournamentRefused(
            TournamentCode.RESULT_INVALID, match=match.id, needed="a ruling, since you play in this match yourself"
        )
    result = desk.given.game
    if result is None or (result.match, result.table, result.leg) != (act.match, act.table, act.leg):
        raise TournamentRefused(
            TournamentCode.RESULT_INVALID, match=act.match, table=act.table, leg=act.leg, needed="a game under way"
        )
    _record(desk, result)


def _record(desk: Desk, result: GameResult) -> None:
    """Raises `TournamentRefused`: as `results.record` does, `tournament_wrong_status`, `result_recorded_already`,
    `match_wrong_status`, `boards_sealed`.
    """
    check_status(desk.state, "running")
    match = match_of(desk.state, result.match)
    if match.result(result.table, result.leg) is not None or (result.table, result.leg) in match.finished:
        raise TournamentRefused(
            TournamentCode.RESULT_RECORDED, match=match.id, table=result.table, leg=result.leg, needed="a ruling"
        )
    if match.over:
        raise TournamentRefused(TournamentCode.MATCH_WRONG_STATUS, match=match.id, needed="a ruling, since it is over")
    happened = record(desk.state, [result], desk.by)
    if not any(isinstance(event, ResultRecorded) for event in happened):
        # The boards are still being played elsewhere, and their results would tell how they go.
        raise TournamentRefused(
            TournamentCode.BOARDS_SEALED, match=match.id, boards=list(match.paired.boards), needed="an average"
        )
    desk.take(happened)
