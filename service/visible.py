"""How much of a game a viewer may see by now: watchers stay behind the table where it says so."""

from datetime import UTC, datetime, timedelta
from typing import Final

from domain.redaction import Viewer
from domain.state import State
from service.games import Games
from service.live import LiveGame

FIRST_VERSION: Final = 1
"""That a game exists is told at once."""


def delay_seconds(state: State, viewer: Viewer | None) -> int:
    """How far behind the table a viewer is kept."""
    return state.table.watch.delay_seconds if viewer == "watcher" else 0


def knows_version(state: State, viewer: Viewer | None) -> bool:
    """Whether a viewer may know at which version the game is."""
    return viewer is not None and not delay_seconds(state, viewer)


async def visible_version(games: Games, live: LiveGame, viewer: Viewer | None) -> int:
    """The last version that the viewer may know of."""
    delay = delay_seconds(live.state, viewer)
    if not delay:
        return live.state.version
    return await games.version_before(live, datetime.now(UTC) - timedelta(seconds=delay), FIRST_VERSION)


async def visible_state(games: Games, live: LiveGame, viewer: Viewer | None) -> State:
    """The state that the viewer may know of."""
    state = live.state
    version = await visible_version(games, live, viewer)
    return state if version == state.version else await games.state_at(live, version)
