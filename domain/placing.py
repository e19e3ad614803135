"""Complete positions: put one on the table, write one down (formats, part 3).

A complete position names every card that it counts. `place` is what the fold does with a `placed` event, so it is
total; the public form of such an event has numbers in place of other holdings, which stay hidden.
"""

from itertools import accumulate, pairwise
from typing import Any

import msgspec

from domain.cards import count, faces_of, hidden, split, text
from domain.events import Meld
from domain.moves import Ask, move_to_json
from domain.scoring import outcome, score_lines
from domain.state import Ended, Laid, State, number_of_meld


def place(state: State, position: dict[str, Any]) -> None:
    """Put a complete position on the table of a state, which is changed."""
    rules = state.table.rules
    state.phase = position["phase"]
    state.hand = position["hand"]
    state.dealer = position["dealer"]
    state.turn = position["turn"]
    state.scores = state.totals = tuple(position["scores"])
    state.holdings = [hidden(held) if isinstance(held, int) else count(held) for held in position["holdings"]]
    state.melds = [
        {meld["id"]: _laid(meld) for meld in sorted(of_side, key=lambda meld: number_of_meld(meld["id"]))}
        for of_side in position["melds"]
    ]
    state.red_threes = [count(laid) for laid in position["red_threes_by_seat" if rules.lone_side else "red_threes"]]
    state.pile = text(position["pile"])
    stock = position["stock"]
    state.stock = (text(stock["next"]),) if "next" in stock else ()
    state.stock_count = stock["count"]
    numbers = [number_of_meld(meld_id) for of_side in state.melds for meld_id in of_side]
    state.next_meld = state.turn_first_meld = max(numbers, default=0) + 1
    state.began = position["began"]
    state.melded_this_turn = position["melded_this_turn"]
    # What was laid in a turn given half-way cannot be told from older melds (rule book 8.6).
    state.touched_old = position["melded_this_turn"] or position["began"] == "upcard"
    state.last_turn = position["last_turn"]
    state.has_melded = _bits(position["has_melded"])
    state.had_turn = _bits(position["had_turn"])
    state.permission = position["permission"]
    ask = position["ask"]
    state.ask = None if ask is None or "then" not in ask else msgspec.convert(ask, Ask).then
    state.barred = sum(1 << seat for seat in position["barred"])
    state.lone = position["lone"]
    state.recycles = position["recycles"]
    if position["ended"] is not None:
        state.ended = msgspec.convert(position["ended"], Ended)
        _count_hand(state, state.ended)


def carry(state: State, carried: dict[str, Any]) -> None:
    """Take over from another game what the position placed does not say (`practice.Carried`)."""
    state.next_meld = carried["next_meld"]
    state.turn_first_meld = carried["turn_first_meld"]
    state.touched_old = carried["touched_old"]
    stripes = carried.get("stripes")
    if stripes is not None and state.stock:
        (ordered,) = state.stock
        ends = [2 * end for end in accumulate(stripes, initial=0)]
        state.stock = tuple(ordered[start:end] for start, end in pairwise(ends))


def write_carried(state: State) -> dict[str, Any]:
    """What the position of a state does not say of it."""
    carried: dict[str, Any] = {
        "next_meld": state.next_meld,
        "turn_first_meld": state.turn_first_meld,
        "touched_old": state.touched_old,
    }
    if state.table.striped:
        carried["stripes"] = [len(stripe) // 2 for stripe in state.stock]
    return carried


def _laid(meld: dict[str, Any]) -> Laid:
    return Laid(Meld(meld["id"], meld["kind"], tuple(meld["cards"])), count(meld["cards"]))


def _count_hand(state: State, ended: Ended) -> None:
    """Lines, totals and winners follow from how the hand ended."""
    state.lines = score_lines(state, ended)
    state.totals = tuple(before + line["total"] for before, line in zip(state.scores, state.lines, strict=True))
    decided = outcome(state.table.rules, state.hand, state.totals)
    if decided is not None:
        state.end_reason, state.winners = decided


def _bits(flags: list[bool]) -> int:
    return sum(1 << seat for seat, flag in enumerate(flags) if flag)


def write_position(state: State) -> dict[str, Any]:
    """The complete position of a hand under way or over, every key present, lists in canonical order."""
    rules = state.table.rules
    seats = range(rules.players)
    position: dict[str, Any] = {
        "ruleset": msgspec.to_builtins(rules.ruleset),
        "players": rules.players,
        "hand": state.hand,
        "dealer": state.dealer,
        "scores": list(state.scores),
        "turn": state.turn,
        "phase": state.phase,
        "holdings": [list(faces_of(holding)) for holding in state.holdings],
        "melds": [[_written(laid.meld) for laid in melds.values()] for melds in state.melds],
        "pile": list(split(state.pile)),
        "stock": {"count": state.stock_count, "next": list(split("".join(state.stock)))},
        "began": state.began if state.phase in ("play", "answer") else None,
        "melded_this_turn": state.melded_this_turn,
        "last_turn": state.last_turn,
        "has_melded": [bool(state.has_melded >> seat & 1) for seat in seats],
        "had_turn": [bool(state.had_turn >> seat & 1) for seat in seats],
        "permission": state.permission,
        "ask": None if state.ask is None or state.phase != "answer" else move_to_json(Ask(state.ask)),
        "barred": [seat for seat in seats if state.barred >> seat & 1],
        "lone": state.lone,
        "recycles": state.recycles,
        "ended": None if state.ended is None else msgspec.to_builtins(state.ended),
    }
    red_threes = [list(faces_of(laid)) for laid in state.red_threes]
    position["red_threes_by_seat" if rules.lone_side else "red_threes"] = red_threes
    return position


def _written(meld: Meld) -> dict[str, Any]:
    return {"id": meld.id, "kind": meld.kind, "cards": list(meld.cards)}
