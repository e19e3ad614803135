"""The rounds of a stage as lines: what everybody has of each, as far as it counts by now."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from operator import is_
from typing import Final

from msgspec import Struct

from domain.standings.lines import PLAYED, Kind, Line, Outcome
from domain.standings.rounding import half_even, half_up
from domain.tournaments.board_results import (
    EXACT,
    Board,
    MatchOnBoards,
    boards_of_stage,
    matches_on_boards,
    whole_of,
)
from domain.tournaments.lengths import boards_of_match
from domain.tournaments.match_lines import UNBOUNDED, add_lines, match_kind
from domain.tournaments.matches import BOARD_SCORES, Matchpoints, RawPoints
from domain.tournaments.playing import goes_in_waves
from domain.tournaments.seating import Bye
from domain.tournaments.state import Match, Round, StageState, Tournament
from domain.tournaments.terms import Stage
from domain.tournaments.worth import RoundFacts, bye_worth, forfeit_worth, percent_worth, placed_worth

BYES: Final[dict[Bye, Kind]] = {"bye": "full_bye", "half_bye": "half_bye", "zero_bye": "zero_bye"}

_ROUNDS_CACHED: Final = 64


class CountedRound(Struct, frozen=True):
    """A round that has begun: lines by entrant, numbered as the rounds of the tournament, and whether it is over."""

    lines: dict[str, Line]
    over: bool


class OnBoards(Struct, frozen=True):
    """A stage whose scores compare boards: the boards that are told, and what every match has of them."""

    boards: dict[int, Board]
    whole: int
    matches: dict[str, MatchOnBoards]


_NO_BOARDS: Final = OnBoards({}, 1, {})


def on_boards(state: Tournament, begun: StageState) -> OnBoards:
    """The boards of a stage that are told; none where its scores compare none."""
    compares = isinstance(state.stage_terms(begun.number).score, BOARD_SCORES)
    boards = boards_of_stage(state, begun) if compares else {}
    whole = whole_of(boards)
    return OnBoards(boards, whole, matches_on_boards(boards, whole))


def counted_rounds(state: Tournament, begun: StageState, compared: OnBoards) -> dict[int, CountedRound]:
    """The rounds of a stage that have begun, by number. A match counts when it is over and its boards are told."""
    stage = state.stage_terms(begun.number)
    waves = goes_in_waves(stage)
    # Where matches begin at will they are all one round, whose mean is the same for each of them.
    every = _facts(stage, [match for number in begun.rounds for match in state.matches_of(number)]) if waves else None
    rounds: dict[int, CountedRound] = {}
    for number in begun.rounds:
        played = state.rounds[number]
        matches = tuple(state.matches_of(number))
        if isinstance(stage.score, BOARD_SCORES) or every is not None:
            counted = _counted(stage, played, matches, every or _facts(stage, matches), compared)
        else:
            counted = _known(_Given(stage, played, matches))
        if counted.over and not waves:
            counted = _with_late(state, begun, number, counted, _facts(stage, matches))
        if counted.lines or played.status != "paired":
            rounds[number] = counted
    return rounds


class _Given:
    """What the lines of a round hang on where no boards are compared; the same where all of it is the same objects."""

    __slots__ = ("hashed", "matches", "played", "stage")

    def __init__(self, stage: Stage, played: Round, matches: tuple[Match, ...]) -> None:
        self.stage = stage
        self.played = played
        self.matches = matches
        self.hashed = hash((id(stage), id(played), *map(id, matches)))

    def __hash__(self) -> int:
        return self.hashed

    def __eq__(self, other: object) -> bool:
        return (
            isinstance(other, _Given)
            and self.stage is other.stage
            and self.played is other.played
            and len(self.matches) == len(other.matches)
            and all(map(is_, self.matches, other.matches))
        )


@lru_cache(_ROUNDS_CACHED)
def _known(given: _Given) -> CountedRound:
    """A round, made once as long as nothing of it changes: every table that ends changes only its own round."""
    return _counted(given.stage, given.played, given.matches, _facts(given.stage, given.matches), _NO_BOARDS)


def _counted(
    stage: Stage, played: Round, matches: Sequence[Match], facts: RoundFacts, compared: OnBoards
) -> CountedRound:
    lines: dict[str, Line] = {}
    over = played.status != "paired"
    for match in matches:
        scores = match_scores(stage, match, facts, compared)
        if scores is None:
            over = False
        else:
            add_lines(lines, stage, match, played.number, scores)
    if played.status != "paired" and not goes_in_waves(stage):
        for entrant, bye in played.byes.items():
            lines[entrant] = _unplayed(stage, played.number, BYES[bye], bye_worth(stage, bye, facts))
    return CountedRound(lines, over)


def match_scores(stage: Stage, match: Match, facts: RoundFacts, compared: OnBoards) -> Sequence[int] | None:
    """The score of a match by side, in hundredths; None while it does not count."""
    outcome = match.decided if match.ruling is None else match.outcome
    if outcome is None or outcome.score is not None:
        return None if outcome is None else outcome.score
    kind = match_kind(match)
    if kind == "void":
        return (0,) * len(match.paired.sides)
    if kind == "forfeit":
        return forfeit_worth(stage, match, facts)
    if len(match.paired.sides) != 2:
        return placed_worth(stage, match, outcome.points, facts)
    has = compared.matches.get(match.id)
    if has is None:
        return None
    if not isinstance(stage.score, Matchpoints):
        return has.shares
    if has.boards == 0:
        return (EXACT // 2, EXACT // 2)
    return [half_even(EXACT * share, compared.whole * has.boards) for share in has.shares]


def percentages(
    state: Tournament,
    begun: StageState,
    compared: OnBoards,
    rounds: Mapping[int, CountedRound],
    entrants: Iterable[str],
) -> dict[str, int]:
    """In matchpoints, what each has of the most that there was on all its boards, in hundredths of a percent.

    A round that was not played counts as many boards as a match has; in one that is over, who had no part in it has
    nothing of them. Void matches do not count.
    """
    usual = max(boards_of_match(state.stage_terms(begun.number)), 1)
    sums = dict.fromkeys(entrants, 0)
    boards = dict.fromkeys(sums, 0)
    for number, of_round in rounds.items():
        exact = {
            entrant: (has.shares[place], has.boards)
            for match in state.matches_of(number)
            if (has := compared.matches.get(match.id)) is not None and has.boards and match.outcome is not None
            if match.outcome.score is None and match_kind(match) != "forfeit"
            for place, side in enumerate(match.paired.sides)
            for entrant in side
        }
        void = {
            entrant
            for match in state.matches_of(number)
            if match.over and match_kind(match) == "void"
            for side in match.paired.sides
            for entrant in side
        }
        for entrant in sums:
            line = of_round.lines.get(entrant)
            if entrant in void or (line is None and not of_round.over):
                continue
            share, number_of_boards = exact.get(entrant, (0, usual))
            if entrant not in exact and line is not None:
                share = line.score * (compared.whole // EXACT) * usual
            sums[entrant] += share
            boards[entrant] += number_of_boards
    return {
        entrant: half_even(EXACT * total, compared.whole * boards[entrant]) if boards[entrant] else 0
        for entrant, total in sums.items()
    }


def _facts(stage: Stage, matches: Sequence[Match]) -> RoundFacts:
    if not isinstance(stage.score, RawPoints):
        return RoundFacts(0, len(matches))
    scores = [
        score
        for match in matches
        if match.outcome is not None and match.outcome.score is not None
        if match_kind(match) in PLAYED
        for score in match.outcome.score
    ]
    return RoundFacts(half_up(sum(scores), len(scores)) if scores else 0, len(matches))


def _unplayed(stage: Stage, number: int, kind: Kind, score: int) -> Line:
    outcome: Outcome | None = "draw" if isinstance(stage.score, UNBOUNDED) else None
    return Line(round=number, kind=kind, score=score, outcome=outcome)


def _with_late(
    state: Tournament, begun: StageState, number: int, counted: CountedRound, facts: RoundFacts
) -> CountedRound:
    """A round with what late entrants have of the last rounds before they came."""
    stage = state.stage_terms(begun.number)
    late = {
        entrant: _unplayed(stage, number, "half_bye", percent_worth(stage, percent, facts))
        for entrant, percent in late_percents(state, begun, number).items()
        if percent and entrant not in counted.lines
    }
    return CountedRound(counted.lines | late, counted.over) if late else counted


def late_percents(state: Tournament, begun: StageState, number: int) -> dict[str, int]:
    """Who came too late for a round, and what percentage of a match each has of it all the same.

    It is for whoever plays then: who left again without a match or a bye has nothing.
    """
    terms = state.terms.registration
    if begun.number:
        return {}
    found = {}
    for entrant in state.entrants.values():
        if entrant.late_round is None or entrant.status == "waiting" or number >= entrant.late_round:
            continue
        if entrant.status != "entered" and not _has_had_a_part(state, begun, entrant.id):
            continue
        missed = [each for each in begun.rounds if each < entrant.late_round]
        scored = number in missed[max(len(missed) - terms.late_scored_rounds, 0) :]
        found[entrant.id] = terms.late_score if scored else 0
    return found


def _has_had_a_part(state: Tournament, begun: StageState, entrant: str) -> bool:
    rounds = [state.rounds[each] for each in begun.rounds]
    return any(each.byes.get(entrant, "zero_bye") != "zero_bye" for each in rounds) or any(
        entrant in side for each in rounds for match in state.matches_of(each.number) for side in match.paired.sides
    )
