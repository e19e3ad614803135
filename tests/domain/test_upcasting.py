"""Stored events and the schemas that they are of; the step to a next schema is tried in `tests/golden`."""

import msgspec
import pytest

from domain.events import decode
from domain.upcasting import SCHEMA, UPCASTERS, SchemaUnknown, decode_stored, upcast
from tests.golden.stored import HERE, expected_of, rows_of


def test_an_event_of_the_present_schema_is_the_one_that_was_stored() -> None:
    folder = HERE / f"v{SCHEMA}"
    for name, kept in expected_of(folder).games.items():
        for row in rows_of(folder, name, kept):
            assert decode_stored(row.schema, row.body) == decode(row.body)


def test_every_earlier_schema_has_an_upcaster_and_no_other() -> None:
    assert [*UPCASTERS] == [*range(1, SCHEMA)]


@pytest.mark.parametrize("schema", [SCHEMA + 1, 32767, 0, -1])
def test_an_event_of_an_unknown_schema_is_never_guessed_at(schema: int) -> None:
    body = b'{"at":"","n":1,"seat":0,"type":"passed"}'
    assert decode_stored(SCHEMA, body).n == 1
    with pytest.raises(SchemaUnknown) as caught:
        decode_stored(schema, body)
    assert (caught.value.schema, caught.value.known) == (schema, SCHEMA)
    assert str(schema) in str(caught.value)
    with pytest.raises(SchemaUnknown):
        upcast(schema, {"type": "passed"})


def test_bytes_that_are_no_event_are_refused() -> None:
    with pytest.raises(msgspec.ValidationError):
        decode_stored(SCHEMA, b'{"type":"never"}')
    with pytest.raises(msgspec.DecodeError):
        decode_stored(SCHEMA, b"{")
