"""The lines of sh that let somebody else's hook call the guard, put in and taken out again without touching the others.

They call the shim in the clone's own Git folder. So they do nothing in a clone that has none, need nothing on the PATH, and
may be committed for all.
"""

import re
from typing import Final

from codifica_guard.install import shim

_FIRST: Final = "# >>> codifica-guard {name}: these lines do nothing where it is not installed"
_LAST: Final = "# <<< codifica-guard"
_CALL: Final = """guard_hook=$(git rev-parse --git-common-dir)/codifica-guard/hooks/{name}
[ ! -x "$guard_hook" ] || "$guard_hook" "$@" || {otherwise}
"""
_CALL_WITH_INPUT: Final = """guard_hook=$(git rev-parse --git-common-dir)/codifica-guard/hooks/{name}
if [ -x "$guard_hook" ]; then
guard_input=$(cat)
printf '%s\\n' "$guard_input" | "$guard_hook" "$@" || {otherwise}
exec <<END_OF_INPUT
$guard_input
END_OF_INPUT
[ -n "$guard_input" ] || exec </dev/null
fi
"""
_SHEBANG: Final = b"#!/bin/sh\n"
_SHELLS: Final = frozenset({b"sh", b"bash", b"dash", b"ash", b"ksh", b"zsh", b"busybox"})
_OLD_HUSKY: Final = re.compile(rb"^\s*(?:\.|source)\s.*husky\.sh")
_ENDS: Final = re.compile(rb"^(?:exec|exit)\b")


def block(name: str) -> bytes:
    """The lines for a hook; those of one with input read it, and give it back to what stands behind them."""
    call = _CALL_WITH_INPUT if name in shim.WITH_INPUT else _CALL
    otherwise = "exit" if name in shim.REFUSING else ":"
    text = f"{_FIRST.format(name=name)}\n{call.format(name=name, otherwise=otherwise)}{_LAST}\n"
    return text.encode("ascii")


def alone(name: str) -> bytes:
    """A whole hook that does nothing but call the guard."""
    return _SHEBANG + block(name)


def is_empty(data: bytes) -> bool:
    """Whether nothing is left of a hook but its first line."""
    return not data.strip() or data == _SHEBANG


def is_sh(data: bytes) -> bool:
    """Whether a hook is a script of a shell: by its first line, or, where that names nothing, by being text."""
    first = data.split(b"\n", 1)[0]
    if not first.startswith(b"#!"):
        return b"\0" not in data
    words = [word.rpartition(b"/")[2] for word in first[2:].split()]
    return bool(_SHELLS & set(words[:2]))


def is_called(data: bytes, name: str) -> bool:
    """Whether a hook calls the guard: a line that is no comment holds the call."""
    calls = (f"codifica-guard/hooks/{name}".encode(), f"hook {name}".encode())
    return any(
        b"codifica" in line and any(call in line for call in calls) and not line.lstrip().startswith(b"#")
        for line in data.split(b"\n")
    )


def added(data: bytes, name: str) -> bytes:
    """A hook with our lines in it: in front where there is input to be read, else behind, as the last that runs."""
    text = data if data.endswith(b"\n") or not data else data + b"\n"
    rows = text.split(b"\n")[:-1]
    at = _front(rows) if name in shim.WITH_INPUT else _behind(rows)
    head, tail = rows[:at], rows[at:]
    return b"".join(row + b"\n" for row in head) + block(name) + b"".join(row + b"\n" for row in tail)


def taken(data: bytes, name: str) -> bytes | None:
    """A hook without our lines, every other byte as it is; None where they are not there as we write them."""
    ours = block(name)
    return data.replace(ours, b"", 1) if ours in data else None


def _front(rows: list[bytes]) -> int:
    """Behind the first line and the comments under it; with husky up to 8 behind the line that starts the script anew."""
    old = [number for number, row in enumerate(rows) if _OLD_HUSKY.match(row)]
    if old:
        return old[-1] + 1
    at = 0
    while at < len(rows) and rows[at].startswith(b"#"):
        at += 1
    return at


def _behind(rows: list[bytes]) -> int:
    """Behind the last line, or in front of it where it is what the script ends with."""
    last = len(rows)
    while last and (not rows[last - 1].strip() or rows[last - 1].lstrip().startswith(b"#")):
        last -= 1
    return last - 1 if last and _ENDS.match(rows[last - 1]) else len(rows)
