"""Agents and unsigned commits stay within `file_scope`.

Why: the scope is what a team is willing to have changed without a person's name on it.

Refused: a path outside `include`, or inside `exclude`, by an agent or by nobody; both names of a rename count.

Accepted: state documents; files below `assets/<own task>/`; everything by a human who signs.

Do: leave the path out, or let a person sign: git commit --amend -S --no-edit --reset-author.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import RepoPath, TaskId
from codifica_guard.packs.codifica.cd406 import PERSON
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.rules.advice import put_back
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "CD407", "out-of-scope", "Codifica 0.2, 3.1"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

SHOWN = 3


def own_asset(path: RepoPath, view: CommitView) -> bool:
    """Whether a path lies below `assets/<id>/` of a task that the agent owns, and the scope does not exclude it."""
    config = view.codifica
    if not view.by_agent or not path.startswith(config.assets):
        return False
    folder, slash, _ = path[len(config.assets) :].partition(b"/")
    name = TaskId(folder.decode("utf-8", "surrogateescape"))
    tasks = (view.before.task(name), view.after.task(name)) if slash else ()
    return any(task and owns(task.owner, view.actor) for task in tasks) and not config.scope.excludes(path)


def outside(view: CommitView) -> list[RepoPath]:
    """Changed paths outside the scope, those that carry trust left to ID109."""
    return [
        p
        for p in sorted(view.paths)
        if p not in view.trust and not view.codifica.scope.match(p) and not own_asset(p, view)
    ]


def told(paths: list[RepoPath], view: CommitView) -> Iterator[Breach]:
    """One breach a path, the first few by name."""
    config = view.codifica
    allowed = " ".join(config.scope.patterns)
    person = () if view.by_agent else PERSON
    for number, path in enumerate(paths[:SHOWN]):
        more = f", and {len(paths) - SHOWN} more paths" if number == SHOWN - 1 and len(paths) > SHOWN else ""
        yield Breach(
            found=f"{view.actor or 'an unsigned commit'} changes a path outside the scope{more}",
            expected=f"agents and unsigned commits may change {allowed}",
            do=(*put_back(path), *person),
            path=path,
        )


def check(view: CommitView) -> Iterator[Breach]:
    """Judge the paths of a commit that no human signed; a merge's are judged by what it decided."""
    if not view.by_human and not view.is_merge:
        yield from told(outside(view), view)
