"""What becomes of a push when the server's own machine lets it down: killed hooks, a full disk, nobody who listens."""

import sys
from collections.abc import Mapping

import pytest

from tests.building import Repo
from tests.building.machine import run

pytestmark = pytest.mark.guard

WAYS: Mapping[str, str] = {
    "killed while it is judged": "import codifica_guard.hooks.court as m; m.judge = die",
    "killed before the file is there": "import codifica_guard.audit.pending as m; m._create = die",
    "killed with half a file": "import codifica_guard.audit.pending as m; m.write_receipt = lambda _: b'x' * 70; r = os.replace; "
    "os.replace = lambda a, b: die() if b'pending' in b else r(a, b)",
    "killed with the file there": "import codifica_guard.audit.pending as m; w = m.write; m.write = lambda *a: (w(*a), die())",
    "a full disk": "import resource; signal.signal(signal.SIGXFSZ, signal.SIG_IGN); resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))",
}


def broken(repo: Repo, code: str) -> None:
    hook = repo.bare / "hooks" / "pre-receive"
    hook.unlink()
    hook.write_text(
        f"#!{sys.executable} -I\nimport os, signal, sys\ndie = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n{code}\n"
        "from codifica_guard.hooks.server import main\nsys.exit(main(['pre-receive']))\n"
    )
    hook.chmod(0o755)


@pytest.mark.parametrize("way", WAYS)
def test_case_13_of_a_killed_hook_or_a_full_disk_nothing_is_half_written_and_the_next_push_works(
    repo: Repo, way: str
) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.code("first", path="src/first.py").push().accepted(silent=True)
    hook = repo.bare / "hooks" / "pre-receive"
    kept, before = hook.read_bytes(), repo.on_server("rev-parse", "refs/codifica/receipts")
    broken(repo, WAYS[way])
    alice.code("second", path="src/second.py").push().refused_by_git()
    assert repo.on_server("rev-parse", "refs/codifica/receipts") == before
    repo.on_server("fsck", "--strict")
    hook.write_bytes(kept)
    alice.push().accepted(silent=True)
    assert (
        repo.on_server("log", "--format=%s", "refs/codifica/receipts")
        .splitlines()[0]
        .startswith("receipt 2: refs/heads/main ")
    )
    assert repo.on_server("rev-list", "--count", "refs/codifica/receipts") == "2"


def test_case_13_a_file_in_the_place_of_the_folder_refuses_and_moves_nothing(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    place = repo.found().bare / "codifica-guard" / "pending"
    place.write_text("in the way")
    alice.code().push().refused("GD101", "cannot keep what the receipt of the push will say")
    place.unlink()
    alice.push().accepted(silent=True)


@pytest.mark.parametrize(("legal", "code"), [(True, 0), (False, 1)])
def test_case_13_where_nobody_listens_the_exit_code_stays_the_verdicts(repo: Repo, legal: bool, code: int) -> None:  # noqa: FBT001 - a row
    alice = repo.task("FEAT-1").clone("alice")
    alice.code() if legal else alice.edit("FEAT-1", title="x").commit("FEAT-1: x", proof="none")
    alice.push("HEAD:topic").accepted()
    line = f"{repo.tip()} {alice.head()} refs/heads/main\n"
    full = run(
        ["sh", "-c", "exec hooks/pre-receive 2>/dev/full"],
        cwd=repo.bare,
        home=repo.root,
        data=line.encode(),
        env={"GIT_DIR": "."},
        check=False,
    )
    assert full.code == code
