"""The guard is introduced once, by a commit that is signed by a maintainer whom it names.

Why: on a server that took the first policy it saw, the first agent to push one would be its maintainer.

Refused: an introduction that is unsigned, signed by a key that the server does not await, or by somebody who is no maintainer
of it; a second introduction from a branch that does not have the first.

Accepted: the commit that `git codifica init` makes, signed with the key whose fingerprint the admin installed.

Do: let the maintainer introduce it, whose key the admin named:

    git codifica init
    git push
"""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.finding import Severity
from codifica_guard.model.policy import GUARD_FILE
from codifica_guard.packs.core.wording import branch, by_whom, listed
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID110", "introduction", "codifica-guard, introduction"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.COMMIT, True

TOLD_ELSEWHERE: Final = frozenset({"ID109", "ID113"})
"""Rules that tell what is wrong with the policy itself."""


def check(view: CommitView) -> Iterator[Breach]:
    """Judge an introduction, and a commit that would be a second one."""
    if view.introduces:
        yield from _of_first(view)
        return
    before, after = view.paths.get(GUARD_FILE, (None, None))
    if GUARD_FILE in view.trust and before is None and after is not None:
        yield Breach(
            found="a second introduction: guard.json is added to a history that does not have the first one",
            expected="one introduction; every branch takes it over by merging",
            do=("git fetch origin", f"git merge origin/{branch(view)}"),
            path=GUARD_FILE,
        )


def untrusted(found: str) -> Breach:
    """The breach of an introduction that the server does not trust.

    Args:
        found: why not, such as whose key signed it and whose is awaited.
    """
    return Breach(
        found=found,
        expected="the introduction is signed with the key that the server's admin named",
        do=("that maintainer runs: git codifica init, then git push",),
        path=GUARD_FILE,
    )


def _of_first(view: CommitView) -> Iterator[Breach]:
    own = view.own_policy
    if own is None:
        yield untrusted("the introduction has no guard.json")
    elif any(fault.fatal and fault.code in TOLD_ELSEWHERE for fault in own.faults):
        return
    elif view.actor is None or view.actor not in own.guard.maintainers:
        yield Breach(
            found=f"the guard is introduced {by_whom(view)}",
            expected=f"an introduction is signed by a maintainer that it names ({listed(own.guard.maintainers)})",
            do=("git codifica sign HEAD && git push",),
            path=GUARD_FILE,
        )
