"""The place of a consumer in the feed: an epoch and the position reached in each shard, as opaque text."""

from base64 import urlsafe_b64decode, urlsafe_b64encode

import msgspec
from msgspec import Struct

from service.store.errors import CursorInvalid


class FeedCursor(Struct, frozen=True, array_like=True):
    """`positions` by shard; 0 is the start. Text longer than any real cursor is refused unread."""

    epoch: str
    positions: list[int]

    def text(self) -> str:
        return urlsafe_b64encode(msgspec.msgpack.encode(self)).decode().rstrip("=")


CURSOR_LENGTH_MAX = 16_384


def read_cursor(text: str) -> FeedCursor:
    """Raises `CursorInvalid`."""
    try:
        if len(text) > CURSOR_LENGTH_MAX:
            raise CursorInvalid("The cursor is too long.")
        cursor = msgspec.msgpack.decode(urlsafe_b64decode(text + "=" * (-len(text) % 4)), type=FeedCursor)
    except (ValueError, msgspec.DecodeError) as error:
        raise CursorInvalid("The cursor cannot be read.") from error
    if any(position < 0 for position in cursor.positions):
        raise CursorInvalid("The cursor cannot be read.")
    return cursor
