"""Every move of a judged branch has a receipt: the server's hook saw it.

Why: what the hook did not see, nobody judged when it came in. Somebody moved the branch on the server itself, or its hook was off.

Refused: commits on a judged branch that lie between two receipts, or behind the last one, and that no receipt brought.

Accepted: what was there before the first receipt; a push whose receipt was written late, and says so.

Do: the commits are judged by the audit itself now, and whatever it finds in them stands beside this finding. Look at them, and ask
the server's admin who moved the branch, or why the hook was off:

    git log --oneline OLD..NEW
    codifica-guard doctor /srv/git/shop.git
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short
from codifica_guard.rules.audit_view import AuditView, during
from codifica_guard.rules.rule import About, Breach

CODE, NAME, SPEC = "AU101", "unseen-push", "codifica-guard, receipts"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.AUDIT, True

DOCTOR = "the server's admin: codifica-guard doctor REPOSITORY"


def check(view: AuditView) -> Iterator[Breach]:
    """Tell of commits that came in without a receipt."""
    if view.new is None:
        return
    many = "1 commit came in" if view.commits == 1 else f"{view.commits} commits came in"
    span = f"{short(view.old)}..{short(view.new)}" if view.old is not None else short(view.new)
    yield Breach(
        found=f"{view.branch} {span}: {many if view.commits else 'it was moved'} without a receipt{during(view)}",
        expected="a receipt for every push to a judged branch",
        do=(f"git log --oneline {span}", DOCTOR),
        commit=view.new,
    )
