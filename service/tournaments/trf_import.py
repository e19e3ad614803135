"""A report file of FIDE as a tournament of this service, ready to be imported: games of wins, draws and losses."""

from collections.abc import Iterator
from itertools import chain
from typing import Final

from domain.rulesets import RuleSet
from domain.tournaments.by_schedule import schedule
from domain.tournaments.formats import RoundRobin
from domain.tournaments.seating import Bye, GameResult
from domain.tournaments.terms import Registration, Terms
from service.tournaments.exporting import (
    FORMAT,
    ByeOut,
    EntrantOut,
    MatchOut,
    MemberOut,
    RoundOut,
    StageOut,
    TournamentOut,
)
from service.tournaments.importing import StepFailed
from service.tournaments.texts import UNNAMED
from service.tournaments.trf_terms import is_finished, rounds_of, stage_of
from service.trf.ranking import ranked
from service.trf.shapes import BYES, FORFEITED, Code, Competitor, Past, Trf

_HANDS: Final[dict[Code, tuple[int, int]]] = {
    "1": (1, 0), "W": (1, 0), "0": (0, 1), "L": (0, 1), "=": (0, 0), "D": (0, 0),
}  # fmt: skip
TITLE_MAX: Final = 120


def tournament_of(trf: Trf, ruleset: RuleSet) -> TournamentOut:
    """The tournament of a file, one person an entrant. Raises `StepFailed`."""
    if trf.teams:
        raise StepFailed("310", "teams_not_taken", "Files of teams are not taken over.")
    finished = is_finished(trf)
    if trf.accelerated and not finished:
        raise StepFailed("250", "acceleration_not_taken", "Accelerated tournaments are not gone on with.")
    if trf.barred and not finished:
        raise StepFailed("260", "rounds_not_taken", "Couples are kept apart for all rounds here, not for some.")
    if trf.round_robin and not finished:
        _check_schedule(trf)
    order = [f"e{place}" for place in range(1, len(trf.competitors) + 1)]
    ids = {each.number: entrant for each, entrant in zip(trf.ordered, order, strict=True)}
    for mismatch in ranked(trf, ("SCORE",)).mismatches:
        line = next(each.line for each in trf.competitors if str(each.number) == mismatch.entrant)
        told = f"The points are {mismatch.points} hundredths, and the results come to {mismatch.found}."
        raise StepFailed(f"line {line}", "points_differ", told)
    stage = stage_of(trf)
    return TournamentOut(
        format=FORMAT,
        id="",
        version=0,
        title=trf.name[:TITLE_MAX] or UNNAMED,
        status="finished" if finished else "running",
        terms=Terms(
            ruleset=ruleset,
            ruleset_hash=ruleset.sha256(),
            players=2,
            entrants="fixed",
            stages=(stage,),
            registration=Registration(),
            rated=False,
        ),
        entrants=tuple(_entrant(trf, each, ids[each.number]) for each in trf.ordered),
        forbidden=tuple((ids[one], ids[other]) for one, other in trf.forbidden if one != other),
        lots={},
        stages=(StageOut(entrants=tuple(order), carried=(0,) * len(order)),),
        rounds=tuple(_round(trf, number, ids) for number in range(1, trf.paired + 1)),
        penalties=(),
        standings=(),
    )


def _check_schedule(trf: Trf) -> None:
    """A round robin goes on by its schedule here, so that its rounds have to be those of it. Raises `StepFailed`."""
    stage = stage_of(trf)
    assert isinstance(stage.format, RoundRobin), "That is what the file says."
    rounds = schedule(stage.format, len(trf.competitors)).rounds
    places = {each.number: place for place, each in enumerate(trf.ordered, 1)}
    for number in range(1, trf.paired + 1):
        met = {
            frozenset((places[each.number], places[past.opponent]))
            for each in trf.competitors
            if (past := each.past(number)) is not None and past.opponent is not None
        }
        planned = (
            [frozenset(chain(*table.sides)) for table in rounds[number - 1].tables] if number <= len(rounds) else []
        )
        if not met.issubset(planned):
            told = f"Round robins go on by a schedule of our own, and round {number} is another one in it."
            raise StepFailed("092", "schedule_differs", told)


def _entrant(trf: Trf, each: Competitor, entrant: str) -> EntrantOut:
    name = each.name or f"Number {each.number}"
    return EntrantOut(
        id=entrant,
        name=name,
        members=(MemberOut(player="", name=name),),
        status="entered",
        rating=100 * each.rating or None,
        byes_asked=tuple(ByeOut(round=number, bye=bye) for number, bye in _byes_to_come(trf, each).items()),
    )


def _byes_to_come(trf: Trf, each: Competitor) -> dict[int, Bye]:
    """The byes of rounds that have not been paired; who is said to be absent has none that counts in the next one."""
    if is_finished(trf) or trf.round_robin:
        return {}
    found = {
        number: _bye(past)
        for number, past in enumerate(each.rounds[: rounds_of(trf)], 1)
        if number > trf.paired and past is not None
    }
    absent: dict[int, Bye] = {trf.paired + 1: "zero_bye"} if each.number in trf.absent else {}
    return absent | found


def _round(trf: Trf, number: int, ids: dict[int, str]) -> RoundOut:
    byes: dict[str, Bye] = {}
    for each in trf.competitors:
        past = each.past(number)
        if past is None or past.code in BYES:
            byes[ids[each.number]] = _bye(past)
    return RoundOut(
        number=number, stage=0, closed=True, matches=tuple(_matches(trf, number, ids)), byes=byes, engine="trf"
    )


def _bye(past: Past | None) -> Bye:
    if past is None or past.code == "Z":
        return "zero_bye"
    return "half_bye" if past.code == "H" else "bye"


def _matches(trf: Trf, number: int, ids: dict[int, str]) -> Iterator[MatchOut]:
    """White is North-South."""
    place = 0
    known = {each.number: each for each in trf.competitors}
    for each in trf.competitors:
        past = each.past(number)
        if past is None or past.opponent is None or past.side != "NS":
            continue
        place += 1
        match = f"r{number}m{place}"
        sides = ((ids[each.number],), (ids[past.opponent],))
        if past.code in FORFEITED:
            answer = known[past.opponent].past(number)
            won = 0 if past.code == "+" else 1 if answer is not None and answer.code == "+" else None
            decided = "nobody" if won is None else "walkover"
            yield MatchOut(id=match, sides=sides, decided=decided, over=True, winner=won)
            continue
        hand = _HANDS[past.code]
        result = GameResult(match=match, table=1, leg=1, game=None, points=hand, hands=(hand,), reason="ruling")
        yield MatchOut(id=match, sides=sides, results=(result,), decided="played", over=True)
