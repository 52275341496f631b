"""What a finding advises, adapted to the commit it is about: the newest one, one below it, or one that is not made yet."""

import re
from collections.abc import Iterable, Iterator
from itertools import takewhile
from typing import Final

from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import ObjectId, short
from codifica_guard.rules.advice import AT_HAND, BY_HAND, PUT, SET_ASIDE, TAKE_OUT, UNDO, UNMERGE

_AMENDS: Final = re.compile(r"git commit (?:-a )?--amend")
_PUSHES: Final = re.compile(r"\s*&& git push$")
_RESET: Final = re.compile(r"git reset --soft \S+(?:, | && )")
_THEN_AMEND: Final = re.compile(r",? then git commit (?:-a )?--amend.*$")
_SIGNS: Final = ("git codifica sign", AT_HAND)
NOT_YET: Final = ("git push", *_SIGNS)


def steps(
    finding: Finding, *, draft: bool = False, onward: bool = False, tips: Iterable[ObjectId] = ()
) -> tuple[str, ...]:
    """The advice of a finding.

    Args:
        finding: the finding; its own steps fit the newest commit.
        draft: whether nothing was committed yet: then there is nothing to amend.
        onward: whether there is nothing to undo or mend: a verb gave its commit up, or the push was taken.
        tips: the newest commits of what was judged; empty where that is not known.
    """
    if onward:
        return tuple(_onward(finding.do))
    if draft:
        return tuple(_of_draft(_at_head(finding)))
    newest = frozenset(tips)
    if finding.commit is None or not newest or finding.commit in newest:
        return finding.do
    return _of_older(finding.do, short(finding.commit))


def _of_older(do: tuple[str, ...], name: str) -> tuple[str, ...]:
    """For a commit that others stand on: what amends it happens in a rebase; verbs and what undoes it stay as they are."""
    kept = tuple(takewhile(lambda step: not step.startswith(BY_HAND), do))
    hand = do[len(kept) :]
    word = BY_HAND if hand else ""
    if not hand:
        kept, hand = (), do
    if not any(_AMENDS.search(step) for step in hand):
        return do
    return (
        *kept,
        f"{word}{name} lies below your newest commit: git rebase -i {name}~1, mark it `edit`, and there:",
        *(_PUSHES.sub("", step.removeprefix(BY_HAND)) for step in hand),
        "git rebase --continue && git push",
    )


def _at_head(finding: Finding) -> tuple[str, ...]:
    """The advice, with HEAD for a draft that is to be signed: nobody knows its name, and it will be there."""
    if finding.commit is None:
        return finding.do
    named = re.compile(rf"(git codifica sign (?:--drop )?){re.escape(short(finding.commit))}\b")
    return tuple(named.sub(r"\1HEAD", step) for step in finding.do)


def _of_draft(do: tuple[str, ...]) -> Iterator[str]:
    changed = False
    for step in do:
        adapted = _RESET.sub("", _THEN_AMEND.sub("", step)).replace("--source=HEAD~1", "--source=HEAD")
        # What is not committed yet, and what its author committed before it, is not to be reset away.
        adapted = adapted.replace(UNMERGE, "git merge --abort").replace(SET_ASIDE, f"git merge --abort && {SET_ASIDE}")
        if _AMENDS.search(adapted) or adapted.startswith(NOT_YET):
            changed = True
            continue
        adapted = _PUSHES.sub("", adapted)
        changed = changed or (adapted != step and not step.startswith(TAKE_OUT))
        yield adapted
    if changed:
        yield "nothing was committed yet: mend it, git add, and commit again"


def _onward(do: tuple[str, ...]) -> Iterator[str]:
    for step in takewhile(lambda step: not step.startswith(BY_HAND), do):
        if not step.startswith((TAKE_OUT, PUT, UNDO, *_SIGNS)) and not _AMENDS.search(step):
            yield step
