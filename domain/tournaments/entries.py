"""What a stage is ranked from: for every entrant its rounds as lines, what it carries, its penalties, its score.

Tie-breaks go by rounds that are over, numbered from 1 in the stage; the score has every match that counts. So nobody's
tie-breaks hang on who has finished first in the round that is being played.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from domain.standings.field import MOST_ROUNDS
from domain.standings.lines import PLAYED, Entry, Line, Pairing, Scale
from domain.standings.rounding import half_up
from domain.tournaments.board_results import Board
from domain.tournaments.formats import Mitchell
from domain.tournaments.matches import Matchpoints, RawPoints
from domain.tournaments.playing import goes_in_waves, is_open
from domain.tournaments.round_lines import CountedRound, counted_rounds, on_boards, percentages
from domain.tournaments.state import Penalty, StageState, Tournament
from domain.tournaments.terms import Stage
from domain.tournaments.tie_breaks import codes_of, lot_seed, pairing_of, scale_of

POOLS: Final = 2
"""Pools of a stage with two winners; those who were disqualified stand in as many behind them."""


class Record(Struct, frozen=True, gc=False):
    """What an entrant did so far, rounds under way with it: matches that were played, and how they ended."""

    score: int
    carried: int
    penalty: int
    played: int
    wins: int
    draws: int
    losses: int


class StageEntries(Struct, frozen=True):
    """A stage, ready to be ranked.

    entries    by seed; their lines are of rounds that are over, numbered from 1
    rounds     by entrant, the round of the tournament of each of its lines; empty where the numbers are the same
    round      the last round that has begun
    complete   whether all matches up to it count
    two_winners   whether pools 0 and 1 are North-South and East-West, ranked apart
    """

    entries: tuple[Entry, ...]
    records: dict[str, Record]
    rounds: dict[str, tuple[int, ...]]
    codes: tuple[str, ...]
    after: int
    scale: Scale
    pairing: Pairing
    lot_seed: bytes | None
    two_winners: bool
    boards: dict[int, Board]
    round: int
    complete: bool


def entries_of(state: Tournament, begun: StageState) -> StageEntries:
    """Everything that a stage is ranked by."""
    stage = state.stage_terms(begun.number)
    compared = on_boards(state, begun)
    rounds = counted_rounds(state, begun, compared)
    waves = goes_in_waves(stage)
    order = _order(state, begun, rounds)
    over = [number for number, of_round in rounds.items() if waves or of_round.over]
    renumbered = waves or over != [*range(1, len(over) + 1)]
    lines: dict[str, list[Line]] = {entrant: [] for entrant in order}
    under_way: dict[str, list[Line]] = {entrant: [] for entrant in order}
    for of_round in rounds.values():
        into = lines if waves or of_round.over else under_way
        for entrant, line in of_round.lines.items():
            into[entrant].append(line)
    places = {number: place for place, number in enumerate(over, 1)}
    after = max(map(len, lines.values()), default=0) if waves else len(over)
    penalties = _penalties(state, begun)
    groups = _groups(stage, begun)
    scale = scale_of(stage, _mean(lines.values()) if isinstance(stage.score, RawPoints) else 0)
    shares = percentages(state, begun, compared, rounds, order) if isinstance(stage.score, Matchpoints) else None
    entries: list[Entry] = []
    records: dict[str, Record] = {}
    for seed, entrant in enumerate(order, 1):
        own, more = lines[entrant], under_way[entrant]
        earned = sum([line.score for line in own + more]) if shares is None else shares[entrant]
        carried, penalty = begun.carried.get(entrant, 0), penalties.get(entrant, 0)
        score = earned + carried - penalty
        records[entrant] = _record(score, carried, penalty, own + more)
        if renumbered:
            own = _renumbered(own, None if waves else places)
        # What ranks is the score as it is shown, whatever the lines come to.
        ranked_by = score if shares is None else score * max(after, 1)
        out = state.entrants[entrant].status == "disqualified"
        rating = state.entrants[entrant].rating
        entries.append(
            Entry(
                entrant=entrant,
                seed=seed,
                lines=tuple(own),
                penalty=sum([line.score for line in own]) - ranked_by,
                rating=None if rating is None else rating // 100,
                pool=groups.get(entrant, 0) + POOLS * out,
            )
        )
    return StageEntries(
        entries=tuple(entries),
        records=records,
        rounds={entrant: tuple([line.round for line in own]) for entrant, own in lines.items()} if renumbered else {},
        codes=codes_of(stage),
        after=min(after, MOST_ROUNDS),
        scale=scale,
        pairing=pairing_of(stage),
        lot_seed=lot_seed(state),
        two_winners=bool(groups),
        boards=compared.boards,
        round=max((number for number in begun.rounds if state.rounds[number].status != "paired"), default=0),
        complete=all(of_round.over for of_round in rounds.values()),
    )


def _order(state: Tournament, begun: StageState, rounds: Mapping[int, CountedRound]) -> list[str]:
    """Everybody who is or was in a stage: who began it by seed, then who came later, in the order of entering."""
    known = dict.fromkeys(begun.entrants)
    later = {each.id for each in state.active} if begun.number == 0 and is_open(state.stage_terms(0)) else set()
    for of_round in rounds.values():
        later.update(of_round.lines)
    return [*known, *sorted(later.difference(known), key=lambda each: state.entrants[each].place)]


def _groups(stage: Stage, begun: StageState) -> dict[str, int]:
    """In a movement with two winners, 0 for who sits North-South in it and 1 for East-West; else nobody."""
    if not isinstance(stage.format, Mitchell) or stage.format.arrow_switched_rounds:
        return {}
    north_south = (len(begun.entrants) + 1) // 2
    return {entrant: int(place >= north_south) for place, entrant in enumerate(begun.entrants)}


def _penalties(state: Tournament, begun: StageState) -> dict[str, int]:
    """What each loses in a stage."""
    found: dict[str, int] = {}
    for penalty in penalties_of(state, begun.number):
        found[penalty.entrant] = found.get(penalty.entrant, 0) + penalty.score
    return found


def penalties_of(state: Tournament, stage: int) -> list[Penalty]:
    """The penalties of a stage: those for its rounds, and those for no round that were given while it was on."""
    return [each for each in state.penalties.values() if each.stage == stage]


def _mean(lines: Iterable[Sequence[Line]]) -> int:
    scores = [line.score for own in lines for line in own if line.kind in PLAYED]
    return half_up(sum(scores), len(scores)) if scores else 0


def _record(score: int, carried: int, penalty: int, lines: Sequence[Line]) -> Record:
    outcomes = [line.outcome for line in lines if line.kind in PLAYED]
    wins, draws = outcomes.count("win"), outcomes.count("draw")
    return Record(score, carried, penalty, len(outcomes), wins, draws, len(outcomes) - wins - draws)


def _renumbered(lines: Sequence[Line], places: Mapping[int, int] | None) -> list[Line]:
    """Lines by the number of their round in the stage, or of their match where everybody has rounds of its own."""
    if places is None:
        return [replace(line, round=number) for number, line in enumerate(lines[-MOST_ROUNDS:], 1)]
    return [replace(line, round=places[line.round]) for line in lines]
