"""The guard can do its work; where it cannot, it lets nothing in.

Why: a guard that waves through what it cannot judge would be switched off by whoever finds a way to break it.

Refused: every push while the guard fails, the good ones too: a full disk, an unknown format, a fault of its own.

Accepted: nothing until it works again; no commit is lost, all of them are still in your clone.

Do: tell the admin the reference that the message names; the server's log has the rest under it.
"""

from collections.abc import Iterator

from codifica_guard.errors import GuardError, LimitExceeded
from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach

CODE, NAME, SPEC = "GD101", "guard-failed", "codifica-guard, failures"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.GUARD, True


def check(error: Exception, reference: str = "") -> Iterator[Breach]:
    """Tell of an error, in words only where it is one of ours: what others say may hold what is not for the pusher.

    Args:
        error: what was raised.
        reference: what the log has it under; else the error's own attribute `reference`.
    """
    if isinstance(error, LimitExceeded):
        return
    found = "the guard itself failed and let nothing in; your commits may be fine"
    if isinstance(error, GuardError) and str(error):
        found = f"{found}: {error}"
    reference = reference or str(getattr(error, "reference", ""))
    told = f"tell the admin, with this reference: {reference}" if reference else "tell the admin"
    yield Breach(found=found, expected="a guard that works", do=(f"{told} (pushes keep failing until then)",))
