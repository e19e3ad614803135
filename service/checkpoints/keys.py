"""The directory of the private keys that sign: one PEM file a key, readable by its owner only.

Beside the keys it holds what was signed last, a small file for each log. It lies outside the database on purpose: a
database put back to an earlier state does not know what was signed after it, and no number may be signed twice.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import msgspec
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
    load_pem_private_key,
)
from msgspec import Struct

from service.checkpoints.signed import Body, Signed, body_bytes, key_id, message
from service.settings import Settings

LOCK: Final = "lock"
OTHERS: Final = 0o077
"""The permission bits of everybody but the owner."""


class KeyUnusable(Exception):
    """The key that should sign is not there, or cannot be used; the message says why and what to do."""


class Last(Struct, frozen=True):
    """What was signed last: number and digest of the checkpoint (0 and null before the first), and the epoch."""

    number: int
    epoch: int
    digest: str | None

    def later(self, other: "Last | None") -> "Last":
        """Of the two the one that was signed later, or this one."""
        return self if other is None or (other.number, other.epoch) <= (self.number, self.epoch) else other


class SigningKey:
    """A private key, its id and its raw public key."""

    def __init__(self, private: Ed25519PrivateKey) -> None:
        self._private = private
        self.public_key = private.public_key().public_bytes(Encoding.Raw, PublicFormat.Raw)
        self.id = key_id(self.public_key)

    def sign(self, body: Body) -> Signed:
        """The body as a signed line."""
        raw = body_bytes(body)
        return Signed(body, raw, self.id, self._private.sign(message(body, raw)))

    def pem(self) -> bytes:
        return self._private.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, NoEncryption())


class KeyDirectory:
    """The keys of one machine, shared by all its workers. Every method waits for the disk."""

    def __init__(self, path: Path) -> None:
        self.path = path

    def make(self) -> SigningKey:
        """A new key, on the disk before it is given. Raises `KeyUnusable`."""
        key = SigningKey(Ed25519PrivateKey.generate())
        with self._explained():
            self.path.mkdir(parents=True, exist_ok=True, mode=0o700)
            self._put(self._file(key.id), key.pem())
        return key

    def load(self, key: str) -> SigningKey:
        """The key of this id. Raises `KeyUnusable`."""
        file = self._file(key)
        with self._explained():
            if not file.exists():
                raise KeyUnusable(
                    f"The key {key}, which signs the checkpoints of this log, is not in {self.path}: copy {file.name} "
                    "there from the machine that has it, or name its directory by MELDHOUSE_KEYS_DIR."
                )
            if file.stat().st_mode & OTHERS:
                raise KeyUnusable(f"Others may read the key {file}: chmod 600 it, or add a new one by `keys rotate`.")
            pem = file.read_bytes()
        try:
            private = load_pem_private_key(pem, None)
        except (ValueError, TypeError) as error:
            raise KeyUnusable(f"The file {file} holds no private key that can be read.") from error
        if not isinstance(private, Ed25519PrivateKey):
            raise KeyUnusable(f"The key in {file} is no Ed25519 key.")
        found = SigningKey(private)
        if found.id != key:
            raise KeyUnusable(f"The file {file} holds another key, {found.id}.")
        return found

    def ids(self) -> list[str]:
        """The ids of the keys that are here, by the names of their files."""
        return sorted(file.stem for file in self.path.glob("*.pem"))

    def last(self, log: str) -> Last | None:
        """What was signed last for a log; None where nothing is known. Raises `KeyUnusable`."""
        with self._explained():
            return self._last(log)

    def keep(self, log: str, last: Last) -> None:
        """Remember what was signed last, unless something later is remembered. Raises `KeyUnusable`."""
        with self._explained(), (self.path / LOCK).open("a") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            known = self._last(log)
            if known is None or known.later(last) is last:
                self._put(self._last_file(log), msgspec.json.encode(last) + b"\n")

    def _last(self, log: str) -> Last | None:
        try:
            return msgspec.json.decode(self._last_file(log).read_bytes(), type=Last)
        except FileNotFoundError:
            return None
        except msgspec.DecodeError as error:
            raise KeyUnusable(
                f"{self._last_file(log)} cannot be read: without it a restored database could not be told. Put it back "
                "from a copy, or remove it if this database is the newest."
            ) from error

    def _put(self, file: Path, content: bytes) -> None:
        """A file that is there whole or not at all, whatever ends this process."""
        handle, temporary = tempfile.mkstemp(dir=self.path, prefix=f".{file.name}.")
        try:
            with os.fdopen(handle, "wb") as writing:
                writing.write(content)
                writing.flush()
                os.fsync(writing.fileno())
            Path(temporary).replace(file)
        except BaseException:
            Path(temporary).unlink(missing_ok=True)
            raise
        directory = os.open(self.path, os.O_RDONLY)
        try:
            os.fsync(directory)
        finally:
            os.close(directory)

    def _file(self, key: str) -> Path:
        return self.path / f"{key}.pem"

    def _last_file(self, log: str) -> Path:
        return self.path / f"{log}.last.json"

    @contextmanager
    def _explained(self) -> Iterator[None]:
        try:
            yield
        except OSError as error:
            raise KeyUnusable(
                f"The directory of keys {self.path} cannot be used: {error.strerror or error} ({error.filename}). "
                "Set MELDHOUSE_KEYS_DIR to a directory that this user may write."
            ) from error


def key_directory(settings: Settings) -> KeyDirectory:
    """The directory that the settings name."""
    return KeyDirectory(settings.keys_dir or settings.state_dir / "keys")
