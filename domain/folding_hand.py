"""How the events of a hand change a state.

Each function changes the state that it is given, which is the fold's own copy.
"""

from collections.abc import Iterable, Sequence
from typing import Final, cast

from msgspec import UNSET
from msgspec.structs import replace

from domain import events
from domain.cards import BLACK_THREE_FACES, NONE, RED_THREE_FACES, UNIT, Cards, count, hidden, text
from domain.dealing import deal_stripes, stock_after_deal, take_from
from domain.events import Meld, RedThreeLaid
from domain.state import Ended, Laid, State, Table, number_of_meld

_FRESH_HAND: Final = State(table=cast(Table, None), version=0)


def dealt(state: State, event: events.Dealt) -> None:
    table = state.table
    if table.status != "playing":
        table = state.table = replace(table, status="playing")
    totals = state.totals
    for name in State.__struct_fields__:
        if name not in ("table", "version"):
            setattr(state, name, getattr(_FRESH_HAND, name))
    rules = table.rules
    state.phase = "draw"
    state.hand = event.hand
    state.dealer = event.dealer
    state.turn = (event.dealer + 1) % rules.players
    state.scores = state.totals = totals
    state.holdings = [hidden(held) if isinstance(held, int) else count(held) for held in event.holdings]
    state.melds = [{} for _ in rules.sides]
    state.red_threes = [NONE] * len(rules.sides)
    for laid in event.red_threes:
        state.red_threes[rules.side_of[laid.seat]] += UNIT[laid.card]
    state.pile = text(event.pile)
    state.stock = () if event.deck is UNSET else stock_after_deal(table, event)
    state.stock_count = event.stock


def drew(state: State, event: events.Drew) -> None:
    seat = event.seat
    cards = event.cards
    if isinstance(cards, int):
        number = cards
        state.holdings[seat] += hidden(cards)
    else:
        number = 0
        holding = state.holdings[seat]
        for face in cards:
            holding += UNIT[face]
            number += 1
        state.holdings[seat] = holding
    if event.red_threes:
        number += _lay(state, seat, event.red_threes)
    if event.recycled is not UNSET:
        _turn_pile_over(state, seat, number)
    elif state.stock:
        taken, state.stock = take_from(state.stock, seat, number)
        if event.stock == 0 and state.table.rules.last_red_three_may_meld:
            state.last_turn = taken[-2:] in RED_THREE_FACES
    state.phase = "play"
    state.began = "stock"
    state.stock_count = event.stock


def _turn_pile_over(state: State, seat: int, number: int) -> None:
    """The stock was served out, the pile turned over, and the rest drawn from it (rule book 10.1)."""
    stripes = state.table.rules.players if state.table.striped else 1
    turned = deal_stripes(state.pile, stripes, seat)
    _, state.stock = take_from(turned, seat, number - state.stock_count)
    state.pile = ""
    state.barred = 0
    state.recycles += 1


def took_pile(state: State, event: events.TookPile) -> None:
    seat = event.seat
    own = state.table.rules.side_of[seat]
    meld = event.meld
    owner = _owner(state, own, meld.id)
    older = state.melds[owner].get(meld.id)
    cards = count(meld.cards)
    change = count(event.picked_up) + UNIT[state.pile[-2:]] - cards
    state.melds[owner] = {**state.melds[owner], meld.id: Laid(meld, cards)}
    if older is None:
        state.next_meld += 1
    else:
        change += older.cards
        state.touched_old = True
    state.holdings[seat] += change
    if event.melds:
        _lay_new(state, seat, own, event.melds)
        state.melded_this_turn = True
    if event.red_threes:
        _replace(state, seat, event.red_threes)
    state.phase = "play"
    state.began = "pile"
    state.pile = ""
    state.barred = 0
    if state.lone is None and state.table.rules.lone_side:
        state.lone = seat


def took_upcard(state: State, event: events.TookUpcard) -> None:
    meld = event.meld
    owner = _owner(state, state.table.rules.side_of[event.seat], meld.id)
    state.melds[owner] = {**state.melds[owner], meld.id: Laid(meld, count(meld.cards))}
    state.phase = "play"
    state.began = "upcard"
    state.touched_old = True
    state.pile = state.pile[:-2]


def melded(state: State, event: events.Melded) -> None:
    own = state.table.rules.side_of[event.seat]
    for meld in event.added:
        _add(state, event.seat, own, meld)
    for joined in event.joined:
        _join(state, event.seat, own, joined)
    if event.new:
        _lay_new(state, event.seat, own, event.new)
    state.melded_this_turn = True


def _lay_new(state: State, seat: int, own: int, melds: Iterable[Meld]) -> None:
    lying = dict(state.melds[own])
    holding = state.holdings[seat]
    for meld in melds:
        cards = 0
        for face in meld.cards:
            cards += UNIT[face]
        lying[meld.id] = Laid(meld, cards)
        holding -= cards
        state.next_meld += 1
    state.holdings[seat] = holding
    state.melds[own] = lying


def _add(state: State, seat: int, own: int, meld: Meld) -> None:
    owner = _owner(state, own, meld.id)
    melds = state.melds[owner]
    cards = 0
    for face in meld.cards:
        cards += UNIT[face]
    state.holdings[seat] -= cards - melds[meld.id].cards
    state.melds[owner] = {**melds, meld.id: Laid(meld, cards)}
    if not state.touched_old and number_of_meld(meld.id) < state.turn_first_meld:
        state.touched_old = True


def _join(state: State, seat: int, own: int, joined: events.JoinedMeld) -> None:
    cards = count(joined.cards)
    state.holdings[seat] -= cards
    for meld_id in joined.of:
        owner = _owner(state, own, meld_id)
        melds = dict(state.melds[owner])
        state.holdings[seat] += melds[meld_id].cards
        if meld_id == joined.id:
            melds[meld_id] = Laid(Meld(joined.id, joined.kind, joined.cards), cards)
        else:
            del melds[meld_id]
        state.melds[owner] = melds
        if number_of_meld(meld_id) < state.turn_first_meld:
            state.touched_old = True


def laid_red_three(state: State, event: events.LaidRedThree) -> None:
    _replace(state, event.seat, (event,))


def _replace(state: State, seat: int, laid: Sequence[RedThreeLaid | events.LaidRedThree]) -> None:
    """Lay red threes outside a draw; the stock gives up what replaced them."""
    replaced = _lay(state, seat, laid)
    if not replaced:
        return
    state.stock_count -= replaced
    if state.stock:
        _, state.stock = take_from(state.stock, seat, replaced)
    # A replacement that is the last card of the stock and a red three opens the last turn (rule book 7.4).
    if state.stock_count == 0 and state.table.rules.last_red_three_may_meld:
        *_, last = (entry.replacement for entry in laid if entry.replacement is not None)
        state.last_turn = last in RED_THREE_FACES


def _lay(state: State, seat: int, laid: Iterable[RedThreeLaid | events.LaidRedThree]) -> int:
    """Lay red threes of a seat; how many of them were replaced from the stock."""
    change: Cards = NONE
    lying: Cards = NONE
    replaced = 0
    for entry in laid:
        unit = UNIT[entry.card]
        lying += unit
        change -= unit
        if entry.replacement is not None:
            change += UNIT[entry.replacement]
            replaced += 1
    state.red_threes[state.table.rules.side_of[seat]] += lying
    state.holdings[seat] += change
    return replaced


def asked(state: State, event: events.Asked) -> None:
    state.phase = "answer"
    state.ask = None if event.then is UNSET else event.then


def answered(state: State, event: events.Answered) -> None:
    state.phase = "draw" if state.began is None else "play"
    state.permission = "granted" if event.yes else "refused"
    state.ask = None


def discarded(state: State, event: events.Discarded) -> None:
    seat = event.seat
    rules = state.table.rules
    cards = event.cards
    face = cards[0]
    if len(cards) == 1:
        state.holdings[seat] -= UNIT[face]
        state.pile += face
    else:
        state.holdings[seat] -= count(cards)
        state.pile += text(cards)
    if state.melded_this_turn or state.began != "stock":
        state.has_melded |= 1 << seat
    state.had_turn |= 1 << seat
    following = seat + 1
    if following == rules.players:
        following = 0
    if face in BLACK_THREE_FACES and rules.black_three_bar == "next_player_until_taken":
        state.barred |= 1 << following
    state.turn = following
    state.phase = "draw"
    state.began = None
    state.melded_this_turn = False
    state.turn_first_meld = state.next_meld
    state.touched_old = False
    state.last_turn = False
    state.permission = None
    state.stood_in = False


def hand_ended(state: State, event: events.HandEnded) -> None:
    state.phase = "hand_over"
    state.holdings = [count(held) for held in event.holdings]
    state.ended = Ended(event.by, event.reason, event.concealed)
    state.lines = event.lines
    state.totals = event.totals


def _owner(state: State, own: int, meld_id: str) -> int:
    """Where a meld lies: with a lone side it may lie under the partner (rule book 2.3)."""
    if meld_id in state.melds[own] or not state.table.rules.lone_side:
        return own
    return next((owner for owner, melds in enumerate(state.melds) if meld_id in melds), own)
