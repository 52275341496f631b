"""What a command leaves for machines: a file in place of a file, a summary, an address without secrets."""

import os
import stat
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.cli.ci_reports import Wanted, public_address, reported, titled
from codifica_guard.cli.command import Outcome
from codifica_guard.cli.report_files import write_report
from codifica_guard.errors import UsageError
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.verbs.bringing import login_of


def finding(**changed: Any) -> Finding:
    return Finding(**{"code": "CD303", "name": "lost-race", "severity": Severity.ERROR, "found": "x", **changed})


def test_a_report_replaces_what_is_there_and_leaves_nothing_beside(tmp_path: Path) -> None:
    path = tmp_path / "out.sarif"
    for data in (b"one", b"two"):
        write_report(str(path), data)
        assert path.read_bytes() == data
    mask = os.umask(0o022)
    os.umask(mask)
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~mask
    assert [p.name for p in tmp_path.iterdir()] == ["out.sarif"]


def test_a_report_takes_the_place_of_a_file_only(tmp_path: Path) -> None:
    victim = tmp_path / "victim"
    victim.write_text("precious")
    for number, target in enumerate((victim, tmp_path / "not there", Path("/dev/null"))):
        link = tmp_path / f"out-{number}"
        link.symlink_to(target)
        with pytest.raises(UsageError, match="something else than a file is there"):
            write_report(str(link), b"data")
        assert link.readlink() == target
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    with pytest.raises(UsageError, match="something else than a file is there"):
        write_report(str(pipe), b"data")
    assert stat.S_ISFIFO(pipe.stat().st_mode)
    assert victim.read_text() == "precious"
    write_report(str(victim), b"data")
    assert victim.read_bytes() == b"data"


@pytest.mark.parametrize("name", ["", ".", "nowhere/out", "a\0b", "x" * 300, "folder/"])
def test_a_report_that_cannot_be_written_is_told(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageError, match="cannot write"):
        write_report(name, b"data")
    assert [p.name for p in tmp_path.iterdir()] == ["folder"]


def test_without_reports_an_outcome_is_as_it_was() -> None:
    outcome = Outcome(lines=("::error::x",), findings=(finding(),))
    assert reported(outcome, Wanted(), "x") is outcome


def test_a_summary_is_added_to_what_is_there(tmp_path: Path) -> None:
    path = tmp_path / "summary"
    path.write_text("before\n")
    what = Wanted(annotate=True, summary=str(path))
    done = reported(
        Outcome(lines=("::error::x",), notes=("##[x]",), findings=(finding(),), exit=1), what, "It", told=("a note",)
    )
    assert path.read_text().startswith("before\n## It\n")
    assert path.read_text().endswith("- a note\n\n")
    assert (done.lines, done.notes) == (("::error::x",), ("##[x]",))
    assert done.commands[0].startswith("::error title=CD303 lost-race::")
    assert done.commands[1] == "::warning title=codifica-guard::a note"


def test_a_summary_that_cannot_be_written_changes_no_verdict(tmp_path: Path) -> None:
    done = reported(Outcome(exit=1), Wanted(annotate=True, summary=str(tmp_path)), "It", failed=("why",))
    assert done.exit == 1
    assert done.commands == ("::error title=codifica-guard::why",)
    assert "cannot write the summary to" in done.notes[0]


def test_what_has_no_annotation_is_told_to_be_in_the_summary(tmp_path: Path) -> None:
    what = Wanted(annotate=True, summary=str(tmp_path / "summary"))
    done = reported(Outcome(findings=(finding(),) * 12, exit=1), what, "It")
    assert "2 more findings have no annotation, since runners show 10 of a kind" in done.lines[0]
    assert sum(line.startswith("::error") for line in done.commands) == 10


def test_a_log_is_written_only_where_there_is_a_verdict(tmp_path: Path) -> None:
    for code, there in ((0, True), (1, True), (2, False), (3, False)):
        path = tmp_path / str(code)
        reported(Outcome(exit=code), Wanted(sarif=str(path)), "It")
        assert path.exists() is there


def test_a_heading_counts() -> None:
    warned = finding(severity=Severity.WARNING)
    assert titled("It", Outcome(findings=(finding(), finding(), warned), exit=1)) == (
        "codifica-guard: It: refused, 2 errors, 1 warning"
    )
    assert titled("It", Outcome()) == "codifica-guard: It: ok"
    assert titled("It", Outcome(exit=3)) == "codifica-guard: It: cannot tell"


@pytest.mark.parametrize(
    ("address", "shown"),
    [
        ("https://git.example.org/acme/shop.git", "https://git.example.org/acme/shop.git"),
        ("https://alice:secret@git.example.org:8443/shop?token=x#y", "https://git.example.org:8443/shop"),
        ("http://x-access-token:secret@git.example.org/shop", "http://git.example.org/shop"),
        ("ssh://git@git.example.org/shop", None),
        ("git@git.example.org:shop.git", None),
        ("/srv/git/shop.git", None),
        ("file:///srv/git/shop.git", None),
        ("https://", None),
        ("https://[x/shop", None),
        ("https://git.example.org:port/shop", None),
        ("https://git.example.org/a b", None),
        ("https://git.example.org/ü", None),
        (None, None),
    ],
)
def test_an_address_is_told_without_secrets(address: str | None, shown: str | None) -> None:
    assert public_address(address) == shown


def test_a_token_goes_to_its_server_only_and_never_with_a_line_end(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("GIT_CONFIG_COUNT", raising=False)
    given = login_of("https://git.example.org/", "t0ken")
    assert given["GIT_CONFIG_COUNT"] == "1"
    assert given["GIT_CONFIG_KEY_0"] == "http.https://git.example.org/.extraheader"
    assert given["GIT_CONFIG_VALUE_0"] == "AUTHORIZATION: basic eC1hY2Nlc3MtdG9rZW46dDBrZW4="
    monkeypatch.setenv("GIT_CONFIG_COUNT", "2")
    assert set(login_of("https://git.example.org", "t")) == {
        "GIT_CONFIG_COUNT",
        "GIT_CONFIG_KEY_2",
        "GIT_CONFIG_VALUE_2",
    }
    monkeypatch.setenv("GIT_CONFIG_COUNT", "x")
    assert "GIT_CONFIG_KEY_0" in login_of("https://git.example.org", "t")
    for server, token in (
        (None, "t"),
        ("https://git.example.org", ""),
        ("http://git.example.org", "t"),
        ("https://git.example.org", "t\nX: y"),
    ):
        assert login_of(server, token) == {}
