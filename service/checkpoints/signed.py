"""Signed lines: checkpoints, announcements of epochs and statements of keys, as they are stored, sent and kept.

A line is canonical JSON: `{"body": {…}, "key": <key id>, "signature": hex}`, at most one for a body and key. The
signature is Ed25519 over a prefix that tells the kind, and the bytes of the body.
"""

from collections.abc import Mapping
from hashlib import sha256
from typing import Annotated, Final, Literal

import msgspec
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
from msgspec import Meta, Struct

from domain.canonical import CanonicalError, canonical

FORMAT: Final = "meldhouse/1"
LINE_BYTES_MAX: Final = 1 << 20
"""A line of the most shards that a feed may have is below it."""

Format = Literal["meldhouse/1"]
KeyId = Annotated[str, Meta(pattern=r"^[0-9a-f]{16}$(?!\n)")]
LogId = Annotated[str, Meta(pattern=r"^[0-9a-f]{32}$(?!\n)")]
Hash = Annotated[str, Meta(pattern=r"^[0-9a-f]{64}$(?!\n)")]
SignatureHex = Annotated[str, Meta(pattern=r"^[0-9a-f]{128}$(?!\n)")]
Time = Annotated[str, Meta(pattern=r"^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\.[0-9]{3}Z$(?!\n)")]
Count = Annotated[int, Meta(ge=0, le=2**53 - 1)]
Number = Annotated[int, Meta(ge=1, le=2**53 - 1)]

Reason = Literal["first", "restored", "shrunk", "gap", "row_changed", "checkpoint_wrong"]
"""Why an epoch began: the first one; the feed was told to have been restored; there is less than was sealed; a position
without its event; an event that does not match its hash; a stored checkpoint that does not match its signature, the
tree, or what this service remembers to have signed."""

LineFaultCode = Literal["malformed", "not_canonical", "key_unknown", "key_wrong", "signature_wrong"]


class Checkpoint(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The roots of every shard's tree at these sizes. `number` counts over all epochs; `previous` is the SHA-256 of the
    body of the checkpoint before, null for the first."""

    at: Time
    checkpoint: Format
    epoch: Number
    log: LogId
    number: Number
    previous: Hash | None
    roots: tuple[Hash, ...]
    sizes: tuple[Count, ...]


class Epoch(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The trees begin anew: why, where the trouble was found (a position from 1), and after which checkpoint."""

    after: Count
    at: Time
    epoch: Number
    epoch_begins: Format
    log: LogId
    position: Number | None
    reason: Reason
    shard: Count | None


class Key(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A signing key is added; from then on it signs. `by` is the key before, which vouches for it, null for the first.
    There is a second line of the same body that the new key has signed itself."""

    at: Time
    by: KeyId | None
    key: KeyId
    key_added: Format
    log: LogId
    public_key: Hash


Body = Checkpoint | Epoch | Key


class CheckpointLine(Struct, frozen=True, kw_only=True):
    """A signed checkpoint."""

    body: Checkpoint
    key: KeyId
    signature: SignatureHex


class EpochLine(Struct, frozen=True, kw_only=True):
    """A signed announcement of an epoch."""

    body: Epoch
    key: KeyId
    signature: SignatureHex


class KeyLine(Struct, frozen=True, kw_only=True):
    """A signed statement of a key."""

    body: Key
    key: KeyId
    signature: SignatureHex


class _Raw(Struct, frozen=True, forbid_unknown_fields=True):
    body: msgspec.Raw
    key: KeyId
    signature: SignatureHex


_KINDS: Final[tuple[tuple[type[Body], str, bytes], ...]] = (
    (Checkpoint, "checkpoint", b"meldhouse/1 checkpoint\n"),
    (Epoch, "epoch_begins", b"meldhouse/1 epoch\n"),
    (Key, "key_added", b"meldhouse/1 key\n"),
)
"""Each kind of body, the member that only it has, and the prefix that its signature covers."""

_raw: Final = msgspec.json.Decoder(_Raw)
_members: Final = msgspec.json.Decoder(dict[str, msgspec.Raw])
_decoders: Final = {kind: msgspec.json.Decoder(kind) for kind, _, _ in _KINDS}
_prefixes: Final = {kind: prefix for kind, _, prefix in _KINDS}


class LineFault(Exception):
    """A line that cannot be trusted; `code` tells how, the message where."""

    def __init__(self, code: LineFaultCode, message: str) -> None:
        super().__init__(message)
        self.code = code


class Signed(Struct, frozen=True):
    """A line that was read: what it says, the bytes that were signed, who is said to have signed, and the signature."""

    body: Body
    raw: bytes
    key: str
    signature: bytes

    @property
    def line(self) -> bytes:
        """The line without its newline."""
        return line_bytes(self.raw, self.key, self.signature)

    @property
    def digest(self) -> str:
        """The SHA-256 of the body, by which the next checkpoint names it."""
        return digest(self.raw)


def key_id(public_key: bytes) -> str:
    """The id of a raw public key."""
    return sha256(public_key).hexdigest()[:16]


def digest(raw: bytes) -> str:
    """The SHA-256 of a body, lower-case hex."""
    return sha256(raw).hexdigest()


def body_bytes(body: Body) -> bytes:
    """The bytes of a body."""
    return canonical(body)


def message(body: Body, raw: bytes) -> bytes:
    """What a signature of the body covers."""
    return _prefixes[type(body)] + raw


def line_bytes(raw: bytes, key: str, signature: bytes) -> bytes:
    """The line of a body, without a newline."""
    return b'{"body":%b,"key":"%b","signature":"%b"}' % (raw, key.encode(), signature.hex().encode())


def read_body(raw: bytes) -> Body:
    """A body of any kind from its bytes. Raises `LineFault`."""
    try:
        members = _members.decode(raw)
        kind = next((kind for kind, member, _ in _KINDS if member in members), None)
        if kind is None:
            raise LineFault("malformed", "This is no checkpoint, epoch or key.")
        body = _decoders[kind].decode(raw)
        again = canonical(body)
    except (msgspec.DecodeError, CanonicalError, UnicodeDecodeError) as error:
        raise LineFault("malformed", f"The body cannot be read: {error}") from error
    if again != raw:
        raise LineFault("not_canonical", "The body is not canonical JSON.")
    if isinstance(body, Checkpoint) and len(body.sizes) != len(body.roots):
        raise LineFault("malformed", "A checkpoint has as many sizes as roots.")
    return body


def read_line(line: bytes) -> Signed:
    """A signed line from its bytes, with or without the newline; nothing is verified yet. Raises `LineFault`."""
    line = line.removesuffix(b"\n")
    if len(line) > LINE_BYTES_MAX:
        raise LineFault("malformed", f"A line has {LINE_BYTES_MAX} bytes at most.")
    try:
        found = _raw.decode(line)
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise LineFault("malformed", f"The line cannot be read: {error}") from error
    raw = bytes(found.body)
    signature = bytes.fromhex(found.signature)
    if line_bytes(raw, found.key, signature) != line:
        raise LineFault("not_canonical", "The line is not canonical JSON.")
    return Signed(read_body(raw), raw, found.key, signature)


def verify_line(line: bytes | Signed, public_keys: Mapping[str, bytes]) -> Signed:
    """A line whose signature holds by one of these raw public keys, which are by key id. Raises `LineFault`."""
    signed = read_line(line) if isinstance(line, bytes) else line
    public_key = public_keys.get(signed.key)
    if public_key is None:
        raise LineFault("key_unknown", f"It is signed by the key {signed.key}, which nothing vouches for.")
    if not holds(signed, public_key):
        raise LineFault("signature_wrong", f"Its signature is not one of the key {signed.key}.")
    return signed


def holds(signed: Signed, public_key: bytes) -> bool:
    """Whether the signature is that of this raw public key over the body."""
    try:
        Ed25519PublicKey.from_public_bytes(public_key).verify(signed.signature, message(signed.body, signed.raw))
    except (InvalidSignature, ValueError):
        return False
    return True


class KeyRing:
    """The keys that may sign lines: the first one, and each that the one before it has vouched for."""

    def __init__(self) -> None:
        self.public_keys: dict[str, bytes] = {}
        self.statements: dict[str, Signed] = {}
        """By key, the line that vouches for it."""
        self.log: str | None = None
        self.newest: str | None = None
        """The key that signs now."""

    def add(self, signed: Signed) -> bool:
        """Take a key by its statement; whether it is new, which its own second line is not. Raises `LineFault`.

        Only the newest key may vouch for the next one: who steals an old key cannot add another.
        """
        body = signed.body
        assert isinstance(body, Key)
        public_key = bytes.fromhex(body.public_key)
        if key_id(public_key) != body.key:
            raise LineFault("key_wrong", f"The key {body.key} has another id.")
        known = self.statements.get(body.key)
        if known is not None:
            if known.raw != signed.raw:
                raise LineFault("key_wrong", f"There are two statements of the key {body.key}.")
            verify_line(signed, {key: self.public_keys[key] for key in (body.by, body.key) if key is not None})
            return False
        if self.log not in (None, body.log):
            raise LineFault("key_wrong", f"The key {body.key} is of another log.")
        if body.by != self.newest or signed.key != (body.by or body.key):
            raise LineFault("key_wrong", f"The key {body.key} is not vouched for by the key before it.")
        verify_line(signed, {body.key: public_key} if body.by is None else self.public_keys)
        self.public_keys[body.key] = public_key
        self.statements[body.key] = signed
        self.log = body.log
        self.newest = body.key
        return True
