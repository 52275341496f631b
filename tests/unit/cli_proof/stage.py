"""A repository whose decisions are made by hand, with keys of any kind, seen by a server or not."""

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from codifica_guard.git.store import ObjectFormat
from codifica_guard.identity import sshsig
from codifica_guard.identity.keys import public_line
from codifica_guard.identity.signing import Signer
from codifica_guard.identity.tokens import WriterToken
from codifica_guard.model.ids import ObjectId
from tests.building.inside import inside
from tests.building.machine import Done
from tests.building.shapes import check_envelope
from tests.unit.audit.bench import Bench
from tests.unit.engine.land import Value, board, key_of, line_of
from tests.unit.identity.sshkit import KINDS, SoftFido, keygen
from tests.unit.views import entered, task

KEEPERS = {"carol": "human:carol", "robot": "agent:robot"}
"""Who has keys that a test chooses."""


class Stage(Bench):
    """One repository; carol and robot have keys of a chosen kind, the others Ed25519."""

    def __init__(self, path: Path, object_format: ObjectFormat = "sha1", kind: str = "ed25519", **policy: Any) -> None:
        super().__init__(path / "repository", object_format, **{"mode": "report", **policy})
        self.folder = path
        keys = path / "keys"
        keys.mkdir()
        self.files = {name: self._key(keys, name, kind) for name in KEEPERS}
        self.listed = dict.fromkeys(KEEPERS, "")
        self.hardware: dict[str, SoftFido] = {}
        self.token = WriterToken(bytes(range(32)))

    @staticmethod
    def _key(folder: Path, name: str, kind: str) -> Path:
        assert kind in KINDS
        own = folder / name
        own.mkdir()
        return keygen(own, kind)

    def signer_of(self, name: str) -> Signer | SoftFido:
        if name in self.hardware:
            return self.hardware[name]
        return Signer.from_text(self.files[name].read_text(), None) if name in self.files else key_of(name)

    def principal(self, name: str) -> str:
        return KEEPERS.get(name) or self.signers[name]

    def policy(self, **changed: Any) -> dict[str, Value]:
        files = super().policy(**changed)
        own = "".join(
            f"{KEEPERS[name]} {options + ' ' if options else ''}{public_line(self.signer_of(name).key)}\n"
            for name, options in self.listed.items()
        )
        return {**files, ".codifica/allowed_signers": str(files[".codifica/allowed_signers"]) + own}

    # -- decisions

    def decide(
        self,
        changes: Mapping[str, Value],
        *parents: ObjectId,
        by: str,
        proof: str = "trailer",
        token: WriterToken | None = None,
        more: Sequence[tuple[str, str]] = (),
        push: bool = True,
        **seen: Any,
    ) -> ObjectId:
        """A commit by a keeper or by anybody else, pushed to main unless told otherwise."""
        parents = parents or (self.tip,)
        files = dict(self.trees[parents[0]])
        for path, value in changes.items():
            if value is None:
                del files[path]
            else:
                files[path] = self.leaf(value)
        known = [row for row in more if row[0] != "Codifica-Writer"]
        covered = self.payload(files, parents, self.principal(by), known)
        rows = list(more)
        if proof == "trailer":
            signature = sshsig.to_line(self.signer_of(by).sign(covered, "codifica-guard"))
            rows += [("Codifica-Actor", self.principal(by)), ("Codifica-Signature", signature)]
        if token is not None:
            rows.append(("Codifica-Writer", sshsig.to_line(token.sign(covered))))
        if proof == "git" and by in self.files:
            oid = self._by_git(files, parents, by, rows)
        else:
            oid = self.commit(changes, *parents, by=by if proof == "git" else None, trailers=rows)
        if push:
            self.main(oid, **seen)
        return oid

    def _by_git(self, files: Any, parents: Sequence[ObjectId], by: str, rows: Sequence[tuple[str, str]]) -> ObjectId:
        """A commit that the real git signs."""
        self.clock += 10
        words = ["-c", "gpg.format=ssh", "-c", f"user.signingkey={self.files[by]}", "commit-tree", "-S"]
        for parent in parents:
            words += ["-p", parent.decode()]
        when = f"{self.clock} +0000"
        text = "FEAT-1: change\n" + ("\n" + "".join(f"{key}: {value}\n" for key, value in rows) if rows else "")
        env = {"GIT_AUTHOR_DATE": when, "GIT_COMMITTER_DATE": when, "GIT_COMMITTER_NAME": "A U Thor"}
        env["GIT_COMMITTER_EMAIL"] = "author@example.org"
        oid = ObjectId(self.plain.git(*words, self.tree(files).decode(), stdin=text.encode(), env=env))
        self.trees[oid], self.parents[oid] = dict(files), tuple(parents)
        return oid

    @property
    def tip(self) -> ObjectId:
        found = self.at("main")
        assert found is not None
        return found

    # -- the program

    def guard(self, *words: str | Path) -> Done:
        """The program, inside the repository."""
        return inside(words, cwd=self.plain.path, home=self.folder)

    def proof(self, *words: str | Path, code: int = 0) -> dict[str, Any]:
        """What `log --proof --json` says."""
        done = self.guard("log", *words, "--json", "-q")
        assert done.code == code, done.said
        data = check_envelope(done.out)["data"]
        assert isinstance(data, dict)
        return data

    def clean(self) -> dict[str, bytes]:
        """All that a look must not change."""
        return {os.fspath(p): p.read_bytes() for p in sorted(self.plain.path.rglob("*")) if p.is_file()}


def listed(writer: WriterToken | None = None) -> tuple[str, ...]:
    """The entry of a claim."""
    line = writer.public_line if writer is not None else None
    return ("state_transitions:", *entered("in_progress", writer=line, session="s-41"))


def rows(*lines: str) -> tuple[str, ...]:
    """Lines of a field, indented as in a task."""
    return tuple(line if line.startswith(" ") else f"  {line}" for line in lines)


__all__ = ["KEEPERS", "Stage", "board", "line_of", "listed", "rows", "task"]
