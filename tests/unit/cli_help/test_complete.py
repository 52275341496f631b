"""What TAB gets to hear: the right values for each place, and never an error, a question or a change."""

import os
from pathlib import Path

import pytest

from codifica_guard.cli import complete as complete_module
from codifica_guard.cli.candidates import FILES, FOLDERS
from codifica_guard.cli.program import GLOBAL, GROUPS
from codifica_guard.packs.all import REGISTRY
from tests.building import Clone, Repo
from tests.building.inside import called, inside

STATES = ("todo", "in_progress", "to_be_tested", "done", "blocked", "rejected")


@pytest.fixture
def board(repo: Repo) -> Repo:
    """A task in each state; the builder's where it has an owner."""
    for state in STATES:
        repo.task(f"T-{state}", state, title=f"The one that is {state}")
    return repo.task("T-writer", "in_progress", "agent:writer").task("T-later", depends_on=["T-todo"])


def told(
    clone: Clone, *words: str, env: dict[str, str] | None = None, program: str = "codifica-guard"
) -> dict[str, str]:
    """Value to description, in order."""
    done = called(clone, "__complete", program, *words, env=env)
    assert (done.code, done.err) == (0, b"")
    rows = (line.partition("\t") for line in done.out.decode().splitlines())
    return {value: text for value, _, text in rows}


@pytest.mark.parametrize(
    ("who", "words", "ids"),
    [
        ("alice", ("claim",), "todo"),
        ("builder", ("claim",), "todo"),
        ("builder", ("key", "token"), "todo"),
        ("builder", ("note",), "in_progress to_be_tested"),
        ("builder", ("submit",), "in_progress"),
        ("builder", ("resume",), "in_progress"),
        ("builder", ("done",), "in_progress to_be_tested"),
        ("writer", ("submit",), "writer"),
        ("alice", ("approve",), "to_be_tested"),
        ("alice", ("return",), "to_be_tested"),
        ("alice", ("block",), "todo in_progress to_be_tested writer later"),
        ("alice", ("unblock",), "blocked"),
        ("alice", ("reject",), "todo in_progress blocked writer later"),
        ("alice", ("reopen",), "done rejected"),
        ("alice", ("reclaim",), "in_progress writer"),
        ("alice", ("assign",), "todo blocked later"),
        ("alice", ("edit",), "todo in_progress to_be_tested blocked writer later"),
        ("alice", ("archive",), "done rejected"),
        ("alice", ("show",), "todo in_progress to_be_tested done blocked rejected writer later"),
        ("alice", ("log",), "todo in_progress to_be_tested done blocked rejected writer later"),
        ("alice", ("new", "--depends-on"), "todo in_progress to_be_tested done blocked rejected writer later"),
        ("alice", ("claim", "--as", "agent:builder"), "todo"),
        ("alice", ("submit", "--as", "agent:writer"), "writer"),
        ("alice", ("submit", "--as=agent:writer"), "writer"),
        ("alice", ("show", "T-todo", "T-done"), "in_progress to_be_tested blocked rejected writer later"),
    ],
)
def test_a_command_gets_the_tasks_that_it_can_be_about(board: Repo, who: str, words: tuple[str, ...], ids: str) -> None:
    assert set(told(board.clone(who), *words, "")) == {f"T-{name}" for name in ids.split()}


def test_whose_key_is_not_known_here_gets_anybodys(board: Repo) -> None:
    clone = board.clone("alice")
    for env in ({"CODIFICA_SIGNING_KEY": "/nowhere"}, {"CODIFICA_SIGNING_KEY": "no key at all"}):
        assert set(told(clone, "submit", "", env=env)) == {"T-in_progress", "T-writer"}
        assert set(told(clone, "submit", "--as", "nobody at all", "", env=env)) == {"T-in_progress", "T-writer"}


def test_the_title_stands_beside_the_id_on_one_line_and_is_only_text(repo: Repo) -> None:
    clone = repo.task("T-1", title="$(touch pwned) a\tb\nc: `d`").clone("alice")
    assert told(clone, "show", "") == {"T-1": "$(touch pwned) a\\tb\\nc: `d`"}


def test_ids_that_a_shell_would_take_for_more_than_a_word_are_not_offered(repo: Repo) -> None:
    for name in (
        "$(touch pwned)",
        "`touch pwned`",
        "a;b",
        "a b",
        "-x",
        "--yes",
        "a'b",
        'a"b',
        "~root",
        "a*",
        "ä",
        "../x",
        ":files",
        "{a,b}",
        "a|b",
        "!1",
    ):
        repo.task(name)
    clone = repo.task("T-1").clone("alice")
    assert list(told(clone, "show", "")) == ["T-1"]


def test_branches_that_a_shell_would_take_for_more_than_a_word_are_not_offered(repo: Repo) -> None:
    clone = repo.task("T-1").clone("alice")
    for name in ("$(touch${IFS}pwned)", "a;b", "a'b", "`x`", "good/one"):
        clone.git("branch", name)
    clone.git("tag", "v1")
    clone.git("update-ref", "refs/tags/-x", "HEAD")
    assert list(told(clone, "payload", "")) == ["HEAD", "good/one", "main", "origin/main", "v1"]
    assert list(told(clone, "init", "--branch", "")) == ["good/one", "main"]
    assert set(told(clone, "sign", "main..")) >= {f"main..{name}" for name in ("HEAD", "good/one", "origin/main", "v1")}
    assert "HEAD" in told(clone, "check", "")
    assert list(told(clone, "check", "wo")) == [FILES]


def test_people_rules_types_schemas_and_settings_are_known(board: Repo) -> None:
    clone = board.rules(custom_types=["deploy"], allowed_agents=["agent:builder", "agent:helper"]).clone("alice")
    people = ["human:alice", "human:bob", "agent:builder", "agent:writer", "agent:helper"]
    assert list(told(clone, "claim", "--as", "")) == people
    assert list(told(clone, "claim", "--as=")) == [f"--as={name}" for name in people]
    assert list(told(clone, "assign", "T-todo", "")) == [*people, "unassigned"]
    assert list(told(clone, "reclaim", "T-1", "--for", "")) == people
    assert told(clone, "explain", "") == {rule.code: rule.name for rule in REGISTRY.all()}
    assert "deploy" in told(clone, "new", "--type", "")
    assert "claim" in told(clone, "schema", "")
    assert {"mode", "self_approval"} <= set(told(clone, "policy", "set", ""))
    assert list(told(clone, "note", "T-1", "--ask", "")) == ["block", "release", "change"]
    assert list(told(clone, "completion", "")) == ["bash", "zsh", "fish"]


@pytest.mark.parametrize(
    ("words", "answer"),
    [
        (("init", "--key", "x"), FILES),
        (("init", "--key=x"), FILES),
        (("submit", "T-1", "--artifact", ""), FILES),
        (("key", "add", "human:x", ""), FILES),
        (("key", "add", "human:x", "ssh-ed25519", ""), FILES),
        (("archive", "--to", ""), FILES),
        (("doctor", ""), FOLDERS),
        (("demo", "--keep", ""), FOLDERS),
        (("status", "-C", ""), FOLDERS),
        (("-C", ""), FOLDERS),
        (("-C", "x"), FOLDERS),
    ],
)
def test_files_and_folders_are_left_to_the_shell(repo: Repo, words: tuple[str, ...], answer: str) -> None:
    assert list(told(repo.task("T-1").clone("alice"), *words)) == [answer]


def test_commands_and_the_programs_own_options_come_first(tmp_path: Path) -> None:
    def lines(*words: str) -> list[str]:
        return inside(("__complete", *words), cwd=tmp_path, home=tmp_path).out.decode().splitlines()

    assert lines("codifica-guard", "") == [f"{name}\t{told}" for _, rows in GROUPS for name, told in rows]
    assert lines("codifica-guard", "-") == [f"{flag}\t{told}" for flag, told in GLOBAL]
    assert [line.split("\t")[0] for line in lines("git-codifica", "key", "")] == [
        "new",
        "add",
        "rotate",
        "revoke",
        "token",
        "list",
    ]
    assert any(line.startswith("--next\t") for line in lines("codifica-guard", "claim", "--"))
    # Where nothing is known of a value, what else may stand there is.
    assert any(line.startswith("--summary\t") for line in lines("codifica-guard", "note", "T-1", ""))
    assert any(line.startswith("--next\t") for line in lines("codifica-guard", "claim", ""))
    for nothing in (
        (),
        ("codifica-guard",),
        ("codifica-guard", "nonsense", ""),
        ("codifica-guard", "key", "nonsense", ""),
        ("codifica-guard", "-C", "/nowhere", "claim", ""),
    ):
        assert lines(*nothing) == []


def test_gits_own_options_stand_before_our_name(board: Repo, tmp_path: Path) -> None:
    clone = board.clone("alice")

    def ids(*words: str) -> set[str]:
        done = inside(("__complete", "git", *words), cwd=tmp_path, home=clone.home)
        assert (done.code, done.err) == (0, b"")
        return {line.split("\t")[0] for line in done.out.decode().splitlines()}

    inner = f"{clone.folder}/src"
    for words in (
        ("-C", str(clone.folder)),
        ("-C", str(clone.folder.parent), "-C", clone.folder.name),
        ("--no-pager", "-c", "a.b=c", "-C", f"'{inner}'"),
        ("--git-dir", f"{clone.folder}/.git"),
        (f"--git-dir={clone.folder}/.git", f"--work-tree={clone.folder}"),
    ):
        assert ids(*words, "codifica", "approve", "") == {"T-to_be_tested"}, words
    assert ids("-C", str(clone.folder), "status", "") == set()
    assert ids("codifica", "-C", str(clone.folder), "approve", "") == {"T-to_be_tested"}
    assert ids("codifica", "approve", "-C", str(clone.folder), "") == {"T-to_be_tested"}
    assert ids("-C") == ids("") == set()
    clone.home.joinpath("link").symlink_to(clone.folder)
    assert ids("-C", "~/link", "codifica", "approve", "") == {"T-to_be_tested"}


def test_it_tells_what_was_fetched_last_and_leaves_everything_as_it_is(board: Repo) -> None:
    clone, builder = board.clone("alice"), board.clone("builder")
    assert builder.guard("claim", "T-todo").code == 0  # it has a token now
    clone.fetch()
    board.clone("bob").add("T-new").commit("T-new: one more").push().accepted()
    folders = (clone.home, clone.folder, builder.home, builder.folder)
    before = _all_files(*folders)
    for words in (("claim", ""), ("show", ""), ("payload", ""), ("assign", "T-todo", ""), ("new", "--type", "")):
        for somebody in (clone, builder):
            assert "T-new" not in told(somebody, *words)
    assert "T-todo" in told(builder, "note", "")
    assert _all_files(*folders) == before
    clone.fetch()
    assert "T-new" in told(clone, "show", "")


def _all_files(*folders: Path) -> dict[str, tuple[int, bytes]]:
    found = (path for folder in folders for path in folder.rglob("*") if path.is_file())
    return {str(path): (path.stat().st_mtime_ns, path.read_bytes()) for path in found}


@pytest.mark.parametrize(
    "kind",
    [
        "nowhere",
        "plain folder",
        "no policy",
        "empty",
        "broken ref",
        "broken policy",
        "broken document",
        "several remotes",
    ],
)
def test_where_nothing_can_be_known_no_id_is_offered_and_nothing_is_said(repo: Repo, tmp_path: Path, kind: str) -> None:
    if kind == "no policy":
        repo.not_introduced()
    clone = repo.task("T-1").clone("alice")
    cwd = clone.folder
    if kind == "plain folder":
        cwd = tmp_path
    elif kind == "empty":
        clone.git("update-ref", "-d", "refs/remotes/origin/main")
        clone.git("update-ref", "-d", "HEAD")
    elif kind == "broken ref":
        (cwd / ".git/refs/remotes/origin/main").write_text("nonsense\n")
    elif kind == "broken policy":
        clone.write("codifica.json", "{").commit("broken", proof="git")
        clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    elif kind == "broken document":
        clone.write("work.md", "```yaml\n- id: T-1\n").commit("broken", proof="git")
        clone.git("update-ref", "refs/remotes/origin/main", "HEAD")
    elif kind == "several remotes":
        clone.git("remote", "rename", "origin", "one")
        clone.git("remote", "add", "two", "../nowhere")
    words = ("-C", "/nowhere") if kind == "nowhere" else ()
    done = inside(("__complete", "codifica-guard", *words, "show", "T"), cwd=cwd, home=clone.home)
    assert (done.code, done.out, done.err) == (0, b"", b"")


def test_what_would_last_is_given_up(board: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    clone = board.clone("alice")
    config = clone.folder / ".git" / "config"
    config.unlink()
    os.mkfifo(config)  # whoever reads it waits for ever
    monkeypatch.setattr(complete_module, "SECONDS", 0.2)
    assert told(clone, "show", "T") == {}


def test_a_screen_that_is_gone_is_no_error(repo: Repo) -> None:
    clone = repo.task("T-1").clone("alice")
    done = called(clone, "__complete", "codifica-guard", "show", "", env={"LC_ALL": "C"})
    assert (done.code, done.out) == (0, b"T-1\tTask T-1\n")


def test_a_task_that_stands_in_a_document_many_times_over_is_cut_at_a_limit(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codifica_guard.cli.candidates.MOST", 2)
    clone = repo.task("T-1").task("T-2").task("T-3").clone("alice")
    assert list(told(clone, "show", "")) == ["T-1", "T-2"]
