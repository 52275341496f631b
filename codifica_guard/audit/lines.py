"""The lines of a receipt: what a judged commit did to tasks, as the audit will find it again."""

from collections.abc import Iterator

from codifica_guard.engine.acts import acts
from codifica_guard.engine.expand import Expansion
from codifica_guard.limits import RECEIPT_TEXT
from codifica_guard.model.act import Act
from codifica_guard.model.receipt import Line
from codifica_guard.rules.view import CommitView

PROTOCOL = "codifica/"


def lines_of(expansion: Expansion, view: CommitView) -> Iterator[Line]:
    """A commit's transitions, by place, under the policy that counts."""
    return (line_of(act) for act in acts(expansion, view) if act.is_transition)


def line_of(act: Act) -> Line:
    """An act as a line; texts that a push may make as long as it likes are cut."""
    return Line(
        record=PROTOCOL + act.task[:RECEIPT_TEXT],
        source=act.source[:RECEIPT_TEXT],
        target=act.target[:RECEIPT_TEXT],
        actor=act.actor,
        key=act.key,
        proof=act.mark.value,
        commit=act.commit,
    )
