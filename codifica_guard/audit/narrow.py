"""A part of an audit: what one asks for of it. What was judged, and what it came to, stays that of the whole."""

from collections.abc import Callable, Iterable
from typing import TypeVar

from codifica_guard.model.act import Act
from codifica_guard.model.audited import Audit, Gap, Noted, TaskNow
from codifica_guard.model.value import replace, value

T = TypeVar("T")


@value
class Part:
    """What is asked for; a field that is None narrows nothing.

    Attributes:
        since, until: times, seconds since the epoch, both included.
        task: a task's id.
        actor: a principal, with or without its kind.
        words: the options that say so, as they were typed.
    """

    since: float | None = None
    until: float | None = None
    task: str | None = None
    actor: str | None = None
    words: tuple[tuple[str, str], ...] = ()

    def during(self, at: float | None) -> bool:
        """Whether a time is asked for; one that is not known always is."""
        return at is None or ((self.since is None or at >= self.since) and (self.until is None or at <= self.until))

    def within(self, first: float | None, last: float | None) -> bool:
        """Whether a span touches the time that is asked for; an end that is not known is open."""
        begins = self.until is None or first is None or first <= self.until
        return begins and (self.since is None or last is None or last >= self.since)

    def by(self, *names: str | None) -> bool:
        """Whether one of some principals is asked for."""
        return self.actor is None or any(n is not None and self.actor in {n, n.partition(":")[2]} for n in names)

    def about(self, task: str | None) -> bool:
        """Whether a task is asked for."""
        return self.task is None or self.task == task


def narrow(audit: Audit, part: Part) -> Audit:
    """What is asked for of an audit, and a note of what is left out.

    What concerns everything stays whatever is asked for: the trust, branches, keys, the receipts, and what is wrong with them,
    pauses and moved introductions, as far as they lie in the time that is asked for. Tasks stay where something of them does.
    """
    if not part.words:
        return audit
    acts = _kept(audit.acts, lambda act: _holds_act(part, act))
    findings = _kept(audit.findings, lambda noted: _holds_finding(part, noted))
    missing = len(audit.findings) - len(findings)
    errors = len(audit.errors) - sum(noted.is_error for noted in findings)
    told = f"{missing} of {len(audit.findings)} findings lie outside of it, {errors} of them errors"
    asked = " ".join(" ".join(words).strip() for words in part.words)
    return replace(
        audit,
        acts=acts,
        findings=findings,
        notes=(*audit.notes, f"the report is narrowed to {asked}: {told}"),
        policies=_kept(
            () if part.task is not None else audit.policies,
            lambda change: part.by(change.actor) and part.during(change.at),
        ),
        pauses=_kept(audit.pauses, lambda p: part.during(p.receipt.time)),
        introductions=_kept(audit.introductions, lambda r: part.during(r.time)),
        chain=replace(audit.chain, gaps=_kept(audit.chain.gaps, lambda gap: _holds_gap(part, gap))),
        tasks=_tasks(audit, part, acts),
        filters={**audit.filters, **dict(part.words)},
    )


def _holds_act(part: Part, act: Act) -> bool:
    who = part.by(act.actor) if act.actor is not None else part.by(act.claimed)
    return who and part.about(act.task) and part.during(act.at)


def _holds_finding(part: Part, noted: Noted) -> bool:
    finding = noted.finding
    timely = part.during(noted.at)
    if finding.task is None and finding.actor is None:
        return timely  # about refs and receipts: whoever asks for anything rests on them
    return timely and part.about(finding.task) and part.by(finding.actor)


def _holds_gap(part: Part, gap: Gap) -> bool:
    return part.within(gap.since, gap.until)


def _tasks(audit: Audit, part: Part, acts: Iterable[Act]) -> tuple[TaskNow, ...]:
    """The tasks that are asked for, or that something is told of."""
    if part.task is not None:
        return _kept(audit.tasks, lambda now: part.about(now.task))
    named = {act.task for act in acts}
    return _kept(audit.tasks, lambda now: now.task in named)


def _kept(items: Iterable[T], keep: Callable[[T], bool]) -> tuple[T, ...]:
    return tuple(item for item in items if keep(item))
