"""`commit-msg` and `applypatch-msg`: judge what is about to be committed as the server will, and sign it."""

import os
from pathlib import Path

from codifica_guard.clone.applied import applied, is_rebase
from codifica_guard.clone.desk import open_desk
from codifica_guard.clone.draft_message import cut, stored
from codifica_guard.clone.signing import OURS
from codifica_guard.clone.staged import Staged, staged
from codifica_guard.git.message import add_trailers
from codifica_guard.hooks.boundary import tell
from codifica_guard.report.terminal import verdict

MORE = "git codifica check --staged"
PATCH = "git am --show-current-patch"


def run(arguments: list[str], now: int) -> int:
    """Judge and sign the commit whose message is in a file; 1 where the server would refuse it."""
    path = Path(arguments[0])
    with open_desk(now) as desk:
        policy = desk.policy
        if policy is None:
            return 0
        edited = os.environ.get("GIT_EDITOR") != ":"  # Git says so to hooks where no editor was open
        comment = desk.setting("core.commentString") or desk.setting("core.commentChar") or "#"
        text, behind = cut(path.read_bytes(), comment, edited=edited)
        made = staged(desk, policy, stored(text, comment, edited=edited))
        if not _passes(made, "commit", MORE):
            return 1
        _sign(path, made, text, behind)
    return 0


def run_applypatch(arguments: list[str], now: int) -> int:
    """Judge and sign the patch whose message is in a file, before `git am` applies it; 1 where the server would refuse it."""
    path = Path(arguments[0])
    with open_desk(now) as desk:
        policy = desk.policy
        if policy is None or is_rebase(desk):  # behind a rebase post-rewrite looks at all of it
            return 0
        text = path.read_bytes()
        made = applied(desk, policy, text)
        if made is None:
            tell(
                "codifica-guard: not checked and not signed: it needs a merge; once it is in: git codifica check HEAD\n"
            )
            return 0
        if not _passes(made, "patch", PATCH):
            tell("codifica-guard: it was not applied; without it: git am --skip, and without all: git am --abort\n")
            return 1
        _sign(path, made, text, b"")
    return 0


def _passes(made: Staged, what: str, more: str) -> bool:
    """Tell what the server would say, and what its maker ought to know; whether the commit may be made."""
    passes = made.verdict.accepted or made.unproven
    told = what if made.verdict.accepted or not passes else "a push of this would be"
    tell(verdict(made.verdict, told, more, draft=True))
    for line in made.notes if passes or not made.trailers else ():
        tell(f"codifica-guard: {line}\n")
    return passes


def _sign(path: Path, made: Staged, text: bytes, behind: bytes) -> None:
    if made.trailers:
        path.write_bytes(add_trailers(text, made.trailers, drop=OURS) + behind)
