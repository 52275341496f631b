"""Only the same agent takes its own silent claim over, after the time that the policy sets.

Why: a session that died must not hold its task for ever, and one that lives must not be thrown out by its twin.

Refused: a new entry in_progress -> in_progress by another agent, before `resume_after_minutes` of silence, without a reason, or
together with other changes.

Accepted: the same agent's entry, with a reason and a new writer key, when the task has not changed for that long.

Do: wait until the time that the message names, or ask a human to reclaim the task:

    git codifica resume ID -m "why"
    git codifica reclaim ID --for agent:builder -m "why"    (a human)
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.times import show_time
from codifica_guard.packs.codifica.cd301 import writer_of
from codifica_guard.packs.codifica.history import last_entry
from codifica_guard.packs.codifica.vocabulary import owns
from codifica_guard.rules.advice import instead
from codifica_guard.rules.commands import CLAIM_NEXT, reclaim, resume
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "CD314", "resume", "codifica-guard, resume_after_minutes"
SEVERITY, ABOUT = Severity.ERROR, About.TASK


def _unfenced(change: TaskChange, view: CommitView) -> bool:
    """Whether nobody holds a writer key of a task that needs one: then its owner goes on at once."""
    entry = last_entry(change.old, "in_progress") if change.old else None
    provenance = entry.get("provenance") if entry else None
    fence = provenance.get("writer") if isinstance(provenance, dict) else None
    return view.policy.guard.writer_tokens == "required" and not fence


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's resume."""
    if not view.by_agent or not change.is_resume or change.both is None:
        return
    old, new = change.both
    line = change.line_of("state_transitions")
    human, again = f"or a human: {reclaim(change.id, view.actor)}", instead(view, change, resume(change.id))
    if not owns(old.owner, view.actor):
        yield Breach(
            found=f"{view.actor} resumes the claim of {old.owner}",
            expected="the agent that holds the claim",
            do=instead(view, change, CLAIM_NEXT, human),
            line=line,
        )
        return
    entry = change.new_entries("state_transitions")[-1]
    if not (isinstance(entry.get("reason"), str) and str(entry["reason"]).strip()):
        yield Breach(
            found="a resume without a reason", expected="an entry whose `reason` says why", do=again, line=line
        )
    if any(old.data.get(n) != new.data.get(n) for n in {*old.data, *new.data} - {"state_transitions"}):
        yield Breach(
            found="a resume that changes more than the history", expected="the entry alone", do=again, line=line
        )
    if _unfenced(change, view):
        return
    if writer_of(change) is None:
        yield Breach(
            found="a resume without provenance.writer",
            expected="a new writer key, which fences the old session off",
            do=again,
            line=line,
        )
    minutes = view.policy.guard.resume_after_minutes
    since = view.silent_since(change.id, 60 * (minutes or 0))
    if minutes is None:
        yield Breach(
            found="a resume, and the policy has no resume_after_minutes",
            expected="a human's reclaim",
            do=instead(view, change, CLAIM_NEXT, human),
            line=line,
        )
    elif since is not None and view.now - since < minutes * 60:
        yield Breach(
            found=f"the task spoke last at {show_time(since)}",
            expected=f"{minutes} minutes of silence",
            do=instead(view, change, f"wait until {show_time(since + minutes * 60)}, then: {resume(change.id)}", human),
            line=line,
        )
