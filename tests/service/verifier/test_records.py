"""Records of every kind of game are sound to the verifier in JavaScript, and it tells of them what Python tells."""

from collections.abc import Callable
from pathlib import Path
from random import Random
from typing import Any, Final

import pytest

from domain import ending
from domain.cases import Case, read_cases
from domain.chance import FairChance, PracticeChance, fair_terms
from domain.events import Dealt
from domain.evolve import replay
from domain.fairness import nonce_commitment
from domain.lobby import close, hand_over, leave, reopen, reveal_nonce, sit, stand_in
from domain.lobby_refusals import LobbyRefused
from domain.moves import Discard, parse_move
from domain.placing import write_position
from domain.playing import begin, complete, play
from domain.presets import PRESETS
from domain.records.lines import split_lines
from domain.records.verification import verify
from domain.records.writer import players_of, write_record
from domain.refusals import Refusal
from domain.rulesets import resolve
from domain.simulation import Setup
from service.offline.simulated import play_game
from tests.domain.golden_games import NAMES, events_of
from tests.domain.records.record_files import Game, golden_bytes
from tests.domain.records.test_fork_records import record_of
from tests.domain.tables import GAME, MASTER, NONCE
from tests.domain.test_forks import points
from tests.service.verifier.javascript import faults, verdicts

ALIKE: Final = ("ok", "game", "ruleset", "players", "practice", "events", "hands", "reason", "head")
"""What both verdicts hold under the same name."""

CASES: Final = sorted((Path(__file__).parents[2] / "data" / "cases").glob("*.jsonl"))

FAIR: Final = FairChance(GAME, MASTER)

CHANGED: Final = (
    ("canasta-classic", {"three_player": "alone"}, 3),
    ("samba-official", {"six_player_teams": "two_trios"}, 6),
    ("samba-official", {"red_threes": "automatic", "red_three_replacement": "always"}, 4),
    ("samba-official", {"red_threes": "automatic", "red_three_replacement": "none"}, 4),
    ("samba-official", {"last_red_three_may_meld": True}, 2),
    ("samba-official", {"concealed_bonus": 100, "concealed_condition": "whole_hand", "hand_size": 9}, 2),
    ("samba-czech", {"black_three_melds": True, "black_three_wilds": True, "black_three_melds_any_time": True}, 3),
    ("canasta-classic", {"all_red_threes_charge": 1000, "red_three_condition": "two_sets"}, 2),
    ("canasta-classic", {"upcard_rule": "plain", "black_three_bar": "next_player_until_taken"}, 4),
    ("samba-hoyle", {"going_out_requirement": "two_with_samba", "unmelded_red_three_scope": "per_side"}, 3),
)
"""Options that change how cards move or what they count, beyond the presets."""


def simulated(name: str, options: dict[str, Any], players: int, bot: str, hands: int) -> bytes:
    """The record of a game of bots that is played for this test."""
    game = play_game(Setup(resolve(name, options), (bot,) * players, hands), f"{name} {options}".encode(), players)
    return b"".join(write_record(game.id, players_of(game.state, {}), game.happened))


def test_golden_records_are_sound_and_tell_the_same() -> None:
    records = [golden_bytes(name) for name in NAMES]
    for record, found in zip(records, verdicts(records), strict=True):
        theirs = verify(split_lines([record]))
        assert found["fault"] is None
        assert {key: found[key] for key in ALIKE} == {key: getattr(theirs, key) for key in ALIKE}
        assert (found["totals"], found["winners"]) == (list(theirs.totals), list(theirs.winners))


@pytest.mark.parametrize("name", sorted(PRESETS))
def test_games_of_every_preset_and_number_of_players_are_sound(name: str) -> None:
    tables = [
        (players, bot, hands) for players in resolve(name).players for bot, hands in (("greedy", 2), ("random", 1))
    ]
    records = [simulated(name, {}, players, bot, hands) for players, bot, hands in tables]
    assert [verdict["fault"] for verdict in verdicts(records)] == [None] * len(records)


def test_games_under_other_options_are_sound() -> None:
    records = [
        simulated(name, options, players, bot, hands)
        for name, options, players in CHANGED
        for bot, hands in (("greedy", 3), ("random", 2))
    ]
    assert [verdict["fault"] for verdict in verdicts(records)] == [None] * len(records)


# --- games that begin, go on and end otherwise ---


def fair(**terms: Any) -> Game:
    game = Game(fairness=fair_terms("server_only", MASTER), **terms)
    game.begin(FAIR)
    return game


def ended(game: Game, rule: Callable[[Any], Any]) -> list[bytes]:
    game.add(rule(game.state))
    game.add(complete(game.state, [], FAIR)[0])
    return game.record()


def aborted_before_its_start() -> list[bytes]:
    game = Game(fairness=fair_terms("server_only", MASTER))
    game.add(sit(game.state, 0, "p0"))
    return ended(game, lambda state: ending.abort(state, None))


def with_a_nonce_that_did_not_come() -> list[bytes]:
    game = Game(fairness=fair_terms("players", MASTER))
    game.seat_everybody()
    game.add(close(game.state, [nonce_commitment(NONCE)] * 2))
    game.add(reveal_nonce(game.state, 0, NONCE.hex()))
    game.add(reopen(game.state, 1))
    game.add(sit(game.state, 1, "p2"))
    game.add(close(game.state, [nonce_commitment(NONCE), None]))
    game.add(reveal_nonce(game.state, 0, NONCE.hex()))
    game.add(begin(game.state, FAIR)[0])
    game.turns(2, FAIR)
    return game.finish(FAIR)


def with_other_players() -> list[bytes]:
    game = fair()
    game.turns(1, FAIR)
    game.add(hand_over(game.state, 0, "p0", "p9"))
    game.add(stand_in(game.state, game.state.turn, "absence"))
    game.turns(1, FAIR)
    game.add(leave(game.state, 1, "p1"))
    game.add(sit(game.state, 1, "a bot", "bot", "greedy"))
    return game.finish(FAIR)


def striped(**terms: Any) -> list[bytes]:
    game = fair(stock="striped", **terms)
    game.turns(120, FAIR)
    return game.finish(FAIR)


def practice(origin: dict[str, Any], turns: int = 60) -> list[bytes]:
    game = Game(origin=origin)
    game.begin(PracticeChance())
    for _ in range(turns):
        if game.state.phase == "game_over":
            break
        game.move(PracticeChance())
    return game.finish(PracticeChance())


def position(moves: int) -> dict[str, Any]:
    game = fair()
    for _ in range(moves):
        game.move(FAIR)
    return write_position(game.state)


def between_hands() -> dict[str, Any]:
    """The position after the first hand of a game, which the next deal followed."""
    game = fair()
    while not isinstance(game.happened[-1], Dealt) or game.state.hand == 1:
        game.move(FAIR)
    return write_position(replay(game.happened[:-1]))


def alone_without_the_pile() -> list[bytes]:
    """Three seats, of which nobody has taken the pile when one goes out: it counts as the lone one (rule book 11.4)."""
    kings = ["KS", "KS", "KH", "KH", "KD", "KD", "KC"]
    position = {
        "ruleset": "canasta-classic",
        "players": 3,
        "holdings": [["4S"], ["AS", "AH"], ["KC"]],
        "melds": [[{"id": "m1", "kind": "group", "cards": kings}], [], []],
        "turn": 0,
        "phase": "play",
        "has_melded": [True, False, False],
    }
    game = Game(ruleset="canasta-classic", players=3, origin={"kind": "position", "position": position, "seed": "aa"})
    game.begin(PracticeChance())
    done = play(game.state, 0, [Discard(("4S",))], PracticeChance())
    assert not isinstance(done, Refusal)
    game.add(done[0])
    return game.finish(PracticeChance())


def deck() -> list[str]:
    dealt = fair().happened[-1]
    assert isinstance(dealt, Dealt)
    assert isinstance(dealt.deck, tuple)
    return list(dealt.deck)


DECK: Final = deck()

KINDS: Final[dict[str, Callable[[], list[bytes]]]] = {
    "aborted before its start": aborted_before_its_start,
    "aborted in a hand": lambda: ended(fair(), lambda state: ending.abort(state, "technical")),
    "timed out": lambda: ended(fair(), lambda state: ending.time_out(state, 1, "time")),
    "adjudicated against a side": lambda: ended(fair(), lambda state: ending.adjudication(state, 0, "ruling")),
    "adjudicated by totals": lambda: ended(fair(players=3), lambda state: ending.adjudication(state, None, "ruling")),
    "resigned": lambda: ended(fair(players=6), lambda state: ending.resignation(state, 4)),
    "a nonce did not come": with_a_nonce_that_did_not_come,
    "seats changed hands": with_other_players,
    "striped for two": striped,
    "striped for four": lambda: striped(players=4),
    "striped and turned over": lambda: striped(players=5, ruleset="samba-czech"),
    "striped, red threes unasked": lambda: striped(players=3, ruleset="canasta-classic"),
    "practice from a seed": lambda: practice({"kind": "seed", "seed": "00ff"}),
    "practice with its dealer": lambda: practice({"kind": "seed", "seed": "00ff", "dealer": 1}),
    "practice from a deck": lambda: practice({"kind": "decks", "decks": [DECK]}, turns=400),
    "practice from a deck, then a seed": lambda: practice({"kind": "decks", "decks": [DECK], "seed": "aa"}, turns=400),
    "practice before a draw": lambda: practice({"kind": "position", "position": position(0)}),
    "practice in a turn": lambda: practice({"kind": "position", "position": position(7)}),
    "practice between hands": lambda: practice({"kind": "position", "position": between_hands(), "seed": "bb"}),
    "alone without the pile": alone_without_the_pile,
    "fork": lambda: practice({"kind": "fork", "game": GAME, "n": 9, "position": position(3), "seed": "aa"}),
}


def test_games_of_every_other_kind_are_sound() -> None:
    records = {kind: make() for kind, make in KINDS.items()}
    assert {kind: verify(record).fault for kind, record in records.items()} == dict.fromkeys(records)
    assert dict(zip(records, faults(records.values()), strict=True)) == dict.fromkeys(records)


def from_case(case: Case) -> list[bytes]:
    """The record of a practice game that goes as a rule case says. Raises `LobbyRefused` where no game can."""
    given = case.position
    game = Game(
        ruleset=given["ruleset"],
        options=given.get("options"),
        players=given["players"],
        origin={"kind": "position", "position": given, "seed": "c0"},
    )
    chance = PracticeChance()
    game.begin(chance)
    for raw in case.moves:
        seat = raw.get("seat", game.state.turn)
        move = parse_move({key: value for key, value in raw.items() if key != "seat"})
        done = play(game.state, seat, [move], chance)
        if isinstance(done, Refusal):
            break
        game.add(done[0])
    return game.finish(chance)


def by_the_cases() -> dict[str, list[bytes]]:
    """By the name of a case, the record of a practice game that goes as it says."""
    records: dict[str, list[bytes]] = {}
    for path in CASES:
        for _, case in read_cases(split_lines([path.read_bytes()])):
            if case.deck is None and case.expect.legal:
                try:
                    records[case.id] = from_case(case)
                except LobbyRefused:
                    # A game cannot begin with its own end.
                    continue
    return records


def test_games_that_go_as_the_rule_cases_say_are_sound() -> None:
    records = by_the_cases()
    ends = [b"".join(record).count(b'"type":"hand_ended"') for record in records.values()]
    assert len(records) > 150
    assert sum(ends) > 40
    assert {name: verify(record).fault for name, record in records.items()} == dict.fromkeys(records)
    assert dict(zip(records, faults(records.values()), strict=True)) == dict.fromkeys(records)


def test_forks_of_every_golden_game_are_sound() -> None:
    records = {
        f"{name} {n} {deck}": record_of(name, n, deck)
        for name in NAMES
        for n in points(events_of(name), 2, Random(name))[::4]
        for deck in ("original", "fresh")
    }
    assert dict(zip(records, faults(records.values()), strict=True)) == dict.fromkeys(records)


@pytest.mark.parametrize(
    ("kind", "label"),
    [("timed out", "server_only"), ("a nonce did not come", "players"), ("practice from a seed", "practice")],
)
def test_a_verdict_says_who_chose_the_deals(kind: str, label: str) -> None:
    (found,) = verdicts([b"".join(KINDS[kind]())])
    assert found["table"]["fairness"]["label"] == label
