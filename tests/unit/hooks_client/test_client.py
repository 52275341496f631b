"""The hooks of a clone, whatever goes wrong in them."""

from tests.building import Repo


def test_a_hook_of_no_name_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    for words in ([], ["post-nothing"]):
        done = builder.guard("hook", *words)
        assert (done.code, b"there is no hook" in done.err) == (1, True)


def test_outside_a_repository_a_hook_says_so_and_passes(repo: Repo) -> None:
    done = repo.guard("hook", "post-merge", "0")
    assert done.code == 0
    assert done.err.startswith(b"codifica-guard: post-merge could not look: no repository at ")


def test_a_defect_of_the_guard_is_no_obstacle_at_home(repo: Repo) -> None:
    done = repo.task("FEAT-1").clone("builder").guard("hook", "commit-msg")
    assert done.code == 0
    assert b"commit-msg failed itself (IndexError: " in done.err
    assert b"nothing was checked" in done.err


def test_lines_that_are_none_of_a_push_are_passed_over(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("hook", "pre-push", "origin", "url", data=b"one two\n\n").code == 0
    assert builder.guard("hook", "post-rewrite", "amend", data=b"one\n").code == 0
