"""Pages that are lists, newest first: the public tournaments, and the rounds of a tournament."""

from datetime import UTC, datetime
from typing import Annotated, Any, Final
from urllib.parse import urlencode

from msgspec import Meta, Struct

from domain.tournaments.state import Round, Tournament
from service.cursors import CursorUnreadable
from service.http.operations import AnswerKind, Call, Operation, Reply
from service.http.problems import Problem
from service.http.tournaments import pages
from service.http.tournaments.documents import SAME, document, title_of
from service.http.tournaments.sheets import clock_text, local_text
from service.http.tournaments.shown import AsOfQuery, find_at
from service.http.tournaments.templating import rendered
from service.http.tournaments.trouble_page import HTML, with_pages
from service.http.tournaments.view import clock_of
from service.store.base import VERSION_MAX
from service.tournaments.listing import WantedTournaments, list_tournaments
from service.tournaments.one_line import one_line
from service.tournaments.texts import UNNAMED

ROWS: Final = 50
"""Tournaments or rounds of one page."""

STATUS: Final = pages.STATUS | {"finished": "finished"}
ROUND_STATUS: Final = {"paired": "paired", "started": "under way", "closed": "over"}


class ListPageQuery(Struct, frozen=True, forbid_unknown_fields=True):
    """`cursor`: of the page before, as its link to the next one has it."""

    cursor: Annotated[str, Meta(max_length=200)] = ""


class RoundsPageQuery(AsOfQuery, frozen=True, forbid_unknown_fields=True):
    """`before`: the rounds before this one; 0: from the last one on. `at`: as it stood after this event."""

    before: Annotated[int, Meta(ge=0, le=VERSION_MAX, description="The number of a round; 0: from the last on.")] = 0


class Line(Struct, frozen=True, kw_only=True):
    """A tournament of the list; its times as they are written."""

    id: str
    title: str
    status: str
    ruleset: str
    entered: int
    announced: str
    starts: str


class RoundLine(Struct, frozen=True, kw_only=True):
    """A round of the list; stages count from 1 here, as on all pages."""

    number: int
    stage: int
    status: str
    began: str
    matches: int
    finished: int


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

    return document(call, await call.service.rendered.of(("list", lines, following), made), HTML, *pages.PAGE_HEADERS)


async def get_rounds_page(call: Call) -> Reply:
    query: RoundsPageQuery = call.query
    _, state = await find_at(call, query.at)
    title = await title_of(call, state)

    def made() -> bytes:
        numbers = sorted((each for each in state.rounds if not query.before or each < query.before), reverse=True)
        shown = numbers[:ROWS]
        asked = {"at": query.at} if query.at else {}
        return rendered(
            "rounds.html",
            **pages.common(state, title, query.at),
            stages=len(state.stages),
            lines=[_round_line(state, state.rounds[each]) for each in shown],
            following="?" + urlencode(asked | {"before": shown[-1]}) if len(numbers) > ROWS else None,
        )

    key = ("rounds", state.id, state.version, query.at, query.before, title)
    return document(call, await call.service.rendered.of(key, made), HTML, *pages.PAGE_HEADERS)


def _round_line(state: Tournament, played: Round) -> RoundLine:
    clock = clock_of(state, played)
    return RoundLine(
        number=played.number,
        stage=played.stage + 1,
        status=ROUND_STATUS[played.status],
        began=clock_text(played.started_at, state.terms.time_zone),
        matches=clock.matches,
        finished=clock.finished,
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
        run=with_pages("getTournamentsPage", get_list_page, pages.PAGE_HEADERS),
    ),
    Operation(
        id="getRoundsPage",
        method="GET",
        path="/tournaments/{tournament_id}/rounds",
        tag="tournaments",
        summary="A page: the rounds of a tournament, the last one first",
        description="No scripts. A link at its end leads to earlier ones.",
        credential="none",
        query=RoundsPageQuery,
        headers=("If-None-Match",),
        answers=(AnswerKind(status=200, description="A page.", kind=str, media_types=("text/html",)), SAME),
        problems=("tournament_not_found", "event_not_found"),
        run=with_pages("getRoundsPage", get_rounds_page, pages.PAGE_HEADERS),
    ),
)
