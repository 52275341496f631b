"""Git's C-style quoting, read as Git writes it."""

import re
from typing import Final

from codifica_guard.errors import RepositoryError

_ESCAPES: Final = {
    b"a": b"\a",
    b"b": b"\b",
    b"t": b"\t",
    b"n": b"\n",
    b"v": b"\v",
    b"f": b"\f",
    b"r": b"\r",
    b'"': b'"',
    b"\\": b"\\",
}
_QUOTED: Final = re.compile(rb'"((?:[^"\\]|\\(?:[abtnvfr"\\]|[0-3][0-7]{2}))*)"', re.DOTALL)
_ESCAPE: Final = re.compile(rb"\\([0-3][0-7]{2}|.)", re.DOTALL)


def c_unquote(text: bytes) -> bytes:
    """The bytes that a whole C-quoted text stands for, its two quotes included in `text`.

    Raises:
        RepositoryError: it is not quoted, not closed, goes on behind the closing quote, or holds an unknown escape.
    """
    match = _QUOTED.fullmatch(text)
    if match is None:
        raise RepositoryError(f"cannot read the quoted text {text[:80]!r}")
    return _unescape(match[1])


def _unescape(inner: bytes) -> bytes:
    return _ESCAPE.sub(lambda m: _ESCAPES.get(m[1]) or bytes((int(m[1], 8),)), inner)


def split_path_list(value: bytes) -> tuple[bytes, ...]:
    """The paths of a colon-separated list, such as `GIT_ALTERNATE_OBJECT_DIRECTORIES`; empty elements are left out.

    An element that starts with a double quote is C-quoted, as Git writes paths that hold a colon.

    Raises:
        RepositoryError: a quoted element cannot be read.
    """
    paths: list[bytes] = []
    position = 0
    while position < len(value):
        if value[position : position + 1] == b'"':
            match = _QUOTED.match(value, position)
            if match is None or value[match.end() : match.end() + 1] not in {b"", b":"}:
                raise RepositoryError(f"cannot read the quoted path in {value[:80]!r}")
            paths.append(_unescape(match[1]))
            position = match.end() + 1
            continue
        end = value.find(b":", position)
        end = len(value) if end < 0 else end
        if end > position:
            paths.append(value[position:end])
        position = end + 1
    return tuple(paths)
