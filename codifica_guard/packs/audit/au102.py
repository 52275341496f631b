"""A judged branch has all that the receipts saw come in.

Why: what was let in is what others build on. Whoever rewinds or deletes a branch on the server takes back decisions, claims and
signatures, and no hook sees it.

Refused: a branch whose tip does not descend from the tip that the last receipt names, and a judged branch that is gone.

Accepted: a branch that was rewound in a pause, which its receipts say; a branch that is not judged any more.

Do: ask the server's admin who moved the branch. Whoever still has the old tip can bring it back; where it had to go, as after a
secret got in, the admin pauses the guard first, so that the receipts tell it:

    git log --oneline NEW..OLD
    codifica-guard pause /srv/git/shop.git --for 1h -m WHY
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short
from codifica_guard.rules.audit_view import AuditView, during
from codifica_guard.rules.rule import About, Breach

CODE, NAME, SPEC = "AU102", "rewound-branch", "codifica-guard, receipts"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.AUDIT, True


def check(view: AuditView) -> Iterator[Breach]:
    """Tell of a branch that lost what it had."""
    if view.old is None:
        return
    if view.new is None:
        found = f"{view.branch} is gone; the receipts have it at {short(view.old)}{during(view)}"
        do: tuple[str, ...] = (f"the server's admin: who deleted it? whoever has {short(view.old)} can bring it back",)
    else:
        found = (
            f"{view.branch} was at {short(view.old)}, and {short(view.new)} does not descend from that{during(view)}"
        )
        do = (
            f"git log --oneline {short(view.new)}..{short(view.old)}",
            "the server's admin: who moved it? with git reflog, where the server keeps one",
        )
    if view.remote is not None:
        do = (f"git fetch {view.remote}, if the branch was not fetched since", *do)
    yield Breach(
        found=found,
        expected="a tip that descends from the one that the receipts saw",
        do=do,
        commit=view.new,
    )
