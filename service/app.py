"""The application: every operation below its path, in one Litestar application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from litestar import Litestar, Request, Response
from litestar.exceptions import HTTPException, MethodNotAllowedException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from service.http.catalogue import OPERATIONS
from service.http.endpoints import Endpoint, next_request, problem_of
from service.http.openapi import description
from service.http.problems import MEDIA_TYPE, Problem
from service.http.tournaments.pages import PAGE_HEADERS
from service.http.tournaments.trouble_page import headers_of, trouble_page
from service.running import Service
from service.settings import Settings

ANSWERED_ALIKE: Final = {"GET": ("GET", "HEAD")}
METHODS: Final = {
    path: sorted(
        {"OPTIONS"}.union(
            *(ANSWERED_ALIKE.get(each.method, (each.method,)) for each in OPERATIONS if each.path == path)
        )
    )
    for path in dict.fromkeys(operation.path for operation in OPERATIONS)
}
"""The methods of every path."""

SHORTENED: Final = frozenset({"makeMoves"})
"""The operations that are asked so often that the router's part of their time counts."""


class HeadOnly:
    """An answer to HEAD: that to GET, cut off where its body begins."""

    def __init__(self, send: Any) -> None:
        self._send = send
        self._over = False

    async def send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            await self._send(message)
        elif not self._over:
            self._over = True
            await self._send({"type": "http.response.body", "body": b""})


class Application(Litestar):
    """The router, with a short way past it to the operations of `/v1/games/{game_id}/…` that are asked most."""

    def __init__(self, *arguments: Any, **options: Any) -> None:
        super().__init__(*arguments, **options)
        self._short: dict[tuple[str, str], Endpoint] = {}

    def shorten(self, endpoint: Endpoint) -> None:
        """Take the short way to an operation whose path has a game and one word after it."""
        operation = endpoint.operation
        self._short[operation.method, operation.path.rpartition("/")[2]] = endpoint

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            parts = scope["path"].split("/")
            if len(parts) == 5 and parts[2] == "games" and parts[1] == "v1":
                endpoint = self._short.get((scope["method"], parts[4]))
                if endpoint is not None:
                    scope["path_params"] = {"game_id": parts[3]}
                    await endpoint(scope, receive, send)
                    return
            if scope["method"] == "HEAD":
                scope, send = scope | {"method": "GET"}, HeadOnly(send).send
        await super().__call__(scope, receive, send)


def create_app(settings: Settings) -> Application:
    """The application of one worker, with the servers that the settings name; `state.service` holds the service."""
    service = Service(settings, description)

    @asynccontextmanager
    async def running(_app: Litestar) -> AsyncIterator[None]:
        await service.open()
        try:
            yield
        finally:
            await service.close()

    endpoints = [Endpoint(service, operation) for operation in OPERATIONS]
    app = Application(
        [
            # First, or the router adds its own, which know one method of a path only.
            *(options(path, methods) for path, methods in METHODS.items()),
            *map(route, endpoints),
        ],
        lifespan=[running],
        exception_handlers={Exception: answer_trouble},
        openapi_config=None,
        logging_config=None,
    )
    app.state.service = service
    for endpoint in endpoints:
        if endpoint.operation.id in SHORTENED:
            app.shorten(endpoint)
    return app


def route(endpoint: Endpoint) -> HTTPRouteHandler:
    """An endpoint as the router takes it: every parameter of the path is text, and the endpoint reads the rest."""

    async def handle() -> ASGIApp:
        return endpoint

    operation = endpoint.operation
    # The status is the endpoint's; the one named here only keeps the router from choosing one that forbids a body.
    path = operation.path.replace("}", ":str}")
    return HTTPRouteHandler(path, http_method=operation.method, status_code=200)(handle)


def methods_at(path: str) -> list[str]:
    """The methods of an address."""
    parts = path.rstrip("/").split("/")
    for template, methods in METHODS.items():
        names = template.split("/")
        if len(names) == len(parts) and all(
            name == part or name.startswith("{") for name, part in zip(names, parts, strict=True)
        ):
            return methods
    return []


def options(path: str, methods: list[str]) -> HTTPRouteHandler:
    """The answer to OPTIONS at a path: the methods that there are."""

    async def handle() -> Response[None]:
        return Response(None, status_code=204, headers={"Allow": ", ".join(methods)})

    return HTTPRouteHandler(path.replace("}", ":str}"), http_method="OPTIONS", status_code=204)(handle)


def answer_trouble(request: Request[Any, Any, Any], trouble: Exception) -> Response[bytes]:
    """What the router itself cannot serve, as a problem document."""
    name = next_request()
    if isinstance(trouble, NotFoundException):
        problem = Problem("route_not_found", "There is nothing at this address; see /docs.")
    elif isinstance(trouble, MethodNotAllowedException):
        allowed = methods_at(request.url.path)
        problem = Problem(
            "method_not_allowed",
            f"This address takes {', '.join(allowed)}.",
            params={"allowed": allowed},
            headers=((b"allow", ", ".join(allowed).encode()),),
        )
    elif isinstance(trouble, HTTPException) and trouble.status_code < 500:
        # Such as a host that is none.
        problem = Problem("malformed_request", trouble.detail)
    else:
        problem = problem_of(trouble, "router", name)
    content, media_type, own = problem.body(name), MEDIA_TYPE, problem.all_headers()
    if request.url.path.startswith("/tournaments/") and "text/html" in request.headers.get("accept", ""):
        # Whoever mistypes the address of a page is no program.
        content, media_type, own = trouble_page(problem, name), "text/html", [*headers_of(problem, PAGE_HEADERS)]
    headers = {each.decode(): value.decode() for each, value in own if each != b"content-type"}
    return Response(content, status_code=problem.status, media_type=media_type, headers=headers)
