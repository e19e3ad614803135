"""Tokens in tests: made through the interface, or put into the database where nobody may make them so."""

import secrets
from typing import Any, Final

import httpx

from service.principals import Scope, digest
from service.running import Service
from tests.service.http.tables import Headers

TOURNAMENT: Final = "t5f0c3a9e1b7d2468ace013579bdf0246"


def bearing(token: str) -> Headers:
    """The header that a token is sent in."""
    return {"Authorization": f"Bearer {token}"}


async def make_token(client: httpx.AsyncClient, maker: Headers, *scopes: str, **more: Any) -> dict[str, Any]:
    """A token made with another one, as the answer shows it."""
    answer = await client.post("/v1/tokens", json={"scopes": scopes, **more}, headers=maker)
    assert answer.status_code == 201, answer.text
    made: dict[str, Any] = answer.json()
    return made


async def token_of(client: httpx.AsyncClient, maker: Headers, *scopes: str, **more: Any) -> Headers:
    """A token made with another one, as the header that it is sent in."""
    return bearing((await make_token(client, maker, *scopes, **more))["token"])


async def player_of(client: httpx.AsyncClient, headers: Headers) -> str:
    found: str = (await client.get("/v1/me", headers=headers)).json()["id"]
    return found


async def organise(service: Service, player: str, tournament: str = TOURNAMENT) -> None:
    """Let a player be the organiser of a tournament."""
    await service.store.pool.execute("insert into tournament (id, organiser) values ($1, $2)", tournament, player)


async def given_token(service: Service, player: str, scope: Scope) -> Headers:
    """A token with a scope that no player can give, as whoever runs the service may put it there."""
    token = secrets.token_urlsafe(32)
    await service.store.pool.execute(
        "insert into token (hash, id, player, scopes, created_at, maker) values ($1, $2, $3, $4, now(), 'operator')",
        digest(token.encode()), "t" + secrets.token_hex(10), player, [scope],
    )  # fmt: skip
    return bearing(token)
