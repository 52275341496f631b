"""Somebody else's hooks folder, which `core.hooksPath` names: where Git looks, and whose files people write there."""

import os
import shlex
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from codifica_guard.install import lines, shim
from codifica_guard.install.plan import Action, Step
from codifica_guard.install.repository import Repository

_TEXT_BYTES: Final = 1024 * 1024  # a hook of somebody else that is longer is none to write into
_HUSKY: Final = ("_", "h")  # husky 9: its own folder, and the script that every hook in there calls


@dataclass(frozen=True, slots=True, kw_only=True)
class Elsewhere:
    """A folder of hooks that is not the repository's own.

    Attributes:
        value: `core.hooksPath`.
        origin: the file that sets it.
        folder: where Git looks.
        written: where people write their hooks: husky's own folder is made anew all the time, and calls the files above it.
        inside: whether it lies in this work tree; else other repositories may use it too.
    """

    value: str
    origin: str
    folder: Path
    written: Path
    inside: bool

    @property
    def husky(self) -> bool:
        """Whether husky calls what is written, by sh, executable or not."""
        return self.written != self.folder

    def told(self) -> str:
        """It, for people."""
        return f"core.hooksPath is {self.value} (set in {self.origin})"

    def text(self, name: str) -> bytes | None:
        """The bytes of a hook that people write; None where there is none, or none that can be read."""
        try:
            with (self.written / name).open("rb") as file:
                return file.read(_TEXT_BYTES)
        except OSError:
            return None

    def calls(self, name: str) -> bool:
        """Whether one of its hooks calls the guard."""
        return lines.is_called(self.text(name) or b"", name)

    def runs(self, name: str) -> bool:
        """Whether Git comes to run what is written for a hook."""
        front = self.folder / name
        return os.access(front, os.X_OK) and (not self.husky or (self.written / name).is_file())


def find_elsewhere(repository: Repository) -> Elsewhere | None:
    """The folder that `core.hooksPath` names; None where Git looks into the repository's own."""
    found = repository.hooks_elsewhere()
    if found is None:
        return None
    top = repository.work_tree or repository.git_dir
    folder = Path(os.path.normpath(top / found[0]))
    # Where husky's folder is not there yet, as in a new worktree, what is written into it would be lost.
    husky = folder.name == _HUSKY[0] and ((folder / _HUSKY[1]).is_file() or not folder.exists())
    inside = folder.resolve().is_relative_to(top.resolve())
    return Elsewhere(
        value=found[0], origin=found[1], folder=folder, written=folder.parent if husky else folder, inside=inside
    )


def obstacle(place: Elsewhere, name: str) -> str | None:
    """Why nothing may be written into a hook there; None where it may."""
    path = place.written / name
    if not place.value:
        return "core.hooksPath is empty: git config --unset core.hooksPath"
    if path.is_symlink():
        return "it is a link"
    nearest = next(folder for folder in (place.written, *place.written.parents) if folder.exists())
    if not nearest.is_dir():
        return f"{nearest} is no folder"
    for needed in (nearest, path):
        if needed.exists() and not os.access(needed, os.W_OK):
            return f"{needed} is not writable for you"
    return _unfit(place.text(name)) if path.exists() else None


def _unfit(data: bytes | None) -> str | None:
    """Why lines of sh have no place in a hook; None where they have."""
    if data is None or len(data) == _TEXT_BYTES:
        return "it is no file that can be read"
    if tool := shim.tool_of(data):
        return f"{tool} writes it anew"
    return None if lines.is_sh(data) else "it is no script of sh"


def add_lines(place: Elsewhere, name: str) -> Step:
    """The step that lets a hook there call the guard; its other lines and its mode stay as they are."""
    path = place.written / name
    data = place.text(name)
    if data is None:
        note = "new; it does nothing where the guard is not installed"
        return Step(action=Action.WRITE, subject=str(path), note=note, path=path, data=lines.alone(name))
    mode = path.stat().st_mode & 0o7777
    # Git passes over what is not executable, and husky runs it all the same.
    wanted = mode if place.husky else mode | 0o111
    return Step(
        action=Action.CHANGE,
        subject=str(path),
        note="a few lines more",
        path=path,
        data=lines.added(data, name),
        mode=wanted,
    )


def take_lines(repository: Repository, place: Elsewhere, name: str) -> Step | None:
    """The step that takes our lines out of a hook there; None where there are none."""
    path, data = place.written / name, place.text(name)
    if data is None or not lines.is_called(data, name):
        return None
    rest = lines.taken(data, name)
    if rest is None:
        why = "the line that calls the guard is yours to take out"
    elif not place.inside:
        why = "our lines stay: other repositories may use this folder; here they do nothing any more"
    elif _committed(repository, path, name):
        why = "our lines stay: they are committed, and others may need them; here they do nothing any more"
    elif (reason := obstacle(place, name)) is not None:
        why = f"our lines stay: {reason}; they do nothing any more"
    else:
        if lines.is_empty(rest):
            return Step(action=Action.REMOVE, subject=str(path), path=path)
        mode = path.stat().st_mode & 0o7777
        return Step(action=Action.CHANGE, subject=str(path), note="our lines are out", path=path, data=rest, mode=mode)
    return Step(action=Action.LEAVE, subject=str(path), note=why)


def by_hand(place: Elsewhere, names: dict[str, str]) -> tuple[str, ...]:
    """What to write into which hook, where it is not for us to do.

    Args:
        place: the folder.
        names: hook to the reason.
    """
    told: list[str] = []
    for name, why in names.items():
        told.append(f"  {place.written / name}   ({why})")
        told += (f"    {line}" for line in lines.block(name).decode("ascii").splitlines())
    if told and not all(place.husky or (place.written / name).exists() for name in names):
        made = shlex.quote(str(place.written))
        told.append(f"  what is new there begins with #!/bin/sh, and is made executable: chmod +x {made}/NAME")
    return tuple(told)


def _committed(repository: Repository, path: Path, name: str) -> bool:
    top = (repository.work_tree or repository.git_dir).resolve()
    text = repository.git("show", f"HEAD:{path.resolve().relative_to(top)}")
    return text is not None and lines.is_called(os.fsencode(text), name)
