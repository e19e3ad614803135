"""Who sits where in a round, by name: those of its time, whoever has come into a line-up since."""

from collections.abc import Iterable, Mapping

from msgspec import Struct, json

from domain.tournaments.playing import takes_part
from domain.tournaments.seating import Bye
from domain.tournaments.state import Match, Round, Tournament
from domain.tournaments.tables import sides_of
from service.http.operations import Call
from service.http.tournaments.bracket_places import waiting
from service.http.tournaments.sheets import BYES, Seated, Sitting, Sittings, seated, table_titles
from service.http.tournaments.shown import Member, called_by
from service.tournaments.live import LiveTournament
from service.tournaments.pairing_versions import paired_at
from service.tournaments.texts import texts_of


class Seat(Struct, frozen=True):
    """A seat of a table: its side, whose it is, and the player who sits there, or did when the match was over."""

    table: int
    side: str
    entrant: str
    player: str


class WhoSits(Struct, frozen=True, kw_only=True):
    """A round by name.

    seats     of all matches, by table
    out       of entrants without a match, their players
    why       the same, in words: which bye, or what kept them from being paired
    names     how entrants are called, with the names of those who sit for them where they have none of their own
    sitting   of entrants whose name does not say who sits where
    persons   how players are called
    """

    seats: tuple[Seat, ...]
    out: dict[str, tuple[str, ...]]
    why: dict[str, str]
    names: dict[str, str]
    sitting: dict[str, tuple[Sitting, ...]]
    persons: dict[str, str]


class SeatRow(Struct, frozen=True):
    """A line of the list of players: where they sit; `entrant` is whom they play for, without a name that is theirs."""

    name: str
    entrant: Seated
    table: str
    side: str


def seats_of(state: Tournament, match: Match) -> list[Seat]:
    """The seats of a match, table by table and side by side."""
    titles = table_titles(state)
    found = []
    for table in match.paired.tables:
        for title, seats in zip(titles, sides_of(state.terms, len(table.players)), strict=False):
            found += [Seat(table.table, title, table.entrants[seat], table.players[seat]) for seat in seats]
    return found


def sitting_out(then: Tournament, played: Round) -> dict[str, str]:
    """By entrant without a match in a round, why; `then` is how the tournament was when the round was paired."""
    return {entrant: _why(then, entrant, bye) for entrant, bye in played.byes.items()} | {
        entrant: each if then.entrants[entrant].status == "entered" else then.entrants[entrant].status
        for entrant, each in waiting(then, played).items()
    }


def _why(then: Tournament, entrant: str, bye: Bye) -> str:
    found = then.entrants[entrant]
    if bye == "zero_bye" and not found.agreed:
        return "a player has not agreed"
    if bye == "zero_bye" and found.status == "entered" and not takes_part(then, found):
        return "not checked in"
    return BYES[bye]


async def who_sits(call: Call, live: LiveTournament, state: Tournament, played: Round) -> WhoSits:
    """A round with the names of those who sit, or sat, or were to sit, in it."""
    then = state
    why = await _sitting_out(call, state, played)
    if any(_may_have_changed(state, played, entrant) for entrant in why):
        version = await paired_at(call.service.store.pool, state.id, played.number, state.version)
        then = await call.service.tournaments.at(live, version)
        why = await _sitting_out(call, then, played)
    out = {entrant: then.entrants[entrant].players for entrant in why}
    seats = [seat for match in state.matches_of(played.number) for seat in seats_of(state, match)]
    of_entrant: dict[str, list[Seat]] = {}
    for seat in seats:
        of_entrant.setdefault(seat.entrant, []).append(seat)
    line_ups = {entrant: [seat.player for seat in own] for entrant, own in of_entrant.items()} | out
    persons = await _called(call, state, {player for players in line_ups.values() for player in players})
    own_names = await _own_names(call, state, line_ups)
    together = {entrant: _together(persons, players) for entrant, players in line_ups.items()}
    names = together | own_names
    return WhoSits(
        seats=tuple(seats),
        out=out,
        why=why,
        names=names,
        sitting={
            entrant: told
            for entrant in names
            if (told := _sitting(of_entrant.get(entrant, ()), persons, together[entrant], names[entrant]))
        },
        persons=persons,
    )


async def _sitting_out(call: Call, then: Tournament, played: Round) -> dict[str, str]:
    """The same, worked out once for a version: in a large bracket it takes a while."""
    key = ("sitting out", then.id, then.version, played.number)
    kept = await call.service.rendered.of(key, lambda: json.encode(sitting_out(then, played)))
    return json.decode(kept, type=dict[str, str])


def _may_have_changed(state: Tournament, played: Round, entrant: str) -> bool:
    """Whether an entrant may have been another one when a round was paired, as far as the sheet tells of it."""
    found = state.entrants[entrant]
    return bool(found.former) or found.status != "entered" or played.byes.get(entrant) == "zero_bye"


async def _called(call: Call, state: Tournament, players: set[str]) -> dict[str, str]:
    levels = {bot: level for each in state.entrants.values() for bot, level in each.levels.items()}
    names = await call.service.players.names(players - levels.keys())
    return {
        each: called_by([Member(player=each, name=names.get(each), level=levels.get(each), agreed=True)])
        for each in players
    }


async def _own_names(call: Call, state: Tournament, entrants: Iterable[str]) -> dict[str, str]:
    """The names of those entrants that have one of their own."""
    texts = {entrant: name.id for entrant in entrants if (name := state.entrants[entrant].name) is not None}
    own = await texts_of(call.service.store.pool, state.id, {*texts.values()}) if texts else {}
    return {entrant: own[text] for entrant, text in texts.items() if own.get(text)}


def _together(persons: Mapping[str, str], players: Iterable[str]) -> str:
    return " & ".join(persons[player] for player in players)


def _sitting(own: Iterable[Seat], persons: Mapping[str, str], together: str, name: str) -> tuple[Sitting, ...]:
    """Who sits where for an entrant, by table where it has several; nothing where its name says everything."""
    tables: dict[int, list[Seat]] = {}
    for seat in own:
        tables.setdefault(seat.table, []).append(seat)
    if len(tables) > 1:
        return tuple(
            Sitting(f"Table {table}, {there[0].side}", _together(persons, [seat.player for seat in there]))
            for table, there in tables.items()
        )
    return () if together == name else (Sitting("", together),)


def seat_rows(state: Tournament, found: WhoSits) -> tuple[SeatRow, ...]:
    """Everybody of a round in the order of the alphabet, those who sit it out with the reason."""
    nowhere: Sittings = {}

    def row(entrant: str, player: str, table: str, side: str) -> SeatRow:
        name = found.persons[player]
        called = found.names[entrant]
        names = {entrant: "" if called == name else called}
        return SeatRow(name, seated(state, entrant, names, nowhere), table, side)

    rows = [row(seat.entrant, seat.player, str(seat.table), seat.side) for seat in found.seats]
    rows += [row(entrant, player, "–", found.why[entrant]) for entrant, own in found.out.items() for player in own]
    return tuple(sorted(rows, key=lambda each: (each.name.casefold(), each.entrant.number)))
