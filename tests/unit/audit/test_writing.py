"""The chain as it is written: signed as Git signs, by compare-and-swap, once each."""

import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.audit import writing
from codifica_guard.audit.ledger import receipt_at
from codifica_guard.audit.writing import append, append_chosen, push_id
from codifica_guard.errors import KeyUnavailable, LimitExceeded, MalformedReceipt, RepositoryError
from codifica_guard.git.config import Config, read_config
from codifica_guard.git.history import first_parents
from codifica_guard.git.moving import move_ref
from codifica_guard.git.refs import resolve
from codifica_guard.git.store import ObjectFormat, Store
from codifica_guard.identity.keys import public_line
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import INTRODUCTION, PAUSE, PUSH, RECEIPTS, Receipt
from codifica_guard.model.value import replace
from tests.unit.audit.keys import SERVER_KEY, SERVER_SIGNER
from tests.unit.git.plain import Plain
from tests.unit.identity.sshkit import text_of

NOW = 1_796_000_000
MAIN, OTHER = RefName(b"refs/heads/main"), RefName(b"refs/heads/release/\xff")


def draft(push: str, ref: RefName | None = MAIN, kind: str = PUSH, time: int = NOW, **more: Any) -> Receipt:
    given: dict[str, Any] = {
        "number": 0, "kind": kind, "repository": "5a", "server": "", "guard": "1", "ruleset": 1, "time": time, "push": push, "ref": ref,
    }  # fmt: skip
    return Receipt(**{**given, **more})


def ident(letter: str, length: int = 40) -> ObjectId:
    return ObjectId(letter.encode() * length)


class Site:
    """A repository with a server's key."""

    def __init__(self, path: Path, object_format: ObjectFormat = "sha1") -> None:
        self.plain = Plain(path, object_format, bare=True)
        self.key = path / "codifica-guard" / "receipt_ed25519"
        self.key.parent.mkdir()
        self.key.write_text(text_of(SERVER_KEY))
        self.plain.git("config", "codifica.server", "server:git.example.org")

    @property
    def config(self) -> Config:
        return read_config(self.plain.location)

    def append(self, *drafts: Receipt, now: int = NOW) -> tuple[Receipt, ...]:
        return append(self.plain.location, self.config, drafts, now)

    def chain(self) -> list[Receipt]:
        tip = resolve(self.plain.location, RECEIPTS)[1]
        with self.plain.store() as store:
            return [receipt_at(store, oid) for oid in first_parents(store, tip)][::-1] if tip else []


@pytest.fixture
def site(tmp_path: Path) -> Site:
    return Site(tmp_path / "r.git")


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_receipts_are_commits_that_git_itself_verifies(tmp_path: Path, object_format: ObjectFormat) -> None:
    site = Site(tmp_path / "r.git", object_format)
    length = 40 if object_format == "sha1" else 64
    site.append(
        draft("1" * 16, old=ident("a", length), new=ident("b", length)), draft("1" * 16, OTHER, new=ident("c", length))
    )
    site.append(draft("2" * 16, None, PAUSE, paused=True, until=NOW + 5))
    site.append(draft("3" * 16, None, INTRODUCTION, introduction=ident("d", length)))
    signers = tmp_path / "signers"
    signers.write_text(f'server:git.example.org namespaces="git" {public_line(SERVER_SIGNER.key)}\n')
    for back in range(4):
        done = site.plain.run(
            "-c", f"gpg.ssh.allowedSignersFile={signers}", "verify-commit", "--raw", f"refs/codifica/receipts~{back}"
        )
        assert done.returncode == 0, done.stderr
        assert b'Good "git" signature for server:git.example.org' in done.stdout + done.stderr
    who = "server:git.example.org <git.example.org> 1796000000 +0000"
    rows = site.plain.git(
        "log", "--format=%an <%ae> %ad|%cn <%ce> %cd|%s|%P", "--date=raw", "refs/codifica/receipts"
    ).split(b"\n")
    assert [row.split(b"|")[0].decode() for row in rows] == [who] * 4
    assert [row.split(b"|")[1].decode() for row in rows] == [who] * 4
    assert [row.split(b"|")[2] for row in rows[::-1]] == [
        b"receipt 1: refs/heads/main aaaaaaa..bbbbbbb", b"receipt 2: refs/heads/release/\xff none..ccccccc",
        b"receipt 3: pause", b"receipt 4: introduction",
    ]  # fmt: skip
    assert site.plain.git("ls-tree", "--name-only", "refs/codifica/receipts") == b"receipt.json"
    assert site.plain.git("fsck", "--strict", "--no-dangling") == b""


def test_numbers_and_tips_go_on_and_only_pushes_move_tips(site: Site) -> None:
    a, b = ident("a"), ident("b")
    site.append(draft("1", new=a))
    site.append(
        draft("2", OTHER, new=a),
        draft("3", None, PAUSE),
        draft("4", kind=INTRODUCTION, new=b),
        draft("5", new=b, old=a),
    )
    site.append(draft("6", OTHER, old=a))
    assert [r.number for r in site.chain()] == [1, 2, 3, 4, 5, 6]
    assert [dict(r.tips) for r in site.chain()] == [
        {MAIN: a}, {MAIN: a, OTHER: a}, {MAIN: a, OTHER: a}, {MAIN: a, OTHER: a}, {MAIN: b, OTHER: a}, {MAIN: b},
    ]  # fmt: skip


def test_what_was_added_is_given_back_as_it_stands_in_the_chain(site: Site) -> None:
    added = site.append(draft("1", new=ident("a")), draft("2", None, PAUSE))
    assert list(added) == site.chain()
    assert {r.server for r in added} == {"server:git.example.org"}
    assert site.append() == ()


def test_what_the_chain_holds_is_not_added_again(site: Site) -> None:
    one, other = draft("1" * 16, new=ident("a")), draft("1" * 16, OTHER, new=ident("a"))
    site.append(one)
    assert [r.number for r in site.append(one, other)] == [2]
    assert site.append(other, one) == ()
    assert len(site.chain()) == 2


def test_the_search_for_it_ends_at_receipts_that_are_older_than_the_draft(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number in range(4):
        site.append(draft(str(number), new=ident("a"), time=NOW + 1000 * number), now=NOW + 1000 * number)
    seen: list[ObjectId] = []

    def counted(store: Store, oid: ObjectId) -> Receipt:
        seen.append(oid)
        return receipt_at(store, oid)

    monkeypatch.setattr("codifica_guard.audit.ledger.receipt_at", counted)
    site.append(draft("9", new=ident("b"), time=NOW + 2500), now=NOW + 3500)
    assert len(seen) == 1


def test_an_empty_repository_id_is_the_one_of_the_receipt_before(site: Site) -> None:
    site.append(draft("1", repository="", ruleset=0), draft("2"), draft("3", repository="", ruleset=0))
    assert [(r.repository, r.ruleset) for r in site.chain()] == [("", 0), ("5a", 1), ("5a", 1)]


# -- races


def test_who_loses_a_race_leaves_out_what_the_winner_wrote_and_signs_the_rest_anew(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    both = (draft("1" * 16, new=ident("a")), draft("2" * 16, OTHER, new=ident("a")))
    real, calls = move_ref, 0

    def overtaken(*arguments: Any) -> bool:
        nonlocal calls
        calls += 1
        if calls == 1:
            site.append(both[1])
        return real(*arguments)

    monkeypatch.setattr(writing, "move_ref", overtaken)
    added = site.append(*both)
    assert [(r.number, r.push) for r in added] == [(2, "1" * 16)]
    assert [(r.number, r.push[0]) for r in site.chain()] == [(1, "2"), (2, "1")]


def test_many_at_once_make_one_chain_without_a_gap(site: Site) -> None:
    gate = threading.Barrier(6)

    def add(number: int) -> None:
        gate.wait()
        site.append(draft(f"{number:016x}", RefName(b"refs/heads/%d" % number), new=ident("a")))

    with ThreadPoolExecutor(6) as pool:
        list(pool.map(add, range(6)))
    chain = site.chain()
    assert [r.number for r in chain] == [1, 2, 3, 4, 5, 6]
    assert {r.push for r in chain} == {f"{n:016x}" for n in range(6)}
    assert len(chain[-1].tips) == 6


def test_a_lock_that_nobody_takes_away_is_waited_for_and_then_told(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "RECEIPT_SECONDS", 0)
    monkeypatch.setattr(writing, "RECEIPT_TRIES", 3)
    site.append(draft("1", new=ident("a")))
    lock = site.plain.git_dir / "refs" / "codifica" / "receipts.lock"
    lock.write_text("")
    with pytest.raises(RepositoryError, match="is locked, or others move it all the time"):
        site.append(draft("2", new=ident("b")))
    lock.unlink()
    site.append(draft("2", new=ident("b")))
    assert len(site.chain()) == 2


def test_a_file_in_the_way_of_the_refs_folder_is_told_in_gits_words(site: Site) -> None:
    (site.plain.git_dir / "refs" / "codifica").write_text("")
    with pytest.raises(RepositoryError, match=r"cannot move refs/codifica/receipts: .*refs/codifica"):
        site.append(draft("1", new=ident("a")))


# -- what goes wrong


def test_without_the_key_nothing_is_added(site: Site) -> None:
    site.key.unlink()
    with pytest.raises(KeyUnavailable, match=r"the server's key .*receipt_ed25519 cannot be read: No such file"):
        site.append(draft("1", new=ident("a")))
    site.key.write_text("x")
    with pytest.raises(KeyUnavailable, match="cannot be used: the key text cannot be used"):
        site.append(draft("1", new=ident("a")))
    assert site.chain() == []


@pytest.mark.parametrize("kind", ["no receipt", "no file", "folder", "garbage"])
def test_nothing_follows_what_is_no_receipt(site: Site, kind: str) -> None:
    git = site.plain.git
    blob = git("hash-object", "-w", "--stdin", stdin=b"{}").decode()
    made: dict[str, Callable[[], bytes]] = {
        "no receipt": lambda: git("mktree", stdin=f"100644 blob {blob}\treceipt.json\n".encode()),
        "no file": lambda: git("mktree", stdin=b""),
        "folder": lambda: git("mktree", stdin=b"040000 tree " + git("mktree", stdin=b"") + b"\treceipt.json\n"),
        "garbage": blob.encode,
    }
    tree = made[kind]()
    if kind == "garbage":
        git("update-ref", "refs/codifica/receipts", blob)
    else:
        git("update-ref", "refs/codifica/receipts", git("commit-tree", tree.decode(), "-m", "x").decode())
    before = site.plain.id("refs/codifica/receipts")
    with pytest.raises(MalformedReceipt, match="cannot be read, so none can follow"):
        site.append(draft("1", new=ident("a")))
    assert site.plain.id("refs/codifica/receipts") == before


def test_a_receipt_past_its_limit_is_not_written(site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(writing, "RECEIPT_BYTES", 100)
    with pytest.raises(LimitExceeded):
        site.append(draft("1", new=ident("a")))
    assert site.chain() == []


def test_the_callers_environment_says_nothing_to_git(
    site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    for name in ("GIT_DIR", "GIT_OBJECT_DIRECTORY", "GIT_WORK_TREE", "GIT_NAMESPACE", "HOME"):
        monkeypatch.setenv(name, str(tmp_path / "elsewhere"))
    monkeypatch.setenv("GIT_TRACE", "1")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "broken")
    monkeypatch.chdir(tmp_path)
    site.append(draft("1", new=ident("a")))
    monkeypatch.undo()
    assert len(site.chain()) == 1


def test_without_git_it_is_told(site: Site, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RepositoryError, match="cannot run git"):
        site.append(draft("1", new=ident("a")))


def test_a_repository_that_logs_all_refs_logs_receipts(site: Site) -> None:
    site.plain.git("config", "core.logAllRefUpdates", "always")
    site.append(draft("1", new=ident("a")))
    assert b"codifica-guard" in (site.plain.git_dir / "logs" / "refs" / "codifica" / "receipts").read_bytes()


def test_what_is_chosen_is_chosen_by_what_the_chain_ends_with(site: Site) -> None:
    asked: list[int] = []

    def choose(store: Store, tip: ObjectId | None, newest: Receipt | None) -> Sequence[Receipt]:
        assert store.object_format == "sha1"
        assert (tip is None) is (newest is None)
        asked.append(newest.number if newest else 0)
        return [draft("x", new=ident("a"))] if newest is None else []

    for _ in range(2):
        append_chosen(site.plain.location, site.config, choose, NOW)
    assert asked == [0, 1]


def test_push_ids_are_sixteen_digits_and_differ() -> None:
    found = {push_id() for _ in range(100)}
    assert len(found) == 100
    assert all(len(text) == 16 and int(text, 16) >= 0 for text in found)


def test_a_chain_that_was_packed_goes_on(site: Site) -> None:
    site.append(draft("1", new=ident("a")))
    site.plain.git("update-ref", "refs/codifica/keep", "refs/codifica/receipts")
    site.plain.git("pack-refs", "--all")
    site.plain.git("repack", "-adq")
    site.append(draft("2", new=ident("b")))
    assert [r.number for r in site.chain()] == [1, 2]


def test_a_writer_that_is_killed_before_the_ref_moved_leaves_the_chain_as_it_was(site: Site) -> None:
    site.append(draft("1", new=ident("a")))
    program = (
        "import os, signal, sys\n"
        "from codifica_guard.audit import writing\n"
        "from codifica_guard.git.config import read_config\n"
        "from codifica_guard.git.location import at\n"
        "from codifica_guard.model.receipt import Receipt\n"
        "writing.move_ref = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "place = at(os.fsencode(sys.argv[1]), {})\n"
        "draft = Receipt(number=0, kind='pause', repository='', server='', guard='', ruleset=0, time=1796000000, push='2')\n"
        "writing.append(place, read_config(place), [draft], 1796000000)\n"
    )
    done = subprocess.run([sys.executable, "-c", program, str(site.plain.git_dir)], check=False)
    assert done.returncode == -9
    assert len(site.chain()) == 1
    site.append(replace(draft("2", None, PAUSE)))
    assert [r.number for r in site.chain()] == [1, 2]
