"""The service as the HTTP bench runs it: one worker, and beside the moves an operation that does nothing.

    python -m tests.bench.http_server DATABASE_URL REDIS_URL STATE_DIR

Prints the port it serves on.
"""

import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from litestar import Litestar

from domain.moves import Move
from service import server
from service.app import create_app, route
from service.http.commands import COMMAND_HEADERS
from service.http.endpoints import Endpoint
from service.http.move_bodies import MoveList, read_moves
from service.http.operations import Call, Operation, Reply
from service.settings import Settings


async def _nothing(_call: Call) -> Reply:
    return Reply(204)


NOOP = Operation(
    id="noop",
    method="POST",
    path="/v1/games/{game_id}/noop",
    tag="bench",
    summary="Read a move as makeMoves does, and do nothing",
    body=Move | list[Move] | MoveList,
    read=read_moves,
    headers=COMMAND_HEADERS,
    answers=(),
    run=_nothing,
)


def _create_app(settings: Settings) -> Litestar:
    app = create_app(settings)
    app.register(route(Endpoint(app.state.service, NOOP)))
    return app


@contextmanager
def serving(database_url: str, redis_url: str, state_dir: str) -> Iterator[int]:
    """The service in a process of its own, on the port given, for as long as it is needed."""
    command = [sys.executable, "-m", "tests.bench.http_server", database_url, redis_url, state_dir]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        try:
            assert process.stdout is not None
            yield int(process.stdout.readline())
        finally:
            process.terminate()
            process.wait(timeout=10)


def main() -> None:
    """Serve until asked to stop."""
    database_url, redis_url, state_dir = sys.argv[1:]
    settings = Settings(
        state_dir=Path(state_dir), database_url=database_url, redis_url=redis_url, port=0, log_level="warning"
    )
    vars(server)["create_app"] = _create_app
    listening = server.listen(settings)
    server.run(settings, listening, ready=lambda: print(listening.getsockname()[1], flush=True))


if __name__ == "__main__":
    main()
