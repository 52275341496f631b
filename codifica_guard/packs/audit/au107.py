"""The introduction that the receipts were judged from is the one that the auditor stands on.

Why: from the introduction on everything is judged. Whoever moves it forward takes what lies before it out of sight; the server's admin
may have to, after a secret was taken out of history, and the receipts tell it.

Refused: receipts that name another introduction than the one that was given, that this clone has pinned, or that the repository has; one
that changed without a receipt that says so; a pinned introduction that is not in the branch's history.

Accepted: an introduction that a receipt says was moved, where nothing else is pinned.

Do: ask the server's admin why it was moved, by another way than this repository. If you take the new one, say so:

    git codifica audit --introduction COMMIT
    git config codifica.introduction COMMIT
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.audit_view import AuditView
from codifica_guard.rules.rule import About, Breach

CODE, NAME, SPEC = "AU107", "introduction-differs", "codifica-guard, introduction"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.AUDIT, True


def check(view: AuditView) -> Iterator[Breach]:
    """Tell of an introduction that is another one."""
    if not view.said:
        return
    do = [
        "git log -1 --format=fuller " + (view.introduction or view.receipt or b"refs/codifica/receipts").decode("ascii")
    ]
    if view.introduction is not None:
        do.append(f"if you take it: git codifica audit --introduction {view.introduction.decode('ascii')}")
    yield Breach(
        found=view.said,
        expected="one introduction, that the server, its receipts and you stand on",
        do=tuple(do),
        commit=view.introduction,
    )
