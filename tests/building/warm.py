"""A Python that has the guard loaded already, so that a hook or a command costs a fork and no start-up.

Start-up is most of what the guard's processes cost, and nearly all tests are about what it does then. The stand-in is a shell
script in a place of its own: Git, the installed hook, its environment, folder, streams and exit code stay what they are; only
`python -m codifica_guard` becomes a fork of one process a run that has imported the guard. Whatever else is asked of that Python, and
what a fork cannot take over as it is (terminals, limits, closed streams, variables of Python's own), goes to the real one.
Tests about the process itself carry the mark `cold`; `--cold` runs them all so.
"""

import os
import shlex
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Final

from tests.building.machine import StepFailed

_PYTHON: Final = """#!/bin/sh
case "$1 $2 $3" in "-I -m codifica_guard" | "-m codifica_guard "*) ;; *) exec {python} "$@" ;; esac
{{ {mkfifo} {folder}/$$ 7<&0 8>&1; }} 2>/dev/null || exec {python} "$@"
exec 7<&0 8>&1 9<>{folder}/$$
echo $$ >{folder}/requests
read -r code <&9
[ "$code" != cold ] || exec {python} "$@" 7<&- 8>&- 9<&-
exit "$code"
"""


class Warm:
    """One process that has the guard loaded, and the interpreter that hands over to it.

    Attributes:
        python: the interpreter's path.
    """

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True)
        self.python = folder / "bin" / "python"
        self._folder = folder
        self._process: subprocess.Popen[bytes] | None = None

    @staticmethod
    def is_possible() -> bool:
        """Whether this system shows a process's streams to others, as Linux does."""
        return Path("/proc/self/fd/0").exists() and shutil.which("mkfifo") is not None

    def start(self) -> Path:
        """Load the guard, unless that is done; the interpreter's path."""
        if self._process is None:
            os.mkfifo(self._folder / "requests")
            words = {"python": sys.executable, "mkfifo": shutil.which("mkfifo") or "", "folder": str(self._folder)}
            self.python.parent.mkdir()
            self.python.write_text(_PYTHON.format(**{name: shlex.quote(word) for name, word in words.items()}))
            self.python.chmod(0o755)
            self._process = subprocess.Popen(
                [sys.executable, "-I", Path(__file__).with_name("loaded.py"), self._folder],
                env={"PATH": os.environ["PATH"], "LC_ALL": "C.UTF-8", "TZ": "UTC"},
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                cwd="/",
            )
            assert self._process.stdout
            if self._process.stdout.readline() != b"ready\n":
                raise StepFailed("the guard cannot be loaded")
        return self.python

    def stop(self) -> None:
        """End the process."""
        if self._process is not None:
            self._process.communicate()
            self._process = None
