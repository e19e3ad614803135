"""The drand chains that are known, and the check of their rounds by the library for their signatures.

Chains are data: those below, and more from a file (`read_chains`). Rounds of a chained scheme are signed together with
the signature before, for which `started.beacon` has no place: such chains are known, and not offered.
"""

from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Annotated, Final, Literal

import drand_verify
import msgspec
from msgspec import Meta, Struct

from domain.beacons import PERIODS_AHEAD, Beacon, BeaconShown, ChainHash
from domain.times import milliseconds

Scheme = Literal["bls-unchained-g1-rfc9380", "bls-unchained-on-g1", "pedersen-bls-chained"]
"""Schemes by drand's names of them."""

Verify = Callable[[int, str, str], str]
"""From a round, its signature and the chain's key, both hex, to the randomness. Raises `ValueError`."""

_UNCHAINED: Final[dict[str, Verify]] = {
    "bls-unchained-g1-rfc9380": drand_verify.verify_bls_unchained_g1_rfc9380,
    "bls-unchained-on-g1": drand_verify.verify_bls_unchained_on_g1,
}
_EPOCH_MILLISECONDS: Final = 62_167_219_200_000
"""The beginning of 1970, in the milliseconds of `domain.times`."""

_TRIED_SIGNATURE: Final = "c0" + "00" * 47
"""A point of the curve that signs nothing; a key is tried with it."""


class ChainsFault(ValueError):
    """Chains that cannot be used; the message says which and why."""


class Chain(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """A chain. `genesis` is the time of round 1 in seconds since 1970; the next ones follow one each period."""

    name: Annotated[str, Meta(pattern="^[a-z0-9-]{1,40}$(?!\\n)")]
    chain: ChainHash
    scheme: Scheme
    public_key: Annotated[str, Meta(pattern="^([0-9a-f]{2}){48,96}$(?!\\n)")]
    period_seconds: Annotated[int, Meta(ge=1, le=86_400)]
    genesis: Annotated[int, Meta(ge=0, le=2**40)]

    @property
    def offered(self) -> bool:
        """Whether tables may use it: a round can be checked by itself."""
        return self.scheme in _UNCHAINED

    def due(self, number: int) -> int:
        """When a round comes out, in seconds since 1970."""
        return self.genesis + (number - 1) * self.period_seconds

    def fixed_at(self, now: float) -> Beacon:
        """The round for a table that is closed at a time: the first one far enough in the future (fairness, 3)."""
        behind = now + PERIODS_AHEAD * self.period_seconds - self.genesis
        return Beacon(self.chain, max(1, 1 + int(-(-behind // self.period_seconds))))


KNOWN: Final = (
    Chain(
        name="quicknet",
        chain="52db9ba70e0cc0f6eaf7803dd07447a1f5477735fd3f661792ba94600c84e971",
        scheme="bls-unchained-g1-rfc9380",
        public_key="83cf0f2896adee7eb8b5f01fcad3912212c437e0073e911fb90022d3e760183c8c4b450b6a0a6c3ac6a5776a2d106451"
        "0d1fec758c921cc22b0e17e63aaf4bcb5ed66304de9cf809bd274ca73bab4af5a6e9c76a4bc09e76eae8991ef5ece45a",
        period_seconds=3,
        genesis=1_692_803_367,
    ),
    Chain(
        name="default",
        chain="8990e7a9aaed2ffed73dbd7092123d6f289930540d7651336225dc172e51b2ce",
        scheme="pedersen-bls-chained",
        public_key="868f005eb8e6e4ca0a47c8a77ceaa5309a47978a7c71bc5cce96366b5d7a569937c529eeda66c7293784a9402801af31",
        period_seconds=30,
        genesis=1_595_431_050,
    ),
)


class Chains:
    """Chains by their hashes and names. Raises `ChainsFault` where two share one, or a key is none."""

    def __init__(self, chains: Iterable[Chain] = KNOWN) -> None:
        self.all: Final = tuple(chains)
        self._found: dict[str, Chain] = {}
        for chain in self.all:
            if chain.offered and _randomness(chain, 1, _TRIED_SIGNATURE) is _NO_KEY:
                raise ChainsFault(f"The public key of the chain {chain.name} is no key of its scheme.")
            for handle in (chain.chain, chain.name):
                if handle in self._found:
                    raise ChainsFault(f"Two chains are called {handle}.")
                self._found[handle] = chain

    @property
    def offered(self) -> tuple[Chain, ...]:
        """Those that a table may use, the usual one first."""
        return tuple(chain for chain in self.all if chain.offered)

    def of(self, handle: str) -> Chain | None:
        """The chain with a hash or a name, if tables may use it."""
        chain = self._found.get(handle)
        return chain if chain is not None and chain.offered else None

    # --- what a verification asks (`domain.beacons.BeaconChains`) ---

    def why_unchecked(self, chain: str) -> str | None:
        """Why rounds of a chain cannot be checked; None where they can."""
        if self.of(chain) is not None:
            return None
        if chain in self._found:
            return f"A round of the chain {chain} cannot be checked without the signature before it."
        return f"The chain {chain} is not among those that are known here."

    def foreseen(self, beacon: Beacon, at: str) -> bool:
        """Whether the round of a known chain came out too soon after a time as events have it, or that time is none."""
        chain = self._found[beacon.chain]
        closed = milliseconds(at)
        if closed is None:
            return True
        known = 1000 * (chain.due(beacon.round) - PERIODS_AHEAD * chain.period_seconds)
        return known < closed - _EPOCH_MILLISECONDS

    def signed(self, shown: BeaconShown) -> bool:
        """Whether signature and randomness are those of a known chain under this round."""
        return _randomness(self._found[shown.chain], shown.round, shown.signature) == shown.randomness


def read_chains(path: Path | None) -> Chains:
    """The known chains and those of a file, a JSON list of objects like `Chain`. Raises `ChainsFault`."""
    if path is None:
        return Chains()
    try:
        more = msgspec.json.decode(path.read_bytes(), type=tuple[Chain, ...])
    except OSError as error:
        raise ChainsFault(f"{path} cannot be read: {error.strerror or error}.") from error
    except msgspec.MsgspecError as error:
        raise ChainsFault(f"{path} is no list of chains: {error}.") from error
    try:
        return Chains((*KNOWN, *more))
    except ChainsFault as fault:
        raise ChainsFault(f"{path}: {fault}") from fault


_NO_KEY: Final = object()


def _randomness(chain: Chain, number: int, signature: str) -> object:
    """The randomness of a round that is signed so, None for one that is not, `_NO_KEY` where the key is none."""
    verify = _UNCHAINED[chain.scheme]
    try:
        return verify(number, signature, chain.public_key)
    except ValueError:
        return None
    except BaseException as panic:
        # The library panics, outside of all exceptions, over a key that it cannot read.
        if type(panic).__name__ != "PanicException":
            raise
        return _NO_KEY
