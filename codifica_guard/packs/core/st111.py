"""A state document holds tasks (a warning), and `state` in `codifica.json` names documents that exist.

Why: a document in which no task is found is mostly one whose fence is broken, or the wrong file; then all tasks seem to be gone.

Refused: a change of `codifica.json` after which `state` matches no file; the deletion of the last file that it names.

Accepted: an empty document, with a warning: that is how a repository starts.

Do: write the path as it is in the repository, for example `"state": "work.md"` or `"state": "work/*.md"`, and add the document
in the same commit. To rename the last document, let `codifica.json` name both paths first, then move the file, then drop the old one.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import RepoPath
from codifica_guard.model.policy import CODIFICA_FILE, Globs
from codifica_guard.model.value import replace
from codifica_guard.packs.core.documents import faults
from codifica_guard.packs.core.wording import listed
from codifica_guard.rules.advice import put_back
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ST111", "no-tasks", "Codifica 0.2, 3.1 and 3.2"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

RENAME = ("to rename it: let codifica.json name both paths first, then git mv it, then drop the old name",)


def check(view: CommitView) -> Iterator[Breach]:
    """Tell of changed documents without tasks; refuse a `state` that names nothing."""
    yield from (replace(breach, severity=Severity.WARNING) for breach in faults(view, CODE))
    config, own = view.policy.codifica, view.own_policy
    moved = own is not None and own.codifica is not None and CODIFICA_FILE in view.trust
    if view.gone and config is not None and not view.is_merge and not _names_something(view, config.state):
        yield Breach(
            found=f"the last file that state ({listed(config.state.patterns)}) names is deleted",
            expected="at least one state document",
            do=(*put_back(view.gone[0]), *(RENAME if moved else ())),
            path=view.gone[0],
        )
    if own is not None and own.codifica is not None and CODIFICA_FILE in view.trust:
        state = own.codifica.state
        if not _names_something(view, state):
            yield Breach(
                found=f"state ({listed(state.patterns)}) matches no file",
                expected="at least one state document",
                do=("add the document in the same commit, or name the one that is there",),
                path=CODIFICA_FILE,
            )


def _names_something(view: CommitView, state: Globs) -> bool:
    """Whether a document, a changed file, or a path that stands in the pattern letter by letter is there."""
    candidates: set[RepoPath] = {*view.after.documents, *view.after.entries}
    candidates.update(path for path, (_, entry) in view.paths.items() if entry is not None)
    candidates.update(
        path for path in (RepoPath(p.encode("utf-8", "replace")) for p in state.patterns) if view.exists(path, None)
    )
    return any(state.match(path) for path in candidates)
