"""A drand chain of the tests' own, whose key is known: real signatures of rounds that come out when a test wants it.

Its scheme is quicknet's, bls-unchained-g1-rfc9380: a round is signed by the point that the SHA-256 of its number, 8
bytes big-endian, is hashed to on G1, times the secret key; the public key is on G2.
"""

import sys
from functools import lru_cache
from hashlib import sha256
from importlib import import_module
from typing import Any, Final

from service.offline.beacons import Chain

SECRET_KEY: Final = 0x5EC2E7
SCHEME: Final = "bls-unchained-g1-rfc9380"
_DOMAIN: Final = b"BLS_SIG_BLS12381G1_XMD:SHA-256_SSWU_RO_NUL_"


@lru_cache(maxsize=1)
def curve() -> tuple[Any, Any, Any]:
    """The modules of the curve. To import them raises Python's limit of recursion, which other tests try."""
    limit = sys.getrecursionlimit()
    found = [
        import_module(f"py_ecc.{name}") for name in ("bls.hash_to_curve", "bls.g2_primitives", "optimized_bls12_381")
    ]
    sys.setrecursionlimit(limit)
    return found[0], found[1], found[2]


@lru_cache(maxsize=64)
def signature(number: int, secret_key: int = SECRET_KEY) -> str:
    """The signature of a round, in hex."""
    hashing, primitives, points = curve()
    point = hashing.hash_to_G1(sha256(number.to_bytes(8, "big")).digest(), _DOMAIN, sha256)
    signed: bytes = primitives.G1_to_pubkey(points.multiply(point, secret_key))
    return signed.hex()


@lru_cache(maxsize=4)
def public_key(secret_key: int = SECRET_KEY) -> str:
    """The chain's key, in hex."""
    _, primitives, points = curve()
    key: bytes = primitives.G2_to_signature(points.multiply(points.G2, secret_key))
    return key.hex()


def chain(genesis: int, **other: Any) -> Chain:
    """The chain, its first round at `genesis` in seconds since 1970, the next ones a second apart."""
    facts: dict[str, Any] = {
        "name": "tests",
        "chain": "7e57" * 16,
        "scheme": SCHEME,
        "public_key": public_key(),
        "period_seconds": 1,
        "genesis": genesis,
    }
    return Chain(**facts | other)
