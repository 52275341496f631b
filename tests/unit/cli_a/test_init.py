import os
import shutil
import stat
from pathlib import Path

import pytest

from tests.unit.cli_a.places import Clone, document

OWN = [".codifica/allowed_signers", ".codifica/guard.json", ".codifica/revoked_keys", ".gitattributes", "AGENTS.md"]
FIRST = ["codifica-spec.md", "codifica.json", "work.md"]


def fresh(plain: Clone) -> Clone:
    """Nothing but `git init`."""
    shutil.rmtree(plain.folder)
    plain.folder.mkdir()
    plain.git("init", "-q", "--template=")
    return plain


def changed(clone: Clone) -> list[str]:
    return clone.git("show", "--format=", "--name-only", "HEAD").splitlines()


# -- what it makes


def test_init_commits_the_policy_and_leaves_all_else_as_it_is(plain: Clone) -> None:
    plain.write("app.py", "x = 2\n").write("new.py", "y\n").write("staged.py", "z\n")
    plain.git("add", "staged.py", "app.py")
    plain.write("app.py", "x = 3\n")
    before = plain.git("status", "--porcelain")
    said = plain.init("--agent", "builder").ok()
    assert changed(plain) == OWN
    assert plain.git("status", "--porcelain") == before
    assert plain.git("diff", "--cached", "--name-only").splitlines() == ["app.py", "staged.py"]
    policy = plain.policy()
    assert policy["maintainers"] == ["human:alice"]
    assert (policy["mode"], policy["coordination_branch"]) == ("enforce", "main")
    assert len(policy["repository"]) == 32
    assert plain.read(".gitattributes") == "/work.md text eol=lf merge=codifica\n"
    for word in ("wrote", "signed by human:alice", "git push origin main", "codifica-guard install REPOSITORY"):
        assert word in said.out


def test_the_signers_are_listed_for_what_they_sign(plain: Clone) -> None:
    plain.init("--agent", f"builder={plain.key('builder.pub')}", "--agent", "agent:writer").ok()
    alice, builder, writer = plain.read(".codifica/allowed_signers").splitlines()
    assert alice.startswith('human:alice namespaces="git,codifica-guard" ssh-ed25519 ')
    assert builder.startswith('agent:builder namespaces="git,codifica-guard,codifica-evidence" ssh-ed25519 ')
    assert writer.startswith("agent:writer ")
    assert plain.line("builder") in builder
    assert plain.read(".codifica/revoked_keys") == ""


def test_a_server_that_waits_for_her_takes_what_alice_introduces(plain: Clone) -> None:
    plain.install()
    plain.init("--no-hooks").ok()
    pushed = plain.push()
    assert pushed.returncode == 0, pushed.stderr


def test_keys_of_agents_are_for_their_owner_alone(plain: Clone) -> None:
    answer = plain.init("--agent", "builder", "--json").ok().json
    made = answer["data"]["keys"][0]
    path = Path(made["path"])
    assert path == plain.home / ".config/codifica-guard/shop/agent-builder"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(path.parent.stat().st_mode) == 0o700
    assert path.with_name("agent-builder.pub").read_text() == made["public"] + "\n"
    assert made["public"].split()[1] in plain.read(".codifica/allowed_signers")
    assert answer["next"] == ["git push origin main"]
    assert answer["data"]["commit"] == plain.head()
    assert answer["data"]["files"] == sorted(answer["data"]["files"], key=[*OWN[1::-1], *OWN[2:]].index)


def test_a_key_that_lies_there_from_an_earlier_try_is_kept(plain: Clone) -> None:
    folder = plain.home / "conf" / "codifica-guard" / "shop"
    folder.mkdir(parents=True)
    shutil.copy(plain.key("builder"), folder / "agent-builder")
    with plain.monkeypatch.context() as patch:
        patch.setenv("XDG_CONFIG_HOME", str(plain.home / "conf"))
        said = plain.init("--agent", "builder").ok()
    assert "was there already" in said.out
    assert " ".join(plain.line("builder").split()[:2]) in plain.read(".codifica/allowed_signers")
    assert not (folder / "agent-builder.pub").exists()


@pytest.mark.parametrize("format_", ["sha1", "sha256"])
def test_an_empty_repository_gets_a_protocol_too(plain: Clone, format_: str) -> None:
    shutil.rmtree(plain.folder)
    plain.folder.mkdir()
    plain.git("init", "-q", "--template=", f"--object-format={format_}")
    plain.write("mine.py", "x\n").git("add", "mine.py")
    said = plain.init().ok()
    assert changed(plain) == sorted([*OWN, *FIRST])
    assert plain.git("status", "--porcelain") == "A  mine.py"
    assert plain.git("rev-list", "--count", "HEAD") == "1"
    assert plain.read("work.md").endswith("```yaml\n```\n")
    assert "cannot be read" not in said.out
    assert plain.guard("whoami").ok().out.count("human:alice") == 1


def test_a_page_that_is_there_already_stays(plain: Clone) -> None:
    fresh(plain).write("codifica-spec.md", "# Ours\n").write("work.md", document("SHOP-1")).commit()
    plain.init().ok()
    assert changed(plain) == sorted([*OWN, "codifica.json"])
    assert plain.read("codifica-spec.md") == "# Ours\n"


def test_what_stands_in_gitattributes_stays(plain: Clone) -> None:
    plain.write(".gitattributes", "*.png binary").commit()
    plain.init().ok()
    assert plain.read(".gitattributes") == "*.png binary\n/work.md text eol=lf merge=codifica\n"


def test_a_line_that_gitattributes_has_is_not_written_twice(plain: Clone) -> None:
    plain.write(".gitattributes", "/work.md text eol=lf merge=codifica\n").commit()
    said = plain.init().ok()
    assert ".gitattributes" not in changed(plain)
    assert "changed" not in said.out


@pytest.mark.parametrize(
    ("state", "line"),
    [("work/*.md", "work/*.md text eol=lf merge=codifica\n"), ("work/{a,b}.md", None), ("arbeit/\u00fc.md", None)],
)
def test_attributes_are_written_for_patterns_that_git_reads_alike(plain: Clone, state: str, line: str | None) -> None:
    plain.write("codifica.json", plain.read("codifica.json").replace('"work.md"', f'"{state}"'))
    plain.write("work/a.md", document("SHOP-7")).commit()
    said = plain.init().ok()
    if line is None:
        assert ".gitattributes" not in changed(plain)
        assert "write one by hand" in said.out
    else:
        assert plain.read(".gitattributes") == line


def test_crlf_documents_are_not_made_to_look_changed(plain: Clone) -> None:
    plain.write("work.md", document("SHOP-1").replace("\n", "\r\n")).commit()
    said = plain.init().ok()
    assert "CRLF" in said.out
    assert plain.read(".gitattributes") == "/work.md merge=codifica\n"
    assert plain.git("status", "--porcelain") == ""


def test_files_are_written_as_git_checks_them_out(plain: Clone) -> None:
    plain.git("config", "core.autocrlf", "true")
    plain.init().ok()
    assert plain.git("status", "--porcelain") == ""
    assert "\r\n" in plain.read(".codifica/guard.json")
    assert "\r" not in plain.git("show", "HEAD:.codifica/guard.json")


def test_choices_go_into_the_policy(plain: Clone) -> None:
    plain.git("switch", "-q", "-c", "trunk")
    words = ["--report", "--self-approval", "refuse", "--resume-after", "5", "--branch", "trunk"]
    plain.init(*words).ok()
    policy = plain.policy()
    assert (policy["mode"], policy["self_approval"], policy["resume_after_minutes"]) == ("report", "refuse", 5)
    assert (policy["coordination_branch"], policy["protected_branches"]) == ("trunk", ["trunk"])


def test_what_cannot_be_read_is_told_with_its_line_and_stays(plain: Clone) -> None:
    bad = document("SHOP-1").replace("title: Look", "title: `x`")
    plain.write("codifica.json", plain.read("codifica.json").replace('"work.md"', '["work.md", "more.md"]'))
    plain.write("work.md", bad).write("more.md", "# More\n\n```yaml\nno task\n```\n").commit()
    answer = plain.init("--json").ok().json
    assert [(f["code"], f["path"], f["line"]) for f in answer["findings"]] == [
        ("ST101", "more.md", 4),
        ("ST101", "work.md", 8),
    ]
    assert {f["severity"] for f in answer["findings"]} == {"warning"}
    assert plain.read("work.md") == bad


def test_what_cannot_be_read_is_cut_short_for_people(plain: Clone) -> None:
    names = [f"SHOP-{number}" for number in range(12)]
    plain.write("work.md", document(*names).replace("title: Look", "title: `x`")).commit()
    said = plain.init("--dry-run").ok()
    assert said.out.count("ST101") == 10
    assert "and 2 more that cannot be read" in said.out


def test_a_link_among_the_state_documents_is_told(plain: Clone) -> None:
    plain.write("codifica.json", plain.read("codifica.json").replace('"work.md"', '["work.md", "link.md"]'))
    (plain.folder / "link.md").symlink_to("work.md")
    said = plain.commit().init().ok()
    assert "link.md          ST106 is no regular file" in said.out


def test_what_the_server_would_refuse_is_not_committed(plain: Clone) -> None:
    before = plain.head()
    plain.monkeypatch.setenv("GIT_COMMITTER_DATE", "@9999999999999999 +0000")
    said = plain.init("--agent", "builder", "--json")
    answer = said.refused("commit refused, 1 error: GT106").json
    assert [f["code"] for f in answer["findings"]] == ["GT106"]
    assert plain.head() == before
    assert not (plain.home / ".config").exists()


@pytest.mark.parametrize("twin", [".codifica/Guard.json", ".CODIFICA/x", "WORK.md"])
def test_a_twin_that_differs_by_case_goes_first(plain: Clone, twin: str) -> None:
    fresh(plain).write(twin, "x\n").commit().init().refused(twin.split("/", maxsplit=1)[0], "git mv it first")


# -- the clone


def test_the_hooks_of_the_clone_are_put_in_place(plain: Clone) -> None:
    hooks = plain.folder / ".git" / "hooks"
    hooks.mkdir()
    (hooks / "pre-push").write_text("#!/bin/sh\n")
    (hooks / "pre-push").chmod(0o755)
    said = plain.init().ok()
    assert os.access(hooks / "commit-msg", os.X_OK)
    assert "kept hooks/pre-push" in said.out
    assert "codifica.introduction" not in plain.git("config", "--list", "--local")


def test_without_hooks_there_are_none(plain: Clone) -> None:
    assert "hooks" not in plain.init("--no-hooks").ok().out
    assert not (plain.folder / ".git" / "hooks").exists()


def test_somebody_elses_hook_folder_stays_his(plain: Clone) -> None:
    plain.git("config", "core.hooksPath", ".husky")
    said = plain.init().ok()
    assert "belongs to somebody else" in said.out or "which stays as it is" in said.out  # by the version of Git
    assert not (plain.folder / ".husky").exists()


def test_hooks_that_cannot_be_looked_at_stop_the_introduction(plain: Clone) -> None:
    (plain.folder / ".git" / "hooks" / "commit-msg").mkdir(parents=True)
    before = plain.head()
    assert plain.init().code == 3
    assert plain.head() == before


def test_hooks_that_cannot_be_written_do_not_undo_the_commit(plain: Clone) -> None:
    hooks = plain.folder / ".git" / "hooks"
    hooks.mkdir()
    body = '[ "$1" != committed ] || { cd "$(git rev-parse --absolute-git-dir)"; mv hooks moved; echo >hooks; }'
    (hooks / "reference-transaction").write_text(f"#!/bin/sh\n{body}\n")
    (hooks / "reference-transaction").chmod(0o755)
    said = plain.init().ok()
    assert "not in place" in said.out
    assert plain.policy()["version"] == 1


def test_the_key_that_was_named_signs_from_now_on(plain: Clone) -> None:
    plain.init().ok()
    assert plain.git("config", "codifica.signingKey") == str(plain.key("alice"))


def test_the_key_that_git_signs_with_is_taken_and_no_setting_is_made(plain: Clone) -> None:
    plain.git("config", "gpg.format", "ssh")
    plain.git("config", "user.signingkey", plain.key("alice.pub"))
    plain.guard("init", "--yes").ok()
    assert "codifica.signingkey" not in plain.git("config", "--list", "--local")
    assert plain.policy()["maintainers"] == ["human:alice-smith"]


def test_a_linked_worktree_is_a_clone_too(plain: Clone) -> None:
    plain.git("switch", "-q", "-c", "other")
    plain.git("worktree", "add", "-q", "../second", "main")
    plain.folder = plain.folder.parent / "second"
    answer = plain.init("--agent", "builder", "--json").ok().json
    assert answer["data"]["keys"][0]["path"].endswith("/shop/agent-builder")
    assert plain.git("status", "--porcelain") == ""


# -- a dry run


def test_a_dry_run_changes_nothing(plain: Clone) -> None:
    def picture() -> list[tuple[str, bytes]]:
        root = plain.folder.parent.parent
        files = (p for p in sorted(root.rglob("*")) if p.is_file() and p.name != "index")
        return [(str(p), p.read_bytes()) for p in files]

    before = picture()
    said = plain.init("--dry-run", "--agent", "builder").ok()
    assert picture() == before
    for word in (
        "+++ b/.codifica/guard.json",
        "hooks/commit-msg",
        "agent-builder",
        "codifica: introduce",
        "nothing was changed",
    ):
        assert word in said.out
    assert "hooks" not in plain.init("--dry-run", "--no-hooks").ok().out


# -- who


def test_nobody_is_asked_where_nobody_can_answer(plain: Clone) -> None:
    plain.guard("init", "--key", plain.key("alice")).misused("--as NAME", "--yes for alice-smith")
    plain.git("config", "user.name", "\u00c4nne")
    plain.guard("init", "--key", plain.key("alice")).misused("--as NAME")
    plain.guard("init", "--yes", "--key", plain.key("alice")).misused("--as NAME")


@pytest.mark.parametrize("name", ["Alice", "agent:alice", "server:alice", "a b", ""])
def test_a_name_that_is_none_is_wrong_usage(plain: Clone, name: str) -> None:
    plain.guard("init", "--as", name, "--key", plain.key("alice")).misused()


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["--agent", "human:bob"], "no agent"),
        (["--agent", "server:bob"], "no agent"),
        (["--agent", "A"], "no principal"),
        (["--agent", "a", "--agent", "agent:a"], "twice"),
        (["--agent", "a=/nowhere.pub"], "cannot read"),
        (["--resume-after", "-1"], "resume_after_minutes"),
        (["--resume-after", "soon"], "invalid int"),
        (["--self-approval", "maybe"], "invalid choice"),
        (["--branch", "other"], "git switch other"),
    ],
)
def test_wrong_options_are_wrong_usage(plain: Clone, words: list[str], told: str) -> None:
    before = plain.head()
    plain.init(*words).misused(told)
    assert plain.head() == before
    assert not (plain.home / ".config").exists()


def test_no_key_no_introduction(plain: Clone) -> None:
    plain.guard("init", "--as", "alice").refused("no key to sign with")


def test_one_key_is_not_for_a_human_and_an_agent(plain: Clone) -> None:
    plain.init("--agent", f"builder={plain.key('alice.pub')}").refused("ID113")


def test_a_key_file_in_the_way_that_is_none_is_not_written_over(plain: Clone) -> None:
    folder = plain.home / ".config/codifica-guard/shop"
    folder.mkdir(parents=True)
    (folder / "agent-builder").write_text("mine\n")
    plain.init("--agent", "builder").refused("agent-builder")
    (folder / "agent-builder").unlink()
    (folder / "agent-builder").mkdir()
    plain.init("--agent", "builder").misused("cannot be read")


def test_git_has_to_know_who_commits(plain: Clone) -> None:
    plain.git("config", "user.useConfigOnly", "true")
    (plain.home / ".gitconfig").write_text("")
    plain.init().misused("git config user.email")


# -- where


def test_the_guard_is_introduced_once(shop: Clone) -> None:
    before = shop.head()
    said = shop.init().refused("already introduced: ", before[:7], "human:alice", shop.fingerprint("alice"))
    assert "origin" not in said.err
    assert shop.head() == before


def test_what_somebody_else_pushed_counts_as_introduced(shop: Clone) -> None:
    shop.git("reset", "-q", "--hard", "HEAD^")
    shop.init().refused("already introduced: ", "human:alice", "on origin; do: git pull")


def test_an_unsigned_policy_is_told_as_it_is(plain: Clone) -> None:
    plain.write(".codifica/guard.json", "{}").commit()
    plain.init().refused("already introduced: ", "not signed by anybody")


def test_a_policy_beyond_the_horizon_is_told_without_its_origin(shop: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codifica_guard.engine.past.HISTORY_WALK", 0)
    shop.init().refused("already introduced: .codifica/guard.json is there")


def test_a_clone_that_lags_behind_pulls_first(plain: Clone) -> None:
    plain.git("commit", "-q", "--allow-empty", "-m", "more")
    assert plain.push().returncode == 0
    plain.git("reset", "-q", "--hard", "HEAD^")
    plain.init().refused("git pull")
    plain.git("switch", "-q", "--orphan", "main2")
    plain.git("symbolic-ref", "HEAD", "refs/heads/main")
    plain.git("update-ref", "-d", "refs/heads/main")
    plain.init().refused("git pull")


def test_tasks_live_on_the_main_branch_unless_said_otherwise(plain: Clone) -> None:
    plain.git("switch", "-q", "-c", "topic")
    plain.init().misused("git switch main", "--branch topic")
    plain.git("remote", "set-head", "origin", "--delete")
    plain.init().ok()


def test_a_detached_head_is_no_branch(plain: Clone) -> None:
    plain.git("checkout", "-q", "--detach")
    plain.init().misused("detached")


def test_a_bare_repository_has_no_work_tree(plain: Clone) -> None:
    plain.guard("init", "--as", "alice", "--key", plain.key("alice"), cwd=plain.bare).misused("no work tree")


def test_outside_of_a_repository_nothing_can_be_told(plain: Clone, tmp_path: Path) -> None:
    assert plain.guard("init", "--as", "alice", cwd=tmp_path).code == 3


# -- what is in the way


@pytest.mark.parametrize("path", [*OWN[:-1], *FIRST])
def test_a_file_in_the_way_is_not_written_over(plain: Clone, path: str) -> None:
    fresh(plain).write("x", "x").commit().write(path, "mine\n")
    plain.init().refused(path, "not committed")
    assert plain.read(path) == "mine\n"
    plain.git("add", "-f", path)
    plain.init().refused(path)
    assert plain.read(path) == "mine\n"


def test_an_ignored_file_in_the_way_is_not_written_over(plain: Clone) -> None:
    plain.write(".gitignore", ".codifica\n").commit().write(".codifica/guard.json", "mine\n")
    plain.init().refused("not committed")
    assert plain.read(".codifica/guard.json") == "mine\n"


def test_a_changed_file_of_its_own_is_not_written_over(plain: Clone) -> None:
    plain.write(".gitattributes", "a\n").commit().write(".gitattributes", "b\n")
    plain.init().refused(".gitattributes is changed here")
    plain.git("add", ".gitattributes")
    plain.write(".gitattributes", "a\n")
    plain.init().refused(".gitattributes is changed here")


def test_keys_without_a_policy_are_not_written_over(plain: Clone) -> None:
    plain.write(".codifica/allowed_signers", "human:eve ssh-ed25519 x\n").commit()
    plain.init().refused("allowed_signers is there already")


def test_a_file_where_the_folder_has_to_be(plain: Clone) -> None:
    plain.write(".codifica", "x\n").commit()
    plain.init().refused(".codifica is a file")


def test_other_files_of_that_folder_do_not_matter(plain: Clone) -> None:
    plain.write(".codifica/README", "x\n").commit()
    plain.init().ok()


def test_a_link_where_the_folder_has_to_be(plain: Clone, tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (plain.folder / ".codifica").symlink_to(tmp_path / "elsewhere")
    plain.init().refused("is a link")
    assert not any((tmp_path / "elsewhere").iterdir())


def test_a_link_for_gitattributes_is_no_file(plain: Clone) -> None:
    (plain.folder / ".gitattributes").symlink_to("app.py")
    plain.commit().init().refused(".gitattributes is no regular file")


def test_a_protocol_that_cannot_be_taken_stops_the_introduction(plain: Clone) -> None:
    plain.write("codifica.json", '{\n "protocol": "other"\n}\n').commit()
    plain.init().refused("CD110 codifica.json")


def test_a_branch_that_moves_meanwhile_is_not_moved_back(plain: Clone) -> None:
    hook = plain.folder / ".git" / "hooks" / "reference-transaction"
    hook.parent.mkdir()
    hook.write_text("#!/bin/sh\nexit 1\n")
    hook.chmod(0o755)
    before = plain.head()
    plain.init("--no-hooks").refused("main could not be moved")
    assert plain.head() == before
    assert plain.git("status", "--porcelain") == ""


def test_an_index_that_is_locked_is_told_with_the_way_out(plain: Clone) -> None:
    (plain.folder / ".git" / "index.lock").write_text("")
    said = plain.init("--no-hooks")
    assert said.code == 3
    assert "git restore --staged --worktree" in said.err
    (plain.folder / ".git" / "index.lock").unlink()
    plain.git("restore", "--staged", "--worktree", "--", *said.err.split("-- ")[1].split())
    assert plain.git("status", "--porcelain") == ""


def test_a_document_past_the_limit_is_told(plain: Clone) -> None:
    plain.write("work.md", document("SHOP-1") + "x\n" * (4 * 1024 * 1024)).commit()
    said = plain.init("--json").ok()
    assert [f["code"] for f in said.json["findings"]] == ["ST107"]
