"""The application: every operation below its path, in one Litestar application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, cast

from litestar import Litestar, Request, Response, asgi
from litestar.exceptions import NotFoundException
from litestar.handlers import ASGIRouteHandler
from litestar.types import Receive, Scope, Send

from service.http.catalogue import OPERATIONS
from service.http.endpoints import Endpoint, next_request, problem_of
from service.http.operations import Operation
from service.http.problems import MEDIA_TYPE, Problem
from service.running import Service
from service.settings import Settings


def create_app(settings: Settings) -> Litestar:
    """The application of one worker, with the servers that the settings name; `state.service` holds the service."""
    service = Service(settings)

    @asynccontextmanager
    async def running(_app: Litestar) -> AsyncIterator[None]:
        await service.open()
        try:
            yield
        finally:
            await service.close()

    by_path: dict[str, list[Operation]] = {}
    for operation in OPERATIONS:
        by_path.setdefault(operation.path, []).append(operation)
    app = Litestar(
        [route(path, Endpoint(service, operations)) for path, operations in by_path.items()],
        lifespan=[running],
        exception_handlers={Exception: answer_trouble},
        openapi_config=None,
        logging_config=None,
    )
    app.state.service = service
    return app


def route(path: str, endpoint: Endpoint) -> ASGIRouteHandler:
    """A path's endpoint as the router takes it; every parameter of a path is text."""

    @asgi(path.replace("}", ":str}"), copy_scope=False)
    async def handle(scope: Scope, receive: Receive, send: Send) -> None:
        await endpoint(cast(Any, scope), cast(Any, receive), send)

    return handle


def answer_trouble(_request: Request[Any, Any, Any], trouble: Exception) -> Response[bytes]:
    """What the router itself cannot serve, as a problem document."""
    request = next_request()
    if isinstance(trouble, NotFoundException):
        problem = Problem("route_not_found", "There is nothing at this address; see /docs.")
    else:
        problem = problem_of(trouble, "router", request)
    headers = {name.decode(): value.decode() for name, value in problem.all_headers() if name != b"content-type"}
    return Response(problem.body(request), status_code=problem.status, media_type=MEDIA_TYPE, headers=headers)
