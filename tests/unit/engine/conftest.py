"""A repository for each test, and one that is guarded already."""

from pathlib import Path

import pytest

from codifica_guard.git.store import ObjectFormat
from codifica_guard.model.ids import ObjectId
from tests.unit.engine.land import Land


@pytest.fixture(params=["sha1", "sha256"])
def any_land(request: pytest.FixtureRequest, tmp_path: Path) -> Land:
    """A repository of each object format."""
    chosen: ObjectFormat = request.param
    return Land(tmp_path / "repo", chosen)


@pytest.fixture
def land(tmp_path: Path) -> Land:
    """An ordinary repository."""
    return Land(tmp_path / "repo")


@pytest.fixture
def intro(land: Land) -> ObjectId:
    """The introduction, pinned and at main."""
    return land.introduce()
