"""Starts the servers that nobody provided, keeps them running and ends them with the service."""

import asyncio
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import Self

import msgspec
import structlog

from service.back_off import BackOff
from service.embedded.account import server_account
from service.embedded.binaries import find_postgres, find_valkey
from service.embedded.fault import EmbeddedFault
from service.embedded.postgres import EmbeddedPostgres
from service.embedded.process import POLL_SECONDS
from service.embedded.state import StateDirectory, hold, temporary_directory
from service.embedded.valkey import EmbeddedValkey
from service.settings import Settings

LOOK_SECONDS = 0.1
NO_VALKEY = "No Valkey or Redis was found: other workers hear of a move by their slow poll only."

log = structlog.get_logger(__name__)


class EmbeddedServers:
    """The addresses of Postgres and Redis, and the embedded servers among them. Also a context manager.

    `database_url` is for the superuser, if Postgres is embedded. `redis_url` is None if there is no Redis at
    all; `notes` then has a sentence that says so.
    """

    def __init__(self, settings: Settings) -> None:
        self._settings = settings
        self._state: StateDirectory | None = None
        self._postgres: EmbeddedPostgres | None = None
        self._valkey: EmbeddedValkey | None = None
        self._temporary: Path | None = None
        self.notes: tuple[str, ...] = ()

    @property
    def database_url(self) -> str:
        url = self._postgres.url if self._postgres else self._settings.database_url
        assert url is not None
        return url

    @property
    def redis_url(self) -> str | None:
        return self._valkey.url if self._valkey else self._settings.redis_url

    @property
    def directory(self) -> Path | None:
        """Where the embedded servers keep what they have."""
        return self._state.path if self._state else None

    @property
    def games_directory(self) -> Path | None:
        """Where the games are kept, for messages; None where a Postgres of somebody else keeps them."""
        return self.directory if self._settings.database_url is None else None

    def stop(self) -> None:
        """Ends the servers, in order and within some seconds, and lets go of the state directory."""
        servers = self._running()
        try:
            for server in servers:
                if server.child is not None:
                    server.child.ask_to_end(server.ladder)
            for server in servers:
                if server.child is not None:
                    server.child.end(server.ladder)
        finally:
            self._postgres = self._valkey = None
            if self._state is not None:
                self._state.close()
                self._state = None
            if self._temporary is not None:
                shutil.rmtree(self._temporary, ignore_errors=True)

    async def tend(self) -> None:
        """Starts a server again when it dies, for as long as the task runs; must run in the main thread.

        Raises `EmbeddedFault` if one dies again and again before it answers, or cannot be started again.
        """
        back_offs = {server.name: BackOff() for server in self._running()}
        for back_off in back_offs.values():
            back_off.served(time.monotonic())
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            for server in self._running():
                code = server.child.exit_code() if server.child else None
                if code is None:
                    continue
                back_off = back_offs[server.name]
                pause = back_off.died(time.monotonic())
                log.warning("embedded_server_died", server=server.name, exit_code=code)
                if back_off.hopeless:
                    raise EmbeddedFault("keeps_dying", f"The embedded {server.name} keeps dying (exit code {code}).")
                await asyncio.sleep(pause)
                if await self._revive(server):
                    back_off.served(time.monotonic())

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.stop()

    def start(self, *, durable: bool) -> None:
        """Starts what the settings do not name; `stop` must follow, also after a fault."""
        settings = self._settings
        if settings.database_url and settings.redis_url:
            return
        account = server_account()
        path = settings.state_dir
        if settings.database_url:
            # A Valkey alone keeps nothing, so several services on a machine may have one each.
            path = self._temporary = temporary_directory(account, in_memory=False)
        self._state = hold(path, account)
        if not settings.database_url:
            self._postgres = EmbeddedPostgres(
                find_postgres(settings.postgres_bin, self._state), self._state, durable=durable
            )
            self._postgres.prepare()
            self._postgres.begin()
        if not settings.redis_url:
            self._start_valkey(self._state)
        if self._postgres:
            for _ in self._until_ready(self._postgres):
                time.sleep(POLL_SECONDS)

    def _start_valkey(self, state: StateDirectory) -> None:
        program = find_valkey(self._settings.valkey_bin, state)
        if program is None:
            self.notes = (NO_VALKEY,)
            return
        self._valkey = EmbeddedValkey(program, state)
        self._valkey.prepare()
        self._valkey.begin()
        for _ in self._until_ready(self._valkey):
            time.sleep(POLL_SECONDS)

    async def _revive(self, server: EmbeddedPostgres | EmbeddedValkey) -> bool:
        """Starts a dead server and tells whether it answers; if it dies again, that is left to the next look."""
        began = time.monotonic()
        server.begin()
        try:
            for _ in self._until_ready(server):
                await asyncio.sleep(POLL_SECONDS)
        except EmbeddedFault as fault:
            if fault.code != "start_failed":
                raise
            log.warning("embedded_server_not_restarted", server=server.name, reason=str(fault))
            return False
        log.info("embedded_server_restarted", server=server.name, seconds=time.monotonic() - began)
        return True

    def _running(self) -> list[EmbeddedPostgres | EmbeddedValkey]:
        return [server for server in (self._valkey, self._postgres) if server is not None]

    def _until_ready(self, server: EmbeddedPostgres | EmbeddedValkey) -> Iterator[None]:
        """Yields each time that the caller should wait a little."""
        seconds = self._settings.embedded_start_seconds
        deadline = time.monotonic() + seconds
        while not server.ready():
            if time.monotonic() > deadline:
                raise EmbeddedFault(
                    "start_too_slow",
                    f"The embedded {server.name} did not answer within {seconds:g} seconds "
                    f"(MELDHOUSE_EMBEDDED_START_SECONDS). See {server.state.logs}.",
                )
            yield


def start(settings: Settings, *, durable: bool = True) -> EmbeddedServers:
    """Starts what the settings do not name: Postgres without `DATABASE_URL`, Valkey without `REDIS_URL`.

    Blocks until the servers answer (about 0.2 s, the first time 1 s) and must be called in the main thread.
    The servers end with this process, also when it is killed. `durable=False` trades the data for speed, for
    tests. Raises `EmbeddedFault`.
    """
    servers = EmbeddedServers(settings)
    try:
        servers.start(durable=durable)
    except BaseException:
        servers.stop()
        raise
    return servers


@contextmanager
def ephemeral(settings: Settings | None = None, *, durable: bool = False) -> Iterator[EmbeddedServers]:
    """Servers with a new state directory that is removed at the end, for tests, demonstrations, measuring."""
    directory = temporary_directory(server_account(), in_memory=not durable)
    try:
        chosen = (
            Settings(state_dir=directory)
            if settings is None
            else msgspec.structs.replace(settings, state_dir=directory)
        )
        with start(chosen, durable=durable) as servers:
            yield servers
    finally:
        shutil.rmtree(directory, ignore_errors=True)
