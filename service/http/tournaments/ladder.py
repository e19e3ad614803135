"""The ladder: challenges and answers to them."""

from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.tournaments import challenging
from domain.tournaments.entrants import entrant_of
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.tournaments.commands import HEADERS, PROBLEMS, perform
from service.http.tournaments.shown import EntrantShown, entrant_reply, find
from service.tournaments.commands import Decide

EntrantId = Annotated[str, Meta(pattern="^e[0-9]{1,6}$(?!\\n)")]


class ChallengeWanted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Whom your entrant challenges on the ladder."""

    challenger: EntrantId
    challenged: EntrantId


class ChallengeAnswer(Struct, frozen=True, forbid_unknown_fields=True):
    """Whether the challenge is taken up."""

    accepted: bool


async def challenge(call: Call) -> Reply:
    wanted: ChallengeWanted = call.body
    by = call.caller.player
    live = await find(call)
    done = await perform(
        call,
        live,
        "challenge",
        lambda state, now, _draw: challenging.challenge(state, wanted.challenger, wanted.challenged, by, now),
    )
    return await entrant_reply(call, done.state, wanted.challenger, 201)


async def answer_challenge(call: Call) -> Reply:
    wanted: ChallengeAnswer = call.body
    by, challenger = call.caller.player, call.path["challenger"]
    return await _settle(
        call,
        "answerChallenge",
        lambda state, now, _draw: challenging.answer(state, challenger, wanted.accepted, by, now),
    )


async def take_challenge_back(call: Call) -> Reply:
    by, challenger = call.caller.player, call.path["challenger"]
    return await _settle(
        call, "takeChallengeBack", lambda state, now, _draw: challenging.take_back(state, challenger, by, now)
    )


async def _settle(call: Call, operation: str, decide: Decide) -> Reply:
    """What becomes of a challenge that stands, by its challenger."""
    live = await find(call)
    challenger = call.path["challenger"]
    entrant_of(live.state, challenger)
    done = await perform(call, live, operation, decide)
    return await entrant_reply(call, done.state, challenger, 200)


ANSWER_PROBLEMS: Final = (*PROBLEMS, "entrant_not_found", "challenge_not_found", "not_your_entrant", "not_a_ladder")

OPERATIONS: Final = (
    Operation(
        id="challenge",
        method="POST",
        path="/v1/tournaments/{tournament_id}/challenges",
        tag="tournaments",
        summary="Challenge somebody above you on the ladder",
        description="Until it is answered, taken back or lapsed, neither of the two has another challenge. Bots take "
        "every challenge up at once.",
        scope="play",
        body=ChallengeWanted,
        body_example={"challenger": "e7", "challenged": "e4"},
        headers=HEADERS,
        answers=(AnswerKind(status=201, description="Your entrant.", kind=EntrantShown, headers=("ETag",)),),
        problems=(*PROBLEMS, "entrant_not_found", "not_your_entrant", "not_a_ladder", "challenge_not_permitted"),
        run=challenge,
    ),
    Operation(
        id="answerChallenge",
        method="POST",
        path="/v1/tournaments/{tournament_id}/challenges/{challenger}",
        tag="tournaments",
        summary="Take a challenge up, or decline it",
        description="A challenge that is taken up becomes a match at once.",
        scope="play",
        body=ChallengeAnswer,
        body_example={"accepted": True},
        headers=HEADERS,
        answers=(AnswerKind(status=200, description="The challenger.", kind=EntrantShown, headers=("ETag",)),),
        problems=ANSWER_PROBLEMS,
        run=answer_challenge,
    ),
    Operation(
        id="takeChallengeBack",
        method="DELETE",
        path="/v1/tournaments/{tournament_id}/challenges/{challenger}",
        tag="tournaments",
        summary="Take your challenge back, as long as it is not answered",
        scope="play",
        headers=HEADERS,
        answers=(AnswerKind(status=200, description="The challenger.", kind=EntrantShown, headers=("ETag",)),),
        problems=ANSWER_PROBLEMS,
        run=take_challenge_back,
    ),
)
