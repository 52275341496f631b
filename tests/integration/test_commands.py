"""The commands of people and agents, run in their clones."""

import json
import re

import pytest

from tests.building import Repo

pytestmark = pytest.mark.guard

FAMILIES = {
    "ST": (*range(101, 109), *range(110, 113)),
    "CD": (
        *range(101, 111),
        *range(201, 214),
        *range(301, 313),
        314,
        *range(401, 406),
        407,
        409,
        411,
        413,
        501,
        502,
        503,
    ),
    "ID": range(101, 115),
    "GT": range(101, 107),
    "GD": (101, 102),
}
"""The rules that may refuse or warn at the door."""


def test_the_list_of_rules_holds_every_code(repo: Repo) -> None:
    listed = set(re.findall(r"^([A-Z]{2}\d{3}) ", repo.clone("alice").guard("explain").text, re.MULTILINE))
    assert {f"{family}{number}" for family, numbers in FAMILIES.items() for number in numbers} - listed == set()


@pytest.mark.parametrize("code", ["ST101", "CD303", "ID107", "ID112", "GT105", "GD101"])
def test_a_code_is_explained(repo: Repo, code: str) -> None:
    done = repo.clone("alice").guard("explain", code)
    assert done.code == 0
    for word in (code, "Why", "Refused", "Accepted"):
        assert word.lower() in done.text.lower()


def test_a_code_that_is_none_is_wrong_usage(repo: Repo) -> None:
    assert repo.clone("alice").guard("explain", "CD999").code == 2


@pytest.mark.parametrize("word", ["close", "frobnicate", "--nope", ""])
def test_an_unknown_command_is_wrong_usage(repo: Repo, word: str) -> None:
    done = repo.clone("alice").guard(word)
    assert done.code == 2
    assert "Traceback" not in done.said


def test_whoami_says_who_a_key_is(repo: Repo) -> None:
    done = repo.clone("builder").guard("whoami")
    assert done.code == 0
    assert "agent:builder" in done.said
    assert "SHA256:" in done.said


def test_whoami_tells_a_stranger_what_to_ask_for(repo: Repo) -> None:
    done = repo.clone("stranger").guard("whoami")
    assert "key add" in done.said
    assert "human:alice" in done.said
    assert repo.keys.line("stranger") in done.said


def test_payload_prints_the_bytes_that_the_grammar_says(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").task("FEAT-2").clone("builder")
    builder.note("FEAT-1").write("src/né w.py", "x = 1\n").write("src/app.py", None).commit("FEAT-1: note")
    done = builder.guard("payload", "HEAD")
    assert done.code == 0, done.said
    assert done.out == builder.payload("HEAD^{tree}", ["HEAD^"], "agent:builder")


@pytest.mark.parametrize("act", ["prose", "order", "trust", "archive", "mode", "birth", "first", "deletion", "rename"])
def test_payload_knows_every_kind_of_fact(repo: Repo, act: str) -> None:
    repo.settings(state="work/*.md").task("FEAT-1", "done", document="work/a.md").task(
        "FEAT-2", document="work/a.md"
    ).task("FEAT-3", document="work/b.md")
    alice = repo.clone("alice")
    path, parents = "work/a.md", "HEAD^"
    if act == "prose":
        alice.replace("The tasks of the shop.", "More tasks.", path)
    elif act == "order":
        alice.rewrite(lambda board: board.add(board.take("FEAT-1")), path)
    elif act == "trust":
        alice.write("codifica-spec.md", "# Another way\n").write(".codifica/note", "x\n")
    elif act == "archive":
        moved: list[str] = []
        alice.rewrite(lambda board: moved.append(board.take("FEAT-1")), path).rewrite(
            lambda board: board.add(moved[0]), "work/b.md"
        )
    elif act == "mode":
        (alice.folder / path).chmod(0o755)
    elif act == "birth":
        alice.write(
            "work/c.md",
            "# New\n\n```yaml\n- id: FEAT-9\n  type: test\n  state: todo\n  owner: unassigned\n  title: New\n```\n",
        )
    elif act == "deletion":
        alice.write(path, None)
    elif act == "rename":
        alice.git("mv", path, "work/z.md")
        alice.git("mv", "src/app.py", "src/shop.py")
    if act != "first":
        alice.commit(f"FEAT-1: {act}")
    done = alice.guard("payload", "HEAD")
    assert done.code == 0, done.said
    assert done.out == alice.payload("HEAD^{tree}", [parents], "human:alice")


def test_payload_of_a_merge_joins_the_parents(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1").task("FEAT-2").task("FEAT-3").clone("alice"), repo.clone("bob")
    alice.edit("FEAT-1", priority="low").commit("FEAT-1: priority").push().accepted()
    bob.edit("FEAT-3", priority="high").write("src/b.py", "b = 1\n").commit("FEAT-3: priority").fetch().merge(
        "origin/main", proof="git"
    )
    done = bob.guard("payload", "HEAD")
    assert done.code == 0, done.said
    assert done.out == bob.payload("HEAD^{tree}", ["HEAD^1", "HEAD^2"], "human:bob")


def test_check_foretells_the_verdict_of_the_push(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.code("fine", proof="git")
    assert builder.guard("check", "origin/main..HEAD").code == 0
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    done = builder.guard("check", "origin/main..HEAD")
    assert done.code == 1
    assert "ID106" in done.said


def test_check_speaks_json(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none")
    done = builder.guard("check", "--json", "origin/main..HEAD")
    answer = done.json
    assert (answer["ok"], answer["exit"]) == (False, 1)
    assert [finding["code"] for finding in answer["findings"]] == ["ID106"]
    assert answer["findings"][0]["task"] == "FEAT-1"


def test_sign_puts_trailers_on_an_unsigned_commit(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    done = builder.guard("sign", "HEAD")
    assert done.code == 0, done.said
    assert "Codifica-Actor: agent:builder" in builder.git("log", "-1", "--format=%B")
    builder.push().accepted()


def test_sign_renews_what_died(repo: Repo) -> None:
    alice, builder = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("builder")
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    builder.note("FEAT-1", "One more").commit("FEAT-1: note").push().accepted()
    alice.fetch().git("rebase", "-q", "origin/main")
    assert "One more" in alice.read()
    dead = alice.head()
    assert alice.guard("check", "origin/main..HEAD").code == 1
    assert alice.guard("sign", "HEAD").code == 0
    assert alice.head() != dead
    alice.push().accepted()


def test_case_39_sign_does_not_put_a_humans_name_on_another_hands_act(repo: Repo) -> None:
    builder, alice = repo.task("FEAT-1", "to_be_tested").clone("builder"), repo.clone("alice")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none", when=-5).push("HEAD:topic").accepted()
    alice.fetch().git("cherry-pick", "origin/topic")
    done = alice.guard("sign", "HEAD")
    assert done.code == 1
    assert "ID112" in done.said
    assert "Codifica-Actor" not in alice.git("log", "-1", "--format=%B")


def test_init_introduces_the_guard_and_its_push_is_accepted(repo: Repo) -> None:
    alice = repo.not_introduced().task("FEAT-1").clone("alice")
    public = repo.keys.public("alice")
    done = alice.guard("init", "--yes", "--as", "human:alice", "--key", public, "--agent", "builder")
    assert done.code == 0, done.said
    alice.push().accepted()
    assert alice.guard("whoami").text.count("human:alice") >= 1
    again = alice.guard("init", "--yes", "--as", "human:alice", "--key", public)
    assert again.code == 1
    assert "already introduced" in again.said


def test_init_writes_a_protocol_where_there_is_none(repo: Repo) -> None:
    alice = repo.without_protocol().clone("alice")
    done = alice.guard("init", "--yes", "--as", "human:alice", "--key", repo.keys.public("alice"))
    assert done.code == 0, done.said
    assert json.loads(alice.read("codifica.json"))["protocol"] == "codifica"
    alice.push().accepted(perhaps={"ST111"})


def test_a_key_is_added_by_one_command(repo: Repo) -> None:
    alice, carol = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("carol")
    done = alice.guard("key", "add", "human:carol", repo.keys.line("carol"), "--yes")
    assert done.code == 0, done.said
    carol.pull().approve("FEAT-1").commit("FEAT-1: approve").push().accepted()
    assert "human:carol" in alice.guard("key", "list").said


def test_the_commit_hook_of_a_clone_signs(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    done = builder.guard("install", builder.folder)
    assert done.code == 0, done.said
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    assert re.search(r"^Codifica-Actor: agent:builder$", builder.git("log", "-1", "--format=%B"), re.MULTILINE)
    builder.push().accepted()


def test_the_commit_hook_leaves_code_alone(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("install", builder.folder).code == 0
    builder.code("code")
    assert "Codifica" not in builder.git("log", "-1", "--format=%B")


def test_a_clone_without_the_protocol_notices_nothing_of_the_hooks(repo: Repo) -> None:
    builder = repo.without_protocol().clone("builder")
    assert builder.guard("install", builder.folder).code == 0
    builder.write("x", "y\n").git("add", "-A")
    done = builder.try_git("commit", "-q", "-m", "code")
    assert (done.code, done.said) == (0, "")


def test_the_push_hook_of_a_clone_stops_what_would_be_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    assert builder.guard("install", builder.folder).code == 0
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none", options=["--no-verify"])
    done = builder.try_git("push", "origin", "HEAD:main")
    assert done.code != 0
    assert "ID106" in done.said
    assert "remote:" not in done.said


def test_the_demo_runs_to_its_end(repo: Repo) -> None:
    done = repo.found().guard("demo", "--fast")
    assert done.code == 0, done.said
    assert "refused" in done.said


@pytest.mark.parametrize("way", ["amend", "rebase"])
def test_the_hooks_of_a_clone_sign_again_after_a_rewrite(repo: Repo, way: str) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").clone("builder")
    assert builder.guard("install", builder.folder).code == 0
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    if way == "amend":
        builder.replace("reason: Starting work", "reason: Starting with it").git(
            "commit", "-q", "-a", "--amend", "--no-edit"
        )
    else:
        repo.clone("writer").code("main moves", path="src/moves.py").push().accepted()
        builder.fetch().git("rebase", "-q", "origin/main")
    builder.push().accepted()


def test_the_commit_hook_says_nothing_against_code_of_a_stranger(repo: Repo) -> None:
    stranger = repo.task("FEAT-1").clone("stranger")
    assert stranger.guard("install", stranger.folder).code == 0
    stranger.code("code").push().accepted()


def test_the_commit_hook_names_what_only_a_human_may_do(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    assert alice.guard("install", alice.folder).code == 0
    alice.approve("FEAT-1").git("add", "-A")
    done = alice.try_git("commit", "-m", "FEAT-1: approve")
    assert done.code == 0, done.said
    assert "FEAT-1" in done.said
    assert "human:alice" in done.said
    alice.push().accepted()


def test_uninstall_in_a_clone_restores_a_hook_of_somebody_elses(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    own = builder.folder / ".git" / "hooks" / "commit-msg"
    own.parent.mkdir(exist_ok=True)
    own.write_text("#!/bin/sh\necho checked >> $(git rev-parse --git-dir)/checked\n")
    own.chmod(0o755)
    assert builder.guard("install", builder.folder).code == 0
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none").push().accepted()
    assert (builder.folder / ".git" / "checked").read_text() == "checked\n"
    assert builder.guard("uninstall", builder.folder).code == 0
    assert own.read_text().startswith("#!/bin/sh\necho checked")


def test_a_hooks_folder_of_a_companys_is_not_seized(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.git("config", "core.hooksPath", "/opt/company/hooks")
    done = builder.guard("install", builder.folder)
    assert done.code == 1
    assert "/opt/company/hooks" in done.said
    assert builder.git("config", "core.hooksPath") == "/opt/company/hooks"


def test_a_module_in_the_work_tree_is_not_imported_by_a_hook(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    assert builder.guard("install", builder.folder).code == 0
    for name in ("yaml.py", "json.py", "dulwich.py", "codifica_guard.py"):
        builder.write(name, "raise SystemExit('imported from the work tree')\n")
    builder.claim("FEAT-1").git("add", "work.md")
    builder.commit("FEAT-1: claim", proof="none", only_index=True)
    assert "Codifica-Actor: agent:builder" in builder.git("log", "-1", "--format=%B")


def test_check_of_what_is_staged_foretells_the_commit(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.block("FEAT-1").git("add", "-A")
    done = builder.guard("check", "--staged")
    assert done.code == 1, done.said
    assert "CD202" in done.said
