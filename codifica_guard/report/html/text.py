"""Text in a page: nothing that was pushed ends up as markup, unseen, or without end."""

import unicodedata
from datetime import UTC, datetime
from html import escape as markup
from typing import Final

from codifica_guard.model.ids import is_principal

LINE: Final = 200
"""Characters that are shown of a text on one line."""

NAME: Final = 80
"""Characters that are shown of an id, a principal, a branch: legal ones are shorter."""

PROSE: Final = 4_000
"""Characters that are shown of a text of several lines."""

HEX: Final = 12
"""Digits of a commit's id in tables: Git finds it by them, and no history is so large that two share them."""

_STACKED: Final = 3
"""Accents on one letter that are shown as they are: more of them spill over other lines."""

_BLANK: Final = 2
"""Line ends in a row that are shown as they are: more of them push everything else out of sight."""

_UNSEEN: Final = frozenset("\u034f\u115f\u1160\u17b4\u17b5\u3164\uffa0") | frozenset(
    map(chr, (*range(0x180B, 0x180E), 0x180F, *range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0)))
)
"""Characters that count as printable and show nothing."""

_RIGHT_TO_LEFT: Final = frozenset(["R", "AL", "AN"])


def line(text: str, limit: int = LINE) -> str:
    """Markup of a text on one line: letters of all scripts as they are; what cannot be seen, or turns the line round, as its code."""
    return _shown(text, limit, "")


def prose(text: str, limit: int = PROSE) -> str:
    """Markup of a text of several lines: like `line`, with line ends and tabs as they are."""
    return _shown(text, limit, "\n\t")


def name(text: str, limit: int = NAME) -> str:
    """Markup of what ought to be ASCII, an id or a principal: any other letter is shown as its code, so that none passes for another."""
    return _shown(text, limit, "", ascii_only=True)


def bare(text: str, limit: int = NAME) -> str:
    """The same for an attribute's value, or text in a drawing: escaped, codes between brackets, no markup."""
    cut = text[:limit]
    said = "".join(c if " " <= c <= "~" else f"[{_code(c)}]" for c in cut)
    return markup(said + ("..." if len(text) > limit else ""))


def path(raw: bytes, limit: int = LINE) -> str:
    """Markup of a path or ref; bytes that are no UTF-8 are shown as such."""
    return line(raw.decode("utf-8", "surrogateescape"), limit)


def branch(ref: bytes) -> str:
    """Markup of a branch's name, without the folder that all branches are in."""
    return name(ref.removeprefix(b"refs/heads/").decode("utf-8", "surrogateescape"))


def commit(oid: bytes | None) -> str:
    """Markup of a commit's id, by its first digits; a dash for none."""
    return "\u2013" if oid is None else f'<code class="c">{digits(oid)}</code>'


def digits(oid: bytes) -> str:
    """The first digits of a commit's id alone."""
    return markup(oid[:HEX].decode("ascii", "replace"))


def full(oid: bytes) -> str:
    """Markup of a commit's whole id."""
    return f"<code>{markup(oid.decode('ascii', 'replace'))}</code>"


def when(seconds: float | None) -> str:
    """A time in UTC, to the second; a question mark outside the calendar, a dash for none."""
    if seconds is None:
        return "\u2013"
    try:
        return datetime.fromtimestamp(seconds, UTC).isoformat(" ")[:19] + "Z"
    except (ValueError, OverflowError, OSError):
        return "?"


def until(seconds: float | None) -> str:
    """A time; only its day where it is midnight."""
    return when(seconds).removesuffix(" 00:00:00Z")


def day(seconds: float | None) -> str:
    """The day of a time, in UTC."""
    return when(seconds)[:10]


def number(count: int) -> str:
    """A number, its thousands apart."""
    return f"{count:,}"


def count(many: int, noun: str, plural: str = "") -> str:
    """A number and what it counts: `1 task`, `2 tasks`."""
    return f"{many:,} {noun if many == 1 else plural or noun + 's'}"


def left(many: int, shown: int) -> str:
    """A sentence on what a list leaves out; empty where it leaves nothing out."""
    return f"<p>And {many - shown:,} more, which this page leaves out.</p>" if many > shown else ""


def share(part: int, whole: int) -> str:
    """A share in percent, to a tenth, rounded down: nothing but all is 100 %."""
    if not whole:
        return "\u2013"
    tenths = part * 1000 // whole
    if part and not tenths:
        return "&lt; 0.1 %"
    return f"{tenths // 10} %" if tenths % 10 == 0 else f"{tenths // 10}.{tenths % 10} %"


def who(actor: str | None, claimed: str | None = None) -> str:
    """Markup of who is proven, or of who is only said to have done it."""
    if actor is not None:
        return name(actor)
    return f'<em class="bad">nobody proven</em>{f" (says {name(claimed)})" if claimed else ""}'


def fingerprint(key: str | None) -> str:
    """Markup of a key's fingerprint; a dash for none."""
    return "\u2013" if key is None else f"<code>{name(key)}</code>"


def for_shell(principal: str | None) -> str:
    """A principal as a word of a command, and `NAME` where it is none: nothing else gets into a command."""
    return principal if principal is not None and is_principal(principal) else "NAME"


# -- one character at a time


def _shown(text: str, limit: int, kept: str, *, ascii_only: bool = False) -> str:
    cut = text[:limit]
    if cut.isascii() and cut.isprintable():
        said = markup(cut)
    else:
        said = _spelled(cut, kept, ascii_only=ascii_only)
        if not ascii_only and any(unicodedata.bidirectional(c) in _RIGHT_TO_LEFT for c in cut):
            said = f"<bdi>{said}</bdi>"
    if len(text) > limit:
        said += f'\u2026 <i class="cut">{len(text) - limit:,} more of {len(text):,} characters</i>'
    return said


def _spelled(text: str, kept: str, *, ascii_only: bool) -> str:
    parts: list[str] = []
    stacked = ends = 0
    for char in text:
        stacked = stacked + 1 if unicodedata.combining(char) else 0
        ends = ends + 1 if char == "\n" else 0
        fine = " " <= char <= "~" or (
            not ascii_only and char.isprintable() and char not in _UNSEEN and stacked <= _STACKED
        )
        parts.append(markup(char) if fine or (char in kept and ends <= _BLANK) else f'<i class="u">{_code(char)}</i>')
    return "".join(parts)


def _code(char: str) -> str:
    point = ord(char)
    if 0xDC80 <= point <= 0xDCFF:
        return f"byte {point - 0xDC00:02X}"
    return f"U+{point:04X}"
