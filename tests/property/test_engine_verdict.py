"""A verdict is about what is pushed: not about the order of refs, how objects are packed, or which hash names them."""

import os
import shutil
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.git.config import read_config
from codifica_guard.git.location import at
from codifica_guard.git.store import ObjectFormat, open_store
from codifica_guard.hooks.court import convene
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import RefName
from codifica_guard.model.push import RefUpdate
from tests.property.tales import POLICY, Tale, Update, permuted, told
from tests.unit.engine.land import NOW, Land
from tests.unit.git.plain import Plain

FORMATS: tuple[ObjectFormat, ...] = ("sha1", "sha256")
SEEDS = st.integers(0, 2**32)


def judged(folder: Path, rows: list[Update], **environ: str) -> Verdict:
    """The verdict of a repository in a folder."""
    location = at(os.fsencode(folder), {key.encode(): os.fsencode(value) for key, value in environ.items()})
    updates = tuple(RefUpdate(ref=RefName(ref.encode()), old=old, new=new) for ref, old, new in rows)
    with open_store(location, "sha1") as store:
        return convene(store, location, read_config(location), updates, NOW)


@settings(max_examples=15, deadline=None, derandomize=True)
@given(seed=SEEDS, length=st.integers(1, 9))
def test_the_order_of_refs_does_not_matter(seed: int, length: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tale = Tale(Land(Path(folder) / "repo", **POLICY), seed, length)
        rows, names = tale.updates(), tale.names()
        first = told(tale.land.judge(*rows), names)
        for number in range(2):
            assert told(tale.land.judge(*permuted(rows, seed + number)), names) == first
        assert told(tale.land.judge(*reversed(rows)), names) == first


@settings(max_examples=12, deadline=None, derandomize=True)
@given(seed=SEEDS, length=st.integers(1, 9))
def test_the_hash_that_names_objects_does_not_matter(seed: int, length: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        answers = []
        for kind in FORMATS:
            tale = Tale(Land(Path(folder) / kind, kind, **POLICY), seed, length)
            answers.append(told(tale.land.judge(*tale.updates()), tale.names()))
        assert answers[0] == answers[1]


# -- how objects are packed


def one_pack(repo: Plain) -> None:
    """All in one pack, with long chains of deltas."""
    repo.git("repack", "-a", "-d", "-f", "-q", "--depth=50", "--window=50")
    repo.git("prune-packed")


def one_pack_without_deltas(repo: Plain) -> None:
    """All in one pack, each object whole."""
    repo.git("repack", "-a", "-d", "-f", "-q", "--depth=0")


def many_packs(repo: Plain) -> None:
    """A few objects in each pack, some of them twice."""
    listed = repo.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname)").split(b"\n")
    for start in range(0, len(listed), 7):
        some = b"\n".join(listed[start : start + 9]) + b"\n"
        repo.git("pack-objects", "-q", "objects/pack/pack", stdin=some)
    repo.git("prune-packed")


def graph_and_index(repo: Plain) -> None:
    """One pack, and all that Git writes beside it to be quick."""
    repo.git("repack", "-a", "-d", "-q", "-b")
    repo.git("commit-graph", "write", "--reachable")
    repo.git("multi-pack-index", "write")


def elsewhere(repo: Plain) -> None:
    """Everything in another store that this one borrows from."""
    one_pack(repo)
    pool = repo.path.parent / "pool"
    shutil.move(repo.path / "objects", pool)
    (repo.path / "objects" / "info").mkdir(parents=True)
    (repo.path / "objects" / "pack").mkdir()
    (repo.path / "objects" / "info" / "alternates").write_text("../../pool\n")


LAYOUTS: tuple[Callable[[Plain], None], ...] = (
    one_pack,
    one_pack_without_deltas,
    many_packs,
    graph_and_index,
    elsewhere,
)


def all_reachable(repo: Plain, tale: Tale) -> None:
    """Give each commit a ref that no rule looks at, so that Git packs all of them."""
    for number, oid in enumerate(tale.boards):
        path = repo.git_dir / "refs" / "keep" / str(number)
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(oid + b"\n")


@pytest.mark.parametrize("layout", LAYOUTS)
@settings(max_examples=3, deadline=None, derandomize=True)
@given(seed=SEEDS, length=st.integers(4, 9))
def test_how_objects_are_packed_does_not_matter(layout: Callable[[Plain], None], seed: int, length: int) -> None:
    with tempfile.TemporaryDirectory() as folder:
        tale = Tale(Land(Path(folder) / "repo", **POLICY), seed, length)
        rows, repo = tale.updates(), tale.land.plain
        all_reachable(repo, tale)
        loose = judged(repo.path, rows)
        layout(repo)
        assert not list((repo.path / "objects").glob("[0-9a-f][0-9a-f]/*")), "nothing lies about loose"
        assert judged(repo.path, rows) == loose


@settings(max_examples=6, deadline=None, derandomize=True)
@given(seed=SEEDS, length=st.integers(3, 9), kept=st.booleans())
def test_a_thin_pack_in_quarantine_is_judged_as_what_it_holds(seed: int, length: int, kept: bool) -> None:  # noqa: FBT001
    with tempfile.TemporaryDirectory() as folder:
        tale = Tale(Land(Path(folder) / "client", **POLICY), seed, length)
        rows, client = tale.updates(), tale.land.plain
        loose = judged(client.path, rows)
        server = Path(folder) / "server"
        shutil.copytree(client.path, server)
        plain = Plain(server, bare=True)
        shutil.rmtree(server / "objects")
        (server / "objects" / "pack").mkdir(parents=True)
        known = client.git("rev-list", "--objects", tale.intro.decode()).split(b"\n")
        plain.git("unpack-objects", "-q", stdin=packed(client, b"\n".join(r.split(b" ")[0] for r in known) + b"\n"))
        wanted = b"".join(new + b"\n" for _, _, new in rows if new) + b"--not\n" + tale.intro + b"\n"
        thin = client.run("pack-objects", "-q", "--thin", "--revs", "--stdout", stdin=wanted).stdout
        quarantine = server / "objects" / "incoming"
        (quarantine / "pack").mkdir(parents=True)
        env = {
            "GIT_OBJECT_DIRECTORY": str(quarantine),
            "GIT_ALTERNATE_OBJECT_DIRECTORIES": str(server / "objects"),
        }
        if kept:
            plain.git("index-pack", "--stdin", "--fix-thin", stdin=thin, env=env)
        else:
            plain.git("unpack-objects", "-q", stdin=thin, env=env)
        assert judged(server, rows, **env) == loose


def packed(repo: Plain, ids: bytes) -> bytes:
    """A pack of some objects."""
    done = repo.run("pack-objects", "-q", "--stdout", stdin=ids)
    assert done.returncode == 0, done.stderr
    return done.stdout
