"""What a worker of an audit may be asked to do, and what it answers. All of it travels between processes as msgpack."""

from typing import Final

import asyncpg
import msgspec
from msgspec import Struct

from service.audit.checkpoints import CheckpointsChecked, check_checkpoints
from service.audit.feed import ShardChecked, ShardState, SignedRoot, check_shard
from service.audit.games import Checked, check_games, one_snapshot
from service.audit.kept import HeadsChecked, KeptHead, KeptLine, WitnessChecked, check_heads, check_witness
from service.audit.log import LogView
from service.audit.play import Rulebook
from service.audit.rows import Span
from service.audit.source import Cut
from service.offline.beacons import Chain, Chains

STREAMS_PLANNED: Final = 2000
"""Games whose lengths are found out at a time, before they are parted among the workers."""

# The next game and its last event are one step down an index each.
_PLAN: Final = """
with recursive streams (stream) as (
    (select stream from event where stream >= $1 order by stream limit 1)
    union all
    select (select e.stream from event e where e.stream > s.stream order by e.stream limit 1)
    from streams s where s.stream is not null
)
select stream, (select max(version) from event e where e.stream = s.stream) from streams s
where stream is not null limit $2
"""


class Assignment(Struct, frozen=True, kw_only=True):
    """What all tasks of an audit have in common. `chains` are those of beacons; without `rules` no rule is asked."""

    url: str
    cut: Cut
    log: LogView
    rules: bool
    chains: tuple[Chain, ...] = ()

    def rulebook(self) -> Rulebook | None:
        """The rule book, if games are to be checked by one."""
        return Rulebook(Chains(self.chains)) if self.rules else None


class PlanGames(Struct, frozen=True, tag=True):
    """Find the games from this id on."""

    start: str


class Planned(Struct, frozen=True, tag=True):
    """Games in the order of their ids with the versions of their last events; `more` where there may be others."""

    games: list[tuple[str, int]]
    more: bool


class CheckGames(Struct, frozen=True, tag=True):
    """Check the games of a span, `together` if they are small enough; `events` is about how many there are."""

    span: Span
    together: bool
    events: int


class CheckedGames(Struct, frozen=True, tag=True):
    checked: Checked


class CheckShard(Struct, frozen=True, tag=True):
    """Check the next positions of a shard."""

    state: ShardState
    witnessed: list[SignedRoot]


class CheckedShard(Struct, frozen=True, tag=True):
    checked: ShardChecked


class CheckCheckpoints(Struct, frozen=True, tag=True):
    """Check the checkpoints above a number, up to another one."""

    after: int
    to: int


class CheckedCheckpoints(Struct, frozen=True, tag=True):
    checked: CheckpointsChecked


class CheckHeads(Struct, frozen=True, tag=True):
    """Compare heads, each with the line that it stands in."""

    heads: list[tuple[int, KeptHead]]


class CheckedHeads(Struct, frozen=True, tag=True):
    checked: HeadsChecked


class CheckWitness(Struct, frozen=True, tag=True):
    """Compare witnessed lines; `keys` are public keys by id."""

    lines: list[KeptLine]
    keys: dict[str, bytes]


class CheckedWitness(Struct, frozen=True, tag=True):
    checked: WitnessChecked


class Finish(Struct, frozen=True, tag=True):
    """There is nothing more to do."""


class Usage(Struct, frozen=True, tag=True):
    """What a worker used up: seconds of its processor, and the most memory it had at a time, in bytes."""

    cpu_seconds: float
    memory_bytes: int


class Failed(Struct, frozen=True, tag=True):
    """The database cannot be used."""

    message: str


Task = PlanGames | CheckGames | CheckShard | CheckCheckpoints | CheckHeads | CheckWitness | Finish
Answer = (
    Planned | CheckedGames | CheckedShard | CheckedCheckpoints | CheckedHeads | CheckedWitness | Usage | Failed
)  # fmt: skip


class Numbered(Struct, frozen=True, array_like=True):
    """A task or an answer under the number of the task."""

    number: int
    raw: msgspec.Raw


async def perform(connection: asyncpg.Connection, given: Assignment, rulebook: Rulebook | None, task: Task) -> Answer:
    """Do a task. Raises what the driver raises."""
    cut, log = given.cut, given.log
    match task:
        case PlanGames(start=start):
            return await plan_games(connection, start)
        case CheckGames(span=span, together=together):
            return CheckedGames(await check_games(connection, cut, span, rulebook, together=together))
        case CheckShard(state=state, witnessed=witnessed):
            async with one_snapshot(connection):
                return CheckedShard(await check_shard(connection, cut, log, state, witnessed))
        case CheckCheckpoints(after=after, to=to):
            return CheckedCheckpoints(await check_checkpoints(connection, cut, log, after, to))
        case CheckHeads(heads=heads):
            return CheckedHeads(await check_heads(connection, heads))
        case CheckWitness(lines=lines, keys=keys):
            logged = cut.checkpoint is not None
            return CheckedWitness(await check_witness(connection, lines, keys, logged=logged))
        case Finish():
            return Usage(0.0, 0)


async def plan_games(connection: asyncpg.Connection, start: str) -> Planned:
    """The next games from an id on, and how long they are."""
    rows = await connection.fetch(_PLAN, start, STREAMS_PLANNED)
    return Planned([(row[0], row[1]) for row in rows], len(rows) == STREAMS_PLANNED)
