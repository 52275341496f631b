"""Plain repositories of both object formats."""

from pathlib import Path

import pytest

from codifica_guard.git.store import ObjectFormat
from tests.unit.git.plain import Plain


@pytest.fixture(params=["sha1", "sha256"])
def object_format(request: pytest.FixtureRequest) -> ObjectFormat:
    chosen: ObjectFormat = request.param
    return chosen


@pytest.fixture
def plain(tmp_path: Path, object_format: ObjectFormat) -> Plain:
    """A repository of each object format."""
    return Plain(tmp_path / "repo", object_format)


@pytest.fixture
def sha1(tmp_path: Path) -> Plain:
    """An ordinary repository."""
    return Plain(tmp_path / "repo")
