"""Every receipt is signed by a key that a maintainer listed as the server's, and that was not revoked.

Why: whoever can write to the server's refs can write commits there. Only the signature makes one of them the server's word.

Refused: a receipt without a signature, or with one that is not for these bytes; one whose key the policy does not list as `server:NAME`,
lists for another server, or had revoked by then; one that was made for another repository.

Accepted: a receipt by a key that was rotated since: what counts is that a policy of this history listed it.

Do: this receipt and those behind it are not believed, and the commits are judged by their own dates. See what Git says to it, and who
listed the server's keys:

    git verify-commit COMMIT
    git log --oneline -- .codifica/allowed_signers .codifica/revoked_keys
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short
from codifica_guard.rules.audit_view import AuditView
from codifica_guard.rules.rule import About, Breach

CODE, NAME, SPEC = "AU104", "forged-receipt", "codifica-guard, receipts"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.AUDIT, True


def check(view: AuditView) -> Iterator[Breach]:
    """Tell of a receipt that is not the server's word."""
    if view.receipt is None:
        return
    yield Breach(
        found=f"receipt {view.number if view.number is not None else '?'} ({short(view.receipt)}): {view.said}",
        expected="a receipt that is signed by a key of the server",
        do=(
            f"git verify-commit {short(view.receipt)}",
            "git log --oneline -- .codifica/allowed_signers .codifica/revoked_keys",
        ),
        commit=view.receipt,
    )
