"""CD401-CD413: who may write what."""

from typing import Final

import pytest

from codifica_guard.model.ids import ObjectId, RepoPath
from codifica_guard.packs.codifica import cd405
from codifica_guard.policy.globs import scope_globs
from codifica_guard.rules.view import CommitView
from tests.unit.packs_codifica.cases import (
    CLAIM,
    CLOSING,
    HAND_IN,
    MIGRATION,
    Case,
    accepted,
    at,
    block,
    breaches,
    check,
    documents,
    handed_in,
    note,
    refused,
    running,
    step,
    told,
)
from tests.unit.views import (
    ALICE,
    BOB,
    BUILDER,
    FILE,
    OTHER_FILE,
    WORK,
    WRITER,
    codifica,
    commit,
    commit_view,
    policy,
)
from tests.unit.views import document as page

TODO: Final = block()
OTHERS: Final = running(owner=WRITER)
UNREADABLE: Final = block(title=...) + "  title: `a`\n"
CHANGED: Final = (FILE, OTHER_FILE)


def review(reviewer: object, status: object = "pass", **more: object) -> dict[str, object]:
    return {"status": status, "reviewer": reviewer, **more}


def judged(*, by: object = ALICE, status: object = "pass", before: object = None) -> tuple[str, str]:
    return handed_in(human_review=before), handed_in(human_review=review(by, status))


REVIEW: Final = (
    refused("CD401", "agent", *judged(by=BUILDER), BUILDER, "error: agent:builder writes human_review"),
    refused("CD401", "agent-for-a-human", *judged(), BUILDER, "error: agent:builder writes human_review"),
    refused("CD401", "agent-takes-it-away", handed_in(human_review=review(ALICE)), handed_in(human_review=None), BUILDER, "error: agent:builder writes human_review"),
    refused("CD401", "agent-files-one", (), block(human_review=review(BUILDER)), BUILDER, "error: agent:builder writes human_review"),
    refused("CD401", "agent-as-list", handed_in(), handed_in(human_review=["pass"]), BUILDER, "error: agent:builder writes human_review"),
    refused("CD401", "another-human", *judged(by=BOB), ALICE, "error: reviewer: human:bob, signed by human:alice"),
    refused("CD401", "display-name", *judged(by="Alice A."), ALICE, "error: reviewer: Alice A., signed by human:alice"),
    refused("CD401", "an-agent-as-reviewer", *judged(by="agent:alice"), ALICE, "error: reviewer: agent:alice, signed by human:alice"),
    refused("CD401", "reviewer-as-list", *judged(by=[ALICE]), ALICE, "error: reviewer: ['human:alice'], signed by human:alice"),
    refused("CD401", "anothers-edited", handed_in(human_review=review(BOB)), handed_in(human_review=review(BOB, notes=["x"])), ALICE, "error: reviewer: human:bob, signed by human:alice"),
    refused("CD401", "migrated", *judged(by=BOB), ALICE, "error: reviewer: human:bob, signed by human:alice", trailing=MIGRATION),
    refused("CD401", "no-name", *judged(by=None), ALICE, "warning: human_review names no reviewer"),
    refused("CD401", "empty-name", *judged(by=""), ALICE, "warning: human_review names no reviewer"),
    refused("CD401", "any-human", *judged(by="human"), ALICE, "warning: human_review names no reviewer"),
    accepted("CD401", "principal", *judged(), ALICE),
    accepted("CD401", "name", *judged(by="alice"), ALICE),
    accepted("CD401", "over-anothers", *judged(before=review(BOB, "needs_work")), ALICE),
    accepted("CD401", "no-verdict-yet", *judged(by=BOB, status=None), ALICE),
    accepted("CD401", "taken-away", handed_in(human_review=review(BOB)), handed_in(), ALICE),
    accepted("CD401", "null-and-empty-are-nothing", handed_in(human_review=None), handed_in(human_review={}), BUILDER),
    accepted("CD401", "stays", handed_in(human_review=review(BOB)), handed_in(human_review=review(BOB), title="x"), BUILDER),
    accepted("CD401", "deleted", handed_in(human_review=review(BOB)), (), ALICE),
    accepted("CD401", "nobody", *judged(), None),
)  # fmt: skip


def noted(*, by: object = BUILDER, state: str = "in_progress", owner: str = BUILDER) -> tuple[str, str]:
    first = {"state": state, "owner": owner, "execution_notes": [note("a", by="agent")]}
    return running(**first), running(**{**first, "execution_notes": [note("a", by="agent"), note("b", by=by)]})


NOTES: Final = (
    refused("CD402", "anothers-name", *noted(by=WRITER), BUILDER, "error: a note by agent:writer, signed by agent:builder"),
    refused("CD402", "a-humans-name", *noted(by="human"), BUILDER, "error: a note by human, signed by agent:builder"),
    refused("CD402", "without-prefix", *noted(by="builder"), BUILDER, "error: a note by builder, signed by agent:builder"),
    refused("CD402", "no-name", *noted(by=None), BUILDER, "error: a note by None, signed by agent:builder"),
    refused("CD402", "a-list", *noted(by=[BUILDER]), BUILDER, "error: a note by ['agent:builder'], signed by agent:builder"),
    refused("CD402", "a-human", *noted(by=ALICE), ALICE, "error: an execution note by human:alice"),
    refused("CD402", "a-human-for-the-agent", *noted(), ALICE, "error: an execution note by human:alice"),
    refused("CD402", "owning-human-as-another", *noted(by=BOB, owner=ALICE), ALICE, "error: a note by human:bob, signed by human:alice"),
    *(
        refused("CD402", f"while-{state}", *noted(state=state), BUILDER, f"error: a note on a task that is {state}")
        for state in ("todo", "blocked", "done", "rejected")
    ),
    accepted("CD402", "running", *noted(), BUILDER),
    accepted("CD402", "handed-in", *noted(state="to_be_tested"), BUILDER),
    accepted("CD402", "with-the-hand-in", running(), handed_in(), BUILDER),
    accepted("CD402", "owning-human", *noted(by=ALICE, owner=ALICE), ALICE),
    accepted("CD402", "owning-human-by-name", *noted(by="alice", owner=ALICE), ALICE),
    accepted("CD402", "any-human", *noted(by="human", owner="human"), BOB),
    accepted("CD402", "with-a-claim-is-another-rule", TODO, running(execution_notes=[note()]), BUILDER),
    accepted("CD402", "born", (), running(execution_notes=[note()]), ALICE),
    accepted("CD402", "mended", UNREADABLE, running(execution_notes=[note()]), ALICE),
    accepted("CD402", "no-mapping", running(), running(execution_notes=["a"]), BUILDER),
    accepted("CD402", "nobody", *noted(by=WRITER), None),
    accepted("CD402", "migrated", *noted(by=WRITER), ALICE, trailing=MIGRATION),
)  # fmt: skip


def wrote(what: str) -> str:
    return f"error: agent:builder changed {what}"


OLD: Final = {
    "derived_from": "FEAT-2",
    "context": {"constraints": ["a"]},
    "acceptance": ["It works", "It is tested"],
    "effort": "small",
}
HANDED: Final = {"execution_notes": [CLOSING], "state_transitions": [CLAIM, HAND_IN]}
INTENT: Final = (
    *(
        refused("CD403", name, running(**OLD), running(**{**OLD, name: value}), BUILDER, wrote(name))
        for name, value in (
            ("title", "x"), ("type", "test"), ("description", "x"), ("priority", "low"), ("depends_on", ["FEAT-2"]),
            ("derived_from", "FEAT-3"), ("context", {"constraints": []}), ("acceptance", ["It works", "It is tested", "It is fast"]),
            ("blocked_reason", "x"), ("blocked_by", "FEAT-2"), ("completed_at", at()), ("claimed_at", at()),
        )
    ),
    refused("CD403", "dropped", running(**OLD), running(**{**OLD, "acceptance": ["It is tested"]}), BUILDER, wrote('acceptance, dropped: "It works"')),
    refused("CD403", "all-dropped", running(**OLD), running(**{**OLD, "acceptance": ...}), BUILDER, wrote('acceptance, dropped: "It works", "It is tested"')),
    refused("CD403", "with-the-hand-in", running(), handed_in(title="x"), BUILDER, wrote("title")),
    refused("CD403", "with-a-claim", TODO, running(title="x"), BUILDER, wrote("title")),
    refused("CD403", "several-dropped", running(**{**OLD, "acceptance": list("abcdefg")}), running(**{**OLD, "acceptance": ["a"]}), BUILDER, wrote('acceptance, dropped: "b", "c", "d", "e", "f" and 1 more')),
    refused("CD403", "past-a-claim", block(acceptance=["It works"]), handed_in(acceptance=[]), BUILDER, wrote('acceptance, dropped: "It works"')),
    refused("CD403", "with-anothers-claim", block(owner=WRITER), running(title="x"), BUILDER, wrote("title")),
    refused("CD403", "labels-after-the-hand-in", handed_in(), handed_in(labels=["a"]), BUILDER, wrote("labels")),
    refused("CD403", "checklist-before-the-claim", block(owner=BUILDER), block(owner=BUILDER, checklist=["a"]), BUILDER, wrote("checklist")),
    refused("CD403", "unknown-field-after-the-hand-in", handed_in(effort="a"), handed_in(effort="b"), BUILDER, wrote("effort")),
    refused("CD403", "artifacts-shortened", running(artifacts=[{"path": "a"}]), running(artifacts=[]), BUILDER, wrote("artifacts")),
    refused("CD403", "notes-made-a-text", running(execution_notes=[note()]), running(execution_notes="x"), BUILDER, wrote("execution_notes")),
    refused("CD403", "two", running(), running(title="x", priority="low"), BUILDER, wrote("title"), wrote("priority")),
    accepted("CD403", "hand-in", running(**OLD), handed_in(**OLD), BUILDER),
    accepted("CD403", "closing", running(type="test"), handed_in(type="test", state="done", completed_at=at()), BUILDER),
    accepted("CD403", "claim", TODO, running(), BUILDER),
    accepted("CD403", "return", handed_in(claimed_at=at(-60)), handed_in(claimed_at=None, state="todo"), BUILDER),
    accepted("CD403", "work", running(**OLD), running(**{**OLD, "labels": ["a"], "checklist": ["a"], "effort": "big"}), BUILDER),
    accepted("CD403", "artifacts", running(artifacts=[]), running(artifacts=[{"path": "a"}]), BUILDER),
    accepted("CD403", "review-and-owner-are-other-rules", running(), running(owner=WRITER, human_review=review(BUILDER)), BUILDER),
    accepted("CD403", "null-was-not-there", running(), running(description=None), BUILDER),
    accepted("CD403", "a-human", running(**OLD), running(title="x", priority="low"), ALICE),
    accepted("CD403", "anothers-is-another-rule", OTHERS, running(owner=WRITER, title="x"), BUILDER),
    accepted("CD403", "born", (), TODO, BUILDER),
    accepted("CD403", "nobody", running(), running(title="x"), None),
)  # fmt: skip


def agent(what: str) -> str:
    return f"error: agent:builder {what}"


ANOTHERS: Final = (
    refused("CD404", "edited", OTHERS, running(owner=WRITER, title="x"), BUILDER, agent("changed FEAT-1; its owner is agent:writer")),
    refused("CD404", "unassigned", TODO, block(title="x"), BUILDER, agent("changed FEAT-1; its owner is unassigned")),
    refused("CD404", "a-humans", block(owner="human"), block(owner="human", title="x"), BUILDER, agent("changed FEAT-1; its owner is human")),
    refused("CD404", "only-spaces", OTHERS, OTHERS.replace("title: ", "title:  "), BUILDER, agent("changed FEAT-1; its owner is agent:writer")),
    refused("CD404", "moved", {"a.md": page(OTHERS)}, {"a.md": page(), "b.md": page(OTHERS)}, BUILDER, agent("changed FEAT-1; its owner is agent:writer")),
    refused("CD404", "claimed-though-assigned", block(owner=WRITER), running(), BUILDER, agent("changed FEAT-1; its owner is agent:writer")),
    refused("CD404", "given-away", running(), running(owner=WRITER), BUILDER, agent("wrote owner: agent:writer")),
    refused("CD404", "given-back", running(), running(owner="unassigned"), BUILDER, agent("wrote owner: unassigned")),
    refused("CD404", "claimed-for-another", TODO, running(owner=WRITER), BUILDER, agent("wrote owner: agent:writer")),
    refused("CD404", "unreadable-before", UNREADABLE, TODO, BUILDER, agent("changed FEAT-1, which could not be read before")),
    accepted("CD404", "its-own", running(), running(labels=["a"]), BUILDER),
    accepted("CD404", "claimed", TODO, running(), BUILDER),
    accepted("CD404", "claimed-where-the-owner-is-null", block(owner=None), running(), BUILDER),
    accepted("CD404", "unreadable-after", running(), running(title=...) + "  title: `a`\n", BUILDER),
    accepted("CD404", "born", (), TODO, BUILDER),
    accepted("CD404", "deleted-is-another-rule", OTHERS, (), BUILDER),
    accepted("CD404", "a-human", OTHERS, running(owner=WRITER, title="x"), ALICE),
    accepted("CD404", "nobody", OTHERS, running(owner=WRITER, title="x"), None),
)  # fmt: skip

AHEAD: Final = (
    *(
        refused("CD411", name, (), block(**{name: value}), BUILDER, agent(f"files FEAT-1 with {name}"))
        for name, value in (
            ("claimed_at", at()), ("completed_at", at()), ("execution_notes", [note()]), ("state_transitions", [CLAIM]),
            ("human_review", review(ALICE)), ("artifacts", [{"path": "a"}]), ("blocked_reason", "x"),
        )
    ),
    *(refused("CD411", state, (), block(state=state), BUILDER, agent(f"files FEAT-1 with state {state}")) for state in ("in_progress", "to_be_tested", "done", "blocked", "rejected")),
    *(refused("CD411", f"owner-{owner}", (), block(owner=owner), BUILDER, agent(f"files FEAT-1 with owner {owner}")) for owner in (WRITER, ALICE, "human")),
    refused("CD411", "several", TODO, (TODO, running("FEAT-2", owner=WRITER)), BUILDER, agent("files FEAT-2 with state in_progress, owner agent:writer, claimed_at, state_transitions")),
    refused("CD411", "without", (), block(state=..., owner=...), BUILDER, agent("files FEAT-1 with state None, owner None")),
    accepted("CD411", "unassigned", (), block(execution_notes=[], human_review=None), BUILDER),
    accepted("CD411", "its-own", (), block(owner=BUILDER), BUILDER),
    accepted("CD411", "a-human", (), running(), ALICE),
    accepted("CD411", "unreadable", (), UNREADABLE, BUILDER),
    accepted("CD411", "not-new", TODO, running(), BUILDER),
    accepted("CD411", "nobody", (), running(), None),
)  # fmt: skip

ARTIFACT: Final = [{"path": "src/a.py", "type": "code"}]
SHA: Final = "c" * 40


def finished(artifacts: object = ARTIFACT, **more: object) -> tuple[str, str]:
    return handed_in(artifacts=artifacts, **more), handed_in(artifacts=artifacts, state="done", **more)


def tree(*there: str, commit: str | None = None) -> object:
    wanted = None if commit is None else ObjectId(commit.encode())
    return lambda path, other: path in {t.encode() for t in there} and other == wanted


GONE: Final = "warning: artifact src/a.py is neither in this tree nor in the handed-in commit"
NAMED: Final = {"state_transitions": [CLAIM, {**HAND_IN, "provenance": {"commit_sha": SHA}}]}
ARTIFACTS: Final = (
    refused("CD413", "nowhere", *finished(), BUILDER, GONE),
    refused("CD413", "in-another-commit", *finished(**NAMED), ALICE, GONE, exists=tree("src/a.py", commit="d" * 40)),
    refused("CD413", "named-by-what-is-no-id", *finished(execution_notes=[note(provenance={"commit_sha": "HEAD"}), note(provenance=["x"]), note(provenance={"commit_sha": [SHA]})]), ALICE, GONE, exists=tree("src/a.py", commit=SHA)),
    refused("CD413", "one-of-two", *finished([*ARTIFACT, {"path": "src/b.py"}]), ALICE, GONE, exists=tree("src/b.py")),
    accepted("CD413", "in-the-tree", *finished(), BUILDER, exists=tree("src/a.py")),
    accepted("CD413", "in-the-handed-in-commit", *finished(**NAMED), BUILDER, exists=tree("src/a.py", commit=SHA)),
    accepted("CD413", "in-a-notes-commit", *finished(execution_notes=[note(provenance={"commit_sha": SHA})]), BUILDER, exists=tree("src/a.py", commit=SHA)),
    accepted("CD413", "no-path", *finished([{"type": "code"}, {"path": ""}, {"path": ["a"]}, "a"]), BUILDER),
    accepted("CD413", "none", *finished([]), BUILDER),
    accepted("CD413", "not-done", running(artifacts=ARTIFACT), handed_in(artifacts=ARTIFACT), BUILDER),
    accepted("CD413", "nobody", *finished(), None),
)  # fmt: skip


def anew(what: str) -> str:
    return agent(f"wrote {what} of FEAT-1 anew without changing it")


LISTED: Final = running(labels=["a", "b"])
IN_BRACKETS: Final = LISTED.replace('labels:\n    - "a"\n    - "b"\n', 'labels: ["a", "b"]\n')
FORM: Final = (
    refused("CD405", "text-around", running(), {"work.md": page(running(), text="# Other\n")}, BUILDER, agent("changed text outside tasks")),
    refused("CD405", "order", running(), running(labels=["a"]), BUILDER, agent("changed the order of tasks"), reordered=(WORK,)),
    refused("CD405", "anothers-moved-to-another-fence", OTHERS, OTHERS, BUILDER, agent("moved FEAT-1, which is not its own"), refenced=("FEAT-1",)),
    refused("CD405", "new-document", {"a.md": page(running())}, {"a.md": page(running()), "b.md": page()}, BUILDER, agent("added, removed or retyped b.md")),
    refused("CD405", "document-gone", {"a.md": page(running()), "b.md": page()}, {"a.md": page(running())}, BUILDER, agent("added, removed or retyped b.md")),
    refused("CD405", "document-retyped", running(), running(), BUILDER, agent("added, removed or retyped work.md"), touched=(WORK,)),
    refused("CD405", "blanks", running(), running().replace("title: ", "title:  "), BUILDER, anew("title")),
    refused("CD405", "quotes", running(), running().replace('"Login form"', "Login form"), BUILDER, anew("title")),
    refused("CD405", "list-as-flow", LISTED, LISTED.replace('labels:\n    - "a"\n    - "b"\n', "labels: [a, b]\n"), BUILDER, anew("labels")),
    refused("CD405", "list-as-flow-and-longer", LISTED, LISTED.replace('labels:\n    - "a"\n    - "b"\n', "labels: [a, b, c]\n"), BUILDER, anew("labels")),
    refused("CD405", "comment-taken-away", running() + "  # why\n", running(), BUILDER, anew("state_transitions")),
    refused("CD405", "order-of-fields", running(), block(owner=..., state=...) + running().partition("build\n")[2].replace('  title: "Login form"\n', ""), BUILDER, anew("the order of fields")),
    refused("CD405", "moved-while-running", {"a.md": page(running()), "b.md": page()}, {"a.md": page(), "b.md": page(running())}, BUILDER, agent("moved FEAT-1 to another document")),
    accepted("CD405", "archived-and-edited-is-another-rule", {"a.md": page(running(state="done")), "b.md": page()}, {"a.md": page(), "b.md": page(running(state="done", labels=["a"]))}, BUILDER),
    accepted("CD405", "archived", {"a.md": page(running(state="done")), "b.md": page()}, {"a.md": page(), "b.md": page(running(state="done"))}, BUILDER),
    accepted("CD405", "anothers-archived-is-another-rule", {"a.md": page(OTHERS), "b.md": page()}, {"a.md": page(), "b.md": page(OTHERS)}, BUILDER),
    accepted("CD405", "unreadable-moved-is-another-rule", {"a.md": page(UNREADABLE), "b.md": page()}, {"a.md": page(), "b.md": page(UNREADABLE)}, BUILDER),
    accepted("CD405", "its-own-moved-to-another-fence", running(state="done"), running(state="done"), BUILDER, refenced=("FEAT-1",)),
    accepted("CD405", "values-changed", running(), handed_in(labels=["a"]), BUILDER),
    accepted("CD405", "entry-added", running(execution_notes=[note("a")]), running(execution_notes=[note("a"), note("b")]), BUILDER),
    accepted("CD405", "entry-added-in-brackets", IN_BRACKETS, IN_BRACKETS.replace('"b"]', '"b", "c"]'), BUILDER),
    refused("CD405", "brackets-written-anew", IN_BRACKETS, IN_BRACKETS.replace('["a", "b"]', '["a","b", "c"]'), BUILDER, anew("labels")),
    refused("CD405", "comment-behind-brackets-taken-away", IN_BRACKETS.replace('"b"]', '"b"] # why'), IN_BRACKETS.replace('"b"]', '"b", "c"]'), BUILDER, anew("labels")),
    accepted("CD405", "field-added-and-taken-away", running(effort="a"), running(labels=["a"]), BUILDER),
    accepted("CD405", "blank-lines", running(), running().replace("  title", "\n  title"), BUILDER),
    accepted("CD405", "new-task-between", (running(), running("FEAT-3")), (running(), block("FEAT-2"), running("FEAT-3")), BUILDER),
    accepted("CD405", "unreadable", UNREADABLE, running(), BUILDER),
    accepted("CD405", "a-human", running(), {"work.md": page(running().replace("title: ", "title:  "), text="# Other\n")}, ALICE),
    accepted("CD405", "nobody", running(), {"work.md": page(running(), text="# Other\n")}, None),
)  # fmt: skip

CASES: Final = (*REVIEW, *NOTES, *INTENT, *ANOTHERS, *AHEAD, *ARTIFACTS, *FORM)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_row_of_the_table_holds(case: Case) -> None:
    check(case)


def test_a_refenced_task_that_nobody_finds_is_not_the_agents() -> None:
    view = commit_view(documents(running()), documents(running()), actor=BUILDER, refenced=("FEAT-9",))
    assert told("CD405", breaches("CD405", view)) == (agent("moved FEAT-9, which is not its own"),)


def test_a_task_on_one_side_only_was_not_reformatted() -> None:
    view = commit_view(documents(()), documents(TODO), actor=BUILDER)
    assert cd405.reformatted(view.changes[0]) is None


def test_a_breach_about_the_form_names_document_and_line() -> None:
    view = commit_view(documents(running()), documents(running().replace("title: ", "title:  ")), actor=BUILDER)
    (breach,) = breaches("CD405", view)
    assert (breach.path, breach.line, breach.task) == (WORK, 8, "FEAT-1")


# -- artifacts are not looked for without end


def test_only_the_newest_named_commits_are_looked_into() -> None:
    named = [note(provenance={"commit_sha": f"{n:040d}"}) for n in range(30)]
    before, after = finished(execution_notes=named)
    asked: list[ObjectId | None] = []

    def exists(_: RepoPath, other: ObjectId | None) -> bool:
        asked.append(other)
        return False

    view = commit_view(documents(before), documents(after), actor=ALICE, exists=exists)
    assert len(breaches("CD413", view)) == 1
    assert asked == [None, *(ObjectId(b"%040d" % n) for n in range(22, 30))]


# -- paths

SCOPED: Final = policy(
    config=codifica(
        scope=scope_globs(["src/**", "docs/**"], ["src/secret/**", "assets/FEAT-1/no/**"]), spec=RepoPath(b"spec.md")
    )
)


def leaves(*names: str) -> dict[str, object]:
    return dict.fromkeys(names, (None, FILE))


def outside(*names: str, actor: object = BUILDER, before: str | tuple[str, ...] = TODO, **fields: object) -> list[str]:
    first = {"under": SCOPED, "paths": leaves(*names)}
    view: CommitView = commit_view(documents(before), actor=actor, **{**first, **fields})  # type: ignore[arg-type]
    return [breach.path.decode() for breach in breaches("CD407", view) if breach.path]


@pytest.mark.parametrize("actor", [BUILDER, None])
def test_agents_and_nobody_stay_within_the_scope(actor: object) -> None:
    assert outside("README.md", "src/a.py", "src/secret/key", "docs/.hidden", "srcs/a.py", actor=actor) == [
        "README.md",
        "src/secret/key",
        "srcs/a.py",
    ]
    assert outside("src/a.py", actor=actor) == []
    assert outside(actor=actor) == []


def test_a_human_goes_everywhere() -> None:
    assert outside("README.md", "src/secret/key", actor=ALICE) == []


def test_both_names_of_a_rename_count() -> None:
    renamed = {"docs/a.md": (FILE, None), "a.md": (None, FILE)}
    assert outside(paths=renamed) == ["a.md"]
    assert outside(paths={"a.md": (FILE, None), "docs/a.md": (None, FILE)}) == ["a.md"]


def test_files_that_carry_trust_are_another_rules() -> None:
    assert outside("codifica.json", ".codifica/guard.json", "spec.md") == []


def test_a_merges_paths_are_judged_by_what_it_decided() -> None:
    assert outside("README.md", made=commit(ObjectId(b"1" * 40), ObjectId(b"2" * 40))) == []


def test_an_agents_own_assets_are_in_scope_unless_excluded() -> None:
    mine = "assets/FEAT-1/a.csv"
    assert outside(mine, before=running()) == []
    assert outside(mine, before=OTHERS) == [mine]
    assert outside(mine, before=TODO) == [mine]
    assert outside(mine, before=running(), actor=None) == [mine]
    assert outside("assets/FEAT-1/no/a", before=running()) == ["assets/FEAT-1/no/a"]
    assert outside("assets/FEAT-2/a", "assets/a", "assets/FEAT-1", before=running()) == [
        "assets/FEAT-1",
        "assets/FEAT-2/a",
        "assets/a",
    ]
    assert outside(mine, before=UNREADABLE) == [mine]
    assert outside(mine, before=(), after=documents(block(owner=BUILDER))) == []


def test_the_scope_is_told_and_people_learn_how_to_sign() -> None:
    def only(actor: object) -> object:
        (breach,) = breaches("CD407", commit_view({}, actor=actor, under=SCOPED, paths=leaves("README.md")))  # type: ignore[arg-type]
        return breach

    nobody, builder = only(None), only(BUILDER)
    assert nobody.found == "an unsigned commit changes a path outside the scope"  # type: ignore[attr-defined]
    assert nobody.expected.startswith("agents and unsigned commits may change src/** docs/**")  # type: ignore[attr-defined]
    assert nobody.do[2].startswith("or are you a person? git config gpg.format ssh")  # type: ignore[attr-defined]
    assert builder.found == "agent:builder changes a path outside the scope"  # type: ignore[attr-defined]
    assert len(builder.do) == 2  # type: ignore[attr-defined]


def test_of_many_paths_the_first_three_are_named() -> None:
    view = commit_view({}, actor=BUILDER, under=SCOPED, paths=leaves("a", "b", "c", "d", "e"))  # type: ignore[arg-type]
    texts = [breach.found for breach in breaches("CD407", view)]
    assert texts == ["agent:builder changes a path outside the scope"] * 2 + [
        "agent:builder changes a path outside the scope, and 2 more paths"
    ]


def test_a_step_of_another_kind_asks_for_no_time() -> None:
    """A field that only a closing asks for is intent where nothing is closed."""
    before, after = (
        handed_in(),
        handed_in(state="todo", completed_at=at(), state_transitions=[CLAIM, HAND_IN, step("to_be_tested", "todo")]),
    )
    view = commit_view(documents(before), documents(after), actor=BUILDER)
    assert told("CD403", breaches("CD403", view)) == (wrote("completed_at"),)
