"""`check`: what the server would say to commits, to what is staged, or to a merge; and what documents say as they stand."""

import argparse
import os
import time

from codifica_guard.cli.check_documents import IDLE, check_data, of_tree, on_disk
from codifica_guard.cli.ci_reports import NOTHING, add_reports, origin_of, reported, titled, wanted
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
from codifica_guard.packs.codifica import cd412
from codifica_guard.report.plain import plain
from codifica_guard.report.terminal import verdict
from codifica_guard.verbs.work_tree import policy_on_disk


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "what",
        nargs="*",
        metavar="RANGE|COMMIT|PATH",
        help="A..B, or one commit; else what the upstream branch does not have; or state documents of the work tree",
    )
    parser.add_argument("--staged", action="store_true", help="what is staged, as the commit that it would be")
    parser.add_argument("--tree", action="store_true", help="the state documents as the files here have them now")
    parser.add_argument("--merge", metavar="BRANCH", help="what a merge with a branch would come to; touches nothing")
    parser.add_argument(
        "--branch", metavar="NAME", help="the branch that a range would be pushed to, or a merge be made on"
    )
    add_reports(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Judge, tell, and leave the reports that are asked for."""
    _check(options)
    with open_desk(int(time.time())) as desk:
        outcome = _checked(desk, options)
        what = wanted(options, os.environ, runner=False)
        if what == NOTHING:
            return outcome
        data = outcome.data or {}
        refused = outcome.exit == REFUSED and not outcome.findings
        return reported(
            outcome,
            what,
            titled(f"check {plain(data.get('range') or '')}".rstrip(), outcome),
            failed=tuple(line for line in outcome.lines if line.startswith("conflict  ")) if refused else (),
            origin=origin_of(desk, os.environ, None, None),
        )


def _checked(desk: Desk, options: argparse.Namespace) -> Outcome:
    """What is asked for, judged."""
    if options.merge is not None:
        from codifica_guard.cli.check_merge import check_merge  # noqa: PLC0415 - no other check tries merges

        return check_merge(desk, options.merge, options.branch)
    if options.tree or _are_paths(desk, options.what):
        if options.branch:
            raise UsageError("--branch goes with a range or a merge: files are on no branch")
        return on_disk(desk, options.what)
    if len(options.what) > 1:
        raise UsageError("one range or commit at a time, or paths of state documents")
    text = options.what[0] if options.what else None
    policy = desk.policy
    if policy is None:
        return _idle(desk, text, staged=options.staged)
    if options.staged:
        return _staged(desk, policy)
    return _commits(desk, text, options.branch)


def _check(options: argparse.Namespace) -> None:
    """Raise where options exclude each other."""
    if options.staged and (options.what or options.branch):
        raise UsageError("--staged is about the index: it goes with no range and no branch")
    if sum((options.staged, options.tree, options.merge is not None)) > 1:
        raise UsageError("one of --staged, --tree and --merge at a time")
    if options.merge is not None and options.what:
        raise UsageError("--merge names the branch itself: it goes with no range and no path")


def _are_paths(desk: Desk, names: list[str]) -> bool:
    """Whether the arguments are files: none of them names a commit, and each is there."""
    return bool(names) and all(os.path.lexists(n) and not _is_commit(desk, n) for n in names)


def _is_commit(desk: Desk, name: str) -> bool:
    try:
        desk.commit_id(name)
    except UsageError:
        return False
    return True


def _idle(desk: Desk, text: str | None, *, staged: bool) -> Outcome:
    """Without a policy no commit is judged; what documents say can be told all the same."""
    if not staged and text is None and desk.folder != desk.location.git_dir and policy_on_disk(desk) is not None:
        return on_disk(desk, (), idle=True)
    tree: ObjectId | None = None
    if staged:
        tree = ObjectId(desk.git("write-tree"))
    else:
        commit = desk.commit_id(text.rpartition("..")[2] or "HEAD") if text is not None else desk.head
        tree = desk.world.store.commit(commit).tree if commit is not None else None
    name = "--staged" if staged else text or "HEAD"
    told = of_tree(desk, tree, name) if tree is not None else None
    return told or Outcome(lines=(IDLE,), data=check_data(range_=None, idle=True))


def _staged(desk: Desk, policy: Policy) -> Outcome:
    made = staged(desk, policy, b"What is staged\n", amending=False, environ={})
    notes = tuple(f"codifica-guard: {line}" for line in made.notes)
    # What its message will say is not known yet.
    judged = Verdict(findings=tuple(f for f in made.verdict.findings if f.code != cd412.CODE))
    return _told(judged, "the commit would be", "--staged", 1, notes, draft=True)


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
    return Outcome(
        lines=shown,
        notes=tuple(plain(note, 1000) for note in notes),
        exit=OK if judged.accepted else REFUSED,
        data=check_data(range_=text, commits=count),
        findings=judged.findings,
        next=tuple(f"git codifica explain {code}" for code in dict.fromkeys(f.code for f in judged.errors)),
    )


COMMAND = Command(
    name="check",
    summary="judge commits, what is staged, files, or a merge",
    configure=configure,
    run=run,
    text="Judge commits as the server will: a range A..B as a push that moves the main branch from A to B, one commit behind its "
    "parents, what is staged as the commit that it would be, or a merge before it is made. --tree, or a path, tells every fault of "
    "the state documents that lie here, with line and column, and rules about the whole; that works without a policy, too. "
    "Nothing is changed.",
)
