import hashlib
import json
import os
import stat
import subprocess
import sys
from pathlib import Path

import pytest

from codifica_guard.model.policy import Policy
from codifica_guard.policy import cache as cache_module
from codifica_guard.policy.cache import PolicyCache
from codifica_guard.policy.load import PolicyFiles, load_policy

from .test_policy_load import CODIFICA, GUARD, SIGNERS, files, key


def rich() -> PolicyFiles:
    """Files that fill every field of a policy."""
    rules = {
        "file_scope": {"include": ["src/{a,b}/**"], "exclude": ["*.key"]},
        "allowed_agents": ["builder"],
        "custom_types": ["deploy"],
    }
    guard = GUARD | {
        "coordination_branch": "main",
        "forge_accounts": {"al": "human:alice"},
        "maintainers": ["human:alice", "human:bob"],
        "x": 1,
    }
    signers = (
        SIGNERS
        + f'human:*,!human:eve namespaces="git,x",valid-after="20260101",valid-before="20270101Z" {key(5)}\n'.encode()
    )
    return files(guard, CODIFICA | {"rules": rules}, signers + b"nonsense\n", key(6).encode())


def stored(folder: Path) -> list[Path]:
    """The files in a cache's folder."""
    return sorted(folder.iterdir())


@pytest.mark.parametrize("made", [rich(), files(), files(codifica=None, signers=None, revoked=None), files(b"{", b"[")])
def test_what_is_kept_equals_what_was_checked(tmp_path: Path, made: PolicyFiles) -> None:
    folder = tmp_path / "a" / "policies"
    cache = PolicyCache(os.fsencode(folder))
    fresh = load_policy(made, cache)
    assert fresh is not None
    assert len(stored(folder)) == 1
    kept = cache.get(made.ids)
    assert kept == fresh == load_policy(made)
    assert load_policy(made, cache) == fresh
    assert type(kept.guard.maintainers) is tuple
    assert hash(kept.key) == hash(fresh.key)


def test_a_kept_policy_is_used_without_reading_the_files(tmp_path: Path) -> None:
    cache = PolicyCache(os.fsencode(tmp_path))
    made = files()
    load_policy(made, cache)
    other = PolicyFiles(guard=b"{", codifica=b"", signers=b"", revoked=b"", ids=made.ids)
    kept = load_policy(other, cache)
    assert kept is not None
    assert kept.faults == ()


def test_other_files_have_another_policy(tmp_path: Path) -> None:
    cache = PolicyCache(os.fsencode(tmp_path))
    load_policy(files(), cache)
    assert cache.get((b"1" * 40, None, None, None)) is None
    assert load_policy(files(codifica=None), cache) == load_policy(files(codifica=None))
    assert len(stored(tmp_path)) == 2


@pytest.mark.parametrize(
    "ids", [(), (None, None, None, None), (b"1", b"2", b"3", None), (b"1", b"2", b"3", b"4", b"5")]
)
def test_files_that_the_ids_do_not_name_are_not_kept(tmp_path: Path, ids: tuple[bytes | None, ...]) -> None:
    made = files()
    nameless = PolicyFiles(
        guard=made.guard, codifica=made.codifica, signers=made.signers, revoked=made.revoked, ids=ids
    )
    assert load_policy(nameless, PolicyCache(os.fsencode(tmp_path))) is not None
    assert stored(tmp_path) == []


def test_a_kept_policy_is_for_its_owner_alone(tmp_path: Path) -> None:
    load_policy(files(), PolicyCache(os.fsencode(tmp_path)))
    assert stat.S_IMODE(stored(tmp_path)[0].stat().st_mode) & 0o177 == 0


def sealed(body: bytes) -> bytes:
    """A body with the digest that says it is whole."""
    return hashlib.sha256(body).hexdigest().encode() + b"\n" + body


@pytest.mark.parametrize(
    "damaged",
    [
        b"",
        b"\n",
        b"garbage",
        sealed(b"{"),
        sealed(b"[]"),
        sealed(b"{}"),
        sealed(b'{"guard": 1, "codifica": null}'),
        sealed(b'{"guard": {"x": 1}, "codifica": null}'),
    ],
)
def test_a_damaged_policy_is_rebuilt(tmp_path: Path, damaged: bytes) -> None:
    cache = PolicyCache(os.fsencode(tmp_path))
    made = files()
    fresh = load_policy(made, cache)
    (path,) = stored(tmp_path)
    path.write_bytes(damaged)
    assert cache.get(made.ids) is None
    assert load_policy(made, cache) == fresh
    assert cache.get(made.ids) == fresh


@pytest.mark.parametrize("at", [0, 30, 65, 200, -1])
def test_a_flipped_bit_is_noticed(tmp_path: Path, at: int) -> None:
    cache = PolicyCache(os.fsencode(tmp_path))
    made = files()
    load_policy(made, cache)
    (path,) = stored(tmp_path)
    data = bytearray(path.read_bytes())
    data[at] ^= 4
    path.write_bytes(data)
    assert cache.get(made.ids) is None


def test_a_policy_of_another_version_is_not_taken(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    cache = PolicyCache(os.fsencode(tmp_path))
    made = files()
    load_policy(made, cache)
    monkeypatch.setattr(cache_module, "__version__", "99.0")
    assert cache.get(made.ids) is None
    load_policy(made, cache)
    assert len(stored(tmp_path)) == 2


def test_a_folder_that_cannot_be_made_keeps_nothing(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"")
    cache = PolicyCache(os.fsencode(tmp_path / "file" / "folder"))
    assert load_policy(files(), cache) == load_policy(files())
    assert cache.get(files().ids) is None


def test_a_place_that_is_taken_is_left_as_it_is(tmp_path: Path) -> None:
    cache = PolicyCache(os.fsencode(tmp_path))
    made = files()
    load_policy(made, cache)
    (path,) = stored(tmp_path)
    path.unlink()
    path.mkdir()
    assert load_policy(made, cache) == load_policy(made)
    assert stored(tmp_path) == [path]


def test_a_folder_of_another_shape_never_breaks_a_push(tmp_path: Path) -> None:
    for name in (b"\0", b"x" * 5000):
        cache = PolicyCache(os.fsencode(tmp_path) + b"/" + name)
        assert load_policy(files(), cache) == load_policy(files())


def test_the_oldest_go_when_there_are_too_many(tmp_path: Path) -> None:
    (tmp_path / "notes").write_bytes(b"")
    for number in range(70):
        path = tmp_path / f"policy-{number:02}"
        path.write_bytes(b"")
        os.utime(path, (number, number))
    cache = PolicyCache(os.fsencode(tmp_path))
    load_policy(files(), cache)
    names = [p.name for p in stored(tmp_path)]
    assert len(names) == 65
    assert "notes" in names
    assert "policy-06" not in names
    assert "policy-07" in names
    assert cache.get(files().ids) is not None


def test_what_is_kept_is_plain_json(tmp_path: Path) -> None:
    load_policy(rich(), PolicyCache(os.fsencode(tmp_path)))
    (path,) = stored(tmp_path)
    digest, body = path.read_bytes().split(b"\n", 1)
    assert hashlib.sha256(body).hexdigest().encode() == digest
    assert set(json.loads(body)) == {"guard", "codifica", "signers", "revoked", "faults"}


def test_a_kept_policy_needs_none_of_the_libraries(tmp_path: Path) -> None:
    made = rich()
    fresh = load_policy(made, PolicyCache(os.fsencode(tmp_path)))
    assert isinstance(fresh, Policy)
    assert fresh.codifica is not None
    code = (
        "import sys\n"
        "from codifica_guard.policy.cache import PolicyCache\n"
        "from codifica_guard.policy.load import PolicyFiles, load_policy\n"
        f"files = PolicyFiles(guard=b'x', codifica=b'x', signers=b'x', revoked=b'x', ids={made.ids!r})\n"
        f"policy = load_policy(files, PolicyCache({os.fsencode(tmp_path)!r}))\n"
        "print(policy.codifica.scope.match(b'src/a/x'), policy.codifica.scope.match(b'src/c/x'))\n"
        "print(sorted({m.split('.')[0] for m in sys.modules} & {'pydantic', 'pydantic_core', 'wcmatch', 'bracex', 'cryptography', 'ruamel', 'dulwich'}))\n"
    )
    out = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True, text=True).stdout
    assert out == "True False\n[]\n"
