"""What may happen to refs, which of them are judged, and secrets that a push would publish."""

import time

import pytest

from codifica_guard import limits
from codifica_guard.errors import LimitExceeded
from codifica_guard.identity.tokens import new_token
from codifica_guard.model.ids import ObjectId
from tests.unit.engine.land import Land, Value, codes, errors, work


def test_a_judged_branch_is_neither_deleted_nor_rewound(land: Land, intro: ObjectId) -> None:
    assert land.push(tip := land.commit({"src/b.py": "b"}, intro)).accepted
    assert errors(land.push(None)) == {"GT102"}
    assert errors(land.push(intro)) == {"GT101"}
    assert errors(land.push(land.commit({"src/c.py": "c"}, intro))) == {"GT101"}
    assert land.judge(("refs/heads/free", tip, None), ("refs/heads/free2", tip, intro)).findings == ()


def test_reserved_refs_are_refused_by_every_name(land: Land, intro: ObjectId) -> None:
    for ref in ("refs/codifica/receipts", "refs/replace/" + "1" * 40):
        assert errors(land.judge((ref, None, intro))) == {"GT103"}


def test_one_illegal_ref_refuses_all_in_either_order(land: Land, intro: ObjectId) -> None:
    good = ("refs/heads/free", None, land.commit({"x": "y"}, intro))
    bad = ("refs/heads/main", intro, land.commit({"outside": "x"}, intro))
    for updates in ((good, bad), (bad, good)):
        assert errors(land.judge(*updates)) == {"CD407"}


def test_a_symbolic_ref_that_points_at_a_judged_branch_is_judged(land: Land, intro: ObjectId) -> None:
    land.plain.git("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    bad = land.commit({"outside": "x"}, intro)
    assert errors(land.judge(("refs/heads/alias", intro, bad))) == {"CD407"}


@pytest.mark.parametrize(
    "name",
    [
        "refs/heads/" + "x" * 4000,
        "refs/heads/a..b",
        "refs/heads/main.lock",
        "refs/heads/\x01",
        "main",
        "refs/heads/main ",
    ],
)
def test_odd_names_are_not_the_judged_branch(land: Land, intro: ObjectId, name: str) -> None:
    assert land.judge((name, None, land.commit({"outside": "x"}, intro))).findings == ()


def test_tags_are_peeled_and_a_branch_that_was_parked_elsewhere_is_judged_when_it_comes(
    land: Land, intro: ObjectId
) -> None:
    bad = land.commit({"outside": "x"}, intro)
    head = b"object %s\ntype commit\ntag v1\ntagger A <a@example.org> 1796000000 +0000\n\nv1\n"
    tag = land.plain.put("tag", head % bad)
    blob = land.blob("free")
    tree = land.tree({})
    assert (
        land.judge(("refs/tags/v1", None, tag), ("refs/tags/b", None, blob), ("refs/tags/t", blob, tree)).findings == ()
    )
    land.point("parked", bad)
    assert errors(land.push(bad)) == {"CD407"}
    assert errors(land.push(tag)) == {"CD407"}


def test_a_judged_branch_names_a_commit(land: Land, intro: ObjectId) -> None:
    for oid in (land.blob("x"), land.tree({})):
        verdict = land.judge(("refs/heads/main", intro, oid))
        assert errors(verdict) == {"GT106"}
        assert "refs/heads/main" in verdict.errors[0].found


def test_an_old_tip_that_is_not_there_is_no_matter_of_refs_that_are_not_judged(land: Land, intro: ObjectId) -> None:
    absent = ObjectId(b"3" * 40)
    assert land.judge(("refs/heads/free", absent, intro), ("refs/heads/free2", absent, None)).findings == ()
    assert land.judge(("refs/heads/free", None, None)).findings == ()
    assert errors(land.judge(("refs/heads/main", None, None))) == {"GT102"}


def test_a_history_of_its_own_is_refused_on_the_coordination_branch(land: Land, intro: ObjectId) -> None:
    root = land.commit({"src/x": "x"})
    assert errors(land.judge(("refs/heads/main", None, root))) >= {"GT104"}
    assert intro


# -- secrets


def test_a_token_is_found_in_messages_and_files_of_any_branch_once(land: Land, intro: ObjectId) -> None:
    secret = new_token().text
    told = land.commit({"src/a.py": "b"}, intro, message=f"Use {secret}")
    file = land.commit({"src/b.py": f"TOKEN = '{secret}'"}, told)
    again = land.commit({"src/c.py": f"TOKEN = '{secret}'"}, file)
    verdict = land.judge(("refs/heads/one", None, again), ("refs/heads/two", None, again), ("refs/tags/t", None, told))
    assert errors(verdict) == {"ID108"}
    assert [(f.commit, f.path) for f in sorted(verdict.errors, key=lambda f: (f.path or b"", f.commit or b""))] == [
        (told, None), (file, b"src/b.py"),
    ]  # fmt: skip
    root = land.commit({"x": secret})
    assert errors(land.judge(("refs/heads/root", None, root))) == {"ID108"}


def test_what_was_there_before_and_words_about_tokens_are_fine(land: Land, intro: ObjectId) -> None:
    assert land.push(land.commit({"src/a.py": "cgw1_ is how a token begins"}, intro)).accepted
    secret = land.commit({"src/b.py": new_token().text}, intro)
    land.point("old", secret)
    assert land.judge(("refs/heads/old", secret, land.commit({"src/c.py": "c"}, secret))).findings == ()


def test_only_so_many_bytes_are_searched(land: Land, intro: ObjectId, monkeypatch: pytest.MonkeyPatch) -> None:
    secret = new_token().text
    large = land.commit({"src/b.py": "x" * limits.SECRET_SCAN_BYTES + secret}, intro)
    assert land.judge(("refs/heads/free", None, large)).findings == ()
    link = land.commit({"src/l": ("120000", land.blob(secret))}, intro)
    assert land.judge(("refs/heads/free", None, link)).findings == ()
    monkeypatch.setattr("codifica_guard.engine.refs.SECRET_SCAN_TOTAL", 3)
    many: dict[str, Value] = {"src/1": "four", "src/2": secret}
    assert land.judge(("refs/heads/free", None, land.commit(many, intro))).findings == ()


def test_too_many_new_commits_are_a_limit(land: Land, intro: ObjectId, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codifica_guard.git.history.COMMITS", 2)
    tip = intro
    for number in range(3):
        tip = land.commit({"src/a.py": str(number)}, tip)
    with pytest.raises(LimitExceeded):
        land.push(tip)


def test_five_thousand_refs_are_judged_in_seconds_and_the_last_one_counts(land: Land, intro: ObjectId) -> None:
    tips = [land.commit({"src/a.py": str(n)}, intro) for n in range(50)]
    many: list[tuple[str, ObjectId | None, ObjectId | None]] = [
        (f"refs/heads/free/{n}", None, tips[n % 50]) for n in range(2500)
    ]
    many += [(f"refs/heads/moved/{n}", tips[n % 50], tips[(n + 1) % 50]) for n in range(2500)]
    bad = land.commit({"work.md": work(FEAT_1="x")}, intro)
    start = time.process_time()
    verdict = land.judge(*many, ("refs/heads/main", intro, bad))
    assert time.process_time() - start < 20  # it is one second; a look at every pair of refs takes minutes
    assert codes(verdict) == {"ID106"}
