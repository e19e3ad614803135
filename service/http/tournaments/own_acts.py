"""What the members of an entrant do: agree, check in, change the line-up, sit out, leave, come back."""

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from domain.tournaments import byes, entering, substituting
from domain.tournaments.act import RoundNumber
from domain.tournaments.entrants import entrant_of
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from service.automata import bot_player
from service.http.opening import BotLevel, PlayerId
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.tournaments.commands import HEADERS, PROBLEMS, perform
from service.http.tournaments.entrants import known_persons
from service.http.tournaments.lineups import is_member
from service.http.tournaments.shown import EntrantShown, entrant_reply, find
from service.tournaments.commands import Decide


class LineupChange(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """`outgoing` leaves the line-up for `incoming`, who has to agree, or for a bot that the terms have."""

    outgoing: PlayerId
    incoming: PlayerId | None = None
    bot: BotLevel | None = None


class ByesWanted(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Rounds to sit out, and what they count as; null where they are to be played after all."""

    rounds: Annotated[tuple[RoundNumber, ...], Meta(min_length=1, max_length=200)]
    bye: Literal["half_bye", "zero_bye"] | None = "half_bye"


async def change_lineup(call: Call) -> Reply:
    wanted: LineupChange = call.body
    live = await find(call)
    by, entrant = call.caller.player, call.path["entrant"]
    entrant_of(live.state, entrant)
    if (wanted.incoming is None) == (wanted.bot is None):
        raise TournamentRefused(TournamentCode.LINEUP_INVALID, needed="either `incoming` or `bot`")
    incoming = wanted.incoming or bot_player(wanted.bot or "random")
    coming = () if wanted.incoming is None or is_member(live.state, entrant, incoming) else (incoming,)
    persons = await known_persons(call, live, coming)
    return await _own(
        call,
        "changeLineup",
        lambda state, now, _draw: substituting.change_lineup(
            state, entrant, wanted.outgoing, incoming, by, now, persons, wanted.bot
        ),
    )


async def consent(call: Call) -> Reply:
    by, entrant = call.caller.player, call.path["entrant"]
    return await _own(call, "consentToEntry", lambda state, now, _draw: entering.consent(state, entrant, by, now))


async def check_in(call: Call) -> Reply:
    by, entrant = call.caller.player, call.path["entrant"]
    return await _own(call, "checkIn", lambda state, now, _draw: entering.check_in(state, entrant, by, now))


async def withdraw(call: Call) -> Reply:
    by, entrant = call.caller.player, call.path["entrant"]
    return await _own(call, "withdrawEntrant", lambda state, now, _draw: entering.withdraw(state, entrant, by, now))


async def come_back(call: Call) -> Reply:
    by, entrant = call.caller.player, call.path["entrant"]
    return await _own(call, "returnToTournament", lambda state, now, _draw: entering.come_back(state, entrant, by, now))


async def ask_byes(call: Call) -> Reply:
    wanted: ByesWanted = call.body
    by, entrant = call.caller.player, call.path["entrant"]
    return await _own(
        call, "askForByes", lambda state, now, _draw: byes.ask_bye(state, entrant, wanted.rounds, by, now, wanted.bye)
    )


async def _own(call: Call, operation: str, decide: Decide) -> Reply:
    live = await find(call)
    entrant_of(live.state, call.path["entrant"])
    done = await perform(call, live, operation, decide)
    return await entrant_reply(call, done.state, call.path["entrant"], 200)


OWN_PROBLEMS: Final = (*PROBLEMS, "entrant_not_found", "not_your_entrant", "entrant_wrong_status")

OPERATIONS: Final = (
    Operation(
        id="changeLineup",
        method="PATCH",
        path="/v1/tournaments/{tournament_id}/entrants/{entrant}",
        tag="tournaments",
        summary="Put in a substitute",
        scope="play",
        body=LineupChange,
        body_example={"outgoing": "p0123456789abcdef0123", "incoming": "p3210fedcba9876543210"},
        headers=HEADERS,
        answers=(AnswerKind(status=200, description="The entrant.", kind=EntrantShown, headers=("ETag",)),),
        problems=(
            *OWN_PROBLEMS,
            "lineup_invalid",
            "bot_not_permitted",
            "player_entered_already",
            "substitutes_used_up",
            "entry_conditions_not_met",
        ),
        run=change_lineup,
    ),
    Operation(
        id="withdrawEntrant",
        method="DELETE",
        path="/v1/tournaments/{tournament_id}/entrants/{entrant}",
        tag="tournaments",
        summary="Withdraw: play no more from here on",
        scope="play",
        headers=HEADERS,
        answers=(AnswerKind(status=200, description="The entrant.", kind=EntrantShown, headers=("ETag",)),),
        problems=OWN_PROBLEMS,
        run=withdraw,
    ),
    Operation(
        id="consentToEntry",
        method="POST",
        path="/v1/tournaments/{tournament_id}/entrants/{entrant}/consent",
        tag="tournaments",
        summary="Agree to be seated, where somebody else entered you",
        scope="play",
        headers=HEADERS,
        answers=(AnswerKind(status=200, description="The entrant.", kind=EntrantShown, headers=("ETag",)),),
        problems=(*OWN_PROBLEMS, "nothing_to_change"),
        run=consent,
    ),
    Operation(
        id="checkIn",
        method="POST",
        path="/v1/tournaments/{tournament_id}/entrants/{entrant}/check_in",
        tag="tournaments",
        summary="Say that you are there",
        scope="play",
        headers=HEADERS,
        answers=(AnswerKind(status=200, description="The entrant.", kind=EntrantShown, headers=("ETag",)),),
        problems=(*OWN_PROBLEMS, "check_in_not_open", "nothing_to_change"),
        run=check_in,
    ),
    Operation(
        id="returnToTournament",
        method="POST",
        path="/v1/tournaments/{tournament_id}/entrants/{entrant}/return",
        tag="tournaments",
        summary="Come back after withdrawing",
        scope="play",
        headers=HEADERS,
        answers=(AnswerKind(status=200, description="The entrant.", kind=EntrantShown, headers=("ETag",)),),
        problems=(*OWN_PROBLEMS, "stage_wrong", "tournament_full", "player_entered_already"),
        run=come_back,
    ),
    Operation(
        id="askForByes",
        method="POST",
        path="/v1/tournaments/{tournament_id}/entrants/{entrant}/byes",
        tag="tournaments",
        summary="Sit out rounds that are not paired yet, or play them after all",
        scope="play",
        body=ByesWanted,
        body_example={"rounds": [3], "bye": "half_bye"},
        headers=HEADERS,
        answers=(AnswerKind(status=200, description="The entrant.", kind=EntrantShown, headers=("ETag",)),),
        problems=(*OWN_PROBLEMS, "byes_used_up", "round_wrong_status", "stage_wrong", "nothing_to_change"),
        run=ask_byes,
    ),
)
