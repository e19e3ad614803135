"""A copy of the engine for every test that changes it."""

from pathlib import Path

import pytest

from tests.golden.copies import Copy


@pytest.fixture
def copy(tmp_path: Path) -> Copy:
    return Copy(tmp_path)
