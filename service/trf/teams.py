"""Teams of a file: what their players did at their boards, as matches of teams."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Final

from msgspec import Struct

from service.trf.shapes import DRAWN, PLAYED, WON, Code, Competitor, Fault, Past

_BYES: Final[tuple[Code, ...]] = ("U", "F", "H")


class Roster(Struct, frozen=True):
    """A team: its line, its number, its name, and its players in the order of the boards."""

    line: int
    number: int
    name: str
    members: tuple[int, ...]
    is_new: bool = False
    """Whether it is a record of the edition of 2026, which only events of teams have."""


def is_of_teams(rosters: Sequence[Roster], numbers: Iterable[int], kind: str) -> bool:
    """Whether teams are paired. In older files players of an event of individuals may belong to teams as well."""
    kind = kind.upper()
    if not rosters or any(roster.is_new for roster in rosters) or "TEAM" in kind:
        return bool(rosters)
    members = {member for roster in rosters for member in roster.members}
    return "INDIVIDUAL" not in kind and len(rosters) > 1 and members.issuperset(numbers)


def team_competitors(
    players: Sequence[Competitor], rosters: Sequence[Roster], byes: Mapping[int, Mapping[int, Past]]
) -> tuple[list[Competitor], list[Fault]]:
    """The teams with their matches, in the order of their numbers, and what is wrong with them."""
    known = {each.number: each for each in players}
    faults = check_rosters(rosters, players)
    if faults:
        return [], faults
    team_of = {member: roster.number for roster in rosters for member in roster.members if member}
    rounds = max((len(each.rounds) for each in players), default=0)
    rounds = max([rounds, *(number for given in byes.values() for number in given)])
    matches = {
        (roster.number, number): _match(roster, number, known, team_of, byes.get(roster.number, {}))
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
                    past = Past(past.code, past.opponent, "EW" if answer.side == "NS" else "NS")
            pasts.append(past)
        found.append(
            Competitor(
                line=roster.line,
                number=roster.number,
                name=roster.name,
                rating=0,
                points=None,
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


def _match(
    roster: Roster,
    number: int,
    known: Mapping[int, Competitor],
    team_of: Mapping[int, int],
    byes: Mapping[int, Past],
) -> Past | None:
    """A round of a team; the side is that of its first board."""
    boards = [known[member].past(number) for member in roster.members if member]
    met = [board for board in boards if board is not None and board.opponent is not None]
    if not met:
        if number in byes:
            return byes[number]
        codes = [board.code for board in boards if board is not None]
        return next((Past(code) for code in _BYES if code in codes), Past("Z") if codes else None)
    first = met[0]
    opponent = team_of.get(first.opponent or 0)
    if opponent is None:
        return None
    own = sum(_halves(board) for board in met)
    theirs = sum(2 - _halves(board) for board in met if board.code in PLAYED) + 2 * sum(
        board.code == "-" for board in met
    )
    played = any(board.code in PLAYED for board in met)
    code: Code = "1" if own > theirs else "0" if own < theirs else "="
    if not played:
        code = "+" if own > theirs else "-"
    return Past(code, opponent, first.side)


def _halves(board: Past) -> int:
    return 2 if board.code in WON else 1 if board.code in DRAWN else 0
