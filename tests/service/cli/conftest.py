"""Databases for commands, and no trace of what they do to the logs of the process."""

import asyncio
import logging
from collections.abc import Iterator
from itertools import count

import pytest
import structlog

from tests.conftest import on_database, run_statement

numbers = count(1)


@pytest.fixture
def fresh_database(postgres_url: str) -> Iterator[str]:
    """The superuser's address of an empty database."""
    name = f"command_{next(numbers)}"
    asyncio.run(run_statement(postgres_url, f"create database {name}"))
    yield on_database(postgres_url, name)
    asyncio.run(run_statement(postgres_url, f"drop database {name} with (force)"))


@pytest.fixture(autouse=True)
def logs_as_before() -> Iterator[None]:
    """Commands send the logs to their standard error, which here is gone after the test."""
    root = logging.getLogger()
    handlers, level, configured = root.handlers[:], root.level, structlog.get_config()
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.configure(**configured)
