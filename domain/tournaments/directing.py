"""Every act of a director, decided."""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from msgspec.structs import replace

from domain.tournaments import (
    acts,
    challenge_acts,
    pairing_acts,
    penalties,
    registration_acts,
    round_acts,
    rulings,
    seed_acts,
    stage_acts,
)
from domain.tournaments.acts import Act
from domain.tournaments.corrections import publish_again, reopen_ended
from domain.tournaments.desk import Desk
from domain.tournaments.entering import take_out
from domain.tournaments.entry_events import Withdrawn
from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.given import NOTHING, Draw, Given
from domain.tournaments.rounds_running import is_paired_anew
from domain.tournaments.state import Tournament


def decide(
    state: Tournament, act: Act, by: str, now: datetime, draw: Draw, given: Given = NOTHING
) -> list[AnyTournamentEvent]:
    """The events of an act, all of one append. Raises `TournamentRefused` and changes nothing."""
    desk = Desk(state, by, now, draw, given)
    _DECIDERS[type(act)](desk, act)
    return [event if event.reason is not None else replace(event, reason=act.reason) for event in desk.events]


def _disqualify(desk: Desk, act: acts.Disqualify) -> None:
    """Matches that are paired or under way are forfeited, but for those of a round that is paired anew without them;
    after the end there is a new order of all.
    """
    ended = reopen_ended(desk, act.reason)
    state = desk.state
    take_out(desk, Withdrawn(entrant=act.entrant, disqualified=True, note=desk.given.text))
    for match in state.matches.values():
        for side, entrants in enumerate(match.paired.sides):
            if act.entrant in entrants and not match.over and not is_paired_anew(state, match):
                rulings.forfeit_match(desk, match, {side}, act.reason, accept_dependants=True)
    if ended:
        publish_again(desk, 0, ended)


_DECIDERS: Final[dict[type, Callable[[Desk, Any], None]]] = {
    acts.OpenRegistration: registration_acts.open_registration,
    acts.CloseRegistration: registration_acts.close_registration,
    acts.Enter: registration_acts.enter,
    acts.Admit: registration_acts.admit,
    acts.CheckIn: registration_acts.check_in,
    acts.Withdraw: registration_acts.withdraw,
    acts.Disqualify: _disqualify,
    acts.Return: registration_acts.come_back,
    acts.GiveBye: registration_acts.give_bye,
    acts.Substitute: registration_acts.change_lineup,
    acts.Seed: seed_acts.seed,
    acts.ForbidPairing: seed_acts.forbid_pairing,
    acts.AllowPairing: seed_acts.allow_pairing,
    acts.Start: stage_acts.begin,
    acts.Pair: pairing_acts.pair,
    acts.PairByHand: pairing_acts.pair_by_hand,
    acts.UndoPairing: pairing_acts.undo_pairing,
    acts.Swap: pairing_acts.swap,
    acts.StartRound: round_acts.begin_round,
    acts.CloseRound: round_acts.end_round,
    acts.ChangeClock: round_acts.change_clock,
    acts.CallTime: round_acts.call_time,
    acts.NoteNoShow: round_acts.note_no_show,
    acts.AnswerChallenge: challenge_acts.answer,
    acts.TakeBackChallenge: challenge_acts.take_back,
    acts.Forfeit: rulings.forfeit,
    acts.Rule: rulings.rule,
    acts.RecordResult: rulings.record_result,
    acts.Adjudicate: rulings.adjudicate,
    acts.Penalise: penalties.penalise,
    acts.LiftPenalty: penalties.lift_penalty,
    acts.PublishStandings: stage_acts.publish_standings,
    acts.EndStage: stage_acts.end_stage,
    acts.Advance: stage_acts.advance,
    acts.HandOver: stage_acts.hand_over,
    acts.Announce: stage_acts.announce,
    acts.Finish: stage_acts.end,
    acts.Reopen: stage_acts.reopen,
    acts.Cancel: stage_acts.cancel,
}
