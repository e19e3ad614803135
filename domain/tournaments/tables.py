"""Tables: who sits where in the matches of a round, and which boards are played there."""

from collections.abc import Iterable, Iterator, Sequence

from domain.rules import Sides, compile_rules
from domain.tournaments.lengths import boards_of_match
from domain.tournaments.proposals import ProposedMatch
from domain.tournaments.refusals import TournamentCode, TournamentRefused
from domain.tournaments.seating import MatchPaired, TableSeats
from domain.tournaments.state import Match, Tournament
from domain.tournaments.terms import Terms


def seated(state: Tournament, round_number: int, proposed: Sequence[ProposedMatch]) -> tuple[MatchPaired, ...]:
    """The matches of a round at their tables, numbered from 1, or the free ones where other rounds are being played.

    Raises `TournamentRefused`: `boards_spent`.
    """
    free = _free_tables(state)
    boards = _Boards(state)
    matches = []
    for number, each in enumerate(proposed, 1):
        tables = [next(free) for _ in range(tables_of_match(state.terms))]
        matches.append(
            MatchPaired(
                id=f"r{round_number}m{number}",
                sides=each.sides,
                tables=tuple(
                    _table(state, table, each.sides, turned=bool(place)) for place, table in enumerate(tables)
                ),
                boards=boards.of_set(each.boards or 1),
                bracket=each.bracket,
            )
        )
    return tuple(matches)


def tables_of_match(terms: Terms) -> int:
    """Teams play at two tables."""
    return 2 if terms.entrants == "teams" else 1


def seats_of_side(terms: Terms) -> int:
    """How many persons play together at a full table."""
    return len(sides_of(terms, terms.players)[0])


def sides_of(terms: Terms, players: int) -> Sides:
    """The seats of each side at a table of so many."""
    return compile_rules(terms.ruleset, players).sides


def match_side(state: Tournament, match: Match, table: int, side: int) -> int:
    """The side of the match that a side of one of its tables belongs to."""
    owners = {entrant: number for number, several in enumerate(match.paired.sides) for entrant in several}
    return owners[_entrants_at(match, table)[_sides_at(state, match, table)[side][0]]]


def points_by_side(state: Tournament, match: Match, table: int, totals: Sequence[int]) -> tuple[int, ...]:
    """Points by side of the table as points by side of the match."""
    points = [0] * len(match.paired.sides)
    for side, (_, total) in enumerate(zip(_sides_at(state, match, table), totals, strict=True)):
        points[match_side(state, match, table, side)] += total
    return tuple(points)


def _entrants_at(match: Match, table: int) -> tuple[str, ...]:
    return {seats.table: seats.entrants for seats in match.paired.tables}[table]


def _sides_at(state: Tournament, match: Match, table: int) -> Sides:
    """The sides of a table, at which fewer may sit than the terms say."""
    return sides_of(state.terms, len(_entrants_at(match, table)))


def _table(state: Tournament, table: int, sides: Sequence[tuple[str, ...]], *, turned: bool) -> TableSeats:
    """A table; at the second one of a match of teams the sides have each other's seats, and other players."""
    terms = state.terms
    line_ups = [_line_up(state, side, turned=turned) for side in sides]
    seats = sides_of(terms, sum(map(len, line_ups)))
    entrants = [""] * sum(map(len, line_ups))
    players = [""] * len(entrants)
    for place, line_up in zip(reversed(seats) if turned else seats, line_ups, strict=True):
        for seat, (entrant, player) in zip(place, line_up, strict=True):
            entrants[seat], players[seat] = entrant, player
    return TableSeats(table, tuple(entrants), tuple(players))


def _line_up(state: Tournament, side: Iterable[str], *, turned: bool) -> list[tuple[str, str]]:
    """Entrant and player of every seat of a side."""
    if state.terms.entrants == "individuals":
        return [(entrant, state.entrants[entrant].players[0]) for entrant in side]
    size = seats_of_side(state.terms)
    first = size if turned else 0
    return [(entrant, player) for entrant in side for player in state.entrants[entrant].players[first : first + size]]


def _free_tables(state: Tournament) -> Iterator[int]:
    taken = {
        seats.table
        for each in state.rounds.values()
        if each.status != "closed"
        for match in state.matches_of(each.number)
        if not match.over
        for seats in match.paired.tables
    }
    if state.terms.boards is not None and state.terms.boards.movement == "rotating":
        taken = set()
    number = 0
    while True:
        number += 1
        if number not in taken:
            yield number


class _Boards:
    """The boards of a round: those that nobody has played, or of a movement the sets that go round in the stage.

    Raises `TournamentRefused`: `boards_spent`, with `revealed` where the master of all boards has been shown.
    """

    def __init__(self, state: Tournament) -> None:
        self.state = state
        stage = state.stage
        assert stage is not None, "A round belongs to a stage."
        self.number = boards_of_match(state.stage_terms(stage.number)) if state.terms.boards is not None else 0
        rotating = state.terms.boards is not None and state.terms.boards.movement == "rotating"
        played = (
            board
            for match in state.matches.values()
            if not rotating or match.stage != stage.number
            for board in match.paired.boards
        )
        self.before = max(played, default=0) if self.number else 0
        if self.number and state.revealed:
            # Everybody can work out what would be dealt.
            raise TournamentRefused(
                TournamentCode.BOARDS_SPENT, boards=state.boards, revealed=True, needed="boards that nobody knows"
            )

    def of_set(self, number: int) -> tuple[int, ...]:
        """The boards of a set, counted from 1. Raises `TournamentRefused`: `boards_spent`."""
        first = self.before + (number - 1) * self.number + 1
        last = first + self.number - 1
        if self.number and last > self.state.boards:
            raise TournamentRefused(TournamentCode.BOARDS_SPENT, boards=self.state.boards, needed=last)
        return tuple(range(first, last + 1))
