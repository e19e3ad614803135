"""The standings of a file by our own sums and by the library's, and what the file itself says."""

from collections.abc import Sequence
from typing import Final, Literal, NamedTuple

from msgspec import Struct

from domain.standings.explanations import Explanation, explain
from domain.standings.keys import KEYS, shown
from domain.standings.lines import Entry, Kind, Line, Outcome, Pairing, Scale
from domain.standings.ranking import Placing, rank
from domain.standings.second_opinion import Difference, differences
from service.trf.guesses import is_round_robin
from service.trf.shapes import DRAWN, PLAYED, WON, Code, Competitor, Past, Trf
from service.trf.tie_breaks import code_of

DEFAULT: Final = ("DE", "BH-C1", "BH", "SB")
_BYES: Final[dict[Code, Kind]] = {"U": "full_bye", "F": "full_bye", "H": "half_bye", "Z": "zero_bye"}


class Mismatch(Struct, frozen=True, omit_defaults=True):
    """Somebody whose points in the file are not what the results add up to; both in hundredths.

    `of` is what of a team does not add up: its match points or its game points.
    """

    entrant: str
    points: int
    found: int
    of: Literal["points", "match points", "game points"] = "points"


class _Said(NamedTuple):
    """What a file says of somebody's points in all."""

    of: Literal["points", "match points", "game points"]
    points: int | None


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
    named = [code_of(each, games_first=trf.by_games) for each in asked]
    unknown = [each for each in named if each not in KEYS]
    if unknown:
        raise ValueError(f"There is no tie-break {unknown[0]!r}; there are {', '.join(KEYS)}.")
    own = [code for each in trf.tie_breaks if (code := code_of(each, games_first=trf.by_games)) in KEYS]
    return tuple(dict.fromkeys(("SCORE", *(named or own or DEFAULT))))


def unknown_codes(trf: Trf) -> tuple[str, ...]:
    """The tie-breaks that the file names and that are not known here, as it writes them."""
    found = (code_of(each, games_first=trf.by_games) for each in trf.tie_breaks)
    return tuple(dict.fromkeys(each for each in found if each not in KEYS))


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
            lines=tuple(_line(trf, number, past) for number, past in enumerate(each.rounds, 1) if past is not None),
            rating=each.rating or None,
        )
        for each in trf.competitors
    ]
    return entries, scale, "round_robin" if is_round_robin(trf) else "swiss"


def scale_of(trf: Trf) -> Scale:
    """What results are worth; matches of teams in the score by which they are ranked."""
    if trf.by_games:
        return Scale(win=trf.team_size * trf.worth.win, draw=trf.team_size * trf.worth.draw)
    if trf.teams:
        return Scale(win=trf.matches.win, draw=trf.matches.draw, loss=trf.matches.loss)
    return Scale(win=trf.worth.win, draw=trf.worth.draw, loss=trf.worth.loss)


def _line(trf: Trf, number: int, past: Past) -> Line:
    score = _score(trf, past, games=trf.by_games)
    if past.opponent is None:
        return Line(round=number, kind=_BYES[past.code], score=score)
    outcome: Outcome = "win" if past.code in WON else "draw" if past.code in DRAWN else "loss"
    forfeit: Kind = "forfeit_win" if past.code == "+" else "forfeit_loss"
    return Line(
        round=number,
        kind="played" if past.code in PLAYED else forfeit,
        score=score,
        opponents=(str(past.opponent),),
        outcome=outcome,
    )


def _score(trf: Trf, past: Past, *, games: bool) -> int:
    """What a round counts; of teams in match points, or in `games`."""
    if games:
        return past.games
    worth = trf.matches if trf.teams else trf.worth
    if past.code == "U":
        usual = worth.draw if trf.teams else worth.win
        return usual if worth.bye is None else worth.bye
    if past.code in WON or past.code == "F":
        return worth.win
    if past.code in DRAWN or past.code == "H":
        return worth.draw
    return worth.loss if past.code in PLAYED else 0


def _mismatches(trf: Trf) -> tuple[Mismatch, ...]:
    found = []
    for each in trf.competitors:
        said = [_Said("points", each.points)]
        if trf.teams:
            said = [_Said("match points", each.points), _Said("game points", each.games)]
        for of, points in said:
            sums = _sums(trf, each, games=of == "game points")
            if points is not None and points not in sums:
                found.append(Mismatch(str(each.number), points, sums[0], of))
    return tuple(found)


def _sums(trf: Trf, each: Competitor, *, games: bool) -> list[int]:
    """What the rounds add up to: those until now, and with the byes of the round to come, which may count already.

    The game points of a team may be without those of the byes that the pairing gave: nobody scored them at a board.
    """
    rounds = [past for past in each.rounds if past is not None]
    played = [past for past in each.rounds[: trf.paired] if past is not None]
    counted = [played, rounds]
    if games:
        counted += [[past for past in pasts if past.code != "U"] for pasts in counted]
    return [sum(_score(trf, past, games=games) for past in pasts) for pasts in counted]
