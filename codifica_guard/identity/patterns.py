"""Pattern lists of OpenSSH: `*` for any text, `?` for one character, a leading `!` to take away."""

import re
from collections.abc import Iterable
from typing import Final

from codifica_guard.model.ids import NAME

_NAME_START: Final = re.compile(r"[a-z0-9?]")
_NAME_REST: Final = re.compile(r"[a-z0-9._?-]*")
_ANY_CHARACTER: Final = "\0"  # stands for one unknown character of a name: only `?` and `*` match it


def glob_matches(pattern: str, text: str) -> bool:
    """Whether a pattern matches all of a text; in at most len(pattern) * len(text) steps, whatever the stars."""
    p = t = retry_t = 0
    star = -1
    while t < len(text):
        if p < len(pattern) and pattern[p] == "*":
            star, retry_t = p, t
            p += 1
        elif p < len(pattern) and pattern[p] in {"?", text[t]}:
            p += 1
            t += 1
        elif star >= 0:  # let the last star take one character more
            retry_t += 1
            p, t = star + 1, retry_t
        else:
            return False
    return not pattern[p:].strip("*")


def list_matches(patterns: Iterable[str], text: str) -> bool:
    """Whether some pattern matches and no pattern with `!` does."""
    found = False
    for pattern in patterns:
        if pattern.startswith("!"):
            if glob_matches(pattern[1:], text):
                return False
        else:
            found = found or glob_matches(pattern, text)
    return found


def is_literal(pattern: str) -> bool:
    """Whether a pattern adds exactly one text: itself."""
    return not pattern.startswith("!") and "*" not in pattern and "?" not in pattern


def list_reaches(patterns: Iterable[str], kind: str) -> bool:
    """Whether a list may match a principal of a kind, such as `human`; in doubt it does.

    A `!` pattern counts where it takes away the very text, or every name of the kind.
    """
    listed = tuple(patterns)
    taken = tuple(p[1:] for p in listed if p.startswith("!"))
    if any(_covers(pattern, kind) for pattern in taken):
        return False
    return any(
        _reaches(pattern, kind) and not (is_literal(pattern) and any(glob_matches(t, pattern) for t in taken))
        for pattern in listed
        if not pattern.startswith("!")
    )


def _covers(pattern: str, kind: str) -> bool:
    """Whether a pattern that ends in a star matches every name of the kind: what stands before it matches the start."""
    if not pattern.endswith("*"):
        return False
    head, prefix = pattern.rstrip("*"), f"{kind}:"
    starts = [prefix[:n] for n in range(len(prefix) + 1)]
    return any(glob_matches(head, start) for start in (*starts, prefix + _ANY_CHARACTER))


def _reaches(pattern: str, kind: str) -> bool:
    """Whether a pattern matches some name of the kind: what is left of it behind `kind:` has to fit a name."""
    if is_literal(pattern):
        name = pattern.removeprefix(f"{kind}:")
        return name != pattern and NAME.fullmatch(name) is not None
    return any(_fits_name(rest) for rest in _after(pattern, f"{kind}:"))


def _after(pattern: str, prefix: str) -> set[str]:
    """All that may be left of a pattern when it has taken the prefix."""
    rests = _with_stars({pattern})
    for character in prefix:
        taken = {r if r[0] == "*" else r[1:] for r in rests if r and r[0] in {"*", "?", character}}
        rests = _with_stars(taken)
    return rests


def _with_stars(rests: set[str]) -> set[str]:
    """A star may also take nothing: each rest that starts with stars stands without them too."""
    return rests | {r.lstrip("*") for r in rests}


def _fits_name(rest: str) -> bool:
    fixed = rest.replace("*", "")
    if len(fixed) > 64 or not rest or _NAME_REST.fullmatch(fixed) is None:
        return False
    return rest[0] == "*" or _NAME_START.match(rest) is not None
