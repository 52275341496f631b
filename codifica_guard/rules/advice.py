"""Commands that rules advise: for the commit that was judged, if it is the newest one; reports adapt them to others."""

import shlex

from codifica_guard.model.ids import RepoPath, show_path

AMEND = "git commit --amend --no-edit"


def quoted(name: bytes) -> str:
    """A path or a ref as one word of a shell, so that a pushed name cannot become a command of its own."""
    return shlex.quote(show_path(name))


def put_back(path: RepoPath | None) -> tuple[str, ...]:
    """Take a file back to what it was before the commit; `path` is None where none is known."""
    name = quoted(path) if path is not None else "FILE"
    return (f"put it back: git restore --source=HEAD~1 --staged --worktree -- {name}", AMEND)


def put_parts_back(path: RepoPath | None) -> tuple[str, ...]:
    """Take some lines of a file back to what they were before the commit."""
    name = quoted(path) if path is not None else "FILE"
    return (f"put the lines back: git restore --source=HEAD~1 -p -- {name}", "git commit -a --amend --no-edit")
