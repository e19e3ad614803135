"""The sealer: a task of every worker that seals what is new, and hands the signed lines to witnesses.

Whichever worker looks first once something is due does the step; the others find nothing to do. No move waits for it.
"""

from collections.abc import Sequence

import structlog

from service.checkpoints.keys import KeyUnusable, key_directory
from service.checkpoints.sealing import Sealing, Step
from service.checkpoints.signed import Checkpoint, Epoch
from service.checkpoints.witness import Witnesses
from service.metrics import Metrics
from service.polling import Polling
from service.settings import Settings
from service.store.database import Pool
from service.store.errors import StoreError

log = structlog.get_logger(__name__)


class Sealer(Polling):
    """Seals new events every `checkpoint_seconds`, sooner where `checkpoint_events_max` of them are waiting."""

    def __init__(self, pool: Pool, settings: Settings, metrics: Metrics) -> None:
        seconds = settings.checkpoint_seconds
        super().__init__("sealer", seconds, "sealing_failed")
        # The other workers append as many meanwhile.
        self._wake_events = max(1, settings.checkpoint_events_max // settings.workers)
        self._metrics = metrics
        self._sealing = Sealing(
            pool,
            key_directory(settings),
            seconds=settings.checkpoint_seconds,
            events_max=settings.checkpoint_events_max,
        )
        self._witnesses = Witnesses(pool, settings, metrics)
        self._appended = 0
        self._trouble: str | None = None
        """What was told last of why nothing is sealed."""

    def start(self) -> None:
        super().start()
        self._witnesses.start()

    def heard(self, _live: object, happened: Sequence[object]) -> None:
        """This worker has appended events."""
        self._appended += len(happened)
        if self._appended >= self._wake_events:
            self.wake()

    async def close(self) -> None:
        """Seal no more; what is not sealed yet is sealed by another worker, or after the next start."""
        await super().close()
        await self._witnesses.close()

    async def _look(self) -> bool:
        """Seal what is due; whether there is more to do at once."""
        self._appended = 0
        try:
            step = await self._sealing.step() if await self._sealing.due() else None
        except (KeyUnusable, StoreError) as trouble:
            self._tell(trouble)
            return False
        self._tell(None)
        if step is None:
            return False
        self._note(step)
        # Were something wrong for ever, there would be an epoch a second at most, and not as many as there is time for.
        return step.more and not (isinstance(step.line.body, Epoch) and step.line.body.reason != "first")

    def _note(self, step: Step) -> None:
        body = step.line.body
        if isinstance(body, Checkpoint):
            self._metrics.sealed()
        elif isinstance(body, Epoch):
            self._metrics.epoch_begun(body.reason)
            tell = log.info if body.reason == "first" else log.error
            tell(
                "log_epoch_begun",
                epoch=body.epoch,
                reason=body.reason,
                shard=body.shard,
                position=body.position,
                after=body.after,
            )
        self._witnesses.wake()

    def _tell(self, trouble: Exception | None) -> None:
        """Say once why nothing is sealed, and once that sealing goes on."""
        why = None if trouble is None else str(trouble)
        if why == self._trouble:
            return
        if trouble is None:
            log.info("sealing_again")
        else:
            # A database that is away comes back by itself, a key does not.
            tell = log.warning if isinstance(trouble, StoreError) else log.error
            tell("not_sealing", why=why)
        self._trouble = why
        self._metrics.not_sealing.set(0 if why is None else 1)
