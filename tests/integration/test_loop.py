"""The loop of docs/agents.md, as it stands there, drives agents to the end of the work."""

import os
import re
import subprocess
from pathlib import Path

import pytest

from tests.building import Repo
from tests.building.machine import LIMIT, environment
from tests.building.sessions import pushed

pytestmark = pytest.mark.guard

PAGE = Path(__file__).resolve().parents[2] / "docs" / "agents.md"

WORK = """#!/bin/sh
task=$(cat)
$(printf '%s\\n' "$task" | sed -n 's/^branch  //p' | head -n 1) >&2 || exit 1
mkdir -p src && echo "$1" > "src/$1.txt" && git add -A
git commit -q -m "$1: work" && git push -q -u origin HEAD >&2 || exit 1
echo "Made src/$1.txt"
"""


def loops() -> list[str]:
    """The shell examples of the page."""
    return re.findall(r"^```sh\n(.*?)^```$", PAGE.read_text(), re.MULTILINE | re.DOTALL)


def loop() -> str:
    """The loop."""
    [found] = [text for text in loops() if "claim --next" in text]
    return found


def programs(repo: Repo, work: str) -> Path:
    """A folder with `git-codifica`, as the package installs it, and with the agent."""
    folder = repo.root / "bin"
    folder.mkdir()
    for name, text in (("git-codifica", f'#!/bin/sh\nexec {repo.python} -m codifica_guard "$@"\n'), ("work", work)):
        (folder / name).write_text(text)
        (folder / name).chmod(0o755)
    return folder


def start(repo: Repo, who: str, folder: Path) -> "subprocess.Popen[str]":
    """The loop in a clone of somebody's."""
    clone = repo.clone(who)
    env = environment(clone.home) | {"PATH": f"{folder}:{os.environ['PATH']}", "WORK": str(folder / "work")}
    return subprocess.Popen(
        ["/bin/sh", "-c", loop()],
        cwd=clone.folder,
        env=env,
        text=True,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
    )


def test_the_loop_is_short() -> None:
    assert len(loop().splitlines()) <= 11


def test_two_agents_do_twelve_tasks_that_need_each_other_and_then_end(repo: Repo) -> None:
    repo.policy(writer_tokens="required", self_approval="warn")
    repo.rules(max_concurrent_tasks_per_agent=1, branch_pattern="{type}/{id}-{slug}")
    needs = {number: [f"FEAT-{n}" for n in (number - 4, number - 3) if n > 0] for number in range(1, 13)}
    for number, before in needs.items():
        repo.task(f"FEAT-{number}", depends_on=before)
    folder = programs(repo, WORK)
    running = [start(repo, who, folder) for who in ("builder", "writer")]
    said = [process.communicate(timeout=LIMIT)[0] for process in running]
    alice = repo.clone("alice").fresh()
    states = {ident: alice.fields(ident)["state"] for ident in (f"FEAT-{number}" for number in needs)}
    assert set(states.values()) == {"done"}, "\n----\n".join([str(states), *said])
    owners = [alice.fields(f"FEAT-{number}")["owner"] for number in needs]
    assert set(owners) == {"agent:builder", "agent:writer"}
    for process, text in zip(running, said, strict=True):
        assert process.returncode == 0
        assert "nothing is free for you now" in text
        assert "CD213" in text
    branches = {name for name in repo.refs() if name.startswith("refs/heads/build/FEAT-")}
    assert len(branches) == 12, "all work is where a reviewer can see it"


def test_work_that_was_returned_goes_on_where_it_was_pushed_from_another_clone(repo: Repo) -> None:
    repo.policy(self_approval="warn").rules(branch_pattern="{type}/{id}-{slug}").task("FEAT-1")
    folder, first = programs(repo, WORK), repo.clone("builder", "first")
    assert repo.clone("builder").folder.is_dir(), "it is made before there is any work to fetch"
    assert first.guard("claim", "FEAT-1").code == 0
    pushed(first)
    assert first.guard("submit", "FEAT-1", "--summary", "Half of it").code == 0
    repo.clone("alice").fresh().back("FEAT-1", reason="And the rest").commit("FEAT-1: return").push().accepted()
    said, _ = start(repo, "builder", folder).communicate(timeout=LIMIT)
    alice = repo.clone("alice").fresh()
    assert alice.fields("FEAT-1")["state"] == "done", said
    made = repo.on_server("ls-tree", "-r", "--name-only", "build/FEAT-1-task-feat-1").splitlines()
    assert {"src/part0.py", "src/FEAT-1.txt"} <= set(made)


def test_a_failure_becomes_a_request_and_ends_the_loop_of_an_agent_at_its_limit(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1").task("FEAT-2")
    folder = programs(repo, "#!/bin/sh\necho needs the SMTP password\nexit 1\n")
    process = start(repo, "builder", folder)
    said, _ = process.communicate(timeout=LIMIT)
    assert "FEAT-1 (waits for a human); nothing more before a human answers" in said
    told = repo.clone("alice").fresh().fields("FEAT-1")["execution_notes"][-1]
    assert told["summary"] == "request: block: needs the SMTP password"
    assert repo.clone("alice").fields("FEAT-2")["state"] == "todo"


def test_every_shell_example_of_the_page_can_be_parsed() -> None:
    for text in loops():
        done = subprocess.run(["/bin/sh", "-n"], input=text, text=True, capture_output=True, check=False)
        assert (done.returncode, done.stderr) == (0, "")
