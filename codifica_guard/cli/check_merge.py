"""`check --merge`: what a merge would come to, before anybody makes it."""

import os
from collections.abc import Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from codifica_guard.cli.check_documents import IDLE, STANDING, check_data, fault_lines, policy_at
from codifica_guard.cli.command import OK, REFUSED, Outcome
from codifica_guard.clone.desk import Desk
from codifica_guard.engine.refs import HEADS
from codifica_guard.engine.whole import faults_of
from codifica_guard.engine.world import state_files
from codifica_guard.errors import UsageError
from codifica_guard.git.history import is_ancestor, new_commits
from codifica_guard.model.finding import Finding, Severity, Verdict
from codifica_guard.model.ids import ObjectId, RefName, RepoPath, TaskId, short, show_path
from codifica_guard.model.push import RefUpdate
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.report.terminal import verdict
from codifica_guard.rules.advice import quoted
from codifica_guard.verbs.trial_merge import Tried, torn_tasks, tried

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.look import ConflictData

Conflicts = Mapping[RepoPath, Mapping[TaskId, str]]
"""Paths that Git cannot merge: the tasks there, and what their sides did with each."""


def check_merge(desk: Desk, name: str, branch: str | None) -> Outcome:
    """Try a merge of a branch into what is checked out, or into another branch, and judge the push of it.

    Raises:
        UsageError: a name is no commit's, or there is nothing to merge into.
    """
    theirs = desk.commit_id(name)
    into, ours, ref = _into(desk, branch)
    text = f"--merge {name}"
    with tried(desk, ours, theirs) as merge:
        if merge.done_before:
            return Outcome(
                lines=printable([f"ok, {plain(into)} has all of {plain(name)} already"]), data=check_data(range_=text)
            )
        commits = len(new_commits(desk.world.store, (theirs,), (ours,)))
        conflicts = conflicts_of(merge)
        judged = _judged(merge, ref)
        free = f"the policy does not protect {plain(into)}: commits are not judged there"
        notes = (f"codifica-guard: {free}",) if unprotected(desk, ref) else ()
        told = _told(merge, judged, conflicts, text=text, names=(name, into), commits=commits)
        return replace(told, notes=notes)


def _into(desk: Desk, branch: str | None) -> tuple[str, ObjectId, RefName]:
    """What is merged into: its name, its tip, and the branch that it would be pushed to."""
    if branch is not None:
        ref = RefName(HEADS + os.fsencode(branch))
        tip = desk.tracked(ref)
        if tip is None:
            raise UsageError(f"there is no branch {plain(branch)}, here or on {plain(desk.remote)}")
        return branch, tip, ref
    if desk.head is None:
        raise UsageError("there is no commit on this branch yet: say what to merge into, --branch NAME")
    here = desk.branch.removeprefix(HEADS).decode("utf-8", "backslashreplace") if desk.branch is not None else "HEAD"
    return here, desk.head, desk.coordination


def _judged(merge: Tried, ref: RefName) -> Verdict:
    """What the server would say to a push of the merge; of one in conflict, to what its sides would bring there."""
    desk, store = merge.desk, merge.desk.world.store
    if desk.policy is None:
        return Verdict()
    there = desk.tracked(ref)
    if not merge.conflicts:
        old = there if there is not None and is_ancestor(store, there, merge.tip) else merge.ours
        return desk.judge_range(ref, old, merge.tip)
    old = there if there is not None else merge.ours
    sides = [side for side in (merge.ours, merge.theirs) if not is_ancestor(store, side, old)]
    found = (finding for side in sides for finding in desk.judge_range(ref, old, side).findings)
    return Verdict(findings=tuple(dict.fromkeys(found)))


def unprotected(desk: Desk, ref: RefName) -> bool:
    """Whether the policy leaves a branch alone."""
    update = RefUpdate(ref=ref, old=None, new=None)
    return desk.policy is not None and not desk.court().refs.view(update).judged


def conflicts_of(merge: Tried) -> Conflicts:
    """What a merge leaves in conflict."""
    world = merge.desk.world
    policy = policy_at(merge.desk, world.store.commit(merge.ours).tree)
    files = state_files((policy,) if policy is not None else ())
    return {path: torn_tasks(merge, path, files) for path in merge.conflicts}


def _told(
    merge: Tried, judged: Verdict, conflicts: Conflicts, *, text: str, names: tuple[str, str], commits: int
) -> Outcome:
    idle = merge.desk.policy is None
    standing = _standing(merge) if idle and not conflicts else ()
    found = (*judged.findings, *standing)
    refused = bool(conflicts) or not judged.accepted or any(f.severity is Severity.ERROR for f in standing)
    name, into = names
    shown = verdict(judged, "the push of it would be", f"git codifica check --json {plain(text)}", tips=(merge.tip,))
    how = "moves on to" if merge.forward else "merges"
    head = f"{plain(into)} {short(merge.ours)} {how} {plain(name)} {short(merge.theirs)}: {commits} new commit{'' if commits == 1 else 's'}"
    lines = [head, *((IDLE, STANDING) if idle else ())]
    lines += [f"conflict  {plain(show_path(path))}{torn_text(torn)}" for path, torn in conflicts.items()]
    if conflicts:
        lines.append(f"do: git merge -S {quoted(os.fsencode(name))}, settle these, commit, signed by a human")
    data: list[ConflictData] = [{"path": show_path(path), "tasks": list(torn)} for path, torn in conflicts.items()]
    lines += [line for finding in standing for line in fault_lines(finding)]
    lines += shown.splitlines()
    return Outcome(
        lines=printable((*lines, *(() if refused else ("ok, it merges clean",)))),
        exit=REFUSED if refused else OK,
        data=check_data(range_=text, idle=idle, commits=commits, conflicts=data),
        findings=found,
        next=tuple(
            f"git codifica explain {code}"
            for code in dict.fromkeys(f.code for f in found if f.severity is Severity.ERROR)
        ),
    )


def torn_text(torn: Mapping[TaskId, str]) -> str:
    """What the sides did with the tasks of a document, those with one fate together."""
    fates: dict[str, list[str]] = {}
    for name, fate in torn.items():
        fates.setdefault(fate, []).append(plain(name))
    told = "; ".join(f"{', '.join(names)} {fate}" for fate, names in fates.items())
    return f": {told}" if told else ""


def _standing(merge: Tried) -> tuple[Finding, ...]:
    """What the merged documents say, where no policy judges the commits."""
    policy = policy_at(merge.desk, merge.tree)
    if policy is None:
        return ()
    snapshot = merge.desk.world.snapshot(merge.tree, state_files((policy,)))
    return faults_of(snapshot, policy, REGISTRY)
