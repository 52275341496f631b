"""What the pusher and the committer read: ASCII, no colour, about seventy columns, the next command in every finding."""

from collections.abc import Iterable, Iterator, Sequence

from codifica_guard.limits import FINDINGS_SHOWN
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import ObjectId, short
from codifica_guard.report.escape import escape, escape_words
from codifica_guard.report.steps import steps

WIDTH = 70
LABEL = 10
EXPLAIN = "git codifica explain"


def verdict(
    judged: Verdict,
    what: str = "push",
    more: str = "git codifica check origin/main..HEAD",
    *,
    draft: bool = False,
    onward: bool = False,
    tips: Iterable[ObjectId] = (),
) -> str:
    """A verdict as text; empty where there is nothing to tell. The first line carries the codes.

    Args:
        judged: the verdict.
        what: what was judged: push, commit.
        more: the command that shows what did not fit.
        draft: whether nothing was committed yet.
        onward: whether there is nothing to undo or mend, since a verb gave its commit up.
        tips: the newest commits of what was judged, so that advice fits those below them.
    """
    errors, warnings = judged.errors, judged.warnings
    newest = frozenset(tips)
    if not errors and not warnings:
        return ""
    lines: list[str] = []
    if errors:
        lines.append(f"codifica-guard: {what} refused, {_count(errors, 'error')}: {_codes(errors)}")
        for finding in errors[:FINDINGS_SHOWN]:
            lines += ["", *_full(finding, steps(finding, draft=draft, onward=onward, tips=newest))]
        if len(errors) > FINDINGS_SHOWN:
            lines += ["", f"and {len(errors) - FINDINGS_SHOWN} more: {more}"]
        if warnings:
            lines.append("")
    else:
        lines.append(f"codifica-guard: {what} accepted, {_count(warnings, 'warning')}: {_codes(warnings)}")
    shown = warnings[:FINDINGS_SHOWN]
    for finding in shown:
        lines += _brief(finding, told="warning " if errors else "")
    if len(warnings) > len(shown):
        lines.append(f"  and {len(warnings) - len(shown)} more warnings: {more}")
    return "\n".join(lines) + "\n"


def _count(findings: Sequence[Finding], noun: str) -> str:
    return f"{len(findings)} {noun}{'' if len(findings) == 1 else 's'}"


def _codes(findings: Iterable[Finding]) -> str:
    return " ".join(dict.fromkeys(f.code for f in findings))


def place(finding: Finding) -> str:
    """Where a finding points: `work.md:41:7`, or a ref, or nothing."""
    if finding.path is None:
        return _path(finding.ref) if finding.ref is not None else ""
    numbers = [n for n in (finding.line, finding.column) if n is not None]
    return ":".join([_path(finding.path), *map(str, numbers)])


def _path(path: bytes) -> str:
    """A path or ref, its bytes that are no UTF-8 escaped once."""
    return escape(path.decode("utf-8", "surrogateescape"))


def _head(finding: Finding) -> str:
    parts = [
        f"{finding.code} {finding.name}",
        place(finding),
        escape(finding.task or ""),
        f"commit {short(finding.commit)}" if finding.commit else "",
    ]
    return "  ".join(part for part in parts if part)


def _full(finding: Finding, do: tuple[str, ...]) -> Iterator[str]:
    yield _head(finding)
    yield from _labelled("found:", finding.found)
    if finding.expected:
        yield from _labelled("expected:", finding.expected)
    for number, step in enumerate(do):
        yield f"  {'do:' if number == 0 else '':<{LABEL}}{escape_words(step)}"
    yield f"  {'why:':<{LABEL}}{EXPLAIN} {finding.code}"


def _labelled(label: str, text: str) -> Iterator[str]:
    for number, line in enumerate(wrap(escape_words(text), WIDTH - LABEL - 2)):
        yield f"  {label if number == 0 else '':<{LABEL}}{line}"


def wrap(text: str, width: int) -> list[str]:
    """Lines of at most a width, broken at blanks; a longer word has a line of its own."""
    lines: list[str] = []
    for word in text.split(" "):
        if lines and len(lines[-1]) + 1 + len(word) <= width:
            lines[-1] += " " + word
        else:
            lines.append(word)
    return lines


def _brief(finding: Finding, told: str = "") -> Iterator[str]:
    about = escape(finding.task or "") or place(finding) or (short(finding.commit) if finding.commit else "")
    for number, line in enumerate(wrap(escape_words(f"{told}{finding.code} {about}: {finding.found}"), WIDTH - 2)):
        yield ("  " if number == 0 else "    ") + line
    for step in () if told else steps(finding, onward=True)[:2]:
        yield f"    {escape_words(step)}"
