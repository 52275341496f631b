"""Values that a pair of quotes makes readable: found, quoted, and read back before anybody is asked."""

import re
from collections.abc import Sequence
from typing import Any, Final

from codifica_guard.errors import StateError
from codifica_guard.model.document import Block, Fault, Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.model.value import value
from codifica_guard.state.blocks import split
from codifica_guard.state.yaml import read_block

_LINE: Final = re.compile(r"( *(?:- +)*)(?:([A-Za-z_][A-Za-z0-9_-]*):( +))?([^\t]*)")
_COMMENT: Final = re.compile(r" +#(?: .*)?$")
_ENTRY: Final = frozenset(
    [
        "by",
        "note",
        "summary",
        "timestamp",
        "provenance",
        "session_id",
        "commit_sha",
        "writer",
        "from",
        "to",
        "reason",
        "path",
        "type",
    ]
)
"""Fields of entries in lists; another word before a colon, behind a dash, begins a sentence."""

_ALIAS: Final = re.compile(r"the alias \*(.*)")
"""How an alias is told."""

_CUT: Final = re.compile(r"( +(?:title: +|- +))(#[^\s#][^\t]*?)( *)")
"""A line of which YAML reads nothing, since a comment begins where its value should; `# words` is one that is meant."""

_LINES: Final = 50
"""Lines of one task that are quoted: one that has more is no task that somebody wrote."""


@value
class Quote:
    """One line, and the same with its value in quotes.

    Attributes:
        line: line in the document, from 1.
        before: the line as it is, without its end.
        after: the line with quotes.
        fault: why it could not be read; its line is the one within the block.
    """

    line: int
    before: str
    after: str
    fault: Fault


def find_quotes(block: Block) -> tuple[Quote, ...]:
    """The lines of a task that only have to be quoted so that it can be read; empty where that does not mend it.

    With all of them quoted, the task was read: each value is the text that stood there, and nothing else depends on it.

    Args:
        block: a task that ST101 refuses, or ST103 for a star that begins a text; or one that is fine.
    """
    lines = block.raw.decode("utf-8", "surrogateescape").split("\n")
    blank, found, texts = list(lines), list[Quote](), dict[str, str]()
    while not isinstance(read := _read(lines), Task):
        at = read.line - 1
        parts = _parts(lines[at]) if at < len(lines) else None
        if (
            not (read.code == "ST101" or _is_no_alias(read, lines))
            or parts is None
            or len(found) == _LINES
            or (found and read.line <= found[-1].fault.line)
        ):
            return ()
        start, text, rest = parts
        after = f"{start}{_quoted(text)}{rest}"
        name = f"quoted-{len(found)}-of-{len(block.raw)}"
        found.append(Quote(line=block.line + at, before=lines[at], after=after, fault=read))
        lines[at], blank[at], texts[name] = after, f'{start}"{name}"{rest}', text
    before = _read(blank)
    # What the quotes hold is one value and that text, whatever else stands in the task.
    held: list[str] = []
    same = isinstance(before, Task) and _filled(before.data, texts, held) == read.data
    return tuple(found) if same and sorted(held) == sorted(texts) else ()


def find_cut(block: Block) -> tuple[Quote, ...]:
    """The lines of a readable task in which a `#` leaves nothing of a title or of a criterion; empty where there is none.

    With all of them quoted, the task was read: it says what it said, but for these texts where nothing stood, which no task may have.

    Args:
        block: a task.
    """
    lines = block.raw.decode("utf-8", "surrogateescape").split("\n")
    before = _read(lines)
    if not isinstance(before, Task) or not (before.data.get("title") is None or None in _criteria(before)):
        return ()
    found = list[Quote]()
    for at, line in enumerate(lines):
        match = _CUT.fullmatch(line) if len(found) < _LINES else None
        if match is None:
            continue
        after = f"{match[1]}{_quoted(match[2])}{match[3]}"
        read = _read([*lines[:at], after, *lines[at + 1 :]])
        if isinstance(read, Task) and _said(before, read, match[2]):
            told = f"nothing is left of a value that starts with #: {line.strip()}"
            fault = Fault(code="ST112", line=at + 1, column=len(match[1]) + 1, found=told)
            found.append(Quote(line=block.line + at, before=line, after=after, fault=fault))
            lines[at], before = after, read
    return tuple(found)


def _criteria(task: Task) -> Sequence[Any]:
    held = task.data.get("acceptance")
    return held if isinstance(held, (list, tuple)) else ()


def _said(before: Task, after: Task, text: str) -> bool:
    """Whether a task says what it said, but for a text where it had no title, or no words in a criterion."""
    names = {name for name in (*before.data, *after.data) if before.data.get(name) != after.data.get(name)}
    if names == {"title"}:
        return before.data.get("title") is None and after.data.get("title") == text
    old, new = _criteria(before), _criteria(after)
    changed = [(a, b) for a, b in zip(old, new, strict=False) if a != b]
    return names == {"acceptance"} and len(old) == len(new) and changed == [(None, text)]


def put_quotes(data: bytes, quotes: Sequence[Quote]) -> bytes:
    """The document with lines quoted; every other byte stays, and all tasks of it were read back.

    Args:
        data: the document.
        quotes: what `find_quotes` gave for blocks of it: for each block all, or none.

    Raises:
        StateError: the document is another one, or it would not hold just what it held.
    """
    lines = data.split(b"\n")
    for quote in quotes:
        line = lines[quote.line - 1]
        end = b"\r" if line.endswith(b"\r") else b""
        if line.removesuffix(b"\r") != quote.before.encode("utf-8", "surrogateescape"):
            raise StateError(f"line {quote.line} is another one now")
        lines[quote.line - 1] = quote.after.encode("utf-8", "surrogateescape") + end
    after = b"\n".join(lines)
    old, new = split(RepoPath(b""), data), split(RepoPath(b""), after)
    changed = {quote.line for quote in quotes}
    same = len(old.blocks) == len(new.blocks) and all(
        a.id == b.id and (a.raw == b.raw or (changed & _span(a) and isinstance(read_block(b.raw), Task)))
        for a, b in zip(old.blocks, new.blocks, strict=True)
    )
    if not old.splittable or not same or old.frame != new.frame:
        raise StateError("with these lines quoted the document would not hold the same tasks")
    return after


def _is_no_alias(fault: Fault, lines: Sequence[str]) -> bool:
    """Whether an alias is named that no line of the task could be meant by: `**Bold** words`, not YAML."""
    name = _ALIAS.fullmatch(fault.found) if fault.code == "ST103" else None
    return name is not None and not any(f"&{name[1]}" in line for line in lines)


def _read(lines: Sequence[str]) -> Task | Fault:
    return read_block("\n".join(lines).encode("utf-8", "surrogateescape"))


def _parts(line: str) -> tuple[str, str, str] | None:
    """A line in three: what stands before its value, the value, and a comment behind it; None where it has no value."""
    match = _LINE.fullmatch(line)
    if match is None:
        return None
    dash, name, blanks, text = match.groups()
    start = f"{dash}{name}:{blanks}" if name is not None else dash
    if name is not None and "-" in dash and name not in _ENTRY:
        start, text = dash, f"{name}:{blanks}{text}"
    comment = _COMMENT.search(text)
    rest = text[comment.start() :] if comment else text[len(text.rstrip(" ")) :]
    text = text[: len(text) - len(rest)]
    return (start, text, rest) if text else None


def _quoted(text: str) -> str:
    """A text in the quotes that need the least in it."""
    if '"' not in text and "\\" not in text:
        return f'"{text}"'
    return "'" + text.replace("'", "''") + "'"


def _filled(data: Any, texts: dict[str, str], held: list[str]) -> Any:
    """Data with placeholders as what they stand for; says which were found."""
    if isinstance(data, dict):
        return {key: _filled(inner, texts, held) for key, inner in data.items()}
    if isinstance(data, list):
        return [_filled(inner, texts, held) for inner in data]
    if isinstance(data, str) and data in texts:
        held.append(data)
        return texts[data]
    return data


def _span(block: Block) -> set[int]:
    return set(range(block.line, block.line + block.raw.count(b"\n") + 1))
