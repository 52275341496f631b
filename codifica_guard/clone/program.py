"""The `git` program, with the user's own configuration; never used to judge."""

import os
import subprocess
from collections.abc import Mapping

from codifica_guard.errors import RepositoryError


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
    try:
        done = subprocess.run(
            ["git", *arguments],
            cwd=folder,
            input=data,
            env={**os.environ, **(environ or {})},
            capture_output=True,
            check=False,
        )
    except OSError as error:
        raise RepositoryError(f"cannot run git: {error.strerror}") from error
    if done.returncode:
        told = done.stderr.decode("utf-8", "backslashreplace").strip().splitlines()
        name = arguments[0] if isinstance(arguments[0], str) else os.fsdecode(arguments[0])
        raise RepositoryError(f"git {name}: {told[-1] if told else f'exit code {done.returncode}'}")
    return done.stdout.removesuffix(b"\n")


def setting(folder: bytes, key: str) -> str | None:
    """A setting as Git sees it, the user's own files too; None where it is not set."""
    try:
        return git(folder, "config", "--get", key).decode("utf-8", "surrogateescape")
    except RepositoryError:
        return None
