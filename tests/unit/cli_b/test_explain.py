"""`explain`: every rule has a page, and a slip of the hand finds the right one."""

import pytest

from codifica_guard.cli.explain import nearest
from codifica_guard.cli.program import run
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report.pages import page
from tests.building.shapes import check_envelope


def test_every_page_is_plain_ascii_and_the_rules_own(capsys: pytest.CaptureFixture[str]) -> None:
    for rule in REGISTRY.all():
        assert run(["explain", rule.code]) == 0
        told = capsys.readouterr().out
        assert told == page(rule)
        assert told.isascii(), rule.code
        assert rule.spec in told


@pytest.mark.parametrize("word", ["cd303", "CD303", " Cd303 ", "lost-race", "LOST-RACE"])
def test_a_code_is_found_in_any_case_and_a_rule_by_its_name(word: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", word]) == 0
    assert capsys.readouterr().out.startswith("# CD303 lost-race\n")


def test_without_a_code_all_rules_are_listed(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain"]) == 0
    lines = capsys.readouterr().out.splitlines()
    assert lines == [f"{rule.code}  {rule.name}" for rule in REGISTRY.all()]


@pytest.mark.parametrize(("word", "near"), [("CD30", "CD30"), ("lost-rase", "CD303"), ("ID1O6", "ID106"), ("", "")])
def test_an_unknown_code_is_wrong_usage_and_the_nearest_are_named(
    word: str, near: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert run(["explain", word]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert near in told.err
    assert "the nearest: " in told.err


def test_hostile_words_come_back_as_ascii(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "\x1b[31m\u202eCD303"]) == 2
    told = capsys.readouterr().err
    assert told.isascii()
    assert "\x1b" not in told


def test_the_nearest_are_codes_each_once() -> None:
    found = nearest("CD303", REGISTRY.all())
    assert found[0] == "CD303"
    assert len(set(found)) == len(found)


def test_programs_get_the_parts_of_a_page(capsys: pytest.CaptureFixture[str]) -> None:
    assert run(["explain", "CD303", "--json"]) == 0
    data = check_envelope(capsys.readouterr().out)["data"]
    assert data["code"] == "CD303"
    assert data["severity"] == "error"
    assert {"why", "refused", "accepted", "do"} == data["parts"].keys()
    assert run(["explain", "--json"]) == 0
    rules = check_envelope(capsys.readouterr().out)["data"]["rules"]
    assert [row["code"] for row in rules] == [rule.code for rule in REGISTRY.all()]
