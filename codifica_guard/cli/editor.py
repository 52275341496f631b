"""The user's own editor, as Git finds it, on one file."""

import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from codifica_guard.clone.program import try_git
from codifica_guard.errors import RepositoryError, UsageError

NO_EDITOR = ":"
"""What Git calls the editor that does nothing."""


def find_editor(folder: bytes) -> str:
    """The editor as a command of the shell: `GIT_EDITOR`, `core.editor`, `VISUAL`, `EDITOR`, in this order.

    Raises:
        UsageError: there is none that this terminal could show.
    """
    done = try_git(folder, "var", "GIT_EDITOR")
    command = done.out.decode("utf-8", "surrogateescape").strip()
    if done.code or not command:
        raise UsageError(f"git knows no editor here ({done.last}): git config core.editor COMMAND, or --from FILE")
    return command


def run_editor(command: str, path: Path) -> None:
    """Let the editor have a file, until it ends.

    Raises:
        RepositoryError: it says that it failed.
    """
    if command == NO_EDITOR:
        return
    # Standard output may belong to the program that reads the answer.
    screen = None if sys.stdout.isatty() else sys.stderr
    with _unstirred():
        done = subprocess.run(["sh", "-c", f'{command} "$@"', command, str(path)], stdout=screen, check=False)
    if done.returncode:
        raise RepositoryError(f"the editor ended with exit code {done.returncode}: {command}")


@contextmanager
def _unstirred() -> Iterator[None]:
    """Leave Ctrl-C to the editor, which has the terminal."""
    # A handler, since what is ignored would be ignored by the editor, too.
    before = {number: signal.signal(number, lambda _, __: None) for number in (signal.SIGINT, signal.SIGQUIT)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
