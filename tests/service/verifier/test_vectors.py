"""The verifier's own hashes, shuffles and seeds, against the vectors of the formats and against other programs."""

import json
import random
from hashlib import sha256, shake_256
from pathlib import Path
from typing import Any, Final

import pytest

from domain.canonical import canonical
from tests.service.verifier.javascript import answer

VECTORS: Final = json.loads((Path(__file__).parents[2] / "data" / "fairness_vectors.json").read_bytes())
SCRIPT: Final = Path(__file__).with_name("vectors.mjs")

Call = tuple[Any, ...]


def results(calls: list[Call]) -> list[Any]:
    found: list[Any] = answer(SCRIPT, calls)
    return found


def result(*call: Any) -> Any:
    return results([call])[0]


def digest(cards: list[str]) -> str:
    return sha256(canonical(cards)).hexdigest()


def test_hashes_are_those_of_another_program_at_every_length_around_a_block() -> None:
    chance = random.Random(1)
    messages = [chance.randbytes(length) for length in [*range(300), 4095, 4096, 10_000]]
    assert results([("sha256", message.hex()) for message in messages]) == [
        sha256(message).hexdigest() for message in messages
    ]
    assert results([("shake256", message.hex(), 300) for message in messages]) == [
        shake_256(message).hexdigest(300) for message in messages
    ]


@pytest.mark.parametrize("vector", VECTORS["shuffle"], ids=lambda vector: vector["name"])
def test_a_deck_is_that_of_its_seed(vector: dict[str, Any]) -> None:
    deck = result("deck", vector["seed_hex"], vector["packs"], vector["jokers"])
    assert deck[:16] == vector["first_16"]
    assert digest(deck) == vector["deck_sha256"]


def test_numbers_below_a_limit_shuffle_as_the_formats_say() -> None:
    for count, expected in VECTORS["below"]["results"].items():
        order = list(range(int(count)))
        limits = list(range(len(order), 1, -1))
        for limit, drawn in zip(limits, result("below", "00" * 128, "deck", limits), strict=True):
            order[limit - 1], order[drawn] = order[drawn], order[limit - 1]
        assert order == expected


@pytest.mark.parametrize("kind", ["game", "game_with_beacon"])
def test_the_hands_of_a_game_follow_from_its_master(kind: str) -> None:
    vectors = VECTORS[kind]
    context, players = vectors["context"], vectors["context"]["players"]
    nonces = [nonce or None for nonce in vectors["nonces_hex"]]
    for hand in vectors["hands"]:
        seed = result("hand", context, vectors["master_hex"], nonces, vectors.get("randomness_hex"), hand["hand"])
        assert sha256(bytes.fromhex(seed)).hexdigest() == hand["hand_seed_sha256"]
        assert digest(result("deck", seed, 3, 6)) == hand["deck_sha256"]
        if "first_dealer" in hand:
            assert result("dealer", seed, players) == hand["first_dealer"]


def test_commitments_are_those_of_the_vectors() -> None:
    game, boards = VECTORS["game"], VECTORS["boards"]
    assert result("commitment", "MELD-DEAL-1", game["master_hex"]) == game["commitment"]
    assert result("commitment", "MELD-BOARD-1", boards["master_hex"]) == boards["commitment"]
    committed = [
        (nonce, held) for nonce, held in zip(game["nonces_hex"], game["nonce_commitments"], strict=True) if held
    ]
    assert committed
    for nonce, held in committed:
        assert result("nonce", nonce) == held


def test_the_boards_of_a_tournament_follow_from_its_master() -> None:
    vectors = VECTORS["boards"]
    for board in vectors["boards"]:
        seed = result("board", vectors["context"], vectors["master_hex"], None, board["board"])
        assert sha256(bytes.fromhex(seed)).hexdigest() == board["hand_seed_sha256"]
        assert digest(result("deck", seed, 3, 6)) == board["deck_sha256"]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        # RFC 8785, 3.2.3: names in the order of their UTF-16 code units, U+1F600 before U+FB33.
        ('{"\\u20ac":"E","\\r":"C","\\ufb33":"H","1":"1","\\ud83d\\ude00":"S","\\u0080":"c","\\u00f6":"o"}',
         '{"\\r":"C","1":"1","\x80":"c","ö":"o","€":"E","😀":"S","\ufb33":"H"}'),
        # RFC 8785, 3.2.2: numbers as ECMAScript writes them, the shortest escapes.
        ("[333333333.33333329,1E30,4.50,2e-3,0.000000000000000000000000001,-0]",
         "[333333333.3333333,1e+30,4.5,0.002,1e-27,0]"),
        ('"\\u20ac$\\u000F\\u000aA\'\\u0042\\u0022\\u005c\\\\\\"\\/"', '"€$\\u000f\\nA\'B\\"\\\\\\\\\\"/"'),
        ('{"10":1,"9":2,"a":3}', '{"10":1,"9":2,"a":3}'),
        ('{"b":[{"d":1,"c":[]}],"a":{}}', '{"a":{},"b":[{"c":[],"d":1}]}'),
    ],
)  # fmt: skip
def test_canonical_json_is_that_of_rfc_8785(text: str, written: str) -> None:
    assert bytes.fromhex(result("canonical", text)).decode() == written
