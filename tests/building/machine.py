"""Processes, run as on a machine that has nothing but Git, OpenSSH and this Python."""

import os
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from tests.building.shapes import check_envelope

LIMIT: Final = 300.0
"""Seconds that any one process may take."""


class StepFailed(AssertionError):
    """A step on the way to what a test is about went wrong: the test itself is not well made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Done:
    """What a process came to."""

    code: int
    out: bytes
    err: bytes

    @property
    def text(self) -> str:
        """Its standard output without the last newline."""
        return self.out.decode(errors="surrogateescape").rstrip("\n")

    @property
    def said(self) -> str:
        """All that it printed."""
        return (self.out + self.err).decode(errors="replace")

    @property
    def json(self) -> dict[str, Any]:
        """What it printed under `--json`, which fits the schema of its command."""
        answer = check_envelope(self.out)
        assert answer["exit"] == self.code
        return answer


def environment(home: Path) -> dict[str, str]:
    """An environment that takes nothing over from the caller but the PATH, and what measures coverage."""
    measured = {name: value for name, value in os.environ.items() if name.startswith("COVERAGE_")}
    return {
        **measured,
        "PATH": os.environ["PATH"],
        "HOME": str(home),
        "XDG_CONFIG_HOME": str(home / ".config"),
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_EDITOR": "true",
        "GIT_MERGE_AUTOEDIT": "no",
        "LC_ALL": "C.UTF-8",
        "TZ": "UTC",
    }


def run(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    home: Path,
    data: bytes | None = None,
    env: Mapping[str, str] | None = None,
    check: bool = True,
) -> Done:
    """Run a program; with `check`, one that fails raises `StepFailed` with all that it said."""
    ended = subprocess.run(
        [str(word) for word in argv],
        cwd=cwd,
        env={**environment(home), **(env or {})},
        input=data,
        stdin=subprocess.DEVNULL if data is None else None,
        capture_output=True,
        timeout=LIMIT,
        check=False,
    )
    done = Done(code=ended.returncode, out=ended.stdout, err=ended.stderr)
    if check and done.code:
        raise StepFailed(f"{' '.join(str(word) for word in argv)}: exit {done.code}\n{done.said}")
    return done


def guard(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    home: Path,
    data: bytes | None = None,
    env: Mapping[str, str] | None = None,
    python: str | Path = sys.executable,
) -> Done:
    """Run the guard's own program, whatever it comes to; only that it never shows a traceback is taken for granted."""
    done = run([python, "-m", "codifica_guard", *argv], cwd=cwd, home=home, data=data, env=env, check=False)
    assert "Traceback" not in done.said, f"{argv}: a traceback\n{done.said}"
    return done
