"""A report file of FIDE as a tournament of this service, ready to be imported: games of wins, draws and losses."""

from collections.abc import Iterator
from typing import Final

from domain.pairing.forecast import forecast
from domain.rulesets import RuleSet
from domain.tournaments.formats import Danish, Format, RoundRobin, Swiss
from domain.tournaments.matches import FixedHands, MatchTerms, Unplayed, WinDrawLoss
from domain.tournaments.seating import Bye, GameResult
from domain.tournaments.terms import DEFAULT_WDL, Registration, Stage, Terms, TieBreak
from service.tournaments.exporting import FORMAT, EntrantOut, MatchOut, MemberOut, RoundOut, StageOut, TournamentOut
from service.tournaments.importing import StepFailed
from service.tournaments.texts import UNNAMED
from service.trf.ranking import ranked
from service.trf.shapes import BYES, FORFEITED, Code, Competitor, Past, Trf

_HANDS: Final[dict[Code, tuple[int, int]]] = {
    "1": (1, 0), "W": (1, 0), "0": (0, 1), "L": (0, 1), "=": (0, 0), "D": (0, 0),
}  # fmt: skip
_TIE_BREAKS: Final[dict[str, TieBreak]] = {
    "BH": "buchholz", "BH-C1": "buchholz_cut_1", "BH-M1": "median_buchholz", "SB": "sonneborn_berger",
    "PS": "progressive", "KOYA": "koya", "WIN": "wins", "DE": "direct_encounter",
}  # fmt: skip
TITLE_MAX: Final = 120


def tournament_of(trf: Trf, ruleset: RuleSet) -> TournamentOut:
    """The tournament of a file, one person an entrant. Raises `StepFailed`."""
    if trf.teams:
        raise StepFailed("310", "teams_not_taken", "Files of teams are not taken over.")
    finished = trf.rounds is not None and trf.paired >= trf.rounds
    if trf.accelerated and not finished:
        raise StepFailed("250", "acceleration_not_taken", "Accelerated tournaments are not gone on with.")
    if trf.barred and not finished:
        raise StepFailed("260", "rounds_not_taken", "Couples are kept apart for all rounds here, not for some.")
    order = [f"e{place}" for place in range(1, len(trf.competitors) + 1)]
    ids = {each.number: entrant for each, entrant in zip(trf.ordered, order, strict=True)}
    for mismatch in ranked(trf, ("SCORE",)).mismatches:
        line = next(each.line for each in trf.competitors if str(each.number) == mismatch.entrant)
        told = f"The points are {mismatch.points} hundredths, and the results come to {mismatch.found}."
        raise StepFailed(f"line {line}", "points_differ", told)
    stage = _stage(trf)
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
        entrants=tuple(_entrant(each, ids[each.number]) for each in trf.ordered),
        forbidden=tuple((ids[one], ids[other]) for one, other in trf.forbidden if one != other),
        lots={},
        stages=(StageOut(entrants=tuple(order), carried=(0,) * len(order)),),
        rounds=tuple(_round(trf, number, ids) for number in range(1, trf.paired + 1)),
        penalties=(),
        standings=(),
    )


def _stage(trf: Trf) -> Stage:
    worth = trf.worth
    if min(worth.win, worth.draw, worth.loss) < 0 or worth.win <= 0:
        raise StepFailed("162", "worth_invalid", "A win is worth something.")
    bye = worth.win if worth.bye is None else worth.bye
    shares = {"a bye": bye, "a draw": worth.draw}
    for name, value in shares.items():
        if value * 100 % worth.win or value > worth.win:
            raise StepFailed("162", "worth_invalid", f"What {name} is worth is no percentage of a win.")
    codes = {past.code for each in trf.competitors for past in each.rounds[: trf.paired] if past is not None}
    if "F" in codes and bye != worth.win:
        raise StepFailed("162", "worth_invalid", "Byes of two values for nobody to play against are not told apart.")
    breaks = [_TIE_BREAKS[code] for each in trf.tie_breaks if (code := each.replace("/", "-")) in _TIE_BREAKS]
    return Stage(
        format=_format(trf),
        match=MatchTerms(length=FixedHands(1)),
        score=WinDrawLoss(win=worth.win, draw=worth.draw, loss=worth.loss),
        unplayed=Unplayed(
            bye=bye * 100 // worth.win,
            half_bye=worth.draw * 100 // worth.win,
            half_byes_max=10,
            forfeit_win=100,
            forfeit_loss=0,
        ),
        tie_breaks=tuple(dict.fromkeys(breaks)) or DEFAULT_WDL,
    )


def _format(trf: Trf) -> Format:
    """That of the file; where it has more rounds than a Swiss has room for, whoever met may have met again."""
    entrants = len(trf.competitors)
    if trf.round_robin:
        return RoundRobin(cycles=2 if trf.paired > entrants - 1 + entrants % 2 or "DOUBLE" in trf.code else 1)
    rounds = max(trf.rounds or 0, trf.paired, 1)
    if forecast(entrants, rounds).possible:
        return Swiss(rounds=rounds, method="fide_dutch")
    return Danish(rounds=rounds, rematches="all")


def _entrant(each: Competitor, entrant: str) -> EntrantOut:
    name = each.name or f"Number {each.number}"
    rating = 100 * each.rating or None
    return EntrantOut(
        id=entrant, name=name, members=(MemberOut(player="", name=name),), status="entered", rating=rating
    )


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
