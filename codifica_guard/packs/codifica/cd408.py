"""An agent's new branch is named by `branch_pattern`, after the task that it is for.

Why: whoever sees a branch finds its task, and whoever looks for the work on a task finds its branch.

Refused: a new branch that an agent's signed commits bring, and whose name does not fit `rules.branch_pattern` in `codifica.json`:
`{type}` and `{id}` are those of one task, `{slug}` is any text without a `/`.

Accepted: `build/FEAT-1-login-form`; any name for branches of people and of unsigned commits, for protected branches, and for those
that are there already.

Do: rename the branch, and push it again; `git codifica claim` tells the name:

    git branch -m build/FEAT-1-login-form
    git push -u origin build/FEAT-1-login-form
"""

from collections.abc import Iterator
from itertools import chain

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import Principal, is_agent, show_path
from codifica_guard.model.policy import CodificaConfig
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.snapshot import Snapshot
from codifica_guard.rules.view import RefView

CODE, NAME, SPEC = "CD408", "branch-name", "Codifica 0.2, 3.1"
SEVERITY, ABOUT = Severity.ERROR, About.REF

HEADS = b"refs/heads/"


def check(view: RefView) -> Iterator[Breach]:
    """Judge a branch that is born and that the policy does not protect."""
    if not view.created or view.judged or view.new is None or not view.ref.startswith(HEADS):
        return
    config = view.policy.codifica if view.policy is not None else None
    maker = view.maker() if config is not None else None
    if config is None or maker is None or not is_agent(maker):
        return
    # Only here: most branches are nobody's, or people's.
    from codifica_guard.packs.codifica.naming import fits  # noqa: PLC0415

    name = view.ref[len(HEADS) :].decode("utf-8", "surrogateescape")
    states = view.states()
    if fits(name, states, config):
        return
    right = _right(name, states, config, maker)
    yield Breach(
        found=f"{show_path(view.name)} is new, brings commits of {maker}, and does not fit {config.branch_pattern}",
        expected=f"a name such as {right or 'build/FEAT-1-login-form'}, for a task that there is",
        do=(f"git branch -m {right}", f"git push -u origin {right}")
        if right
        else (
            "git branch -m NAME, with the name that git codifica claim tells for the task",
            "git push -u origin NAME",
        ),
        commit=view.new,
    )


def _right(name: str, states: tuple[Snapshot, ...], config: CodificaConfig, maker: Principal) -> str | None:
    """The name that the branch ought to have: of the task that it names, else of the task that its maker works on."""
    from codifica_guard.packs.codifica.naming import branch_of, named  # noqa: PLC0415 - as above

    running = (t for state in states for i in state.held.get(maker, ()) if (t := state.task(i)) is not None)
    task = next(chain(named(name, states), running), None)
    return branch_of(task, config) if task is not None else None
