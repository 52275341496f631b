"""State documents: what can be read in one way only, and what cannot."""

import pytest

from tests.building import Push, Repo
from tests.building.board import document, fence
from tests.building.tasks import block, note, task


def with_text(repo: Repo, old: str, new: str) -> Push:
    """A push of a human's signed commit that puts a text into FEAT-1's block."""
    clone = repo.task("FEAT-1", "in_progress", description="Text").task("FEAT-2").clone("alice")
    return clone.replace(old, new).commit("FEAT-1: text").push()


# -- YAML


@pytest.mark.parametrize(
    "text",
    [
        "description: `code` first",
        "description: Fix: the login",
        "description: @alice wrote",
        "description:\tText",
        "description: [a, b",
        "description: 'open",
        "   description: Text",
    ],
    ids=["backtick", "colon", "at sign", "tab", "open list", "open quote", "wrong indent"],
)
def test_yaml_that_does_not_parse_is_refused_with_its_line(repo: Repo, text: str) -> None:
    clone = repo.task("FEAT-1", description="Text").task("FEAT-2").clone("alice")
    clone.replace("description: Text", text)
    line = next(number for number, row in enumerate(clone.read().split("\n"), 1) if text.strip()[:8] in row)
    clone.commit("FEAT-1: text").push().refused(
        {"ST101", "CD101"}, f"work.md:{line}" if text.count("'") + text.count("[") == 0 else "work.md:"
    )


def test_the_refusal_says_how_a_backtick_is_quoted(repo: Repo) -> None:
    clone = repo.task("FEAT-1", description="Text").clone("alice")
    clone.replace("description: Text", "description: `code` first").commit("FEAT-1: text").push().refused(
        "ST101", "`", "quote"
    )


def test_the_same_text_in_quotes_is_accepted(repo: Repo) -> None:
    with_text(repo, "description: Text", 'description: "`code` first"').accepted()


def test_a_document_that_does_not_parse_is_never_taken_for_one_without_tasks(repo: Repo) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2", description="Text").clone("builder")
    builder.claim("FEAT-1").replace("description: Text", "description: a: b").commit("FEAT-1: claim").push().refused(
        {"ST101", "CD302", "CD404"}
    )


def test_an_unreadable_task_from_before_the_guard_is_nobodys_fault_while_it_stays(repo: Repo) -> None:
    repo.document(
        "work.md",
        document(fence(block(task("OLD-1")).replace("title: Task OLD-1", "title: Fix: it"), block(task("FEAT-1")))),
    )
    alice = repo.clone("alice")
    alice.replace("title: Task FEAT-1", "title: A better title").commit("FEAT-1: title").push().accepted(
        perhaps={"ST101"}
    )


@pytest.mark.parametrize("twice", ["state: in_progress", '"state": done'])
def test_a_key_twice_is_refused(repo: Repo, twice: str) -> None:
    with_text(repo, "description: Text", f"description: Text\n  {twice}").refused("ST102", "state")


def test_a_block_whose_first_key_is_not_its_id_is_refused(repo: Repo) -> None:
    clone = repo.task("FEAT-1").clone("alice")
    clone.replace("- id: FEAT-1\n  type: build", "- type: build\n  id: FEAT-1").commit("FEAT-1: text").push().refused(
        "ST101", "id"
    )


# -- fences


def test_a_task_list_outside_any_fence_is_refused(repo: Repo) -> None:
    clone = repo.task("FEAT-1").clone("alice")
    clone.write("work.md", clone.read() + "\n- id: FEAT-9\n  type: build\n  state: todo\n").commit(
        "Text"
    ).push().refused("ST104")


@pytest.mark.parametrize(
    "text",
    [
        "\n```python\n- id: X\n```\n",
        "\n- a list\n- of prose\n",
        "\n<!--\n```yaml\n- id: X\n  type: build\n```\n-->\n",
        "\n~~~text\n```yaml\n~~~\n",
        "\n> quoted\n",
    ],
    ids=["another language", "a list", "inside a comment", "inside another fence", "a quote"],
)
def test_prose_may_look_like_anything_else(repo: Repo, text: str) -> None:
    clone = repo.task("FEAT-1").clone("alice")
    clone.write("work.md", clone.read() + text).commit("Prose").push().accepted()


def test_a_yaml_fence_that_holds_no_list_is_refused(repo: Repo) -> None:
    clone = repo.task("FEAT-1").clone("alice")
    clone.write("work.md", clone.read() + "\n```yaml\nid: FEAT-9\n```\n").commit("Text").push().refused(
        {"ST101", "ST104"}
    )


# -- conflict markers


@pytest.mark.parametrize("place", ["prose", "task"])
def test_conflict_markers_are_refused(repo: Repo, place: str) -> None:
    clone = repo.task("FEAT-1", description="Text").clone("alice")
    text = "<<<<<<< HEAD\n{0}\n=======\n{0}!\n>>>>>>> main"
    old = "The tasks of the shop." if place == "prose" else "  description: Text"
    clone.replace(old, text.format(old)).commit("FEAT-1: merged").push().refused(
        {"ST105"} if place == "prose" else {"ST105", "ST101"}
    )


def test_conflict_markers_in_a_block_scalar_are_refused_though_it_parses(repo: Repo) -> None:
    clone = repo.task("FEAT-1", description="Text").clone("alice")
    clone.replace(
        "  description: Text", "# <<<<<<< HEAD\n<<<<<<< HEAD\n  description: Text\n=======\n>>>>>>> main"
    ).commit("FEAT-1: x").push().refused({"ST105", "ST101"})


def test_a_heading_underlined_with_seven_signs_is_no_conflict(repo: Repo) -> None:
    clone = repo.task("FEAT-1").clone("alice")
    clone.write("work.md", clone.read() + "\nHeading\n=======\n\nText.\n").commit("Prose").push().accepted()


# -- what stands in place of a document


def test_a_folder_in_place_of_a_document_is_refused(repo: Repo) -> None:
    clone = repo.task("FEAT-1").clone("alice")
    clone.write("work.md", None).write("work.md/x", "y\n").commit("Folder").push().refused({"ST106", "ST111", "CD105"})


def test_unsigned_code_does_not_bring_a_twin_of_a_document(repo: Repo) -> None:
    repo.task("FEAT-1").clone("builder").code(path="WORK.MD").push().refused("ST106")


def test_a_file_of_a_similar_name_elsewhere_is_fine(repo: Repo) -> None:
    repo.task("FEAT-1").clone("builder").code(path="docs/WORK.md").push().accepted()


# -- limits


def test_a_document_past_eight_mebibytes_is_refused(repo: Repo) -> None:
    clone = repo.task("FEAT-1").clone("alice")
    clone.write("work.md", clone.read() + "Prose.\n" * (8 * 1024 * 1024 // 7 + 1)).commit("Long").push().refused(
        "ST107"
    )


def test_a_block_past_its_limit_is_refused(repo: Repo) -> None:
    clone = repo.task("FEAT-1", description="Text").clone("alice")
    clone.replace("description: Text", f"description: {'x' * (256 * 1024)}").commit("FEAT-1: long").push().refused(
        "ST107"
    )


def test_thirty_levels_are_none_too_many(repo: Repo) -> None:
    clone = repo.task("FEAT-1", description="Text").clone("alice")
    clone.replace("description: Text", f"deep: {'[' * 25}{']' * 25}").commit("FEAT-1: deep").push().accepted()


# -- characters


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("NUL", "a\0b"),
        ("escape", "a\x1bb"),
        ("next line", "a\x85b"),
        ("line separator", "a\u2028b"),
        ("paragraph separator", "a\u2029b"),
        ("byte order mark", "a\ufeffb"),
        ("delete", "a\x7fb"),
    ],
)
def test_characters_that_readers_disagree_on_are_refused(repo: Repo, name: str, text: str) -> None:
    assert name
    with_text(repo, "description: Text", f"description: {text}").refused({"ST108", "ST101"})


def test_bytes_that_are_no_utf8_are_refused(repo: Repo) -> None:
    clone = repo.task("FEAT-1", description="Text").clone("alice")
    clone.write("work.md", clone.read().encode().replace(b"description: Text", b"description: T\xe4xt")).commit(
        "FEAT-1: x"
    ).push().refused("ST108")


def test_a_lone_carriage_return_is_refused(repo: Repo) -> None:
    with_text(repo, "description: Text", "description: a\r  state: done").refused({"ST108", "ST101"})


@pytest.mark.parametrize("text", ["Zoë über naïve", "日本語", "emoji 🎉", "a\tb"])
def test_any_other_text_is_accepted(repo: Repo, text: str) -> None:
    with_text(repo, "description: Text", f'description: "{text}"').accepted()


# -- what is only told


def test_a_document_without_any_task_is_told(repo: Repo) -> None:
    alice = repo.settings(state="work/*.md").task("FEAT-1", document="work/a.md").clone("alice")
    alice.write("work/b.md", "# Nothing yet\n\n```yaml\n```\n").commit("Empty").push().accepted(
        "work/b.md", warnings={"ST111"}
    )


def test_a_comment_at_the_margin_is_fine(repo: Repo) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    alice.replace("- id: FEAT-2", "# The next one is easy.\n- id: FEAT-2").commit("Comment").push().accepted()


def test_the_layout_of_the_protocols_own_template_works(repo: Repo) -> None:
    text = block(task("EXAMPLE-1", description="This is a template task.\n"))
    text = text.replace("  depends_on", "\n  depends_on").replace("  execution_notes", "\n  execution_notes")
    repo.document(
        "work.md",
        "<!-- Codifica state file. -->\n\n# Work\n\n## Active\n\n"
        + fence(text, block(task("FEAT-1")))
        + "\n## Done\n\n<!-- Finished tasks -->\n",
    )
    builder = repo.clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_a_last_line_without_its_end_is_fine(repo: Repo) -> None:
    repo.document("work.md", "# Work\n\n```yaml\n" + block(task("FEAT-1")) + "```")
    repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_a_first_task_in_an_empty_fence_is_fine(repo: Repo) -> None:
    repo.document("work.md", "# Work\n\n```yaml\n```\n").clone("builder").add("FEAT-9").commit(
        "FEAT-9: new"
    ).push().accepted()


def test_a_note_of_many_lines_is_fine(repo: Repo) -> None:
    builder = repo.task(
        "FEAT-1",
        "in_progress",
        execution_notes=[note("agent:builder", "One\n\n- two\n# three\n", when="2026-01-01T00:00:00Z")],
    ).clone("builder")
    builder.note("FEAT-1", "Four\n\n- five: six\n").commit("FEAT-1: note").push().accepted()


def test_of_a_document_that_cannot_be_read_only_that_is_told(repo: Repo) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    alice.write("work.md", alice.read() + "\n```yaml\nno task\n```\n")
    push = alice.commit("slip", proof="none").push()
    push.refused("ST101", without={"ID106", "CD105"})


def test_a_document_under_a_link_is_put_back_by_what_the_refusal_says(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    (alice.folder / "work.md").unlink()
    (alice.folder / "work.md").symlink_to("README.md")
    alice.commit("a link", proof="none").push().refused(
        "ST106", "git restore --source=HEAD~1 --staged --worktree -- work.md", without={"ID106"}
    )
    alice.git("restore", "--source=HEAD~1", "--staged", "--worktree", "--", "work.md")
    alice.git("commit", "-q", "--amend", "--no-edit", "--allow-empty")
    alice.push().accepted()


def test_advice_for_a_commit_below_the_newest_says_how_to_get_there(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.edit("FEAT-1", priority="high").commit("FEAT-1: high", proof="none")
    alice.code(path="src/a.py").push().refused("ID106", "lies below your newest commit: git rebase -i")
    alice.git("rebase", "-q", "--exec", "git commit -q --amend -S --no-edit --reset-author", "origin/main")
    alice.push().accepted()
