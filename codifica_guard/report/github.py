"""What GitHub's runners, and those of Gitea and Forgejo, read from a job: annotations, and the summary of the job.

A runner takes commands from whatever a job prints, so text that was pushed is kept from being one.
"""

import re
from collections.abc import Iterable, Sequence
from typing import Final, Literal

from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import short, show_path
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.report.printing import LONGEST

Level = Literal["error", "warning", "notice"]

SHOWN: Final = 10
"""Annotations of one level that a runner shows of one step; it drops the others without a word."""

ROWS: Final = 200
"""Rows of a summary's table: nobody reads more."""

BYTES: Final = 500_000
"""Bytes of a table: a summary of more than a megabyte is dropped whole."""

_OLD_COMMAND: Final = "##["
"""Begins a command in the old form, wherever in a line it stands."""

_COMMAND: Final = re.compile(r"((?:^|[\r\n])[^\S\r\n]*)::")
"""Begins one in the new form, behind any blanks."""

_PLAIN: Final = re.compile(r"[A-Za-z0-9 ,;=/.+()'\"?%{}-]|:(?= |$)")
"""What means nothing in a cell; a colon that more follows may begin an address or a picture."""

_WEB: Final = re.compile(r"(?i)\b(www)\.")


def harmless(line: str) -> str:
    """A text for a job's log of which no runner takes a line for a command, whatever was pushed into it."""
    return _COMMAND.sub(r"\1: :", line.replace(_OLD_COMMAND, "## ["))


# -- annotations


def annotations(findings: Iterable[Finding]) -> tuple[str, ...]:
    """One command for each finding, errors first: as many of each level as are shown."""
    found = tuple(findings)
    errors = [f for f in found if f.severity is Severity.ERROR][:SHOWN]
    warnings = [f for f in found if f.severity is not Severity.ERROR][:SHOWN]
    return tuple(_annotation(finding) for finding in (*errors, *warnings))


def told(level: Level, text: str) -> str:
    """An annotation that is about no file."""
    return command(level, plain_words(text, LONGEST), {"title": "codifica-guard"})


def command(name: str, message: str, properties: "dict[str, str]") -> str:
    """A workflow command, escaped as runners take it apart again; properties that are empty are left out."""
    given = ",".join(f"{key}={_property(text)}" for key, text in properties.items() if text)
    return f"::{name}{' ' if given else ''}{given}::{_data(message)}"


def _annotation(finding: Finding) -> str:
    about = [f"commit {short(finding.commit)}"] if finding.commit else []
    about += [plain(finding.actor)] if finding.actor else []
    lines = [": ".join([*([plain(finding.task)] if finding.task else []), plain_words(finding.found, LONGEST)])]
    if finding.expected:
        lines.append(f"expected: {plain_words(finding.expected, LONGEST)}")
    lines += [f"do: {plain_words(step, LONGEST)}" for step in finding.do]
    lines += [f"({', '.join(about)})"] if about else []
    lines.append(f"why: git codifica explain {plain(finding.code)}")
    places = {"file": "", "line": "", "col": ""}
    if finding.path is not None:
        places["file"] = plain_words(show_path(finding.path), LONGEST)
        if finding.line is not None and finding.line > 0:
            places["line"] = str(finding.line)
            places["col"] = str(finding.column) if finding.column is not None and finding.column > 0 else ""
    level = "error" if finding.severity is Severity.ERROR else "warning"
    return command(level, "\n".join(lines), {**places, "title": f"{plain(finding.code)} {plain(finding.name)}"})


def _data(text: str) -> str:
    return text.replace(_OLD_COMMAND, "## [").replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")


# -- the summary


def summary(title: str, findings: Iterable[Finding], notes: Sequence[str] = ()) -> str:
    """The summary of a job in Markdown: a heading, a table of findings, and what else there is to say.

    Pushed text stays inside its cell: it is neither markup nor a link, nor does it mention anybody.
    """
    found = sorted(findings, key=lambda f: f.severity is not Severity.ERROR)
    lines = [f"## {cell(title)}", ""]
    if found:
        lines += [
            "| | rule | where | task | commit | who | found | do |",
            "| --- | --- | --- | --- | --- | --- | --- | --- |",
        ]
        rows = _as_many_as_fit(found)
        lines += [*rows, ""]
        if len(found) > len(rows):
            lines += [f"and {len(found) - len(rows)} more", ""]
    for note in notes:
        lines += [f"- {cell(plain_words(note, LONGEST))}"]
    return "\n".join(lines).rstrip("\n") + "\n\n"


def _as_many_as_fit(found: Sequence[Finding]) -> list[str]:
    rows: list[str] = []
    left = BYTES
    for finding in found[:ROWS]:
        row = _row(finding)
        left -= len(row.encode("utf-8", "backslashreplace"))
        if left < 0:
            break
        rows.append(row)
    return rows


def _row(finding: Finding) -> str:
    place = "" if finding.path is None else show_path(finding.path)
    if finding.path is None and finding.ref is not None:
        place = show_path(finding.ref)
    numbers = [str(n) for n in (finding.line, finding.column) if n is not None] if finding.path is not None else []
    found = finding.found if not finding.expected else f"{finding.found}; expected: {finding.expected}"
    cells = (
        finding.severity.value,
        f"{finding.code} {finding.name}",
        ":".join([place, *numbers]),
        finding.task or "",
        short(finding.commit) if finding.commit else "",
        finding.actor or "",
        found,
    )
    steps = "<br>".join(cell(plain_words(step)) for step in finding.do)
    return f"| {' | '.join(cell(plain_words(text)) for text in cells)} | {steps} |"


def cell(text: str) -> str:
    """A text as a cell of a table shows it, letter for letter: all that Markdown, HTML or a forge could read is a reference."""
    words = plain_words(text, LONGEST)
    shown = "".join(c if not c.isascii() or _PLAIN.match(words, n) else f"&#{ord(c)};" for n, c in enumerate(words))
    return _WEB.sub(r"\1&#46;", shown)
