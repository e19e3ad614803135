"""The kinds of work of an audit.

Each gives tasks one after the other and takes their answers in the same order, so that at any time what it has come to
is that of everything up to one place: from there it can be resumed.
"""

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final, Generic, TypeVar

from msgspec import Struct, field

from service.audit.checkpoints import CHECKPOINTS_TOGETHER
from service.audit.feed import POSITIONS_TOGETHER, ShardState, SignedRoot
from service.audit.findings import Findings
from service.audit.games import Checked
from service.audit.kept import LINES_TOGETHER, KeptHead, KeptLine, thinned
from service.audit.rows import EVENTS_TOGETHER, Span, span_of
from service.audit.source import Cut
from service.audit.tasks import (
    Answer,
    CheckCheckpoints,
    CheckedCheckpoints,
    CheckedGames,
    CheckedHeads,
    CheckedShard,
    CheckedWitness,
    CheckGames,
    CheckHeads,
    CheckShard,
    CheckWitness,
    PlanGames,
    Planned,
    Task,
)


class GamesDone(Struct):
    """Every game below `start` has been checked; None once all have been."""

    start: str | None = ""
    checked: Checked = field(default_factory=Checked)


class ShardDone(Struct):
    """How far a shard has been checked, and what came of it; `over` once its end has been seen."""

    state: ShardState
    events: int = 0
    roots: int = 0
    findings: Findings = field(default_factory=Findings)
    over: bool = False


class CheckpointsDone(Struct):
    """Every checkpoint up to `number` has been checked."""

    number: int = 0
    checkpoints: int = 0
    findings: Findings = field(default_factory=Findings)


class HeadsDone(Struct):
    """So many of the heads in the file have been compared."""

    heads: int = 0
    findings: Findings = field(default_factory=Findings)


class WitnessDone(Struct):
    """So many of the lines in the file have been compared; `roots` by shard are left to be compared with the rows."""

    lines: int = 0
    findings: Findings = field(default_factory=Findings)
    roots: dict[int, list[SignedRoot]] = {}


D = TypeVar("D", GamesDone, ShardDone, CheckpointsDone, HeadsDone, WitnessDone)


class Lane(ABC, Generic[D]):
    """One kind of work. `done` is what has come of it so far; at most `ahead` tasks are out at a time."""

    ahead: int = 64

    def __init__(self, done: D) -> None:
        self.done: D = done
        self._out: deque[tuple[int, Task]] = deque()
        self._early: dict[int, Answer] = {}

    @property
    def over(self) -> bool:
        """Whether there is nothing more to do."""
        return not self._out and self._exhausted()

    def next(self) -> Task | None:
        """A task to be given now, or None where there is none just now."""
        return None if len(self._out) >= self.ahead else self._next()

    def given(self, number: int, task: Task) -> None:
        """The task has been given under this number."""
        self._out.append((number, task))

    def answered(self, number: int, answer: Answer) -> None:
        """Take the answer to a task, as soon as those before it have theirs."""
        self._early[number] = answer
        while self._out and self._out[0][0] in self._early:
            first, task = self._out.popleft()
            self._take(task, self._early.pop(first))

    @abstractmethod
    def _next(self) -> Task | None:
        """The next task, or None where there is none just now."""

    @abstractmethod
    def _take(self, task: Task, answer: Answer) -> None:
        """Take the answer to a task; they come in the order of the tasks."""

    @abstractmethod
    def _exhausted(self) -> bool:
        """Whether no task comes any more."""


class GamesLane(Lane[GamesDone]):
    """All games in the order of their ids, or one."""

    def __init__(self, done: GamesDone, game: str | None = None) -> None:
        super().__init__(done)
        self._pages: deque[CheckGames] = deque()
        self._plan_from: str | None = done.start
        self._planning = False
        if game is not None:
            self._plan_from = None
            if done.start is not None:
                self._pages.append(CheckGames(span_of(game), False, 0))
        self._single: Final = game is not None

    def _exhausted(self) -> bool:
        return not self._pages and self._plan_from is None and not self._planning

    def _next(self) -> Task | None:
        if self._pages:
            return self._pages.popleft()
        if self._plan_from is None or self._planning:
            return None
        self._planning = True
        return PlanGames(self._plan_from)

    def answered(self, number: int, answer: Answer) -> None:
        """Take an answer; a plan at once, since nothing is found by it."""
        if isinstance(answer, Planned):
            place = next(place for place, out in enumerate(self._out) if out[0] == number)
            del self._out[place]
            self._plan(answer)
            return
        super().answered(number, answer)

    def _plan(self, planned: Planned) -> None:
        assert self._plan_from is not None
        games = planned.games
        beyond = games.pop()[0] if planned.more else None
        self._pages += pages(self._plan_from, games, beyond)
        self._plan_from = beyond
        self._planning = False

    def _take(self, task: Task, answer: Answer) -> None:
        assert isinstance(task, CheckGames)
        assert isinstance(answer, CheckedGames)
        more, all_ = answer.checked, self.done.checked
        all_.games += more.games
        all_.tournaments += more.tournaments
        all_.ended += more.ended
        all_.events += more.events
        all_.bytes += more.bytes
        all_.findings.include(more.findings)
        self.done.start = None if self._single else task.span.high


def pages(start: str, games: Sequence[tuple[str, int]], beyond: str | None) -> Iterator[CheckGames]:
    """Spans with about as many events as are read at a time, or one longer game; no id below `beyond` is left out."""
    low, events = start, 0
    for game, versions in games:
        if events and events + versions > EVENTS_TOGETHER:
            yield CheckGames(Span(low, game), events <= EVENTS_TOGETHER, events)
            low, events = game, 0
        events += versions
    if beyond is None or low < beyond:
        yield CheckGames(Span(low, beyond), events <= EVENTS_TOGETHER, events)


class ShardLane(Lane[ShardDone]):
    """One shard of the feed, a reading after the other."""

    ahead = 1

    def __init__(self, done: ShardDone, cut: Cut) -> None:
        super().__init__(done)
        self._last: Final = cut.last(done.state.shard)
        self.witnessed: list[SignedRoot] = []

    def _exhausted(self) -> bool:
        return self.done.over

    def _next(self) -> Task | None:
        if self.done.over:
            return None
        state = self.done.state
        to = min(state.position + POSITIONS_TOGETHER, self._last)
        roots = [root for root in self.witnessed if state.position < root.size <= to or to == self._last < root.size]
        return CheckShard(state, roots)

    def _take(self, _task: Task, answer: Answer) -> None:
        assert isinstance(answer, CheckedShard)
        checked, done = answer.checked, self.done
        done.state = checked.state
        done.events += checked.events
        done.roots += checked.roots
        done.findings.include(checked.findings)
        done.over = checked.state.position >= self._last


class CheckpointsLane(Lane[CheckpointsDone]):
    """All checkpoints up to the cut."""

    def __init__(self, done: CheckpointsDone, last: int) -> None:
        super().__init__(done)
        self._last: Final = last
        self._given = done.number

    def _exhausted(self) -> bool:
        return self._given >= self._last

    def _next(self) -> Task | None:
        if self._given >= self._last:
            return None
        after, self._given = self._given, min(self._given + CHECKPOINTS_TOGETHER, self._last)
        return CheckCheckpoints(after, self._given)

    def _take(self, task: Task, answer: Answer) -> None:
        assert isinstance(task, CheckCheckpoints)
        assert isinstance(answer, CheckedCheckpoints)
        self.done.number = task.to
        self.done.checkpoints += answer.checked.checkpoints
        self.done.findings.include(answer.checked.findings)


class HeadsLane(Lane[HeadsDone]):
    """The heads that were kept."""

    def __init__(self, done: HeadsDone, heads: Iterator[tuple[int, KeptHead]]) -> None:
        super().__init__(done)
        self._heads = islice(heads, done.heads, None)
        self._ended = False

    def _exhausted(self) -> bool:
        return self._ended

    def _next(self) -> Task | None:
        heads = list(islice(self._heads, LINES_TOGETHER))
        self._ended = self._ended or not heads
        return CheckHeads(heads) if heads else None

    def _take(self, _task: Task, answer: Answer) -> None:
        assert isinstance(answer, CheckedHeads)
        self.done.heads += answer.checked.heads
        self.done.findings.include(answer.checked.findings)


class WitnessLane(Lane[WitnessDone]):
    """The lines that a witness has; `keys` are those they may be signed by."""

    def __init__(self, done: WitnessDone, lines: Iterator[KeptLine], keys: dict[str, bytes]) -> None:
        super().__init__(done)
        self._lines = islice(lines, done.lines, None)
        self._keys = keys
        self._ended = False

    def _exhausted(self) -> bool:
        return self._ended

    def _next(self) -> Task | None:
        lines = list(islice(self._lines, LINES_TOGETHER))
        self._ended = self._ended or not lines
        return CheckWitness(lines, self._keys) if lines else None

    def _take(self, _task: Task, answer: Answer) -> None:
        assert isinstance(answer, CheckedWitness)
        done = self.done
        done.lines += answer.checked.lines
        done.findings.include(answer.checked.findings)
        for shard, roots in answer.checked.roots.items():
            done.roots[shard] = thinned([*done.roots.get(shard, ()), *roots])
