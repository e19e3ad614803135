"""Databases for commands that run in processes of their own."""

import asyncio
from collections.abc import Iterator
from itertools import count

import pytest

from tests.conftest import on_database, run_statement

numbers = count(1)


@pytest.fixture
def fresh_database(postgres_url: str) -> Iterator[str]:
    """The superuser's address of an empty database."""
    name = f"command_{next(numbers)}"
    asyncio.run(run_statement(postgres_url, f"create database {name}"))
    yield on_database(postgres_url, name)
    asyncio.run(run_statement(postgres_url, f"drop database {name} with (force)"))
