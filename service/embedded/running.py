"""The embedded Postgres of a service that is running, for those who come to look at it."""

import fcntl

from service.embedded.fault import EmbeddedFault
from service.embedded.postgres import DATABASE, SUPERUSER
from service.settings import Settings
from service.temporary import LOCK


def url_of_running(settings: Settings) -> str | None:
    """The superuser's address of the Postgres that a running service has in its state directory, None where none runs.

    Raises `EmbeddedFault` (`state_dir_unusable`) where this user may not look there.
    """
    path = settings.state_dir
    try:
        with (path / LOCK).open("r") as lock:
            fcntl.flock(lock, fcntl.LOCK_SH | fcntl.LOCK_NB)
        return None
    except FileNotFoundError:
        return None
    except BlockingIOError:
        pass
    except OSError as problem:
        raise _unusable(settings, problem) from problem
    try:
        password = (path / "postgres.password").read_text(encoding="ascii").strip()
    except OSError as problem:
        raise _unusable(settings, problem) from problem
    return f"postgresql://{SUPERUSER}:{password}@/{DATABASE}?host={path / 'run'}"


def _unusable(settings: Settings, problem: OSError) -> EmbeddedFault:
    return EmbeddedFault(
        "state_dir_unusable",
        f"The state directory {settings.state_dir} cannot be read: {problem.strerror} ({problem.filename}). Use the "
        "account that runs the service, or name its database by DATABASE_URL.",
    )
