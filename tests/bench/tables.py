"""Tables for a load: players, opened and started practice games, and the requests of their recorded moves."""

import asyncio
from collections.abc import Sequence
from itertools import count
from typing import Final

import msgspec
from msgspec import Struct

from tests.bench.http_client import Connection, connect, request
from tests.bench.scripts import PLAYERS, RULESET, Request, Script

_KEYS: Final = count(1)


class Table(Struct):
    """A started game, a connection of its own, and the tokens of its seats."""

    game: str
    tokens: list[str]
    connection: Connection
    script: Script

    def moves(self, asked: Request) -> bytes:
        """The bytes of a recorded request at this table."""
        return self._request("moves", asked)

    def noop(self, asked: Request) -> bytes:
        """The same request to the operation that does nothing."""
        return self._request("noop", asked)

    def _request(self, operation: str, asked: Request) -> bytes:
        return request(
            "POST",
            f"/v1/games/{self.game}/{operation}",
            asked.body,
            self.tokens[asked.seat],
            If_Match=f'"{asked.version}"',
            Idempotency_Key=f"k{next(_KEYS)}",
        )


async def open_tables(port: int, scripts: Sequence[Script], number: int) -> list[Table]:
    """Open and start `number` tables, each on a connection of its own."""
    tokens = await _players(port)
    opened = []
    for start in range(0, number, 32):
        batch = range(start, min(start + 32, number))
        opened += await asyncio.gather(*(_open(port, scripts[n % len(scripts)], tokens) for n in batch))
    return opened


async def _players(port: int) -> list[str]:
    connection = await connect(port)
    tokens = []
    for seat in range(PLAYERS):
        status, answer = await connection.ask(request("POST", "/v1/players", b'{"name":"Seat %d"}' % seat))
        assert status == 201, answer
        tokens.append(msgspec.json.decode(answer)["token"])
    connection.close()
    return tokens


async def _open(port: int, script: Script, tokens: list[str]) -> Table:
    connection = await connect(port)
    wanted = {
        "players": PLAYERS,
        "ruleset": RULESET,
        "seats": [{"kind": "you"}] + [{"kind": "open"}] * (PLAYERS - 1),
        "practice": {"kind": "seed", "seed": script.seed},
    }
    status, answer = await connection.ask(request("POST", "/v1/games", msgspec.json.encode(wanted), tokens[0]))
    assert status == 201, answer
    game = msgspec.json.decode(answer)
    code = game["share_url"].rpartition("code=")[2]
    for seat in range(1, PLAYERS):
        body = msgspec.json.encode({"code": code, "seat": seat})
        path = f"/v1/games/{game['id']}/seats"
        status, answer = await connection.ask(request("POST", path, body, tokens[seat]))
        assert status == 201, answer
    status, answer = await connection.ask(request("POST", f"/v1/games/{game['id']}/start", b"", tokens[0]))
    assert status in (200, 201), answer
    return Table(game["id"], tokens, connection, script)
