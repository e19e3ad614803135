"""Provably fair deals (fairness document): MELD-DEAL-1 for one game, MELD-BOARD-1 for boards at many tables.

Everything here is a function of its arguments: masters and nonces are drawn by the service. Commitments are
lower-case hex SHA-256; masters, seeds, nonces and randomness are bytes.
"""

from collections.abc import Sequence
from hashlib import sha256, shake_256
from typing import Final, Literal

import msgspec

from domain.beacons import Beacon
from domain.canonical import canonical
from domain.shuffle import below, words

MASTER_BYTES: Final = 128
NONCE_BYTES: Final = 32
_SEED_BYTES: Final = 128


class DealContext(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every hand seed of a game is bound to (step 6).

    `seats` are player ids and `beacon` is the round, as in `closed`; before closing they are empty and null.
    """

    algorithm: Literal["MELD-DEAL-1"] = "MELD-DEAL-1"
    game: str
    ruleset_hash: str
    players: int
    seats: tuple[str, ...]
    beacon: Beacon | None


class BoardContext(msgspec.Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """What every board seed of a tournament is bound to."""

    algorithm: Literal["MELD-BOARD-1"] = "MELD-BOARD-1"
    tournament: str
    ruleset_hash: str
    players: int
    beacon: Beacon | None


def enc(*parts: bytes) -> bytes:
    """The parts joined, each behind its length as 4 bytes big-endian."""
    return b"".join(_four_bytes(len(part)) + part for part in parts)


def commitment(master: bytes) -> str:
    """The commitment to a game's master (step 1)."""
    return sha256(enc(b"MELD-DEAL-1/commit", master)).hexdigest()


def check_commitment(committed: str, master: bytes) -> bool:
    """Whether the revealed master is a whole one and the one committed to."""
    return len(master) == MASTER_BYTES and commitment(master) == committed


def nonce_commitment(nonce: bytes) -> str:
    """The commitment that a seat brings for its nonce (step 2)."""
    return sha256(enc(b"MELD-DEAL-1/player", nonce)).hexdigest()


def check_nonce(committed: str, nonce: bytes) -> bool:
    """Whether the revealed nonce is a whole one and the one committed to (step 4)."""
    return len(nonce) == NONCE_BYTES and nonce_commitment(nonce) == committed


def hand_seed(
    context: DealContext, master: bytes, nonces: Sequence[bytes | None], randomness: bytes | None, hand: int
) -> bytes:
    """The hand seed of a game's hand, counted from 1 (step 6), to be given whole to the shuffle.

    `nonces` has one entry a seat, None where the seat brought none; `randomness` is the beacon's or None.
    Raises `ValueError` if the number of nonces is not the number of players.
    """
    if len(nonces) != context.players:
        raise ValueError(f"There are {context.players} players and {len(nonces)} nonces.")
    number = _four_bytes(hand)
    seed = shake_256(enc(b"MELD-DEAL-1/hand", master, number)).digest(_SEED_BYTES)
    contributions = [nonce or b"" for nonce in nonces]
    return enc(b"MELD-DEAL-1/seed", canonical(context), seed, *contributions, randomness or b"", number)


def first_dealer(seed: bytes, players: int) -> int:
    """The seat that deals first; `seed` is the hand seed of hand 1 (step 6)."""
    return next(below(words(seed + b"dealer"), [players]))


def board_commitment(master: bytes) -> str:
    """The commitment to a tournament's master."""
    return sha256(enc(b"MELD-BOARD-1/commit", master)).hexdigest()


def check_board_commitment(committed: str, master: bytes) -> bool:
    """Whether the revealed master of a tournament is a whole one and the one committed to."""
    return len(master) == MASTER_BYTES and board_commitment(master) == committed


def board_seed(context: BoardContext, master: bytes, randomness: bytes | None, board: int) -> bytes:
    """The hand seed of a board, counted from 1."""
    number = _four_bytes(board)
    seed = shake_256(enc(b"MELD-BOARD-1/hand", master, number)).digest(_SEED_BYTES)
    return enc(b"MELD-BOARD-1/seed", canonical(context), seed, randomness or b"", number)


def board_dealer(board: int, players: int) -> int:
    """The seat that deals a board, counted from 1."""
    return (board - 1) % players


def _four_bytes(number: int) -> bytes:
    return number.to_bytes(4, "big")
