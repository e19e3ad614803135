"""Every tie-break value of an entrant with its arithmetic in words and numbers, made when somebody asks."""

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Final

from msgspec import Struct

from domain.standings.cuts import split_cut
from domain.standings.direct_encounter import scores_among
from domain.standings.field import Field
from domain.standings.keys import Key, check_keys, decimal_text, shown
from domain.standings.lines import PLAYED, Entry, Line, Pairing, Scale, outcome_of
from domain.standings.lots import lot
from domain.standings.ranking import Groups, parted
from domain.standings.rounding import half_up
from domain.standings.tiebreaks import (
    OMW_FLOOR,
    counts_for_koya,
    koya_threshold,
    match_wins,
    ratings_met,
    running_totals,
)
from domain.standings.unplayed import Contribution

_BYES: Final = {"full_bye": "bye", "half_bye": "half bye", "zero_bye": "no match"}
_FORFEITS: Final = {"forfeit_win": "forfeit", "forfeit_loss": "lost by forfeit"}


class Explanation(Struct, frozen=True):
    """A value of a tie-break: the integer, as it is written in a table, and how it came about."""

    code: str
    value: int | None
    shown: str
    text: str


def explain(
    entries: Sequence[Entry],
    codes: Sequence[str],
    entrant: str,
    *,
    after: int,
    scale: Scale,
    pairing: Pairing = "swiss",
    lot_seed: bytes | None = None,
) -> tuple[Explanation, ...]:
    """The values of one entrant's placing, in the declared order, each with its arithmetic.

    Raises `ValueError` as ranking does, and if the entrant is not in the ranking.
    """
    keys = check_keys(codes)
    field = Field(entries, after=after, scale=scale, pairing=pairing)
    if entrant not in field.index:
        raise ValueError(f"{entrant} is not in the ranking.")
    place = field.index[entrant]
    found = []
    for number, key in enumerate(keys):
        # The groups before this tie-break tell with whom the entrant was level when it was applied.
        groups = parted(field, keys[:number], lot_seed)[0]
        value = parted(field, keys[: number + 1], lot_seed)[1][-1][place]
        text = f"{key.name} {shown(key.code, value, scale)}"
        how = _how(field, key, place, groups, lot_seed)
        found.append(Explanation(key.code, value, shown(key.code, value, scale), f"{text}{how}"))
    return tuple(found)


def _how(field: Field, key: Key, place: int, groups: Groups, lot_seed: bytes | None) -> str:
    if key.code == "DE":
        return _direct_encounter(field, place, groups)
    if key.code == "LOT":
        return _lot(field, place, groups, lot_seed)
    return _FAMILIES[key.family](field, key, place)


def _number(field: Field, value: int, places: int = 2) -> str:
    return decimal_text(value, places, min(places, field.scale.decimals))


def _sum(parts: Sequence[str]) -> str:
    return " = " + (" + ".join(parts) if parts else "no round yet")


def _met(line: Line) -> str:
    """Against whom a round was, or what it was instead."""
    if not line.opponents:
        return _BYES.get(line.kind, line.kind)
    forfeit = f", {_FORFEITS[line.kind]}" if line.kind in _FORFEITS else ""
    return " and ".join(line.opponents) + forfeit


def _by_round(field: Field, place: int, text: Callable[[Line], str]) -> list[str]:
    return [f"{text(line)} ({_met(line)}, round {line.round})" for line in field.lines[place]]


def _score(field: Field, _key: Key, place: int) -> str:
    parts = _sum(_by_round(field, place, lambda line: _number(field, line.score)))
    penalty = field.entries[place].penalty
    return parts + (f", less a penalty of {_number(field, penalty)}" if penalty else "")


def _contribution(field: Field, place: int, part: Contribution, weighted: bool) -> str:
    who = " and ".join(part.opponents) if part.opponents else "no opponent"
    times = f" × {_number(field, part.result)}" if weighted else ""
    note = _stand_in(field, place, part) if part.stand_in else _worth(field, part)
    return f"{_number(field, part.score)}{times} ({who}, round {part.round}{note})"


def _stand_in(field: Field, place: int, part: Contribution) -> str:
    limit = f"what {part.opponents[0]} counts" if part.opponents else _number(field, field.scale.draw * field.after)
    return f", unplayed: the own score of {_number(field, field.totals[place])}, but at most {limit}"


def _worth(field: Field, part: Contribution) -> str:
    """A note where an opponent counts something other than it scored."""
    places = [field.index[opponent] for opponent in part.opponents]
    changed = [
        field.entries[one].entrant
        for one in places
        if field.adjusted[one] != sum(line.score for line in field.lines[one])
    ]
    return f", the rounds that {_listed(changed)} left out at the end as draws" if changed else ""


def _over_opponents(field: Field, key: Key, place: int) -> str:
    weighted = key.family == "SB"
    kept, gone = split_cut(field.contributions(place), low=key.low, high=key.high, weighted=weighted)
    parts = _sum([_contribution(field, place, part, weighted) for part in kept])
    for number, part in enumerate(gone):
        word = "highest" if number >= key.low else "voluntarily unplayed" if part.voluntary else "lowest"
        parts += f", {word} {_contribution(field, place, part, weighted)} cut"
    return parts


def _progressive(field: Field, key: Key, place: int) -> str:
    totals = running_totals(field, place)
    parts = [f"{_number(field, total)} (after round {number})" for number, total in enumerate(totals, start=1)]
    cut = f", {_listed(parts[: key.low])} cut" if key.low and parts else ""
    return _sum(parts[key.low :]) + cut


def _koya(field: Field, _key: Key, place: int) -> str:
    threshold = koya_threshold(field)
    lines = [line for line in field.lines[place] if counts_for_koya(field, line, threshold)]
    parts = [f"{_number(field, line.score)} ({_met(line)}, round {line.round})" for line in lines]
    return _sum(parts) + f", against those with {_number(field, half_up(threshold, 2))} or more"


def _wins(field: Field, key: Key, place: int) -> str:
    counted = [line for line in field.lines[place] if key.code == "WIN" or line.kind in PLAYED]
    won = [line for line in counted if outcome_of(line, field.scale) == "win"]
    return ": " + (_listed([f"round {line.round} ({_met(line)})" for line in won]) if won else "none")


def _margins(field: Field, _key: Key, place: int) -> str:
    return _sum(_by_round(field, place, lambda line: _number(field, line.margin, 0)))


def _opponents_match_wins(field: Field, _key: Key, place: int) -> str:
    floor, of = OMW_FLOOR
    parts = []
    for line in field.lines[place]:
        for opponent in line.opponents:
            won, most = match_wins(field, field.index[opponent])
            low = f", so {floor} %" if won * of < floor * most else ""
            parts.append(f"{won} of {most}{low} ({opponent}, round {line.round})")
    return f" = the mean of {_listed(parts)}" if parts else ": no opponent yet"


def _average_rating(field: Field, key: Key, place: int) -> str:
    met = ratings_met(field, place)
    unrated = [opponent for _, opponent, rating in met if rating is None]
    if unrated:
        return f": {_listed(unrated)} without a rating"
    by_rating = sorted(met, key=lambda one: one[2] or 0)
    cut, kept = by_rating[: key.low], by_rating[key.low :]
    parts = [f"{rating} ({opponent}, round {number})" for number, opponent, rating in sorted(kept)]
    lowest = "".join(f", lowest {rating} ({opponent}) cut" for _, opponent, rating in cut)
    return f" = the mean of {_listed(parts)}{lowest}" if parts else ": no opponent yet"


def _seed(_field: Field, _key: Key, _place: int) -> str:
    return " at the start, the lower first"


def _direct_encounter(field: Field, place: int, groups: Groups) -> str:
    group = next(group for group in groups if place in group)
    if len(group) == 1:
        return ": level with nobody"
    others = _listed([field.entries[one].entrant for one in group if one != place])
    scores = scores_among(field, group)
    if scores is None:
        return f": level with {others}, who have not all met"
    names = [field.entries[one].entrant for one in group]
    results = [
        f"{name} {_number(field, half_up(score.numerator, score.denominator))}"
        for name, score in zip(names, scores, strict=True)
    ]
    return f": among one another {', '.join(results)}; those level again compared among themselves"


def _lot(field: Field, place: int, groups: Groups, lot_seed: bytes | None) -> str:
    group = next(group for group in groups if place in group)
    if len(group) == 1:
        return ": level with nobody"
    if lot_seed is None:
        return ": not drawn yet"
    entrant = field.entries[place].entrant
    others = _listed([field.entries[one].entrant for one in group if one != place])
    return f" of {len(group)}, with {others}; SHA-256 of the seed and {entrant} is {lot(lot_seed, entrant).hex()}"


def _listed(parts: Sequence[str]) -> str:
    return ", ".join(parts)


_FAMILIES: Final[Mapping[str, Callable[[Field, Key, int], str]]] = MappingProxyType(
    {
        "SCORE": _score,
        "BH": _over_opponents,
        "SB": _over_opponents,
        "PS": _progressive,
        "KOYA": _koya,
        "WIN": _wins,
        "WON": _wins,
        "MPD": _margins,
        "OMW": _opponents_match_wins,
        "ARO": _average_rating,
        "SEED": _seed,
    }
)
