"""Commit messages: trailers as Git reads them or none, REPORT blocks, and the one way in which trailers are added."""

import re
from collections.abc import Sequence
from typing import Final

from codifica_guard.errors import UsageError
from codifica_guard.git.lookalike import folded_key
from codifica_guard.model.commit import ACTOR, MIGRATE, SIGNATURE, WRITER, Trailer, Trailers

KEYS: Final = (
    ACTOR,
    SIGNATURE,
    WRITER,
    b"Codifica-Key",
    b"Codifica-Evidence",
    b"Codifica-Instruct",
    b"Codifica-Reason",
    MIGRATE,
)
"""Trailers that carry meaning; every other key that begins alike is taken for a misspelt one."""

REPEATABLE: Final = frozenset((b"Codifica-Evidence", WRITER, b"Codifica-Instruct"))
"""Keys that may come more than once, each time with another value."""

_FAULTS_TOLD: Final = 20
"""Faults of one message that are told: one is enough to refuse it, and a hostile one has thousands."""

_LINE: Final = re.compile(rb"([A-Za-z0-9][A-Za-z0-9-]*)([ \t]*):(.*)", re.DOTALL)
_PICKED: Final = re.compile(rb"\(cherry picked from commit [0-9a-f]{40}(?:[0-9a-f]{24})?\)")
_REPORT: Final = re.compile(rb"REPORT [^ \t\r\n]+[ \t\r]*")
_CONTROL: Final = re.compile("[\0-\x1f\x7f-\x9f\u2028\u2029]")
_SCISSORS: Final = b"------------------------ >8 ------------------------"
_BLANKS: Final = b" \t\r\n"
"""What Git's own `isspace` takes for blank; Python's takes more."""

_KNOWN_FOLDED: Final = {key.decode("ascii").lower() for key in KEYS}


def parse_trailers(message: bytes) -> Trailers:
    """The trailers of a message as `git interpret-trailers --parse --no-divider` gives them, or none at all.

    They stand in the last paragraph, if it is not the first and each of its lines is a trailer, the continuation of one, or
    a line that `cherry-pick -x` adds. What could pass for a Codifica trailer without being one is a fault (ID114).
    """
    if b"\0" in message:
        return Trailers(faults=("the message holds a NUL byte",))
    lines, start, first = _last_paragraph(message)
    block = lines[start:]
    trailers = None if first or _SCISSORS in message else _block(block)
    if trailers is None:
        return Trailers(faults=_outside(block[1:] if first else block, known_only=first)[:_FAULTS_TOLD])
    return Trailers(all=tuple(t for t, _ in trailers if t is not None), faults=_faults(trailers)[:_FAULTS_TOLD])


def _last_paragraph(message: bytes) -> tuple[list[bytes], int, bool]:
    """All lines up to the last that is not blank, where the last paragraph starts, and whether it is the first one."""
    lines = message.split(b"\n")
    while lines and not lines[-1].strip(_BLANKS):
        lines.pop()
    start = len(lines)
    while start and lines[start - 1].strip(_BLANKS):
        start -= 1
    return lines, start, not any(line.strip(_BLANKS) for line in lines[:start])


def _block(lines: list[bytes]) -> list[tuple[Trailer | None, list[bytes]]] | None:
    """Each trailer with its raw lines, None for `cherry-pick -x`; None instead of all where a line is neither."""
    found: list[tuple[Trailer | None, list[bytes]]] = []
    for line in lines:
        if line[:1] in {b" ", b"\t"}:
            if not found or found[-1][0] is None:
                return None
            found[-1][1].append(line)
        elif _PICKED.fullmatch(line.rstrip(_BLANKS)):
            found.append((None, [line]))
        else:
            match = _LINE.fullmatch(line)
            # Git passes over a block of this name, which it once wrote itself.
            if match is None or line == b"Conflicts:":
                return None
            found.append((Trailer(match[1], match[3].strip(_BLANKS)), [line]))
    return [(trailer and _unfolded(trailer, raw), raw) for trailer, raw in found]


def _unfolded(trailer: Trailer, raw: list[bytes]) -> Trailer:
    if len(raw) == 1:
        return trailer
    first = raw[0].partition(b":")[2]
    value = b" ".join((first, *(line.lstrip(_BLANKS) for line in raw[1:])))
    return Trailer(trailer.key, value.strip(_BLANKS))


def _faults(trailers: list[tuple[Trailer | None, list[bytes]]]) -> tuple[str, ...]:
    """What is wrong with the Codifica trailers of a block that is one."""
    faults: list[str] = []
    seen: dict[bytes, set[bytes]] = {}
    for trailer, raw in trailers:
        for line in raw[1:]:
            faults.extend(_outside([line.lstrip(_BLANKS)], known_only=True))
        if trailer is None or not trailer.key.lower().startswith(b"codifica"):
            continue
        key = trailer.key.decode("ascii")
        if trailer.key not in KEYS:
            if folded_key(raw[0]):
                faults.append(_misspelt(key))
            continue
        if len(raw) > 1:
            faults.append(f"{key} is folded over several lines")
        if not raw[0].startswith(trailer.key + b":"):
            faults.append(f"{key} has a blank before its colon")
        faults.extend(_value_faults(key, raw[0].partition(b":")[2]))
        values = seen.setdefault(trailer.key, set())
        if trailer.value in values or (values and trailer.key not in REPEATABLE):
            faults.append(f"{key} is doubled")
        values.add(trailer.value)
    return tuple(faults)


def _value_faults(key: str, value: bytes) -> list[str]:
    try:
        text = value.decode("utf-8")
    except UnicodeDecodeError:
        return [f"{key} has a value that is no UTF-8"]
    match = _CONTROL.search(text)
    return [] if match is None else [f"{key} has the control character U+{ord(match[0]):04X} in its value"]


def _outside(lines: list[bytes], *, known_only: bool) -> tuple[str, ...]:
    """Lines that read like Codifica trailers, where none can stand."""
    faults: list[str] = []
    for line in lines:
        key = folded_key(line)
        if key is None or (known_only and key not in _KNOWN_FOLDED):
            continue
        shown = line.partition(b":")[0].strip(_BLANKS)
        if shown in KEYS:
            faults.append(
                f"{shown.decode('ascii')} stands outside a trailer block: a blank line above, and only trailers beside it"
            )
        else:
            faults.append(_misspelt(shown.decode("utf-8", "backslashreplace")))
    return tuple(faults)


def _misspelt(key: str) -> str:
    shown = key[:40].encode("ascii", "backslashreplace").decode("ascii")
    return f"{shown} is no trailer of Codifica; there are {', '.join(k.decode('ascii') for k in KEYS)}"


def reports(message: bytes) -> tuple[bytes, ...]:
    """The REPORT blocks of a message, in order: each line without blanks at its end, and one line end after each.

    A line `REPORT <kind>` starts a block; another such line or a blank line ends it, so the trailers do as well.
    """
    found: list[list[bytes]] = []
    inside = False
    for line in message.split(b"\n"):
        if _REPORT.fullmatch(line):
            found.append([])
            inside = True
        inside = inside and bool(line.strip(_BLANKS))
        if inside:
            found[-1].append(line.rstrip(_BLANKS))
    return tuple(b"".join(line + b"\n" for line in block) for block in found)


def add_trailers(message: bytes, trailers: Sequence[Trailer], *, drop: frozenset[bytes] = frozenset()) -> bytes:
    """The message with trailers at the end of its trailer block; a block is started where there is none.

    Args:
        message: as it will be stored, comment lines gone.
        trailers: what to add, in order.
        drop: keys whose trailers in the block are taken out first.

    Raises:
        UsageError: a key or value that does not make one line.
    """
    for trailer in trailers:
        line = trailer.key + b": " + trailer.value
        if not _LINE.fullmatch(line) or b":" in trailer.key or re.search(rb"[\0\r\n]", line):
            raise UsageError(f"no trailer can be made of {line[:80]!r}")
    lines, start, first = _last_paragraph(message)
    block = None if first else _block(lines[start:])
    kept = lines if block is None else lines[:start]
    while kept and not kept[-1].strip(_BLANKS):
        kept.pop()
    own = [line for trailer, raw in block or () if trailer is None or trailer.key not in drop for line in raw]
    own += [trailer.key + b": " + trailer.value for trailer in trailers]
    return b"\n".join([*kept, b"", *own] if own else kept) + b"\n"


def subject(message: bytes) -> bytes:
    """The first paragraph on one line, as `git log --format=%s` gives it."""
    paragraph: list[bytes] = []
    for line in message.split(b"\n"):
        text = line.rstrip(_BLANKS)
        if text:
            paragraph.append(text)
        elif paragraph:
            break
    return b" ".join(paragraph)
