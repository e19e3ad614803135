"""The user that the embedded servers run as."""

import os
import pwd
import stat
from pathlib import Path

import msgspec

from service.embedded.fault import EmbeddedFault

UNPRIVILEGED = "nobody"


class Account(msgspec.Struct, frozen=True):
    """A user of the machine. `switched` says that it is not the user of this process."""

    name: str
    uid: int
    gid: int
    switched: bool

    def owns(self, path: Path) -> bool:
        return path.stat().st_uid == self.uid

    def give(self, path: Path) -> None:
        """Makes the account the owner of one file or directory of ours."""
        if self.switched:
            os.chown(path, self.uid, self.gid)

    def barrier(self, path: Path) -> Path | None:
        """The first directory on the way to `path`, itself included, that the account may not enter."""
        for directory in (*reversed(path.parents), path):
            found = directory.stat()
            if found.st_uid == self.uid:
                enters = found.st_mode & stat.S_IXUSR
            elif found.st_gid == self.gid:
                enters = found.st_mode & stat.S_IXGRP
            else:
                enters = found.st_mode & stat.S_IXOTH
            if not enters:
                return directory
        return None


def server_account() -> Account:
    """Ourselves, or `nobody` if we are root, because Postgres refuses to run as root.

    Raises `EmbeddedFault` if there is no such user: Postgres needs one with a name.
    """
    uid = os.geteuid()
    name = UNPRIVILEGED if uid == 0 else str(uid)
    try:
        entry = pwd.getpwnam(name) if uid == 0 else pwd.getpwuid(uid)
    except KeyError as problem:
        raise EmbeddedFault(
            "account_missing",
            f"Postgres cannot run here, because the user {name} has no entry in /etc/passwd. Add one, or set "
            "DATABASE_URL to a Postgres that runs elsewhere.",
        ) from problem
    return Account(entry.pw_name, entry.pw_uid, entry.pw_gid, switched=uid == 0)
