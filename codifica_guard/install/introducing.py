"""Another commit to judge from, once the history before it was rewritten: written down first, pinned then.

Cut short in between, the receipts say what the config does not yet: `doctor` tells it, and the same call goes on from there.
"""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from codifica_guard.errors import UsageError
from codifica_guard.git.config import COORDINATION, INTRODUCTION
from codifica_guard.install.pausing import open_working, pause_command
from codifica_guard.install.plan import Action, Plan, Step, apply, set_value
from codifica_guard.install.proof import newest, write_down
from codifica_guard.install.repository import Repository, run
from codifica_guard.model.ids import ObjectId
from codifica_guard.model.policy import Policy
from codifica_guard.model.receipt import INTRODUCTION as KIND

_HEADS: Final = "refs/heads/"


@dataclass(frozen=True, slots=True, kw_only=True)
class Introduced:
    """What became of the introduction.

    Attributes:
        commit: the one that is meant.
        by: who signed it.
        before: the one that was pinned; None where none was.
        coordination: the branch that holds the tasks.
        receipt: the number of the receipt that was written; None where none was.
        changed: whether anything was changed.
        lines: text for people.
    """

    commit: str
    by: str
    before: str | None
    coordination: str
    receipt: int | None = None
    changed: bool = False
    lines: tuple[str, ...] = ()


def introduce(
    path: str,
    name: str,
    reason: str,
    *,
    verify: Callable[[str], str],
    policy: Policy | None,
    now: int,
    dry_run: bool,
) -> Introduced:
    """Judge from another commit on, which a maintainer signed that it names.

    Args:
        path: a bare repository.
        name: a name or id of the commit.
        reason: why.
        verify: checks a full id, and says who introduced the guard there.
        policy: the policy that HEAD's commit holds; None where it holds none.
        now: the clock, seconds since the epoch.
        dry_run: whether only to tell.

    Raises:
        UsageError: there is no such commit, the coordination branch does not hold it, or the guard is not at work there.
        GuardError: it introduces nothing, or the receipt cannot be written; then nothing was changed.
    """
    repository = open_working(path, policy)
    oid = repository.commit_id(name)
    if oid is None:
        raise UsageError(f"{name}: there is no such commit in {repository.git_dir}")
    by = verify(oid)
    branch = _coordination(repository, policy)
    _check_held(repository, oid, branch)
    before = repository.own(INTRODUCTION)
    steps = (
        *set_value(repository, COORDINATION, branch),
        *set_value(repository, INTRODUCTION, oid, f"{oid[:12]}   ({by})"),
    )
    found = Introduced(commit=oid, by=by, before=before, coordination=branch)
    writes = _is_untold(repository, oid, moved=bool(steps))
    if not steps and not writes:
        return _with(found, (f"{oid[:12]} by {by} is pinned already: nothing to do",))
    if dry_run:
        told = (
            (Step(action=Action.WRITE, subject="receipt", note=f"introduction {oid[:12]}: {reason}"),) if writes else ()
        )
        return _with(found, Plan(heading=str(repository.git_dir), steps=(*told, *steps)).preview().lines)
    receipt = None
    if writes:
        commit = ObjectId(oid.encode("ascii"))
        receipt = write_down(repository, KIND, policy=policy, now=now, introduction=commit, reason=reason).number
    apply(Plan(heading=str(repository.git_dir), steps=steps))
    instead = f", in place of {before[:12]}" if before is not None and before != oid else ""
    told_by = f"receipt {receipt:,}" if receipt is not None else "told by the newest receipt already"
    lines = (
        f"introduced  {oid[:12]} by {by}{instead}: it and all after it are judged",
        f"tasks       on {branch}",
        f"written     {told_by}",
        "clones      pin it once they have fetched: git config --unset codifica.introduction && codifica-guard install",
        f"paused?     {pause_command(repository)} tells",
    )
    return _with(found, lines, receipt=receipt, changed=True)


def _coordination(repository: Repository, policy: Policy | None) -> str:
    """The branch that holds the tasks: what the policy names, else what is pinned, else HEAD's."""
    named = policy.guard.coordination_branch if policy is not None else repository.own(COORDINATION)
    if named is None and repository.git("symbolic-ref", "--quiet", "HEAD") is None:
        raise UsageError(
            f"HEAD of {repository.git_dir} names no branch, and no policy does: nobody knows where the tasks are"
        )
    return named or repository.head()


def _check_held(repository: Repository, oid: str, branch: str) -> None:
    """Nothing where the branch holds the commit: else everything on it would be refused."""
    held = run(*repository.at, "merge-base", "--is-ancestor", oid, f"{_HEADS}{branch}")
    if held.returncode != 0:
        pause = pause_command(repository, "--for", "1h", "-m", "WHY")
        raise UsageError(
            f"{branch} does not hold {oid[:12]}: push the new history first, in a pause ({pause}), then again"
        )


def _is_untold(repository: Repository, oid: str, *, moved: bool) -> bool:
    """Whether the receipts have to tell it: they name another commit, or there are none and something moves."""
    last = newest(repository)
    return moved if last is None else last.introduction != oid.encode("ascii")


def _with(
    found: Introduced, lines: tuple[str, ...], *, receipt: int | None = None, changed: bool = False
) -> Introduced:
    return Introduced(
        commit=found.commit,
        by=found.by,
        before=found.before,
        coordination=found.coordination,
        receipt=receipt,
        changed=changed,
        lines=lines,
    )
