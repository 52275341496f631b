"""`merge-driver`: what Git calls to merge a state document (`merge=codifica` in `.gitattributes`)."""

import argparse
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

from codifica_guard.cli.command import OK, REFUSED, Command, Outcome
from codifica_guard.errors import GuardError
from codifica_guard.model.ids import RepoPath
from codifica_guard.report.plain import plain
from codifica_guard.state.blocks import split
from codifica_guard.state.weave import MARKER, Woven, weave

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.help import MergedData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments, as Git fills them in: %O %A %B %L %P."""
    parser.add_argument("base", metavar="BASE", help="file with the version that both sides go back to")
    parser.add_argument("ours", metavar="OURS", help="file with our version; the result is written there")
    parser.add_argument("theirs", metavar="THEIRS", help="file with their version")
    parser.add_argument(
        "marker", metavar="SIZE", nargs="?", type=int, default=MARKER, help="length of conflict markers"
    )
    parser.add_argument("path", metavar="PATH", nargs="?", default="", help="the document's path, for messages")


def run(options: argparse.Namespace) -> Outcome:
    """Merge by meaning where that can be done, else line by line, as Git would; 1 where something is left to a person."""
    ours = Path(options.ours)
    try:
        base, mine, theirs = (Path(name).read_bytes() for name in (options.base, options.ours, options.theirs))
        woven = _woven(base, mine, theirs, options.marker)
        if woven is not None:
            ours.write_bytes(woven.data)
    except OSError as error:
        raise GuardError(f"{error.filename}: {error.strerror}") from error
    if woven is None:
        return _by_lines(options, torn=all(split(RepoPath(b""), data).splittable for data in (base, mine, theirs)))
    data: MergedData = {"path": options.path or None, "by": "tasks", "conflicts": list(woven.conflicts)}
    if not woven.conflicts:
        return Outcome(exit=OK, data=data)
    where = plain(options.path) or "the document"
    named = ", ".join(plain(name) for name in woven.conflicts)
    return Outcome(
        exit=REFUSED,
        data=data,
        notes=(
            f"codifica-guard: {where}: two versions of {named}; a human takes one, keeps all notes, and signs the merge:",
            f"codifica-guard: git add {where} && git commit -S",
        ),
    )


def _woven(base: bytes, ours: bytes, theirs: bytes, marker: int) -> Woven | None:
    """The merge by meaning; None where there is none. A defect must not leave one side's version as if it were the merge."""
    try:
        return weave(base, ours, theirs, marker=marker)
    except Exception:  # noqa: BLE001 - Git's own merge of lines is the way out
        return None


def _by_lines(options: argparse.Namespace, *, torn: bool) -> Outcome:
    """Git's own merge of lines, where a version cannot be read as tasks, or the text around them changed on both sides.

    `torn`: all versions can be read, so both sides changed the text or the order. Lines may fit together then; whether the result is
    meant is a human's word, so Git is told to stop.
    """
    command = ["git", "merge-file", f"--marker-size={options.marker}", "-L", "ours", "-L", "base", "-L", "theirs"]
    done = subprocess.run(
        [*command, "--", options.ours, options.base, options.theirs],
        check=False,
        capture_output=True,
        env={**os.environ, "LC_ALL": "C"},
    )
    where = plain(options.path) or "the document"
    data: MergedData = {"path": options.path or None, "by": "lines", "conflicts": []}
    if done.returncode == 0 and torn:
        note = (
            f"codifica-guard: {where}: both sides changed the text around tasks, or their order; a human looks at what"
        )
        note += f" came of it, and signs the merge: git add {where} && git commit -S"
        return Outcome(exit=REFUSED, notes=(note,), data=data)
    if done.returncode == 0:
        note = f"codifica-guard: {where}: merged line by line, since it could not be merged task by task; look at it"
        return Outcome(exit=OK, notes=(note,), data=data)
    note = f"codifica-guard: {where}: settle the conflicts, then git add {where} && git commit -S"
    return Outcome(exit=REFUSED, notes=(note,), data=data)


COMMAND = Command(
    name="merge-driver",
    summary="merge a state document task by task, for Git",
    configure=configure,
    run=run,
    text="Called by Git for files with `merge=codifica` in .gitattributes. `codifica-guard install` in a clone sets it up.",
)
