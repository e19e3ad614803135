"""Further tokens: for a second device, a program, a director of one tournament; each may do less than a person."""

from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Annotated, Any, Final

from msgspec import Meta, Struct
from msgspec.structs import asdict

from service.cursors import CursorUnreadable
from service.http.access import access_of
from service.http.commands import digest
from service.http.games import PAGE_DEFAULT, PAGE_MAX
from service.http.operations import AnswerKind, Call, Operation, Reply, reply
from service.http.parameters import bearer
from service.http.players import PlayerName, TokenShown, show_token
from service.http.problems import Problem
from service.http.scopes import need, scope_missing
from service.principals import SCOPES, Scope
from service.tokens import ExpiryRefused, Key, TokenGone, TooManyTokens, Wanted

LIFETIME_SECONDS_MAX: Final = 10**10
"""What is read as a lifetime; how long it may be, a setting says."""

IN_A_GAME: Final = frozenset({"play", "watch"})
IN_A_TOURNAMENT: Final = frozenset({"tournament", "watch"})

GameId = Annotated[str, Meta(pattern="^[0-9a-z]{1,64}$(?!\\n)")]
TournamentId = Annotated[str, Meta(pattern="^[0-9a-z]{1,64}$(?!\\n)")]


class NewToken(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A token to be made, with scopes of the one that is used.

    `game` narrows it to one game, with `seat` to that seat for as long as the player holds it; `tournament`, which the
    scope `tournament` needs, to one that the player organises. It ends at `expires_at` or after `lifetime_seconds`,
    else when it must.
    """

    scopes: Annotated[tuple[Scope, ...], Meta(min_length=1, max_length=len(SCOPES))]
    name: PlayerName | None = None
    game: GameId | None = None
    seat: Annotated[int, Meta(ge=0, le=5)] | None = None
    tournament: TournamentId | None = None
    expires_at: Annotated[datetime, Meta(tz=True)] | None = None
    lifetime_seconds: Annotated[int, Meta(ge=1, le=LIFETIME_SECONDS_MAX)] | None = None


class TokenMade(TokenShown, frozen=True, kw_only=True):
    """A new token. The `token` itself is told only here: keep it, and send it as `Authorization: Bearer`."""

    token: str


class TokenQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """Which page of the list."""

    cursor: Annotated[str, Meta(max_length=200)] = ""
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT


class TokenList(Struct, frozen=True, kw_only=True):
    """A page of tokens, newest first; `next` is the cursor of the page after it, null at the end."""

    tokens: tuple[TokenShown, ...]
    next: str | None


async def create_token(call: Call) -> Reply:
    """Make a token; with an Idempotency-Key once only.

    The token that is used is the caller's half of the new one, so the key need not be hard to guess, and the answer is
    not given again to who sends it with another token.
    """
    wanted: NewToken = call.body
    principal, tokens = call.caller, call.service.tokens
    own = b"%b\n%b" % (bearer(call.headers) or b"", (call.key or "").encode())
    key = None
    if call.key is not None:
        name = sha256(f"{principal.token}\n{call.key}".encode()).hexdigest()
        key = Key(name, digest("createToken", call.raw))
    made = None if key is None else await tokens.made(principal, key, own)
    if made is None:
        terms = _terms(wanted)
        for scope in terms.scopes:
            if scope not in principal.scopes:
                raise scope_missing(scope, principal)
        await _check_narrowing(call, wanted)
        try:
            made = await tokens.make(principal, terms, key, own)
        except TokenGone as gone:
            raise Problem("credential_invalid", "The token is unknown, expired or revoked.") from gone
        except TooManyTokens as many:
            detail = f"A player may have {many.limit} tokens: revoke some that are not used any more."
            raise Problem("too_many_tokens", detail, params={"limit": many.limit}) from many
        except ExpiryRefused as refused:
            needed = f"a time in the future, at the latest {refused.latest.isoformat()}"
            raise _refused("expires_at", needed, latest=refused.latest) from refused
    shown = show_token(made.token, principal)
    return reply(201, TokenMade(**asdict(shown), token=made.secret))


def _terms(wanted: NewToken) -> Wanted:
    """What is asked for, where it goes together. Raises `Problem`."""
    scopes = tuple(scope for scope in SCOPES if scope in wanted.scopes)
    if wanted.seat is not None and wanted.game is None:
        raise _refused("seat", "null without a game")
    if wanted.game is not None and wanted.tournament is not None:
        raise _refused("tournament", "null beside a game")
    if wanted.game is not None and not IN_A_GAME.issuperset(scopes):
        raise _refused("scopes", "no others than play and watch, to be narrowed to a game")
    if ("tournament" in scopes) != (wanted.tournament is not None):
        raise _refused("tournament", "the tournament to which the scope `tournament` is narrowed, null without it")
    if wanted.tournament is not None and not IN_A_TOURNAMENT.issuperset(scopes):
        raise _refused("scopes", "no others than tournament and watch, to be narrowed to a tournament")
    expires_at = wanted.expires_at
    if wanted.lifetime_seconds is not None:
        if expires_at is not None:
            raise _refused("lifetime_seconds", "null beside an expires_at")
        expires_at = datetime.now(UTC) + timedelta(seconds=wanted.lifetime_seconds)
    return Wanted(
        name=wanted.name,
        scopes=scopes,
        game=wanted.game,
        seat=wanted.seat,
        tournament=wanted.tournament,
        expires_at=expires_at,
    )


def _refused(field: str, needed: str, **more: Any) -> Problem:
    params = {"field": field, "needed": needed, **more}
    return Problem("token_terms_invalid", f"{field}: expected {needed}.", params=params)


async def _check_narrowing(call: Call, wanted: NewToken) -> None:
    """Whether the player may know of the game, holds the seat, organises the tournament. Raises `Problem`, `Denied`."""
    principal, service = call.caller, call.service
    if wanted.game is not None:
        live = await service.games.fresh(wanted.game)
        allowed = await access_of(service.invitations, live, principal, None)
        if wanted.seat not in (None, allowed.seat):
            raise Problem("not_your_seat", f"You do not hold seat {wanted.seat} at this table.")
    if wanted.tournament is not None and not await service.tokens.may_delegate(principal.player, wanted.tournament):
        raise Problem("tournament_not_found", "There is no such tournament, or you are not its organiser.")


async def list_tokens(call: Call) -> Reply:
    query: TokenQuery = call.query
    limit = min(query.limit, call.service.settings.page_items_max)
    try:
        tokens, following = await call.service.tokens.page(call.caller.player, query.cursor or None, limit)
    except CursorUnreadable as error:
        raise Problem("cursor_invalid", "Take the cursor from `next` of the page before.") from error
    shown = tuple(show_token(token, call.caller) for token in tokens)
    return reply(200, TokenList(tokens=shown, next=following))


async def get_token(call: Call) -> Reply:
    try:
        token = await call.service.tokens.one(call.caller.player, _named(call))
    except TokenGone as gone:
        raise Problem("token_revoked", "This token of yours is no more.") from gone
    if token is None:
        raise _unknown()
    return reply(200, show_token(token, call.caller))


async def delete_token(call: Call) -> Reply:
    """Other workers may take the token until they look for changes again."""
    if not await call.service.tokens.revoke(call.caller.player, _named(call)):
        raise _unknown()
    return Reply(204)


def _named(call: Call) -> str:
    """The id of the token that the path names; every token may see and end itself. Raises `Problem`."""
    token = call.path["token_id"]
    if token != call.caller.token:
        need(call.caller, "account")
    return token


def _unknown() -> Problem:
    return Problem("token_not_found", "You have no such token.")


_EXAMPLE: Final = {
    "id": "t0b9c8d7e6f5a4b3c2d1e", "name": "Assistant director", "scopes": ["tournament"], "game": None, "seat": None,
    "tournament": "t5f0c3a9e1b7d2468ace013579bdf0246", "created_at": "2026-11-30T12:00:00.000000Z",
    "expires_at": "2026-12-01T12:00:00.000000Z", "current": False,
}  # fmt: skip

OPERATIONS: Final = (
    Operation(
        id="createToken",
        method="POST",
        path="/v1/tokens",
        tag="players",
        summary="Make a further token, which may do less",
        description="It has scopes of the token that is used, or some of them, and lasts no longer. Narrowed to a "
        "game, a seat or a tournament it may do nothing elsewhere. The scope `tournament` lets its holder direct one "
        "tournament that you organise, and nothing else in your name. An `Idempotency-Key` gives the same token again "
        "to who sends the same body with the same token.",
        scope="account",
        body=NewToken,
        body_example={"scopes": ["play"], "name": "My telephone", "lifetime_seconds": 2_592_000},
        headers=("Idempotency-Key",),
        answers=(
            AnswerKind(
                status=201,
                description="The token.",
                kind=TokenMade,
                example={**_EXAMPLE, "token": "TpB1Zt0rO2m1k8m6mS2t0m3m1B0f8kq3Y6m1r0J8k2M"},
            ),
        ),
        problems=(
            "token_terms_invalid", "too_many_tokens", "game_not_found", "not_your_seat", "tournament_not_found",
            "idempotency_key_reused", "busy",
        ),
        run=create_token,
    ),
    Operation(
        id="listTokens",
        method="GET",
        path="/v1/tokens",
        tag="players",
        summary="Your tokens that are good",
        scope="account",
        query=TokenQuery,
        answers=(
            AnswerKind(
                status=200,
                description="A page of tokens.",
                kind=TokenList,
                example={"tokens": [_EXAMPLE], "next": None},
            ),
        ),
        problems=("cursor_invalid",),
        run=list_tokens,
    ),
    Operation(
        id="getToken",
        method="GET",
        path="/v1/tokens/{token_id}",
        tag="players",
        summary="One of your tokens",
        description="Of others than the one that is used only with the scope `account`.",
        scope="any",
        answers=(AnswerKind(status=200, description="The token.", kind=TokenShown, example=_EXAMPLE),),
        problems=("token_not_found", "token_revoked", "scope_missing"),
        run=get_token,
    ),
    Operation(
        id="deleteToken",
        method="DELETE",
        path="/v1/tokens/{token_id}",
        tag="players",
        summary="Revoke a token",
        description="Others than the one that is used only with the scope `account`. It is refused at once, by other "
        "workers a moment later, and live streams that were opened with it end.",
        scope="any",
        answers=(AnswerKind(status=204, description="The token is no more."),),
        problems=("token_not_found", "scope_missing"),
        run=delete_token,
    ),
)  # fmt: skip
