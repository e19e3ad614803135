"""Tournaments told round by round in tests: who met whom, for how many points, who had a bye."""

from collections.abc import Mapping, Sequence
from typing import Any

from domain.tournaments import events, round_events
from domain.tournaments.adjustments import adjusted
from domain.tournaments.brackets import bracket_of
from domain.tournaments.by_bracket import ready_matches
from domain.tournaments.entries import entries_of
from domain.tournaments.formats import Elimination
from domain.tournaments.outcomes import outcome
from domain.tournaments.seating import Adjustment, Bye, GameResult, MatchPaired, TableSeats
from domain.tournaments.standings import Row, Standings, standings
from domain.tournaments.terms import Terms
from tests.domain.tournaments.scenarios import Desk

Hands = Sequence[tuple[int, ...]]
Meeting = tuple[tuple[str, ...], tuple[str, ...], Hands]
"""Two sides and the hands that they played, by side."""


def met(one: str, other: str, own: int, theirs: int) -> Meeting:
    """A match of one hand between two entrants."""
    return (one,), (other,), [(own, theirs)]


class Told(Desk):
    """A stage that has begun with so many entrants in the order of their seeds; rounds are added as they were."""

    def __init__(
        self, terms: Terms, entrants: int | Sequence[str], ratings: Sequence[int] | None = None, **others: Any
    ) -> None:
        number = entrants if isinstance(entrants, int) else len(entrants)
        super().__init__(terms)
        for each in range(number):
            self.enter(rating=None if ratings is None else 100 * ratings[each])
        self.add(events.LotsDrawn(purpose="lots", seed="5a" * 32), events.TournamentStarted())
        order = [f"e{each}" for each in range(1, number + 1)] if isinstance(entrants, int) else [*entrants]
        self.begin(order, **others)

    def begin(self, order: Sequence[str], carried: Mapping[str, int] | None = None, rounds: int | None = None) -> None:
        """The next stage."""
        stage = len(self.state.stages)
        form = self.state.terms.stages[stage].format
        brought = carried or {}
        self.add(
            round_events.StageBegun(
                stage=stage,
                entrants=tuple(order),
                carried=tuple(brought.get(each, 0) for each in order),
                rounds=rounds,
                bracket=bracket_of(form, len(order)) if isinstance(form, Elimination) else None,
            )
        )

    def pair(
        self,
        sides: Sequence[Sequence[tuple[str, ...]]],
        byes: Mapping[str, Bye] | None = None,
        boards: Sequence[tuple[int, ...]] = (),
        brackets: Sequence[str] = (),
    ) -> int:
        """A round is paired and starts; its number."""
        number = len(self.state.rounds) + 1
        teams = self.state.terms.entrants == "teams"
        matches = []
        for place, match in enumerate(sides):
            numbers = (2 * place + 1, 2 * place + 2) if teams else (place + 1,)
            everybody = tuple(entrant for side in match for entrant in side)
            matches.append(
                MatchPaired(
                    id=f"r{number}m{place + 1}",
                    sides=tuple(match),
                    tables=tuple(TableSeats(each, everybody, everybody) for each in numbers),
                    boards=boards[place] if boards else (),
                    bracket=brackets[place] if brackets else None,
                )
            )
        paired = round_events.RoundPaired(
            round=number,
            stage=len(self.state.stages) - 1,
            matches=tuple(matches),
            byes=dict(byes or {}),
            engine="told",
            digest="0" * 64,
        )
        self.add(paired)
        self.add(round_events.RoundStarted(round=number, due_at=None))
        return number

    def end(self, match: str, hands: Hands, table: int | None = None, **others: Any) -> None:
        """The game of a match ends, and the match where that was its last one."""
        tables = self.state.matches[match].paired.tables
        sides = range(len(self.state.matches[match].paired.sides))
        result = GameResult(
            match=match,
            table=tables[0].table if table is None else table,
            leg=1,
            game=None,
            points=tuple(sum(hand[side] for hand in hands) for side in sides),
            hands=tuple(hands),
            reason=others.pop("reason", "hand_cap"),
            **others,
        )
        self.add(round_events.ResultRecorded(result=result))
        if len(self.state.matches[match].results) == len(tables):
            came = outcome(self.state, self.state.matches[match])
            self.add(
                round_events.MatchDecided(
                    match=match, points=came.points, score=came.score, winner=came.winner, how=came.how
                )
            )

    def round(
        self,
        meetings: Sequence[Meeting],
        byes: Mapping[str, Bye] | None = None,
        boards: Sequence[tuple[int, ...]] = (),
    ) -> int:
        """A whole round, from its pairing to its end."""
        number = self.pair([meeting[:2] for meeting in meetings], byes, boards)
        for place, (_, _, hands) in enumerate(meetings, 1):
            if hands:
                self.end(f"r{number}m{place}", hands)
        if all(match.over for match in self.state.matches_of(number)):
            self.add(round_events.RoundClosed(round=number))
        return number

    def bracket(self, points: Mapping[str, tuple[int, int]]) -> None:
        """The matches of a bracket that can be played and are named here."""
        ready = [each for each in ready_matches(self.state) if each.bracket in points]
        number = self.pair([each.sides for each in ready], brackets=[each.bracket or "" for each in ready])
        for place, each in enumerate(ready, 1):
            self.end(f"r{number}m{place}", [points[each.bracket or ""]])
        self.add(round_events.RoundClosed(round=number))

    def rule(self, match: str, **adjustment: Any) -> None:
        """A ruling by a director."""
        found = self.state.matches[match]
        ruling = Adjustment(**adjustment)
        ruled = adjusted(self.state, found, ruling)
        self.add(
            round_events.RulingIssued(
                match=match,
                adjustment=ruling,
                points=ruled.points,
                score=ruled.score,
                winner=ruled.winner,
                reason="conduct",
            )
        )

    def fine(self, entrant: str, score: int, number: int | None = None) -> None:
        """A penalty."""
        self.add(round_events.PenaltyGiven(entrant=entrant, round=number, score=score, reason="slow_play"))

    # --- what came of it ---

    def standings(self, stage: int | None = None) -> Standings:
        return standings(self.state, stage)

    def row(self, entrant: str, stage: int | None = None) -> Row:
        return next(row for row in self.standings(stage).rows if row.entrant == entrant)

    def ranks(self, stage: int | None = None) -> list[tuple[int, str]]:
        return [(row.rank, row.entrant) for row in self.standings(stage).rows]

    def lines(self, entrant: str) -> list[tuple[int, str, int, tuple[str, ...]]]:
        """Round, kind, score and opponents of every line of an entrant."""
        entered = entries_of(self.state, self.state.stages[-1])
        entry = next(entry for entry in entered.entries if entry.entrant == entrant)
        return [(line.round, line.kind, line.score, line.opponents) for line in entry.lines]
