"""Fenced code at the left edge of a Markdown text, found by CommonMark's block structure (0.31.2).

A state fence starts at column 0 and stands in no list, quote, HTML block or other fence. A line at column 0 is never in a
list item or a quote, but what an indented line opens or continues decides whether the next line at column 0 still is a
paragraph, HTML or code. So the whole block structure is followed, without inlines and link definitions: a definition
counts as the paragraph that the reference implementation takes it for until it ends.
"""

import re
from collections.abc import Sequence
from enum import Enum
from functools import cache
from typing import Final

from codifica_guard.model.value import value

_TAGS: Final = (
    b"address|article|aside|base|basefont|blockquote|body|caption|center|col|colgroup|dd|details|dialog|dir|div|dl|dt"
    b"|fieldset|figcaption|figure|footer|form|frame|frameset|h1|h2|h3|h4|h5|h6|head|header|hr|html|iframe|legend|li|link"
    b"|main|menu|menuitem|nav|noframes|ol|optgroup|option|p|param|search|section|summary|table|tbody|td|tfoot|th|thead"
    b"|title|tr|track|ul"
)
_ATTRIBUTE: Final = (
    rb"""(?:[ \t]+[a-zA-Z_:][a-zA-Z0-9:._-]*+(?:[ \t]*=[ \t]*(?:[^"'=<>`\x00-\x20]++|'[^']*'|"[^"]*"))?)"""
)

_COMMENT: Final = rb"<!--"
_OPEN: Final = re.compile(rb"(`{3,})([^`]*)$|(~{3,})(.*)$", re.DOTALL)
_HEADING: Final = re.compile(rb"#{1,6}(?:[ \t]|$)")
_UNDERLINE: Final = re.compile(rb"(?:=+|-+)[ \t]*$")
_ITEM: Final = re.compile(rb"(?:[-+*]|([0-9]{1,9})[.)])(?=[ \t]|$)")

_QUOTE: Final = 0
_CODE_INDENT: Final = 4
_INDENTED_BY: Final = 3
_BREAK_SIGNS: Final = 3
_NESTING: Final = (
    32  # what stands deeper on one line counts as text: no prose needs it, and a line of marks stays cheap
)


@value
class Fence:
    """One fence at column 0 of the top level.

    Attributes:
        info: first word of its info string, lowercased; empty where there is none.
        open: index of its opening line.
        close: index of its closing line; None where it runs to the end of the text.
        length: how many marks open it.
        char: the mark: a backtick or a tilde.
    """

    info: str
    open: int
    close: int | None
    length: int
    char: str


class Leaf(Enum):
    """What the last line is part of, at the innermost level."""

    NONE = "nothing that goes on"
    TEXT = "a paragraph"
    HTML = "an HTML block"
    CODE = "a fence"


class Outline:
    """Follows a text line by line and knows which fence, if any, the next line may stand in.

    Attributes:
        leaf: what the last line is part of.
        comment: whether `leaf` is HTML and an HTML comment.
        mark: the marks that opened the innermost fence, such as three backticks; meaningful where `leaf` is CODE.
        info: the info string behind them, not trimmed.
        edge: whether that fence was opened at column 0 of the top level.
    """

    __slots__ = ("_containers", "_end", "_hollow", "comment", "edge", "info", "leaf", "mark")

    def __init__(self) -> None:
        self.leaf = Leaf.NONE
        self.comment = False
        self.mark = b""
        self.info = b""
        self.edge = False
        self._end: re.Pattern[bytes] | None = None
        self._containers: list[int] = []  # a quote is 0; a list item the columns by which its content is indented
        self._hollow = False  # the innermost container is a list item without any content yet

    def word(self) -> str:
        """The first word of the info string, lowercased."""
        words = self.info.split()
        return words[0].decode("utf-8", "replace").lower() if words else ""

    def leave(self) -> None:
        """The fence that is open was closed by a line that was not fed."""
        self.leaf = Leaf.NONE

    def feed(self, line: bytes) -> None:
        """Take the next line, with or without its line end."""
        line = line.rstrip(b"\r\n")
        at, column = _skip(line, 0, 0)
        base, matched = 0, 0
        for width in self._containers:
            if width == _QUOTE:
                if at == len(line) or column - base > _INDENTED_BY or line[at] != ord(">"):
                    break
                at, column, base = _behind_quote(line, at, column)
            elif at == len(line):
                if self._hollow and matched == len(self._containers) - 1:
                    break
            elif column - base >= width:
                base += width
            else:
                break
            matched += 1
        if not self._goes_on(line, at, column - base, inside=matched == len(self._containers)):
            self._opens(line, at, column, base, matched)

    def _goes_on(self, line: bytes, at: int, indent: int, *, inside: bool) -> bool:
        """Whether the line is content or end of the code or HTML that is open; ends it where it is not inside."""
        if self.leaf is Leaf.CODE:
            if inside:
                if indent <= _INDENTED_BY and closes(self.mark, line[at:]):
                    self.leaf = Leaf.NONE
                return True
            self.leaf = Leaf.NONE
        elif self.leaf is Leaf.HTML:
            if inside and (self._end is not None or at < len(line)):
                self._finish_html(line[at:])
                return True
            self.leaf = Leaf.NONE
        return False

    def _finish_html(self, rest: bytes) -> None:
        if self._end is not None and self._end.search(rest):
            self.leaf = Leaf.NONE

    def _opens(self, line: bytes, at: int, column: int, base: int, matched: int) -> None:
        """Open the containers and the leaf that the rest of the line starts, or go on with a paragraph."""
        lazy = self.leaf is Leaf.TEXT  # a paragraph that may go on although its containers do not
        paragraph = lazy and matched == len(self._containers)
        while at < len(line) and matched < _NESTING:
            indent, rest = column - base, line[at:]
            if indent >= _CODE_INDENT:
                if lazy:
                    break
                self._start(matched, Leaf.NONE)
                return
            if rest[0] == ord(">"):
                at, column, base = _behind_quote(line, at, column)
                matched = self._enter(matched, _QUOTE, hollow=False)
            elif self._starts_leaf(rest, matched, column, lazy=lazy, paragraph=paragraph):
                return
            elif (item := _ITEM.match(rest)) is not None and not (paragraph and _is_text(item, rest)):
                marker = column + item.end()
                at, column = _skip(line, at + item.end(), marker)
                wide = at == len(line) or column - marker > _CODE_INDENT
                base = marker + 1 if wide else column
                matched = self._enter(matched, indent + base - marker + item.end(), hollow=at == len(line))
            else:
                break
            lazy = paragraph = False
        if at == len(line):
            self._close(matched)
            self.leaf = Leaf.NONE
        elif not lazy or paragraph:
            self._start(matched, Leaf.TEXT)

    def _starts_leaf(self, rest: bytes, matched: int, column: int, *, lazy: bool, paragraph: bool) -> bool:
        if fence := _OPEN.match(rest):
            self._start(matched, Leaf.CODE)
            self.mark, self.info = fence[1] or fence[3], fence[2] or fence[4] or b""
            self.edge = not self._containers and column == 0
        elif rest[0] == ord("<") and (kind := _html_kind(rest, any_tag=not lazy)) is not None:
            self._start(matched, Leaf.HTML)
            self._end, self.comment = kind
            self._finish_html(rest)
        elif _HEADING.match(rest) or (paragraph and _UNDERLINE.match(rest)) or _is_break(rest):
            self._start(matched, Leaf.NONE)
        else:
            return False
        return True

    def _start(self, matched: int, leaf: Leaf) -> None:
        self._close(matched)
        self.leaf, self._hollow = leaf, False

    def _enter(self, matched: int, width: int, *, hollow: bool) -> int:
        self._close(matched)
        self._containers.append(width)
        self.leaf, self._hollow = Leaf.NONE, hollow
        return len(self._containers)

    def _close(self, matched: int) -> None:
        if matched < len(self._containers):
            del self._containers[matched:]
            self._hollow = False


def closes(mark: bytes, line: bytes) -> bool:
    """Whether a whole line, without its end, closes a fence of the top level that `mark` opened (CommonMark 4.5)."""
    text = line.rstrip(b" \t")
    body = text.lstrip(b" ")
    return len(text) - len(body) <= _INDENTED_BY and len(body) >= len(mark) and not body.strip(mark[:1])


def scan(lines: Sequence[bytes]) -> tuple[Fence, ...]:
    """Exactly the fences that CommonMark finds at column 0 of the top level, in order.

    Args:
        lines: the text's lines, with or without their ends (LF or CRLF).
    """
    outline, found = Outline(), list[Fence]()
    start, mark, info = -1, b"", ""

    def end(close: int | None) -> None:
        found.append(Fence(info=info, open=start, close=close, length=len(mark), char=mark[:1].decode()))

    for index, line in enumerate(lines):
        outline.feed(line)
        if start >= 0:
            if outline.leaf is not Leaf.CODE:
                end(index)
                start = -1
        elif outline.leaf is Leaf.CODE and outline.edge:
            start, mark, info = index, outline.mark, outline.word()
    if start >= 0:
        end(None)
    return tuple(found)


def _skip(line: bytes, at: int, column: int) -> tuple[int, int]:
    """Past blanks and tabs: index and column of what follows; a tab leads to the next column that four divides."""
    while at < len(line):
        if line[at] == ord(" "):
            column += 1
        elif line[at] == ord("\t"):
            column += 4 - column % 4
        else:
            break
        at += 1
    return at, column


def _behind_quote(line: bytes, at: int, column: int) -> tuple[int, int, int]:
    """Index and column of what follows a quote's mark, and the column where its content begins."""
    base = column + 1
    at, column = _skip(line, at + 1, base)
    return at, column, base + 1 if column > base else base


def _is_break(rest: bytes) -> bool:
    """Whether a line is a thematic break (CommonMark 4.1)."""
    sign = rest[:1]
    return sign in {b"*", b"-", b"_"} and not rest.strip(sign + b" \t") and rest.count(sign) >= _BREAK_SIGNS


def _is_text(item: re.Match[bytes], rest: bytes) -> bool:
    """Whether what looks like a list item cannot interrupt a paragraph (CommonMark 5.2)."""
    return not rest[item.end() :].strip() or (item[1] is not None and int(item[1]) != 1)


@cache
def _html() -> tuple[tuple[tuple[re.Pattern[bytes], re.Pattern[bytes] | None], ...], re.Pattern[bytes]]:
    """How the kinds of HTML blocks start and end (CommonMark 4.6; None: at a blank line), and any tag that fills a line."""
    kinds = (
        (rb"(?i:<(?:script|pre|style|textarea)(?:[ \t>]|$))", rb"(?i:</(?:script|pre|style|textarea)>)"),
        (_COMMENT, rb"-->"),
        (rb"<\?", rb"\?>"),
        (rb"<![A-Za-z]", rb">"),
        (rb"<!\[CDATA\[", rb"\]\]>"),
        (rb"(?i:</?(?:" + _TAGS + rb")(?:[ \t]|/?>|$))", None),
    )
    tag = rb"<(?:[A-Za-z][A-Za-z0-9-]*+" + _ATTRIBUTE + rb"*[ \t]*/?>|/[A-Za-z][A-Za-z0-9-]*+[ \t]*>)[ \t]*$"
    return tuple((re.compile(start), None if end is None else re.compile(end)) for start, end in kinds), re.compile(tag)


def _html_kind(rest: bytes, *, any_tag: bool) -> tuple[re.Pattern[bytes] | None, bool] | None:
    """The end of the HTML block that starts here, and whether it is a comment; None where none starts."""
    kinds, tag = _html()
    for start, end in kinds:
        if start.match(rest):
            return end, start.pattern == _COMMENT
    return (None, False) if any_tag and tag.match(rest) else None
