import io
import os
import sys
from pathlib import Path

import pytest

from codifica_guard.errors import GuardError, LimitExceeded, RepositoryError, UsageError
from codifica_guard.hooks.boundary import closed, record, tell


def failing(error: Exception) -> int:
    raise error


@pytest.mark.parametrize(
    ("error", "said", "logged"),
    [
        (UsageError("no ref updates"), "push refused: no ref updates", False),
        (LimitExceeded("more than 3 things"), "GD102", False),
        (RepositoryError("the pack is gone"), "the pack is gone", True),
        (ZeroDivisionError("secret of ours"), "GD101", True),
        (RecursionError("deep"), "GD101", True),
        (MemoryError(), "GD101", True),
    ],
)
def test_whatever_goes_wrong_refuses_and_says_so(
    tmp_path: Path,
    capsys: pytest.CaptureFixture[str],
    error: Exception,
    said: str,
    logged: bool,  # noqa: FBT001
) -> None:
    log = os.fsencode(tmp_path / "new" / "errors.log")
    assert closed(lambda: failing(error), lambda: log) == 1
    shown = capsys.readouterr().err
    assert said in shown
    assert "secret of ours" not in shown
    assert os.path.exists(log) == logged  # noqa: PTH110 - it is bytes
    if logged:
        text = (tmp_path / "new" / "errors.log").read_text()
        assert type(error).__name__ in text
        assert text[1:].partition("]")[0] in shown.replace("\n            ", " ")


def test_the_exit_code_of_a_hook_that_works_is_its_own() -> None:
    assert [closed(lambda code=code: code, lambda: None) for code in (0, 1)] == [0, 1]  # type: ignore[misc]  # a lambda with a default


def test_a_log_that_cannot_be_written_is_said_and_none_is_none(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    assert "could not be written" in record(ValueError("x"), lambda: os.fsencode(tmp_path / "file" / "errors.log"))

    def no_repository() -> bytes:
        raise GuardError("there is none")

    assert "could not be written" in record(ValueError("x"), no_repository)
    assert "written" not in record(ValueError("x"), lambda: None)


class Gone(io.RawIOBase):
    def writable(self) -> bool:
        return True

    def write(self, _: object) -> int:
        raise BrokenPipeError


def test_where_nobody_listens_the_verdict_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "stderr", io.TextIOWrapper(io.BufferedWriter(Gone(), 1)))
    assert closed(lambda: failing(UsageError("x")), lambda: None) == 1
    tell("more")
    sys.stderr.flush()
    sys.stderr.close()


def test_what_is_told_is_ascii(capsysbinary: pytest.CaptureFixture[bytes]) -> None:
    tell("caf\u00e9 \udcff\n")
    assert capsysbinary.readouterr().err == b"caf\\xe9 \\udcff\n"
