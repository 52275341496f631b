"""A commit that changes tasks is signed by somebody whom the policy knows.

Why: who moved a task is what the whole record is about, and the author line of a commit is anybody's to write.

Refused: a commit without a signature that moves, adds, edits or deletes a task, or changes the text around tasks. Under
`require_signatures: all` every commit that changes a file.

Accepted: code within `file_scope` by anybody; a merge that only joins; a commit signed by Git with an SSH key, or by the signed
trailers.

Do: sign the commit, as a person:

    git config gpg.format ssh
    git config user.signingkey ~/.ssh/id_ed25519.pub
    git commit --amend -S --no-edit --reset-author && git push

As an agent: `git codifica sign HEAD`, or let a verb make the commit, such as `git codifica submit ID`: it signs. After a
squash: merge the branch again with a merge commit; that keeps signatures.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import is_agent, show_path
from codifica_guard.packs.core.proof import MERGE, needs_proof, squashed
from codifica_guard.packs.core.wording import NAMES_SHOWN, listed
from codifica_guard.rules.advice import AT_HAND
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "ID106", "signature-missing", "codifica-guard, identity"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT

NOBODY = "by a commit that nobody signed"
SOMEBODY = "a signature by somebody whom .codifica/allowed_signers lists"
PERSON = (
    "once: git config gpg.format ssh",
    "once: git config user.signingkey ~/.ssh/id_ed25519.pub",
    "git commit --amend -S --no-edit --reset-author && git push",
    f"{AT_HAND}git codifica sign && git push",
)
AGENT = ("git codifica sign HEAD && git push",)


def check(view: CommitView) -> Iterator[Breach]:
    """Judge a commit that needs a proof and carries none; policy files alone are ID109's."""
    if needs_proof(view) is None or view.attribution.problems:
        return
    do = AGENT if is_agent(view.attribution.claimed) else PERSON
    # A document that is deleted whole is told once, by ID109.
    changes = [c for c in view.changes if not (c.gone and c.before is not None and c.before.path in view.gone)]
    if changes and squashed(view):
        yield _of_squash(changes)
    elif changes:
        yield from _of_tasks(changes, do)
    else:
        yield from _of_paths(view, do)


def _of_squash(changes: list[TaskChange]) -> Breach:
    place = changes[0].place
    return Breach(
        found=f"the squash dropped the signatures of {listed(c.id for c in changes)}",
        expected="signed commits, as they were made",
        do=MERGE,
        path=place.path if place else None,
        line=place.line if place else None,
        task=changes[0].id,
    )


def _of_tasks(changes: list[TaskChange], do: tuple[str, ...]) -> Iterator[Breach]:
    more = len(changes) - NAMES_SHOWN
    for number, change in enumerate(changes[:NAMES_SHOWN], 1):
        last = f" (and {more} more tasks)" if more > 0 and number == NAMES_SHOWN else ""
        yield Breach(
            found=f"{_what(change)} {NOBODY}{last}",
            expected="the owner or a human, signed" if change.transition else SOMEBODY,
            do=do,
            path=change.place.path if change.place else None,
            line=change.line_of("state") if change.transition else change.line_of("id"),
            task=change.id,
        )


def _of_paths(view: CommitView, do: tuple[str, ...]) -> Iterator[Breach]:
    """Text around tasks, else, where the policy asks for signatures everywhere, other files."""
    frames = tuple(dict.fromkeys((*view.frames, *view.reordered, *view.born, *view.touched)))
    others: tuple[bytes, ...] = ()
    if view.policy.guard.require_signatures == "all":
        others = tuple(sorted(path for path in view.paths if path not in view.trust))
    if frames:
        found, path = f"the text around the tasks in {listed(map(show_path, frames))} changed {NOBODY}", frames[0]
        yield Breach(found=found, expected=SOMEBODY, do=do, path=path)
    elif others:
        found = f"{listed(map(show_path, others))} changed {NOBODY}"
        yield Breach(found=found, expected="a signature on every commit: the policy asks for it", do=do)


def _what(change: TaskChange) -> str:
    if change.transition is not None:
        return " -> ".join(change.transition)
    if change.born:
        return "added"
    return "deleted" if change.gone else "changed"
