"""What the admin sees of the receipts: the key that signs them, what they do not hold, what waits, and what is left in the end."""

import itertools

import pytest

from codifica_guard.audit import pending
from codifica_guard.install import proof
from codifica_guard.install.repository import Repository
from codifica_guard.model.ids import RefName
from tests.unit.cli_a.places import Clone
from tests.unit.cli_a.servers import config, draft_of, place, pushed, receipts, snapshot

RELEASE = RefName(b"refs/heads/release")
FREE = RefName(b"refs/heads/free")
NUMBERS = itertools.count()
"""So that no two commits are one, made in the same second."""


@pytest.fixture
def server(shop: Clone) -> Clone:
    shop.install("--introduction", shop.head(), "--server", "git.example.org")
    return shop


def told(server: Clone, name: str = "receipts") -> list[tuple[str, str]]:
    checks = server.guard("doctor", server.bare, "--json").json["data"]["checks"]
    return [(check["level"], check["text"]) for check in checks if check["name"] == name]


def more(server: Clone, count: int = 1) -> list[str]:
    """Commits that reach the server's main behind its hook; all of main, the oldest last."""
    for _ in range(count):
        server.git("commit", "-q", "--no-verify", "--allow-empty", "-m", f"more {next(NUMBERS)}")
    server.git("--git-dir", server.bare, "fetch", "-q", str(server.folder), "+HEAD:refs/heads/main")
    return server.git("rev-list", "HEAD").split()


# -- install


def test_install_tells_who_lists_the_key_until_somebody_has(server: Clone) -> None:
    said = server.guard("install", server.bare, "--json").ok().json["data"]
    line = (server.bare / "codifica-guard" / "receipt_ed25519.pub").read_text().rpartition(" ")[0]
    add = f"git codifica key add server:git.example.org '{line}'"
    assert said["lines"][-2:] == [
        f"server key  {line} server:git.example.org",
        f"            human:alice: {add}",
    ]
    assert said["server_key"] == {
        "principal": "server:git.example.org",
        "key": line,
        "fingerprint": said["server_key"]["fingerprint"],
        "listed": False,
        "add": add,
    }
    assert ("warn", "of server:git.example.org is not listed by the policy: no audit believes its receipts") in told(
        server, "server key"
    )

    server.git("push", "-q", "origin", "HEAD:main")
    server.guard("key", "add", "server:git.example.org", line).ok()
    listed = server.guard("key", "list").ok().out
    assert "server:git.example.org" in listed
    row = next(
        r for r in server.guard("key", "list", "--json").json["data"]["keys"] if r["principal"].startswith("server:")
    )
    assert (row["namespaces"], row["state"], row["maintainer"]) == (["git"], "valid", False)

    said = server.guard("install", server.bare, "--json").ok().json["data"]
    assert (said["server_key"]["listed"], said["server_key"]["add"]) == (True, None)
    assert not any("server key" in text for text in said["lines"])
    assert told(server, "server key") == [
        ("ok", "codifica-guard/receipt_ed25519 of server:git.example.org, listed by the policy")
    ]
    assert "0 failures, 0 warnings" in server.guard("doctor", server.bare).ok().out


def test_a_key_that_is_revoked_signs_nothing_that_is_believed_and_another_one_takes_its_place(server: Clone) -> None:
    name = "server:git.example.org"
    line = (server.bare / "codifica-guard" / "receipt_ed25519.pub").read_text().rpartition(" ")[0]
    server.guard("key", "add", name, line).ok()
    said = server.guard("key", "revoke", name, "-m", "the disk was sold", "--yes").ok().out
    assert "no new receipt signed with it is believed from this commit on" in said
    assert "codifica-guard install REPOSITORY" in said
    assert "no commit on main" not in said
    assert ("fail", f"of {name} is revoked: no receipt that it signs is believed") in told(server, "server key")
    data = server.guard("install", server.bare, "--json").ok().json["data"]
    assert (data["server_key"]["listed"], data["server_key"]["add"]) == (False, None)
    assert data["lines"][-1].startswith("server key  is revoked")

    key = server.bare / "codifica-guard" / "receipt_ed25519"
    for half in (key, key.with_name(f"{key.name}.pub")):
        half.rename(half.with_name(f"old-{half.name}"))
    another = server.guard("install", server.bare, "--json").ok().json["data"]["server_key"]
    assert another["key"] != line
    server.guard("key", "add", name, another["key"]).ok()
    assert [level for level, _ in told(server, "server key")] == ["ok"]


def test_a_dry_run_of_install_makes_no_key(shop: Clone) -> None:
    before = snapshot(shop.bare)
    said = shop.guard("install", shop.bare, "--introduction", shop.head(), "--dry-run", "--json").ok().json["data"]
    assert said["server_key"] is None
    assert any("would make" in line and "0600" in line for line in said["lines"])
    assert snapshot(shop.bare) == before


def test_a_clone_has_no_key_of_a_server(shop: Clone) -> None:
    shop.guard("install", "--server", "git.example.org").misused("--server are for servers")
    assert shop.guard("install", "--json").ok().json["data"]["server_key"] is None
    assert shop.git("config", "--get-all", "remote.origin.fetch").splitlines()[-1] == "+refs/codifica/*:refs/codifica/*"
    shop.guard("uninstall", "--purge").misused("--purge is for servers")


@pytest.mark.parametrize("words", [(), ("--no-hooks",)])
def test_init_has_receipts_fetched_where_it_installs_the_clones_hooks(plain: Clone, words: tuple[str, ...]) -> None:
    assert ("remote.origin.fetch" in plain.init("--yes", "--dry-run", *words).ok().out) is (not words)
    plain.init("--yes", *words).ok()
    fetched = plain.git("config", "--get-all", "remote.origin.fetch").splitlines()
    assert ("+refs/codifica/*:refs/codifica/*" in fetched) is (not words)


def test_a_policy_that_cannot_be_read_is_none(shop: Clone) -> None:
    shop.install("--introduction", shop.head())
    shop.write(".codifica/guard.json", "{").commit()
    shop.git("--git-dir", shop.bare, "fetch", "-q", str(shop.folder), "+HEAD:refs/heads/main")
    data = shop.guard("install", shop.bare, "--json").ok().json["data"]
    assert data["server_key"]["listed"] is False


# -- what the receipts hold


def test_branches_where_the_receipts_have_them_are_well(server: Clone) -> None:
    assert told(server) == [("ok", "none yet: the next push to a judged branch writes one")]
    pushed(server, None, server.head(), introduction=server.head())
    ((level, text),) = told(server)
    assert level == "ok"
    assert text.startswith("1, the last 20")


def test_a_branch_that_moved_behind_the_hook_is_told_with_the_command_that_judges_it(server: Clone) -> None:
    pushed(server, None, server.head())
    new = more(server, 2)[0]
    check = next(
        c for c in server.guard("doctor", server.bare, "--json").json["data"]["checks"] if c["name"] == "receipts"
    )
    assert check["level"] == "fail"
    assert check["text"].startswith("main got 2 commits since receipt 1, 20")
    assert check["do"] == [f"codifica-guard audit {server.bare} --since-receipt"]
    assert "main got 2 commits" in server.guard("doctor", "-q", server.bare).refused().out
    pushed(server, None, new)
    assert told(server)[0][0] == "ok"


def test_a_branch_that_was_rewound_replaced_or_deleted_behind_the_hook_is_told(server: Clone) -> None:
    old, *_ = more(server, 2)
    pushed(server, None, old)
    server.git("reset", "-q", "--hard", "HEAD~2")
    tip = more(server, 0)[0]
    assert told(server)[0][1].startswith(f"main was rewound to {tip[:12]} since receipt 1")
    tip = more(server, 1)[0]
    assert told(server)[0][1].startswith(f"main was rewound to {tip[:12]} with 1 commit since receipt 1")
    pushed(server, None, "0123456789" * 4)
    assert "from a commit that is not here any more" in told(server)[0][1]
    pushed(server, None, tip, ref=RELEASE)
    pushed(server, None, tip)
    config(server, "codifica.coordination", "release")
    assert told(server)[0][1].startswith("release is gone since receipt")


def test_branches_that_are_not_judged_any_more_may_move(server: Clone) -> None:
    pushed(server, None, server.head(), ref=FREE)
    pushed(server, None, server.head())
    assert [level for level, _ in told(server)] == ["ok"]
    config(server, "codifica.coordination", "free")
    assert [level for level, _ in told(server)] == ["fail"]


def test_pushes_that_wait_for_their_receipts_are_told_and_written_by_fix(server: Clone) -> None:
    first = server.head()
    pushed(server, None, first)
    last, middle, *_ = more(server, 2)
    pending.write(place(server), [draft_of(first, middle)])
    assert [level for level, _ in told(server)] == ["fail"], "one step is not the whole way"
    pending.write(place(server), [draft_of(middle, last)])
    levels = told(server)
    assert [level for level, _ in levels] == ["warn", "ok"]
    assert levels[0][1].startswith("2 pushes wait for their receipts: the server's hook did not come to it")
    said = server.guard("doctor", "--fix", server.bare).ok().out
    assert "wrote     2 receipts of earlier pushes" in said
    assert [(r.number, r.late) for r in receipts(server)] == [(1, False), (2, True), (3, True)]
    assert [level for level, _ in told(server)] == ["ok"]
    assert "of earlier pushes" not in server.guard("doctor", "--fix", server.bare).ok().out


def test_the_first_push_may_wait_too(server: Clone) -> None:
    pending.write(place(server), [draft_of(None, server.head())])
    assert told(server)[0] == (
        "warn",
        "1 push waits for its receipt: the server's hook did not come to it; the next push writes what is missing",
    )


def test_what_waits_and_cannot_be_written_is_told(server: Clone) -> None:
    pending.write(place(server), [draft_of(None, server.head())])
    key = server.bare / "codifica-guard" / "receipt_ed25519"
    key.write_text("broken")
    said = server.guard("doctor", "--fix", server.bare).refused().out
    assert "left      receipts that wait" in said
    assert pending.names(place(server))


def test_receipts_that_are_none_are_told(server: Clone) -> None:
    server.git("--git-dir", server.bare, "update-ref", "refs/codifica/receipts", "main")
    ((level, text),) = told(server)
    assert (level, text) == ("fail", "refs/codifica/receipts names no receipt: no more can be written")
    assert server.guard("pause", server.bare).code == 3
    assert server.guard("pause", server.bare, "--for", "1h", "-m", "x").code == 3
    assert config(server, "codifica.pausedUntil") == ""


# -- the end


def test_uninstall_lets_receipts_and_key_lie_and_purge_takes_them(server: Clone) -> None:
    pushed(server, None, server.head())
    server.guard("pause", server.bare, "--for", "1h", "-m", "x").ok()
    said = server.guard("uninstall", server.bare).ok().out
    for line in (
        "left      refs/codifica/receipts           2 receipts   (--purge removes them)",
        "left      codifica-guard/receipt_ed25519   the server's key   (--purge removes it)",
    ):
        assert line in " ".join(said.split("  ")) or line.split() in [row.split() for row in said.splitlines()]
    for key in ("receiptKey", "server", "pausedUntil", "pauseReason"):
        assert config(server, f"codifica.{key}") == ""
    assert len(receipts(server)) == 2

    pending.write(place(server), [draft_of(None, server.head())])
    before = snapshot(server.bare)
    said = server.guard("uninstall", server.bare, "--purge", "--dry-run").ok().out
    assert "would delete   refs/codifica/receipts" in said
    assert snapshot(server.bare) == before
    said = server.guard("uninstall", server.bare, "--purge").ok().out
    assert "deleted   refs/codifica/receipts" in said
    assert receipts(server) == []
    assert not pending.names(place(server))
    assert not list((server.bare / "codifica-guard").glob("receipt_*"))
    assert server.guard("uninstall", server.bare, "--purge").ok().out == "nothing to do\n"


def test_receipts_that_came_in_meanwhile_are_not_purged_unseen(server: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    pushed(server, None, server.head())
    real = proof.purge

    def late(repository: Repository) -> object:
        steps = tuple(real(repository))
        pushed(server, None, server.head())
        return steps

    monkeypatch.setattr(proof, "purge", late)
    said = server.guard("uninstall", server.bare, "--purge")
    assert said.code == 3
    assert "cannot delete refs/codifica/receipts" in said.all
    assert len(receipts(server)) == 2
