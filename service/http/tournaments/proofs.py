"""Proofs that the events of a tournament are in the signed log, like those of a game."""

from typing import Final

from service.checkpoints.holding import TournamentProofAnswer
from service.http.log_proofs import EventQuery, prove
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.tournaments.shown import find


async def get_proof(call: Call) -> Reply:
    live = await find(call)
    return await prove(call, call.query, {"tournament": live.id}, live.state.version)


OPERATIONS: Final = (
    Operation(
        id="getTournamentProof",
        method="GET",
        path="/v1/tournaments/{tournament_id}/proof",
        tag="log",
        summary="The proof that an event of a tournament is in the signed log",
        description="All that is needed to check it without the service is in the answer, but for what you keep "
        "yourself: an earlier checkpoint, and the first key.",
        credential="optional",
        scope="watch",
        query=EventQuery,
        answers=(AnswerKind(status=200, description="The proof.", kind=TournamentProofAnswer),),
        problems=(
            "tournament_not_found", "event_not_found", "checkpoint_not_found", "checkpoint_too_early",
            "not_yet_sealed", "log_contradicted",
        ),
        run=get_proof,
    ),
)  # fmt: skip
