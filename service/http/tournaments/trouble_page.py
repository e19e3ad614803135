"""Troubles of pages as pages: a browser that asks for what there is not gets words to read, with the same status."""

from typing import Final

from domain.lobby_refusals import LobbyRefused
from domain.tournaments.refusals import TournamentRefused
from service.commands import Denied
from service.http.endpoints import problem_of
from service.http.operations import Call, Header, Reply, Run
from service.http.problems import Problem, kind_of
from service.http.tournaments.documents import BASIC
from service.http.tournaments.templating import rendered
from service.store.errors import StoreError

HTML: Final = "text/html; charset=utf-8"


def with_pages(name: str, run: Run, headers: tuple[Header, ...]) -> Run:
    """The operation of a page, whose troubles are pages for those who ask for HTML, and problem documents for others.

    `headers` are those of the page, which also say whether it may stand in a frame.
    """

    async def answer(call: Call) -> Reply:
        try:
            return await run(call)
        except (Denied, LobbyRefused, TournamentRefused, StoreError) as trouble:
            if not call.accepts("text/html"):
                raise
            problem = problem_of(trouble, name, call.request)
            return Reply(problem.status, trouble_page(problem, call.request), headers_of(problem, headers), HTML)

    return answer


def trouble_page(problem: Problem, request: str) -> bytes:
    """A problem as a page; `request` is what it has in the logs."""
    return rendered(
        "trouble.html",
        title=kind_of(problem.code).title,
        embedded=False,
        refresh=None,
        detail=problem.detail,
        status=problem.status,
        request=request,
    )


def headers_of(problem: Problem, headers: tuple[Header, ...]) -> tuple[Header, ...]:
    """What goes with the page of a problem: its own headers but for the media type, and those of the page."""
    own = tuple(each for each in problem.all_headers() if each[0] != b"content-type")
    basic = tuple(each for each in BASIC if each[0] != b"cache-control")
    return (*own, *basic, (b"vary", b"accept"), *headers)
