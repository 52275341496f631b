"""What is asked of an audit, and what a history came to."""

from collections.abc import Callable

from codifica_guard.audit.made import Made
from codifica_guard.model.act import Act
from codifica_guard.model.audited import Anchor, Branch, Chain, Noted, Pause
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.policy import Policy
from codifica_guard.model.receipt import Receipt
from codifica_guard.model.value import value

Progress = Callable[[int, int], None]
"""Is told how many commits are judged, and of how many, now and then."""


@value
class Wanted:
    """How an audit is to be made.

    Attributes:
        introduction: the commit that the auditor stands on; None for what the settings pin, else what the repository says.
        ruleset: judge by this ruleset; None for that of each policy.
        since_receipt: judge only what came after the last receipt.
        cached: whether what an earlier audit found may be used again.
        fetched: whether the server was asked just now, so that a receipt that is not here is not there either.
    """

    introduction: ObjectId | None = None
    ruleset: int | None = None
    since_receipt: bool = False
    cached: bool = True
    fetched: bool = True


@value
class Replayed:
    """What a history came to.

    Attributes:
        anchor: the introduction.
        coordination: the coordination branch.
        tip: where it ends.
        policy: the policy at that tip.
        ruleset: what was judged by: the one that was asked for, else that policy's.
        branches: the judged branches, the coordination branch first.
        chain: the receipts.
        acts: what was done, in the order of history, each commit's once.
        findings: errors and warnings: first those about the receipts, then in the order of history.
        notes: sentences that are no findings.
        pauses: what passed in pauses, and receipts of pauses that were set.
        introductions: receipts of introductions that were moved.
        made: every judged commit once, in the order of history: who is proven to have made it, and when.
        served: one entry for each receipt that is believed: principal and fingerprint of the server, time.
    """

    anchor: Anchor
    coordination: RefName
    tip: ObjectId
    policy: Policy
    ruleset: int
    branches: tuple[Branch, ...]
    chain: Chain
    acts: tuple[Act, ...] = ()
    findings: tuple[Noted, ...] = ()
    notes: tuple[str, ...] = ()
    pauses: tuple[Pause, ...] = ()
    introductions: tuple[Receipt, ...] = ()
    made: tuple[Made, ...] = ()
    served: tuple[tuple[str, str, int], ...] = ()
