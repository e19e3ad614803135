"""`meldhouse keys`."""

import asyncio
from pathlib import Path

import pytest

from service.checkpoints.keys import KeyDirectory
from service.checkpoints.signed import Key, read_line
from service.store.postgres import PostgresStore
from tests.service.checkpoints.conftest import AS_APP, SealedStore
from tests.service.cli.running import refused, told


@pytest.fixture
def environment(fresh_database: str, tmp_path: Path) -> dict[str, str]:
    told("migrate", DATABASE_URL=fresh_database)
    return {"DATABASE_URL": fresh_database, "MELDHOUSE_KEYS_DIR": str(tmp_path / "keys")}


def sealed_by(environment: dict[str, str]) -> list[bytes]:
    """Some events more, sealed; all lines."""

    async def seal() -> list[bytes]:
        store = await PostgresStore.open(environment["DATABASE_URL"], AS_APP)
        sealed = SealedStore(environment["DATABASE_URL"], store, Path(environment["MELDHOUSE_KEYS_DIR"]))
        await sealed.fill()
        await sealed.seal()
        lines = await sealed.lines()
        await store.close()
        return lines

    return asyncio.run(seal())


def test_before_the_service_has_made_a_key_there_is_none(environment: dict[str, str]) -> None:
    assert told("keys", "list", **environment) == "The log has no key yet: the service makes one when it starts.\n"
    assert "no key yet" in refused("keys", "rotate", exit_code=1, **environment)


def test_a_key_is_rotated_and_both_are_listed(environment: dict[str, str]) -> None:
    sealed_by(environment)
    said = told("keys", "rotate", **environment)
    lines = [read_line(line) for line in sealed_by(environment)]
    keys = [line.body.key for line in lines if isinstance(line.body, Key)]
    first, second = dict.fromkeys(keys)
    assert f"The key {second} signs from now on; {first} has vouched for it." in said
    assert lines[-1].key == second
    rows = [row.split() for row in told("keys", "list", **environment).splitlines()]
    assert [(row[0], row[3], row[4]) for row in rows] == [(first, "signed", "here"), (second, "signs", "here")]


def test_a_key_that_is_not_here_vouches_for_nothing(environment: dict[str, str], tmp_path: Path) -> None:
    sealed_by(environment)
    elsewhere = environment | {"MELDHOUSE_KEYS_DIR": str(tmp_path / "elsewhere")}
    assert "is not in" in refused("keys", "rotate", exit_code=1, **elsewhere)
    assert "not here" in told("keys", "list", **elsewhere)
    assert KeyDirectory(tmp_path / "elsewhere").ids() == []
