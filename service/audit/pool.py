"""The worker processes of an audit, as the one that began it sees them."""

import multiprocessing
from collections.abc import Iterator
from itertools import count
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import TracebackType
from typing import Final, Self

import msgspec
from msgspec import Struct

from service.audit.source import AuditImpossible
from service.audit.tasks import Answer, Assignment, Failed, Finish, Numbered, Task, Usage
from service.audit.worker import AT_ONCE, work

END_SECONDS: Final = 5.0

_answer: Final = msgspec.msgpack.Decoder(Answer)
_numbered: Final = msgspec.msgpack.Decoder(Numbered)
_encode: Final = msgspec.msgpack.Encoder().encode


class _Worker(Struct):
    process: SpawnProcess
    pipe: Connection
    busy: int = 0


class Pool:
    """Workers that do tasks, in a context. `used` is what those that have finished used up."""

    def __init__(self, assignment: Assignment, processes: int) -> None:
        self._assignment = _encode(assignment)
        self._processes = processes
        self._workers: list[_Worker] = []
        self._numbers = count(1)
        self.used: list[Usage] = []

    def __enter__(self) -> Self:
        context = multiprocessing.get_context("spawn")
        for _ in range(self._processes):
            ours, theirs = context.Pipe()
            process = context.Process(target=work, args=(theirs, self._assignment), name="meldhouse audit", daemon=True)
            process.start()
            theirs.close()
            self._workers.append(_Worker(process, ours))
        return self

    def __exit__(
        self, kind: type[BaseException] | None, problem: BaseException | None, trace: TracebackType | None
    ) -> None:
        for worker in self._workers:
            worker.pipe.close()
            if kind is not None:
                worker.process.terminate()
        for worker in self._workers:
            worker.process.join(END_SECONDS)
            if worker.process.is_alive():
                worker.process.kill()
                worker.process.join()
            worker.process.close()

    @property
    def room(self) -> int:
        """How many more tasks may be given."""
        return sum(AT_ONCE - worker.busy for worker in self._workers)

    def give(self, task: Task) -> int:
        """Give a task to the worker that has least to do; its number. There is room."""
        worker = min(self._workers, key=lambda worker: worker.busy)
        number = next(self._numbers)
        self._send(worker, number, task)
        worker.busy += 1
        return number

    def answers(self, seconds: float) -> Iterator[tuple[int, Answer]]:
        """What has been answered, by the numbers of the tasks; waits for so long at most.

        Raises `AuditImpossible` where a worker cannot go on.
        """
        by_pipe = {worker.pipe: worker for worker in self._workers}
        for pipe in wait(list(by_pipe), seconds):
            assert isinstance(pipe, Connection)
            worker = by_pipe[pipe]
            number, answer = self._receive(worker)
            worker.busy -= 1
            yield number, answer

    def finish(self) -> None:
        """End the workers, none of which has anything to do any more, and note what they used up."""
        for worker in self._workers:
            self._send(worker, 0, Finish())
        for worker in self._workers:
            _, usage = self._receive(worker)
            assert isinstance(usage, Usage)
            self.used.append(usage)

    def _send(self, worker: _Worker, number: int, task: Task) -> None:
        try:
            worker.pipe.send_bytes(_encode(Numbered(number, msgspec.Raw(_encode(task)))))
        except OSError as error:
            raise self._gone(worker) from error

    def _receive(self, worker: _Worker) -> tuple[int, Answer]:
        try:
            numbered = _numbered.decode(worker.pipe.recv_bytes())
        except (EOFError, OSError) as error:
            raise self._gone(worker) from error
        answer = _answer.decode(numbered.raw)
        if isinstance(answer, Failed):
            raise AuditImpossible(answer.message)
        return numbered.number, answer

    def _gone(self, worker: _Worker) -> AuditImpossible:
        worker.process.join(END_SECONDS)
        return AuditImpossible(f"A process of the audit ended (exit code {worker.process.exitcode}).")
