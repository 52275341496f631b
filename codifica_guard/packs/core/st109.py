"""An agent's commit leaves the line ends of tasks alone that it does not change.

Why: a flip from LF to CRLF shows every task as changed. The one change that counts is hidden among them, and every other
branch gets a conflict.

Refused: an agent that changes one task and saves the whole document with CRLF.

Accepted: the line ends of the task that it does change; a person's signed commit that only normalises line ends.

Do: keep the line ends that the document had:

    git config core.autocrlf false
    git restore --source=origin/main work.md     then make the change again
"""

from collections.abc import Iterator, Mapping

from codifica_guard.model.document import Block, Document
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import TaskId
from codifica_guard.packs.core.wording import branch, listed
from codifica_guard.rules.advice import quoted
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST109", "line-ends-flipped", "codifica-guard, state documents"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge an agent's commit; a merge has what its parents have."""
    if not view.by_agent or view.is_merge:
        return
    for path in sorted(view.after.documents):
        before, after = view.before.documents.get(path), view.after.documents[path]
        if before is None or before is after:
            continue
        flipped = _flipped(before, after)
        if flipped:
            yield Breach(
                found=f"other line ends in {listed(b.id for b in flipped)}, which the commit does not change otherwise",
                expected="the line ends that the document had",
                do=(f"git restore --source=origin/{branch(view)} {quoted(path)}", "make the change again, then commit"),
                path=path,
                line=flipped[0].line,
            )


def _flipped(before: Document, after: Document) -> list[Block]:
    # Most documents have LF alone on both sides: then nothing is compared.
    was, now = _with_carriage_returns(before), _with_carriage_returns(after)
    flipped = was ^ now
    if not flipped:
        return []
    old: Mapping[TaskId, Block] = {block.id: block for block in before.blocks if block.id in flipped}
    return [b for b in after.blocks if b.id in flipped and b.id in old and old[b.id].raw == b.raw]


def _with_carriage_returns(document: Document) -> set[TaskId]:
    """Tasks most of whose lines end in CRLF: `raw` has them as LF, the place in the document has not."""
    longer = (b for b in document.blocks if b.end - b.start > len(b.raw))
    return {b.id for b in longer if b.end - b.start - len(b.raw) >= b.raw.count(b"\n") - 1}
