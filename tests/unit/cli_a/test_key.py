import io
import json
import stat
import sys
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.identity.tokens import parse_token
from tests.unit.cli_a.places import Clone, Said, environment
from tests.unit.cli_a.terminals import at_terminal

SIGNERS = ".codifica/allowed_signers"


def change(shop: Clone, path: str, text: str) -> Clone:
    """A change of the policy as alice would make it by hand."""
    shop.write(path, text).git("add", path)
    shop.git("-c", "gpg.format=ssh", "-c", f"user.signingkey={shop.key('alice')}", "commit", "-q", "-S", "-m", "Policy")
    return shop


def add(shop: Clone, *words: str | Path, **more: Any) -> Said:
    """Add a key on the clone's own branch; nobody is asked about its fingerprint."""
    return shop.guard("key", "add", *words, "--yes", "--no-push", **more)


# -- new


def test_a_new_key_lies_where_the_agents_keys_lie(shop: Clone) -> None:
    said = shop.guard("key", "new", "writer").ok()
    path = shop.home / ".config/codifica-guard/shop/agent-writer"
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert f"git codifica key add agent:writer '{path.with_name('agent-writer.pub').read_text().strip()}'" in said.out
    add(shop, "agent:writer", f"{path}.pub").ok()
    answer = shop.guard("whoami", "--json", variables={"CODIFICA_SIGNING_KEY": str(path)}).ok().json
    assert answer["data"]["actor"] == "agent:writer"


def test_a_new_key_lies_where_it_was_said(shop: Clone, tmp_path: Path) -> None:
    answer = shop.guard("key", "new", "human:bob", "--file", "../k", "--json").ok().json
    assert answer["data"]["path"] == str(shop.folder.parent / "k")
    assert answer["data"]["principal"] == "human:bob"
    assert (shop.folder.parent / "k.pub").read_text().strip() == answer["data"]["public"]
    shop.guard("key", "new", "b", "--file", tmp_path / "x", cwd=tmp_path).ok()


@pytest.mark.parametrize("taken", ["k", "k.pub"])
def test_no_key_is_written_over(shop: Clone, tmp_path: Path, taken: str) -> None:
    (tmp_path / taken).write_text("mine")
    shop.guard("key", "new", "writer", "--file", tmp_path / "k").misused("is there already")
    assert (tmp_path / taken).read_text() == "mine"
    assert not (tmp_path / ("k" if taken == "k.pub" else "k.pub")).exists()


def test_a_place_that_cannot_be_written_is_wrong_usage(shop: Clone, tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    shop.guard("key", "new", "writer", "--file", tmp_path / "file" / "k").misused("cannot write")


def test_outside_of_a_clone_a_key_needs_a_place(shop: Clone, tmp_path: Path) -> None:
    shop.guard("key", "new", "writer", cwd=tmp_path).misused("--file")


@pytest.mark.parametrize("name", ["server:git", "A", "human:", "a b"])
def test_keys_are_made_for_agents_and_humans(shop: Clone, name: str) -> None:
    shop.guard("key", "new", name).misused()


def test_the_shared_options_may_stand_at_either_place(shop: Clone, tmp_path: Path) -> None:
    assert (
        shop.guard("key", "list", "-C", shop.folder, "--json", cwd=tmp_path)
        .ok()
        .json["schema"]
        .startswith("codifica-guard/key@")
    )
    assert shop.guard("key", "-C", shop.folder, "list", "-q", cwd=tmp_path).ok().out == ""
    shop.guard("key").misused("new|add|list")
    shop.guard("key", "turn").misused("invalid choice")


# -- add


def test_a_key_is_added_by_one_signed_commit_that_the_server_takes(shop: Clone) -> None:
    shop.install("--introduction", shop.head()[:8])
    before = shop.read(SIGNERS)
    shop.write("app.py", "x = 2\n").write("new.py", "y\n").git("add", "new.py")
    dirty = shop.git("status", "--porcelain")
    said = add(shop, "human:bob", shop.line("bob")).ok()
    assert shop.read(SIGNERS) == before + f'human:bob namespaces="git,codifica-guard" {shop.line("bob")}\n'
    assert shop.git("status", "--porcelain") == dirty
    assert shop.git("show", "--format=", "--name-only", "HEAD") == SIGNERS
    for word in (shop.fingerprint("bob"), "namespaces git,codifica-guard", "git push origin main", "--maintainer"):
        assert word in said.out
    pushed = shop.push()
    assert pushed.returncode == 0, pushed.stderr


def test_a_maintainer_is_made_in_the_same_commit(shop: Clone) -> None:
    answer = add(shop, "human:bob", "--maintainer", shop.key("bob.pub"), "--json").ok().json
    assert answer["data"]["maintainer"] is True
    assert answer["data"]["commit"] == shop.head()
    assert answer["next"] == ["git push origin main"]
    assert shop.policy()["maintainers"] == ["human:alice", "human:bob"]
    assert shop.git("status", "--porcelain") == ""


def test_somebody_whose_key_is_listed_becomes_maintainer_without_a_second_line(shop: Clone) -> None:
    add(shop, "human:bob", shop.key("bob.pub")).ok()
    lines = shop.read(SIGNERS)
    said = add(shop, "human:bob", shop.key("bob.pub"), "--maintainer").ok()
    assert "   maintainer" in said.out
    assert shop.read(SIGNERS) == lines
    assert shop.git("show", "--format=%s", "--name-only", "HEAD").startswith("codifica: make a maintainer of human:bob")
    add(shop, "human:bob", shop.key("bob.pub"), "--maintainer").refused("has the key", "line 3", "valid")


def test_a_second_key_of_a_maintainer_needs_no_other_right(shop: Clone) -> None:
    said = add(shop, "human:alice", shop.key("bob.pub")).ok()
    assert "--maintainer" not in said.out


@pytest.mark.parametrize(
    ("principal", "namespaces"),
    [("agent:writer", "git,codifica-guard,codifica-evidence"), ("server:git.example.org", "git")],
)
def test_each_kind_is_listed_for_what_it_signs(shop: Clone, principal: str, namespaces: str) -> None:
    add(shop, principal, *shop.line("bob").split()).ok()
    assert f'\n{principal} namespaces="{namespaces}" {shop.line("bob")}\n' in shop.read(SIGNERS)


def test_every_other_byte_of_the_file_stays(shop: Clone) -> None:
    before = "# keys\r\n\r\n" + shop.read(SIGNERS).removesuffix("\n")
    change(shop, SIGNERS, before)
    add(shop, "human:bob", shop.line("bob")).ok()
    assert shop.read(SIGNERS).startswith(before + "\nhuman:bob ")


def test_a_comment_that_is_no_ascii_is_left_out(shop: Clone) -> None:
    bare = " ".join(shop.line("bob").split()[:2])
    add(shop, "human:bob", f"{bare} b\u00f6b").ok()
    assert shop.read(SIGNERS).endswith(f"{bare}\n")


def test_a_key_comes_by_standard_input(shop: Clone) -> None:
    shop.monkeypatch.setattr(sys, "stdin", io.StringIO(f"# bob\n\n{shop.line('bob')}\n"))
    add(shop, "human:bob", "-").ok()
    assert shop.line("bob") in shop.read(SIGNERS)


def test_a_dry_run_shows_the_lines_and_changes_nothing(shop: Clone) -> None:
    before = shop.head()
    said = add(shop, "human:bob", shop.line("bob"), "--maintainer", "--dry-run").ok()
    assert f'+human:bob namespaces="git,codifica-guard" {shop.line("bob")}' in said.out
    assert '+    "human:bob"' in said.out
    assert "nothing was changed" in said.out
    assert "no maintainer" not in said.out
    assert (shop.head(), shop.git("status", "--porcelain")) == (before, "")


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (["bob", "KEY"], "human:bob or agent:bob"),
        (["Bob!", "KEY"], "no principal"),
        (["agent:bob", "KEY", "--maintainer"], "only humans"),
        (["human:bob", "/nowhere"], "No such file"),
        (["human:bob", "ssh-ed25519 AAAA"], "the line: "),
        (["human:bob", "ssh-ed25519 A\nssh-ed25519 B"], "holds 2 keys"),
        (["human:bob"], "KEY"),
    ],
)
def test_a_wrong_call_is_wrong_usage(shop: Clone, words: list[str], told: str) -> None:
    add(shop, *(shop.line("bob") if word == "KEY" else word for word in words)).misused(told)


def test_a_private_key_is_not_taken_for_a_public_one(shop: Clone) -> None:
    said = add(shop, "human:bob", shop.key("bob")).misused("private key")
    assert "b3BlbnNzaC" not in said.all


def test_files_that_hold_no_key_are_wrong_usage(shop: Clone, tmp_path: Path) -> None:
    (tmp_path / "two").write_text(f"{shop.line('bob')}\n{shop.line('alice')}\n")
    (tmp_path / "bytes").write_bytes(b"\xff\xfe")
    (tmp_path / "prose").write_text("hello there\n")
    add(shop, "human:bob", tmp_path / "two").misused("holds 2 keys")
    add(shop, "human:bob", tmp_path / "bytes").misused("it is no text")
    add(shop, "human:bob", tmp_path / "prose").misused("prose: ")


def test_a_key_is_a_humans_or_an_agents(shop: Clone) -> None:
    before = shop.head()
    add(shop, "human:bob", shop.line("builder")).refused("ID113", "git codifica key new")
    assert shop.head() == before


def test_a_key_that_was_revoked_stays_so(shop: Clone) -> None:
    change(shop, ".codifica/revoked_keys", f"{shop.line('bob')}\n")
    add(shop, "human:bob", shop.line("bob")).refused("revoked, for good")


def test_who_is_no_maintainer_gets_the_verdict_and_changes_nothing(shop: Clone) -> None:
    add(shop, "human:bob", shop.line("bob")).ok()
    before = shop.as_bob().head()
    words = ["agent:writer", f"ssh-ed25519 {NEW} writer"]
    said = add(shop, *words).another("commit refused, 1 error: ID109", "only maintainers (human:alice)")
    assert "codifica-guard key: " not in said.err
    assert [f["code"] for f in add(shop, *words, "--json").another().json["findings"]] == ["ID109"]
    add(shop, *words, "--dry-run").another("ID109")
    assert (shop.head(), shop.git("status", "--porcelain")) == (before, "")


NEW = "AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43


def test_a_stranger_gets_no_further(shop: Clone) -> None:
    add(shop.as_bob(), "human:bob", shop.line("bob")).refused("nobody's here")


def test_a_policy_that_is_broken_is_not_made_worse(shop: Clone) -> None:
    change(shop, ".codifica/guard.json", "{]")
    add(shop, "human:bob", shop.line("bob"), "--maintainer").refused("mend it first")


def test_a_warning_about_the_policy_is_told(shop: Clone) -> None:
    change(shop, SIGNERS, shop.read(SIGNERS) + f"bob@example.org {shop.line('bob')}\n")
    said = add(shop, "human:carol", f"ssh-ed25519 {NEW}").ok()
    assert "bob@example.org" in said.err


def test_without_a_policy_no_key_is_added(plain: Clone) -> None:
    add(plain, "human:bob", plain.line("bob")).misused("git codifica init")


# -- where it goes


def test_a_key_goes_to_the_remote_at_once(shop: Clone) -> None:
    shop.install("--introduction", shop.head()[:8])
    assert shop.push().returncode == 0
    shop.git("switch", "-q", "-c", "topic")
    shop.write("app.py", "x = 9\n")
    said = shop.guard("key", "add", "human:bob", shop.line("bob"), "--yes").ok()
    assert "signed by human:alice, pushed" in said.out
    assert "git push" not in said.out
    assert shop.line("bob") in shop.git("--git-dir", shop.bare, "show", f"main:{SIGNERS}")
    assert shop.git("status", "--porcelain") == " M app.py"


def test_before_the_policy_is_pushed_a_key_stays_here(shop: Clone) -> None:
    shop.git("--git-dir", shop.bare, "update-ref", "refs/heads/main", shop.git("rev-parse", "HEAD^"))
    shop.git("update-ref", "refs/remotes/origin/main", "HEAD^")
    answer = shop.guard("key", "add", "agent:writer", f"ssh-ed25519 {NEW}", "--json").ok().json
    assert (answer["data"]["pushed"], answer["next"]) == (False, ["git push origin main"])
    assert answer["data"]["commit"] == shop.head()


def test_whose_fingerprint_it_is_has_to_be_said(shop: Clone) -> None:
    before = shop.head()
    shop.guard("key", "add", "human:bob", shop.line("bob")).misused(shop.fingerprint("bob"), "--yes")
    for words in (["human:alice", shop.line("bob")], ["agent:writer", f"ssh-ed25519 {NEW}"]):
        shop.guard("key", "add", *words, "--dry-run").ok()
    assert shop.head() == before


@pytest.mark.parametrize(("answer", "code"), [("y", 0), ("", 1), ("no", 1)])
def test_whose_fingerprint_it_is_can_be_answered(shop: Clone, answer: str, code: int) -> None:
    words = ["key", "add", "human:bob", shop.line("bob")]
    done = at_terminal(words, [answer], folder=shop.folder, environ=environment(shop.home))
    assert done.code == code, done.screen
    assert f"human:bob {shop.fingerprint('bob')}: did he tell you this fingerprint himself?" in done.screen
    assert (shop.line("bob") in shop.read(SIGNERS)) is (code == 0)


# -- where the branch is


def test_the_branch_need_not_be_checked_out(shop: Clone) -> None:
    shop.git("switch", "-q", "-c", "topic")
    before = shop.head()
    shop.write("app.py", "x = 9\n")
    add(shop, "human:bob", shop.line("bob")).ok()
    assert shop.head() == before
    assert shop.git("status", "--porcelain") == " M app.py"
    assert shop.line("bob") in shop.git("show", f"main:{SIGNERS}")


def test_a_branch_that_another_worktree_holds_is_left_to_it(shop: Clone) -> None:
    shop.git("switch", "-q", "-c", "topic")
    shop.git("worktree", "add", "-q", "../second", "main")
    add(shop, "human:bob", shop.line("bob")).refused("second", "run this there")
    add(shop, "human:bob", shop.line("bob"), cwd=shop.folder.parent / "second").ok()


def test_a_branch_that_is_being_rebased_is_left_alone(shop: Clone) -> None:
    shop.git("-c", "sequence.editor=sed -i 1ibreak", "rebase", "-q", "-i", "HEAD^")
    add(shop, "human:bob", shop.line("bob")).refused("being rebased")
    (shop.folder / ".git/rebase-merge/head-name").write_text("refs/heads/other\n")
    add(shop, "human:bob", shop.line("bob")).ok()


def test_a_branch_that_is_not_here_is_named(shop: Clone) -> None:
    shop.git("switch", "-q", "-c", "topic")
    shop.git("branch", "-q", "-D", "main")
    shop.git("update-ref", "-d", "refs/remotes/origin/main")
    add(shop, "human:bob", shop.line("bob")).misused("git branch main origin/main")


def test_a_branch_that_lags_behind_is_pulled_first(shop: Clone) -> None:
    shop.git("reset", "-q", "--hard", "HEAD^")
    add(shop, "human:bob", shop.line("bob")).misused("git switch main && git pull")


def test_a_branch_from_before_the_policy_is_told(shop: Clone) -> None:
    shop.git("switch", "-q", "-c", "topic")
    shop.git("branch", "-q", "-f", "main", "HEAD^")
    shop.git("update-ref", "-d", "refs/remotes/origin/main")
    add(shop, "human:bob", shop.line("bob")).misused("main has no policy")


def test_a_changed_file_of_the_policy_is_not_written_over(shop: Clone) -> None:
    shop.write(SIGNERS, "mine\n")
    add(shop, "human:bob", shop.line("bob")).refused("is changed here")
    assert shop.read(SIGNERS) == "mine\n"


def test_a_bare_repository_is_no_place_for_it(shop: Clone) -> None:
    add(shop, "human:bob", shop.line("bob"), cwd=shop.bare).misused("no work tree")


def test_the_mode_of_a_file_stays(shop: Clone) -> None:
    (shop.folder / ".codifica/guard.json").chmod(0o755)
    change(shop, ".codifica/guard.json", json.dumps(shop.policy()))
    add(shop, "human:bob", shop.line("bob"), "--maintainer").ok()
    assert shop.git("ls-tree", "HEAD", ".codifica/guard.json").startswith("100755 ")
    assert shop.git("status", "--porcelain") == ""


# -- token


def test_a_token_is_kept_for_its_owner_alone_and_never_shown(shop: Clone) -> None:
    answer = shop.guard("key", "token", "FEAT-1", "--json").ok().json["data"]
    path = Path(answer["path"])
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    token = parse_token(path.read_text().strip())
    assert token.public_line == answer["writer"]
    assert answer["writer"] not in path.read_text()
    said = shop.guard("key", "token", "FEAT-1").ok()
    assert "writer:" in said.out
    assert token.text not in said.out


def test_a_token_lies_where_the_variable_says(shop: Clone, tmp_path: Path) -> None:
    data = (
        shop.guard("key", "token", "FEAT-1", "--json", variables={"CODIFICA_TOKEN_DIR": str(tmp_path)})
        .ok()
        .json["data"]
    )
    assert data["path"] == str(tmp_path / "FEAT-1")


def test_a_token_is_for_a_task(shop: Clone) -> None:
    shop.guard("key", "token", "../x").misused("no task's id")
