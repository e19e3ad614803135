"""What the greedy bot lays: the blocks that are worth it, as many in one move as do not disturb each other."""

from collections.abc import Iterator, Sequence
from typing import Final

from msgspec import Struct, UnsetType

from domain.bots.choices import whole_move
from domain.bots.outlook import Outlook, is_full, rank_of
from domain.bots.prospects import A_WILD_CARD, kind_of, prospect, wilds_in
from domain.cards import count, remove, size
from domain.moves import LayMelds
from domain.options import LegalMoves, MeldOption, Option

KEPT_AT_LEAST: Final = 2
"""Cards that stay in hand unless the seat goes out (rule book 3.6)."""


class _Block(Struct, frozen=True):
    """A new meld (`onto` empty) or cards for an own one; `place` is what no other block of the move may touch."""

    worth: float
    cards: tuple[str, ...]
    onto: str
    place: str


def first_meld(outlook: Outlook, legal: LegalMoves) -> LayMelds | None:
    """The first meld that costs the least, or None where there is none."""
    best: tuple[float, LayMelds] | None = None
    for option in legal.melds:
        if not option.possible:
            continue
        move = whole_move(option)
        assert isinstance(move, LayMelds)
        worth = sum(new_worth(outlook, cards) for cards in move.new)
        if best is None or worth > best[0]:
            best = worth, move
    return None if best is None else best[1]


def new_worth(outlook: Outlook, cards: Sequence[str]) -> float:
    """What a new meld is worth beside the wild cards that it takes."""
    spent = 0 if outlook.ending else A_WILD_CARD * wilds_in(cards)
    kind = kind_of(cards)
    if kind == "wild":
        spent = 0
    return prospect(outlook.rules, kind, cards) - spent


def worth_laying(outlook: Outlook, legal: LegalMoves) -> LayMelds | None:
    """One move of all that is worth laying beside the party's melds, or None."""
    rest = count(outlook.held)
    new: list[tuple[str, ...]] = []
    add: dict[str, tuple[str, ...]] = {}
    taken: set[str] = set()
    for block in sorted(_blocks(outlook, legal), key=lambda block: -block.worth):
        left = remove(rest, block.cards)
        if block.worth <= 0 or block.place in taken or left < 0 or size(left) < KEPT_AT_LEAST:
            continue
        rest = left
        taken.add(block.place)
        if block.onto:
            add[block.onto] = add.get(block.onto, ()) + block.cards
        else:
            new.append(block.cards)
    return LayMelds(new=tuple(new), add=add) if new or add else None


def join(outlook: Outlook, legal: LegalMoves) -> LayMelds | None:
    """A join that makes more of two melds than they are apart, or None."""
    melds = {meld.id: meld for meld in outlook.own}
    for option in legal.joins:
        move = whole_move(option)
        if not option.possible or not isinstance(move, LayMelds):
            continue
        parts = [melds[meld_id] for meld_id in move.join[0]]
        together = [face for part in parts for face in part.cards] + [f for cards in move.add.values() for f in cards]
        apart = sum(prospect(outlook.rules, part.kind, part.cards) for part in parts)
        if prospect(outlook.rules, parts[0].kind, together) > apart:
            return move
    return None


def _blocks(outlook: Outlook, legal: LegalMoves) -> Iterator[_Block]:
    growing = {rank_of(meld.cards) for meld in outlook.own if meld.kind == "group" and not is_full(meld)}
    for option in legal.melds:
        # A group beside one that still grows would only share its cards.
        if option.possible and isinstance(option.completion, UnsetType) and option.rank not in growing:
            yield _new_block(outlook, option)
    yield from _additions(outlook, legal.additions)


def _new_block(outlook: Outlook, option: MeldOption) -> _Block:
    assert isinstance(option.move, LayMelds)
    cards = option.move.new[0]
    place = "" if isinstance(option.rank, UnsetType) else option.rank
    return _Block(new_worth(outlook, cards), cards, "", place or "".join(cards))


def _additions(outlook: Outlook, options: Sequence[Option]) -> Iterator[_Block]:
    melds = {meld.id: meld for meld in outlook.own}
    for number, option in enumerate(options):
        if not option.possible:
            continue
        move = whole_move(option)
        if not isinstance(move, LayMelds) or len(move.add) != 1 or move.new or move.join:
            continue
        ((meld_id, cards),) = move.add.items()
        meld = melds[meld_id]
        wilds = wilds_in(cards)
        gain = prospect(outlook.rules, meld.kind, (*meld.cards, *cards)) - prospect(
            outlook.rules, meld.kind, meld.cards
        )
        spent = 0 if outlook.ending or meld.kind == "wild" else A_WILD_CARD * wilds
        if meld.kind != "group" or wilds:
            # Such a card changes what else fits the meld, so it comes alone.
            yield _Block(gain - spent, cards, meld_id, meld_id)
            continue
        for copy in range(outlook.held.count(cards[0])):
            yield _Block(gain, cards, meld_id, f"{meld_id} {number} {copy}")
