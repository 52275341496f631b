"""The files between the two hooks: whole or not there, whoever else makes, takes away, or damages what lies beside them."""

import hashlib
import os
import stat
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.audit import pending
from codifica_guard.errors import LimitExceeded, RepositoryError
from codifica_guard.git.location import Location
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import PUSH, Line, Receipt
from tests.unit.git.plain import Plain

MAIN = RefName(b"refs/heads/main")
A, B = ObjectId(b"a" * 40), ObjectId(b"b" * 40)


def draft(ref: RefName = MAIN, old: ObjectId | None = A, new: ObjectId | None = B, **more: Any) -> Receipt:
    return Receipt(
        number=0, kind=PUSH, repository="r", server="", guard="1", ruleset=1, time=1_796_000_000, push="5" * 16, ref=ref, old=old, new=new, **more
    )  # fmt: skip


@pytest.fixture
def location(tmp_path: Path) -> Location:
    return Plain(tmp_path / "r.git", bare=True).location


def place(location: Location) -> Path:
    return Path(os.fsdecode(pending.folder(location)))


@pytest.mark.parametrize("old", [A, None])
@pytest.mark.parametrize("new", [B, None])
@pytest.mark.parametrize("ref", [MAIN, RefName(b"refs/heads/\xff\xfe")])
def test_what_is_written_is_read_and_goes_with_its_folder(
    location: Location, old: ObjectId | None, new: ObjectId | None, ref: RefName
) -> None:
    kept = draft(ref, old, new)
    pending.write(location, [kept])
    [name] = pending.names(location)
    assert name == pending.name_of(ref, old, new)
    [held] = pending.read(location, [name])
    assert (held.name, held.draft) == (name, kept)
    pending.drop(location, [name, b"not there"])
    assert not place(location).exists()
    assert pending.names(location) == frozenset()
    assert pending.read(location, [name]) == ()


def test_an_update_that_is_judged_again_has_one_file_the_newest(location: Location) -> None:
    pending.write(location, [draft(reason="1")])
    pending.write(location, [draft(reason="2")])
    [held] = pending.read(location, pending.names(location))
    assert held.draft is not None
    assert held.draft.reason == "2"


@pytest.mark.parametrize("mode", [0o755, 0o2775, 0o700])
def test_folder_and_file_have_the_rights_of_the_repository(location: Location, mode: int) -> None:
    Path(os.fsdecode(location.common_dir)).chmod(mode)
    pending.write(location, [draft()])
    [name] = pending.names(location)
    assert stat.S_IMODE(place(location).stat().st_mode) == mode
    assert stat.S_IMODE((place(location) / os.fsdecode(name)).stat().st_mode) == mode & 0o666


def test_folders_that_come_and_go_all_the_time_lose_nothing(location: Location) -> None:
    done = threading.Event()

    def tidy() -> None:
        while not done.is_set():
            pending.drop(location, [])

    def write(number: int) -> int:
        for n in range(40):
            kept = draft(RefName(b"refs/heads/%d-%d" % (number, n)))
            pending.write(location, [kept])
            name = pending.name_of(kept.ref or MAIN, kept.old, kept.new)
            assert [h.draft for h in pending.read(location, [name])] == [kept]
            pending.drop(location, [name])
        return number

    with ThreadPoolExecutor(4) as pool:
        tidying = pool.submit(tidy)
        try:
            assert list(pool.map(write, range(3))) == [0, 1, 2]
        finally:
            done.set()
        tidying.result()
    assert not place(location).exists()


def test_a_folder_that_is_never_there_when_it_is_needed_is_an_error(
    location: Location, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pending, "_make", lambda _: 0o755)
    with pytest.raises(RepositoryError, match="cannot keep what the receipt of the push will say"):
        pending.write(location, [draft()])


@pytest.mark.parametrize("where", ["folder", "above"])
def test_a_file_in_the_way_is_an_error_and_no_pending_push(location: Location, where: str) -> None:
    path = place(location) if where == "folder" else place(location).parent
    path.parent.mkdir(exist_ok=True)
    path.write_text("x")
    with pytest.raises(RepositoryError):
        pending.write(location, [draft()])
    assert pending.names(location) == frozenset()
    pending.drop(location, [b"x"])
    assert path.read_text() == "x"


def test_a_full_disk_leaves_nothing(location: Location) -> None:
    program = (
        "import os, resource, signal, sys\n"
        "from codifica_guard.audit import pending\n"
        "from codifica_guard.errors import RepositoryError\n"
        "from codifica_guard.git.location import at\n"
        "from tests.unit.audit.test_pending import draft\n"
        "signal.signal(signal.SIGXFSZ, signal.SIG_IGN)\n"
        "resource.setrlimit(resource.RLIMIT_FSIZE, (100, 100))\n"
        "try:\n    pending.write(at(os.fsencode(sys.argv[1]), {}), [draft()])\n"
        "except RepositoryError as error:\n    print(error)\n"
    )
    root = Path(__file__).parents[3]
    done = subprocess.run(
        [sys.executable, "-c", program, os.fsdecode(location.git_dir)], cwd=root, capture_output=True, check=True
    )
    assert b"cannot keep what the receipt of the push will say: File too large" in done.stdout
    assert not list(place(location).iterdir()) if place(location).exists() else True
    assert pending.names(location) == frozenset()


def test_of_several_none_is_kept_if_one_does_not_fit(location: Location, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(pending, "RECEIPT_BYTES", 4000)
    line = Line(record="codifica/A", source="todo", target="done", actor=None, key=None, proof="U", commit=A)
    with pytest.raises(LimitExceeded, match="more transitions and warnings than fit"):
        pending.write(location, [draft(), draft(RefName(b"refs/heads/x"), lines=(line,) * 50)])
    assert not place(location).exists()


def test_an_interruption_takes_back_what_was_written(location: Location, monkeypatch: pytest.MonkeyPatch) -> None:
    real, calls = os.replace, 0

    def interrupted(*paths: Any) -> None:
        nonlocal calls
        calls += 1
        if calls == 2:
            raise KeyboardInterrupt
        real(*paths)

    monkeypatch.setattr(os, "replace", interrupted)
    with pytest.raises(KeyboardInterrupt):
        pending.write(location, [draft(), draft(RefName(b"refs/heads/x"))])
    assert not place(location).exists()


@pytest.mark.parametrize("cut", [0, 1, 64, 65, 66, 200, -1])
def test_a_torn_file_is_no_draft(location: Location, cut: int) -> None:
    pending.write(location, [draft()])
    [name] = pending.names(location)
    path = place(location) / os.fsdecode(name)
    path.write_bytes(path.read_bytes()[:cut])
    [held] = pending.read(location, [name])
    assert (held.name, held.draft) == (name, None)


def test_whatever_one_byte_becomes_the_file_is_no_draft_or_the_same(location: Location) -> None:
    pending.write(location, [draft()])
    [name] = pending.names(location)
    path = place(location) / os.fsdecode(name)
    whole = path.read_bytes()
    for at in range(0, len(whole), 7):
        path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
        assert [h.draft for h in pending.read(location, [name])] == [None]


def test_a_whole_file_that_is_no_receipt_is_no_draft(location: Location) -> None:
    pending.write(location, [draft()])
    [name] = pending.names(location)
    body = b'{"schema": 7}\n'
    digest = hashlib.sha256(body).hexdigest().encode()
    (place(location) / os.fsdecode(name)).write_bytes(digest + b"\n" + body)
    assert [h.draft for h in pending.read(location, [name])] == [None]


def test_what_is_no_file_of_ours_is_not_looked_at(location: Location, monkeypatch: pytest.MonkeyPatch) -> None:
    pending.write(location, [draft()])
    folder = place(location)
    [good] = pending.names(location)
    os.mkfifo(folder / ("1" * 64))
    (folder / ("2" * 64)).mkdir()
    (folder / ("3" * 64)).symlink_to(folder / os.fsdecode(good))
    (folder / "x.swp").write_text("x")
    assert [h.name for h in pending.read(location, sorted(pending.names(location)))] == [good]
    pending.write(location, [draft(RefName(b"refs/heads/x"))])
    monkeypatch.setattr(pending, "PENDING_FILES", 1)
    assert len(pending.read(location, pending.names(location))) == 1


def test_a_folder_that_cannot_be_read_is_told(location: Location, monkeypatch: pytest.MonkeyPatch) -> None:
    def denied(_: object) -> None:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(os, "listdir", denied)
    with pytest.raises(RepositoryError, match="Permission denied"):
        pending.names(location)


def test_a_link_in_the_place_of_a_draft_is_not_followed(location: Location, tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("x")
    folder = place(location)
    folder.mkdir(parents=True)
    name = os.fsdecode(pending.name_of(MAIN, A, B))
    (folder / f"draft-{os.getpid()}-{name}").symlink_to(victim)
    with pytest.raises(RepositoryError):
        pending.write(location, [draft()])
    assert victim.read_text() == "x"


def test_only_updates_of_branches_are_handed_over(location: Location) -> None:
    with pytest.raises(AssertionError):
        pending.write(location, [Receipt(number=0, kind=PUSH, repository="", server="", guard="", ruleset=0, time=0)])
