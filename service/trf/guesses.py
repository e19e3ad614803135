"""What a file leaves unsaid and its rounds tell: the first colour, a round robin, the usual acceleration."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from domain.pairing.shapes import Compass
from service.trf.shapes import Competitor, Past, Trf, Virtual

_FEWEST: Final = 3
"""With fewer competitors a round robin and a Swiss of one round are the same."""


def first_side(ordered: Sequence[Competitor]) -> Compass | None:
    """The side of the first number, by who sat how in the first round that was played.

    Of those who had been paired by then odd places have it, even ones the other. None where nobody was paired.
    """
    rounds = max((len(each.rounds) for each in ordered), default=0)
    for number in range(1, rounds + 1):
        paired = [each for each in ordered if any(_is_paired(past) for past in each.rounds[:number])]
        for place, each in enumerate(paired):
            past = each.past(number)
            if past is not None and past.side is not None:
                return past.side if place % 2 == 0 else "EW" if past.side == "NS" else "NS"
    return None


def _is_paired(past: Past | None) -> bool:
    return past is not None and (past.opponent is not None or past.code == "U")


def is_round_robin(trf: Trf) -> bool:
    """Whether the standings are those of a round robin: the file says so, or says nothing and everybody met everybody.

    The pairing of a further round does not guess.
    """
    if trf.kind or len(trf.competitors) < _FEWEST:
        return trf.round_robin
    met = Counter(
        (each.number, past.opponent)
        for each in trf.competitors
        for past in each.rounds
        if past is not None and past.opponent is not None
    )
    count = len(trf.competitors)
    return len(met) == count * (count - 1) and len(set(met.values())) == 1


def baku(trf: Trf) -> tuple[Virtual, ...]:
    """The Baku acceleration (C.04.7): of the upper half, brought to an even number, in the first half of the rounds.

    In the first half of these rounds it has a win more, then a draw.
    """
    upper = 2 * -(-len(trf.competitors) // 4)
    numbers = tuple(each.number for each in trf.ordered[:upper])
    accelerated = ((trf.rounds or 0) + 1) // 2
    whole = (accelerated + 1) // 2
    parts = ((1, whole, trf.worth.win), (whole + 1, accelerated, trf.worth.draw))
    return tuple(Virtual(first, last, numbers, points) for first, last, points in parts if first <= last)
