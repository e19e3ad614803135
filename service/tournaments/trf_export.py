"""A tournament as FIDE's report file, as far as wins, draws and losses can tell what came of it."""

from collections.abc import Iterable, Mapping, Sequence
from itertools import chain
from typing import Final

from msgspec.structs import replace

from domain.pairing.shapes import SIDES, Compass
from domain.tournaments.formats import RoundRobin, Swiss
from domain.tournaments.history import is_winner_unplayed
from domain.tournaments.match_lines import match_kind
from domain.tournaments.matches import WinDrawLoss
from domain.tournaments.playing import is_open
from domain.tournaments.round_lines import late_percents
from domain.tournaments.seating import Bye
from domain.tournaments.standings import Row, standings
from domain.tournaments.state import Match, StageState, Tournament
from domain.tournaments.terms import Stage
from domain.tournaments.tie_breaks import CODES
from domain.tournaments.unplayed import percents_of
from domain.tournaments.worth import RoundFacts, bye_worth, percent_worth
from service.tournaments.exporting import up_to
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
    over = [number for number in begun.rounds if state.rounds[number].status == "closed"]
    counted = up_to(state, over)
    rows = {row.entrant: row for row in standings(counted, 0).rows}
    numbers = {entrant: number for number, entrant in enumerate(_order(state, begun, rows), 1)}
    rounds: Rounds = {entrant: {} for entrant in numbers}
    for place, number in enumerate(over, 1):
        for match in state.matches_of(number):
            _add_match(stage, score, match, place, numbers, rounds)
        for entrant, bye in state.rounds[number].byes.items():
            rounds[entrant][place] = _bye(stage, score, bye)
        for entrant, percent in late_percents(counted, counted.stages[0], number).items():
            rounds[entrant].setdefault(place, _late(stage, score, percent))
    worth = Worth(win=score.win, draw=score.draw, loss=score.loss, bye=bye_worth(stage, "bye", _NO_FACTS))
    competitors = tuple(
        _competitor(state, entrant, number, names[entrant], rounds[entrant], len(over), worth, rows.get(entrant))
        for entrant, number in numbers.items()
    )
    _check_points(competitors, numbers, rows)
    competitors = tuple(
        replace(each, rounds=(*each.rounds, *_to_come(state, stage, score, entrant, len(over))))
        for each, entrant in zip(competitors, numbers, strict=True)
    )
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
        top=_top(stage, [rounds[entrant] for entrant in numbers]),
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
    """Everybody who was ever there: by seed, then who came later by the first round that counts for them, in which they
    stand in the order of entering, as they are numbered for the systems of FIDE.
    """
    known = dict.fromkeys(begun.entrants)
    for number in begun.rounds:
        sides = chain.from_iterable(match.paired.sides for match in state.matches_of(number))
        scored = (each for each, percent in late_percents(state, begun, number).items() if percent)
        known |= dict.fromkeys(_by_place(state, [*state.rounds[number].byes, *chain.from_iterable(sides), *scored]))
    return [*(known | dict.fromkeys(_by_place(state, rows)))]


def _by_place(state: Tournament, entrants: Iterable[str]) -> list[str]:
    return sorted(entrants, key=lambda each: state.entrants[each].place)


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


def _late(stage: Stage, score: WinDrawLoss, percent: int) -> Past:
    """What somebody has of a round who came too late for it."""
    worth = percent_worth(stage, percent, _NO_FACTS)
    codes: dict[int, Code] = {score.win: "F", score.draw: "H", 0: "Z"}
    if worth not in codes:
        raise ExportNotPossible(
            f"Late entrants have {percent} % of a match for a round that they missed, neither a win nor a draw."
        )
    return Past(codes[worth])


def _to_come(state: Tournament, stage: Stage, score: WinDrawLoss, entrant: str, over: int) -> list[Past | None]:
    """The byes of rounds that are not over; who has left has nothing of them."""
    planned = state.stages[0].rounds_planned
    if state.status == "finished" or planned is None or not is_open(stage):
        return []
    rounds = range(over + 1, planned + 1)
    if state.entrants[entrant].status != "entered":
        return [Past("Z") for _ in rounds]
    asked = state.entrants[entrant].byes_asked
    last = max((number for number in asked if number in rounds), default=over)
    return [_given(stage, score, asked[number]) if number in asked else None for number in range(over + 1, last + 1)]


def _given(stage: Stage, score: WinDrawLoss, bye: Bye) -> Past:
    """A bye beforehand: `U` is the one that the pairing gives, `F` is worth a win."""
    past = _bye(stage, score, bye)
    return Past("F") if past.code == "U" and bye_worth(stage, bye, _NO_FACTS) == score.win else past


def _competitor(
    state: Tournament, entrant: str, number: int, name: str, pasts: Mapping[int, Past], rounds: int, worth: Worth,
    row: Row | None,
) -> Competitor:  # fmt: skip
    won, drawn = dict.fromkeys("1+F", worth.win), dict.fromkeys("=H", worth.draw)
    values = won | drawn | {"0": worth.loss, "U": worth.bye or 0}
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


def _top(stage: Stage, rounds: Sequence[Mapping[int, Past]]) -> Compass | None:
    """The side of the first number in round 1; the systems of FIDE go on as if it was North-South, whoever sat how."""
    if isinstance(stage.format, Swiss) and stage.format.method != "victory_points":
        return SIDES[0]
    first = rounds[0] if rounds else {}
    return next((past.side for past in first.values() if past.side), None) if 1 in first else None


def _has_left(state: Tournament, entrant: str, numbers: Mapping[str, int]) -> bool:
    return entrant in numbers and state.entrants[entrant].status != "entered"


def _code(stage: Stage) -> str:
    if isinstance(stage.format, RoundRobin):
        return "CUSTOM_DOUBLEROUNDROBIN" if stage.format.cycles == 2 else "CUSTOM_ROUNDROBIN"
    if isinstance(stage.format, Swiss) and stage.format.method == "fide_dutch":
        return "FIDE_DUTCH_2026"
    return "CUSTOM_SWISS"
