"""Rows for people: columns, lists that are folded, texts that are cut; ASCII, about a hundred columns wide."""

from collections.abc import Iterable, Iterator, Sequence
from typing import Final

from codifica_guard.report.plain import plain
from codifica_guard.report.printing import LONGEST

WIDTH: Final = 100
"""Columns of a table."""

LISTED: Final = 20
"""Rows of one list; JSON has them all."""

MORE: Final = "all of them: --json"


def one(text: str | None, most: int = LONGEST) -> str:
    """A text on one line, in ASCII, its blanks as single ones; cut to a length with `...`."""
    return cut(plain(" ".join((text or "").split()), LONGEST), most)


def cut(shown: str, most: int) -> str:
    """A text that is shown, cut to a length with `...`."""
    return shown if len(shown) <= most else shown[: max(1, most - 3)].rstrip() + "..."


def quoted(text: str | None, most: int = LONGEST) -> str:
    """A text in quotes, on one line."""
    return f'"{one(text, most - 2)}"' if text and text.strip() else ""


def table(rows: Sequence[Sequence[str]], *, indent: int = 0, title: int | None = None) -> tuple[str, ...]:
    """Rows with their columns below each other, at least two blanks apart.

    Args:
        rows: cells, in ASCII; all rows have as many.
        indent: blanks before each row.
        title: the column that is cut so that a row fits `WIDTH`, where that leaves anything of it; None for none.
    """
    cells = [list(row) for row in rows]
    widths = [max((len(row[n]) for row in cells), default=0) for n in range(len(cells[0]) if cells else 0)]
    if title is not None and widths:
        others = indent + sum(width + 2 for n, width in enumerate(widths) if n != title and width)
        widths[title] = min(widths[title], max(20, WIDTH - others))
        for row in cells:
            row[title] = cut(row[title], widths[title])
    kept = [n for n, width in enumerate(widths) if width]
    return tuple(" " * indent + "  ".join(row[n].ljust(widths[n]) for n in kept).rstrip() for row in cells)


def folded(head: str, items: Iterable[str], *, indent: int = 2) -> Iterator[str]:
    """A list behind its head, `; ` between items, folded at `WIDTH`, and cut off with a count after `LISTED` items."""
    every = list(items)
    shown = every[:LISTED] + ([f"and {len(every) - LISTED} more, {MORE}"] if len(every) > LISTED else [])
    line = head
    for number, item in enumerate(shown):
        part = f"{item};" if number + 1 < len(shown) else item
        if len(line) + 1 + len(part) > WIDTH and line.strip():
            yield line
            line = " " * indent + part
        else:
            line = f"{line} {part}" if line.strip() else line + part
    if every:
        yield line


def capped(lines: Sequence[str], most: int = LISTED, *, indent: int = 0) -> Iterator[str]:
    """The first lines of a list, and how many there are more."""
    yield from lines[:most]
    if len(lines) > most:
        yield f"{' ' * indent}and {len(lines) - most} more, {MORE}"


def header(left: str, right: str) -> str:
    """A line with a text on each side."""
    return f"{left:<56} {right}"
