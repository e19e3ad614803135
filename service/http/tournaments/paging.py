"""Pages of what a tournament has: in an order that only grows (its entrants, its rounds, the matches of a round), or in
the order of its standings, which may be another one after every event."""

from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Final, TypeVar

from msgspec import Meta, Struct

from domain.tournaments.state import Tournament
from service.http.operations import Call, Header, Reply, reply
from service.http.problems import Problem
from service.http.tables import etag
from service.http.tournaments.shown import AsOfQuery
from service.store.base import VERSION_MAX

PAGE_DEFAULT: Final = 500
PAGE_MAX: Final = 1000

PAGED: Final = "A `Link` header leads to the next page, as of the same event."
"""What the descriptions of these lists say."""

Limit = Annotated[int, Meta(ge=1, le=PAGE_MAX)]
T = TypeVar("T")


class AsOfPageQuery(AsOfQuery, frozen=True, forbid_unknown_fields=True):
    """Those after the number `after`, at most `limit` of them; `at`: as it stood after this event."""

    after: Annotated[
        int, Meta(ge=0, le=VERSION_MAX, description="The number of the last one that you have; 0: from the first on.")
    ] = 0
    limit: Limit = PAGE_DEFAULT


class PlacesQuery(AsOfQuery, frozen=True, forbid_unknown_fields=True):
    """Those behind the places of `after`, which is the `next` of the page before, at most `limit` of them; `at`: as it
    stood after this event, which is that of `after` where there is one."""

    after: Annotated[
        str,
        Meta(
            pattern=r"^([1-9][0-9]{0,8}@[1-9][0-9]{0,8})?$(?!\n)",
            description="The `next` of the page before: `500@1234`, from place 501 on, as it stood after event 1234.",
        ),
    ] = ""
    limit: Limit = PAGE_DEFAULT


class Cut(Struct, frozen=True):
    """The places of a page, from 0, and the `after` of the next one; None at the end."""

    places: slice
    following: str | None


def page_of(call: Call, numbered: Iterable[tuple[int, T]]) -> tuple[list[T], int | None]:
    """Those of a page, and after which number the next one begins; None at the end. Numbers have to rise."""
    query: AsOfPageQuery = call.query
    limit = _limit(call)
    found = [*islice(((number, each) for number, each in numbered if number > query.after), limit + 1)]
    return [each for _, each in found[:limit]], found[limit - 1][0] if len(found) > limit else None


def page_reply(call: Call, state: Tournament, path: str, shown: Struct, following: int | None) -> Reply:
    """A page as an answer. The `Link` to the next one stays with the version of this one, so that a walk misses nothing
    whatever happens meanwhile; `path` is that of the list below the tournament."""
    address = None if following is None else f"{path}?at={state.version}&after={following}"
    return _linked(call, state, shown, address)


def version_asked(query: PlacesQuery) -> int:
    """The event after which the order is asked for; 0: the last. Raises `Problem` where `at` is not that of `after`."""
    if not query.after:
        return query.at
    version = int(query.after.partition("@")[2])
    if query.at not in (0, version):
        raise Problem(
            "cursor_invalid", f"`after` is of event {version}: send that as `at`, or none.", params={"version": version}
        )
    return version


def cut(call: Call, state: Tournament, total: int) -> Cut:
    """Which of so many places the page has that was asked for."""
    query: PlacesQuery = call.query
    first = int(query.after.partition("@")[0]) if query.after else 0
    last = first + _limit(call)
    return Cut(slice(first, last), f"{last}@{state.version}" if last < total else None)


def places_reply(call: Call, state: Tournament, path: str, shown: Struct, following: str | None) -> Reply:
    """A page of an order that changes, as an answer; `path` is that of the order below the tournament, with a query."""
    return _linked(call, state, shown, None if following is None else f"{path}&after={following}")


def _linked(call: Call, state: Tournament, shown: Struct, address: str | None) -> Reply:
    headers: list[Header] = [etag(state.version)]
    if address is not None:
        target = f"/v1/tournaments/{state.id}/{address}&limit={_limit(call)}"
        headers.append((b"link", f'<{target}>; rel="next"'.encode()))
    return reply(200, shown, *headers)


def _limit(call: Call) -> int:
    query: AsOfPageQuery | PlacesQuery = call.query
    return min(query.limit, call.service.settings.page_entrants_max)
