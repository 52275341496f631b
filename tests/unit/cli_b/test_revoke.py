"""`key revoke`: what it writes, what it tells of the key's past, whom it asks, and what may not be."""

import re

import pytest

from tests.building import Clone, Repo
from tests.building.machine import environment
from tests.unit.cli_a.terminals import at_terminal
from tests.unit.cli_b.ends import REVOKED, SIGNERS, changed, exits, fingerprint, on_main

WHY = "laptop stolen"
WORK = "build/FEAT-2-task-feat-2"


def revoke(*target: str, why: str = WHY) -> tuple[str, ...]:
    return ("key", "revoke", *target, "-m", why, "--yes")


def pushed_work(repo: Repo, commits: int = 1) -> Clone:
    """A branch of agent:writer's with signed work that is not merged."""
    writer = repo.clone("writer").switch(WORK)
    for number in range(commits):
        writer.code(proof="git", text=f"x = {number}\n")
    writer.push(f"HEAD:{WORK}").accepted()
    return writer


# -- what it comes to


@pytest.mark.parametrize("how", ["principal", "fingerprint", "line", "words", "file"])
def test_a_key_is_named_in_many_ways_and_listed_with_the_reason(repo: Repo, how: str) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    line = repo.keys.line("writer")
    target = {
        "principal": ("agent:writer",),
        "fingerprint": (fingerprint(alice, "writer"),),
        "line": (line,),
        "words": tuple(line.split()),
        "file": (str(repo.keys.public("writer")),),
    }[how]
    done = exits(alice.guard(*revoke(*target, why="laptop\n\nstolen caf\u00e9"), "--json"), 0)
    comment, key = on_main(alice, REVOKED).splitlines()
    assert re.fullmatch(r"# \d{4}-\d\d-\d\d \d\d:\d\dZ agent:writer: laptop stolen caf\u00e9", comment)
    assert key == f"{line} agent:writer"
    assert repo.on_server("diff", "--name-only", start, "main") == REVOKED
    data = done.json["data"]
    assert data["keys"] == [
        {"fingerprint": fingerprint(alice, "writer"), "public": line, "principals": ["agent:writer"]}
    ]
    assert (data["commit"], data["pushed"], data["branch"]) == (repo.tip(), True, "main")
    rows = exits(alice.guard("key", "list"), 0).text.splitlines()
    assert "REVOKED" in next(row for row in rows if row.startswith("agent:writer"))


def test_the_list_only_grows(repo: Repo) -> None:
    alice = repo.clone("alice")
    changed(alice, REVOKED, f"# old\r\n{repo.keys.line('stranger')}")
    exits(alice.guard(*revoke("agent:writer")), 0)
    assert on_main(alice, REVOKED).startswith(f"# old\r\n{repo.keys.line('stranger')}\n# 20")
    exits(alice.guard(*revoke("agent:writer")), 1, "revoked already, for good", fingerprint(alice, "writer"))


def test_a_long_reason_is_cut_beside_the_key(repo: Repo) -> None:
    alice = repo.clone("alice")
    done = exits(alice.guard(*revoke("agent:writer", why="why " * 200), "--json"), 0)
    assert len(on_main(alice, REVOKED).splitlines()[0]) < 260
    assert on_main(alice, REVOKED).splitlines()[0].endswith("...")
    assert done.json["data"]["reason"] == ("why " * 200).strip()


def test_what_was_let_in_stays_and_is_counted(repo: Repo) -> None:
    writer = repo.task("FEAT-1").clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim").note("FEAT-1").commit("FEAT-1: note", proof="trailers")
    writer.code(proof="both").push().accepted()
    said = exits(repo.clone("alice").guard(*revoke("agent:writer")), 0).said
    assert "3 commits on main carry its signature, and stay proven as before" in said
    repo.clone("bob").fresh().code(path="src/later.py").push().accepted()


@pytest.mark.parametrize(("commits", "told"), [(0, "no commit on main carries"), (1, "1 commit on main carries its")])
def test_one_is_counted_as_one(repo: Repo, commits: int, told: str) -> None:
    repo.clone("writer").code(proof="git" if commits else "none").push().accepted()
    exits(repo.clone("alice").guard(*revoke("agent:writer")), 0, told)


def test_beyond_the_horizon_it_is_only_told_how_many_at_least(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codifica_guard.cli.last_used.KEY_USE_COMMITS", 1)
    repo.clone("writer").code(proof="git").code("more", proof="git", text="x = 2\n").push().accepted()
    done = exits(repo.clone("alice").guard(*revoke("agent:writer"), "--json"), 0, "at least 1 commit on main carries")
    assert done.json["data"]["all_commits"] is False


def test_what_is_not_merged_is_named(repo: Repo) -> None:
    alice = repo.task("FEAT-2", "in_progress", "agent:writer").clone("alice")
    pushed_work(repo, 2)
    alice.fetch().git("branch", "mine", f"origin/{WORK}")
    alice.git("branch", "clean", "main")
    alice.git("checkout", "-q", "--detach", "mine")
    alice.code(text="x = 9\n").git("branch", "more")
    alice.checkout("main")
    done = exits(alice.guard(*revoke("agent:writer"), "--json"), 0)
    assert done.json["data"]["unmerged"] == [{"branch": WORK, "here": False, "commits": 2}]
    assert f"unmerged 2 commits on {WORK}: can no longer be merged as they are" in done.said
    assert "git codifica explain ID105" in done.said


def test_a_branch_of_the_clones_own_is_named_as_such(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.switch("spike").commit("Spike", key="writer", options=["--allow-empty"]).checkout("main")
    said = exits(alice.guard(*revoke("agent:writer")), 0).said
    assert "unmerged 1 commit on spike (here): can no longer be merged as it is" in said


def test_of_very_many_it_is_told_that_there_may_be_more(repo: Repo, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codifica_guard.cli.key_traces.KEY_USE_COMMITS", 2)
    alice = repo.clone("alice")
    for number in range(3):
        alice.git("switch", "-q", "-c", f"spike-{number}", "main")
        alice.commit("Spike", key="writer", options=["--allow-empty"], when=number)
    alice.checkout("main")
    data = exits(alice.guard(*revoke("agent:writer"), "--dry-run", "--json"), 0).json["data"]
    assert (sum(row["commits"] for row in data["unmerged"]), data["all_commits"]) == (2, False)
    monkeypatch.setattr("codifica_guard.cli.key_traces._BRANCHES", 1)
    data = exits(alice.guard(*revoke("agent:writer"), "--dry-run", "--json"), 0).json["data"]
    assert ([row["branch"] for row in data["unmerged"]], data["all_commits"]) == (["spike-2"], False)


def test_a_commit_that_nobody_can_read_is_in_nobodys_way(repo: Repo) -> None:
    alice = repo.clone("alice").switch("odd")
    line = "Odd <odd@example.org> 1 +0000"
    raw = f"tree {alice.head('HEAD^{tree}')}\nparent {alice.head()}\nauthor {line}\ncommitter {line}\n\n" + "x" * 2**20
    alice.at(alice.object("commit", raw.encode())).checkout("main")
    exits(alice.guard(*revoke("agent:writer")), 0)


def test_tasks_that_it_holds_are_named_with_the_way_to_take_them_back(repo: Repo) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2", "in_progress", "agent:writer").clone("alice")
    done = exits(alice.guard(*revoke("agent:writer", why="it's gone"), "--json"), 0)
    command = """git codifica reclaim FEAT-2 -m 'it'"'"'s gone'"""
    assert done.json["data"]["held"] == [{"task": "FEAT-2", "owner": "agent:writer", "do": command}]
    assert done.json["next"] == [command]
    assert f"holds    FEAT-2 in_progress   {command}" in done.said
    exits(alice.guard("reclaim", "FEAT-2", "-m", "it's gone"), 0)


def test_an_owner_with_another_key_may_go_on(repo: Repo) -> None:
    repo.signer("agent:writer", "spare").task("FEAT-2", "in_progress", "agent:writer")
    alice = repo.clone("alice")
    exits(alice.guard(*revoke(fingerprint(alice, "writer"))), 0, "(or agent:writer goes on with its other key)")
    exits(alice.guard(*revoke("agent:writer")), 0, "reclaim FEAT-2", without="goes on")


def test_a_dry_run_tells_it_all_and_changes_nothing(repo: Repo) -> None:
    alice, start = repo.task("FEAT-2", "in_progress", "agent:writer").clone("alice"), repo.tip()
    done = exits(alice.guard("key", "revoke", "agent:writer", "-m", WHY, "--dry-run"), 0)
    for text in (
        "revokes  SHA256:",
        "holds    FEAT-2",
        f"+{repo.keys.line('writer')} agent:writer",
        "nothing was changed",
    ):
        assert text in done.text
    assert repo.tip() == start
    assert exits(alice.guard(*revoke("agent:writer"), "--dry-run", "--json"), 0).json["next"] == []


def test_a_key_that_is_listed_for_nobody_can_be_revoked(repo: Repo) -> None:
    alice = repo.clone("alice")
    exits(alice.guard(*revoke(str(repo.keys.public("stranger")))), 0, "nobody here")
    assert on_main(alice, REVOKED).splitlines()[1] == repo.keys.line("stranger")
    exits(alice.guard("key", "add", "human:stranger", repo.keys.line("stranger"), "--yes"), 1, "revoked, for good")
    exits(alice.guard(*revoke(fingerprint(alice, "stranger"))), 1, "revoked already")


def test_a_key_of_several_is_told_to_be_all_of_theirs(repo: Repo) -> None:
    alice = repo.signer("agent:watch", "writer").signer("agent:w*", "writer").clone("alice")
    exits(alice.guard(*revoke("agent:writer")), 0, "agent:writer, agent:watch, agent:w*")


def test_several_keys_are_all_revoked_only_when_that_is_said(repo: Repo) -> None:
    alice, start = repo.signer("agent:writer", "spare").clone("alice"), repo.tip()
    both = [fingerprint(alice, name) for name in ("writer", "spare")]
    exits(alice.guard(*revoke("agent:writer")), 2, "agent:writer has 2 keys", "--all", *both)
    assert repo.tip() == start
    exits(alice.guard(*revoke("agent:writer"), "--all"), 0, *both, "their signature")
    assert on_main(alice, REVOKED).count("ssh-ed25519") == 2


# -- questions


def test_without_a_terminal_it_has_to_be_said(repo: Repo) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    exits(alice.guard("key", "revoke", "agent:writer", "-m", WHY), 2, "--yes", fingerprint(alice, "writer"))
    assert repo.tip() == start


@pytest.mark.parametrize(("answer", "code"), [("yes", 0), ("", 1)])
def test_at_a_terminal_it_is_asked(repo: Repo, answer: str, code: int) -> None:
    alice, start = repo.task("FEAT-2", "in_progress", "agent:writer").clone("alice"), repo.tip()
    words = ["key", "revoke", "agent:writer", "-m", WHY]
    done = at_terminal(words, [answer], folder=alice.folder, environ=environment(alice.home))
    assert done.code == code, done.screen
    assert "holds    FEAT-2" in done.screen
    assert "for good? (yes, no) [no]:" in done.screen
    assert (repo.tip() == start) is bool(code)


# -- what may not be


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("writer",), "agent:writer"),
        (("/nowhere",), "No such file"),
        (("agent:nobody",), "no key is listed here as agent:nobody"),
        (("agent:writer", "agent:builder"), "No such file"),
        (("SHA256:nothing",), "no key is listed here as SHA256:nothing"),
        (("ssh-ed25519 AAAA",), "the line: "),
        ((), "PRINCIPAL|KEY"),
    ],
)
def test_a_wrong_call_is_wrong_usage(repo: Repo, words: tuple[str, ...], told: str) -> None:
    exits(repo.clone("alice").guard(*revoke(*words)), 2, told)


@pytest.mark.parametrize("why", ["", "  ", "a\x1bb"])
def test_a_reason_has_words(repo: Repo, why: str) -> None:
    exits(repo.clone("alice").guard(*revoke("agent:writer", why=why)), 2, "a reason")
    exits(repo.clone("alice").guard("key", "revoke", "agent:writer", "--yes"), 2, "-m")


def test_the_only_key_of_the_only_maintainer_is_rotated_first(repo: Repo) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    done = exits(alice.guard(*revoke("human:alice"), "--json"), 1)
    rotate = "git codifica key rotate human:alice --new FILE.pub"
    assert (
        f"do: {rotate}\nthen, with the new key: git codifica key revoke {fingerprint(alice, 'alice')} -m WHY"
        in done.said
    )
    assert done.json["next"] == [rotate]
    assert repo.tip() == start
    exits(alice.guard("key", "rotate", "human:alice", "--new", repo.keys.public("carol")), 0)
    exits(alice.guard(*revoke(fingerprint(alice, "alice"))), 0)
    assert repo.keys.line("alice") in on_main(alice, REVOKED)


def test_a_key_does_not_sign_its_own_end(repo: Repo) -> None:
    alice = repo.signer("human:alice", "spare").clone("alice")
    target = fingerprint(alice, "alice")
    exits(alice.guard(*revoke(target)), 1, "signs this commit itself", "CODIFICA_SIGNING_KEY=FILE")
    spare = {"CODIFICA_SIGNING_KEY": str(repo.keys.private("spare"))}
    exits(alice.guard(*revoke(target), env=spare), 0)


def test_another_maintainer_does_it(repo: Repo) -> None:
    alice = repo.policy(maintainers=["human:alice", "human:bob"]).clone("alice")
    exits(
        alice.guard(*revoke("human:alice")), 1, "another maintainer has to do it", "ask human:bob to run: git codifica"
    )
    said = exits(repo.clone("bob").guard(*revoke("human:alice")), 0).said
    assert "note     human:alice stays a maintainer by name: git codifica policy set maintainers NAMES" in said


def test_all_keys_at_once_are_asked_of_another_as_they_were_asked_for(repo: Repo) -> None:
    repo.policy(maintainers=["human:alice", "human:bob"]).signer("human:alice", "spare")
    alice = repo.clone("alice")
    exits(alice.guard(*revoke("human:alice"), "--all"), 1, "git codifica key revoke human:alice --all -m WHY")
    exits(repo.clone("builder").guard(*revoke("human:alice"), "--all"), 6, "key revoke human:alice --all -m ")


@pytest.mark.parametrize("who", ["bob", "builder"])
def test_only_maintainers_revoke(repo: Repo, who: str) -> None:
    clone, start = repo.clone(who), repo.tip()
    exits(
        clone.guard(*revoke("agent:writer")), 6, "is no maintainer", f"git codifica key revoke agent:writer -m '{WHY}'"
    )
    assert repo.tip() == start


def test_a_policy_that_cannot_be_taken_is_mended_first(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.write(SIGNERS, alice.read(SIGNERS) + "nonsense\n").commit("Broken")
    exits(alice.guard(*revoke("agent:writer"), "--no-push"), 1, "mend it first")


def test_without_a_push_it_stays_here_until_then(repo: Repo) -> None:
    alice, start = repo.clone("alice"), repo.tip()
    exits(alice.guard(*revoke("agent:writer"), "--no-push"), 0, "not pushed yet: git push origin main")
    assert repo.tip() == start
    assert "REVOKED" in exits(alice.guard("key", "list"), 0).text
    alice.push().accepted()


def test_the_list_shows_what_was_fetched_on_any_branch(repo: Repo) -> None:
    alice, bob = repo.clone("alice"), repo.clone("bob").switch("topic")
    exits(alice.guard(*revoke("agent:writer")), 0)
    assert "REVOKED" not in exits(bob.guard("key", "list"), 0).text
    bob.fetch()
    assert "REVOKED" in exits(bob.guard("key", "list"), 0).text
