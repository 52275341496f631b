"""The program, called in this process: as `codifica-guard` in a clone, with that clone's environment and nothing else."""

import io
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from codifica_guard.cli.main import main
from tests.building import Clone
from tests.building.machine import Done, environment


class _Pipe(io.TextIOWrapper):
    """Standard output or standard error that goes into a pipe."""

    def __init__(self) -> None:
        self.bytes = io.BytesIO()
        super().__init__(self.bytes, encoding="utf-8", write_through=True)


def _typed(data: bytes) -> io.TextIOWrapper:
    """Standard input with something in it."""
    return io.TextIOWrapper(io.BytesIO(data), encoding="utf-8", errors="surrogateescape", newline="\n")


def inside(
    argv: Sequence[str | Path],
    *,
    cwd: Path,
    home: Path,
    data: bytes | None = None,
    env: Mapping[str, str] | None = None,
) -> Done:
    """Call the program; a process of its own for each call would take most of the tests' time."""
    told = {**environment(home), **(env or {})}
    before, folder, streams = dict(os.environ), Path.cwd(), (sys.stdin, sys.stdout, sys.stderr)
    out, err = _Pipe(), _Pipe()
    try:
        os.environ.clear()
        os.environ.update(told)
        os.chdir(cwd)
        sys.stdin, sys.stdout, sys.stderr = _typed(data or b""), out, err
        try:
            code = main([str(word) for word in argv])
        except SystemExit as wrong:  # argparse ends so
            code = int(str(wrong.code))
    finally:
        os.chdir(folder)
        os.environ.clear()
        os.environ.update(before)
        sys.stdin, sys.stdout, sys.stderr = streams
    done = Done(code=code, out=out.bytes.getvalue(), err=err.bytes.getvalue())
    assert "Traceback" not in done.said
    return done


def called(clone: Clone, *argv: str | Path, data: bytes | None = None, env: Mapping[str, str] | None = None) -> Done:
    """Call the program as the owner of a clone does."""
    return inside(argv, cwd=clone.folder, home=clone.home, data=data, env=env)
