"""The `git` program, with the user's own configuration; never used to judge."""

import os
import subprocess
from collections.abc import Mapping
from dataclasses import dataclass

from codifica_guard.errors import RepositoryError


@dataclass(frozen=True, slots=True)
class Done:
    """What a git command came to: its exit code, its output, and what it told on standard error."""

    code: int
    out: bytes
    err: str

    @property
    def last(self) -> str:
        """The last line that it told, else its exit code."""
        told = self.err.strip().splitlines()
        return told[-1] if told else f"exit code {self.code}"


def try_git(
    folder: bytes,
    *arguments: str | bytes,
    data: bytes | None = None,
    environ: Mapping[str, str] | None = None,
    seconds: float | None = None,
) -> Done:
    """Run a git command, whatever it comes to.

    Args:
        folder: where to run it.
        arguments: what to run.
        data: its standard input.
        environ: what to add to the environment.
        seconds: how long it may take.

    Raises:
        RepositoryError: git is not there, or does not end in time.
    """
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            input=data,
            env={**os.environ, **(environ or {})},
            capture_output=True,
            check=False,
            timeout=seconds,
        )
    except OSError as error:
        raise RepositoryError(f"cannot run git: {error.strerror}") from error
    except subprocess.TimeoutExpired as error:
        raise RepositoryError(f"git did not end within {seconds:g} seconds") from error
    return Done(done.returncode, done.stdout, done.stderr.decode("utf-8", "backslashreplace"))


def git(
    folder: bytes, *arguments: str | bytes, data: bytes | None = None, environ: Mapping[str, str] | None = None
) -> bytes:
    """The output of a git command, without its last newline.

    Args:
        folder: where to run it.
        arguments: what to run.
        data: its standard input.
        environ: what to add to the environment.

    Raises:
        RepositoryError: git is not there, or fails; the text is git's own.
    """
    done = try_git(folder, *arguments, data=data, environ=environ)
    if done.code:
        name = arguments[0] if isinstance(arguments[0], str) else os.fsdecode(arguments[0])
        raise RepositoryError(f"git {name}: {done.last}")
    return done.out.removesuffix(b"\n")


def settings(folder: bytes) -> dict[str, str]:
    """All settings as Git sees them, the user's own files too, by `canonical` key; of several of a key the last."""
    try:
        told = git(folder, "config", "--null", "--list").decode("utf-8", "surrogateescape")
    except RepositoryError:
        return {}
    pairs = (row.partition("\n") for row in told.split("\0")[:-1])
    return {key: value for key, _, value in pairs}


def canonical(key: str) -> str:
    """A setting's key as Git lists it: only what stands between two dots keeps its capital letters."""
    section, dot, rest = key.partition(".")
    middle, point, name = rest.rpartition(".")
    return section.lower() + dot + middle + point + name.lower()


def setting(folder: bytes, key: str) -> str | None:
    """A setting as Git sees it, the user's own files too; None where it is not set."""
    try:
        return git(folder, "config", "--get", key).decode("utf-8", "surrogateescape")
    except RepositoryError:
        return None
