"""The message file of a commit in the making: what will be stored, and the comments behind it."""

import re
from typing import Final

SCISSORS: Final = b" ------------------------ >8 ------------------------"
_BLANK: Final = b" \t\r\n\v\f"


def cut(data: bytes, comment: str, *, edited: bool) -> tuple[bytes, bytes]:
    """The text of a message file, and the comments and scissors behind it, which stay where they are.

    Git cleans a message up only after the hook: where an editor was open, comment lines and what follows the scissors go;
    where none was, `#` lines are text.

    Args:
        data: the file.
        comment: Git's `core.commentString` or `core.commentChar`; `auto` is found out from the file.
        edited: whether an editor was open.
    """
    if not edited:
        return data, b""
    mark = _mark(data, comment)
    lines = data.split(b"\n")
    for number, line in enumerate(lines):
        if line.startswith(mark) and line[len(mark) :].rstrip() == SCISSORS:
            lines, behind = lines[:number], b"\n".join(lines[number:])
            break
    else:
        behind = b""
    end = len(lines)
    while end and (not lines[end - 1].strip(_BLANK) or lines[end - 1].startswith(mark)):
        end -= 1
    text = b"".join(line + b"\n" for line in lines[:end])
    comments = b"\n".join(lines[end:])
    return text, comments + (b"\n" if comments and behind else b"") + behind


def stored(text: bytes, comment: str, *, edited: bool) -> bytes:
    """The text as Git will store it, as far as it matters for what is signed: comment lines gone, lines trimmed."""
    mark = _mark(text, comment)
    lines = [line.rstrip(_BLANK) for line in text.split(b"\n") if not (edited and line.startswith(mark))]
    while lines and not lines[-1]:
        lines.pop()
    return b"".join(line + b"\n" for line in lines)


def _mark(data: bytes, comment: str) -> bytes:
    if comment != "auto":
        return comment.encode("utf-8", "surrogateescape") or b"#"
    found = re.search(rb"^([#;@!$%^&|:])" + re.escape(SCISSORS) + rb"\s*$", data, re.MULTILINE)
    if found:
        return found[1]
    last = next((line for line in reversed(data.split(b"\n")) if line.strip(_BLANK)), b"#")
    return last[:1] if last[:1] in b"#;@!$%^&|:" else b"#"
