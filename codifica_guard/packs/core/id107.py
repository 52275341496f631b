"""Only the session that claimed a task goes on with it.

Why: a key says which agent it is, not which of its runs. A run that sleeps while a human takes its task away would wake up and
overwrite what the next one did. The writer key in the latest claim tells them apart.

Refused: an agent's change of its task in progress without `Codifica-Writer`, or with the token of an earlier claim; a claim
whose writer key did not sign it, or is that of an earlier claim; a commit on an old base, after the task went to another session.

Accepted: changes by the holder of the token; after the hand-in the owner's own signature is enough.

Do: stop, another session has the task. If that one is gone for good, take your own claim over after its silence:

    git codifica resume ID -m "container lost"
    git codifica reclaim ID --for agent:builder -m "why"    (a human)
    git codifica claim --next                               (other work)

By hand a resume is a commit with nothing but a new entry of `state_transitions`, with a writer key of its own, which
`git codifica key token ID` makes:

    - from: in_progress
      to: in_progress
      by: agent:builder
      reason: container lost
      provenance: {session_id: s-90aa, writer: "ssh-ed25519 AAAA..."}
"""

from collections.abc import Iterator, Mapping
from typing import Any

from codifica_guard.model.commit import WRITER
from codifica_guard.model.document import Task
from codifica_guard.model.finding import Severity
from codifica_guard.model.times import parse_time, show_time
from codifica_guard.rules.advice import BY_HAND, by_hand, instead
from codifica_guard.rules.commands import CLAIM_NEXT, claim, reclaim, resume, word
from codifica_guard.rules.fence import latest_start, session_of, writer_of
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.stale import overtaken
from codifica_guard.rules.view import CommitView, TaskChange

CODE, NAME, SPEC = "ID107", "writer-token", "codifica-guard, writer tokens"
SEVERITY, ABOUT = Severity.ERROR, About.TASK

STOP = "stop. Your notes are in your clone"
OTHER = "other work: "


def check(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """Judge an agent's change of a task; whose task it is, is judged elsewhere."""
    pair = change.both
    if not view.by_agent or pair is None:
        return
    there = overtaken(change, view)
    if there is not None and not change.is_claim:
        yield _of_stale(change, view, there)
    elif change.is_claim or (change.is_resume and view.actor == pair[0].owner):
        yield from _of_new_key(change, view)
    elif pair[0].state == "in_progress" and view.actor == pair[0].owner:
        yield from _of_fence(change, view, pair[0])


def key_wanted(change: TaskChange) -> str | None:
    """The writer key that an agent's change of a task has to be signed with besides its own; None where none is.

    That is the new key of a claim or resume, and while the task is in progress the key of its latest claim.
    """
    pair = change.both
    if pair is None:
        return None
    if change.is_claim or change.is_resume:
        return writer_of(latest_start(change.new_entries("state_transitions")))
    return writer_of(latest_start(pair[0].entries("state_transitions"))) if pair[0].state == "in_progress" else None


def _of_new_key(change: TaskChange, view: CommitView) -> Iterator[Breach]:
    """A claim or a resume brings a writer key, and shows that it has the other half."""
    key = writer_of(latest_start(change.new_entries("state_transitions")))
    if key is None:
        # A resume without key would also shed the fence of the session before it.
        fenced = writer_of(latest_start(change.old.entries("state_transitions"))) if change.old else None
        if change.is_resume and (fenced is not None or view.policy.guard.writer_tokens == "required"):
            found = "the new entry in_progress -> in_progress has no provenance.writer"
            yield _breach(change, found, "a new writer key: it fences the old session off", _resume(change, view))
    elif change.old is not None and key in map(writer_of, change.old.entries("state_transitions")):
        found = "the writer key of an earlier claim: whoever held that one would hold this one, too"
        yield _breach(change, found, "a fresh writer key for each claim", _sign(change, view))
    elif not view.proves_writer(key):
        found = f"the commit is not signed with the writer key that its own entry names ({_shown(view)})"
        yield _breach(change, found, "Codifica-Writer by the key in provenance.writer", _sign(change, view))


def _of_fence(change: TaskChange, view: CommitView, old: Task) -> Iterator[Breach]:
    """The owner goes on with a task in progress."""
    entry = latest_start(old.entries("state_transitions"))
    key = writer_of(entry)
    if key is None:
        if view.policy.guard.writer_tokens == "required":
            found = "no session holds the task: its latest entry to in_progress has no provenance.writer"
            yield _breach(change, found, "a writer key before the work goes on", _resume(change, view))
    elif not view.proves_writer(key):
        found = f"{_shown(view)}; {_held_by(entry)} holds the task"
        yield _breach(change, found, "Codifica-Writer by the session that holds the task", _stop(change, view, old))


def _of_stale(change: TaskChange, view: CommitView, there: Task) -> Breach:
    """The branch's old tip has a history of the task that this commit does not go on from."""
    entry = latest_start(there.entries("state_transitions"))
    holder = f"; {_held_by(entry)} holds it" if there.state == "in_progress" and entry else ""
    found = (
        f"{view.actor} goes on with the task as it was; on the branch it is {there.state}, owner {there.owner}{holder}"
    )
    return _breach(change, found, "a change that starts from the task as the branch has it", _stop(change, view, there))


def _stop(change: TaskChange, view: CommitView, held: Task) -> tuple[str, ...]:
    """What a session does that does not hold the task: nothing more on it, unless the one that holds it is gone for good."""
    if held.state != "in_progress" or held.owner != view.actor:
        return (STOP, f"{OTHER}{CLAIM_NEXT}")
    session = session_of(latest_start(held.entries("state_transitions")))
    steps = [f"{STOP}: give them to {f'session {session}' if session else 'the session that holds the task'}"]
    if view.policy.guard.resume_after_minutes is not None:
        steps.append(f"if that one is gone for good: {resume(change.id)} (in a clone without this commit)")
    return (*steps, f"or a human: {reclaim(change.id, view.actor)}", f"{OTHER}{CLAIM_NEXT}")


def _resume(change: TaskChange, view: CommitView) -> tuple[str, ...]:
    ident = word(change.id)
    hand = f"{BY_HAND}a commit with nothing but a new entry in_progress -> in_progress; its writer: git codifica key token {ident}"
    return instead(view, change, resume(change.id), hand)


def _sign(change: TaskChange, view: CommitView) -> tuple[str, ...]:
    """A claim or a resume, made anew by the verb, or signed with a token of its own."""
    verb = resume(change.id) if change.is_resume else claim(change.id)
    token = f"make a token, git codifica key token {word(change.id)}, and write its public line into the entry"
    return instead(view, change, verb, by_hand(view, token))


def _held_by(entry: Mapping[str, Any]) -> str:
    """The session of an entry and since when, as far as it says."""
    session, since = session_of(entry), parse_time(entry.get("timestamp"))
    name = f"session {session}" if session else "another session"
    return name if since is None else f"{name} (since {show_time(since)})"


def _shown(view: CommitView) -> str:
    return "its Codifica-Writer is of another claim" if view.trailers.values(WRITER) else "no Codifica-Writer"


def _breach(change: TaskChange, found: str, expected: str, do: tuple[str, ...]) -> Breach:
    return Breach(
        found=found,
        expected=expected,
        do=do,
        path=change.place.path if change.place else None,
        line=change.line_of("id"),
        task=change.id,
    )
