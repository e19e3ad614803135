"""From a request to the operation it asks for, and from whatever happens to an answer.

Every answer that is not a success is a problem document; what nobody expected is `internal_error`, logged with the
request's id, and changes nothing that was stored.
"""

import asyncio
import time
from collections.abc import Mapping
from functools import partial
from itertools import count
from secrets import token_hex
from typing import Any, Final

import structlog

from domain.lobby_refusals import LobbyRefused
from domain.tournaments.refusals import TournamentRefused
from service.commands import Denied, GameContended, GameUnknown, KeyConflict, MoveRefused, StaleVersion
from service.http import bodies
from service.http.operations import Call, Header, Operation, Reply
from service.http.parameters import bearer, check_given_once, idempotency_key, if_match, kept_key, read_query
from service.http.problems import Problem, lobby_refused, refused, tournament_refused
from service.http.scopes import admit
from service.principals import Principal
from service.reviews import TooManyReviews
from service.running import NoStreamPlace, Service
from service.store.errors import ActorErased, GameNewer, KeyReused, StoreBusy, StoreError, StoreUnavailable
from service.tournaments.commands import TournamentTooLarge, TournamentUnknown
from service.verdicts import TooManyVerifications

log = structlog.get_logger(__name__)

_PREFIX: Final = token_hex(6)
_NUMBERS: Final = count(1)
CLIENT_GONE: Final = 499
"""In the metrics, for a request that never came in whole."""


def next_request() -> str:
    """A new id of a request, as it stands in problems and logs."""
    return f"{_PREFIX}-{next(_NUMBERS)}"


class Endpoint:
    """An operation as an ASGI application below the router."""

    def __init__(self, service: Service, operation: Operation) -> None:
        self._service = service
        self.operation = operation
        self._read_body = operation.read or partial(bodies.read, kind=operation.body)
        self._takes_key = "Idempotency-Key" in operation.headers
        self._takes_version = "If-Match" in operation.headers

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        begun = time.perf_counter()
        request = next_request()
        operation = self.operation
        status = 500
        try:
            call = await self._read(operation, scope, receive, request)
            if operation.run_raw is not None:
                status = await operation.run_raw(call, receive, send)
            else:
                assert operation.run is not None
                reply = await operation.run(call)
                status = reply.status
                await send_reply(send, reply)
        except bodies.Disconnected:
            status = CLIENT_GONE
        except asyncio.CancelledError:
            if self._service.ready or operation.run_raw is not None:
                raise
            # The time for open requests is over. What was being appended may be stored: the same key tells.
            problem = Problem("stopping", "The service is stopping; ask again with the same key.")
            status = problem.status
            await send_problem(send, problem, request)
        except (Denied, LobbyRefused, TournamentRefused, StoreError) as trouble:
            problem = problem_of(trouble, operation.id, request)
            status = problem.status
            if isinstance(trouble, MoveRefused):
                self._service.metrics.refused(problem.code)
            await send_problem(send, problem, request)
        except Exception:
            log.exception("request_failed", request=request, operation=operation.id)
            await send_problem(send, internal_error(), request)
        finally:
            self._service.metrics.request(operation.id, status, time.perf_counter() - begun)

    async def _read(self, operation: Operation, scope: Any, receive: bodies.Receive, request: str) -> Call:
        """The request, with its credential looked at before anything else of it."""
        service = self._service
        headers: dict[bytes, bytes] = dict(scope["headers"])
        if len(headers) < len(scope["headers"]):
            check_given_once(scope["headers"])
        principal = None
        if operation.credential != "none":
            value = headers.get(b"authorization", b"")
            # Most tokens have been seen a moment ago.
            principal = service.principals.known(value[7:]) if value[:7] == b"Bearer " else None
            if principal is None:
                principal = await principal_of(service, headers, needed=operation.credential == "needed")
            if principal is not None and (operation.scope not in principal.scopes or principal.narrowed):
                admit(operation, principal, scope["path_params"])
        query = read_query(scope["query_string"], operation.query)
        raw, body = b"", None
        if operation.body is not None:
            raw = await bodies.receive_body(receive, headers, service.settings.body_bytes_max)
            bodies.check_media_type(headers.get(b"content-type"))
            body = self._read_body(raw, service.settings)
        return Call(
            service=service,
            request=request,
            principal=principal,
            path=scope["path_params"],
            query=query,
            body=body,
            raw=raw,
            headers=headers,
            key=_key(headers, principal) if self._takes_key else None,
            expected=if_match(headers) if self._takes_version else None,
            scheme=scope["scheme"],
        )


def _key(headers: dict[bytes, bytes], principal: Principal | None) -> str | None:
    return idempotency_key(headers) if principal is None else kept_key(headers, principal.player)


async def principal_of(service: Service, headers: Mapping[bytes, bytes], *, needed: bool) -> Principal | None:
    """Who asks. A credential that is there but not valid is refused even where none is needed. Raises `Problem`."""
    value = headers.get(b"authorization")
    if value is None:
        if needed:
            raise Problem(
                "credential_missing",
                "Send `Authorization: Bearer` and a token; POST /v1/players gives one.",
            )
        return None
    token = bearer(headers)
    principal = None if token is None else await service.principals.principal(token)
    if principal is None:
        raise Problem("credential_invalid", "The token is unknown, expired or revoked.")
    return principal


def problem_of(trouble: Exception, operation: str, request: str) -> Problem:
    """The problem that tells the caller what happened."""
    match trouble:
        case Problem():
            return trouble
        case MoveRefused():
            return refused(trouble.refusal)
        case LobbyRefused():
            return lobby_refused(trouble)
        case TournamentRefused():
            return tournament_refused(trouble)
        case TournamentUnknown():
            return Problem("tournament_not_found", "There is no such tournament, or it is not for you to know of.")
        case TournamentTooLarge(limit=limit, most=most):
            detail = f"At most {most} {limit} can be stored at once; do it in portions."
            return Problem("tournament_too_large", detail, params={limit: most})
        case GameUnknown():
            return Problem("game_not_found", "There is no such game, or it is not for you to know of.")
        case StaleVersion():
            return Problem(
                "stale_version",
                f"This is at version {trouble.current} by now: look again before you go on.",
                params={"current_version": trouble.current},
                headers=((b"etag", b'"%d"' % trouble.current),),
            )
        case KeyConflict() | KeyReused():
            return Problem("idempotency_key_reused", "Use a new Idempotency-Key for a new request.")
        case ActorErased():
            return Problem("credential_invalid", "The player of this token is gone.")
        case GameContended():
            return Problem("busy", "Others were quicker each time; try again.")
        case NoStreamPlace(limit=limit):
            return Problem("too_many_streams", f"{limit} live streams are open here.", params={"limit": limit})
        case TooManyVerifications(limit=limit):
            return Problem("busy", f"{limit} games wait to be verified; try again.", params={"limit": limit})
        case TooManyReviews(limit=limit):
            return Problem("busy", f"{limit} requests wait to look back; try again.", params={"limit": limit})
        case StoreBusy():
            return Problem("busy", "Too much is waiting for the database; try again.")
        case StoreUnavailable():
            log.warning("store_unavailable", request=request, operation=operation, why=str(trouble))
            return Problem("store_unavailable", "The database does not answer; try again with the same key.")
        case GameNewer():
            log.error("game_newer", request=request, operation=operation, game=trouble.game, why=str(trouble))
            return Problem("game_newer", "This worker is older than the game; try again, another one may serve it.")
        case StoreError():
            log.error("store_refused", request=request, operation=operation, why=str(trouble))
        case _:
            log.error("request_failed", request=request, operation=operation, exc_info=trouble)
    return internal_error()


def internal_error() -> Problem:
    """The problem of what nobody expected; it is in the log under the same request."""
    return Problem("internal_error", "This is our fault, and it has been noted under the instance given.")


async def send_problem(send: Any, problem: Problem, request: str) -> None:
    """Send a problem document."""
    content = problem.body(request)
    await _send(send, problem.status, [*problem.all_headers(), (b"x-request-id", request.encode())], content)


async def send_reply(send: Any, reply: Reply) -> None:
    """Send an answer whole."""
    headers = list(reply.headers)
    if reply.content:
        headers.append((b"content-type", reply.media_type.encode()))
    await _send(send, reply.status, headers, reply.content)


async def _send(send: Any, status: int, headers: list[Header], content: bytes) -> None:
    # An answer without content has no length either, which 204 and 304 forbid.
    if status not in (204, 304):
        headers.append((b"content-length", b"%d" % len(content)))
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": content})
