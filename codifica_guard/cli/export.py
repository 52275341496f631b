"""Writes the JSON Schemas of what commands print under `--json`, and of receipts: `python -m codifica_guard.cli.export [--check]`.

They leave unknown keys open: versions grow by adding keys, so what reads the answers of today has to take those of tomorrow.
"""

import ast
import inspect
import sys
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from textwrap import dedent
from typing import Any, Final

from pydantic import TypeAdapter
from pydantic.json_schema import GenerateJsonSchema, JsonSchemaValue
from pydantic_core.core_schema import LiteralSchema, TypedDictSchema
from typing_extensions import get_original_bases, is_typeddict

from codifica_guard.audit.receipt_file import SCHEMA
from codifica_guard.cli.program import commands, find
from codifica_guard.cli.shapes.all import SHAPES
from codifica_guard.cli.shapes.envelope import Envelope
from codifica_guard.cli.shapes.receipt import ReceiptFile
from codifica_guard.policy import schema_files

FOLDER: Final = schema_files.FOLDER / "cli"
RECEIPTS: Final = "receipts"
"""The folder beside it, for the schema of receipts."""


class _Open(GenerateJsonSchema):
    """Schemas that take any further key; keys are described by the text below them in their shape."""

    def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
        made = super().typed_dict_schema(schema)
        told = _descriptions(schema.get("cls"))
        del made["title"]
        keys = made["properties"]
        made["properties"] = {k: {"description": told[k], **v} if k in told else v for k, v in keys.items()}
        return made

    def literal_schema(self, schema: LiteralSchema) -> JsonSchemaValue:
        made = super().literal_schema(schema)
        # `typing` takes two literals of the same words for one, so the order that was written may be another place's.
        return {**made, "enum": sorted(made["enum"])} if "enum" in made else made

    def field_title_should_be_set(self, schema: Any) -> bool:  # noqa: ARG002 - a title would only repeat the key
        return False


class _Closed(_Open):
    """Schemas that take the declared keys and no other."""

    def typed_dict_schema(self, schema: TypedDictSchema) -> JsonSchemaValue:
        return {**super().typed_dict_schema(schema), "additionalProperties": False}


def schema_of(name: str, *, closed: bool = False) -> dict[str, Any]:
    """The JSON Schema of a command's whole answer.

    Args:
        name: a key of `SHAPES`.
        closed: whether a key that no shape declares is refused.
    """
    envelope: Any = Envelope
    several: Any = list  # inside a list, the answer itself is one of the definitions, however its shape is called
    adapter: TypeAdapter[Any] = TypeAdapter(several[envelope[SHAPES[name]]])
    made = adapter.json_schema(schema_generator=_Closed if closed else _Open)
    shapes = made["$defs"]
    answer: dict[str, Any] = shapes.pop(made["items"]["$ref"].removeprefix("#/$defs/"))
    version = find(name).version if name in commands() else 1
    answer["properties"]["schema"]["const"] = f"codifica-guard/{name}@{version}"
    return {**answer, "$defs": shapes}


def schemas() -> dict[str, str]:
    """File name to the text of the schema (draft 2020-12), the same at every call."""
    return {
        f"{name}{schema_files.SUFFIX}": schema_files.as_text(schema_of(name), f"codifica-guard {name} --json")
        for name in SHAPES
    }


def receipt_schema(*, closed: bool = False) -> dict[str, Any]:
    """The JSON Schema of a receipt's file; `closed` refuses keys that the shape does not declare."""
    shape: Any = ReceiptFile
    adapter: TypeAdapter[Any] = TypeAdapter(shape)
    made = adapter.json_schema(schema_generator=_Closed if closed else _Open)
    made["properties"] = {"schema": {"const": SCHEMA, "type": "string"}, **made["properties"]}
    return {**made, "required": ["schema", *made["required"]]}


def main(arguments: Sequence[str], folder: Path = FOLDER) -> int:
    """Writes the schemas, or with `--check` compares them; see `schema_files.main`."""
    module = "codifica_guard.cli.export"
    receipts = {f"receipt{schema_files.SUFFIX}": schema_files.as_text(receipt_schema(), "receipt.json")}
    code = schema_files.main(arguments, folder, schemas(), module=module)
    if code > 1:
        return code
    return max(code, schema_files.main(arguments, folder.parent / RECEIPTS, receipts, module=module))


def _descriptions(shape: Any) -> dict[str, str]:
    """Key to the text below it, in a shape and in those that it extends."""
    found: dict[str, str] = {}
    for base in get_original_bases(shape):
        found |= _descriptions(base) if is_typeddict(base) else {}
    try:
        [body] = ast.parse(dedent(inspect.getsource(shape))).body
    except OSError:  # made by a call, for a key that no class can spell
        return found
    for line, text in pairwise(body.body if isinstance(body, ast.ClassDef) else ()):
        match line, text:
            case ast.AnnAssign(target=ast.Name(id=key)), ast.Expr(value=ast.Constant(value=str(told))):
                found[key] = inspect.cleandoc(told)
    return found


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
