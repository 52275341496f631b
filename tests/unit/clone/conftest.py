"""A clone, opened in this process, with its owner's environment and nothing else."""

import os
from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from pathlib import Path

import pytest

from codifica_guard.clone.desk import Desk, open_desk
from tests.building import Clone
from tests.building.machine import environment
from tests.building.times import seconds

Open = Callable[[Clone], AbstractContextManager[Desk]]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> Open:
    """Opens the desk of a clone."""

    @contextmanager
    def call(clone: Clone) -> Iterator[Desk]:
        told = environment(clone.home)
        with monkeypatch.context() as patch:
            for name in list(os.environ):
                patch.delenv(name)
            for name, value in told.items():
                patch.setenv(name, value)
            patch.chdir(clone.folder)
            with open_desk(seconds()) as desk:
                yield desk

    return call


@pytest.fixture(autouse=True)
def _back() -> Iterator[None]:
    before = Path.cwd()
    yield
    os.chdir(before)
