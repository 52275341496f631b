"""A server that writes receipts."""

from pathlib import Path

import pytest

from tests.unit.hooks_server.served import Served, make_served


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Served:
    return make_served(tmp_path / "r.git", monkeypatch, capsys)
