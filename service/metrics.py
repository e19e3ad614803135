"""What the service counts and measures, for Prometheus. No label ever holds an id, a name or a card."""

import os
from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, Protocol

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest, multiprocess
from prometheus_client.core import CounterMetricFamily, HistogramMetricFamily
from prometheus_client.exposition import CONTENT_TYPE_PLAIN_0_0_4
from prometheus_client.metrics_core import Metric
from prometheus_client.registry import Collector

from domain.events import AnyEvent
from domain.tournaments.events import AnyTournamentEvent

MEDIA_TYPE: Final = CONTENT_TYPE_PLAIN_0_0_4
MULTIPROCESS_VARIABLE: Final = "PROMETHEUS_MULTIPROC_DIR"
REQUESTS: Final = "meldhouse_requests"
REQUESTS_HELP: Final = "Requests answered."
TIMES: Final = "meldhouse_request_seconds"
TIMES_HELP: Final = "Time to answer."
_untyped: Final[Any] = multiprocess
SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5)


def forget_process(pid: int, directory: str) -> None:
    """What a worker that is gone held at the moment counts no more; what it counted stays."""
    _untyped.mark_process_dead(pid, directory)


class Requests(Protocol):
    """Counts and times the requests."""

    def answered(self, operation: str, status: int, seconds: float) -> None: ...


class SharedRequests:
    """The requests of several workers, kept where each of them can tell those of all."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._requests = Counter(REQUESTS, REQUESTS_HELP, ("operation", "status"), registry=registry)
        self._seconds = Histogram(TIMES, TIMES_HELP, ("operation",), buckets=SECONDS, registry=registry)

    def answered(self, operation: str, status: int, seconds: float) -> None:
        self._requests.labels(operation, str(status)).inc()
        self._seconds.labels(operation).observe(seconds)


class OwnRequests(Collector):
    """The requests of the only worker, in plain numbers: counting is a part of every answer's time."""

    def __init__(self, registry: CollectorRegistry) -> None:
        self._counts: dict[tuple[str, int], int] = {}
        self._times: dict[str, list[float]] = {}
        registry.register(self)

    def answered(self, operation: str, status: int, seconds: float) -> None:
        kind = (operation, status)
        self._counts[kind] = self._counts.get(kind, 0) + 1
        times = self._times.get(operation)
        if times is None:
            times = self._times[operation] = [0.0] * (len(SECONDS) + 2)
        times[bisect_left(SECONDS, seconds)] += 1
        times[-1] += seconds

    def collect(self) -> Iterator[Metric]:
        requests = CounterMetricFamily(REQUESTS, REQUESTS_HELP, labels=("operation", "status"))
        for (operation, status), number in self._counts.items():
            requests.add_metric((operation, str(status)), number)
        yield requests
        seconds = HistogramMetricFamily(TIMES, TIMES_HELP, labels=("operation",))
        for operation, (*numbers, total) in self._times.items():
            bounds = [*map(str, SECONDS), "+Inf"]
            buckets = list(zip(bounds, accumulate(numbers), strict=True))
            seconds.add_metric((operation,), buckets, total)
        yield seconds


class Metrics:
    """The metrics of one worker; with several workers, of all together."""

    def __init__(self) -> None:
        self._registry = CollectorRegistry()
        self._shared = MULTIPROCESS_VARIABLE in os.environ
        registry = self._registry
        self._requests: Requests = SharedRequests(registry) if self._shared else OwnRequests(registry)
        self._refusals = Counter("meldhouse_refusals", "Moves that the rules refused.", ("code",), registry=registry)
        self._events = Counter("meldhouse_events", "Events appended.", registry=registry)
        self._stand_ins = Counter("meldhouse_stand_ins", "Turns that a stand-in began.", registry=registry)
        self._unrevealed = Counter(
            "meldhouse_nonces_unrevealed", "Seats that did not reveal their nonce in time.", registry=registry
        )
        self._beacon_failures = Counter(
            "meldhouse_beacon_failures", "Rounds of a beacon that the relay did not give.", ("why",), registry=registry
        )
        self._fairness = Gauge(
            "meldhouse_fairness",
            "Games and seats by how their deals came out, practice games left out; as `GET /v1/fairness` tells them.",
            ("count",),
            registry=registry,
            multiprocess_mode="mostrecent",
        )
        self._checkpoints = Counter("meldhouse_checkpoints", "Checkpoints signed.", registry=registry)
        self._epochs = Counter("meldhouse_log_epochs", "Epochs of the log begun.", ("reason",), registry=registry)
        self._witness_failures = Counter(
            "meldhouse_witness_failures", "Signed lines that could not be handed on.", ("witness",), registry=registry
        )
        self.not_sealing = Gauge(
            "meldhouse_not_sealing", "Workers that cannot seal.", registry=registry, multiprocess_mode="livesum"
        )
        self.streams = Gauge("meldhouse_streams", "Open live streams.", registry=registry, multiprocess_mode="livesum")
        self.listeners = Gauge(
            "meldhouse_bell_listeners", "Who waits for the bell.", registry=registry, multiprocess_mode="livesum"
        )
        self.games = Gauge("meldhouse_games_cached", "Games in memory.", registry=registry, multiprocess_mode="livesum")
        self.waiting = Gauge(
            "meldhouse_appends_waiting", "Appends not yet durable.", registry=registry, multiprocess_mode="livesum"
        )
        self.tournament_lag = Gauge(
            "meldhouse_tournament_lag_seconds",
            "For how long the oldest game of a tournament that has ended is not told in it yet.",
            registry=registry,
            multiprocess_mode="mostrecent",
        )
        self._reconciled = Histogram(
            "meldhouse_tournament_seconds",
            "Time to bring a tournament to where it should be.",
            buckets=SECONDS,
            registry=registry,
        )
        self.request = self._requests.answered
        """Operation, status and seconds of a request that was answered."""

    def refused(self, code: str) -> None:
        self._refusals.labels(code).inc()

    def appended(self, happened: Sequence[AnyEvent] | Sequence[AnyTournamentEvent]) -> None:
        """These events were appended, all to one stream."""
        self._events.inc(len(happened))

    def reconciled(self, seconds: float) -> None:
        """A tournament was looked after, which took so long."""
        self._reconciled.observe(seconds)

    def stood_in(self) -> None:
        self._stand_ins.inc()

    def count_fairness(self, counts: Mapping[str, int]) -> None:
        """The public counters as they stand, by name."""
        for name, number in counts.items():
            self._fairness.labels(name).set(number)

    def beacon_failed(self, why: str) -> None:
        """A relay gave no round; `why` is one of a few words (`relay.RelayFault`)."""
        self._beacon_failures.labels(why).inc()

    def nonce_unrevealed(self) -> None:
        self._unrevealed.inc()

    def sealed(self) -> None:
        self._checkpoints.inc()

    def epoch_begun(self, reason: str) -> None:
        """An epoch of the log was announced; every reason but `first` is an alarm."""
        self._epochs.labels(reason).inc()

    def witness_failed(self, witness: str) -> None:
        self._witness_failures.labels(witness).inc()

    def text(self) -> bytes:
        """Everything in the text format of Prometheus."""
        if not self._shared:
            return generate_latest(self._registry)
        registry = CollectorRegistry()
        _untyped.MultiProcessCollector(registry)
        return generate_latest(registry)
