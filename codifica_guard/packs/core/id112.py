"""A human's act is signed on a commit that the human made just then, or by the signed trailer.

Why: rebase, cherry-pick, am and amend sign what somebody else wrote. With `commit.gpgsign` an agent's unsigned approval would
come out of a person's rebase with that person's good signature.

Refused: Git's signature of a human for what only humans may do, on a commit whose author line and committer line differ: other
people, or other times. Under `human_proof: trailer` Git's signature for it at all.

Accepted: `git commit -S`, `git revert -S`, `git merge -S`; the signed trailer, which survives a rebase; everything that an agent
may do too.

Do: if it was `git pull --rebase` that made it again, take it back and merge:

    git reset --keep ORIG_HEAD
    git pull --no-rebase
    git push

If you have looked at it and mean it, decide again; or by hand: `git commit --amend -S --no-edit --reset-author`.

    git reset --soft HEAD~1 && git restore --staged --worktree work.md
    git codifica approve ID
"""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.finding import Severity
from codifica_guard.model.identity import Proof
from codifica_guard.model.times import show_time
from codifica_guard.rules.advice import BY_HAND, undone
from codifica_guard.rules.commands import of_move
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID112", "not-freshly-signed", "codifica-guard, human acts"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

DIGITS: Final = 12
"""Digits of a time in seconds that are shown as a date."""
TRAILER: Final = ("git codifica sign HEAD && git push",)
PULL: Final = "was it git pull --rebase? git reset --keep ORIG_HEAD, then git pull --no-rebase && git push"
MEANT: Final = "if you mean it: "
AGAIN: Final = "git commit --amend -S --no-edit --reset-author && git push"


def check(view: CommitView) -> Iterator[Breach]:
    """Judge a human's act that only Git's signature vouches for."""
    if not view.by_human or not view.human_act or view.attribution.proof is not Proof.GIT:
        return
    if not view.attribution.fresh:
        yield Breach(
            found=f"{view.actor}'s Git signature on a commit that was not made just then ({_made(view)}), for a human's act: {view.human_act}",
            expected="for what only humans may do: a commit made by the signer there and then, or the signed trailer",
            do=tuple(_meant(view)),
        )
    elif view.policy.guard.human_proof == "trailer":
        yield Breach(
            found=f"{view.actor}'s Git signature alone, for a human's act: {view.human_act}",
            expected="the signed trailer: the policy asks for it (human_proof)",
            do=TRAILER,
        )


def _made(view: CommitView) -> str:
    """How author and committer line differ, in people's words."""
    author, committer = view.commit.author, view.commit.committer
    if author.rpartition(b">")[0] != committer.rpartition(b">")[0]:
        return f"written by {_name(author)}, committed by {_name(committer)}"
    return f"author time {_time(author)}, signed {_time(committer)}"


def _name(line: bytes) -> str:
    return line.partition(b" <")[0].decode("utf-8", "backslashreplace")


def _time(line: bytes) -> str:
    seconds = line.rpartition(b"> ")[2].split(b" ")[0]
    return show_time(int(seconds), exact=True) if seconds.isdigit() and len(seconds) <= DIGITS else "?"


def _meant(view: CommitView) -> Iterator[str]:
    """How the human says that it is meant: by the verb, where the commit moves one task and no more, else by hand."""
    trailer = view.policy.guard.human_proof == "trailer"
    if not trailer:
        yield PULL
    moved = view.changes[0] if len(view.changes) == 1 and not view.paths else None
    if moved is not None and moved.transition is not None:
        yield f"{MEANT}{undone(view, moved)} && {of_move(moved.transition, moved.id, agent=False)}"
        yield f"{BY_HAND}{AGAIN}"
    else:
        yield f"{MEANT}{AGAIN}"
    if trailer:
        yield from TRAILER
