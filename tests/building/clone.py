"""A clone of the shared repository, and what its owner does with plain Git."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Literal, Self, TypeAlias

from tests.building.acts import Acts
from tests.building.machine import Done, guard, run
from tests.building.payload import Facts, Leaf, payload
from tests.building.people import PEOPLE, REPOSITORY_ID
from tests.building.push import Push
from tests.building.times import at, seconds

if TYPE_CHECKING:
    from pathlib import Path

    from tests.building.repo import Repo

Proof: TypeAlias = Literal["git", "trailers", "both", "none"]
"""How a commit is proven: Git's own signature, the signed trailers, both, or not at all."""


class Clone(Acts):
    """The work tree of a person or an agent; most methods return it, so that a story is one line."""

    def __init__(self, repo: Repo, who: str, name: str | None = None) -> None:
        self.repo = repo
        self.who = who
        self.name = name or who
        self.principal = PEOPLE[who]
        self.folder = repo.root / "clones" / self.name
        self.home = self._settle()

    def _settle(self) -> Path:
        home = self.repo.root / "homes" / self.who
        home.mkdir(parents=True, exist_ok=True)
        (home / ".gitconfig").write_text(
            f"[user]\n\tname = {self.who.capitalize()}\n\temail = {self.who}@example.org\n"
            f"\tsigningkey = {self.repo.keys.private(self.who)}\n"
            "[gpg]\n\tformat = ssh\n[init]\n\tdefaultBranch = main\n[gc]\n\tauto = 0\n[maintenance]\n\tauto = false\n[merge]\n\tconflictStyle = merge\n"
            "[advice]\n\tdetachedHead = false\n[pull]\n\trebase = false\n[push]\n\tdefault = simple\n[core]\n\tautocrlf = false\n\tfsync = none\n"
        )
        return home

    # -- Git

    def try_git(self, *argv: str | Path, data: bytes | None = None, env: Mapping[str, str] | None = None) -> Done:
        """Run git, whatever it comes to."""
        return run(["git", *argv], cwd=self.folder, home=self.home, data=data, env=env, check=False)

    def git(self, *argv: str | Path, data: bytes | None = None, env: Mapping[str, str] | None = None) -> str:
        """Run git, which has to work; its output without the last newline."""
        return run(["git", *argv], cwd=self.folder, home=self.home, data=data, env=env).text

    def begin(self, folder: Path) -> None:
        """Make the first clone, to be copied to its place: nothing is on the server yet."""
        words = ["init", "-q", "--template=", "-b", "main", f"--object-format={self.repo.object_format}"]
        run(["git", *words], cwd=folder, home=self.home)
        name = self.repo.bare.name.replace("\\", "\\\\").replace('"', '\\"')
        with (folder / ".git" / "config").open("a") as config:
            config.write(
                f'[remote "origin"]\n\turl = "../../{name}"\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n'
                '[branch "main"]\n\tremote = origin\n\tmerge = refs/heads/main\n'
            )

    def fetch_all(self) -> None:
        """Make any later clone."""
        self.folder.parent.mkdir(exist_ok=True)
        argv: list[str | Path] = ["git", "clone", "-q", "--template=", self.repo.bare, self.folder]
        run(argv, cwd=self.repo.root, home=self.home)

    def fresh(self) -> Self:
        """Have main as the server has it, and nothing else."""
        self.git("fetch", "-q", "--prune", "origin")
        self.git("checkout", "-q", "-f", "-B", "main", "origin/main")
        return self

    def fetch(self) -> Self:
        """Fetch what the server has."""
        self.git("fetch", "-q", "origin")
        return self

    def switch(self, branch: str, start: str = "HEAD") -> Self:
        """Begin a branch."""
        self.git("checkout", "-q", "-b", branch, start)
        return self

    def checkout(self, branch: str) -> Self:
        """Go to a branch or commit."""
        self.git("checkout", "-q", branch)
        return self

    def head(self, rev: str = "HEAD") -> str:
        """The commit that a name means."""
        return self.git("rev-parse", "--verify", rev)

    def write_all(self, files: Mapping[str, str | None]) -> Self:
        """Write files; those that are None are not there."""
        for path, text in files.items():
            if text is not None:
                self.write(path, text)
        return self

    # -- commits

    def commit(
        self,
        message: str,
        *,
        proof: Proof = "git",
        tokens: Sequence[str] = (),
        trailers: Sequence[tuple[str, str]] = (),
        actor: str | None = None,
        key: str | None = None,
        when: float | None = None,
        author: str | None = None,
        author_when: float | None = None,
        only_index: bool = False,
        options: Sequence[str] = (),
    ) -> Self:
        """Commit the work tree.

        Args:
            message: without trailers.
            proof: how the commit is proven.
            tokens: names of the writer keys that sign it too.
            trailers: further `Codifica-*` trailers, covered by the signature.
            actor: whom the trailers name, if not the clone's owner.
            key: name of the signing key, if not the owner's.
            when: minutes from now (negative: before the run) that both dates say.
            author: the author's name and mail.
            author_when: minutes that the author date alone says.
            only_index: commit the index as it is.
            options: further options of `git commit`.
        """
        if not only_index:
            self.git("add", "-A")
        env: dict[str, str] = {}
        if when is not None:
            env |= {"GIT_COMMITTER_DATE": at(when), "GIT_AUTHOR_DATE": at(when)}
        if author_when is not None:
            env["GIT_AUTHOR_DATE"] = at(author_when)
        told = self.trailers(proof, tokens=tokens, trailers=trailers, actor=actor, key=key)
        text = message + ("\n\n" + "".join(f"{name}: {value}\n" for name, value in told) if told else "")
        argv = ["-c", f"user.signingkey={self.repo.keys.private(key)}"] if key else []
        argv += ["commit", "-q", "-S" if proof in {"git", "both"} else "--no-gpg-sign", "-m", text, *options]
        self.git(*argv, *([f"--author={author}"] if author else []), env=env)
        return self

    def code(
        self, message: str = "code", *, path: str = "src/new.py", text: str = "x = 1\n", proof: Proof = "none"
    ) -> Self:
        """Commit a file of code, as a rule unsigned."""
        return self.write(path, text).commit(message, proof=proof)

    def trailers(
        self,
        proof: Proof,
        *,
        tokens: Sequence[str] = (),
        trailers: Sequence[tuple[str, str]] = (),
        actor: str | None = None,
        key: str | None = None,
        parents: Sequence[str] | None = None,
    ) -> list[tuple[str, str]]:
        """The `Codifica-*` trailers of a commit that would be made of the index now."""
        if proof in {"git", "none"} and not tokens:
            return list(trailers)
        who, keys = actor or self.principal, self.repo.keys
        data = self.payload(self.git("write-tree"), parents or [self.head()], who, trailers)
        told = list(trailers)
        if proof in {"trailers", "both"}:
            told += [
                ("Codifica-Actor", who),
                ("Codifica-Signature", keys.signature(key or self.who, data, "codifica-guard")),
            ]
        return [*told, *(("Codifica-Writer", keys.signature(token, data, "codifica-writer")) for token in tokens)]

    def payload(self, tree: str, parents: Sequence[str], actor: str, trailers: Sequence[tuple[str, str]] = ()) -> bytes:
        """The bytes that the signed trailers of a commit cover."""
        parents = [self.head(name) for name in parents]
        facts = Facts(parents=parents, trees=[self.leaves(rev) for rev in (*parents, tree)], content=self.blob)
        return payload(REPOSITORY_ID, actor, facts, trailers)

    def leaves(self, tree: str) -> dict[bytes, Leaf]:
        """All files of a tree."""
        listing = run(["git", "ls-tree", "-r", "-z", "--full-tree", tree], cwd=self.folder, home=self.home).out
        rows = (row.split(b"\t", 1) for row in listing.split(b"\0") if row)
        return {path: (meta.split(b" ")[0].decode(), meta.split(b" ")[2].decode()) for meta, path in rows}

    def blob(self, oid: str) -> bytes:
        """The bytes of a blob."""
        return run(["git", "cat-file", "blob", oid], cwd=self.folder, home=self.home).out

    def merge(
        self,
        *revs: str,
        options: Sequence[str] = (),
        proof: Proof = "none",
        message: str = "Merge",
        files: Mapping[str, str] | None = None,
    ) -> Self:
        """Merge; `files` then says what the result shall be. A conflict that `files` does not settle fails the test."""
        done = self.try_git("merge", "-q", "--no-ff", "--no-commit", *options, *revs)
        for path, text in (files or {}).items():
            self.write(path, text)
        assert files or done.code == 0, f"the merge does not work by itself:\n{done.said}"
        told = self._merge_trailers(proof, revs)
        text = message + ("\n\n" + "".join(f"{name}: {value}\n" for name, value in told) if told else "")
        self.git("add", "-A")
        self.git("commit", "-q", "-S" if proof in {"git", "both"} else "--no-gpg-sign", "-m", text)
        return self

    def with_driver(self, pattern: str = "*.md") -> Self:
        """Have Git merge state documents by the guard, as `install` and `init` set it up."""
        words = " ".join(f"%{letter}" for letter in "OABLP")
        self.git("config", "merge.codifica.driver", f"'{self.repo.python}' -I -m codifica_guard merge-driver {words}")
        attributes = self.folder / ".git" / "info" / "attributes"
        attributes.parent.mkdir(exist_ok=True)
        attributes.write_text(f"{pattern} merge=codifica\n")
        return self

    def _merge_trailers(self, proof: Proof, revs: Sequence[str]) -> list[tuple[str, str]]:
        if proof not in {"trailers", "both"}:
            return []
        self.git("add", "-A")
        return self.trailers(proof, parents=[self.head(), *(self.head(rev) for rev in revs)])

    def pull(self, *options: str) -> Self:
        """Pull main, with a merge that Git makes where one is needed."""
        self.git("pull", "-q", "--no-edit", *options)
        return self

    # -- pushes

    def push(self, *specs: str, options: Sequence[str] = (), env: Mapping[str, str] | None = None) -> Push:
        """Push by plain Git: HEAD to main where nothing is said."""
        wanted: dict[str, str | None] = {}
        full = []
        for spec in specs or ("HEAD:main",):
            source, _, target = spec.removeprefix("+").partition(":")
            name = target if target.startswith("refs/") else f"refs/heads/{target}"
            wanted[name] = self.head(source) if source else None
            full.append(f"{'+' if spec.startswith('+') else ''}{source}:{name}")
        return self._push([*options, "origin", *full], wanted, env)

    def push_as(self, *argv: str, wanted: Mapping[str, str | None]) -> Push:
        """Push by `git push` and just these words; `wanted` says what ought to come of it."""
        return self._push(argv, dict(wanted), None)

    def _push(self, argv: Sequence[str], wanted: dict[str, str | None], env: Mapping[str, str] | None) -> Push:
        before = self.repo.refs()
        done = self.try_git("push", *argv, env=env)
        return Push(
            code=done.code,
            output=done.said,
            before=before,
            after=self.repo.refs(),
            wanted=wanted,
            guarded=self.repo.workshop.guarded,
            undo=lambda: (self.repo.set_back(before), self.try_git("fetch", "-q", "--prune", "origin")),
        )

    def guard(self, *argv: str | Path, data: bytes | None = None, env: Mapping[str, str] | None = None) -> Done:
        """Run the guard's own program in this clone."""
        return guard(argv, cwd=self.folder, home=self.home, data=data, env=env, python=self.repo.python)

    # -- objects, byte by byte

    def object(self, kind: str, data: bytes) -> str:
        """Write an object as it is, whatever Git thinks of it."""
        return self.git("hash-object", "-t", kind, "-w", "--literally", "--stdin", data=data)

    def tree_with(self, entries: Mapping[str, tuple[str, str, str] | None], base: str = "HEAD") -> str:
        """The tree of `base` with entries of its root put in by hand: name to mode, type and id; None takes one out."""
        rows = [row for row in self.git("ls-tree", base).split("\n") if row.split("\t")[1] not in entries]
        rows += [f"{' '.join(entry)}\t{name}" for name, entry in entries.items() if entry]
        return self.git("mktree", data=("\n".join(rows) + "\n").encode())

    def raw_commit(
        self,
        *,
        headers: Sequence[tuple[str, str]] | None = None,
        extra: Sequence[tuple[str, str]] = (),
        tree: str | None = None,
        parents: Sequence[str] | None = None,
        message: bytes = b"Code by hand\n",
        proof: Proof = "none",
    ) -> str:
        """Write a commit byte by byte; `headers` replaces all of its headers, `extra` follows the committer."""
        line = f"{self.who.capitalize()} <{self.who}@example.org> {seconds()} +0000"
        usual = [
            ("tree", tree or self.head("HEAD^{tree}")),
            *(("parent", oid) for oid in parents or [self.head()]),
            ("author", line),
            ("committer", line),
        ]
        rows = [*(usual if headers is None else headers), *extra]

        def build() -> bytes:
            return (
                "".join(f"{name} {value}\n" for name, value in rows).encode("utf-8", "surrogateescape")
                + b"\n"
                + message
            )

        if proof == "git":
            armour = self.repo.keys.armoured(self.who, build(), "git").decode().rstrip("\n").replace("\n", "\n ")
            rows.append(("gpgsig" if self.repo.object_format == "sha1" else "gpgsig-sha256", armour))
        return self.object("commit", build())

    def at(self, oid: str) -> Self:
        """Let the current branch be at a commit, whatever its tree is like."""
        self.git("update-ref", "HEAD", oid)
        return self

    def remove_folder(self) -> None:
        """Lose the clone and all that was not pushed."""
        shutil.rmtree(self.folder)
