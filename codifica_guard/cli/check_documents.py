"""`check` of state documents as they stand: in the work tree, in a commit, in the index, in a merge that is tried."""

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from codifica_guard.cli.command import OK, REFUSED, Outcome
from codifica_guard.clone.desk import Desk
from codifica_guard.engine.unsigned import settings_alone
from codifica_guard.engine.whole import faults_of
from codifica_guard.engine.world import state_files
from codifica_guard.errors import UsageError
from codifica_guard.git.changes import entry_at
from codifica_guard.limits import POLICY_BYTES
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId
from codifica_guard.model.policy import CODIFICA_FILE, Policy
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.report.printing import printable
from codifica_guard.report.terminal import place
from codifica_guard.rules.snapshot import Snapshot
from codifica_guard.verbs.work_tree import documents_named, documents_on_disk, policy_on_disk

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.look import CheckData, ConflictData

IDLE = "idle: this repository has no policy, so pushes pass untouched (git codifica init)"
STANDING = "what its documents say is checked all the same, commits are not"


def on_disk(desk: Desk, names: Sequence[str], *, idle: bool = False) -> Outcome:
    """Check the documents of the work tree, or some of them.

    Args:
        desk: the clone.
        names: paths as they were typed; none: all documents.
        idle: whether it was asked for commits, and there is no policy to judge them by.

    Raises:
        UsageError: there is no `codifica.json`, or a path means no state document.
    """
    policy = policy_on_disk(desk)
    if policy is None:
        raise UsageError("there is no codifica.json in this work tree: nothing says which documents hold tasks")
    snapshot = documents_on_disk(desk, policy)
    found = faults_of(snapshot, policy, REGISTRY)
    if names and policy.codifica is not None:
        only = documents_named(desk, snapshot, names)
        found = tuple(f for f in found if f.path in only)
        documents = {path: document for path, document in snapshot.documents.items() if path in only}
        snapshot = Snapshot(documents, {path: snapshot.entries[path] for path in only})
    return told(found, snapshot, " ".join(("--tree", *names)), idle=idle)


def of_tree(desk: Desk, tree: ObjectId, text: str, *, idle: bool = True) -> Outcome | None:
    """Check the documents of a tree; None where it has no `codifica.json`.

    Args:
        desk: the repository.
        tree: the tree.
        text: what it was named by.
        idle: whether it was asked for commits, and there is no policy to judge them by.
    """
    policy = policy_at(desk, tree)
    if policy is None:
        return None
    snapshot = desk.world.snapshot(tree, state_files((policy,)))
    return told(faults_of(snapshot, policy, REGISTRY), snapshot, text, idle=idle)


def policy_at(desk: Desk, tree: ObjectId) -> Policy | None:
    """The policy of a tree, or what its `codifica.json` alone says; None where it has neither."""
    policy = desk.world.policy_of_tree(tree)
    entry = entry_at(desk.world.store, tree, CODIFICA_FILE)
    if policy is not None or entry is None or not entry.is_file:
        return policy
    return settings_alone(desk.world.store.blob(entry.id, POLICY_BYTES))


def told(found: tuple[Finding, ...], snapshot: Snapshot, text: str, *, idle: bool) -> Outcome:
    """The answer: each fault with its place in front, as compilers write it."""
    errors = [f for f in found if f.severity is Severity.ERROR]
    documents = len(snapshot.documents)
    tasks = sum(len(d.blocks) for d in snapshot.documents.values())
    counted = f"{_many(documents, 'document')}, {_many(tasks, 'task')}"
    codes = tuple(dict.fromkeys(f.code for f in errors))
    return Outcome(
        lines=printable((
            *((IDLE, STANDING) if idle else ()),
            *(line for finding in found for line in fault_lines(finding)),
            *([_sum(found, errors), f"why: git codifica explain {codes[0]}"] if errors else ()),
            f"{'' if errors else 'ok, '}{counted}",
        )),
        exit=REFUSED if errors else OK,
        data=check_data(range_=text, idle=idle, documents=documents, tasks=tasks),
        findings=found,
        next=tuple(f"git codifica explain {code}" for code in codes),
    )  # fmt: skip


def fault_lines(finding: Finding) -> Iterator[str]:
    """A fault in one line, and below it what to do."""
    told = "" if finding.severity is Severity.ERROR else "warning "
    task = f" {plain(finding.task)}" if finding.task else ""
    yield f"{place(finding)}: {told}{finding.code}{task}: {plain_words(finding.found)}"
    for step in finding.do[:1]:
        yield f"    do: {plain_words(step)}"


def _sum(found: Sequence[Finding], errors: Sequence[Finding]) -> str:
    warnings = len(found) - len(errors)
    return _many(len(errors), "error") + (f", {_many(warnings, 'warning')}" if warnings else "")


def _many(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"


def check_data(
    *,
    range_: str | None,
    idle: bool = False,
    commits: int = 0,
    documents: int | None = None,
    tasks: int | None = None,
    conflicts: "Iterable[ConflictData]" = (),
) -> "CheckData":
    """What programs are told."""
    return {
        "idle": idle,
        "range": range_,
        "commits": commits,
        "documents": documents,
        "tasks": tasks,
        "conflicts": list(conflicts),
    }
