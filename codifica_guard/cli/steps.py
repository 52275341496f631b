"""One act of a task's past as a row, and as JSON."""

from typing import TYPE_CHECKING, assert_never

from codifica_guard.cli.rows import one, quoted
from codifica_guard.cli.waits import when
from codifica_guard.model.act import Act, Deed, Mark
from codifica_guard.model.ids import short
from codifica_guard.model.times import show_time
from codifica_guard.report.plain import plain

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.tasks import Standing, StepData

SAID = 120
"""Characters of what was said; JSON has it all."""


def who(act: Act) -> str:
    """Who did it: the proven principal; else who is said to have, which nothing proves."""
    return act.actor if act.actor is not None else f"{one(act.claimed or 'nobody')}, {_shown(act)}"


def step_row(act: Act, *, named: bool) -> tuple[str, ...]:
    """An act as a row: time, task if named, from and to, who, how that is known, commit, and what was said."""
    actor = act.actor if act.actor is not None else one(act.claimed or "-")
    name = (plain(act.task),) if named else ()
    time = show_time(act.at, exact=True).removesuffix("Z")
    return (time, *name, _move(act), actor, _shown(act), short(act.commit), "  ".join(_said(act)))


def step_data(act: Act) -> "StepData":
    """An act for programs."""
    return {
        "task": act.task,
        "deed": act.deed.value,
        "from": act.source,
        "to": act.target,
        "at": when(act.at),
        "dated": when(act.dated),
        "written": None if act.written is None else when(act.written),
        "actor": act.actor,
        "claimed": act.claimed,
        "standing": standing(act),
        "proof": act.proof.value,
        "key": act.key,
        "token": act.token,
        "touched": act.mark is Mark.TOUCHED,
        "receipt": act.receipt,
        "commit": act.commit.decode("ascii"),
        "session": act.session,
        "reason": act.reason,
        "summary": act.summary,
        "review": act.review,
        "edited": list(act.edited),
        "migration": act.migration,
    }


def standing(act: Act) -> "Standing":
    """What is known about who acted."""
    if not act.judged:
        return "before the guard"
    match act.mark:
        case Mark.SIGNED | Mark.TOKEN | Mark.TOUCHED:
            return "signed"
        case Mark.ATTESTED:
            return "attested"
        case Mark.UNPROVEN:
            return "unproven"
        case _:
            assert_never(act.mark)


def _shown(act: Act) -> str:
    more = ("+token" if act.token else "") + ("+touch" if act.mark is Mark.TOUCHED else "")
    return f"{standing(act)}{more}" if act.judged else standing(act)


def _move(act: Act) -> str:
    edited = f"edited {', '.join(map(one, act.edited))}" if act.edited else ""
    stays = act.source == act.target and act.deed is not Deed.RESUME
    moved = "" if stays else f"{one(act.source)} -> {one(act.target)}"
    settled = "chosen in a merge" if act.deed is Deed.CHOOSE else ""
    migrated = "migrated" if stays and act.migration is not None else ""
    return ", ".join(text for text in (migrated, moved, settled, edited) if text)


def _said(act: Act) -> tuple[str, ...]:
    """Why it was migrated; else the session of who starts; else a review's result, and the words."""
    if act.migration is not None:
        return (f"migration {quoted(act.migration, SAID)}",)
    if act.target == "in_progress":
        session = f"session {one(act.session)}" if act.session else ""
        return tuple(text for text in (session, quoted(act.reason, SAID) if act.source != "todo" else "") if text)
    words = act.summary or act.reason
    return tuple(text for text in (one(act.review), quoted(words, SAID)) if text)
