"""What audits keep: readable by who wrote it, and by nobody whom somebody else's bytes could deceive."""

import json
import os
import stat
from collections.abc import Callable
from pathlib import Path

import pytest

from codifica_guard.audit.belief import End
from codifica_guard.audit.kept import kept
from codifica_guard.audit.remembered import SEEN, recall, remember
from codifica_guard.audit.vault import Vault, state_home
from codifica_guard.model.ids import ObjectId, RefName
from tests.unit.git.plain import Plain


@pytest.fixture
def plain(tmp_path: Path) -> Plain:
    return Plain(tmp_path / "r")


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return tmp_path / "state"


def vault(plain: Plain, home: Path | None) -> Vault:
    return Vault(plain.location, None if home is None else os.fsencode(home))


def folder(plain: Plain) -> Path:
    return plain.git_dir / "codifica-guard" / "audit"


def test_what_was_kept_is_there_for_the_next_audit(plain: Plain, home: Path) -> None:
    vault(plain, home).put(b"a", b"body\n\0\xff")
    assert vault(plain, home).get(b"a") == b"body\n\0\xff"
    assert vault(plain, home).get(b"b") is None
    assert vault(plain, home).path(b"a") == str(folder(plain) / "a")


def test_files_and_key_are_the_owners_alone(plain: Plain, home: Path) -> None:
    vault(plain, home).put(b"a", b"body")
    key = home / "codifica-guard" / "audit.key"
    for path in (key, folder(plain) / "a"):
        assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert stat.S_IMODE(key.parent.stat().st_mode) == 0o700
    assert len(key.read_bytes()) == 32
    assert [path.name for path in key.parent.iterdir()] == ["audit.key"]


@pytest.mark.parametrize(
    "change",
    [
        lambda data: data[:-1],
        lambda data: data + b"x",
        lambda data: b"0" * 64 + data[64:],
        lambda data: data[:70] + bytes([data[70] ^ 1]) + data[71:],
        lambda _: b"",
    ],
)
def test_what_is_damaged_counts_as_absent(plain: Plain, home: Path, change: Callable[[bytes], bytes]) -> None:
    vault(plain, home).put(b"a", b"a body of some length")
    path = folder(plain) / "a"
    path.write_bytes(change(path.read_bytes()))
    assert vault(plain, home).get(b"a") is None


def test_what_was_kept_under_another_name_or_by_another_key_counts_as_absent(
    plain: Plain, home: Path, tmp_path: Path
) -> None:
    vault(plain, home).put(b"a", b"body")
    (folder(plain) / "b").write_bytes((folder(plain) / "a").read_bytes())
    assert vault(plain, home).get(b"b") is None
    other = vault(plain, tmp_path / "other")
    other.put(b"c", b"body")
    assert other.get(b"a") is None
    assert vault(plain, home).get(b"c") is None


def test_without_a_key_nothing_is_read_and_none_is_made_for_reading(plain: Plain, home: Path) -> None:
    assert vault(plain, home).get(b"a") is None
    assert not home.exists()


def test_who_has_no_folder_of_his_own_keeps_nothing(plain: Plain) -> None:
    vault(plain, None).put(b"a", b"body")
    assert not folder(plain).exists()
    assert vault(plain, None).get(b"a") is None


@pytest.mark.parametrize("body", [b"short", b"x" * 33, b""])
def test_a_key_that_is_none_is_not_used_and_not_replaced(plain: Plain, home: Path, body: bytes) -> None:
    path = home / "codifica-guard" / "audit.key"
    path.parent.mkdir(parents=True)
    path.write_bytes(body)
    path.chmod(0o600)
    vault(plain, home).put(b"a", b"body")
    assert path.read_bytes() == body
    assert not (folder(plain) / "a").exists()


def test_a_key_that_others_can_read_is_not_used(plain: Plain, home: Path) -> None:
    vault(plain, home).put(b"a", b"body")
    (home / "codifica-guard" / "audit.key").chmod(0o644)
    assert vault(plain, home).get(b"a") is None


def test_a_folder_that_is_a_link_is_neither_read_nor_written(plain: Plain, home: Path, tmp_path: Path) -> None:
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    for place in (folder(plain), folder(plain).parent):
        place.parent.mkdir(parents=True, exist_ok=True)
        if place.is_dir():
            place.rmdir()
        place.symlink_to(elsewhere)
        vault(plain, home).put(b"a", b"body")
        assert list(elsewhere.iterdir()) == []
        assert vault(plain, home).get(b"a") is None
        place.unlink()


def test_a_file_that_is_a_link_a_pipe_or_a_folder_is_not_read(plain: Plain, home: Path) -> None:
    vault(plain, home).put(b"a", b"body")
    (folder(plain) / "link").symlink_to(folder(plain) / "a")
    os.mkfifo(folder(plain) / "pipe")
    (folder(plain) / "dir").mkdir()
    assert [vault(plain, home).get(name) for name in (b"link", b"pipe", b"dir")] == [None] * 3


def test_what_cannot_be_written_is_not_kept_and_nothing_half_is_left(
    plain: Plain, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder(plain).parent.mkdir()
    folder(plain).write_text("a file where the folder would be")
    vault(plain, home).put(b"a", b"body")
    folder(plain).unlink()

    def fails(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "replace", fails)
    vault(plain, home).put(b"a", b"body")
    assert list(folder(plain).iterdir()) == []
    home.joinpath("codifica-guard", "audit.key").unlink()
    monkeypatch.setattr(os, "link", fails)
    vault(plain, home).put(b"a", b"body")
    assert list(home.joinpath("codifica-guard").iterdir()) == []


def test_leftovers_of_a_program_that_was_killed_do_not_stand_in_the_way(plain: Plain, home: Path) -> None:
    folder(plain).mkdir(parents=True)
    (folder(plain) / f"a.{os.getpid()}").write_text("half")
    home.joinpath("codifica-guard").mkdir(parents=True)
    home.joinpath("codifica-guard", f"audit.key.{os.getpid()}").write_text("half")
    vault(plain, home).put(b"a", b"body")
    assert vault(plain, home).get(b"a") == b"body"


def test_the_oldest_of_too_many_go_and_what_is_remembered_stays(plain: Plain, home: Path) -> None:
    remember(vault(plain, home), End(number=1))
    for number in range(12):
        vault(plain, home).put(f"replay-{number:02}".encode(), b"body")
        os.utime(folder(plain) / f"replay-{number:02}", (number, number))
    assert sorted(path.name for path in folder(plain).iterdir()) == [
        "receipts-seen",
        *(f"replay-{number:02}" for number in range(4, 12)),
    ]


def test_two_that_make_a_key_at_once_have_the_same(plain: Plain, home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    link = os.link

    def late(source: bytes, target: bytes) -> None:
        Path(os.fsdecode(target)).write_bytes(b"k" * 32)
        Path(os.fsdecode(target)).chmod(0o600)
        link(source, target)

    monkeypatch.setattr(os, "link", late)
    vault(plain, home).put(b"a", b"body")
    assert home.joinpath("codifica-guard", "audit.key").read_bytes() == b"k" * 32
    assert vault(plain, home).get(b"a") == b"body"


@pytest.mark.parametrize(
    ("environ", "found"),
    [
        ({b"XDG_STATE_HOME": b"/x", b"HOME": b"/h"}, b"/x"),
        ({b"XDG_STATE_HOME": b"x", b"HOME": b"/h"}, b"/h/.local/state"),
        ({b"HOME": b"/h"}, b"/h/.local/state"),
        ({b"HOME": b"h"}, None),
        ({}, None),
    ],
)
def test_the_folder_is_the_users_own(environ: dict[bytes, bytes], found: bytes | None) -> None:
    assert state_home(environ) == found


def test_what_was_seen_is_remembered_whatever_its_branches_are_called(plain: Plain, home: Path) -> None:
    end = End(commit=ObjectId(b"a" * 40), number=3, tips={RefName(b"refs/heads/\xff"): ObjectId(b"b" * 40)}, time=5)
    assert recall(vault(plain, home)) is None
    remember(vault(plain, home), end)
    assert recall(vault(plain, home)) == end


@pytest.mark.parametrize(
    "body", [b"", b"[]", b"{}", b'{"format": 0}', b'{"format": 1}', b'{"format": 1, "end": []}', b"{"]
)
def test_what_is_of_another_shape_is_not_used(plain: Plain, home: Path, body: bytes) -> None:
    """Sealed by this user, by code of another time."""
    vault(plain, home).put(SEEN, body)
    assert recall(vault(plain, home)) is None
    vault(plain, home).put(b"replay-x", body)
    assert kept(vault(plain, home), b"replay-x") is None


def test_a_shape_that_lacks_one_thing_is_not_used(plain: Plain, home: Path) -> None:
    vault(plain, home).put(b"replay-x", json.dumps({"counts": [0, 0, 0], "made": [["a"]]}).encode())
    assert kept(vault(plain, home), b"replay-x") is None
