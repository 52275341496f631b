"""Who may introduce the guard, and what an introduction has to be."""

from collections.abc import Iterator

from codifica_guard.engine.apply import finding, finding_without_view
from codifica_guard.engine.expand import Expansion
from codifica_guard.model.commit import Commit
from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import ObjectId
from codifica_guard.model.value import value
from codifica_guard.packs.core import id110
from codifica_guard.rules.registry import Registry
from codifica_guard.rules.rule import About
from codifica_guard.rules.view import CommitView

FIRST_PUSH = "first-push"
"""The value of `codifica.trust` that takes the first introduction, whoever signed it."""

NO_POLICY = "the commit that is pinned as introduction has no .codifica/guard.json"

JUDGED = frozenset({"ID109", "ID110", "ID113", "ID114", "CD110", "GT106", "ST106"})
"""Rules that judge an introduction; its state is the starting point and is taken as it is."""


@value
class Trust:
    """What the server's or clone's own config says about the introduction.

    Attributes:
        pinned: `codifica.introduction`; None where nothing is pinned.
        key: `codifica.trust`: fingerprint of the key that may introduce, or `first-push`; None where nobody may.
    """

    pinned: ObjectId | None = None
    key: str | None = None


def introduction_findings(trust: Trust, expansion: Expansion, commit: Commit, registry: Registry) -> Iterator[Finding]:
    """Findings about the introduction: signed by a maintainer that it names, with the key that the server awaits."""
    view = introduction_view(expansion)
    if view is None:
        yield finding_without_view(registry.find(id110.CODE), id110.untrusted(NO_POLICY), commit.id)
        return
    for rule in registry.under(view.policy, About.COMMIT):
        if rule.code in JUDGED:
            for breach in rule.check(view):
                yield finding(rule, breach, view)
    told = _untrusted(trust, view, commit)
    if told is not None:
        yield finding(registry.find(id110.CODE), id110.untrusted(told), view)


def introduction_view(expansion: Expansion) -> CommitView | None:
    """The introduction under its own policy; None for a commit without one."""
    policy = expansion.own_policy()
    if policy is None:
        return None
    attribution = expansion.attribution(policy, policy.revoked.__contains__)
    return expansion.view(policy, attribution, introduces=True)


def _untrusted(trust: Trust, view: CommitView, commit: Commit) -> str | None:
    """Why the server does not take an introduction; None where it does, or where ID110 says more."""
    if trust.pinned is not None:
        return None if trust.pinned == commit.id else "another introduction is pinned"
    if trust.key == FIRST_PUSH or view.attribution.key is None:
        return None
    from codifica_guard.identity.keys import fingerprint  # noqa: PLC0415 - only at an introduction

    key = fingerprint(view.attribution.key)
    if trust.key is None:
        return f"signed with {key}, and this server awaits nobody's introduction (codifica.trust is not set)"
    return None if key == trust.key else f"signed with {key}; this server awaits {trust.key}"
