"""Reading positions from outside, strictly: every fault is listed (formats, part 3).

`read_position` answers with a complete position, every key present and every counted card named; what
`domain.placing` puts on a table.
"""

from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

import msgspec

from domain.cards import FACES, canonical, pack
from domain.editions import EDITION
from domain.events import Meld
from domain.evolve import initial_table
from domain.melds import new_meld
from domain.moves import Ask, in_canonical_order, parse_move
from domain.placing import place
from domain.position_shapes import (
    HANDS_MAX,
    OTHER_KEYS,
    RECYCLES_MAX,
    SCORE_MAX,
    SHAPES,
    GivenStock,
    Holding,
    PositionFault,
    PositionInvalidError,
)
from domain.refusals import Refused
from domain.rules import PlayersNotPermittedError, Rules, compile_rules
from domain.rulesets import RuleSetInvalidError, resolve
from domain.state import Laid, State

__all__ = ["PositionFault", "PositionInvalidError", "read_position", "state_from"]


def state_from(raw: object, edition: int = EDITION) -> State:
    """The state that a position describes, judged by an edition of the engine. Raises `PositionInvalidError`."""
    position = read_position(raw, edition)
    rules = compile_rules(resolve(position["ruleset"]), position["players"], edition)
    state = State(table=initial_table(rules), version=0)
    place(state, position)
    return state


def read_position(raw: object, edition: int = EDITION) -> dict[str, Any]:
    """The complete position for one from outside. Raises `PositionInvalidError` with every fault."""
    if not isinstance(raw, dict):
        raise PositionInvalidError([PositionFault("", "A position is an object.")])
    reader = _Reader(raw, edition)
    reader.read_rules()
    reader.read_shapes()
    if reader.rules is None:
        raise PositionInvalidError(reader.faults)
    return reader.complete(reader.rules)


class _Reader:
    """Collects faults while it reads one position."""

    def __init__(self, raw: dict[str, Any], edition: int) -> None:
        self.raw = raw
        self.edition = edition
        self.faults: list[PositionFault] = []
        self.rules: Rules | None = None
        self.given: dict[str, Any] = {}

    def fault(self, key: str, message: str) -> None:
        self.faults.append(PositionFault(key, message))

    def read_rules(self) -> None:
        ruleset = self.raw.get("ruleset")
        if not isinstance(ruleset, str | dict):
            self.fault("ruleset", "The name of a rule set or a complete rule set is needed.")
            return
        options = self.raw.get("options")
        if options is not None and not isinstance(options, dict):
            self.fault("options", "Options are an object of keys and values.")
            return
        try:
            resolved = resolve(ruleset, options)
        except RuleSetInvalidError as invalid:
            for fault in invalid.faults:
                self.fault("ruleset", fault.message)
            return
        players = self.raw.get("players")
        if type(players) is not int:
            self.fault("players", "The number of seats is needed.")
            return
        try:
            self.rules = compile_rules(resolved, players, self.edition)
        except PlayersNotPermittedError as error:
            self.fault("players", str(error))

    def read_shapes(self) -> None:
        for key, value in self.raw.items():
            if key in OTHER_KEYS:
                continue
            shape = SHAPES.get(key)
            if shape is None:
                self.fault(str(key), "A position has no such key.")
                continue
            try:
                self.given[key] = msgspec.convert(value, shape)
            except msgspec.ValidationError as error:
                self.fault(key, str(error))

    def complete(self, rules: Rules) -> dict[str, Any]:
        """Check every key that could be read, then fill what does not matter."""
        seats, sides = rules.players, len(rules.sides)
        get = self.given.get
        self._check_number("hand", 1, HANDS_MAX)
        self._check_number("recycles", 0, RECYCLES_MAX)
        for key in ("dealer", "turn", "lone"):
            self._check_number(key, 0, seats - 1)
        self._check_length("scores", sides)
        if any(abs(score) > SCORE_MAX for score in get("scores", ())):
            self.fault("scores", f"A sheet total is between -{SCORE_MAX} and {SCORE_MAX}.")
        for key in ("holdings", "has_melded", "had_turn"):
            self._check_length(key, seats)
        red_threes_key = "red_threes_by_seat" if rules.lone_side else "red_threes"
        other_key = "red_threes" if rules.lone_side else "red_threes_by_seat"
        if other_key in self.raw:
            self.fault(other_key, f"With this rule set red threes stand under {red_threes_key}.")
        self._check_length(red_threes_key, sides)
        self._check_length("melds", sides)
        self._check_melds(rules)
        dealer = get("dealer", 0)
        position = {
            "ruleset": msgspec.to_builtins(rules.ruleset),
            "players": seats,
            "hand": get("hand", 1),
            "dealer": dealer,
            "scores": list(get("scores", (0,) * sides)),
            "turn": get("turn", (dealer + 1) % seats),
            "phase": get("phase", "draw"),
            "melds": [[msgspec.to_builtins(_canonical(meld)) for meld in side] for side in get("melds", ((),) * sides)],
            red_threes_key: [list(canonical(laid)) for laid in get(red_threes_key, ((),) * sides)],
            "pile": list(get("pile", ())),
            "melded_this_turn": get("melded_this_turn", False),
            "last_turn": get("last_turn", False),
            "has_melded": list(get("has_melded", (False,) * seats)),
            "had_turn": list(get("had_turn", (False,) * seats)),
            "permission": get("permission"),
            "barred": self._barred(seats),
            "lone": get("lone"),
            "recycles": get("recycles", 0),
        }
        self._check_turn(rules, position)
        holdings, stock = self._fill(rules, position, red_threes_key)
        if self.faults:
            raise PositionInvalidError(self.faults)
        return position | {"holdings": holdings, "stock": stock}

    def _check_number(self, key: str, least: int, most: int) -> None:
        value = self.given.get(key)
        if value is not None and not least <= value <= most:
            self.fault(key, f"A number from {least} to {most} is needed.")
            del self.given[key]

    def _check_length(self, key: str, length: int) -> None:
        value = self.given.get(key)
        if value is not None and len(value) != length:
            self.fault(key, f"A list of {length} is needed.")
            del self.given[key]

    def _barred(self, seats: int) -> list[int]:
        barred = self.given.get("barred")
        listed = () if barred is None else (barred,) if isinstance(barred, int) else barred
        if any(not 0 <= seat < seats for seat in listed) or len(set(listed)) < len(listed):
            self.fault("barred", f"Different seats from 0 to {seats - 1} are needed.")
        return sorted(listed)

    def _check_melds(self, rules: Rules) -> None:
        seen: set[str] = set()
        for side in self.given.get("melds", ()):
            lying: dict[str, Laid] = {}
            for meld in side:
                number = meld.id[1:]
                if meld.id[:1] != "m" or not number.isascii() or not number.isdigit() or number[0] == "0":
                    self.fault("melds", f"{meld.id!r} is no id of a meld: m1, m2, …")
                elif len(number) > _ID_DIGITS_MAX:
                    self.fault("melds", "The number of a meld is too large.")
                elif meld.id in seen:
                    self.fault("melds", f"Two melds have the id {meld.id}.")
                seen.add(meld.id)
                try:
                    laid = new_meld(rules, lying, (), meld.cards, meld.id)
                except Refused as refused:
                    self.fault("melds", f"The meld {meld.id} is not legal: {refused.code}.")
                    continue
                if laid.meld.kind != meld.kind:
                    self.fault("melds", f"The meld {meld.id} is not of the kind {meld.kind}.")
                lying[meld.id] = laid

    def _check_turn(self, rules: Rules, position: dict[str, Any]) -> None:
        """The keys that hang on the phase."""
        phase = position["phase"]
        began = self.given.get("began")
        if phase == "play" and began is None:
            began = "stock"
        is_phase_read = "phase" in self.given or "phase" not in self.raw
        if began is not None and is_phase_read and phase not in ("play", "answer"):
            self.fault("began", "A turn has begun in phase play only.")
        position["began"] = began
        if position["lone"] is not None and not rules.lone_side:
            self.fault("lone", "This rule set has no lone side.")
        ended = self.given.get("ended")
        if phase == "hand_over" and ended is None:
            self.fault("ended", "In phase hand_over it is needed how the hand ended.")
        if ended is not None and phase not in ("hand_over", "game_over"):
            self.fault("ended", "The hand has not ended in this phase.")
        if ended is not None and ended.by is not None and not 0 <= ended.by < rules.players:
            self.fault("ended", "The hand was ended by no seat of this table.")
        if ended is not None and (ended.by is None) != (ended.reason == "stock"):
            self.fault("ended", "A seat ends a hand by going out, and none when the stock ends it.")
        position["ended"] = None if ended is None else msgspec.to_builtins(ended)
        position["ask"] = self._ask(phase)
        if phase == "answer" and self._plays_alone(rules, position):
            self.fault("phase", "Nobody is there to answer: the seat to act has no partner.")

    def _plays_alone(self, rules: Rules, position: dict[str, Any]) -> bool:
        """Whether the party of the seat to act is that seat alone (rule book 2.1, 2.3)."""
        turn, lone = position["turn"], position["lone"]
        if rules.lone_side:
            return lone is None or lone == turn
        return len(rules.sides[rules.side_of[turn]]) == 1

    def _ask(self, phase: str) -> dict[str, Any] | None:
        raw = self.raw.get("ask")
        if raw is None:
            if phase == "answer":
                self.fault("ask", "In phase answer the question is needed.")
            return None
        try:
            move = parse_move(raw)
        except Refused as refused:
            self.fault("ask", f"This is no question: {refused.params['field']}.")
            return None
        if not isinstance(move, Ask) or phase != "answer":
            self.fault("ask", "An ask move is needed, and in phase answer only.")
            return None
        done: dict[str, Any] = msgspec.to_builtins(Ask(tuple(map(in_canonical_order, move.then))))
        return done

    def _fill(
        self, rules: Rules, position: dict[str, Any], red_threes_key: str
    ) -> tuple[list[list[str]], dict[str, Any]]:
        """Name every counted card: unplaced ones in canonical order, holdings by seat, then the stock."""
        holdings: Sequence[Holding] = self.given.get("holdings", ((),) * rules.players)
        stock = self.given.get("stock", GivenStock(0))
        placed: Counter[str] = Counter(position["pile"])
        for cards in (
            *position[red_threes_key],
            *(meld["cards"] for side in position["melds"] for meld in side),
        ):
            placed.update(cards)
        placed.update(stock.next)
        for held in holdings:
            if not isinstance(held, int):
                placed.update(held)
        left = Counter(pack(rules.packs, rules.jokers))
        for face in FACES:
            if placed[face] > left[face]:
                self.fault("", f"{placed[face]} times {face} are named, and the pack has {left[face]}.")
        left.subtract(placed)
        unplaced = [face for face in FACES for _ in range(left[face])]
        filled: list[list[str]] = []
        for seat, held in enumerate(holdings):
            if not isinstance(held, int):
                filled.append(list(canonical(held)))
            elif 0 <= held <= len(unplaced):
                filled.append(unplaced[:held])
                del unplaced[:held]
            else:
                self.fault("holdings", f"Seat {seat} cannot hold {held} cards: {len(unplaced)} are left for it.")
                filled.append([])
        lacking = stock.count - len(stock.next)
        if not 0 <= lacking <= len(unplaced):
            self.fault("stock", f"A count from {len(stock.next)} to {len(stock.next) + len(unplaced)} is possible.")
            lacking = 0
        return filled, {"count": stock.count, "next": [*stock.next, *unplaced[:lacking]]}


_ID_DIGITS_MAX: Final = 6


def _canonical(meld: Meld) -> Meld:
    """A meld with its cards in the order in which they are written."""
    cards = canonical(meld.cards)
    return Meld(meld.id, meld.kind, cards[::-1] if meld.kind == "sequence" else cards)
