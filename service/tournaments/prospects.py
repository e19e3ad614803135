"""What comes next in a tournament of itself, or why nothing does: asked once a version, however many look."""

import asyncio
from collections import OrderedDict
from datetime import UTC, datetime

from msgspec import Struct

from domain.tournaments.process import next_moment, obstacle
from domain.tournaments.refusals import TournamentRefused
from domain.tournaments.state import Tournament
from service.tournaments.tournaments import worked_out


class Prospect(Struct, frozen=True):
    """When it goes on of itself at the latest, and what stands in the way; both None where others have to act."""

    next_at: datetime | None
    obstacle: TournamentRefused | None


class Prospects:
    """A bounded number of them by tournament and version, the one longest unused leaves first.

    To know whether a round can be paired is to pair it, which costs a second in large tournaments: that is done beside
    the event loop, and again only when a time has come that may change it.
    """

    def __init__(self, most: int) -> None:
        self._known: OrderedDict[tuple[str, int], asyncio.Task[Prospect]] = OrderedDict()
        self._most = most

    async def of(self, state: Tournament) -> Prospect:
        """What is to be expected of a tournament, as it is now."""
        key = (state.id, state.version)
        known = self._known.get(key)
        if known is None or _is_past(known, datetime.now(UTC)):
            known = self._known[key] = asyncio.create_task(_looked_at(state))
        self._known.move_to_end(key)
        if len(self._known) > self._most:
            self._known.popitem(last=False)
        return await asyncio.shield(known)


def _is_past(known: asyncio.Task[Prospect], now: datetime) -> bool:
    """Whether it says nothing of this time any more."""
    if not known.done():
        return False
    if known.cancelled() or known.exception() is not None:
        return True
    next_at = known.result().next_at
    return next_at is not None and next_at <= now


async def _looked_at(state: Tournament) -> Prospect:
    now = datetime.now(UTC)
    return await worked_out(state, lambda: Prospect(next_moment(state, now), obstacle(state, now)))
