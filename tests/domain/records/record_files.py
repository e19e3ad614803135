"""Records to try: the golden ones as lines, lines after a change with every hash made anew, and short games."""

import json
from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache
from typing import Any

from msgspec.structs import replace

from domain.canonical import canonical
from domain.cards import faces_of
from domain.chain import first_prev, link
from domain.chance import Chance
from domain.ending import adjudication
from domain.events import AnyEvent, Watch
from domain.evolve import fold, initial_state
from domain.lobby import close, open_table, sit
from domain.moves import Discard, Draw, Move, Pass
from domain.playing import begin, complete, play
from domain.records.faults import RecordFault
from domain.records.lines import split_lines
from domain.records.verification import verify
from domain.records.writer import players_of, write_record
from domain.refusals import Refusal
from domain.rulesets import resolve
from domain.state import State
from tests.domain.golden_games import NAMES, RECORDS
from tests.domain.tables import GAME

Values = dict[str, Any]

SHORT = "g5u-samba-online-4p"
"""The shortest golden record."""

FULL = "g1-samba-official-4p"
"""A golden record with seven hands, nonces, a question and red threes laid by hand, which ends by its target."""


@lru_cache(maxsize=len(NAMES))
def golden_bytes(name: str) -> bytes:
    return (RECORDS / f"{name}.meld.jsonl").read_bytes()


def golden(name: str = SHORT) -> list[bytes]:
    return list(split_lines([golden_bytes(name)]))


def fault_of(lines: Iterable[bytes]) -> RecordFault | None:
    return verify(lines).fault


def told(lines: Iterable[bytes]) -> tuple[int, str] | None:
    """The line and the code of the first fault."""
    fault = verify(lines).fault
    return None if fault is None else (fault.line, fault.code.value)


def values_of(lines: Sequence[bytes]) -> list[Values]:
    return [json.loads(line) for line in lines]


def written(value: object) -> bytes:
    return canonical(value) + b"\n"


def chained(header: Values, events: Iterable[Values]) -> list[bytes]:
    """The lines of a record whose events are numbered and whose hashes are made anew."""
    lines = [written(header)]
    head = first_prev(header["game"])
    for n, event in enumerate(events, start=1):
        body = {key: value for key, value in event.items() if key not in ("prev", "hash")} | {"n": n}
        prev, head = head, link(head, canonical(body))
        lines.append(written(body | {"prev": prev, "hash": head}))
    lines.append(written({"end": True, "events": len(lines) - 1, "head": head}))
    return lines


def forged(change: Callable[[Values, list[Values]], None], name: str = SHORT) -> list[bytes]:
    """A golden record after a change to its header and events, with every hash made anew: only the rules can tell."""
    header, *events = values_of(golden(name)[:-1])
    change(header, events)
    return chained(header, events)


class Game:
    """A game under way in which everything that happened is kept."""

    def __init__(self, *, ruleset: str = "samba-official", players: int = 2, options: Any = None, **terms: Any) -> None:
        created = open_table(resolve(ruleset, options), players, watch=Watch("anyone", 0), engine="test/1", **terms)
        self.state: State = initial_state(created)
        self.happened: list[AnyEvent] = [created]

    def add(self, events: Iterable[AnyEvent]) -> None:
        for event in events:
            self.state = fold(self.state, [event])
            self.happened.append(event)

    def seat_everybody(self) -> None:
        for seat in range(self.state.table.rules.players):
            self.add(sit(self.state, seat, f"p{seat}"))

    def begin(self, chance: Chance) -> None:
        """Seat everybody and begin without nonces."""
        self.seat_everybody()
        self.add(close(self.state, [None] * self.state.table.rules.players))
        self.add(begin(self.state, chance)[0])

    def move(self, chance: Chance) -> None:
        """One move of the seat whose turn it is: it draws, then discards."""
        seat = self.state.turn
        moves: list[Move] = [Draw(), Pass()] if self.state.phase == "draw" else []
        moves += [Discard((face,)) for face in reversed(faces_of(self.state.holdings[seat]))]
        decisions = (play(self.state, seat, [move], chance) for move in moves)
        happened, _ = next(done for done in decisions if not isinstance(done, Refusal))
        self.add(happened)

    def turns(self, number: int, chance: Chance) -> None:
        """Turns of the seats one after the other."""
        for _ in range(2 * number):
            self.move(chance)

    def finish(self, chance: Chance) -> list[bytes]:
        """The record of the game, which a ruling ends now unless it has ended."""
        if self.state.phase != "game_over":
            self.add(adjudication(self.state, None, "agreement"))
        self.add(complete(self.state, [], chance)[0])
        return self.record()

    def record(self) -> list[bytes]:
        """The record of the game, which has ended."""
        stamped = [
            replace(event, at=f"2026-01-01T00:{event.n // 60:02}:{event.n % 60:02}.5Z", salt=f"{event.n:032x}")
            for event in self.happened
        ]
        return list(write_record(GAME, players_of(self.state, {"p0": "Ada"}), stamped))
