"""What a commit's signed trailers cover, computed a second time: from the grammar and Git's plumbing alone.

The guard has its own code for this. That a signature over the bytes made here is accepted shows that both read the
grammar alike, and `codifica-guard payload` has to print the same bytes.
"""

import hashlib
import json
import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

Leaf: TypeAlias = tuple[str, str]
"""Mode and object id of a file in a tree."""

Tree: TypeAlias = Mapping[bytes, Leaf]

NOTHING = "-"


def digest(data: bytes) -> str:
    """SHA-256 in hexadecimal."""
    return hashlib.sha256(data).hexdigest()


def quoted(value: bytes | str) -> str:
    """A value in the quotes of the grammar."""
    named = dict(zip(b'\a\b\t\n\v\f\r"\\', 'abtnvfr"\\', strict=True))
    raw = value.encode("utf-8", "surrogateescape") if isinstance(value, str) else value
    marks = (f"\\{named[b]}" if b in named else chr(b) if 0x20 <= b < 0x7F else f"\\{b:03o}" for b in raw)
    return f'"{"".join(marks)}"'


@dataclass(frozen=True, slots=True)
class Parts:
    """A state document, taken apart: digest of each block in its order, and of all that is no block."""

    blocks: Mapping[str, str]
    frame: str


class _Splitter:
    """Takes a document apart, line by line; its fences are plain ones, at column 0."""

    def __init__(self) -> None:
        self.blocks: dict[str, str] = {}
        self.frame: list[bytes] = []
        self.current: list[bytes] = []
        self.closing: re.Pattern[bytes] | None = None

    def close(self) -> None:
        """End a block: blank lines and comments at its end are none of it."""
        while self.current and (not self.current[-1].strip() or self.current[-1].startswith(b"#")):
            self.outside(self.current.pop())
        if self.current:
            ident = self.current[0].partition(b":")[2].strip(b" \"'").decode()
            self.blocks[ident] = digest(b"".join(line + b"\n" for line in self.current))
        self.current = []

    def outside(self, line: bytes) -> None:
        """A line inside a fence that belongs to no block."""
        if line.strip():
            self.frame.append(line)

    def prose(self, line: bytes) -> None:
        """A line outside of fences, or one that opens a fence."""
        self.frame.append(line)
        opening = re.match(rb"(```+|~~~+) *(yaml|yml)\b", line)
        if opening:
            self.closing = re.compile(re.escape(opening[1]) + re.escape(opening[1][:1]) + rb"* *")

    def line(self, line: bytes) -> None:
        """The next line."""
        if self.closing is None:
            self.prose(line)
        elif self.closing.fullmatch(line):
            self.close()
            self.frame.append(line)
            self.closing = None
        elif line.startswith(b"- "):
            self.close()
            self.current = [line]
        elif self.current:
            self.current.append(line)
        else:
            self.outside(line)


def split(data: bytes) -> Parts:
    """Take a document apart."""
    splitter = _Splitter()
    for line in data.replace(b"\r\n", b"\n").removesuffix(b"\n").split(b"\n"):
        splitter.line(line)
    splitter.close()
    return Parts(splitter.blocks, digest(b"".join(line + b"\n" for line in splitter.frame)))


def _is_state(path: bytes, patterns: Iterable[str]) -> bool:
    def rule(pattern: str) -> str:
        parts = re.split(r"(\*\*/|\*\*|\*)", pattern)
        meaning = {"**/": "(?:.*/)?", "**": ".*", "*": "[^/]*"}
        return "".join(meaning.get(part, re.escape(part)) for part in parts)

    text = path.decode("utf-8", "surrogateescape")
    return any(re.fullmatch(rule(pattern), text) for pattern in patterns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Facts:
    """The parents' trees and the commit's, compared.

    Attributes:
        parents: object ids of the parents.
        trees: one tree for each parent, and the commit's own at the end.
        content: the bytes of a blob.
        lines: the facts found so far.
    """

    parents: Sequence[str]
    trees: Sequence[Tree]
    content: Callable[[str], bytes]
    lines: list[str] = field(default_factory=list)

    def _tell(self, word: str, values: Sequence[str], template: str) -> None:
        """One line where the values are not all equal: `{before}` joins the parents' values, `{after}` is the commit's."""
        if len(set(values)) > 1:
            before = ",".join(values[:-1]) or NOTHING
            self.lines.append(word + " " + template.replace("{before}", before).replace("{after}", values[-1]))

    def _policies(self) -> Iterable[Mapping[str, object]]:
        for tree in self.trees[:-1]:
            if b"codifica.json" in tree:
                yield json.loads(self.content(tree[b"codifica.json"][1]))

    def collect(self) -> list[str]:
        """All facts, unsorted."""
        patterns: set[str] = set()
        trusted = {b"codifica.json"}
        for config in self._policies():
            state = config["state"]
            patterns |= {state} if isinstance(state, str) else set(state)  # type: ignore[call-overload]
            trusted.add(str(config["spec"]).encode())
        paths = sorted({path for tree in self.trees for path in tree})
        documents = [path for path in paths if _is_state(path, patterns)]
        for path in paths:
            if path not in documents:
                self._path(path, trusted=path in trusted or path.startswith(b".codifica/"))
        if any(line.startswith("trust ") for line in self.lines):
            self.lines.extend(f"parent {oid}" for oid in self.parents)
        self._documents(documents)
        return self.lines

    def _path(self, path: bytes, *, trusted: bool) -> None:
        leaves = [tree.get(path, (NOTHING, NOTHING)) for tree in self.trees]
        if len(set(leaves)) == 1:
            return
        modes, oids = ([leaf[side] for leaf in leaves] for side in (0, 1))
        before = [",".join(column[:-1]) or NOTHING for column in (modes, oids)]
        self.lines.append(f"path {before[0]} {before[1]} {modes[-1]} {oids[-1]} {quoted(path)}")
        if trusted:
            sums = [NOTHING if oid == NOTHING else digest(self.content(oid)) for oid in oids]
            self._tell("trust", sums, f"{{before}} {{after}} {quoted(path)}")

    def _documents(self, documents: Sequence[bytes]) -> None:
        places: list[dict[str, tuple[str, bytes]]] = [{} for _ in self.trees]
        for path in documents:
            parts = [split(self.content(tree[path][1])) if path in tree else Parts({}, NOTHING) for tree in self.trees]
            for held, part in zip(places, parts, strict=True):
                held.update({ident: (value, path) for ident, value in part.blocks.items()})
            self._tell("frame", [part.frame for part in parts], f"{quoted(path)} {{before}} {{after}}")
            modes = [tree[path][0] if path in tree else NOTHING for tree in self.trees]
            self._tell("doc", modes, f"{{before}} {{after}} {quoted(path)}")
            orders = [list(part.blocks) for part in parts]
            if any(_swapped(order, orders[-1]) for order in orders[:-1]):
                sums = [digest("".join(f"{ident}\n" for ident in order).encode()) for order in orders]
                self._tell("order", sums, f"{quoted(path)} {{before}} {{after}}")
        for ident in sorted({ident for held in places for ident in held}):
            name = ident if re.fullmatch(r"[A-Za-z0-9._-]+", ident) else quoted(ident)
            values = [held[ident][0] if ident in held else NOTHING for held in places]
            self._tell("record", values, f"codifica/{name} {{before}} {{after}}")
            homes = [quoted(held[ident][1]) if ident in held else NOTHING for held in places]
            if homes[-1] != NOTHING and any(home not in {NOTHING, homes[-1]} for home in homes[:-1]):
                self._tell("place", homes, f"codifica/{name} {{before}} {{after}}")


def _swapped(before: Sequence[str], after: Sequence[str]) -> bool:
    return [ident for ident in before if ident in after] != [ident for ident in after if ident in before]


def payload(repository: str, actor: str, facts: Facts, trailers: Sequence[tuple[str, str]] = ()) -> bytes:
    """The bytes that are signed."""
    lines = [*facts.collect(), *(f"trailer {key} {quoted(value)}" for key, value in trailers)]
    head = ["codifica-guard-commit-v1", f"repository {repository}", f"actor {actor}"]
    return "".join(f"{line}\n" for line in [*head, *sorted(lines)]).encode()
