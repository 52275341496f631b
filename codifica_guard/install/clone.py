"""The guard in a clone: mistakes are seen before the push, commits are signed as they are made, tasks are merged by meaning."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from codifica_guard.errors import UsageError
from codifica_guard.git.config import INTRODUCTION
from codifica_guard.install import config_hooks, elsewhere, shim
from codifica_guard.install.elsewhere import Elsewhere
from codifica_guard.install.merge_driver import set_driver, unset_driver
from codifica_guard.install.plan import (
    Plan,
    Step,
    check_writable,
    install_hooks,
    remove_hooks,
    set_value,
    unset_value,
)
from codifica_guard.install.receipt_refs import set_refspec, unset_refspec
from codifica_guard.install.repository import Repository, open_clone

OPTION: Final = "codifica-guard install --hooks-path"
"""The command that writes into somebody else's hooks folder."""


def plan_clone(
    path: str, *, introduction: str | None = None, python: str | None = None, hooks_path: bool = False
) -> Plan:
    """What installing the hooks into a clone would do, for all its worktrees; run again after that, it has no steps.

    Where `core.hooksPath` names another folder, Git's config calls ours beside it, if this Git knows how. Else the plan is
    blocked as far as the hooks go: it says what to do, and writes a few lines into that folder's hooks if it is told to.

    Args:
        path: a folder in the work tree.
        introduction: the commit to pin, one that the remote branch holds; None leaves what is pinned.
        python: the interpreter that the hooks start; None for this one.
        hooks_path: whether to write into the hooks in the folder that `core.hooksPath` names.

    Raises:
        UsageError: there is no clone at the path, it is not ours to write, or another introduction is pinned.
    """
    repository = open_clone(path)
    check_writable(repository)
    starts = python or shim.interpreter()
    heading = f"{repository.work_tree}   clone, hooks in {repository.hooks}"
    first = [
        *(_pin(repository, introduction) if introduction is not None else ()),
        *set_refspec(repository),
        *set_driver(repository, starts),
    ]
    place = elsewhere.find_elsewhere(repository)
    if place is not None:
        return _beside(repository, place, heading, starts, tuple(first), told=hooks_path)
    if hooks_path:
        raise UsageError("core.hooksPath is not set: Git looks into the clone's own hooks; do: codifica-guard install")
    # Git would run both.
    twice = [step for name in shim.CLIENT for step in config_hooks.unset_hook(repository, name)]
    shims = [*install_hooks(repository.hooks, shim.CLIENT, starts), *_renewed(repository, starts)]
    after = (f"here: hooks {' '.join(shim.CLIENT)}, merge driver",)
    return Plan(heading=heading, steps=(*first, *twice, *shims), after=after)


def own_folder(repository: Repository) -> Path:
    """Where the shims lie that somebody else's hooks, or Git's config, call."""
    return repository.git_dir / "codifica-guard" / "hooks"


def plan_uninstall_clone(path: str) -> Plan:
    """What taking the hooks out of a clone would do; no steps where they are not in.

    Raises:
        UsageError: there is no clone at the path, or it is not ours to write.
    """
    repository = open_clone(path)
    check_writable(repository)
    place = elsewhere.find_elsewhere(repository)
    lines = [elsewhere.take_lines(repository, place, name) for name in shim.CLIENT] if place is not None else []
    steps = (
        *remove_hooks(repository.hooks, shim.CLIENT),
        *(step for name in shim.CLIENT for step in config_hooks.unset_hook(repository, name)),
        *(step for step in lines if step is not None),
        *remove_hooks(own_folder(repository), shim.CLIENT),
        *unset_driver(repository),
        *unset_refspec(repository),
        *unset_value(repository, INTRODUCTION),
    )
    return Plan(heading=f"{repository.work_tree}   clone, hooks in {repository.hooks}", steps=steps)


def _renewed(repository: Repository, python: str) -> Iterator[Step]:
    """Shims that are called by somebody else's hooks: another worktree of this clone may have a hooks folder elsewhere."""
    folder = own_folder(repository)
    yield from install_hooks(folder, [name for name in shim.CLIENT if (folder / name).exists()], python)


def _beside(
    repository: Repository, place: Elsewhere, heading: str, python: str, first: tuple[Step, ...], *, told: bool
) -> Plan:
    """Beside a hooks folder of somebody else: called from it, or else by Git's config, or not yet."""
    steps = [*first, *install_hooks(own_folder(repository), shim.CLIENT, python)]
    missing = [name for name in shim.CLIENT if not place.calls(name)]
    if told:
        why = {name: reason for name in missing if (reason := elsewhere.obstacle(place, name)) is not None}
        steps += (elsewhere.add_lines(place, name) for name in missing if name not in why)
        missing = list(why)
    by_config = missing if config_hooks.known() else []
    for name in shim.CLIENT:
        steps += (config_hooks.set_hook if name in by_config else config_hooks.unset_hook)(repository, name)
    if missing and not by_config:
        return Plan(heading=heading, steps=tuple(steps), blocked=_not_called(place, missing, told=told))
    return Plan(heading=heading, steps=tuple(steps), after=(_called(place, by_config),))


def _called(place: Elsewhere, by_config: list[str]) -> str:
    if by_config:
        return (
            f"here: merge driver; beside {place.value}, which stays as it is, Git's config calls {' '.join(by_config)}"
        )
    return f"here: merge driver; the hooks in {place.written} call codifica-guard"


def _not_called(place: Elsewhere, missing: list[str], *, told: bool) -> tuple[str, ...]:
    """What is left to do by people; `told` where the option was given, and what could be written was."""
    major, minor = config_hooks.git_version()
    why = {name: reason for name in missing if (reason := elsewhere.obstacle(place, name)) is not None}
    free = [name for name in missing if name not in why]
    lines = [
        f"{place.told()}: that folder belongs to somebody else, and not all of its hooks call the guard yet.",
        f"Git {major}.{minor} knows no hooks in its config (2.54 and newer do).",
    ]
    if free and not told:
        whose = "husky" if place.husky else "that folder"
        shared = "" if place.inside else " (other repositories may use it too: there they do nothing)"
        lines += [
            f"to put a few lines into {', '.join(free)} of {whose}, {place.written}{shared}:",
            f"  do: {OPTION}",
        ]
    if why:
        lines += ["whoever may write there puts these lines in:", *elsewhere.by_hand(place, why)]
    return tuple(lines)


def _pin(repository: Repository, introduction: str) -> Iterator[Step]:
    oid = repository.commit_id(introduction)
    if oid is None:
        raise UsageError(f"{introduction}: there is no such commit in {repository.work_tree}")
    pinned = repository.own(INTRODUCTION)
    if pinned is not None and pinned != oid:
        raise UsageError(
            f"{pinned[:12]} is pinned as introduction in this clone already. If it is to be another one: "
            f"git config --unset {INTRODUCTION}, then install again"
        )
    yield from set_value(repository, INTRODUCTION, oid)
