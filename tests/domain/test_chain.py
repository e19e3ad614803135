"""The hash chain (formats part 7), by two neighbouring events of a recorded game."""

from domain.canonical import canonical
from domain.chain import first_prev, link

CREATED_HASH = "cf5a9b93dac1b750b1500c06ae37f31409c314fac33f1126bdb2d2b4b9325c02"
SEATED: list[dict[str, object]] = [
    {
        "at": "2026-01-01T00:00:02Z",
        "bot": "greedy",
        "kind": "bot",
        "n": 2,
        "player": "Seat 0",
        "salt": "93ee3f609284fa37eb0898c4117bf83d",
        "seat": 0,
        "type": "seated",
    },
    {
        "at": "2026-01-01T00:00:03Z",
        "bot": "greedy",
        "kind": "bot",
        "n": 3,
        "player": "Seat 1",
        "salt": "89949fe47977bf7c67549ee49deb5040",
        "seat": 1,
        "type": "seated",
    },
]
HASHES = [
    "296b6fa51820587bc237f2dc22ae4112d8309c31abc6d095d7ac01a7d89e361b",
    "93d8238c3098f8ef781e852a18c56e90b89e13e6fe94088c3ca981522c781a06",
]


def test_the_first_prev_is_the_hash_of_the_game_id() -> None:
    assert first_prev("g4-samba-online-2p") == "51bcaa4ac90814db0cbf58218668231f832c1c4e061677fd7a6084ade2f09a37"


def test_every_hash_covers_the_event_and_the_hash_before_it() -> None:
    head = CREATED_HASH
    for event, expected in zip(SEATED, HASHES, strict=True):
        head = link(head, canonical(event))
        assert head == expected


def test_a_changed_event_or_prev_changes_the_hash() -> None:
    assert link(CREATED_HASH, canonical({**SEATED[0], "seat": 1})) != HASHES[0]
    assert link(HASHES[0], canonical(SEATED[0])) != HASHES[0]
