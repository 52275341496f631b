"""Text for man(7) pages: what readers of roff take for a command of their own is escaped, and comes out as it was written."""

import re
from collections.abc import Iterable
from textwrap import wrap
from typing import Final

_ESCAPES: Final = str.maketrans(
    {"\\": "\\e", "-": "\\-", "'": "\\(aq", '"': "\\(dq", "`": "\\(ga", "^": "\\(ha", "~": "\\(ti"}
)

DATE: Final = "2026-11-30"
"""The day of this edition of the manual; pages that bear the day they are made on would differ at every call."""

_WIDTH: Final = 79

_CODE: Final = re.compile(r"`([^`]+)`")


def text(words: str) -> str:
    """Words as they are, in ASCII, fit for a line or a macro's quoted argument."""
    shown = " ".join(words.split()).translate(_ESCAPES)
    return "".join(c if c.isascii() else f"\\[u{ord(c):04X}]" for c in shown)


def bold(words: str) -> str:
    """Words to be typed as they stand."""
    return f"\\fB{text(words)}\\fR"


def italic(words: str) -> str:
    """Words that stand for something else."""
    return f"\\fI{text(words)}\\fR"


def prose(words: str) -> str:
    """A sentence; what stands between backquotes is bold."""
    parts = _CODE.split(words)
    return "".join(bold(part) if number % 2 else _kept(part) for number, part in enumerate(parts))


def _kept(part: str) -> str:
    """A part of a sentence with the blanks that join it to its neighbours."""
    inner = text(part)
    return f"{' ' if part[:1].isspace() and inner else ''}{inner}{' ' if part[-1:].isspace() else ''}"


def lines(content: str) -> tuple[str, ...]:
    """Text, ready for roff, on lines of a length that its tools like; none begins as a line of commands would."""
    return tuple(_line(row) for row in wrap(content, _WIDTH, break_long_words=False, break_on_hyphens=False))


def heading(words: str) -> str:
    """A section; capitals are the writer's, since the name of a file has its own."""
    return f".SH {_argument(words)}"


def subheading(words: str) -> str:
    """A section in a section."""
    return f".SS {_argument(words)}"


def paragraph(words: str) -> tuple[str, ...]:
    """A paragraph."""
    return (".PP", *lines(prose(words)))


def item(tag: str, *rows: str) -> tuple[str, ...]:
    """What a tag, ready for roff, means; each further row is a paragraph of its own."""
    first, *rest = rows
    more = (part for row in rest for part in (".IP", *lines(prose(row))))
    return (".TP", _line(tag), *lines(prose(first)), *more)


def example(rows: Iterable[str]) -> tuple[str, ...]:
    """Lines that are shown as they stand."""
    return (".PP", ".RS 4", ".nf", *(_line(row.translate(_ESCAPES)) for row in rows), ".fi", ".RE")


def title(name: str, section: int, version: str, manual: str) -> tuple[str, ...]:
    """The beginning of a page, the same whenever it is made."""
    return (
        '.\\" Made by python -m codifica_guard.cli.manual_pages; do not edit.',
        f".TH {text(name.upper())} {section} {DATE} {_argument(version)} {_argument(manual)}",
        ".nh",  # what is to be typed is not to be broken
        ".ad l",
    )


def _line(content: str) -> str:
    return f"\\&{content}" if content[:1] in {".", "'"} else content


def _argument(words: str) -> str:
    shown = text(words)
    return f'"{shown}"' if " " in shown or not shown else shown
