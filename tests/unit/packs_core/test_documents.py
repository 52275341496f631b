"""Faults of documents and blocks: who answers for them, and where they point."""

from codifica_guard.model.document import Fault
from codifica_guard.model.finding import Severity
from codifica_guard.packs.core import st101, st102, st104, st109, st110, st111, st112
from tests.unit.views import (
    ALICE,
    BUILDER,
    FILE,
    OTHER_FILE,
    codifica,
    commit_view,
    document,
    found,
    policy,
    snapshot,
    task,
    with_faults,
)

START = {"work.md": document(task("FEAT-1"), task("FEAT-2"))}
FAULT = Fault(code="ST104", line=4, column=1, found="a fence that is never closed", expected="an end", do="close it")


def test_a_fault_of_a_block_points_into_the_document_and_names_the_task() -> None:
    after = {"work.md": document(task("FEAT-1"), task("FEAT-2", title="@a"))}
    (breach,) = st101.check(commit_view(START, after, actor=ALICE))
    line = 1 + after["work.md"].split("\n").index("  title: @a")
    assert (breach.path, breach.line, breach.task) == (b"work.md", line, "FEAT-2")
    assert breach.column == 10


def test_a_fault_of_a_document_keeps_its_place_and_its_words() -> None:
    (breach,) = st104.check(commit_view(START, with_faults(snapshot(START), FAULT)))
    assert (breach.path, breach.line, breach.column) == (b"work.md", 4, 1)
    assert (breach.found, breach.expected, breach.do) == (FAULT.found, "an end", ("close it",))


def test_an_edit_of_a_document_that_was_broken_before_is_refused() -> None:
    broken = with_faults(snapshot(START), FAULT)
    edited = with_faults(snapshot({"work.md": document(task("FEAT-1"))}), FAULT)
    assert found(st104.check(commit_view(broken, edited))) == [FAULT.found]


def test_a_merge_is_not_blamed_for_a_fault_that_a_parent_has() -> None:
    parent = with_faults(snapshot({"work.md": document(task("FEAT-1"))}), FAULT)
    merge = with_faults(snapshot(START), FAULT)
    side = snapshot({"work.md": document(task("FEAT-2"))})
    assert found(st104.check(commit_view(side, merge, merged=parent))) == []
    assert found(st104.check(commit_view(side, merge, merged=snapshot({})))) == [FAULT.found]


def test_a_document_that_a_merge_takes_from_one_parent_is_nobodys_news() -> None:
    broken = with_faults(snapshot(START), FAULT)
    assert found(st104.check(commit_view(snapshot({}), broken, merged=broken))) == []


def test_a_new_document_with_a_fault_is_refused() -> None:
    assert found(st104.check(commit_view({}, with_faults(snapshot(START), FAULT)))) == [FAULT.found]


def test_a_real_open_fence_is_found() -> None:
    after = {"work.md": document(task("FEAT-1")).removesuffix("```\n")}
    (breach,) = st104.check(commit_view(START, after))
    assert breach.line == 3


def test_a_warning_is_told_once_even_if_its_line_moves() -> None:
    cut = task("FEAT-1", title="Fix #12 now")
    (breach,) = st112.check(commit_view({"work.md": document()}, {"work.md": document(cut)}))
    assert (breach.task, breach.path, breach.line) == ("FEAT-1", b"work.md", 8)
    before, after = cut, cut.replace("  type: build\n", "  type: build\n  priority: low\n")
    assert found(st112.check(commit_view({"work.md": document(before)}, {"work.md": document(after)}))) == []


def test_a_second_cut_value_is_told_beside_the_first() -> None:
    before = task("FEAT-1", title="Fix #12 now")
    after = task("FEAT-1", "  description: See #13 too", title="Fix #12 now")
    told = found(st112.check(commit_view({"work.md": document(before)}, {"work.md": document(after)})))
    assert len(told) == 1
    assert "13" in told[0]


def test_a_deleted_task_has_nothing_to_warn_of() -> None:
    assert found(st110.check(commit_view(START, {"work.md": document(task("FEAT-1"))}))) == []


def test_a_flip_of_line_ends_is_told_with_the_tasks_that_did_not_change() -> None:
    flipped = {"work.md": document(task("FEAT-1"), task("FEAT-2", title="Other")).replace("\n", "\r\n")}
    (breach,) = st109.check(commit_view(START, flipped, actor=BUILDER))
    assert "FEAT-1" in breach.found
    assert "FEAT-2" not in breach.found
    assert breach.line == 4
    assert breach.do[0] == "git restore --source=origin/main work.md"


def test_a_flip_back_to_lf_is_one_too() -> None:
    crlf = {"work.md": START["work.md"].replace("\n", "\r\n")}
    assert len(list(st109.check(commit_view(crlf, START, actor=BUILDER)))) == 1


def test_an_agents_new_document_may_have_any_line_ends() -> None:
    after = {**START, "more.md": document(task("FEAT-3")).replace("\n", "\r\n")}
    assert found(st109.check(commit_view(START, after, actor=BUILDER))) == []


def test_an_agents_edit_with_the_documents_own_line_ends_is_fine() -> None:
    crlf = {"work.md": START["work.md"].replace("\n", "\r\n")}
    edited = {"work.md": document(task("FEAT-1"), task("FEAT-2", title="Other")).replace("\n", "\r\n")}
    assert found(st109.check(commit_view(crlf, edited, actor=BUILDER))) == []


def test_a_flip_that_a_merge_takes_over_is_not_the_mergers() -> None:
    crlf = {"work.md": START["work.md"].replace("\n", "\r\n")}
    assert found(st109.check(commit_view(START, crlf, merged=crlf, actor=BUILDER))) == []


def test_a_document_that_did_not_change_is_not_compared() -> None:
    same = snapshot(START)
    assert found(st109.check(commit_view(same, same, actor=BUILDER))) == []


def named(*patterns: str) -> dict[str, object]:
    return {
        "paths": {"codifica.json": (FILE, OTHER_FILE)},
        "own_policy": policy(config=codifica(patterns)),
        "actor": ALICE,
    }


def test_an_empty_document_is_told() -> None:
    (breach,) = st111.check(commit_view(START, {"work.md": document()}))
    assert (breach.path, breach.severity) == (b"work.md", Severity.WARNING)


def test_state_may_name_a_document_that_is_there_unchanged() -> None:
    assert found(st111.check(commit_view(START, **named("*.md")))) == []  # type: ignore[arg-type]


def test_state_may_name_a_file_that_was_no_state_document_before() -> None:
    view = commit_view(START, exists=lambda path, _: path == b"tasks.md", **named("tasks.md"))  # type: ignore[arg-type]
    assert found(st111.check(view)) == []


def test_state_may_name_a_file_that_comes_with_it() -> None:
    given = named("tasks/*.md")
    given["paths"] = {"codifica.json": (FILE, OTHER_FILE), "tasks/a.md": (None, FILE)}
    assert found(st111.check(commit_view(START, **given))) == []  # type: ignore[arg-type]


def test_state_that_names_a_file_which_the_commit_deletes_matches_nothing() -> None:
    given = named("tasks/*.md")
    given["paths"] = {"codifica.json": (FILE, OTHER_FILE), "tasks/a.md": (FILE, None)}
    assert found(st111.check(commit_view(START, **given))) == ["state (tasks/*.md) matches no file"]  # type: ignore[arg-type]


def test_state_is_left_alone_where_codifica_json_did_not_change() -> None:
    view = commit_view(START, own_policy=policy(config=codifica(["gone.md"])), actor=ALICE)
    assert found(st111.check(view)) == []


SIDE = {"work.md": document(task("FEAT-1", title="One"), task("FEAT-2"))}
OTHER = {"work.md": document(task("FEAT-1"), task("FEAT-2", title="Two"))}


def test_a_merge_answers_for_the_blocks_that_it_wrote_itself() -> None:
    chosen = {"work.md": document(task("FEAT-1", "  state: done"), task("FEAT-2"))}
    (breach,) = st102.check(commit_view(SIDE, chosen, merged=OTHER, actor=ALICE))
    assert (breach.task, breach.path, breach.line) == ("FEAT-1", b"work.md", 9)


def test_a_merge_is_not_blamed_for_blocks_that_a_parent_has_or_had_elsewhere() -> None:
    bad = document(task("FEAT-1", "  state: done"), task("FEAT-2"))
    joined = {"work.md": document(task("FEAT-1", "  state: done"), task("FEAT-2", title="Two"))}
    assert found(st102.check(commit_view({"work.md": bad}, joined, merged=OTHER))) == []
    archived = {"work.md": document(task("FEAT-2", title="Two")), "done.md": document(task("FEAT-1", "  state: done"))}
    assert found(st102.check(commit_view({"work.md": bad}, archived, merged=OTHER))) == []


def test_a_merge_tells_of_a_value_that_it_cut_itself() -> None:
    cut = {"work.md": document(task("FEAT-1", title="Fix #12 now"), task("FEAT-2"))}
    assert len(found(st112.check(commit_view(SIDE, cut, merged=OTHER)))) == 1
    kept = {"work.md": document(task("FEAT-1", "  priority: low", title="Fix #12 now"), task("FEAT-2"))}
    assert found(st112.check(commit_view(cut, kept, merged=OTHER))) == []


def test_a_merge_that_takes_a_document_whole_wrote_nothing() -> None:
    bad = snapshot({"work.md": document(task("FEAT-1", "  state: done"))})
    assert found(st102.check(commit_view(snapshot(START), bad, merged=bad))) == []


def test_a_task_that_only_moves_takes_its_faults_along() -> None:
    bad = task("FEAT-1", "  state: done")
    before = {"work.md": document(bad, task("FEAT-2")), "done.md": document()}
    after = {"work.md": document(task("FEAT-2")), "done.md": document(bad)}
    assert found(st102.check(commit_view(before, after, actor=ALICE))) == []


def test_an_edit_of_a_document_that_cannot_be_taken_apart_is_seen_by_its_bytes() -> None:
    before = snapshot({"work.md": START["work.md"].removesuffix("```\n")}, {"work.md": FILE})
    after = snapshot({"work.md": document(task("FEAT-1", state="done")).removesuffix("```\n")}, {"work.md": OTHER_FILE})
    assert before.documents == after.documents, "neither says what stands in it"
    assert found(st104.check(commit_view(before, after))) == ["a fence that is never closed"]
    assert found(st104.check(commit_view(before, before))) == []
