"""A patch that `git am` is about to apply, as the commit that it will be: judged, and signed where that launders nothing.

Git asks before it applies the patch, so the index does not hold it yet. What the patch makes of HEAD is found out in an index
of our own; where that takes more than the patch itself, the commit stays unsigned, and `sign` comes after it.
"""

import os
import shlex
import tempfile
from pathlib import Path

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.fresh import act_of
from codifica_guard.clone.hand import Hand
from codifica_guard.clone.program import try_git
from codifica_guard.clone.staged import LOOK, UNPROVEN, Staged, Stranger, drafted
from codifica_guard.engine.facts import Deed
from codifica_guard.model.commit import ACTOR, Commit
from codifica_guard.model.ids import ObjectId
from codifica_guard.model.policy import Policy
from codifica_guard.packs.core import id101

_FOLDER = "rebase-apply"
"""Where `git am` keeps what it is doing."""


def is_rebase(desk: Desk) -> bool:
    """Whether it is no mail that is applied, but the commits of a rebase."""
    return (_folder(desk) / "rebasing").exists()


def applied(desk: Desk, policy: Policy, message: bytes) -> Staged | None:
    """What the patch comes to behind HEAD; None where it cannot be told before Git has merged it.

    Args:
        desk: the clone.
        policy: the policy that counts.
        message: the commit's message as it will be stored.
    """
    tree = _tree(desk)
    if tree is None:
        return None
    parents = (desk.head,) if desk.head is not None else ()
    deed = Deed(parents, tree, message)
    return drafted(desk, policy, deed, _stranger(desk, policy), unproven=UNPROVEN | {id101.CODE})


def _stranger(desk: Desk, policy: Policy) -> Stranger:
    """A patch is text that anybody may have written, whoever it says has."""

    def stranger(commit: Commit, hand: Hand) -> tuple[str, ...]:
        named = desk.world.trailers(commit).values(ACTOR)
        if named and named[0] != hand.actor.encode():
            other = named[0].decode("utf-8", "backslashreplace")
            return (f"not signed: it is {other}'s, whose signature does not fit here",)
        act = act_of(desk, commit, policy, hand.actor)
        return () if act is None else (f"not signed: {act}: it comes from a patch (ID112)", LOOK)

    return stranger


def _folder(desk: Desk) -> Path:
    return Path(os.fsdecode(desk.location.git_dir), _FOLDER)


def _tree(desk: Desk) -> ObjectId | None:
    """The tree that the patch makes of HEAD's; None where it does not apply as it is."""
    folder = _folder(desk)
    try:
        options = [word for word in shlex.split((folder / "apply-opt").read_text()) if word != "--reject"]
        three = (folder / "threeway").read_text().strip() == "t"
    except (OSError, ValueError):
        return None
    with tempfile.TemporaryDirectory(prefix="codifica-guard-", dir=folder.parent) as place:
        where = {"GIT_INDEX_FILE": str(Path(place, "index").absolute())}
        start = ("read-tree", "HEAD") if desk.head is not None else ("read-tree", "--empty")
        for extra in ((), ("--3way",)) if three else ((),):
            if try_git(desk.folder, *start, environ=where).code:
                return None
            words = ("apply", "--cached", "--whitespace=nowarn", *extra, *options, str(folder / "patch"))
            if try_git(desk.folder, *words, environ=where).code == 0:
                return ObjectId(desk.git("write-tree", environ=where))
    return None
