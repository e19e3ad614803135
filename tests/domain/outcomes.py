"""What came of moves, compared with what a rule says. Cards are written as text, `"8S 8H 2C"`."""

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from domain.cards import is_wild
from domain.events import AnyEvent, type_of
from domain.placing import write_position
from domain.refusals import Refusal
from domain.state import State

Table = Mapping[str, str]
"""Melds by id: `{"m1": "8S 8H 2C"}`."""


def cards(text: str) -> list[str]:
    """The cards of a text."""
    return text.split()


def kind_of(faces: Sequence[str]) -> str:
    """What kind of meld the cards are, taking for granted that they are one."""
    naturals = [face for face in faces if not is_wild(face)]
    if not naturals:
        return "wild"
    if naturals[0][0] == "3":
        return "black_threes"
    return "group" if len({face[0] for face in naturals}) == 1 else "sequence"


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
