"""Rules as sentences: given a position, when these moves are made, then this comes of it.

Cards are written as text, `"8S 8H 2C"`; moves are the JSON of formats part 4, read by `parse_move` like a client's.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

import msgspec
from msgspec.structs import replace

from domain.cards import is_wild
from domain.dealing import deal
from domain.decide import decide, decide_all
from domain.events import AnyEvent, type_of
from domain.evolve import fold, initial_table
from domain.moves import parse_move
from domain.placing import write_position
from domain.positions import state_from
from domain.refusals import Refusal, Refused
from domain.rules import compile_rules
from domain.rulesets import resolve
from domain.state import State

JsonMove = dict[str, Any]
Table = Mapping[str, str]
"""Melds by id: `{"m1": "8S 8H 2C"}`."""

EIGHTS: Final = "8S 8S 8H 8H 8D 8D 8C"
"""A natural canasta; the packs of every preset have the cards."""

KINGS: Final = "KS KS KH KH KD 2S 2H"
"""A mixed canasta."""

SAMBA: Final = "5D 6D 7D 8D 9D TD JD"
"""A samba; beside `EIGHTS` it needs three packs."""


def cards(text: str) -> list[str]:
    """The cards of a text."""
    return text.split()


def draw() -> JsonMove:
    return {"type": "draw"}


def take(with_: str, melds: Sequence[str] = ()) -> JsonMove:
    """Take the pile for a new meld of the upcard and these cards."""
    return {"type": "take_pile", "with": cards(with_), "melds": [cards(meld) for meld in melds]}


def take_onto(meld_id: str, with_: str = "", melds: Sequence[str] = ()) -> JsonMove:
    """Take the pile, the upcard going onto an own meld."""
    return {"type": "take_pile", "onto": meld_id, "with": cards(with_), "melds": [cards(meld) for meld in melds]}


def take_upcard(meld_id: str) -> JsonMove:
    return {"type": "take_upcard", "onto": meld_id}


def meld(*new: str, add: Table | None = None, join: Sequence[str] = ()) -> JsonMove:
    """Lay new melds, add to own melds, join own melds (`"m1 m2"`)."""
    move: JsonMove = {"type": "meld"}
    if new:
        move["new"] = [cards(each) for each in new]
    if add:
        move["add"] = {meld_id: cards(added) for meld_id, added in add.items()}
    if join:
        move["join"] = [ids.split() for ids in join]
    return move


def lay(card: str) -> JsonMove:
    """Lay a red three."""
    return {"type": "lay_red_three", "card": card}


def discard(text: str) -> JsonMove:
    return {"type": "discard", "cards": cards(text)}


def ask(*then: JsonMove) -> JsonMove:
    return {"type": "ask", "then": list(then)}


def answer(yes: bool) -> JsonMove:
    return {"type": "answer", "yes": yes}


def pass_() -> JsonMove:
    return {"type": "pass"}


def resign() -> JsonMove:
    return {"type": "resign"}


def by(seat: int, move: JsonMove) -> JsonMove:
    """A move by a seat that is not the one to act."""
    return {**move, "seat": seat}


def kind_of(faces: Sequence[str]) -> str:
    """What kind of meld the cards are, taking for granted that they are one."""
    naturals = [face for face in faces if not is_wild(face)]
    if not naturals:
        return "wild"
    if naturals[0][0] == "3":
        return "black_threes"
    return "group" if len({face[0] for face in naturals}) == 1 else "sequence"


def position(
    ruleset: str | dict[str, Any] = "samba-official",
    *,
    options: Mapping[str, Any] | None = None,
    players: int = 4,
    seat: int = 0,
    hand: str = "",
    holdings: Mapping[int, str | int] | None = None,
    pile: str = "",
    stock: str | int = 20,
    melds: Table | None = None,
    melds_of: Mapping[int, Table] | None = None,
    hand_number: int = 1,
    **more: Any,
) -> dict[str, Any]:
    """A position: `hand` is what the seat to act holds, `melds` lie for its side, the others hold nothing.

    It is the hand `hand_number`, and phase `draw`, or `play` where `began` is given. Further keys are those of formats part 3.
    """
    rules = compile_rules(resolve(ruleset, options), players)
    held: dict[int, str | int] = {seat: hand, **(holdings or {})}
    tables = {rules.side_of[seat]: melds or {}, **(melds_of or {})}
    written: dict[str, Any] = {
        "ruleset": ruleset,
        "options": dict(options or {}),
        "players": players,
        "hand": hand_number,
        "turn": seat,
        "phase": "play" if "began" in more else "draw",
        "holdings": [_holding(held.get(each, "")) for each in range(players)],
        "melds": [_melds(tables.get(side, {})) for side in range(len(rules.sides))],
        "pile": cards(pile),
        "stock": {"count": stock} if isinstance(stock, int) else {"count": len(cards(stock)), "next": cards(stock)},
    }
    return written | more


def _holding(held: str | int) -> list[str] | int:
    return held if isinstance(held, int) else cards(held)


def _melds(table: Table) -> list[dict[str, Any]]:
    return [{"id": key, "kind": kind_of(cards(text)), "cards": cards(text)} for key, text in table.items()]


class Situation:
    """A state in which moves are about to be made."""

    def __init__(self, state: State) -> None:
        self.state = state

    def when(self, *moves: JsonMove) -> "Outcome":
        """Moves sent one after the other, up to the first that is refused."""
        state, happened = self.state, list[AnyEvent]()
        for index, move in enumerate(moves):
            decided = _decide(state, move)
            if isinstance(decided, Refusal):
                return Outcome(self.state, state, happened, decided, index)
            state = fold(state, decided)
            happened += decided
        return Outcome(self.state, state, happened, None, len(moves))

    def when_sent_as_list(self, *moves: JsonMove) -> "Outcome":
        """Moves sent as one list by the seat to act: all or nothing."""
        decided = decide_all(self.state, self.state.turn, [parse_move(move) for move in moves])
        if isinstance(decided, Refusal):
            return Outcome(self.state, self.state, [], decided, decided.at)
        happened, state = decided
        return Outcome(self.state, state, happened, None, len(moves))

    def when_nothing_happens(self) -> "Outcome":
        """The position as it was given."""
        return Outcome(self.state, self.state, [], None, 0)


def _decide(state: State, move: JsonMove) -> list[AnyEvent] | Refusal:
    seat = move.get("seat", state.turn)
    try:
        return decide(state, seat, parse_move({key: value for key, value in move.items() if key != "seat"}))
    except Refused as refused:
        return refused.refusal()


class Outcome:
    """What came of moves. `then` and its kin fail with what came instead."""

    def __init__(
        self, before: State, state: State, happened: Sequence[AnyEvent], refusal: Refusal | None, index: int | None
    ) -> None:
        self.before = before
        self.state = state
        self.happened = happened
        self.refusal = refusal
        self.index = index

    def then(self, **expected: Any) -> "Outcome":
        """Every move was accepted, and this is the position reached.

        `holding` is what the seat that moved holds, `holdings` that of seats by number; `melds` all that lies for
        its side and `melds_of` for sides by number, as text by id; `pile` and `stock` are text or a number of cards;
        every other key is one of formats part 3.
        """
        assert self.refusal is None, self.refusal
        reached = write_position(self.state)
        seat = self.before.turn
        for key, value in expected.items():
            match key:
                case "holding":
                    assert _sorted(reached["holdings"][seat]) == _sorted(cards(value))
                case "holdings":
                    for each, held in value.items():
                        assert _sorted(reached["holdings"][each]) == _sorted(cards(held)), f"seat {each}"
                case "melds":
                    assert _lying(reached["melds"][self.state.table.rules.side_of[seat]]) == _sorted_table(value)
                case "melds_of":
                    for side, table in value.items():
                        assert _lying(reached["melds"][side]) == _sorted_table(table), f"side {side}"
                case "red_threes":
                    laid = reached.get("red_threes", reached.get("red_threes_by_seat"))
                    assert laid is not None
                    assert [_sorted(each) for each in laid] == [_sorted(cards(each)) for each in value]
                case "pile":
                    assert (len(reached["pile"]) if isinstance(value, int) else " ".join(reached["pile"])) == value
                case "stock":
                    there = reached["stock"]
                    assert (there["count"] if isinstance(value, int) else " ".join(there["next"])) == value
                case _:
                    assert _plain(reached[key]) == _plain(value), f"{key}: {reached[key]}"
        return self

    def then_refused(self, code: str, /, **params: Any) -> "Outcome":
        """The last move was refused so, with these params and no others, and nothing changed. Cards may be text."""
        refusal = self.refusal
        assert refusal is not None, "every move was accepted"
        assert (refusal.code, _plain(refusal.params)) == (code, {key: _param(key, params[key]) for key in params})
        return self

    def then_refused_at(self, index: int | None, code: str, /, **params: Any) -> "Outcome":
        """The move at this index was refused so."""
        self.then_refused(code, **params)
        assert self.index == index
        return self

    def then_events(self, *types: str) -> "Outcome":
        """Events of these types happened, in this order and no others, numbered without a gap."""
        assert self.refusal is None, self.refusal
        assert tuple(map(type_of, self.happened)) == types
        first = self.before.version + 1
        assert [event.n for event in self.happened] == [*range(first, first + len(types))]
        return self

    def then_event(self, kind: str, **fields: Any) -> "Outcome":
        """An event of this type happened, with these fields."""
        assert self.refusal is None, self.refusal
        there = [msgspec.to_builtins(event) for event in self.happened if type_of(event) == kind]
        assert there, f"no {kind}"
        wanted = _plain(fields)
        assert any({key: _plain(event[key]) for key in wanted if key in event} == wanted for event in there), there
        return self

    def then_out(self, seat: int, *, concealed: bool = False) -> "Outcome":
        """The seat went out."""
        return self.then(ended={"by": seat, "reason": "out", "concealed": concealed})

    def then_stock_ends_the_hand(self) -> "Outcome":
        return self.then(ended={"by": None, "reason": "stock", "concealed": False})

    def then_lines(self, side: int, **lines: int) -> "Outcome":
        """Score lines of a side, those named."""
        assert self.refusal is None, self.refusal
        assert self.state.lines, "the hand has not ended"
        counted = self.state.lines[side]
        assert {key: counted.get(key) for key in lines} == lines
        assert counted["total"] == sum(value for key, value in counted.items() if key != "total")
        return self

    def then_totals(self, *totals: int) -> "Outcome":
        assert self.refusal is None, self.refusal
        assert self.state.totals == totals
        return self

    def then_winners(self, *sides: int) -> "Outcome":
        assert self.refusal is None, self.refusal
        assert self.state.winners == sides
        return self


def _sorted(faces: Sequence[str]) -> list[str]:
    return sorted(faces)


def _lying(melds: Sequence[dict[str, Any]]) -> dict[str, tuple[str, list[str]]]:
    """Melds by id: kind, and cards as they lie in a sequence, in any order otherwise."""
    return {each["id"]: (each["kind"], _in_kind(each["kind"], each["cards"])) for each in melds}


def _sorted_table(table: Table) -> dict[str, tuple[str, list[str]]]:
    kinds = {key: kind_of(cards(text)) for key, text in table.items()}
    return {key: (kinds[key], _in_kind(kinds[key], cards(text))) for key, text in table.items()}


def _in_kind(kind: str, faces: Sequence[str]) -> list[str]:
    return list(faces) if kind == "sequence" else sorted(faces)


def _param(key: str, value: Any) -> Any:
    """A param as it is expected: cards and lists of ids are written as text."""
    return value.split() if key in ("cards", "melds") and isinstance(value, str) else value


def _plain(value: Any) -> Any:
    return msgspec.json.decode(msgspec.json.encode(value))


def given(ruleset: str | dict[str, Any] = "samba-official", **more: Any) -> Situation:
    """The situation of a position: see `position`."""
    return Situation(state_from(position(ruleset, **more)))


def given_deal(
    deck: str,
    ruleset: str = "samba-official",
    *,
    players: int = 2,
    dealer: int = 0,
    striped: bool = False,
    options: Mapping[str, Any] | None = None,
) -> Situation:
    """A hand dealt from the top of a deck, as much of it as matters."""
    rules = compile_rules(resolve(ruleset, options), players)
    table = replace(initial_table(rules), striped=striped)
    scores = (0,) * len(rules.sides)
    before = State(table=table, version=0, scores=scores, totals=scores)
    return Situation(fold(before, [deal(table, 1, dealer, cards(deck))]))
