from typing import Final

import pytest

from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId, RepoPath
from codifica_guard.report.steps import steps
from codifica_guard.rules.advice import SET_ASIDE, UNMERGE, put_back, put_parts_back

TIP: Final = ObjectId(b"a" * 40)
BELOW: Final = ObjectId(b"b" * 40)
SIGN: Final = ("once: git config gpg.format ssh", "git commit --amend -S --no-edit --reset-author && git push")

UNDONE: Final = "take it out: git reset --soft aaaaaaa~1 && git restore --staged --worktree -- work.md"
HAND: Final = "or by hand: complete it, then git commit -a --amend -S --no-edit --reset-author && git push"


def finding(*do: str, commit: ObjectId | None = TIP) -> Finding:
    return Finding(code="ID106", name="n", severity=Severity.ERROR, found="f", do=do, commit=commit)


def test_the_advice_fits_the_newest_commit_as_it_is() -> None:
    assert steps(finding(*SIGN), tips=(TIP,)) == SIGN
    assert steps(finding(*SIGN)) == SIGN
    assert steps(finding(*SIGN, commit=None), tips=(TIP,)) == SIGN


def test_a_commit_below_the_newest_is_amended_in_a_rebase() -> None:
    assert steps(finding(*SIGN, commit=BELOW), tips=(TIP,)) == (
        "bbbbbbb lies below your newest commit: git rebase -i bbbbbbb~1, mark it `edit`, and there:",
        "once: git config gpg.format ssh",
        "git commit --amend -S --no-edit --reset-author",
        "git rebase --continue && git push",
    )


def test_of_an_older_commit_only_the_way_by_hand_is_a_rebase() -> None:
    told = (UNDONE, "git codifica claim FEAT-1", HAND)
    assert steps(finding(*told), tips=(TIP,)) == told
    assert steps(finding(*told, commit=BELOW), tips=(TIP,)) == (
        UNDONE,
        "git codifica claim FEAT-1",
        "or by hand: bbbbbbb lies below your newest commit: git rebase -i bbbbbbb~1, mark it `edit`, and there:",
        "complete it, then git commit -a --amend -S --no-edit --reset-author",
        "git rebase --continue && git push",
    )
    plain = ("git codifica resume FEAT-1", "or by hand: a commit with nothing but a new entry")
    assert steps(finding(*plain, commit=BELOW), tips=(TIP,)) == plain


@pytest.mark.parametrize(
    ("do", "left"),
    [
        ((UNDONE, "git codifica claim FEAT-1", HAND), ("git codifica claim FEAT-1",)),
        ((*put_parts_back(None), "then ask for it"), ("then ask for it",)),
        ((*SIGN, "git codifica sign HEAD"), ("once: git config gpg.format ssh",)),
        (("undo: git restore .codifica", "git commit --amend --no-edit"), ()),
        (("wait for a human",), ("wait for a human",)),
    ],
)
def test_where_a_verb_gave_its_commit_up_nothing_is_undone_or_mended(
    do: tuple[str, ...], left: tuple[str, ...]
) -> None:
    assert steps(finding(*do), onward=True) == left


def test_a_draft_that_a_verb_replaces_is_only_taken_out() -> None:
    assert steps(finding(UNDONE, "git codifica claim --next"), draft=True) == (
        "take it out: git restore --staged --worktree -- work.md",
        "git codifica claim --next",
    )


def test_what_amends_nothing_is_the_same_for_every_commit() -> None:
    step = "git fetch && git reset --hard @{upstream}   then claim one of them"
    assert steps(finding(step, commit=BELOW), tips=(TIP,)) == (step,)


@pytest.mark.parametrize(
    ("do", "adapted"),
    [
        (SIGN, ("once: git config gpg.format ssh",)),
        (put_back(RepoPath(b"a b.md")), ("put it back: git restore --source=HEAD --staged --worktree -- 'a b.md'",)),
        (put_parts_back(None), ("put the lines back: git restore --source=HEAD -p -- FILE",)),
        (
            ("git reset --soft HEAD~1, commit the claim alone, then the rest",),
            ("commit the claim alone, then the rest",),
        ),
        (("mend the file, then git commit --amend -S --no-edit --reset-author",), ("mend the file",)),
        (("mend it", "git codifica sign HEAD && git push"), ("mend it",)),
        (("mend it, then git commit -a --amend --no-edit && git codifica sign HEAD && git push",), ("mend it",)),
        (
            (UNDONE, "git codifica claim FEAT-1", HAND),
            (
                "take it out: git restore --staged --worktree -- work.md",
                "git codifica claim FEAT-1",
                "or by hand: complete it",
            ),
        ),
        (("git pull --no-rebase && git push",), ("git pull --no-rebase",)),
    ],
)
def test_where_nothing_was_committed_nothing_is_amended(do: tuple[str, ...], adapted: tuple[str, ...]) -> None:
    assert steps(finding(*do), draft=True) == (
        *adapted,
        "nothing was committed yet: mend it, git add, and commit again",
    )


def test_a_draft_is_signed_by_the_name_that_it_will_have() -> None:
    told = "look again, then: git codifica sign aaaaaaa"
    assert steps(finding(told), draft=True) == ("look again, then: git codifica sign HEAD",)
    assert steps(finding(told), tips=(TIP,)) == (told,)
    assert steps(finding("first: git codifica sign --drop aaaaaaa"), draft=True) == (
        "first: git codifica sign --drop HEAD",
    )
    assert steps(finding(told, commit=BELOW), draft=True) == (told,)
    assert steps(finding(told, commit=None), draft=True) == (told,)


def test_advice_that_fits_a_draft_stays() -> None:
    assert steps(finding("write `reviewer: human:alice`"), draft=True) == ("write `reviewer: human:alice`",)


def test_before_a_merge_is_committed_nothing_is_reset_away() -> None:
    again = finding(f"merge again: {UNMERGE}, then git merge")
    assert steps(again)[0] == "merge again: git reset --hard HEAD~1, then git merge"
    assert steps(again, draft=True)[0] == "merge again: git merge --abort, then git merge"
    aside = steps(finding(f"or give way: {SET_ASIDE}"), draft=True)[0]
    assert aside == f"or give way: git merge --abort && {SET_ASIDE}"
    assert "git branch set-aside && git reset --hard" in aside
