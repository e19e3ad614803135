"""What the events of a tournament say of things kept elsewhere: texts, draws, games, line-ups; compared with those."""

from collections.abc import Iterable, Iterator
from hashlib import sha256

import asyncpg
from msgspec import Struct, field

from domain.canonical import canonical
from domain.tournaments.draws import draw_seed
from domain.tournaments.event import Text
from domain.tournaments.events import AnyTournamentEvent, BoardsRevealed, LotsDrawn
from domain.tournaments.games import game_id
from domain.tournaments.round_events import GameFinished, ResultRecorded, StandingsPublished
from domain.tournaments.seating import GameResult
from domain.tournaments.standings import standings
from domain.tournaments.state import Tournament
from service.audit.findings import Finding, FindingCode
from service.tournaments.texts import text_digest

_TEXTS = "select id, key, body from tournament_text where tournament = $1"
_PLAYERS = "select player, entrant from tournament_player where tournament = $1"
_GAMES = """
select t.game, t.match, t.round, t.table_number, t.leg, t.on_boards, t.told, encode(e.hash, 'hex') as head
from tournament_game t left join event e on e.stream = t.game and e.type = 'game_ended'
where t.tournament = $1
"""


class Sayings(Struct):
    """What the events so far say, each with the number of its event."""

    texts: dict[str, tuple[Text, int]] = field(default_factory=dict)
    draws: list[tuple[LotsDrawn, int]] = field(default_factory=list)
    masters: list[tuple[str, int]] = field(default_factory=list)
    results: dict[str, tuple[GameResult, int]] = field(default_factory=dict)
    finishes: dict[str, int] = field(default_factory=dict)

    def note(self, tournament: str, event: AnyTournamentEvent) -> None:
        """Take in what one more event says."""
        for name in event.__struct_fields__:
            value = getattr(event, name)
            if isinstance(value, Text):
                self.texts[value.id] = (value, event.n)
        if isinstance(event, LotsDrawn):
            self.draws.append((event, event.n))
        elif isinstance(event, BoardsRevealed):
            self.masters.append((event.master, event.n))
        elif isinstance(event, ResultRecorded):
            result = event.result
            self.results[game_id(tournament, result.match, result.table, result.leg)] = (result, event.n)
        elif isinstance(event, GameFinished):
            self.finishes[game_id(tournament, event.match, event.table, event.leg)] = event.n


def standings_fault(before: Tournament, event: StandingsPublished) -> str | None:
    """What is wrong with standings that were published, by the state before them."""
    now = standings(before)
    if event.order != tuple(row.entrant for row in now.rows):
        return "The order published is not the one that the events before give."
    if event.digest != sha256(canonical(now)).hexdigest():
        return "The standings published are not those that the events before give."
    return None


async def compare_rows(
    connection: asyncpg.Connection, state: Tournament, sayings: Sayings, master: bytes | None
) -> list[Finding]:
    """Where what the events say and what is kept elsewhere are not the same. Raises what the driver raises."""
    found = [
        *_draw_faults(state.id, sayings, master),
        *_text_faults(sayings, await connection.fetch(_TEXTS, state.id)),
        *_line_up_faults(state, await connection.fetch(_PLAYERS, state.id)),
        *_game_faults(state, sayings, await connection.fetch(_GAMES, state.id)),
    ]
    return [Finding(code, message, game=state.id, n=n) for code, message, n in found]


_Fault = tuple[FindingCode, str, int | None]


def _draw_faults(tournament: str, sayings: Sayings, master: bytes | None) -> Iterator[_Fault]:
    if master is None:
        return
    for drawn, n in sayings.draws:
        # Lots of a tournament that was read from a file are those of the file, and the event says so.
        if drawn.reason is None and drawn.seed != draw_seed(master, tournament, drawn.purpose):
            yield FindingCode.LOTS_WRONG, f"The seed of {drawn.purpose!r} is not the one that the master gives.", n
    for shown, n in sayings.masters:
        if shown != master.hex():
            yield FindingCode.MASTER_WRONG, "The master revealed is not the one that is kept.", n


def _text_faults(sayings: Sayings, rows: Iterable[asyncpg.Record]) -> Iterator[_Fault]:
    kept = {row["id"]: row for row in rows}
    for name, (text, n) in sayings.texts.items():
        row = kept.pop(name, None)
        if row is None:
            yield FindingCode.TEXT_WRONG, f"The text {name} has no row; one that was erased has an empty one.", n
        elif row["body"] is not None and text_digest(row["key"], row["body"]) != text.digest:
            yield FindingCode.TEXT_WRONG, f"The text {name} does not give the digest in the event.", n
    for name in kept:
        yield FindingCode.TEXT_WRONG, f"No event names the text {name}.", None


def _line_up_faults(state: Tournament, rows: Iterable[asyncpg.Record]) -> Iterator[_Fault]:
    kept = {row["player"]: row["entrant"] for row in rows}
    expected = {player: entrant.id for entrant in state.entrants.values() for player in entrant.players}
    for player in sorted(kept.keys() | expected.keys()):
        there, needed = kept.get(player), expected.get(player)
        if there != needed and not (needed is not None and there in _owners(state, player)):
            yield FindingCode.LINE_UP_WRONG, f"{player} is kept under {there}, and by the events under {needed}.", None


def _owners(state: Tournament, player: str) -> set[str]:
    """The entrants in whose line-up a player stands; who left one may have entered anew."""
    return {entrant.id for entrant in state.entrants.values() if player in entrant.players}


def _game_faults(state: Tournament, sayings: Sayings, rows: Iterable[asyncpg.Record]) -> Iterator[_Fault]:
    kept = {row["game"]: row for row in rows}
    for game, row in kept.items():
        match = state.matches.get(row["match"])
        if match is None or game != game_id(state.id, row["match"], row["table_number"], row["leg"]):
            yield FindingCode.MATCH_GAME_WRONG, f"The game {game} has no place in the tournament.", None
            continue
        told = "result" if game in sayings.results else "finish" if game in sayings.finishes else "nothing"
        if row["told"] != told:
            message = f"Of the game {game} the row has {row['told']!r} told, and the events {told!r}."
            yield FindingCode.MATCH_GAME_WRONG, message, None
        if (row["round"], row["on_boards"]) != (match.round, bool(match.paired.boards)):
            yield FindingCode.MATCH_GAME_WRONG, f"The row of the game {game} is not of its match's kind.", None
    for game, (result, n) in sayings.results.items():
        if result.game is None or result.reason == "ruling":
            continue
        row = kept.get(game)
        if row is None:
            yield FindingCode.MATCH_GAME_WRONG, f"The game {game} has a result, and no row.", n
        elif result.head is not None and result.reason != "position" and row["head"] != result.head:
            yield FindingCode.MATCH_GAME_WRONG, f"The result of {game} was not counted from the end that it has.", n
