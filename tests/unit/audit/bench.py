"""A land whose pushes get receipts, made by hand, and its audit: all in this process, so that every lie can be told."""

import os
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any, Final

from codifica_guard.audit.pause import Pause
from codifica_guard.audit.receipt_file import read_receipt, write_receipt
from codifica_guard.audit.replay import audit
from codifica_guard.audit.replayed import Replayed, Wanted
from codifica_guard.audit.source import open_source
from codifica_guard.git.config import read_config
from codifica_guard.git.store import ObjectFormat
from codifica_guard.hooks.court import convene
from codifica_guard.hooks.minutes import Minutes
from codifica_guard.identity import sshsig
from codifica_guard.identity.signing import Signer
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.push import RefUpdate
from codifica_guard.model.receipt import Receipt
from codifica_guard.model.value import replace
from tests.unit.engine.land import NOW, RID, Land, key_of

SERVER: Final = "server:git.example.org"
MAIN: Final = "refs/heads/main"
Update = tuple[str, ObjectId | None, ObjectId | None]


class Bench(Land):
    """A bare repository with a judge, and a server that keeps receipts.

    Attributes:
        receipts: commits of the chain, oldest first.
        told: what the judge told of each push, accepted or not.
    """

    def __init__(self, path: Path, object_format: ObjectFormat = "sha1", **policy: Any) -> None:
        super().__init__(path, object_format, **policy)
        self.signers["server"] = SERVER
        self.receipts: list[ObjectId] = []
        self.told: list[Verdict] = []
        self.now = NOW
        self.home = path.parent / "state"

    # -- pushes

    def receive(
        self, *updates: Update, receipt: bool = True, paused: str | None = None, now: int | None = None, **said: Any
    ) -> Verdict:
        """A push that comes in, whatever the judge says; with a receipt as if it had been accepted, unless told otherwise."""
        self.now = now if now is not None else self.now + 60
        minutes = Minutes()
        rows = tuple(RefUpdate(ref=RefName(r.encode()), old=old, new=new) for r, old, new in updates)
        with self.plain.store() as store:
            told = convene(store, self.plain.location, read_config(self.plain.location), rows, self.now, minutes)
        self.told.append(told)
        pause = None if paused is None else Pause(until=self.now + 3600, reason=paused)
        olds = {ref: old for ref, old, _ in updates}
        push = f"{len(self.told):016x}"
        for draft in minutes.drafts(push, self.now, lambda ref: olds.get(ref.decode()), pause=pause) if receipt else ():
            self.append(replace(draft, **said))
        for ref, _, new in updates:
            if ref.startswith("refs/heads/"):
                self.point(ref.removeprefix("refs/heads/"), new)
        return told

    def main(self, new: ObjectId, **how: Any) -> Verdict:
        """A push of main."""
        return self.receive((MAIN, self.at("main"), new), **how)

    def begun(self, files: Mapping[str, Any] | None = None, **policy: Any) -> ObjectId:
        """The history before the guard, and the introduction, pushed and seen."""
        begin = self.begin(files)
        self.point("main", begin)
        intro = self.introduce(begin, pinned=False, **policy)
        self.config("codifica.trust", "first-push")
        self.main(intro)
        self.config("codifica.introduction", intro.decode())
        self.config("codifica.coordination", "main")
        return intro

    # -- receipts

    def last(self) -> Receipt | None:
        return self.receipt(self.receipts[-1]) if self.receipts else None

    def receipt(self, oid: ObjectId) -> Receipt:
        return read_receipt(self.plain.git("cat-file", "blob", f"{oid.decode()}:receipt.json") + b"\n")

    def append(self, draft: Receipt, **how: Any) -> ObjectId:
        """One receipt more, that follows from the last one."""
        last = self.last()
        tips = dict(last.tips) if last is not None else {}
        if draft.ref is not None and draft.kind == "push":
            tips.pop(draft.ref, None)
            if draft.new is not None:
                tips[draft.ref] = draft.new
        number = last.number + 1 if last is not None else 1
        return self.write(replace(draft, number=number, server=SERVER, repository=RID, tips=tips), **how)

    def write(
        self,
        receipt: Receipt | bytes,
        *,
        signer: Signer | None = None,
        parents: Sequence[ObjectId] | None = None,
        signed: bool = True,
        name: bytes = b"receipt.json",
    ) -> ObjectId:
        """One commit more on the chain, with whatever it is to say."""
        body = receipt if isinstance(receipt, bytes) else write_receipt(receipt)
        tree = self.plain.put_tree((b"100644", name, self.plain.put("blob", body)))
        above = self.receipts[-1:] if parents is None else parents
        head = b"tree %s\n" % tree + b"".join(b"parent %s\n" % oid for oid in above)
        person = f"{SERVER} <git.example.org> {self.now} +0000".encode()
        head += b"author %s\ncommitter %s\n" % (person, person)
        message = b"receipt\n"
        data = head + b"\n" + message
        if signed:
            armour = sshsig.armour((signer or key_of("server")).sign(data, "git")).strip("\n").replace("\n", "\n ")
            field = "gpgsig" if self.object_format == "sha1" else "gpgsig-sha256"
            data = head + f"{field} {armour}\n".encode() + b"\n" + message
        oid = self.plain.put("commit", data)
        self.receipts.append(oid)
        self.chain(self.receipts)
        return oid

    def chain(self, receipts: Iterable[ObjectId]) -> None:
        """Let the chain end with the last of some receipts."""
        self.receipts = list(receipts)
        path = self.plain.git_dir / "refs" / "codifica" / "receipts"
        path.parent.mkdir(parents=True, exist_ok=True)
        if self.receipts:
            path.write_bytes(self.receipts[-1] + b"\n")
        else:
            path.unlink(missing_ok=True)

    def rewritten(self, *receipts: Receipt, signer: Signer | None = None) -> None:
        """Another chain, of these receipts as they are."""
        self.chain([])
        for receipt in receipts:
            self.write(receipt, signer=signer)

    # -- the audit

    def audit(self, path: Path | None = None, **wanted: Any) -> Replayed:
        """The audit of the server's repository, or of a clone; what it keeps is kept beside the repository."""
        environ = {b"XDG_STATE_HOME": os.fsencode(self.home)}
        with open_source(os.fsencode(path or self.plain.path), environ) as source:
            return audit(source, Wanted(**wanted))


def codes(found: Replayed) -> list[str]:
    """The codes of all findings, in their order."""
    return [noted.finding.code for noted in found.findings]
