"""When a proof is needed (ID101-ID106), and what a commit without one is told."""

import pytest

from codifica_guard.model.finding import Severity
from codifica_guard.packs.core import id101, id102, id105, id106
from codifica_guard.packs.core.proof import MERGE, needs_proof
from codifica_guard.rules.view import CommitView
from tests.unit.views import (
    ALICE,
    BUILDER,
    FILE,
    OTHER_FILE,
    WORK,
    commit,
    commit_view,
    document,
    failed,
    found,
    policy,
    proven,
    task,
    trailers,
)

START = {"work.md": document(task("FEAT-1"))}
DONE = {"work.md": document(task("FEAT-1", state="done"))}
CHANGED = (FILE, OTHER_FILE)
EVERYWHERE = policy(require_signatures="all")
UNSIGNED = "by a commit that nobody signed"


def many(count: int, state: str) -> dict[str, str]:
    return {"work.md": document(*(task(f"FEAT-{n}", state=state) for n in range(1, count + 1)))}


@pytest.mark.parametrize(
    ("view", "why"),
    [
        (commit_view(START, DONE), "it changes tasks or the text around them"),
        (commit_view(START, reordered=(WORK,)), "it changes tasks or the text around them"),
        (commit_view(paths={"codifica.json": CHANGED}), "it changes files that carry trust"),
        (commit_view(paths={"a.py": CHANGED}, under=EVERYWHERE), "the policy asks for a signature on every commit"),
        (commit_view(paths={"a.py": CHANGED}), None),
        (commit_view(under=EVERYWHERE), None),
        (commit_view(START, DONE, actor=ALICE), None),
        (commit_view(START, DONE, introduces=True), None),
    ],
)
def test_a_proof_is_needed_for_tasks_trust_and_what_the_policy_says(view: CommitView, why: str | None) -> None:
    assert needs_proof(view) == why


def test_a_problem_brings_its_own_advice_or_gets_the_rules() -> None:
    (own,) = id102.check(commit_view(START, DONE, attribution=failed("ID102", do="git codifica key add bob")))
    assert own.do == ("git codifica key add bob",)
    (other,) = id101.check(commit_view(START, DONE, attribution=failed("ID101")))
    assert other.do == id101.DO
    (revoked,) = id105.check(commit_view(START, DONE, attribution=failed("ID105", do="git codifica sign")))
    assert revoked.do == ("git codifica sign",)


def test_a_problem_beside_a_proven_actor_is_only_told() -> None:
    broken = failed("ID101").problems
    (breach,) = id101.check(commit_view(START, DONE, attribution=proven(BUILDER, problems=broken)))
    assert breach.severity is Severity.WARNING


def test_a_revoked_key_refuses_beside_a_proven_actor_too() -> None:
    (breach,) = id105.check(commit_view(attribution=proven(BUILDER, problems=failed("ID105").problems)))
    assert breach.severity is None
    assert id105.SEVERITY is Severity.ERROR


def test_an_unsigned_transition_is_told_with_the_two_lines_of_config() -> None:
    (breach,) = id106.check(commit_view(START, DONE))
    assert (breach.found, breach.expected) == (f"todo -> done {UNSIGNED}", "the owner or a human, signed")
    assert (breach.path, breach.line, breach.task) == (b"work.md", 6, "FEAT-1")
    steps = "\n".join(breach.do)
    assert "git config gpg.format ssh" in steps
    assert "git config user.signingkey ~/.ssh/id_ed25519.pub" in steps
    assert breach.do[-2] == "git commit --amend -S --no-edit --reset-author && git push"
    assert breach.do[-1].endswith(": git codifica sign && git push")


def test_an_agent_that_names_itself_is_told_the_agents_command() -> None:
    (breach,) = id106.check(commit_view(START, DONE, attribution=proven(None, claimed=BUILDER)))
    assert breach.do == ("git codifica sign HEAD && git push",)


@pytest.mark.parametrize(
    ("before", "after", "word"),
    [
        ({"work.md": document()}, START, "added"),
        (START, {"work.md": document()}, "deleted"),
        (START, {"work.md": document(task("FEAT-1", title="Other"))}, "changed"),
    ],
)
def test_other_changes_of_a_task_are_named(before: dict[str, str], after: dict[str, str], word: str) -> None:
    (breach,) = id106.check(commit_view(before, after))
    assert breach.found == f"{word} {UNSIGNED}"
    assert breach.line == 4
    assert "allowed_signers" in breach.expected


def test_three_tasks_are_told_and_the_others_counted() -> None:
    told = found(id106.check(commit_view(many(7, "todo"), many(7, "done"))))
    assert told == [f"todo -> done {UNSIGNED}"] * 2 + [f"todo -> done {UNSIGNED} (and 4 more tasks)"]
    assert found(id106.check(commit_view(many(3, "todo"), many(3, "done")))) == [f"todo -> done {UNSIGNED}"] * 3


def test_a_squash_is_told_as_one() -> None:
    message = "Squashed commit of the following:\n\n    FEAT-1: done\n\n    Codifica-Signature: AAAA\n"
    view = commit_view(many(2, "todo"), many(2, "done"), made=commit(message=message))
    (breach,) = id106.check(view)
    assert breach.found == "the squash dropped the signatures of FEAT-1, FEAT-2"
    assert "merge commit" in breach.do[0]
    assert (breach.path, breach.task) == (b"work.md", "FEAT-1")


def test_a_signature_that_is_the_commits_own_trailer_is_no_squash() -> None:
    made = commit(message="FEAT-1: done\n\nCodifica-Signature: AAAA\n")
    view = commit_view(START, DONE, made=made, trailing=trailers(("Codifica-Signature", "AAAA")))
    assert found(id106.check(view)) == [f"todo -> done {UNSIGNED}"]


def test_the_text_around_tasks_needs_a_signature() -> None:
    after = {"work.md": document(task("FEAT-1"), text="# Other\n")}
    (breach,) = id106.check(commit_view(START, after))
    assert breach.found == f"the text around the tasks in work.md changed {UNSIGNED}"
    assert breach.path == b"work.md"


def test_every_file_needs_a_signature_where_the_policy_says_so() -> None:
    paths = dict.fromkeys(("a.py", "b.py", "c.py", "d.py", "codifica.json"), CHANGED)
    (breach,) = id106.check(commit_view(START, paths=paths, under=EVERYWHERE))
    assert breach.found == f"a.py, b.py, c.py and 1 more changed {UNSIGNED}"


def test_policy_files_alone_are_another_rules_news() -> None:
    assert found(id106.check(commit_view(START, paths={"codifica.json": CHANGED}))) == []
    assert found(id106.check(commit_view(START, paths={"codifica.json": CHANGED}, under=EVERYWHERE))) == []


def test_a_document_that_is_deleted_whole_is_another_rules_news() -> None:
    assert found(id106.check(commit_view(START, {}))) == []


def test_a_proof_that_fails_is_told_by_its_own_rule() -> None:
    assert found(id106.check(commit_view(START, DONE, attribution=failed("ID102")))) == []


def test_a_dead_signature_at_the_end_of_a_squash_gets_the_advice_to_merge() -> None:
    message = "All\n\nCodifica-Signature: AAAA\n\n* two\n\nCodifica-Signature: BBBB\n"
    view = commit_view(
        START,
        DONE,
        attribution=failed("ID101", do="look again"),
        made=commit(message=message),
        trailing=trailers(("Codifica-Signature", "BBBB")),
    )
    (breach,) = id101.check(view)
    assert breach.do == MERGE
