"""Writes the JSON Schemas of the policy files: `python -m codifica_guard.policy.export [--check]`."""

import json
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any, Final

from pydantic import BaseModel

from codifica_guard.policy.schema import CodificaFile, GuardFile

_DRAFT: Final = "https://json-schema.org/draft/2020-12/schema"
_FOLDER: Final = Path(__file__).resolve().parents[2] / "schemas"
_TITLES: Final[dict[str, tuple[type[BaseModel], str]]] = {
    "codifica.schema.json": (CodificaFile, "codifica.json"),
    "guard.schema.json": (GuardFile, ".codifica/guard.json"),
}


def schemas() -> dict[str, str]:
    """File name to the text of the schema (draft 2020-12), the same at every call."""
    return {name: _text(shape.model_json_schema(mode="validation"), title) for name, (shape, title) in _TITLES.items()}


def main(arguments: Sequence[str], folder: Path = _FOLDER) -> int:
    """Writes the schemas; with `--check` writes nothing, names what differs, and gives 1 if anything does, 2 for a wrong call.

    Args:
        arguments: those of the command line.
        folder: where the schemas lie.
    """
    if list(arguments) not in ([], ["--check"]):
        sys.stderr.write("usage: python -m codifica_guard.policy.export [--check]\n")
        return 2
    code = 0
    for name, text in schemas().items():
        path = folder / name
        if path.is_file() and path.read_text(encoding="utf-8") == text:
            continue
        if arguments:
            sys.stderr.write(f"{name} differs from the models; run: python -m codifica_guard.policy.export\n")
            code = 1
        else:
            folder.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
    return code


def _text(schema: dict[str, Any], title: str) -> str:
    return json.dumps({"$schema": _DRAFT, **schema, "title": title}, indent=2, ensure_ascii=True) + "\n"


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
