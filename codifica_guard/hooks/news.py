"""What came from others, in at most five lines: what does not hold, a new policy, and one's own tasks that somebody moved."""

from collections.abc import Iterator

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.hand import find_key, principals
from codifica_guard.clone.signing import holds
from codifica_guard.engine.refs import HEADS
from codifica_guard.engine.world import state_files
from codifica_guard.errors import GuardError, SignatureError
from codifica_guard.git.history import is_ancestor, merge_bases
from codifica_guard.hooks.boundary import tell
from codifica_guard.model.document import Task
from codifica_guard.model.ids import ObjectId, Principal, is_agent, short
from codifica_guard.model.policy import Policy
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.report.escape import escape
from codifica_guard.rules.commands import CLAIM_NEXT, claim, show
from codifica_guard.rules.snapshot import Snapshot

LINES = 5
BROKEN = 2
"""Commits that do not hold and are named one by one."""


def tell_news(desk: Desk, policy: Policy, before: ObjectId, after: ObjectId) -> None:
    """Tell what lies between two commits of a branch.

    Args:
        desk: the clone.
        policy: the policy that counts.
        before: what was here.
        after: what is here now, of others.
    """
    lines = [
        *_broken(desk, before, after),
        *_policy(desk, policy, before, after),
        *_tasks(desk, policy, before, after),
    ]
    for line in lines[: LINES - 1] if len(lines) > LINES else lines:
        tell(f"codifica-guard: {line}\n")
    if len(lines) > LINES:
        tell(f"codifica-guard: and {len(lines) - LINES + 1} more: git log -p {short(before)}..{short(after)}\n")


def _broken(desk: Desk, before: ObjectId, after: ObjectId) -> Iterator[str]:
    """Commits that came in and do not hold: a server without the guard, or a ref moved around it."""
    there = desk.tracked(desk.coordination)
    if desk.branch != desk.coordination or there is None:
        return
    store = desk.world.store
    came = there if is_ancestor(store, there, after) else after
    # What only this clone has was let in by nobody, and is nothing that the server's commits could be held against.
    bases = (before,) if is_ancestor(store, before, came) else sorted(merge_bases(store, before, came))
    judged = [f for base in bases[:1] for f in desk.judge_update(desk.coordination, base, came).errors]
    errors = [f for f in judged if f.commit is not None and is_ancestor(store, f.commit, there)]
    codes: dict[ObjectId, list[str]] = {}
    for finding in errors:
        codes.setdefault(finding.commit or ObjectId(b""), []).append(finding.code)
    name = escape(desk.coordination[len(HEADS) :].decode("utf-8", "backslashreplace"))
    look = f"git codifica check {short(before)}..{short(after)}"
    for oid in list(codes)[:BROKEN]:
        broken = " ".join(dict.fromkeys(codes[oid]))
        yield f"WARNING: {name} {short(oid)} breaks {broken}, and the server let it in; see: {look}"
    if len(codes) > BROKEN:
        yield f"WARNING: {len(codes) - BROKEN} more commits of {name} do not hold; see: {look}"


def _policy(desk: Desk, policy: Policy, before: ObjectId, after: ObjectId) -> Iterator[str]:
    if desk.world.trust_ids(before) == desk.world.trust_ids(after):
        return
    files = (".codifica", "codifica.json")
    lines = desk.git("rev-list", "--no-merges", after, b"^" + before, "--", *files).split()
    if not lines:
        yield f"the policy changed: git diff {short(before)} {short(after)} -- {' '.join(files)}"
        return
    newest = desk.world.store.commit(ObjectId(lines[0]))
    by = holds(desk, newest, policy).actor or "nobody who is known here"
    many = f" in {len(lines)} commits, the last" if len(lines) > 1 else ""
    yield f"the policy changed{many} by {by}: {short(newest.id)}; see: git show {short(newest.id)}"


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
