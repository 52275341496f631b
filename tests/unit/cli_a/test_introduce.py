"""Another introduction after a purge: signed, on the branch that holds the tasks, and in the receipts before it counts."""

import pytest

from codifica_guard.install import introducing
from tests.unit.cli_a.places import Clone
from tests.unit.cli_a.servers import config, pushed, receipts, snapshot, unset


@pytest.fixture
def server(shop: Clone) -> Clone:
    shop.install("--introduction", shop.head())
    return shop


def purge(shop: Clone, *, by: str = "alice", push: bool = True) -> tuple[str, str]:
    """Main anew from its first commit, with an introduction of its own; the old and the new one."""
    old = shop.head()
    shop.git("reset", "-q", "--soft", "HEAD^")
    shop.git("config", "user.signingkey", shop.key(by))
    shop.git("-c", "gpg.format=ssh", "commit", "-q", "-S", "-m", "Introduce the guard again")
    if push:
        # Behind the hook: what a push in a pause does is told elsewhere.
        shop.git("--git-dir", shop.bare, "fetch", "-q", str(shop.folder), "+HEAD:refs/heads/main")
    return old, shop.head()


def introduce(shop: Clone, commit: str, *words: str) -> tuple[str, ...]:
    return ("introduce", commit, str(shop.bare), "-m", "a password was purged", *words)


def test_the_new_one_is_pinned_written_down_and_told(server: Clone) -> None:
    old, new = purge(server)
    said = server.guard(*introduce(server, new[:8])).ok().out
    for word in (f"introduced  {new[:12]} by human:alice SHA256:", f"in place of {old[:12]}", "on main", "receipt 1"):
        assert word in said
    assert (config(server, "codifica.introduction"), config(server, "codifica.coordination")) == (new, "main")
    (receipt,) = receipts(server)
    assert (receipt.kind, receipt.introduction, receipt.reason) == (
        "introduction",
        new.encode(),
        "a password was purged",
    )
    assert (receipt.ref, receipt.paused, receipt.repository) == (None, False, server.policy()["repository"])
    again = server.guard(*introduce(server, "main"), "--json").ok().json["data"]
    assert (again["changed"], again["receipt"], again["introduction"], again["before"]) == (False, None, new, new)
    assert "is pinned already: nothing to do" in again["lines"][0]
    assert len(receipts(server)) == 1


def test_programs_read_the_same(server: Clone) -> None:
    old, new = purge(server)
    data = server.guard(*introduce(server, new, "--json")).ok().json["data"]
    assert data["by"] == f"human:alice {server.fingerprint('alice')}"
    assert (data["before"], data["coordination"], data["receipt"], data["changed"]) == (old, "main", 1, True)


def test_a_dry_run_changes_nothing(server: Clone) -> None:
    _, new = purge(server)
    before = snapshot(server.bare)
    said = server.guard(*introduce(server, new, "--dry-run")).ok().out
    assert [line.split()[:3] for line in said.splitlines()[1:-1]] == [
        ["would", "write", "receipt"],
        ["would", "set", "codifica.coordination"],
        ["would", "set", "codifica.introduction"],
    ]
    assert snapshot(server.bare) == before


def test_what_introduces_nothing_is_not_pinned(server: Clone) -> None:
    before = snapshot(server.bare)
    server.guard(*introduce(server, "nowhere")).misused("there is no such commit")
    server.guard(*introduce(server, "main^")).misused("introduces nothing")
    _, new = purge(server, by="bob", push=False)
    server.git("--git-dir", server.bare, "fetch", "-q", str(server.folder), "HEAD")
    server.guard(*introduce(server, new)).refused("is not signed by anybody whom it lists")
    assert config(server, "codifica.introduction") != new
    assert {n: d for n, d in snapshot(server.bare).items() if "objects" not in n and n != "FETCH_HEAD"} == {
        n: d for n, d in before.items() if "objects" not in n
    }


def test_what_the_branch_with_the_tasks_does_not_hold_is_not_pinned(server: Clone) -> None:
    _, new = purge(server, push=False)
    server.git("--git-dir", server.bare, "fetch", "-q", str(server.folder), "HEAD")
    server.guard(*introduce(server, new)).misused(
        f"main does not hold {new[:12]}: push the new history first, in a pause (codifica-guard pause"
    )
    assert receipts(server) == []


def test_one_that_was_cut_short_is_told_and_goes_on_from_there(server: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    old, new = purge(server)

    def killed(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(introducing, "apply", killed)
        assert server.guard(*introduce(server, new)).code == 130
    assert config(server, "codifica.introduction") == old
    assert [r.introduction for r in receipts(server)] == [new.encode()]
    said = server.guard("doctor", server.bare).out
    assert f"codifica.introduction is {old[:12]}, and receipt 1 says {new[:12]}" in said
    assert "would write" not in server.guard(*introduce(server, new, "--dry-run")).ok().out
    assert "told by the newest receipt already" in server.guard(*introduce(server, new)).ok().out
    assert config(server, "codifica.introduction") == new
    assert len(receipts(server)) == 1
    assert "says" not in "".join(line for line in server.guard("doctor", server.bare).out if "receipts" in line)


def test_one_that_was_pinned_by_hand_is_written_down_once_somebody_says_why(server: Clone) -> None:
    old, new = purge(server)
    pushed(server, None, old, introduction=old)
    config(server, "codifica.introduction", new)
    data = server.guard(*introduce(server, new, "--json")).ok().json["data"]
    assert (data["receipt"], data["before"]) == (2, new)
    assert "in place of" not in "".join(data["lines"])
    assert [r.introduction for r in receipts(server)] == [old.encode(), new.encode()]


def test_the_coordination_branch_is_the_one_that_the_policy_names(server: Clone) -> None:
    config(server, "codifica.coordination", "tasks")
    unset(server, "codifica.introduction")
    config(server, "codifica.trust", server.fingerprint("alice"))
    server.guard(*introduce(server, "main")).ok()
    assert config(server, "codifica.coordination") == "main"


def test_where_no_policy_can_be_read_the_pinned_branch_counts_then_head(server: Clone) -> None:
    introduction = server.head()
    server.git("rm", "-q", "-r", ".codifica")
    server.git("commit", "-q", "--no-verify", "-m", "No policy any more")
    server.git("--git-dir", server.bare, "fetch", "-q", str(server.folder), "HEAD:refs/heads/tasks")
    server.git("--git-dir", server.bare, "update-ref", "refs/heads/main", f"{introduction}^")
    config(server, "codifica.coordination", "tasks")
    assert server.guard(*introduce(server, introduction, "--json")).ok().json["data"]["coordination"] == "tasks"
    unset(server, "codifica.coordination")
    server.guard(*introduce(server, introduction)).misused("main does not hold")
    server.git("--git-dir", server.bare, "update-ref", "--no-deref", "HEAD", f"{introduction}^")
    server.guard(*introduce(server, introduction)).misused("names no branch, and no policy does")


def test_a_reason_is_needed_and_a_server(server: Clone) -> None:
    server.guard("introduce", "main", server.bare).misused("-m/--reason")
    server.guard("introduce", "main", server.bare, "-m", " ").misused("a reason needs words")
    server.guard("introduce", "main", "-m", "why").misused("is a clone with a work tree")


def test_install_sends_to_introduce_where_another_one_is_pinned(server: Clone) -> None:
    _, new = purge(server)
    server.guard("install", server.bare, "--introduction", new).misused(
        f"codifica-guard introduce {new[:12]} {server.bare} -m WHY"
    )
    config(server, "codifica.introduction", "0" * 40)
    assert "codifica-guard introduce COMMIT" in server.guard("doctor", server.bare).refused().out
    server.guard(*introduce(server, new)).ok()
    assert config(server, "codifica.introduction") == new
