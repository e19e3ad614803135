"""What can go wrong in the store, other than the outcomes that belong to an append (`base`)."""


class StoreError(Exception):
    """The database refused something that should never be refused; the message says what it told."""


class StoreUnavailable(StoreError):
    """The database cannot be reached or does not answer. What was under way may be stored or not: ask again with
    the same command key, and the answer is the right one in both cases."""


class StoreBusy(StoreError):
    """More appends or requests are waiting than the limit allows, or this one has waited too long for a connection;
    nothing of it was stored."""

    def __init__(self, limit: int) -> None:
        super().__init__(f"Too much is waiting for the database (at most {limit} at a time).")
        self.limit = limit


class StoreNotReady(StoreError):
    """The tables are not there, or not those of this program: `meldhouse migrate` sets them up."""


class GameNewer(StoreError):
    """The game was written by a newer program, and cannot be read or decided by this one: not a wrong state, but none.
    Another worker, or this one once it has been brought up to date, can serve it."""

    def __init__(self, game: str, why: str) -> None:
        super().__init__(f"The game {game} was written by a newer program: {why}")
        self.game = game


class HeadMismatch(StoreError):
    """The expected version is right, but `prev_hash` is not the hash of the stored head: the caller's memory of the
    stream is wrong and must be read again."""

    def __init__(self, stream: str, version: int) -> None:
        super().__init__(f"The hash before version {version + 1} of {stream} is not that of the stored event.")
        self.stream = stream
        self.version = version


class AppendInvalid(StoreError, ValueError):
    """The append itself is malformed; nothing was sent. `field` names the part."""

    def __init__(self, field: str, needed: str) -> None:
        super().__init__(f"{field} must be {needed}.")
        self.field = field
        self.needed = needed


class KeyReused(StoreError):
    """A claim's key came again with another request digest."""


class ActorErased(StoreError):
    """The person who would claim a key has been erased; nothing was stored."""


class CursorInvalid(StoreError):
    """Not a cursor of this feed: unreadable."""


class CursorOutdated(StoreError):
    """The cursor is from before the log was restored, or beyond its end: the consumer must read from the start (or
    from its own last known version) again."""
