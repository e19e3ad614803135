"""Pages of what a tournament has, in an order that only grows: its entrants, its rounds, the matches of a round."""

from collections.abc import Iterable
from itertools import islice
from typing import Annotated, Final, TypeVar

from msgspec import Meta, Struct

from domain.tournaments.state import Tournament
from service.http.operations import Call, Header, Reply, reply
from service.http.tables import etag
from service.http.tournaments.shown import AsOfQuery
from service.store.base import VERSION_MAX

PAGE_DEFAULT: Final = 500
PAGE_MAX: Final = 1000

PAGED: Final = "A `Link` header leads to the next page, as of the same event."
"""What the descriptions of these lists say."""

T = TypeVar("T")


class AsOfPageQuery(AsOfQuery, frozen=True, forbid_unknown_fields=True):
    """Those after the number `after`, at most `limit` of them; `at`: as it stood after this event."""

    after: Annotated[
        int, Meta(ge=0, le=VERSION_MAX, description="The number of the last one that you have; 0: from the first on.")
    ] = 0
    limit: Annotated[int, Meta(ge=1, le=PAGE_MAX)] = PAGE_DEFAULT


def page_of(call: Call, numbered: Iterable[tuple[int, T]]) -> tuple[list[T], int | None]:
    """Those of a page, and after which number the next one begins; None at the end. Numbers have to rise."""
    query: AsOfPageQuery = call.query
    limit = _limit(call)
    found = [*islice(((number, each) for number, each in numbered if number > query.after), limit + 1)]
    return [each for _, each in found[:limit]], found[limit - 1][0] if len(found) > limit else None


def page_reply(call: Call, state: Tournament, path: str, shown: Struct, following: int | None) -> Reply:
    """A page as an answer. The `Link` to the next one stays with the version of this one, so that a walk misses nothing
    whatever happens meanwhile; `path` is that of the list below the tournament."""
    headers: list[Header] = [etag(state.version)]
    if following is not None:
        address = f"/v1/tournaments/{state.id}/{path}?at={state.version}&after={following}&limit={_limit(call)}"
        headers.append((b"link", f'<{address}>; rel="next"'.encode()))
    return reply(200, shown, *headers)


def _limit(call: Call) -> int:
    query: AsOfPageQuery = call.query
    return min(query.limit, call.service.settings.page_entrants_max)
