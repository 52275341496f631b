"""Checks of the merge driver: whether it is set, starts, and is named for the state documents."""

import os
import shlex
from collections.abc import Iterator
from typing import Final

from codifica_guard.errors import GuardError
from codifica_guard.install import shim
from codifica_guard.install.check import Check, Level, Probes, fix_command
from codifica_guard.install.merge_driver import DRIVER_KEY, NAME, interpreter_of, is_ours, set_driver
from codifica_guard.install.plan import Step
from codifica_guard.install.repository import Repository
from codifica_guard.limits import STATE_DOCUMENTS

_CHECK: Final = "merge driver"
_SHOWN: Final = 3  # documents that are named


def check_driver(repository: Repository) -> Iterator[Check]:
    """Whether this clone merges tasks by meaning, and the interpreter for it is there."""
    python = interpreter_of(repository)
    if repository.own(DRIVER_KEY) is None:
        text = f"{DRIVER_KEY} is not set: tasks are merged line by line here"
        yield Check(level=Level.WARN, name=_CHECK, text=text, do=("codifica-guard install",))
    elif not is_ours(repository):
        text = f"{DRIVER_KEY} is not ours: tasks are merged by it"
        do = (f"git config --unset {DRIVER_KEY}", "codifica-guard install")
        yield Check(level=Level.WARN, name=_CHECK, text=text, do=do)
    elif python is None or not shim.runs(python):
        text = f"{python} is missing: tasks are merged line by line here" if python else f"{DRIVER_KEY} was edited"
        yield Check(level=Level.FAIL, name=_CHECK, text=text, do=fix_command(repository))
    else:
        yield Check(level=Level.OK, name=_CHECK, text=f"{DRIVER_KEY} is ours")


def check_attributes(repository: Repository, probes: Probes) -> Iterator[Check]:
    """Whether `.gitattributes` names the driver for every state document that HEAD holds."""
    try:
        policy = probes.policy()
    except GuardError:
        return  # told already
    if policy is None or policy.codifica is None:
        return
    listed = repository.git("ls-tree", "-r", "-z", "--name-only", "HEAD") or ""
    paths = [path for path in listed.split("\0") if path and policy.codifica.state.match(os.fsencode(path))]
    driven = _driven(repository, paths[:STATE_DOCUMENTS])
    plain = [path for path in paths[:STATE_DOCUMENTS] if path not in driven]
    for path in plain[:_SHOWN]:
        text = f".gitattributes does not say merge={NAME} for {path}: its tasks are merged line by line"
        line = shlex.quote(f"/{path} text eol=lf merge={NAME}")
        yield Check(level=Level.WARN, name=_CHECK, text=text, do=(f"echo {line} >>.gitattributes",))
    if len(plain) > _SHOWN:
        text = f"nor for {len(plain) - _SHOWN} more state documents"
        yield Check(level=Level.WARN, name=_CHECK, text=text)


def mend(repository: Repository, python: str) -> Iterator[Step]:
    """Steps that set the driver anew where it is ours and does not start any more."""
    used = interpreter_of(repository)
    if is_ours(repository) and (used is None or not shim.runs(used)):
        yield from set_driver(repository, python)


def _driven(repository: Repository, paths: list[str]) -> frozenset[str]:
    """Those of some paths for which `.gitattributes` names the driver."""
    told = (repository.git("check-attr", "-z", "merge", "--", *paths) or "").split("\0")
    return frozenset(path for path, driver in zip(told[0::3], told[2::3], strict=False) if driver == NAME)
