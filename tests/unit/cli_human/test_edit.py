"""`edit`: a human changes what a task says; whatever he wrote is not lost."""

import errno
import os
import re
import signal
import sys
from pathlib import Path

import pytest

from tests.building import Clone, Repo
from tests.building.board import Board
from tests.building.machine import Done
from tests.building.tasks import block, task
from tests.unit.cli_human.story import Editor, at_screen, exits

TITLE = 'sed -i \'s/^  title: .*/  title: "Fix: the form"/\' "$1"'
BROKEN = "sed -i 's/^  title: .*/  title: Fix: the form/' \"$1\""
NOTHING = "true"


def text(repo: Repo, ident: str = "FEAT-1") -> str:
    return Board(repo.on_server("show", "main:work.md") + "\n").block(ident)


def kept(clone: Clone) -> list[Path]:
    return sorted((clone.folder / ".git" / "codifica-guard" / "edit").glob("*"))


def edit(clone: Clone, editor: Editor, *more: str, answers: str = "") -> tuple[Done, str]:
    return at_screen(clone, "edit", "FEAT-1", *more, answers=answers, env=editor.env)


def given(clone: Clone, data: str | bytes, *more: str) -> Done:
    return clone.guard("edit", "FEAT-1", "--from", "-", *more, data=data.encode() if isinstance(data, str) else data)


def test_the_editor_gets_the_task_and_what_comes_back_is_shown_signed_and_pushed(repo: Repo, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    start, before, editor = repo.tip(), text(repo), Editor(tmp_path, TITLE)
    done, screen = edit(alice, editor)
    exits(done, 0, "FEAT-1  edited: title    main ", "signed    human:alice")
    head, body = editor.seen().split("- id: ", 1)
    assert "- id: " + body == before
    assert f"# FEAT-1 on origin/main at {start}\n" in head
    assert screen.index('+  title: "Fix: the form"') > screen.index("-  title: Task FEAT-1")
    assert text(repo) == before.replace("title: Task FEAT-1", 'title: "Fix: the form"')
    assert repo.on_server("log", "-1", "--format=%s", "main") == "FEAT-1: edit"
    assert (
        repo.on_server("diff", "--shortstat", start, "main")
        .strip()
        .startswith("1 file changed, 1 insertion(+), 1 deletion")
    )
    assert kept(alice) == []


@pytest.mark.parametrize("step", [NOTHING, ': > "$1"', 'sed -i "/^#/!d" "$1"', 'sed -i /^#/d "$1"'])
def test_a_text_that_is_as_it_was_or_empty_does_nothing(repo: Repo, tmp_path: Path, step: str) -> None:
    alice, editor = repo.task("FEAT-1").clone("alice"), Editor(tmp_path, step)
    tip = repo.tip()
    exits(edit(alice, editor)[0], 0, "nothing was done")
    assert (repo.tip(), kept(alice), editor.calls) == (tip, [], 1)


def test_a_faulty_text_is_told_with_its_place_and_offered_again(repo: Repo, tmp_path: Path) -> None:
    alice, editor = repo.task("FEAT-1").clone("alice"), Editor(tmp_path, BROKEN, TITLE)
    done, screen = edit(alice, editor, answers="\n")
    exits(done, 0, "edited: title")
    line = next(n for n, row in enumerate(editor.seen(2).split("\n"), 1) if row == "  title: Fix: the form")
    assert f".yaml:{line}:13  ST101 yaml-unreadable" in screen
    assert "edit it again (yes, no) [yes]: " in screen
    assert editor.calls == 2
    assert 'title: "Fix: the form"' in text(repo)


def test_a_faulty_text_is_kept_and_taken_later(repo: Repo, tmp_path: Path) -> None:
    alice, editor = repo.task("FEAT-1").clone("alice"), Editor(tmp_path, BROKEN)
    tip = repo.tip()
    done, _ = edit(alice, editor, "--json", answers="no\n")
    exits(done, 1)
    (file,) = kept(alice)
    assert "title: Fix: the form\n" in file.read_text()
    assert file.stat().st_mode & 0o077 == 0
    assert done.json["next"] == [f"git codifica edit FEAT-1 --from {file}"]
    assert [f["code"] for f in done.json["findings"]] == ["ST101"]
    assert repo.tip() == tip
    file.write_text(file.read_text().replace("Fix: the form", '"Fix: the form"'))
    exits(alice.guard("edit", "FEAT-1", "--from", str(file)), 0, "edited: title")
    assert kept(alice) == [file]


def test_what_a_rule_refuses_is_offered_again(repo: Repo, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1", "done").clone("alice")
    gone = "sed -i '/^  state_transitions:/,$d' \"$1\""
    back = "echo '  state_transitions: []' >> \"$1\""
    tip = repo.tip()
    done, screen = edit(alice, Editor(tmp_path, gone, back), answers="y\nno\n")
    exits(done, 1, "your text is kept: git codifica edit FEAT-1 --from ")
    assert screen.count("refused, 1 error: CD208") == 2
    assert repo.tip() == tip


def test_an_editor_that_fails_changes_nothing(repo: Repo, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    exits(edit(alice, Editor(tmp_path / "a", "exit 3"))[0], 3, "the editor ended with exit code 3")
    assert kept(alice) == []
    exits(edit(alice, Editor(tmp_path / "b", f"{TITLE}\nexit 1"))[0], 3, "exit code 1", "your text is kept")
    assert len(kept(alice)) == 1
    done, _ = at_screen(alice, "edit", "FEAT-1", env={"GIT_EDITOR": ":"})
    exits(done, 0, "nothing was done")
    done, _ = at_screen(alice, "edit", "FEAT-1", env={"TERM": "dumb", "GIT_EDITOR": "", "VISUAL": "", "EDITOR": ""})
    exits(done, 2, "git knows no editor here", "--from FILE")


def test_the_file_that_vanishes_is_told(repo: Repo, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    done = exits(edit(alice, Editor(tmp_path / "a", 'rm "$1"'))[0], 2, "cannot be read")
    assert ("kept" in done.said, kept(alice)) == (False, [])
    # What was written before it vanished is not lost with it.
    done = exits(edit(alice, Editor(tmp_path / "b", BROKEN, 'rm "$1"'), answers="y\n")[0], 2, "your text is kept: ")
    (file,) = kept(alice)
    assert str(file) in done.said
    assert "title: Fix: the form\n" in file.read_text()


def test_what_came_meanwhile_is_kept_where_it_is_another_field(repo: Repo, tmp_path: Path) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    alice = repo.clone("alice")
    builder.note("FEAT-1", "half").commit("FEAT-1: note", proof="trailers")
    # It lands while the editor is open.
    editor = Editor(tmp_path, f'{TITLE}; git -C "{builder.folder}" push -q origin HEAD:main')
    exits(edit(alice, editor)[0], 0, "edited: title")
    fields = repo.fields("FEAT-1")
    assert fields["title"] == "Fix: the form"
    assert fields["execution_notes"][-1]["note"] == "half"


def test_the_same_field_changed_meanwhile_is_lost_and_the_text_is_kept(repo: Repo, tmp_path: Path) -> None:
    alice, bob = repo.task("FEAT-1").clone("alice"), repo.clone("bob")
    bob.edit("FEAT-1", title="Bob's").commit("FEAT-1: title")
    editor = Editor(tmp_path, f'{TITLE}; git -C "{bob.folder}" push -q origin HEAD:main')
    done, _ = edit(alice, editor)
    told = exits(
        done, 4, "FEAT-1 has moved meanwhile: title changed on both sides", "title: changed by human:bob "
    ).said
    assert f"({repo.tip()[:7]})" in told
    for row in ('there now: "Bob\'s"', 'yours:     "Fix: the form"', 'before:    "Task FEAT-1"'):
        assert row in told
    assert repo.fields("FEAT-1")["title"] == "Bob's"
    (file,) = kept(alice)
    assert f"settle it in your text, which is kept, then: git codifica edit FEAT-1 --from {file}" in told
    text = file.read_text()
    assert text.startswith(f"# FEAT-1 on origin/main at {repo.tip()}\n")
    assert '#| -  title: Bob\'s\n#| +  title: "Fix: the form"\n' in text
    # Once it is settled, it is the answer to what stands there.
    exits(alice.guard("edit", "FEAT-1", "--from", str(file)), 0, "edited: title")
    assert repo.fields("FEAT-1")["title"] == "Fix: the form"


def clash(repo: Repo, mine: tuple[str, str], *theirs: tuple[str, str]) -> tuple[Clone, Path, Done]:
    """Alice's text, after Bob has changed the same task: it ends with 4, and is kept."""
    alice, bob = repo.clone("alice"), repo.clone("bob")
    old, tip = text(repo), repo.tip()
    words = bob.read()
    for before, after in theirs:
        assert before in words
        words = words.replace(before, after, 1)
    bob.write("work.md", words).commit("FEAT-1: edit").push().accepted(perhaps="CD207")
    assert mine[0] in old
    done = exits(
        given(alice, f"# FEAT-1 on origin/main at {tip}\n" + old.replace(*mine)), 4, "git codifica edit FEAT-1 --from "
    )
    (file,) = kept(alice)
    return alice, file, done


def test_what_does_not_clash_is_in_the_text_that_is_kept(repo: Repo) -> None:
    repo.task("FEAT-1")
    alice, file, _ = clash(
        repo,
        ("title: Task FEAT-1", "title: Mine # so"),
        ("title: Task FEAT-1", "title: Bob's"),
        ("priority: normal", "priority: high  # Bob"),
    )
    assert "  priority: high  # Bob\n" in file.read_text()
    exits(alice.guard("edit", "FEAT-1", "--from", str(file)), 0, "edited: title")
    assert "  title: Mine # so\n" in text(repo)
    assert "  priority: high  # Bob\n" in text(repo)


def test_a_text_is_settled_again_in_the_same_file(repo: Repo) -> None:
    alice, file, _ = clash(repo.task("FEAT-1"), ("Task FEAT-1", "Mine"), ("Task FEAT-1", "Bob's"))
    bob = repo.clone("bob").fresh()
    bob.edit("FEAT-1", title="Bob's other").commit("FEAT-1: title").push().accepted()
    exits(alice.guard("edit", "FEAT-1", "--from", str(file)), 4, "Bob's other", str(file))
    assert kept(alice) == [file]
    exits(alice.guard("edit", "FEAT-1", "--from", str(file)), 0, "edited: title")
    assert repo.fields("FEAT-1")["title"] == "Mine"


def test_a_file_of_the_user_stays_as_he_wrote_it(repo: Repo, tmp_path: Path) -> None:
    alice, bob = repo.task("FEAT-1").clone("alice"), repo.clone("bob")
    file = tmp_path / "new.yaml"
    file.write_text(f"# FEAT-1 on origin/main at {repo.tip()}\n" + text(repo).replace("Task FEAT-1", "Mine"))
    before = file.read_bytes()
    bob.edit("FEAT-1", title="Bob's").commit("FEAT-1: title").push()
    exits(alice.guard("edit", "FEAT-1", "--from", str(file)), 4, f"--from {alice.folder}")
    assert file.read_bytes() == before
    exits(alice.guard("edit", "FEAT-1", "--from", str(kept(alice)[0])), 0, "edited: title")


def test_a_state_that_moved_meanwhile_stays_and_the_other_one_is_told(repo: Repo) -> None:
    repo.task("FEAT-1")
    alice, file, done = clash(
        repo, ("state: todo", "state: rejected"), ("state: todo", "state: blocked\n  blocked_reason: waits")
    )
    for row in (
        "state: changed by human:bob ",
        'there now: "blocked"',
        'yours:     "rejected"',
        'blocked_reason there now: "waits"',
    ):
        assert row in done.said
    assert "  state: blocked\n" in file.read_text()
    exits(alice.guard("edit", "FEAT-1", "--from", str(file)), 0, "says so already")


# -- comments


@pytest.mark.parametrize(
    ("mine", "theirs"),
    [
        (("title: Task FEAT-1", "title: Task FEAT-1  # mine"), ("title: Task FEAT-1", "title: Bob's  # his")),
        (("title: Task FEAT-1", "title: Task FEAT-1  # mine"), ("title: Task FEAT-1", "title: Task FEAT-1  # his")),
        (("  priority", "  # mine\n  priority"), ("  title: Task FEAT-1", "  # his\n  title: Bob's")),
        (("  priority", "  # mine\n  priority"), ("  priority: normal", "  # his\n  priority: high")),
        (("  priority: normal", "  priority: normal # mine"), ("  priority: normal\n", "")),
    ],
)
def test_no_comment_of_either_side_is_lost(repo: Repo, mine: tuple[str, str], theirs: tuple[str, str]) -> None:
    alice, bob = repo.task("FEAT-1").clone("alice"), repo.clone("bob")
    old, tip = text(repo), repo.tip()
    bob.write("work.md", bob.read().replace(*theirs, 1)).commit("FEAT-1: edit").push().accepted()
    done = given(alice, f"# FEAT-1 on origin/main at {tip}\n" + old.replace(*mine))
    if done.code == 0:
        assert "# mine" in text(repo)
        assert ("# his" in text(repo)) == ("# his" in theirs[1])
    else:
        exits(done, 4, "changed on both sides", "settle it in your text")
        (file,) = kept(alice)
        assert "# mine" in file.read_text()
        assert "# his" in text(repo) or "# his" not in theirs[1]
        exits(alice.guard("edit", "FEAT-1", "--from", str(file)), 0)


def test_a_comment_alone_is_a_change(repo: Repo, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    exits(edit(alice, Editor(tmp_path, "sed -i 's/^  title:/  # lead\\n  title:/' \"$1\""))[0], 0, "FEAT-1  edited ")
    assert "  # lead\n  title:" in text(repo)
    exits(given(alice, text(repo) + "  # below\n"), 0, "FEAT-1  edited ")
    assert text(repo).rstrip("\n").endswith("  # below")


@pytest.mark.parametrize("place", ["above", "below"])
def test_a_comment_at_column_0_that_the_task_cannot_hold_is_told(repo: Repo, tmp_path: Path, place: str) -> None:
    alice, tip = repo.task("FEAT-1").clone("alice"), repo.tip()
    step = "sed -i 's/^- id:/# lead\\n- id:/' \"$1\"" if place == "above" else 'echo "# lead" >> "$1"'
    done, screen = edit(alice, Editor(tmp_path, step), answers="no\n")
    exits(done, 1, "your text is kept")
    (file,) = kept(alice)
    line = file.read_text().split("\n").index("# lead") + 1
    assert f"{file}:{line}:1  ST101 yaml-unreadable  a comment at column 0 " in screen
    assert repo.tip() == tip


def test_a_text_of_nothing_but_comments_is_kept(repo: Repo, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    step = "sed -i 's/^/# /' \"$1\""
    exits(edit(alice, Editor(tmp_path, step))[0], 0, "the text holds no task; nothing was done", "your text is kept")
    assert "# - id: FEAT-1\n" in kept(alice)[0].read_text()


def test_a_dry_run_keeps_the_text(repo: Repo, tmp_path: Path) -> None:
    alice, tip = repo.task("FEAT-1").clone("alice"), repo.tip()
    exits(edit(alice, Editor(tmp_path, TITLE), "--dry-run")[0], 0, "message: FEAT-1: edit", "your text is kept")
    assert repo.tip() == tip
    assert len(kept(alice)) == 1


# -- without a terminal


def test_without_a_terminal_the_text_comes_from_a_file(repo: Repo, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    exits(
        alice.guard("edit", "FEAT-1", env={"GIT_EDITOR": "touch"}), 2, "--from FILE", "git codifica show FEAT-1 --yaml"
    )
    new = text(repo).replace("Task FEAT-1", "Other")
    file = tmp_path / "new.yaml"
    file.write_text("\ufeff\r\n" + new.replace("\n", "\r\n") + "\r\n\r\n")
    answer = exits(alice.guard("edit", "FEAT-1", "--from", str(file), "--json", "-q"), 0).json["data"]
    assert (answer["fields"], answer["by"], answer["pushed"], answer["commit"]) == (
        ["title"],
        "human:alice",
        True,
        repo.tip(),
    )
    assert "+  title: Other" in answer["diff"]
    assert text(repo) == new
    exits(given(alice, new), 0, "FEAT-1 says so already")
    exits(given(alice, "\n# nothing\n"), 0, "nothing was done")
    exits(alice.guard("edit", "FEAT-1", "--from", str(tmp_path / "none")), 2, "cannot be read")


@pytest.mark.parametrize(
    ("change", "told"),
    [
        (("title: Task", "title: `Task"), r"standard input:5:10  ST101"),
        (("- id: FEAT-1", "- id: FEAT-2"), r"standard input:1:7  CD104 .*the id is FEAT-2, and this is FEAT-1"),
        (("- id: FEAT-1\n  type: build", "- type: build\n  id: FEAT-1"), r"standard input:1.*ST101"),
        (("  priority: normal", " priority: normal"), r"standard input:6.*ST101"),
        (("  priority: normal", "  priority: |\n    a\n   ```\n    b"), r"ST101"),
        (("  priority: normal", "  priority: normal\n```\n\n```yaml"), r"ST10\d"),
        (("title: Task FEAT-1", 'title: "a\n```\n  b"'), r"standard input:\d+:1  ST104"),
        (("  priority: normal", "  priority: \x00"), r"standard input:6:13  ST108"),
        (("  priority: normal", "  priority: normal\n- id: FEAT-3\n  type: build"), r"ST101"),
        (("  priority: normal", "  priority: normal\n  priority: high"), r"standard input:7.*ST102"),
        (("  priority: normal", "  priority: often"), r"CD102"),
    ],
)
def test_a_text_that_is_not_the_task_is_refused_and_kept(repo: Repo, change: tuple[str, str], told: str) -> None:
    alice, tip = repo.task("FEAT-1").task("FEAT-2").clone("alice"), repo.tip()
    new = text(repo).replace(*change)
    done = exits(given(alice, new), 1, "your text is kept: git codifica edit FEAT-1 --from ")
    assert re.search(told, done.said), done.said
    (file,) = kept(alice)
    assert file.read_bytes() == new.encode()
    assert repo.tip() == tip


def test_bytes_that_are_no_text_are_told(repo: Repo) -> None:
    alice, tip = repo.task("FEAT-1").clone("alice"), repo.tip()
    exits(given(alice, b"- id: FEAT-1\n  title: \xff\n"), 1, "standard input:2:10  ST108", "0xff is no UTF-8")
    exits(given(alice, b"- id: FEAT-1\n  title: " + b"x" * 600_000), 1, "ST107")
    assert repo.tip() == tip


def test_a_task_that_cannot_be_read_is_mended(repo: Repo) -> None:
    broken = block(task("FEAT-1")).replace("Task FEAT-1", "`Task")
    alice = repo.document("work.md", f"# Work\n\n```yaml\n{broken}\n{block(task('FEAT-2'))}```\n").clone("alice")
    answer = exits(given(alice, broken.replace("`Task", "'`Task'"), "--json", "-q"), 0).json
    assert answer["data"]["fields"] == []
    assert repo.fields("FEAT-1")["title"] == "`Task"
    builder = repo.clone("builder")
    exits(
        builder.guard("edit", "FEAT-2", "--from", "-", data=b"x"),
        6,
        "only a human may edit",
        "git codifica claim --next",
    )


def test_an_agent_asks_for_the_change(repo: Repo) -> None:
    builder, tip = repo.task("FEAT-1", "in_progress").clone("builder"), repo.tip()
    new = text(repo).replace("Task FEAT-1", "Easier")
    exits(given(builder, new), 6, 'git codifica note FEAT-1 --ask change "why"')
    done, _ = at_screen(builder, "edit", "FEAT-1", env={"GIT_EDITOR": "false"})
    exits(done, 6, "only a human may edit")
    assert repo.tip() == tip
    exits(given(repo.clone("writer"), new), 6, "git codifica claim --next")


def test_a_state_by_hand_is_told(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    exits(given(alice, text(repo).replace("state: to_be_tested", "state: done")), 0, "CD207", "CD209", "edited: state")
    assert repo.fields("FEAT-1")["state"] == "done"


def test_line_ends_of_the_document_stay(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    crlf = alice.read().replace("\n", "\r\n")
    alice.write("work.md", crlf).commit("FEAT-1: CRLF").push()
    exits(given(alice, text(repo).replace("\r\n", "\n").replace("Task FEAT-1", "Other")), 0)
    assert alice.fresh().read() == crlf.replace("Task FEAT-1", "Other")


def test_a_text_that_closes_its_fence_is_no_task(repo: Repo) -> None:
    alice, tip = repo.task("FEAT-1").task("FEAT-2").clone("alice"), repo.tip()
    odd = text(repo).replace("title: Task FEAT-1", 'title: "a\n```\n\n```yaml\n- id: b"')
    exits(given(alice, odd), 1, "standard input:1:1  ST101", "does not stay one task of its document")
    exits(given(alice, "# x at " + "0" * 40 + "\n" + text(repo).replace("Task", "Other")), 0, "edited: title")
    assert repo.tip() != tip


def test_the_file_that_was_kept_says_where_it_was_taken_from(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1").task("FEAT-2").clone("alice"), repo.clone("bob")
    old, tip = text(repo), repo.tip()
    bob.edit("FEAT-1", priority="high").commit("FEAT-1: priority").push()
    exits(given(alice, f"# FEAT-1 on origin/main at {tip}\n{old}"), 0, "FEAT-1 says so already")
    mine = old.replace("Task FEAT-1", "Other")
    exits(given(alice, f"# FEAT-1 on origin/main at {tip}\r\n{mine}"), 0, "edited: title")
    assert repo.fields("FEAT-1")["priority"] == "high"
    blob = alice.git("rev-parse", "HEAD:work.md")
    exits(given(alice, f"# FEAT-1 on origin/main at {blob}\n{mine}"), 0, "edited: priority")


def test_a_folder_that_takes_no_file_is_told(repo: Repo, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    (alice.folder / ".git" / "codifica-guard").mkdir()
    (alice.folder / ".git" / "codifica-guard" / "edit").write_text("")
    exits(edit(alice, Editor(tmp_path, NOTHING))[0], 3, "no file for the text can be made")
    long = tmp_path / "long"
    long.write_bytes(b"x" * 600_000)
    exits(alice.guard("edit", "FEAT-1", "--from", str(long)), 2, "is longer than any task may be")


def test_a_text_too_long_for_a_task_is_kept(repo: Repo, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    exits(
        edit(alice, Editor(tmp_path, 'head -c 600000 /dev/zero > "$1"'))[0],
        2,
        "is longer than any task",
        "your text is kept",
    )
    assert len(kept(alice)) == 1


def test_ctrl_c_at_the_question_keeps_the_text(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    real = os.kill

    class Interrupted:
        """A terminal on which Ctrl-C is pressed at the first question."""

        def __getattr__(self, name: str) -> object:
            return getattr(sys.__stdin__, name)

        def isatty(self) -> bool:
            return True

        def readline(self) -> str:
            real(os.getpid(), signal.SIGINT)
            return ""

    monkeypatch.setattr("tests.unit.cli_human.story.keyboard", lambda _: Interrupted())
    done, screen = edit(alice, Editor(tmp_path, BROKEN))
    exits(done, 130, "interrupted")
    assert f"your text is kept: git codifica edit FEAT-1 --from {kept(alice)[0]}" in screen


def test_ctrl_c_in_the_editor_is_the_editors(repo: Repo, tmp_path: Path) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    exits(edit(alice, Editor(tmp_path, f"kill -INT {os.getpid()}; {TITLE}"))[0], 0, "edited: title")
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_a_disk_that_is_full_is_told(repo: Repo, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    alice = repo.task("FEAT-1").clone("alice")

    def full(*_: object) -> int:
        raise OSError(errno.ENOSPC, "No space left on device")

    editor = Editor(tmp_path, NOTHING)
    monkeypatch.setattr(Path, "write_bytes", full)
    exits(edit(alice, editor)[0], 3, "cannot be written: No space left on device")
    assert editor.calls == 0


# -- the text without a terminal


def test_the_text_is_shown_as_edit_takes_it(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1").task("FEAT-2").clone("alice"), repo.clone("bob")
    done = exits(alice.guard("show", "FEAT-1", "--yaml"), 0)
    assert done.out.decode() == text(repo)
    head = done.err.decode().splitlines()[-1]
    assert head == f"# FEAT-1 on origin/main at {repo.tip()}"
    assert alice.guard("show", "FEAT-1", "FEAT-2", "--yaml", "-q").out.decode() == text(repo) + text(repo, "FEAT-2")
    answer = exits(alice.guard("show", "FEAT-1", "--yaml", "--json", "-q"), 0).json
    assert (answer["data"]["tasks"][0]["yaml"], answer["as_of"]["commit"]) == (text(repo), repo.tip())
    bob.edit("FEAT-1", priority="high").commit("FEAT-1: priority").push()
    exits(given(alice, f"{head}\n" + done.out.decode().replace("Task FEAT-1", "Other")), 0, "edited: title")
    assert repo.fields("FEAT-1")["priority"] == "high"


def test_the_text_of_a_task_that_cannot_be_read_is_shown(repo: Repo) -> None:
    broken = block(task("FEAT-1")).replace("Task FEAT-1", "`Task")
    alice = repo.document("work.md", f"# Work\n\n```yaml\n{broken}```\n").clone("alice")
    done = exits(alice.guard("show", "FEAT-1", "--yaml"), 0)
    assert done.out.decode() == broken
    exits(given(alice, done.out.replace(b"`Task", b"'`Task'")), 0)
    exits(alice.guard("show", "FEAT-7", "--yaml"), 2, "there is no task FEAT-7")


def test_a_pipe_that_is_too_long_is_kept_whole(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    long = b"- id: FEAT-1\n  title: " + b"x" * 900_000
    exits(given(alice, long), 1, "ST107", "your text is kept")
    assert kept(alice)[0].read_bytes() == long
    exits(given(alice, b"x" * (17 << 20)), 2, "standard input is longer than any task may be")
    exits(
        alice.guard("edit", "FEAT-7", "--from", "-", data=b"- id: FEAT-7\n"), 2, "no task FEAT-7", "your text is kept"
    )
