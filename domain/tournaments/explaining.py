"""One entrant's place in the standings explained: every round, every penalty, every tie-break with its arithmetic.

Made when somebody asks. Entrants go by their ids, `e1`, so that whoever shows it can put names in their place.
"""

import re
from typing import Final

from msgspec import Struct

from domain.pairing.shapes import Compass
from domain.standings.explanations import explain
from domain.tournaments.entrants import entrant_of
from domain.tournaments.entries import StageEntries, entries_of, penalties_of
from domain.tournaments.event import Reason
from domain.tournaments.formats import Elimination, Ladder
from domain.tournaments.matches import Matchpoints
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.round_kinds import RoundKind, round_kind
from domain.tournaments.round_lines import counted_rounds, on_boards
from domain.tournaments.score_words import in_scale, score_words
from domain.tournaments.standings import Row, ranked
from domain.tournaments.state import Match, StageState, Tournament
from domain.tournaments.terms import Stage, TieBreak
from domain.tournaments.tie_breaks import CODES

_ROUND: Final = re.compile(r"\bround (\d+)\b")
_BYES: Final[dict[RoundKind, str]] = {
    "bye": "a bye",
    "half_bye": "a half bye",
    "zero_bye": "not there",
    "late": "entered later",
}


class RoundExplained(Struct, frozen=True, kw_only=True):
    """A round of an entrant. `side` is its side of the match, from 0; `text` says how the score was made."""

    round: int
    match: str | None
    kind: RoundKind
    side: int | None
    opponents: tuple[str, ...]
    score: int
    margin: int
    text: str


class PenaltyExplained(Struct, frozen=True, kw_only=True):
    """A penalty that counts: the number of its event, for which round it was, what it takes, and why."""

    n: int
    round: int | None
    score: int
    reason: Reason


class TieBreakExplained(Struct, frozen=True, kw_only=True):
    """A tie-break's value: the integer, as it is written in a table, and how it came about."""

    tie_break: TieBreak
    value: int | None
    shown: str
    text: str


class RowExplained(Struct, frozen=True, kw_only=True):
    """Everything that a row of the standings is made from; `text` adds up the score."""

    version: int
    stage: int
    entrant: str
    rank: int
    group: Compass | None
    score: int
    text: str
    carried: int
    rounds: tuple[RoundExplained, ...]
    penalties: tuple[PenaltyExplained, ...]
    tie_breaks: tuple[TieBreakExplained, ...]


def explained(state: Tournament, entrant: str, stage: int | None = None) -> RowExplained:
    """How an entrant comes to its place in a stage, the present one unless told otherwise.

    Raises `TournamentRefused`: `entrant_not_found`, also for one that was never in the stage.
    """
    entrant_of(state, entrant)
    begun = state.stages[-1 if stage is None else stage]
    entered = entries_of(state, begun)
    row = next((each for each in ranked(state, begun, entered).rows if each.entrant == entrant), None)
    if row is None:
        raise TournamentRefused(TournamentCode.ENTRANT_UNKNOWN, entrant=entrant, stage=begun.number)
    terms = state.stage_terms(begun.number)
    rounds = _rounds(state, begun, terms, entered, entrant)
    penalties = tuple(
        PenaltyExplained(n=each.n, round=each.round, score=each.score, reason=each.reason)
        for each in penalties_of(state, begun.number)
        if each.entrant == entrant
    )
    return RowExplained(
        version=state.version,
        stage=begun.number,
        entrant=entrant,
        rank=row.rank,
        group=row.group,
        score=row.score,
        text=_total(terms, entered, row, rounds, penalties),
        carried=row.carried,
        rounds=rounds,
        penalties=penalties,
        tie_breaks=_tie_breaks(terms, entered, entrant),
    )


def _rounds(
    state: Tournament, begun: StageState, terms: Stage, entered: StageEntries, entrant: str
) -> tuple[RoundExplained, ...]:
    compared = on_boards(state, begun)
    found = []
    for number, counted in counted_rounds(state, begun, compared).items():
        line = counted.lines.get(entrant)
        if line is None:
            continue
        match, side = _seat(state, number, entrant)
        kind = round_kind(state.rounds[number], entrant, match, line)
        if match is None or side is None:
            text = f"{in_scale(line.score, entered.scale)}, {_BYES[kind]}"
        else:
            text = score_words(terms, match, side, line, entered.scale, compared.boards)
        found.append(
            RoundExplained(
                round=number,
                match=None if match is None else match.id,
                kind=kind,
                side=side,
                opponents=line.opponents,
                score=line.score,
                margin=line.margin,
                text=text,
            )
        )
    return tuple(found)


def _seat(state: Tournament, number: int, entrant: str) -> tuple[Match | None, int | None]:
    for match in state.matches_of(number):
        for side, entrants in enumerate(match.paired.sides):
            if entrant in entrants:
                return match, side
    return None, None


def _total(
    terms: Stage,
    entered: StageEntries,
    row: Row,
    rounds: tuple[RoundExplained, ...],
    penalties: tuple[PenaltyExplained, ...],
) -> str:
    """The sum that the score is; in matchpoints the mean."""
    scale = entered.scale
    parts = " + ".join(f"{in_scale(each.score, scale)} (round {each.round})" for each in rounds) or "no round yet"
    if isinstance(terms.score, Matchpoints):
        parts = f"the mean by boards of {parts}" if rounds else parts
    if row.carried:
        parts += f" + {in_scale(row.carried, scale)} carried from the stage before"
    for each in penalties:
        sign, word = ("−", "a penalty") if each.score > 0 else ("+", "a bonus")
        parts += f" {sign} {in_scale(abs(each.score), scale)} {word} ({each.reason})"
    return f"Score {in_scale(row.score, scale)} = {parts}"


def _tie_breaks(terms: Stage, entered: StageEntries, entrant: str) -> tuple[TieBreakExplained, ...]:
    """None where a bracket or a ladder is ranked without them."""
    if isinstance(terms.format, Elimination | Ladder):
        return ()
    found = explain(
        entered.entries,
        entered.codes,
        entrant,
        after=entered.after,
        scale=entered.scale,
        pairing=entered.pairing,
        lot_seed=entered.lot_seed,
    )
    by_code = {each.code: each for each in found}
    rounds = entered.rounds.get(entrant, ())

    def in_tournament(match: re.Match[str]) -> str:
        number = int(match[1])
        return f"round {rounds[number - 1]}" if number <= len(rounds) else match[0]

    return tuple(
        TieBreakExplained(
            tie_break=each,
            value=by_code[CODES[each]].value,
            shown=by_code[CODES[each]].shown,
            text=_ROUND.sub(in_tournament, by_code[CODES[each]].text),
        )
        for each in terms.tie_breaks
    )
