"""What of a report file is not in the tournament that it becomes, or is there in another way."""

from collections.abc import Iterator

from msgspec import Struct

from domain.pairing.forecast import forecast
from service.tournaments.trf_terms import SCORE, is_finished, rounds_of, tie_break_of
from service.trf.shapes import Trf
from service.trf.tie_breaks import code_of


class NotTaken(Struct, frozen=True, kw_only=True):
    """Something of a report file: `place` is the record or the line where it stands, `message` what became of it."""

    place: str
    message: str


def not_taken(trf: Trf) -> Iterator[NotTaken]:
    """Everything that whoever goes on with the tournament has to know."""
    yield from _tie_breaks(trf)
    if is_finished(trf):
        return
    yield from _rounds(trf)
    yield from _byes(trf)
    if trf.round_robin:
        yield NotTaken(
            place="092",
            message="Rounds to come are those of the schedule of round robins here: FIDE's tables in another order.",
        )
    if trf.top == "EW":
        yield NotTaken(
            place="152",
            message="Sides are as in the file, White being North-South; but of two who have the same right to a side, "
            "it goes to whom it would if the first number had begun as White.",
        )
    if trf.code and not trf.round_robin and not trf.code.startswith("FIDE_DUTCH"):
        yield NotTaken(
            place="192", message=f"Further rounds are paired by the Dutch system of FIDE, not by {trf.code}."
        )


def _tie_breaks(trf: Trf) -> Iterator[NotTaken]:
    unknown = [each for each in trf.tie_breaks if code_of(each) != SCORE and tie_break_of(each) is None]
    if unknown:
        usual = "" if any(map(tie_break_of, trf.tie_breaks)) else " The usual ones are there instead."
        yield NotTaken(
            place="202, 212",
            message=f"Tournaments are not ranked by {', '.join(dict.fromkeys(unknown))} here.{usual}",
        )


def _rounds(trf: Trf) -> Iterator[NotTaken]:
    rounds = rounds_of(trf)
    if trf.rounds is None and not trf.round_robin:
        yield NotTaken(
            place="142", message=f"The file does not say how many rounds there are: round {rounds} is to be the last."
        )
    told = forecast(len(trf.competitors), rounds)
    if not trf.round_robin and not told.possible:
        yield NotTaken(
            place="142",
            message=f"{told.reason} Where a round cannot be paired any more (no_pairing), finish the tournament.",
        )


def _byes(trf: Trf) -> Iterator[NotTaken]:
    """Byes of rounds to come that there is no room for."""
    rounds = rounds_of(trf)
    for each in trf.competitors:
        given = [number for number, past in enumerate(each.rounds, 1) if number > trf.paired and past is not None]
        lost = [number for number in given if trf.round_robin or number > rounds]
        if lost:
            why = "a round robin is played as it is scheduled" if trf.round_robin else f"there are {rounds} rounds"
            told = ", ".join(map(str, lost))
            yield NotTaken(place=f"line {each.line}", message=f"No bye for number {each.number} in {told}: {why}.")
    if trf.round_robin and trf.absent:
        told = ", ".join(map(str, sorted(trf.absent)))
        yield NotTaken(place="XXZ", message=f"A round robin is played as it is scheduled, also by {told}.")
