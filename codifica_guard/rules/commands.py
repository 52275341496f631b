"""The verbs as commands of a shell, for one task: what people and agents are told to type next."""

import shlex
from typing import Final

from codifica_guard.model.ids import ObjectId, TaskId, show_path

CLAIM_NEXT: Final = "git codifica claim --next"
READY: Final = "git codifica ready"
STATUS: Final = "git codifica status"
LOG: Final = "git codifica log"
FIX: Final = "git codifica fix"
"""Mends the documents of the work tree before they are committed."""
FIX_FILLS: Final = f"{FIX}   (fills it in before you commit)"
"""What is told of a step by hand that lacks something."""
OWNER: Final = "OWNER"
"""Stands for whoever is to have a task."""
WHY: Final = '-m "why"'


def word(name: str) -> str:
    """A task's id, or another pushed name, as one word of a shell: it cannot become a command of its own."""
    return shlex.quote(show_path(name.encode("utf-8", "surrogateescape")))


def claim(task: TaskId) -> str:
    """Take a task."""
    return f"git codifica claim {word(task)}"


def note(task: TaskId) -> str:
    """Record progress."""
    return f'git codifica note {word(task)} "text"'


def ask(task: TaskId, kind: str) -> str:
    """Ask a human: `block`, `release` or `change`."""
    return f'git codifica note {word(task)} --ask {kind} "why"'


def submit(task: TaskId) -> str:
    """Hand in."""
    return f'git codifica submit {word(task)} --summary "one line" --artifact path:type'


def resume(task: TaskId) -> str:
    """Take over one's own silent claim."""
    return f"git codifica resume {word(task)} {WHY}"


def done(task: TaskId) -> str:
    """Close one's own task."""
    return f"git codifica done {word(task)}"


def done_at_once(task: TaskId) -> str:
    """Hand in and close what needs no testing."""
    return f'{done(task)} --summary "one line"'


def followup(task: TaskId) -> str:
    """File what is still to be done behind a closed task."""
    return f'git codifica new --type followup --derived-from {word(task)} --title "what is left"'


def approve(task: TaskId) -> str:
    """Accept what was handed in."""
    return f"git codifica approve {word(task)}"


def approve_anyway(task: TaskId) -> str:
    """Accept what is no longer what was handed in."""
    return f"{approve(task)} --anyway"


def give_back(task: TaskId) -> str:
    """Return what was handed in."""
    return f"git codifica return {word(task)} {WHY}"


def free(task: TaskId) -> str:
    """Return what was handed in, for whoever likes to go on."""
    return f"git codifica return {word(task)} --anyone {WHY}"


def reclaim(task: TaskId, owner: str | None = None) -> str:
    """Take a running task from its owner; for somebody, where he is named."""
    return f"git codifica reclaim {word(task)} {f'--for {word(owner)} ' if owner else ''}{WHY}"


def assign(task: TaskId, owner: str = OWNER) -> str:
    """Say whose a task is."""
    return f"git codifica assign {word(task)} {word(owner)}"


def show(task: TaskId) -> str:
    """Look at a task, and at what to do with it."""
    return f"git codifica show {word(task)}"


def show_fetched(task: TaskId) -> str:
    """Look at a task, and fetch the work on it."""
    return f"{show(task)} --fetch"


def diff(old: ObjectId, new: ObjectId, *, merged: bool = False) -> str:
    """Look at what lies between two commits; by their full names, since a tag may be called like a branch, or like a short one.

    Args:
        old: from there.
        new: to there.
        merged: what a merge of the new one into the old one would bring.
    """
    return f"git diff {old.decode('ascii')}{'...' if merged else '..'}{new.decode('ascii')}"


def log(task: TaskId) -> str:
    """Look at who moved a task."""
    return f"git codifica log {word(task)}"


def block(task: TaskId) -> str:
    """Stop a task."""
    return f"git codifica block {word(task)} {WHY}"


def unblock(task: TaskId) -> str:
    """Let a blocked task go on."""
    return f"git codifica unblock {word(task)}"


def go_on(task: TaskId) -> str:
    """Let a blocked task go on at once, with its owner."""
    return f"git codifica unblock {word(task)} --to in_progress"


def reopen(task: TaskId) -> str:
    """Say that a closed task is not done."""
    return f"git codifica reopen {word(task)} {WHY}"


def reject(task: TaskId) -> str:
    """Say that a task will not be done."""
    return f"git codifica reject {word(task)} {WHY}"


def edit(task: TaskId) -> str:
    """Change what a task says, in an editor."""
    return f"git codifica edit {word(task)}"


def fix_because() -> str:
    """Record a step of the work tree, and say why."""
    return f"{FIX} {WHY}"


def of_move(move: tuple[str, str], task: TaskId, *, agent: bool) -> str:
    """The command that makes a transition of the protocol's table, from and to.

    Args:
        move: from and to.
        task: the task.
        agent: whether an agent is told it: it closes its own work, where a human approves.
    """
    close = done if agent else approve
    known = {
        ("todo", "in_progress"): claim,
        ("in_progress", "todo"): reclaim,
        ("to_be_tested", "todo"): give_back,
        ("to_be_tested", "done"): close,
        ("blocked", "todo"): unblock,
        ("blocked", "in_progress"): go_on,
    }
    known |= {(source, "todo"): reopen for source in ("done", "rejected")}
    by_target = {"blocked": block, "rejected": reject}
    return (known.get(move) or by_target.get(move[1]) or submit)(task)
