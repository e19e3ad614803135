"""The engine, one thread, in memory: folding, deciding, playing out, reading records, viewing."""

import random
import sys
from collections.abc import Iterable
from typing import Any, Final

import msgspec

from domain.cards import pack
from domain.dealing import deal
from domain.decide import decide
from domain.evolve import fold, initial_state, initial_table
from domain.possible import possible_moves
from domain.records.lines import split_lines
from domain.records.verification import replay_record, verify
from domain.rules import compile_rules
from domain.rulesets import resolve
from domain.state import State, answering_seat
from domain.views import view_for
from tests.bench import golden, yardsticks
from tests.bench.measuring import Bench, Result, measure

KIB: Final = 1024


def run() -> list[Result]:
    """Measure the engine beside its yardsticks."""
    results = [measure(bench) for bench in _benches()]
    size = max(_state_bytes(state) for state, _, _ in golden.asked()[:: max(len(golden.asked()) // 200, 1)]) / KIB
    results.append(Result("live game's state", size, "KiB", 16.0, size <= 16.0, None, None))
    return results


def _benches() -> Iterable[Bench]:
    yield Bench("fold of events in memory", "events/s", _fold, 800_000, yardsticks.chess_push())
    yield Bench("decide + evolve of parsed moves", "moves/s", _decide, 200_000, yardsticks.chess_push_uci())
    yield Bench("random playout with the legal list", "moves/s", _playout, 62_000, yardsticks.openspiel_playout())
    yield Bench("random playout with the legal list", "moves/s", _playout, None, yardsticks.chess_playout())
    yield Bench("record to state, chain checked", "events/s", _read_records, 300_000, yardsticks.chess_pgn())
    yield Bench("record to state, moves re-decided", "events/s", _redecide_records, 80_000, yardsticks.chess_pgn())
    yield Bench("view_for", "views/s", _views, 50_000, yardsticks.openspiel_observation())


def _fold() -> int:
    for happened in golden.games():
        fold(initial_state(happened[0]), happened[1:])  # type: ignore[arg-type]
    return golden.events_count()


def _decide() -> int:
    for state, seat, move in golden.asked():
        decision = decide(state, seat, move)
        fold(state, decision)  # type: ignore[arg-type]
    return len(golden.asked())


_chance = random.Random(1)
_rules = compile_rules(resolve("samba-official"), 4)
_pack = list(pack(_rules.packs, _rules.jokers))


def _playout() -> int:
    """One hand of samba-official by random possible moves, the deal included."""
    sheet = (0,) * len(_rules.sides)
    state = State(table=initial_table(_rules), version=0, scores=sheet, totals=sheet)
    _chance.shuffle(_pack)
    state = fold(state, [deal(state.table, 1, 0, _pack)])
    moves = 0
    while state.phase not in ("hand_over", "game_over"):
        seat = answering_seat(state) if state.phase == "answer" else state.turn
        move = _chance.choice(possible_moves(state, seat)).move()
        state = fold(state, decide(state, seat, move))  # type: ignore[arg-type]
        moves += 1
    return moves


def _read_records() -> int:
    for record in golden.record_bytes():
        replay_record(split_lines([record]))
    return golden.events_count()


def _redecide_records() -> int:
    for record in golden.record_bytes():
        assert verify(split_lines([record])).ok
    return golden.events_count()


def _views() -> int:
    sample = golden.asked()[:1000]
    for state, seat, _ in sample:
        view_for(state, seat)
    return len(sample)


def _state_bytes(state: State) -> int:
    """Memory of a state: all that belongs to this game alone, not the rules it shares with others."""
    shared = {id(state.table.rules)}
    seen: set[int] = set()

    def weigh(value: Any) -> int:
        if id(value) in seen or id(value) in shared or isinstance(value, type):
            return 0
        seen.add(id(value))
        weight = sys.getsizeof(value)
        if isinstance(value, dict):
            return weight + sum(weigh(key) + weigh(item) for key, item in value.items())
        if isinstance(value, list | tuple | frozenset):
            return weight + sum(map(weigh, value))
        if isinstance(value, msgspec.Struct):
            return weight + sum(weigh(getattr(value, name)) for name in value.__struct_fields__)
        return weight

    return weigh(state)
