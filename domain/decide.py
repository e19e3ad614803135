"""`decide(state, seat, move)`: what a move makes happen, or why it is refused (rule book 3, 9.2).

A state is never changed: the caller folds the events. Chance is an input: whatever brings cards reads them from the
deck that the state holds, and dealing the next hand is `domain.dealing.deal` with a deck from outside.
"""

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

from msgspec.structs import replace

from domain.cards import RED_THREES, has_red_three, size
from domain.discarding import discard, pass_
from domain.drawing import draw
from domain.ending import hand_end, resignation
from domain.events import Answered, AnyEvent, Asked
from domain.evolve import evolve, fold
from domain.going_out import why_not_out
from domain.melding import meld
from domain.moves import (
    Answer,
    Ask,
    Discard,
    Draw,
    LayMelds,
    LayRedThree,
    Move,
    Pass,
    Resign,
    TakePile,
    TakeUpcard,
    in_canonical_order,
    malformed,
)
from domain.red_threes import is_replaced, lay_red_three, may_lay_before_drawing
from domain.refusals import Refusal, Refused
from domain.state import State, answering_seat, own_melds, party_of
from domain.taking import take_pile, take_upcard

Decision = list[AnyEvent]


def decide(state: State, seat: int, move: Move) -> Decision | Refusal:
    """The events that a seat's move makes happen, or the refusal. The move has passed `moves.check_form`."""
    try:
        return _decide(state, seat, move)
    except Refused as refused:
        return refused.refusal()


def decide_all(state: State, seat: int, moves: Sequence[Move]) -> tuple[Decision, State] | Refusal:
    """A list of moves, all or nothing: the events and the state after them, or the first refusal with its index.

    What brings cards from the stock may stand last only, so that no refusal lets a seat look at the stock for nothing
    (formats, part 4).
    """
    if brings_cards_too_early(state, seat, moves):
        return malformed("moves").refusal()
    happened: Decision = []
    for index, move in enumerate(moves):
        try:
            decision = _decide(state, seat, move)
        except Refused as refused:
            return refused.refusal(index if len(moves) > 1 else None)
        state = fold(state, decision)
        happened += decision
    return happened, state


def brings_cards_too_early(state: State, seat: int, moves: Sequence[Move]) -> bool:
    """Whether a move other than the last of a list would bring cards from the stock."""
    began = state.began
    for move in moves[:-1]:
        if isinstance(move, Draw):
            return True
        if isinstance(move, TakePile):
            if take_brings_cards(state, seat):
                return True
            began = "pile"
        elif isinstance(move, LayRedThree) and is_replaced(state, began):
            return True
    return False


def take_brings_cards(state: State, seat: int) -> bool:
    """Whether taking the pile now would lay red threes that are replaced from the stock (7.3)."""
    rules = state.table.rules
    return (
        rules.red_threes == "automatic"
        and rules.red_three_replacement == "always"
        and state.stock_count > 0
        and (has_red_three(state.pile[:-2]) or bool(state.holdings[seat] & RED_THREES))
    )


def _decide(state: State, seat: int, move: Move) -> Decision:
    kind = type(move)
    if kind is Ask:
        _check_plan(state, seat, cast(Ask, move))
    phase = state.phase
    if phase == "game_over":
        raise Refused("game_over")
    if kind is Resign:
        return resignation(state, seat)
    if phase == "hand_over" or phase == "lobby":
        raise Refused("hand_over")
    if phase == "answer" or kind is Answer:
        return _answer(state, seat, move)
    if seat != state.turn:
        raise Refused("not_your_turn", turn=state.turn)
    if phase == "draw":
        if kind is LayMelds or kind is Discard or (kind is LayRedThree and not may_lay_before_drawing(state, seat)):
            raise Refused("must_begin_turn")
    elif kind is not Discard:
        if must_discard(state, seat):
            raise Refused("must_discard")
        if kind is Draw or kind is TakePile or kind is TakeUpcard:
            raise Refused("turn_begun", began=state.began)
    return _MOVES[kind](state, seat, move)


def must_discard(state: State, seat: int) -> bool:
    """Whether black threes were melded and the one card left must be discarded (4.5)."""
    if size(state.holdings[seat]) != 1 or state.last_turn or state.table.rules.black_three_melds_any_time:
        return False
    return any(laid.meld.kind == "black_threes" for laid in own_melds(state, seat).values())


def _take_pile(state: State, seat: int, move: TakePile) -> Decision:
    event, left, ends = take_pile(state, seat, move)
    if ends and not state.table.rules.last_red_three_may_meld:
        return hand_end(state, [event], "stock", None)
    return _out_if_empty(state, seat, event, left)


def _take_upcard(state: State, seat: int, move: TakeUpcard) -> Decision:
    if state.table.rules.run_take != "upcard_only":
        raise Refused("off_in_ruleset", parameter="run_take")
    event, left = take_upcard(state, seat, move)
    return _out_if_empty(state, seat, event, left)


def _meld(state: State, seat: int, move: LayMelds) -> Decision:
    event, left = meld(state, seat, move)
    return _out_if_empty(state, seat, event, left)


def _out_if_empty(state: State, seat: int, event: AnyEvent, left: int) -> Decision:
    """A seat that holds no card is out (8.3); whether it might come to that, the move's checks have judged (3.6)."""
    return [event] if left else hand_end(state, [event], "out", seat)


def _check_plan(state: State, seat: int, move: Ask) -> None:
    """What `then` may hold depends on the phase: from phase `draw` a take begins it (8.5)."""
    if seat != state.turn or state.phase not in ("draw", "play"):
        return
    begins = isinstance(move.then[0], TakePile | TakeUpcard)
    if begins != (state.phase == "draw"):
        raise malformed("then")
    if isinstance(move.then[0], TakePile) and take_brings_cards(state, seat):
        raise malformed("then")


def _ask(state: State, seat: int, move: Ask) -> Decision:
    rules = state.table.rules
    if rules.partner_permission == "off":
        raise Refused("off_in_ruleset", parameter="partner_permission")
    if len(party_of(state, seat)) == 1:
        raise Refused("no_partner")
    if state.permission is not None:
        raise Refused("already_asked")
    if state.melded_this_turn:
        raise Refused("already_melded")
    held = size(state.holdings[seat])
    if held < 2:
        own = [laid.meld for laid in own_melds(state, seat).values()]
        raise Refused("keep_two_cards", left=held, reason=why_not_out(state, seat, own) or "cards_left")
    _plan(state, seat, move.then)
    return [Asked(n=state.version + 1, seat=seat, then=tuple(map(in_canonical_order, move.then)))]


def _plan(state: State, seat: int, then: Sequence[Move]) -> Decision:
    """The events of a plan, judged as if permission were granted; it must end with the seat out (8.5)."""
    state = replace(state, permission="granted")
    happened: Decision = []
    for index, move in enumerate(then):
        try:
            decision = _decide(state, seat, move)
        except Refused as refused:
            raise Refused("not_a_way_out", at=index, code=refused.code) from refused
        state = fold(state, decision)
        happened += decision
    if state.ended is None:
        raise Refused("not_a_way_out", at=len(then), code=None)
    return happened


def _answer(state: State, seat: int, move: Move) -> Decision:
    if state.phase != "answer":
        raise Refused("no_question")
    asked = answering_seat(state)
    if not isinstance(move, Answer):
        raise Refused("answer_awaited", seat=asked)
    if seat != asked:
        raise Refused("no_question")
    answered = Answered(n=state.version + 1, seat=seat, yes=move.yes)
    if not move.yes:
        return [answered]
    assert state.ask is not None
    return [answered, *_plan(evolve(state, answered), state.turn, state.ask)]


_MOVES: Final[dict[type, Callable[[State, int, Any], Decision]]] = {
    Draw: draw,
    TakePile: _take_pile,
    TakeUpcard: _take_upcard,
    LayMelds: _meld,
    LayRedThree: lay_red_three,
    Discard: discard,
    Pass: pass_,
    Ask: _ask,
}
