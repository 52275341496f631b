"""A clone whose owner works in this process, with the owner's environment and nothing else."""

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager

import pytest

from tests.building import Clone
from tests.building.machine import environment

At = Callable[..., AbstractContextManager[None]]


@pytest.fixture
def at(monkeypatch: pytest.MonkeyPatch) -> At:
    """Works in a clone: its folder, its owner's home, his key; `env` adds variables."""

    @contextmanager
    def call(clone: Clone, env: Mapping[str, str] | None = None) -> Iterator[None]:
        told = {**environment(clone.home), **(env or {})}
        with monkeypatch.context() as patch:
            for name in list(os.environ):
                patch.delenv(name)
            for name, value in told.items():
                patch.setenv(name, value)
            patch.chdir(clone.folder)
            yield

    return call
