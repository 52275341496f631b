"""Only maintainers change what carries trust: `.codifica/`, `codifica.json`, the spec, and which state documents there are.

Why: these files say who is who and who may do what. Whoever could change them could give himself any right in the same push.

Refused: a key added to `.codifica/allowed_signers` by an agent, or by a human who is no maintainer; a state document deleted by
them. From a maintainer too: a policy that cannot be read, names no maintainer, has another `repository` or coordination branch,
or takes a key off the list of revoked ones.

Accepted: a maintainer's signed commit. `git codifica key add`, `key rotate`, `key revoke`, `policy set` and `policy upgrade` write
one; `policy show` says who the maintainers are.

Do: ask a maintainer for the change, and take it out of your commit:

    git restore --source=origin/main --staged --worktree .codifica
    git commit --amend --no-edit
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import RepoPath, show_path
from codifica_guard.model.policy import GUARD_FILE, REVOKED_FILE, TRUST_FOLDER, Policy
from codifica_guard.packs.core.wording import branch, by_whom, listed
from codifica_guard.rules.advice import UNDO, quoted
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, MergeItem, MergeView

CODE, NAME, SPEC = "ID109", "policy-protected", "codifica-guard, policy"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.COMMIT, True


def check(view: CommitView) -> Iterator[Breach]:
    """Judge who changed the files that carry trust, and what a maintainer made of them."""
    touched = tuple(sorted({*view.trust, *view.gone}))
    if not touched:
        return
    if not view.introduces and not view.maintained:
        yield _of_stranger(view, touched)
        return
    broken = False
    for fault in view.own_policy.faults if view.own_policy is not None else ():
        if fault.code == CODE:
            broken = broken or fault.fatal
            severity = None if fault.fatal else Severity.WARNING
            yield Breach(found=fault.found, do=MEND, path=fault.path, line=fault.line, severity=severity)
    # Of a policy that cannot be read only placeholders are left: comparing them would blame for what nobody wrote.
    if not broken and not view.introduces:
        yield from _of_maintainer(view)


MEND = ("mend the file, then git commit --amend -S --no-edit --reset-author",)


def _of_stranger(view: CommitView, touched: tuple[RepoPath, ...]) -> Breach:
    removed = touched[0] in view.gone or view.paths.get(touched[0], (None, True))[1] is None
    undo = tuple(dict.fromkeys(".codifica" if p.startswith(TRUST_FOLDER) else quoted(p) for p in touched))
    return Breach(
        found=f"{listed(map(show_path, touched))} {'deleted' if removed else 'changed'} {by_whom(view)}",
        expected=_only_maintainers(view.policy),
        do=(
            f"{UNDO}git restore --source=origin/{branch(view)} --staged --worktree {' '.join(undo[:8])}",
            "git commit --amend --no-edit",
        ),
        path=touched[0],
    )


def _of_maintainer(view: CommitView) -> Iterator[Breach]:
    """What not even a maintainer may do to the policy."""
    before, after = view.paths.get(GUARD_FILE, (None, None))
    own = view.own_policy
    if before is not None and after is None:
        yield Breach(
            found="guard.json is gone: nothing would be judged any more",
            expected="the policy stays; the server's admin may uninstall the guard",
            do=MEND,
            path=GUARD_FILE,
        )
    elif own is not None and before != after:
        yield from _of_guard(view.policy, own)
    if own is not None and _lists_fewer_revoked(view, own):
        yield Breach(
            found="revoked_keys lists fewer keys than before",
            expected="every key that was revoked, here and on the coordination branch: it is for good",
            do=MEND,
            path=REVOKED_FILE,
        )


def _of_guard(old: Policy, own: Policy) -> Iterator[Breach]:
    if not own.guard.maintainers:
        yield Breach(found="there is no maintainer left", expected="one maintainer at least", do=MEND, path=GUARD_FILE)
    if own.guard.repository != old.guard.repository:
        yield Breach(
            found="repository is another one than before",
            expected=f"{old.guard.repository}: it is part of every signature",
            do=MEND,
            path=GUARD_FILE,
        )
    if own.guard.coordination_branch != old.guard.coordination_branch:
        yield Breach(
            found=f"coordination_branch is {own.guard.coordination_branch}",
            expected=f"{old.guard.coordination_branch}; the server's admin moves it together with the introduction",
            do=MEND,
            path=GUARD_FILE,
        )


def _lists_fewer_revoked(view: CommitView, own: Policy) -> bool:
    """Whether a commit took keys off the list that it found.

    The same commit is also judged under the policy of the branch's tip, whose list may be longer: that is no fault of a
    commit that began before. So the policy counts only if it was made of the very file that the commit changed.
    """
    before, _ = view.paths.get(REVOKED_FILE, (None, None))
    return before is not None and before.id in view.policy.key and not view.policy.revoked <= own.revoked


def _only_maintainers(policy: Policy) -> str:
    return f"only maintainers ({listed(policy.guard.maintainers) or 'there are none'})"


def breach_of_merge(item: MergeItem, view: MergeView) -> Breach | None:
    """What a merge's own choice for a file that carries trust comes to; None where it is fine.

    Args:
        item: one of the merge's decisions; what is no `trust` or `revoked` is fine here.
        view: the merge.
    """
    if item.kind == "revoked":
        return Breach(
            found="the merge's revoked_keys lists fewer keys than its sides",
            expected="every key that a side revoked: it is for good",
            do=("merge again and keep the lines of all sides: git merge --no-commit, then git commit",),
            path=item.path,
        )
    if item.kind != "trust":
        return None
    if not item.conflict:
        return Breach(
            found=f"the merge changes {show_path(item.path)} in a way that no parent did",
            expected="a merge takes what its parents have; own changes go into a commit of their own",
            do=("merge again without the change, then commit it by itself",),
            path=item.path,
        )
    if view.commit.maintained:
        return None
    return Breach(
        found=f"a conflict in {show_path(item.path)} was settled {by_whom(view.commit)}",
        expected=_only_maintainers(view.commit.policy),
        do=("ask a maintainer to merge, signed: git merge -S",),
        path=item.path,
    )
