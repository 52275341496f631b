"""The program in this process, as the owner of a clone calls it: a process of its own would take most of the time."""

import pytest

from tests.building import Clone
from tests.building.inside import called


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clone, "guard", called)
