"""Lines of `.codifica/allowed_signers`: how one is written, and how one stands now."""

from collections.abc import Iterable
from typing import Final, Literal

from codifica_guard.errors import UsageError
from codifica_guard.identity.allowed_signers import matches, valid_at
from codifica_guard.identity.keys import PublicKey, public_line
from codifica_guard.model.ids import NAME, Principal, is_principal
from codifica_guard.model.policy import Policy, SignerLine

NAMESPACES: Final = {
    "human": "git,codifica-guard",
    "agent": "git,codifica-guard,codifica-evidence",
    "server": "git",
}
"""What a key of each kind may sign."""

Standing = Literal["valid", "expired", "not yet", "revoked"]


def principal_of(text: str, kind: str | None = None) -> Principal:
    """The principal that somebody typed.

    Args:
        text: `human:alice`, or the name alone where `kind` says what it is.
        kind: `human` or `agent`; None where the text has to say it.

    Raises:
        UsageError: it is none.
    """
    full = f"{kind}:{text}" if kind is not None and ":" not in text else text
    if is_principal(full):
        return Principal(full)
    if NAME.fullmatch(text) is not None:
        raise UsageError(f"{text!a}: say which: human:{text} or agent:{text}")
    raise UsageError(
        f"{text[:80]!a} is no principal such as human:alice or agent:builder; names are of a-z 0-9 . _ - and 64 at most"
    )


def signer_line(principal: Principal, key: PublicKey) -> str:
    """The line that lists a key, without a line end; the comment stays where it is plain ASCII."""
    comment = f" {key.comment}" if key.comment and key.comment.isascii() else ""
    return f'{principal} namespaces="{NAMESPACES[principal.partition(":")[0]]}" {public_line(key.blob)}{comment}'


def standing(line: SignerLine, policy: Policy, now: int) -> Standing:
    """How a line stands: revoked for good, not valid yet, no longer valid, or valid."""
    if line.key in policy.revoked:
        return "revoked"
    if valid_at(line, now):
        return "valid"
    return "not yet" if line.valid_after is not None and now < line.valid_after else "expired"


def best_standing(lines: Iterable[SignerLine], policy: Policy, now: int) -> Standing:
    """How a key stands by the best of its lines; revoked where it has none."""
    stands = {standing(line, policy, now) for line in lines}
    best: tuple[Standing, ...] = ("valid", "not yet", "expired")
    return next((s for s in best if s in stands), "revoked")


def maintains(line: SignerLine, policy: Policy) -> bool:
    """Whether a line lists a maintainer."""
    return any(matches(line, maintainer) for maintainer in policy.guard.maintainers)
