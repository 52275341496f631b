"""One step of a task's past as a row, and as JSON."""

from typing import TYPE_CHECKING

from codifica_guard.cli.rows import one, quoted
from codifica_guard.cli.waits import when
from codifica_guard.model.ids import short
from codifica_guard.model.times import show_time
from codifica_guard.report.plain import plain
from codifica_guard.verbs.history import Step

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.tasks import StepData

SAID = 120
"""Characters of what was said; JSON has it all."""


def who(step: Step) -> str:
    """Who did it: the proven principal; else who is said to have, which nothing proves."""
    return step.actor if step.actor is not None else f"{one(step.claimed or 'nobody')}, {_standing(step)}"


def step_row(step: Step, *, named: bool) -> tuple[str, ...]:
    """A step as a row: time, task if named, from and to, who, how that is known, commit, and what was said."""
    actor = step.actor if step.actor is not None else one(step.claimed or "-")
    name = (plain(step.task),) if named else ()
    move = _move(step)
    time = show_time(step.at, exact=True).removesuffix("Z")
    return (time, *name, move, actor, _standing(step), short(step.commit), "  ".join(_said(step)))


def step_data(step: Step) -> "StepData":
    """A step for programs."""
    return {
        "task": step.task,
        "from": step.source,
        "to": step.target,
        "at": when(step.at),
        "actor": step.actor,
        "claimed": step.claimed,
        "standing": step.standing,
        "proof": step.proof.value,
        "token": step.token,
        "commit": step.commit.decode("ascii"),
        "session": step.session,
        "reason": step.reason,
        "summary": step.summary,
        "review": step.review,
        "edited": list(step.edited),
        "migration": step.migration,
    }


def _move(step: Step) -> str:
    edited = f"edited {', '.join(map(one, step.edited))}" if step.edited else ""
    stays = step.source == step.target and step.session is None
    if step.migration is not None and stays:
        return f"migrated{f', {edited}' if edited else ''}"
    return edited if edited and stays else f"{one(step.source)} -> {one(step.target)}{f', {edited}' if edited else ''}"


def _standing(step: Step) -> str:
    return f"{step.standing}+token" if step.token and step.standing == "signed" else step.standing


def _said(step: Step) -> tuple[str, ...]:
    """Why it was migrated; else the session of who starts; else a review's result, and the words."""
    if step.migration is not None:
        return (f"migration {quoted(step.migration, SAID)}",)
    if step.target == "in_progress":
        session = f"session {one(step.session)}" if step.session else ""
        return tuple(text for text in (session, quoted(step.reason, SAID) if step.source != "todo" else "") if text)
    words = step.summary or step.reason
    return tuple(text for text in (one(step.review), quoted(words, SAID)) if text)
