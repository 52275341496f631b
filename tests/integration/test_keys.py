"""Keys from their first day to their last, with real pushes: rotated, ended, revoked; and the policy that commands change."""

import pytest

from tests.building import Clone, NewRepo, Repo
from tests.building.machine import Done

pytestmark = pytest.mark.guard

WORK = "build/FEAT-2-task-feat-2"
DAY = 60 * 24


def ok(done: Done, *texts: str) -> Done:
    assert done.code == 0, done.said
    for text in texts:
        assert text in done.said, f"does not say {text!r}:\n{done.said}"
    return done


def rotated(repo: Repo, who: str, *words: str) -> Clone:
    """Alice lists the key `NAME-2` beside a principal's old one; his clone, with what is on main."""
    clone = repo.clone(who)
    repo.keys.private(f"{who}-2")
    key = repo.keys.public(f"{who}-2")
    ok(repo.clone("alice").guard("key", "rotate", clone.principal, "--new", key, "--yes", *words))
    return clone.fresh()


def revoked(repo: Repo, target: str) -> Done:
    return ok(repo.clone("alice").guard("key", "revoke", target, "-m", "laptop stolen", "--yes"))


# -- rotated


@pytest.mark.parametrize("proof", ["git", "trailers"])
@pytest.mark.parametrize("key", [None, "bob-2"])
def test_both_keys_work_during_the_overlap(repo: Repo, proof: str, key: str | None) -> None:
    repo.task("FEAT-1", "to_be_tested")
    bob = rotated(repo, "bob")
    bob.approve("FEAT-1").commit("FEAT-1: approve", key=key, proof=proof).push().accepted()  # type: ignore[arg-type]


def test_after_the_overlap_the_old_key_is_refused_and_the_new_one_is_not(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested")
    bob = rotated(repo, "bob", "--overlap", "3d")
    repo.clock(4 * DAY)
    bob.approve("FEAT-1").commit("FEAT-1: approve").push().refused(
        "ID104", "human:bob was valid until", "git codifica key add human:bob FILE.pub"
    )
    bob.fresh().approve("FEAT-1").commit("FEAT-1: approve", key="bob-2").push().accepted()


def test_code_by_a_key_that_has_ended_is_only_told(repo: Repo) -> None:
    bob = rotated(repo, "bob", "--overlap", "1d")
    repo.clock(2 * DAY)
    bob.code(proof="git").push().accepted(warnings={"ID104"})


def test_without_an_overlap_the_old_key_is_refused_at_once(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested")
    bob = rotated(repo, "bob", "--overlap", "0")
    repo.clock(1)
    bob.approve("FEAT-1").commit("FEAT-1: approve").push().refused("ID104")
    bob.fresh().approve("FEAT-1").commit("FEAT-1: approve", key="bob-2").push().accepted()


def test_a_server_whose_clock_is_behind_takes_the_new_key_at_once(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested")
    bob = rotated(repo, "bob")
    repo.clock(-4)
    bob.approve("FEAT-1").commit("FEAT-1: approve", key="bob-2", proof="trailers").push().accepted()


def test_an_agent_goes_on_with_its_new_key(repo: Repo) -> None:
    builder = rotated(repo.task("FEAT-1"), "builder")
    ok(builder.guard("claim", "FEAT-1", env={"CODIFICA_SIGNING_KEY": str(repo.keys.private("builder-2"))}))
    ok(builder.guard("note", "FEAT-1", "half way"))
    assert repo.fields("FEAT-1")["owner"] == "agent:builder"


def test_a_maintainer_rotates_his_own_key_and_goes_on_in_the_same_clone(repo: Repo) -> None:
    alice = repo.clone("alice")
    ok(alice.guard("key", "rotate", "human:alice", "--new", repo.keys.public("carol"), "--overlap", "1d"), "(set)")
    repo.clock(2 * DAY)
    ok(alice.guard("policy", "set", "self_approval", "refuse"), "signed by human:alice, pushed")
    listed = ok(alice.guard("key", "list")).text.splitlines()
    assert "expiring" in next(row for row in listed if row.startswith("human:alice"))


def test_a_rotation_by_hand_is_the_same(repo: Repo) -> None:
    alice = repo.clone("alice")
    shown = ok(alice.guard("key", "rotate", "human:bob", "--new", repo.keys.public("carol"), "--dry-run")).text
    added = [line[1:] for line in shown.splitlines() if line.startswith("+") and not line.startswith("+++")]
    kept = [line for line in alice.read(".codifica/allowed_signers").splitlines() if not line.startswith("human:bob")]
    alice.write(".codifica/allowed_signers", "\n".join([*kept, *added]) + "\n").commit("Rotate").push().accepted()


def test_who_is_no_maintainer_cannot_push_a_rotation_either(repo: Repo) -> None:
    bob = repo.clone("bob")
    shown = ok(repo.clone("alice").guard("key", "rotate", "human:bob", "--new", repo.keys.public("carol"), "--dry-run"))
    line = next(row[1:] for row in shown.text.splitlines() if row.startswith("+human:bob") and "valid-after" in row)
    signers = bob.read(".codifica/allowed_signers") + f"{line}\n"
    bob.write(".codifica/allowed_signers", signers).commit("Mine").push().refused("ID109", "human:alice")


def test_two_maintainers_rotate_at_once_and_both_land(repo: Repo) -> None:
    repo.policy(maintainers=["human:alice", "human:bob"])
    alice, bob = repo.clone("alice"), repo.clone("bob")
    ok(alice.guard("key", "rotate", "human:alice", "--new", repo.keys.public("carol")))
    ok(bob.guard("key", "rotate", "human:bob", "--new", repo.keys.public("stranger")))
    text = repo.on_server("show", "main:.codifica/allowed_signers")
    assert text.count("valid-before") == 2
    assert text.count("valid-after") == 2


# -- revoked


@pytest.mark.parametrize("proof", ["git", "trailers"])
def test_a_revoked_key_pushes_nothing_any_more(repo: Repo, proof: str) -> None:
    repo.task("FEAT-1")
    revoked(repo, "agent:writer")
    writer = repo.clone("writer").fresh()
    writer.claim("FEAT-1").commit("FEAT-1: claim", proof=proof).push().refused(  # type: ignore[arg-type]
        "ID105", "agent:writer is revoked"
    )
    writer.fresh().code(proof="git").push().refused("ID105")
    writer.fresh().code(proof="none").push().accepted()


def test_what_was_signed_before_and_not_pushed_is_refused_from_its_old_base(repo: Repo) -> None:
    writer = repo.task("FEAT-1").clone("writer").claim("FEAT-1").commit("FEAT-1: claim")
    revoked(repo, "agent:writer")
    writer.pull().push().refused("ID105")


def test_what_was_let_in_before_stays_and_others_go_on(repo: Repo) -> None:
    writer = repo.task("FEAT-1").clone("writer").claim("FEAT-1").commit("FEAT-1: claim")
    writer.push().accepted()
    said = revoked(repo, "agent:writer").said
    assert "1 commit on main carries its signature, and stays proven as before" in said
    assert "git codifica reclaim FEAT-1 -m 'laptop stolen'" in said
    alice = repo.clone("alice")
    assert "agent:writer  signed" in " ".join(ok(alice.guard("log", "FEAT-1")).text.split("\n"))
    ok(alice.guard("reclaim", "FEAT-1", "-m", "laptop stolen"))
    repo.clone("builder").fresh().claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_a_branch_with_its_commits_is_merged_only_without_its_signature(repo: Repo) -> None:
    writer = repo.task("FEAT-2", "in_progress", "agent:writer").clone("writer").switch(WORK).code(proof="git")
    writer.push(f"HEAD:{WORK}").accepted()
    alice = repo.clone("alice").fetch()
    assert f"unmerged 1 commit on {WORK}: can no longer be merged as it is" in revoked(repo, "agent:writer").said
    alice.fresh().merge(f"origin/{WORK}").push().refused("ID105", "git codifica sign --drop")
    alice.fresh().git("cherry-pick", f"origin/{WORK}")
    alice.push().accepted()


def test_a_key_of_another_kind_is_revoked_by_its_file(repo: Repo) -> None:
    repo.keys.private("carol-ecdsa", "ecdsa")
    carol = repo.task("FEAT-1", "to_be_tested").signer("human:carol", "carol-ecdsa").clone("carol")
    revoked(repo, str(repo.keys.public("carol-ecdsa")))
    carol.fresh().approve("FEAT-1").commit("FEAT-1: approve", key="carol-ecdsa").push().refused("ID105")


def test_two_maintainers_revoke_at_once_and_the_second_is_told(repo: Repo) -> None:
    repo.policy(maintainers=["human:alice", "human:bob"])
    repo.clone("alice"), repo.clone("bob")
    revoked(repo, "agent:writer")
    again = repo.clone("bob").guard("key", "revoke", "agent:writer", "-m", "stolen", "--yes")
    assert (again.code, "revoked already, for good" in again.said) == (1, True)
    ok(repo.clone("bob").guard("key", "revoke", "agent:builder", "-m", "stolen", "--yes"))


def test_a_stolen_key_of_a_maintainer_is_replaced_and_revoked(repo: Repo) -> None:
    alice = repo.clone("alice")
    ok(alice.guard("key", "rotate", "human:alice", "--new", repo.keys.public("carol")))
    thief = repo.clone("alice", "thief").fresh()
    old = ok(alice.guard("key", "revoke", str(repo.keys.public("alice")), "-m", "stolen", "--yes"))
    assert "signed by human:alice, pushed" in old.said
    mine = f"{thief.read('.codifica/allowed_signers')}human:alice {repo.keys.line('stranger')}\n"
    thief.write(".codifica/allowed_signers", mine).commit("Mine").pull().push().refused("ID105")
    thief.fresh().write(".codifica/revoked_keys", "").commit("Undo").push().refused("ID105")


def test_keys_change_in_repositories_of_sha256_as_well(new_repo: NewRepo) -> None:
    repo = new_repo(object_format="sha256").task("FEAT-1", "to_be_tested")
    bob = rotated(repo, "bob")
    bob.approve("FEAT-1").commit("FEAT-1: approve", key="bob-2").push().accepted()
    revoked(repo, str(repo.keys.public("bob")))
    bob.fresh().code(proof="git").push().refused("ID105")
    assert "human:alice" in ok(bob.guard("policy", "show")).text


# -- the policy


def test_a_change_of_the_policy_counts_from_then_on(repo: Repo) -> None:
    builder = repo.clone("builder")
    ok(repo.clone("alice").guard("policy", "set", "require_signatures", "all"), "pushed")
    builder.fresh().code().push().refused("ID106")
    builder.fresh().code(proof="git").push().accepted()


def test_an_upgrade_is_taken_and_changes_nothing_that_counts(repo: Repo) -> None:
    alice, builder = repo.task("FEAT-1").clone("alice"), repo.clone("builder")
    ok(alice.guard("policy", "upgrade"), '+  "$schema": "guard.schema.json",', "pushed")
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    ok(alice.guard("policy", "upgrade"), "nothing to do")


def test_a_dirty_work_tree_stays_as_it_is(repo: Repo) -> None:
    alice = repo.clone("alice").switch("topic").write("src/app.py", "y = 1\n").write("new.py", "z = 1\n")
    alice.git("add", "new.py")
    before = (alice.git("status", "--porcelain"), alice.head(), alice.read(".codifica/guard.json"))
    ok(alice.guard("policy", "set", "mode", "report"))
    ok(alice.guard("key", "rotate", "human:alice", "--new", repo.keys.public("carol")))
    revoked(repo, "agent:writer")
    assert (alice.git("status", "--porcelain"), alice.head(), alice.read(".codifica/guard.json")) == before


def test_in_report_mode_the_policy_is_guarded_all_the_same(repo: Repo) -> None:
    repo.policy(mode="report")
    revoked(repo, "agent:writer")
    repo.clone("writer").fresh().code(proof="git").push().refused("ID105")
