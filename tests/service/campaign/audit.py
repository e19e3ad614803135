"""What must hold of a game afterwards, by the public interface alone."""

import random
from itertools import pairwise
from typing import Any, Final

import msgspec

from domain.canonical import canonical
from domain.chain import first_prev, link
from domain.records.lines import split_lines
from domain.records.verification import verify
from tests.service.campaign.played import Acknowledged, PlayedTable

LATE_REPEATS: Final = 5
LAID_BY_THE_DEAL: Final = "laid_red_three"
"""An event that names a seat although another seat's command brought it about."""


async def audit(played: PlayedTable, chance: random.Random) -> list[dict[str, Any]]:
    """Check a finished game; its events. Every breach is an `AssertionError`."""
    events = await _events(played)
    _gapless_and_chained(played.table.id, events)
    _exactly_once(played, events)
    assert _without_hidden(played.follower.events, events), "the stream told something else than the log"
    record = await played.table.get("/record")
    verdict = verify(split_lines([record.content]))
    assert verdict.fault is None, verdict.fault
    for command in chance.sample(played.acknowledged, min(LATE_REPEATS, len(played.acknowledged))):
        await _repeated(played, command)
    assert await _events(played) == events, "a repeated command changed the game"
    return events


async def _events(played: PlayedTable) -> list[dict[str, Any]]:
    events: list[dict[str, Any]] = []
    after: int | None = 0
    while after is not None:
        page = (await played.table.get(f"/events?after={after}")).json()
        events += page["events"]
        after = page["next"]
    return events


def _gapless_and_chained(game: str, events: list[dict[str, Any]]) -> None:
    assert [event["n"] for event in events] == list(range(1, len(events) + 1))
    expected = first_prev(game)
    for event in events:
        body = {name: value for name, value in event.items() if name not in ("prev", "hash")}
        assert event["prev"] == expected, f"the chain is broken before event {event['n']}"
        expected = link(expected, canonical(body))
        assert event["hash"] == expected, f"the hash of event {event['n']} is not that of its body"


def _exactly_once(played: PlayedTable, events: list[dict[str, Any]]) -> None:
    """Every acknowledged command has its events, and no event of a person is without one."""
    commands = played.acknowledged
    for before, after in pairwise(commands):
        assert before.after <= after.before, f"{before} and {after} overlap"
    accounted: set[int] = set()
    for command in commands:
        assert command.before < command.after <= len(events), f"{command} is not in the log"
        assert events[command.before]["seat"] == command.seat, f"{command} is not what the log has"
        accounted.update(range(command.before + 1, command.after + 1))
    for event in events[played.set_up :]:
        if event["n"] in accounted:
            continue
        by_a_bot = event.get("seat") in played.bots or "seat" not in event or event["type"] == LAID_BY_THE_DEAL
        assert played.bots, f"event {event['n']} was never acknowledged"
        assert by_a_bot, f"event {event['n']} of a person was never acknowledged"


def _without_hidden(told: list[dict[str, Any]], events: list[dict[str, Any]]) -> bool:
    """Whether a seat was told the same events in the same order, whatever was hidden in them."""
    return [(event["n"], event["type"], event["hash"]) for event in told] == [
        (event["n"], event["type"], event["hash"]) for event in events
    ]


async def _repeated(played: PlayedTable, command: Acknowledged) -> None:
    """A command that comes once more, long after, gets its first answer."""
    answer = await played.send(command)
    assert answer.status_code == 201, answer.text
    assert msgspec.json.decode(answer.content)["version"] >= command.after
