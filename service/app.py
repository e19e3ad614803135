"""The application: every operation below its path, in one Litestar application."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any, Final

from litestar import Litestar, Request, Response
from litestar.exceptions import MethodNotAllowedException, NotFoundException
from litestar.handlers import HTTPRouteHandler
from litestar.types import ASGIApp

from service.http.catalogue import OPERATIONS
from service.http.endpoints import Endpoint, next_request, problem_of
from service.http.problems import MEDIA_TYPE, Problem
from service.running import Service
from service.settings import Settings

METHODS: Final = {
    path: sorted({"OPTIONS", *(operation.method for operation in OPERATIONS if operation.path == path)})
    for path in dict.fromkeys(operation.path for operation in OPERATIONS)
}
"""The methods of every path."""


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

    app = Litestar(
        [
            # First, or the router adds its own, which know one method of a path only.
            *(options(path, methods) for path, methods in METHODS.items()),
            *(route(Endpoint(service, operation)) for operation in OPERATIONS),
        ],
        lifespan=[running],
        exception_handlers={Exception: answer_trouble},
        openapi_config=None,
        logging_config=None,
    )
    app.state.service = service
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
    else:
        problem = problem_of(trouble, "router", name)
    headers = {name.decode(): value.decode() for name, value in problem.all_headers() if name != b"content-type"}
    return Response(problem.body(name), status_code=problem.status, media_type=MEDIA_TYPE, headers=headers)
