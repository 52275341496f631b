"""Many signed commits that each change one of a hundred tasks, pushed and audited."""

import itertools
import shutil
import time
from pathlib import Path
from typing import Final, cast

from dulwich.objects import Blob, Commit, ObjectID, ShaFile, Tree
from dulwich.repo import Repo

from benchmarks.measure import Run
from benchmarks.shop import BLOCK, BOARD, Shop
from codifica_guard.identity.signing import find_signer
from codifica_guard.identity.sshsig import armour

TASKS: Final = 100
MORE: Final = 10
"""How many commits come after the audit that the next one builds on."""

BATCH: Final = 1000
"""How many commits a push brings."""


class History:
    """A shop with a long past, all of it pushed through the guard, and where that past stands."""

    def __init__(self, root: Path, commits: int) -> None:
        self.shop = Shop(root, tasks=TASKS)
        self._signer = find_signer(
            explicit=str(root / "alice"), environ={}, config_key=None, git_signing_key=None, ask=None
        )
        self._blocks = [BLOCK.format(n=number) for number in range(TASKS)]
        self._turn = itertools.count()
        self._clock = int(time.time()) - 2 * (commits + MORE)
        self.start = self._tip()
        for first in range(0, commits, BATCH):
            self.grow(min(BATCH, commits - first))
        self.shop.on_server("repack", "-adq")
        self.shop.git("fetch", "-q", "origin")
        self.shop.git("repack", "-adq")
        signers = self.shop.clone / ".codifica" / "allowed_signers"
        self.shop.git("config", "gpg.ssh.allowedSignersFile", str(signers))
        self.cache = self.shop.bare / "codifica-guard" / "audit"

    # -- what is measured

    def audit(self, *options: str) -> Run:
        """Audit the bare repository, as its admin does; what is found has to be sound."""
        return lambda: self.shop.guard("audit", "-q", *options, str(self.shop.bare))

    def show_signatures(self) -> Run:
        """Let Git verify the same commits."""
        span = f"{self.start}..origin/main"
        return lambda: self.shop.git("log", "--show-signature", "--format=%H", span)

    def audit_again(self) -> tuple[Run, Run]:
        """Audit behind ten commits more; and what has to be done before each time."""
        self.audit()()
        kept = self.shop.root / "cache"
        shutil.copytree(self.cache, kept)
        self.grow(MORE)

        def before() -> None:
            shutil.rmtree(self.cache)
            shutil.copytree(kept, self.cache)

        return self.audit(), before

    # -- the past

    def grow(self, commits: int) -> None:
        """Push so many commits more."""
        parent, made = ObjectID(self._tip().encode()), list[tuple[ShaFile, None]]()
        with Repo(str(self.shop.clone)) as repo:
            entries = cast("Tree", repo[cast("Commit", repo[parent]).tree]).items()
            for number in itertools.islice(self._turn, commits):
                blob, tree = Blob.from_string(self._document(number).encode()), Tree()
                for entry in entries:
                    tree.add(entry.path, entry.mode, blob.id if entry.path == b"work.md" else entry.sha)
                commit = self._signed(tree.id, parent, f"FEAT-{number % TASKS}: another priority\n")
                made += [(blob, None), (tree, None), (commit, None)]
                parent = commit.id
            repo.object_store.add_objects(made)
        self.shop.git("push", "-q", "origin", f"{parent.decode()}:main")

    def _document(self, number: int) -> str:
        which, turn = number % TASKS, number // TASKS
        word = ("high", "low", "critical", "normal")[turn % 4]
        self._blocks[which] = BLOCK.format(n=which).replace("priority: normal", f"priority: {word}")
        return BOARD.format(blocks="\n".join(self._blocks))

    def _signed(self, tree: ObjectID, parent: ObjectID, message: str) -> Commit:
        self._clock += 1
        made = Commit()
        made.tree, made.parents = tree, [parent]
        made.author = made.committer = b"Alice <alice@example.org>"
        made.author_time = made.commit_time = self._clock
        made.author_timezone = made.commit_timezone = 0
        made.message = message.encode()
        made.gpgsig = armour(self._signer.sign(made.as_raw_string(), "git")).strip().encode()
        return made

    def _tip(self) -> str:
        return self.shop.git("rev-parse", "origin/main")
