"""`demo`: real pushes to a guarded repository in a temporary folder, and what the server says to them."""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

from codifica_guard.cli.command import OK, REFUSED, Command, Outcome
from codifica_guard.cli.sandbox import Sandbox
from codifica_guard.cli.scenes import SCENES, Scene, Step, history
from codifica_guard.errors import UsageError

PAUSE: Final = 2.0
"""Seconds to read a scene, without --fast."""

HEADINGS: Final = ("task", "from -> to", "who", "proof", "commit")

Say = Callable[[str], None]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--fast", action="store_true", help="without pauses")
    parser.add_argument("--keep", metavar="DIR", help="play in this folder, which must not be there yet, and leave it")


def run(options: argparse.Namespace) -> Outcome:
    """Play all scenes; 1 where one does not come out as it has to."""
    say: Say = _silent if options.json or options.quiet else _aloud
    pause = 0.0 if options.fast or options.json or options.quiet or not sys.stdout.isatty() else PAUSE
    if options.keep is None:
        with tempfile.TemporaryDirectory(prefix="codifica-guard-demo-") as folder:
            return _play(Path(folder).resolve(), say, pause, "kept nothing; to look around afterwards: --keep DIR")
    root = Path(os.path.abspath(options.keep))  # noqa: PTH100 - a folder that is not there is not resolved
    try:
        root.mkdir(parents=True)
    except FileExistsError as error:
        raise UsageError(f"{options.keep} is there already: name a folder that is not") from error
    except OSError as error:
        raise UsageError(f"cannot make {options.keep}: {error.strerror}") from error
    return _play(root, say, pause, f"kept in {root}: shop.git is the server, the others are clones")


def _play(root: Path, say: Say, pause: float, end: str) -> Outcome:
    world = Sandbox.at(root)
    say("a bare repository, one human (alice), two agents (builder, writer), the guard installed")
    world.build()
    faults: list[str] = []
    told: list[dict[str, Any]] = []
    for number, scene in enumerate(SCENES, 1):
        time.sleep(pause)
        say("")
        say(f"{number}/{len(SCENES)}  {scene.title}")
        for line in scene.told:
            say(f"     {line}")
        steps = scene.play(world)
        for step in steps:
            _show(step, say)
        wrong = [step.fault for step in steps if step.fault is not None]
        faults += [f"scene {number}, {scene.title}: {fault}" for fault in wrong]
        told.append(_as_data(scene, steps))
    rows = history(world, int(time.time()))
    say("")
    say("who moved what, as anybody can check it from the repository alone:")
    for line in table(rows):
        say(f"     {line}")
    say("")
    say(end)
    moves = [dict(zip(("task", "move", "who", "proof", "commit"), row, strict=True)) for row in rows]
    return Outcome(
        notes=tuple(f"codifica-guard demo: {fault}" for fault in faults),
        exit=REFUSED if faults else OK,
        data={"scenes": told, "history": moves, "faults": faults},
    )


def _show(step: Step, say: Say) -> None:
    if step.done.code == 0:
        say(f"     {step.who}: git push  accepted")
        return
    say(f"     {step.who}: git push")
    for line in step.done.remote or step.done.said.splitlines():
        say(f"     {line}")


def table(rows: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Rows under their headings, in columns."""
    every = (HEADINGS, *rows)
    widths = [max(len(row[n]) for row in every) for n in range(len(HEADINGS))]
    return tuple(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in every
    )


def _as_data(scene: Scene, steps: Sequence[Step]) -> dict[str, Any]:
    pushes = [{"who": s.who, "accepted": s.done.code == 0, "due": s.code, "fault": s.fault} for s in steps]
    return {"title": scene.title, "pushes": pushes}


def _aloud(line: str) -> None:
    sys.stdout.write(line.encode("ascii", "backslashreplace").decode("ascii") + "\n")
    sys.stdout.flush()


def _silent(line: str) -> None:
    del line


COMMAND = Command(
    name="demo",
    summary="see it work, in a temporary folder",
    configure=configure,
    run=run,
    text="Play six scenes with real repositories, keys and pushes in a temporary folder: five tricks that the server refuses, and the legal way. Needs git and no network; your own settings and keys play no part.",
)
