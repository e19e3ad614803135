"""A tournament as a report file (TRF), for the library's own reader to be asked the same question."""

from collections.abc import Sequence
from typing import Final

from gacrux.pairingdutch import pairing_dutch
from gacrux.trf2json import trf2json

from domain.pairing.fide import Event
from domain.pairing.fide_tournament import FideContender, FideRound, Points

_RESULTS: Final = {
    ("played", "win"): "1",
    ("played", "draw"): "=",
    ("played", "loss"): "0",
    ("forfeit", "win"): "+",
    ("forfeit", "loss"): "-",
    ("bye", None): "U",
    ("full_bye", None): "F",
    ("half_bye", None): "H",
    ("zero_bye", None): "Z",
}


def _cell(past: FideRound) -> str:
    result = _RESULTS[past.kind, past.result]
    if past.opponent is None:
        return f"  0000 - {result}"
    return f"  {int(past.opponent[1:]):4d} {'w' if past.side == 'NS' else 'b'} {result}"


def report(contenders: Sequence[FideContender], event: Event) -> str:
    """The report before a round; who is absent in it has a zero-point bye."""
    lines = ["012 Test", f"142 {event.rounds}", f"152 {'W' if event.top == 'NS' else 'B'}", "192 FIDE_DUTCH_2026"]
    for number, contender in enumerate(contenders, 1):
        score = f"{contender.score(Points()) / 100:4.1f}"
        cells = "".join(map(_cell, contender.rounds)) + ("  0000 - Z" if contender.absent else "")
        lines.append(f"001 {number:4d}      {contender.entrant:33s} {0:4d}{'':28s}{score} {number:4d}{cells}")
    return "\n".join(lines) + "\n"


def library_pairs(contenders: Sequence[FideContender], event: Event) -> list[tuple[int, int]]:
    """The pairs that the library finds in the report, White first, 0 for the bye."""
    reader = trf2json()
    reader.parse_file(report(contenders, event), 0)
    assert reader.get_status() == 0, reader.chessjson["status"]
    params = {"experimental": [], "verbose": 0, "top_color": "w"}
    brackets = pairing_dutch(reader.get_tournament(1), event.round, params).compute_pairing(False, 0)
    pairs = sorted(
        (pair for bracket in brackets if bracket for pair in bracket["pairs"]), key=lambda pair: pair["board"]
    )
    return [(pair["w"], pair["b"]) for pair in pairs]
