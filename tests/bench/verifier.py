"""The verifier in JavaScript on one long record, in Node: the whole program, and the work alone once it has begun."""

import subprocess
import tempfile
import time
from functools import cache
from pathlib import Path
from typing import Final

from domain.records.writer import players_of, write_record
from domain.rulesets import resolve
from domain.simulation import Setup
from service.offline.simulated import play_game
from tests.bench.measuring import Result, summarise
from tests.service.verifier.javascript import CLI, VERIFIER, node

EVENTS: Final = 10_000
ROUNDS: Final = 7
SECONDS_MAX: Final = 1.0
"""A record of so many events is to be verified in less."""

_TIMED: Final = """
import { readFileSync } from "node:fs";
import { performance } from "node:perf_hooks";
const { verify } = await import(process.argv[1]);
const bytes = readFileSync(process.argv[2]);
for (let i = 0; i < 5; i++) {
  const begun = performance.now();
  if (!verify(bytes).ok) throw new Error("refused");
  console.log(performance.now() - begun);
}
"""


@cache
def long_record(events: int = EVENTS) -> bytes:
    """The record of one game of at least so many events: its target is so high that it goes on and on."""
    rules = resolve("samba-official", {"target": 1_000_000, "target_choices": [1_000_000]})
    hands = events // 90
    while True:
        game = play_game(Setup(rules, ("greedy",) * 4, hands), b"verifier", 1)
        if len(game.happened) >= events:
            players = players_of(game.state, {})
            return b"".join(write_record(game.id, players, game.happened))
        hands += max(hands // 20, 1)


def run() -> list[Result]:
    """Measure the whole program, which includes the start of Node, and the work alone."""
    with tempfile.TemporaryDirectory() as directory:
        path = Path(directory) / "long.meld.jsonl"
        path.write_bytes(long_record())
        return [_program(path), *_work(path)]


def _program(path: Path) -> Result:
    seconds = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        subprocess.run([node(), CLI, path], check=True, capture_output=True)
        seconds.append(time.perf_counter() - begun)
    return _result(f"whole program, {_events()} events", seconds)


def _work(path: Path) -> list[Result]:
    command = [node(), "--input-type=module", "--eval", _TIMED, str(VERIFIER / "verify.mjs"), str(path)]
    cold, warm = [], []
    for _ in range(ROUNDS):
        done = subprocess.run(command, check=True, capture_output=True, text=True)
        first, *later = (float(line) / 1000 for line in done.stdout.split())
        cold.append(first)
        warm.append(min(later))
    return [_result("verify, first call", cold), _result("verify, once warm", warm)]


def _events() -> int:
    return long_record().count(b"\n") - 2


def _result(name: str, seconds: list[float]) -> Result:
    return summarise(name, "s", seconds, SECONDS_MAX, low_is_good=True)


if __name__ == "__main__":
    for result in run():
        print(f"{result.name}: {result.value:.3f} {result.unit} (spread {result.spread:.2f})")
