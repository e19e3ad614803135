"""Stored events of tournaments of every schema there has been, read as those of today.

The number of the schema is the program's, one for all that it stores (`domain.upcasting`): where a step changed nothing
in tournaments it has no entry here.
"""

from collections.abc import Mapping
from typing import Any, Final

import msgspec

from domain.tournaments.events import AnyTournamentEvent, decode
from domain.upcasting import SCHEMA, SchemaUnknown, Upcaster

UPCASTERS: Final[Mapping[int, Upcaster]] = {}
"""By schema, the step to the next one, as `domain.upcasting` has them for the events of games."""


def decode_stored(schema: int, body: bytes) -> AnyTournamentEvent:
    """The event behind stored bytes. Raises `SchemaUnknown`; `msgspec.ValidationError` or `msgspec.DecodeError`."""
    if not 0 < schema <= SCHEMA:
        raise SchemaUnknown(schema)
    steps = [UPCASTERS[step] for step in range(schema, SCHEMA) if step in UPCASTERS]
    if not steps:
        return decode(body)
    value: dict[str, Any] = msgspec.json.decode(body, type=dict[str, Any])
    for step in steps:
        value = step(value)
    event: AnyTournamentEvent = msgspec.convert(value, AnyTournamentEvent)
    return event
