"""A worker process of an audit: takes tasks from a pipe, and answers them over the same pipe.

Two tasks are under way at a time, each with a connection of its own: while one is checked, Postgres gets the rows of
the other.
"""

import asyncio
import gc
import resource
import signal
import sys
import threading
from multiprocessing.connection import Connection
from typing import Final

import asyncpg
import msgspec
import uvloop

from service.audit.source import connect
from service.audit.tasks import Answer, Assignment, Failed, Finish, Numbered, Task, Usage, perform
from service.store.database import reason_of

AT_ONCE: Final = 2

TASKS_COLLECTED: Final = 16
"""After so many tasks the cycles that they left behind, such as those of exceptions, are collected."""

_task: Final = msgspec.msgpack.Decoder(Task)
_numbered: Final = msgspec.msgpack.Decoder(Numbered)
_encode: Final = msgspec.msgpack.Encoder().encode

OPEN_FAULTS: Final = (OSError, asyncpg.PostgresError, asyncpg.InterfaceError, asyncpg.InternalClientError)
"""What the driver raises where the database cannot be used."""


def work(pipe: Connection, assignment: bytes) -> None:
    """The whole life of a worker. It ends with the one that began it, whatever becomes of that."""
    # Who interrupts the audit on a terminal interrupts all of its processes; it is for the first one to end the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    # Events by the hundred thousand are tracked by the collector and hold no cycles: looking for some costs a tenth.
    gc.collect()
    gc.freeze()
    gc.disable()
    uvloop.run(_work(pipe, msgspec.msgpack.decode(assignment, type=Assignment)))


async def _work(pipe: Connection, given: Assignment) -> None:
    waiting: asyncio.Queue[Numbered | None] = asyncio.Queue()
    # The event loop would make the pipe one that never waits, and then a long message comes and goes in pieces.
    receiving = threading.Thread(target=_receive, args=(pipe, asyncio.get_running_loop(), waiting), daemon=True)
    receiving.start()
    await asyncio.gather(*(_serve(pipe, given, waiting) for _ in range(AT_ONCE)))


def _receive(pipe: Connection, loop: asyncio.AbstractEventLoop, waiting: "asyncio.Queue[Numbered | None]") -> None:
    """Hand on the tasks of the pipe, and at its end one word of it to each who waits."""
    try:
        while True:
            loop.call_soon_threadsafe(waiting.put_nowait, _numbered.decode(pipe.recv_bytes()))
    except (EOFError, OSError):
        for _ in range(AT_ONCE):
            loop.call_soon_threadsafe(waiting.put_nowait, None)


async def _serve(pipe: Connection, given: Assignment, waiting: "asyncio.Queue[Numbered | None]") -> None:
    rulebook = given.rulebook()
    connection: asyncpg.Connection | None = None
    done = 0
    try:
        while (numbered := await waiting.get()) is not None:
            task = _task.decode(numbered.raw)
            answer: Answer
            try:
                if isinstance(task, Finish):
                    answer = _usage()
                else:
                    if connection is None:
                        connection = await connect(given.url)
                    answer = await perform(connection, given, rulebook, task)
            except UnicodeDecodeError:
                answer = Failed(f"A name in the database is no text (UTF-8): {type(task).__name__} stopped there.")
            except OPEN_FAULTS as error:
                answer = Failed(f"The database cannot be read: {reason_of(error)}.")
            pipe.send_bytes(_encode(Numbered(numbered.number, msgspec.Raw(_encode(answer)))))
            done += 1
            if done % TASKS_COLLECTED == 0:
                gc.collect()
    except (BrokenPipeError, ConnectionResetError):
        return
    finally:
        if connection is not None:
            connection.terminate()


def _usage() -> Usage:
    used = resource.getrusage(resource.RUSAGE_SELF)
    unit = 1 if sys.platform == "darwin" else 1024
    return Usage(used.ru_utime + used.ru_stime, used.ru_maxrss * unit)
