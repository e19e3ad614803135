"""A file read: bytes in, a tournament that makes sense out, or everything that is wrong with it.

Nothing is guessed: what contradicts itself is a fault with its line. Records that say nothing about pairings and
results are passed over.
"""

import re
from collections.abc import Callable, Iterator
from itertools import combinations
from typing import Final, NamedTuple

from msgspec.structs import replace

from domain.pairing.shapes import Compass
from service.trf.checks import check, check_ranks, last_paired
from service.trf.columns import ROUNDS_MAX, WORTH, Unreadable, bye_of, fault_of, player, points, span, whole
from service.trf.guesses import baku, first_side
from service.trf.shapes import Barred, Competitor, Fault, Past, Trf, TrfInvalid, Virtual, Worth
from service.trf.team_records import TeamRecords
from service.trf.teams import check_rosters, is_of_teams

BYTES_MAX: Final = 1 << 22
LINES_MAX: Final = 20_000
NAMED_MAX: Final = 100_000
"""Couples that may not meet, and numbers with virtual points, that a file names at most: a short line names many."""

LINE_LENGTH_MAX: Final = 4000
FAULTS_MAX: Final = 50
PLAYERS_MAX: Final = 2000

_BREAKS: Final = re.compile("\r\n|\r|\n")
_NUMBERS: Final = re.compile("[0-9]+")
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
    # Counted before they are made: millions of empty ones would hold up everybody.
    lines = _BREAKS.split(text) if max(text.count("\n"), text.count("\r")) < LINES_MAX else []
    if not lines or len(lines) > LINES_MAX:
        raise TrfInvalid((Fault(LINES_MAX, "too_large", f"A file has {LINES_MAX} lines at most."),))
    return lines


class Bar(NamedTuple):
    """Numbers that may not meet from a round to another one; None: to the last. `line` is where it says so."""

    line: int
    first: int
    last: int | None
    numbers: tuple[int, ...]


class _Reading:
    """A file while it is read."""

    def __init__(self) -> None:
        self.faults: list[Fault] = []
        self.name = ""
        self.players: dict[int, Competitor] = {}
        self.teams = TeamRecords()
        self.team_byes: dict[int, dict[int, Past]] = {}
        self.byes: list[tuple[int, int, int, Past]] = []
        self.rounds: int | None = None
        self.worth: dict[str, int] = {}
        self.absent: dict[int, int] = {}
        self.forbidden: list[Bar] = []
        self.virtual: list[tuple[int, Virtual]] = []
        self.by_rank = False
        self.named = 0
        self.top: Compass | None = None
        self.kind = self.code = ""
        self.tie_breaks: tuple[str, ...] = ()

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
        self.teams.prefer_new()
        is_team_event = is_of_teams(self.teams.rosters, self.players, f"{self.kind} {self.code}")
        self._give_byes(is_team_event)
        self._stop()
        players = [self.players[number] for number in sorted(self.players)]
        self.faults += check(players, FAULTS_MAX)
        self._stop()
        competitors = players
        if is_team_event:
            competitors, found = self.teams.competitors(players, self.team_byes, Worth(**self.worth))
            self.faults += found
        else:
            self.faults += check_rosters(self.teams.rosters, players)
        self._stop()
        self.faults += self._unknown({each.number for each in competitors}, is_team_event)
        self.faults += check_ranks(competitors) if self.by_rank else []
        self._stop()
        return self._made(competitors, is_team_event)

    def _made(self, competitors: list[Competitor], is_team_event: bool) -> Trf:
        rounds = self.rounds
        always = [bar for bar in self.forbidden if bar.first <= 1 and (bar.last is None or bar.last >= (rounds or 0))]
        kind = f"{self.kind} {self.code}".upper()
        made = Trf(
            name=self.name,
            competitors=tuple(competitors),
            rounds=rounds,
            paired=last_paired(competitors),
            worth=Worth(**self.worth),
            matches=self.teams.worth,
            team_size=self.teams.size if is_team_event else 0,
            absent=frozenset(self.absent),
            forbidden=tuple(couple for bar in always for couple in combinations(bar.numbers, 2)),
            barred=tuple(
                Barred(bar.first, bar.last, couple)
                for bar in self.forbidden
                if bar not in always and bar.last is not None
                for couple in combinations(bar.numbers, 2)
            ),
            top=self.top,
            round_robin="SWISS" not in kind and ("ROBIN" in kind or "BERGER" in kind),
            kind=kind.strip(),
            teams=is_team_event,
            code=self.code,
            tie_breaks=self.tie_breaks,
            accelerated=bool(self.virtual) or self.code.endswith("_BAKU"),
            virtual=tuple(
                Virtual(given.first, given.last, tuple(filter(self.players.__contains__, given.numbers)), given.points)
                for _, given in self.virtual
            ),
            by_rank=self.by_rank,
        )
        if not made.virtual and made.accelerated:
            made = replace(made, virtual=baku(made))
        return made if made.top else replace(made, top=first_side(made.ordered))

    def _unknown(self, known: set[int], is_team_event: bool) -> list[Fault]:
        whom = "No team" if is_team_event else "Nobody"
        named = [
            *self.absent.items(),
            *((each, bar.line) for bar in self.forbidden for each in bar.numbers),
            *((each, line) for line, given in self.virtual for each in {given.numbers[0], given.numbers[-1]}),
        ]
        return [
            Fault(line, "number_unknown", f"{whom} has the number {each}.") for each, line in named if each not in known
        ][:FAULTS_MAX]

    def _stop(self) -> None:
        if self.faults:
            raise TrfInvalid(tuple(self.faults[:FAULTS_MAX]))

    def _give_byes(self, is_team_event: bool) -> None:
        """The byes that have records of their own, where the line of the player says nothing of the round."""
        self.byes += [(line, round_number, team, Past("U")) for line, round_number, team in self.teams.byes]
        for line, round_number, number, bye in self.byes:
            if is_team_event:
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
        for name, value in WORTH.findall(text[4:].upper()):
            if name in _SCORES:
                self.worth[_SCORES[name]] = points(value, "The points of a result") or 0

    def add_own_worth(self, _number: int, text: str) -> None:
        self.worth[_BB[text[:3]]] = points(text[4:], "The points of a result") or 0

    def add_absent(self, number: int, text: str) -> None:
        self.absent |= {int(each[:9]): number for each in _NUMBERS.findall(text[4:])}

    def add_forbidden(self, number: int, text: str) -> None:
        """Record 260 names rounds before the competitors, XXP does not."""
        first, last = (span(text, 4) if text.startswith("260") else None) or (1, None)
        group = _NUMBERS.findall(text[12:] if text.startswith("260") else text[4:])
        self._name(len(group) * (len(group) - 1) // 2)
        self.forbidden.append(Bar(number, first, last, tuple(dict.fromkeys(int(each[:9]) for each in group))))

    def add_top(self, _number: int, text: str) -> None:
        """Of record 152 and of older ones: the colour of the first number, and whether ranks are the numbers."""
        for word in text[4:].upper().split():
            if word.startswith(("W", "B")):
                self.top = "NS" if word.startswith("W") else "EW"
            elif word == "RANK" and not text.startswith("152"):
                self.by_rank = True

    def add_tie_breaks(self, _number: int, text: str) -> None:
        self.tie_breaks = tuple(text[4:].replace(",", " ").split())

    def add_acceleration(self, number: int, text: str) -> None:
        """Record 250: virtual points of matches and of games, then the rounds and the numbers that have them."""
        rounds, numbers = span(text, 14), span(text, 22, width=4)
        value = points(text[9:13], "The points") or points(text[4:8], "The points") or 0
        if rounds is None or rounds[0] > rounds[1] or numbers is None or numbers[0] > numbers[1]:
            raise Unreadable("acceleration_invalid", "Virtual points have rounds from 1 on, and numbers.")
        self._name(numbers[1] - numbers[0] + 1)
        given = tuple(range(numbers[0], numbers[1] + 1))
        self.virtual.append((number, Virtual(rounds[0], rounds[1], given, value)))

    def add_own_acceleration(self, number: int, text: str) -> None:
        """Record XXA: a number and its virtual points, round by round."""
        own = whole(text[4:8], "The number")
        ends = range(9, min(len(text.rstrip()), 9 + 5 * ROUNDS_MAX), 5)
        values = [points(text[at : at + 4], "The points") or 0 for at in ends]
        start = 0
        for place, value in enumerate(values, 1):
            if place == len(values) or values[place] != value:
                if value:
                    self._name(1)
                    self.virtual.append((number, Virtual(start + 1, place, (own,), value)))
                start = place

    def _name(self, many: int) -> None:
        """Raises `Unreadable` where a file names more than it may."""
        self.named += many
        if self.named > NAMED_MAX:
            raise Unreadable("too_large", f"A file bars and accelerates {NAMED_MAX} couples and numbers at most.")

    def add_byes(self, number: int, text: str) -> None:
        """Record 240: a kind of bye, a round, and who has it there."""
        bye = bye_of(text[4:5].upper().strip() or "Z")
        round_number = whole(text[6:9], "The round")
        if bye is None or not 1 <= round_number <= ROUNDS_MAX:
            raise Unreadable("bye_invalid", "A bye is F, H or Z, and has a round.")
        self.byes += [(number, round_number, int(each[:9]), bye) for each in _NUMBERS.findall(text[9:])]


def _of_teams(record: Callable[[TeamRecords, int, str], None]) -> Callable[[_Reading, int, str], None]:
    return lambda reading, number, text: record(reading.teams, number, text)


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
    yield "250", _Reading.add_acceleration
    yield "XXA", _Reading.add_own_acceleration
    yield "240", _Reading.add_byes
    yield "320", _of_teams(TeamRecords.add_byes)
    yield "352", _of_teams(TeamRecords.add_size)
    yield "362", _of_teams(TeamRecords.add_worth)
    for name in ("013", "310"):
        yield name, _of_teams(TeamRecords.add_team)


_RECORDS: Final = dict(_records())
