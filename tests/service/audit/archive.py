"""An archive to be audited: games of every preset and state, appended through the store, signed as they came in."""

import asyncio
import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import msgspec
from msgspec import UNSET, Struct
from msgspec.structs import replace

from domain import events
from domain.boards import BoardChance, board_terms
from domain.canonical import canonical
from domain.cards import faces_of
from domain.chain import first_prev
from domain.chance import FairChance, PracticeChance, fair_terms
from domain.ending import abort, adjudication
from domain.events import AnyEvent, Created, encode, type_of
from domain.evolve import fold, initial_state
from domain.fairness import MASTER_BYTES, board_commitment
from domain.lobby import close
from domain.moves import Discard, Draw
from domain.playing import complete, play
from domain.refusals import Refusal
from domain.state import State
from domain.tournaments.event import Text
from domain.tournaments.events import (
    AnyTournamentEvent,
    BoardsCommitted,
    RegistrationClosed,
    RegistrationOpened,
    TournamentCreated,
    TournamentStarted,
)
from domain.tournaments.fold import begin
from domain.tournaments.fold import fold as fold_tournament
from domain.tournaments.formats import Swiss
from domain.tournaments.games import game_id as game_id_of
from domain.tournaments.round_events import RoundPaired, StageBegun
from domain.tournaments.seating import MatchPaired, TableSeats
from domain.tournaments.state import Tournament
from service.boards import Boards
from service.checkpoints.keys import KeyDirectory
from service.checkpoints.lines import Place, lines_after
from service.checkpoints.sealing import Sealing, rotate
from service.offline.beacons import Chains
from service.seals import UNTIL_LIFTED
from service.store.append import Append, PutGame, PutMatchGame, PutSeal, PutSeat, PutSecret, PutText, Write, chained
from service.store.base import Appended
from service.store.postgres import PostgresStore
from service.tournaments.beside import side_writes as tournament_writes
from service.tournaments.texts import text_digest
from service.turns import Patience, side_writes
from tests.domain.golden_games import NAMES, events_of, game_id
from tests.domain.records.record_files import Game
from tests.domain.tournaments.scenarios import terms_of

ACTOR: Final = "p0"
TURNS: Final = 3
"""Turns of the practice game that stands in the middle of a hand."""

AT: Final = datetime(2026, 1, 1, tzinfo=UTC)
PATIENCE: Final = Patience(
    bot_seconds=5.0, nonce_seconds=60.0, beacon_late_seconds=60.0, open_table_seconds=3600.0, chains=Chains()
)

_FOLLOWING: Final = (events.HandEnded, events.Dealt, events.Placed, events.GameEnded, events.Revealed)
"""What comes in the append of the event before it."""

_FIRST: Final = (events.Created, events.Seated)


class Told(Struct, frozen=True):
    """A game to be stored: its id, its events with time and salt, its master, and whether it is sealed."""

    id: str
    happened: Sequence[AnyEvent]
    master: bytes | None = None
    sealed_until: datetime | None = None
    tournament: tuple[str, int] | None = None


CLOSED: Final = "t" + "0" * 31 + "3"
OPENED: Final = "t" + "0" * 31 + "4"
TOURNAMENTS: Final = (CLOSED, OPENED)
"""Tournaments with boards; those of the second one have been played and revealed.

Nothing of them is in the shard of the practice game that `rewritings` makes anew, which is the end of its shard.
"""

MATCH: Final = "r1m1"
TITLE: Final = PutText(id="title", kind="title", author="p", key="00" * 32, body="The cup")


def games() -> Iterator[Told]:
    """Finished games of every preset, and games that have come to every other state."""
    for name in NAMES:
        happened = [replace(event, prev=UNSET, hash=UNSET) for event in events_of(name)]
        revealed = happened[-1]
        master = bytes.fromhex(revealed.master) if isinstance(revealed, events.Revealed) else None
        yield Told(game_id(name), happened, master)
        if name in NAMES[::4]:
            # The same game under another id, broken off where it stands.
            parts = list(appends(happened))
            for at in (1, 2, len(parts) // 3, 2 * len(parts) // 3):
                yield Told(f"{name}-{at}", [event for part in parts[:at] for event in part], master)
            yield Told(f"{name}-alone", happened[:1], master)
    for turns in (0, TURNS, 9):
        practice = practice_game(turns)
        if turns == 9:
            practice.finish(PracticeChance())
        yield Told(f"practice-{turns}", stamped(practice.happened))
    for name, sealed in (("aborted", False), ("sealed", True)):
        chance = FairChance(name, hashlib.shake_256(name.encode()).digest(MASTER_BYTES))
        fair = Game(players=2, fairness=fair_terms("server_only", chance.master))
        fair.begin(chance)
        fair.turns(2, chance)
        fair.add(abort(fair.state, "technical"))
        if not sealed:
            fair.add(complete(fair.state, [], chance)[0])
        until = datetime.now(UTC) + timedelta(days=30) if sealed else None
        yield Told(name, stamped(fair.happened), chance.master, until)
    yield from board_games()
    closing = Game(players=2, fairness=fair_terms("players", bytes(MASTER_BYTES)))
    closing.seat_everybody()
    closing.add(close(closing.state, ["0" * 64, None]))
    yield Told("closed", stamped(closing.happened), bytes(MASTER_BYTES))


def board_games() -> Iterator[Told]:
    """Two tables on the same boards: of the first tournament one has ended, of the second one both."""
    for tournament in TOURNAMENTS:
        for table in (1, 2):
            chance = BoardChance(tournament, board_master(tournament))
            game = Game(players=2, fairness=board_terms(tournament, chance.master, [4, 2]), stock="striped")
            game.begin(chance)
            game.turns(table, chance)
            if tournament == OPENED or table == 1:
                game.add(adjudication(game.state, None, "time"))
            if tournament == OPENED:
                game.add(complete(game.state, [], chance)[0])
            place = game_id_of(tournament, MATCH, table, 1)
            yield Told(place, stamped(game.happened), None, UNTIL_LIFTED, (tournament, table))


def tournament_events(tournament: str) -> list[AnyTournamentEvent]:
    """A tournament from its announcement to its start, with time and salt."""
    created = TournamentCreated(
        terms=terms_of(Swiss(rounds=1)), commitment=board_commitment(board_master(tournament)),
        title=Text(TITLE.id, text_digest(bytes.fromhex(TITLE.key), TITLE.body)), engine="test/1",
    )  # fmt: skip
    tables = tuple(TableSeats(table, ("e1", "e2"), ("p1", "p2")) for table in (1, 2))
    paired = MatchPaired(id=MATCH, sides=(("e1",), ("e2",)), tables=tables, boards=(4, 2))
    happened: list[AnyTournamentEvent] = [
        created,
        RegistrationOpened(),
        RegistrationClosed(),
        BoardsCommitted(boards=5),
        TournamentStarted(),
        StageBegun(stage=0, entrants=("e1", "e2"), carried=(0, 0), rounds=1),
        RoundPaired(round=1, stage=0, matches=(paired,), byes={}, engine="test/1", digest="0" * 64),
    ]
    at = "2026-01-01T00:00:00.000Z"
    return [replace(event, n=n, at=at, by=ACTOR, salt=f"{n:032x}") for n, event in enumerate(happened, 1)]


async def store_tournament(into: PostgresStore, tournament: str) -> None:
    """Append a tournament event by event as the service does, with its row, its master and its boards."""
    head = first_prev(tournament)
    state: Tournament | None = None
    for event in tournament_events(tournament):
        before = state
        if state is None:
            assert isinstance(event, TournamentCreated)
            state = begin(tournament, event)
        else:
            state = fold_tournament(state, [event])
        writes = tournament_writes(before, state, [event], AT, 5.0)
        body = canonical(
            {key: value for key, value in msgspec.to_builtins(event).items() if key not in ("prev", "hash")}
        )
        new = chained(head, [(str(event.__struct_config__.tag), body)])
        secret = () if before is not None else (PutSecret(board_master(tournament).hex()), TITLE)
        outcome = await into.append(
            Append(
                stream=tournament, expected_version=event.n - 1, prev_hash=head, events=new, actor=ACTOR,
                writes=(*secret, *writes),
            )
        )  # fmt: skip
        assert isinstance(outcome, Appended)
        head = new[-1].hash


def board_master(tournament: str) -> bytes:
    return hashlib.shake_256(tournament.encode()).digest(MASTER_BYTES)


def practice_game(turns: int, *, other: bool = False) -> Game:
    """A practice game of so many turns of each seat; the `other` one goes on otherwise, by the rules as well."""
    game = Game(players=4, origin={"kind": "seed", "seed": "0102"})
    game.begin(PracticeChance())
    if other:
        state = game.state
        game.add(play_of(state, Draw()))
        lowest = next(iter(faces_of(game.state.holdings[state.turn])))
        game.add(play_of(game.state, Discard((lowest,))))
        game.turns(turns, PracticeChance())
        del game.happened[-2:]
        return game
    game.turns(turns, PracticeChance())
    return game


def play_of(state: State, move: Draw | Discard) -> list[AnyEvent]:
    """What a move of the seat to act makes happen."""
    done = play(state, state.turn, [move], PracticeChance())
    assert not isinstance(done, Refusal)
    return done[0]


def stamped(happened: Sequence[AnyEvent]) -> list[AnyEvent]:
    """The events with a time and a salt."""
    return [replace(event, at="2026-01-01T00:00:00.000Z", salt=f"{event.n:032x}") for event in happened]


def appends(happened: Sequence[AnyEvent]) -> Iterator[list[AnyEvent]]:
    """The events in parts that were appended together."""
    part: list[AnyEvent] = []
    for event in happened:
        together = isinstance(event, _FOLLOWING) or (isinstance(event, _FIRST) and not part[1:])
        if part and not together:
            yield part
            part = []
        part.append(event)
    yield part


async def store(into: PostgresStore, told: Told) -> None:
    """Append a game as the service does, with its row, its seats and its master."""
    head = first_prev(told.id)
    state: State | None = None
    for part in appends(told.happened):
        before, version = state, 0 if state is None else state.version
        if state is None:
            created = part[0]
            assert isinstance(created, Created)
            state = fold(initial_state(created), part[1:])
        else:
            state = fold(state, part)
        touch, writes = side_writes(before, state, part, AT.timestamp(), PATIENCE)
        new = chained(head, [(type_of(event), encode(event)) for event in part])
        extra = _first_writes(told, state, writes) if before is None else ()
        outcome = await into.append(
            Append(
                stream=told.id, expected_version=version, prev_hash=head, events=new, actor=ACTOR, touch=touch,
                writes=(*extra, *writes),
            )
        )  # fmt: skip
        assert isinstance(outcome, Appended)
        head = new[-1].hash


def _first_writes(told: Told, state: State, writes: Sequence[Write]) -> Iterator[Write]:
    rules = state.table.rules
    yield PutGame(
        share_code=told.id, visibility="public", status=state.table.status, ruleset=rules.ruleset.name,
        players=rules.players, practice=state.table.origin is not None, created_by=ACTOR, created_at=AT,
    )  # fmt: skip
    taken = {write.seat for write in writes if isinstance(write, PutSeat)}
    for seat in range(rules.players):
        if seat not in taken:
            yield PutSeat(seat=seat, kind="open")
    if told.master is not None:
        yield PutSecret(told.master.hex())
    if told.sealed_until is not None:
        yield PutSeal(told.sealed_until)
    if told.tournament is not None:
        tournament, number = told.tournament
        yield PutMatchGame(tournament=tournament, match=MATCH, round=1, table_number=number, leg=1, on_boards=True)


class Kept(Struct, frozen=True):
    """What was kept outside while the archive grew: every signed line."""

    witness: list[bytes]


async def build(url: str, keys: Path) -> Kept:
    """Fill a migrated database; a checkpoint is signed after every few games, and the key changed once."""
    into = await PostgresStore.open(url)
    sealing = Sealing(into.pool, KeyDirectory(keys), seconds=0.0, events_max=1)
    told = list(games())
    boards = Boards(into.pool)
    for start in range(0, len(told), 4):
        await asyncio.gather(*(store(into, game) for game in told[start : start + 4]))
        while (step := await sealing.step()) is not None and step.more:
            pass
        if start == 16:
            async with into.pool.acquire() as connection, connection.transaction():
                assert await rotate(connection, KeyDirectory(keys)) is not None
    await asyncio.gather(*(store_tournament(into, tournament) for tournament in TOURNAMENTS))
    while (step := await sealing.step()) is not None and step.more:
        pass
    assert [await boards.open(tournament) for tournament in TOURNAMENTS] == [False, True]
    # So long ago that every reveal must have come.
    await into.pool.execute("update board_set set opened_at = opened_at - interval '1 day'")
    lines = [line async for placed in lines_after(into.pool, Place()) for line in placed.lines]
    await into.close()
    return Kept(lines)
