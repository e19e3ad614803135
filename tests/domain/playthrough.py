"""Playthroughs: everything that the engine says about one seeded hand of each preset, as text.

    python -m tests.domain.playthrough          compare with the files kept in `playthroughs/`
    python -m tests.domain.playthrough --write  write them anew, to be read as a difference before they are kept

At every state stand: what changed in the view of each seat and of a watcher, the legal moves of the seat to act with
their points, completions and reasons, what becomes of some moves that others send or that do not fit, and the events
of the moves chosen. Positions stand at the first state, at every tenth and at the last.
"""

import sys
from collections.abc import Iterator, Sequence
from itertools import zip_longest
from pathlib import Path
from typing import Any

import msgspec

from domain.bots import bot_of
from domain.decide import decide
from domain.events import AnyEvent
from domain.legal import legal_moves
from domain.moves import Answer, Discard, Draw, LayMelds, LayRedThree, Move, Pass, TakePile
from domain.options import LegalMoves, MeldOption, Option
from domain.placing import write_position
from domain.problems import problems
from domain.redaction import Viewer, redact
from domain.refusals import Refusal
from domain.rules import compile_rules
from domain.rulesets import PRESETS, resolve
from domain.shuffle import words
from domain.simulation import Setup, simulate
from domain.state import State
from domain.views import view_for
from domain.waiting import seat_to_act

FOLDER = Path(__file__).parent / "playthroughs"
STATES_MAX = 120
POSITION_EVERY = 10
BYTES_MAX = 400_000
SHOWN_MAX = 200
PLAYERS = {"canasta-standard": 2, "samba-czech": 3, "bolivia": 3}
"""Seats at the table; four for the presets that are not named."""

GAME_NUMBERS = {
    "samba-official": 122, "samba-online": 30, "samba-czech": 25, "canasta-classic": 50, "canasta-standard": 72,
    "samba-hoyle": 87, "bolivia": 118,
}  # fmt: skip
"""Games in whose first hand much happens soon."""

PROBES: tuple[Move, ...] = (
    Draw(),
    Pass(),
    TakePile(with_=()),
    LayMelds(new=(("4S", "4H", "4D"),)),
    LayRedThree("3H"),
    Discard(("4C",)),
    Answer(yes=True),
)


def text_of(preset: str) -> str:
    """The playthrough of a preset."""
    ruleset = resolve(preset)
    players = PLAYERS.get(preset, 4)
    assert players in ruleset.players
    levels = ("greedy", "random") * 3
    steps = simulate(Setup(ruleset, levels[:players], 1), b"playthrough " + preset.encode(), GAME_NUMBERS[preset])
    return "\n".join(_lines(steps, players)) + "\n"


def _lines(steps: Iterator[tuple[list[AnyEvent], State]], players: int) -> Iterator[str]:
    seen: dict[Viewer, dict[str, Any]] = {}
    viewers: tuple[Viewer, ...] = (*range(players), "watcher")
    for number, (happened, state) in enumerate(steps):
        last = state.phase == "game_over"
        if number >= STATES_MAX and not last and state.phase != "hand_over":
            # The rest of the hand is played unseen; its end is shown.
            continue
        yield f"# state {number}"
        for event in happened:
            yield f"event {_json(event)}"
        yield from (f"public {_json(redact(event, 'watcher'))}" for event in happened if _hides(event))
        yield f"problems {int(problems(state))}"
        yield from _views(state, viewers, seen)
        if number % POSITION_EVERY == 0 or last:
            yield f"position {_json({**write_position(state), 'ruleset': '…'})}"
        seat = seat_to_act(state)
        if seat is not None:
            yield from _choices(state, seat)


def _views(state: State, viewers: Sequence[Viewer], seen: dict[Viewer, dict[str, Any]]) -> Iterator[str]:
    """What has changed in the views since `seen`: what all of them share first, then what is each viewer's own."""
    changes: dict[Viewer, dict[str, Any]] = {}
    for viewer in viewers:
        view = msgspec.to_builtins(view_for(state, viewer))
        before = seen.get(viewer, {})
        changes[viewer] = {key: value for key, value in view.items() if key not in before or before[key] != value}
        seen[viewer] = view
    first, *others = changes.values()
    shared = {key for key, value in first.items() if all(key in other and other[key] == value for other in others)}
    yield f"views {_json({key: first[key] for key in shared})}"
    for viewer, changed in changes.items():
        own = {key: value for key, value in changed.items() if key not in shared}
        if own:
            yield f"view {viewer} {_json(own)}"


def _hides(event: AnyEvent) -> bool:
    return redact(event, "watcher") != event


def _choices(state: State, seat: int) -> Iterator[str]:
    legal = legal_moves(state, seat)
    yield f"legal {seat} {_json(_short(legal))}"
    for name in ("takes", "melds", "additions", "joins", "red_threes", "discards", "answers"):
        for option in getattr(legal, name):
            yield f"  {name} {_option(option)}"
    for name in ("draw", "pass_", "ask"):
        option = getattr(legal, name)
        if isinstance(option, Option):
            yield f"  {name} {_option(option)}"
    others = [other for other in range(state.table.rules.players) if other != seat]
    yield f"other {others[0]} {_json(legal_moves(state, others[0]))}"
    outcomes = [_outcome(decide(state, who, move)) for who in (seat, others[0]) for move in PROBES]
    yield f"decide {' '.join(outcomes)}"
    for level in ("greedy", "random"):
        bot = bot_of(level, compile_rules(state.table.rules.ruleset, state.table.rules.players))
        yield f"{level} {_json(bot.choose(view_for(state, seat), legal, words(b'playthrough')))}"


def _short(legal: LegalMoves) -> dict[str, Any]:
    whole = msgspec.to_builtins(legal)
    return {key: value for key, value in whole.items() if key in ("phase", "requirement", "reason", "way_out")}


def _option(option: Option | MeldOption) -> str:
    move = msgspec.to_builtins(option.move)
    told = [_json({key: value for key, value in move.items() if key != "type"})]
    if isinstance(option.points, int):
        told.append(str(option.points))
    if isinstance(option.reason, Refusal):
        told.append(f"no: {option.reason.code} {_json(option.reason.params)}")
    if not isinstance(option.completion, msgspec.UnsetType):
        told.append(f"with {_json(option.completion)}")
    return " ".join(told)


def _outcome(decision: Sequence[AnyEvent] | Refusal) -> str:
    if isinstance(decision, Refusal):
        return decision.code
    return "+".join(str(type(event).__struct_config__.tag) for event in decision)


def _json(value: object) -> str:
    return msgspec.json.encode(value, order="sorted").decode()


def difference(preset: str) -> str | None:
    """The first line of a preset's playthrough that is not the one kept, or None."""
    path = FOLDER / f"{preset}.txt"
    kept = path.read_text(encoding="utf-8").splitlines() if path.exists() else []
    now = text_of(preset).splitlines()
    for number, (before, after) in enumerate(zip_longest(kept, now, fillvalue=""), start=1):
        if before != after:
            return f"{preset}.txt:{number}: was {before[:SHOWN_MAX]!r}, is {after[:SHOWN_MAX]!r}"
    return None


def main(arguments: Sequence[str]) -> int:
    """The command; see the module's text."""
    if arguments == ["--write"]:
        FOLDER.mkdir(exist_ok=True)
        for preset in PRESETS:
            (FOLDER / f"{preset}.txt").write_text(text_of(preset), encoding="utf-8")
        return 0
    if arguments:
        print(__doc__, file=sys.stderr)
        return 2
    found = [told for preset in PRESETS if (told := difference(preset)) is not None]
    print("\n".join(found) or "Every playthrough is as it was.")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
