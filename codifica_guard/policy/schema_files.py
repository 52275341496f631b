"""Files that are generated, JSON Schemas above all: written, or compared with what they have to be."""

import json
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, Final

DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
FOLDER: Final = Path(__file__).resolve().parents[2] / "schemas"
"""Where they lie in a checkout."""
SUFFIX: Final = ".schema.json"


def as_text(schema: Mapping[str, Any], title: str) -> str:
    """The text of a schema's file: ASCII, indented, the same at every call."""
    return json.dumps({"$schema": DRAFT, **schema, "title": title}, indent=2, ensure_ascii=True) + "\n"


def main(
    arguments: Sequence[str], folder: Path, wanted: Mapping[str, str], *, module: str, pattern: str = f"*{SUFFIX}"
) -> int:
    """Writes the files, and takes away those that nothing makes any more.

    With `--check` changes nothing, names what differs, and gives 1 if anything does; 2 for a wrong call.

    Args:
        arguments: those of the command line.
        folder: where the files lie; folders in it are left alone.
        wanted: file name to text, ASCII; each fits `pattern`.
        module: what makes them, for messages.
        pattern: which files of the folder are generated.
    """
    if list(arguments) not in ([], ["--check"]):
        sys.stderr.write(f"usage: python -m {module} [--check]\n")
        return 2
    there = {path.name: path for path in folder.glob(pattern)}
    changed = [name for name in wanted if name not in there or there[name].read_bytes() != wanted[name].encode("ascii")]
    stale = [name for name in sorted(there) if name not in wanted]
    if arguments:
        for name in (*changed, *stale):
            sys.stderr.write(f"{name} is not up to date; run: python -m {module}\n")
        return 1 if changed or stale else 0
    folder.mkdir(parents=True, exist_ok=True)
    for name in changed:
        (folder / name).write_bytes(wanted[name].encode("ascii"))
    for name in stale:
        there[name].unlink()
    return 0
