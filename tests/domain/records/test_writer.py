"""Writing records: what is read can be written again byte for byte."""

import pytest
from msgspec import UNSET
from msgspec.structs import replace

from domain import events
from domain.canonical import canonical
from domain.chance import FairChance, fair_terms
from domain.ending import abort
from domain.lobby import hand_over
from domain.playing import complete
from domain.records.reader import RecordReader
from domain.records.shapes import Player
from domain.records.verification import replay_record, verify
from domain.records.writer import header_of, players_of, stored_record, write_record
from tests.domain.golden_games import NAMES, bare, events_of
from tests.domain.records.record_files import Game, golden, golden_bytes, values_of
from tests.domain.tables import GAME, MASTER


@pytest.mark.parametrize("name", NAMES)
def test_a_record_that_was_read_is_written_byte_for_byte(name: str) -> None:
    reader = RecordReader(golden(name))
    happened = list(reader)
    lines = write_record(reader.header.game, reader.header.players, happened)
    assert b"".join(lines) == golden_bytes(name)


@pytest.mark.parametrize("name", NAMES)
def test_stored_bodies_and_hashes_make_the_record(name: str) -> None:
    header = header_of(name, RecordReader(golden(name)).header.players, replay_record(golden(name)))
    stored = [
        (events.encode(replace(event, prev=UNSET, hash=UNSET)), str(event.hash)) for event in events_of(name)
    ]  # fmt: skip
    assert b"".join(stored_record(header, stored)) == golden_bytes(name)


def test_the_bytes_of_a_stored_body_are_kept() -> None:
    header = RecordReader(golden()).header
    body = b'{"at":"","n":1,"note":"\\u0041\xc3\xa9","type":"x","z":1.50}'
    line = list(stored_record(header, [(body, "h" * 64)]))[1]
    assert line.startswith(b'{"at":"","hash":"' + b"h" * 64 + b'","n":1,"note":"\\u0041\xc3\xa9","prev":"')
    assert line.endswith(b'","type":"x","z":1.50}\n')


def test_a_game_without_an_end_has_no_record() -> None:
    happened = [event for event in events_of(NAMES[0]) if not isinstance(event, events.GameEnded)]
    with pytest.raises(ValueError, match="to its end"):
        write_record("g", [], happened)
    with pytest.raises(ValueError, match="from its first event"):
        write_record("g", [], events_of(NAMES[0])[1:])


def test_a_record_of_a_new_game_verifies_and_is_canonical() -> None:
    game = Game(fairness=fair_terms("server_only", MASTER), players=4)
    chance = FairChance(GAME, MASTER)
    game.begin(chance)
    game.add(hand_over(game.state, 0, "p0", "Zoë ♠ 🃏"))
    game.add(abort(game.state, None))
    game.add(complete(game.state, [], chance)[0])
    lines = game.record()
    assert verify(lines).fault is None
    assert lines == [canonical(value) + b"\n" for value in values_of(lines)]
    assert [bare(event) for event in RecordReader(lines)] == game.happened


def test_players_are_named_for_display_or_by_their_id() -> None:
    game = Game(fairness=fair_terms("server_only", MASTER))
    game.seat_everybody()
    assert players_of(game.state, {"p1": "Bo"}) == [Player(0, "p0", "human"), Player(1, "Bo", "human")]
    game.add([events.Unseated(n=9, seat=0, player="p0", kind="human", bot=None)])
    assert players_of(game.state, {}) == [Player(1, "p1", "human")]
