"""Asserts of the table's own module tell what differed."""

import pytest

pytest.register_assert_rewrite("tests.unit.packs_codifica.cases")
