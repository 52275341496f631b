"""The findings of an audit for a screen: errors in full, warnings by their codes; ASCII, pushed text escaped."""

from collections.abc import Iterator, Sequence
from typing import Final

from codifica_guard.cli.rows import MORE
from codifica_guard.model.audited import Audit, Noted
from codifica_guard.model.ids import short
from codifica_guard.model.times import show_time
from codifica_guard.report.audit_figures import by_code
from codifica_guard.report.escape import escape, escape_words
from codifica_guard.report.steps import steps
from codifica_guard.report.terminal import EXPLAIN, place, wrap

WIDTH: Final = 98
LABEL: Final = 10

SHOWN: Final = 50
"""Errors that are shown in full."""

EXAMPLES: Final = 3
"""Warnings of one code that are named."""


def findings(shown: Audit) -> Iterator[str]:
    """The section of findings."""
    errors, warnings = shown.errors, shown.warnings
    if not errors and not warnings:
        yield "FINDINGS  none"
        return
    counts = (("error", len(errors)), ("warning", len(warnings)))
    yield "FINDINGS  " + ", ".join(f"{number} {noun}{'' if number == 1 else 's'}" for noun, number in counts)
    for noted in errors[:SHOWN]:
        yield from _full(noted)
    if len(errors) > SHOWN:
        yield f"  and {len(errors) - SHOWN} more errors, {MORE}"
    for code, group in by_code(warnings):
        yield from _group(code, group)


def _full(noted: Noted) -> Iterator[str]:
    finding = noted.finding
    yield "  " + "  ".join(_about(noted, named=True))
    yield from _labelled("found:", finding.found)
    if finding.expected:
        yield from _labelled("expected:", finding.expected)
    yield from _commands("do:", steps(finding, onward=True))
    yield from _commands("check:", noted.check)
    yield from _commands("why:", (f"{EXPLAIN} {finding.code}",))


def _about(noted: Noted, *, named: bool) -> Iterator[str]:
    """What tells a finding from others: code, place, task, commit and who made it, when, receipt."""
    finding = noted.finding
    if named:
        yield f"{finding.code} {finding.name}"
    where = place(finding) if finding.path is not None else escape(_branch(finding.ref or noted.ref or b""))
    if where:
        yield where
    if finding.task:
        yield escape(finding.task)
    if finding.commit:
        yield f"commit {short(finding.commit)}" + (f" by {escape(finding.actor)}" if finding.actor else "")
    if noted.at is not None:
        yield show_time(noted.at)
    if noted.receipt is not None:
        yield f"receipt {noted.receipt}"


def _branch(ref: bytes) -> str:
    return ref.decode("utf-8", "surrogateescape").removeprefix("refs/heads/")


def _group(code: str, group: Sequence[Noted]) -> Iterator[str]:
    times = f", {len(group)} times" if len(group) > 1 else ""
    yield f"  warning {code} {group[0].finding.name}{times}   {EXPLAIN} {code}"
    for noted in group[-EXAMPLES:]:
        text = f"{'  '.join(_about(noted, named=False))}: {escape_words(noted.finding.found)}"
        for number, line in enumerate(wrap(text, WIDTH - 6)):
            yield ("    " if number == 0 else "      ") + line
    if len(group) > EXAMPLES:
        yield f"    and {len(group) - EXAMPLES} before, {MORE}"


def _labelled(label: str, text: str) -> Iterator[str]:
    for number, line in enumerate(wrap(escape_words(text), WIDTH - LABEL - 4)):
        yield f"    {label if number == 0 else '':<{LABEL}}{line}"


def _commands(label: str, lines: Sequence[str]) -> Iterator[str]:
    for number, line in enumerate(lines):
        yield f"    {label if number == 0 else '':<{LABEL}}{escape_words(line)}"
