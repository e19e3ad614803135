"""For those who run the service: is it alive, is it ready, what does it count."""

import asyncio
import hmac
from collections.abc import Mapping
from contextlib import suppress
from ipaddress import ip_address
from typing import Final

from msgspec import Struct

from service.http.operations import PRIVATE, AnswerKind, Call, Operation, Reply, reply
from service.http.problems import Problem
from service.metrics import MEDIA_TYPE
from service.settings import Settings
from service.store.database import reached
from service.store.errors import StoreError
from service.version import VERSION

READY_SECONDS: Final = 2.0
FORWARDED: Final = frozenset({b"forwarded", b"x-forwarded-for", b"via"})
"""Headers by which a proxy says that it asks for somebody else."""


class Health(Struct, frozen=True, kw_only=True):
    """The service answers."""

    status: str
    version: str


async def live(_call: Call) -> Reply:
    return reply(200, Health(status="live", version=VERSION))


async def ready(call: Call) -> Reply:
    """Whether requests can be served: the database answers, and nobody has asked the service to stop."""
    service = call.service
    if not service.ready:
        raise Problem("stopping", "The service is stopping.")
    if not service.deadlines.running:
        raise Problem("timers_stopped", "Nobody looks for timers that are due; this worker should be begun anew.")
    with reached():
        async with asyncio.timeout(READY_SECONDS):
            await service.store.pool.fetchval("select 1")
    return reply(200, Health(status="ready", version=VERSION))


async def metrics(call: Call) -> Reply:
    """How many events and refusals there are tells on a quiet server how a game goes, so not everybody may know."""
    service = call.service
    check_reader(service.settings, call.headers)
    service.gauge()
    # Without the database there are no counters, and the metrics say all the more.
    with suppress(StoreError):
        service.metrics.count_fairness((await service.fairness_counters.counts()).numbers)
    return Reply(200, service.metrics.text(), (PRIVATE,), MEDIA_TYPE)


def check_reader(settings: Settings, headers: Mapping[bytes, bytes]) -> None:
    """Who reads the metrics has the token, or where none is set, is on this machine. Raises `Problem`."""
    token = settings.metrics_token
    if token is None:
        if not on_loopback(settings.host) or not FORWARDED.isdisjoint(headers):
            raise Problem("metrics_closed", "They are read from elsewhere with the token of MELDHOUSE_METRICS_TOKEN.")
        return
    value = headers.get(b"authorization")
    if value is None:
        raise Problem("credential_missing", "Send `Authorization: Bearer` and the token of MELDHOUSE_METRICS_TOKEN.")
    scheme, _, sent = value.partition(b" ")
    if scheme.lower() != b"bearer" or not hmac.compare_digest(sent.strip(), token.encode()):
        raise Problem("credential_invalid", "This is not the token of MELDHOUSE_METRICS_TOKEN.")


def on_loopback(host: str) -> bool:
    """Whether only this machine reaches who listens on the address."""
    try:
        return host == "localhost" or ip_address(host).is_loopback
    except ValueError:
        return False


OPERATIONS: Final = (
    Operation(
        id="isLive",
        method="GET",
        path="/v1/health/live",
        tag="operations",
        summary="Whether the process answers",
        credential="none",
        answers=(AnswerKind(status=200, description="It does.", kind=Health),),
        run=live,
    ),
    Operation(
        id="isReady",
        method="GET",
        path="/v1/health/ready",
        tag="operations",
        summary="Whether requests can be served",
        credential="none",
        answers=(AnswerKind(status=200, description="They can.", kind=Health),),
        problems=("store_unavailable", "stopping", "timers_stopped"),
        run=ready,
    ),
    Operation(
        id="getMetrics",
        method="GET",
        path="/metrics",
        tag="operations",
        summary="Counters and times, for Prometheus",
        description="With `Authorization: Bearer` and the token that the operator has set, not that of a player. Where "
        "none is set, only a service that listens on a loopback address answers, and not through a proxy.",
        credential="none",
        answers=(AnswerKind(status=200, description="Prometheus text.", kind=str, media_types=("text/plain",)),),
        problems=("credential_missing", "credential_invalid", "metrics_closed"),
        run=metrics,
    ),
)
