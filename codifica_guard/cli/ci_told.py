"""What a person has to know about a proposal that no rule says: whose workflow runs, and which ways to merge lose signatures."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from codifica_guard.cli.ci_event import Asked
from codifica_guard.cli.ci_judged import Judged, Proof
from codifica_guard.engine.refs import HEADS
from codifica_guard.model.ids import show_path
from codifica_guard.report.plain import plain
from codifica_guard.rules.commands import word

NAMED: Final = 5
"""Tasks or paths that a sentence names."""


def about_paths(asked: Asked, judged: Judged) -> Iterator[str]:
    """What it means that a proposal changes the policy, or what a host runs."""
    into = plain(show_path(asked.ref.removeprefix(HEADS)))
    if judged.policy:
        yield f"it changes the policy ({_some(map(show_path, judged.policy))}), and is judged by that of {into}, not by its own"
    if judged.workflows:
        yield f"it changes what CI runs ({_some(map(show_path, judged.workflows))}): read that before you merge"
    if asked.own:
        yield "this run follows the workflow that the proposal brings, which may say anything: let pull_request_target start it"


def about_merges(asked: Asked, judged: Judged) -> Iterator[str]:
    """Which ways to merge would lose the proofs that the commits stand by."""
    if asked.pushed or not judged.proofs or not judged.protected:
        return
    into = word(f"origin/{show_path(asked.ref.removeprefix(HEADS))}..")
    bare = [proof for proof in judged.proofs if not proof.trailers]
    if asked.squash is not False:
        yield f"squash merging{_on(asked.squash)} would drop the proof of {_commits(judged.proofs)}: merge with a merge commit"
    if asked.rebase is not False and bare:
        yield (
            f"rebase merging{_on(asked.rebase)} would drop Git's signature of {_commits(bare)}: "
            f"merge with a merge commit, or sign by trailers: git codifica sign {into}"
        )


def _on(flag: bool | None) -> str:  # noqa: FBT001 - said or not said, as the host does
    return " is on: it" if flag else ""


def _commits(proofs: Sequence[Proof]) -> str:
    tasks = dict.fromkeys(plain(task) for proof in proofs for task in proof.tasks)
    count = f"{len(proofs)} commit{'' if len(proofs) == 1 else 's'}"
    return f"{count} ({_some(tasks)})" if tasks else count


def _some(names: Iterable[str]) -> str:
    found = [plain(name) for name in names]
    more = len(found) - NAMED
    return ", ".join(found[:NAMED]) + (f" and {more} more" if more > 0 else "")
