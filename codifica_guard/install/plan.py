"""What an installation would do, as a value that can be shown first, and the one place that does it."""

import os
import re
import tempfile
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum
from pathlib import Path
from typing import Final

from codifica_guard.errors import GuardError, UsageError
from codifica_guard.install import shim
from codifica_guard.install.new_key import make_key
from codifica_guard.install.repository import Repository, run
from codifica_guard.install.shim import Found, Whose


class Action(Enum):
    """One kind of step: the word before it is done, and the word after; a third tells apart what is called alike."""

    KEEP = ("keep", "kept")
    WRITE = ("write", "wrote")
    CHANGE = ("change", "changed")
    MAKE = ("make", "made")
    MODE = ("change", "changed", "mode")
    SET = ("set", "set")
    UNSET = ("unset", "unset")
    ADD = ("add", "added")
    TAKE = ("take out", "took out")
    REMOVE = ("remove", "removed")
    DELETE = ("delete", "deleted")
    RESTORE = ("restore", "restored")
    LEAVE = ("leave", "left")


@dataclass(frozen=True, slots=True, kw_only=True)
class Step:
    """One thing to do.

    Attributes:
        action: what.
        subject: the file or key, for people.
        note: why, or with what; may be empty.
        path: the file that is acted on (for SET, UNSET, ADD and TAKE: the config file; for DELETE: the repository of the ref).
        other: the second file of KEEP (where to) and RESTORE (where from).
        data: bytes of WRITE and CHANGE.
        mode: mode bits of WRITE, CHANGE and MODE.
        value: value of SET; the one of several that ADD and TAKE are about; whose key MAKE makes; what DELETE's ref has to be.
    """

    action: Action
    subject: str
    note: str = ""
    path: Path = Path()
    other: Path = Path()
    data: bytes = b""
    mode: int = shim.MODE
    value: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Plan:
    """All that an installation or its undoing would do; empty of steps where nothing is left to do.

    Attributes:
        heading: the repository, in one line.
        steps: what to do, in order.
        after: lines for people once it is done.
        blocked: what may not be done, why, and what to do by hand; `steps` are then what can be done all the same.
    """

    heading: str
    steps: tuple[Step, ...] = ()
    after: tuple[str, ...] = ()
    blocked: tuple[str, ...] = ()

    @property
    def changes(self) -> bool:
        """Whether carrying it out would change a byte."""
        return any(step.action is not Action.LEAVE for step in self.steps)

    def preview(self) -> "Report":
        """What a dry run prints; nothing is changed."""
        if self.blocked:
            return Report(lines=(self.heading, *_table(self.steps, done=False), *self.blocked), exit_code=1)
        if not self.changes:
            return Report(lines=(self.heading, *_table(self.steps, done=False), "nothing to do"))
        return Report(lines=(self.heading, *_table(self.steps, done=False), "nothing was changed"))


@dataclass(frozen=True, slots=True, kw_only=True)
class Report:
    """What was done, for people.

    Attributes:
        lines: the text.
        exit_code: 0 done, 1 blocked.
        changed: whether anything was changed.
    """

    lines: tuple[str, ...]
    exit_code: int = 0
    changed: bool = False


def apply(plan: Plan) -> Report:
    """Carry a plan out, step by step; each file is replaced whole or not at all.

    Raises:
        GuardError: a step failed. What came before it is done; the same call again goes on from there.
    """
    if plan.blocked and not plan.steps:
        return plan.preview()
    for step in plan.steps:
        try:
            _DO[step.action](step)
        except OSError as error:
            raise GuardError(f"cannot {step.action.value[0]} {step.subject}: {error.strerror}; run it again") from error
    if plan.blocked:
        told = (plan.heading, *_table(plan.steps, done=True), *plan.blocked)
        return Report(lines=told, exit_code=1, changed=plan.changes)
    if not plan.changes:
        return Report(lines=(*_table(plan.steps, done=True), *plan.after, "nothing to do"))
    return Report(lines=(*_table(plan.steps, done=True), *plan.after), changed=True)


def install_hooks(hooks: Path, names: Sequence[str], python: str) -> Iterator[Step]:
    """Steps that put our shims in place, and keep and chain what was there.

    Raises:
        UsageError: the folder is not this repository's own, or a hook of somebody else would be lost.
    """
    if hooks.is_symlink():
        raise UsageError(
            f"{hooks} is a link to {hooks.readlink()}, perhaps shared by other repositories; "
            f"make it a folder of its own first (copy what it holds)"
        )
    for name in names:
        path, kept = hooks / name, hooks / (name + shim.KEPT)
        found = shim.look(path, name)
        behind = shim.look(hooks / (name + shim.LEGACY), name)
        if found.whose is Whose.FOREIGN and (behind.whose is Whose.OURS or found.tool == "pre-commit"):
            # It calls what lies there, and would take a hook in front of it for one to move there.
            path, found = hooks / (name + shim.LEGACY), behind
        if found.whose is Whose.FOREIGN:
            yield _kept(path, kept, name, found)
        data = shim.render(name, python)
        if found.data != data or path.stat().st_mode & 0o7777 != shim.MODE:
            yield Step(action=Action.WRITE, subject=f"{hooks.name}/{path.name}", path=path, data=data)
        yield from _aside(hooks, name)


def _kept(path: Path, kept: Path, name: str, found: Found) -> Step:
    subject = f"{path.parent.name}/{path.name}"
    if os.path.lexists(kept) and not (found.tool and shim.look(kept, name).tool == found.tool):
        raise UsageError(f"{path} is not ours, and {kept.name} holds another one from before; keep one of the two")
    if os.path.lexists(kept):
        note = f"{found.tool} wrote it anew; it takes the place of the one that was kept"
    else:
        note = "yours; ours calls it with the same input" if found.executable else "yours; not executable, stays off"
    return Step(action=Action.KEEP, subject=subject, note=note, path=path, other=kept)


def _aside(hooks: Path, name: str) -> Iterator[Step]:
    """What lefthook moved out of the way is ours, and would be in its way the next time."""
    path = hooks / (name + shim.ASIDE)
    if shim.look(path, name).whose is Whose.OURS:
        yield Step(action=Action.REMOVE, subject=f"{hooks.name}/{path.name}", path=path)


def remove_hooks(hooks: Path, names: Sequence[str]) -> Iterator[Step]:
    """Steps that take our shims out and put back what was there, byte for byte, with its mode."""
    for name in names:
        path, kept, legacy = hooks / name, hooks / (name + shim.KEPT), hooks / (name + shim.LEGACY)
        found, chained = shim.look(path, name), shim.look(legacy, name).whose is Whose.OURS
        yield from _aside(hooks, name)
        if chained and (found.whose is Whose.OURS or not os.path.lexists(kept)):
            yield Step(action=Action.REMOVE, subject=f"{hooks.name}/{legacy.name}", path=legacy)
        if not os.path.lexists(kept):
            if found.whose is Whose.OURS:
                yield Step(action=Action.REMOVE, subject=f"{hooks.name}/{name}", path=path)
        elif found.whose is Whose.FOREIGN and not chained:
            note = f"{hooks.name}/{name} is another one now; delete the one that you do not need"
            yield Step(action=Action.LEAVE, subject=f"{hooks.name}/{kept.name}", note=note)
        else:
            # Where pre-commit moved ours, which called another one, that one is what it has to call.
            place = legacy if chained and found.whose is Whose.FOREIGN else path
            note = f"byte for byte, mode {kept.lstat().st_mode & 0o7777:04o}"
            yield Step(action=Action.RESTORE, subject=f"{hooks.name}/{place.name}", note=note, path=place, other=kept)


def set_value(repository: Repository, key: str, value: str, note: str = "") -> Iterator[Step]:
    """The step that sets a key in the repository's own config, if it is not set so already."""
    if repository.own(key) != value:
        yield Step(action=Action.SET, subject=key, note=note or value, path=repository.config, value=value)


def unset_value(repository: Repository, key: str) -> Iterator[Step]:
    """The step that takes a key out of the repository's own config, if it is there."""
    if repository.own(key) is not None:
        yield Step(action=Action.UNSET, subject=key, path=repository.config)


def add_value(repository: Repository, key: str, value: str, note: str = "") -> Iterator[Step]:
    """The step that gives a key of several values one more, if it has it not yet."""
    if value not in repository.own_all(key):
        yield Step(action=Action.ADD, subject=key, note=note or value, path=repository.config, value=value)


def take_value(repository: Repository, key: str, value: str) -> Iterator[Step]:
    """The step that takes one of a key's values out, the others stay."""
    if value in repository.own_all(key):
        yield Step(action=Action.TAKE, subject=key, note=value, path=repository.config, value=value)


def check_writable(repository: Repository) -> None:
    """Refuse before the first step what would fail in the middle.

    Raises:
        UsageError: a file or folder is not writable, or root would write into somebody else's repository.
    """
    owner = repository.git_dir.stat().st_uid
    if os.geteuid() == 0 and owner != 0:
        name = user(owner)
        raise UsageError(
            f"{repository.git_dir} belongs to {name}: files of root in it would be in the way; do: sudo -u {name} codifica-guard …"
        )
    for path in (repository.git_dir, repository.config, repository.hooks, repository.folder):
        if path.exists() and not os.access(path, os.W_OK):
            raise UsageError(
                f"{path} is not writable for {user(os.geteuid())}; it belongs to {user(path.stat().st_uid)}"
            )


def user(number: int) -> str:
    """The name of a user of this machine; its number where it has none."""
    import pwd  # noqa: PLC0415 - only for a refusal's text

    try:
        return pwd.getpwuid(number).pw_name
    except KeyError:
        return f"#{number}"  # as sudo -u takes it


def _keep(step: Step) -> None:
    # A second name first, so that there is no moment without a hook; the shim then takes the old name over.
    try:
        os.link(step.path, step.other, follow_symlinks=False)
    except OSError:  # a file system without hard links
        step.path.rename(step.other)


def _write(step: Step) -> None:
    # An empty file with an x bit is a hook that accepts every push: written whole and synced before it gets its name.
    step.path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
    handle, name = tempfile.mkstemp(prefix=".codifica-guard-", dir=step.path.parent)
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(step.data)
            os.fchmod(handle, step.mode)
            file.flush()
            os.fsync(handle)
        Path(name).replace(step.path)
    except OSError:
        Path(name).unlink(missing_ok=True)
        raise


def _set(step: Step) -> None:
    _config(step, "--replace-all", step.subject, step.value)


def _unset(step: Step) -> None:
    _config(step, "--unset-all", step.subject)


def _add(step: Step) -> None:
    _config(step, "--add", step.subject, step.value)


def _take(step: Step) -> None:
    _config(step, "--unset-all", step.subject, f"^{re.escape(step.value)}$")


def _delete(step: Step) -> None:
    done = run(f"--git-dir={step.path}", "update-ref", "--no-deref", "-d", step.subject, step.value)
    if done.returncode != 0:
        raise GuardError(f"cannot delete {step.subject}: {os.fsdecode(done.stderr).strip()}; run it again")


def _config(step: Step, option: str, *arguments: str) -> None:
    done = run("config", "--file", str(step.path), option, *arguments)
    if done.returncode != 0:
        text = os.fsdecode(done.stderr).strip()
        raise GuardError(f"cannot {step.action.value[0]} {step.subject} in {step.path}: {text}; run it again")


_DO: Final[dict[Action, Callable[[Step], object]]] = {
    Action.KEEP: _keep,
    Action.WRITE: _write,
    Action.CHANGE: _write,
    Action.MAKE: lambda step: make_key(step.path, step.value),
    Action.MODE: lambda step: step.path.chmod(step.mode),
    Action.SET: _set,
    Action.UNSET: _unset,
    Action.ADD: _add,
    Action.TAKE: _take,
    Action.REMOVE: lambda step: step.path.unlink(),
    Action.DELETE: _delete,
    Action.RESTORE: lambda step: step.other.replace(step.path),
    Action.LEAVE: lambda _: None,
}


def _table(steps: Sequence[Step], *, done: bool) -> Iterator[str]:
    width = max((len(step.subject) for step in steps), default=0)
    for step in steps:
        word = step.action.value[1] if done else f"would {step.action.value[0]}"
        yield f"{word:<{9 if done else 14}} {step.subject:<{width}}   {step.note}".rstrip()
