"""Stored events as this program understands them; what a newer one has written is refused, never guessed at."""

from collections.abc import Iterable

import msgspec

from domain.editions import EDITION, edition_of, is_known
from domain.events import AnyEvent, Created
from domain.upcasting import SchemaUnknown, decode_stored
from service.store.base import StoredEvent
from service.store.errors import GameNewer, StoreError


def decoded(stored: Iterable[StoredEvent]) -> list[AnyEvent]:
    """The events behind stored ones, in their order. Raises `GameNewer`, `StoreError` for bytes that are no event."""
    at: StoredEvent | None = None
    happened = []
    try:
        for at in stored:
            happened.append(decode_stored(at.schema, at.body))
    except SchemaUnknown as newer:
        assert at is not None
        raise GameNewer(at.stream, str(newer)) from None
    except msgspec.MsgspecError:
        # What the decoder tells may quote cards.
        assert at is not None
        raise StoreError(f"Version {at.version} of {at.stream} holds no event of schema {at.schema}.") from None
    return happened


def first_decoded(stored: StoredEvent) -> Created:
    """The event that begins a game. Raises `GameNewer`, also where the game is decided by an edition unknown here."""
    (created,) = decoded((stored,))
    assert isinstance(created, Created)
    edition = edition_of(created.engine)
    if not is_known(edition):
        raise GameNewer(stored.stream, f"edition {edition} of the engine decides it, and {EDITION} is the newest here.")
    return created
