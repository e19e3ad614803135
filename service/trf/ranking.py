"""The standings of a file by our own sums and by the library's, and what the file itself says."""

from collections.abc import Sequence
from typing import Final

from msgspec import Struct

from domain.standings.explanations import Explanation, explain
from domain.standings.keys import KEYS, shown
from domain.standings.lines import MATCH_POINTS, Entry, Kind, Line, Outcome, Pairing, Scale
from domain.standings.ranking import Placing, rank
from domain.standings.second_opinion import Difference, differences
from service.trf.guesses import is_round_robin
from service.trf.shapes import DRAWN, PLAYED, WON, Code, Past, Trf

DEFAULT: Final = ("DE", "BH-C1", "BH", "SB")
_ALIASES: Final = {"PTS": "SCORE", "MPTS": "SCORE", "KS": "KOYA", "WON": "WIN"}
_BYES: Final[dict[Code, Kind]] = {"U": "full_bye", "F": "full_bye", "H": "half_bye", "Z": "zero_bye"}


class Mismatch(Struct, frozen=True):
    """Somebody whose points in the file are not what the results add up to; both in hundredths."""

    entrant: str
    points: int
    found: int


class RankedFile(Struct, frozen=True):
    """The standings after a round, the tie-breaks by code, and where somebody is of another opinion."""

    after: int
    codes: tuple[str, ...]
    placings: tuple[Placing, ...]
    scale: Scale
    differences: tuple[Difference, ...]
    mismatches: tuple[Mismatch, ...]


def codes_of(trf: Trf, asked: Sequence[str]) -> tuple[str, ...]:
    """The tie-breaks asked for, else those of the file that are known here, else the usual ones; the score first.

    Raises `ValueError` for one that is asked for and not known.
    """
    named = [_code(each) for each in asked]
    unknown = [each for each in named if each not in KEYS]
    if unknown:
        raise ValueError(f"There is no tie-break {unknown[0]!r}; there are {', '.join(KEYS)}.")
    own = [code for each in trf.tie_breaks if (code := _code(each)) in KEYS]
    return tuple(dict.fromkeys(("SCORE", *(named or own or DEFAULT))))


def _code(written: str) -> str:
    code = written.strip().upper().replace("/", "-").replace(":", "-")
    return _ALIASES.get(code, code)


def ranked(trf: Trf, codes: Sequence[str], after: int | None = None) -> RankedFile:
    """The standings after a round, the last one that was paired unless told which. Raises `ValueError`."""
    last = trf.paired if after is None else after
    entries, scale, pairing = entries_of(trf)
    placings = rank(entries, codes, after=last, scale=scale, pairing=pairing)
    return RankedFile(
        after=last,
        codes=tuple(codes),
        placings=placings,
        scale=scale,
        differences=differences(entries, codes, after=last, scale=scale, pairing=pairing),
        mismatches=_mismatches(trf) if last == trf.paired else (),
    )


def explained(trf: Trf, codes: Sequence[str], entrant: str, after: int | None = None) -> tuple[Explanation, ...]:
    """How somebody's values came about. Raises `ValueError`, also where there is nobody of this number."""
    last = trf.paired if after is None else after
    entries, scale, pairing = entries_of(trf)
    return explain(entries, codes, entrant, after=last, scale=scale, pairing=pairing)


def written(ranking: RankedFile, placing: Placing) -> list[str]:
    """The values of a placing as they are written in a table."""
    return [shown(code, value, ranking.scale) for code, value in zip(ranking.codes, placing.values, strict=True)]


def entries_of(trf: Trf) -> tuple[list[Entry], Scale, Pairing]:
    """The file as a ranking takes it."""
    scale = scale_of(trf)
    entries = [
        Entry(
            entrant=str(each.number),
            seed=each.number,
            lines=tuple(
                line
                for number, past in enumerate(each.rounds, 1)
                if past is not None and (line := _line(trf, scale, number, past)) is not None
            ),
            rating=each.rating or None,
        )
        for each in trf.competitors
    ]
    return entries, scale, "round_robin" if is_round_robin(trf) else "swiss"


def scale_of(trf: Trf) -> Scale:
    """What results are worth; matches of teams two points and one, as everywhere."""
    if trf.teams:
        return MATCH_POINTS
    return Scale(win=trf.worth.win, draw=trf.worth.draw, loss=trf.worth.loss)


def _line(trf: Trf, scale: Scale, number: int, past: Past) -> Line | None:
    if past.opponent is None:
        return Line(round=number, kind=_BYES[past.code], score=_bye(trf, scale, past.code))
    outcome: Outcome = "win" if past.code in WON else "draw" if past.code in DRAWN else "loss"
    if past.code in PLAYED:
        score = {"win": scale.win, "draw": scale.draw, "loss": scale.loss}[outcome]
        return Line(round=number, kind="played", score=score, opponents=(str(past.opponent),), outcome=outcome)
    won = past.code == "+"
    return Line(
        round=number,
        kind="forfeit_win" if won else "forfeit_loss",
        score=scale.win if won else 0,
        opponents=(str(past.opponent),),
        outcome=outcome,
    )


def _bye(trf: Trf, scale: Scale, code: Code) -> int:
    if code == "U":
        usual = scale.draw if trf.teams else scale.win
        return usual if trf.worth.bye is None else trf.worth.bye
    return {"F": scale.win, "H": scale.draw}.get(code, 0)


def _mismatches(trf: Trf) -> tuple[Mismatch, ...]:
    """Byes of the round to come may count in the points of a file already, or not yet."""
    entries, _, _ = entries_of(trf)
    found = []
    for each, entry in zip(trf.competitors, entries, strict=True):
        total = sum(line.score for line in entry.lines)
        so_far = sum(line.score for line in entry.lines if line.round <= trf.paired)
        if each.points not in (None, total, so_far):
            found.append(Mismatch(entry.entrant, each.points or 0, so_far))
    return tuple(found)
