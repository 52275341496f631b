"""Text from a push is hostile: what a report shows of it is ASCII, on one line, of bounded length."""

from codifica_guard.limits import VALUE_SHOWN

_NAMED = {"\n": "\\n", "\r": "\\r", "\t": "\\t", "\\": "\\\\"}


def escape(text: str, limit: int = VALUE_SHOWN) -> str:
    """A text in printable ASCII: control, bidirectional and all other characters are escaped; cut at a limit."""
    shown = "".join(_NAMED.get(c) or (c if " " <= c <= "~" else _escaped(c)) for c in text[: limit + 1])
    return shown if len(text) <= limit and len(shown) <= 4 * limit else shown[:limit] + "..."


def _escaped(char: str) -> str:
    point = ord(char)
    if 0xDC80 <= point <= 0xDCFF:
        return f"\\x{point - 0xDC00:02x}"  # a byte that was no UTF-8
    return f"\\u{point:04x}" if point < 0x10000 else f"\\U{point:08x}"


def escape_words(text: str, limit: int = 4 * VALUE_SHOWN) -> str:
    """A sentence that may repeat pushed text: like `escape`, with backslashes left as they are."""
    return escape(text, limit).replace("\\\\", "\\")
