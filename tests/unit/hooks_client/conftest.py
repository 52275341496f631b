"""Clones with the hooks in: what Git runs is the installed hook, in a process of its own."""

from collections.abc import Callable

import pytest

from tests.building import Clone, Repo

Hooked = Callable[[str], Clone]


@pytest.fixture
def hooked(repo: Repo) -> Hooked:
    """The clone of somebody, with the guard installed in it."""

    def call(who: str) -> Clone:
        clone = repo.clone(who)
        done = clone.guard("install")
        assert done.code == 0, done.said
        return clone

    return call
