"""A receipt says what the commits do that it is about.

Why: receipts are what people read. One that names another actor, or leaves a transition out, tells them of a history that there is not.

Refused: a receipt whose transitions (task, from, to, actor, commit) are not those that its commits make when they are judged again.

Accepted: a receipt that says that the guard had failed, in a pause.

Do: believe the commits. Compare what the receipt says with what they do, and tell the server's admin:

    git show COMMIT:receipt.json
    git codifica log
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short
from codifica_guard.rules.audit_view import AuditView
from codifica_guard.rules.rule import About, Breach

CODE, NAME, SPEC = "AU105", "receipt-disagrees", "codifica-guard, receipts"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.AUDIT, True


def check(view: AuditView) -> Iterator[Breach]:
    """Tell of a receipt that disagrees with its commits."""
    if view.receipt is None or not view.said:
        return
    span = f"{short(view.old)}..{short(view.new)}" if view.old and view.new else short(view.new or view.receipt)
    yield Breach(
        found=f"receipt {view.number} of {view.branch}: {view.said}",
        expected="a receipt that says what its commits do",
        do=(f"git show {short(view.receipt)}:receipt.json", f"git log --oneline {span}"),
        commit=view.receipt,
    )
