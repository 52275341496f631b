"""No key is listed for a human and for an agent.

Why: a signature by such a key would leave open whether a person decided or a program did.

Refused: a change of `.codifica/allowed_signers` after which one key stands for `human:alice` and for `agent:builder`, by two
lines or by a pattern such as `*:alice`.

Accepted: several keys for one principal; one key for two agents, whose commits then name the actor.

Do: make a key for the agent, and list that one:

    git codifica key new agent:builder
    git codifica key add agent:builder builder.pub
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID113", "shared-key", "codifica-guard, policy"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.COMMIT, True


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the policy of a commit that changed it."""
    if view.own_policy is None or not (view.trust or view.introduces):
        return
    for fault in view.own_policy.faults:
        if fault.code == CODE:
            yield Breach(
                found=fault.found,
                expected="a key is a human's or an agent's",
                do=("git codifica key new agent:NAME   (a key of its own for the agent)",),
                path=fault.path,
                line=fault.line,
                severity=None if fault.fatal else Severity.WARNING,
            )
