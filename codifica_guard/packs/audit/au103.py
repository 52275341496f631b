"""The receipts are one whole chain: numbered from 1 on, each with what the one before said, and none is missing at its end.

Why: a receipt that is taken out takes a push out of sight. The chain is only added to, so whatever once was in it has to be there.

Refused: a first receipt that is not number 1, a number left out, doubled or in another order, tips of branches that do not follow
from the receipt before, a chain that ends before a receipt that this clone saw earlier, a commit among them that holds no receipt;
no receipts at all, or none of the first pushes, though the policy listed the server's key by then.

Accepted: a chain that grew since; receipts that were written late, which say so.

Do: receipts behind that place are not believed, and the commits are judged by their own dates. Fetch the chain anew; if it stays so,
ask the server's admin what happened to it:

    git fetch origin '+refs/codifica/*:refs/codifica/*'
    git log --oneline refs/codifica/receipts

Where receipts really began later than the key was listed, the admin says so in the open: `codifica-guard introduce COMMIT -m WHY`.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import short
from codifica_guard.rules.audit_view import AuditView
from codifica_guard.rules.rule import About, Breach

CODE, NAME, SPEC = "AU103", "cut-chain", "codifica-guard, receipts"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.AUDIT, True

LOOK = "git log --oneline refs/codifica/receipts"


def check(view: AuditView) -> Iterator[Breach]:
    """Tell where the chain is not whole."""
    if not view.said:
        return
    do = [LOOK if view.receipt is None else f"git log --oneline -3 {short(view.receipt)}"]
    if view.remote is not None:
        do.insert(0, f"git fetch {view.remote} '+refs/codifica/*:refs/codifica/*'")
    if view.known:
        do.append(f"if the admin began a new chain, and you know that from him: rm {view.known}")
    yield Breach(
        found=view.said,
        expected="one chain of receipts, from number 1 on, that is only added to",
        do=tuple(do),
        commit=view.receipt,
    )
