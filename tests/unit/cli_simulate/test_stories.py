"""What `simulate` says to histories of repositories that never had a guard."""

import pytest

from tests.building import tasks
from tests.building.times import at
from tests.unit.cli_simulate.tale import Tale, build

pytestmark = pytest.mark.guard


def codes(tale: Tale, subject: str, *argv: str) -> set[tuple[str, str | None]]:
    """The rules that a commit would have broken, and the tasks."""
    return {(code, task) for code, task, found in tale.found(*argv) if found == subject}


def claimed(tale: Tale, ident: str) -> Tale:
    tale.claim(ident, when=tale.now()).commit(f"{ident}: claim")
    return tale


def test_a_history_by_the_book_would_have_been_let_in(tale: Tale) -> None:
    tale.begin(build("FEAT-1"), build("FEAT-2"))
    claimed(tale, "FEAT-1").write("src/a.py", "a\n").commit("FEAT-1: code")
    tale.hand_in("FEAT-1").commit("FEAT-1: hand in", when=1)
    tale.by("human:davide").approve("FEAT-1").commit("FEAT-1: approve", when=2)
    done = tale.guard("simulate")
    assert done.code == 0, done.said
    assert "nothing would have been refused" in done.text
    assert "Identities are as claimed, nothing is proven" in done.text
    assert tale.told()["judged"] == 4


def test_criteria_that_vanish_on_the_way_to_done_are_named(tale: Tale) -> None:
    tale.begin(
        build("FEAT-1", "in_progress"), build("FEAT-2", "in_progress"), build("FEAT-3", "in_progress", type="test")
    )
    tale.hand_in("FEAT-1", acceptance=["It works"]).commit("FEAT-1: hand in", when=1)
    tale.hand_in("FEAT-3", target="done", acceptance=["It is tested"]).commit("FEAT-3: done", when=2)
    assert codes(tale, "FEAT-1: hand in") == {("CD403", "FEAT-1")}
    assert codes(tale, "FEAT-3: done") == {("CD403", "FEAT-3")}
    text = tale.guard("simulate").text
    assert 'agent:claude changed acceptance, dropped: "It is tested"' in text
    assert 'agent:claude changed acceptance, dropped: "It works"' in text


def test_a_build_task_that_goes_from_todo_to_done_is_named_with_what_else_that_does(tale: Tale) -> None:
    tale.begin(build("FEAT-1"), build("FEAT-2", owner="agent:claude"))
    tale.move("FEAT-1", "done", owner="agent:claude", when=tale.now()).commit("FEAT-1: done")
    tale.move("FEAT-2", "done", acceptance=["It works"], when=tale.now()).commit("FEAT-2: done")
    assert codes(tale, "FEAT-1: done") == {("CD201", "FEAT-1"), ("CD209", "FEAT-1"), ("CD404", "FEAT-1")}
    assert codes(tale, "FEAT-2: done") == {("CD201", "FEAT-2"), ("CD209", "FEAT-2"), ("CD403", "FEAT-2")}
    rows = tale.told()["findings"]
    assert [row["code"] for row in rows if row["first"]] == ["CD201", "CD201"]
    assert "\n  also CD403  FEAT-2" in tale.guard("simulate").text


def test_an_agent_that_approves_itself_is_named_whatever_the_policy_would_say(tale: Tale) -> None:
    tale.begin(build("FEAT-1", "to_be_tested"), build("FEAT-2", "to_be_tested"))
    tale.close("FEAT-1").commit("FEAT-1: done", when=1)
    tale.by("human:davide").approve("FEAT-2").commit("FEAT-2: done", when=2)
    assert tale.found() == [("CD213", "FEAT-1", "FEAT-1: done")]


def test_a_claim_in_two_commits_is_named_twice(tale: Tale) -> None:
    tale.begin(build("FEAT-1"))
    tale.edit("FEAT-1", state="in_progress").commit("FEAT-1: begin", author="Claude <c@example.org>")
    tale.edit("FEAT-1", owner="agent:claude").commit("FEAT-1: mine", author="Claude <c@example.org>")
    assert ("CD301", "FEAT-1") in codes(tale, "FEAT-1: begin")
    assert ("CD404", "FEAT-1") in codes(tale, "FEAT-1: mine")
    assert {row["actor"] for row in tale.told()["findings"]} == {"agent:claude"}


def test_a_task_that_vanishes_is_named_whoever_it_was(tale: Tale) -> None:
    tale.begin(build("FEAT-1", "in_progress"), build("FEAT-2", "in_progress"), build("FEAT-3"))
    tale.drop("FEAT-1").commit("FEAT-1 goes")
    tale.drop("FEAT-2").commit("FEAT-2 goes", author="Claude <c@example.org>")
    assert tale.found() == [("CD105", "FEAT-1", "FEAT-1 goes"), ("CD409", "FEAT-2", "FEAT-2 goes")]


def test_a_task_moved_by_another_than_its_owner_is_named(tale: Tale) -> None:
    tale.begin(build("FEAT-1", "in_progress"), build("FEAT-2", "in_progress"))
    tale.by("agent:codex").hand_in("FEAT-1").commit("FEAT-1: hand in", when=1)
    assert ("CD203", "FEAT-1") in codes(tale, "FEAT-1: hand in")
    assert tale.told()["actors"][0]["name"] == "agent:codex"


def test_a_note_that_is_shortened_is_named(tale: Tale) -> None:
    long = tasks.note("agent:claude", "A long story", summary="Long", when=at(-300))
    tale.begin(build("FEAT-1", "in_progress", execution_notes=[long]))
    tale.edit("FEAT-1", execution_notes=[{**long, "note": "A story"}]).commit("FEAT-1: shorter")
    assert tale.found() == [(code, "FEAT-1", "FEAT-1: shorter") for code in ("CD208", "CD403")]


def test_criteria_that_vanish_under_the_name_of_whoever_started_the_agent_are_named(tale: Tale) -> None:
    tale.begin(build("FEAT-1", "in_progress", acceptance=["It works", "It is tested"]))
    tale.edit("FEAT-1", acceptance=["It works"]).commit("FEAT-1: on the way", author="Some Dev <dev@example.com>")
    assert tale.found() == [("CD403", "FEAT-1", "FEAT-1: on the way")]


def test_a_task_that_cannot_be_read_is_told_once_and_not_guessed_at(tale: Tale) -> None:
    tale.begin(build("FEAT-1", "in_progress"), build("FEAT-2"))
    tale.replace("title: Task FEAT-1", "title: `Task` FEAT-1").commit("FEAT-1: ticks")
    tale.replace("title: `Task` FEAT-1", "title: `Task` of FEAT-1").commit("FEAT-1: more ticks")
    claimed(tale, "FEAT-2")
    text = (
        tale.read()
        .replace("`Task` of", '"`Task` of')
        .replace("of FEAT-1\n", 'of FEAT-1"\n')
        .replace("state: in_progress", "state: done", 1)
    )
    tale.write("work.md", text).commit("FEAT-1: quotes")
    assert tale.found() == [("ST101", "FEAT-1", "FEAT-1: ticks")]
    data = tale.told()
    assert data["unknown"] == [{"name": "FEAT-1", "findings": 2}]
    assert (data["findings"][0]["line"], data["findings"][0]["column"]) == (12, 10)
    assert "not judged: 2 changes of FEAT-1 while it could not be read" in tale.guard("simulate").text


def test_a_document_that_cannot_be_taken_apart_is_told_once_and_so_is_its_end(tale: Tale) -> None:
    tale.begin(build("FEAT-1", "in_progress"), build("FEAT-2", "done"))
    whole = tale.read()
    tale.write("work.md", whole.replace("## Notes", "```yaml\n- id: open")).commit(
        "Break", author="Claude <c@example.org>"
    )
    tale.write("work.md", tale.read() + "\nmore\n").commit("Go on", author="Claude <c@example.org>")
    tale.write("work.md", whole.replace("title: Task FEAT-1", "title: Another")).commit(
        "Mend", author="Claude <c@example.org>"
    )
    assert [(code, subject) for code, _, subject in tale.found()] == [("ST104", "Break")]
    assert tale.told()["unknown"] == [{"name": "work.md", "findings": 2}]


def test_two_people_in_one_commit_each_answer_for_their_own_task(tale: Tale) -> None:
    tale.begin(build("FEAT-1", "to_be_tested"), build("FEAT-2", "to_be_tested", "agent:codex"))
    tale.close("FEAT-1").by("agent:codex").close("FEAT-2").commit("FEAT-1, FEAT-2: done", when=1)
    rows = tale.told()["findings"]
    assert [(r["code"], r["task"], r["actor"]) for r in rows if r["code"] == "CD213"] == [
        ("CD213", "FEAT-1", "agent:claude"),
        ("CD213", "FEAT-2", "agent:codex"),
    ]


def test_a_merge_that_chooses_between_two_histories_is_judged_by_who_made_it(tale: Tale) -> None:
    tale.begin(build("FEAT-1"), build("FEAT-2"))
    tale.git("branch", "side")
    claimed(tale, "FEAT-1")
    ours = tale.read()
    tale.git("checkout", "-q", "side")
    claimed(tale.by("agent:codex"), "FEAT-1")
    tale.git("checkout", "-q", "main")
    tale.write("work.md", ours).commit("Merge side", author="Claude <c@example.org>", merges=["side"])
    assert codes(tale, "Merge side") == {("CD502", "FEAT-1")}
    assert ("CD303", "FEAT-1") in codes(tale, "FEAT-1: claim")


def test_what_permissive_settings_let_in_is_told_and_refuses_nothing(tale: Tale) -> None:
    tale.begin(build("FEAT-1", "to_be_tested"), rules="permissive")
    tale.close("FEAT-1").commit("FEAT-1: done", when=1)
    done = tale.guard("simulate")
    assert done.code == 0
    assert "told, and let in: CD213 1" in done.text


def test_a_migration_is_any_humans(tale: Tale) -> None:
    tale.begin(build("FEAT-1", "done"))
    tale.edit("FEAT-1", state_transitions=[]).commit("FEAT-1: anew\n\nCodifica-Migrate: old entries were invented")
    tale.edit("FEAT-1", execution_notes=[]).commit("FEAT-1: less")
    assert tale.found() == [("CD208", "FEAT-1", "FEAT-1: less")]


def test_documents_behind_wildcards_are_followed_as_they_come_and_go(tale: Tale) -> None:
    tale.settings(state="work/**/*.md").tasks(build("FEAT-1"), path="work/a.md").commit("Start")
    tale.write("README.md", "x\n").commit("Code")
    tale.tasks(build("FEAT-2", "to_be_tested"), path="work/deep/b.md").commit("FEAT-2: new")
    tale.close("FEAT-2").commit("FEAT-2: done", when=1)
    tale.write("work/a.md", None).commit("FEAT-1 goes")
    found = tale.found()
    assert ("CD213", "FEAT-2", "FEAT-2: done") in found
    assert [code for code, _, subject in found if subject == "FEAT-1 goes"] == []
    tale.git(
        "revert",
        "--no-edit",
        "HEAD",
        env={"GIT_AUTHOR_NAME": "C", "GIT_AUTHOR_EMAIL": "c", "GIT_COMMITTER_NAME": "C", "GIT_COMMITTER_EMAIL": "c"},
    )
    assert tale.told()["judged"] == 5


def test_a_document_that_comes_broken_is_told_once_and_so_are_settings_that_stay_broken(tale: Tale) -> None:
    tale.begin(build("FEAT-1"), state=["work.md", "more.md"], rules={"allowed_agents": ["codex"]})
    tale.write("more.md", "```yaml\n- id: FEAT-2\n").commit("More", author="Codex <c@example.org>")
    tale.write("more.md", "```yaml\n- id: FEAT-2\n  type: build\n").commit("More again", author="Codex <c@example.org>")
    assert [(code, subject) for code, _, subject in tale.found()] == [("ST104", "More")]
    tale.write("codifica.json", "{").commit("Broken").write("codifica.json", "{ ").commit("Broken still")
    assert [subject for code, _, subject in tale.found() if code == "CD110"] == ["Broken"]


def test_a_warning_about_settings_is_not_told_again_while_it_stands(tale: Tale) -> None:
    tale.begin(build("FEAT-1"))
    tale.settings(color="red").commit("Red").settings(color="blue").commit("Blue")
    rows = [row for row in tale.told()["findings"] if row["code"] == "CD110"]
    assert [(row["severity"], row["commit"]) for row in rows] == [("warning", tale.head("HEAD~1"))]


def test_nobody_is_blamed_for_tasks_that_stand_in_a_document_that_cannot_be_read(tale: Tale) -> None:
    tale.tasks(build("FEAT-2", "done"), path="more.md")
    tale.begin(
        build("FEAT-1", depends_on=["FEAT-2"]), build("FEAT-3", depends_on=["FEAT-2"]), state=["work.md", "more.md"]
    )
    tale.write("more.md", tale.read("more.md").replace("```\n", "")).commit("Break")
    tale.claim("FEAT-1", when=tale.now()).commit("FEAT-1: claim")
    tale.write("more.md", None).commit("FEAT-2 goes")
    tale.claim("FEAT-3", when=tale.now()).commit("FEAT-3: claim")
    found = tale.found()
    assert [row for row in found if row[2] == "FEAT-1: claim"] == []
    assert [row for row in found if row[2] == "FEAT-3: claim"] == [("CD306", "FEAT-3", "FEAT-3: claim")]


def test_long_lists_are_cut_and_say_so(tale: Tale) -> None:
    names = [f"FEAT-{number}" for number in range(12)]
    tale.begin(*(build(name, "in_progress") for name in names))
    tale.write("work.md", tale.read().replace("title: Task", "title: `Task")).commit("Ticks")
    tale.write("work.md", tale.read().replace("title: `Task", "title: ``Task")).commit("More ticks")
    assert "not judged: changes of 2 more that could not be read, all of them: --json" in tale.guard("simulate").text
