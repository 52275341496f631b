"""A maintainer has listed the key that the server signs its receipts with.

Why: anybody who can write to the server can sign with some key. A receipt counts once a maintainer has said whose key it is.

Refused: nothing; this warns. As long as no server is listed no receipt is believed, the order of commits is that of first parents,
and their times are their own.

Accepted: a repository without receipts.

Do: the server's admin has the line that lists the key; a maintainer runs it, and pushes:

    codifica-guard doctor /srv/git/shop.git
    git codifica key add server:git.example.org 'ssh-ed25519 AAAA...'
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.audit_view import AuditView
from codifica_guard.rules.rule import About, Breach

CODE, NAME, SPEC = "AU106", "unlisted-server", "codifica-guard, receipts"
SEVERITY, ABOUT = Severity.WARNING, About.AUDIT


def check(view: AuditView) -> Iterator[Breach]:
    """Tell of receipts that nobody vouches for."""
    if view.receipt is None:
        return
    yield Breach(
        found="there are receipts, and no maintainer has listed a server's key: none of them is believed",
        expected="a line for server:NAME in .codifica/allowed_signers",
        do=("a maintainer: git codifica key add server:NAME KEY.pub",),
        commit=view.receipt,
    )
