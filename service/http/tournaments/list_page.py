"""A page that lists the public tournaments, newest first."""

from datetime import UTC, datetime
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from msgspec import Meta, Struct

from service.cursors import CursorUnreadable
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.problems import Problem
from service.http.tournaments import pages
from service.http.tournaments.documents import SAME, document
from service.http.tournaments.sheets import local_text
from service.http.tournaments.templating import rendered
from service.tournaments.listing import WantedTournaments, list_tournaments
from service.tournaments.one_line import one_line
from service.tournaments.texts import UNNAMED

ROWS: Final = 50
"""Tournaments of one page."""

STATUS: Final = pages.STATUS | {"finished": "finished"}


class ListPageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`cursor`: of the page before, as its link to the next one has it."""

    cursor: Annotated[str, Meta(max_length=200)] = ""


class Line(Struct, frozen=True, kw_only=True):
    """A tournament of the list; its times as they are written."""

    id: str
    title: str
    status: str
    ruleset: str
    entered: int
    announced: str
    starts: str


async def get_list_page(call: Call) -> Reply:
    query: ListPageQuery = call.query
    try:
        page = await list_tournaments(call.service.store.pool, WantedTournaments(), query.cursor or None, ROWS)
    except CursorUnreadable as error:
        raise Problem("cursor_invalid", "Take the address from the link of the page before.") from error
    lines = tuple(_line(row) for row in page.rows)
    following = None if page.next is None else "?" + urlencode({"cursor": page.next})

    def made() -> bytes:
        return rendered(
            "list.html", title="Tournaments", embedded=False, refresh=None, lines=lines, following=following
        )

    return document(
        call, await call.service.rendered.of(("list", lines, following), made), pages.HTML, *pages.PAGE_HEADERS
    )


def _line(row: Any) -> Line:
    return Line(
        id=row["id"],
        title=one_line(row["title"] or "") or UNNAMED,
        status=STATUS[row["status"]],
        ruleset=row["ruleset"],
        entered=row["entered"],
        announced=_written(row["created_at"]),
        starts=_written(row["starts_at"]),
    )


def _written(at: datetime | None) -> str:
    return "" if at is None else local_text(at.astimezone(UTC), "UTC")


OPERATIONS: Final = (
    Operation(
        id="getTournamentsPage",
        method="GET",
        path="/tournaments",
        tag="tournaments",
        summary="A page: the public tournaments, newest first",
        description="No scripts. A link at its end leads to the next page.",
        credential="none",
        query=ListPageQuery,
        headers=("If-None-Match",),
        answers=(AnswerKind(status=200, description="A page.", kind=str, media_types=("text/html",)), SAME),
        problems=("cursor_invalid",),
        run=get_list_page,
    ),
)
