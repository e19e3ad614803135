"""Directories for as long as a process runs."""

import fcntl
import os
import shutil
import tempfile
from pathlib import Path

import pytest

from service import temporary


@pytest.fixture
def place(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    return tmp_path


def test_a_directory_is_there_while_it_is_held_and_gone_afterwards(place: Path) -> None:
    with temporary.held() as directory:
        assert directory.parent == place
        with temporary.held():
            assert directory.is_dir()
    assert list(place.iterdir()) == []


def test_what_a_killed_process_left_is_removed_by_the_next(place: Path) -> None:
    child = os.fork()
    if child == 0:
        with temporary.held():
            os._exit(0)
    os.waitpid(child, 0)
    (left,) = place.iterdir()
    with temporary.held() as directory:
        assert not left.exists()
        assert list(place.iterdir()) == [directory]


def test_a_start_never_takes_the_directory_of_one_that_is_just_beginning(
    place: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The file is there a moment before it is locked."""
    lock, seen = fcntl.flock, []

    def flock(file: int, how: int) -> None:
        monkeypatch.setattr(fcntl, "flock", lock)
        seen.append(temporary.make(place))
        lock(file, how)

    monkeypatch.setattr(fcntl, "flock", flock)
    with temporary.held() as directory:
        assert seen
        assert (directory / temporary.LOCK).exists()
    shutil.rmtree(seen[0])
