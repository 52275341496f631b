import os
import random
import subprocess
import zlib
from pathlib import Path

import pytest

from codifica_guard.errors import LimitExceeded, MalformedObject, MissingObject, RepositoryError
from codifica_guard.git import store as store_module
from codifica_guard.git.location import at
from codifica_guard.git.store import EMPTY_TREE, ObjectFormat, Store, open_store
from codifica_guard.model.ids import ObjectId
from tests.unit.git.plain import Plain


def everything(repo: Plain) -> dict[ObjectId, tuple[str, bytes]]:
    listed = repo.git("cat-file", "--batch-all-objects", "--batch-check=%(objectname) %(objecttype)").splitlines()
    found: dict[ObjectId, tuple[str, bytes]] = {}
    for line in listed:
        oid, kind = line.split()
        found[ObjectId(oid)] = (kind.decode(), repo.run("cat-file", kind.decode(), oid.decode()).stdout)
    return found


def grow(repo: Plain, commits: int = 4) -> None:
    words = [str(number) for number in random.Random(1).sample(range(10**6), 600)]  # noqa: S311 - seeded, to be the same every time
    for turn in range(commits):
        words[turn * 7] = f"changed {turn}"
        repo.file("big.txt", "\n".join(words))
        repo.file(f"d/{turn}", str(turn))
        repo.commit(f"commit {turn}")
    repo.git("tag", "-f", "-a", "-m", "t", "v1")


@pytest.mark.parametrize("ofs", ["true", "false"])
def test_every_object_is_read_as_git_reads_it_loose_and_packed(plain: Plain, ofs: str) -> None:
    grow(plain)
    expected = everything(plain)
    with plain.store() as store:
        assert {oid: store.raw(oid) for oid in expected} == expected
        assert all(store.has(oid) for oid in expected)
        plain.git("-c", f"repack.useDeltaBaseOffset={ofs}", "repack", "-adfq", "--window=50")
        plain.git("prune-packed")
        assert {oid: store.raw(oid) for oid in expected} == expected
        assert all(store.has(oid) for oid in expected)
    with plain.store() as store:
        assert {oid: store.raw(oid, len(data)) for oid, (_, data) in expected.items()} == expected
        assert [oid for oid, (_, data) in expected.items() if not _too_large(store, oid, len(data) - 1)] == []


def _too_large(store: Store, oid: ObjectId, limit: int) -> bool:
    try:
        store.raw(oid, limit)
    except LimitExceeded:
        return True
    return False


def test_deltas_whose_stream_begins_with_long_tables_are_read(sha1: Plain) -> None:
    def noise(seed: int, size: int) -> bytes:
        chance = random.Random(seed)  # noqa: S311 - bytes whose frequencies make the longest tables
        return bytes(min(255, int(chance.expovariate(1 / 40))) for _ in range(size))

    base = noise(0, 100_000)
    versions = [base + noise(turn, 3000) for turn in range(1, 6)]
    ids = [ObjectId(sha1.git("hash-object", "-w", "--stdin", stdin=data)) for data in versions]
    pack = os.fspath(sha1.path / ".git" / "objects" / "pack" / "pack")
    sha1.git("pack-objects", "--window=50", "--delta-base-offset", pack, stdin=b"\n".join(ids) + b"\n")
    sha1.git("prune-packed")
    with sha1.store() as store:
        assert [store.blob(oid, len(data)) for oid, data in zip(ids, versions, strict=True)] == versions
        for oid, data in zip(ids, versions, strict=True):
            with pytest.raises(LimitExceeded):
                store.blob(oid, len(data) - 1)


def test_a_repack_while_the_store_is_open_is_followed(sha1: Plain) -> None:
    grow(sha1)
    sha1.git("repack", "-adq")
    with sha1.store() as store:
        head = sha1.id("HEAD")
        store.raw(head)
        grow(sha1, 5)
        sha1.git("repack", "-adfq")
        sha1.git("prune-packed")
        assert store.raw(sha1.id("HEAD"))[0] == "commit"
        assert store.raw(sha1.id("HEAD:big.txt"))[0] == "blob"


def test_a_pack_that_went_away_unread_is_passed_over(sha1: Plain) -> None:
    grow(sha1)
    sha1.git("repack", "-adq")
    with sha1.store() as store:
        oid = sha1.id("HEAD")
        grow(sha1, 5)
        sha1.git("repack", "-adfq")
        assert store.has(oid)
    with sha1.store() as store:
        grow(sha1, 6)
        sha1.git("repack", "-adfq")
        assert store.raw(oid)[0] == "commit"


def test_the_objects_of_a_push_are_read_in_its_quarantine(tmp_path: Path, object_format: ObjectFormat) -> None:
    server = Plain(tmp_path / "server:a.git", object_format, bare=True)
    client = Plain(tmp_path / "client", object_format)
    old = client.commit("old")
    push = ["git", "push", "-q", str(server.path), "main"]
    subprocess.run(push, cwd=client.path, env=client.env, check=True)
    hook = server.path / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nenv > '{tmp_path}/env'\ncp -r \"$GIT_OBJECT_DIRECTORY\" '{tmp_path}/kept'\n")
    hook.chmod(0o755)
    new = client.commit("new")
    subprocess.run(push, cwd=client.path, env=client.env, check=True)
    seen = dict(line.split(b"=", 1) for line in (tmp_path / "env").read_bytes().splitlines() if b"=" in line)
    assert b"incoming" in seen[b"GIT_OBJECT_DIRECTORY"]
    environ = {
        b"GIT_OBJECT_DIRECTORY": os.fsencode(tmp_path / "kept"),
        b"GIT_ALTERNATE_OBJECT_DIRECTORIES": seen[b"GIT_ALTERNATE_OBJECT_DIRECTORIES"],
    }
    with open_store(at(os.fsencode(server.path), environ), object_format) as store:
        assert store.commit(new).parents == (old,)
        assert store.commit(old).parents == ()


def test_a_thin_pack_kept_whole_is_read(tmp_path: Path, object_format: ObjectFormat) -> None:
    server = Plain(tmp_path / "server.git", object_format, bare=True)
    server.git("config", "receive.unpackLimit", "1")
    client = Plain(tmp_path / "client", object_format)
    grow(client, 2)
    push = ["git", "push", "-q", str(server.path), "main"]
    subprocess.run(push, cwd=client.path, env=client.env, check=True)
    grow(client, 5)
    subprocess.run(push, cwd=client.path, env=client.env, check=True)
    expected = everything(client)
    with server.store() as store:
        assert {oid: store.raw(oid) for oid in expected if store.has(oid)}.keys() >= {client.id("HEAD")}
        assert store.raw(client.id("HEAD:big.txt")) == expected[client.id("HEAD:big.txt")]


@pytest.mark.parametrize("oid", [b"", b"abc", b"../../../../etc/passwd", b"A" * 40, b"A" * 64, b"0" * 52])
def test_what_has_not_the_form_of_an_id_is_not_there(plain: Plain, oid: bytes) -> None:
    with plain.store() as store:
        assert not store.has(ObjectId(oid))
        with pytest.raises(MissingObject, match="no object id"):
            store.raw(ObjectId(oid))


def test_an_object_that_is_not_there_is_missing(plain: Plain) -> None:
    with plain.store() as store:
        nothing = ObjectId(b"1" * store.id_length)
        assert not store.has(nothing)
        for ask in (store.raw, store.commit, store.tree, store.peel):
            with pytest.raises(MissingObject, match="1111111 is not there"):
                ask(nothing)


def test_the_empty_tree_is_known_without_being_stored(plain: Plain) -> None:
    with plain.store() as store:
        empty = EMPTY_TREE[store.id_length]
        assert plain.git("hash-object", "-t", "tree", "--stdin") == empty
        assert store.has(empty)
        assert store.tree(empty) == b""


def test_each_kind_is_asked_for_by_its_name(plain: Plain) -> None:
    plain.file("f", "text")
    commit = plain.commit()
    blob, tree = plain.id("HEAD:f"), plain.id("HEAD^{tree}")
    with plain.store() as store:
        assert store.blob(blob, 4) == b"text"
        assert store.commit(commit) is store.commit(commit)
        assert store.tree(tree) is store.tree(tree)
        with pytest.raises(LimitExceeded, match="4 bytes, more than 3"):
            store.blob(blob, 3)
        with pytest.raises(MalformedObject, match="is a tree, not a blob"):
            store.blob(tree, 1000)
        with pytest.raises(MalformedObject, match="is a blob, not a commit"):
            store.commit(blob)
        with pytest.raises(MalformedObject, match="is a commit, not a tree"):
            store.tree(commit)


def test_tags_are_taken_off(plain: Plain) -> None:
    commit = plain.commit()
    plain.git("tag", "-a", "-m", "one", "t0")
    for number in range(16):
        plain.git("tag", "-a", "-m", "more", f"t{number + 1}", f"t{number}")
    with plain.store() as store:
        assert store.peel(commit) == ("commit", commit)
        assert store.peel(plain.id("t0")) == ("commit", commit)
        assert store.peel(plain.id("t15")) == ("commit", commit)
        assert store.peel(plain.id("HEAD^{tree}"))[0] == "tree"
        with pytest.raises(LimitExceeded, match="tags of tags"):
            store.peel(plain.id("t16"))
        with pytest.raises(MalformedObject, match="names no object"):
            store.peel(plain.put("tag", b"nonsense"))


@pytest.mark.parametrize(
    "damage",
    [b"", b"nonsense", zlib.compress(b"blob 4\0tex"), zlib.compress(b"blob 4\0texts"), zlib.compress(b"blob x\0text"),
     zlib.compress(b"blub 4\0text"), zlib.compress(b"blob 4"), zlib.compress(b"blob\0text"),
     zlib.compress(b"blob 4\0text")[:-6]],
)  # fmt: skip
def test_a_damaged_loose_object_is_malformed(plain: Plain, damage: bytes) -> None:
    oid = plain.put("blob", b"text")
    (plain.git_dir / "objects" / oid[:2].decode() / oid[2:].decode()).write_bytes(damage)
    with plain.store() as store, pytest.raises(MalformedObject):
        store.raw(oid)


def test_a_damaged_pack_gives_our_errors_only(sha1: Plain) -> None:
    grow(sha1)
    expected = everything(sha1)
    sha1.git("repack", "-adfq")
    sha1.git("prune-packed")
    pack = next((sha1.git_dir / "objects/pack").glob("*.pack"))
    whole = pack.read_bytes()
    pack.chmod(0o644)
    chance = random.Random(7)  # noqa: S311 - seeded, to be the same every time
    refused = 0
    for _ in range(15):
        data = bytearray(whole)
        for _ in range(40):
            data[chance.randrange(12, len(data))] ^= 1 << chance.randrange(8)
        pack.write_bytes(data)
        with sha1.store() as store:
            for oid in expected:
                try:
                    store.raw(oid)
                except (RepositoryError, LimitExceeded):
                    refused += 1
    assert refused


def test_a_bomb_is_not_unpacked(sha1: Plain) -> None:
    oid = sha1.put("blob", bytes(40_000_000))
    sha1.git("update-ref", "refs/tags/bomb", oid.decode())
    with sha1.store() as store, pytest.raises(LimitExceeded):
        store.blob(oid, 1000)
    sha1.git("repack", "-adq")
    sha1.git("prune-packed")
    with sha1.store() as store, pytest.raises(LimitExceeded):
        store.blob(oid, 1000)


def test_what_is_remembered_has_bounds(sha1: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_COMMITS_KEPT", 2)
    monkeypatch.setattr(store_module, "_TREE_BYTES_KEPT", 40)
    monkeypatch.setattr(store_module, "_SOUND_KEPT", 2)
    commits = []
    for turn in range(4):
        sha1.file("f", str(turn))
        commits.append(sha1.commit())
    with sha1.store() as store:
        for oid in commits:
            tree = store.commit(oid).tree
            assert store.tree(tree)
            store.mark_sound(tree)
        assert len(store._commits) <= 2
        assert len(store._trees) == 1
        assert len(store.sound) <= 2


def test_the_search_for_packs_that_come_and_go_ends(sha1: Plain, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store_module, "_RESCANS", 1)
    with sha1.store() as store:
        grow(sha1)
        sha1.git("repack", "-adq")
        sha1.git("prune-packed")
        with pytest.raises(MissingObject):
            store.raw(sha1.id("HEAD"))
        assert store.has(sha1.id("HEAD"))


def test_replace_refs_and_grafts_play_no_part(sha1: Plain) -> None:
    first, second = sha1.commit("one"), sha1.commit("two")
    sha1.git("replace", second.decode(), first.decode())
    (sha1.git_dir / "info").mkdir(exist_ok=True)
    (sha1.git_dir / "info/grafts").write_text(f"{second.decode()}\n")
    (sha1.git_dir / "shallow").write_text(f"{second.decode()}\n")
    with sha1.store() as store:
        assert store.commit(second).message == b"two\n"
        assert store.commit(second).parents == (first,)


@pytest.mark.parametrize("size", [10, 3 * 1024 * 1024])
def test_a_file_that_is_read_again_is_the_same_and_its_limit_still_counts(tmp_path: Path, size: int) -> None:
    plain = Plain(tmp_path / "r")
    files = [plain.put("blob", bytes([number]) * size) for number in range(6)]
    with plain.store() as store:
        for _ in range(2):
            assert [store.blob(oid, size)[:1] for oid in files] == [bytes([number]) for number in range(6)]
        for oid in files:
            with pytest.raises(LimitExceeded):
                store.blob(oid, size - 1)


def test_a_commit_that_was_read_is_there_and_is_its_own_peel(tmp_path: Path) -> None:
    plain = Plain(tmp_path / "r")
    oid = plain.put_commit()
    with plain.store() as store:
        assert (store.has(oid), store.peel(oid)) == (True, ("commit", oid))
        store.commit(oid)
        assert (store.has(oid), store.peel(oid)) == (True, ("commit", oid))


def test_an_object_whose_file_was_changed_is_told_where_bytes_are_held_against_ids(tmp_path: Path) -> None:
    plain = Plain(tmp_path / "r")
    oid, other = plain.put("blob", b"what was pushed\n"), plain.put("blob", b"something else\n")
    folder = plain.git_dir / "objects"
    path = folder / oid[:2].decode() / oid[2:].decode()
    path.chmod(0o644)
    path.write_bytes((folder / other[:2].decode() / other[2:].decode()).read_bytes())
    with plain.store() as store:
        assert store.blob(oid, 100) == b"something else\n"  # as Git reads it
    with open_store(plain.location, "sha1", hashed=True) as store:
        assert store.blob(other, 100) == b"something else\n"
        with pytest.raises(MalformedObject, match="is not what its id says"):
            store.blob(oid, 100)
