"""What the rules of an audit say, and that they say nothing where nothing is wrong."""

from typing import Any

import pytest

from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.packs.all import REGISTRY
from codifica_guard.rules.audit_view import AuditView, during
from codifica_guard.rules.rule import About, Breach

MAIN = RefName(b"refs/heads/main")
A, B, C = (ObjectId(letter * 40) for letter in (b"a", b"b", b"c"))
AT = 1_796_000_000
CODES = [rule.code for rule in REGISTRY.all() if rule.about is About.AUDIT]


def told(code: str, **said: Any) -> list[Breach]:
    return list(REGISTRY.find(code).check(AuditView(**said)))


@pytest.mark.parametrize("code", CODES)
def test_a_rule_says_nothing_where_nothing_is_wrong(code: str) -> None:
    assert told(code) == []


@pytest.mark.parametrize(
    ("commits", "old", "said"),
    [
        (1, A, "main aaaaaaa..bbbbbbb: 1 commit came in without a receipt"),
        (14, A, "main aaaaaaa..bbbbbbb: 14 commits came in without a receipt"),
        (2, None, "main bbbbbbb: 2 commits came in without a receipt"),
        (0, A, "main aaaaaaa..bbbbbbb: it was moved without a receipt"),
    ],
)
def test_commits_without_a_receipt_are_counted(commits: int, old: ObjectId | None, said: str) -> None:
    (breach,) = told("AU101", ref=MAIN, old=old, new=B, commits=commits)
    assert breach.found == said
    assert breach.commit == B
    assert breach.do[0] == ("git log --oneline aaaaaaa..bbbbbbb" if old else "git log --oneline bbbbbbb")


@pytest.mark.parametrize(
    ("around", "said"),
    [
        ({}, ""),
        ({"after": 4, "since": AT}, ", behind receipt 4 of 2026-11-30 00:53Z"),
        ({"before": 5, "until": AT}, ", before receipt 5 of 2026-11-30 00:53Z"),
        (
            {"after": 4, "since": AT, "before": 5, "until": AT + 3600},
            ", between receipt 4 of 2026-11-30 00:53Z and receipt 5 of 2026-11-30 01:53Z",
        ),
        ({"after": 4}, ", behind receipt 4"),
    ],
)
def test_the_time_is_told_by_the_receipts_around_it(around: dict[str, Any], said: str) -> None:
    assert during(AuditView(**around)) == said


def test_a_branch_that_was_moved_and_one_that_is_gone_are_told_apart() -> None:
    (moved,) = told("AU102", ref=MAIN, old=A, new=B)
    assert moved.found == "main was at aaaaaaa, and bbbbbbb does not descend from that"
    assert moved.do[0] == "git log --oneline bbbbbbb..aaaaaaa"
    (gone,) = told("AU102", ref=MAIN, old=A)
    assert gone.found == "main is gone; the receipts have it at aaaaaaa"
    (stale,) = told("AU102", ref=MAIN, old=A, new=B, remote="origin")
    assert stale.do == ("git fetch origin, if the branch was not fetched since", *moved.do)


def test_a_cut_chain_is_fetched_anew_first_and_what_is_remembered_is_named() -> None:
    (breach,) = told("AU103", said="cut", receipt=A, number=3, remote="up", known="/r/.git/seen")
    assert breach.do == (
        "git fetch up '+refs/codifica/*:refs/codifica/*'",
        "git log --oneline -3 aaaaaaa",
        "if the admin began a new chain, and you know that from him: rm /r/.git/seen",
    )
    (here,) = told("AU103", said="gone")
    assert here.do == ("git log --oneline refs/codifica/receipts",)


def test_a_forged_receipt_is_named_by_number_where_it_has_one() -> None:
    assert (
        told("AU104", said="nobody has signed it", receipt=A, number=7)[0].found
        == "receipt 7 (aaaaaaa): nobody has signed it"
    )
    assert told("AU104", said="torn", receipt=A)[0].found == "receipt ? (aaaaaaa): torn"


def test_a_receipt_that_disagrees_is_shown_beside_its_commits() -> None:
    (breach,) = told("AU105", said="no", ref=MAIN, old=A, new=B, receipt=C, number=7)
    assert breach.found == "receipt 7 of main: no"
    assert breach.do == ("git show ccccccc:receipt.json", "git log --oneline aaaaaaa..bbbbbbb")
    assert told("AU105", said="no", ref=MAIN, new=B, receipt=C, number=7)[0].do[1] == "git log --oneline bbbbbbb"


def test_another_introduction_is_named_in_full_for_whoever_takes_it() -> None:
    (breach,) = told("AU107", said="differs", introduction=A)
    assert breach.do == (
        f"git log -1 --format=fuller {'a' * 40}",
        f"if you take it: git codifica audit --introduction {'a' * 40}",
    )
    assert told("AU107", said="differs")[0].do == ("git log -1 --format=fuller refs/codifica/receipts",)


def test_a_branch_without_a_name_is_called_so() -> None:
    assert AuditView().branch == "the branch"
    assert AuditView(ref=RefName(b"refs/heads/\xff")).branch == "\\xff"
