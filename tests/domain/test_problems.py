"""What can be wrong with a state: every flag is planted once."""

from collections.abc import Callable
from typing import Any

import pytest
from msgspec.structs import replace

from domain.cards import UNIT, hidden
from domain.events import Meld
from domain.positions import state_from
from domain.problems import Problem, problems
from domain.state import Ended, Laid, State
from tests.domain.golden_games import NAMES, states_of

NOTHING = Problem(0)


@pytest.mark.parametrize("name", NAMES)
def test_nothing_is_wrong_in_any_state_of_a_golden_game(name: str) -> None:
    for state in states_of(name):
        assert problems(state) == NOTHING, state.version


def in_play(phase: str = "draw") -> State:
    """A state of the second hand of a golden game with melds on both sides."""
    states = states_of("g1-samba-official-4p")
    return next(
        state
        for state in states
        if state.phase == phase and state.hand == 2 and all(state.melds) and state.pile and state.recycles == 0
    )


def hand_over() -> State:
    return next(state for state in states_of("g1-samba-official-4p") if state.phase == "hand_over")


def lobby() -> State:
    return states_of("g1-samba-official-4p")[0]


def with_table(state: State, **changes: Any) -> State:
    return replace(state, table=replace(state.table, **changes))


def with_holding(state: State, seat: int, change: int) -> State:
    twin = state.copy()
    twin.holdings[seat] += change
    return twin


def with_meld(state: State, change: Callable[[Laid], Laid], key: str | None = None) -> State:
    """The last meld of the first side that has several, changed."""
    twin = state.copy()
    side = max(range(len(twin.melds)), key=lambda index: len(twin.melds[index]))
    last = list(twin.melds[side])[-1]
    changed = change(twin.melds[side][last])
    twin.melds[side] = {k: v for k, v in twin.melds[side].items() if k != last} | {key or changed.meld.id: changed}
    return twin


def with_id(state: State, meld_id: str) -> State:
    return with_meld(state, lambda laid: Laid(replace(laid.meld, id=meld_id), laid.cards))


def with_cards(state: State, *cards: str) -> State:
    counted = sum(UNIT[face] for face in cards)
    return with_meld(state, lambda laid: Laid(Meld(laid.meld.id, "group", cards), counted))


def without(state: State, field: str) -> State:
    return replace(state, **{field: getattr(state, field)[:-1]})


def swapped(state: State, was: str, now: str) -> State:
    """The stock with one card in place of another."""
    stock = state.stock[0]
    at = next(at for at in range(0, len(stock), 2) if stock[at : at + 2] == was)
    return replace(state, stock=(stock[:at] + now + stock[at + 2 :],))


def two_empty(state: State) -> State:
    return replace(state, holdings=[0, 0, *state.holdings[2:]])


def miscounted(state: State) -> State:
    return with_meld(state, lambda laid: Laid(laid.meld, laid.cards + UNIT["4S"]))


def unreadable(state: State) -> State:
    return with_meld(state, lambda laid: Laid(Meld(laid.meld.id, "group", ("XX",) * 3), laid.cards))


def reversed_melds(state: State) -> State:
    return replace(state, melds=[dict(reversed(melds.items())) for melds in state.melds])


def doubled(state: State) -> State:
    return replace(state, melds=[state.melds[0], state.melds[0]])


def out_by_nobody(state: State) -> State:
    return replace(state, ended=Ended(None, "out", False))


def lines_off(state: State) -> State:
    first, *rest = state.lines
    return replace(state, lines=({**first, "cards": first["cards"] + 5}, *rest))


def first_stock_card(state: State) -> str:
    return next(face for face in ("4S", "5S", "6S", "7S") if face in state.stock[0])


Plant = Callable[[], State]

PLANTS: list[tuple[Problem, str, Plant]] = [
    (Problem.SHAPE, "a seat's holding missing", lambda: without(in_play(), "holdings")),
    (Problem.SHAPE, "a side's total missing", lambda: without(in_play(), "totals")),
    (Problem.SHAPE, "a seat too many", lambda: with_table(in_play(), seats=(None,) * 5)),
    (Problem.STATUS, "a turn after the end", lambda: with_table(in_play(), status="ended")),
    (Problem.STATUS, "a lobby in play", lambda: replace(in_play(), phase="lobby")),
    (Problem.SEAT, "a turn of nobody", lambda: replace(in_play(), turn=4)),
    (Problem.SEAT, "a dealer below the first", lambda: replace(in_play(), dealer=-1)),
    (Problem.SEAT, "a lone seat without a lone side", lambda: replace(in_play(), lone=1)),
    (Problem.HAND, "cards before the first hand", lambda: replace(in_play(), hand=0)),
    (Problem.HAND, "a hand without cards", lambda: replace(lobby(), hand=1)),
    (Problem.BEGAN, "a turn in play that never began", lambda: replace(in_play("play"), began=None)),
    (Problem.BEGAN, "a turn begun before its beginning", lambda: replace(in_play(), began="stock")),
    (Problem.BEGAN, "a meld before the turn begins", lambda: replace(in_play(), melded_this_turn=True)),
    (Problem.QUESTION, "an answer to no question", lambda: replace(in_play("play"), phase="answer")),
    (Problem.QUESTION, "a question left over", lambda: replace(in_play(), ask=())),
    (Problem.SEAT_SET, "a barred seat too high", lambda: replace(in_play(), barred=1 << 4)),
    (Problem.SEAT_SET, "a turn had by nobody", lambda: replace(in_play(), had_turn=1 << 5)),
    (Problem.HOLDING, "a card less than none", lambda: with_holding(in_play(), 0, -9 * UNIT["4S"])),
    (Problem.HOLDING, "a card of no face", lambda: with_holding(in_play(), 0, hidden(1))),
    (Problem.EMPTY_HOLDINGS, "two seats without cards", lambda: two_empty(in_play())),
    (Problem.MELD, "a meld of two cards", lambda: with_cards(in_play(), "4S", "4H")),
    (Problem.MELD, "a meld of several ranks", lambda: with_cards(in_play(), "4S", "5H", "9D")),
    (Problem.MELD, "a red three in a meld", lambda: with_cards(in_play(), "4S", "4H", "3H")),
    (Problem.MELD, "cards out of order", lambda: with_cards(in_play(), "4D", "4H", "4S")),
    (Problem.MELD, "cards counted wrongly", lambda: miscounted(in_play())),
    (Problem.MELD, "a card that is none", lambda: unreadable(in_play())),
    (Problem.MELD_ID, "an id that is none", lambda: with_id(in_play(), "m01")),
    (Problem.MELD_ID, "an id still to come", lambda: with_id(in_play(), "m999")),
    (Problem.MELD_ID, "an id out of order", lambda: reversed_melds(in_play())),
    (Problem.MELD_ID, "a meld under another id", lambda: with_meld(in_play(), lambda laid: laid, key="m500")),
    (Problem.MELD_ID, "one id on both sides", lambda: doubled(in_play())),
    (Problem.RED_THREES, "a four among the red threes", lambda: replace(in_play(), red_threes=[UNIT["4S"], 0])),
    (Problem.PILE, "half a card on the pile", lambda: replace(in_play(), pile=in_play().pile + "4")),
    (Problem.PILE, "a card that is none", lambda: replace(in_play(), pile="XX")),
    (Problem.STOCK, "a card that is none", lambda: swapped(in_play(), first_stock_card(in_play()), "??")),
    (Problem.STOCK_COUNT, "a stock counted wrongly", lambda: replace(in_play(), stock_count=in_play().stock_count + 1)),
    (Problem.CARDS, "a card turned into another", lambda: swapped(in_play(), first_stock_card(in_play()), "8D")),
    (Problem.CARDS, "a card too many", lambda: with_holding(in_play(), 0, UNIT["4S"])),
    (Problem.CARDS, "a card gone", lambda: replace(in_play(), pile=in_play().pile[2:])),
    (Problem.RECYCLES, "a pile turned over where none is", lambda: replace(in_play(), recycles=1)),
    (Problem.ENDED, "a hand over by nothing", lambda: replace(hand_over(), ended=None)),
    (Problem.ENDED, "a hand ended in play", lambda: replace(in_play(), ended=Ended(0, "out", False))),
    (Problem.ENDED, "a hand ended by nobody's going out", lambda: out_by_nobody(hand_over())),
    (Problem.ENDED, "lines in play", lambda: replace(in_play(), lines=hand_over().lines)),
    (Problem.TOTALS, "a line that does not add up", lambda: lines_off(hand_over())),
    (Problem.TOTALS, "a side without a line", lambda: without(hand_over(), "lines")),
    (Problem.TOTALS, "totals that lines do not explain", lambda: replace(hand_over(), totals=(5, 5))),
    (Problem.TOTALS, "totals that changed in mid-hand", lambda: replace(in_play(), totals=(5, 5))),
    (Problem.WINNERS, "winners in mid-hand", lambda: replace(in_play(), winners=(0,))),
    (Problem.WINNERS, "a winner that is no side", lambda: replace(hand_over(), winners=(2,))),
]  # fmt: skip


@pytest.mark.parametrize(("problem", "what", "plant"), PLANTS, ids=[f"{p.name}: {what}" for p, what, _ in PLANTS])
def test_a_planted_fault_is_found(problem: Problem, what: str, plant: Plant) -> None:
    assert problem in problems(plant()), what


def test_every_flag_is_planted() -> None:
    assert {problem for problem, _, _ in PLANTS} == set(Problem)


def test_a_partial_position_lacks_cards_and_is_sound_all_the_same() -> None:
    position = {"ruleset": "samba-official", "players": 4, "holdings": [["4S"], [], [], []]}
    assert problems(state_from(position), complete=False) == NOTHING
    assert Problem.CARDS in problems(state_from(position))


def test_a_partial_position_may_not_have_a_face_too_often() -> None:
    position = {"ruleset": "samba-official", "players": 4, "holdings": [["4S", "4S", "4S"], [], [], []]}
    state = state_from(position)
    assert problems(state, complete=False) == NOTHING
    assert problems(with_holding(state, 1, UNIT["4S"]), complete=False) == Problem.CARDS
