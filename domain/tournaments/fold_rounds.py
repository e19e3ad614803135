"""The fold of the events about rounds and matches."""

from collections.abc import Callable, Iterable
from typing import Any, Final

from msgspec.structs import replace

from domain.tournaments import clocks
from domain.tournaments import round_events as events
from domain.tournaments.numbering import SERVICE
from domain.tournaments.state import Decided, Match, Penalty, Round, StageState, Tournament


def _stage_begun(state: Tournament, event: events.StageBegun) -> None:
    state.stages += (
        StageState(
            number=event.stage,
            entrants=event.entrants,
            carried=dict(zip(event.entrants, event.carried, strict=False)),
            rounds_planned=event.rounds,
            bracket=event.bracket,
            begun_at=event.at,
        ),
    )


def _carried(state: Tournament, event: events.CarriedChanged) -> None:
    stage = state.stages[event.stage]
    _stage(state, event.stage, carried=dict(zip(stage.entrants, event.carried, strict=False)))


def _stage_undone(state: Tournament, event: events.StageUndone) -> None:
    state.stages = state.stages[: event.stage]
    state.ladder = ()
    state.challenges.clear()
    state.challenged_at.clear()
    state.accepted.clear()


def _shortened(state: Tournament, event: events.StageShortened) -> None:
    _stage(state, event.stage, rounds_planned=event.rounds, ending="finished" if event.finished else "stage")


def _round_paired(state: Tournament, event: events.RoundPaired) -> None:
    state.rounds[event.round] = Round(
        number=event.round,
        stage=event.stage,
        matches=tuple(match.id for match in event.matches),
        byes=event.byes,
        engine=event.engine,
        relaxations=event.relaxations,
        explanation=event.explanation or (),
        paired_at=event.at,
    )
    taken_up: dict[str, str] = {}
    for match in event.matches:
        state.matches[match.id] = Match(paired=match, round=event.round, stage=event.stage)
        if len(match.sides) == 2:
            # A challenge of a ladder is done with once it is paired.
            (first, *_), (second, *_) = match.sides
            for challenger, challenged in ((first, second), (second, first)):
                if state.accepted.get(challenger) == challenged:
                    taken_up[challenger] = state.accepted.pop(challenger)
    if taken_up:
        _round(state, event.round, challenges=taken_up)
    stage = state.stages[event.stage]
    _stage(state, event.stage, rounds=(*stage.rounds, event.round))


def _pairing_undone(state: Tournament, event: events.PairingUndone) -> None:
    undone = state.rounds.pop(event.round)
    for match in undone.matches:
        del state.matches[match]
    if undone.challenges:
        # Before those that were taken up since, as they were; who has left the ladder plays no match on it.
        again = {one: other for one, other in undone.challenges.items() if {one, other} <= {*state.ladder}}
        state.accepted = again | state.accepted
    stage = state.stages[undone.stage]
    _stage(state, undone.stage, rounds=tuple(each for each in stage.rounds if each != event.round))


def _round_started(state: Tournament, event: events.RoundStarted) -> None:
    _round(state, event.round, status="started", started_at=event.at, due_at=event.due_at)
    _matches(state, state.rounds[event.round].matches, started=True)


def _clock_changed(state: Tournament, event: events.ClockChanged) -> None:
    if event.matches:
        _matches(state, event.matches, due_at=event.due_at, time_called=False)
    else:
        _round(state, event.round, due_at=event.due_at, time_called=False)
        _matches(state, state.rounds[event.round].matches, due_at=None, time_called=False)


def _time_called(state: Tournament, event: events.TimeCalled) -> None:
    called = state.rounds[event.round]
    if not event.matches:
        _round(state, event.round, due_at=_ended(called.due_at, event.at), time_called=True)
    for each in event.matches or called.matches:
        own = state.matches[each].due_at
        known = called.due_at if own is None and event.matches else own
        ended = _ended(known, event.at)
        # An end that does not move stays where it is told, with the match or with its round.
        _matches(state, (each,), due_at=own if ended == known else ended, time_called=True)


def _no_show(state: Tournament, event: events.NoShowNoted) -> None:
    _matches(state, (event.match,), missing=(*state.matches[event.match].missing, event.entrant))


def _game_finished(state: Tournament, event: events.GameFinished) -> None:
    match = state.matches[event.match]
    _matches(state, (event.match,), finished=(*match.finished, (event.table, event.leg)))


def _result(state: Tournament, event: events.ResultRecorded) -> None:
    result = event.result
    match = state.matches[result.match]
    by_hand = match.by_hand if event.by == SERVICE else (*match.by_hand, (result.table, result.leg))
    _matches(state, (match.id,), results=(*match.results, result), by_hand=by_hand)


def _decided(state: Tournament, event: events.MatchDecided) -> None:
    _matches(state, (event.match,), decided=Decided(event.points, event.score, event.winner, event.how))


def _ruling(state: Tournament, event: events.RulingIssued) -> None:
    _matches(state, (event.match,), ruling=event)


def _penalty(state: Tournament, event: events.PenaltyGiven) -> None:
    if event.lifts is not None:
        state.penalties.pop(event.lifts, None)
        return
    for_round = None if event.round is None else state.rounds.get(event.round)
    state.penalties[event.n] = Penalty(
        n=event.n,
        entrant=event.entrant,
        stage=max(len(state.stages) - 1, 0) if for_round is None else for_round.stage,
        round=event.round,
        score=event.score,
        reason=event.reason,
        note=event.note,
    )


def _round_closed(state: Tournament, event: events.RoundClosed) -> None:
    _round(state, event.round, status="closed", closed_at=event.at)


def _published(state: Tournament, event: events.StandingsPublished) -> None:
    state.published = event.n
    state.order = event.order


def _rungs(state: Tournament, event: events.RungsMoved) -> None:
    state.ladder = event.order
    for match in event.matches:
        _matches(state, (match,), climbed=event.climbed.get(match))


def _ended(due_at: str | None, at: str) -> str | None:
    """The end of a clock once time was called: one that was still to come is the time of the call, to the second."""
    if due_at is None or not at or clocks.moment(due_at) <= clocks.moment(at):
        return due_at
    return clocks.text(clocks.moment(at))


def _stage(state: Tournament, number: int, **changes: Any) -> None:
    stages = [*state.stages]
    stages[number] = replace(stages[number], **changes)
    state.stages = tuple(stages)


def _round(state: Tournament, number: int, **changes: Any) -> None:
    state.rounds[number] = replace(state.rounds[number], **changes)


def _matches(state: Tournament, ids: Iterable[str], **changes: Any) -> None:
    for each in ids:
        state.matches[each] = replace(state.matches[each], **changes)


ROUNDS: Final[dict[type, Callable[[Tournament, Any], None]]] = {
    events.StageBegun: _stage_begun,
    events.CarriedChanged: _carried,
    events.StageUndone: _stage_undone,
    events.StageShortened: _shortened,
    events.RoundPaired: _round_paired,
    events.PairingUndone: _pairing_undone,
    events.RoundStarted: _round_started,
    events.ClockChanged: _clock_changed,
    events.TimeCalled: _time_called,
    events.NoShowNoted: _no_show,
    events.GameFinished: _game_finished,
    events.ResultRecorded: _result,
    events.MatchDecided: _decided,
    events.RulingIssued: _ruling,
    events.PenaltyGiven: _penalty,
    events.RoundClosed: _round_closed,
    events.StandingsPublished: _published,
    events.RungsMoved: _rungs,
}
