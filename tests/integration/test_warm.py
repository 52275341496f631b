"""The loaded guard that tests fork their processes from: what it does is what the guard does that is started by itself."""

import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from tests.building import Clone, Repo, Workshop
from tests.building.machine import Done, environment, run

CODE = "import os; print(os.environ.get('CODIFICA_ACTOR'))"


@pytest.fixture
def warm(workshop: Workshop) -> Path:
    """The interpreter."""
    if workshop.warm is None:
        pytest.skip("every process is started by itself here")
    return workshop.warm.start()


def interpreter(clone: Clone) -> str:
    """The interpreter that a clone's hooks name."""
    text = (clone.folder / ".git" / "hooks" / "pre-push").read_text()
    return text.partition("guard_python=")[2].split("\n")[0].strip("'")


def both(warm: Path, clone: Clone, *words: str, data: bytes | None = None, env: dict[str, str] | None = None) -> Done:
    """What the two interpreters make of the same words, which has to be the same."""
    ends = [
        run([python, *words], cwd=clone.folder / "src", home=clone.home, data=data, env=env, check=False)
        for python in (warm, sys.executable)
    ]
    assert ends[0] == ends[1]
    return ends[0]


@pytest.mark.parametrize(
    "words",
    [
        ("--version",),
        ("show", "FEAT-1", "--json"),
        ("show", "FEAT-9"),
        ("show",),
        ("frobnicate",),
        ("status", "--actor"),
        ("hook", "pre-push", "origin", "x y"),
    ],
)
@pytest.mark.parametrize("isolated", [True, False])
def test_streams_and_code_are_the_same(warm: Path, repo: Repo, words: tuple[str, ...], isolated: bool) -> None:  # noqa: FBT001 - a parameter of the test
    alice = repo.task("FEAT-1", title="Größe").clone("alice")
    both(warm, alice, *(["-I"] if isolated else []), "-m", "codifica_guard", *words, data=b"refs/heads/main\n")


def test_what_is_no_call_of_the_guard_goes_to_the_real_one(warm: Path, repo: Repo) -> None:
    assert both(warm, repo.clone("alice"), "-I", "-c", CODE, env={"CODIFICA_ACTOR": "bob"}).text == "bob"


@pytest.mark.parametrize(
    ("before", "after", "is_warm"),
    [
        ("", "", True),
        ("", "</dev/null >out 2>&1", True),
        ("umask 077;", "", True),
        ("LC_ALL=C", "", False),
        ("PYTHONUTF8=1", "", False),
        ("ulimit -n 200;", "", False),
        ("", "<&-", False),
        ("", ">&-", False),
        ("", "0>in", False),
    ],
)
def test_what_a_fork_cannot_be_given_starts_the_real_one(
    warm: Path,
    repo: Repo,
    before: str,
    after: str,
    is_warm: bool,  # noqa: FBT001 - a parameter of the test
) -> None:
    alice = repo.clone("alice")
    run(
        ["sh", "-c", f"{before} '{warm}' -m codifica_guard install {after}"],
        cwd=alice.folder, home=alice.home, check=False,
    )  # fmt: skip
    assert interpreter(alice) == (str(warm) if is_warm else sys.executable)


def test_a_terminal_is_left_to_the_real_one(warm: Path, repo: Repo) -> None:
    alice = repo.clone("alice")
    master, slave = pty.openpty()
    words = [str(warm), "-m", "codifica_guard", "install"]
    subprocess.run(words, cwd=alice.folder, env=environment(alice.home), stdin=slave, check=True, capture_output=True)
    os.close(slave)
    os.close(master)
    assert interpreter(alice) == sys.executable


def test_folder_environment_and_umask_are_those_of_the_caller(warm: Path, repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    assert run([warm, "-m", "codifica_guard", "show", "FEAT-1"], cwd=alice.folder, home=alice.home).code == 0
    assert run([warm, "-m", "codifica_guard", "show", "FEAT-1"], cwd=Path("/"), home=alice.home, check=False).code == 3
    told = run([warm, "-m", "codifica_guard", "whoami"], cwd=alice.folder, home=alice.home, env={"CODIFICA_ACTOR": "x"})  # fmt: skip
    assert "is not x's here" in told.said
    modes = []
    for python, clone in ((warm, repo.clone("alice", "one")), (sys.executable, repo.clone("alice", "two"))):
        run(["sh", "-c", f"umask 027; '{python}' -m codifica_guard install"], cwd=clone.folder, home=clone.home)
        run(["sh", "-c", f"umask 027; '{python}' -m codifica_guard claim FEAT-1 --dry-run"], cwd=clone.folder, home=clone.home)  # fmt: skip
        git_dir = clone.folder / ".git"
        modes.append(
            {path.relative_to(git_dir): path.stat().st_mode for path in (git_dir / "codifica-guard").rglob("*")}
        )
    assert modes[0] == modes[1]
    assert modes[0]


def test_many_at_once_get_their_own_answers(warm: Path, repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    words = [[warm, "-m", "codifica_guard", "show", name] for name in ("FEAT-1", "FEAT-2") * 8]
    running = [
        subprocess.Popen(one, cwd=alice.folder, env=environment(alice.home), stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        for one in words
    ]  # fmt: skip
    ends = [(*process.communicate(timeout=60), process.returncode) for process in running]
    assert [code for _, _, code in ends] == [ends[0][2], ends[1][2]] * 8
    assert ends[0][2] == 0 != ends[1][2]
    assert {b"FEAT-1" in out for out, _, _ in ends[::2]} == {True}


@pytest.mark.cold
def test_a_test_about_processes_has_real_ones(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.guard("install")
    assert (repo.python, interpreter(alice)) == (Path(sys.executable), sys.executable)
