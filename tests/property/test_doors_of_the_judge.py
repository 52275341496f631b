"""Whatever is pushed, the judge comes to a verdict, and what it lets in can be worked under."""

import contextlib
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.errors import GuardError
from codifica_guard.model.ids import ObjectId
from tests.property.damage import damaged
from tests.property.test_doors import COMMITS, HEADERS, MARKS, OID
from tests.unit.engine.land import NOW, Land, Value, work


@pytest.fixture(scope="module")
def land() -> Iterator[Land]:
    """A guarded repository, its introduction at main."""
    with tempfile.TemporaryDirectory() as folder:
        yield Land(Path(folder) / "repo")


@pytest.fixture(scope="module")
def intro(land: Land) -> ObjectId:
    """The introduction."""
    return land.introduce()


FILES: dict[str, tuple[bytes, tuple[bytes, ...]]] = {
    "work.md": (work().encode(), MARKS),
    "codifica.json": (b"", (b'"state": ', b'"rules": ', b"[]", b"null", b'"**"', b'"{"', b"0.1")),
    ".codifica/guard.json": (b"", (b'"mode": ', b'"report"', b"null", b"99", b'"human:bob"', b"[]")),
    ".codifica/allowed_signers": (b"", (b"human:", b"agent:", b"*", b"!", b"cert-authority ", b'valid-before="1"')),
    ".codifica/revoked_keys": (b"", (b"ssh-ed25519 ", b"#", b"@")),
}


@settings(max_examples=60, deadline=None, derandomize=True)
@given(name=st.sampled_from(sorted(FILES)), by=st.sampled_from(["alice", "builder", None]), data=st.data())
def test_files_that_are_judged(land: Land, intro: ObjectId, name: str, by: str | None, data: st.DataObject) -> None:
    usual, pieces = FILES[name]
    told = land.policy().get(name)
    sample = usual or (told.encode() if isinstance(told, str) and told else b"\n")
    text: Value = data.draw(damaged([sample], pieces))
    first = land.commit({name: text}, intro, by=by)
    verdict = land.judge(("refs/heads/main", intro, first))
    same = land.trees[first][name] == land.trees[intro].get(name)
    assert verdict.accepted == same or by == "alice" or (by == "builder" and name == "work.md")
    if verdict.accepted:  # what is let in can be worked under
        land.judge(("refs/heads/main", first, land.commit({"src/next.py": "x\n"}, first)))
        again = land.commit({name: sample}, first, by="alice")
        assert name == ".codifica/revoked_keys" or not {"GD101"} & {
            f.code for f in land.judge(("refs/heads/main", first, again)).errors
        }


@settings(max_examples=60, deadline=None, derandomize=True)
@given(
    raw=damaged(COMMITS, HEADERS), words=damaged([b"s\n\nCodifica-Actor: agent:builder\nCodifica-Signature: AAAA\n"])
)
def test_commits_that_are_judged(land: Land, intro: ObjectId, raw: bytes, words: bytes) -> None:
    tree = b"tree " + land.plain.git("rev-parse", f"{intro.decode()}^{{tree}}")
    real = raw.replace(b"tree " + b"b" * 40, tree).replace(b"parent " + OID, b"parent " + intro)
    for data in (real, real.partition(b"\n\n")[0] + b"\n\n" + words):
        oid = land.plain.put("commit", data)
        with contextlib.suppress(GuardError):
            land.judge(("refs/heads/main", intro, oid), now=NOW)
