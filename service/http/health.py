"""For those who run the service: is it alive, is it ready, what does it count."""

import asyncio
from typing import Final

from msgspec import Struct

from service.http.operations import PRIVATE, AnswerKind, Call, Operation, Reply, reply
from service.http.problems import Problem
from service.metrics import MEDIA_TYPE
from service.store.database import reached
from service.version import VERSION

READY_SECONDS: Final = 2.0


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
    service = call.service
    service.gauge()
    return Reply(200, service.metrics.text(), (PRIVATE,), MEDIA_TYPE)


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
        credential="none",
        answers=(AnswerKind(status=200, description="Prometheus text.", kind=str, media_types=("text/plain",)),),
        run=metrics,
    ),
)
