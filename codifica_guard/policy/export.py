"""Writes the JSON Schemas of the policy files: `python -m codifica_guard.policy.export [--check]`."""

import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Final

from pydantic import BaseModel

from codifica_guard.policy import schema_files
from codifica_guard.policy.schema import CodificaFile, GuardFile

_TITLES: Final[dict[str, tuple[type[BaseModel], str]]] = {
    "codifica.schema.json": (CodificaFile, "codifica.json"),
    "guard.schema.json": (GuardFile, ".codifica/guard.json"),
}


def schemas() -> dict[str, str]:
    """File name to the text of the schema (draft 2020-12), the same at every call."""
    return {
        name: schema_files.as_text(shape.model_json_schema(mode="validation"), title)
        for name, (shape, title) in _TITLES.items()
    }


def main(arguments: Sequence[str], folder: Path = schema_files.FOLDER) -> int:
    """Writes the schemas, or with `--check` compares them; see `schema_files.main`."""
    return schema_files.main(arguments, folder, schemas(), module="codifica_guard.policy.export")


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
