"""Every awkward case has a test that carries its number, wherever it stands; none is dropped unnoticed."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Final

import pytest

TESTS: Final = Path(__file__).resolve().parent.parent
NAME: Final = re.compile(r"test_case_(\d\d)_[a-z0-9_]*[a-z0-9]")
ELSEWHERE: Final = {44, 45}
"""What needs a forge, or an upgrade: not a matter of these tests."""

CASES: Final = sorted({*range(1, 49)} - ELSEWHERE)
PUSHED: Final = sorted({*range(1, 17), *range(25, 39)} - ELSEWHERE)
"""Cases that are about what a push may bring: each has a test that really pushes."""


def functions() -> Iterator[tuple[str, ast.FunctionDef | ast.AsyncFunctionDef]]:
    """All functions whose names begin like those of cases, with their place."""
    for path in sorted(TESTS.rglob("test_*.py")):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)) and node.name.startswith("test_case"):
                yield f"{path.relative_to(TESTS)}:{node.lineno}", node


def pushes(node: ast.AST) -> bool:
    """Whether a test pushes and looks at what came of it, itself or by a function that it calls."""
    said = {n.attr for n in ast.walk(node) if isinstance(n, ast.Attribute)}
    return bool(said & {"refused", "accepted", "refused_by_git", "hook"})


FOUND: Final = [
    (int(match[1]), place, node) for place, node in functions() if (match := NAME.fullmatch(node.name)) is not None
]


def test_names_of_cases_have_two_digits_and_are_sentences() -> None:
    odd = [f"{place} {node.name}" for place, node in functions() if not NAME.fullmatch(node.name)]
    assert not odd


def test_only_numbers_of_cases_are_used() -> None:
    assert {number for number, _, _ in FOUND} <= {*range(1, 49)}


@pytest.mark.parametrize("number", CASES)
def test_a_case_has_a_test(number: int) -> None:
    assert [place for found, place, _ in FOUND if found == number]


@pytest.mark.parametrize("number", PUSHED)
def test_a_case_about_pushes_is_tested_by_real_ones(number: int) -> None:
    assert [place for found, place, node in FOUND if found == number and pushes(node)]


def test_no_two_tests_of_one_file_have_one_name() -> None:
    names = [(place.split(":")[0], node.name) for place, node in functions()]
    assert len(set(names)) == len(names)
