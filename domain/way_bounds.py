"""Quick bounds for ways out: whether one is out of reach, never wrongly said so."""

from collections.abc import Sequence
from typing import Final

from domain.blocks import Group, number_of_black_threes
from domain.cards import BLACK_THREES, RED_THREES, RUN_RANKS, Cards, number_of_red_threes, number_of_wilds, size
from domain.going_out import meets_requirement, why_not_out
from domain.melds import SET_SIZE, SMALLEST_MELD
from domain.presence import NATURAL_BITS, RANK_BITS, in_runs, lengthening, presence, rank_counts, run_starts
from domain.rules import Rules
from domain.state import Melds, State
from domain.way_counts import ENOUGH, sample_sets
from domain.way_tables import WayTable

_THREES: Final = RED_THREES | BLACK_THREES


def may_go_out(state: State, seat: int) -> bool:
    """Whether nothing but sets could be missing for the right to go out (3.5)."""
    return why_not_out(state, seat, sample_sets(ENOUGH, ENOUGH)) is None


def stranded(rules: Rules, holding: Cards, own: Melds, rank_made: str = "") -> int:
    """How many cards at least fit nowhere, from the holding and the party's melds.

    `rank_made` is a rank of which a group is about to lie.
    """
    naturals = presence(holding) & NATURAL_BITS
    elsewhere = RANK_BITS[rank_made] if rank_made else 0
    for laid in own.values():
        meld = laid.meld
        if meld.kind == "group":
            elsewhere |= RANK_BITS[meld.cards[-1][0]]
        elif meld.kind == "sequence":
            elsewhere |= lengthening(naturals, meld.cards)
    return _helpless(rules, holding, naturals, elsewhere) + _stranded_threes(rules, holding)


def fits_nowhere(rules: Rules, table: WayTable, pinned: Group | None) -> int:
    """The same for the naturals on a table in the course of a search, where `pinned` is a group to be laid."""
    naturals = presence(table.holding) & NATURAL_BITS
    elsewhere = RANK_BITS[pinned.rank] if pinned is not None else 0
    for rank in table.groups:
        elsewhere |= RANK_BITS[rank]
    for run in table.runs:
        if run.is_open:
            elsewhere |= lengthening(naturals, (RUN_RANKS[run.low] + run.suit, RUN_RANKS[run.high] + run.suit))
    return _helpless(rules, table.holding, naturals, elsewhere)


def _helpless(rules: Rules, holding: Cards, naturals: int, elsewhere: int) -> int:
    """How many naturals at least fit neither into new groups and runs nor `elsewhere`; all these are bits of faces."""
    single = 0
    pairs: list[int] = []
    for rank, held in zip(RUN_RANKS, rank_counts(holding)[1:], strict=False):
        if held == 1:
            single |= RANK_BITS[rank]
        elif held == 2:
            pairs.append(RANK_BITS[rank])
    if rules.sequences:
        elsewhere |= in_runs(naturals)
    # A pair of which no card has another place needs a wild card, which it may take.
    helpless = len([bits for bits in pairs if not elsewhere & bits])
    if helpless and rules.max_wilds:
        helpless = max(helpless - number_of_wilds(holding), 0)
    return (naturals & single & ~elsewhere).bit_count() + 2 * helpless


def _stranded_threes(rules: Rules, holding: Cards) -> int:
    """Threes that cannot be laid: red ones, and black ones that are no meld (4.5) and no closing discard (8.4)."""
    if not holding & _THREES:
        return 0
    black = number_of_black_threes(holding)
    enough = black >= SMALLEST_MELD and (rules.black_three_melds or rules.black_three_closing_discard)
    if enough or rules.black_three_melds_any_time or (rules.black_three_wilds and number_of_wilds(holding)):
        black = 0
    return black + number_of_red_threes(holding)


def sets_in_reach(rules: Rules, holding: Cards, own: Melds) -> bool:
    """Whether the sets needed to go out (8.2) could be there after a move: never wrongly false, and quick."""
    naturals = presence(holding) & NATURAL_BITS
    wilds = number_of_wilds(holding)
    together = dict(zip(RUN_RANKS, rank_counts(holding)[1:], strict=False))
    lacking: list[int] = [SET_SIZE] if rules.wild_melds else []
    lying_runs: list[tuple[str, ...]] = []
    if rules.black_three_wilds:
        together["3"] = number_of_black_threes(holding)
    for laid in own.values():
        cards = laid.meld.cards
        if laid.meld.kind == "sequence":
            lying_runs.append(cards)
        elif laid.meld.kind == "wild":
            lacking.append(max(SET_SIZE - len(cards), 0))
        elif cards[-1][0] in together:
            together[cards[-1][0]] += len(cards)
    for number in together.values():
        if number > 1:
            finished, more = divmod(number, SET_SIZE)
            lacking += [0] * finished
            if more > 1:
                lacking.append(SET_SIZE - more)
    canastas = _finished_with(wilds, lacking)
    sambas = _new_sambas(rules, naturals)
    for run in lying_runs:
        joined = rules.join_sequences and len([other for other in lying_runs if other[0][1] == run[0][1]]) > 1
        sambas += joined or len(run) + lengthening(naturals, run).bit_count() >= SET_SIZE
    return meets_requirement(rules, sample_sets(min(canastas, ENOUGH), min(sambas, ENOUGH)))


def sets_fit(rules: Rules, table: WayTable) -> bool:
    """Whether the cards could finish the sets needed, each by itself; telling for a short holding."""
    holding = table.holding
    naturals = presence(holding) & NATURAL_BITS
    wilds = number_of_wilds(holding)
    lacking = [SET_SIZE - number for _, number in table.wilds] + [SET_SIZE] * (rules.wild_melds * ENOUGH)
    lacking = [number for number in lacking if number <= wilds]
    counts = dict(zip(RUN_RANKS, rank_counts(holding)[1:], strict=False))
    if rules.black_three_wilds:
        counts["3"] = number_of_black_threes(holding)
    for rank, held in counts.items():
        for _, (there, with_it, _) in table.groups.get(rank, ()):
            if there + with_it + held + wilds >= SET_SIZE:
                lacking.append(SET_SIZE - there - with_it)
        if held + wilds >= SET_SIZE:
            lacking += [SET_SIZE] * ((held + wilds) // SET_SIZE)
    to_samba = [SET_SIZE] * min(_new_sambas(rules, naturals) * ENOUGH, ENOUGH)
    for run in table.runs:
        ends = RUN_RANKS[run.low] + run.suit, RUN_RANKS[run.high] + run.suit
        reach = lengthening(naturals, ends).bit_count() if run.is_open else 0
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


def _new_sambas(rules: Rules, naturals: int) -> int:
    starts = run_starts(naturals) if rules.sequences else []
    return starts[-1].bit_count() if len(starts) > SET_SIZE - SMALLEST_MELD else 0


def _finished_with(cards: int, lacking: Sequence[int]) -> int:
    """How many sets can be finished with so many cards, by what each lacks."""
    finished = 0
    for number in sorted(lacking):
        cards -= max(number, 0)
        finished += cards >= 0
    return finished
