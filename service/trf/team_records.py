"""The records of a file that only tournaments of teams have."""

from typing import Final

from msgspec.structs import replace

from service.trf.columns import ROUNDS_MAX, WORTH, points, whole
from service.trf.shapes import MATCHES, Competitor, Fault, Past, Worth
from service.trf.teams import Boards, Roster, boards_of_match, check_rosters, team_competitors

_SCORES: Final = {"TW": "win", "TD": "draw", "TL": "loss", "TP": "bye"}


class TeamRecords:
    """What a file says of its teams, while it is read. `byes` are those of record 320: line, round, team."""

    def __init__(self) -> None:
        self.rosters: list[Roster] = []
        self.byes: list[tuple[int, int, int]] = []
        self.size = 0
        self._worth: dict[str, int] = {}
        self._bye: tuple[int | None, int | None] = (None, None)

    @property
    def worth(self) -> Worth:
        """What matches are worth; of the bye, record 320 is asked before 362."""
        found = replace(MATCHES, **self._worth)
        return found if self._bye[0] is None else replace(found, bye=self._bye[0])

    def competitors(
        self, players: list[Competitor], byes: dict[int, dict[int, Past]], games: Worth
    ) -> tuple[list[Competitor], list[Fault]]:
        """The teams with their matches, in the order of their numbers, or what is wrong with them.

        Games on their boards are worth `games`. Also settles the number of boards.
        """
        faults = check_rosters(self.rosters, players)
        if faults:
            return [], faults
        self.size = self.size or boards_of_match(players, self.rosters)
        return team_competitors(players, self.rosters, byes, Boards(self.size, games, self._bye[1]))

    def prefer_new(self) -> None:
        """Drops the records of the edition of 2016 where those of 2026 tell the teams as well."""
        self.rosters = [roster for roster in self.rosters if roster.is_new] or self.rosters

    # --- records ---

    def add_worth(self, _number: int, text: str) -> None:
        """Record 362: what a team has for a match."""
        for name, value in WORTH.findall(text[4:].upper()):
            if name in _SCORES:
                self._worth[_SCORES[name]] = points(value, "The points of a match") or 0

    def add_size(self, _number: int, text: str) -> None:
        """Record 352: the colours of the boards, one letter each."""
        self.size = len(text[4:].strip())

    def add_byes(self, number: int, text: str) -> None:
        """Record 320: the match and the game points of the bye, then the team that had it, by round."""
        self._bye = points(text[4:8], "The points of a bye"), points(text[9:13], "The points of a bye")
        for round_number, at in enumerate(range(14, min(len(text), 14 + 4 * ROUNDS_MAX), 4), 1):
            team = whole(text[at : at + 3], "The team")
            if team:
                self.byes.append((number, round_number, team))

    def add_team(self, number: int, text: str) -> None:
        """Record 310, with match and game points and a number, or 013 of the edition before."""
        is_new = text.startswith("310")
        first = 73 if is_new else 36
        members = tuple(whole(text[at : at + 4], "The player") for at in range(first, len(text.rstrip()), 5))
        if not is_new:
            self.rosters.append(Roster(number, len(self.rosters) + 1, text[4:36].strip(), members))
            return
        self.rosters.append(
            Roster(
                number,
                whole(text[4:7], "The team's number"),
                text[8:40].strip(),
                members,
                is_new=True,
                points=points(text[54:60], "The match points"),
                games=points(text[61:67], "The game points"),
            )
        )
