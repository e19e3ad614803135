"""The tie-breaks that look at one entrant at a time: for a field, one value for every entrant.

Values are integers with the decimals of their key. Those among entrants who are level (direct encounter, lot) are made
where entrants are ranked.
"""

from collections.abc import Callable, Mapping
from math import lcm
from operator import mul
from types import MappingProxyType
from typing import Final

from domain.standings.cuts import split_cut
from domain.standings.field import Field
from domain.standings.keys import Key
from domain.standings.lines import PLAYED, Line, outcome_of
from domain.standings.rounding import half_up

Values = list[int | None]

OMW_FLOOR: Final = (33, 100)
"""No opponent counts less than 33 %."""

_WIN_POINTS: Final = {"win": 3, "draw": 1, "loss": 0, None: 0}


def values(field: Field, key: Key) -> Values:
    """The values of a tie-break for all entrants of a field, by place. Raises `KeyError` for DE and LOT."""
    return _FAMILIES[key.family](field, key)


def _score(field: Field, _key: Key) -> Values:
    return [*field.totals]


def _buchholz(field: Field, key: Key) -> Values:
    adjusted = field.adjusted
    found: Values = []
    for place, opponents in enumerate(field.opponents):
        if not field.regular[place]:
            kept, _ = split_cut(field.contributions(place), low=key.low, high=key.high, weighted=False)
            found.append(sum(part.score for part in kept))
            continue
        scores = [adjusted[opponent] for opponent in opponents]
        if key.low or key.high:
            scores.sort()
            scores = scores[key.low : len(scores) - key.high] if len(scores) > key.high else []
        found.append(sum(scores))
    return found


def _sonneborn_berger(field: Field, key: Key) -> Values:
    adjusted = field.adjusted
    found: Values = []
    for place, opponents in enumerate(field.opponents):
        if field.regular[place] and not key.low:
            results = [line.score for line in field.lines[place]]
            found.append(sum(map(mul, [adjusted[opponent] for opponent in opponents], results)))
        else:
            kept, _ = split_cut(field.contributions(place), low=key.low, high=0, weighted=True)
            found.append(sum(part.score * part.result for part in kept))
    return found


def running_totals(field: Field, place: int) -> list[int]:
    """The score after each round, in hundredths."""
    scores = {line.round: line.score for line in field.lines[place]}
    total = 0
    return [total := total + scores.get(number, 0) for number in range(1, field.after + 1)]


def _progressive(field: Field, key: Key) -> Values:
    return [sum(running_totals(field, place)[key.low :]) for place in range(len(field.entries))]


def koya_threshold(field: Field) -> int:
    """Twice the score from which on opponents count, in hundredths: a win for every round that could be played.

    In a round robin of an odd number one round of each lap is a bye, and entrants who never met anybody are no
    opponents.
    """
    rounds = field.after
    if field.round_robin:
        entrants = len(field.entries)
        if entrants and rounds % entrants == 0:
            rounds -= rounds // entrants
        rounds -= sum(not any(line.opponents for line in lines) for lines in field.lines)
    return field.scale.win * rounds


def counts_for_koya(field: Field, line: Line, threshold: int) -> bool:
    """Whether the opponents of a round have half of the points or more, on the mean."""
    totals = [field.totals[field.index[opponent]] for opponent in line.opponents]
    return bool(totals) and 2 * sum(totals) >= threshold * len(totals)


def _koya(field: Field, _key: Key) -> Values:
    threshold = koya_threshold(field)
    return [
        sum(line.score for line in lines if counts_for_koya(field, line, threshold)) for lines in field.lines
    ]  # fmt: skip


def _wins(field: Field, _key: Key) -> Values:
    scale = field.scale
    return [sum([(line.outcome or outcome_of(line, scale)) == "win" for line in lines]) for lines in field.lines]


def _played_wins(field: Field, _key: Key) -> Values:
    """FIDE C.07, 7.2: without byes and forfeits, whatever they were worth."""
    scale = field.scale
    return [sum([line.kind in PLAYED and outcome_of(line, scale) == "win" for line in lines]) for lines in field.lines]


def _margins(field: Field, _key: Key) -> Values:
    return [sum([line.margin for line in lines]) for lines in field.lines]


def match_wins(field: Field, place: int) -> tuple[int, int]:
    """An entrant's points at 3, 1 and 0 for its matches, and the most it could have; byes are left out."""
    lines = [line for line in field.lines[place] if line.opponents]
    return sum(_WIN_POINTS[outcome_of(line, field.scale)] for line in lines), 3 * len(lines)


def _opponents_match_wins(field: Field, key: Key) -> Values:
    records = [match_wins(field, place) for place in range(len(field.entries))]
    floor, of = OMW_FLOOR
    whole = lcm(of, *{most for _, most in records if most})
    shares = [max(won * whole // most, floor * whole // of) if most else 0 for won, most in records]
    found: Values = []
    for lines in field.lines:
        met = [shares[field.index[opponent]] for line in lines for opponent in line.opponents]
        found.append(half_up(sum(met) * 10**key.places, whole * len(met)) if met else 0)
    return found


def ratings_met(field: Field, place: int) -> list[tuple[int, str, int | None]]:
    """Round, opponent and the opponent's rating of all played rounds."""
    return [
        (line.round, opponent, field.entries[field.index[opponent]].rating)
        for line in field.lines[place]
        if line.kind in PLAYED
        for opponent in line.opponents
    ]


def _average_rating(field: Field, key: Key) -> Values:
    found: Values = []
    for place in range(len(field.entries)):
        met = [rating for _, _, rating in ratings_met(field, place)]
        known = sorted(rating for rating in met if rating is not None)[key.low :]
        complete = bool(known) and None not in met
        found.append(half_up(sum(known), len(known)) if complete else None)
    return found


def _seed(field: Field, _key: Key) -> Values:
    return [entry.seed for entry in field.entries]


_FAMILIES: Final[Mapping[str, Callable[[Field, Key], Values]]] = MappingProxyType(
    {
        "SCORE": _score,
        "BH": _buchholz,
        "SB": _sonneborn_berger,
        "PS": _progressive,
        "KOYA": _koya,
        "WIN": _wins,
        "WON": _played_wins,
        "MPD": _margins,
        "OMW": _opponents_match_wins,
        "ARO": _average_rating,
        "SEED": _seed,
    }
)
