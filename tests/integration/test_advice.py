"""What a refusal tells to do, done to the letter by a shell: it works, and the next push is taken."""

import shlex

import pytest

from tests.building import Clone, Repo
from tests.building.machine import Done, run


def steps(output: str) -> list[str]:
    """The lines below `do:` of the only finding."""
    block = output.partition("do:")[2].partition("why:")[0]
    lines = (line.removeprefix("remote:").strip() for line in block.splitlines())
    return [line for line in lines if line]


def follow(clone: Clone, step: str) -> Done:
    """Run one step in a shell, without the words before its command; `git codifica` is this program."""
    command = step.removeprefix("take it out: ").replace(
        "git codifica", f"{shlex.quote(str(clone.repo.python))} -I -m codifica_guard"
    )
    return run(["sh", "-c", command], cwd=clone.folder, home=clone.home, check=False)


def test_a_claim_in_two_commits_is_taken_out_and_made_by_the_verb(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.edit("FEAT-1", state="in_progress").commit("FEAT-1: start")
    builder.claim("FEAT-1", source="todo", without={"state"}).commit("FEAT-1: mine")
    undo, claim, *by_hand = steps(builder.push().refused("CD301").output)
    assert claim == "git codifica claim FEAT-1"
    first = builder.git("rev-parse", "HEAD~1")[:7]
    assert by_hand == [
        f"or by hand: {first} lies below your newest commit: git rebase -i {first}~1, mark it `edit`, and there:",
        "complete the claim in one commit, then git commit -a --amend --no-edit && git codifica sign HEAD",
        "git rebase --continue && git push",
    ]
    assert follow(builder, undo).code == 0
    assert builder.git("status", "--porcelain") == ""
    done = follow(builder, claim)
    assert (done.code, "claimed FEAT-1" in done.said) == (0, True)


def test_the_code_of_a_claim_with_more_stays_staged(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").write("src/login.py", "x = 1\n")
    builder.claim("FEAT-1").commit("FEAT-1: claim and work")
    undo, claim, *_ = steps(builder.push().refused("CD302").output)
    assert follow(builder, undo).code == 0
    assert builder.git("status", "--porcelain") == "A  src/login.py"
    assert follow(builder, claim).code == 0
    assert builder.git("status", "--porcelain") == "A  src/login.py"


def test_whoever_lost_the_race_takes_the_next_task_in_one_step(repo: Repo) -> None:
    repo.task("FEAT-1", priority="critical").task("FEAT-2")
    builder, writer = repo.clone("builder"), repo.clone("writer")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    writer.claim("FEAT-1").commit("FEAT-1: claim")
    writer.git("fetch", "-q")
    writer.git("merge", "-q", "-X", "ours", "--no-edit", "origin/main")
    first, free = steps(writer.push().refused("CD303").output)
    assert free == "free for you: FEAT-2 (normal)"
    done = follow(writer, first)
    assert (done.code, "claimed FEAT-2" in done.said) == (0, True)


@pytest.mark.parametrize("kind", ["block", "release"])
def test_an_agent_asks_for_what_only_a_human_does(repo: Repo, kind: str) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    (builder.block if kind == "block" else builder.reclaim)("FEAT-1").commit(f"FEAT-1: {kind}")
    undo, ask, human = steps(builder.push().refused("CD202").output)
    assert ask == f'git codifica note FEAT-1 --ask {kind} "why"'
    assert human.startswith(f"a human: git codifica {'block' if kind == 'block' else 'reclaim'} FEAT-1 -m")
    assert follow(builder, undo).code == 0
    assert follow(builder, ask).code == 0
    alice = repo.clone("alice")
    assert follow(alice, human.removeprefix("a human: ")).code == 0


def test_before_the_commit_the_same_advice_only_empties_the_index(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    assert builder.guard("install").code == 0
    builder.block("FEAT-1").git("add", "-A")
    said = builder.try_git("commit", "-q", "-m", "FEAT-1: block").said
    assert "nothing was committed yet" not in said
    undo, ask, _ = steps(said)
    assert undo == "take it out: git restore --staged --worktree -- work.md"
    assert follow(builder, undo).code == 0
    assert builder.git("status", "--porcelain") == ""
    assert follow(builder, ask).code == 0


def test_what_a_verb_may_not_do_has_nothing_to_undo(repo: Repo) -> None:
    builder = (
        repo.settings(file_scope={"include": ["src/**", "work.md"]}).task("FEAT-1", "to_be_tested").clone("builder")
    )
    done = builder.guard("done", "FEAT-1")
    assert "take it out" not in done.said
    assert "git commit --amend" not in done.said


def test_who_knows_no_verbs_is_told_how_to_begin(repo: Repo) -> None:
    hint = "no tool? pip install codifica-guard, or by hand: edit, git commit -S, git push"
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.close("FEAT-1").commit("FEAT-1: done", proof="none").push().refused("ID106", hint)
    builder = repo.clone("builder")
    builder.block("FEAT-1").commit("FEAT-1: block", proof="none")
    assert builder.guard("sign", "HEAD").code == 0
    assert "no tool?" not in builder.push().refused("CD202").said
