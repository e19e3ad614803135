"""Looking back at a game: the moment of any event, what happened in words, statistics.

Nothing is told that the caller may not see of the game by now: sentences, highlights and statistics are made from the
public forms of the events.
"""

import asyncio
from collections.abc import Callable
from typing import Annotated, Any, Final, TypeVar

import msgspec
from msgspec import Meta, Struct
from msgspec.structs import asdict

from domain.events import AnyEvent, type_of
from domain.highlights import Highlight, highlights
from domain.redaction import Viewer, redact
from domain.statistics import Statistics, statistics
from domain.telling import tell
from domain.views import View, view_for
from service.decoding import decoded
from service.http.access import check_unsealed, needed_viewer
from service.http.games import GameQuery
from service.http.history import PAGE_DEFAULT, PAGE_MAX
from service.http.operations import AnswerKind, Call, Header, Operation, Reply
from service.http.parameters import if_none_match
from service.http.perspectives import Eyes, caching, perspective
from service.http.problems import Problem
from service.http.tables import etag, find_game
from service.live import LiveGame
from service.store.base import VERSION_MAX, StoredEvent
from service.visible import visible_version

T = TypeVar("T")

_encode: Final = msgspec.json.Encoder(order="deterministic").encode


class PageQuery(Eyes, frozen=True, forbid_unknown_fields=True):
    """The sentences of the events above `after`, at most `limit` of them; the eyes as for a moment."""

    after: Annotated[int, Meta(ge=0, le=VERSION_MAX)] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT


class MomentLinks(Struct, frozen=True):
    """Addresses with the same parameters; null where there is no such event."""

    previous: str | None
    next: str | None
    first: str
    last: str
    index: str


class Moment(Struct, frozen=True, kw_only=True):
    """The game after event `n`, as somebody may see it.

    seat, all_hands   from which seat it is looked at (null: from none), and whether every card is seen
    event, text       what happened, and that in words; seats are called by their numbers
    last              the last event that the caller may know of
    previous, next    the events beside it
    """

    game: str
    n: int
    last: int
    seat: int | None
    all_hands: bool
    event: AnyEvent
    text: str
    view: View
    previous: int | None
    next: int | None
    links: MomentLinks


class ToldHighlight(Highlight, frozen=True, kw_only=True, omit_defaults=True):
    """A highlight and its event in words."""

    text: str


class Told(Struct, frozen=True):
    """An event in words."""

    n: int
    at: str
    type: str
    text: str


class ReplayIndex(Struct, frozen=True, kw_only=True):
    """What to jump to in a game, and a page of what happened in words.

    `highlights` are those of the whole game on the first page (`after` 0) and null on the others. `next` is the `after`
    of the next page, null where these are the last events so far.
    """

    game: str
    last: int
    seat: int | None
    all_hands: bool
    highlights: tuple[ToldHighlight, ...] | None
    texts: tuple[Told, ...]
    next: int | None


async def get_moment(call: Call) -> Reply:
    eyes: Eyes = call.query
    live, allowed = await find_game(call, eyes.code)
    looks = perspective(live, allowed, eyes)
    viewer = looks.viewer
    games = call.service.games
    last = await visible_version(games, live, allowed.viewer)
    n = _number(call.path["n"], last)
    headers = (caching(live, eyes), etag(last))
    if if_none_match(call.headers, last):
        return Reply(304, b"", headers)
    event, state = await games.moment(live, n)
    event = redact(event, viewer)
    previous = n - 1 if n > 1 else None
    following = n + 1 if n < last else None
    moment = Moment(
        game=live.facts.id,
        n=n,
        last=last,
        seat=looks.seat,
        all_hands=viewer == "everyone",
        event=event,
        text=tell(event, _seat_names(live)),
        view=view_for(state, viewer, looks.seat),
        previous=previous,
        next=following,
        links=MomentLinks(
            previous=_address(live, eyes, previous),
            next=_address(live, eyes, following),
            first=f"{_path(live)}/1{eyes.parameters()}",
            last=f"{_path(live)}/{last}{eyes.parameters()}",
            index=f"{_path(live)}{eyes.parameters()}",
        ),
    )
    return Reply(200, _encode(moment), headers)


async def list_replay(call: Call) -> Reply:
    query: PageQuery = call.query
    live, allowed = await find_game(call, query.code)
    looks = perspective(live, allowed, query)
    viewer = looks.viewer
    games = call.service.games
    last = await visible_version(games, live, allowed.viewer)
    headers: tuple[Header, ...] = (caching(live, query), etag(last))
    if if_none_match(call.headers, last):
        return Reply(304, b"", headers)
    limit = min(query.limit, call.service.settings.page_events_max)
    page_end = min(last, query.after + limit)
    names = _seat_names(live)
    found: tuple[ToldHighlight, ...] | None = None
    if query.after == 0:
        happened, found = await gone_through(call, live, last, lambda stored: _indexed(stored, viewer, names))
        page = happened[:page_end]
    else:
        page = [redact(event, viewer) async for event in games.events(live, query.after, page_end)]
    following = page_end if page_end < last else None
    index = ReplayIndex(
        game=live.facts.id,
        last=last,
        seat=looks.seat,
        all_hands=viewer == "everyone",
        highlights=found,
        texts=tuple(Told(event.n, event.at, type_of(event), tell(event, names)) for event in page),
        next=following,
    )
    if following is not None:
        address = f"{_path(live)}{query.parameters(after=following, limit=limit)}"
        headers = (*headers, (b"link", f'<{address}>; rel="next"'.encode()))
    return Reply(200, _encode(index), headers)


async def get_statistics(call: Call) -> Reply:
    live, allowed = await find_game(call, call.query.code)
    viewer = needed_viewer(allowed)
    check_unsealed(live)
    last = await visible_version(call.service.games, live, viewer)
    headers = (caching(live, Eyes(all_hands=True, code=call.query.code)), etag(last))
    if if_none_match(call.headers, last):
        return Reply(304, b"", headers)
    counted = await gone_through(call, live, last, lambda stored: statistics(_seen(stored, viewer)))
    return Reply(200, _encode(counted), headers)


def _indexed(
    stored: list[StoredEvent], viewer: Viewer, names: list[str]
) -> tuple[list[AnyEvent], tuple[ToldHighlight, ...]]:
    """The events of a game as they are seen, and the highlights among them."""
    happened = _seen(stored, viewer)
    found = tuple(
        ToldHighlight(**asdict(highlight), text=tell(happened[highlight.n - 1], names))
        for highlight in highlights(happened)
    )
    return happened, found


def _seen(stored: list[StoredEvent], viewer: Viewer) -> list[AnyEvent]:
    return [redact(event, viewer) for event in decoded(stored)]


async def gone_through(call: Call, live: LiveGame, last: int, work: Callable[[list[StoredEvent]], T]) -> T:
    """What comes of the events of the game up to the one numbered `last`, as they are stored.

    Raises `Problem` where they are too many for one request, `TooManyReviews`, and what `work` does.
    """
    limit = call.service.settings.review_events_max
    if last > limit:
        raise Problem(
            "game_too_long",
            f"Games of up to {limit} events are gone through here; its record has them all.",
            params={"limit": limit, "found": last},
        )
    async with call.service.reviews.turn():
        stored = await call.service.games.stored(live, last)
        # A long game takes long to go through: that must not hold up the moves of others.
        return await asyncio.to_thread(work, stored)


def _number(text: str, last: int) -> int:
    """The number of an event that the caller may know of. Raises `Problem`."""
    if not (text.isascii() and text.isdigit() and text[0] != "0" and len(text) <= len(str(last)) and int(text) <= last):
        raise event_not_found(text, last)
    return int(text)


def event_not_found(number: str | int, last: int) -> Problem:
    """The problem of an event that is not there, for somebody who may know of those up to `last`."""
    return Problem("event_not_found", f"There are events from 1 to {last} as yet.", params={"n": number, "last": last})


def _seat_names(live: LiveGame) -> list[str]:
    """Seats by number: names are people's, who may change them or be forgotten, and this is kept."""
    return [f"Seat {seat}" for seat in range(live.state.table.rules.players)]


def _path(live: LiveGame) -> str:
    return f"/v1/games/{live.facts.id}/replay"


def _address(live: LiveGame, eyes: Eyes, n: int | None) -> str | None:
    return None if n is None else f"{_path(live)}/{n}{eyes.parameters()}"


_PROBLEMS: Final = ("game_not_found", "watching_not_allowed", "game_sealed", "record_not_public", "unknown_seat")
_SAME: Final = AnswerKind(status=304, description="You have this already.", headers=("ETag",))

OPERATIONS: Final[tuple[Any, ...]] = (
    Operation(
        id="getReplay",
        method="GET",
        path="/v1/games/{game_id}/replay/{n}",
        tag="replay",
        summary="The game after one of its events",
        description="While the record is not public, you see what your own seat has seen, or what lies open. Answers "
        "about a listed game whose record is public may be kept by anybody if the address has `seat` or `all_hands`.",
        credential="optional",
        scope="watch",
        query=Eyes,
        headers=("If-None-Match",),
        answers=(AnswerKind(status=200, description="The moment.", kind=Moment, headers=("ETag",)), _SAME),
        problems=(*_PROBLEMS, "event_not_found"),
        run=get_moment,
    ),
    Operation(
        id="listReplay",
        method="GET",
        path="/v1/games/{game_id}/replay",
        tag="replay",
        summary="What to jump to, and what happened in words",
        description="A `Link` header leads to the next page.",
        credential="optional",
        scope="watch",
        query=PageQuery,
        headers=("If-None-Match",),
        answers=(
            AnswerKind(
                status=200, description="Highlights and a page of sentences.", kind=ReplayIndex,
                headers=("ETag", "Link"),
            ),
            _SAME,
        ),
        problems=(*_PROBLEMS, "game_too_long", "busy"),
        run=list_replay,
    ),
    Operation(
        id="getStatistics",
        method="GET",
        path="/v1/games/{game_id}/statistics",
        tag="replay",
        summary="The statistics of a game, so far as you may see it",
        credential="optional",
        scope="watch",
        query=GameQuery,
        headers=("If-None-Match",),
        answers=(AnswerKind(status=200, description="The statistics.", kind=Statistics, headers=("ETag",)), _SAME),
        problems=("game_not_found", "watching_not_allowed", "game_sealed", "game_too_long", "busy"),
        run=get_statistics,
    ),
)  # fmt: skip
