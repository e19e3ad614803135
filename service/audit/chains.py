"""The chain of one stream's events: all at once where all is well, else row by row to the first that is wrong."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from hashlib import sha256
from operator import lt
from typing import Final, Generic, TypeVar
from zlib import crc32

from msgspec import Struct

from domain.chain import first_prev
from domain.events import AnyEvent, type_of
from domain.records.chained import read_bodies_together, read_body
from domain.records.faults import RecordFaultCode, RecordInvalidError, check_of
from domain.records.lines import LINE_BYTES_MAX
from domain.upcasting import SCHEMA, SchemaUnknown
from service.audit.agreement import Beside, disagreements
from service.audit.appends import Touches
from service.audit.findings import MESSAGE_MAX, Finding, FindingCode
from service.audit.play import Play
from service.audit.rows import Row, Rows

HASH_BYTES: Final = 32

DAMAGED: Final = (
    LookupError, ValueError, TypeError, AttributeError, AssertionError, ArithmeticError, RecursionError,
)  # fmt: skip
"""What checking may raise over data that nobody has thought of: it is told, and the audit goes on."""


E = TypeVar("E", bound=Struct)


class Broken(Exception):
    """Nothing more can be said of a stream's events from here on."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.message)
        self.finding = finding


class Chain(ABC, Generic[E]):
    """One stream's events as they come, from the first; `events` is how many of them were fine."""

    body_bytes_max = LINE_BYTES_MAX
    """A body has fewer bytes."""

    def __init__(self, stream: str, shards: int) -> None:
        self.stream: Final = stream
        self.events = 0
        self.found: list[Finding] = []
        self._shard: Final = crc32(stream.encode()) % shards
        self._head = first_prev(stream)
        self._position = 0
        self._told: set[FindingCode] = set()

    @property
    @abstractmethod
    def over(self) -> bool:
        """Whether it is a game that has ended."""

    @abstractmethod
    def disagreements(self, beside: Beside, at: datetime) -> Iterable[Finding]:
        """Where its state and what is kept beside its events are not the same; `at` is the time of the look."""

    @abstractmethod
    def _read(self, row: Row) -> E:
        """The event in a row. Raises `Broken`."""

    @abstractmethod
    def _fold(self, happened: Sequence[E], lasts: Sequence[int]) -> None:
        """Fold events; `lasts` has by event the version of the last one of its command, else 0. Raises `Broken`."""

    def take(self, _rows: Rows) -> bool:
        """Check and fold events that were read together; False, and nothing done, where they have to be read singly.

        Raises `Broken` where they cannot be folded.
        """
        return False

    def take_row(self, row: Row, following: Row | None) -> None:
        """Check and fold one event; `following` is the row after it. Raises `Broken`."""
        n = self.events + 1
        if row.version > n:
            raise self._broken(FindingCode.EVENT_MISSING, n, f"Event {n} is missing: event {row.version} comes next.")
        if row.version < n:
            raise self._broken(FindingCode.EVENT_REPEATED, row.version, f"Event {row.version} stands there twice.")
        self._check_place(row)
        self._check_link(row, following)
        event = self._read(row)
        kind = event.__struct_config__.tag
        if kind != row.type:
            self._note(FindingCode.TYPE_WRONG, n, f"The row says {row.type!r}, and its body {kind}.")
        self._fold([event], [row.last])
        self.events = n
        self._head = row.hash.hex()

    def end(self) -> None:
        """Check what can be told once every event has been taken. Raises `Broken`."""
        return

    def _check_place(self, row: Row) -> None:
        """Check where the event stands in the feed; the chain does not cover that."""
        if row.shard != self._shard:
            message = f"The event is in shard {row.shard}, and its stream belongs to shard {self._shard}."
            self._note(FindingCode.SHARD_WRONG, row.version, message, row)
        elif row.position <= self._position:
            message = f"The event is at {row.position}, and the one before it at {self._position}."
            self._note(FindingCode.POSITION_ORDER, row.version, message, row)
        else:
            self._position = row.position

    def _check_link(self, row: Row, following: Row | None) -> None:
        n = row.version
        whole = len(row.prev_hash) == len(row.hash) == HASH_BYTES
        if row.size >= self.body_bytes_max:
            message = f"The body has {row.size} bytes, and an event has fewer than {self.body_bytes_max}."
            raise self._broken(FindingCode.BODY_INVALID, n, message, RecordFaultCode.LINE_TOO_LONG)
        given = sha256(b"%b\n%b" % (row.prev_hash.hex().encode(), row.body)).digest()
        if row.prev_hash.hex() != self._head:
            before = "hash of the event before" if n > 1 else "SHA-256 of the stream's id"
            message = f"`prev_hash` is not the {before}"
            message += ", but event and hash fit it." if given == row.hash else "."
            raise self._broken(FindingCode.PREV_WRONG, n, message)
        if given == row.hash and whole:
            return
        if following is not None and following.version == n + 1 and following.prev_hash == row.hash:
            message = "The body does not give the hash, and the next event vouches for the hash."
            raise self._broken(FindingCode.BODY_CHANGED, n, message)
        message = "The hash is not that of the body."
        if following is not None and following.prev_hash == given:
            message = "The hash is not that of the body, for which the next event vouches."
        raise self._broken(FindingCode.HASH_WRONG, n, message)

    def _guarded(self, check: Callable[[], None]) -> None:
        try:
            check()
        except RecordInvalidError as invalid:
            fault = invalid.fault
            code = FindingCode.DOES_NOT_FOLD if fault.code in _FOLDING else _BY_CHECK[check_of(fault.code)]
            raise self._broken(code, fault.line - 1, fault.message, fault.code) from invalid
        except DAMAGED as error:
            raise self._broken(FindingCode.UNREADABLE, self.events + 1, f"Checking failed: {error!r}.") from error

    def _note(self, code: FindingCode, n: int, message: str, row: Row | None = None) -> None:
        """Tell of something that stops nothing, once a stream."""
        if code in self._told:
            return
        self._told.add(code)
        shard, position = (None, None) if row is None else (row.shard, row.position)
        self.found.append(Finding(code, message[:MESSAGE_MAX], game=self.stream, n=n, shard=shard, position=position))

    def _broken(self, code: FindingCode, n: int, message: str, fault: RecordFaultCode | None = None) -> Broken:
        return Broken(Finding(code, message[:MESSAGE_MAX], game=self.stream, n=n, fault=fault))


class GameChain(Chain[AnyEvent]):
    """The events of a game, folded by the rules or as they stand."""

    def __init__(self, game: str, shards: int, play: Play, touches: Touches) -> None:
        super().__init__(game, shards)
        self._play: Final = play
        self._touches: Final = touches

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self._play.state is not None and self._play.state.table.status == "ended"

    def take(self, rows: Rows) -> bool:
        """Check and fold events that were read together; False, and nothing done, where something is wrong.

        Raises `Broken` where they cannot be folded.
        """
        n = self.events
        if not (
            (rows.low, rows.high) == (n + 1, n + rows.events)
            and rows.shards == (self._shard, self._shard)
            and rows.schemas == (SCHEMA, SCHEMA)
            and rows.prevs == bytes.fromhex(self._head) + rows.hashes[:-HASH_BYTES]
            and len(rows.positions) == len(rows.lasts) == rows.events
            and rows.positions[0] > self._position
            and all(map(lt, rows.positions, rows.positions[1:]))
        ):
            return False
        happened = read_bodies_together(rows.bodies + b"\n", rows.hashes, n, self._head)
        if happened is None or rows.types != "\n".join(map(type_of, happened)):
            return False
        self._fold(happened, rows.lasts)
        self.events = n + len(happened)
        self._head = rows.hashes[-HASH_BYTES:].hex()
        self._position = rows.positions[-1]
        return True

    def end(self) -> None:
        """Check what can be told once every event has been taken. Raises `Broken`."""
        self._guarded(self._play.end)
        uneven = self._play.uneven
        if uneven is not None:
            self._note(FindingCode.TOTALS_WRONG, uneven, "The totals are not those before with the lines added.")

    def disagreements(self, beside: Beside, at: datetime) -> Iterable[Finding]:
        """Where the game's state and its row, seats and master are not the same."""
        assert self._play.state is not None
        yield from disagreements(self.stream, self._play.state, self._play.standing(), beside, at)
        why = self._touches.fault(self.events)
        if why is not None:
            yield Finding(FindingCode.GAME_VERSION_WRONG, why, game=self.stream)

    def _read(self, row: Row) -> AnyEvent:
        n = row.version
        try:
            return read_body(row.body, row.schema, n - 1)
        except SchemaUnknown as unknown:
            raise self._broken(FindingCode.SCHEMA_UNKNOWN, n, str(unknown)) from unknown
        except RecordInvalidError as invalid:
            fault = invalid.fault
            numbers = (RecordFaultCode.EVENT_MISSING, RecordFaultCode.EVENT_REPEATED)
            code = FindingCode.NUMBER_WRONG if fault.code in numbers else FindingCode.BODY_INVALID
            raise self._broken(code, n, fault.message, fault.code) from invalid
        except DAMAGED as error:
            raise self._broken(FindingCode.UNREADABLE, n, f"Reading the body failed: {error!r}.") from error

    def _fold(self, happened: Sequence[AnyEvent], lasts: Sequence[int]) -> None:
        self._guarded(lambda: self._touches.fold(self._play, happened, lasts))


_FOLDING: Final = (RecordFaultCode.DOES_NOT_FOLD,)

_BY_CHECK: Final = {
    "form": FindingCode.RULES_BROKEN,
    "chain": FindingCode.RULES_BROKEN,
    "rules": FindingCode.RULES_BROKEN,
    "moves": FindingCode.RULES_BROKEN,
    "fairness": FindingCode.FAIRNESS_BROKEN,
    "beacon_signature": FindingCode.BEACON_BROKEN,
}
