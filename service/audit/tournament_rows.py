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
from domain.tournaments.history import UNPLAYED
from domain.tournaments.outcomes import outcome
from domain.tournaments.round_events import GameFinished, MatchDecided, ResultRecorded, StandingsPublished
from domain.tournaments.seating import GameResult
from domain.tournaments.standings import standings
from domain.tournaments.state import Match, Tournament
from service.audit.findings import Finding, FindingCode
from service.audit.match_games import Fault, PlayedGame, game_faults
from service.tournaments.texts import text_digest

_TEXTS = "select id, key, body from tournament_text where tournament = $1"
_PLAYERS = "select player, entrant from tournament_player where tournament = $1"
_GAMES = "select game, match, round, table_number, leg, on_boards, told from tournament_game where tournament = $1"


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
    now = standings(before, event.stage)
    if event.order != tuple(row.entrant for row in now.rows):
        return "The order published is not the one that the events before give."
    if event.digest != sha256(canonical(now)).hexdigest():
        return "The standings published are not those that the events before give."
    return None


def decision_fault(before: Tournament, event: MatchDecided) -> str | None:
    """What is wrong with the decision of a match, by the state before it. One without a game has no results."""
    match = before.matches[event.match]
    if not match.results and event.how in UNPLAYED:
        return None
    came = outcome(before, match)
    if (event.points, event.score, event.winner, event.how) != (came.points, came.score, came.winner, came.how):
        return f"The match {event.match} is not decided as its results give."
    return None


async def compare_rows(
    connection: asyncpg.Connection, state: Tournament, sayings: Sayings, master: bytes | None
) -> list[Finding]:
    """Where what the events say and what is kept elsewhere are not the same. Raises what the driver raises."""
    games = await connection.fetch(_GAMES, state.id)
    found = [
        *_draw_faults(state.id, sayings, master),
        *_text_faults(sayings, await connection.fetch(_TEXTS, state.id)),
        *_line_up_faults(state, await connection.fetch(_PLAYERS, state.id)),
        *_sum_faults(sayings),
        *_game_faults(state, sayings, games),
    ]
    found += [fault async for fault in game_faults(connection, state, _played(state, sayings, games))]
    return [Finding(code, message, game=state.id, n=n) for code, message, n in found]


def _draw_faults(tournament: str, sayings: Sayings, master: bytes | None) -> Iterator[Fault]:
    if master is None:
        return
    for drawn, n in sayings.draws:
        # Lots of a tournament that was read from a file are those of the file, and the event says so.
        if drawn.reason is None and drawn.seed != draw_seed(master, tournament, drawn.purpose):
            yield FindingCode.LOTS_WRONG, f"The seed of {drawn.purpose!r} is not the one that the master gives.", n
    for shown, n in sayings.masters:
        if shown != master.hex():
            yield FindingCode.MASTER_WRONG, "The master revealed is not the one that is kept.", n


def _text_faults(sayings: Sayings, rows: Iterable[asyncpg.Record]) -> Iterator[Fault]:
    kept = {row["id"]: row for row in rows}
    for name, (text, n) in sayings.texts.items():
        row = kept.pop(name, None)
        if row is None:
            yield FindingCode.TEXT_WRONG, f"The text {name} has no row; one that was erased has an empty one.", n
        elif row["body"] is not None and text_digest(row["key"], row["body"]) != text.digest:
            yield FindingCode.TEXT_WRONG, f"The text {name} does not give the digest in the event.", n
    for name in kept:
        yield FindingCode.TEXT_WRONG, f"No event names the text {name}.", None


def _line_up_faults(state: Tournament, rows: Iterable[asyncpg.Record]) -> Iterator[Fault]:
    kept = {row["player"]: row["entrant"] for row in rows}
    expected = {player: entrant.id for entrant in state.entrants.values() for player in entrant.players}
    for player in sorted(kept.keys() | expected.keys()):
        there, needed = kept.get(player), expected.get(player)
        if there != needed and not (needed is not None and there in _owners(state, player)):
            yield FindingCode.LINE_UP_WRONG, f"{player} is kept under {there}, and by the events under {needed}.", None


def _owners(state: Tournament, player: str) -> set[str]:
    """The entrants in whose line-up a player stands; who left one may have entered anew."""
    return {entrant.id for entrant in state.entrants.values() if player in entrant.players}


def _game_faults(state: Tournament, sayings: Sayings, rows: Iterable[asyncpg.Record]) -> Iterator[Fault]:
    kept = {row["game"]: row for row in rows}
    for game, row in kept.items():
        match = _match_of(state, row)
        if match is None:
            yield FindingCode.MATCH_GAME_WRONG, f"The game {game} has no place in the tournament.", None
            continue
        told = "result" if game in sayings.results else "finish" if game in sayings.finishes else "nothing"
        if row["told"] != told:
            message = f"Of the game {game} the row has {row['told']!r} told, and the events {told!r}."
            yield FindingCode.MATCH_GAME_WRONG, message, None
        if (row["round"], row["on_boards"]) != (match.round, bool(match.paired.boards)):
            yield FindingCode.MATCH_GAME_WRONG, f"The row of the game {game} is not of its match's kind.", None
    for game, (result, n) in sayings.results.items():
        if result.game is not None and game not in kept:
            yield FindingCode.MATCH_GAME_WRONG, f"The game {game} has a result, and no row.", n


def _sum_faults(sayings: Sayings) -> Iterator[Fault]:
    for game, (result, n) in sayings.results.items():
        if result.hands and result.points != tuple(map(sum, zip(*result.hands, strict=False))):
            yield FindingCode.RESULT_WRONG, f"The points of {game} are not the sum of its hands.", n


def _played(state: Tournament, sayings: Sayings, rows: Iterable[asyncpg.Record]) -> Iterator[PlayedGame]:
    """The games that have their place in the tournament, with the results that were counted from them."""
    for row in rows:
        match = _match_of(state, row)
        if match is not None:
            told = sayings.results.get(row["game"])
            counted = told if told is not None and told[0].game is not None else None
            yield PlayedGame(row["game"], match, row["table_number"], row["leg"], counted)


def _match_of(state: Tournament, row: asyncpg.Record) -> Match | None:
    """The match in which a game has the place that its row says; None where there is none."""
    match, table = state.matches.get(row["match"]), row["table_number"]
    if match is None or table not in [seats.table for seats in match.paired.tables]:
        return None
    return match if row["game"] == game_id(state.id, match.id, table, row["leg"]) else None
