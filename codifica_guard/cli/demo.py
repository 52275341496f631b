"""`demo`: real pushes to a guarded repository in a temporary folder, and what the server says to them."""

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codifica_guard.cli.command import OK, REFUSED, Command, Outcome
from codifica_guard.cli.sandbox import Sandbox
from codifica_guard.cli.scenes import SCENES, Scene, Step, history
from codifica_guard.errors import UsageError

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.help import DemoData, DemoScene, DemoStep

PAUSE: Final = 2.0
"""Seconds to read a scene, without --fast."""

HEADINGS: Final = ("task", "from -> to", "who", "proof", "commit")

SHOWN: Final = 8
"""Lines of a verb's answer that are shown."""

Say = Callable[[str], None]


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("--fast", action="store_true", help="without pauses")
    parser.add_argument("--html", metavar="FILE", help="write the audit of what was played as a page")
    parser.add_argument("--keep", metavar="DIR", help="play in this folder, which must not be there yet, and leave it")


def run(options: argparse.Namespace) -> Outcome:
    """Play all scenes; 1 where one does not come out as it has to."""
    say: Say = _silent if options.quiet else _aside if options.json else _aloud
    pause = 0.0 if options.fast or options.json or options.quiet or not sys.stdout.isatty() else PAUSE
    page = None if options.html is None else os.path.abspath(options.html)  # noqa: PTH100 - as below
    more = "" if page is not None else "; to see it as a page: codifica-guard demo --html demo.html"
    if options.keep is None:
        with tempfile.TemporaryDirectory(prefix="codifica-guard-demo-") as folder:
            end = f"kept nothing; to look around afterwards: --keep DIR{more}"
            return _play(Path(folder).resolve(), say, pause, page, end)
    root = Path(os.path.abspath(options.keep))  # noqa: PTH100 - a folder that is not there is not resolved
    try:
        root.mkdir(parents=True)
    except FileExistsError as error:
        raise UsageError(f"{options.keep} is there already: name a folder that is not") from error
    except OSError as error:
        raise UsageError(f"cannot make {options.keep}: {error.strerror}") from error
    return _play(root, say, pause, page, f"kept in {root}: shop.git is the server, the others are clones{more}")


def _play(root: Path, say: Say, pause: float, page: str | None, end: str) -> Outcome:
    world, total = Sandbox.at(root), len(SCENES) + 1
    say(f"1/{total}  a bare repository, one human (alice), two agents (builder, writer), the guard installed")
    world.build()
    faults: list[str] = []
    told: list[DemoScene] = []
    for number, scene in enumerate(SCENES, 2):
        time.sleep(pause)
        say("")
        say(f"{number}/{total}  {scene.title}")
        steps = scene.play(world)
        for step in steps:
            _show(step, say, root)
        wrong = [step.fault for step in steps if step.fault is not None]
        faults += [f"scene {number}, {scene.title}: {fault}" for fault in wrong]
        told.append(_as_data(scene, steps))
    rows = history(world, int(time.time()))
    say("     who did what, as anybody can check it from the repository alone:")
    for line in table(rows):
        say(f"     {line}")
    say("")
    if page is not None:
        wrong = _write(world, page)
        faults += wrong
        say(f"not written: {page}" if wrong else f"written: {page}")
    say(end)
    data: DemoData = {
        "scenes": told,
        "history": [
            {"task": task, "move": move, "who": who, "proof": proof, "commit": commit}
            for task, move, who, proof, commit in rows
        ],
        "page": page,
        "faults": faults,
    }
    return Outcome(
        notes=tuple(f"codifica-guard demo: {fault}" for fault in faults),
        exit=REFUSED if faults else OK,
        data=data,
    )


def _write(world: Sandbox, page: str) -> list[str]:
    """Write the page of all that was played; what is wrong with that."""
    done = world.try_guard("alice", "audit", "--quiet", "--html", page)
    return [] if done.code == OK else [f"the audit ended with {done.code}: {done.said.strip()}"]


def _show(step: Step, say: Say, root: Path) -> None:
    """What is typed, and what is said to it: of a push the server's words, of a verb its first lines; paths below the root."""
    say(f"     {step.who}$ {step.typed}")
    said = step.done.remote or tuple(step.done.said.splitlines())
    for line in said if step.done.remote else said[:SHOWN]:
        say(f"     {line}".rstrip().replace(f"{root}/", ""))
    if len(said) > SHOWN and not step.done.remote:
        say("     ...")


def table(rows: Sequence[tuple[str, ...]]) -> tuple[str, ...]:
    """Rows under their headings, in columns."""
    every = (HEADINGS, *rows)
    widths = [max(len(row[n]) for row in every) for n in range(len(HEADINGS))]
    return tuple(
        "  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in every
    )


def _as_data(scene: Scene, steps: Sequence[Step]) -> "DemoScene":
    told: list[DemoStep] = [
        {"who": s.who, "typed": s.typed, "exit": s.done.code, "due": s.code, "fault": s.fault} for s in steps
    ]
    return {"title": scene.title, "steps": told}


def _aloud(line: str) -> None:
    sys.stdout.write(line.encode("ascii", "backslashreplace").decode("ascii") + "\n")
    sys.stdout.flush()


def _aside(line: str) -> None:
    sys.stderr.write(line + "\n")


def _silent(line: str) -> None:
    del line


COMMAND = Command(
    name="demo",
    summary="see it work, in a temporary folder",
    configure=configure,
    run=run,
    text="Play six scenes with real repositories, keys and pushes in a temporary folder: a race, a self-approval, a forgery, a session that was fenced off, and the legal way. Needs git and no network; your own settings and keys play no part.",
)
