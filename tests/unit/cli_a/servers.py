"""A server whose admin works on it, without a push: his config, the receipts, the clock."""

import subprocess
import time
from pathlib import Path

from codifica_guard.audit.ledger import receipt_at
from codifica_guard.audit.writing import append, push_id
from codifica_guard.git.config import read_config
from codifica_guard.git.location import Location, at
from codifica_guard.git.store import open_store
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import PUSH, Receipt
from tests.unit.cli_a.places import Clone

MAIN = RefName(b"refs/heads/main")


def config(shop: Clone, key: str, value: str | None = None) -> str:
    """A setting of the server; with a value it is set."""
    words = ["git", "config", "--file", str(shop.bare / "config"), key, *([value] if value is not None else [])]
    return subprocess.run(words, capture_output=True, check=False, text=True).stdout.removesuffix("\n")


def unset(shop: Clone, key: str) -> None:
    """A setting of the server is gone."""
    subprocess.run(["git", "config", "--file", shop.bare / "config", "--unset-all", key], check=True)


def receipts(shop: Clone) -> list[Receipt]:
    """All of them, the oldest first."""
    told = subprocess.run(
        ["git", "--git-dir", shop.bare, "rev-list", "--reverse", "refs/codifica/receipts", "--"],
        capture_output=True,
        check=False,
        text=True,
    ).stdout.split()
    with open_store(place(shop), "sha1") as store:
        return [receipt_at(store, ObjectId(oid.encode())) for oid in told]


def place(shop: Clone) -> Location:
    """The server's repository."""
    return at(str(shop.bare).encode(), {})


def pushed(shop: Clone, old: str | None, new: str, *, ref: RefName = MAIN, introduction: str | None = None) -> Receipt:
    """Write the receipt of a push."""
    draft = draft_of(old, new, ref=ref, introduction=introduction)
    (added,) = append(place(shop), read_config(place(shop)), (draft,), int(time.time()))
    return added


def draft_of(old: str | None, new: str | None, *, ref: RefName = MAIN, introduction: str | None = None) -> Receipt:
    """What a receipt will say of a push."""
    return Receipt(
        number=0,
        kind=PUSH,
        repository="5a" * 16,
        server="",
        guard="0",
        ruleset=1,
        time=int(time.time()),
        introduction=None if introduction is None else ObjectId(introduction.encode()),
        push=push_id(),
        ref=ref,
        old=None if old is None else ObjectId(old.encode()),
        new=None if new is None else ObjectId(new.encode()),
    )


def snapshot(folder: Path) -> dict[str, tuple[int, bytes]]:
    """All files of a repository, with their modes."""
    files = (path for path in sorted(folder.rglob("*")) if path.is_file())
    return {str(path.relative_to(folder)): (path.stat().st_mode, path.read_bytes()) for path in files}
