"""Checks of the hooks: whether Git runs them, whether they are ours, and whether they say no."""

import os
import shlex
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from codifica_guard import __version__
from codifica_guard.install import config_hooks, shim
from codifica_guard.install.check import Check, Level, fix_command, install_command
from codifica_guard.install.clone import OPTION, own_folder
from codifica_guard.install.elsewhere import Elsewhere, obstacle
from codifica_guard.install.repository import Repository
from codifica_guard.install.shim import Found, Whose

_SECONDS: Final = 60  # for one start of an interpreter; a cold one without bytecode takes two
_PROBE: Final = (
    "import time; start = time.perf_counter(); import codifica_guard.hooks.server; "
    "spent = time.perf_counter() - start; import platform; "
    "print(codifica_guard.__version__, platform.python_version(), round(spent * 1000))"
)
_LOST: Final = {"pre-receive": " and ACCEPTS every push", "post-receive": ", so no receipts are written"}
_WITHOUT: Final = {"pre-receive": ": git ACCEPTS every push", "post-receive": ": no receipts are written"}


def look_at(repository: Repository, name: str) -> tuple[Found, Path]:
    """A hook as Git comes to run it, and its file: the one at its place, or ours that the pre-commit framework calls."""
    path, legacy = repository.hooks / name, repository.hooks / f"{name}{shim.LEGACY}"
    found = shim.look(path, name)
    if found.whose is Whose.FOREIGN and (chained := shim.look(legacy, name)).whose is Whose.OURS:
        return chained, legacy
    return found, path


def has_none(repository: Repository, place: Elsewhere | None) -> bool:
    """Whether a clone has no hook of ours: neither files, nor moved aside, nor called by Git's config or another folder."""
    folders = (repository.hooks, own_folder(repository))
    endings = ("", shim.LEGACY, shim.ASIDE)
    return not any(
        config_hooks.is_set(repository, name)
        or (place is not None and place.calls(name))
        or any(shim.look(f / f"{name}{e}", name).whose is Whose.OURS for f in folders for e in endings)
        for name in shim.CLIENT
    )


def check_python(repository: Repository, names: tuple[str, ...]) -> Iterator[Check]:
    """Whether the interpreter that the installed hooks start is there, and the guard in it."""
    for python in dict.fromkeys(interpreters(repository, names)):
        if not shim.runs(python):
            yield Check(
                level=Level.FAIL,
                name="python",
                text=f"{python} is missing: the hooks cannot start",
                do=fix_command(repository),
            )
            continue
        done = _start(repository, [python, "-I", "-c", _PROBE])
        words = done.stdout.decode("utf-8", "replace").split()
        if done.returncode != 0 or len(words) != 3:
            said = done.stderr.decode("utf-8", "replace").strip().splitlines()[-1:] or ["no answer"]
            text = f"{python} cannot load codifica-guard: {said[0]}"
            yield Check(level=Level.FAIL, name="python", text=text, do=fix_command(repository))
        elif words[0] != __version__:
            text = f"{python} holds codifica-guard {words[0]}, this is {__version__}"
            yield Check(level=Level.WARN, name="python", text=text, do=fix_command(repository))
        else:
            text = f"{python}, codifica-guard {words[0]}, Python {words[1]}, imports in {words[2]} ms"
            yield Check(level=Level.OK, name="python", text=text)


def check_hooks_path(repository: Repository) -> Iterator[Check]:
    """Whether Git looks into the repository's own hooks folder."""
    if (elsewhere := repository.hooks_elsewhere()) is not None:
        yield Check(
            level=Level.FAIL,
            name="hooks folder",
            text=f"core.hooksPath is {elsewhere[0]} (set in {elsewhere[1]}): git does not run the hooks that are installed",
            do=(f"git --git-dir={repository.quoted} config core.hooksPath {repository.quoted}/hooks",),
        )


def check_hook(repository: Repository, name: str) -> Iterator[Check]:
    """Whether one hook is there, ours, as this version writes it, and executable."""
    found, path = look_at(repository, name)
    where = f"hooks/{path.name}"
    skipped = f"git skips it{_LOST.get(name, '')}"
    if found.whose is Whose.NOBODY:
        text = f"{where} is missing{_WITHOUT.get(name, '')}"
        yield Check(level=Level.FAIL, name=name, text=text, do=fix_command(repository))
    elif found.whose is Whose.FOREIGN:
        aside = shim.look(repository.hooks / f"{name}{shim.ASIDE}", name).whose is Whose.OURS
        moved = f", ours was moved aside to hooks/{name}{shim.ASIDE}" if aside else ""
        text = f"{where} is {found.tool or 'not ours'}{moved}: nothing is judged by it"
        yield Check(level=Level.FAIL, name=name, text=text, do=(install_command(repository),))
    elif not found.executable:
        text = f"{where} is {path.stat().st_mode & 0o7777:04o}: {skipped}"
        yield Check(level=Level.FAIL, name=name, text=text, do=fix_command(repository))
    elif found.data != shim.render(name, shim.interpreter_of(found.data) or "/"):
        text = f"{where} is of another version or was edited"
        yield Check(level=Level.WARN, name=name, text=text, do=fix_command(repository))
    else:
        yield Check(level=Level.OK, name=name, text=f"{where} is ours, executable{_chained(repository, name)}")


def check_says_no(repository: Repository) -> Iterator[Check]:
    """Whether the installed pre-receive, run as the repository's owner, refuses empty input, as it has to."""
    found, path = look_at(repository, "pre-receive")
    if found.whose is not Whose.OURS or not found.executable:
        why = "not executable" if found.whose is Whose.OURS else "not ours"
        yield Check(level=Level.SKIP, name="says no", text=f"(empty input must be refused)  not run: {why}")
        return
    done = _start(repository, [str(path)])
    if done.returncode == 0:
        text = "the hook lets empty input pass: it judges nothing"
        yield Check(level=Level.FAIL, name="says no", text=text, do=(install_command(repository),))
    else:
        yield Check(level=Level.OK, name="says no", text="run live with empty input, it refuses")


def check_calls(repository: Repository, place: Elsewhere) -> Iterator[Check]:
    """Whether Git comes to run ours beside somebody else's folder, and once: by the hooks in there, or by its config."""
    for name in shim.CLIENT:
        front, config = place.calls(name), config_hooks.is_set(repository, name)
        shown = place.written / name
        if front and not place.runs(name):
            why = f"{place.folder / name} is missing" if place.husky else f"{shown} is not executable"
            mend = "npm install" if place.husky else f"chmod +x {shlex.quote(str(shown))}"
            yield Check(level=Level.FAIL, name=name, text=f"{why}: git skips it", do=(mend,))
        elif front and config and config_hooks.known():
            text = f"{shown} calls codifica-guard, and git's config does too: it runs twice"
            yield Check(level=Level.WARN, name=name, text=text, do=("codifica-guard install",))
        elif front or config:
            yield _by_config(repository, name) if not front else _shim(repository, name, f"{shown} calls")
        else:
            text = f"{shown} does not call codifica-guard ({place.told()})"
            by_itself = config_hooks.known() or obstacle(place, name) is not None
            do = "codifica-guard install" if by_itself else OPTION
            yield Check(level=Level.FAIL, name=name, text=text, do=(do,))


def check_twice(repository: Repository) -> Iterator[Check]:
    """Whether Git's config calls ours besides the clone's own hooks."""
    names = [name for name in shim.CLIENT if config_hooks.is_set(repository, name)]
    if names and config_hooks.known():
        text = f"git's config calls {', '.join(names)} besides the hooks folder: they run twice"
        yield Check(level=Level.WARN, name="hooks twice", text=text, do=("codifica-guard install",))


def _by_config(repository: Repository, name: str) -> Check:
    key = config_hooks.is_off(repository, name)
    if not config_hooks.known():
        text = "git's config calls it, which this git is too old for: it does not run"
        return Check(level=Level.FAIL, name=name, text=text, do=(OPTION,))
    if key is not None:
        return Check(level=Level.FAIL, name=name, text=f"{key} is false: git skips it", do=(f"git config {key} true",))
    return _shim(repository, name, "git's config calls")


def _shim(repository: Repository, name: str, by: str) -> Check:
    """The shim that is called from outside the hooks folder."""
    path = own_folder(repository) / name
    found = shim.look(path, name)
    fine = found.whose is Whose.OURS and found.executable
    if fine and found.data == shim.render(name, shim.interpreter_of(found.data) or "/"):
        return Check(level=Level.OK, name=name, text=f"{by} ours")
    state = "of another version, or edited" if fine else "missing, or not executable: it does nothing"
    level = Level.WARN if fine else Level.FAIL
    return Check(level=level, name=name, text=f"{by} {path}, which is {state}", do=fix_command(repository))


def interpreters(repository: Repository, names: tuple[str, ...]) -> Iterator[str]:
    """The interpreters that the installed hooks start."""
    for name in names:
        own = shim.look(own_folder(repository) / name, name)
        for found in (look_at(repository, name)[0], own):
            python = shim.interpreter_of(found.data)
            if python is not None:
                yield python


def _chained(repository: Repository, name: str) -> str:
    kept = repository.hooks / f"{name}{shim.KEPT}"
    if not os.path.lexists(kept):
        return ""
    return "; it calls the one that was there before" if os.access(kept, os.X_OK) else "; the one before was and is off"


def _start(repository: Repository, command: list[str]) -> subprocess.CompletedProcess[bytes]:
    """Run something as the repository's owner with empty input; what cannot be started, or hangs, has failed."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("GIT_")}
    folder = repository.git_dir.stat()
    other = os.geteuid() == 0 and folder.st_uid != 0
    try:
        return subprocess.run(
            command,
            cwd=repository.git_dir,
            env=environment | {"GIT_DIR": "."},
            stdin=subprocess.DEVNULL,
            capture_output=True,
            check=False,
            timeout=_SECONDS,
            user=folder.st_uid if other else None,
            group=folder.st_gid if other else None,
            extra_groups=[] if other else None,
        )
    except (OSError, subprocess.SubprocessError) as error:
        return subprocess.CompletedProcess(command, 127, b"", str(error).encode())
