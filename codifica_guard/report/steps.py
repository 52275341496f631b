"""What a finding advises, adapted to the commit it is about: the newest one, one below it, or one that is not made yet."""

import re
from collections.abc import Iterable, Iterator
from typing import Final

from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import ObjectId, short

_AMENDS: Final = re.compile(r"git commit (?:-a )?--amend")
_PUSHES: Final = re.compile(r"\s*&& git push$")
_RESET: Final = re.compile(r"git reset --soft \S+, ")
_THEN_AMEND: Final = re.compile(r",? then git commit --amend.*$")
NOT_YET: Final = ("git push", "codifica-guard sign", "or, where codifica-guard is at hand: codifica-guard sign")


def steps(finding: Finding, *, draft: bool = False, tips: Iterable[ObjectId] = ()) -> tuple[str, ...]:
    """The advice of a finding.

    Args:
        finding: the finding; its own steps fit the newest commit.
        draft: whether nothing was committed yet: then there is nothing to amend.
        tips: the newest commits of what was judged; empty where that is not known.
    """
    if draft:
        return tuple(_of_draft(finding.do))
    newest = frozenset(tips)
    below = finding.commit is not None and newest and finding.commit not in newest
    if not below or finding.commit is None or not any(_AMENDS.search(step) for step in finding.do):
        return finding.do
    name = short(finding.commit)
    return (
        f"{name} lies below your newest commit: git rebase -i {name}~1, mark it `edit`, and there:",
        *(_PUSHES.sub("", step) for step in finding.do),
        "git rebase --continue && git push",
    )


def _of_draft(do: tuple[str, ...]) -> Iterator[str]:
    changed = False
    for step in do:
        adapted = _RESET.sub("", _THEN_AMEND.sub("", step)).replace("--source=HEAD~1", "--source=HEAD")
        if _AMENDS.search(adapted) or adapted.startswith(NOT_YET):
            changed = True
            continue
        adapted = _PUSHES.sub("", adapted)
        changed = changed or adapted != step
        yield adapted
    if changed:
        yield "nothing was committed yet: mend it, git add, and commit again"
