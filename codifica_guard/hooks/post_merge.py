"""`post-merge`: what a pull brought that concerns you, in at most five lines; it cannot refuse."""

from collections.abc import Iterator

from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.hand import find_key, principals
from codifica_guard.engine.world import state_files
from codifica_guard.errors import GuardError, SignatureError
from codifica_guard.git.history import is_ancestor
from codifica_guard.git.refs import resolve
from codifica_guard.hooks.boundary import tell
from codifica_guard.model.document import Task
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import ObjectId, Principal, is_agent, short
from codifica_guard.model.policy import Policy
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.report.escape import escape
from codifica_guard.rules.commands import CLAIM_NEXT, claim, show
from codifica_guard.rules.snapshot import Snapshot

LINES = 5


def run(arguments: list[str], now: int) -> int:
    """Tell what the merge that just ended brought; always 0."""
    del arguments  # whether it was a squash changes nothing
    with open_desk(now) as desk:
        policy, head = desk.policy, desk.head
        before = resolve(desk.location, b"ORIG_HEAD")[1]
        if policy is None or head is None or before is None:
            return 0
        lines = [*_broken(desk, before, head), *_policy(desk, before, head), *_tasks(desk, policy, before, head)]
        for line in lines[: LINES - 1] if len(lines) > LINES else lines:
            tell(f"codifica-guard: {line}\n")
        if len(lines) > LINES:
            tell(f"codifica-guard: and {len(lines) - LINES + 1} more: git log -p ORIG_HEAD..HEAD\n")
    return 0


def _broken(desk: Desk, before: ObjectId, head: ObjectId) -> Iterator[str]:
    """Commits that came in and do not hold: a server without the guard, or a ref moved around it."""
    there = desk.tracked(desk.coordination)
    if desk.branch != desk.coordination or there is None:
        return
    judged: Verdict = desk.judge_update(desk.coordination, before, head)
    # What only this clone has was let in by nobody; the push will judge it.
    errors = [f for f in judged.errors if f.commit is not None and is_ancestor(desk.world.store, f.commit, there)]
    for finding in errors[:2]:
        yield f"{short(finding.commit or b'')} breaks {finding.code}, and the server let it in; see: git codifica check ORIG_HEAD..HEAD"


def _policy(desk: Desk, before: ObjectId, head: ObjectId) -> Iterator[str]:
    if desk.world.trust_ids(before) != desk.world.trust_ids(head):
        yield "the policy changed: git log -p ORIG_HEAD..HEAD -- .codifica codifica.json"


def _tasks(desk: Desk, policy: Policy, before: ObjectId, head: ObjectId) -> Iterator[str]:
    try:
        mine = principals(policy, find_key(desk, quiet=True))
    except SignatureError:
        return
    files = state_files((policy,))
    try:
        old = desk.world.snapshot(desk.world.store.commit(before).tree, files)
        new = desk.world.snapshot(desk.world.store.commit(head).tree, files)
    except GuardError:
        return
    for actor in mine:
        yield from _of(actor, old, new)


def _of(actor: Principal, old: Snapshot, new: Snapshot) -> Iterator[str]:
    """Tasks of a principal that others moved, and tasks that came to it."""
    for name, records in new.records.items():
        first = old.record(name)
        if first is not None and first.raw == records[0].raw:
            continue
        was, now = first.task() if first else None, records[0].task()
        if now is not None and (owns(now.owner, actor) or (was is not None and owns(was.owner, actor))):
            told = _told(actor, was, now)
            if told:
                yield f"{escape(name)} {told}; do: {_next(actor, now)}"


def _told(actor: Principal, was: Task | None, now: Task) -> str | None:
    if was is None or not owns(was.owner, actor):
        return f"is yours now ({now.state})"
    if not owns(now.owner, actor):
        return f"is not yours any more, its owner is {escape(now.owner or 'nobody')}"
    last = now.entries("state_transitions")
    if was.state == now.state or not last or last[-1].get("by") == actor:
        return None
    by, reason = last[-1].get("by"), last[-1].get("reason")
    return f"went from {was.state} to {now.state} by {escape(str(by))}" + (f": {escape(str(reason))}" if reason else "")


def _next(actor: Principal, now: Task) -> str:
    """What to do about it: an agent claims what waits for it, and takes other work for what it lost."""
    if is_agent(actor) and not owns(now.owner, actor):
        return CLAIM_NEXT
    return escape(claim(now.id) if is_agent(actor) and now.state == "todo" else show(now.id))
