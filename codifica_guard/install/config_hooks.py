"""Hooks that Git's config names (Git 2.54 and newer): they run beside the folder that `core.hooksPath` names, and before it."""

import re
from collections.abc import Iterator
from typing import Final

from codifica_guard.install.plan import Step, set_value, unset_value
from codifica_guard.install.repository import Repository, run

SINCE: Final = (2, 54)
"""The first version of Git that knows them."""


def git_version() -> tuple[int, int]:
    """The version of the `git` on the PATH: major, minor."""
    match = re.search(rb"(\d{1,6})\.(\d{1,6})", run("version").stdout)
    return (int(match[1]), int(match[2])) if match else (0, 0)


def known() -> bool:
    """Whether the `git` on the PATH runs them."""
    return git_version() >= SINCE


def is_set(repository: Repository, name: str) -> bool:
    """Whether this repository's config names ours for a hook."""
    return repository.own(_key(name, "event")) == name and repository.own(_key(name, "command")) is not None


def is_off(repository: Repository, name: str) -> str | None:
    """The key that keeps Git from running ours; None where none does."""
    keys = (_key(name, "enabled"), f"hook.{name}.enabled")
    return next((k for k in keys if repository.git("config", "--type=bool", "--get", k) == "false"), None)


def set_hook(repository: Repository, name: str) -> Iterator[Step]:
    """Steps that let Git call the shim; the command first, since Git stops at an event that has none."""
    yield from set_value(repository, _key(name, "command"), _command(name), "calls ours")
    yield from set_value(repository, _key(name, "event"), name)


def unset_hook(repository: Repository, name: str) -> Iterator[Step]:
    """Steps that take it back."""
    for part in ("event", "command", "enabled"):
        yield from unset_value(repository, _key(name, part))


def _key(name: str, part: str) -> str:
    return f"hook.codifica-guard-{name}.{part}"


def _command(name: str) -> str:
    # Git adds the arguments. The folder is looked up, so that a clone may be moved.
    return f'"$(git rev-parse --git-common-dir)/codifica-guard/hooks/{name}"'
