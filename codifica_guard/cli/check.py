"""`check`: what the server would say to commits, or to what is staged."""

import argparse
import os
import time
from typing import TYPE_CHECKING

from codifica_guard.cli.command import OK, REFUSED, Command, Outcome
from codifica_guard.cli.ranges import commits_of, parse_range
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.staged import staged
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import UsageError
from codifica_guard.git.history import is_ancestor
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import ObjectId, RefName, show_path
from codifica_guard.model.policy import Policy
from codifica_guard.model.push import RefUpdate
from codifica_guard.report.plain import plain
from codifica_guard.report.terminal import verdict

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.look import CheckData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "range",
        nargs="?",
        metavar="RANGE|COMMIT",
        help="A..B, or one commit; else what the upstream branch does not have",
    )
    parser.add_argument("--staged", action="store_true", help="what is staged, as the commit that it would be")
    parser.add_argument(
        "--branch", metavar="NAME", help="the branch that a range would be pushed to; else the main one"
    )


def run(options: argparse.Namespace) -> Outcome:
    """Judge, and tell."""
    if options.staged and (options.range or options.branch):
        raise UsageError("--staged is about the index: it goes with no range and no branch")
    with open_desk(int(time.time())) as desk:
        policy = desk.policy
        if policy is None:
            line = "idle: this repository has no policy, so pushes pass untouched (git codifica init)"
            nothing: CheckData = {"idle": True, "range": None, "commits": 0}
            return Outcome(lines=(line,), data=nothing)
        if options.staged:
            return _staged(desk, policy)
        return _commits(desk, options.range, options.branch)


def _staged(desk: Desk, policy: Policy) -> Outcome:
    made = staged(desk, policy, b"What is staged\n", amending=False, environ={})
    notes = tuple(f"codifica-guard: {line}" for line in made.notes)
    return _told(made.verdict, "the commit would be", "--staged", 1, notes, draft=True)


def _commits(desk: Desk, text: str | None, branch: str | None) -> Outcome:
    wanted = parse_range(desk, text)
    commits = commits_of(desk, wanted)
    if wanted.old is None:
        if branch is not None:
            raise UsageError("--branch goes with a range A..B: one commit is judged behind its parents")
        return _told(desk.judge_one(desk.world.store.commit(wanted.new)), "the commit would be", wanted.text, 1, ())
    ref = RefName(HEADS + os.fsencode(branch)) if branch is not None else desk.coordination
    notes = []
    if not is_ancestor(desk.world.store, wanted.old, wanted.new):
        start = wanted.text.partition("..")[0]
        notes.append(f"{start} has commits that are not in the range: judged as if both were merged")
    if not desk.court(wanted.old).refs.view(RefUpdate(ref=ref, old=wanted.old, new=wanted.new)).judged:
        notes.append(f"the policy does not protect {show_path(ref[len(HEADS) :])}: its commits are not judged there")
    judged = desk.judge_range(ref, wanted.old, wanted.new)
    told = tuple(f"codifica-guard: {n}" for n in notes)
    return _told(judged, "a push would be", wanted.text, len(commits), told, tips=(wanted.new,))


def _told(
    judged: Verdict,
    what: str,
    text: str,
    count: int,
    notes: tuple[str, ...],
    *,
    draft: bool = False,
    tips: tuple[ObjectId, ...] = (),
) -> Outcome:
    lines = verdict(judged, what, f"git codifica check --json {plain(text)}", draft=draft, tips=tips).rstrip("\n")
    ok = (f"ok, {count} commit{'' if count == 1 else 's'}",) if judged.accepted else ()
    shown = (*(lines.split("\n") if lines else ()), *ok)
    data: CheckData = {"idle": False, "range": text, "commits": count}
    return Outcome(
        lines=shown,
        notes=tuple(plain(note, 1000) for note in notes),
        exit=OK if judged.accepted else REFUSED,
        data=data,
        findings=judged.findings,
        next=tuple(f"git codifica explain {code}" for code in dict.fromkeys(f.code for f in judged.errors)),
    )


COMMAND = Command(
    name="check",
    summary="judge commits, or what is staged",
    configure=configure,
    run=run,
    text="Judge commits as the server will: a range A..B as a push that moves the main branch from A to B, one commit behind its parents, or what is staged as the commit that it would be. Nothing is changed.",
)
