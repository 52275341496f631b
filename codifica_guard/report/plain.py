"""Text from a push, for a person's or an agent's own screen: what can be read stays, what only disturbs is escaped."""

from codifica_guard.limits import VALUE_SHOWN
from codifica_guard.report.escape import escape


def plain(text: str, limit: int = VALUE_SHOWN) -> str:
    """A text on one line: letters of all scripts as they are; control, bidirectional and invisible characters escaped; cut at a limit.

    A server's report goes through terminals that nobody here knows, and stays ASCII (`report.escape`).
    """
    shown = "".join(c if c.isprintable() and c != "\\" else escape(c) for c in text[: limit + 1])
    return shown if len(text) <= limit and len(shown) <= 4 * limit else shown[:limit] + "..."


def plain_words(text: str, limit: int = 4 * VALUE_SHOWN) -> str:
    """A sentence that may repeat pushed text: like `plain`, with backslashes left as they are."""
    return plain(text, limit).replace("\\\\", "\\")
