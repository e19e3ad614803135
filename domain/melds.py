"""What may lie as a meld (rule book 4): the guards for new melds, additions and joins.

Each guard raises `Refused` with the first check that fails, in the order that rule book 9.2 gives as N, A and J.
"""

from collections.abc import Iterable, Sequence
from typing import Final

from domain.cards import (
    BLACK_THREES,
    LANE,
    NATURALS,
    RANK_LANES,
    RED_THREES,
    RUN_RANKS,
    RUNS,
    SUITS,
    WILDS,
    Cards,
    canonical,
    count,
    faces_of,
    number_of_wilds,
)
from domain.events import JoinedMeld, Meld, MeldKind
from domain.refusals import Refused
from domain.rules import Rules
from domain.state import Laid, Melds

SMALLEST_MELD: Final = 3
SET_SIZE: Final = 7
"""From here on a group is a canasta and a wild meld a wild canasta; a sequence of this length is a samba."""

_FACE_LANES: Final = sum(LANE.values())
_NO_WILDS: Final = _FACE_LANES & ~WILDS
_THREES: Final = RED_THREES | BLACK_THREES
_FOREIGN: Final = {
    **{rank: _NO_WILDS & ~RANK_LANES[rank] for rank in RUN_RANKS},
    "3": _NO_WILDS & ~BLACK_THREES,
}
"""What can never lie in a group of a rank, or among black threes."""

_SUIT_LANES: Final = {suit: sum(LANE[rank + suit] for rank in RUN_RANKS) for suit in SUITS}

NATURALS_NEEDED: Final = {
    "two_to_one": tuple(2 * wilds for wilds in range(22)),
    "three_to_two": tuple((3 * wilds + 1) // 2 for wilds in range(22)),
    "half": tuple(range(22)),
    "more_naturals": tuple(wilds + 1 for wilds in range(22)),
    "min_two_naturals": (2,) * 22,
}
"""The fewest naturals that a group with so many wild cards must hold, by `group_ratio` (rule book 4.2)."""


def new_meld(
    rules: Rules,
    own: Melds,
    earlier: Sequence[Laid],
    faces: Sequence[str],
    meld_id: str,
    *,
    in_take: bool = False,
) -> Laid:
    """Judge a new meld (4.1 to 4.5, order N) beside the party's own melds and those made earlier in the move.

    Whether black threes may be laid at all is no question of form for a further meld of a take (6.2, check 10).
    """
    cards = count(faces)
    ordered = canonical(faces)
    kind = _kind_of(rules, ordered, cards)
    if kind == "sequence":
        if not rules.sequences:
            raise Refused("off_in_ruleset", parameter="sequences")
        if len(ordered) > SET_SIZE:
            raise Refused("meld_too_long", count=len(ordered), maximum=SET_SIZE)
        return Laid(Meld(meld_id, kind, RUNS[cards]), cards)
    if kind == "wild":
        if not rules.wild_melds:
            raise Refused("off_in_ruleset", parameter="wild_melds")
        if rules.wild_melds_closed and len(ordered) > SET_SIZE:
            raise Refused("meld_too_long", count=len(ordered), maximum=SET_SIZE)
    elif kind == "black_threes" and not (rules.black_three_melds or in_take):
        raise Refused("off_in_ruleset", parameter="black_three_melds")
    if not rules.several_melds_per_rank:
        _check_rank_is_free(kind, rank_of(kind, ordered), own, earlier)
    if cards & WILDS and kind != "wild":
        _check_limits(rules, kind, cards, len(ordered))
    return Laid(Meld(meld_id, kind, ordered), cards)


def _kind_of(rules: Rules, ordered: Sequence[str], cards: Cards) -> MeldKind:
    """Which kind of meld cards in canonical order are: the first line of 4.1 that applies decides."""
    if len(ordered) < SMALLEST_MELD:
        raise Refused("meld_too_small", cards=ordered, minimum=SMALLEST_MELD)
    naturals = cards & NATURALS
    if cards & _THREES:
        if cards & RED_THREES:
            raise Refused("red_three_in_meld", cards=ordered)
        if naturals:
            raise Refused("not_a_meld", cards=ordered)
        return "black_threes"
    if not naturals:
        return "wild"
    if not naturals & ~RANK_LANES[ordered[-1][0]]:
        return "group"
    if cards & WILDS:
        one_suit = not naturals & ~_SUIT_LANES[ordered[-1][1]]
        natural = [face for face in ordered if LANE[face] & NATURALS]
        different = len(set(natural)) == len(natural)
        code = "wild_in_sequence" if rules.sequences and one_suit and different else "not_a_meld"
        raise Refused(code, cards=ordered)
    if cards not in RUNS:
        raise Refused("not_a_meld", cards=ordered)
    return "sequence"


def rank_of(kind: MeldKind, ordered: Sequence[str]) -> str:
    """The rank of a meld that is no sequence, its cards in canonical order: `2` for a wild meld, `3` for black threes.

    Wild cards stand first in that order, so the last card of a group is a natural one.
    """
    return "2" if kind == "wild" else ordered[-1][0]


def _check_rank_is_free(kind: MeldKind, rank: str, own: Melds, earlier: Sequence[Laid]) -> None:
    lying = find_rank(own, kind, rank)
    if lying is not None:
        raise Refused("rank_already_melded", rank=rank, meld=lying.meld.id)
    if any(laid.meld.kind == kind and rank_of(kind, laid.meld.cards) == rank for laid in earlier):
        raise Refused("rank_already_melded", rank=rank, meld=None)


def find_rank(own: Melds, kind: MeldKind, rank: str) -> Laid | None:
    """The own meld of a kind and rank with the lowest number."""
    for laid in own.values():
        if laid.meld.kind == kind and rank_of(kind, laid.meld.cards) == rank:
            return laid
    return None


def _check_limits(rules: Rules, kind: MeldKind, cards: Cards, length: int) -> None:
    """The limits on wild cards in a group or among black threes (4.2, 4.5)."""
    if kind == "black_threes" and not rules.black_three_wilds:
        raise Refused("wild_with_black_threes", cards=faces_of(cards))
    wilds = number_of_wilds(cards)
    if wilds > rules.max_wilds:
        raise Refused("too_many_wilds", wilds=wilds, maximum=rules.max_wilds)
    if length - wilds < NATURALS_NEEDED[rules.group_ratio][wilds]:
        raise Refused("too_few_naturals", naturals=length - wilds, wilds=wilds, ratio=rules.group_ratio)


def added_to(rules: Rules, laid: Laid, faces: Sequence[str]) -> Laid:
    """Judge cards added to a meld (4.6, order A): the meld as it then lies."""
    meld, added = laid.meld, count(faces)
    kind = meld.kind
    cards = laid.cards + added
    length = len(meld.cards) + len(faces)
    if added & RED_THREES:
        raise Refused("red_three_in_meld", cards=canonical(faces))
    if kind == "sequence":
        return _added_to_run(laid, faces, cards, length)
    if kind == "wild":
        if is_closed(rules, meld):
            raise Refused("meld_closed", meld=meld.id)
        if added & _NO_WILDS:
            raise _does_not_fit(meld, faces)
        if rules.wild_melds_closed and length > SET_SIZE:
            raise Refused("meld_too_long", count=length, maximum=SET_SIZE)
    elif not _belongs(rules, meld, added):
        raise _does_not_fit(meld, faces)
    elif cards & WILDS:
        if not rules.wild_on_finished_canasta:
            _check_finished((laid,), cards)
        _check_limits(rules, kind, cards, length)
    return Laid(Meld(meld.id, kind, canonical(meld.cards + tuple(faces))), cards)


def _added_to_run(laid: Laid, faces: Sequence[str], cards: Cards, length: int) -> Laid:
    meld = laid.meld
    if len(meld.cards) >= SET_SIZE:
        raise Refused("meld_closed", meld=meld.id)
    run = RUNS.get(cards)
    if run is None:
        if cards & WILDS:
            raise Refused("wild_in_sequence", cards=canonical(faces))
        raise _does_not_fit(meld, faces)
    if length > SET_SIZE:
        raise Refused("meld_too_long", count=length, maximum=SET_SIZE)
    return Laid(Meld(meld.id, meld.kind, run), cards)


def _belongs(rules: Rules, meld: Meld, added: Cards) -> bool:
    """Whether added cards can belong to a group or to black threes at all."""
    if meld.kind == "group":
        return not added & _FOREIGN[meld.cards[-1][0]]
    foreign = _FOREIGN["3"] if rules.black_three_wilds else _FOREIGN["3"] | WILDS
    return rules.black_three_melds_any_time and not added & foreign


def _does_not_fit(meld: Meld, faces: Sequence[str]) -> Refused:
    return Refused("card_does_not_fit", meld=meld.id, cards=canonical(faces))


def is_closed(rules: Rules, meld: Meld) -> bool:
    """Whether nothing can be added any more: a samba, or a wild canasta where wild melds close (4.3, 4.4)."""
    if meld.kind == "sequence":
        return len(meld.cards) >= SET_SIZE
    return meld.kind == "wild" and rules.wild_melds_closed and len(meld.cards) >= SET_SIZE


def _check_finished(before: Sequence[Laid], after: Cards) -> None:
    """No more wild cards on a finished canasta: asked where the rule set says so (4.2)."""
    finished = [laid for laid in before if len(laid.meld.cards) >= SET_SIZE]
    wilds = number_of_wilds(after)
    for laid in finished:
        if wilds > number_of_wilds(laid.cards):
            raise Refused("wild_on_canasta", meld=finished[0].meld.id)


def joined(rules: Rules, melds: Sequence[Laid], named: dict[str, Sequence[str]], *, partners: bool) -> Laid:
    """Judge a join with its additions (4.7, order J): the meld as it then lies, under the first id.

    `named` are the cards added, by meld; `partners` says whether the melds lie under both partners of a lone side.
    """
    ids = [laid.meld.id for laid in melds]
    kinds = {laid.meld.kind for laid in melds}
    if len(kinds) > 1 or not kinds <= {"group", "sequence"}:
        raise Refused("join_does_not_fit", melds=ids)
    (kind,) = kinds
    if kind == "sequence" and not rules.join_sequences:
        raise Refused("off_in_ruleset", parameter="join_sequences")
    if kind == "group" and not (rules.merge_groups or partners):
        raise Refused("off_in_ruleset", parameter="merge_groups")
    faces = tuple([face for meld_id in ids for face in named.get(meld_id, ())])
    added = count(faces)
    if added & RED_THREES:
        raise Refused("red_three_in_meld", cards=canonical(faces))
    for laid in melds:
        if is_closed(rules, laid.meld):
            raise Refused("meld_closed", meld=laid.meld.id)
    cards = sum([laid.cards for laid in melds]) + added
    length = sum([len(laid.meld.cards) for laid in melds]) + len(faces)
    if kind == "sequence":
        if added & WILDS:
            raise Refused("wild_in_sequence", cards=canonical(faces))
        run = RUNS.get(cards)
        if run is None:
            raise Refused("join_does_not_fit", melds=ids)
        if length > SET_SIZE:
            raise Refused("meld_too_long", count=length, maximum=SET_SIZE)
        return Laid(Meld(ids[0], kind, run), cards)
    if cards & _FOREIGN[melds[0].meld.cards[-1][0]]:
        raise Refused("join_does_not_fit", melds=ids)
    if cards & WILDS:
        if not rules.wild_on_finished_canasta:
            _check_finished(melds, cards)
        _check_limits(rules, kind, cards, length)
    merged = tuple([face for laid in melds for face in laid.meld.cards])
    return Laid(Meld(ids[0], kind, canonical(merged + faces)), cards)


def joined_meld(laid: Laid, ids: tuple[str, ...]) -> JoinedMeld:
    """A joined meld as its event says it."""
    return JoinedMeld(laid.meld.id, laid.meld.kind, laid.meld.cards, ids)


def is_set(rules: Rules, meld: Meld) -> bool:
    """Whether a meld is a canasta or a samba."""
    return len(meld.cards) >= SET_SIZE and (meld.kind != "black_threes" or rules.black_three_wilds)


def count_sets(rules: Rules, melds: Iterable[Meld]) -> tuple[int, int]:
    """How many canastas and how many sambas lie among the melds."""
    canastas = sambas = 0
    for meld in melds:
        if len(meld.cards) >= SET_SIZE:
            if meld.kind == "sequence":
                sambas += 1
            elif meld.kind != "black_threes" or rules.black_three_wilds:
                canastas += 1
    return canastas, sambas
