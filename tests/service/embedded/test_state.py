"""Holding a state directory, and why it may not be possible."""

import os
import shutil
from pathlib import Path

import pytest

from service.embedded import EmbeddedFault
from service.embedded.account import Account, server_account
from service.embedded.state import hold, temporary_directory

AS_ROOT = os.geteuid() == 0


def fault_of(path: Path, account: Account | None = None) -> EmbeddedFault:
    with pytest.raises(EmbeddedFault) as caught:
        hold(path, account or server_account())
    return caught.value


def test_one_holder_at_a_time(place: Path) -> None:
    first = hold(place / "state", server_account())
    fault = fault_of(place / "state")
    assert fault.code == "state_dir_in_use"
    assert f"process {os.getpid()}" in str(fault)
    first.close()
    hold(place / "state", server_account()).close()


def test_a_path_that_is_too_long_for_sockets_is_refused(place: Path) -> None:
    fault = fault_of(place / ("x" * 100))
    assert fault.code == "address_too_long"
    assert "MELDHOUSE_STATE_DIR" in str(fault)


def test_the_longest_path_that_is_not_refused_works(place: Path) -> None:
    room = 103 - len(os.fsencode(place / "run" / ".s.PGSQL.5432.lock")) - 1
    hold(place / ("x" * room), server_account()).close()
    assert fault_of(place / ("x" * (room + 1))).code == "address_too_long"


def test_a_file_in_the_way_is_a_fault_that_names_it(place: Path) -> None:
    (place / "state").write_text("")
    fault = fault_of(place / "state")
    assert fault.code == "state_dir_unusable"
    assert str(place / "state") in str(fault)


def test_a_directory_that_the_servers_cannot_reach_is_a_fault_that_names_the_barrier(place: Path) -> None:
    (place / "home").mkdir(mode=0o700)
    own = server_account()
    stranger = Account("stranger", own.uid + 1, own.gid + 1, switched=False)
    fault = fault_of(place / "home" / "state", stranger)
    assert fault.code == "state_dir_unusable"
    assert f"stranger, who may not enter {place / 'home'}." in str(fault)


def test_a_directory_that_was_there_keeps_its_permissions(place: Path) -> None:
    (place / "state").mkdir(mode=0o755)
    (place / "state").chmod(0o755)
    hold(place / "state", server_account()).close()
    assert (place / "state").stat().st_mode & 0o777 == 0o755


def test_a_refused_directory_is_let_go(place: Path) -> None:
    (place / "state").mkdir()
    (place / "state").chmod(0o711)
    (place / "state" / "run").write_text("")
    assert fault_of(place / "state").code == "state_dir_unusable"
    (place / "state" / "run").unlink()
    hold(place / "state", server_account()).close()


def test_a_temporary_directory_is_ours_and_can_be_passed_through_if_the_servers_need_it() -> None:
    for in_memory in (False, True):
        directory = temporary_directory(server_account(), in_memory=in_memory)
        assert directory.stat().st_mode & 0o777 == (0o711 if AS_ROOT else 0o700)
        assert server_account().barrier(directory) is None
        directory.rmdir()


def test_the_next_temporary_directory_removes_forsaken_ones_but_none_that_is_held() -> None:
    account = server_account()
    held, forsaken, new = (temporary_directory(account, in_memory=True) for _ in range(3))
    holder = hold(held, account)
    hold(forsaken, account).close()
    last = temporary_directory(account, in_memory=True)
    found = [directory.exists() for directory in (held, forsaken, new, last)]
    holder.close()
    for directory in (held, new, last):
        shutil.rmtree(directory)
    assert found == [True, False, True, True]


def test_a_user_without_a_name_cannot_run_postgres(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "geteuid", lambda: 4_000_000)
    with pytest.raises(EmbeddedFault, match="no entry in /etc/passwd") as caught:
        server_account()
    assert caught.value.code == "account_missing"
