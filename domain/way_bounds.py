"""Quick bounds for ways out: whether one is out of reach, never wrongly said so."""

from collections.abc import Sequence
from typing import Final

from domain.blocks import (
    GROUP_RANKS,
    PLACE,
    PLACES,
    PRESENT,
    RANK_FACES,
    Group,
    extensions,
    in_runs,
    number_of_black_threes,
    presence,
    run_starts,
)
from domain.cards import (
    BLACK_THREES,
    FOUR_LANES,
    RED_THREES,
    RUN_RANKS,
    SUITS,
    Cards,
    number_of,
    number_of_rank,
    number_of_red_threes,
    number_of_wilds,
    size,
)
from domain.going_out import meets_requirement, why_not_out
from domain.melds import SET_SIZE, SMALLEST_MELD
from domain.rules import Rules
from domain.state import Melds, State
from domain.way_counts import ENOUGH, sample_sets
from domain.way_tables import Faces, WayTable

_THREES: Final = RED_THREES | BLACK_THREES


def may_go_out(state: State, seat: int) -> bool:
    """Whether nothing but sets could be missing for the right to go out (3.5)."""
    return why_not_out(state, seat, sample_sets(ENOUGH, ENOUGH)) is None


def stranded(rules: Rules, holding: Cards, own: Melds, rank_made: str = "") -> int:
    """How many cards at least fit nowhere, from the holding and the party's melds.

    `rank_made` is a rank of which a group is about to lie.
    """
    wilds = number_of_wilds(holding)
    present = singles = pairs = 0
    for rank, place, shift in PLACES:
        bits = holding >> shift & 0xFFFF
        if bits:
            present |= PRESENT[bits] << place
            held = FOUR_LANES[bits]
            if held < SMALLEST_MELD and rank != rank_made:
                if held == 1:
                    singles |= PRESENT[bits] << place
                else:
                    pairs |= 0b1111 << place
    threes = _stranded_threes(rules, holding, wilds) if holding & _THREES else 0
    if not singles and not pairs:
        return threes
    elsewhere = in_runs(present) if rules.sequences else 0
    for laid in own.values():
        meld = laid.meld
        if meld.kind == "group":
            elsewhere |= 0b1111 << 4 * PLACE[meld.cards[-1][0]]
        elif meld.kind == "sequence":
            elsewhere |= _lengthening(present, meld.cards)
    # A pair of which no card has another place needs a wild card, which it may take.
    helpless = sum([not elsewhere >> place & 0b1111 for _, place, _ in PLACES if pairs >> place & 0b1111])
    served = min(wilds, helpless) if rules.max_wilds else 0
    return threes + (singles & ~elsewhere).bit_count() + 2 * (helpless - served)


def _stranded_threes(rules: Rules, holding: Cards, wilds: int) -> int:
    """Threes that cannot be laid: red ones, and black ones that are no meld (4.5) and no closing discard (8.4)."""
    black = number_of_black_threes(holding)
    enough = black >= SMALLEST_MELD and (rules.black_three_melds or rules.black_three_closing_discard)
    if enough or rules.black_three_melds_any_time or (rules.black_three_wilds and wilds):
        black = 0
    return black + number_of_red_threes(holding)


def _lengthening(present: int, cards: Faces) -> int:
    """The bits of the cards held that lengthen a run without a gap."""
    suit = 1 << 3 - SUITS.index(cards[0][1])
    found = 0
    above = suit << 4 * (PLACE[cards[-1][0]] + 1)
    while present & above:
        found |= above
        above <<= 4
    below = suit << 4 * PLACE[cards[0][0]] >> 4
    while present & below:
        found |= below
        below >>= 4
    return found


def sets_in_reach(rules: Rules, holding: Cards, own: Melds) -> bool:
    """Whether the sets needed to go out (8.2) could be there after a move: never wrongly false, and quick."""
    wilds = number_of_wilds(holding)
    together: dict[str, int] = {}
    lacking: list[int] = [SET_SIZE] if rules.wild_melds else []
    lying_runs: dict[str, list[Faces]] = {suit: [] for suit in SUITS}
    for laid in own.values():
        cards = laid.meld.cards
        if laid.meld.kind == "sequence":
            lying_runs[cards[0][1]].append(cards)
        elif laid.meld.kind == "wild":
            lacking.append(max(SET_SIZE - len(cards), 0))
        else:
            together[cards[-1][0]] = together.get(cards[-1][0], 0) + len(cards)
    for rank in GROUP_RANKS:
        held = number_of_rank(holding, rank) if rank != "3" else number_of_black_threes(holding)
        if rank != "3" or rules.black_three_wilds:
            finished, more = divmod(together.get(rank, 0) + held, SET_SIZE)
            lacking += [0] * finished
            if more > 1:
                lacking.append(SET_SIZE - more)
    canastas = 0
    for number in sorted(lacking):
        wilds -= number
        canastas += wilds >= 0
    sambas = _sambas_in_reach(rules, holding, lying_runs)
    return meets_requirement(rules, sample_sets(min(canastas, ENOUGH), min(sambas, ENOUGH)))


def _sambas_in_reach(rules: Rules, holding: Cards, lying_runs: dict[str, list[Faces]]) -> int:
    sambas = _new_sambas(rules, holding)
    for suit, of_suit in lying_runs.items():
        for cards in of_suit:
            reach = len(tuple(extensions(holding, suit, PLACE[cards[0][0]], PLACE[cards[-1][0]])))
            joined = rules.join_sequences and len(of_suit) > 1
            sambas += joined or len(cards) + reach >= SET_SIZE
    return sambas


def sets_fit(rules: Rules, table: WayTable) -> bool:
    """Whether the cards could finish the sets needed, each by itself; telling for a short holding."""
    holding = table.holding
    wilds = number_of_wilds(holding)
    lacking = [SET_SIZE - number for _, number in table.wilds] + [SET_SIZE] * (rules.wild_melds * ENOUGH)
    lacking = [number for number in lacking if number <= wilds]
    for rank in GROUP_RANKS if rules.black_three_wilds else RUN_RANKS:
        held = number_of_black_threes(holding) if rank == "3" else number_of_rank(holding, rank)
        for _, (naturals, with_it, _) in table.groups.get(rank, ()):
            if naturals + with_it + held + wilds >= SET_SIZE:
                lacking.append(SET_SIZE - naturals - with_it)
        lacking += [SET_SIZE] * ((held + wilds) // SET_SIZE)
    to_samba = [SET_SIZE] * min(_new_sambas(rules, holding) * ENOUGH, ENOUGH)
    for run in table.runs:
        reach = len(tuple(extensions(holding, run.suit, run.low, run.high))) if run.is_open else 0
        if run.length + reach >= SET_SIZE:
            to_samba.append(SET_SIZE - run.length)
    cards = size(holding)
    canastas = _finished_with(cards, lacking)
    sambas = _finished_with(cards, to_samba)
    together = _finished_with(cards, lacking + to_samba)
    return any(
        meets_requirement(rules, sample_sets(min(canastas, together - number, ENOUGH), number))
        for number in range(min(sambas, together, ENOUGH) + 1)
    )


def _new_sambas(rules: Rules, holding: Cards) -> int:
    starts = run_starts(presence(holding)) if rules.sequences else []
    return starts[-1].bit_count() if len(starts) > SET_SIZE - SMALLEST_MELD else 0


def _finished_with(cards: int, lacking: Sequence[int]) -> int:
    finished = 0
    for number in sorted(lacking):
        cards -= max(number, 0)
        finished += cards >= 0
    return finished


def fits_nowhere(rules: Rules, table: WayTable, pinned: Group | None) -> int:
    """How many naturals at least fit neither into a group nor into a run."""
    holding = table.holding
    pairs = number_of_wilds(holding) > 0 and rules.max_wilds > 0
    alone = [
        rank
        for rank in RUN_RANKS
        if 0 < number_of_rank(holding, rank) < (2 if pairs else SMALLEST_MELD) and rank not in table.groups
    ]
    if not alone:
        return 0
    lengthening: set[str] = set()
    if rules.sequences:
        covered = in_runs(presence(holding))
        for run in table.runs:
            if run.is_open:
                lengthening.update(extensions(holding, run.suit, run.low, run.high))
    else:
        covered = 0
    stuck = 0
    for rank in alone:
        if pinned is not None and pinned.rank == rank:
            continue
        for suit, face in zip((3, 2, 1, 0), RANK_FACES[rank], strict=True):
            if not covered >> 4 * PLACE[rank] + suit & 1 and face not in lengthening:
                stuck += number_of(holding, face)
    return stuck
