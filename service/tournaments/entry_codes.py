"""Entry codes: known by their hashes only, which stand in public events.

Codes are short, so a plain hash would soon be guessed: what is hashed is the code under the tournament's master, which
nobody knows before the end.
"""

import hmac
from hashlib import sha256


def keyed(master: bytes, code: str) -> str:
    """The code as the tournament's decisions take it (hex)."""
    return hmac.digest(master, b"entry code\n" + code.encode("utf-8", "surrogatepass"), "sha256").hex()


def code_hash(master: bytes, code: str) -> str:
    """The hash of a code that stands in the terms (hex)."""
    return sha256(keyed(master, code).encode()).hexdigest()
