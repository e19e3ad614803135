"""Every meld move and every take that the guards accept, found by trying, for short holdings.

Nothing of the listing under test is used: cards are chosen by hand count, and `decide` says what is accepted.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

from msgspec import UNSET, UnsetType

from domain.cards import RUN_RANKS, faces_of, is_wild
from domain.decide import decide
from domain.melds import new_meld
from domain.moves import LayMelds, TakePile, TakeUpcard
from domain.refusals import Refusal, Refused
from domain.state import Laid, State, own_melds

Faces = tuple[str, ...]


class TooMany(Exception):
    """There are more moves to try than a test should."""


def accepted_melds(state: State, seat: int, most: int) -> Iterator[LayMelds]:
    """Every accepted meld move, its joins of two or three melds and at most two of them. Raises `TooMany`."""
    own = own_melds(state, seat)
    held = faces_of(state.holdings[seat])
    tried = 0
    for join in _join_choices(own):
        for new in _choices_of_new(state, held):
            rest = held if not new else _without(held, [face for cards in new for face in cards])
            for add in _choices_of_additions(list(own.values()), rest):
                if not (new or add or join):
                    continue
                tried += 1
                if tried > most:
                    raise TooMany
                move = LayMelds(new=new, add=add, join=join)
                if not isinstance(decide(state, seat, move), Refusal):
                    yield move


def accepted_takes(state: State, seat: int, most: int) -> Iterator[TakePile | TakeUpcard]:
    """Every accepted take of the pile or the upcard. Raises `TooMany`."""
    own = own_melds(state, seat)
    held = faces_of(state.holdings[seat])
    tried = 0
    for meld_id in own:
        if not isinstance(decide(state, seat, TakeUpcard(meld_id)), Refusal):
            yield TakeUpcard(meld_id)
    upcard = state.pile[-2:]
    beside = tuple(face for face in held if is_wild(face) or face[0] == upcard[:1] or face[1] == upcard[1:])
    targets: tuple[str | UnsetType, ...] = (UNSET, *own)
    for with_ in _subsets(beside):
        rest = _without(held, with_)
        for onto in targets:
            for melds in _choices_of_new(state, rest):
                tried += 1
                if tried > most:
                    raise TooMany
                move = TakePile(with_=with_, onto=onto, melds=melds)
                if not isinstance(decide(state, seat, move), Refusal):
                    yield move


def _subsets(held: Faces) -> Iterator[Faces]:
    seen = set()
    for length in range(len(held) + 1):
        for cards in combinations(held, length):
            if cards not in seen:
                seen.add(cards)
                yield cards


def _without(held: Sequence[str], cards: Sequence[str]) -> Faces:
    return tuple((Counter(held) - Counter(cards)).elements())


def _choices_of_new(state: State, held: Faces) -> Iterator[tuple[Faces, ...]]:
    """Sets of new melds, each a meld by itself."""
    singles = [cards for cards in _subsets(held) if len(cards) >= 3 and _is_meld(state, cards)]
    yield ()
    for index, cards in enumerate(singles):
        yield (cards,)
        rest = Counter(_without(held, cards))
        for other in singles[index:]:
            if not Counter(other) - rest:
                yield (cards, other)
                last = rest - Counter(other)
                for third in singles[index:]:
                    if third >= other and not Counter(third) - last:
                        yield (cards, other, third)


def _is_meld(state: State, cards: Faces) -> bool:
    try:
        new_meld(state.table.rules, {}, (), cards, "m1", in_take=True)
    except Refused:
        return False
    return True


def _choices_of_additions(melds: list[Laid], rest: Faces) -> Iterator[dict[str, Faces]]:
    if not melds:
        yield {}
        return
    first, *others = melds
    for cards in _subsets(tuple(face for face in rest if _could_belong(first, face))):
        for more in _choices_of_additions(others, _without(rest, cards)):
            yield {first.meld.id: cards, **more} if cards else more


def _could_belong(laid: Laid, face: str) -> bool:
    """A first sieve; whether a card fits is asked of the guards."""
    cards = laid.meld.cards
    if laid.meld.kind == "sequence":
        return face[0] in RUN_RANKS and face[1] == cards[0][1] and face not in cards
    if laid.meld.kind == "wild":
        return is_wild(face)
    return is_wild(face) or face[0] == cards[-1][0]


def _join_choices(own: dict[str, Laid]) -> Iterator[tuple[Faces, ...]]:
    """No join, every pair and triple, every two pairs."""
    ids = [
        [key for key, laid in own.items() if _join_key(laid) == kind]
        for kind in dict.fromkeys(map(_join_key, own.values()))
    ]
    pairs = [pair for of_kind in ids for pair in combinations(of_kind, 2)]
    triples = [triple for of_kind in ids for triple in combinations(of_kind, 3)]
    yield ()
    for join in (*pairs, *triples):
        yield (join,)
    for first, second in combinations(pairs, 2):
        if not set(first) & set(second):
            yield (first, second)


def _join_key(laid: Laid) -> tuple[str, str]:
    cards = laid.meld.cards
    return laid.meld.kind, cards[0][1] if laid.meld.kind == "sequence" else cards[-1][0]
