"""Whatever is done to the rows of an archive is found, under a code of its own, at its place."""

import random

import asyncpg
import pytest

from tests.service.audit.tampered import Archive, Kind
from tests.service.audit.tampering import KINDS, found, name_of

TURNS = 2


@pytest.mark.parametrize("kind", KINDS, ids=name_of)
async def test_a_tampering_is_found_at_its_place(connection: asyncpg.Connection, archive: Archive, kind: Kind) -> None:
    for turn in range(TURNS):
        step = connection.transaction()
        await step.start()
        done, findings = await found(connection, archive, kind, random.Random(f"{name_of(kind)}/{turn}"))
        await step.rollback()
        assert any(map(done.shown_by, findings)), (done, findings)
