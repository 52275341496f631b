"""What an audit itself finds, told by the rules of its pack."""

from codifica_guard.engine.apply import finding_without_view
from codifica_guard.model.audited import Noted
from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import ObjectId, RefName, short, show_path
from codifica_guard.model.value import replace
from codifica_guard.packs.all import REGISTRY
from codifica_guard.rules.audit_view import AuditView

VERIFY = (
    "git show {policy}:.codifica/allowed_signers > signers",
    "git -c gpg.format=ssh -c gpg.ssh.allowedSignersFile=signers verify-commit {commit}",
)
"""How one sees without the guard whose signature a commit has."""


def fault(code: str, view: AuditView, at: int | None = None, policy: ObjectId | None = None) -> Noted:
    """One thing that an audit is not content with, by the rule that says so.

    Args:
        code: the rule.
        view: what it is given; it has to be something that the rule finds fault with.
        at: when it happened; the receipts around it where that is not known.
        policy: a commit whose policy lists the keys that count.
    """
    rule = REGISTRY.find(code)
    breach = next(rule.check(view))
    found = replace(finding_without_view(rule, breach, breach.commit), ref=view.ref)
    number = view.number if view.number is not None else view.before if view.before is not None else None
    time = at if at is not None else view.until if view.until is not None else view.since
    return Noted(finding=found, at=time, ref=view.ref, receipt=number, check=_check(view, policy))


def _check(view: AuditView, policy: ObjectId | None) -> tuple[str, ...]:
    """Commands of Git alone that show the same."""
    if view.receipt is not None:
        shown = f"git show {view.receipt.decode('ascii')}:receipt.json"
        if policy is None:
            return (shown,)
        names = {"policy": policy.decode("ascii"), "commit": view.receipt.decode("ascii")}
        return (*(text.format(**names) for text in VERIFY), shown)
    if view.new is not None:
        span = view.new if view.old is None else b"%s..%s" % (view.old, view.new)
        return (f"git log --oneline {span.decode('ascii')}",)
    return ()


def check_of(found: Finding) -> tuple[str, ...]:
    """Commands of Git alone that show what a finding about a commit is about."""
    if found.commit is None:
        return ()
    commit = short(found.commit)
    shown = f"git show {commit}"
    if found.path is not None and show_path(found.path).isascii() and show_path(found.path).isprintable():
        import shlex  # noqa: PLC0415 - only where something is wrong

        shown += f" -- {shlex.quote(show_path(found.path))}"
    return (f"git verify-commit {commit}", shown) if found.code.startswith("ID") else (shown,)


def branch_of(ref: RefName) -> str:
    """A branch's name in a sentence."""
    return show_path(ref.removeprefix(b"refs/heads/"))
