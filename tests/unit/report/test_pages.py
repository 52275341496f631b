"""The pages of the rules: made from docstrings, written, and held against what is there."""

import runpy
import sys
from pathlib import Path

import pytest

from codifica_guard.errors import GuardError
from codifica_guard.model.finding import Severity
from codifica_guard.model.value import replace
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report import pages
from codifica_guard.report.pages import drift, index, main, page, parts, sentence, write
from codifica_guard.rules.rule import Rule

TEXT = """A thing holds,
and another.

Why: because
it does.

Refused: `this`:

    - id: FEAT-1
      state: | todo

Accepted: that.

Do: mend it.
"""


def rule(text: str = TEXT, **changed: object) -> Rule:
    return replace(REGISTRY.find("ST101"), page=text, **changed)


def test_a_page_has_the_sentence_the_standing_and_the_parts() -> None:
    assert page(rule(code="XX101", name="a-thing", spec="Somewhere, 1")) == (
        "# XX101 a-thing\n\nA thing holds, and another.\n\nRefuses the push. From: Somewhere, 1. Since ruleset 1.\n\n"
        "## Why\n\nBecause\nit does.\n\n## Refused\n\n`this`:\n\n    - id: FEAT-1\n      state: | todo\n\n"
        "## Accepted\n\nThat.\n\n## Do\n\nMend it.\n"
    )


def test_a_page_of_an_audits_rule_says_what_it_does_to_the_audit() -> None:
    assert "Makes the audit fail. From: codifica-guard, receipts. Since ruleset 1.\n" in page(REGISTRY.find("AU101"))
    assert "Warns; the audit does not fail by it." in page(REGISTRY.find("AU106"))


def test_a_page_says_what_report_mode_migration_and_severity_do() -> None:
    text = page(rule(standing=True, lifted=True, severity=Severity.WARNING, since=2))
    assert "Warns; the push is taken." in text
    assert "Since ruleset 2. Refuses in report mode too. A maintainer's migration lifts it." in text


@pytest.mark.parametrize(
    "text",
    [
        TEXT.replace("Why: because\nit does.", ""),
        TEXT.replace("mend it.", ""),
        TEXT + "\nWhy: again.\n",
        TEXT.replace("Why:", "Do:").replace("Do: mend", "Why: mend"),
        "A thing.",
    ],
)
def test_a_docstring_without_all_parts_makes_no_page(text: str) -> None:
    with pytest.raises(GuardError, match="ST101"):
        parts(rule(text))


def test_the_table_keeps_its_columns() -> None:
    table = index(
        replace(REGISTRY, packs=(replace(REGISTRY.packs[0], late=tuple, early=(rule(TEXT.replace("thing", "a|b")),)),))
    )
    assert table.endswith(
        "| [ST101](ST101.md) | yaml-unreadable | A a\\|b holds, and another. | error | Codifica 0.2, state documents |\n"
    )


def test_writing_brings_a_folder_up_to_date_and_takes_old_pages_away(tmp_path: Path) -> None:
    folder = tmp_path / "docs" / "rules"
    assert len(write(folder, REGISTRY)) == len(REGISTRY.all()) + 1
    assert drift(folder, REGISTRY) == ()
    (folder / "ST101.md").write_text("old")
    (folder / "XX999.md").write_text("gone")
    (folder / "GT101.md").unlink()
    assert drift(folder, REGISTRY) == ("GT101.md", "ST101.md", "XX999.md")
    assert write(folder, REGISTRY) == ("GT101.md", "ST101.md", "XX999.md")
    assert drift(folder, REGISTRY) == ()
    assert not (folder / "XX999.md").exists()


def test_the_program_writes_checks_and_refuses_a_wrong_call(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--check"], tmp_path) == 1
    assert "not up to date: AU101.md" in capsys.readouterr().err
    assert not list(tmp_path.iterdir())
    assert main([], tmp_path) == 0
    assert str(tmp_path / "ST101.md") in capsys.readouterr().out
    assert main(["--check"], tmp_path) == 0
    assert main(["--chekc"], tmp_path) == 2
    assert "usage" in capsys.readouterr().err


def test_a_sentence_is_one_line() -> None:
    assert sentence(rule()) == "A thing holds, and another."


def test_a_page_needs_a_part_with_text(tmp_path: Path) -> None:
    with pytest.raises(GuardError, match="Why, Refused, Accepted, Do"):
        page(rule(TEXT.replace("that.", " ")))
    assert not list(tmp_path.iterdir())


def test_the_module_is_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "argv", ["pages", "--bogus"])
    with pytest.raises(SystemExit) as ended:
        runpy.run_path(pages.__file__, run_name="__main__")
    assert ended.value.code == 2
