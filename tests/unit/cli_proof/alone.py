"""A shell that has git, ssh-keygen and the standard tools, and nothing else: what a reader of a proof has."""

import shutil
import subprocess
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

TOOLS: Final = (
    "git", "ssh-keygen", "sh", "head", "tail", "cut", "tr", "fold", "base64", "od", "mktemp", "sha256sum", "cat", "test", "printf",
)  # fmt: skip
"""Besides git and ssh-keygen, the shell and coreutils."""


class Alone:
    """The shell."""

    def __init__(self, folder: Path) -> None:
        self.tools = folder / "tools"
        self.tools.mkdir()
        for name in TOOLS:
            found = shutil.which(name)
            assert found is not None, name
            (self.tools / name).symlink_to(found)

    def run(self, script: str, cwd: Path, shell: str = "sh", *words: str | Path) -> "subprocess.CompletedProcess[str]":
        """Run a script, without any variable but the path of the tools."""
        program = shutil.which(shell)
        assert program is not None
        return subprocess.run(
            [program, "-c", script, shell, *words],
            cwd=cwd,
            env={"PATH": str(self.tools)},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=120,
        )

    def failing(self, proof: Mapping[str, Any], cwd: Path, shell: str = "sh", **other: str) -> list[int]:
        """The numbers of the facts whose printed commands fail, each once.

        Args:
            proof: what `log --proof --json` says.
            cwd: the clone.
            shell: which shell.
            other: what commits are, instead of what they are called.
        """
        lines = [*proof["start"], *(f"{name}={oid}" for name, oid in other.items())]
        for fact in proof["facts"]:
            for command in fact["commands"]:
                lines += [f'{{ {command}\n}} > "$d/out" 2>&1 || echo {fact["number"]}']
        done = self.run("\n".join(lines), cwd, shell)
        assert done.stderr == "", done.stderr
        assert done.returncode == 0
        return sorted({int(line) for line in done.stdout.split()})

    def check(self, folder: Path, clone: Path, shell: str = "sh") -> tuple[int, list[str]]:
        """The exit code of a folder's script, and the facts that fail, as `2 the signature: what fails`."""
        program = shutil.which(shell)
        assert program is not None
        done = subprocess.run(
            [program, folder / "check.sh", clone],
            cwd=folder.parent,
            env={"PATH": str(self.tools)},
            capture_output=True,
            text=True,
            errors="replace",
            check=False,
            timeout=120,
        )
        return done.returncode, failed(done.stdout.splitlines())


def failed(lines: Sequence[str]) -> list[str]:
    """What a script says of what fails, behind the fact that it is about."""
    found, fact = [], ""
    for line in lines:
        if not line.startswith(" "):
            fact = line
        elif line.startswith("  FAIL"):
            found.append(f"{fact}: {line.removeprefix('  FAIL').strip()}")
    return found
