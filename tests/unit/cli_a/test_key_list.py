"""`key list`: how keys stand, and when they were last used."""

import re
import subprocess
import time

import pytest

from codifica_guard.cli.last_used import show_use
from tests.unit.cli_a.places import Clone, git
from tests.unit.cli_a.test_key import SIGNERS, change

DAY = 86400
NOON = 1_800_000_000 - 1_800_000_000 % DAY + DAY // 2


def push(shop: Clone) -> Clone:
    shop.git("push", "-q", "--no-verify", "origin", "HEAD:main")
    return shop


def uses(shop: Clone) -> dict[str, str]:
    """Principal to what is told of its last use; of the minutes that a slow machine takes, `now`."""
    rows = shop.guard("key", "list").ok().out.splitlines()
    at = rows[0].index("last used")
    return {row.split()[0]: re.sub(r"^\d min ago$", "now", row[at:]) for row in rows[1:]}


def signed(shop: Clone, name: str, ago: int = 0, *words: str) -> None:
    """A commit with Git's own signature."""
    date = f"@{int(time.time()) - ago} +0000"
    with shop.monkeypatch.context() as patch:
        patch.setenv("GIT_COMMITTER_DATE", date)
        patch.setenv("GIT_AUTHOR_DATE", date)
        command = ["git", "-c", "gpg.format=ssh", "-c", f"user.signingkey={shop.key(name)}", "commit", "-q", "-S",
                   "--no-verify", "--allow-empty", "-m", "work", *words]  # fmt: skip
        subprocess.run(command, cwd=shop.folder, check=True)


# -- how they stand


def test_keys_are_listed_with_how_they_stand(shop: Clone) -> None:
    lines = shop.read(SIGNERS)
    bob = shop.line("bob")
    lines += f'human:old valid-before="20200101" {bob}\nhuman:next valid-after="20990102030405Z" {bob}\n'
    lines += f"human:*,!human:eve {bob}\n"
    change(shop, SIGNERS, lines)
    change(shop, ".codifica/revoked_keys", f"{shop.line('builder')}\n")
    push(shop)
    said = shop.guard("key", "list").ok()
    rows = [line.split() for line in said.out.splitlines()]
    assert rows[0] == ["principal", "key", "from", "until", "state", "last", "used"]
    assert rows[1] == ["human:alice", "M", shop.fingerprint("alice"), "-", "-", "valid", "now"]
    assert rows[2] == ["agent:builder", shop.fingerprint("builder"), "-", "-", "REVOKED", "never"]
    assert rows[3] == ["human:old", shop.fingerprint("bob"), "-", "2020-01-01", "expired", "never"]
    assert rows[4] == ["human:next", shop.fingerprint("bob"), "2099-01-02T03:04:05Z", "-", "not", "yet", "never"]
    assert rows[5][:2] == ["human:*,!human:eve", "M"]


@pytest.mark.parametrize(("days", "word"), [(29, "expiring"), (31, "valid")])
def test_a_key_that_is_about_to_expire_is_told(shop: Clone, days: int, word: str) -> None:
    until = time.strftime("%Y%m%d%H%M%SZ", time.gmtime(time.time() + days * DAY))
    change(shop, SIGNERS, shop.read(SIGNERS) + f'human:bob valid-before="{until}" {shop.line("bob")}\n')
    said = push(shop).guard("key", "list").ok()
    assert f"  {word}  " in said.out.splitlines()[3]
    assert shop.guard("key", "list", "--json").ok().json["data"]["keys"][2]["state"] == "valid"


def test_keys_are_listed_for_programs(shop: Clone) -> None:
    change(shop, ".codifica/revoked_keys", f"{shop.line('bob')}\n")
    keys = push(shop).guard("key", "--json", "list").ok().json["data"]["keys"]
    assert [(k["principal"], k["maintainer"], k["state"]) for k in keys] == [
        ("human:alice", True, "valid"),
        ("agent:builder", False, "valid"),
        ("-", False, "revoked"),
    ]
    assert keys[0]["type"] == "ssh-ed25519"
    assert keys[1]["namespaces"] == ["git", "codifica-guard", "codifica-evidence"]
    assert keys[0]["last_used"] == shop.git("log", "-1", "--format=%cd", "--date=format-local:%Y-%m-%dT%H:%M:%SZ")
    assert (keys[1]["last_used"], keys[2]["last_used"]) == (None, None)


def test_without_a_policy_there_is_no_list(plain: Clone) -> None:
    plain.guard("key", "list").misused("no policy yet")


# -- when they were used


@pytest.mark.parametrize(
    ("ago", "told"),
    [
        (-90, "today"),
        (0, "now"),
        (59, "now"),
        (60, "1 min ago"),
        (3599, "59 min ago"),
        (3600, "today"),
        (DAY // 2, "today"),
        (DAY // 2 + 1, "1 day ago"),
        (2 * DAY, "2 days ago"),
        (400 * DAY, "400 days ago"),
    ],
)
def test_a_use_is_told_in_minutes_and_days(ago: int, told: str) -> None:
    assert show_use(NOON - ago, NOON) == told


def test_an_introduction_is_a_use_by_trailer(shop: Clone) -> None:
    assert uses(shop) == {"human:alice": "now", "agent:builder": "never"}


def test_the_newest_signature_of_each_key_counts(shop: Clone) -> None:
    signed(shop, "builder", 3 * DAY)
    signed(shop, "alice", 2 * DAY)
    signed(shop, "builder", 12 * 60)
    push(shop)
    assert uses(shop)["agent:builder"] == "12 min ago"


def test_only_what_reached_the_branch_counts(shop: Clone) -> None:
    signed(shop, "builder", 12 * 60)
    assert uses(shop)["agent:builder"] == "never"
    push(shop)
    assert uses(shop)["agent:builder"] == "12 min ago"


def test_a_merged_branch_counts(shop: Clone) -> None:
    shop.git("switch", "-q", "-c", "topic")
    signed(shop, "builder", 5 * DAY)
    shop.git("switch", "-q", "main")
    shop.write("x", "y").commit()
    shop.git("merge", "-q", "--no-edit", "topic")
    push(shop)
    assert uses(shop)["agent:builder"] == "5 days ago"


def test_a_signature_that_is_not_for_the_commit_is_no_use(shop: Clone) -> None:
    signed(shop, "builder", 9 * DAY)
    signed(shop, "builder", 60 * 60)
    raw = shop.git("cat-file", "commit", "HEAD") + "\n"
    forged = shop.git("hash-object", "-t", "commit", "-w", "--stdin", data=raw.replace("work", "other work"))
    shop.git("reset", "-q", "--hard", forged)
    push(shop)
    assert uses(shop)["agent:builder"] == "9 days ago"


def test_signatures_that_do_not_hold_are_not_looked_at_for_ever(shop: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codifica_guard.cli.last_used.KEY_USE_PROOFS", 1)
    signed(shop, "builder", 9 * DAY)
    signed(shop, "builder", 60 * 60)
    raw = shop.git("cat-file", "commit", "HEAD") + "\n"
    shop.git(
        "reset", "-q", "--hard", shop.git("hash-object", "-t", "commit", "-w", "--stdin", data=raw.replace("work", "x"))
    )
    push(shop)
    assert uses(shop)["agent:builder"] == "-"


def test_a_text_that_is_no_signature_is_no_use(shop: Clone) -> None:
    shop.git("commit", "-q", "--no-verify", "--allow-empty", "-m", "x\n\nCodifica-Signature: bm9uZQ==")
    push(shop)
    assert uses(shop) == {"human:alice": "now", "agent:builder": "never"}


def test_use_in_time_counts_although_the_key_is_gone_since(shop: Clone) -> None:
    signed(shop, "builder", 2 * DAY)
    lines = shop.read(SIGNERS).replace("agent:builder ", 'agent:builder valid-before="20210101",')
    change(shop, SIGNERS, lines)
    change(shop, ".codifica/revoked_keys", f"{shop.line('builder')}\n")
    push(shop)
    assert uses(shop)["agent:builder"] == "2 days ago"


def test_of_servers_nothing_can_be_told(shop: Clone) -> None:
    change(shop, SIGNERS, shop.read(SIGNERS) + f"server:git {shop.line('bob')}\n")
    assert uses(push(shop))["server:git"] == "-"


def test_what_lies_beyond_the_horizon_cannot_be_told(shop: Clone, monkeypatch: pytest.MonkeyPatch) -> None:
    signed(shop, "builder", DAY)
    signed(shop, "alice")
    push(shop)
    monkeypatch.setattr("codifica_guard.cli.last_used.KEY_USE_COMMITS", 1)
    assert uses(shop) == {"human:alice": "now", "agent:builder": "-"}


def test_what_was_signed_before_the_guard_came_is_no_use_here(plain: Clone) -> None:
    signed(plain, "bob", 4 * DAY)
    plain.init("--no-hooks", "--agent", f"builder={plain.key('bob.pub')}").ok()
    assert uses(push(plain))["agent:builder"] == "never"


def test_an_impossible_time_is_not_told(shop: Clone) -> None:
    signed(shop, "builder", 60)
    raw = shop.git("cat-file", "commit", "HEAD")
    now = raw.split("committer ")[1].split("\n")[0].split()[-2]
    bare = "\n".join(line for line in raw.split("\n") if not line.startswith(("gpgsig", " "))).replace(
        now, "999999999999"
    )
    (shop.home / "c").write_text(bare + "\n")
    subprocess.run(
        ["ssh-keygen", "-q", "-Y", "sign", "-n", "git", "-f", shop.key("builder"), shop.home / "c"], check=True
    )
    signature = (shop.home / "c.sig").read_text().rstrip("\n").replace("\n", "\n ")
    head, _, message = (bare + "\n").partition("\n\n")
    forged = f"{head}\ngpgsig {signature}\n\n{message}"
    oid = shop.git("hash-object", "-t", "commit", "-w", "--stdin", "--literally", data=forged)
    shop.git("update-ref", "refs/remotes/origin/main", oid)
    assert uses(shop)["agent:builder"] == "-"


def test_in_a_shallow_clone_only_what_is_there_is_told(shop: Clone) -> None:
    signed(shop, "builder", DAY)
    shop.write("x", "y").commit()
    signed(shop, "alice")
    push(shop)
    folder = shop.folder.parent
    git(folder, "clone", "-q", "--depth", "2", f"file://{shop.bare}", "shallow", home=shop.home)
    shop.folder = folder / "shallow"
    assert uses(shop) == {"human:alice": "now", "agent:builder": "-"}


def test_what_cannot_be_proven_for_want_of_objects_is_not_told(shop: Clone) -> None:
    shop.write("codifica-spec.md", "# How\n").commit("How we work").guard("sign", "HEAD").ok()
    assert uses(push(shop))["human:alice"] == "now"
    blob = shop.git("rev-parse", "HEAD:codifica-spec.md")
    (shop.folder / ".git/objects" / blob[:2] / blob[2:]).unlink()
    assert uses(shop) == {"human:alice": "-", "agent:builder": "never"}


def test_without_the_branch_nothing_can_be_told(shop: Clone) -> None:
    shop.git("switch", "-q", "-c", "topic")
    shop.git("branch", "-q", "-D", "main")
    shop.git("update-ref", "-d", "refs/remotes/origin/main")
    assert uses(shop) == {"human:alice": "-", "agent:builder": "-"}
