"""ID111 and ID112: what only humans may do, and how they show that they did."""

import pytest

from codifica_guard.model.identity import Proof
from codifica_guard.packs.core import id111, id112
from codifica_guard.rules.view import CommitView
from tests.unit.advised import wrong
from tests.unit.views import ALICE, BUILDER, FILE, commit, commit_view, document, found, policy, proven, task

WHY = "to_be_tested -> done"
NAME = b"Alice <a@example.org>"


def act(
    author: bytes = NAME + b" 1796000000 +0000", committer: bytes = NAME + b" 1796004560 +0000", **changed: object
) -> CommitView:
    """A human's act that Git's signature vouches for, on a commit that was made again."""
    return commit_view(
        attribution=proven(ALICE, proof=Proof.GIT, fresh=author == committer),
        made=commit(author=author, committer=committer),
        human_act=WHY,
        under=policy(**changed),  # type: ignore[arg-type]
    )


def test_a_commit_that_was_made_again_names_both_times() -> None:
    (breach,) = id112.check(act())
    assert "(author time 2026-11-30 00:53:20Z, signed 2026-11-30 02:09:20Z)" in breach.found
    assert breach.found.endswith(f"for a human's act: {WHY}")


def test_somebody_elses_commit_names_both_people() -> None:
    (breach,) = id112.check(act(author=b"Builder <b@example.org> 1796000000 +0000"))
    assert "(written by Builder, committed by Alice)" in breach.found


@pytest.mark.parametrize("time", [b"soon", b"9" * 13, b""])
def test_a_time_that_is_none_is_no_crash(time: bytes) -> None:
    (breach,) = id112.check(act(author=NAME + b" " + time + b" +0000"))
    assert "(author time ?, signed" in breach.found


def test_a_pull_without_rebase_is_offered_before_the_amend() -> None:
    (breach,) = id112.check(act())
    assert "git pull --no-rebase" in breach.do[0]
    assert "git commit --amend -S --no-edit --reset-author" in breach.do[1]


def test_an_approval_that_was_made_again_is_repeated_by_its_verb_or_by_hand() -> None:
    git = proven(ALICE, proof=Proof.GIT, fresh=False)
    before, after = ({"work.md": document(task("FEAT-1", state=s))} for s in ("to_be_tested", "done"))

    def meant(**changed: object) -> tuple[str, ...]:
        (breach,) = id112.check(commit_view(before, after, attribution=git, human_act=WHY, **changed))  # type: ignore[arg-type]
        assert wrong("\n".join(breach.do)) == []
        return breach.do[1:]

    hand = "git commit --amend -S --no-edit --reset-author && git push"
    undo = "git reset --soft 2222222~1 && git restore --staged --worktree -- work.md"
    assert meant() == (f"if you mean it: {undo} && git codifica approve FEAT-1", f"or by hand: {hand}")
    assert meant(under=policy(human_proof="trailer")) == (f"or by hand: {hand}", "git codifica sign HEAD && git push")
    assert meant(paths={"src/x.py": (None, FILE)}) == (f"if you mean it: {hand}",)
    only_text = {"work.md": document(task("FEAT-1", state="to_be_tested", title="Other"))}
    (told,) = id112.check(commit_view(before, only_text, attribution=git, human_act=WHY))
    assert told.do[1] == f"if you mean it: {hand}"


def test_where_the_policy_asks_for_the_trailer_a_fresh_commit_is_not_enough() -> None:
    line = NAME + b" 1796000000 +0000"
    (breach,) = id112.check(act(line, line, human_proof="trailer"))
    assert breach.found == f"human:alice's Git signature alone, for a human's act: {WHY}"
    assert breach.do == ("git codifica sign HEAD && git push",)
    assert found(id112.check(act(line, line))) == []


def test_where_the_policy_asks_for_the_trailer_a_commit_made_again_is_amended_and_then_signed() -> None:
    (breach,) = id112.check(act(human_proof="trailer"))
    assert "--reset-author" in breach.do[0]
    assert breach.do[-1] == "git codifica sign HEAD && git push"


def test_a_signed_trailer_and_what_is_no_human_act_pass() -> None:
    strict = policy(human_proof="trailer")
    assert found(id112.check(commit_view(actor=ALICE, human_act=WHY, under=strict))) == []
    git = proven(ALICE, proof=Proof.GIT, fresh=False)
    assert found(id112.check(commit_view(attribution=git, under=strict))) == []
    agent = proven(BUILDER, proof=Proof.GIT, fresh=False)
    assert found(id112.check(commit_view(attribution=agent, human_act=WHY, under=strict))) == []


def test_presence_is_a_touch_of_the_key() -> None:
    rules = policy(human_presence="hardware-key")
    assert len(list(id111.check(commit_view(actor=ALICE, human_act=WHY, under=rules)))) == 1
    assert found(id111.check(commit_view(attribution=proven(ALICE, touched=True), human_act=WHY, under=rules))) == []
    assert found(id111.check(commit_view(actor=ALICE, under=rules))) == []
    assert found(id111.check(commit_view(actor=BUILDER, human_act=WHY, under=rules))) == []
