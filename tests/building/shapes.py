"""The one JSON object of a command, held against its schema: no key may be missing, and none may be there that no shape declares."""

import json
from collections.abc import Mapping
from functools import cache
from typing import Any


def check_envelope(answer: str | bytes | Mapping[str, Any]) -> dict[str, Any]:
    """The envelope, which has to fit the schema of its command.

    Args:
        answer: all of standard output, or the object that it holds.
    """
    found = json.loads(answer) if isinstance(answer, str | bytes) else answer
    assert isinstance(found, dict), f"no object: {answer!r}"
    name = str(found.get("schema")).removeprefix("codifica-guard/").partition("@")[0]
    wrong = [
        f"{'.'.join(map(str, e.absolute_path)) or 'the object'}: {e.message}" for e in _schema(name).iter_errors(found)
    ]
    assert not wrong, f"{name}: not as codifica_guard/cli/shapes says\n" + "\n".join(wrong)
    assert found["ok"] is (found["exit"] == 0), "ok is to say whether the exit code is 0"
    return found


@cache
def _schema(name: str) -> Any:
    # Imported late: tests that read no JSON need none of it.
    from jsonschema import Draft202012Validator  # type: ignore[import-untyped]  # noqa: PLC0415 - it ships no types

    from codifica_guard.cli.export import schema_of  # noqa: PLC0415
    from codifica_guard.cli.shapes.all import SHAPES  # noqa: PLC0415

    assert name in SHAPES, f"{name} has no shape in codifica_guard/cli/shapes"
    return Draft202012Validator(schema_of(name, closed=True))
