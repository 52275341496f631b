"""A tale for each test."""

from pathlib import Path

import pytest

from tests.unit.cli_simulate.tale import Tale


@pytest.fixture
def tale(tmp_path: Path) -> Tale:
    """A repository that knows no guard."""
    return Tale(tmp_path)
