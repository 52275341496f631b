"""GT105, GT106, GD101, GD102, ID108 and the words that all of them share."""

import pytest

from codifica_guard.errors import GuardError, LimitExceeded, MalformedObject, MissingObject
from codifica_guard.model.ids import ObjectId
from codifica_guard.packs.core import gd101, gd102, gt103, gt105, gt106, id108
from codifica_guard.packs.core.wording import branch, listed
from codifica_guard.rules.advice import quoted
from tests.unit.views import ALICE, NEW, OLD, WORK, commit_view, document, policy, ref_view, task

START = {"work.md": document(task("FEAT-1"))}


def test_state_beside_the_coordination_branch_names_that_branch() -> None:
    view = commit_view(
        START, {"work.md": document()}, actor=ALICE, beside=True, under=policy(coordination_branch="trunk")
    )
    (breach,) = gt105.check(view)
    assert breach.found == "FEAT-1 changed in a commit that trunk does not have"
    assert breach.do[0] == "push trunk first: git push origin trunk"
    assert breach.path == WORK


def test_a_missing_parent_is_told_with_the_way_out_of_a_shallow_clone() -> None:
    breach = gt106.breach_of(MissingObject("parent 123 is not there"))
    assert (breach.found, breach.do) == ("parent 123 is not there", ("git fetch --unshallow", "git push"))


def test_a_malformed_object_is_to_be_made_again() -> None:
    breach = gt106.breach_of(MalformedObject("two entries of one name"))
    assert breach.found == "two entries of one name"
    assert breach.do == gt106.AGAIN


def test_a_foreign_errors_words_are_not_for_the_pusher() -> None:
    (breach,) = gd101.check(ValueError("/srv/secret"), "7f3c-02")
    assert "secret" not in breach.found
    assert breach.do == ("tell the admin, with this reference: 7f3c-02 (pushes keep failing until then)",)


def test_the_guards_own_errors_say_what_they_are() -> None:
    error = GuardError("reftable is not known here")
    (breach,) = gd101.check(error)
    assert breach.found.endswith(": reftable is not known here")
    assert breach.do == ("tell the admin (pushes keep failing until then)",)
    (bare,) = gd101.check(GuardError())
    assert bare.found.endswith("may be fine")


def test_an_error_may_bring_its_reference_along() -> None:
    error = ValueError("x")
    error.reference = "ab-1"  # type: ignore[attr-defined]
    (breach,) = gd101.check(error)
    assert "ab-1" in breach.do[0]


def test_one_error_is_one_rules_news() -> None:
    for error in (LimitExceeded("x"), LimitExceeded(), GuardError("x"), ValueError("x")):
        assert len([*gd101.check(error), *gd102.check(error)]) == 1


def test_a_secret_is_never_repeated_and_its_task_is_to_be_reclaimed() -> None:
    told = list(id108.check(ref_view(secrets=((NEW, WORK), (NEW, None)))))
    assert [b.path for b in told] == [WORK, None]
    assert all(b.commit == NEW and "git codifica reclaim ID" in b.do[1] and "cgw1_" not in b.found for b in told)


def test_a_reserved_ref_is_told_once() -> None:
    (breach,) = gt103.check(ref_view("refs/codifica/receipts", ref=b"refs/codifica/receipts", judged=False))
    assert breach.do[0] == "git push --all"


@pytest.mark.parametrize(
    ("ref", "found"),
    [
        ("refs/heads/refs/heads/main", "refs/heads/refs/heads/main hides refs/heads/main from every push"),
        ("refs/tags/refs/heads/main", "refs/tags/refs/heads/main hides refs/heads/main from every push"),
        ("refs/tags/refs/x", "refs/tags/refs/x hides refs/x from every push"),
        ("refs/remotes/refs/heads/main", "refs/remotes/refs/heads/main hides refs/heads/main from every push"),
        ("refs/refs/heads/main", "refs/refs/heads/main hides refs/heads/main from every push"),
        ("refs/heads/HEAD", "refs/heads/HEAD hides HEAD"),
        ("refs/tags/HEAD", "refs/tags/HEAD hides HEAD"),
        ("refs/heads/-d", "refs/heads/-d has a part that begins with -, which commands take for an option"),
        ("refs/tags/a/-d", "refs/tags/a/-d has a part that begins with -, which commands take for an option"),
        ("refs/notes/-d/x", "refs/notes/-d/x has a part that begins with -, which commands take for an option"),
    ],
)
@pytest.mark.parametrize("old", [None, OLD])
def test_a_ref_that_hides_another_is_neither_made_nor_moved_and_is_deleted(
    ref: str, found: str, old: ObjectId | None
) -> None:
    for new in (NEW, None):  # None also for a tag of what is no commit
        (breach,) = gt103.check(ref_view(ref, judged=False, old=old, new=new, created=old is None))
        assert breach.found == found
        assert any(step.startswith(f"git push origin :{ref}") for step in breach.do) is (old is not None)
    assert not list(gt103.check(ref_view(ref, judged=False, old=old, new=None, deleted=True)))


@pytest.mark.parametrize(
    "ref",
    [
        "refs/heads/heads/main",
        "refs/heads/refs-2",
        "refs/heads/x/refs/heads/main",
        "refs/heads/head",
        "refs/heads/x/HEAD",
        "refs/heads/a-b/c-",
        "refs/tags/refs",
        "refs/original/refs/heads/main",
        "refs/remotes/origin/HEAD",
    ],
)
def test_a_name_that_hides_nothing_is_anybodys(ref: str) -> None:
    assert not list(gt103.check(ref_view(ref, judged=False)))


def test_a_name_is_judged_behind_a_symbolic_ref_and_quoted_for_the_shell() -> None:
    hidden = b"refs/heads/refs/heads/a;b"
    (breach,) = gt103.check(ref_view("refs/heads/fine", ref=hidden, judged=False))
    assert breach.do[0].startswith("git branch -m -- 'refs/heads/a;b' NAME && ")
    assert breach.do[1].startswith("git push origin ':refs/heads/refs/heads/a;b'")


def test_a_tag_gets_another_name_as_tags_do() -> None:
    (breach,) = gt103.check(ref_view("refs/tags/HEAD", judged=False, created=True))
    assert breach.do == ("git push origin refs/tags/HEAD:refs/tags/NAME, then git tag -d -- HEAD",)


def test_long_lists_are_cut_and_counted() -> None:
    assert listed([]) == ""
    assert listed(["a", "b", "c"]) == "a, b, c"
    assert listed(["a", "b", "c", "d", "e"]) == "a, b, c and 2 more"


def test_names_become_one_word_of_a_command() -> None:
    assert quoted(b"work.md") == "work.md"
    assert quoted(b"a b;c") == "'a b;c'"
    assert branch(commit_view(under=policy(coordination_branch=None))) == "main"
    assert branch(commit_view(under=policy(coordination_branch="a$b"))) == "'a$b'"
