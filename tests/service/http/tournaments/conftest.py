"""Tournaments over HTTP: whatever follows of itself follows quickly."""

import pytest
from msgspec.structs import replace

from service.settings import Settings


@pytest.fixture
def settings(settings: Settings) -> Settings:
    return replace(
        settings,
        tournament_feed_seconds=0.1,
        tournament_patience_seconds=0.5,
        standings_stream_seconds=0.1,
    )
