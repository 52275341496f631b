"""`ci` on a forge's runner: pull requests from forks, pushes, and what a hostile one tries."""

import json
import re
from pathlib import Path

import pytest

from tests.building import Clone, NewRepo, Repo
from tests.building.events import HOSTILE, ZERO, propose, pull_request, push, runner
from tests.building.inside import inside

pytestmark = pytest.mark.guard


def annotations(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("::")]


@pytest.fixture
def builder(repo: Repo) -> Clone:
    return repo.task("FEAT-1").task("FEAT-2").task("FEAT-3").clone("builder")


@pytest.mark.parametrize("action", ["opened", "synchronize"])
def test_a_sound_pull_request_from_a_fork_is_ok(builder: Clone, action: str) -> None:
    base, head = propose(builder.code("FEAT-1 code").code("more", text="x = 2\n"))
    machine = runner(builder.repo)
    done = machine.ci("pull_request_target", pull_request(base, head, action=action))
    assert done.code == 0, done.said
    assert done.text.splitlines()[0] == (
        f"pull request #41 into main: 2 commits, {base[:7]}..{head[:7]}, judged by the policy of {base[:7]}"
    )
    assert done.text.endswith("\nok")
    assert machine.summary == "## codifica-guard: pull request &#35;41 into main: ok\n\n"


def test_a_broken_rule_is_annotated_on_the_line_of_its_task(builder: Clone) -> None:
    builder.claim("FEAT-2").commit("FEAT-2: claim", proof="none")
    line = 1 + builder.read().splitlines().index("- id: FEAT-2")
    base, head = propose(builder)
    machine = runner(builder.repo)
    done = machine.ci("pull_request_target", pull_request(base, head))
    assert done.code == 1
    assert "the push of it would be refused, 1 error: ID106" in done.text
    (told,) = annotations(done.text)
    match = re.fullmatch(
        r"::error file=work\.md,line=(\d+)(?:,col=\d+)?,title=ID106 signature-missing::FEAT-2: .*", told
    )
    assert match is not None, told
    assert line <= int(match[1]) < line + 30
    assert "| error | ID106 signature-missing | work.md&#58;" in machine.summary
    assert machine.summary.startswith("## codifica-guard: pull request &#35;41 into main: refused, 1 error\n")


def test_the_merge_is_judged_too_where_main_has_moved(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1").task("FEAT-2")
    builder = repo.clone("builder")
    builder.switch("topic").claim("FEAT-1").commit("FEAT-1: claim")
    _, head = propose(builder)
    again = repo.clone("builder", "again")
    again.claim("FEAT-2").commit("FEAT-2: claim").push().accepted()
    machine = runner(repo)
    done = machine.ci("pull_request_target", pull_request(repo.tip(), head), "--json")
    assert done.code == 1
    assert {f["code"] for f in done.json["findings"] if f["severity"] == "error"} == {"CD504"}


def test_a_conflict_is_no_success_and_names_its_tasks(builder: Clone) -> None:
    _, head = propose(builder.claim("FEAT-1").commit("FEAT-1: claim"))
    writer = builder.repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    machine = runner(builder.repo)
    done = machine.ci("pull_request_target", pull_request(builder.repo.tip(), head))
    assert done.code == 1
    assert "CD303" in done.text
    assert "conflict  work.md: FEAT-1 changed on both sides" in done.text
    assert any(
        line.startswith("::error title=codifica-guard::the merge cannot be judged") for line in annotations(done.text)
    )
    plain = builder.switch("other", "origin/main~0").code("one", path="src/a.py")
    _, head = propose(plain, 42)
    writer.fresh().code("two", path="src/a.py", text="y = 1\n").push().accepted()
    done = machine.ci("pull_request_target", pull_request(builder.repo.tip(), head, number=42), "--json")
    assert (done.code, done.json["findings"]) == (1, [])
    assert done.json["data"]["conflicts"] == [{"path": "src/a.py", "tasks": []}]


def test_a_history_of_its_own_is_refused(builder: Clone) -> None:
    base = builder.repo.tip()
    stray = builder.git("commit-tree", "-m", "Other", "HEAD^{tree}")
    propose(builder, rev=stray)
    done = runner(builder.repo).ci("pull_request_target", pull_request(base, stray))
    assert done.code == 1
    assert "it shares no history with main: no merge brings it" in done.text
    assert any("shares no history" in line for line in annotations(done.text))


def test_a_pull_request_that_is_merged_already_brings_nothing(builder: Clone) -> None:
    base, head = propose(builder.code("one"))
    builder.push().accepted()
    builder.code("two", text="x = 2\n").push().accepted()
    done = runner(builder.repo).ci("pull_request_target", pull_request(base, head, action="closed"), "--json")
    assert (done.code, done.json["data"]["commits"], done.json["findings"]) == (0, 0, [])


# -- nothing of the pull request counts, and nothing of it runs


def test_case_47_a_pull_request_that_edits_its_own_workflow_is_judged_by_the_base_and_told(repo: Repo) -> None:
    repo.file(".github/workflows/codifica.yml", "on: pull_request_target\n").task("FEAT-1")
    builder = repo.clone("builder")
    builder.write(".github/workflows/codifica.yml", "on: push\n").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    base, head = propose(builder)
    done = runner(repo).ci("pull_request_target", pull_request(base, head))
    assert done.code == 1
    assert "ID106" in done.text
    assert "it changes what CI runs (.github/workflows/codifica.yml): read that before you merge" in done.text
    assert "follows the workflow that the proposal brings" not in done.text
    again = inside_own(repo, base, head)
    assert "follows the workflow that the proposal brings" in again
    assert "ID106" in again


def inside_own(repo: Repo, base: str, head: str) -> str:
    """The same pull request by the event that follows its own workflow, with its own files checked out."""
    repo.root.joinpath("runner").rename(repo.root / "before")
    machine = runner(repo, ref="refs/pull/41/head")
    done = machine.ci("pull_request", pull_request(base, head))
    assert done.code == 1
    return done.text


def test_case_47_a_pull_request_that_edits_the_policy_is_judged_by_the_policy_of_the_base(repo: Repo) -> None:
    repo.task("FEAT-1")
    builder = repo.clone("builder")
    loose = repo.trust_files(mode="report", maintainers=["human:alice", "agent:builder"], protected_branches=[])
    builder.write_all(loose).commit("Loosen", proof="git")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    base, head = propose(builder)
    for number, (event, ref) in enumerate(
        [("pull_request_target", "refs/heads/main"), ("pull_request", "refs/pull/41/head")]
    ):
        machine = runner(repo, ref=ref)
        done = machine.ci(event, pull_request(base, head), "--json")
        assert done.code == 1
        errors = {f["code"] for f in done.json["findings"] if f["severity"] == "error"}
        assert {"ID109", "ID106"} <= errors
        assert done.json["data"]["policy"] == [".codifica/guard.json"]
        assert any("is judged by that of main, not by its own" in told for told in done.json["data"]["told"])
        repo.root.joinpath("runner").rename(repo.root / f"before-{number}")


@pytest.mark.parametrize(
    ("event", "ref"), [("pull_request_target", "refs/heads/main"), ("pull_request", "refs/pull/41/head")]
)
def test_attributes_hooks_filters_and_submodules_of_a_pull_request_run_nothing(
    builder: Clone, event: str, ref: str, tmp_path: Path
) -> None:
    builder.switch("topic").code("code", path="src/a.py", text="1\n2\n3\n")
    trap = tmp_path / "sprung"
    evil = "* filter=evil diff=evil merge=evil text eol=crlf ident\n"
    modules = f'[submodule "x"]\n\tpath = x\n\turl = ext::touch% {trap}\n\tupdate = !touch {trap}\n\tfetchRecurseSubmodules = true\n'
    builder.write(".gitattributes", evil).write("src/.gitattributes", evil).write(".gitmodules", modules)
    builder.write(".githooks/post-checkout", f"#!/bin/sh\ntouch {trap}\n").write(
        ".lfsconfig", "[lfs]\n\turl = ext::x\n"
    )
    builder.claim("FEAT-1").commit("FEAT-1: all of it")
    _, head = propose(builder)
    writer = builder.repo.clone("writer").code("other", path="src/a.py", text="1\n2\n3\n4\n5\n6\n7\n")
    writer.code("third", path="src/b.py").push().accepted()
    machine = runner(builder.repo, ref=ref)
    assert not trap.exists()
    for key in ("filter.evil.clean", "filter.evil.smudge", "filter.evil.process", "diff.evil.textconv"):
        machine.git("config", key, f"touch {trap}; cat")
    machine.git("config", "merge.evil.driver", f"touch {trap}; exit 1")
    machine.git("config", "core.hooksPath", ".githooks")
    machine.git("config", "core.fsmonitor", f"touch {trap}; false")
    hooks = machine.folder / ".git" / "hooks"
    hooks.mkdir(exist_ok=True)
    for name in ("post-checkout", "reference-transaction", "post-merge", "pre-auto-gc"):
        (hooks / name).write_text(f"#!/bin/sh\ntouch {trap}\n")
        (hooks / name).chmod(0o755)
    before = {
        path: path.read_bytes() for path in machine.folder.rglob("*") if path.is_file() and ".git" not in path.parts
    }
    done = machine.ci(event, pull_request(builder.repo.tip(), head))
    assert done.code == 1, done.said
    assert "conflict  src/a.py" in done.text  # so the merge was really tried
    assert not trap.exists()
    after = {
        path: path.read_bytes() for path in machine.folder.rglob("*") if path.is_file() and ".git" not in path.parts
    }
    assert after == before


def test_replace_refs_and_grafts_of_the_runner_hide_nothing(builder: Clone) -> None:
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none").code("later")
    base, head = propose(builder)
    machine = runner(builder.repo)
    machine.git("fetch", "-q", "origin", "refs/pull/41/head")
    bad = machine.git("rev-parse", f"{head}~1")
    machine.git("replace", bad, base)
    (machine.folder / ".git" / "info").mkdir(exist_ok=True)
    (machine.folder / ".git" / "info" / "grafts").write_text(f"{head} {base}\n")
    done = machine.ci("pull_request_target", pull_request(base, head))
    assert (done.code, "ID106" in done.text) == (1, True)


def test_hostile_texts_are_no_commands_of_the_runner_and_do_not_break_the_table(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    words = "x ::set-output name=a::b ##[add-path]/tmp | `b` <img src=x> @alice https://evil.example.org %0A::error::y"
    alice.edit("FEAT-1", owner=f"'{words} {words}'").commit(HOSTILE)
    base, head = propose(alice)
    machine = runner(repo)
    done = machine.ci("pull_request_target", pull_request(base, head))
    assert done.code == 1
    assert "add-path" in done.said
    for line in done.said.splitlines():
        assert "##[" not in line
        assert not line.lstrip().startswith("::") or re.match(r"::(error|warning) (file|title)=", line), line
    envelope = machine.ci("pull_request_target", pull_request(base, head), "--json")
    assert "##[" not in envelope.said
    assert any("##[add-path]" in f["found"] for f in envelope.json["findings"])
    told = alice.guard("check", "origin/main..HEAD", env={"GITHUB_ACTIONS": "true"})
    assert "add-path" in told.said
    assert not re.search(r"##\[|^\s*::", told.said, re.MULTILINE)
    rows = [line for line in machine.summary.splitlines() if line.startswith("|")]
    assert all(line.count("|") == 9 for line in rows)
    assert not re.search(r"<(?!br>)|@|https:|`|::", machine.summary)


# -- what cannot be told


def test_a_shallow_checkout_cannot_tell(builder: Clone) -> None:
    base, head = propose(builder.code("one"))
    machine = runner(builder.repo, depth=1)
    done = machine.ci("pull_request_target", pull_request(base, head), "--sarif", "out.sarif")
    assert done.code == 3
    assert "history is cut here" in done.said
    assert "fetch-depth: 0" in done.said
    assert any("fetch-depth%3A 0" in line or "fetch-depth: 0" in line for line in annotations(done.said))
    assert "cannot tell" in machine.summary
    assert not (machine.folder / "out.sarif").exists()


def test_a_partial_clone_cannot_tell(builder: Clone) -> None:
    base, head = propose(builder.code("one"))
    machine = runner(builder.repo)
    machine.git("config", "remote.origin.promisor", "true")
    done = machine.ci("pull_request_target", pull_request(base, head))
    assert (done.code, "a partial clone" in done.said) == (3, True)


def test_a_head_that_was_forced_away_is_judged_where_the_remote_gives_it_out_and_else_cannot_be_told(
    builder: Clone,
) -> None:
    base, old = propose(builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none"))
    builder.git("reset", "-q", "--hard", base)
    propose(builder.code("one"))
    machine = runner(builder.repo)
    event = pull_request(base, old, action="synchronize")
    strict = {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "protocol.version", "GIT_CONFIG_VALUE_0": "0"}
    done = machine.ci("pull_request_target", event, env=strict)
    assert (done.code, f"commit {old[:7]} is not here" in done.said) == (3, True)
    done = machine.ci("pull_request_target", event)
    assert (done.code, "ID106" in done.said) == (1, True)
    builder.repo.on_server("reflog", "expire", "--expire=now", "--all")
    builder.repo.on_server("gc", "-q", "--prune=now")
    builder.repo.root.joinpath("runner").rename(builder.repo.root / "before")
    done = runner(builder.repo).ci("pull_request_target", event)
    assert (done.code, "commit" in done.said) == (3, True)


def test_without_a_fetch_it_goes_by_what_is_here(builder: Clone) -> None:
    base, head = propose(builder.code("one"))
    machine = runner(builder.repo)
    event = pull_request(base, head)
    done = machine.ci("pull_request_target", event, "--no-fetch")
    assert (done.code, f"git fetch origin {head}" in done.said) == (3, True)
    machine.git("fetch", "-q", "origin", "refs/pull/41/head")
    machine.git("remote", "set-url", "origin", "file:///nowhere")
    assert machine.ci("pull_request_target", event, "--no-fetch").code == 0
    done = machine.ci("pull_request_target", event)
    assert (done.code, "cannot fetch main from origin" in done.said) == (3, True)


def test_a_remote_that_asks_who_is_there_gets_the_token_of_the_run_by_no_command_line(
    builder: Clone, tmp_path: Path
) -> None:
    base, head = propose(builder.code("one"))
    machine = runner(builder.repo)
    real = machine.git("--exec-path") + "/git"
    asking = tmp_path / "git"
    asking.write_text(
        f'#!/bin/sh\necho "$*" >>{tmp_path}/words\ncase "$*" in *" fetch "*) case "$GIT_CONFIG_VALUE_0" in "AUTHORIZATION: basic "*) ;;\n'
        f'*) echo "fatal: could not read Username: terminal prompts disabled" >&2; exit 128;; esac;; esac\nexec {real} "$@"\n'
    )
    asking.chmod(0o755)
    path = {"PATH": f"{tmp_path}:/usr/bin:/bin"}
    event = pull_request(base, head)
    done = machine.ci("pull_request_target", event, env=path)
    assert (done.code, "could not read Username" in done.said) == (3, True)
    done = machine.ci("pull_request_target", event, env={**path, "CODIFICA_FETCH_TOKEN": "t0ken"})
    assert done.code == 0, done.said
    told = (tmp_path / "words").read_text()
    assert "t0ken" not in told
    assert "basic" not in told
    assert "t0ken" not in done.said


# -- pushes


def test_a_push_that_came_in_is_judged_after_the_fact_by_the_policy_before_it(builder: Clone) -> None:
    repo = builder.repo
    before = repo.tip()
    builder.write_all(repo.trust_files(mode="report")).commit("Loosen", proof="git")
    repo.on_server("fetch", "-q", str(builder.folder), "+HEAD:main")
    done = runner(repo).ci("push", push(before, repo.tip()))
    assert done.code == 1
    assert "the push would have been refused, 1 error: ID109" in done.text
    assert done.text.splitlines()[0].startswith("push to main: 1 commit, ")


def test_a_sound_push_is_ok(builder: Clone) -> None:
    before = builder.repo.tip()
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    done = runner(builder.repo).ci("push", push(before, builder.repo.tip()), "--json")
    assert (done.code, done.json["data"]["pushed"], done.json["data"]["event"]) == (0, True, "push")


def test_a_new_branch_is_judged_by_the_policy_of_the_default_branch_and_not_by_its_own(builder: Clone) -> None:
    repo = builder.repo
    builder.switch("release").write_all(repo.trust_files(protected_branches=["release"], mode="report"))
    builder.commit("Mine").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    repo.on_server("fetch", "-q", str(builder.folder), "+HEAD:refs/heads/release")
    machine = runner(repo, ref="refs/heads/release")
    event = push(ZERO, builder.head(), ref="refs/heads/release")
    done = machine.ci("push", event)
    assert done.code == 0, done.said
    assert "the policy does not protect release" in done.said


def test_a_new_protected_branch_is_judged_from_main_on(repo: Repo) -> None:
    repo.policy(protected_branches=["main", "release/*"]).task("FEAT-1")
    builder = repo.clone("builder").switch("topic").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    repo.on_server("fetch", "-q", str(builder.folder), "+HEAD:refs/heads/release/1")
    machine = runner(repo, ref="refs/heads/release/1")
    done = machine.ci("push", push(ZERO, builder.head(), ref="refs/heads/release/1"), "--json")
    assert done.code == 1
    assert done.json["data"]["commits"] == 1
    assert {"ID106"} <= {f["code"] for f in done.json["findings"]}


def test_a_deleted_protected_branch_is_told(repo: Repo) -> None:
    repo.policy(protected_branches=["main", "release"]).task("FEAT-1")
    alice = repo.clone("alice")
    alice.push("HEAD:release").accepted()
    tip = repo.tip("release")
    repo.on_server("update-ref", "-d", "refs/heads/release")
    done = runner(repo).ci("push", push(tip, ZERO, ref="refs/heads/release"))
    assert (done.code, "GT102" in done.said or "GT101" in done.said) == (1, True)


def test_a_rewound_branch_is_told_and_where_the_old_tip_is_gone_nothing_can_be(builder: Clone) -> None:
    repo = builder.repo
    base = repo.tip()
    builder.code("one").push().accepted()
    old = repo.tip()
    repo.on_server("update-ref", "refs/heads/main", base)
    repo.on_server("config", "gc.auto", "0")
    done = runner(repo).ci("push", push(old, base, forced=True))
    assert (done.code, "GT101" in done.said) == (1, True)
    repo.on_server("reflog", "expire", "--expire=now", "--all")
    repo.on_server("gc", "-q", "--prune=now")
    repo.root.joinpath("runner").rename(repo.root / "before")
    done = runner(repo).ci("push", push(old, base, forced=True))
    assert (done.code, "where refs/heads/main stood before, is not to be had any more" in done.said) == (3, True)


def test_the_push_that_introduces_the_guard_is_ok(repo: Repo) -> None:
    repo.not_introduced().task("FEAT-1")
    before = repo.found().tip()
    alice = repo.clone("alice")
    alice.write_all(repo.trust_files()).commit("Introduce the guard")
    repo.on_server("fetch", "-q", str(alice.folder), "+HEAD:main")
    machine = runner(repo)
    assert machine.ci("push", push(before, repo.tip())).code == 0
    assert machine.ci("push", push(ZERO, repo.tip())).code == 0


def test_a_repository_without_policy_is_idle(repo: Repo) -> None:
    repo.not_introduced().task("FEAT-1")
    base, head = propose(repo.clone("builder").code("one"))
    done = runner(repo).ci("pull_request_target", pull_request(base, head))
    assert (done.code, "idle" in done.text) == (0, True)


def test_a_tag_is_judged_as_a_ref_only(builder: Clone) -> None:
    builder.git("tag", "-a", "-m", "One", "v1")
    builder.push("v1:refs/tags/v1").accepted()
    tag = builder.repo.refs()["refs/tags/v1"]
    machine = runner(builder.repo, ref="refs/tags/v1")
    done = machine.ci("push", push(ZERO, tag, ref="refs/tags/v1"))
    assert (done.code, "does not protect refs/tags/v1" in done.said) == (0, True)


# -- other events, other systems


def test_an_event_without_commits_is_a_wrong_call(builder: Clone) -> None:
    machine = runner(builder.repo)
    done = machine.ci("schedule", {"schedule": "5 4 * * *", "repository": {"default_branch": "main"}})
    assert done.code == 2
    assert "the event schedule: it brings no commits to judge" in done.said
    assert "git codifica audit" in done.said


def test_a_merge_group_is_judged_as_it_would_come_in(builder: Clone) -> None:
    base, head = propose(builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none"))
    builder.repo.on_server("update-ref", "refs/heads/gh-readonly-queue/main/pr-41", head)
    group = {
        "head_sha": head,
        "head_ref": "refs/heads/gh-readonly-queue/main/pr-41",
        "base_sha": base,
        "base_ref": "refs/heads/main",
    }
    done = runner(builder.repo).ci("merge_group", {"action": "checks_requested", "merge_group": group})
    assert (done.code, "ID106" in done.said) == (1, True)
    assert "merge group into main" in done.said


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_any_other_system_names_two_commits(new_repo: NewRepo, object_format: str) -> None:
    repo = new_repo(object_format=object_format).task("FEAT-1")
    builder = repo.clone("builder")
    builder.switch("topic").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    base, head = propose(builder)
    machine = runner(repo)
    machine.git("fetch", "-q", "origin", "refs/pull/41/head")

    def judged(*argv: str) -> tuple[int, dict[str, object]]:
        done = inside(["ci", "--json", *argv], cwd=machine.folder, home=machine.home)
        return done.code, done.json["data"] or {}

    for argv in (
        ["--base", "origin/main", "--head", head],
        ["--base", base, "--head", head],
        ["--base", "refs/remotes/origin/main", "--head", head],
    ):
        code, data = judged(*argv)
        assert (code, data["ref"], data["base"], data["head"], data["event"]) == (
            1,
            "refs/heads/main",
            base,
            head,
            None,
        )
    assert judged("--base", f"{head}~1", "--head", f"{head}~1")[0] == 0
    code, data = judged("--base", "origin/main", "--head", head, "--branch", "free")
    assert (code, data["protected"]) == (0, False)
    assert judged("--head", head)[0] == 2
    assert judged()[0] == 2
    assert judged("--base", "origin/main", "--branch", "a b")[0] == 2
    assert judged("--base", "nowhere")[0] == 2


def test_an_introduction_known_from_elsewhere_is_held_against_the_branch(builder: Clone) -> None:
    base, head = propose(builder.code("one"))
    machine = runner(builder.repo)
    event = pull_request(base, head)
    assert machine.ci("pull_request_target", event, "--introduction", base).code == 0
    stray = builder.git("commit-tree", "-m", "Other", "HEAD^{tree}")
    propose(builder, 7, stray)
    machine.git("fetch", "-q", "origin", "refs/pull/7/head")
    done = machine.ci("pull_request_target", event, "--introduction", stray)
    assert done.code == 1
    assert f"{base[:7]} does not descend from the introduction {stray[:7]}" in done.said
    assert any("does not descend" in line for line in annotations(done.text))


# -- ways to merge


def test_ways_to_merge_that_would_lose_signatures_are_told(builder: Clone) -> None:
    base, head = propose(builder.claim("FEAT-1").commit("FEAT-1: claim"))
    machine = runner(builder.repo)
    event = pull_request(base, head, allow_squash_merge=True, allow_rebase_merge=True, allow_merge_commit=True)
    done = machine.ci("pull_request_target", event)
    assert done.code == 0
    assert "squash merging is on: it would drop the proof of 1 commit (FEAT-1): merge with a merge commit" in done.said
    assert "rebase merging is on: it would drop Git's signature of 1 commit (FEAT-1)" in done.said
    assert len([line for line in annotations(done.text) if line.startswith("::warning title=codifica-guard::")]) == 2
    event = pull_request(base, head, allow_squash_merge=False, allow_rebase_merge=False)
    assert "merging" not in machine.ci("pull_request_target", event).said
    assert "squash merging would drop" in machine.ci("pull_request_target", pull_request(base, head)).said


def test_signed_trailers_live_through_a_rebase_and_code_has_nothing_to_lose(builder: Clone) -> None:
    base, head = propose(builder.claim("FEAT-1").commit("FEAT-1: claim", proof="trailers"))
    machine = runner(builder.repo)
    said = machine.ci(
        "pull_request_target", pull_request(base, head, allow_squash_merge=True, allow_rebase_merge=True)
    ).said
    assert ("squash merging is on" in said, "rebase merging" in said) == (True, False)
    builder.git("reset", "-q", "--hard", base)
    base, head = propose(builder.code("one"), 42)
    assert "merging" not in machine.ci("pull_request_target", pull_request(base, head, number=42)).said


# -- the log of code scanning


def test_a_sarif_file_is_written_through_no_link(builder: Clone, tmp_path: Path) -> None:
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    base, head = propose(builder)
    machine = runner(builder.repo)
    victim = tmp_path / "victim"
    victim.write_text("precious")
    (machine.folder / "out.sarif").symlink_to(victim)
    done = machine.ci("pull_request_target", pull_request(base, head), "--sarif", "out.sarif")
    assert done.code == 2
    assert "something else than a file is there" in done.said
    assert victim.read_text() == "precious"
    (machine.folder / "out.sarif").unlink()
    done = machine.ci("pull_request_target", pull_request(base, head), "--sarif", "out.sarif")
    assert done.code == 1
    run = json.loads((machine.folder / "out.sarif").read_bytes())["runs"][0]
    assert [result["ruleId"] for result in run["results"]] == ["ID106"]
    assert run["versionControlProvenance"][0] == {
        "repositoryUri": "https://git.example.org/acme/shop",
        "revisionId": head,
        "branch": "main",
        "mappedTo": {"uriBaseId": "%SRCROOT%"},
    }
    done = machine.ci("pull_request_target", pull_request(base, head), "--sarif", "nowhere/out.sarif")
    assert (done.code, "cannot write nowhere/out.sarif" in done.said) == (2, True)
