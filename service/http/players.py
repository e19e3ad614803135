"""Guests: a name in, an id and a token out; another name; and nothing of them left, if they want it so."""

from datetime import datetime
from hashlib import sha256
from typing import Annotated, Final

import msgspec
import structlog
from msgspec import Meta, Struct
from msgspec.structs import asdict

from service.http.commands import digest
from service.http.headers import SECRET_KEY_LENGTH_MIN
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.parameters import invalid
from service.http.problems import Problem
from service.players import Birth, Player
from service.principals import Principal
from service.tokens import Token, TokenGone

log = structlog.get_logger(__name__)

NAME_LENGTH_MAX: Final = 40
NOBODY: Final = "nobody"
"""Who asks for a guest: the actor of the claim, as far as anybody knows."""
_CONTROLS: Final = "\\x00-\\x1f\\x7f-\\x9f\\u200b-\\u200f\\u2028-\\u202e\\u2060-\\u206f\\ufeff"
# `$` alone would let a line feed through at the end.
PlayerName = Annotated[
    str,
    Meta(
        min_length=1,
        max_length=NAME_LENGTH_MAX,
        pattern=f"^[^\\s{_CONTROLS}]([^{_CONTROLS}]*[^\\s{_CONTROLS}])?$(?!\\n)",
        description="No control characters, no invisible ones, no space at either end.",
    ),
]


class NewGuest(Struct, frozen=True, forbid_unknown_fields=True):
    """What a guest tells of themselves."""

    name: PlayerName


class NewName(Struct, frozen=True, forbid_unknown_fields=True):
    """How the player wants to be called."""

    name: PlayerName


class PlayerShown(Struct, frozen=True, kw_only=True):
    """A player, as shown to that player. `nonces_unrevealed` counts nonces committed to and not revealed in time."""

    id: str
    name: str | None
    kind: str
    created_at: datetime
    nonces_unrevealed: int


class TokenShown(Token, frozen=True, kw_only=True):
    """A token without its secret; `current` is the one that is used.

    `game`, `seat` and `tournament` are what it is narrowed to. What `scopes` allow: `play` to act at tables, and to
    look; `watch` to look; `tournament` to direct and look at its tournament; `account` to be the person in everything
    else: names, tokens, erasure, and tournaments of their own.
    """

    current: bool


class Me(PlayerShown, frozen=True, kw_only=True):
    """A player, and the token that was used to ask."""

    token: TokenShown


class NewPlayer(Struct, frozen=True, kw_only=True):
    """A new guest. The token is told only here: keep it, and send it as `Authorization: Bearer`."""

    player: PlayerShown
    token: str


async def create_player(call: Call) -> Reply:
    """Make a guest; with an Idempotency-Key once only.

    Nobody is known yet, so the key itself is what the caller proves to be the same by: it is a half of the token, and
    kept only as a digest.
    """
    wanted: NewGuest = call.body
    birth = Birth.now()
    key = call.key
    if key is not None:
        if len(key) < SECRET_KEY_LENGTH_MIN:
            raise invalid("Idempotency-Key", f"at least {SECRET_KEY_LENGTH_MIN} characters, drawn at random")
        asked = digest("createPlayer", call.raw)
        store, name = call.service.store, sha256(key.encode()).hexdigest()
        birth = msgspec.json.decode(
            await store.claim("createPlayer", NOBODY, name, asked, msgspec.json.encode(birth)), type=Birth
        )
    player, token = await call.service.players.create_guest(wanted.name, birth, (key or "").encode())
    return reply(201, NewPlayer(player=_shown(player, 0), token=token))


async def me(call: Call) -> Reply:
    principal, service = call.caller, call.service
    player = await service.players.player(principal.player)
    try:
        token = await service.tokens.one(principal.player, principal.token)
    except TokenGone:
        token = None
    if player is None or token is None:
        raise Problem("credential_invalid", "The token is unknown, expired or revoked.")
    shown = _shown(player, await service.nonces.failures(player.id))
    return reply(200, Me(**asdict(shown), token=show_token(token, principal)))


async def rename(call: Call) -> Reply:
    """Other workers may show the old name until they look for changes again."""
    if not await call.service.players.rename(call.caller.player, call.body.name):
        raise Problem("credential_invalid", "The player of this token is gone.")
    return await me(call)


async def erase(call: Call) -> Reply:
    """Erase the caller; who had it done on another worker a moment ago has nothing left to erase."""
    player = call.caller.player
    if directed := await call.service.players.directs(player):
        raise Problem(
            "tournaments_to_hand_over",
            "You organise tournaments that are not over, which nobody could direct without you.",
            params={"tournaments": directed, "needed": "hand_over, finish or cancel"},
        )
    await call.service.players.erase(player)
    call.service.erasures.wake()
    log.info("player_erased", player=player)
    return Reply(204)


def show_token(token: Token, principal: Principal) -> TokenShown:
    """A token of the player who asks."""
    return TokenShown(**asdict(token), current=token.id == principal.token)


def _shown(player: Player, nonces_unrevealed: int) -> PlayerShown:
    return PlayerShown(
        id=player.id,
        name=player.name,
        kind=player.kind,
        created_at=player.created_at,
        nonces_unrevealed=nonces_unrevealed,
    )


_EXAMPLE: Final = {
    "id": "p3f9c1d2e4a5b6c7d8e9f", "name": "Ada", "kind": "guest", "created_at": "2026-11-30T12:00:00.000000Z",
    "nonces_unrevealed": 0,
}  # fmt: skip
_ME_EXAMPLE: Final = {
    **_EXAMPLE,
    "token": {
        "id": "t7d2c4b6a8e0f1c3d5b79", "name": "guest", "scopes": ["play", "watch", "account"], "game": None,
        "seat": None, "tournament": None, "created_at": "2026-11-30T12:00:00.000000Z", "expires_at": None,
        "current": True,
    },
}  # fmt: skip

OPERATIONS: Final = (
    Operation(
        id="createPlayer",
        method="POST",
        path="/v1/players",
        tag="players",
        summary="Become a guest, without signing up",
        credential="none",
        body=NewGuest,
        description="An `Idempotency-Key` is as secret as the token here, for sent again it gives the same token: draw "
        "16 characters or more at random, such as a UUID.",
        body_example={"name": "Ada"},
        headers=("Idempotency-Key",),
        answers=(
            AnswerKind(
                status=201,
                description="The guest and the token that speaks for them.",
                kind=NewPlayer,
                example={"player": _EXAMPLE, "token": "TpB1Zt0rO2m1k8m6mS2t0m3m1B0f8kq3Y6m1r0J8k2M"},
            ),
        ),
        problems=("idempotency_key_reused",),
        run=create_player,
    ),
    Operation(
        id="getMe",
        method="GET",
        path="/v1/me",
        tag="players",
        summary="Who the token speaks for, and what it may do",
        scope="any",
        answers=(AnswerKind(status=200, description="The player.", kind=Me, example=_ME_EXAMPLE),),
        run=me,
    ),
    Operation(
        id="renameMe",
        method="PATCH",
        path="/v1/me",
        tag="players",
        summary="Take another name",
        scope="account",
        body=NewName,
        body_example={"name": "Ada L."},
        answers=(AnswerKind(status=200, description="The player.", kind=Me, example=_ME_EXAMPLE),),
        run=rename,
    ),
    Operation(
        id="eraseMe",
        method="DELETE",
        path="/v1/me",
        tag="players",
        summary="Erase yourself, for good",
        description="Your name and every token of yours are gone at once, and seats that are kept for you are free. "
        "Your seats at open tables are left; in games under way greedy bots play on at them, and tables that are "
        "closed are left as soon as they have begun or opened again. Games that you played stay as they are: they know "
        "you by a random id only, and their records say `erased player` where your name stood. In tournaments that are "
        "not over your entrant is withdrawn, and the names that you gave entrants are gone. What a director wrote "
        "stays: it belongs to the tournament. Who organises tournaments that are not over hands them over first, or "
        "cancels them.",
        scope="account",
        answers=(AnswerKind(status=204, description="You are erased, and the token is no more."),),
        problems=("tournaments_to_hand_over",),
        run=erase,
    ),
)
