"""`fix`: what it mends in the work tree, what it leaves, and that it touches nothing else."""

import errno
import os
import stat
import tempfile
from pathlib import Path

import pytest

from tests.building import Clone, Repo
from tests.building.board import document, fence
from tests.building.tasks import Fields, block, task
from tests.unit.cli_human.story import exits

NOTHING = "there is nothing to mend"


def broken(ident: str = "FEAT-1", title: str = "`x` now") -> str:
    return block(task(ident)).replace(f"title: Task {ident}", f"title: {title}")


def by_hand(clone: Clone, old: str, new: str) -> str:
    """Change a word; what stands there then."""
    before = clone.read()
    assert old in before
    clone.write("work.md", before.replace(old, new))
    return clone.read()


def untouched(clone: Clone, *argv: str, code: int = 1, says: tuple[str, ...] = ()) -> None:
    before = clone.read()
    exits(clone.guard("fix", *argv), code, *says)
    assert clone.read() == before


# -- quotes and heads


def test_lines_are_quoted_and_every_other_byte_stays(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    text = document(fence(broken(), broken("FEAT-2", "**Bold** words"), block(task("FEAT-3")))).replace("\n", "\r\n")
    alice.write("work.md", text)
    path = alice.folder / "work.md"
    path.chmod(0o640)
    index = (alice.folder / ".git" / "index").read_bytes()
    done = exits(alice.guard("fix", "--json"), 0)
    assert alice.read() == text.replace("`x` now", '"`x` now"').replace("**Bold** words", '"**Bold** words"')
    assert stat.S_IMODE(path.stat().st_mode) == 0o640
    assert (alice.folder / ".git" / "index").read_bytes() == index
    (file,) = done.json["data"]["files"]
    assert [(m["code"], m["task"]) for m in file["mended"]] == [("ST101", "FEAT-1"), ("ST103", "FEAT-2")]
    assert [text.split("\r\n")[m["line"] - 1] for m in file["mended"]] == [
        "  title: `x` now",
        "  title: **Bold** words",
    ]
    assert (file["path"], file["written"]) == ("work.md", True)
    assert '+  title: "`x` now"' in file["diff"]
    assert not list(alice.folder.glob(".codifica-*"))


def test_an_id_that_is_not_first_is_put_first(repo: Repo) -> None:
    odd = "- type: build\n  # why\n  state: todo\n  owner: unassigned\n  id: FEAT-1   # mine\n  title: t\n"
    alice = repo.task("FEAT-9").clone("alice")
    alice.write("work.md", document(fence(odd, broken("FEAT-2"))))
    exits(alice.guard("fix"), 0, "work.md:8  ST101 FEAT-1  its id stands first now", "FEAT-2  in quotes")
    assert (
        "- id: FEAT-1   # mine\n  type: build\n  # why\n  state: todo\n  owner: unassigned\n  title: t\n"
        in alice.read()
    )


@pytest.mark.parametrize(
    ("text", "says"),
    [
        (document(fence(broken(title="a\ttab: x"))), "ST101 FEAT-1"),
        (document(fence("- type: build\n  title: no id\n")), "a task that does not start with its id"),
        (document(fence("- id: FEAT-1\n title: t\n")), "a line that belongs to no task"),
        (document(fence(block(task("FEAT-1")))).rsplit("```", 1)[0], "ST104"),
        ("<<<<<<< a\n=======\n>>>>>>> b\n", "ST105"),
        ("# Work\n\x00\n", "ST108"),
    ],
)
def test_what_it_cannot_mend_is_told_and_left(repo: Repo, text: str, says: str) -> None:
    alice = repo.task("FEAT-9").clone("alice").write("work.md", text)
    untouched(alice, says=("left        work.md:", says))
    answer = alice.guard("fix", "--json", "-q").json
    assert answer["exit"] == 1
    assert all(f["path"] == "work.md" and f["severity"] == "error" for f in answer["findings"])


def test_a_half_that_can_be_mended_is(repo: Repo) -> None:
    alice = repo.task("FEAT-9").clone("alice")
    alice.write("work.md", document(fence(broken(), broken("FEAT-2", "a\ttab: x"))))
    exits(
        alice.guard("fix"),
        1,
        "mended      work.md:",
        "left        work.md:",
        "ST101 FEAT-2",
    )
    assert 'title: "`x` now"' in alice.read()


def test_a_dry_run_writes_nothing(repo: Repo) -> None:
    alice = repo.task("FEAT-9").clone("alice").write("work.md", document(fence(broken())))
    untouched(alice, "--dry-run", code=0, says=("would mend  work.md:", '+  title: "`x` now"', "nothing was changed"))


def test_a_document_without_tasks_is_only_noted(repo: Repo) -> None:
    alice = repo.task("FEAT-9").clone("alice").write("work.md", "# Work\n")
    untouched(alice, code=0, says=("note        work.md:1  ST111",))


# -- which files


def test_files_and_folders_are_chosen_from_anywhere(repo: Repo, tmp_path: Path) -> None:
    alice = (
        repo.settings(state=["work.md", "more/*.md"]).task("FEAT-1").task("FEAT-2", document="more/a.md").clone("alice")
    )
    for path, ident in (("work.md", "FEAT-1"), ("more/a.md", "FEAT-2"), ("more/new.md", "FEAT-3")):
        alice.write(path, document(fence(broken(ident))))
    (alice.folder / ".gitignore").write_text("more/ignored.md\n")
    alice.write("more/ignored.md", document(fence(broken("FEAT-4"))))
    exits(alice.guard("-C", "more", "fix", "a.md"), 0, "more/a.md:")
    assert '"`x` now"' not in alice.read() + alice.read("more/new.md")
    exits(alice.guard("fix", "README.md"), 2, "README.md is no state document", "work.md")
    exits(alice.guard("fix", str(tmp_path)), 2, "is no state document")
    exits(alice.guard("fix", "more"), 0, "more/new.md:")
    exits(alice.guard("fix", str(alice.folder)), 0, "work.md:")
    assert '"`x` now"' not in alice.read("more/ignored.md")
    exits(alice.guard("fix"), 0, NOTHING)


def test_nothing_is_written_through_links_or_into_odd_files(repo: Repo, tmp_path: Path) -> None:
    alice = (
        repo.settings(state=["work.md", "more/a.md"]).task("FEAT-1").task("FEAT-2", document="more/a.md").clone("alice")
    )
    outside = tmp_path / "outside.md"
    outside.write_text(document(fence(broken())))
    work = alice.folder / "work.md"
    work.unlink()
    work.symlink_to(outside)
    exits(alice.guard("fix"), 1, "work.md is a link")
    work.unlink()
    os.link(outside, work)
    exits(alice.guard("fix"), 1, "one of 2 names")
    work.unlink()
    work.mkdir()
    exits(alice.guard("fix"), 1, "work.md is no regular file")
    work.rmdir()
    os.mkfifo(work)
    exits(alice.guard("fix"), 1, "work.md is no regular file")
    work.unlink()
    exits(alice.guard("fix"), 0, NOTHING)
    (alice.folder / "more").rename(tmp_path / "more")
    (alice.folder / "more").symlink_to(tmp_path / "more")
    (tmp_path / "more" / "a.md").write_text(document(fence(broken())))
    exits(alice.guard("fix"), 1, "lies behind a link")
    assert '"`x` now"' not in outside.read_text() + (tmp_path / "more" / "a.md").read_text()


def test_a_file_past_the_limit_is_left(repo: Repo) -> None:
    alice = repo.task("FEAT-9").clone("alice").write("work.md", document(fence(broken())) + "x\n" * (4 << 20))
    untouched(alice, says=("longer than 8 MiB",))


def test_without_a_policy_quotes_are_all_there_is(repo: Repo) -> None:
    alice = repo.not_introduced().document("work.md", document(fence(broken()))).clone("alice")
    exits(alice.guard("fix"), 0, "in quotes")
    by_hand(alice, "state: todo", "state: done")
    exits(alice.guard("fix"), 0, NOTHING)
    alice.write("codifica.json", "{")
    exits(alice.guard("fix"), 2, "there is no codifica.json here")
    alice.write("codifica.json", None)
    exits(alice.guard("fix"), 2, "there is no codifica.json here")


# -- what was moved by hand


def last(clone: Clone) -> Fields:
    entry: Fields = clone.fields("FEAT-1")["state_transitions"][-1]
    return entry


@pytest.mark.parametrize(
    ("source", "target", "typed", "says"),
    [
        ("to_be_tested", "done", (), "CD209"),
        ("to_be_tested", "todo", ("-m", "again"), "CD207"),
        ("in_progress", "blocked", ("-m", "waits"), "CD205"),
        ("todo", "rejected", ("-m", "no"), "CD209"),
        ("done", "todo", ("-m", "broken"), "CD207"),
        ("in_progress", "todo", ("-m", "silent"), "CD207"),
    ],
)
def test_a_step_by_hand_gets_its_entry(repo: Repo, source: str, target: str, typed: tuple[str, ...], says: str) -> None:
    alice = repo.task("FEAT-1", source).clone("alice")
    by_hand(alice, f"  state: {source}\n", f"  state: {target}\n")
    if typed:
        untouched(alice, says=('do: git codifica fix -m "why"',))
    exits(alice.guard("fix", *typed), 0, says, f"state_transitions: {source} -> {target} by human:alice")
    entry = last(alice)
    assert (entry["from"], entry["to"], entry["by"]) == (source, target, "human:alice")
    assert entry.get("reason") == (typed[1] if typed else None)
    fields = alice.fields("FEAT-1")
    assert (fields.get("completed_at") == entry["timestamp"]) == (target in {"done", "rejected"})
    assert (fields.get("blocked_reason") == "waits") == (target == "blocked")
    after = alice.read()
    exits(alice.guard("fix"), 0, NOTHING)
    assert alice.read() == after
    exits(alice.guard("check", "--staged"), 0)
    alice.commit("FEAT-1: by hand").push().accepted(perhaps=("CD310", "CD206"))


def test_what_blocks_it_is_its_reason(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice").edit("FEAT-1", state="blocked", blocked_reason="no password")
    exits(alice.guard("fix"), 0, "todo -> blocked")
    assert last(alice)["reason"] == "no password"


def test_an_old_time_of_closing_is_another_one(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested", completed_at="2026-01-01T00:00:00Z").clone("alice")
    by_hand(alice, "state: to_be_tested", "state: done")
    exits(alice.guard("fix"), 0, "CD209")
    assert alice.fields("FEAT-1")["completed_at"] == last(alice)["timestamp"]


def test_steps_that_are_none_and_entries_that_say_another_are_left(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "todo").task("FEAT-2", "to_be_tested").clone("alice")
    by_hand(alice, "  state: todo\n", "  state: done\n")
    untouched(alice, says=("CD201 FEAT-1  todo -> done is no step of the protocol",))
    alice.fresh().close("FEAT-2", without=("state",)).edit("FEAT-2", state="blocked", blocked_reason="x")
    untouched(
        alice,
        says=("CD207 FEAT-2  state_transitions has to_be_tested -> done, and the task went to_be_tested -> blocked",),
    )
    alice.fresh().close("FEAT-2", by="human:bob")
    untouched(alice, says=("the new entry says by: human:bob", "write by: human:alice"))
    alice.fresh().close("FEAT-2", by="alice")
    untouched(alice, code=0, says=(NOTHING,))
    alice.fresh().edit("FEAT-2", state="done", state_transitions=[])
    untouched(alice, says=("CD208 FEAT-2",))


def test_only_the_owner_hands_in(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "in_progress").clone("alice")
    by_hand(alice, "state: in_progress", "state: to_be_tested")
    untouched(alice, says=("CD203 FEAT-1  in_progress -> to_be_tested by human:alice; the owner is agent:builder",))


def test_an_agent_gets_the_entries_of_its_own_steps(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").task("FEAT-2").clone("builder")
    builder.hand_in("FEAT-1", without=("entry",))
    exits(builder.guard("fix", env={"CODIFICA_SESSION": "s-7"}), 0, "in_progress -> to_be_tested by agent:builder")
    assert last(builder)["provenance"] == {"session_id": "s-7"}
    builder.commit("FEAT-1: hand in", proof="trailers").push().accepted()
    builder.edit("FEAT-2", state="in_progress", owner="agent:builder")
    untouched(builder, says=("a claim by hand", "git codifica claim FEAT-2"))
    builder.fresh().edit("FEAT-2", state="blocked", blocked_reason="x")
    untouched(builder, says=("only a human does that", "a human: git codifica block FEAT-2"))


def test_without_a_key_nobody_writes_an_entry(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    by_hand(alice, "state: to_be_tested", "state: done")
    alice.git("config", "gpg.format", "openpgp")
    untouched(alice, says=("who writes the entry is not known", "git codifica whoami"))
    alice.git("config", "--unset", "gpg.format")
    untouched(alice, "--as", "bob", says=("who writes the entry is not known",))
    exits(alice.guard("fix", "--as", "alice"), 0, "CD207")


def test_what_is_not_committed_or_stands_twice_or_is_merged_gets_none(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.add("FEAT-2", "done", completed_at=None, state_transitions=[])
    untouched(alice, code=0, says=(NOTHING,))
    by_hand(alice.fresh(), "state: to_be_tested", "state: done")
    (alice.folder / ".git" / "MERGE_HEAD").write_text(f"{alice.head()}\n")
    untouched(alice, code=0, says=(NOTHING,))
    (alice.folder / ".git" / "MERGE_HEAD").unlink()
    alice.write("work.md", alice.read().replace("```\n", block(task("FEAT-1")) + "```\n", 1))
    untouched(alice, says=("CD104 FEAT-1  FEAT-1 stands 2 times",))


# -- what a commit left out


def test_several_steps_are_recorded_in_their_order_by_who_made_them(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "in_progress", "human:bob").clone("alice"), repo.clone("bob")
    bob.edit("FEAT-1", state="to_be_tested").commit("FEAT-1: hand in", when=-5)
    bob.push().accepted(warnings="CD207", perhaps=("CD210",))
    alice.fresh().edit("FEAT-1", state="done").commit("FEAT-1: fine", when=-4)
    alice.push().accepted(warnings=("CD207", "CD209"))
    exits(alice.guard("fix"), 0)
    rows = [(e["from"], e["to"], e["by"]) for e in alice.fields("FEAT-1")["state_transitions"][-2:]]
    assert rows == [("in_progress", "to_be_tested", "human:bob"), ("to_be_tested", "done", "human:alice")]
    assert alice.fields("FEAT-1")["completed_at"] == last(alice)["timestamp"]
    exits(alice.guard("fix"), 0, NOTHING)
    alice.commit("FEAT-1: record it").push().accepted()


def test_a_step_behind_an_unrecorded_one(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", state="done").commit("FEAT-1: fine", when=-4)
    by_hand(alice, "state: done", "state: todo")
    exits(alice.guard("fix", "-m", "broken"), 0, "to_be_tested -> done", "done -> todo")
    after = alice.read()
    exits(alice.guard("fix"), 0, NOTHING)
    assert alice.read() == after


def test_an_agent_does_not_record_what_a_human_did(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", state="done").commit("FEAT-1: fine").push().accepted(warnings=("CD207", "CD209"))
    untouched(repo.clone("builder"), code=0, says=(NOTHING,))


def test_what_the_guard_found_so_is_left_as_it_is(repo: Repo) -> None:
    alice = (
        repo.task("FEAT-1", "done", state_transitions=[], completed_at=None)
        .task("FEAT-2", "to_be_tested", state_transitions=[])
        .clone("alice")
    )
    untouched(alice, code=0, says=(NOTHING,))
    alice.edit("FEAT-2", state="done").commit("FEAT-2: fine").push().accepted(warnings=("CD207", "CD209"))
    exits(alice.guard("fix"), 0, "to_be_tested -> done")
    assert "completed_at" not in alice.fields("FEAT-1")


def test_a_time_of_closing_that_a_commit_left_out_is_that_of_its_entry(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.close("FEAT-1", without=("completed_at",)).commit("FEAT-1: fine").push().accepted(warnings="CD209")
    exits(alice.guard("fix"), 0, "CD209 FEAT-1  completed_at")
    assert alice.fields("FEAT-1")["completed_at"] == last(alice)["timestamp"]


def test_a_task_that_moved_since_it_was_filed_without_a_record(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.add("FEAT-2", path="work.md").commit("FEAT-2: new", when=-3)
    alice.edit("FEAT-2", state="blocked", blocked_reason="waits").commit("FEAT-2: waits", when=-2).push().accepted(
        warnings="CD207", perhaps="CD106"
    )
    exits(alice.guard("fix"), 0, "CD207 FEAT-2  state_transitions: todo -> blocked by human:alice")
    exits(alice.guard("fix"), 0, NOTHING)


def test_a_record_that_is_no_list_is_left(repo: Repo) -> None:
    alice = (
        repo.task("FEAT-1", "to_be_tested", state_transitions={"a": "b"}).task("FEAT-2", "to_be_tested").clone("alice")
    )
    alice.edit("FEAT-1", state="done")
    untouched(alice, says=("CD101 FEAT-1  state_transitions is no list", "git codifica edit FEAT-1"))
    alice.fresh()
    by_hand(alice, "  state_transitions:\n    a: b\n", "  state_transitions: {}\n")
    alice.commit("FEAT-1: no list")
    first, rest = alice.read().split("- id: FEAT-2")
    alice.write("work.md", first.replace("state: to_be_tested", "state: done") + "- id: FEAT-2" + rest)
    untouched(alice, says=("CD101 FEAT-1",))


def test_a_chain_that_the_history_does_not_tell_is_left(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", state="done").commit("FEAT-1: fine", proof="none")
    untouched(alice, code=0, says=(NOTHING,))
    alice.git("commit", "--amend", "-q", "-S", "--no-edit", "--reset-author")
    exits(alice.guard("fix", "--dry-run"), 0, "to_be_tested -> done")


def test_a_return_that_a_commit_left_out_wants_a_reason(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", state="todo").commit("FEAT-1: again").push().accepted(warnings=("CD206", "CD207"))
    untouched(alice, says=("CD206 FEAT-1  to_be_tested -> todo without a reason",))
    exits(alice.guard("fix", "-m", "the link"), 0, "to_be_tested -> todo")
    assert last(alice)["reason"] == "the link"


def test_a_file_that_changes_meanwhile_or_cannot_be_written_is_left(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = repo.task("FEAT-9").clone("alice").write("work.md", document(fence(broken())))
    path, real = alice.folder / "work.md", os.fsync

    def meanwhile(handle: int) -> None:
        path.write_text("# Other\n")
        real(handle)

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", meanwhile)
        exits(alice.guard("fix"), 1, "left        work.md has changed meanwhile: run this again")
    assert path.read_text() == "# Other\n"
    alice.write("work.md", document(fence(broken())))

    def full(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(os, "fsync", full)
        untouched(alice, says=("work.md cannot be written: No space left on device",))
    with monkeypatch.context() as patch:
        patch.setattr(os, "access", lambda *_: False)
        untouched(alice, says=("work.md may not be written",))
    with monkeypatch.context() as patch:
        patch.setattr(tempfile, "mkstemp", lambda **_: full(0))
        untouched(alice, says=("work.md cannot be written",))
    assert not list(alice.folder.glob(".codifica-*"))


# -- what check --tree calls broken


@pytest.mark.parametrize(
    ("before", "after", "says"),
    [
        ("title: Task FEAT-1", "title:", ("work.md:8  CD101 FEAT-1  title is missing",)),
        ("    - It works", "    - It: works", ("CD101 FEAT-1  acceptance is no list",)),
        ("id: FEAT-2", "id: FEAT-1", ("CD104 FEAT-1  FEAT-1 stands 2 times",)),
        ("state: todo", "state: later", ("CD102 FEAT-1",)),
        ("depends_on: []", "depends_on: [FEAT-7]", ("CD307 FEAT-1", "CD306 FEAT-1")),
    ],
)
def test_what_the_documents_still_break_is_told(repo: Repo, before: str, after: str, says: tuple[str, ...]) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    by_hand(alice, before, before)
    alice.write("work.md", alice.read().replace(before, after, 1))
    told = alice.guard("check", "--tree", "--json", "-q").json
    errors = [(f["code"], f["line"], f["column"]) for f in told["findings"] if f["severity"] == "error"]
    assert errors
    untouched(alice)
    answer = alice.guard("fix", "--json", "-q").json
    assert [(f["code"], f["line"], f["column"]) for f in answer["findings"]][: len(errors)] == errors
    assert answer["exit"] == 1
    assert any(text in alice.guard("fix").said for text in says)


def test_only_what_was_asked_for_is_told(repo: Repo) -> None:
    alice = (
        repo.settings(state=["work.md", "more/a.md"]).task("FEAT-1").task("FEAT-2", document="more/a.md").clone("alice")
    )
    by_hand(alice, "title: Task FEAT-1", "title:")
    exits(alice.guard("fix", "more/a.md"), 0, NOTHING)
    exits(alice.guard("fix"), 1, "CD101 FEAT-1")
    # An id of the one stands in the other as well: that is told at both.
    alice.fresh().write("work.md", alice.read().replace("FEAT-1", "FEAT-2"))
    exits(alice.guard("fix", "more/a.md"), int("more/a.md" in alice.guard("check", "--tree", "more/a.md").said))


def test_a_document_that_is_named_and_gone_is_told(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    (alice.folder / "work.md").unlink()
    exits(alice.guard("check", "--tree"), 1, "ST111")
    done = exits(alice.guard("fix"), 1, "left        codifica.json  ST111  state (work.md) matches no file")
    assert NOTHING not in done.said


def test_a_title_that_starts_with_a_number_sign_is_quoted(repo: Repo) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2").clone("alice")
    by_hand(alice, "title: Task FEAT-1", "title: #5 of it")
    text = by_hand(alice, "    - It works\n", "    - #6: it works \n    # - #7 not\n")
    exits(alice.guard("fix"), 0, 'ST112 FEAT-1  in quotes: title: "#5 of it"', '- "#6: it works"')
    assert alice.read() == text.replace("title: #5 of it", 'title: "#5 of it"').replace(
        "- #6: it works ", '- "#6: it works" '
    )
    assert alice.fields("FEAT-1")["title"] == "#5 of it"
    exits(alice.guard("fix"), 0, NOTHING)


def test_a_comment_in_place_of_a_title_is_left(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    by_hand(alice, "title: Task FEAT-1", "title: # a comment")
    untouched(alice, says=("CD101 FEAT-1  title is missing",))


@pytest.mark.parametrize(
    ("title", "promised"), [("a: b", True), ("a: b\n    and more", False), ("a: b\n  description: x\ty: z", False)]
)
def test_the_verb_is_promised_where_it_mends(repo: Repo, title: str, *, promised: bool) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    by_hand(alice, "title: Task FEAT-1", f"title: {title}")
    tree = exits(alice.guard("check", "--tree"), 1, "ST101")
    assert ("git codifica fix" in tree.said) == promised
    alice.git("add", "work.md")
    staged = exits(alice.guard("check", "--staged"), 1, "ST101")
    assert ("git codifica fix" in staged.said) == promised
    done = alice.guard("fix")
    assert done.code == (0 if promised else 1)
    assert "git codifica fix" not in done.said
