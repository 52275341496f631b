"""A proof as commands, and as a folder: its files, a script that holds them against a clone, and a page that says what is what."""

from collections.abc import Iterator
from pathlib import Path
from typing import Final

from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.report.plain import plain
from codifica_guard.report.shell import word
from codifica_guard.verbs.proof import Fact, Proven
from codifica_guard.verbs.sheet import Row

SCRIPT: Final = "check.sh"
PAGE: Final = "README.txt"

PRINTED_LINES: Final = 40
"""Lines of a command that is printed; what is longer is for the folder."""

START: Final = (
    "export GIT_NO_REPLACE_OBJECTS=1 GIT_GRAFT_FILE=/nonexistent LC_ALL=C TZ=UTC0",
    "d=$(mktemp -d)",
)
"""What the printed commands begin with: objects as they are, times in UTC, a folder for files."""


def commands(fact: Fact) -> Iterator[str]:
    """The commands of a fact for a shell in the clone; each succeeds where the fact holds, or writes a file for the next ones."""
    for row in fact.rows:
        yield f'{row.command} > "$d/{row.file}"' if row.file is not None else row.command


def is_long(fact: Fact) -> bool:
    """Whether the commands of a fact are more than anybody would want to read in a terminal."""
    return any(row.command.count("\n") >= PRINTED_LINES for row in fact.rows)


def check_folder(path: Path) -> None:
    """Nothing of the user's is in the way of a folder.

    Raises:
        UsageError: there is something.
    """
    try:
        if not path.is_dir():
            if path.exists() or path.is_symlink():
                raise UsageError(f"{plain(str(path))} is there and is no folder: nothing was written")
            if not path.absolute().parent.is_dir():
                raise UsageError(f"{plain(str(path))} cannot be made: the folder above it is not there")
        elif any(path.iterdir()):
            raise UsageError(f"{plain(str(path))} is not empty: nothing was written")
    except (OSError, ValueError) as error:
        raise UsageError(f"{plain(str(path))} cannot be looked at: {_why(error)}") from error


def write_folder(path: Path, proven: Proven) -> tuple[str, ...]:
    """Write a proof into a folder that is empty or not there; the names of its files.

    Raises:
        UsageError: something is in the way.
        RepositoryError: it cannot be written.
    """
    check_folder(path)
    files = {
        **proven.files,
        SCRIPT: script(proven).encode("ascii"),
        PAGE: page(proven).encode("utf-8", "backslashreplace"),
    }
    try:
        path.mkdir(exist_ok=True)
        for name, content in files.items():
            with (path / name).open("xb") as file:  # never over something that came there meanwhile
                file.write(content)
        (path / SCRIPT).chmod(0o755)
    except (OSError, ValueError) as error:
        raise RepositoryError(f"{plain(str(path))} cannot be written: {_why(error)}") from error
    return tuple(sorted(files))


def script(proven: Proven) -> str:
    """The script: each check once, in order; what hangs on a check that failed is passed over."""
    parts = [_HEAD, *(f"{line}\n" for line in proven.names)]
    for fact in proven.facts:
        parts.append(f"\nfact {word(f'{fact.number} {fact.name}')}\n")
        parts += [_check(row) for row in fact.rows]
        if not fact.holds:
            parts.append("missing\n")
        elif not fact.rows:
            parts.append("nothing\n")
    return "".join((*parts, _TAIL))


def _check(row: Row) -> str:
    if row.file is None:
        command = f"{{ {row.command}\n}} > /dev/null 2>&1"
    else:
        command = f'test "$({row.command} | sha256sum)" = "$(sha256sum < "$d/{row.file}")" 2> /dev/null'
    says = row.says if row.file is None else f"{row.file}: {row.says}"
    return f"$go || {{ {command}\n  said $? {word(says)}\n}}\n"


def page(proven: Proven) -> str:
    """The page."""
    rows = [f"{proven.question}", f"{proven.answer}", ""]
    for fact in proven.facts:
        rows.append(f"{fact.number} {fact.name}{'' if fact.holds else ' - DOES NOT HOLD'}")
        rows += [f"  {line}" for line in fact.lines]
        rows += [f"    {row.file or 'test'}: {row.says}" for row in fact.rows]
        rows.append("")
    return "\n".join((*rows, _ABOUT))


def _why(error: Exception) -> str:
    return (error.strerror if isinstance(error, OSError) else None) or str(error)


_HEAD: Final = r"""#!/bin/sh
# Holds the files of this folder against a clone, with git, ssh-keygen and the standard tools alone.
# usage: sh check.sh [CLONE]      without CLONE: the clone around the folder that you are in
# exit code: 0 all of it holds, 1 something does not, 2 it cannot be looked at
repository=${1:-.}
d=${0%/*}
[ "$d" = "$0" ] && d=.
case $d in /*) ;; *) d=$PWD/$d ;; esac
unset GIT_DIR GIT_WORK_TREE GIT_OBJECT_DIRECTORY GIT_ALTERNATE_OBJECT_DIRECTORIES
GIT_NO_REPLACE_OBJECTS=1 GIT_GRAFT_FILE=/nonexistent LC_ALL=C TZ=UTC0
export GIT_NO_REPLACE_OBJECTS GIT_GRAFT_FILE LC_ALL TZ
git() { command git -C "$repository" "$@"; }
for tool in git ssh-keygen head tail cut tr fold base64 od mktemp; do
  command -v "$tool" > /dev/null || { echo "$tool is not there"; exit 2; }
done
command -v sha256sum > /dev/null || sha256sum() { shasum -a 256 "$@"; }
git rev-parse --git-dir > /dev/null || exit 2
failed=0
fact() { go=false; printf '%s\n' "$1"; }
said() {
  if [ "$1" -eq 0 ]; then
    printf '  ok    %s\n' "$2"
  else
    printf '  FAIL  %s\n' "$2"
    failed=1 go=true
  fi
}
nothing() { printf '  -     nothing to look at\n'; }
missing() { printf '  FAIL  it did not hold when this folder was made: README.txt says why\n'; failed=1; }
"""

_TAIL: Final = """
[ $failed -eq 0 ] && echo 'all of it holds' || echo 'something does not hold'
exit $failed
"""

_ABOUT: Final = """HOW TO CHECK THIS

Run `sh check.sh CLONE`, or `sh FOLDER/check.sh` inside a clone. It needs git, ssh-keygen and the standard tools of a Unix
system, and nothing of codifica-guard; read it first, it is made to be read. Each file is made again from the clone and held
against the one here before a signature over it is looked at: so you rely on git's objects and on ssh-keygen, and not on whoever
gave you this folder.

What you have to know from elsewhere is one commit, the introduction (fact 6): all keys were listed by somebody whose key was listed
before, back to that commit. Ask a maintainer for its id.

payload         what a signature by trailers covers: what the commit does to tasks (record: SHA-256 of the task's own lines
                before and after), to files (path: mode and object before and after), to the text around tasks (frame), and its
                own trailers. check.sh makes it again from the clone, line by line
signed          what Git's own signature covers: the commit without the signature
signature       the signature, as ssh-keygen takes it
signers         OpenSSH's allowed_signers, as the policy before the commit had it
guard.json      the policy that counted
writer.*        the session that held the task: its key stands in the task, its signature in the commit
listing1.* ...  the commits that listed the keys: this one's, that one's, and so on
handin.*        the commit that handed the task in
receipt.*       what the server wrote when it saw the commit
anchor.*        the introduction
"""
"""What stands below the facts."""
