"""The guard in a clone: mistakes are seen before the push, commits are signed as they are made."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from codifica_guard.errors import UsageError
from codifica_guard.git.config import INTRODUCTION
from codifica_guard.install import shim
from codifica_guard.install.plan import (
    Plan,
    Step,
    check_writable,
    install_hooks,
    remove_hooks,
    set_value,
    unset_value,
)
from codifica_guard.install.repository import Repository, open_clone

_TEXT_BYTES: Final = 1024 * 1024  # of a hook in somebody else's folder, searched for our line


def plan_clone(path: str, *, introduction: str | None = None, python: str | None = None) -> Plan:
    """What installing the hooks into a clone would do, for all its worktrees; run again after that, it has no steps.

    Where `core.hooksPath` names another folder, that folder is left alone: the plan is blocked and says which lines to add
    there; once they are there it is neither blocked nor has it hooks to write.

    Args:
        path: a folder in the work tree.
        introduction: the commit to pin, one that the remote branch holds; None leaves what is pinned.
        python: the interpreter that the hooks start; None for this one.

    Raises:
        UsageError: there is no clone at the path, it is not ours to write, or another introduction is pinned.
    """
    repository = open_clone(path)
    check_writable(repository)
    pin = [*_pin(repository, introduction)] if introduction is not None else []
    heading = _heading(repository)
    if (elsewhere := repository.hooks_elsewhere()) is not None:
        folder = Path(repository.work_tree or repository.git_dir, elsewhere[0])
        if missing := [name for name in shim.CLIENT if not is_called(folder / name, name)]:
            return Plan(heading=heading, blocked=_lines_to_add(elsewhere, folder, missing))
        return Plan(heading=heading, steps=tuple(pin), after=(f"the hooks in {elsewhere[0]} call codifica-guard.",))
    steps = (*pin, *install_hooks(repository.hooks, shim.CLIENT, python or shim.interpreter()))
    return Plan(heading=heading, steps=steps, after=(f"here: hooks {' '.join(shim.CLIENT)}",))


def plan_uninstall_clone(path: str) -> Plan:
    """What taking the hooks out of a clone would do; no steps where they are not in.

    Raises:
        UsageError: there is no clone at the path, or it is not ours to write.
    """
    repository = open_clone(path)
    check_writable(repository)
    steps = (*remove_hooks(repository.hooks, shim.CLIENT), *unset_value(repository, INTRODUCTION))
    after: tuple[str, ...] = ()
    if (elsewhere := repository.hooks_elsewhere()) is not None:
        folder = Path(repository.work_tree or repository.git_dir, elsewhere[0])
        called = [name for name in shim.CLIENT if is_called(folder / name, name)]
        after = tuple(
            f"yours to take out: the line with `codifica-guard hook {name}` in {folder / name}" for name in called
        )
    return Plan(heading=_heading(repository), steps=steps, after=after)


def line_to_add(name: str) -> str:
    """The line of sh that calls the guard from somebody else's hook; it does nothing where the guard is not installed."""
    refuse = "" if name == "post-merge" else " || exit"
    return f'if command -v codifica-guard >/dev/null; then codifica-guard hook {name} "$@"{refuse}; fi'


def is_called(path: Path, name: str) -> bool:
    """Whether a hook of somebody else calls the guard: a line that is no comment holds the call."""
    try:
        with path.open("rb") as file:
            text = file.read(_TEXT_BYTES)
    except OSError:
        return False
    call = f"hook {name}".encode()
    return any(
        b"codifica" in line and call in line and not line.lstrip().startswith(b"#") for line in text.split(b"\n")
    )


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


def _lines_to_add(elsewhere: tuple[str, str], folder: Path, missing: list[str]) -> tuple[str, ...]:
    lines = [
        f"core.hooksPath is {elsewhere[0]} (set in {elsewhere[1]}): that folder belongs to somebody else and stays as it is.",
        "add one line to each of these hooks (sh, executable; make those that are missing), then install again:",
    ]
    for name in missing:
        lines += [f"  {folder / name}", f"    {line_to_add(name)}"]
    if "pre-push" in missing or "post-rewrite" in missing:
        lines.append("pre-push and post-rewrite read standard input: put the line where nothing has read it yet.")
    return tuple(lines)


def _heading(repository: Repository) -> str:
    return f"{repository.work_tree}   clone, hooks in {repository.hooks}"
