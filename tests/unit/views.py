"""What rules are given, built from a few words: documents before and after, who made the commit, under which policy.

change = claimed("FEAT-1")
view = commit_view({"work.md": document(task("FEAT-1"))}, {"work.md": document(task("FEAT-1", state="done"))}, actor=BUILDER)
"""

from collections.abc import Callable, Iterable, Mapping
from typing import Any, Final

from codifica_guard.model.commit import SUBMODULE, SYMLINK, TREE, Commit, Entry, Trailer, Trailers
from codifica_guard.model.document import Fault
from codifica_guard.model.identity import Attribution, Problem, Proof
from codifica_guard.model.ids import ObjectId, Principal, RefName, RepoPath, TaskId
from codifica_guard.model.policy import CodificaConfig, GuardConfig, Policy, PolicyFault
from codifica_guard.model.value import replace
from codifica_guard.policy.globs import compile_globs, scope_globs
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.snapshot import EMPTY, Snapshot
from codifica_guard.rules.view import CommitView, RefView, TaskChange
from codifica_guard.state.blocks import split

ALICE: Final = Principal("human:alice")
BOB: Final = Principal("human:bob")
BUILDER: Final = Principal("agent:builder")
WRITER: Final = Principal("agent:writer")

OLD: Final = ObjectId(b"1" * 40)
NEW: Final = ObjectId(b"2" * 40)
WORK: Final = RepoPath(b"work.md")
NOW: Final = 1_796_000_000

FILE: Final = Entry(0o100644, ObjectId(b"a" * 40))
OTHER_FILE: Final = Entry(0o100644, ObjectId(b"b" * 40))
LINK: Final = Entry(SYMLINK, ObjectId(b"c" * 40))
MODULE: Final = Entry(SUBMODULE, ObjectId(b"d" * 40))
FOLDER: Final = Entry(TREE, ObjectId(b"e" * 40))

Documents = Mapping[str, str | bytes]


def task(name: str, *lines: str, state: str = "todo", owner: str = "unassigned", title: str = "Login form") -> str:
    """One task block; `lines` come behind its fields as they are."""
    fields = (f"- id: {name}", "  type: build", f"  state: {state}", f"  owner: {owner}", f"  title: {title}", *lines)
    return "\n".join(fields) + "\n"


def document(*tasks: str, text: str = "# Work\n") -> str:
    """A state document with one fence."""
    return f"{text}\n```yaml\n{''.join(tasks)}```\n"


def entered(
    state: str,
    *,
    of: str = "todo",
    by: str = BUILDER,
    writer: str | None = None,
    session: str | None = None,
    at: str = "",
) -> tuple[str, ...]:
    """The lines of one entry of `state_transitions`, without the field's name."""
    lines = [f"    - from: {of}", f"      to: {state}", f"      by: {by}"]
    if at:
        lines.append(f"      timestamp: {at}")
    if writer or session:
        lines.append("      provenance:")
        lines += [f"        session_id: {session}"] if session else []
        lines += [f"        writer: {writer}"] if writer else []
    return tuple(lines)


def snapshot(documents: Documents, entries: Mapping[str, Entry] | None = None) -> Snapshot:
    """The state of a tree that holds some documents."""
    read = {}
    for name, text in documents.items():
        path = RepoPath(name.encode())
        read[path] = split(path, text.encode() if isinstance(text, str) else text)
    there = {RepoPath(name.encode()): entry for name, entry in (entries or {}).items()}
    return Snapshot(read, {**dict.fromkeys(read, FILE), **there})


def codifica(state: Iterable[str] = ("work.md",), **changed: Any) -> CodificaConfig:
    """A `codifica.json`."""
    fields: dict[str, Any] = {
        "version": "0.2",
        "spec": RepoPath(b"codifica-spec.md"),
        "state": compile_globs(list(state)),
        "assets": RepoPath(b"assets/"),
        "mode": "strict",
        "allowed_agents": (),
        "scope": scope_globs(["**"], []),
        "custom_types": (),
        "branch_pattern": "{type}/{id}-{slug}",
        "max_concurrent": None,
        "stale_claim_hours": 24,
    }
    return CodificaConfig(**{**fields, **changed})


def policy(
    *,
    config: CodificaConfig | None = None,
    without_codifica: bool = False,
    revoked: Iterable[bytes] = (),
    key: tuple[bytes | None, ...] = (),
    faults: Iterable[PolicyFault] = (),
    **changed: Any,
) -> Policy:
    """A policy of alice's; `changed` are fields of `guard.json`."""
    fields: dict[str, Any] = {
        "repository": "00112233445566778899aabbccddeeff",
        "coordination_branch": "main",
        "protected_branches": compile_globs(["main"]),
        "mode": "enforce",
        "maintainers": (ALICE,),
        "require_signatures": "transitions",
        "ruleset": 1,
        "writer_tokens": "optional",
        "resume_after_minutes": 60,
        "review_by": "human-or-owner",
        "self_approval": "warn",
        "human_proof": "fresh-or-trailer",
        "human_presence": "any",
        "web_edits": "refuse",
    }
    return Policy(
        guard=GuardConfig(**{**fields, **changed}),
        codifica=None if without_codifica else config or codifica(),
        signers=(),
        revoked=frozenset(revoked),  # type: ignore[arg-type]  # tests write keys as bytes
        key=key,
        faults=tuple(faults),
    )


def commit(*parents: ObjectId, message: str = "FEAT-1: change", **changed: Any) -> Commit:
    """A commit of builder's."""
    fields: dict[str, Any] = {
        "id": NEW,
        "tree": OLD,
        "parents": parents or (OLD,),
        "author": b"Builder <b@example.org> 1796000000 +0000",
        "committer": b"Builder <b@example.org> 1796000000 +0000",
        "committer_time": NOW,
        "message": message.encode(),
        "signature": None,
        "signed": b"",
    }
    return Commit(**{**fields, **changed})


def proven(actor: Principal | None, **changed: Any) -> Attribution:
    """An attribution: proven by a trailer unless `changed` says otherwise; nobody where there is no actor."""
    fields: dict[str, Any] = {"actor": actor, "proof": Proof.TRAILER if actor else Proof.NONE, "fresh": True}
    return Attribution(**{**fields, **changed})


def failed(code: str, found: str = "it does not hold", do: str = "") -> Attribution:
    """An attribution that proves nobody, for one reason."""
    return Attribution(problems=(Problem(code=code, found=found, do=do),))


def trailers(*pairs: tuple[str, str], faults: tuple[str, ...] = ()) -> Trailers:
    """The trailers of a message."""
    return Trailers(all=tuple(Trailer(k.encode(), v.encode()) for k, v in pairs), faults=faults)


def task_changes(before: Snapshot, after: Snapshot) -> tuple[TaskChange, ...]:
    """The tasks that differ between two trees, by their ids."""
    names = sorted({*before.records, *after.records})
    found = (TaskChange(id=TaskId(n), before=before.record(TaskId(n)), after=after.record(TaskId(n))) for n in names)
    return tuple(c for c in found if c.born or c.gone or c.edited or c.moved)


def commit_view(
    before: Documents | Snapshot = EMPTY,
    after: Documents | Snapshot | None = None,
    *,
    actor: Principal | None = None,
    attribution: Attribution | None = None,
    paths: Mapping[str, tuple[Entry | None, Entry | None]] | None = None,
    made: Commit | None = None,
    under: Policy | None = None,
    merged: Documents | Snapshot | None = None,
    trailing: Trailers | None = None,
    proves: Callable[[str], bool] = lambda _: False,
    **fields: Any,
) -> CommitView:
    """One commit: its changes are those between the trees.

    Args:
        before, after: documents by path; without `after` the commit leaves them alone.
        actor: the principal that a trailer proves; `attribution` says it in full.
        paths: other leaves, and trust files, by path.
        made: the commit itself.
        under: the policy.
        merged: the second parent's documents: then it is a merge, and tasks count that differ from both.
        trailing: the message's trailers.
        proves: whether the writer key of a public line signed it.
        fields: whatever else a view has; they win.
    """
    was = before if isinstance(before, Snapshot) else snapshot(before)
    now = was if after is None else after if isinstance(after, Snapshot) else snapshot(after)
    parents: tuple[Snapshot, ...] = (was,)
    changes = task_changes(was, now)
    if merged is not None:
        side = merged if isinstance(merged, Snapshot) else snapshot(merged)
        parents = (was, side)
        others = {c.id for c in task_changes(side, now)}
        changes = tuple(c for c in changes if c.id in others)
    rules = under or policy()
    leaves = {RepoPath(name.encode()): pair for name, pair in (paths or {}).items()}
    both = [p for p in was.documents if p in now.documents]
    filled: dict[str, Any] = {
        "commit": made or (commit() if merged is None else commit(OLD, NEW)),
        "trailers": trailing or Trailers(),
        "attribution": attribution or proven(actor),
        "policy": rules,
        "own_policy": None,
        "parents": parents,
        "before": was if merged is None else EMPTY,
        "after": now,
        "changes": changes,
        "now": NOW,
        "frames": tuple(p for p in both if merged is None and was.documents[p].frame != now.documents[p].frame),
        "born": tuple(p for p in now.documents if p not in was.documents),
        "gone": tuple(p for p in was.documents if p not in now.documents),
        "paths": leaves,
        "trust": tuple(p for p in leaves if rules.is_trust(p)),
        "proves_writer": proves,
    }
    return CommitView(**{**filled, **fields})


def ref_view(name: str = "refs/heads/main", **changed: Any) -> RefView:
    """One update of a judged branch."""
    ref = RefName(name.encode())
    fields: dict[str, Any] = {"ref": ref, "name": ref, "old": OLD, "new": NEW, "coordination": True, "judged": True}
    return RefView(**{**fields, **changed})


def with_faults(view: Snapshot, *faults: Fault, path: RepoPath = WORK) -> Snapshot:
    """A snapshot one of whose documents has these faults."""
    return Snapshot({**view.documents, path: replace(view.documents[path], faults=faults)}, view.entries)


def found(breaches: Iterable[Breach]) -> list[str]:
    """What breaches say was found."""
    return [breach.found for breach in breaches]
