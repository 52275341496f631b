"""`log --proof`: how a decision is known, as text and as JSON."""

import argparse
import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from codifica_guard.cli.command import OK, REFUSED, Outcome
from codifica_guard.cli.steps import step_data
from codifica_guard.clone.desk import CUT
from codifica_guard.errors import UsageError
from codifica_guard.model.ids import TaskId
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.report.shell import path_word, word
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.history import History, witnesses_of
from codifica_guard.verbs.proof import Fact, Proven, prove
from codifica_guard.verbs.proof_folder import SCRIPT, START, check_folder, commands, is_long, write_folder
from codifica_guard.verbs.stopped import CANNOT_TELL, Stopped

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.proof import FactData, ProofData

PRINTED = False
"""In place of the folder of a proof that goes into none."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--proof",
        metavar="DIR",
        nargs="?",
        const=PRINTED,
        help="how the newest decision about the task is known, with commands that repeat it; with DIR, a folder that is empty or not "
        "there, the files and a check.sh too",
    )
    parser.add_argument("--at", metavar="COMMIT", help="with --proof: what that commit decided")
    parser.add_argument(
        "--introduction",
        metavar="COMMIT",
        help="with --proof: the introduction of the guard, as you know it from elsewhere",
    )


def check(options: argparse.Namespace) -> None:
    """Raise `UsageError` for options that do not fit together."""
    if options.proof is None:
        if options.at is not None or options.introduction is not None:
            raise UsageError("--at and --introduction go with --proof")
        return
    if options.since is not None or options.most is not None:
        raise UsageError("--proof is about one decision: --at COMMIT chooses it; --since and -n do not")
    if options.task is None and options.at is None:
        hint = f": git codifica log {path_word(options.proof)} --proof" if options.proof else ""
        raise UsageError(f"name the task whose decision is to be proven, or a commit with --at{hint}")
    if options.proof == "":
        raise UsageError("--proof takes a folder, and its name is empty here; without one it prints")
    if options.proof:
        check_folder(Path(options.proof))


def run(board: Board, options: argparse.Namespace) -> Outcome:
    """Prove, and tell."""
    if board.desk.cuts:
        raise Stopped(CUT, exit=CANNOT_TELL, next=("git fetch --unshallow",), as_of=board.as_of)
    past = History(board=board, witnesses=witnesses_of(board))
    task = None if options.task is None else TaskId(options.task.strip())
    proven = prove(past, task, options.at, options.introduction)
    names = write_folder(Path(options.proof), proven) if options.proof else ()
    lines = [*printable(_facts(proven)), ""]
    if options.proof:
        lines += printable(_written(options.proof, names))
    else:
        lines += _by_hand(proven)
    return Outcome(
        lines=tuple(lines),
        exit=OK if proven.holds else REFUSED,
        data=_data(proven, options.proof or None, names),
        as_of=board.as_of,
    )


# -- for people


def _facts(proven: Proven) -> Iterator[str]:
    yield f"{proven.question}   {proven.answer}"
    yield "how do we know?" if proven.holds else "how do we know? We do not: see what does not hold"
    for fact in proven.facts:
        head = f"  {fact.number} {fact.name:<14} "
        for number, line in enumerate(fact.lines):
            mark = "" if fact.holds or number else "DOES NOT HOLD: "
            yield f"{head if number == 0 else ' ' * len(head)}{mark}{line}"


def _by_hand(proven: Proven) -> Iterator[str]:
    """The commands, each on lines of its own: they go to a shell as they stand, so nothing is folded or escaped."""
    yield "by hand, in a shell in this clone, with git and ssh-keygen alone; each command succeeds:"
    yield ""
    yield from (*START, *proven.names)
    for fact in proven.facts:
        if not fact.rows:
            continue
        yield f": {fact.number} {fact.name}"  # no comment: zsh would not take one that is pasted
        if is_long(fact):
            yield f": {word(f'too much to read here: {_again(proven)} writes it, with a {SCRIPT}')}"
            continue
        for command in commands(fact):
            yield from command.split("\n")


def _again(proven: Proven) -> str:
    """The command that writes the folder."""
    task = proven.task
    about = "" if task is None else f" -- {word(task)}" if task.startswith("-") else f" {word(task)}"
    return f"git codifica log --at {proven.commit.decode('ascii')} --proof DIR{about}"


def _written(folder: str, names: tuple[str, ...]) -> Iterator[str]:
    yield f"wrote {len(names)} files to {plain(os.path.join(folder, ''))}"  # noqa: PTH118 - as it was said
    yield f"check them, in this clone, with git and ssh-keygen alone: sh {path_word(os.path.join(folder, SCRIPT))}"  # noqa: PTH118


# -- for programs


def _data(proven: Proven, folder: str | None, names: tuple[str, ...]) -> "ProofData":
    return {
        "task": proven.task,
        "commit": proven.commit.decode("ascii"),
        "question": proven.question,
        "answer": proven.answer,
        "holds": proven.holds,
        "decision": None if proven.act is None else step_data(proven.act),
        "facts": [_fact(fact) for fact in proven.facts],
        "start": [*START, *proven.names],
        "folder": folder,
        "files": list(names),
    }


def _fact(fact: Fact) -> "FactData":
    return {
        "number": fact.number,
        "name": fact.name,
        "holds": fact.holds,
        "lines": list(fact.lines),
        "commands": list(commands(fact)),
    }
