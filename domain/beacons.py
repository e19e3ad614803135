"""Beacons: rounds of drand chains, fixed at closing before they exist and shown at the start (fairness, 3 and 5).

The domain knows no chain and no elliptic curve: whoever has both gives them as `BeaconChains`.
"""

from hashlib import sha256
from typing import Annotated, Final, Protocol

from msgspec import Meta, Struct

PERIODS_AHEAD: Final = 2
"""How many periods of its chain a round lies ahead at closing, at least (fairness, 3)."""

ROUND_MAX: Final = 2**53 - 1
"""Larger numbers have no exact place in JSON (RFC 8785)."""

ChainHash = Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)", description="The chain's hash, in hex.")]
Round = Annotated[int, Meta(ge=1, le=ROUND_MAX)]
Signature = Annotated[str, Meta(pattern="^([0-9a-f]{2}){48,96}$(?!\\n)", description="A BLS signature, in hex.")]


class Beacon(Struct, frozen=True, forbid_unknown_fields=True):
    """One round of a drand chain, as fixed before it exists: `closed.beacon`."""

    chain: ChainHash
    round: Round


class BeaconShown(Struct, frozen=True, forbid_unknown_fields=True):
    """The round fixed at closing, as it came out: `started.beacon`."""

    chain: ChainHash
    round: Round
    signature: Signature
    randomness: Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)", description="SHA-256 of the signature, in hex.")]

    @property
    def beacon(self) -> Beacon:
        """Which round it is."""
        return Beacon(self.chain, self.round)


class BeaconChains(Protocol):
    """The chains that somebody knows, and the means to check their rounds. No method raises."""

    def why_unchecked(self, chain: str) -> str | None:
        """Why rounds of a chain cannot be checked, as a sentence; None where they can: such a chain is called known."""

    def foreseen(self, beacon: Beacon, at: str) -> bool:
        """Whether the round of a known chain came out too soon after a time as events have it.

        That is less than `PERIODS_AHEAD` periods after it: then somebody may have known it.
        """

    def signed(self, shown: BeaconShown) -> bool:
        """Whether the signature is that of a known chain under this round."""


def shown(beacon: Beacon, signature: str) -> BeaconShown:
    """A round as it came out with this signature, which is hex."""
    return BeaconShown(beacon.chain, beacon.round, signature, randomness_of(signature))


def randomness_of(signature: str) -> str:
    """The randomness of a round: in every scheme of drand the SHA-256 of its signature."""
    return sha256(bytes.fromhex(signature)).hexdigest()
