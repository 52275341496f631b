"""`audit` in real repositories: where it runs, what it takes, what it writes, and when it cannot tell."""

import json
import shutil
from pathlib import Path
from typing import Any, Final

import pytest

from codifica_guard.cli.audit_files import write_page
from codifica_guard.report.html import page
from tests.building import Clone, NewRepo, Repo, at
from tests.building.audits import large
from tests.building.inside import called, inside
from tests.building.machine import Done, run
from tests.building.shapes import check_envelope

pytestmark = pytest.mark.guard


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Clone, "guard", called)


def land(clone: Clone, branch: str = "main") -> Clone:
    """Let the server have a commit without a push: no hook has seen it."""
    clone.repo.on_server("fetch", "-q", str(clone.folder), f"+HEAD:refs/heads/{branch}")
    return clone.fetch()


def legal(repo: Repo) -> Clone:
    """A claim, a hand-in and an approval, as they have to be."""
    repo.task("FEAT-1").task("FEAT-2")
    bob, builder = repo.clone("bob"), repo.clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", when=1)
    builder.hand_in("FEAT-1").commit("FEAT-1: hand in", when=10)
    land(builder)
    alice = repo.clone("alice").fresh()
    land(alice.approve("FEAT-1").commit("FEAT-1: approve", when=20))
    return bob.fetch()


def illegal(repo: Repo) -> Clone:
    """The same, and a rejection that no agent may make."""
    bob = legal(repo)
    builder = repo.clone("builder").fresh()
    land(builder.reject("FEAT-2").commit("FEAT-2: reject", when=30))
    return bob.fetch()


def data(done: Done) -> dict[str, Any]:
    answer = check_envelope(done.out)
    assert answer["exit"] == done.code
    found: dict[str, Any] = answer["data"]
    return found


# -- what it says


def test_a_history_by_the_book_is_clean_and_says_what_it_stands_on(repo: Repo) -> None:
    bob = legal(repo)
    done = bob.guard("audit")
    assert done.code == 0, done.said
    intro = bob.head("origin/main~3")
    for line in (
        "verdict   clean: no errors\n",
        f"trust     introduction {intro[:7]} by human:alice SHA256:",
        "          taken from the repository itself, not pinned by you. If you know it from elsewhere:\n",
        f"          git codifica audit --introduction {intro}\n",
        "receipts  none: order from first parents, times as committers say them\n",
        "judged: 4 commits (4 on main) since ",
        "3 transitions of 1 task\n",
        "  signed 3\n",
        "  agents 2 (builder 2), humans 1 (alice 1)\n",
        "FINDINGS  none\n",
        "all of it as a page: git codifica audit --html audit.html; for programs: --json, --sarif FILE\n",
    ):
        assert line in done.text + "\n", line
    assert "order from first parents" in done.text.partition("NOTES")[2]
    assert done.err == b""
    found = data(bob.guard("audit", "--json", "-q"))
    assert [(act["deed"], act["actor"]) for act in found["acts"]] == [
        ("claim", "agent:builder"), ("hand-in", "agent:builder"), ("approve", "human:alice"),
    ]  # fmt: skip
    assert [change["commit"] for change in found["policies"]] == [intro]
    assert {key["principal"]: key["uses"] for key in found["keys"]} == {
        "human:alice": 2, "human:bob": 0, "agent:builder": 2, "agent:writer": 0,
    }  # fmt: skip
    assert [(now["task"], now["state"]) for now in found["tasks"]] == [("FEAT-1", "done"), ("FEAT-2", "todo")]
    assert found["stale_hours"] == 24


def test_what_no_rule_allows_is_an_error_and_exit_code_1_however_the_report_is_narrowed(repo: Repo) -> None:
    bob = illegal(repo)
    done = bob.guard("audit")
    assert done.code == 1, done.said
    assert "verdict   1 error\n" in done.text
    assert "CD202 human-only" in done.text
    assert "  agent:builder  1      1        -        [1]" in done.text
    assert bob.guard("audit", "-q").text == done.text
    narrowed = bob.guard("audit", "--task", "FEAT-1", "--json")
    assert narrowed.code == 1
    found = data(narrowed)
    assert found["findings"] == []
    assert found["verdict"] == {"errors": 1, "warnings": 0}
    assert {act["task"] for act in found["acts"]} == {"FEAT-1"}
    assert found["filters"] == [{"option": "--task", "value": "FEAT-1"}]
    assert "narrowed to --task FEAT-1: 1 of 1 findings lie outside of it" in found["notes"][-1]
    whole = check_envelope(bob.guard("audit", "--json").out)
    assert [f["code"] for f in whole["findings"]] == ["CD202"]
    assert whole["next"] == ["git codifica explain CD202"]
    assert whole["as_of"]["commit"] == bob.head("origin/main")
    assert whole["as_of"]["fetched"] is not None


def test_times_and_people_narrow_the_report_too(repo: Repo) -> None:
    bob = illegal(repo)
    for words, deeds in (
        (("--actor", "alice"), ["approve"]),
        (("--actor", "agent:builder"), ["claim", "hand-in", "reject"]),
        (("--since", at(5)), ["hand-in", "approve", "reject"]),
        (("--until", at(5)), ["claim"]),
        (("--since", at(5), "--until", at(25)), ["hand-in", "approve"]),
        (("--since", "2000-01-01", "--until", "2000-01-01"), []),
    ):
        assert [act["deed"] for act in data(bob.guard("audit", "--json", "-q", *words))["acts"]] == deeds
    assert "  week of " in bob.guard("audit", "--weekly").text


EMPTY_TREE: Final = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

WRONG: Final[tuple[tuple[tuple[str, ...], str], ...]] = (
    (("--task", "FEAT-9"), "nothing that was judged knows a task FEAT-9"),
    (("--actor", "x\x1b[31m"), "nothing that was judged is x\\u001b[31m's; there are: human:alice"),
    (("--since", "never"), "never is no time"),
    (("--since", "1d", "--until", "2d"), "--since lies behind --until"),
    (("--introduction", "nowhere"), "--introduction nowhere names no commit here"),
    (("--introduction", "f" * 40), "names no commit here"),
    (("--introduction", "HEAD:work.md"), "names no commit here"),
    (("--introduction", EMPTY_TREE), "names no commit here"),
    (("--introduction", "origin/main~4"), "has no .codifica/guard.json, so it introduced nothing"),
    (("/nowhere",), "/nowhere is no folder"),
    (("--ruleset", "x"), "invalid int value"),
    (("--ruleset", "99"), "ruleset"),
    (("--html", "/nowhere/x.html"), "cannot write /nowhere/x.html"),
    (("--html", "/dev/null/x/"), "cannot make /dev/null/x"),
    (("--sarif", "/nowhere/x.sarif"), "cannot write /nowhere/x.sarif"),
)


def test_a_call_that_means_nothing_here_says_so(repo: Repo) -> None:
    bob = legal(repo)
    for words, told in WRONG:
        done = bob.guard("audit", *words)
        assert (done.code, told in done.said) == (2, True), (words, done.said)


def test_a_repository_without_a_policy_says_so(repo: Repo) -> None:
    done = repo.not_introduced().clone("bob").guard("audit")
    assert done.code == 2
    assert "policy" in done.said


# -- where it stands


def test_an_introduction_that_the_auditor_names_is_pinned_and_so_is_one_of_the_clones_settings(repo: Repo) -> None:
    bob = legal(repo)
    intro = bob.head("origin/main~3")
    for name in (intro, intro.upper(), intro[:10], "origin/main~3"):
        done = bob.guard("audit", "--introduction", name)
        assert done.code == 0, done.said
        assert "pinned: you, or this clone, had named it before" in done.text
    bob.git("config", "codifica.introduction", intro)
    assert data(bob.guard("audit", "--json"))["anchor"]["pinned"] is True


def test_a_bare_repository_is_audited_from_anywhere_and_asks_no_remote(repo: Repo, tmp_path: Path) -> None:
    legal(repo)
    repo.on_server("remote", "add", "origin", "/nowhere")
    done = inside(["audit", repo.bare], cwd=tmp_path, home=tmp_path)
    assert done.code == 0, done.said
    assert done.text.startswith("shop  main ")
    assert "judged: 4 commits (4 on main)" in done.text
    assert f"codifica-guard audit {repo.bare} --" in done.text
    assert inside(["audit"], cwd=repo.bare, home=tmp_path).code == 0


def test_where_a_repository_is_named_no_variable_names_another_one(repo: Repo, tmp_path: Path) -> None:
    legal(repo)
    elsewhere = {"GIT_DIR": "/nowhere", "GIT_WORK_TREE": "/", "GIT_OBJECT_DIRECTORY": "/nowhere", "GIT_NAMESPACE": "x"}
    done = inside(["audit", repo.bare], cwd=tmp_path, home=tmp_path, env=elsewhere)
    assert done.code == 0, done.said


def test_a_clone_without_a_remote_is_audited_as_it_is(repo: Repo) -> None:
    alice = legal(repo).repo.clone("alice")
    alice.git("remote", "remove", "origin")
    answer = check_envelope(alice.guard("audit", "--json").out)
    assert answer["exit"] == 0
    assert answer["as_of"]["fetched"] is None


def test_of_a_bare_repository_nothing_is_as_last_fetched(repo: Repo, tmp_path: Path) -> None:
    legal(repo)
    repo.on_server("remote", "add", "origin", "/nowhere")
    (repo.bare / "FETCH_HEAD").touch()
    done = inside(["audit", repo.bare, "--no-fetch", "--json", "-q"], cwd=tmp_path, home=tmp_path)
    assert check_envelope(done.out)["as_of"]["fetched"] is None
    assert done.err == b""


def test_a_clone_asks_the_remote_first_and_its_own_branches_stay(repo: Repo) -> None:
    bob = legal(repo)
    alice = repo.clone("alice").fresh()
    land(alice.edit("FEAT-2", title="Another title").commit("FEAT-2: title"))
    before = bob.head("main")
    assert bob.head("origin/main") != repo.tip()
    assert data(bob.guard("audit", "--json"))["branches"][0]["tip"] == repo.tip()
    assert bob.head("main") == before


def test_with_no_fetch_it_takes_what_is_there_and_says_so(repo: Repo) -> None:
    bob = legal(repo)
    alice = repo.clone("alice").fresh()
    land(alice.edit("FEAT-2", title="Another title").commit("FEAT-2: title"))
    done = bob.guard("audit", "--no-fetch")
    assert done.code == 0, done.said
    assert "judged: 4 commits (4 on main)" in done.text
    assert b"the remote was not asked: this is what was fetched" in done.err


def test_behind_the_last_receipt_everything_is_judged_where_there_is_none_and_it_is_said(repo: Repo) -> None:
    done = illegal(repo).guard("audit", "--since-receipt", "--json")
    assert done.code == 1
    found = data(done)
    assert found["filters"] == [{"option": "--since-receipt", "value": ""}]
    assert "there is no receipt that is believed: everything was judged" in found["notes"]


# -- when it cannot tell


def test_a_remote_that_is_not_reached_cannot_be_told_of(repo: Repo) -> None:
    bob = legal(repo)
    bob.git("remote", "set-url", "origin", "/nowhere")
    done = bob.guard("audit", "--json", "-q")
    assert done.code == 3
    answer = check_envelope(done.out)
    assert answer["data"] is None
    assert "cannot tell what the server has seen: origin is not reached" in answer["error"]
    assert answer["next"] == ["git fetch origin", "git codifica audit --no-fetch"]
    assert bob.guard("audit", "--no-fetch").code == 0


def test_a_partial_clone_cannot_tell_and_says_how_to_clone(repo: Repo, tmp_path: Path) -> None:
    bob = legal(repo)
    repo.on_server("config", "uploadpack.allowFilter", "true")
    folder = tmp_path / "partial"
    words: list[str | Path] = [
        "git",
        "clone",
        "-q",
        "--no-checkout",
        "--filter=blob:none",
        f"file://{repo.bare}",
        folder,
    ]
    run(words, cwd=tmp_path, home=bob.home)
    done = inside(["audit"], cwd=folder, home=bob.home)
    assert done.code == 3, done.said
    assert "cannot tell: this is a partial clone, and object" in done.said


def test_a_damaged_repository_cannot_be_told_of(repo: Repo, tmp_path: Path) -> None:
    bob = legal(repo)
    folder = tmp_path / "damaged.git"
    shutil.copytree(repo.bare, folder)
    blob = bob.head("origin/main~1:work.md")
    run(["git", "unpack-objects", "-q"], cwd=folder, home=bob.home, data=b"", check=False)
    for pack in folder.glob("objects/pack/*"):
        moved = tmp_path / pack.name
        pack.rename(moved)
        if pack.suffix == ".pack":
            run(["git", "unpack-objects", "-q"], cwd=folder, home=bob.home, data=moved.read_bytes())
    (folder / "objects" / blob[:2] / blob[2:]).unlink()
    done = inside(["audit", folder], cwd=tmp_path, home=bob.home)
    assert done.code == 3, done.said
    assert "cannot tell" in done.said


# -- what it writes


def test_the_page_and_the_log_are_written_and_the_text_says_where(repo: Repo) -> None:
    bob = illegal(repo)
    html, sarif = bob.folder / "audit.html", bob.folder / "audit.sarif"
    html.write_text("an older one")
    done = bob.guard("audit", "--html", "audit.html", "--sarif", "audit.sarif")
    assert done.code == 1
    assert "written: audit.html\nwritten: audit.sarif\n" in done.text + "\n"
    assert "--html audit.html;" not in done.text
    first = html.read_bytes()
    assert first.startswith(b"<!DOCTYPE html>")
    assert b"CD202" in first
    assert [r["ruleId"] for r in json.loads(sarif.read_bytes())["runs"][0]["results"]] == ["CD202"]
    bob.guard("audit", "--html", "audit.html", "--no-cache")
    assert html.read_bytes() == first
    assert {path.name for path in bob.folder.glob("*audit*")} == {"audit.html", "audit.sarif"}
    narrowed = bob.guard("audit", "--html", "audit.html", "--task", "FEAT-1")
    assert narrowed.code == 1
    assert b"FEAT-2" not in html.read_bytes().partition(b"Task timelines")[2].partition(b"Keys")[0]


def test_a_folder_takes_the_page_with_one_for_each_hundred_tasks(tmp_path: Path) -> None:
    audit = large(150, 300)
    assert write_page(f"{tmp_path}/new/", audit) == [f"written: {tmp_path}/new/index.html"]
    files = sorted(str(path.relative_to(tmp_path / "new")) for path in tmp_path.rglob("*.html"))
    assert files == ["index.html", "tasks/1.html", "tasks/2.html"]
    assert write_page(str(tmp_path / "new"), audit) == [f"written: {tmp_path}/new/index.html"]
    assert write_page(str(tmp_path / "one.html"), audit) == [f"written: {tmp_path}/one.html"]
    assert (tmp_path / "one.html").read_bytes() == page(audit)


def test_on_a_runner_findings_are_annotations_and_the_job_has_a_summary(repo: Repo, tmp_path: Path) -> None:
    bob = illegal(repo)
    summary = tmp_path / "summary.md"
    done = bob.guard("audit", "--github", env={"GITHUB_STEP_SUMMARY": str(summary)})
    assert done.code == 1
    assert "::error file=work.md," in done.text
    assert "codifica-guard" in summary.read_text()
    assert "CD202" in summary.read_text()


def test_on_a_runner_what_cannot_be_told_is_an_annotation_too(repo: Repo) -> None:
    bob = legal(repo)
    bob.git("remote", "set-url", "origin", "/nowhere")
    done = bob.guard("audit", "--github")
    assert done.code == 3
    assert "::error title=codifica-guard::cannot tell what the server has seen" in done.text
    assert bob.guard("audit", "--github", "--task", "FEAT-9", "--no-fetch").code == 2


def test_a_branch_that_cannot_be_taken_over_is_told_and_not_passed_over(
    repo: Repo, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("codifica_guard.verbs.remote._PAUSES", (0.0,))
    bob = legal(repo)
    repo.on_server("branch", "next", "main")
    lock = bob.folder / ".git" / "refs" / "remotes" / "origin" / "next.lock"
    lock.touch()
    answer = check_envelope(bob.guard("audit", "--json").out)
    assert answer["exit"] == 3
    assert "origin is not taken over whole" in answer["error"]
    assert answer["next"] == ["git fetch --prune origin", "git codifica audit --no-fetch"]
    lock.unlink()
    assert bob.guard("audit").code == 0


def test_what_is_gone_from_the_server_is_gone_from_the_clone_that_audits(repo: Repo) -> None:
    bob = legal(repo)
    repo.on_server("branch", "next", "main")
    assert bob.guard("audit").code == 0
    repo.on_server("branch", "-D", "next")
    repo.on_server("branch", "next/1", "main")
    assert bob.guard("audit").code == 0
    assert bob.git("for-each-ref", "--format=%(refname)", "refs/remotes/origin/next").split() == [
        "refs/remotes/origin/next/1"
    ]


def test_the_bar_shows_itself_where_it_is_asked_for(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    bob = legal(repo)
    monkeypatch.setattr("codifica_guard.cli.audit.QUIET_SECONDS", 0.0)
    done = bob.guard("audit", "--progress", "--no-cache", env={"COLUMNS": "200"})
    assert done.code == 0
    shown = done.err.decode()
    assert shown.startswith("\rjudging   [")
    assert shown.endswith(" \r")
    for words in ((), ("--progress", "-q")):
        assert bob.guard("audit", "--no-cache", *words).err == b""


def test_in_a_repository_of_long_ids_it_is_the_same(new_repo: NewRepo) -> None:
    bob = illegal(new_repo("sha256"))
    done = bob.guard("audit", "--json")
    assert done.code == 1
    assert [f["code"] for f in data(done)["findings"]] == ["CD202"]
