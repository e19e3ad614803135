"""An append: the events of one command, what comes with them in the same transaction, and its limits."""

from collections.abc import Iterable, Sequence
from datetime import datetime

from msgspec import Struct

from domain.chain import link
from service.store.errors import AppendInvalid

EVENTS_MAX = 512
"""Most events of one append: a list of 64 moves, with what follows from each, stays below it."""

APPEND_BYTES_MAX = 1 << 20
"""Most bytes of one append, bodies and answer together."""

KEY_LENGTH_MAX = 255
NAME_LENGTH_MAX = 64
HASH_LENGTH = 64


class NewEvent(Struct, frozen=True, gc=False):
    """An event to be stored: its type tag, its canonical JSON without prev and hash, and its hash (hex)."""

    type: str
    body: bytes
    hash: str


class Touch(Struct, frozen=True, gc=False):
    """The running state of a game for the lists, as it stands after the append (its version is set by the store)."""

    status: str
    turn: int | None = None
    finished_at: datetime | None = None


class PutGame(Struct, frozen=True, kw_only=True):
    """The row of a new game; its id is the stream of the append."""

    share_code: str
    visibility: str
    status: str
    ruleset: str
    players: int
    practice: bool
    created_by: str
    created_at: datetime
    turn: int | None = None


class PutSeat(Struct, frozen=True, kw_only=True):
    """A seat as it now stands: `kind` is open, invited, human or bot; `level` is that of a bot. One for each seat."""

    seat: int
    kind: str
    player: str | None = None
    level: str | None = None


class PutSecret(Struct, frozen=True):
    """The master seed of the game's deals, lower-case hex. A game has one for its whole life."""

    master: str


class DropSecret(Struct, frozen=True):
    """The master seed has been revealed in an event of this append."""


class PutDeadline(Struct, frozen=True):
    """Sets or moves the game's timer of this kind; it belongs to the version that the append reaches."""

    kind: str
    due_at: datetime


class DropDeadline(Struct, frozen=True):
    kind: str


class PutNonce(Struct, frozen=True):
    """What a player commits to (fairness, 2): the SHA-256 of a nonce in hex, in place of an earlier one."""

    player: str
    commitment: str


class DropNonce(Struct, frozen=True):
    """The player left the seat, and took the commitment along."""

    player: str


class SettleNonces(Struct, frozen=True):
    """The table is closed: the commitments stand in an event of this append, and are kept there only."""


class FailNonce(Struct, frozen=True):
    """The player did not reveal the nonce in time (fairness, 4): one more failure is counted."""

    player: str


class PutSeal(Struct, frozen=True):
    """Until when the game shows nothing but its status to anybody but its own seats."""

    until: datetime


class PutBeacon(Struct, frozen=True):
    """The chain whose next round the table fixes when it is closed (fairness, 3)."""

    chain: str


class AwaitSeal(Struct, frozen=True):
    """The game has ended under its seal: a timer reveals its deals when that is over, at once if it is already."""


class PutFork(Struct, frozen=True):
    """The game leaves another one, `origin`, after its event `n`."""

    origin: str
    n: int


class PutMatchGame(Struct, frozen=True, kw_only=True):
    """The game is one of a tournament: of which match, and where; `round`, `table_number` and `leg` count from 1.

    A game `on_boards` is dealt from the boards of the tournament (fairness, MELD-BOARD-1).
    """

    tournament: str
    match: str
    round: int
    table_number: int
    leg: int
    on_boards: bool
    no_new_hand_at: datetime | None = None
    """From when on no further hand of it is dealt."""


class PutTournament(Struct, frozen=True, kw_only=True):
    """The row of a tournament as it stands after the append; its id is the stream. `title` is the id of its text.

    Every append to a tournament has one, and the further writes for tournaments are done only with it.
    """

    organiser: str
    status: str
    shown: str
    title: str
    ruleset: str
    players: int
    entrants: str
    entered: int
    round: int
    created_at: datetime
    starts_at: datetime | None
    finished_at: datetime | None


class PutTournamentPlayer(Struct, frozen=True):
    """The player stands in the line-up of an entrant."""

    player: str
    entrant: str


class DropTournamentPlayer(Struct, frozen=True):
    """The player stands in no line-up of the tournament any more."""

    player: str


class PutText(Struct, frozen=True, kw_only=True):
    """A text that an event of the append names, and which player wrote it; `key` is 32 bytes in hex."""

    id: str
    kind: str
    author: str
    key: str
    body: str


class PutBoardSet(Struct, frozen=True):
    """The tournament has so many boards, all of them from the master committed to."""

    commitment: str
    boards: int


class PutToldGame(Struct, frozen=True):
    """What the tournament's events tell of the end of a game with this append: `finish` or `result`."""

    game: str
    told: str


Write = (
    PutGame | PutSeat | PutSecret | DropSecret | PutDeadline | DropDeadline
    | PutNonce | DropNonce | SettleNonces | FailNonce | PutSeal | AwaitSeal | PutBeacon | PutFork
    | PutMatchGame | PutTournament | PutTournamentPlayer | DropTournamentPlayer | PutText | PutBoardSet | PutToldGame
)  # fmt: skip


class Append(Struct, frozen=True, kw_only=True):
    """The events of one command for one stream, all or nothing.

    `prev_hash` is the hash of the event at `expected_version` (hex), `domain.chain.first_prev` of the stream at 0.
    `command_key` is the caller's idempotency key, scoped to stream and actor, `command_digest` the SHA-256 (hex) of
    what was asked: both or neither. `answer` is handed out again by `Replayed`. `touch` and `writes` are done in the
    same transaction, and only if the events are stored by it.
    """

    stream: str
    expected_version: int
    prev_hash: str
    events: Sequence[NewEvent]
    actor: str
    command_key: str | None = None
    command_digest: str | None = None
    answer: bytes | None = None
    touch: Touch | None = None
    writes: Sequence[Write] = ()

    @property
    def last_version(self) -> int:
        return self.expected_version + len(self.events)


def chained(prev_hash: str, events: Iterable[tuple[str, bytes]]) -> list[NewEvent]:
    """New events from (type, body) pairs, each hashed upon the one before it (formats part 7)."""
    chain = []
    for kind, body in events:
        prev_hash = link(prev_hash, body)
        chain.append(NewEvent(kind, body, prev_hash))
    return chain


def check(append: Append) -> int:
    """The size of an append in bytes. Raises `AppendInvalid`; the database need not be asked for any of this."""
    if not 0 < len(append.events) <= EVENTS_MAX:
        raise AppendInvalid("events", f"1 to {EVENTS_MAX} events")
    if append.expected_version < 0:
        raise AppendInvalid("expected_version", "at least 0")
    _check_name("stream", append.stream, NAME_LENGTH_MAX)
    _check_name("actor", append.actor, NAME_LENGTH_MAX)
    _check_hash("prev_hash", append.prev_hash)
    if append.command_key is not None:
        _check_name("command_key", append.command_key, KEY_LENGTH_MAX)
        _check_hash("command_digest", append.command_digest)
    elif append.command_digest is not None:
        raise AppendInvalid("command_digest", "absent without a command_key")
    size = 0 if append.answer is None else len(append.answer)
    for event in append.events:
        _check_name("type", event.type, NAME_LENGTH_MAX)
        _check_hash("hash", event.hash)
        size += len(event.body)
    if size > APPEND_BYTES_MAX:
        raise AppendInvalid("events", f"at most {APPEND_BYTES_MAX} bytes")
    return size


def _check_name(field: str, text: str, longest: int) -> None:
    """Printable ASCII without spaces at most: so no separator, no NUL and no lone surrogate reaches the database."""
    if not (0 < len(text) <= longest and text.isascii() and text.isprintable()):
        raise AppendInvalid(field, f"1 to {longest} printable ASCII characters")


def _check_hash(field: str, text: str | None) -> None:
    if text is None or len(text) != HASH_LENGTH:
        raise AppendInvalid(field, "a SHA-256 in hex")
