"""A land whose server writes receipts, and pushes to it through both of its hooks, in this process."""

import io
import os
import sys
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest

from codifica_guard.audit.ledger import receipt_at
from codifica_guard.audit.pending import folder
from codifica_guard.git.history import first_parents
from codifica_guard.git.refs import resolve
from codifica_guard.git.store import ObjectFormat
from codifica_guard.hooks.server import main
from codifica_guard.model.ids import ObjectId
from codifica_guard.model.receipt import RECEIPTS, Receipt
from tests.unit.audit.keys import SERVER_KEY
from tests.unit.engine.land import NOW, Land
from tests.unit.identity.sshkit import text_of

NULL = b"0" * 40
MAIN = "refs/heads/main"
Update = tuple[ObjectId | None, ObjectId | None, str]


class Served:
    """A land, its hooks as Git calls them, and its receipts."""

    def __init__(self, land: Land, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
        self.land, self._patch, self._capsys = land, monkeypatch, capsys
        self.git_dir = land.plain.git_dir
        monkeypatch.setenv("GIT_DIR", str(self.git_dir))
        for name in [
            n for n in os.environ if n.startswith(("GIT_OBJECT", "GIT_ALTERNATE", "GIT_QUARANTINE", "GITEA_"))
        ]:
            monkeypatch.delenv(name)
        self.key = self.git_dir / "codifica-guard" / "receipt_ed25519"
        self.key.parent.mkdir(exist_ok=True)
        self.key.write_text(text_of(SERVER_KEY))
        land.config("codifica.server", "server:git.example.org")

    @property
    def pending(self) -> list[Path]:
        place = Path(os.fsdecode(folder(self.land.plain.location)))
        return sorted(place.iterdir()) if place.is_dir() else []

    def run(self, hook: str, *updates: Update, data: bytes | None = None, now: int = NOW) -> tuple[int, str]:
        """A hook's exit code, and what it told."""
        null = b"0" * (40 if self.land.object_format == "sha1" else 64)
        rows = b"".join(b"%s %s %s\n" % (old or null, new or null, ref.encode()) for old, new, ref in updates)
        self._patch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(rows if data is None else data)))
        code = main([hook], clock=lambda: float(now))
        return code, " ".join(self._capsys.readouterr().err.split())

    def pre(self, *updates: Update, now: int = NOW) -> tuple[int, str]:
        return self.run("pre-receive", *updates, now=now)

    def post(self, *updates: Update, now: int = NOW, data: bytes | None = None) -> tuple[int, str]:
        return self.run("post-receive", *updates, now=now, data=data)

    def move(self, *updates: Update) -> None:
        for _, new, ref in updates:
            self.land.point(ref.removeprefix("refs/heads/"), new)

    def push(self, *updates: Update, now: int = NOW, killed: bool = False) -> str:
        """A push that is let in; `killed` is one whose post-receive does not come to anything. What was told."""
        code, told = self.pre(*updates, now=now)
        assert code == 0, told
        self.move(*updates)
        if killed:
            return told
        after, said = self.post(*updates, now=now)
        assert after == 0
        return f"{told} {said}".strip()

    def receipts(self) -> list[Receipt]:
        """The chain, the oldest first."""
        tip = resolve(self.land.plain.location, RECEIPTS)[1]
        with self.land.store() as store:
            return [receipt_at(store, oid) for oid in first_parents(store, tip)][::-1] if tip is not None else []

    def sound(self) -> list[Receipt]:
        """The chain, which has no gap in its numbers or tips."""
        chain = self.receipts()
        assert [r.number for r in chain] == list(range(1, len(chain) + 1))
        tips: Mapping[bytes, ObjectId] = {}
        for receipt in chain:
            if receipt.ref is not None:
                tips = (
                    {**tips, receipt.ref: receipt.new}
                    if receipt.new
                    else {k: v for k, v in tips.items() if k != receipt.ref}
                )
            assert receipt.tips == tips
        return chain


Serve = Callable[..., Served]


def make_served(
    path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    object_format: ObjectFormat = "sha1",
) -> Served:
    return Served(Land(path, object_format, protected_branches=["main", "release/*"]), monkeypatch, capsys)
