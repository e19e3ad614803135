"""Writing a record: header, every event with its hashes, trailer (formats, part 7).

events                  -> write_record
bodies and their hashes -> stored_record   (what a store keeps: canonical JSON without `prev` and `hash`)
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

import msgspec
from msgspec import UNSET, Raw
from msgspec.structs import replace

from domain import events
from domain.canonical import canonical
from domain.chain import first_prev, link
from domain.events import AnyEvent
from domain.records.shapes import VERSION, Header, Player, Result, Trailer
from domain.rulesets import RuleSet
from domain.state import State

_members: Final = msgspec.json.Decoder(dict[str, Raw]).decode
_encode: Final = msgspec.json.Encoder(order="sorted").encode


def header_of(game: str, players: Sequence[Player], state: State) -> Header:
    """The header of a game that has ended, from its last state."""
    rules = state.table.rules
    return _header(game, players, rules.ruleset, rules.sides, Result(state.winners, state.totals))


def players_of(state: State, names: Mapping[str, str]) -> list[Player]:
    """Who holds the seats, in their order, by the names for display that are given for players; else by the id."""
    return [
        Player(seat, names.get(occupant.player, occupant.player), occupant.kind)
        for seat, occupant in enumerate(state.table.seats)
        if occupant is not None
    ]


def _header(
    game: str, players: Sequence[Player], ruleset: RuleSet, sides: tuple[tuple[int, ...], ...], result: Result
) -> Header:
    return Header(record=VERSION, game=game, ruleset=ruleset, players=tuple(players), sides=sides, result=result)


def write_record(game: str, players: Sequence[Player], happened: Sequence[AnyEvent]) -> Iterator[bytes]:
    """The lines of a record, each with its line feed, from every event of a game that has ended, `at` and `salt` set.

    Hashes are made anew. Raises `ValueError` where the events neither begin nor end a game.
    """
    created = next((event for event in happened if isinstance(event, events.Created)), None)
    ended = next((event for event in happened if isinstance(event, events.GameEnded)), None)
    if created is None or ended is None:
        raise ValueError("A record is of a game from its first event to its end.")
    header = _header(game, players, created.ruleset, created.sides, Result(ended.winners, ended.totals))
    return stored_record(header, _hashed(game, happened))


def _hashed(game: str, happened: Iterable[AnyEvent]) -> Iterator[tuple[bytes, str]]:
    head = first_prev(game)
    for event in happened:
        body = canonical(replace(event, prev=UNSET, hash=UNSET))
        head = link(head, body)
        yield body, head


def stored_record(header: Header, stored: Iterable[tuple[bytes, str]]) -> Iterator[bytes]:
    """The lines of a record, each with its line feed, from the body and the hash of every event in order.

    The bytes of a body are kept as they are; it is taken on trust that they are canonical and have that hash.
    """
    yield canonical(header) + b"\n"
    head = first_prev(header.game)
    count = 0
    for body, hashed in stored:
        members: dict[str, object] = {**_members(body), "prev": head, "hash": hashed}
        yield _encode(members) + b"\n"
        head = hashed
        count += 1
    yield canonical(Trailer(end=True, events=count, head=head)) + b"\n"
