"""Replays golden games with the engine that is there, and tells what it makes of them.

    python -m tests.golden.replay FOLDER     the results of a folder of golden games as JSON, for who has changed a copy

Of the engine nothing is used but what stays when it changes: stored bytes are decoded, folded, hashed and verified.
"""

import sys
from collections.abc import Sequence
from hashlib import sha256
from pathlib import Path
from typing import Any, Final

import msgspec

import domain
from domain.canonical import canonical
from domain.chain import first_prev, link
from domain.evolve import fold_into, initial_state
from domain.records.shapes import Player
from domain.records.verdicts import Verdict
from domain.records.verification import verify
from domain.records.writer import header_of, stored_record
from domain.state_hash import state_hash
from domain.upcasting import decode_stored
from tests.golden.stored import Kept, Row, Tampering, expected_of, rows_of

SHORT: Final = 64
"""Up to so many events the state after each one is hashed, else those at the ends of hands and of the game."""

_CHECKS: Final = ("form", "chain", "rules", "moves", "fairness")
_FACTS: Final = ("ok", "players", "practice", "events", "hands", "moves", "totals", "winners", "reason", "head")


def result_of(kept: Kept, rows: Sequence[Row]) -> dict[str, Any]:
    """What the engine makes of a game.

    states      state hashes by event number
    ruleset     the hash of its rule set
    header      SHA-256 of the header of its record, in hex
    verdict     what verifying its record comes to
    rewritten   how many events would be written otherwise by the engine than they are stored
    """
    happened = [decode_stored(row.schema, row.body) for row in rows]
    first: Any = happened[0]
    state = initial_state(first)
    states = {}
    for n in _told(rows):
        fold_into(state, happened[state.version : n])
        states[str(n)] = state_hash(state)
    header = header_of(kept.game, _players(kept), state)
    return {
        "states": states,
        "ruleset": state.table.rules.ruleset_hash,
        "header": sha256(canonical(header)).hexdigest(),
        "verdict": _told_verdict(verify(stored_record(header, [(row.body, row.hash) for row in rows]))),
        "rewritten": sum(canonical(event) != row.body for event, row in zip(happened, rows, strict=True)),
    }


def _told(rows: Sequence[Row]) -> list[int]:
    """After which events the state is hashed."""
    if len(rows) <= SHORT:
        return [*range(1, len(rows) + 1)]
    types = [msgspec.json.decode(row.body)["type"] for row in rows]
    ends = [n for n, kind in enumerate(types, start=1) if kind in ("hand_ended", "game_ended")]
    return sorted({*ends, len(rows)})


def _players(kept: Kept) -> list[Player]:
    named = [{"seat": seat, "name": name, "kind": kind} for seat, name, kind in kept.players]
    return msgspec.convert(named, list[Player])


def _told_verdict(verdict: Verdict) -> dict[str, Any]:
    """The facts of a verdict that stay, as JSON; its sentences may be put better."""
    plain: dict[str, Any] = msgspec.json.decode(msgspec.json.encode(verdict))
    fault = plain["fault"] and [plain["fault"]["line"], plain["fault"]["code"]]
    checks = {name: plain["checks"][name] for name in _CHECKS}
    return {name: plain[name] for name in _FACTS} | {"fault": fault, "checks": checks}


def fault_of(kept: Kept, rows: Sequence[Row], tampering: Tampering) -> tuple[int, str] | None:
    """Line and code of the first fault of a game one event of which was changed."""
    state = initial_state(_event(rows[0]))
    fold_into(state, [_event(row) for row in rows[1:]])
    header = header_of(kept.game, _players(kept), state)
    head = first_prev(kept.game)
    stored = []
    for n, row in enumerate(rows, start=1):
        body = row.body
        if n == tampering.n:
            body = canonical(msgspec.json.decode(body) | tampering.change)
        head = link(head, body)
        stored.append((body, head))
    fault = verify(stored_record(header, stored)).fault
    return None if fault is None else (fault.line, str(fault.code))


def _event(row: Row) -> Any:
    return decode_stored(row.schema, row.body)


def replayed(folder: Path) -> dict[str, Any]:
    """The results of a folder: of each game by its name, and of the tampered ones in their order."""
    expected = expected_of(folder)
    games = {name: (kept, rows_of(folder, name, kept)) for name, kept in expected.games.items()}
    return {
        "engine": str(Path(str(domain.__file__)).parent),
        "games": {name: result_of(kept, rows) for name, (kept, rows) in games.items()},
        "tampered": [fault_of(*games[tampering.name], tampering) for tampering in expected.tampered],
    }


def differences(folder: Path, found: dict[str, Any]) -> list[str]:
    """Where results differ from those expected, a line each."""
    expected = expected_of(folder)
    told = []
    for name, kept in expected.games.items():
        for key, value in kept.result.items():
            if found["games"][name][key] != value:
                told.append(f"{folder.name} {name}: {key} is {_short(found['games'][name][key])}, was {_short(value)}")
    for each, fault in zip(expected.tampered, found["tampered"], strict=True):
        if (fault and tuple(fault)) != each.fault:
            told.append(f"{folder.name} {each.name} with event {each.n} changed: {fault}, was {each.fault}")
    return told


def _short(value: object) -> str:
    text = msgspec.json.encode(value).decode()
    return text if len(text) <= 200 else text[:200] + "…"


def main(arguments: Sequence[str]) -> int:
    """The command; see the module's text."""
    if len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    sys.stdout.buffer.write(msgspec.json.encode(replayed(Path(arguments[0]))))
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
