"""A repository whose commits are made by hand, signed, and judged in this process: as fast as it can be, and all real."""

import hashlib
import json
from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any, Final

from codifica_guard.engine.world import World
from codifica_guard.git.config import read_config
from codifica_guard.git.store import ObjectFormat, Store
from codifica_guard.hooks.court import convene
from codifica_guard.identity import sshsig
from codifica_guard.identity.keys import public_line
from codifica_guard.identity.signing import Signer
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.push import RefUpdate
from tests.building import payload as grammar
from tests.unit.git.plain import Plain
from tests.unit.identity.sshkit import signer
from tests.unit.views import document, task

NOW: Final = 1_796_000_000
RID: Final = "00112233445566778899aabbccddeeff"
PEOPLE: Final = {"alice": "human:alice", "bob": "human:bob", "builder": "agent:builder", "writer": "agent:writer"}
SETTINGS: Final[Mapping[str, Any]] = {
    "protocol": "codifica", "version": "0.2", "spec": "spec.md", "state": "work.md", "assets": "assets/",
    "rules": {"mode": "strict", "file_scope": {"include": ["src/**", "work.md", "done.md"]}},
}  # fmt: skip

Leaf = tuple[str, ObjectId]
Value = str | bytes | Leaf | None
"""A file's text, an entry of another mode, or None for what goes away."""


@cache
def key_of(name: str) -> Signer:
    """A person's key; every other name has one too."""
    return signer(int.from_bytes(hashlib.sha256(name.encode()).digest()[:4]))


def line_of(name: str) -> str:
    """The public key as a line."""
    return public_line(key_of(name).key)


def board(*blocks: str, text: str = "# Work\n") -> str:
    """A document with tasks."""
    return document(*blocks, text=text)


TASKS: Final = ("FEAT-1", "FEAT-2", "FEAT-3")


def work(**changed: str) -> str:
    """The document of three tasks; `FEAT_1="title"` gives one of them another title."""
    return board(*(task(name, title=changed.get(name.replace("-", "_"), f"Title of {name}")) for name in TASKS))


class Unruled(grammar.Facts):
    """The facts of a commit before the guard: nothing is a state document yet."""

    def _policies(self) -> Iterable[Mapping[str, object]]:
        return ()


class Land:
    """A bare repository with a judge before it, and whoever commits to it."""

    def __init__(self, path: Path, object_format: ObjectFormat = "sha1", **policy: Any) -> None:
        self.plain = Plain(path, object_format, bare=True)
        self.object_format: ObjectFormat = object_format
        self.trees: dict[ObjectId, dict[str, Leaf]] = {}
        self.parents: dict[ObjectId, tuple[ObjectId, ...]] = {}
        self.times: dict[ObjectId, int] = {}
        self.clock = NOW - 100_000
        self._content: dict[str, bytes] = {}
        self._policy = policy
        self.signers = {
            "alice": "human:alice",
            "bob": "human:bob",
            "builder": "agent:builder",
            "writer": "agent:writer",
        }

    # -- objects

    def blob(self, data: str | bytes) -> ObjectId:
        raw = data.encode() if isinstance(data, str) else data
        oid = self.plain.put("blob", raw)
        self._content[oid.decode()] = raw
        return oid

    def tree(self, files: Mapping[str, Leaf]) -> ObjectId:
        below: dict[str, dict[str, Leaf]] = {}
        entries: list[tuple[str, str, ObjectId]] = []
        for path, (mode, oid) in files.items():
            folder, slash, rest = path.partition("/")
            if slash:
                below.setdefault(folder, {})[rest] = (mode, oid)
            else:
                entries.append((path, mode, oid))
        entries += [(folder, "40000", self.tree(inner)) for folder, inner in below.items()]
        entries.sort(key=lambda e: e[0].encode("utf-8", "surrogateescape") + (b"/" if e[1] == "40000" else b""))
        rows = [(mode.encode(), name.encode("utf-8", "surrogateescape"), oid) for name, mode, oid in entries]
        return self.plain.put_tree(*rows)

    def leaf(self, value: str | bytes | Leaf) -> Leaf:
        return value if isinstance(value, tuple) else ("100644", self.blob(value))

    # -- commits

    def commit(
        self,
        changes: Mapping[str, Value] | None = None,
        *parents: ObjectId,
        by: str | None = None,
        actor: str | None = None,
        proof: str = "git",
        message: str = "FEAT-1: change",
        trailers: Sequence[tuple[str, str]] = (),
        stale_author: bool = False,
        time: int | None = None,
        payload: bytes | None = None,
    ) -> ObjectId:
        """A commit of changes to its first parent's files; `by` signs it, with Git or with the trailers."""
        files = dict(self.trees[parents[0]]) if parents else {}
        for path, value in (changes or {}).items():
            if value is None:
                del files[path]
            else:
                files[path] = self.leaf(value)
        text = message + "\n"
        principal = actor or (self.signers.get(by, f"human:{by}") if by else "")
        rows = list(trailers)
        if by and proof == "trailer":
            covered = payload if payload is not None else self.payload(files, parents, principal, trailers)
            signature = sshsig.to_line(key_of(by).sign(covered, "codifica-guard"))
            rows += [("Codifica-Actor", principal), ("Codifica-Signature", signature)]
        if rows:
            text += "\n" + "".join(f"{key}: {value}\n" for key, value in rows)
        self.clock += 10
        when = time if time is not None else self.clock
        author = when - 5 if stale_author else when
        head = f"tree {self.tree(files).decode()}\n" + "".join(f"parent {p.decode()}\n" for p in parents)
        head += f"author A <a@example.org> {author} +0000\ncommitter A <a@example.org> {when} +0000\n"
        body = text.encode()
        data = head.encode() + b"\n" + body
        if by and proof == "git":
            armour = sshsig.armour(key_of(by).sign(data, "git")).strip("\n").replace("\n", "\n ")
            name = "gpgsig" if self.object_format == "sha1" else "gpgsig-sha256"
            data = head.encode() + f"{name} {armour}\n".encode() + b"\n" + body
        oid = self.plain.put("commit", data)
        self.trees[oid] = files
        self.parents[oid] = parents
        self.times[oid] = when
        return oid

    def payload(
        self,
        files: Mapping[str, Leaf],
        parents: Sequence[ObjectId],
        actor: str,
        trailers: Sequence[tuple[str, str]] = (),
    ) -> bytes:
        """What the trailers cover, from a second reading of the grammar."""

        def plain(tree: Mapping[str, Leaf]) -> dict[bytes, tuple[str, str]]:
            return {p.encode("utf-8", "surrogateescape"): (m.zfill(6), o.decode()) for p, (m, o) in tree.items()}

        ruled = any(".codifica/guard.json" in self.trees[p] for p in parents)
        facts = (grammar.Facts if ruled else Unruled)(
            parents=[p.decode() for p in parents],
            trees=[*([plain(self.trees[p]) for p in parents] or [{}]), plain(files)],  # a root has nothing before it
            content=lambda oid: self._content[oid],
        )
        return grammar.payload(RID, actor, facts, trailers)

    def policy(self, **changed: Any) -> dict[str, Value]:
        """The trust files."""
        guard = {
            "version": 1, "repository": RID, "coordination_branch": "main", "protected_branches": ["main"],
            "mode": "enforce", "maintainers": ["human:alice"], "require_signatures": "transitions", "ruleset": 1,
            "writer_tokens": "optional", **self._policy, **changed,
        }  # fmt: skip
        settings = guard.pop("settings", {})
        signers = "".join(f"{principal} {line_of(name)}\n" for name, principal in self.signers.items())
        return {
            "codifica.json": json.dumps({**SETTINGS, **settings}),
            ".codifica/guard.json": json.dumps(guard),
            ".codifica/allowed_signers": signers,
            ".codifica/revoked_keys": "",
        }

    def begin(self, files: Mapping[str, Value] | None = None) -> ObjectId:
        """The history before the guard: one commit."""
        return self.commit({"work.md": work(), "spec.md": "# Spec\n", "src/a.py": "a\n", **(files or {})})

    def introduce(self, *parents: ObjectId, pinned: bool = True, by: str = "alice", **changed: Any) -> ObjectId:
        """The commit that brings the policy; pinned on the server, and at main, unless told otherwise."""
        oid = self.commit(self.policy(**changed), *(parents or (self.begin(),)), by=by)
        if pinned:
            self.config("codifica.introduction", oid.decode())
            self.config("codifica.coordination", "main")
            self.point("main", oid)
        return oid

    # -- the repository and its judge

    def config(self, key: str, value: str) -> None:
        self.plain.git("config", key, value)

    def point(self, branch: str, oid: ObjectId | None) -> None:
        """Let a branch stand somewhere, around the judge."""
        path = self.plain.git_dir / "refs" / "heads" / branch
        path.parent.mkdir(parents=True, exist_ok=True)
        if oid is None:
            path.unlink()
        else:
            path.write_bytes(oid + b"\n")

    def at(self, branch: str) -> ObjectId | None:
        path = self.plain.git_dir / "refs" / "heads" / branch
        return ObjectId(path.read_bytes().strip()) if path.exists() else None

    def judge(self, *updates: tuple[str, ObjectId | None, ObjectId | None], now: int = NOW) -> Verdict:
        """The verdict on ref updates: name, old, new."""
        rows = tuple(RefUpdate(ref=RefName(r.encode()), old=old, new=new) for r, old, new in updates)
        with self.plain.store() as store:
            return convene(store, self.plain.location, read_config(self.plain.location), rows, now)

    def push(self, new: ObjectId | None, branch: str = "main", now: int = NOW) -> Verdict:
        """A push of one branch; it moves only if it is let in."""
        verdict = self.judge((f"refs/heads/{branch}", self.at(branch), new), now=now)
        if verdict.accepted:
            self.point(branch, new)
        return verdict

    def store(self) -> Store:
        return self.plain.store()

    def world(self, store: Store, introduction: ObjectId | None) -> World:
        return World(store, introduction)


def errors(verdict: Verdict) -> set[str]:
    """The codes that refuse."""
    return {f.code for f in verdict.errors}


def codes(verdict: Verdict) -> set[str]:
    """All codes."""
    return {f.code for f in verdict.findings}
