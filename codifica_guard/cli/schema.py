"""`schema`: the JSON Schema of what a command prints under `--json`; hidden from the list of commands."""

import argparse
import json
from pathlib import Path
from typing import TYPE_CHECKING, Final

import codifica_guard
from codifica_guard.cli.command import Command, Outcome
from codifica_guard.errors import GuardError, UsageError

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.help import SchemaData

_SUFFIX: Final = ".schema.json"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("name", nargs="?", metavar="NAME", help="the command; without it, what there is a schema of")


def run(options: argparse.Namespace) -> Outcome:
    """Print one schema as it is kept, or the list of names."""
    name: str | None = options.name
    found = files()
    data: SchemaData = {"names": sorted(found), "schema": None}
    if name is None:
        return Outcome(lines=tuple(data["names"]), data=data)
    if name not in found:
        raise UsageError(f"there is no schema of {name!a}: codifica-guard schema lists what there is")
    text = found[name].read_bytes()
    data["schema"] = json.loads(text)
    return Outcome(raw=text, data=data)


def files() -> dict[str, Path]:
    """The schemas of the wheel or of the checkout, by name.

    Raises:
        GuardError: the package is incomplete.
    """
    package = Path(codifica_guard.__file__).parent
    for folder in (package / "policy" / "schemas" / "cli", package.parent / "schemas" / "cli"):
        found = {path.name.removesuffix(_SUFFIX): path for path in folder.glob(f"*{_SUFFIX}")}
        if found:
            return found
    raise GuardError("this copy of codifica-guard is incomplete: the schemas are missing; install it again")


COMMAND = Command(
    name="schema",
    summary="the JSON Schema of a command's answer",
    configure=configure,
    run=run,
    text="Print the JSON Schema (draft 2020-12) of the object that a command prints under --json; without a name: what there is a schema of.",
)
