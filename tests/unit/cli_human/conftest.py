"""The program in this process, as the owner of a clone calls it: a process of its own would take most of the time."""

import io
from collections.abc import Mapping
from pathlib import Path

import pytest

from tests.building import Clone
from tests.building.machine import Done
from tests.unit.cli_b import conftest as beside


class _Typed(io.TextIOWrapper):
    """Standard input with something in it."""

    def __init__(self, data: bytes = b"") -> None:
        super().__init__(io.BytesIO(data), encoding="utf-8", errors="surrogateescape", newline="\n")


@pytest.fixture(autouse=True)
def _here(monkeypatch: pytest.MonkeyPatch) -> None:
    def called(
        clone: Clone, *argv: str | Path, data: bytes | None = None, env: Mapping[str, str] | None = None
    ) -> Done:
        with monkeypatch.context() as patch:
            patch.setattr(io, "StringIO", lambda: _Typed(data or b""))
            return beside.inside(argv, cwd=clone.folder, home=clone.home, env=env)

    monkeypatch.setattr(Clone, "guard", called)
