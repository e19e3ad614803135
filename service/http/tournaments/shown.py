"""What tournament answers have in common: which tournament, as of when, who may direct it, how entrants are called."""

from collections.abc import Iterable
from typing import Annotated, Final

from msgspec import Meta, Struct

from domain.tournaments.entrants import entrant_of
from domain.tournaments.state import Entrant, EntrantStatus, Tournament
from service.http.operations import Call, Header, Reply, reply
from service.http.problems import Problem
from service.http.tables import etag
from service.players import ERASED_NAME
from service.store.base import VERSION_MAX
from service.tournaments.live import LiveTournament
from service.tournaments.texts import texts_of

AsOf = Annotated[int, Meta(ge=0, le=VERSION_MAX, description="As it stood after this event; 0: as it is now.")]


class AsOfQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`at`: as it stood after this event; without it as it is now."""

    at: AsOf = 0


class Member(Struct, frozen=True, kw_only=True):
    """A person or a bot of an entrant; `agreed` says whether they agreed to be seated. A bot has a `level`, no name."""

    player: str
    name: str | None
    level: str | None
    agreed: bool


class EntrantShown(Struct, frozen=True, kw_only=True):
    """An entrant. `name` is its own, or made of those of its members; `agreed` is whether all of these agreed to be
    seated."""

    id: str
    name: str
    status: EntrantStatus
    seed: int | None
    rating: int | None
    checked_in: bool
    agreed: bool
    late_round: int | None
    byes_asked: dict[int, str]
    avoid: tuple[str, ...]
    members: tuple[Member, ...]


BOT_NAMES: Final = "bot"


async def find(call: Call) -> LiveTournament:
    """The tournament that the path names, up to date. Raises `TournamentUnknown`."""
    return await call.service.tournaments.fresh(call.path["tournament_id"])


async def find_at(call: Call, at: int) -> tuple[LiveTournament, Tournament]:
    """The tournament that the path names, and how it stood after an event (0: the last). Raises `Problem`."""
    live = await find(call)
    if at == 0 or at == live.state.version:
        return live, live.state
    if at > live.state.version:
        raise Problem(
            "event_not_found",
            f"The tournament is at version {live.state.version}: there is no event {at} yet.",
            params={"current_version": live.state.version},
        )
    return live, await call.service.tournaments.at(live, at)


def directs(call: Call, state: Tournament) -> bool:
    """Whether the caller may direct the tournament."""
    return call.principal is not None and call.principal.may_direct(state.id, state.organiser)


def needed_director(call: Call, state: Tournament) -> str:
    """The player who directs. Raises `Problem`."""
    if not directs(call, state):
        raise Problem(
            "not_your_tournament",
            "It takes a token of the organiser, or one with the scope `tournament` that the organiser made for it.",
        )
    return call.caller.player


def needed_organiser(call: Call, state: Tournament) -> str:
    """The organiser, with a token that is good for more than the tournament. Raises `Problem`."""
    if call.caller.narrowed:
        raise Problem(
            "not_your_tournament", "It takes a token of the organiser that is not narrowed to the tournament."
        )
    return needed_director(call, state)


def own_entrant_of(state: Tournament, player: str | None) -> str | None:
    """The entrant of a player: the one that takes part, else the last one entered."""
    own = [each for each in state.entrants.values() if player is not None and player in each.players]
    active = [each for each in own if each.status in ("entered", "waiting")]
    return (active or own)[-1].id if own else None


async def entrants_shown(call: Call, state: Tournament, entrants: Iterable[Entrant]) -> list[EntrantShown]:
    """Entrants with their names."""
    listed = [*entrants]
    persons = {player for each in listed for player, bot in zip(each.players, each.bots, strict=True) if bot is None}
    names = await call.service.players.names(persons)
    own = await texts_of(call.service.store.pool, state.id, {each.name.id for each in listed if each.name is not None})
    return [_shown(each, names, own) for each in listed]


def _shown(entrant: Entrant, names: dict[str, str], own: dict[str, str]) -> EntrantShown:
    members = tuple(
        Member(
            player=player,
            name=names.get(player),
            level=bot,
            agreed=bot is not None or player in entrant.consents,
        )
        for player, bot in zip(entrant.players, entrant.bots, strict=True)
    )
    called = called_by(members)
    return EntrantShown(
        id=entrant.id,
        name=(own.get(entrant.name.id) if entrant.name is not None else None) or called,
        status=entrant.status,
        seed=entrant.seed,
        rating=entrant.rating,
        checked_in=entrant.checked_in,
        agreed=entrant.agreed,
        late_round=entrant.late_round,
        byes_asked=dict(entrant.byes_asked),
        avoid=entrant.avoid,
        members=members,
    )


def called_by(members: Iterable[Member]) -> str:
    """How those of an entrant are called together."""
    return " & ".join(each.name or (f"{BOT_NAMES} {each.level}" if each.level else ERASED_NAME) for each in members)


async def names_of(call: Call, state: Tournament, ids: Iterable[str] | None = None) -> dict[str, str]:
    """How entrants are called, by id; all of them unless told which."""
    wanted = state.entrants.values() if ids is None else [state.entrants[each] for each in ids]
    return {each.id: each.name for each in await entrants_shown(call, state, wanted)}


async def entrant_reply(call: Call, state: Tournament, entrant: str, status: int, *headers: Header) -> Reply:
    """One entrant as an answer. Raises `TournamentRefused`: `entrant_not_found`."""
    (shown,) = await entrants_shown(call, state, (entrant_of(state, entrant),))
    return reply(status, shown, etag(state.version), *headers)
