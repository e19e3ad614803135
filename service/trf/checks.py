"""Whether the rounds of a file agree with one another: everybody's opponents say the same, nobody meets themselves."""

from collections.abc import Iterator, Sequence
from itertools import islice
from typing import Final

from service.trf.shapes import Code, Competitor, Fault, Past

_ANSWERS: Final[dict[Code, str]] = {"1": "0", "0": "1", "=": "=", "W": "L", "L": "W", "D": "D", "+": "-", "-": "+-"}
"""What the opponent's line has to say to a result; both sides may have stayed away."""


def check(players: Sequence[Competitor], most: int) -> list[Fault]:
    """What contradicts itself, the first faults of many."""
    return [*islice(_contradictions(players), most)]


def check_ranks(competitors: Sequence[Competitor]) -> list[Fault]:
    """Ranks that cannot stand for pairing numbers."""
    faults, seen = [], set()
    for each in competitors:
        if each.rank is None or each.rank in seen:
            faults.append(Fault(each.line, "rank_invalid", f"Number {each.number} needs a rank of its own."))
        seen.add(each.rank)
    return faults


def last_paired(players: Sequence[Competitor]) -> int:
    """The last round in which somebody has an opponent; 0 where nobody ever had."""
    return max(
        (
            number
            for each in players
            for number, past in enumerate(each.rounds, 1)
            if past is not None and past.opponent is not None
        ),
        default=0,
    )


def _contradictions(players: Sequence[Competitor]) -> Iterator[Fault]:
    known = {each.number: each for each in players}
    for each in players:
        for number, past in enumerate(each.rounds, 1):
            if past is not None and past.opponent is not None:
                trouble = _trouble(each, number, past, known)
                if trouble is not None:
                    yield Fault(each.line, *trouble)


def _trouble(each: Competitor, number: int, past: Past, known: dict[int, Competitor]) -> tuple[str, str] | None:
    if past.opponent == each.number:
        return "opponent_oneself", f"Number {each.number} meets itself in round {number}."
    other = known.get(past.opponent or 0)
    if other is None:
        return "opponent_unknown", f"Nobody has the number {past.opponent}, the opponent of round {number}."
    answer = other.past(number)
    if answer is None or answer.opponent != each.number:
        return "opponents_disagree", f"Number {other.number} does not say that it met {each.number} in round {number}."
    if answer.side == past.side:
        return "colours_disagree", f"Both {each.number} and {other.number} have the same colour in round {number}."
    if answer.code not in _ANSWERS[past.code]:
        told = f"{past.code} and {answer.code}"
        return "results_disagree", f"The results of {each.number} and {other.number} in round {number} are {told}."
    return None
