"""Structured logs: lines for people or JSON for programs, never a card, a token or what a caller wrote.

A traceback is printed without the values of its variables: those hold states, and states hold cards.
"""

import logging
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

import structlog
from structlog.typing import Processor

from service.settings import Settings

LEVELS: Final[Mapping[str, int]] = {
    "debug": logging.DEBUG,
    "info": logging.INFO,
    "warning": logging.WARNING,
    "error": logging.ERROR,
}


SERVER_LOG: Final = "uvicorn.error"
SPARING_SECONDS: Final = 10.0
"""What anybody can make the server say, such as that something is no HTTP, it says once in this time."""


class Sparing(logging.Filter):
    """Lets the same warning pass once in a while, with the number of those that were held back."""

    def __init__(self) -> None:
        super().__init__()
        self._said: dict[str, tuple[float, int]] = {}
        """By message: until when it is held back, and how often it was."""

    def filter(self, record: logging.LogRecord) -> bool:
        if record.levelno > logging.WARNING:
            return True
        message, now = record.msg, time.monotonic()
        until, held = self._said.get(message, (0.0, 0))
        if now < until:
            self._said[message] = (until, held + 1)
            return False
        self._said[message] = (now + SPARING_SECONDS, 0)
        if held:
            record.msg = f"{message} ({held} more since the last time)"
        return True


class Lasting(structlog.PrintLogger):
    """Prints for as long as somebody reads: work goes on when whoever read the log is gone."""

    def msg(self, message: str) -> None:
        with suppress(OSError):
            super().msg(message)

    log = debug = info = warn = warning = fatal = failure = err = error = critical = exception = msg


def configure_logs(settings: Settings) -> None:
    """Send all logs, those of libraries too, to the standard error in the form that the settings ask for."""
    shared: list[Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    renderer: list[Processor]
    if settings.log_format == "json":
        renderer = [structlog.processors.format_exc_info, structlog.processors.JSONRenderer()]
    else:
        plain = structlog.dev.plain_traceback
        renderer = [structlog.dev.ConsoleRenderer(colors=sys.stderr.isatty(), exception_formatter=plain)]
    level = LEVELS[settings.log_level]
    structlog.configure(
        processors=[*shared, *renderer],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=lambda *_: Lasting(sys.stderr),
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=shared,
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, *renderer],
        )
    )
    logging.getLogger(SERVER_LOG).filters[:] = [Sparing()]
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(max(level, logging.WARNING))
