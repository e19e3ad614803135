"""What is wrong with a state, as flags: a check on the engine itself, never on what a player asks.

`problems` is empty for every state that the full fold of a sound game reaches.
"""

from collections.abc import Iterable
from enum import IntFlag, auto
from functools import lru_cache
from itertools import pairwise
from typing import Final

from domain.cards import FACES, ORDER, RED_THREE_FACES, UNIT, Cards, count, faces_of, number_of, pack, size, split
from domain.dealing import stock_size
from domain.events import Meld
from domain.melds import new_meld
from domain.refusals import Refused
from domain.rules import Rules
from domain.state import Laid, Melds, Phase, State, Status


class Problem(IntFlag):
    """Everything that can be wrong with a state. No flag means that nothing is."""

    SHAPE = auto()
    """A list by seat or by side has another length; nothing else is looked at then."""
    STATUS = auto()
    """The phase does not belong to how far the table has come."""
    SEAT = auto()
    """A dealer, a seat to act or a lone seat that this table does not have."""
    HAND = auto()
    """A hand under way has no number, or one is numbered before the first deal."""
    BEGAN = auto()
    """Phase `play` without a beginning of the turn, or phase `draw` with one or with what only follows it."""
    QUESTION = auto()
    """Phase `answer` without a question, a question in another phase, or leave where nobody can be asked."""
    SEAT_SET = auto()
    """A set of seats names one that the table does not have."""
    HOLDING = auto()
    """A holding whose lanes do not add up to its size, or are negative."""
    EMPTY_HOLDINGS = auto()
    """More than one seat without a card in a hand that goes on: only the seat that is going out may have none."""
    MELD = auto()
    """A meld that may not lie so, or whose cards are not those counted for it."""
    MELD_ID = auto()
    """An id that is no id, stands twice, is still to come, or is out of the order of laying."""
    RED_THREES = auto()
    """Something else than a red three lies among the red threes."""
    PILE = auto()
    """The pile is no list of cards."""
    STOCK = auto()
    """The stock is no list of cards."""
    STOCK_COUNT = auto()
    """The stock's size is not the number that is noted."""
    CARDS = auto()
    """Cards of a face are missing, or there are more than the pack has."""
    RECYCLES = auto()
    """A pile was turned over that this rule set never turns over."""
    ENDED = auto()
    """A hand that is over without saying how, or one under way that says so."""
    TOTALS = auto()
    """Lines, sheet totals before and sheet totals after do not agree."""
    WINNERS = auto()
    """Winners of a game that is not over, or that are no sides."""


_NONE: Final = Problem(0)
_PHASES: Final[dict[Status, tuple[Phase, ...]]] = {
    "open": ("lobby",),
    "closed": ("lobby",),
    "started": ("lobby",),
    "playing": ("draw", "play", "answer", "hand_over"),
    "ended": ("game_over",),
}


def problems(state: State, *, complete: bool = True) -> Problem:
    """Everything wrong with a state of the full fold (a viewer's fold lacks the cards).

    `complete` says that the whole pack is in play, as after any deal. A position may be partial: with False, cards may
    be out of play and holdings empty, but no face may be there too often.
    """
    found = _table(state)
    if Problem.SHAPE in found or not state.holdings:
        return found
    broken = _any_broken(state.holdings)
    found |= _when(broken, Problem.HOLDING)
    found |= _turn(state) | _melds(state) | _ends(state)
    found |= _ordered(state)
    if not broken and not found & (Problem.PILE | Problem.STOCK):
        found |= _cards(state, complete)
    return found


def _when(wrong: bool, problem: Problem) -> Problem:
    return problem if wrong else _NONE


def _table(state: State) -> Problem:
    """Lengths, status, seats and number of the hand."""
    table = state.table
    players, sides = table.rules.players, len(table.rules.sides)
    begun = bool(state.holdings)
    by_seat = players if begun else 0
    by_side = sides if begun else 0
    shape = (len(state.holdings), len(state.melds), len(state.red_threes), len(state.scores), len(state.totals))
    seats = (state.dealer, state.turn, state.lone or 0)
    lone = state.lone is not None and not table.rules.lone_side
    barred = (state.barred | state.has_melded | state.had_turn) >> players
    return (
        _when(shape != (by_seat, by_side, by_side, sides, sides), Problem.SHAPE)
        | _when(len(table.seats) != players, Problem.SHAPE)
        | _when(state.phase not in _PHASES[table.status], Problem.STATUS)
        | _when(lone or any(not 0 <= seat < players for seat in seats), Problem.SEAT)
        | _when((state.hand >= 1) != begun, Problem.HAND)
        | _when(barred != 0, Problem.SEAT_SET)
    )


def _turn(state: State) -> Problem:
    """What belongs to the phase of a turn."""
    phase, rules = state.phase, state.table.rules
    began = (phase == "play" and state.began is None) or (
        phase == "draw" and (state.began is not None or state.melded_this_turn or state.touched_old)
    )
    asking = (phase == "answer") != (state.ask is not None)
    permitted = state.permission is not None and rules.partner_permission == "off"
    return (
        _when(began, Problem.BEGAN)
        | _when(asking or permitted, Problem.QUESTION)
        | _when(state.recycles < 0 or (state.recycles > 0 and rules.stock_end != "recycle"), Problem.RECYCLES)
    )


def _melds(state: State) -> Problem:
    rules = state.table.rules
    found = _when(any(not _are_red_threes(laid) for laid in state.red_threes), Problem.RED_THREES)
    seen: set[str] = set()
    for melds in state.melds:
        found |= _when(not _may_lie(rules, melds), Problem.MELD)
        numbers = [_number(key, laid.meld) for key, laid in melds.items()]
        in_order = all(first < second for first, second in pairwise(numbers))
        known = all(0 < number < state.next_meld for number in numbers)
        found |= _when(not (in_order and known and seen.isdisjoint(melds)), Problem.MELD_ID)
        seen.update(melds)
    return found


def _are_red_threes(cards: Cards) -> bool:
    return cards == sum(number_of(cards, face) * UNIT[face] for face in RED_THREE_FACES)


def _number(key: str, meld: Meld) -> int:
    """The number of a meld that goes by its own id, 0 for what is none."""
    digits = meld.id[1:]
    sound = key == meld.id and key[:1] == "m" and digits.isascii() and digits.isdigit() and digits[0] != "0"
    return int(digits) if sound else 0


def _may_lie(rules: Rules, melds: Melds) -> bool:
    """Whether every meld of a side could be laid as it is beside those before it (rule book 4)."""
    before: dict[str, Laid] = {}
    for key, laid in melds.items():
        try:
            if new_meld(rules, before, (), laid.meld.cards, laid.meld.id) != laid:
                return False
        except (Refused, KeyError):
            return False
        before[key] = laid
    return True


def _ordered(state: State) -> Problem:
    """Pile and stock: cards of the pack, and as many as noted."""
    stock = "".join(state.stock)
    readable = _is_cards(stock) and all(len(stripe) % 2 == 0 for stripe in state.stock)
    return (
        _when(not _is_cards(state.pile), Problem.PILE)
        | _when(not readable, Problem.STOCK)
        | _when(stock_size(state.stock) != state.stock_count, Problem.STOCK_COUNT)
    )


def _is_cards(ordered: str) -> bool:
    return len(ordered) % 2 == 0 and ORDER.keys() >= set(split(ordered))


def _any_broken(holdings: Iterable[Cards]) -> bool:
    return any(held < 0 or count(faces_of(held)) != held for held in holdings)


def _cards(state: State, complete: bool) -> Problem:
    """Every card of the pack is in exactly one place."""
    rules = state.table.rules
    lying = [laid.cards for melds in state.melds for laid in melds.values()]
    ordered = count(split(state.pile)) + count(split("".join(state.stock)))
    there = sum(state.holdings) + sum(lying) + sum(state.red_threes) + ordered
    whole = _whole_pack(rules.packs, rules.jokers)
    if complete:
        going_on = state.phase in ("draw", "play", "answer")
        empty = [held for held in state.holdings if size(held) == 0]
        return _when(there != whole, Problem.CARDS) | _when(going_on and len(empty) > 1, Problem.EMPTY_HOLDINGS)
    return _when(any(number_of(there, face) > number_of(whole, face) for face in FACES), Problem.CARDS)


@lru_cache(maxsize=64)
def _whole_pack(packs: int, jokers: int) -> Cards:
    return count(pack(packs, jokers))


def _ends(state: State) -> Problem:
    """How a hand or a game ended, and what was written on the sheet."""
    rules = state.table.rules
    phase = state.phase
    ended = state.ended
    found = _when((phase == "hand_over" and ended is None), Problem.ENDED)
    found |= _when(ended is not None and phase not in ("hand_over", "game_over"), Problem.ENDED)
    if ended is not None:
        found |= _when((ended.by is None) != (ended.reason == "stock"), Problem.ENDED)
    found |= _when((ended is not None) != bool(state.lines), Problem.ENDED)
    if state.lines:
        sound = len(state.lines) == len(rules.sides) and all(
            set(line) == set(rules.line_keys) and 2 * line["total"] == sum(line.values()) for line in state.lines
        )
        after = tuple(before + line.get("total", 0) for before, line in zip(state.scores, state.lines, strict=False))
        found |= _when(not sound or after != state.totals, Problem.TOTALS)
    else:
        found |= _when(state.totals != state.scores, Problem.TOTALS)
    winners = state.winners
    known = list(winners) == sorted(set(winners)) and all(0 <= side < len(rules.sides) for side in winners)
    over = phase in ("hand_over", "game_over")
    return found | _when(not known or (bool(winners) and not over), Problem.WINNERS)
