"""Whether a human's act is the human's own, made here and now: what no server can see of a signed trailer (ID112)."""

import os
from pathlib import Path

from codifica_guard.clone.desk import Desk
from codifica_guard.clone.signing import holds, look
from codifica_guard.engine.apply import finding, human_act
from codifica_guard.errors import GuardError, RepositoryError
from codifica_guard.model.commit import SIGNATURE, Commit
from codifica_guard.model.finding import Finding
from codifica_guard.model.ids import ObjectId, Principal, is_human, short
from codifica_guard.model.policy import Policy
from codifica_guard.packs.all import REGISTRY
from codifica_guard.packs.core import id112
from codifica_guard.rules.rule import Breach

REFLOG = 1_000
"""Entries of HEAD's reflog that are searched for a commit as it was before a rebase."""


def act_of(desk: Desk, commit: Commit, policy: Policy, actor: Principal) -> str | None:
    """What a human does in a commit that an agent may not; None for an agent, and where there is nothing of it."""
    if not is_human(actor):
        return None
    expansion, _ = look(desk, commit, policy)
    return human_act(expansion, policy, actor, REGISTRY)


def own_mail(desk: Desk) -> bytes | None:
    """The mail that Git writes for whoever works here; None where it does not know one."""
    try:
        return mail_of(desk.git("var", "GIT_COMMITTER_IDENT"))
    except RepositoryError:
        return None


def mail_of(person: bytes) -> bytes:
    """The mail in `Name <mail> ...`."""
    return person.rpartition(b">")[0].rpartition(b"<")[2]


def foreign(desk: Desk, commit: Commit, policy: Policy, actor: Principal) -> str | None:
    """Why a human's trailer may not be put on a commit: it holds a human's act, and is not freshly that human's.

    It is, if he made it just then (author line and committer line are equal, the mail is Git's own here), or if the
    signature that it carries held on a commit with the same moves that this clone had before a rebase.
    """
    act = act_of(desk, commit, policy, actor)
    if act is None or renews(desk, commit, policy, actor):
        return None
    mail = own_mail(desk)
    if commit.author != commit.committer:
        return f"{act}, in a commit whose author line and committer line differ"
    if mail is None or mail_of(commit.author) != mail:
        return f"{act}, in a commit by <{mail_of(commit.author).decode('utf-8', 'backslashreplace')}>"
    return None


def renews(desk: Desk, commit: Commit, policy: Policy, actor: Principal) -> bool:
    """Whether a commit's dead trailer held on what was made anew since: of this actor, with the same moves, in the reflog.

    A dead signature alone says nothing: anybody can copy one from another commit.
    """
    values = desk.world.trailers(commit).values(SIGNATURE)
    if not values:
        return False
    wanted = moves(desk, commit, policy)
    try:
        older = (desk.world.store.commit(oid) for oid in _left_behind(desk))
        return any(
            desk.world.trailers(c).values(SIGNATURE) == values
            and moves(desk, c, policy) == wanted
            and holds(desk, c, policy).actor == actor
            for c in older
        )
    except GuardError:
        return False  # a reflog that names what is pruned since proves nothing


def _left_behind(desk: Desk) -> tuple[ObjectId, ...]:
    """Commits that HEAD was at, newest first."""
    wanted = ("log", "-g", f"--max-count={REFLOG}", "--format=%H", "HEAD", "--")
    lines = desk.git("-c", "log.showSignature=false", *wanted).split()
    return tuple(dict.fromkeys(ObjectId(line) for line in lines))


def moves(desk: Desk, commit: Commit, policy: Policy) -> tuple[str, ...]:
    """What a commit does to tasks, in words: `FEAT-1 todo -> in_progress`, `FEAT-2 added`; all else is not told."""
    _, view = look(desk, commit, policy)
    told: list[str] = []
    for change in view.changes:
        if change.transition is not None:
            told.append(f"{change.id} {change.transition[0]} -> {change.transition[1]}")
        else:
            told.append(f"{change.id} {'added' if change.born else 'deleted' if change.gone else 'changed'}")
    return tuple(told)


def settled(desk: Desk, commit: Commit, policy: Policy) -> tuple[str, ...]:
    """What a merge decides that its sides do not give, in words."""
    expansion, view = look(desk, commit, policy)
    if not view.is_merge:
        return ()
    names = dict.fromkeys(item.name for item in expansion.merge(view).decided if item.conflict)
    return tuple(f"the merge chooses between versions of {name}" for name in names)


def refusal(desk: Desk, commit: Commit, policy: Policy, why: str) -> Finding:
    """ID112, as a command of this clone tells it."""
    _, view = look(desk, commit, policy)
    rule = REGISTRY.find(id112.CODE)
    breach = Breach(
        found=f"not signed: {why}",
        expected="for what only humans may do: a commit that the signer made there and then",
        do=(
            f"look at it: git show {short(commit.id)}",
            "if you mean it: git commit --amend -S --no-edit --reset-author",
        ),
    )
    return finding(rule, breach, view)


def picked(desk: Desk) -> ObjectId | None:
    """The commit whose change is being committed again: by cherry-pick, or by rebase; None where there is none."""
    for name in ("CHERRY_PICK_HEAD", "REBASE_HEAD"):
        try:
            return ObjectId(Path(os.fsdecode(desk.location.git_dir), name).read_bytes().strip())
        except OSError:
            continue
    return None
