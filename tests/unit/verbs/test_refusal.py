"""What a refusal means for the one who asked."""

import pytest

from codifica_guard.verbs.refusal import exit_of


@pytest.mark.parametrize(
    ("codes", "code"),
    [
        (["CD301"], 1),
        (["CD303", "CD302"], 4),
        (["CD202"], 6),
        (["ID107", "CD404"], 6),
        (["CD202", "CD205"], 1),
        (["GD101", "CD303"], 3),
        ([], 1),
    ],
)
def test_broken_rules_have_an_exit_code(codes: list[str], code: int) -> None:
    assert exit_of(codes) == code
