"""Stored events of tournaments as this program understands them; what a newer one has written is refused."""

from collections.abc import Iterable

import msgspec

from domain.tournaments.events import AnyTournamentEvent
from domain.tournaments.upcasting import decode_stored
from domain.upcasting import SchemaUnknown
from service.store.base import StoredEvent
from service.store.errors import GameNewer, StoreError


def decoded(stored: Iterable[StoredEvent]) -> list[AnyTournamentEvent]:
    """The events behind stored ones, in their order. Raises `GameNewer`, `StoreError` for bytes that are no event."""
    happened = []
    for each in stored:
        try:
            happened.append(decode_stored(each.schema, each.body))
        except SchemaUnknown as newer:
            raise GameNewer(each.stream, str(newer)) from None
        except msgspec.MsgspecError:
            raise StoreError(f"Version {each.version} of {each.stream} holds no event of a tournament.") from None
    return happened
