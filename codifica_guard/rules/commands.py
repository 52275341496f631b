"""The verbs as commands of a shell, for one task: what people and agents are told to type next."""

import shlex
from typing import Final

from codifica_guard.model.ids import TaskId, show_path

CLAIM_NEXT: Final = "git codifica claim --next"
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


def approve(task: TaskId) -> str:
    """Accept what was handed in."""
    return f"git codifica approve {word(task)}"


def give_back(task: TaskId) -> str:
    """Return what was handed in."""
    return f"git codifica return {word(task)} {WHY}"


def reclaim(task: TaskId, owner: str | None = None) -> str:
    """Take a running task from its owner; for somebody, where he is named."""
    return f"git codifica reclaim {word(task)} {f'--for {word(owner)} ' if owner else ''}{WHY}"


def assign(task: TaskId, owner: str) -> str:
    """Say whose a task is."""
    return f"git codifica assign {word(task)} {word(owner)}"


def show(task: TaskId) -> str:
    """Look at a task, and at what to do with it."""
    return f"git codifica show {word(task)}"


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
