"""What the service counts and measures, for Prometheus. No label ever holds an id, a name or a card."""

import os
from collections.abc import Sequence
from typing import Any, Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4

from domain.events import AnyEvent

MEDIA_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
MULTIPROCESS_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
_untyped: Final[Any] = multiprocess
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


def forget_process(pid: int, directory: str) -> None:
    """What a worker that is gone held at the moment counts no more; what it counted stays."""
    _untyped.mark_process_dead(pid, directory)


class Metrics:
    """The metrics of one worker; with several workers, of all together."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._shared = MULTIPROCESS_VARIABLE in os.environ
        registry = self._registry
        self._requests = Counter("meldhouse_requests", "Requests answered.", ("operation", "status"), registry=registry)
        self._seconds = Histogram(
            "meldhouse_request_seconds", "Time to answer.", ("operation",), buckets=SECONDS, registry=registry
        )
        self._refusals = Counter("meldhouse_refusals", "Moves that the rules refused.", ("code",), registry=registry)
        self._events = Counter("meldhouse_events", "Events appended.", registry=registry)
        self._stand_ins = Counter("meldhouse_stand_ins", "Turns that a stand-in began.", registry=registry)
        self._unrevealed = Counter(
            "meldhouse_nonces_unrevealed", "Seats that did not reveal their nonce in time.", registry=registry
        )
        self.streams = Gauge("meldhouse_streams", "Open live streams.", registry=registry, multiprocess_mode="livesum")
        self.games = Gauge("meldhouse_games_cached", "Games in memory.", registry=registry, multiprocess_mode="livesum")
        self.waiting = Gauge(
            "meldhouse_appends_waiting", "Appends not yet durable.", registry=registry, multiprocess_mode="livesum"
        )
        self._children: dict[tuple[str, int], tuple[Counter, Histogram]] = {}

    def request(self, operation: str, status: int, seconds: float) -> None:
        """A request was answered."""
        children = self._children.get((operation, status))
        if children is None:
            children = self._requests.labels(operation, str(status)), self._seconds.labels(operation)
            self._children[operation, status] = children
        children[0].inc()
        children[1].observe(seconds)

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def appended(self, happened: Sequence[AnyEvent]) -> None:
        """These events were appended, all to one game."""
        self._events.inc(len(happened))

    def stood_in(self) -> None:
        self._stand_ins.inc()

    def nonce_unrevealed(self) -> None:
        self._unrevealed.inc()

    def text(self) -> bytes:
        """Everything in the text format of Prometheus."""
        if not self._shared:
            return generate_latest(self._registry)
        registry = CollectorRegistry()
        _untyped.MultiProcessCollector(registry)
        return generate_latest(registry)
