"""Words of a POSIX shell, and of zsh, that stay words, whatever stands in them; ASCII, so that a terminal is safe from them too."""

import re
from collections.abc import Iterable
from typing import Final

_BARE: Final = re.compile(rb"[A-Za-z0-9_@%+:,./-]+")
_VISIBLE: Final = re.compile(rb"[ -~]*")
_SAME: Final = frozenset(b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789_./-")


def word(value: str | bytes) -> str:
    """One word of a shell that stands for exactly these bytes; a NUL, which no word can hold, may not be among them.

    What is no visible ASCII is written by `printf`, line ends at its end as they are. Whether a dash at its start makes an
    option of it, is for the command to settle.
    """
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    if _BARE.fullmatch(raw):
        return raw.decode("ascii")
    if _VISIBLE.fullmatch(raw):
        return _quoted(raw.decode("ascii"))
    body = raw.rstrip(b"\n")  # the shell takes them away from what a command prints
    ends = "'" + "\n" * (len(raw) - len(body)) + "'" if len(raw) > len(body) else ""
    if _VISIBLE.fullmatch(body):
        return (_quoted(body.decode("ascii")) if body else "") + ends
    form = "".join(chr(b) if b in _SAME else f"\\{b:03o}" if b != ord("%") else "%%" for b in body)
    # A form that starts with a dash would be an option.
    return f"\"$(printf '{form}')\"{ends}" if not form.startswith("-") else f"\"$(printf '\\055{form[1:]}')\"{ends}"


def path_word(path: str) -> str:
    """A path of the file system as a word that no command takes for an option."""
    return word(f"./{path}" if path.startswith("-") else path)


def lines_word(lines: Iterable[str]) -> str:
    """Several lines of visible ASCII as one word, the line ends between them as they are."""
    return _quoted("\n".join(lines))


def _quoted(text: str) -> str:
    return "'" + text.replace("'", "'\"'\"'") + "'"
