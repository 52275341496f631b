"""Agents and unsigned commits leave line ends alone where they change nothing else.

Why: a flip from LF to CRLF shows every task as changed. The one change that counts is hidden among them, and every other
branch gets a conflict.

Refused: an agent that changes one task and saves the whole document with CRLF; a commit of an agent or of nobody that changes
nothing in a state document but line ends and blank lines.

Accepted: the line ends of the task that it does change; a person's signed commit that only normalises line ends.

Do: keep the line ends that the document had:

    git config core.autocrlf false
    git restore --source=origin/main work.md     then make the change again
"""

from collections.abc import Iterator, Mapping

from codifica_guard.model.document import Block, Document
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import RepoPath, TaskId
from codifica_guard.packs.core.wording import branch, listed
from codifica_guard.rules.advice import quoted
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST109", "line-ends-flipped", "codifica-guard, state documents"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge a commit that no human signed; a merge has what its parents have."""
    if view.by_human or view.is_merge:
        return
    changed = _changed(view)
    for path in sorted(view.after.documents):
        before, after = view.before.documents.get(path), view.after.documents[path]
        if before is None or before is after:
            continue
        flipped = _flipped(before, after)
        if flipped:
            told = f"other line ends in {listed(b.id for b in flipped)}, which the commit does not change otherwise"
            yield _breach(view, path, told, flipped[0].line)
        elif path not in changed and view.before.entries.get(path) != view.after.entries.get(path):
            yield _breach(view, path, "the commit changes nothing there but line ends and blank lines", None)


def _breach(view: CommitView, path: RepoPath, told: str, line: int | None) -> Breach:
    return Breach(
        found=told,
        expected="the line ends and blank lines that the document had",
        do=(f"git restore --source=origin/{branch(view)} {quoted(path)}", "make the change again, then commit"),
        path=path,
        line=line,
    )


def _changed(view: CommitView) -> set[RepoPath]:
    """The documents in which a commit changes what counts: tasks, their order, the text around them."""
    records = [record for change in view.changes for record in (change.before, change.after)]
    records += [view.after.record(name) for name in view.refenced]
    return {*view.frames, *view.reordered, *view.touched, *(record.path for record in records if record is not None)}


def _flipped(before: Document, after: Document) -> list[Block]:
    # Most documents have LF alone on both sides: then nothing is compared.
    was, now = _carriage_returns(before), _carriage_returns(after)
    differing = {name for name in {*was, *now} if was.get(name) != now.get(name)}
    if not differing:
        return []
    old: Mapping[TaskId, Block] = {block.id: block for block in before.blocks if block.id in differing}
    return [b for b in after.blocks if b.id in differing and b.id in old and old[b.id].raw == b.raw]


def _carriage_returns(document: Document) -> dict[TaskId, int]:
    """How many lines of each task end in CRLF, where any does: `raw` has them as LF, the place in the document has not."""
    return {b.id: longer for b in document.blocks if (longer := b.end - b.start - len(b.raw)) > 0}
