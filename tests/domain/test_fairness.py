"""Fair deals, by the shared vectors and by what must not pass a check (fairness document)."""

from hashlib import sha256
from typing import Any

import msgspec
import pytest

from domain.canonical import canonical
from domain.fairness import (
    BoardContext,
    DealContext,
    board_commitment,
    board_dealer,
    board_seed,
    check_board_commitment,
    check_commitment,
    check_nonce,
    commitment,
    enc,
    first_dealer,
    hand_seed,
    nonce_commitment,
)
from domain.shuffle import deck
from tests.domain.fairness_vectors import VECTORS, deck_sha256

GAME = VECTORS["game"]
BOARDS = VECTORS["boards"]
MASTER = bytes.fromhex(GAME["master_hex"])


def seed_of(vector: dict[str, Any], hand: int) -> bytes:
    nonces = [nonce and bytes.fromhex(nonce) for nonce in vector["nonces_hex"]]
    randomness = bytes.fromhex(vector["randomness_hex"]) if "randomness_hex" in vector else None
    context = msgspec.convert(vector["context"], DealContext)
    return hand_seed(context, bytes.fromhex(vector["master_hex"]), nonces, randomness, hand)


def test_parts_are_joined_behind_their_lengths() -> None:
    assert enc(b"ab", b"", b"c") == b"\x00\x00\x00\x02ab\x00\x00\x00\x00\x00\x00\x00\x01c"


def test_the_commitment_is_that_of_the_vector() -> None:
    assert commitment(MASTER) == GAME["commitment"]
    assert check_commitment(GAME["commitment"], MASTER)
    assert not check_commitment(GAME["commitment"], MASTER[::-1])
    assert not check_commitment(BOARDS["commitment"], MASTER)


def test_a_short_master_is_no_master_even_if_committed_to() -> None:
    assert not check_commitment(commitment(MASTER[:32]), MASTER[:32])
    assert not check_board_commitment(board_commitment(MASTER[:32]), MASTER[:32])


def test_nonces_are_checked_against_their_commitments() -> None:
    for nonce_hex, committed in zip(GAME["nonces_hex"], GAME["nonce_commitments"], strict=True):
        if nonce_hex is not None:
            nonce = bytes.fromhex(nonce_hex)
            assert nonce_commitment(nonce) == committed
            assert check_nonce(committed, nonce)
            assert not check_nonce(committed, nonce[::-1])
    assert not check_nonce(nonce_commitment(b"short"), b"short")


@pytest.mark.parametrize(
    ("name", "index"), [(name, index) for name in ("game", "game_with_beacon") for index in (0, 1)]
)
def test_the_deal_of_a_hand_is_that_of_its_vector(name: str, index: int) -> None:
    vector = VECTORS[name]
    expected = vector["hands"][index]
    seed = seed_of(vector, expected["hand"])
    assert sha256(seed).hexdigest() == expected["hand_seed_sha256"]
    cards = deck(seed, 3, 6)
    assert cards[:16] == expected["first_16"]
    assert deck_sha256(cards) == expected["deck_sha256"]
    if "first_dealer" in expected:
        assert first_dealer(seed, vector["context"]["players"]) == expected["first_dealer"]


def test_first_dealers_of_many_seeds_are_all_the_seats() -> None:
    assert {first_dealer(bytes([number]), 5) for number in range(64)} == {0, 1, 2, 3, 4}


def test_everything_that_a_hand_is_bound_to_changes_its_seed() -> None:
    context = msgspec.convert(GAME["context"], DealContext)
    nonce = bytes(32)
    seeds = [
        hand_seed(context, MASTER, [None] * 4, None, 1),
        hand_seed(context, MASTER, [None] * 4, None, 2),
        hand_seed(context, MASTER[::-1], [None] * 4, None, 1),
        hand_seed(context, MASTER, [nonce, None, None, None], None, 1),
        hand_seed(context, MASTER, [None, nonce, None, None], None, 1),
        hand_seed(context, MASTER, [None] * 4, nonce, 1),
        *(
            hand_seed(msgspec.structs.replace(context, **change), MASTER, [None] * 4, None, 1)
            for change in ({"game": "G0002"}, {"ruleset_hash": "1" * 64}, {"seats": ("p1", "p2", "p4", "p3")})
        ),
    ]
    assert len(set(seeds)) == len(seeds)


def test_there_is_one_nonce_or_none_for_every_seat() -> None:
    context = msgspec.convert(GAME["context"], DealContext)
    with pytest.raises(ValueError, match="4 players and 3 nonces"):
        hand_seed(context, MASTER, [None] * 3, None, 1)


def test_a_context_is_written_as_it_was_read() -> None:
    for raw, kind in (
        (GAME["context"], DealContext),
        (VECTORS["game_with_beacon"]["context"], DealContext),
        (BOARDS["context"], BoardContext),
    ):
        assert canonical(msgspec.convert(raw, kind)) == canonical(raw)


def test_the_board_commitment_is_that_of_the_vector() -> None:
    assert board_commitment(bytes.fromhex(BOARDS["master_hex"])) == BOARDS["commitment"]
    assert check_board_commitment(BOARDS["commitment"], bytes.fromhex(BOARDS["master_hex"]))
    assert not check_board_commitment(GAME["commitment"], bytes.fromhex(BOARDS["master_hex"]))


@pytest.mark.parametrize("expected", BOARDS["boards"], ids=lambda board: str(board["board"]))
def test_a_board_is_that_of_its_vector(expected: dict[str, Any]) -> None:
    context = msgspec.convert(BOARDS["context"], BoardContext)
    seed = board_seed(context, bytes.fromhex(BOARDS["master_hex"]), None, expected["board"])
    assert sha256(seed).hexdigest() == expected["hand_seed_sha256"]
    assert deck_sha256(deck(seed, 3, 6)) == expected["deck_sha256"]
    assert deck(seed, 3, 6)[:16] == expected["first_16"]
    assert board_dealer(expected["board"], 4) == expected["dealer"]
    assert seed != board_seed(context, bytes.fromhex(BOARDS["master_hex"]), b"beacon", expected["board"])
