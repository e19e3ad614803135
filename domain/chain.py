"""The hash chain of a game's events (formats part 7). All hashes are lower-case hex SHA-256."""

from hashlib import sha256


def first_prev(game_id: str) -> str:
    """`prev` of a game's first event: the hash of the game id."""
    return sha256(game_id.encode()).hexdigest()


def link(prev: str, body: bytes) -> str:
    """`hash` of an event: `prev` is the hash before it, `body` its canonical JSON without those two keys."""
    return sha256(b"%b\n%b" % (prev.encode(), body)).hexdigest()
