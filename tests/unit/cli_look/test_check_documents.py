"""`check` of state documents as they stand: files, commits, the index, with a policy and without."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.building import NewRepo, tasks
from tests.building.inside import inside
from tests.building.machine import run
from tests.unit.cli_simulate.tale import SETTINGS, Tale, build

pytestmark = pytest.mark.guard


@pytest.fixture
def tale(tmp_path: Path) -> Tale:
    """A repository without a guard."""
    return Tale(tmp_path)


def faults(tale: Tale, *argv: str) -> list[tuple[str, str | None, str]]:
    """Code, task and place of what is found."""
    return [
        (f["code"], f["task"], ":".join(str(f[key]) for key in ("path", "line", "column") if f[key] is not None))
        for f in tale.guard("check", "--json", "-q", *argv).json["findings"]
    ]


def test_every_fault_of_fourteen_tasks_is_named_with_line_and_column(tale: Tale) -> None:
    note = tasks.note(
        "agent:claude",
        "Run it:\n\n    ```sh\n    make\n    ```\n\nthen ~~~ and\n      ```yaml\n      - a: b\n      ```",
    )
    many = [build(f"SITE-{number}", "in_progress", execution_notes=[note]) for number in range(1, 15)]
    tale.begin(*many)
    assert tale.guard("check", "--tree").text == "ok, 1 document, 14 tasks"
    text = tale.read().split("\n")
    at = [n for n, line in enumerate(text) if line == "    - It works"][6]
    text[at] = "    - `It` works"
    tale.write("work.md", "\n".join(text))
    done = tale.guard("check", "work.md")
    assert done.code == 1
    assert done.text.startswith(f"work.md:{at + 1}:7: ST101 SITE-7: found character '`'")
    assert "    do: git codifica fix" in done.text
    assert done.text.endswith("1 error\nwhy: git codifica explain ST101\n1 document, 14 tasks")


def test_each_line_of_a_task_that_quotes_would_mend_is_told(tale: Tale) -> None:
    tale.begin(build("FEAT-1"))
    text = tale.read().replace("title: Task FEAT-1", "title: Fix: it").replace("- It works", "- `It` works")
    tale.write("work.md", text)
    assert [code for code, *_ in faults(tale, "--tree")] == ["ST101", "ST101"]
    assert len({place for *_, place in faults(tale, "--tree")}) == 2


def test_a_document_that_cannot_be_taken_apart_is_told_alone(tale: Tale) -> None:
    tale.begin(build("FEAT-1"))
    tale.write("work.md", tale.read() + "\n<<<<<<< ours\na\n=======\nb\n>>>>>>> theirs\n")
    found = faults(tale, "--tree")
    assert [code for code, *_ in found] == ["ST105"]


def test_rules_about_the_whole_are_held_against_what_lies_there(tale: Tale) -> None:
    tale.begin(
        build("FEAT-1", depends_on=["FEAT-2"]),
        build("FEAT-2", depends_on=["FEAT-1"]),
        build("FEAT-3", depends_on=["FEAT-9"]),
        build("FEAT-4", "in_progress"),
        build("FEAT-5", "in_progress"),
        build("FEAT-6", "in_progress", "unassigned"),
        build("FEAT-7", priority="soon"),
        build("feat-1"),
        build("FEAT-8", type="none"),
        state=["work.md", "more.md"],
        rules={"max_concurrent_tasks_per_agent": 1},
    )
    tale.tasks(build("FEAT-3"), path="more.md")
    found = faults(tale, "--tree")
    assert {(code, task) for code, task, _ in found} == {
        ("CD308", "FEAT-1"),
        ("CD103", "FEAT-1"),
        ("CD103", "feat-1"),
        ("CD306", "FEAT-3"),
        ("CD104", "FEAT-3"),
        ("CD305", "FEAT-4"),
        ("CD309", "FEAT-6"),
        ("CD102", "FEAT-7"),
        ("CD102", "FEAT-8"),
    }
    assert [place.partition(":")[0] for *_, place in found] == sorted(place.partition(":")[0] for *_, place in found)


def test_permissive_settings_and_warnings_refuse_nothing(tale: Tale) -> None:
    tale.begin(build("FEAT-1", priority="soon"), rules="permissive")
    done = tale.guard("check", "--tree")
    assert done.code == 0
    assert "warning CD102 FEAT-1: priority: soon" in done.text
    assert done.text.endswith("ok, 1 document, 1 task")
    tale.tasks().settings()
    assert [code for code, *_ in faults(tale, "--tree")] == ["ST111"]
    tale.tasks(build("FEAT-1", description="a\nstate: b\n"))
    assert [code for code, *_ in faults(tale, "--tree")] == ["ST110"]


def test_what_is_in_the_place_of_a_document_is_told(tale: Tale) -> None:
    tale.begin(build("FEAT-1"), state=["work.md", "more.md", "folder.md", "none.md"])
    (tale.folder / "more.md").symlink_to("work.md")
    (tale.folder / "folder.md").mkdir()
    assert [(code, place) for code, _, place in faults(tale, "--tree")] == [
        ("ST106", "folder.md"),
        ("ST106", "more.md"),
    ]


def test_more_documents_than_may_be_are_not_read(tale: Tale) -> None:
    tale.settings(state="work/*.md")
    for number in range(1001):
        tale.write(f"work/{number}.md", "")
    done = tale.guard("check", "--tree")
    assert (done.code, "more than 1000 state documents" in done.said) == (3, True)


def test_a_document_past_the_limit_is_told(tale: Tale) -> None:
    tale.begin(build("FEAT-1"))
    tale.write("work.md", "x" * (8 * 1024 * 1024 + 1))
    assert [code for code, *_ in faults(tale, "--tree")] == ["ST107"]


@pytest.mark.parametrize(("text", "code"), [("{", "CD110"), ("{}", "CD110"), (" " * 1_100_000, "CD110")])
def test_settings_that_cannot_be_taken_are_told_even_where_a_path_is_named(tale: Tale, text: str, code: str) -> None:
    tale.begin(build("FEAT-1")).write("codifica.json", text)
    assert {found for found, *_ in faults(tale, "work.md")} == {code}


def test_settings_that_name_no_document_are_told(tale: Tale) -> None:
    tale.begin(build("FEAT-1")).settings(state="*.txt", color="red")
    assert {(code, place) for code, _, place in faults(tale, "--tree")} == {
        ("ST111", "codifica.json"),
        ("CD110", "codifica.json"),
    }


def test_wildcards_find_what_git_does_not_know_yet_and_pass_over_what_it_ignores(tale: Tale) -> None:
    tale.settings(state="work/**/*.md").tasks(build("FEAT-1"), path="work/a.md").commit("Start")
    tale.tasks(build("FEAT-2"), path="work/new/b.md").tasks(build("FEAT-1"), path="work/out.md").write(
        ".gitignore", "out.md\n"
    )
    data = tale.guard("check", "--tree", "--json").json["data"]
    assert (data["documents"], data["tasks"], data["range"]) == (2, 2, "--tree")
    (tale.folder / "work/a.md").unlink()
    assert tale.guard("check", "--tree", "--json").json["data"]["documents"] == 1


def test_paths_choose_documents_from_wherever_one_stands(tale: Tale) -> None:
    tale.settings(state=["work/a.md", "work/b.md"])
    tale.tasks(build("FEAT-1", priority="x"), path="work/a.md").tasks(
        build("FEAT-2", priority="x"), path="work/b.md"
    ).commit("Start")
    inner = tale.folder / "work"

    def here(*argv: str) -> Any:
        return [f["task"] for f in inside(["check", "--json", *argv], cwd=inner, home=tale.home).json["findings"]]

    assert here("a.md") == ["FEAT-1"]
    assert here("--tree", "../work/b.md", "a.md") == ["FEAT-1", "FEAT-2"]
    assert here("--tree", ".") == here("--tree", str(tale.folder)) == here("../work") == ["FEAT-1", "FEAT-2"]
    assert here("--tree", "b.md") == ["FEAT-2"]


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["spec.md"], "spec.md is no state document by codifica.json; those are: work.md"),
        (["--tree", "nowhere.md"], "nowhere.md is no state document"),
        (["nowhere.md"], "nowhere.md names no commit here"),
        (["work.md", "nowhere.md"], "one range or commit at a time"),
        (["--tree", "--staged"], "one of --staged, --tree and --merge at a time"),
        (["--tree", "--merge", "x"], "one of --staged, --tree and --merge at a time"),
        (["--merge", "x", "work.md"], "--merge names the branch itself"),
        (["--tree", "--branch", "main"], "files are on no branch"),
        (["--staged", "work.md"], "--staged is about the index"),
    ],
)
def test_a_wrong_call_ends_with_two(tale: Tale, argv: list[str], says: str) -> None:
    done = tale.write("spec.md", "x\n").begin(build("FEAT-1")).guard("check", *argv)
    assert done.code == 2, done.said
    assert says in done.said


def test_without_codifica_json_there_are_no_documents(tale: Tale) -> None:
    tale.write("a", "a\n").commit("Start")
    done = tale.guard("check", "--tree")
    assert (done.code, "no codifica.json in this work tree" in done.said) == (2, True)
    assert (
        tale.guard("check").text == "idle: this repository has no policy, so pushes pass untouched (git codifica init)"
    )
    (tale.folder / "codifica.json").symlink_to("a")
    assert tale.guard("check", "--tree").code == 2


@pytest.mark.parametrize("argv", [[], ["--staged"], ["HEAD"], ["HEAD~1..HEAD"], ["HEAD~1.."]])
def test_without_a_policy_documents_are_read_and_commits_are_not_judged(tale: Tale, argv: list[str]) -> None:
    tale.begin(build("FEAT-1"))
    tale.edit("FEAT-1", state="done", title="`x").replace('"`x"', "`x").commit("Never")
    done = tale.guard("check", *argv)
    assert done.code == 1
    assert done.text.startswith("idle: this repository has no policy")
    assert "ST101 FEAT-1" in done.text
    assert tale.guard("check", "HEAD~1").code == 0


def test_an_unborn_branch_is_idle_too(tale: Tale) -> None:
    assert tale.guard("check").text.startswith("idle: ")


def test_a_bare_repository_has_commits_and_no_files(tale: Tale, tmp_path: Path) -> None:
    tale.begin(build("FEAT-1", priority="x"))
    bare = tmp_path / "bare.git"
    run(["git", "clone", "-q", "--bare", "--template=", tale.folder, bare], cwd=tmp_path, home=tale.home)
    done = inside(["check", "--json"], cwd=bare, home=tale.home)
    assert [f["code"] for f in done.json["findings"]] == ["CD102"]
    assert done.json["data"]["idle"] is True
    tree = inside(["check", "--tree"], cwd=bare, home=tale.home)
    assert tree.code == 2
    (bare / "codifica.json").write_text(json.dumps(SETTINGS))
    tree = inside(["check", "--tree"], cwd=bare, home=tale.home)
    assert (tree.code, "a bare repository has no files to look at" in tree.said) == (3, True)


def test_the_policys_own_files_are_checked_where_they_lie(new_repo: NewRepo) -> None:
    alice = new_repo().task("FEAT-1").clone("alice")
    assert alice.guard("check", "--tree").text == "ok, 1 document, 1 task"
    alice.write(".codifica/allowed_signers", "nonsense\n")
    done = alice.guard("check", "--tree")
    assert done.code == 1
    assert ".codifica/allowed_signers:1: ID109" in done.text
    guard = json.loads(alice.read(".codifica/guard.json"))
    alice.write(".codifica/guard.json", json.dumps({**guard, "color": "red"}))
    assert ".codifica/guard.json: warning ID109: color" in alice.guard("check", "--tree").text
    assert alice.guard("check").text == "ok, 0 commits"
