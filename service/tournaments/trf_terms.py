"""The terms of a report file: how it is paired, what its results are worth, by what it is ranked."""

from collections.abc import Iterator
from typing import Final

from domain.tournaments.formats import ROUNDS_MAX, Format, RoundRobin, Swiss
from domain.tournaments.matches import FixedHands, MatchTerms, Unplayed, WinDrawLoss
from domain.tournaments.terms import DEFAULT_WDL, Stage, TieBreak
from service.tournaments.importing import StepFailed
from service.trf.shapes import Code, Trf, Worth
from service.trf.tie_breaks import code_of

_TIE_BREAKS: Final[dict[str, TieBreak]] = {
    "BH": "buchholz", "BH-C1": "buchholz_cut_1", "BH-M1": "median_buchholz", "SB": "sonneborn_berger",
    "PS": "progressive", "KOYA": "koya", "WIN": "wins", "DE": "direct_encounter",
}  # fmt: skip
SCORE: Final = "SCORE"
WORTH_MAX: Final = 10_000
"""Most hundredths of a point that a result is worth."""

HALF_BYES_MAX: Final = 10


def is_finished(trf: Trf) -> bool:
    """Whether all rounds of a file have been paired, as far as it says how many there are."""
    return trf.rounds is not None and trf.paired >= trf.rounds


def rounds_of(trf: Trf) -> int:
    """How many rounds a file has; where it does not say so, one more than have been paired."""
    return max(trf.paired + 1 if trf.rounds is None else trf.rounds, trf.paired, 1)


def tie_break_of(written: str) -> TieBreak | None:
    """A tie-break of a file, None where tournaments are not ranked by it here."""
    return _TIE_BREAKS.get(code_of(written))


def stage_of(trf: Trf) -> Stage:
    """The one stage of a file. Raises `StepFailed`."""
    if rounds_of(trf) > ROUNDS_MAX:
        raise StepFailed("142", "too_many_rounds", f"A tournament has {ROUNDS_MAX} rounds at most.")
    breaks = [found for each in trf.tie_breaks if (found := tie_break_of(each)) is not None]
    worth = trf.worth
    if min(worth.win, worth.draw, worth.loss) < 0 or not 0 < worth.win <= WORTH_MAX:
        raise StepFailed("162", "worth_invalid", f"A win is worth something, {WORTH_MAX // 100} points at most.")
    return Stage(
        format=_format(trf),
        match=MatchTerms(length=FixedHands(1)),
        score=WinDrawLoss(win=worth.win, draw=worth.draw, loss=worth.loss),
        # Half byes are draws in a file, whatever percentage of a win that is.
        unplayed=Unplayed(bye=_bye(trf), half_bye=None, half_byes_max=HALF_BYES_MAX, forfeit_win=100, forfeit_loss=0),
        tie_breaks=tuple(dict.fromkeys(breaks)) or DEFAULT_WDL,
    )


def _bye(trf: Trf) -> int:
    """What the pairing's bye is worth, in percent of a win. Raises `StepFailed`."""
    worth = trf.worth
    value = _value_of_bye(worth)
    for line, code in _byes(trf):
        if code == "F" and value != worth.win:
            told = "Byes of two values for nobody to play against (F, and U by record 162) are not told apart."
            raise StepFailed(f"line {line}", "worth_invalid", told)
    if 0 <= value <= worth.win and value * 100 % worth.win == 0:
        return value * 100 // worth.win
    given = next((f"line {line}" for line, code in _byes(trf) if code == "U"), None)
    if given is None and is_finished(trf):
        return 100
    told = f"What a bye is worth ({_points(value)}) is no whole percentage of a win ({_points(worth.win)})."
    raise StepFailed(given or "162", "worth_invalid", told)


def _value_of_bye(worth: Worth) -> int:
    return worth.win if worth.bye is None else worth.bye


def _byes(trf: Trf) -> Iterator[tuple[int, Code]]:
    """The rounds of a file without an opponent, each with its line."""
    for each in trf.competitors:
        for past in each.rounds:
            if past is not None and past.opponent is None:
                yield each.line, past.code


def _points(hundredths: int) -> str:
    return f"{hundredths // 100}.{hundredths % 100 // 10}"


def _format(trf: Trf) -> Format:
    entrants = len(trf.competitors)
    if trf.round_robin:
        return RoundRobin(cycles=2 if trf.paired > entrants - 1 + entrants % 2 or "DOUBLE" in trf.code else 1)
    return Swiss(rounds=rounds_of(trf), method="fide_dutch")
