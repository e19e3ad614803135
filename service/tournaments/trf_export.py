"""A tournament as FIDE's report file, as far as wins, draws and losses can tell what came of it."""

from collections.abc import Mapping
from itertools import chain
from typing import Final

from domain.pairing.shapes import SIDES
from domain.tournaments.formats import RoundRobin, Swiss
from domain.tournaments.history import is_winner_unplayed
from domain.tournaments.match_lines import match_kind
from domain.tournaments.matches import WinDrawLoss
from domain.tournaments.seating import Bye
from domain.tournaments.standings import Row, standings
from domain.tournaments.state import Match, StageState, Tournament
from domain.tournaments.terms import Stage
from domain.tournaments.tie_breaks import CODES
from domain.tournaments.unplayed import percents_of
from domain.tournaments.worth import RoundFacts, bye_worth, percent_worth
from service.tournaments.one_line import one_line
from service.trf.shapes import Code, Competitor, Past, Trf, Worth

RATING_MAX: Final = 9999
BYES: Final[dict[Bye, Code]] = {"bye": "U", "half_bye": "H", "zero_bye": "Z"}
_SHARED: Final = ("BH", "BH-C1", "BH-M1", "SB", "PS", "KOYA", "DE", "WIN")
_NO_FACTS: Final = RoundFacts(0, 0)
Rounds = dict[str, dict[int, Past]]


class ExportNotPossible(Exception):
    """The form cannot tell what came of the tournament; `why` in a sentence."""

    def __init__(self, why: str) -> None:
        super().__init__(why)
        self.why = why


def trf_of(state: Tournament, title: str, names: Mapping[str, str]) -> Trf:
    """The rounds that are over. Raises `ExportNotPossible`."""
    stage, score, begun = _told(state)
    rows = {row.entrant: row for row in standings(state, 0).rows}
    over = [number for number in begun.rounds if state.rounds[number].status == "closed"]
    numbers = {entrant: number for number, entrant in enumerate(_order(state, begun, rows), 1)}
    rounds: Rounds = {entrant: {} for entrant in numbers}
    for place, number in enumerate(over, 1):
        for match in state.matches_of(number):
            _add_match(stage, score, match, place, numbers, rounds)
        for entrant, bye in state.rounds[number].byes.items():
            rounds[entrant][place] = _bye(stage, score, bye)
    worth = Worth(win=score.win, draw=score.draw, loss=score.loss, bye=bye_worth(stage, "bye", _NO_FACTS))
    complete = over == [*begun.rounds]
    competitors = tuple(
        _competitor(state, entrant, number, names[entrant], rounds[entrant], len(over), worth, rows.get(entrant))
        for entrant, number in numbers.items()
    )
    if complete:
        _check_points(competitors, numbers, rows)
    sides = [past.side for past in rounds[next(iter(numbers), "")].values() if past.side] if numbers else []
    return Trf(
        name=one_line(title),
        competitors=competitors,
        rounds=begun.rounds_planned,
        paired=len(over),
        worth=worth,
        absent=frozenset(numbers[each.id] for each in state.entrants.values() if _has_left(state, each.id, numbers)),
        forbidden=tuple(
            sorted(
                (min(numbers[one], numbers[other]), max(numbers[one], numbers[other]))
                for one, other in map(tuple, state.forbidden)
                if one in numbers and other in numbers
            )
        ),
        top=sides[0] if sides and 1 in rounds[next(iter(numbers))] else None,
        round_robin=isinstance(stage.format, RoundRobin),
        teams=False,
        code=_code(stage),
        tie_breaks=tuple(CODES[each].replace("-", "/") for each in stage.tie_breaks if CODES[each] in _SHARED),
        accelerated=False,
    )


def _told(state: Tournament) -> tuple[Stage, WinDrawLoss, StageState]:
    """The one stage, and what results are worth in it. Raises `ExportNotPossible`."""
    if len(state.terms.stages) > 1:
        raise ExportNotPossible("The file has room for one stage, and this tournament has several.")
    stage = state.stage_terms(0)
    if not isinstance(stage.score, WinDrawLoss):
        raise ExportNotPossible("The file tells wins, draws and losses, and this tournament is not scored by them.")
    if state.terms.entrants == "individuals" and state.terms.players > 2:
        raise ExportNotPossible("The file has one opponent a round, and here partners change.")
    values = (stage.score.win, stage.score.draw, stage.score.loss)
    if any(value % 10 or value > 9990 for value in values) or len(set(values)) < 3:
        raise ExportNotPossible("The file has one decimal, and a win, a draw and a loss have to differ in it.")
    if not state.stages:
        raise ExportNotPossible("The tournament has not started.")
    if state.penalties:
        raise ExportNotPossible("The file has no room for penalties.")
    return stage, stage.score, state.stages[0]


def _order(state: Tournament, begun: StageState, rows: Mapping[str, Row]) -> list[str]:
    """Everybody who was ever there: by seed, then who came later, in the order of entering."""
    known = dict.fromkeys(begun.entrants)
    seated = chain.from_iterable(
        [
            *state.rounds[number].byes,
            *(one for match in state.matches_of(number) for side in match.paired.sides for one in side),
        ]
        for number in begun.rounds
    )
    later = {*rows, *seated} - known.keys()
    return [*known, *sorted(later, key=lambda each: state.entrants[each].place)]


def _add_match(
    stage: Stage, score: WinDrawLoss, match: Match, place: int, numbers: Mapping[str, int], rounds: Rounds
) -> None:
    sides = match.paired.sides
    if [len(side) for side in sides] != [1, 1]:
        raise ExportNotPossible("The file has matches of two sides only.")
    codes = _codes(stage, score, match)
    for side, code in enumerate(codes):
        opponent = numbers[sides[1 - side][0]]
        rounds[sides[side][0]][place] = Past(code, opponent, SIDES[side])


def _codes(stage: Stage, score: WinDrawLoss, match: Match) -> tuple[Code, Code]:
    kind = match_kind(match)
    outcome = match.outcome
    if kind == "void" or outcome is None or outcome.score is None:
        raise ExportNotPossible(f"Match {match.id} counts for nobody, which the file cannot tell.")
    if kind == "forfeit":
        percents = percents_of(stage)
        worth = [percent_worth(stage, each, _NO_FACTS) for each in (percents.forfeit_win, percents.forfeit_loss)]
        if worth != [score.win, 0]:
            raise ExportNotPossible(
                f"Match {match.id} was forfeited, which is a win and nothing in the file, and worth "
                f"{percents.forfeit_win} and {percents.forfeit_loss} % of a match here."
            )
        came = [is_winner_unplayed(match, side) for side in (0, 1)]
        return "+" if came[0] else "-", "+" if came[1] else "-"
    if outcome.score == (score.win, score.loss):
        return "1", "0"
    if outcome.score == (score.loss, score.win):
        return "0", "1"
    if outcome.score == (score.draw, score.draw):
        return "=", "="
    raise ExportNotPossible(f"Match {match.id} is neither won nor drawn: its score was ruled otherwise.")


def _bye(stage: Stage, score: WinDrawLoss, bye: Bye) -> Past:
    worth = bye_worth(stage, bye, _NO_FACTS)
    if bye == "half_bye" and worth != score.draw:
        raise ExportNotPossible("Half byes count as draws in the file, and not here.")
    if worth % 10:
        raise ExportNotPossible("A bye is worth more decimals here than the file has.")
    return Past(BYES[bye])


def _competitor(
    state: Tournament, entrant: str, number: int, name: str, pasts: Mapping[int, Past], rounds: int, worth: Worth,
    row: Row | None,
) -> Competitor:  # fmt: skip
    values = {"1": worth.win, "+": worth.win, "=": worth.draw, "0": worth.loss, "H": worth.draw, "U": worth.bye or 0}
    rating = (state.entrants[entrant].rating or 0) // 100
    return Competitor(
        line=0,
        number=number,
        name=one_line(name),
        rating=min(max(rating, 0), RATING_MAX),
        points=sum(values.get(past.code, 0) for past in pasts.values()),
        rank=None if row is None else row.rank,
        rounds=tuple(pasts.get(place) for place in range(1, rounds + 1)),
    )


def _check_points(competitors: tuple[Competitor, ...], numbers: Mapping[str, int], rows: Mapping[str, Row]) -> None:
    """The score here is what the letters of the file come to."""
    known = {each.number: each for each in competitors}
    for entrant, row in rows.items():
        if known[numbers[entrant]].points != row.score:
            raise ExportNotPossible(f"The score of {entrant} is not made of wins, draws, losses and byes alone.")


def _has_left(state: Tournament, entrant: str, numbers: Mapping[str, int]) -> bool:
    return entrant in numbers and state.entrants[entrant].status != "entered"


def _code(stage: Stage) -> str:
    if isinstance(stage.format, RoundRobin):
        return "BERGER_DOUBLEROUNDROBIN" if stage.format.cycles == 2 else "BERGER_ROUNDROBIN"
    if isinstance(stage.format, Swiss) and stage.format.method == "fide_dutch":
        return "FIDE_DUTCH_2026"
    return "CUSTOM_SWISS"
