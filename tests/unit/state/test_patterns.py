import re
from pathlib import Path

import codifica_guard

PACKAGE = Path(codifica_guard.__file__).parent


def test_no_group_is_possessive() -> None:
    """Python before 3.11.5 matches possessive groups wrongly, and Debian ships 3.11.2."""
    possessive = re.compile(r"\)(?:[*+?]|\{[0-9,]+\})\+")
    assert [path.name for path in PACKAGE.rglob("*.py") if possessive.search(path.read_text("utf-8"))] == []


def test_the_pattern_finds_one() -> None:
    assert re.search(r"\)(?:[*+?]|\{[0-9,]+\})\+", "(?:a)*" + "+")
