"""The audit of whole repositories: what is judged, by which clock, from which introduction, and what is told of it."""

import os
import shutil
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.audit.replay import audit
from codifica_guard.audit.replayed import Wanted
from codifica_guard.audit.source import open_source
from codifica_guard.errors import CannotTell, UsageError
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import INTRODUCTION, PAUSE, Receipt
from codifica_guard.model.value import replace
from tests.unit.audit.bench import MAIN, SERVER, Bench, codes
from tests.unit.engine.land import NOW, RID, key_of, line_of, work

RELEASE = "refs/heads/release/1"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    return Bench(tmp_path / "r.git", protected_branches=["main", "release/*"])


def go_on(bench: Bench, *contents: str, **how: Any) -> ObjectId:
    """Code, a push for each content; the last tip."""
    tip = bench.at("main")
    assert tip is not None
    for content in contents:
        tip = bench.commit({f"src/{content}.py": content}, tip)
        bench.main(tip, **how)
    return tip


def word(bench: Bench, kind: str, **said: Any) -> Receipt:
    """A receipt that is about no push."""
    bench.now += 60
    given: dict[str, Any] = {
        "number": 0, "kind": kind, "repository": RID, "server": SERVER, "guard": "1", "ruleset": 1, "time": bench.now, "push": f"{bench.now:016x}",
    }  # fmt: skip
    return Receipt(**{**given, **said})


# -- which branches


def test_a_history_with_all_its_receipts_is_clean(bench: Bench) -> None:
    intro = bench.begun()
    tip = go_on(bench, "a", "b")
    edit = bench.commit({"work.md": work(FEAT_1="x")}, tip, by="alice")
    bench.main(edit)
    found = bench.audit()
    assert codes(found) == []
    assert found.notes == ()
    (branch,) = found.branches
    assert (branch.ref, branch.tip, branch.commits, branch.order, branch.coordinating) == (
        MAIN.encode(),
        edit,
        4,
        "receipts",
        True,
    )
    assert (branch.first, branch.last) == (NOW + 60, bench.now)
    assert (found.chain.first, found.chain.last, found.chain.held, found.chain.before) == (1, 4, True, 0)
    assert [principal for principal, _ in found.chain.servers] == [SERVER]
    assert (found.anchor.commit, found.anchor.by, found.anchor.pinned) == (intro, "human:alice", True)
    assert [(act.commit, act.at, act.receipt, act.edited) for act in found.acts] == [(edit, bench.now, 4, ("title",))]
    assert [(made.commit, made.at, made.actor, made.receipt) for made in found.made][-1] == (
        edit,
        bench.now,
        "human:alice",
        4,
    )
    assert [made.commit for made in found.made if made.trust] == [intro]
    assert len(found.served) == 4


def test_without_receipts_the_order_is_that_of_first_parents(bench: Bench) -> None:
    del bench.signers["server"]
    bench.begun()
    tip = go_on(bench, "a", receipt=False)
    bench.chain([])
    edit = bench.commit({"work.md": work(FEAT_1="x")}, tip, by="alice")
    bench.main(edit, receipt=False)
    found = bench.audit()
    assert codes(found) == []
    assert found.notes == ("main: order from first parents, times are what the committers say",)
    assert found.branches[0].order == "first parents"
    assert [(act.at, act.receipt) for act in found.acts] == [(bench.times[edit], None)]


def test_what_was_there_before_receipts_began_is_judged_by_dates(bench: Bench) -> None:
    bench.begun()
    bench.chain([])
    tip = go_on(bench, "a", receipt=False)
    bad = bench.commit({"work.md": work(FEAT_1="x")}, tip, by="builder", message="FEAT-1: x")
    bench.main(bad, receipt=False)
    go_on(bench, "b")
    found = bench.audit()
    assert codes(found) == ["AU103", "CD404"]
    assert found.findings[1].at == bench.times[bad]
    assert found.chain.before == 3
    assert found.chain.gaps == ()
    assert (
        "3 commits of main from before the first receipt: order from first parents, times are what the committers say"
        in found.notes
    )


def test_a_key_that_had_ended_is_found_by_the_receipts_time_and_not_by_a_date(bench: Bench) -> None:
    bench.begun()
    lines = bench.policy()[".codifica/allowed_signers"]
    assert isinstance(lines, str)
    ended = lines.replace("human:bob ssh", 'human:bob valid-before="20261001" ssh')
    tip = bench.commit({".codifica/allowed_signers": ended}, bench.at("main") or ObjectId(b""), by="alice")
    bench.main(tip)
    bench.main(bench.commit({"work.md": work(FEAT_1="y")}, tip, by="bob", time=1_790_000_000))
    assert codes(bench.audit()) == ["ID104"]
    shutil.rmtree(bench.home)
    bench.chain([])
    assert codes(bench.audit()) == ["AU103"]


def test_receipts_that_are_all_gone_are_missed_where_a_server_is_listed(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    bench.main(bench.commit({"src/b.py": "b\n"}, tip))
    assert codes(bench.audit()) == []
    shutil.rmtree(bench.home)
    bench.chain([])
    found = bench.audit()
    assert codes(found) == ["AU103"]
    assert found.findings[0].finding.found.startswith(f"the policy lists {SERVER}, and there is no receipt")
    assert codes(bench.audit(cached=False)) == codes(bench.audit()) == ["AU103"]
    go_on(bench, "c")  # the next push begins a chain of its own
    found = bench.audit()
    assert codes(found) == ["AU103"]
    assert f"where the policy listed {SERVER} already" in found.findings[0].finding.found
    assert found.findings[0].receipt == 1
    assert codes(bench.audit(cached=False)) == codes(bench.audit()) == ["AU103"]


def test_another_branch_is_judged_as_its_pushes_were(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    bench.receive((RELEASE, None, tip))
    beside = bench.commit({"work.md": work(FEAT_1="x")}, tip, by="alice")
    assert [f.code for f in bench.receive((RELEASE, tip, beside)).errors] == ["GT105"]
    found = bench.audit()
    assert codes(found) == ["GT105"]
    assert [(b.ref, b.commits, b.order) for b in found.branches] == [
        (MAIN.encode(), 2, "receipts"),
        (RELEASE.encode(), 1, "receipts"),
    ]


def test_another_branch_without_receipts_is_judged_where_main_does_not_have_its_commits(bench: Bench) -> None:
    del bench.signers["server"]
    intro = bench.begun()
    tip = go_on(bench, "a", receipt=False)
    bench.chain([])
    fix = bench.commit({"src/fix.py": "1\n"}, intro)
    beside = bench.commit({"work.md": work(FEAT_1="x")}, fix, by="alice")
    bench.point("release/1", bench.commit({"src/a.py": bench.trees[tip]["src/a.py"]}, beside, tip))
    found = bench.audit()
    assert codes(found) == ["GT105"]
    assert [(b.ref, b.commits) for b in found.branches] == [(MAIN.encode(), 2), (RELEASE.encode(), 3)]
    bench.point("main", bench.commit({"work.md": bench.trees[beside]["work.md"], "src/fix.py": "1\n"}, tip, beside))
    assert codes(bench.audit()) == []


def test_a_free_branch_is_not_judged_and_one_that_was_free_begins_where_it_became_judged(bench: Bench) -> None:
    intro = bench.begun(protected_branches=["main"])
    bad = bench.commit({"work.md": work(FEAT_1="mine")}, intro, by="builder", message="FEAT-1: x")
    bench.point("release/1", bad)
    assert codes(bench.audit()) == []
    tip = bench.commit({".codifica/guard.json": bench.policy()[".codifica/guard.json"]}, intro, by="alice")
    assert bench.main(tip).accepted
    found = bench.audit()
    assert codes(found) == []
    assert "taken as it is: 1 commit that release/1 had before it was judged" in found.notes
    bench.receive((RELEASE, bad, bench.commit({"src/r.py": "1\n"}, bad)))
    assert codes(bench.audit()) == []


# -- pauses and introductions


def test_what_passed_in_a_pause_is_told_and_is_no_error(bench: Bench) -> None:
    bench.begun()
    tip = bench.at("main")
    assert tip is not None
    bench.append(word(bench, PAUSE, until=bench.now + 3600, reason="a fire"))
    bad = bench.commit({"work.md": work(FEAT_1="mine")}, tip, by="builder", message="FEAT-1: x")
    bench.main(bad, paused="a fire")
    bench.append(word(bench, PAUSE))
    go_on(bench, "a")
    found = bench.audit()
    assert codes(found) == []
    assert [(p.receipt.kind, p.receipt.reason, p.commits, [f.code for f in p.findings]) for p in found.pauses] == [
        ("pause", "a fire", 0, []),
        ("push", "a fire", 1, ["CD404"]),
        ("pause", "", 0, []),
    ]
    assert [act.commit for act in found.acts] == [bad]


def test_a_guard_that_failed_in_a_pause_says_nothing_of_transitions_and_is_believed(bench: Bench) -> None:
    bench.begun()
    tip = bench.at("main")
    assert tip is not None
    moved = bench.commit({"work.md": work().replace("state: todo", "state: rejected", 1)}, tip, by="alice")
    bench.main(moved, paused="a fire", lines=(), refused=("GD101",))
    free = bench.commit({"src/x.py": "1\n"}, moved)
    bench.receive(("refs/heads/topic", None, free), receipt=False)
    last = bench.receipt(bench.receipts[-1])
    bench.append(replace(last, ref=RefName(b"refs/heads/topic"), old=None, new=free, coordinating=False, push="a" * 16))
    bench.point("topic", bench.commit({"src/x.py": "2\n"}, free))
    found = bench.audit()
    assert {code for code in codes(found) if code.startswith("AU")} == set()
    assert not [noted for noted in found.findings if noted.is_error]


def purge(bench: Bench) -> tuple[ObjectId, ObjectId]:
    """A history that was rewritten, and a new introduction on it: the old introduction and the new one."""
    old = bench.begun()
    tip = go_on(bench, "a", "secret")
    begin = bench.begin()
    rewritten = bench.commit({"src/a.py": "a"}, begin)
    new = bench.commit(bench.policy(), rewritten, by="alice")
    bench.receive((MAIN, tip, new), paused="a secret got in")
    bench.config("codifica.introduction", new.decode())
    bench.append(word(bench, INTRODUCTION, introduction=new, reason="a secret got in"))
    go_on(bench, "b")
    return old, new


def test_an_introduction_that_was_moved_is_stood_on_and_what_lies_before_is_not_judged(bench: Bench) -> None:
    _, new = purge(bench)
    found = bench.audit()
    assert codes(found) == []
    assert found.anchor.commit == new
    assert [receipt.reason for receipt in found.introductions] == ["a secret got in"]
    assert [pause.receipt.reason for pause in found.pauses] == ["a secret got in"]
    assert {made.commit for made in found.made} == {new, bench.at("main")}
    bench.plain.git("config", "--unset", "codifica.introduction")
    unpinned = bench.audit()
    assert (codes(unpinned), unpinned.anchor.commit, unpinned.anchor.pinned) == ([], new, False)


def test_an_auditor_who_stands_on_the_old_introduction_is_told(bench: Bench) -> None:
    old, new = purge(bench)
    found = bench.audit(introduction=old)
    assert codes(found) == ["AU107"]
    assert f"does not have {old[:7].decode()}" in found.findings[0].finding.found
    assert f"--introduction {new.decode()}" in " ".join(found.findings[0].finding.do)
    assert found.anchor.commit == new
    assert not found.anchor.pinned


def test_an_introduction_that_was_moved_forward_is_told_to_who_stands_on_the_first(bench: Bench) -> None:
    first = bench.begun()
    bad = bench.commit({"work.md": work(FEAT_1="mine")}, first, by="builder", message="FEAT-1: x")
    bench.main(bad)
    later = bench.commit({".codifica/revoked_keys": line_of("bob")}, bad, by="alice")
    bench.main(later)
    bench.config("codifica.introduction", later.decode())
    bench.append(word(bench, INTRODUCTION, introduction=later))
    go_on(bench, "a")
    assert codes(bench.audit()) == []
    found = bench.audit(introduction=first)
    assert codes(found) == ["AU107", "CD404"]
    assert (
        "moved the introduction to" in found.findings[0].finding.found
        or "was judged from" in found.findings[0].finding.found
    )


def test_receipts_that_were_judged_from_another_introduction_without_a_word_are_told(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    bench.main(bench.commit({"src/b.py": "b"}, tip), introduction=tip)
    go_on(bench, "c")
    found = bench.audit()
    assert codes(found) == ["AU107"]
    assert "no receipt says that it was moved" in found.findings[0].finding.found


def test_receipts_that_name_an_introduction_that_is_not_there_are_told(bench: Bench) -> None:
    bench.begun()
    tip = bench.at("main")
    assert tip is not None
    bench.main(bench.commit({"src/b.py": "b"}, tip), introduction=ObjectId(b"1" * 40))
    bench.plain.git("config", "--unset", "codifica.introduction")
    found = bench.audit()
    assert codes(found) == ["AU107"]
    assert "which the branch does not have" in found.findings[0].finding.found


# -- servers


def test_receipts_of_a_server_that_nobody_listed_are_not_believed(bench: Bench) -> None:
    del bench.signers["server"]
    bench.begun()
    go_on(bench, "a")
    found = bench.audit()
    assert codes(found) == ["AU106"]
    assert not found.findings[0].is_error
    assert (found.chain.last, found.chain.held, found.branches[0].order) == (0, False, "first parents")


def test_a_server_that_is_listed_later_is_believed_from_the_first_receipt_on(bench: Bench) -> None:
    del bench.signers["server"]
    bench.begun()
    tip = go_on(bench, "a")
    assert codes(bench.audit()) == ["AU106"]
    bench.signers["server"] = SERVER
    bench.main(
        bench.commit({".codifica/allowed_signers": bench.policy()[".codifica/allowed_signers"]}, tip, by="alice")
    )
    found = bench.audit()
    assert (codes(found), found.chain.last) == ([], 3)


def test_a_server_that_was_given_a_new_key_is_believed_with_both(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    lines = bench.policy()[".codifica/allowed_signers"]
    assert isinstance(lines, str)
    changed = lines.replace(line_of("server"), line_of("server2"))
    bench.main(bench.commit({".codifica/allowed_signers": changed}, tip, by="alice"))
    tip = bench.at("main") or tip
    new = bench.commit({"src/b.py": "b"}, tip)
    bench.main(new, receipt=False)
    last = bench.receipt(bench.receipts[-1])
    draft = replace(last, old=tip, new=new, coordination=tip, lines=(), push="b" * 16)
    bench.append(draft, signer=key_of("server2"))
    found = bench.audit()
    assert codes(found) == []
    assert [principal for principal, _ in found.chain.servers] == [SERVER, SERVER]


def test_a_key_of_a_server_that_was_not_valid_then_is_not_believed(bench: Bench) -> None:
    lines = bench.policy()[".codifica/allowed_signers"]
    assert isinstance(lines, str)
    begin = bench.begin()
    bench.point("main", begin)
    ended = lines.replace(f"{SERVER} ssh", f'{SERVER} valid-before="20261001" ssh')
    intro = bench.commit({**bench.policy(), ".codifica/allowed_signers": ended}, begin, by="alice")
    bench.config("codifica.trust", "first-push")
    bench.main(intro)
    found = bench.audit()
    assert codes(found) == ["AU104"]
    assert "was not valid at its time" in found.findings[0].finding.found


# -- how it is asked


def test_only_what_came_behind_the_last_receipt_is_judged_where_that_is_asked(bench: Bench) -> None:
    intro = bench.begun()
    bad = bench.commit({"work.md": work(FEAT_1="mine")}, intro, by="builder", message="FEAT-1: x")
    bench.main(bad)
    unseen = bench.commit({"src/u.py": "1\n"}, bad)
    bench.point("main", unseen)
    found = bench.audit(since_receipt=True)
    assert codes(found) == ["AU101"]
    assert [made.commit for made in found.made] == [unseen]
    assert found.notes == ("only what came behind receipt 2 was judged",)
    assert codes(bench.audit()) == ["AU101", "CD404"]


def test_without_receipts_everything_lies_behind_the_last_one(bench: Bench) -> None:
    intro = bench.begun()
    bench.chain([])
    found = bench.audit(since_receipt=True)
    assert [made.commit for made in found.made] == [intro]
    assert "there is no receipt that is believed: everything was judged" in found.notes


def test_a_ruleset_that_is_not_known_is_a_wrong_call(bench: Bench) -> None:
    bench.begun()
    assert bench.audit(ruleset=1).ruleset == 1
    with pytest.raises(UsageError, match="this guard knows 1"):
        bench.audit(ruleset=2)


def test_progress_is_told_and_ends(bench: Bench) -> None:
    bench.begun()
    go_on(bench, "a", "b")
    told: list[tuple[int, int]] = []
    with open_source(os.fsencode(bench.plain.path), {}) as source:
        audit(source, Wanted(), lambda done, of: told.append((done, of)))
    assert told[-1][0] == told[-1][1] >= 3
    assert all(done <= of for done, of in told)


# -- what cannot be told


def clone(bench: Bench, tmp_path: Path, *flags: str) -> Path:
    target = tmp_path / "clone"
    bench.plain.git("config", "uploadpack.allowFilter", "true")
    bench.plain.git("clone", "-q", *flags, f"file://{bench.plain.path}", str(target))
    bench.plain.run("-C", str(target), "fetch", "-q", "origin", "+refs/codifica/*:refs/codifica/*")
    return target


def test_a_clone_is_audited_by_what_it_has_of_the_server(bench: Bench, tmp_path: Path) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    bench.receive((RELEASE, None, tip))
    target = clone(bench, tmp_path)
    bench.plain.run("-C", str(target), "branch", "release/own", f"{tip.decode()}~1")
    found = bench.audit(target)
    assert codes(found) == []
    assert [branch.ref for branch in found.branches] == [MAIN.encode(), RELEASE.encode()]
    assert not found.anchor.pinned
    assert found.chain.last == 3


def test_a_clone_of_one_branch_says_nothing_of_the_others(bench: Bench, tmp_path: Path) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    bench.receive((RELEASE, None, tip))
    found = bench.audit(clone(bench, tmp_path, "--single-branch", "--branch", "main"))
    assert codes(found) == []
    assert [branch.ref for branch in found.branches] == [MAIN.encode()]


def test_a_shallow_clone_cannot_tell(bench: Bench, tmp_path: Path) -> None:
    bench.begun()
    go_on(bench, "a", "b", "c")
    with pytest.raises(CannotTell, match="history is cut") as caught:
        bench.audit(clone(bench, tmp_path, "--depth", "2"))
    assert caught.value.do == ("git fetch --unshallow",)


def test_a_partial_clone_cannot_tell(bench: Bench, tmp_path: Path) -> None:
    bench.begun()
    go_on(bench, "a", "b")
    with pytest.raises(CannotTell, match="this is a partial clone") as caught:
        bench.audit(clone(bench, tmp_path, "--filter=blob:none", "--no-checkout"))
    assert caught.value.do == ("git fetch --refetch --no-filter",)


def test_a_repository_that_lost_objects_cannot_tell(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a", "b")
    oid = bench.parents[tip][0].decode()
    (bench.plain.git_dir / "objects" / oid[:2] / oid[2:]).unlink()
    with pytest.raises(CannotTell, match="objects are missing here") as caught:
        bench.audit()
    assert caught.value.do[0] == "git fsck"


def test_a_chain_that_is_cut_cannot_tell(bench: Bench, tmp_path: Path) -> None:
    bench.begun()
    go_on(bench, "a", "b")
    target = clone(bench, tmp_path)
    shutil.rmtree(target)
    target = tmp_path / "clone"
    bench.plain.git("clone", "-q", f"file://{bench.plain.path}", str(target))
    bench.plain.run("-C", str(target), "fetch", "-q", "--depth=1", "origin", "+refs/codifica/*:refs/codifica/*")
    with pytest.raises(CannotTell, match="the chain of receipts is cut"):
        bench.audit(target)
    oid = bench.receipts[1].decode()
    (bench.plain.git_dir / "objects" / oid[:2] / oid[2:]).unlink()
    with pytest.raises(CannotTell, match="the chain of receipts is not whole here"):
        bench.audit(cached=False)


def test_a_branch_that_was_never_fetched_cannot_be_told_and_one_that_is_not_there_is_a_wrong_call(
    bench: Bench, tmp_path: Path
) -> None:
    bench.begun()
    target = clone(bench, tmp_path)
    bench.plain.run("-C", str(target), "update-ref", "-d", "refs/remotes/origin/main")
    bench.plain.run("-C", str(target), "update-ref", "refs/remotes/origin/other", "HEAD")
    with pytest.raises(CannotTell, match="main was never fetched") as caught:
        bench.audit(target)
    assert caught.value.do == ("git fetch origin",)
    bench.point("main", None)
    with pytest.raises(UsageError, match="there is no branch main here"):
        bench.audit()


def test_a_repository_without_a_policy_has_nothing_to_audit(bench: Bench) -> None:
    bench.point("main", bench.begin())
    with pytest.raises(UsageError, match="has no policy"):
        bench.audit()


def test_receipts_of_commits_that_a_rewind_took_away_are_passed_over(bench: Bench, tmp_path: Path) -> None:
    """A pause, a force-push, and a clone that never had what was taken away."""
    intro = bench.begun()
    tip = go_on(bench, "a", "secret")
    bench.receive((MAIN, tip, bench.commit({"src/b.py": "b"}, intro)), paused="a secret got in")
    go_on(bench, "c")
    target = clone(bench, tmp_path)
    found = bench.audit(target)
    assert codes(found) == []
    assert (
        "2 receipts are about commits that are not here any more, since a branch was rewound: those are not judged"
        in found.notes
    )
    assert codes(bench.audit()) == []


def test_a_branch_that_was_rewound_without_a_word_is_seen_from_a_clone_too(bench: Bench, tmp_path: Path) -> None:
    intro = bench.begun()
    go_on(bench, "a", "b")
    bench.point("main", bench.commit({"src/c.py": "c"}, intro))
    found = bench.audit(clone(bench, tmp_path))
    assert codes(found) == ["AU102"]
    assert found.findings[0].finding.commit == bench.at("main")


# -- what else may be there


def test_a_chain_whose_end_cannot_be_read_is_seen(bench: Bench) -> None:
    bench.begun()
    go_on(bench, "a")
    bench.plain.git_dir.joinpath("refs/codifica/receipts").write_bytes(bench.plain.put("blob", b"x") + b"\n")
    found = bench.audit()
    assert codes(found) == ["AU103"]
    assert "refs/codifica/receipts names no commit that can be read" in found.findings[0].finding.found


def test_a_chain_that_cannot_be_read_in_its_middle_is_seen(bench: Bench) -> None:
    bench.begun()
    go_on(bench, "a", "b")
    broken = bench.plain.put("commit", b"tree nothing\n\n")
    last = bench.receipt(bench.receipts[-1])
    bench.write(last, parents=[broken])
    found = bench.audit()
    assert codes(found) == ["AU103"]
    assert "the first receipt is number 3" in found.findings[0].finding.found


def test_secrets_that_came_in_without_a_receipt_are_found_once_each(bench: Bench) -> None:
    intro = bench.begun()
    secret = "cgw1_" + "A" * 43
    leaked = bench.commit({"src/s.py": secret}, intro)
    gone = bench.commit({"src/s.py": None}, leaked)
    back = bench.commit({"src/s.py": secret}, gone)
    said = bench.commit({"src/t.py": "1"}, back, message=f"FEAT-1: {secret}")
    bench.point("main", said)
    found = bench.audit()
    assert codes(found) == ["AU101", "ID108", "ID108"]
    assert {noted.finding.commit for noted in found.findings[1:]} == {leaked, said}
    assert all(secret not in noted.finding.found for noted in found.findings)
    assert bench.audit() == found


def test_what_goes_past_a_limit_is_a_finding_and_the_rest_is_judged(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    intro = bench.begun()
    wide = bench.commit({f"src/{n}.py": "1" for n in range(30)}, intro)
    bad = bench.commit({"work.md": work(FEAT_1="mine")}, wide, by="builder", message="FEAT-1: x")
    bench.point("main", bad)
    monkeypatch.setattr("codifica_guard.git.changes.CHANGED_PATHS", 20)
    found = bench.audit()
    assert codes(found) == ["AU101", "GD102", "CD404"]
    assert found.findings[1].finding.commit == wide
    assert {made.commit for made in found.made} == {intro, wide, bad}


def test_a_branch_whose_policy_was_taken_away_is_judged_by_that_of_the_introduction(bench: Bench) -> None:
    intro = bench.begun()
    lawless = bench.commit(dict.fromkeys(bench.policy()), intro, by="alice")
    bench.main(lawless)
    found = bench.audit()
    assert found.policy.guard.repository == RID
    assert "ID109" in codes(found)
    assert {code for code in codes(found) if code.startswith("AU")} == set()
    bench.plain.git("config", "--unset", "codifica.introduction")
    unpinned = bench.audit()
    assert (unpinned.anchor.commit, codes(unpinned)) == (intro, codes(found))


def test_an_introduction_that_brought_no_policy_is_a_wrong_call(bench: Bench) -> None:
    intro = bench.begun()
    (before,) = bench.parents[intro]
    with pytest.raises(UsageError, match=f"{before[:7].decode()} has no policy, so it introduced none"):
        bench.audit(introduction=before)


def test_an_introduction_that_is_no_commit_here_is_told(bench: Bench) -> None:
    bench.begun()
    bench.config("codifica.introduction", "nonsense")
    found = bench.audit()
    assert codes(found) == ["AU107"]
    assert "does not have nonsens, which is pinned here" in found.findings[0].finding.found


def test_a_policy_behind_the_hook_does_not_choose_the_branch_that_is_audited(bench: Bench) -> None:
    """Whoever moves main may let its policy name another branch, one that is clean."""
    intro = bench.begun()
    bench.plain.git("config", "--unset", "codifica.coordination")
    bench.point("clean", intro)
    guard = bench.policy(coordination_branch="clean", protected_branches=["clean"])[".codifica/guard.json"]
    bench.point("main", bench.commit({".codifica/guard.json": guard}, intro, by="alice"))
    found = bench.audit()
    assert found.coordination == MAIN.encode()
    assert codes(found) == ["AU101", "ID109"]


def test_the_branch_that_counts_is_what_the_settings_or_the_policy_name(bench: Bench) -> None:
    begin = bench.begin()
    bench.point("main", begin)
    intro = bench.commit(bench.policy(coordination_branch="trunk"), begin, by="alice")
    bench.point("main", intro)
    bench.point("trunk", intro)
    assert bench.audit().coordination == b"refs/heads/trunk"
    bench.config("codifica.coordination", "main")
    assert bench.audit().coordination == MAIN.encode()


def test_what_came_in_behind_the_hook_on_another_branch_is_seen_and_judged(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    bench.receive((RELEASE, None, tip))
    beside = bench.commit({"work.md": work(FEAT_1="x")}, tip, by="alice")
    bench.point("release/1", beside)
    assert codes(bench.audit()) == ["AU101", "GT105"]
    bench.receive((RELEASE, beside, bench.commit({"src/r.py": "r"}, beside)))
    found = bench.audit()
    assert codes(found) == ["AU101", "GT105"]
    assert "release/1" in found.findings[0].finding.found
    assert bench.audit() == found == bench.audit(cached=False)


def test_a_branch_that_was_made_behind_the_hook_and_pushed_to_then_is_seen(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    beside = bench.commit({"src/r.py": "r"}, tip, time=bench.now + 1000)
    bench.point("release/1", beside)
    bench.receive((RELEASE, beside, bench.commit({"src/s.py": "s"}, beside)))
    found = bench.audit()
    assert codes(found) == ["AU101"]
    assert (found.chain.gaps[0].old, found.chain.gaps[0].new) == (None, beside)


def test_a_branch_that_went_away_behind_the_hook_and_came_back_is_seen(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    bench.receive((RELEASE, None, tip))
    bench.point("release/1", None)
    bench.receive((RELEASE, None, bench.commit({"src/s.py": "s"}, tip)))
    found = bench.audit()
    assert codes(found) == ["AU102"]
    assert "release/1 is gone" in found.findings[0].finding.found


def test_a_branch_that_was_rewound_on_the_server_is_judged_where_it_is_now(bench: Bench) -> None:
    intro = bench.begun()
    tip = go_on(bench, "a")
    bench.receive((RELEASE, None, tip))
    bench.point("release/1", bench.commit({"work.md": work(FEAT_1="x")}, intro, by="alice"))
    assert codes(bench.audit()) == ["AU102", "GT105"]


def test_a_deletion_that_was_let_in_is_what_the_judge_says_of_it(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    bench.receive((RELEASE, None, tip))
    assert [f.code for f in bench.receive((RELEASE, tip, None)).findings] == ["GT102"]
    assert codes(bench.audit()) == ["GT102"]


def test_what_lies_before_a_moved_introduction_on_another_branch_is_judged_by_dates(bench: Bench) -> None:
    first = bench.begun()
    tip = go_on(bench, "a")
    bench.receive((RELEASE, None, tip))
    later = bench.commit({".codifica/revoked_keys": line_of("bob")}, tip, by="alice")
    bench.main(later)
    bench.receive((RELEASE, tip, bench.commit({"src/r.py": "r"}, later)))
    bench.config("codifica.introduction", later.decode())
    bench.append(word(bench, INTRODUCTION, introduction=later))
    found = bench.audit()
    assert codes(found) == []
    assert [(b.ref, b.commits) for b in found.branches] == [(MAIN.encode(), 1), (RELEASE.encode(), 1)]
    assert first not in {made.commit for made in found.made}
    assert bench.audit() == found


def test_a_long_way_behind_the_last_receipt_is_kept_as_well(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codifica_guard.audit.replay.FEW", 1)
    bench.begun()
    go_on(bench, "a", "b", "c", "d", receipt=False)
    first = bench.audit()
    assert codes(first) == ["AU101"]
    go_on(bench, "e", receipt=False)
    assert bench.audit() == bench.audit(cached=False)
    assert "5 commits" in bench.audit().findings[0].finding.found
    go_on(bench, "f")
    assert bench.audit() == bench.audit(cached=False)
    tip = bench.at("main")
    assert tip is not None
    bench.point("main", bench.parents[tip][0])
    assert bench.audit() == bench.audit(cached=False)


def test_what_was_kept_is_not_used_where_the_branch_went_back(bench: Bench) -> None:
    bench.begun()
    bench.chain([])
    go_on(bench, "a", "b", receipt=False)
    tip = bench.at("main")
    assert tip is not None
    assert len(bench.audit().made) == 3
    bench.point("main", bench.parents[tip][0])
    assert len(bench.audit().made) == 2
    side = bench.commit({"src/s.py": "s"}, bench.parents[tip][0])
    bench.point("main", bench.commit({"src/s.py": "s"}, side, tip))  # the old tip came in from the side
    assert bench.audit() == bench.audit(cached=False)


def test_a_server_that_moved_its_introduction_since_is_judged_anew(bench: Bench) -> None:
    bench.begun()
    later = bench.commit({".codifica/revoked_keys": line_of("bob")}, go_on(bench, "a"), by="alice")
    bench.main(later)
    bench.plain.git("config", "--unset", "codifica.introduction")
    assert bench.audit().anchor.commit != later
    bench.append(word(bench, INTRODUCTION, introduction=later))
    found = bench.audit()
    assert (codes(found), found.anchor.commit, found.anchor.pinned) == ([], later, False)
    assert found == bench.audit(cached=False)


def test_ids_of_either_hash_are_audited(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "r.git", "sha256")
    bench.begun()
    bad = bench.commit({"work.md": work(FEAT_1="mine")}, go_on(bench, "a"), by="builder", message="FEAT-1: x")
    bench.main(bad)
    assert codes(bench.audit()) == ["CD404"] == codes(bench.audit())
    bench.chain(bench.receipts[:-1])
    assert codes(bench.audit()) == ["AU103", "CD404"]


def lose(bench: Bench, oid: ObjectId) -> None:
    (bench.plain.git_dir / "objects" / oid[:2].decode() / oid[2:].decode()).unlink()


@pytest.mark.parametrize("receipts", [True, False])
def test_a_document_that_is_missing_cannot_be_told_of(bench: Bench, receipts: bool) -> None:  # noqa: FBT001 - judged both ways
    bench.begun()
    edit = bench.commit({"work.md": work(FEAT_1="x")}, go_on(bench, "a"), by="alice")
    bench.main(edit, receipt=receipts)
    lose(bench, bench.trees[edit]["work.md"][1])
    with pytest.raises(CannotTell, match="objects are missing here"):
        bench.audit()


def test_receipts_of_commits_that_are_half_gone_are_passed_over_once_the_branch_was_rewound(bench: Bench) -> None:
    intro = bench.begun()
    tip = go_on(bench, "a", "b")
    bench.receive((MAIN, tip, bench.commit({"src/c.py": "c"}, intro)), paused="a purge")
    lose(bench, bench.trees[tip]["src/b.py"][1])
    found = bench.audit()
    assert codes(found) == []
    assert (
        "1 receipt is about commits that are not here any more, since a branch was rewound: those are not judged"
        in found.notes
    )


def test_a_tree_that_shows_two_things_is_told_as_the_judge_told_it(bench: Bench) -> None:
    intro = bench.begun()
    blob = bench.plain.put("blob", b"x")
    tree = bench.plain.put_tree((b"100644", b"twice", blob), (b"100644", b"twice", blob))
    raw = bench.plain.git("cat-file", "commit", intro.decode())
    person = b"A <a@example.org> %d +0000" % bench.now
    assert raw
    odd = bench.plain.put(
        "commit", b"tree %s\nparent %s\nauthor %s\ncommitter %s\n\nm\n" % (tree, intro, person, person)
    )
    told = bench.main(odd)
    assert {f.code for f in told.findings} == {"GT106"}
    assert {noted.finding for noted in bench.audit().findings} == set(told.findings)
    shutil.rmtree(bench.home)
    bench.chain(bench.receipts[:-1])
    assert codes(bench.audit()) == ["AU101", "GT106"]


def test_a_push_that_goes_past_a_limit_is_a_finding_with_its_receipt_too(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    intro = bench.begun()
    bench.main(bench.commit({f"src/{n}.py": "1" for n in range(30)}, intro))
    monkeypatch.setattr("codifica_guard.git.changes.CHANGED_PATHS", 20)
    found = bench.audit()
    assert set(codes(found)) == {"GD102"}
    assert found.findings[0].receipt == 2


def test_a_branch_whose_beginning_is_not_here_is_judged_from_its_receipts_on(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    bench.receive((RELEASE, None, tip), receipt=False)
    lost = bench.commit({"src/l.py": "l"}, tip)
    bench.point("release/1", lost)
    bench.receive((RELEASE, lost, tip), paused="a purge")
    lose(bench, lost)
    assert codes(bench.audit()) == []


def test_receipts_whose_tips_do_not_follow_are_seen(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    last = bench.receipt(bench.receipts[-1])
    bench.write(replace(last, number=3, push="c" * 16, old=tip, tips={**last.tips, RefName(b"refs/heads/x"): tip}))
    found = bench.audit()
    assert codes(found) == ["AU103"]
    assert "receipt 3 has other tips of branches than follow from receipt 2" in found.findings[0].finding.found


def test_receipts_that_are_not_believed_and_cannot_be_read_may_mean_any_commit(bench: Bench) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    bench.write(b"torn", signed=False)
    bench.point("main", bench.commit({"src/b.py": "b"}, tip))
    bench.point("release/1", bench.commit({"src/r.py": "r"}, tip, time=bench.now + 1000))
    assert codes(bench.audit()) == ["AU104"]


@pytest.mark.parametrize(
    ("claimed", "told"), [("back", ["AU104", "AU101"]), ("further", ["AU104"]), ("aside", ["AU104", "AU101"])]
)
def test_what_forged_receipts_claim_counts_as_far_as_it_goes(bench: Bench, claimed: str, told: list[str]) -> None:
    intro = bench.begun()
    tip = go_on(bench, "a")
    new = bench.commit({"src/b.py": "b"}, tip)
    ends = {
        "back": intro,
        "further": bench.commit({"src/c.py": "c"}, new),
        "aside": bench.commit({"src/d.py": "d"}, tip),
    }
    last = bench.receipt(bench.receipts[-1])
    bench.append(replace(last, old=tip, new=ends[claimed], lines=(), push="f" * 16), signer=key_of("mallory"))
    bench.point("main", new)
    assert codes(bench.audit()) == told


def test_a_rewind_that_a_forged_receipt_claims_is_no_second_finding(bench: Bench) -> None:
    intro = bench.begun()
    tip = go_on(bench, "a")
    aside = bench.commit({"src/d.py": "d"}, intro)
    last = bench.receipt(bench.receipts[-1])
    bench.append(replace(last, old=tip, new=aside, lines=(), push="f" * 16), signer=key_of("mallory"))
    bench.point("main", aside)
    assert codes(bench.audit()) == ["AU104"]


def test_a_clone_without_a_remote_of_several_is_audited_by_the_one_that_is_worked_with(
    bench: Bench, tmp_path: Path
) -> None:
    bench.begun()
    tip = go_on(bench, "a")
    target = clone(bench, tmp_path)
    run = ("-C", str(target))
    bench.plain.run(*run, "remote", "add", "other", "/nowhere")
    assert bench.audit(target).tip == tip
    bench.plain.run(*run, "config", "codifica.remote", "origin")
    assert bench.audit(target).tip == tip
    bench.plain.run(*run, "config", "codifica.remote", "other")
    assert bench.audit(target).tip == tip  # nothing was ever fetched from there
    bench.plain.run(*run, "config", "codifica.remote", "third")
    bench.plain.run(*run, "remote", "remove", "origin")
    bench.plain.run(*run, "remote", "remove", "other")
    assert bench.audit(target).tip == tip


def test_a_side_history_with_a_policy_of_its_own_is_judged_alike_however_often(bench: Bench) -> None:
    """It does not descend from the introduction, and what was kept remembers that."""
    intro = bench.begun()
    other = bench.commit(bench.policy(maintainers=["human:mallory"]), bench.begin(), by="mallory")
    own = bench.commit({"src/o.py": "o"}, other)
    merge = bench.commit({"src/o.py": "o"}, intro, own)
    assert "ID110" in {f.code for f in bench.main(merge).findings}
    first = bench.audit()
    assert "ID110" in codes(first)
    later = bench.commit({"src/p.py": "p"}, own)
    bench.main(bench.commit({"src/p.py": "p"}, merge, later))
    assert bench.audit() == bench.audit(cached=False)


def test_a_branch_that_is_cut_elsewhere_cannot_be_told_of(bench: Bench, tmp_path: Path) -> None:
    intro = bench.begun()
    tip = go_on(bench, "a")
    side = bench.commit({"src/s.py": "s"}, intro)
    bench.point("release/1", bench.commit({"src/t.py": "t"}, side))
    target = clone(bench, tmp_path)
    (target / ".git" / "shallow").write_bytes(side + b"\n")
    with pytest.raises(CannotTell, match=f"history is cut at {side[:7].decode()}") as caught:
        bench.audit(target)
    assert caught.value.do == ("git fetch --unshallow",)
    assert tip


def test_a_long_history_tells_how_far_it_is_on_the_way(bench: Bench) -> None:
    bench.begun()
    bench.chain([])
    go_on(bench, *(str(number) for number in range(60)), receipt=False)
    told: list[tuple[int, int]] = []
    with open_source(os.fsencode(bench.plain.path), {}) as source:
        audit(source, Wanted(), lambda done, of: told.append((done, of)))
    assert told == [(50, 61), (61, 61)]
