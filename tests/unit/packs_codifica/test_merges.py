"""CD501-CD504: what a merge may make of tasks."""

from typing import Any, Final

import pytest

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.model.value import replace
from codifica_guard.packs.codifica import cd501, cd502, cd503, cd504
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.snapshot import Record
from codifica_guard.rules.view import MergeItem, MergeView
from tests.unit.packs_codifica.cases import CLAIM, CLOSING, HAND_IN, block, documents, handed_in, note, running, step
from tests.unit.views import ALICE, BUILDER, WORK, WRITER, codifica, commit_view, found, policy, snapshot
from tests.unit.views import document as page

TODO: Final = block()
MINE: Final = running()
THEIRS: Final = running(owner=WRITER, state_transitions=[{**CLAIM, "by": WRITER}])
UNREADABLE: Final = block(title=...) + "  title: `a`\n"
LOST: Final = (
    "the choice for FEAT-1 does not hold: its state and history are neither side's, nor one step from a side's"
)


def record(text: str | None) -> Record | None:
    return None if text is None else snapshot(documents(text)).record(TaskId("FEAT-1"))


def item(own: str | None, *sides: str | None, **fields: Any) -> MergeItem:
    first = {
        "kind": "record",
        "name": "FEAT-1",
        "path": WORK,
        "conflict": True,
        "sides": tuple(map(record, sides)),
        "own": record(own),
    }
    return MergeItem(**{**first, **fields})


def merging(*items: MergeItem, actor: object = ALICE, **fields: Any) -> MergeView:
    view = commit_view(documents(MINE), documents(MINE), merged=documents(THEIRS), actor=actor, **fields)  # type: ignore[arg-type]
    many = max((len(i.sides) for i in items), default=0)
    commit = replace(view.commit, parents=tuple(ObjectId(f"{n}".encode() * 40) for n in range(1, many + 1)))
    return MergeView(commit=replace(view, commit=commit), decided=items)


def choice(own: str | None, *sides: str | None, actor: object = ALICE) -> list[str]:
    return found(cd502.check(merging(item(own, *sides), actor=actor)))


def test_a_merge_that_gives_a_task_another_value_than_its_sides_agree_on_is_refused_for_everybody() -> None:
    wrong = item(MINE, MINE, TODO, conflict=False)
    for actor in (ALICE, BUILDER, None):
        (breach,) = cd501.check(merging(wrong, actor=actor))
        assert breach.found == "the merge's FEAT-1 is not the version that the other sides yield to"
        assert (breach.path, breach.line, breach.task) == (WORK, 4, "FEAT-1")
    (gone,) = cd501.check(merging(item(None, MINE, TODO, conflict=False)))
    assert gone.line is None


def test_a_task_that_no_side_has_is_named_as_the_merges_own() -> None:
    (breach,) = cd501.check(merging(item(MINE, None, None, conflict=False)))
    assert breach.found == "the merge brings FEAT-1, which none of its sides has"
    assert breach.do[0].startswith("put it into a commit of its own")


def test_only_tasks_that_somebody_wins_are_the_first_rules() -> None:
    others = [item(MINE, MINE, THEIRS), *(item(MINE, conflict=False, kind=kind) for kind in ("frame", "path", "trust"))]
    assert list(cd501.check(merging(*others))) == []


def test_two_histories_need_a_humans_signature_and_both_are_named() -> None:
    one, two = (f"work.md:4 in {n * 7}: in_progress, agent:{who}" for n, who in (("1", "builder"), ("2", "writer")))
    sides = f"two versions of FEAT-1 meet ({one} | {two})"
    assert choice(MINE, MINE, THEIRS, actor=None) == [f"{sides}, and nobody chose between them"]
    assert choice(MINE, MINE, THEIRS, actor=BUILDER) == [f"{sides}, and agent:builder chose between them"]
    (breach,) = cd502.check(merging(item(MINE, MINE, THEIRS), actor=BUILDER))
    assert (breach.path, breach.line, breach.task) == (WORK, 4, "FEAT-1")
    assert breach.do[0] == "let a human merge and sign: git merge -S"


def test_a_side_without_the_task_or_that_nobody_can_read_is_named_so() -> None:
    (text,) = choice(MINE, None, UNREADABLE, block(state=..., owner=...), actor=None)
    places = ("gone in 1111111", "work.md:4 in 2222222: unreadable", "work.md:4 in 3333333: no state, no owner")
    assert f"({' | '.join(places)})" in text


@pytest.mark.parametrize(
    ("clash", "words"),
    [((), ""), (("task",), ""), (("state", "title"), ", with different state and history, title")],
)
def test_what_does_not_join_is_named(clash: tuple[str, ...], words: str) -> None:
    (breach,) = cd502.check(merging(item(MINE, MINE, THEIRS, clash=clash), actor=None))
    assert f"FEAT-1 meet{words} (" in breach.found


def test_what_a_join_lacks_is_named() -> None:
    together = {"id": "FEAT-1", "title": "Other", "labels": ["a"]}
    wrong = item(MINE, MINE, THEIRS, conflict=False, together=together)
    (breach,) = cd501.check(merging(wrong))
    assert breach.found.startswith("the merge's FEAT-1 is not what its sides come to together: title, labels, ")
    task = wrong.own.task() if wrong.own else None
    assert task is not None
    (breach,) = cd501.check(merging(item(MINE, MINE, THEIRS, conflict=False, together=dict(task.data))))
    assert breach.found == "the merge's FEAT-1 is not what its sides come to together: its comments"
    elsewhere = item(MINE, MINE, THEIRS, conflict=False, together=dict(task.data), path=RepoPath(b"done.md"))
    (breach,) = cd501.check(merging(elsewhere))
    assert breach.found == "the merge's FEAT-1 is not what its sides come to together: its place"
    for own in (None, UNREADABLE):
        (breach,) = cd501.check(merging(item(own, MINE, THEIRS, conflict=False, together=together)))
        assert breach.found == "the merge's FEAT-1 is gone or cannot be read, and its sides join"


def test_a_human_may_take_either_sides_state_and_history() -> None:
    assert choice(MINE, MINE, THEIRS) == []
    assert choice(THEIRS, MINE, THEIRS) == []
    assert choice(running(title="Both of it"), MINE, THEIRS) == []


def test_a_human_may_go_one_legal_step_on_from_a_side() -> None:
    back = [CLAIM, step("in_progress", "todo", ALICE, reason="Both claimed it")]
    assert choice(block(state_transitions=back), MINE, THEIRS) == []
    blocked = [CLAIM, step("in_progress", "blocked", ALICE)]
    assert choice(block(state="blocked", blocked_reason="Which one?", state_transitions=blocked), MINE, THEIRS) == []


@pytest.mark.parametrize(
    "own",
    [
        block(state_transitions=[CLAIM]),
        block(state_transitions=[CLAIM, step("in_progress", "todo", ALICE)]),
        block(state="blocked", state_transitions=[CLAIM, step("in_progress", "blocked", ALICE)]),
        running(state="to_be_tested", state_transitions=[CLAIM, HAND_IN]),
        block(state="to_be_tested", state_transitions=[CLAIM, *[step("in_progress", "todo", ALICE, reason="x")] * 2]),
        running(owner="human:bob"),
        running(state="finished", state_transitions=[CLAIM, step("in_progress", "finished", ALICE)]),
    ],
    ids=["no entry", "no reason", "no blocked_reason", "not the owner", "not in the table", "another owner", "unknown state"],
)  # fmt: skip
def test_another_life_of_a_task_does_not_hold(own: str) -> None:
    assert choice(own, MINE, THEIRS) == [LOST]


@pytest.mark.parametrize("field", ["execution_notes", "artifacts"])
def test_notes_and_artifacts_of_all_sides_stay(field: str) -> None:
    first, second, third = ({"path": name, "note": name} for name in "abc")
    left, right = running(**{field: [first, second]}), running(**{field: [first, third]})
    lost = [f"the choice for FEAT-1 does not hold: {field} of a side are lost"]
    assert choice(running(**{field: [first, second, third]}), left, right) == []
    assert choice(running(**{field: [first, third, second]}), left, right) == []
    assert choice(running(**{field: [first, second]}), left, right) == lost
    assert choice(running(**{field: [second, first, third]}), left, right) == lost
    assert choice(MINE, left, right) == lost
    assert choice(running(**{field: "gone"}), left, right) == lost


def test_a_human_does_not_merge_a_task_away() -> None:
    gone = "the choice for FEAT-1 does not hold: the task is gone, or cannot be read"
    assert choice(None, MINE, THEIRS) == [gone]
    assert choice(UNREADABLE, MINE, THEIRS) == [gone]
    (breach,) = cd502.check(merging(item(None, MINE, THEIRS)))
    assert (breach.path, breach.line) == (WORK, None)


def test_a_human_merges_a_task_away_that_never_began_and_that_a_side_deleted() -> None:
    assert choice(None, TODO, None) == []
    assert choice(None, None, TODO) == []
    for other in (MINE, UNREADABLE, block(claimed_at="2026-12-01T09:00:00Z")):
        assert len(choice(None, other, None)) == 1
    assert len(choice(None, TODO, block(title="Other"))) == 1


def test_a_task_that_one_side_deleted_lives_on_as_the_other_has_it() -> None:
    assert choice(MINE, MINE, None) == []
    assert choice(handed_in(execution_notes=[CLOSING, note()]), MINE, None) == [LOST]
    assert choice(MINE, None, UNREADABLE) == [LOST]


def test_what_was_born_twice_is_judged_alike_by_a_rule_of_its_own() -> None:
    born = item(MINE, MINE, THEIRS, twice=True)
    assert list(cd502.check(merging(born))) == []
    assert list(cd503.check(merging(born))) == []
    (breach,) = cd503.check(merging(born, actor=BUILDER))
    assert "agent:builder chose between them" in breach.found
    others = [item(MINE, MINE, THEIRS), item(MINE, twice=True, kind="frame"), item(MINE, twice=True, conflict=False)]
    assert list(cd503.check(merging(*others, actor=BUILDER))) == []


def test_paths_and_text_are_no_tasks() -> None:
    assert list(cd502.check(merging(item(MINE, kind="frame"), item(MINE, conflict=False), actor=None))) == []


# -- what holds on every side

ONE: Final = policy(config=codifica(max_concurrent=1))
Blocks = tuple[str, ...]


def whole(left: Blocks, right: Blocks, own: Blocks, actor: object = None, **fields: Any) -> list[Breach]:
    view = commit_view(documents(left), documents(own), merged=documents(right), actor=actor, **fields)  # type: ignore[arg-type]
    return list(cd504.check(MergeView(commit=view, decided=())))


def needs(name: str, other: str) -> str:
    return block(name, depends_on=[other])


def test_two_claims_that_are_each_within_the_limit_break_it_together() -> None:
    left, right = (running(), block("FEAT-2")), (TODO, running("FEAT-2"))
    both = whole(left, right, (running(), running("FEAT-2")), under=ONE)
    assert found(both) == ["CD305 agent:builder would hold 2 tasks: FEAT-1, FEAT-2; no side of the merge breaks it"] * 2
    assert [(b.path, b.line, b.task, b.severity) for b in both] == [
        (WORK, 4, "FEAT-1", None),
        (WORK, 12, "FEAT-2", None),
    ]
    assert whole(left, right, (running(), running("FEAT-2"))) == []


def test_two_halves_of_a_circle() -> None:
    left, right = (needs("A", "B"), block("B")), (block("A"), needs("B", "A"))
    assert found(whole(left, right, (needs("A", "B"), needs("B", "A")))) == [
        "CD308 a circle: A -> B -> A; no side of the merge breaks it",
        "CD308 a circle: B -> A -> B; no side of the merge breaks it",
    ]
    assert whole(left, left, (needs("A", "B"), block("B"))) == []


def test_a_dependency_that_the_other_side_took_away() -> None:
    broken = whole((block("A"), block("B")), (needs("A", "B"), block("B")), (needs("A", "B"),))
    assert found(broken) == ["CD306 depends_on: B, and there is no such task; no side of the merge breaks it"]


def test_a_running_task_that_nobody_owns_and_a_word_that_nobody_knows() -> None:
    broken = whole((running(),), (running(owner=WRITER),), (running(owner="unassigned", priority="urgent"),))
    assert [text[:5] for text in found(broken)] == ["CD102", "CD309"]


def test_ids_that_differ_by_case_and_ids_that_stand_twice() -> None:
    broken = whole((TODO,), (block("feat-1"),), (TODO, block("feat-1")))
    assert [text[:5] for text in found(broken)] == ["CD103", "CD103"]
    left, right = {"a.md": page(TODO), "b.md": page()}, {"a.md": page(), "b.md": page(TODO)}
    view = commit_view(left, {"a.md": page(TODO), "b.md": page(TODO)}, merged=right)
    (double,) = cd504.check(MergeView(commit=view, decided=()))
    assert double.found == "CD104 FEAT-1 stands 2 times: a.md:4 and b.md:4; no side of the merge breaks it"
    assert double.path == RepoPath(b"b.md")


def test_faults_that_a_side_had_already_are_nobodys() -> None:
    assert whole((block(title=...),), (TODO,), (block(title=...),)) == []
    assert (
        whole(
            (block(state="doing"), block("B")), (block(state="doing"),), (block(state="doing", title="x"), block("B"))
        )
        == []
    )


def test_an_old_double_may_move_with_the_text_around_it() -> None:
    double = (TODO, block(title="x"))
    assert whole(double, (*double, block("FEAT-2")), (block("FEAT-2"), block(title="y"), TODO)) == []
    assert len(whole(double, double, (*double, block(title="y")))) == 1


def test_what_cannot_be_read_is_another_rules() -> None:
    assert whole((TODO,), (TODO,), (UNREADABLE,)) == []


def test_a_breach_of_the_whole_refuses() -> None:
    assert cd504.SEVERITY is Severity.ERROR
    (breach,) = whole((TODO,), (TODO,), (block(title=...),), actor=ALICE)
    assert breach.expected
    assert breach.do == ("mend one side first, then merge",)
