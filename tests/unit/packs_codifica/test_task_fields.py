"""CD101-CD110: what a task is made of."""

from typing import Final

import pytest

from codifica_guard.model.finding import Severity
from codifica_guard.model.policy import CODIFICA_FILE, PolicyFault
from codifica_guard.packs.codifica import cd104, cd110
from codifica_guard.rules.rule import Breach
from tests.unit.packs_codifica.cases import (
    CLAIM,
    MIGRATION,
    Case,
    accepted,
    at,
    block,
    breaches,
    check,
    note,
    refused,
    running,
    step,
)
from tests.unit.views import ALICE, BOB, BUILDER, FILE, OTHER_FILE, WRITER, codifica, commit_view, policy, snapshot
from tests.unit.views import document as page

TODO: Final = block()
CUSTOM: Final = policy(config=codifica(custom_types=("design",)))
WORDS: Final = block(title="another")
UNREADABLE: Final = block(title=...) + "  title: `a`\n"
CHANGED: Final = (FILE, OTHER_FILE)

REQUIRED: Final = (
    refused("CD101", "no-title", TODO, block(title=...), ALICE, "error: title is missing"),
    refused("CD101", "empty-title", TODO, block(title=""), ALICE, "error: title is missing"),
    refused("CD101", "null-owner-and-type", TODO, block(owner=None, type=None), BUILDER, "error: type is missing", "error: owner is missing"),
    refused("CD101", "born-bare", (), block(state=...), BUILDER, "error: state is missing"),
    refused("CD101", "list-as-text", TODO, block(depends_on="FEAT-2"), ALICE, "error: depends_on is no list of texts"),
    refused("CD101", "text-as-list", TODO, block(title=["a"]), ALICE, "error: title is no text"),
    refused("CD101", "state-as-list", TODO, block(state=["todo"]), ALICE, "error: state is no text"),
    refused("CD101", "boolean", TODO, block(priority=True), ALICE, "error: priority is no text"),
    refused("CD101", "acceptance-of-mappings", TODO, block(acceptance=[{"a": "b"}]), ALICE, "error: acceptance is no list of texts"),
    refused("CD101", "notes-of-texts", TODO, block(execution_notes=["a"]), ALICE, "error: execution_notes is no list of entries"),
    refused("CD101", "context-as-text", TODO, block(context="a"), ALICE, "error: context is no mapping"),
    refused("CD101", "review-as-list", TODO, block(human_review=["pass"]), ALICE, "error: human_review is no mapping"),
    refused("CD101", "checklist-as-text", TODO, block(checklist="a"), ALICE, "error: checklist is no list"),
    accepted("CD101", "whole", (), TODO, BUILDER),
    accepted("CD101", "everything-null-that-may-be", TODO, block(depends_on=None, human_review=None, context=None, claimed_at=None), ALICE),
    accepted("CD101", "unknown-field", TODO, block(effort=["a", {"b": "c"}]), ALICE),
    accepted("CD101", "old-fault", block(title=...), block(title=..., priority="low"), ALICE),
    refused("CD101", "old-fault-and-a-new-one", block(title=...), block(title=..., owner=...), ALICE, "error: owner is missing"),
    accepted("CD101", "only-moved", {"a.md": page(block(title=...))}, {"b.md": page(block(title=...))}, ALICE),
    accepted("CD101", "gone", TODO, (), ALICE),
    refused("CD101", "mended-but-not-whole", UNREADABLE, block(title=...), ALICE, "error: title is missing"),
    accepted("CD101", "unreadable-after", TODO, UNREADABLE, ALICE),
    accepted("CD101", "nobody", TODO, block(title=...), None),
    refused("CD101", "migrated", TODO, block(title=...), ALICE, "error: title is missing", trailing=MIGRATION),
)  # fmt: skip

WORD: Final = (
    refused("CD102", "state", TODO, block(state="doing"), ALICE, "error: state: doing"),
    refused("CD102", "type", TODO, block(type="design"), ALICE, "error: type: design"),
    accepted("CD102", "custom-type", TODO, block(type="design"), ALICE, under=CUSTOM),
    refused("CD102", "priority", TODO, block(priority="urgent"), ALICE, "error: priority: urgent"),
    refused("CD102", "owner-without-kind", TODO, block(owner="bob"), BUILDER, "error: owner: bob"),
    refused("CD102", "owner-of-another-kind", TODO, block(owner="server:git"), ALICE, "error: owner: server:git"),
    refused("CD102", "owner-in-capitals", TODO, block(owner="human:Alice"), ALICE, "error: owner: human:Alice"),
    refused("CD102", "owner-without-name", TODO, block(owner="agent:"), ALICE, "error: owner: agent:"),
    *(accepted("CD102", f"owner-{owner}", TODO, block(owner=owner, title="x"), ALICE) for owner in ("human", "human:bob", "agent:a.b-c_1", "unassigned")),
    refused("CD102", "born", (), block(state="doing", priority="urgent"), BUILDER, "error: state: doing", "error: priority: urgent"),
    accepted("CD102", "old-word", block(state="doing"), block(state="doing", title="x"), ALICE),
    refused("CD102", "old-word-and-a-new-one", block(state="doing"), block(state="paused"), ALICE, "error: state: paused"),
    accepted("CD102", "no-text-is-another-rule", TODO, block(state=["todo"], owner=None), ALICE),
    accepted("CD102", "unreadable-after", TODO, UNREADABLE, ALICE),
    refused("CD102", "mended-with-a-bad-word", UNREADABLE, block(state="doing"), ALICE, "error: state: doing"),
    accepted("CD102", "nobody", TODO, block(state="doing"), None),
)  # fmt: skip

IDS: Final = (
    refused("CD103", "blank", (), block('"FEAT 1"'), ALICE, "error: id: FEAT 1"),
    refused("CD103", "starts-with-a-hyphen", (), block("-x"), BUILDER, "error: id: -x"),
    refused("CD103", "long", (), block("A" * 65), ALICE, f"error: id: {'A' * 65}"),
    refused("CD103", "by-case", TODO, (TODO, block("feat-1")), BUILDER, "error: feat-1 differs from FEAT-1 only by case"),
    refused("CD103", "by-case-in-another-document", {"a.md": page(TODO)}, {"a.md": page(TODO), "b.md": page(block("Feat-1"))}, ALICE, "error: Feat-1 differs from FEAT-1 only by case"),
    accepted("CD103", "plain", (), block("A" * 64), BUILDER),
    accepted("CD103", "all-characters", (), block("0a.b_c-D"), BUILDER),
    accepted("CD103", "old-id-edited", block("-x"), block("-x", title="x"), ALICE),
    accepted("CD103", "in-quotes", (), block('"101"'), ALICE),
    accepted("CD103", "nobody", (), block("-x"), None),
    accepted("CD103", "migrated", (), block('"FEAT 1"'), ALICE, trailing=MIGRATION),
    refused("CD103", "migrated-by-no-maintainer", (), block('"FEAT 1"'), BOB, "error: id: FEAT 1", trailing=MIGRATION),
    refused("CD103", "migrated-by-an-agent", (), block('"FEAT 1"'), BUILDER, "error: id: FEAT 1", trailing=MIGRATION),
)  # fmt: skip

DOUBLED: Final = {"a.md": page(TODO), "b.md": page(block(title="x"))}

VANISHED: Final = (
    refused("CD105", "running", running(), (), ALICE, "error: FEAT-1 is in no state document any more"),
    refused("CD105", "with-a-note", block(execution_notes=[note()]), (), ALICE, "error: FEAT-1 is in no state document any more"),
    refused("CD105", "reopened-once", block(state_transitions=[CLAIM]), (), ALICE, "error: FEAT-1 is in no state document any more"),
    refused("CD105", "unreadable", UNREADABLE, (), ALICE, "error: FEAT-1 is in no state document any more"),
    refused("CD105", "renamed", running(), running("FEAT-2"), ALICE, "error: FEAT-1 is in no state document any more"),
    accepted("CD105", "example-task", block("EXAMPLE-001", execution_notes=[], state_transitions=None), (), BOB),
    accepted("CD105", "moved", {"a.md": page(running())}, {"a.md": page(), "b.md": page(running())}, ALICE),
    accepted("CD105", "an-agents-is-another-rule", running(), (), BUILDER),
    accepted("CD105", "nobody", running(), (), None),
    accepted("CD105", "migrated", running(), (), ALICE, trailing=MIGRATION),
    refused("CD409", "running", running(), (), BUILDER, "error: agent:builder deleted FEAT-1"),
    refused("CD409", "example-task", TODO, (), BUILDER, "error: agent:builder deleted FEAT-1"),
    accepted("CD409", "a-persons-is-another-rule", running(), (), ALICE),
    accepted("CD409", "moved", {"a.md": page(running())}, {"a.md": page(), "b.md": page(running())}, BUILDER),
    accepted("CD409", "nobody", TODO, (), None),
)  # fmt: skip

TEST: Final = block(type="test")
DESIGN: Final = block(type="design")
MISSING: Final = "todo -> in_progress, and acceptance is empty"

CRITERIA: Final = (
    refused("CD106", "claimed", TODO, running(), BUILDER, f"error: {MISSING}"),
    refused("CD106", "claimed-by-a-human", TODO, running(owner=ALICE), ALICE, f"error: {MISSING}"),
    refused("CD106", "empty-list", block(acceptance=[]), running(acceptance=[]), BUILDER, f"error: {MISSING}"),
    refused("CD106", "empty-text", block(acceptance=[" "]), running(acceptance=[" "]), BUILDER, f"error: {MISSING}"),
    refused("CD106", "text-instead-of-list", block(acceptance="It works"), running(acceptance="It works"), BUILDER, f"error: {MISSING}"),
    refused("CD106", "custom-type", DESIGN, running(type="design"), BUILDER, f"error: {MISSING}", under=CUSTOM),
    accepted("CD106", "unknown-type", DESIGN, running(type="design"), BUILDER),
    refused("CD106", "unblocked", block(state="blocked"), running(), ALICE, "error: blocked -> in_progress, and acceptance is empty"),
    refused("CD106", "a-human-blocks", TODO, block(state="blocked"), ALICE, "warning: todo -> blocked, and acceptance is empty"),
    refused("CD106", "a-human-rejects", TODO, block(state="rejected"), ALICE, "warning: todo -> rejected, and acceptance is empty"),
    accepted("CD106", "with-criteria", block(acceptance=["It works"]), running(acceptance=["It works"]), BUILDER),
    accepted("CD106", "test", TEST, running(type="test"), BUILDER),
    accepted("CD106", "left-todo-long-ago", running(), running(state="to_be_tested"), BUILDER),
    accepted("CD106", "back-to-todo", block(state="blocked"), TODO, ALICE),
    accepted("CD106", "edited", TODO, WORDS, ALICE),
    accepted("CD106", "nobody", TODO, running(), None),
)  # fmt: skip

FOLLOWUP: Final = block("FOLLOW-1", type="followup", derived_from="FEAT-1")
LONELY: Final = block("FOLLOW-1", type="followup")


def followup(origin: str) -> str:
    return block("FOLLOW-1", type="followup", derived_from=origin)


ORIGIN: Final = (
    refused("CD107", "born-without", TODO, (TODO, LONELY), BUILDER, "error: derived_from is missing"),
    refused("CD107", "born-of-nothing", TODO, (TODO, followup("FEAT-9")), ALICE, "error: derived_from: FEAT-9, and there is no such task"),
    refused("CD107", "born-of-itself", TODO, (TODO, followup("FOLLOW-1")), ALICE, "error: derived_from: FOLLOW-1, and that is the followup itself"),
    refused("CD107", "origin-taken-away", (TODO, FOLLOWUP), (TODO, LONELY), ALICE, "error: derived_from is missing"),
    refused("CD107", "becomes-one", (TODO, block("FOLLOW-1")), (TODO, LONELY), ALICE, "error: derived_from is missing"),
    refused("CD107", "claimed", LONELY, running("FOLLOW-1", type="followup"), BUILDER, "error: derived_from is missing"),
    accepted("CD107", "born", TODO, (TODO, FOLLOWUP), BUILDER),
    accepted("CD107", "of-another-document", {"a.md": page(TODO)}, {"a.md": page(TODO), "b.md": page(FOLLOWUP)}, BUILDER),
    accepted("CD107", "old-fault", LONELY, block("FOLLOW-1", type="followup", title="x"), ALICE),
    accepted("CD107", "another-type", (), block("X-1", derived_from="FEAT-9"), BUILDER),
    accepted("CD107", "gone", (TODO, LONELY), TODO, ALICE),
    accepted("CD107", "nobody", TODO, (TODO, LONELY), None),
)  # fmt: skip

SUMMARY: Final = (
    refused("CD109", "long", running(), running(execution_notes=[note(summary="x" * 121)]), BUILDER, "error: a summary of 121 characters"),
    refused("CD109", "two-lines", running(), running(execution_notes=[note(summary="a\nb")]), BUILDER, "error: a summary of 2 lines"),
    refused("CD109", "a-humans", running(owner=ALICE), running(owner=ALICE, execution_notes=[note(by=ALICE, summary="x" * 200)]), ALICE, "error: a summary of 200 characters"),
    accepted("CD109", "as-long-as-may-be", running(), running(execution_notes=[note(summary="\u00e9" * 120 + "\n")]), BUILDER),
    accepted("CD109", "no-text", running(), running(execution_notes=[note(summary=["x" * 200]), note()]), BUILDER),
    accepted("CD109", "an-old-one", running(execution_notes=[note(summary="x" * 121)]), running(execution_notes=[note(summary="x" * 121), note()]), BUILDER),
    accepted("CD109", "of-a-task-that-was-mended", UNREADABLE, block(execution_notes=[note(summary="x" * 121)]), ALICE),
    accepted("CD109", "nobody", running(), running(execution_notes=[note(summary="x" * 121)]), None),
)  # fmt: skip


def claimed_at(text: object) -> str:
    return block(claimed_at=text)


def no_time(where: str, text: object) -> str:
    return f"error: {where}: {text}"


TIMES: Final = (
    *(
        refused("CD108", f"no-time-{text}", TODO, claimed_at(text), BUILDER, no_time("claimed_at", text))
        for text in (
            "2026-11-30", "2026-11-30 00:15", "2026-11-30T00:15:00", "2026-13-45T07:12:00Z", "2026-11-29T23:59:60Z", "soon",
            "2026-11-30T00:15:00+24:00", "2026-11-30T00:15:00+01:60", "9999-12-31T23:59:59", "0000-01-01T00:00:00Z", True, ["a"],
        )
    ),
    refused("CD108", "ahead", TODO, claimed_at(at(6)), BUILDER, f"error: claimed_at: {at(6)} is 6 min 0 s ahead of the clock here; is that machine's clock right?"),
    refused("CD108", "ahead-by-a-human", TODO, block(completed_at=at(61)), ALICE, f"error: completed_at: {at(61)} is 61 min 0 s ahead of the clock here; is that machine's clock right?"),
    accepted("CD108", "as-far-ahead-as-clocks-differ", TODO, claimed_at(at(5)), BUILDER),
    accepted("CD108", "with-offset", TODO, claimed_at("2026-11-30T01:15:00.25+01:00"), BUILDER),
    accepted("CD108", "taken-away", claimed_at(at()), TODO, ALICE),
    accepted("CD108", "old-fault", claimed_at("yesterday"), block(claimed_at="yesterday", title="x"), ALICE),
    refused("CD108", "born", (), block(claimed_at="soon", human_review={"recorded_at": "now"}), ALICE, "error: claimed_at: soon", "error: recorded_at: now"),
    refused("CD108", "review", TODO, block(human_review={"recorded_at": "now"}), ALICE, "error: recorded_at: now"),
    accepted("CD108", "review-without-time", TODO, block(human_review={"status": "pass"}), ALICE),
    accepted("CD108", "old-review-edited", block(human_review={"recorded_at": "now"}), block(human_review={"recorded_at": "now", "status": "pass"}), ALICE),
    refused("CD108", "entry", TODO, block(state_transitions=[{"timestamp": "now"}]), ALICE, "error: state_transitions timestamp: now"),
    refused("CD108", "note", running(), running(execution_notes=[{"by": BUILDER, "timestamp": "now"}]), BUILDER, "error: execution_notes timestamp: now"),
    refused("CD108", "agent-without-time", running(), running(execution_notes=[{"by": BUILDER}]), BUILDER, "error: a new entry of execution_notes has no timestamp"),
    accepted("CD108", "human-without-time", running(), running(state_transitions=[CLAIM, {"by": ALICE}]), ALICE),
    refused(
        "CD108", "before-the-entry-above", running(), running(state_transitions=[CLAIM, step("a", "b", minutes=-66)]), BUILDER,
        f"error: state_transitions: {at(-66)} comes below 2026-11-29 23:53Z",
    ),
    accepted("CD108", "as-far-before-as-clocks-differ", running(), running(state_transitions=[CLAIM, step("a", "b", minutes=-65)]), BUILDER),
    accepted("CD108", "old-order", running(execution_notes=[note(), note(minutes=-60)]), running(execution_notes=[note(), note(minutes=-60), note()]), BUILDER),
    refused(
        "CD108", "both-of-two-new", running(), running(execution_notes=[note(minutes=-10), note(minutes=-20), note(minutes=-30)]), BUILDER,
        f"error: execution_notes: {at(-20)} comes below 2026-11-30 00:43Z",
        f"error: execution_notes: {at(-30)} comes below 2026-11-30 00:33Z",
    ),
    accepted("CD108", "below-an-entry-without-time", running(execution_notes=[{"by": "x"}]), running(execution_notes=[{"by": "x"}, note()]), BUILDER),
    accepted("CD108", "of-a-task-that-was-mended", UNREADABLE, block(state_transitions=[{"timestamp": "now"}], human_review={"recorded_at": "now"}), ALICE),
    accepted("CD108", "gone", running(), (), ALICE),
    accepted("CD108", "nobody", TODO, claimed_at("soon"), None),
)  # fmt: skip

CASES: Final = (*REQUIRED, *WORD, *IDS, *VANISHED, *CRITERIA, *ORIGIN, *SUMMARY, *TIMES)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_row_of_the_table_holds(case: Case) -> None:
    check(case)


# -- ids that stand twice


def twice(before: dict[str, str], after: dict[str, str], **fields: object) -> list[Breach]:
    return breaches("CD104", commit_view(before, after, **{"actor": BUILDER, **fields}))  # type: ignore[arg-type]


def test_an_id_that_stands_in_two_documents_is_refused_and_both_places_are_named() -> None:
    before = {"a.md": page(), "b.md": page(TODO)}
    (breach,) = twice(before, {"a.md": page(WORDS), "b.md": page(TODO)})
    assert breach.found == "FEAT-1 stands 2 times: a.md:4 and b.md:4"
    assert (breach.path, breach.line) == (b"b.md", 4)
    assert breach.do == ("a free id: FEAT-2",)


def test_a_maintainers_migration_does_not_lift_that_an_id_stands_once() -> None:
    after = {"a.md": page(WORDS), "b.md": page(TODO)}
    assert len(twice({"a.md": page(), "b.md": page(TODO)}, after, actor=ALICE, trailing=MIGRATION)) == 1


def test_an_old_double_is_nobodys_fault_until_somebody_adds_to_it() -> None:
    assert twice(DOUBLED, {**DOUBLED, "a.md": page(WORDS)}) == []
    third = {"a.md": page(WORDS, block(title="y")), "b.md": DOUBLED["b.md"]}
    assert [b.found[:22] for b in twice(DOUBLED, third)] == ["FEAT-1 stands 3 times:"]


def test_a_double_by_nobody_or_that_cannot_be_read_is_another_rules() -> None:
    before, after = {"a.md": page(), "b.md": page(TODO)}, {"a.md": page(WORDS), "b.md": page(TODO)}
    assert twice(before, after, actor=None) == []
    assert twice(before, {"a.md": page(UNREADABLE), "b.md": page(TODO)}) == []
    assert twice(DOUBLED, {"a.md": page(), "b.md": page()}) == []


def test_a_person_may_take_out_one_of_two_tasks_with_one_id() -> None:
    view = commit_view({"a.md": page(running()), "b.md": page(running())}, {"a.md": page(running())}, actor=ALICE)
    gone = commit_view({"a.md": page(running())}, {"a.md": page()}, actor=ALICE).changes
    doubled = commit_view(
        {"a.md": page(running()), "b.md": page(running())}, {"a.md": page(running())}, actor=ALICE, changes=gone
    )
    assert breaches("CD105", view) == []
    assert breaches("CD105", doubled) == []


@pytest.mark.parametrize(
    ("taken", "others", "free"),
    [
        ("FEAT-1", ("FEAT-1",), "FEAT-2"),
        ("FEAT-1", ("FEAT-1", "FEAT-9", "BUG-70"), "FEAT-10"),
        ("T007", ("T007", "T009"), "T010"),
        ("LOGIN", ("LOGIN",), "LOGIN-2"),
        ("LOGIN", ("LOGIN", "LOGIN-2", "LOGIN3"), "LOGIN-3"),
        ("101", ("101",), "102"),
        ("A" + "9" * 5000, (), "A" + "9" * 5000 + "-2"),
        ("x\u0663", ("x\u0663",), "x\u0663-2"),
    ],
)
def test_the_free_id_is_of_the_same_kind_and_free(taken: str, others: tuple[str, ...], free: str) -> None:
    there = snapshot({"work.md": page(*(block(f'"{name}"') for name in others))})
    assert cd104.free_id(there, taken) == free  # type: ignore[arg-type]
    assert free not in there.records


# -- codifica.json


def read(**fields: object) -> list[Breach]:
    first = {"actor": ALICE, "paths": {"codifica.json": CHANGED}}
    return list(cd110.check(commit_view({}, {}, **{**first, **fields})))  # type: ignore[arg-type]


FAULTS: Final = (
    PolicyFault(code="CD110", path=CODIFICA_FILE, found="`state` is missing", line=3),
    PolicyFault(code="CD110", path=CODIFICA_FILE, found="`rules` as a text", fatal=False),
    PolicyFault(code="ID109", path=CODIFICA_FILE, found="another file's"),
)


def test_a_broken_codifica_json_is_refused_with_its_line() -> None:
    fatal, mild = read(own_policy=policy(without_codifica=True, faults=FAULTS))
    assert (fatal.found, fatal.path, fatal.line, fatal.severity) == ("`state` is missing", b"codifica.json", 3, None)
    assert (mild.found, mild.severity) == ("`rules` as a text", Severity.WARNING)


def test_what_codifica_json_says_and_nobody_knows_is_told() -> None:
    (breach,) = read(own_policy=policy(config=codifica(warnings=("unknown key `colour`",))))
    assert (breach.found, breach.severity) == ("unknown key `colour`", Severity.WARNING)


def test_codifica_json_is_judged_where_it_came_or_changed() -> None:
    broken = policy(without_codifica=True, faults=FAULTS)
    assert read(own_policy=broken, paths={"src/a.py": CHANGED}) == []
    assert len(read(own_policy=broken, paths={}, introduces=True)) == 2
    assert len(read(own_policy=broken, actor=None)) == 2
    assert read(own_policy=None) == []
    assert read(own_policy=policy()) == []


def test_an_agent_of_another_name_is_judged_alike() -> None:
    assert (
        len(breaches("CD101", commit_view({"work.md": page(TODO)}, {"work.md": page(block(title=...))}, actor=WRITER)))
        == 1
    )
