r"""Glob patterns with minimatch's meaning, as regular expressions that can be kept as text.

The meaning: `**` as a whole part spans folders (and none), `*` and `?` stay inside one part, `[a-z]`, `[!a]`, braces, extglob
(`@(a|b)`, `?(a)`, `!(a)`; `+(a)` and `*(a)` with plain, distinct words), `\` escapes. Names with a leading dot are names like all
others, case counts, `/` is the only separator, the file system is never asked. A leading `!` takes away; where only such patterns
stand, everything else matches. A leading `./` says nothing. A leading `#` is a character like any other.

wcmatch translates; it is imported only for patterns that need it, and what it gives is kept by `codifica_guard.policy.cache`.
Its output is then made safe for hostile patterns and paths: `$` would match before a final newline, and lazy repeats in a row
would backtrack for ever.
"""

import re
from collections.abc import Sequence
from typing import Final

from codifica_guard import limits
from codifica_guard.errors import PolicyError
from codifica_guard.model.policy import Globs

_ANYTHING: Final = "(?s:.+)"
MAGIC: Final = frozenset("*?[{(\\")
"""Characters that may mean something in a pattern."""

_GROUP: Final = re.compile(r"([?*+@!])\(([^()]*)\)")
_GROUP_START: Final = re.compile(r"[?*+@!]\(")
_GLOBSTAR: Final = r"(?:(?!(?:[/]|^)(?:\.{1,2})(?:$|[/])).)*?(?:^|[/]+)"  # as wcmatch writes `**/`
_PLACEHOLDER: Final = re.compile(r"\{(type|id|slug)\}")
_CHOICES: Final = 64
_GROUPED_GLOBSTARS: Final = 2
_GROUPED_WILDCARDS: Final = 2


def compile_globs(patterns: Sequence[str]) -> Globs:
    """The patterns as one value: a path matches if one pattern does and no `!pattern` takes it away.

    Args:
        patterns: in the order in which they were written; none match nothing.

    Raises:
        PolicyError: a pattern is empty, malformed, past a limit, or could be matched only by trying for ever.
    """
    include, exclude = _compile(patterns)
    return Globs(patterns=tuple(patterns), include=include, exclude=exclude)


def scope_globs(include: Sequence[str], exclude: Sequence[str]) -> Globs:
    """What `include` matches and `exclude` does not: exclude wins.

    A `!pattern` in `include` takes away; in `exclude` it takes away from what is excluded.

    Args:
        include: patterns of what is in scope; none match nothing.
        exclude: patterns of what is not.

    Raises:
        PolicyError: as `compile_globs` does.
    """
    taken, dropped = _compile(include)
    out, kept = _compile(exclude)
    if kept:
        but = "|".join(f"(?:{source})" for source in kept)
        out = (rf"(?!(?:{but})\Z)(?:{'|'.join(f'(?:{source})' for source in out)})",)
    return Globs(
        patterns=(*include, *(f"!{p}" for p in exclude)),
        include=taken,
        exclude=(*dropped, *out),
    )


def filled(pattern: str, *, kinds: Sequence[str], ident: str) -> str:
    """A `branch_pattern` as a glob: `{type}` is one of some words, `{id}` an id, `{slug}` whatever has no `/`.

    Args:
        pattern: the pattern; other placeholders stay as they are.
        kinds: words for `{type}`, at least one.
        ident: the id; it and the words hold nothing that means something in a glob.
    """
    kind = kinds[0] if len(kinds) == 1 else f"{{{','.join(kinds)}}}"
    parts = {"type": kind, "id": ident, "slug": "*"}
    return _PLACEHOLDER.sub(lambda match: parts[match[1]], pattern)


def literal(path: str) -> str:
    """The regular expression that matches exactly this text."""
    return re.escape(path)


def _compile(patterns: Sequence[str]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Sources of what is matched, and of what is taken away."""
    include: list[str] = []
    exclude: list[str] = []
    size = 0
    for number, pattern in enumerate(patterns, start=1):
        bare = pattern.lstrip("!")
        negative = (len(pattern) - len(bare)) % 2 == 1
        if negative and bare.startswith("("):
            raise _bad(
                pattern,
                "!( at the beginning reads two ways; write @(…) for a choice, or take away by a pattern of its own",
            )
        found = _sources(bare, pattern, limits.PATTERN_SOURCE - size)
        size += sum(map(len, found))
        (exclude if negative else include).extend(found)
        if max(number, len(include) + len(exclude)) > limits.PATTERNS:
            raise _bad(pattern, f"more than {limits.PATTERNS} patterns, braces expanded")
    if exclude and not include:
        include.append(_ANYTHING)
    return tuple(include), tuple(exclude)


def _sources(bare: str, pattern: str, room: int) -> Sequence[str]:
    """Regular expressions of one pattern without its `!`."""
    if len(bare) > limits.PATTERN_CHARACTERS:
        raise _bad(pattern, f"longer than {limits.PATTERN_CHARACTERS} characters")
    while bare.startswith("./"):
        bare = bare[2:]
    if not bare:
        raise _bad(pattern, "an empty pattern")
    if bare == "**":
        return (_ANYTHING,)
    folder = bare.removesuffix("/**")
    if not MAGIC & set(folder):
        return (re.escape(bare) if folder is bare else f"{re.escape(folder)}/{_ANYTHING}",)
    return _translated(bare, pattern, room)


def _translated(bare: str, pattern: str, room: int) -> list[str]:
    """The same by wcmatch, made safe; `room` characters are left for the expressions of the list."""
    # Only here: they cost a third of what an ordinary push costs, and most policies never need them.
    import bracex  # noqa: PLC0415
    from wcmatch import glob  # noqa: PLC0415

    flags = glob.GLOBSTAR | glob.EXTGLOB | glob.DOTGLOB | glob.CASE | glob.FORCEUNIX
    sources = []
    try:
        for alternative in bracex.expand(bare, keep_escapes=True, limit=limits.PATTERNS):
            grouped = _check_groups(alternative, pattern)
            for source in glob.translate(alternative, flags=flags, limit=limits.PATTERNS)[0]:
                safe = _absolute_ends(source if grouped else _without_retries(source))
                room -= len(safe)
                if room < 0:
                    raise _bad(pattern, "the list is too long and too intricate; write fewer or plainer patterns")
                re.compile(safe)
                sources.append(safe)
    except (ValueError, RecursionError, OverflowError, re.error, bracex.ExpansionLimitException) as error:
        raise _bad(pattern, str(error)) from error
    if not sources:
        raise _bad(pattern, "an empty pattern")
    return sources


def _check_groups(alternative: str, pattern: str) -> bool:
    """Whether there are extglob groups; refuses those that a path could keep busy for ever.

    Seen without the rules for `[…]`: what could be read as a group is one.
    """
    plain = re.sub(r"\\.", "_", alternative, flags=re.DOTALL)
    groups = _GROUP.findall(plain)
    rest = _GROUP.sub("\0", plain)
    if _GROUP_START.search(rest):
        raise _bad(pattern, "a group that is not closed, or stands in another group")
    if not groups:
        return False
    choices, parts = 1, rest.split("/")
    for kind, inside in groups:
        words = inside.split("|")
        choices *= len(words)
        if "/" in inside:
            raise _bad(pattern, "a / in a group")
        if kind in "+*" and not _distinct(words):
            raise _bad(pattern, f"{kind}(…) takes plain words of which none begins another")
    wild = [part.count("*") for part in parts if part != "**"]
    inner = sum(inside.count("*") + (kind in "+*!") for kind, inside in groups)
    if (
        choices > _CHOICES
        or parts.count("**") > _GROUPED_GLOBSTARS
        or max(wild, default=0) + inner > _GROUPED_WILDCARDS
    ):
        raise _bad(pattern, "too many groups and wildcards; write several patterns")
    return True


def _distinct(words: list[str]) -> bool:
    """Whether a text can be cut into these words in one way only, seen from its start."""
    if any(not word or set(word) & set("*?[]_\\") for word in words):
        return False
    return not any(a is not b and a.startswith(b) for a in words for b in words)


def _without_retries(source: str) -> str:
    """The same expression, without coming back to a `**` once what follows it was found.

    What stands between two `**` spans a fixed number of parts, and the later `**` can take up whatever is left: the first place is
    as good as any. Without this, `**/a/**/a/**/a/**/b` on a deep path tries every combination.
    """
    head, *chunks = source.split(_GLOBSTAR)
    if len(chunks) < 2:
        return source
    *inner, last = chunks
    return head + "".join(f"(?>{_GLOBSTAR}{chunk})" for chunk in inner) + _GLOBSTAR + last


def _absolute_ends(source: str) -> str:
    r"""The same expression with `\Z` for `$`: a name such as `..` and a newline must not slip past."""
    return re.sub(
        r"\\.|\[\^?\\?.[^\]\\]*(?:\\.[^\]\\]*)*\]|\$", lambda m: r"\Z" if m[0] == "$" else m[0], source, flags=re.DOTALL
    )


def _bad(pattern: str, why: str) -> PolicyError:
    shown = pattern if len(pattern) <= limits.VALUE_SHOWN else pattern[: limits.VALUE_SHOWN] + "…"
    return PolicyError(f"the pattern {shown!r} cannot be taken: {why}")
