"""People's verbs with real pushes: one signed commit of one decision, and nothing else is touched, here or there."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.building import Clone, Repo
from tests.building.board import document, fence
from tests.building.machine import Done, environment
from tests.building.tasks import block, task

pytestmark = pytest.mark.guard

WHY = "link also works after the password was changed: criterion 2"


VERBS: dict[str, tuple[str, tuple[str, ...], str, str]] = {
    "approve": ("to_be_tested", ("FEAT-1", "-m", "tried on staging"), "done", "agent:builder"),
    "return": ("to_be_tested", ("FEAT-1", "-m", WHY), "todo", "agent:builder"),
    "return --anyone": ("to_be_tested", ("FEAT-1", "-m", WHY, "--anyone"), "todo", "unassigned"),
    "block": ("in_progress", ("FEAT-1", "-m", WHY), "blocked", "agent:builder"),
    "block --by": ("todo", ("FEAT-1", "-m", WHY, "--by", "FEAT-2"), "blocked", "unassigned"),
    "block done": ("done", ("FEAT-1", "-m", WHY), "blocked", "agent:builder"),
    "unblock": ("blocked", ("FEAT-1",), "todo", "agent:builder"),
    "unblock --to": ("blocked", ("FEAT-1", "-m", "it is there", "--to", "in_progress"), "in_progress", "agent:builder"),
    "reject": ("todo", ("FEAT-1", "-m", WHY), "rejected", "unassigned"),
    "reject blocked": ("blocked", ("FEAT-1", "-m", WHY), "rejected", "agent:builder"),
    "reopen": ("done", ("FEAT-1", "-m", WHY), "todo", "agent:builder"),
    "reopen rejected": ("rejected", ("FEAT-1", "-m", WHY), "todo", "unassigned"),
    "reopen --anyone": ("done", ("FEAT-1", "-m", WHY, "--anyone"), "todo", "unassigned"),
    "reclaim": ("in_progress", ("FEAT-1", "-m", WHY), "todo", "unassigned"),
    "reclaim --for": ("in_progress", ("FEAT-1", "-m", WHY, "--for", "writer"), "todo", "agent:writer"),
    "assign": ("todo", ("FEAT-1", "writer"), "todo", "agent:writer"),
    "assign blocked": ("blocked", ("FEAT-1", "unassigned"), "blocked", "unassigned"),
}
"""What is run: the state before, the words, and state and owner after."""


EARLY = {"CD310"}
"""What a claim is told that is taken back while its owner speaks."""


each_verb = pytest.mark.parametrize("verb", list(VERBS))


def set_up(repo: Repo, verb: str) -> tuple[str, ...]:
    """A task that a verb fits, and what is typed."""
    state, words, _, _ = VERBS[verb]
    repo.task("FEAT-1", state).task("FEAT-2")
    return (verb.partition(" ")[0], *words)


def landed(repo: Repo, verb: str) -> None:
    """The server has the task as the verb leaves it."""
    _, _, state, owner = VERBS[verb]
    fields = repo.fields("FEAT-1")
    assert (fields["state"], fields["owner"]) == (state, owner)


def refs(clone: Clone) -> str:
    return clone.git("for-each-ref", "refs/heads", "refs/tags", "refs/stash")


def place(clone: Clone) -> tuple[str, ...]:
    """What no verb may touch: index, work tree, HEAD and branches."""
    index = Path(clone.git("rev-parse", "--git-path", "index"))
    return (
        (clone.folder / index).read_bytes().hex(),
        clone.git("--no-optional-locks", "status", "--porcelain"),
        clone.git("symbolic-ref", "HEAD"),
        refs(clone),
        clone.read(),
    )


def exits(done: Done, code: int, *texts: str) -> Done:
    assert done.code == code, done.said
    for text in texts:
        assert text in done.said, f"does not say {text!r}:\n{done.said}"
    return done


@each_verb
def test_the_server_takes_each_without_a_word(repo: Repo, verb: str) -> None:
    typed = set_up(repo, verb)
    alice = repo.clone("alice")
    exits(alice.guard(*typed, "--no-push"), 0, "not pushed yet: git push origin main")
    assert alice.git("status", "--porcelain") == ""
    alice.push().accepted(perhaps=EARLY if verb.startswith("reclaim") else ())
    landed(repo, verb)


@each_verb
def test_case_40_one_task_changes_in_one_commit_and_a_dirty_branch_stays_as_it_is(repo: Repo, verb: str) -> None:
    typed = set_up(repo, verb)
    source, _, state, owner = VERBS[verb]
    alice, start = repo.clone("alice").switch("work").code(), repo.tip()
    alice.write("work.md", alice.read().replace("Task FEAT-2", "Staged")).git("add", "work.md")
    alice.write("work.md", alice.read().replace("Task FEAT-1", "Changed")).write("src/app.py", "y = 1\n")
    before = place(alice)
    answer = exits(alice.guard(*typed, "--json", "-q"), 0).json
    assert place(alice) == before
    landed(repo, verb)
    assert repo.on_server("rev-list", "--count", f"{start}..main") == "1"
    assert repo.on_server("diff", "--name-only", start, "main") == "work.md"
    assert outside(shown(alice, start), "FEAT-1") == outside(shown(alice, "origin/main"), "FEAT-1")
    data = answer["data"]["approved"][0] if verb == "approve" else answer["data"]
    assert answer["ok"] is True
    assert answer["as_of"]["commit"] == data["commit"] == repo.tip()
    told = (data["task"], data["before"], data["state"], data["owner"], data["by"], data["branch"], data["pushed"])
    assert told == ("FEAT-1", source, state, owner, "human:alice", "main", True)
    assert {f["code"] for f in answer["findings"]} <= EARLY


def test_a_clean_main_follows(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    exits(alice.guard("approve", "FEAT-1"), 0)
    assert alice.head() == repo.tip()
    assert alice.git("status", "--porcelain") == ""
    assert alice.fields("FEAT-1")["state"] == "done"


def test_a_dirty_main_stays_and_says_so(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").write("src/app.py", "y = 1\n")
    before = place(alice)
    exits(alice.guard("approve", "FEAT-1"), 0, "your main stays where it is", "git pull --no-rebase")
    assert place(alice) == before
    assert repo.fields("FEAT-1")["state"] == "done"
    alice.commit("FEAT-1: more").git("pull", "-q", "--no-rebase", "--no-edit")
    alice.push().accepted()


def test_a_main_with_commits_of_its_own_is_pushed_first(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").code().code("more", path="src/more.py")
    exits(alice.guard("approve", "FEAT-1"), 1, "your main is 2 ahead of origin/main: git push origin main")
    assert repo.fields("FEAT-1")["state"] == "to_be_tested"


def test_a_linked_work_tree_is_as_good_as_any(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.git("worktree", "add", "-q", "-b", "side", "../side")
    alice.write("src/app.py", "y = 1\n")
    before = place(alice)
    exits(alice.guard("-C", "../side", "approve", "FEAT-1"), 0)
    assert place(alice) == before
    assert alice.git("-C", "../side", "status", "--porcelain") == ""
    assert repo.fields("FEAT-1")["state"] == "done"


def shown(clone: Clone, rev: str, path: str = "work.md") -> bytes:
    return subprocess.run(
        ["git", "show", f"{rev}:{path}"], cwd=clone.folder, env=environment(clone.home), capture_output=True, check=True
    ).stdout


def outside(data: bytes, ident: str) -> tuple[bytes, bytes]:
    """What stands before and behind a task's block, byte by byte."""
    lines = data.splitlines(keepends=True)
    head = next(n for n, line in enumerate(lines) if re.match(rb"- id: [\"']?%s\b" % ident.encode(), line))
    end = head + 1
    while end < len(lines) and not re.match(rb"- |```|~~~|#", lines[end]):
        end += 1
    while not lines[end - 1].strip():
        end -= 1
    return b"".join(lines[:head]), b"".join(lines[end:])


def running(**more: Any) -> str:
    return block(task("FEAT-2", "in_progress", **more))


ODD = """- id: "FEAT-2"  # the head
  # a comment inside
  title:   'It''s odd: # really'   # kept
  owner: "agent:builder"
  state: 'in_progress' # now
  type: build

  estimate: {points: 3, note: "a, b"}
  acceptance: [It works, "It: is tested"]
  x-mood: >-
    folded
    text
  claimed_at: 2026-11-30T09:00:00Z   # when
  depends_on: []  # none
  state_transitions:
  - {from: todo, to: in_progress, by: 'agent:builder', timestamp: 2026-11-30T09:00:00Z}
  # the last comment
"""


FLOW_LISTS = """- id: FEAT-2
  type: build
  state: in_progress
  owner: human:bob
  title: Lists
  acceptance: [It works, "It: is tested"]
  labels: [one,
    two]   # two lines
  execution_notes: []
  state_transitions: [{from: todo, to: in_progress, by: human:bob, timestamp: 2026-11-30T09:00:00Z}]
  priority: high
"""


OLD = """- id: FEAT-2
  type: build
  state: in_progress
  owner: agent:builder
  title: Old
  acceptance:
  - It works
  claimed_at: 2026-11-30T09:00:00Z
"""


def around(text: str) -> str:
    """A document with the task between two others."""
    return document(fence(block(task("FEAT-1")), "# between\n" + text, block(task("FEAT-3"))))


DOCUMENTS: dict[str, tuple[str, tuple[str, ...]]] = {
    "as it is written": (around(running()), ()),
    "CRLF": (around(running()).replace("\n", "\r\n"), ("title: Task FEAT-2\r\n",)),
    "odd": (
        around(ODD),
        (
            '- id: "FEAT-2"  # the head\n',
            "  # a comment inside\n",
            "  title:   'It''s odd: # really'   # kept\n",
            '  estimate: {points: 3, note: "a, b"}\n',
            '  acceptance: [It works, "It: is tested"]\n',
            "  x-mood: >-\n    folded\n    text\n",
            "# now\n",
            "# when\n",
            "  # the last comment\n",
        ),
    ),
    "odd, CRLF": (around(ODD).replace("\n", "\r\n"), ("  x-mood: >-\r\n    folded\r\n    text\r\n", "# now\r\n")),
    "flow lists": (
        around(FLOW_LISTS),
        ('  acceptance: [It works, "It: is tested"]\n', "  labels: [one,\n    two]   # two lines\n"),
    ),
    "old": (around(OLD), ("  acceptance:\n  - It works\n",)),
    "nulls": (around(running(human_review="null", completed_at="null", blocked_reason="null")), ()),
    "no final newline": ("# Work\n\n```yaml\n" + running() + "```", ("title: Task FEAT-2\n",)),
    "an open fence at the end": ("# Work\n\n~~~yml\n" + running() + "~~~\n\nProse", ()),
}


@pytest.mark.parametrize("name", list(DOCUMENTS))
def test_a_task_goes_round_and_every_other_byte_stays(repo: Repo, name: str) -> None:
    text, kept = DOCUMENTS[name]
    repo.settings(state=["work.md", "later.md"]).document("work.md", text)
    repo.document("later.md", document(fence(block(task("OTHER-1")))))
    # What an agent appends to it may not write anew (CD405), as a flow list has to be.
    alice, builder = repo.clone("alice"), repo.clone("bob" if "human:bob" in text else "builder")
    builder.switch("build/FEAT-2-it").code().git("push", "-q", "origin", "HEAD")
    steps: list[tuple[Clone, tuple[str, ...]]] = [
        (builder, ("submit", "FEAT-2", "--summary", "It is done")),
        (alice, ("return", "FEAT-2", "-m", "not yet: # see\n\tthe \"mail\" of 'Zoë'\nand more")),
        (builder, ("claim", "FEAT-2")),
        (builder, ("submit", "FEAT-2", "--summary", "Now it is")),
        (alice, ("approve", "FEAT-2", "-m", "fine: # really")),
    ]
    for who, words in steps:
        start = repo.tip()
        exits(who.guard(*words), 0)
        alice.git("fetch", "-q", "origin")
        assert alice.git("rev-list", "--count", f"{start}..origin/main") == "1"
        assert alice.git("diff", "--name-only", start, "origin/main") == "work.md"
        old, new = shown(alice, start), shown(alice, "origin/main")
        assert outside(old, "FEAT-2") == outside(new, "FEAT-2"), words
        assert (b"\r\n" in old) == (b"\r\n" in new)
        assert b"\r\n" not in new or b"\n" not in new.replace(b"\r\n", b""), words
        assert [part for part in kept if part.encode() not in new] == [], words
    answer = alice.guard("show", "FEAT-2")
    assert "done" in exits(answer, 0).text
    assert repo.on_server("show", "main:later.md").encode() in shown(alice, "main", "later.md")


ByHand = Callable[[Clone], object]


BY_HAND: dict[str, tuple[str, ByHand]] = {
    "block": ("in_progress", lambda c: c.block("FEAT-1")),
    "unblock": ("blocked", lambda c: c.unblock("FEAT-1")),
    "reject": ("in_progress", lambda c: c.reject("FEAT-1")),
    "reopen": ("done", lambda c: c.back("FEAT-1")),
    "reclaim": ("in_progress", lambda c: c.reclaim("FEAT-1", owner="agent:builder")),
}


@pytest.mark.parametrize("verb", list(BY_HAND))
def test_an_agent_that_decides_by_hand_is_refused_by_the_server(repo: Repo, verb: str) -> None:
    state, act = BY_HAND[verb]
    builder = repo.task("FEAT-1", state).clone("builder")
    act(builder)
    builder.commit(f"FEAT-1: {verb}", proof="git").push().refused("CD202")


def test_of_two_who_decide_at_once_one_wins(repo: Repo) -> None:
    clones = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("bob")
    typed = (("approve", "FEAT-1"), ("return", "FEAT-1", "-m", WHY))
    running_now = [
        subprocess.Popen(
            [sys.executable, "-m", "codifica_guard", *words],
            cwd=clone.folder, env=environment(clone.home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        for clone, words in zip(clones, typed, strict=True)
    ]  # fmt: skip
    told = [process.communicate()[0].decode() for process in running_now]
    codes = [process.returncode for process in running_now]
    assert sorted(codes) == [0, 4], told
    assert repo.fields("FEAT-1")["state"] == ("done" if codes[0] == 0 else "todo")


def test_two_who_decide_about_two_tasks_at_once_both_win(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested")
    clones = repo.clone("alice"), repo.clone("bob")
    running_now = [
        subprocess.Popen(
            [sys.executable, "-m", "codifica_guard", "approve", f"FEAT-{number}"],
            cwd=clone.folder, env=environment(clone.home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        for number, clone in enumerate(clones, 1)
    ]  # fmt: skip
    told = [process.communicate()[0].decode() for process in running_now]
    assert [process.returncode for process in running_now] == [0, 0], told
    assert [repo.fields(name)["state"] for name in ("FEAT-1", "FEAT-2")] == ["done", "done"]


def test_an_id_that_was_taken_meanwhile_is_counted_on(repo: Repo) -> None:
    clones = repo.task("FEAT-1").clone("alice"), repo.clone("bob")
    running_now = [
        subprocess.Popen(
            [sys.executable, "-m", "codifica_guard", "new", "--title", clone.who, "--accept", "It works"],
            cwd=clone.folder, env=environment(clone.home), stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )
        for clone in clones
    ]  # fmt: skip
    told = [process.communicate()[0].decode() for process in running_now]
    assert [process.returncode for process in running_now] == [0, 0], told
    assert {repo.fields(name)["title"] for name in ("FEAT-2", "FEAT-3")} == {"alice", "bob"}
