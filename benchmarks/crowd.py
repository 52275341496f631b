"""Many clients that push claims to one repository without pause."""

import shutil
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Final

from benchmarks.shop import BLOCK, Commit, Shop, claimed

TRIES: Final = 1000
"""How often one claim is pushed at most before something is wrong."""


class Crowd:
    """Clients with clones of their own, each with tasks that it wants, on copies of one shop."""

    def __init__(self, root: Path, clients: int, claims: int) -> None:
        self.shop = Shop(root, tasks=clients * claims)
        self._clients, self._claims = clients, claims
        self._home = root / "crowd"

    def run(self, program: list[str], after: list[str] | None) -> float:
        """Let all of them claim, with these hooks on the server: how many milliseconds a claim took that came in.

        A push that lost the race is made again on what is there then. In the end each task has its one claim.
        """
        shutil.rmtree(self._home, ignore_errors=True)
        self._home.mkdir()
        bare = self._home / "shop.git"
        shutil.copytree(self.shop.bare, bare, symlinks=True)
        place = Shop.at(self.shop.root, bare)
        place.set_hook("pre-receive", program)
        place.set_hook("post-receive", after)
        before = int(place.on_server("rev-list", "--count", "main"))
        clones = [self._home / str(number) for number in range(self._clients)]
        for clone in clones:
            place.run("git", "clone", "-q", str(bare), str(clone), cwd=self._home)
        start = time.perf_counter()
        with ThreadPoolExecutor(self._clients) as pool:
            list(pool.map(lambda pair: self._work(place, *pair), enumerate(clones)))
        took = time.perf_counter() - start
        total = self._clients * self._claims
        text = place.on_server("show", "main:work.md")
        if int(place.on_server("rev-list", "--count", "main")) != before + total or text.count("claimed_at:") != total:
            sys.exit("a push was lost, or a task has two holders")
        return took / total * 1000

    def _work(self, place: Shop, client: int, clone: Path) -> None:
        for number in range(client * self._claims, (client + 1) * self._claims):
            for _ in range(TRIES):
                if self._push(place, clone, number):
                    break
            else:
                sys.exit(f"FEAT-{number} was not claimed in {TRIES} pushes")

    def _push(self, place: Shop, clone: Path, number: int) -> bool:
        place.run("git", "fetch", "-q", "origin", cwd=clone)
        place.run("git", "reset", "-q", "--hard", "origin/main", cwd=clone)
        board = clone / "work.md"
        board.write_text(board.read_text().replace(BLOCK.format(n=number), claimed(number)))
        words = ["-c", "gpg.format=ssh", "-c", "user.name=Builder", "-c", "user.email=builder@example.org"]
        commit = ["commit", "-q", "-a", f"-S{place.root / 'builder'}", "-m", f"FEAT-{number}: claim"]
        place.run("git", *words, "-c", "gc.auto=0", *commit, cwd=clone)
        try:
            place.run("git", "push", "-q", "origin", "HEAD:main", cwd=clone)
        except subprocess.CalledProcessError as error:
            if "codifica-guard: push refused" in error.stderr:
                sys.exit(error.stderr)
            return False
        return True


def start_up(shop: Shop, program: list[str], commit: Commit) -> float:
    """Seconds that the guard takes from its start to the end of a push that it has nothing to judge in: the middle of nine."""
    run, times = shop.hook(program, commit), []
    for _ in range(9):
        start = time.perf_counter()
        run()
        times.append(time.perf_counter() - start)
    return sorted(times)[4]
