"""A file read: bytes in, a tournament that makes sense out, or everything that is wrong with it.

Nothing is guessed: what contradicts itself is a fault with its line. Records that say nothing about pairings and
results are passed over.
"""

import re
from collections.abc import Callable, Iterator
from typing import Final

from msgspec.structs import replace

from domain.pairing.shapes import Compass
from service.trf.checks import check, last_paired
from service.trf.columns import ROUNDS_MAX, Unreadable, bye_of, fault_of, player, points, whole
from service.trf.shapes import Competitor, Fault, Past, Trf, TrfInvalid, Worth
from service.trf.teams import Roster, team_competitors

BYTES_MAX: Final = 1 << 22
LINES_MAX: Final = 20_000
LINE_LENGTH_MAX: Final = 4000
FAULTS_MAX: Final = 50
PLAYERS_MAX: Final = 2000

_BREAKS: Final = re.compile("\r\n|\r|\n")
_NUMBERS: Final = re.compile("[0-9]+")
_WORTH: Final = re.compile("([A-Z]{1,3}) ?=? *([0-9]{1,3}(?:[.,][0-9])?)")
_SCORES: Final = {
    "W": "win", "WW": "win", "BW": "win", "D": "draw", "WD": "draw", "BD": "draw", "L": "loss", "WL": "loss",
    "BL": "loss", "P": "bye", "PAB": "bye",
}  # fmt: skip
_BB: Final = {"BBW": "win", "BBD": "draw", "BBL": "loss", "BBU": "bye"}


def read_trf(data: bytes) -> Trf:
    """The tournament of a file. Raises `TrfInvalid`."""
    reading = _Reading()
    reading.read(_lines(data))
    return reading.finished()


def _lines(data: bytes) -> list[str]:
    if len(data) > BYTES_MAX:
        raise TrfInvalid((Fault(0, "too_large", f"A file has {BYTES_MAX} bytes at most."),))
    if b"\0" in data:
        raise TrfInvalid((Fault(data[: data.index(b"\0")].count(b"\n") + 1, "not_text", "A NUL stands in the file."),))
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError:
        # Programs of chess arbiters have written Windows' letters for decades.
        text = data.decode("cp1252", errors="replace")
    lines = _BREAKS.split(text)
    if len(lines) > LINES_MAX:
        raise TrfInvalid((Fault(LINES_MAX, "too_large", f"A file has {LINES_MAX} lines at most."),))
    return lines


class _Reading:
    """A file while it is read."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.name = ""
        self.players: dict[int, Competitor] = {}
        self.rosters: list[Roster] = []
        self.team_byes: dict[int, dict[int, Past]] = {}
        self.byes: list[tuple[int, int, int, Past]] = []
        self.rounds: int | None = None
        self.worth: dict[str, int] = {}
        self.absent: dict[int, int] = {}
        self.forbidden: list[tuple[int, tuple[int, ...]]] = []
        self.top: Compass | None = None
        self.kind = self.code = ""
        self.tie_breaks: tuple[str, ...] = ()
        self.accelerated = False

    def read(self, lines: list[str]) -> None:
        for number, text in enumerate(lines, 1):
            record = _RECORDS.get(text[:3])
            if record is None:
                continue
            if len(self.faults) >= FAULTS_MAX:
                raise TrfInvalid(tuple(self.faults))
            if len(text.rstrip()) > LINE_LENGTH_MAX:
                self.faults.append(Fault(number, "line_too_long", f"A line has {LINE_LENGTH_MAX} letters at most."))
                continue
            try:
                record(self, number, text)
            except Unreadable as trouble:
                self.faults.append(fault_of(number, trouble))

    def finished(self) -> Trf:
        """Raises `TrfInvalid`."""
        if not self.players and not self.faults:
            self.faults.append(Fault(0, "no_players", "The file has no line of a player (001)."))
        self._give_byes()
        self._stop()
        players = [self.players[number] for number in sorted(self.players)]
        self.faults += check(players, FAULTS_MAX)
        self._stop()
        is_team_event = bool(self.rosters)
        competitors = players
        if is_team_event:
            competitors, found = team_competitors(players, self.rosters, self.team_byes)
            self.faults += found
            self._stop()
        known = {each.number for each in competitors}
        self.faults += [
            Fault(line, "number_unknown", f"Nobody has the number {each}.")
            for each, line in [*self.absent.items(), *((one, line) for line, group in self.forbidden for one in group)]
            if each not in known
        ][:FAULTS_MAX]
        self._stop()
        paired = last_paired(competitors)
        kind = f"{self.kind} {self.code}".upper()
        return Trf(
            name=self.name,
            competitors=tuple(competitors),
            rounds=self.rounds,
            paired=paired,
            worth=Worth(**self.worth),
            absent=frozenset(self.absent),
            forbidden=tuple(
                (one, other)
                for _, group in self.forbidden
                for place, one in enumerate(group)
                for other in group[place + 1 :]
            ),
            top=self.top or _top(competitors),
            round_robin="SWISS" not in kind and ("ROBIN" in kind or "BERGER" in kind),
            teams=is_team_event,
            code=self.code,
            tie_breaks=self.tie_breaks,
            accelerated=self.accelerated,
        )

    def _stop(self) -> None:
        if self.faults:
            raise TrfInvalid(tuple(self.faults[:FAULTS_MAX]))

    def _give_byes(self) -> None:
        """The byes that have records of their own, where the line of the player says nothing of the round."""
        for line, round_number, number, bye in self.byes:
            if self.rosters:
                self.team_byes.setdefault(number, {})[round_number] = bye
                continue
            known = self.players.get(number)
            if known is None:
                self.faults.append(Fault(line, "number_unknown", f"Nobody has the number {number}."))
            elif known.past(round_number) is None:
                rounds = [*known.rounds, *[None] * (round_number - len(known.rounds))]
                rounds[round_number - 1] = bye
                self.players[number] = replace(known, rounds=tuple(rounds))

    # --- records ---

    def add_player(self, number: int, text: str) -> None:
        found = player(number, text)
        if found.number in self.players:
            raise Unreadable("number_twice", f"The starting number {found.number} stands twice.")
        if len(self.players) >= PLAYERS_MAX:
            raise Unreadable("too_many_players", f"A file has {PLAYERS_MAX} players at most.")
        self.players[found.number] = found

    def add_name(self, _number: int, text: str) -> None:
        self.name = text[4:].strip()

    def add_rounds(self, _number: int, text: str) -> None:
        self.rounds = whole(text[4:], "The number of rounds") or None

    def add_kind(self, _number: int, text: str) -> None:
        self.kind = text[4:].strip()

    def add_code(self, _number: int, text: str) -> None:
        self.code = text[4:].strip().upper()

    def add_worth(self, _number: int, text: str) -> None:
        for name, value in _WORTH.findall(text[4:].upper()):
            if name in _SCORES:
                self.worth[_SCORES[name]] = points(value, "The points of a result") or 0

    def add_own_worth(self, _number: int, text: str) -> None:
        self.worth[_BB[text[:3]]] = points(text[4:], "The points of a result") or 0

    def add_absent(self, number: int, text: str) -> None:
        self.absent |= {int(each[:9]): number for each in _NUMBERS.findall(text[4:])}

    def add_forbidden(self, number: int, text: str) -> None:
        """Record 260 names rounds before the competitors, XXP does not."""
        group = _NUMBERS.findall(text[12:] if text.startswith("260") else text[4:])
        self.forbidden.append((number, tuple(dict.fromkeys(int(each[:9]) for each in group))))

    def add_top(self, _number: int, text: str) -> None:
        """Of record 152 and of older ones: the colour of the first number."""
        colour = text[4:].strip().upper()
        if colour.startswith(("W", "B")):
            self.top = "NS" if colour.startswith("W") else "EW"

    def add_tie_breaks(self, _number: int, text: str) -> None:
        self.tie_breaks = tuple(text[4:].replace(",", " ").split())

    def add_acceleration(self, _number: int, _text: str) -> None:
        self.accelerated = True

    def add_byes(self, number: int, text: str) -> None:
        """Record 240: a kind of bye, a round, and who has it there."""
        bye = bye_of(text[4:5].upper().strip() or "Z")
        round_number = whole(text[6:9], "The round")
        if bye is None or not 1 <= round_number <= ROUNDS_MAX:
            raise Unreadable("bye_invalid", "A bye is F, H or Z, and has a round.")
        self.byes += [(number, round_number, int(each[:9]), bye) for each in _NUMBERS.findall(text[9:])]

    def add_team_byes(self, number: int, text: str) -> None:
        """Record 320: what the bye counts, then the team that had it, by round."""
        for round_number, at in enumerate(range(14, min(len(text), 14 + 4 * ROUNDS_MAX), 4), 1):
            team = whole(text[at : at + 3], "The team")
            if team:
                self.byes.append((number, round_number, team, Past("U")))

    def add_team(self, number: int, text: str) -> None:
        if text.startswith("310"):
            members = [whole(text[at : at + 4], "The player") for at in range(73, len(text.rstrip()), 5)]
            roster = Roster(number, whole(text[4:7], "The team's number"), text[8:40].strip(), tuple(members))
        else:
            members = [whole(text[at : at + 4], "The player") for at in range(36, len(text.rstrip()), 5)]
            roster = Roster(number, len(self.rosters) + 1, text[4:36].strip(), tuple(members))
        self.rosters.append(roster)


def _top(competitors: list[Competitor]) -> Compass | None:
    """The side of the first number in round 1, by who sat how there: odd numbers have it, even ones the other."""
    for place, each in enumerate(competitors):
        past = each.past(1)
        if past is not None and past.side is not None:
            return past.side if place == 0 else None
    return None


def _records() -> Iterator[tuple[str, Callable[[_Reading, int, str], None]]]:
    yield "001", _Reading.add_player
    yield "012", _Reading.add_name
    yield "092", _Reading.add_kind
    yield "192", _Reading.add_code
    for name in ("142", "XXR"):
        yield name, _Reading.add_rounds
    for name in ("162", "XXS"):
        yield name, _Reading.add_worth
    for name in _BB:
        yield name, _Reading.add_own_worth
    for name in ("152", "XXC"):
        yield name, _Reading.add_top
    yield "XXZ", _Reading.add_absent
    for name in ("260", "XXP"):
        yield name, _Reading.add_forbidden
    for name in ("202", "212"):
        yield name, _Reading.add_tie_breaks
    for name in ("250", "XXA"):
        yield name, _Reading.add_acceleration
    yield "240", _Reading.add_byes
    yield "320", _Reading.add_team_byes
    for name in ("013", "310"):
        yield name, _Reading.add_team


_RECORDS: Final = dict(_records())
