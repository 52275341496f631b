"""Other values in `guard.json`: what does not change keeps its place and its bytes."""

import json
from typing import Any

import pytest

from codifica_guard.cli.policy_text import with_values
from codifica_guard.errors import PolicyError

ORDER = ("a", "b", "c", "d")


@pytest.mark.parametrize(
    ("before", "values", "after"),
    [
        ('{"a":1}', {"a": 2}, '{"a":2}'),
        ('{"a":1}', {"b": None}, '{"a":1, "b": null}'),
        ('{"b": 1}', {"a": 2}, '{"a": 2, "b": 1}'),
        ("{}", {"a": 1}, '{"a": 1}'),
        (" { } ", {"a": 1}, ' {"a": 1 } '),
        ('{\n  "a": 1\n}\n', {"b": []}, '{\n  "a": 1,\n  "b": []\n}\n'),
        ('{\n  "b": 1\n}\n', {"a": {}}, '{\n  "a": {},\n  "b": 1\n}\n'),
        ('{\n  "a": 1,\n  "c": 3\n}', {"b": 2}, '{\n  "a": 1,\n  "b": 2,\n  "c": 3\n}'),
        ('{\n  "c": 3,\n  "a": 1\n}', {"b": 2}, '{\n  "c": 3,\n  "a": 1,\n  "b": 2\n}'),
        ('{\n  "a": 1\n}', {"z": 2}, '{\n  "a": 1,\n  "z": 2\n}'),
        ('{\n\t"a": ["x"]\n}', {"a": ["x", "y"]}, '{\n\t"a": ["x", "y"]\n}'),
        ('{\n\t"a": [\n\t\t"x"\n\t]\n}', {"a": ["x", "y"]}, '{\n\t"a": [\n\t\t"x",\n\t\t"y"\n\t]\n}'),
        ('{\r\n  "a": 1\r\n}', {"b": ["x"]}, '{\r\n  "a": 1,\r\n  "b": [\r\n    "x"\r\n  ]\r\n}'),
        ('{\n"a": 1\n}', {"b": ["x"]}, '{\n"a": 1,\n"b": [\n  "x"\n]\n}'),
        ('{"a" :\n  {"a": [1, {"b": "}"}]} , "b": "\\u00e9" }', {"b": '\u00e9"\\'}, None),
        ('{\n\n\n  "a": 1\n}', {"b": 2}, '{\n\n\n  "a": 1,\n  "b": 2\n}'),
    ],
)  # fmt: skip
def test_a_key_gets_a_value_and_all_else_stays(before: str, values: dict[str, Any], after: str | None) -> None:
    made = with_values(before.encode(), values, ORDER).decode()
    assert after is None or made == after
    assert json.loads(made) == {**json.loads(before), **values}
    assert with_values(made.encode(), values, ORDER).decode() == made


def test_several_keys_come_in_their_usual_order() -> None:
    made = with_values(b'{\n  "c": 3\n}\n', {"d": 4, "b": 2, "a": 1}, ORDER).decode()
    assert list(json.loads(made)) == ["a", "b", "c", "d"]


@pytest.mark.parametrize("data", [b"[]", b'{"a": 1', b"\xff", b'{"a": 1, "a": 2}', b"3"])
def test_a_file_that_is_no_object_is_left_alone(data: bytes) -> None:
    with pytest.raises(PolicyError):
        with_values(data, {"a": 1}, ORDER)
