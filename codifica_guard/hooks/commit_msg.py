"""`commit-msg`: judges what is about to be committed as the server will, and signs it."""

import os
from pathlib import Path

from codifica_guard.clone.desk import open_desk
from codifica_guard.clone.draft_message import cut, stored
from codifica_guard.clone.program import setting
from codifica_guard.clone.signing import OURS
from codifica_guard.clone.staged import staged
from codifica_guard.git.message import add_trailers
from codifica_guard.hooks.boundary import tell
from codifica_guard.report.terminal import verdict

MORE = "git codifica check --staged"


def run(arguments: list[str], now: int) -> int:
    """Judge and sign the commit whose message is in a file; 1 where the server would refuse it."""
    path = Path(arguments[0])
    with open_desk(now) as desk:
        policy = desk.policy
        if policy is None:
            return 0
        edited = os.environ.get("GIT_EDITOR") != ":"  # Git says so to hooks where no editor was open
        comment = setting(desk.folder, "core.commentString") or setting(desk.folder, "core.commentChar") or "#"
        text, behind = cut(path.read_bytes(), comment, edited=edited)
        made = staged(desk, policy, stored(text, comment, edited=edited))
        passes = made.verdict.accepted or made.unproven
        tell(
            verdict(
                made.verdict,
                "commit" if made.verdict.accepted or not passes else "a push of this would be",
                MORE,
                draft=True,
            )
        )
        if not passes:
            return 1
        for line in made.notes:
            tell(f"codifica-guard: {line}\n")
        if made.trailers:
            path.write_bytes(add_trailers(text, made.trailers, drop=OURS) + behind)
    return 0
