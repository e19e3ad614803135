"""Rules as sentences: given a position, when these moves are made, then this comes of it.

Cards are written as text, `"8S 8H 2C"`; moves are the JSON of formats part 4, read by `parse_move` like a client's.
"""

from collections.abc import Mapping, Sequence
from typing import Any, Final

from msgspec.structs import replace

from domain.dealing import deal
from domain.decide import decide, decide_all
from domain.events import AnyEvent
from domain.evolve import fold, initial_table
from domain.moves import parse_move
from domain.positions import state_from
from domain.refusals import Refusal, Refused
from domain.rules import compile_rules
from domain.rulesets import resolve
from domain.state import State
from tests.domain.outcomes import Outcome, Table, cards, kind_of

JsonMove = dict[str, Any]
EIGHTS: Final = "8S 8S 8H 8H 8D 8D 8C"
"""A natural canasta; the packs of every preset have the cards."""

KINGS: Final = "KS KS KH KH KD 2S 2H"
"""A mixed canasta."""

SAMBA: Final = "5D 6D 7D 8D 9D TD JD"
"""A samba; beside `EIGHTS` it needs three packs."""


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

    It is the hand `hand_number`, and phase `draw`, or `play` where `began` is given. Further keys are those of
    formats part 3.
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

    def when(self, *moves: JsonMove) -> Outcome:
        """Moves sent one after the other, up to the first that is refused."""
        state, happened = self.state, list[AnyEvent]()
        for index, move in enumerate(moves):
            decided = _decide(state, move)
            if isinstance(decided, Refusal):
                return Outcome(self.state, state, happened, decided, index)
            state = fold(state, decided)
            happened += decided
        return Outcome(self.state, state, happened, None, len(moves))

    def when_sent_as_list(self, *moves: JsonMove) -> Outcome:
        """Moves sent as one list by the seat to act: all or nothing."""
        decided = decide_all(self.state, self.state.turn, [parse_move(move) for move in moves])
        if isinstance(decided, Refusal):
            return Outcome(self.state, self.state, [], decided, decided.at)
        happened, state = decided
        return Outcome(self.state, state, happened, None, len(moves))

    def when_nothing_happens(self) -> Outcome:
        """The position as it was given."""
        return Outcome(self.state, self.state, [], None, 0)


def _decide(state: State, move: JsonMove) -> list[AnyEvent] | Refusal:
    seat = move.get("seat", state.turn)
    try:
        return decide(state, seat, parse_move({key: value for key, value in move.items() if key != "seat"}))
    except Refused as refused:
        return refused.refusal()


def given(ruleset: Any = "samba-official", **more: Any) -> Situation:
    """The situation of a position: see `position`. Everything is `Any`, so that tests can merge dicts of arguments."""
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
