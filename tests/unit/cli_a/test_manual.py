from pathlib import Path

from codifica_guard.cli.program import GROUPS, overview

PAGE = Path(__file__).parents[3] / "docs" / "man" / "codifica-guard.1"


def test_the_manual_page_and_the_overview_name_every_command() -> None:
    page, listed = PAGE.read_text("utf-8"), overview()
    for name, summary in (row for _, rows in GROUPS for row in rows):
        assert f"\n.B {name}\n" in page
        assert f"{name} " in listed
        assert summary in listed


def test_the_other_name_has_a_page_too() -> None:
    assert PAGE.with_name("git-codifica.1").read_text("utf-8") == ".so man1/codifica-guard.1\n"
