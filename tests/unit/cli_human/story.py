"""What tests of people's verbs share."""

import io
import os
import pty
import sys
import threading
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path
from typing import IO

from codifica_guard.cli.main import main
from tests.building import Clone
from tests.building.machine import Done, environment

WHY = "link also works after the password was changed: criterion 2"


def exits(done: Done, code: int, *texts: str) -> Done:
    assert done.code == code, done.said
    for text in texts:
        assert text in done.said, f"does not say {text!r}:\n{done.said}"
    return done


class Editor:
    """An editor that does one step, a snippet of the shell, each time that it is called; `$1` is the file."""

    def __init__(self, folder: Path, *steps: str) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        for number, step in enumerate(steps, 1):
            (folder / f"{number}.sh").write_text(step)
        script = folder / "editor"
        script.write_text(
            f'cd "{folder}" && n=$(($(cat count 2>/dev/null || echo 0) + 1)) && echo $n > count && cp "$1" seen.$n\nsh $n.sh "$1"\n'
        )
        self.env = {"GIT_EDITOR": f'sh "{script}"'}

    @property
    def calls(self) -> int:
        """How often it was called."""
        count = self.folder / "count"
        return int(count.read_text()) if count.exists() else 0

    def seen(self, number: int = 1) -> str:
        """What it was given."""
        return (self.folder / f"seen.{number}").read_text()


def keyboard(keys: IO[str]) -> IO[str]:
    """Standard input at a terminal."""
    return keys


def at_screen(clone: Clone, *argv: str, answers: str = "", env: Mapping[str, str] | None = None) -> tuple[Done, str]:
    """Call the program in this process, at a terminal; what it came to, and what the terminal showed."""
    told = {**environment(clone.home), **(env or {})}
    ours, theirs = pty.openpty()
    shown: list[bytes] = []

    def drain() -> None:
        with suppress(OSError):  # nobody holds the other end any more
            while data := os.read(ours, 65536):
                shown.append(data)

    os.write(ours, answers.encode())
    reader = threading.Thread(target=drain)
    reader.start()
    folder, environ, streams = Path.cwd(), dict(os.environ), (sys.stdin, sys.stdout, sys.stderr)
    written = io.BytesIO()
    out = io.TextIOWrapper(written, encoding="utf-8", write_through=True)
    try:
        os.environ.clear()
        os.environ.update(told)
        os.chdir(clone.folder)
        with os.fdopen(os.dup(theirs)) as keys, os.fdopen(theirs, "w") as screen:
            sys.stdin, sys.stdout, sys.stderr = keyboard(keys), out, screen
            code = main(list(argv))
    finally:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(environ)
        sys.stdin, sys.stdout, sys.stderr = streams
    reader.join()
    os.close(ours)
    told_there = b"".join(shown).replace(b"\r\n", b"\n")
    done = Done(code=code, out=written.getvalue(), err=told_there)
    assert "Traceback" not in done.said
    return done, told_there.decode()
