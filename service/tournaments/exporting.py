"""A tournament as a file of its own form: everything that its standings follow from, and the standings themselves.

What is read back (`importing`) is the part before the standings; these are there to be compared with. They are those
after the rounds that are over: a file may be written at any moment, and a round under way is read by nobody.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Final, Literal

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import replace

from domain.tournaments.act import Rating
from domain.tournaments.acts import Penalty
from domain.tournaments.event import Reason
from domain.tournaments.seating import Adjustment, Bye, GameResult
from domain.tournaments.standings import Row, standings
from domain.tournaments.state import Entrant, EntrantStatus, Match, Status, Tournament
from domain.tournaments.terms import Terms

FORMAT: Final = "meldhouse-tournament-1"

BYES_MAX: Final = 2000
Seed = Annotated[str, Meta(pattern="^[0-9a-f]{64}$(?!\\n)")]


class MemberOut(Struct, frozen=True, kw_only=True):
    """A person or a bot of an entrant, as they were called; `player` is the id here."""

    player: str
    name: str | None = None
    bot: str | None = None


class ByeOut(Struct, frozen=True, kw_only=True):
    """A bye of a round."""

    round: Annotated[int, Meta(ge=1, le=100_000)]
    bye: Bye


class EntrantOut(Struct, frozen=True, kw_only=True):
    """An entrant; `byes_asked` are those that it asked for or was given beforehand."""

    id: str
    name: str
    members: tuple[MemberOut, ...]
    status: EntrantStatus
    seed: int | None = None
    rating: Rating | None = None
    avoid: Annotated[tuple[Annotated[str, Meta(max_length=64)], ...], Meta(max_length=10)] = ()
    late_round: int | None = None
    byes_asked: Annotated[tuple[ByeOut, ...], Meta(max_length=BYES_MAX)] = ()


class RulingOut(Struct, frozen=True, kw_only=True):
    """The ruling that stands in the place of a result."""

    adjustment: Adjustment
    winner: Annotated[int, Meta(ge=0, le=5)] | None = None
    reason: Reason


class MatchOut(Struct, frozen=True, kw_only=True):
    """A match: its sides, its place in a bracket, the results of its games, how it was decided, and a ruling.

    Tables of results are counted from 1 within the match. `points`, `score` (hundredths) and `winner` are what counts,
    null while the match is open; a score that compares boards is null.
    """

    id: str
    sides: tuple[tuple[str, ...], ...]
    bracket: str | None = None
    boards: tuple[int, ...] = ()
    results: tuple[GameResult, ...] = ()
    decided: str | None = None
    ruling: RulingOut | None = None
    over: bool = False
    points: tuple[int, ...] | None = None
    score: tuple[int, ...] | None = None
    winner: int | None = None


class RoundOut(Struct, frozen=True, kw_only=True):
    """A round; `closed` is whether it is over."""

    number: int
    stage: int
    closed: bool
    matches: tuple[MatchOut, ...]
    byes: dict[str, Bye]
    engine: str
    relaxations: tuple[str, ...] = ()
    explanation: tuple[str, ...] = ()


class PenaltyOut(Struct, frozen=True, kw_only=True):
    """A penalty that counts, in hundredths of score."""

    entrant: str
    round: int | None
    stage: int
    score: Penalty
    reason: Reason


class StageOut(Struct, frozen=True, kw_only=True):
    """The entrants of a stage by seed, and what each of them carried, in hundredths."""

    entrants: tuple[str, ...]
    carried: tuple[int, ...]


class StandingsOut(Struct, frozen=True, kw_only=True):
    """The standings of a stage after its rounds that are over (`rounds_over`), the last of which is `round`."""

    stage: int
    round: int
    complete: bool
    rows: tuple[Row, ...]


class TournamentOut(Struct, frozen=True, kw_only=True):
    """A tournament after event `version`."""

    format: Literal["meldhouse-tournament-1"]
    id: str
    version: int
    title: str
    status: Status
    terms: Terms
    entrants: tuple[EntrantOut, ...]
    forbidden: tuple[tuple[str, str], ...]
    lots: dict[Annotated[str, Meta(max_length=64)], Seed]
    stages: tuple[StageOut, ...]
    rounds: tuple[RoundOut, ...]
    penalties: tuple[PenaltyOut, ...]
    standings: tuple[StandingsOut, ...]


def exported(state: Tournament, title: str, names: Mapping[str, str], players: Mapping[str, str]) -> TournamentOut:
    """The tournament; `names` are those of entrants, `players` those of persons."""
    rounds = tuple(
        RoundOut(
            number=each.number,
            stage=each.stage,
            closed=each.status == "closed",
            matches=tuple(_match(match) for match in state.matches_of(each.number)),
            byes=each.byes,
            engine=each.engine,
            relaxations=each.relaxations,
            explanation=each.explanation,
        )
        for each in state.rounds.values()
    )
    counted = up_to(state, [each.number for each in rounds_over(state.terms, rounds)])
    return TournamentOut(
        format=FORMAT,
        id=state.id,
        version=state.version,
        title=title,
        status=state.status,
        terms=state.terms,
        entrants=tuple(_entrant(each, names[each.id], players) for each in state.entrants.values()),
        forbidden=tuple(sorted((min(pair), max(pair)) for pair in state.forbidden)),
        lots=state.lots,
        stages=tuple(
            StageOut(entrants=each.entrants, carried=tuple(each.carried.get(one, 0) for one in each.entrants))
            for each in state.stages
        ),
        rounds=rounds,
        penalties=tuple(
            PenaltyOut(
                entrant=each.entrant,
                round=each.round,
                stage=each.stage,
                score=each.score,
                reason=each.reason,
            )
            for each in state.penalties.values()
        ),
        standings=tuple(_standings(counted, each.number) for each in state.stages),
    )


def is_rotating(terms: Terms) -> bool:
    """Whether boards go round, so that results are told when all rounds of the stage have been played."""
    return terms.boards is not None and terms.boards.movement == "rotating"


def rounds_over(terms: Terms, rounds: Sequence[RoundOut]) -> list[RoundOut]:
    """The rounds that an import takes over: those that are closed, up to the first one that is not.

    Where boards go round, all rounds of a stage are over as soon as their results are told.
    """
    found = []
    for each in rounds:
        told = is_rotating(terms) and any(match.results for match in each.matches)
        if not (each.closed or told) or not all(match.over for match in each.matches):
            break
        found.append(each)
    return found


def up_to(state: Tournament, rounds: Sequence[int]) -> Tournament:
    """The tournament as if no round but these had been paired."""
    if len(rounds) == len(state.rounds):
        return state
    return replace(
        state,
        rounds={each: state.rounds[each] for each in rounds},
        matches={each.id: each for each in state.matches.values() if each.round in rounds},
        penalties={n: each for n, each in state.penalties.items() if each.round is None or each.round in rounds},
        stages=tuple(
            replace(each, rounds=tuple(number for number in each.rounds if number in rounds)) for each in state.stages
        ),
    )


def _entrant(entrant: Entrant, name: str, players: Mapping[str, str]) -> EntrantOut:
    return EntrantOut(
        id=entrant.id,
        name=name,
        members=tuple(
            MemberOut(player=player, name=players.get(player), bot=bot)
            for player, bot in zip(entrant.players, entrant.bots, strict=True)
        ),
        status=entrant.status,
        seed=entrant.seed,
        rating=entrant.rating,
        avoid=entrant.avoid,
        late_round=entrant.late_round,
        byes_asked=tuple(ByeOut(round=number, bye=bye) for number, bye in sorted(entrant.byes_asked.items())),
    )


def _match(match: Match) -> MatchOut:
    places = {seats.table: place for place, seats in enumerate(match.paired.tables, 1)}
    ruling = match.ruling
    decided, outcome = match.decided, match.outcome
    return MatchOut(
        id=match.id,
        sides=match.paired.sides,
        bracket=match.paired.bracket,
        boards=match.paired.boards,
        results=tuple(msgspec.structs.replace(each, table=places[each.table]) for each in match.results),
        decided=None if decided is None else decided.how or "played",
        ruling=None
        if ruling is None or ruling.adjustment is None
        else RulingOut(adjustment=ruling.adjustment, winner=ruling.winner, reason=ruling.reason),
        over=match.over,
        points=None if outcome is None else outcome.points,
        score=None if outcome is None else outcome.score,
        winner=None if outcome is None else outcome.winner,
    )


def _standings(state: Tournament, stage: int) -> StandingsOut:
    found = standings(state, stage)
    return StandingsOut(stage=stage, round=found.round, complete=found.complete, rows=found.rows)


def to_json(exported_tournament: TournamentOut) -> bytes:
    """The bytes of a file, indented, with a line feed at the end."""
    return msgspec.json.format(msgspec.json.encode(exported_tournament), indent=1) + b"\n"
