"""Lies to whoever looks at history later: each is one finding, and nothing else turns red."""

import json
import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.audit.receipt_file import write_receipt
from codifica_guard.audit.replayed import Replayed
from codifica_guard.audit.vault import FOLDER
from codifica_guard.identity.keys import fingerprint
from codifica_guard.model.ids import ObjectId
from codifica_guard.model.receipt import Receipt
from codifica_guard.model.value import replace
from tests.unit.audit.bench import MAIN, Bench, codes
from tests.unit.engine.land import key_of, line_of, work

RELEASE = "refs/heads/release/1"


@pytest.fixture
def bench(tmp_path: Path) -> Bench:
    """Four pushes to main, each with its receipt: the introduction, code, a person's edit, code."""
    bench = Bench(tmp_path / "r.git", protected_branches=["main", "release/*"])
    tip = bench.begun()
    for change, by in (
        ({"src/a.py": "1\n"}, None),
        ({"work.md": work(FEAT_1="x")}, "alice"),
        ({"src/b.py": "2\n"}, None),
    ):
        tip = bench.commit(change, tip, by=by)
        assert bench.main(tip).accepted
    assert codes(bench.audit()) == []
    return bench


def only(found: Replayed, code: str) -> str:
    """What the one finding says."""
    assert codes(found) == [code]
    assert found.findings[0].is_error
    assert found.findings[0].finding.do
    return found.findings[0].finding.found


def tip_of(bench: Bench) -> ObjectId:
    tip = bench.at("main")
    assert tip is not None
    return tip


def chain_of(bench: Bench) -> list[Receipt]:
    return [bench.receipt(oid) for oid in bench.receipts]


# -- refs


def test_a_branch_that_was_moved_behind_the_hook_is_seen(bench: Bench) -> None:
    old = tip_of(bench)
    new = bench.commit({"src/c.py": "3\n"}, bench.commit({"src/d.py": "4\n"}, old))
    bench.point("main", new)
    found = bench.audit()
    said = only(found, "AU101")
    assert f"main {old[:7].decode()}..{new[:7].decode()}: 2 commits came in without a receipt, behind receipt 4" in said
    (gap,) = found.chain.gaps
    assert (gap.old, gap.new, gap.commits, gap.since, gap.until) == (old, new, 2, bench.now, None)


def test_what_came_in_behind_the_hook_is_seen_once_pushes_go_on_too(bench: Bench) -> None:
    old = tip_of(bench)
    unseen = bench.commit({"src/c.py": "3\n"}, old)
    bench.point("main", unseen)
    bench.main(bench.commit({"src/d.py": "4\n"}, unseen))
    found = bench.audit()
    assert "1 commit came in without a receipt, between receipt 4 of" in only(found, "AU101")
    (gap,) = found.chain.gaps
    assert (gap.old, gap.new, gap.since, gap.until) == (old, unseen, bench.now - 60, bench.now)
    assert found.findings[0].finding.commit == unseen


def test_what_is_illegal_in_what_came_behind_the_hook_stands_beside_it(bench: Bench) -> None:
    bad = bench.commit(
        {"work.md": work(FEAT_1="x", FEAT_2="mine")}, tip_of(bench), by="builder", message="FEAT-2: mine"
    )
    bench.point("main", bad)
    found = bench.audit()
    assert codes(found) == ["AU101", "CD404"]
    assert found.findings[1].finding.commit == bad


def test_a_commit_that_is_dated_back_behind_the_hook_is_judged_by_the_receipt_before(bench: Bench) -> None:
    """Its key had ended when the last receipt was written, whatever its date says."""
    lines = bench.policy()[".codifica/allowed_signers"]
    assert isinstance(lines, str)
    ended = lines.replace("human:bob ssh", 'human:bob valid-before="20261001" ssh')
    tip = bench.commit({".codifica/allowed_signers": ended}, tip_of(bench), by="alice")
    assert bench.main(tip).accepted
    bad = bench.commit({"work.md": work(FEAT_1="x", FEAT_2="y")}, tip, by="bob", time=1_790_000_000)
    bench.point("main", bad)
    assert codes(bench.audit()) == ["AU101", "ID104"]


@pytest.mark.parametrize("back", [True, False])
def test_a_branch_that_was_rewound_is_seen(bench: Bench, back: bool) -> None:  # noqa: FBT001 - to where it was, or aside
    before = bench.receipt(bench.receipts[-1]).old
    assert before is not None
    old = tip_of(bench)
    new = before if back else bench.commit({"src/e.py": "5\n"}, before)
    bench.point("main", new)
    assert f"main was at {old[:7].decode()}, and {new[:7].decode()} does not descend from that" in only(
        bench.audit(), "AU102"
    )


def test_a_branch_that_was_rewound_between_pushes_is_seen(bench: Bench) -> None:
    before = bench.receipt(bench.receipts[-1]).old
    assert before is not None
    aside = bench.commit({"src/e.py": "5\n"}, before)
    bench.point("main", aside)
    bench.main(bench.commit({"src/f.py": "6\n"}, aside))
    assert "between receipt 4 of" in only(bench.audit(), "AU102")


def test_a_judged_branch_that_is_gone_is_seen(bench: Bench) -> None:
    tip = tip_of(bench)
    assert bench.receive((RELEASE, None, tip)).accepted
    assert codes(bench.audit()) == []
    bench.point("release/1", None)
    assert "release/1 is gone" in only(bench.audit(), "AU102")


def test_a_judged_branch_that_was_made_behind_the_hook_is_seen(bench: Bench) -> None:
    bench.point("release/2", bench.commit({"src/r.py": "1\n"}, tip_of(bench), time=bench.now + 1000))
    assert "release/2" in only(bench.audit(), "AU101")


def test_a_branch_that_is_rewound_in_a_pause_is_told_and_is_no_fault(bench: Bench) -> None:
    before = bench.receipt(bench.receipts[-1]).old
    assert before is not None
    other = bench.commit({"src/e.py": "5\n"}, before)
    bench.receive((MAIN, tip_of(bench), other), paused="a secret got in")
    after = bench.commit({"src/f.py": "6\n"}, other)
    bench.main(after)
    found = bench.audit()
    assert codes(found) == []
    (pause,) = found.pauses
    assert (pause.receipt.reason, pause.commits, [f.code for f in pause.findings]) == ("a secret got in", 1, ["GT101"])
    assert {other, after} <= {made.commit for made in found.made}


# -- receipts


def test_a_receipt_that_was_dropped_and_the_rest_signed_again_is_seen(bench: Bench) -> None:
    chain = chain_of(bench)
    bench.rewritten(*chain[:1], *chain[2:])
    assert "behind receipt 1 comes number 3" in only(bench.audit(), "AU103")


def test_a_receipt_that_was_dropped_and_the_rest_numbered_anew_is_seen(bench: Bench, tmp_path: Path) -> None:
    """Only who has the server's key can do that: then a push has come in without a receipt, and nothing hides it."""
    chain = chain_of(bench)
    bench.home = tmp_path / "somebody else"
    kept = [replace(r, number=n) for n, r in enumerate((*chain[:1], *chain[2:]), start=1)]
    bench.rewritten(*kept)
    assert "1 commit came in without a receipt" in only(bench.audit(), "AU101")


def test_a_receipt_that_was_dropped_without_the_key_is_seen(bench: Bench) -> None:
    chain = chain_of(bench)
    bench.chain(bench.receipts[:1])
    for receipt in chain[2:]:
        bench.write(receipt, signed=False)
    assert "nobody has signed it" in only(bench.audit(), "AU104")


def test_the_last_receipts_that_were_dropped_are_missed_by_who_saw_them(bench: Bench, tmp_path: Path) -> None:
    bench.chain(bench.receipts[:-1])
    said = only(bench.audit(), "AU103")
    assert "this clone saw receipt 4" in said
    assert said.endswith("it ends with receipt 3")
    assert only(bench.audit(), "AU103") == said
    bench.home = tmp_path / "somebody else"
    assert "1 commit came in without a receipt" in only(bench.audit(), "AU101")


def test_a_chain_that_is_gone_is_missed_by_who_saw_it(bench: Bench) -> None:
    bench.chain([])
    found = bench.audit()
    assert "there are none any more" in only(found, "AU103")
    assert any("order from first parents" in note for note in found.notes)


def test_what_comes_in_behind_dropped_receipts_is_seen_as_well(bench: Bench) -> None:
    bench.chain(bench.receipts[:-1])
    bench.point("main", bench.commit({"src/z.py": "9\n"}, tip_of(bench)))
    assert codes(bench.audit()) == ["AU103", "AU101"]


def test_receipts_in_another_order_are_seen(bench: Bench) -> None:
    first, second, third, fourth = chain_of(bench)
    bench.rewritten(first, third, second, fourth)
    assert "behind receipt 1 comes number 3" in only(bench.audit(), "AU103")


def test_receipts_in_another_order_and_numbered_anew_are_seen(bench: Bench) -> None:
    first, second, third, fourth = chain_of(bench)
    bench.rewritten(first, replace(third, number=2), replace(second, number=3), fourth)
    assert "receipt 2 begins where receipt 3 ends, which comes behind it" in only(bench.audit(), "AU103")


def test_a_chain_that_does_not_begin_with_its_first_receipt_is_seen(bench: Bench) -> None:
    bench.rewritten(*chain_of(bench)[1:])
    assert "the first receipt is number 2, not 1" in only(bench.audit(), "AU103")


def test_a_receipt_that_was_edited_is_seen(bench: Bench) -> None:
    """The commit is made anew with another file, under the old signature."""
    body = bench.plain.git("cat-file", "commit", bench.receipts[2].decode()) + b"\n"
    edited = replace(bench.receipt(bench.receipts[2]), lines=(), reason="nothing to see")
    blob = bench.plain.put("blob", write_receipt(edited))
    tree = bench.plain.put_tree((b"100644", b"receipt.json", blob))
    forged = bench.plain.put("commit", b"tree " + tree + body[body.index(b"\n") :])
    last = bench.plain.git("cat-file", "commit", bench.receipts[3].decode()) + b"\n"
    top = bench.plain.put("commit", last.replace(bench.receipts[2], forged))
    bench.chain([*bench.receipts[:2], forged, top])
    found = bench.audit()
    assert "its signature does not hold" in only(found, "AU104")
    assert found.chain.last == 2
    assert not found.chain.held


def test_a_receipt_by_nobody_known_is_seen_and_covers_nothing(bench: Bench) -> None:
    """Somebody moves main on the server, and signs a receipt for it with a key of his own."""
    new = bench.commit({"src/c.py": "3\n"}, tip_of(bench))
    last = chain_of(bench)[-1]
    bench.append(replace(last, old=last.new, new=new, lines=(), push="f" * 16), signer=key_of("mallory"))
    bench.point("main", new)
    found = bench.audit()
    assert fingerprint(key_of("mallory").key) in only(found, "AU104")
    assert found.chain.last == 4
    assert {made.commit: made.receipt for made in found.made}[new] is None


def test_a_forged_receipt_hides_nothing_that_it_does_not_name(bench: Bench) -> None:
    claimed = bench.commit({"src/c.py": "3\n"}, tip_of(bench))
    last = chain_of(bench)[-1]
    bench.append(replace(last, old=last.new, new=claimed, lines=(), push="f" * 16), signer=key_of("mallory"))
    more = bench.commit({"src/d.py": "3\n"}, claimed)
    bench.point("main", more)
    found = bench.audit()
    assert codes(found) == ["AU104", "AU101"]
    assert f"{claimed[:7].decode()}..{more[:7].decode()}: 1 commit" in found.findings[1].finding.found


@pytest.mark.parametrize(
    ("said", "changed"),
    [
        ("says that it is 'server:other'", {"server": "server:other"}),
        ("says that it is 'human:alice'", {"server": "human:alice"}),
        ("was made for another repository", {"repository": "ff" * 16}),
    ],
)
def test_a_receipt_of_another_server_or_repository_is_seen(bench: Bench, said: str, changed: dict[str, str]) -> None:
    chain = chain_of(bench)
    bench.rewritten(*chain[:3], replace(chain[3], **changed))
    assert said in only(bench.audit(), "AU104")


def test_a_commit_of_the_servers_that_holds_no_receipt_is_seen(bench: Bench) -> None:
    bench.write(b"{}\n")
    assert "holds no receipt" in only(bench.audit(), "AU103")
    bench.chain(bench.receipts[:-1])
    bench.write(b"{}\n", name=b"other.json")
    assert "there is no receipt.json" in only(bench.audit(), "AU103")


def test_two_chains_that_are_joined_are_seen(bench: Bench) -> None:
    last = chain_of(bench)[-1]
    bench.write(replace(last, number=5), parents=(bench.receipts[-1], bench.receipts[0]))
    assert "joins two chains" in only(bench.audit(), "AU103")


def test_a_receipt_by_a_key_that_was_revoked_before_is_seen(bench: Bench) -> None:
    revoked = bench.commit({".codifica/revoked_keys": line_of("server") + "\n"}, tip_of(bench), by="alice")
    assert bench.main(revoked).accepted
    assert codes(bench.audit()) == []
    bench.main(bench.commit({"src/c.py": "3\n"}, revoked))
    assert "which was revoked before" in only(bench.audit(), "AU104")


def test_a_receipt_that_says_something_else_than_its_commits_do_is_seen(bench: Bench, tmp_path: Path) -> None:
    tip = tip_of(bench)
    moved = bench.commit({"work.md": work(FEAT_1="x").replace("state: todo", "state: rejected", 1)}, tip, by="alice")
    told = bench.main(moved)
    last = bench.receipt(bench.receipts[-1])
    assert [(line.source, line.target) for line in last.lines] == [("todo", "rejected")]
    other = tuple(replace(line, actor="human:bob") for line in last.lines)
    before = [f.code for f in told.findings]
    assert codes(bench.audit()) == before
    bench.home = tmp_path / "somebody else"
    for lines, said in (
        (other, "by human:bob"),
        ((), "it does not say codifica/FEAT-1 todo -> rejected by human:alice"),
    ):
        bench.chain(bench.receipts[:4])
        bench.write(replace(last, lines=lines))
        found = bench.audit()
        assert codes(found) == ["AU105", *before]
        assert said in found.findings[0].finding.found
        bench.home = tmp_path / said


# -- commits


def test_a_revoked_key_on_an_old_base_is_one_finding(bench: Bench) -> None:
    base = tip_of(bench)
    revoked = bench.commit({".codifica/revoked_keys": line_of("bob") + "\n"}, base, by="alice")
    assert bench.main(revoked).accepted
    side = bench.commit({"src/bob.py": "1\n"}, base, by="bob")
    merge = bench.commit({"src/bob.py": bench.trees[side]["src/bob.py"]}, revoked, side)
    assert [f.code for f in bench.main(merge).findings] == ["ID105"]
    found = bench.audit()
    assert only(found, "ID105")
    assert found.findings[0].finding.commit == side


def test_a_key_that_had_ended_and_a_commit_that_is_dated_back_is_one_finding(bench: Bench) -> None:
    lines = bench.policy()[".codifica/allowed_signers"]
    assert isinstance(lines, str)
    ended = lines.replace("human:bob ssh", 'human:bob valid-before="20261001" ssh')
    tip = bench.commit({".codifica/allowed_signers": ended}, tip_of(bench), by="alice")
    assert bench.main(tip).accepted
    bad = bench.commit({"work.md": work(FEAT_1="x", FEAT_2="y")}, tip, by="bob", time=1_790_000_000)
    assert [f.code for f in bench.main(bad).findings] == ["ID104"]
    assert only(bench.audit(), "ID104")


# -- what is kept


def poisoned(path: Path, change: Callable[[bytes], bytes]) -> None:
    """Change what an audit has kept, whatever else is in it."""
    (kept,) = path.glob("replay-*")
    kept.write_bytes(change(kept.read_bytes()))


def folder(bench: Bench) -> Path:
    return bench.plain.path.joinpath(*map(os.fsdecode, FOLDER))


def without_findings(data: bytes) -> bytes:
    line, _, body = data.partition(b"\n")
    plain: dict[str, Any] = json.loads(body)
    plain["findings"] = []
    return line + b"\n" + json.dumps(plain).encode()


def test_a_cache_that_somebody_else_wrote_is_not_believed(bench: Bench, tmp_path: Path) -> None:
    """Whoever hands a clone over may have changed what an audit there had kept, or have kept it with his own key."""
    bad = bench.commit(
        {"work.md": work(FEAT_1="x", FEAT_2="mine")}, tip_of(bench), by="builder", message="FEAT-2: mine"
    )
    bench.main(bad)
    assert only(bench.audit(), "CD404")
    poisoned(folder(bench), without_findings)
    assert only(bench.audit(), "CD404")
    assert only(bench.audit(), "CD404")
    own = bench.home
    bench.home = tmp_path / "mallory"
    assert only(bench.audit(cached=False), "CD404")
    bench.home = own
    assert only(bench.audit(), "CD404")


# -- keys of servers


def test_a_server_that_an_agent_listed_vouches_for_nothing(bench: Bench) -> None:
    """The commit that lists the key comes with a receipt of it, that says the rules were held off."""
    lines = bench.policy()[".codifica/allowed_signers"]
    assert isinstance(lines, str)
    evil = f"{lines}server:evil {line_of('mallory')}\n"
    new = bench.commit({".codifica/allowed_signers": evil, "work.md": work(FEAT_1="mine")}, tip_of(bench), by="builder")
    last = chain_of(bench)[-1]
    paused = replace(
        last, old=last.new, new=new, lines=(), push="e" * 16, paused=True, until=bench.now + 60, refused=("GD101",)
    )
    bench.append(paused, signer=key_of("mallory"))
    bench.point("main", new)
    found = bench.audit()
    assert codes(found)[0] == "AU104"
    assert {"CD404", "ID109"} <= set(codes(found))
    assert codes(bench.audit(cached=False)) == codes(bench.audit()) == codes(found)


def test_a_maintainer_lists_another_server(bench: Bench) -> None:
    lines = bench.policy()[".codifica/allowed_signers"]
    assert isinstance(lines, str)
    second = f"{lines}server:second {line_of('mallory')}\n"
    tip = bench.commit({".codifica/allowed_signers": second}, tip_of(bench), by="alice")
    assert bench.main(tip).accepted
    new = bench.commit({"src/c.py": "3\n"}, tip)
    last = chain_of(bench)[-1]
    bench.append(replace(last, old=last.new, new=new, lines=(), push="d" * 16), signer=key_of("mallory"))
    bench.point("main", new)
    assert set(codes(bench.audit())) <= {"AU104"}, "the receipt names the first server"


def test_a_branch_that_was_taken_back_behind_the_listing_of_its_server_is_missed_by_who_saw_it(tmp_path: Path) -> None:
    bench = Bench(tmp_path / "late.git")
    del bench.signers["server"]
    intro = bench.begun()
    bench.signers["server"] = bench_server = "server:git.example.org"
    assert bench_server
    listed = bench.commit({".codifica/allowed_signers": bench.policy()[".codifica/allowed_signers"]}, intro, by="alice")
    assert bench.main(listed).accepted
    assert bench.main(bench.commit({"src/c.py": "3\n"}, listed)).accepted
    assert codes(bench.audit()) == []
    bench.point("main", intro)
    found = bench.audit(cached=False)
    assert "the branch was taken back behind the commit that did" in only(found, "AU103")


def test_checked_policies_of_the_clone_are_not_the_auditors(bench: Bench) -> None:
    """Whoever hands a clone over could have put a key into what it keeps of its policies."""
    folder = bench.plain.git_dir / "codifica-guard" / "policies"
    kept = {path: path.read_bytes() for path in folder.iterdir()} if folder.is_dir() else {}
    for path in kept:
        path.write_bytes(b"poisoned")
    assert codes(bench.audit(cached=False)) == []
    assert all(path.read_bytes() == b"poisoned" for path in kept), "neither read nor written"
