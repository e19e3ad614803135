"""Teams of a file: what their players did at their boards, as matches of teams."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct
from msgspec.structs import replace

from service.trf.shapes import PLAYED, Code, Competitor, Fault, Past, Worth

_BYES: Final[tuple[Code, ...]] = ("U", "F", "H")
_AS_GAME: Final[dict[Code, str]] = {
    "1": "win", "W": "win", "+": "win", "F": "win", "=": "draw", "D": "draw", "H": "draw", "0": "loss", "L": "loss",
    "U": "win",
}  # fmt: skip
"""What a board counts as in a match; a bye that a player had there is a game that nobody came to."""


class Roster(Struct, frozen=True):
    """A team: its line, its number, its name, and its players in the order of the boards."""

    line: int
    number: int
    name: str
    members: tuple[int, ...]
    is_new: bool = False
    """Whether it is a record of the edition of 2026, which only events of teams have."""

    points: int | None = None
    games: int | None = None
    """Match and game points as the file says them, in hundredths; None where it says nothing."""


def is_of_teams(rosters: Sequence[Roster], numbers: Iterable[int], kind: str) -> bool:
    """Whether teams are paired. In older files players of an event of individuals may belong to teams as well."""
    kind = kind.upper()
    if not rosters or any(roster.is_new for roster in rosters) or "TEAM" in kind:
        return bool(rosters)
    members = {member for roster in rosters for member in roster.members}
    return "INDIVIDUAL" not in kind and len(rosters) > 1 and members.issuperset(numbers)


class Boards(Struct, frozen=True):
    """The boards of a match: how many there are, what games on them are worth, and what a bye is in game points.

    Without a `bye`, that of a player counts on every board.
    """

    size: int
    worth: Worth
    bye: int | None = None

    def of(self, code: Code) -> int:
        """What a round without an opponent is in game points."""
        if code != "U":
            return self.size * self.game(code)
        if self.bye is not None:
            return self.bye
        return self.size * (self.worth.win if self.worth.bye is None else self.worth.bye)

    def game(self, code: Code) -> int:
        """What one board counts."""
        worth = self.worth
        return {"win": worth.win, "draw": worth.draw, "loss": worth.loss}.get(_AS_GAME.get(code, ""), 0)


def boards_of_match(players: Sequence[Competitor], rosters: Sequence[Roster]) -> int:
    """How many boards the matches of a file have: those of the largest; before the first, the players of a team."""
    known = {each.number: each for each in players}
    rounds = max((len(each.rounds) for each in players), default=0)
    met = (len(_met(_boards(roster, number, known))) for roster in rosters for number in range(1, rounds + 1))
    return max(met, default=0) or max((sum(map(bool, roster.members)) for roster in rosters), default=0)


def team_competitors(
    players: Sequence[Competitor], rosters: Sequence[Roster], byes: Mapping[int, Mapping[int, Past]], boards: Boards
) -> tuple[list[Competitor], list[Fault]]:
    """The teams with their matches, in the order of their numbers, and where these contradict one another."""
    faults = []
    rounds = max((len(each.rounds) for each in players), default=0)
    rounds = max([rounds, *(number for given in byes.values() for number in given)])
    played = _Matches(players, rosters, boards)
    matches = {
        (roster.number, number): played.match(roster, number, byes.get(roster.number, {}))
        for roster in rosters
        for number in range(1, rounds + 1)
    }
    found = []
    for roster in sorted(rosters, key=lambda roster: roster.number):
        pasts = []
        for number in range(1, rounds + 1):
            past = matches[roster.number, number]
            if past is not None and past.opponent is not None:
                answer = matches.get((past.opponent, number))
                if answer is None or answer.opponent != roster.number:
                    told = f"Team {past.opponent} does not say that it met {roster.number} in round {number}."
                    faults.append(Fault(roster.line, "teams_disagree", told))
                elif past.side == answer.side and roster.number > past.opponent:
                    past = replace(past, side="EW" if answer.side == "NS" else "NS")
            pasts.append(past)
        found.append(
            Competitor(
                line=roster.line,
                number=roster.number,
                name=roster.name,
                rating=0,
                points=roster.points,
                games=roster.games,
                rank=None,
                rounds=tuple(pasts),
            )
        )
    return found, faults


def check_rosters(rosters: Sequence[Roster], players: Sequence[Competitor]) -> list[Fault]:
    """What is wrong with the teams themselves."""
    known = {each.number for each in players}
    faults = []
    numbers: set[int] = set()
    seen: set[int] = set()
    for roster in rosters:
        if roster.number in numbers or not roster.number:
            faults.append(Fault(roster.line, "number_twice", f"The team's number {roster.number} is not its own."))
        numbers.add(roster.number)
        for member in filter(None, roster.members):
            if member not in known:
                faults.append(Fault(roster.line, "number_unknown", f"Nobody has the number {member}."))
            elif member in seen:
                faults.append(Fault(roster.line, "player_twice", f"Player {member} is in two teams."))
            seen.add(member)
    return faults


class _Matches:
    """What the boards of teams come to."""

    def __init__(self, players: Sequence[Competitor], rosters: Sequence[Roster], boards: Boards) -> None:
        self.known = {each.number: each for each in players}
        self.rosters = {roster.number: roster for roster in rosters}
        self.team_of = {member: roster.number for roster in rosters for member in roster.members if member}
        self.boards = boards

    def match(self, roster: Roster, number: int, byes: Mapping[int, Past]) -> Past | None:
        """A round of a team; the side is that of its first board."""
        boards = _boards(roster, number, self.known)
        met = _met(boards)
        if not met:
            return self._bye(boards, byes.get(number))
        opponent = self.team_of.get(met[0].opponent or 0)
        if opponent is None:
            return None
        theirs = self._games(_boards(self.rosters[opponent], number, self.known))
        own = self._games(boards)
        code: Code = "1" if own > theirs else "0" if own < theirs else "="
        if not any(board.code in PLAYED for board in met):
            code = "+" if own > theirs else "-"
        return Past(code, opponent, met[0].side, own)

    def _bye(self, boards: Sequence[Past], given: Past | None) -> Past | None:
        codes = [board.code for board in boards]
        code = given.code if given else next((code for code in _BYES if code in codes), "Z" if codes else None)
        return Past(code, games=self.boards.of(code)) if code else None

    def _games(self, boards: Sequence[Past]) -> int:
        return sum(self.boards.game(board.code) for board in boards)


def _boards(roster: Roster, number: int, known: Mapping[int, Competitor]) -> list[Past]:
    """What the players of a team did in a round, in the order of the boards."""
    pasts = [known[member].past(number) for member in roster.members if member in known]
    return [past for past in pasts if past is not None]


def _met(boards: Sequence[Past]) -> list[Past]:
    return [board for board in boards if board.opponent is not None]
