"""Verifying records: whole games, and what the rules tell of a record whose form and chain are right."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain import ending
from domain.chance import FairChance, PracticeChance, fair_terms
from domain.dealing import deal
from domain.events import Dealt, Unseated
from domain.evolve import replay
from domain.lobby import hand_over, leave, sit, stand_in
from domain.placing import write_position
from domain.playing import complete
from domain.records.faults import RecordFaultCode as Code
from domain.records.faults import RecordInvalidError
from domain.records.verification import replay_record, verify
from domain.rulesets import resolve
from tests.domain.golden_games import NAMES, events_of
from tests.domain.records.record_files import FULL, Game, Values, chained, forged, golden, told, values_of, written
from tests.domain.tables import GAME, MASTER

Change = Callable[[Values, list[Values]], None]


# --- whole records ---


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_record_verifies(name: str) -> None:
    verdict = verify(golden(name))
    state = replay(events_of(name))
    assert verdict.fault is None
    assert verdict.ok
    assert (verdict.game, verdict.ruleset, verdict.players) == (
        name, state.table.rules.ruleset.name, state.table.rules.players
    )  # fmt: skip
    assert (verdict.totals, verdict.winners, verdict.reason) == (state.totals, state.winners, state.end_reason)
    assert (verdict.events, verdict.hands, verdict.head) == (
        state.version, state.hand, events_of(name)[-1].hash
    )  # fmt: skip
    assert verdict.moves > verdict.events // 2
    assert verdict.checks == {
        "form": "passed", "chain": "passed", "rules": "passed", "moves": "passed", "fairness": "passed",
        "beacon_signature": "not_applicable",
    }  # fmt: skip


@pytest.mark.parametrize("name", NAMES)
def test_a_golden_record_replays_to_its_last_state(name: str) -> None:
    assert replay_record(golden(name)) == replay(events_of(name))


def test_without_deciding_anew_moves_are_folded_as_they_stand() -> None:
    verdict = verify(golden(FULL), redecide=False)
    assert (verdict.ok, verdict.moves, verdict.checks["moves"]) == (True, 0, "not_checked")
    assert verdict.totals == (8470, 10610)


def test_a_verdict_on_a_broken_file_says_how_far_it_came() -> None:
    lines = golden()
    lines[99] = written(values_of(lines)[99] | {"seat": 0, "hash": "0" * 64})
    verdict = verify(lines)
    assert verdict.fault is not None
    assert (verdict.ok, verdict.fault.line, verdict.events, verdict.head) == (False, 100, 98, None)
    assert (verdict.checks["chain"], verdict.checks["moves"]) == ("failed", "not_reached")
    assert (verdict.totals, verdict.winners, verdict.reason) == ((), (), None)


def test_a_verdict_on_nothing_names_no_game() -> None:
    verdict = verify([])
    assert verdict.fault is not None
    assert (verdict.game, verdict.ruleset, verdict.players, verdict.events) == (None, None, 0, 0)
    assert verdict.checks["form"] == "failed"


# --- games that end otherwise, and seats that change hands ---


def fair_game(**terms: Any) -> tuple[Game, FairChance]:
    game = Game(fairness=fair_terms("server_only", MASTER), **terms)
    return game, FairChance(GAME, MASTER)


def test_a_game_aborted_in_its_first_hand_verifies() -> None:
    game, chance = fair_game()
    game.begin(chance)
    game.turns(3, chance)
    game.add(ending.abort(game.state, "technical"))
    game.add(complete(game.state, [], chance)[0])
    verdict = verify(game.record())
    assert verdict.fault is None
    assert (verdict.reason, verdict.winners, verdict.totals) == ("aborted", (), (0, 0))


@pytest.mark.parametrize("seats", [0, 1, 2])
def test_a_game_aborted_before_its_start_verifies(seats: int) -> None:
    game, chance = fair_game()
    for seat in range(seats):
        game.add(sit(game.state, seat, f"p{seat}"))
    game.add(ending.abort(game.state, None))
    game.add(complete(game.state, [], chance)[0])
    verdict = verify(game.record())
    assert verdict.fault is None
    assert (verdict.hands, verdict.moves) == (0, 0)


@pytest.mark.parametrize(
    ("rule", "reason", "winners"),
    [
        (lambda state: ending.time_out(state, 1, "time"), "timed_out", (0,)),
        (lambda state: ending.adjudication(state, 0, "ruling"), "adjudicated", (1,)),
        (lambda state: ending.adjudication(state, None, "ruling"), "adjudicated", (0, 1)),
        (lambda state: ending.resignation(state, 1), "resigned", (0,)),
        (lambda state: [replace(ending.resignation(state, 0)[0], reason="absence"), ending.resignation(state, 0)[1]],
         "resigned", (1,)),
    ],
)  # fmt: skip
def test_a_game_ended_by_a_ruling_verifies(rule: Any, reason: str, winners: tuple[int, ...]) -> None:
    game, chance = fair_game()
    game.begin(chance)
    game.turns(1, chance)
    game.add(rule(game.state))
    game.add(complete(game.state, [], chance)[0])
    verdict = verify(game.record())
    assert verdict.fault is None
    assert (verdict.reason, verdict.winners) == (reason, winners)


def test_a_seat_may_change_hands_in_a_game_under_way() -> None:
    game, chance = fair_game()
    game.begin(chance)
    game.turns(1, chance)
    game.add(hand_over(game.state, 0, "p0", "p9"))
    game.turns(1, chance)
    game.add(leave(game.state, 1, "p1"))
    game.add(sit(game.state, 1, "a bot", "bot", "greedy"))
    lines = game.finish(chance)
    assert told(lines) is None
    assert [player["kind"] for player in values_of(lines)[0]["players"]] == ["human", "bot"]


def test_who_left_a_game_under_way_may_not_return_to_it() -> None:
    game, chance = fair_game()
    game.begin(chance)
    game.add(hand_over(game.state, 0, "p0", "p9"))
    left = len(game.happened)
    game.add([Unseated(n=game.state.version + 1, seat=0, player="p9", kind="human", bot=None)])
    game.add([replace(game.happened[1], n=game.state.version + 1)])
    assert told(game.finish(chance)) == (left + 3, Code.TABLE_REFUSED)


def test_a_seat_that_nobody_holds_any_more_may_be_missing_in_the_header() -> None:
    game, chance = fair_game()
    game.begin(chance)
    game.add(leave(game.state, 1, "p1"))
    header, *events = values_of(game.finish(chance)[:-1])
    assert told(chained(header, events)) is None
    header["players"].append({"seat": 1, "name": "p1", "kind": "human"})
    assert told(chained(header, events)) is None
    header["players"][1]["kind"] = "bot"
    assert told(chained(header, events)) == (1, Code.HEADER_DIFFERS)


def test_a_stand_in_may_move_for_the_seat_to_act() -> None:
    game, chance = fair_game()
    game.begin(chance)
    game.add(stand_in(game.state, game.state.turn, "absence"))
    game.turns(1, chance)
    assert told(game.finish(chance)) is None


def test_no_stand_in_moves_for_a_seat_that_is_not_to_act() -> None:
    game, chance = fair_game()
    game.begin(chance)
    stood_in = stand_in(game.state, game.state.turn, "absence")[0]
    game.add([replace(stood_in, seat=1 - game.state.turn)])
    line = len(game.happened) + 1
    assert told(game.finish(chance)) == (line, Code.TABLE_REFUSED)


def test_a_game_with_a_striped_stock_verifies() -> None:
    game, chance = fair_game(players=4, stock="striped")
    game.begin(chance)
    game.turns(6, chance)
    assert told(game.finish(chance)) is None


# --- practice games ---


DECK = list(FairChance(GAME, MASTER).deck(replay(events_of("f38-samba-official-2p")[:7])))


def position_of_a_hand() -> dict[str, Any]:
    game, chance = fair_game()
    game.begin(chance)
    return write_position(game.state)


def position_between_hands() -> dict[str, Any]:
    game, chance = fair_game()
    game.begin(chance)
    while not isinstance(game.happened[-1], Dealt) or game.state.hand == 1:
        game.move(chance)
    return write_position(replay(game.happened[:-1]))


def practice(origin: dict[str, Any], number: int = 3) -> list[bytes]:
    game = Game(origin=origin)
    chance = PracticeChance()
    game.begin(chance)
    game.turns(number, chance)
    return game.finish(chance)


@pytest.mark.parametrize(
    "origin",
    [
        {"kind": "seed", "seed": "00ff"},
        {"kind": "seed", "seed": "00ff", "dealer": 1},
        {"kind": "decks", "decks": [DECK]},
        {"kind": "position", "position": position_of_a_hand()},
        {"kind": "position", "position": position_between_hands(), "seed": "bb"},
        {"kind": "fork", "game": GAME, "n": 9, "position": position_of_a_hand(), "seed": "aa"},
    ],
)
def test_a_practice_game_verifies_without_fairness(origin: dict[str, Any]) -> None:
    verdict = verify(practice(origin))
    assert verdict.fault is None
    assert (verdict.practice, verdict.checks["fairness"]) == (True, "not_applicable")


def test_a_practice_game_ends_when_no_deck_is_left() -> None:
    game = Game(origin={"kind": "decks", "decks": [DECK]})
    game.begin(PracticeChance())
    while game.state.phase != "game_over":
        game.move(PracticeChance())
    verdict = verify(game.record())
    assert verdict.fault is None
    assert (verdict.hands, verdict.reason) == (1, "adjudicated")


def test_a_practice_game_is_dealt_from_its_origin() -> None:
    game = Game(origin={"kind": "seed", "seed": "00ff"})
    game.begin(PracticeChance())
    header, *events = values_of(game.finish(PracticeChance())[:-1])
    events[0]["origin"]["seed"] = "00fe"
    assert told(chained(header, events)) in ((6, Code.DIFFERS), (7, Code.DECK_WRONG))
    events[0]["origin"] = {"kind": "seed", "seed": "00ff", "dealer": events[4]["first_dealer"]}
    assert told(chained(header, events)) is None
    events[0]["origin"]["dealer"] = 1 - events[4]["first_dealer"]
    assert told(chained(header, events)) == (6, Code.DIFFERS)


def test_a_practice_game_has_no_more_hands_than_decks() -> None:
    game = Game(origin={"kind": "decks", "decks": [DECK]})
    game.begin(PracticeChance())
    while game.state.phase != "game_over":
        game.move(PracticeChance())
    over = next(place for place, event in enumerate(game.happened) if event.n > 5 and "HandEnded" in repr(type(event)))
    del game.happened[over + 1 :]
    game.state = replay(game.happened)
    dealt = deal(game.state.table, 2, (game.state.dealer + 1) % 2, DECK)
    game.add([replace(dealt, n=game.state.version + 1)])
    line = len(game.happened) + 1
    assert told(game.finish(PracticeChance())) == (line, Code.OUT_OF_PLACE)


def test_a_practice_game_begins_from_the_position_of_its_origin() -> None:
    header, *events = values_of(practice({"kind": "position", "position": position_of_a_hand()})[:-1])
    placed = next(event for event in events if event["type"] == "placed")
    placed["position"]["scores"] = [500, 0]
    assert told(chained(header, events)) == (placed["n"] + 1, Code.DIFFERS)


def test_a_practice_game_has_nothing_to_reveal() -> None:
    header, *events = values_of(practice({"kind": "seed", "seed": "00ff"})[:-1])
    revealed = values_of(golden())[-2]
    assert told(chained(header, [*events, revealed])) == (len(events) + 2, Code.OUT_OF_PLACE)


# --- forged records: form and chain are right ---


def first(events: list[Values], kind: str) -> Values:
    return next(event for event in events if event["type"] == kind)


def line_of(kind: str, name: str = FULL) -> int:
    return int(first(values_of(golden(name))[1:-1], kind)["n"]) + 1


def set_in(kind: str, /, **keys: Any) -> Change:
    return lambda _, events: first(events, kind).update(keys)


def insert_after(kind: str, event: Values) -> Change:
    return lambda _, events: events.insert(events.index(first(events, kind)) + 1, dict(event))


def remove(kind: str) -> Change:
    return lambda _, events: events.remove(first(events, kind))


EVENTS = values_of(golden(FULL))[1:-1]
LAST = len(EVENTS) + 2


def swap_cards_of_the_stock(_header: Values, events: list[Values]) -> None:
    deck = first(events, "dealt")["deck"]
    other = next(at for at in range(len(deck) - 2, 0, -1) if deck[at] != deck[-1])
    deck[-1], deck[other] = deck[other], deck[-1]


def another_ruleset(header: Values, events: list[Values]) -> None:
    ruleset = resolve("samba-official", {"target": 10000, "samba_bonus": 1400})
    header["ruleset"] = events[0]["ruleset"] = ruleset.to_json()
    events[0]["ruleset_hash"] = ruleset.sha256()


def reverse_a_plan(_header: Values, events: list[Values]) -> None:
    lists = [cards for move in first(events, "asked")["then"] for cards in move.get("add", {}).values()]
    for cards in lists:
        cards.reverse()
    assert any(cards != cards[::-1] for cards in lists)


@pytest.mark.parametrize(
    ("change", "line", "code"),
    [
        # What a record must begin with.
        (remove("created"), 2, Code.OUT_OF_PLACE),
        (insert_after("created", EVENTS[0]), 3, Code.OUT_OF_PLACE),
        (set_in("created", ruleset_hash="0" * 64), 2, Code.DIFFERS),
        (set_in("created", sides=[[0, 1], [2, 3]]), 2, Code.DIFFERS),
        (set_in("created", players=7), 2, Code.TABLE_REFUSED),
        (set_in("created", fairness=None), 2, Code.TABLE_REFUSED),
        (set_in("created", fairness={"algorithm": "TRUST-ME-1"}), 2, Code.FAIRNESS_INVALID),
        (set_in("created", origin={"kind": "seed", "seed": "00"}), 2, Code.TABLE_REFUSED),
        (lambda _, events: events[0]["ruleset"].update(packs=1), 2, Code.RULESET_INVALID),
        (lambda _, events: events[0]["ruleset"].update(name="house"), 2, Code.DIFFERS),
        (lambda header, _: header["ruleset"].update(name="house"), 1, Code.HEADER_DIFFERS),
        (lambda header, _: header.update(sides=[[0, 1], [2, 3]]), 1, Code.HEADER_DIFFERS),
        # The lobby.
        (set_in("seated", seat=7), 3, Code.TABLE_REFUSED),
        (set_in("seated", player="Seat 1"), 4, Code.TABLE_REFUSED),
        (set_in("seated", kind="human"), 3, Code.TABLE_REFUSED),
        (remove("seated"), line_of("closed") - 1, Code.TABLE_REFUSED),
        (set_in("closed", seats=["Seat 0", "Seat 1", "Seat 2", "X"]), line_of("closed"), Code.DIFFERS),
        (set_in("closed", nonce_commitments=[None] * 4), line_of("nonce_revealed"), Code.TABLE_REFUSED),
        (set_in("closed", nonce_commitments=["00"] * 4), line_of("closed"), Code.TABLE_REFUSED),
        (set_in("closed", beacon={"chain": "a" * 64, "round": 7}), line_of("started"), Code.BEACON_WRONG),
        (set_in("closed", beacon={"round": 7}), line_of("closed"), Code.FAIRNESS_INVALID),
        (remove("closed"), line_of("closed"), Code.TABLE_REFUSED),
        (set_in("nonce_revealed", nonce="00" * 32), line_of("nonce_revealed"), Code.NONCE_WRONG),
        (set_in("nonce_revealed", seat=1), line_of("nonce_revealed"), Code.TABLE_REFUSED),
        (remove("nonce_revealed"), line_of("started") - 1, Code.TABLE_REFUSED),
        (set_in("started", entropy=[None] * 4), line_of("started"), Code.NONCE_WRONG),
        (set_in("started", first_dealer=9), line_of("started"), Code.TABLE_REFUSED),
        (set_in("started", beacon={"chain": "", "round": 1}), line_of("started"), Code.FAIRNESS_INVALID),
        (remove("started"), line_of("started"), Code.OUT_OF_PLACE),
        (insert_after("started", EVENTS[1]), line_of("started") + 1, Code.OUT_OF_PLACE),
        (insert_after("drew", EVENTS[5]), line_of("drew") + 1, Code.TABLE_REFUSED),
        # Deals.
        (remove("dealt"), line_of("dealt"), Code.OUT_OF_PLACE),
        (insert_after("dealt", first(EVENTS, "dealt")), line_of("dealt") + 1, Code.OUT_OF_PLACE),
        (set_in("dealt", dealer=0), line_of("dealt"), Code.DIFFERS),
        (set_in("dealt", hand=2), line_of("dealt"), Code.DIFFERS),
        (lambda _, events: first(events, "dealt")["deck"].pop(), line_of("dealt"), Code.NOT_A_PACK),
        (lambda _, events: first(events, "dealt")["deck"].reverse(), line_of("dealt"), Code.DIFFERS),
        # Play.
        (insert_after("dealt", first(EVENTS, "drew") | {"seat": -1}), line_of("dealt") + 1, Code.UNKNOWN_SEAT),
        (insert_after("dealt", first(EVENTS, "discarded")), line_of("dealt") + 1, Code.MOVE_REFUSED),
        (insert_after("drew", first(EVENTS, "drew")), line_of("drew") + 1, Code.MOVE_REFUSED),
        (set_in("drew", seat=2), line_of("drew"), Code.MOVE_REFUSED),
        (set_in("drew", stock=3), line_of("drew"), Code.DIFFERS),
        (set_in("drew", recycled=3), line_of("drew"), Code.DIFFERS),
        (set_in("discarded", cards=[]), line_of("discarded"), Code.MOVE_REFUSED),
        (set_in("melded", new=[], added=[], joined=[]), line_of("melded"), Code.MOVE_REFUSED),
        (set_in("asked", then=[]), line_of("asked"), Code.MOVE_REFUSED),
        (reverse_a_plan, line_of("asked"), Code.DIFFERS),
        # Ends.
        (remove("hand_ended"), line_of("hand_ended"), Code.OUT_OF_PLACE),
        (insert_after("drew", first(EVENTS, "hand_ended")), line_of("drew") + 1, Code.OUT_OF_PLACE),
        (insert_after("hand_ended", first(EVENTS, "drew")), line_of("hand_ended") + 1, Code.MOVE_REFUSED),
        (insert_after("hand_ended", {**EVENTS[1], "type": "unseated"}), line_of("hand_ended") + 1, Code.OUT_OF_PLACE),
        (set_in("hand_ended", concealed=True), line_of("hand_ended"), Code.DIFFERS),
        (insert_after("drew", first(EVENTS, "game_ended")), line_of("drew") + 1, Code.OUT_OF_PLACE),
        (remove("game_ended"), line_of("game_ended"), Code.OUT_OF_PLACE),
        (set_in("game_ended", winners=[0]), line_of("game_ended"), Code.DIFFERS),
        (insert_after("game_ended", first(EVENTS, "drew")), line_of("game_ended") + 1, Code.OUT_OF_PLACE),
        (insert_after("game_ended", {**EVENTS[1], "type": "unseated"}), line_of("game_ended") + 1, Code.OUT_OF_PLACE),
        (insert_after("revealed", first(EVENTS, "drew")), LAST, Code.OUT_OF_PLACE),
        (insert_after("revealed", first(EVENTS, "revealed")), LAST, Code.OUT_OF_PLACE),
        (lambda _, events: events.__delitem__(slice(-2, None)), LAST - 2, Code.NOT_ENDED),
        (lambda _, events: events.__delitem__(slice(40, None)), 42, Code.NOT_ENDED),
        (lambda _, events: events.clear(), 2, Code.OUT_OF_PLACE),
        # Fairness.
        (remove("revealed"), LAST - 1, Code.NOT_REVEALED),
        (insert_after("drew", first(EVENTS, "revealed")), line_of("drew") + 1, Code.OUT_OF_PLACE),
        (set_in("revealed", master="00" * 128), LAST - 1, Code.COMMITMENT_WRONG),
        (set_in("revealed", master="x"), LAST - 1, Code.COMMITMENT_WRONG),
        (lambda _, events: events[-1].update(master=events[-1]["master"].upper()), LAST - 1, Code.COMMITMENT_WRONG),
        (set_in("revealed", context={}), LAST - 1, Code.FAIRNESS_INVALID),
        (lambda _, events: events[-1]["context"].update(game="other"), LAST - 1, Code.FAIRNESS_INVALID),
        (lambda _, events: events[-1]["context"].update(more=1), LAST - 1, Code.FAIRNESS_INVALID),
        (lambda _, events: events[0]["fairness"].update(commitment="0" * 64), LAST - 1, Code.COMMITMENT_WRONG),
        # The header beside the end.
        (lambda header, _: header["result"].update(winners=[0]), 1, Code.HEADER_DIFFERS),
        (lambda header, _: header["result"].update(totals=[1, 2]), 1, Code.HEADER_DIFFERS),
        (lambda header, _: header["players"].pop(), 1, Code.HEADER_DIFFERS),
        (lambda header, _: header["players"].reverse(), 1, Code.HEADER_DIFFERS),
        (lambda header, _: header["players"].append(header["players"][0]), 1, Code.HEADER_DIFFERS),
        (lambda header, _: header["players"][2].update(kind="human"), 1, Code.HEADER_DIFFERS),
    ],
)  # fmt: skip
def test_a_forged_record_is_refused_by_the_rules(change: Change, line: int, code: Code) -> None:
    assert told(forged(change, FULL)) == (line, code)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        (set_in("created", players=7), 2),
        (lambda _, events: events[0]["ruleset"]["card_values"].pop("JK"), 2),
        (remove("created"), 2),
        (lambda _, events: events.clear(), 2),
        (set_in("seated", seat=9), 3),
        (set_in("drew", seat=9), line_of("drew")),
        (remove("dealt"), line_of("dealt")),
        (set_in("melded", added=[{"id": "m9", "kind": "group", "cards": []}]), line_of("melded")),
    ],
)
def test_a_record_that_does_not_fold_is_refused_by_its_replay(change: Change, line: int) -> None:
    with pytest.raises(RecordInvalidError) as refused:
        replay_record(forged(change, FULL))
    assert refused.value.fault.line == line


@pytest.mark.parametrize(
    ("change", "line", "code"),
    [
        (set_in("melded", added=[{"id": "m9", "kind": "group", "cards": []}]), line_of("melded"), Code.DOES_NOT_FOLD),
        (set_in("drew", seat=9), line_of("drew"), Code.UNKNOWN_SEAT),
        (remove("hand_ended"), line_of("hand_ended"), Code.OUT_OF_PLACE),
        (insert_after("drew", first(EVENTS, "game_ended")), line_of("drew") + 1, Code.OUT_OF_PLACE),
        (insert_after("hand_ended", first(EVENTS, "drew")), line_of("hand_ended") + 1, Code.OUT_OF_PLACE),
        (set_in("started", entropy=[None] * 4), line_of("started"), Code.NONCE_WRONG),
        (set_in("revealed", master="00" * 128), LAST - 1, Code.COMMITMENT_WRONG),
    ],
)
def test_without_deciding_anew_all_but_the_moves_is_checked(change: Change, line: int, code: Code) -> None:
    fault = verify(forged(change, FULL), redecide=False).fault
    assert fault is not None
    assert (fault.line, fault.code) == (line, code)
