import json
import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard import limits
from codifica_guard.policy.json_text import BadJson, read_json

VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(10**20), 10**20)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(), inner, max_size=4),
    max_leaves=12,
)


@settings(max_examples=200, deadline=None)
@given(VALUES, st.sampled_from([None, 0, 2]), st.booleans())
def test_what_json_writes_is_read_back(value: object, indent: int | None, ascii_only: bool) -> None:  # noqa: FBT001
    data = json.dumps(value, indent=indent, ensure_ascii=ascii_only).encode()
    assert read_json(data).value == value


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=40) | st.text(alphabet='{}[]",:0.-eEtrufalsn\\ \n', max_size=30).map(str.encode))
def test_any_bytes_are_read_as_json_reads_them_or_refused(data: bytes) -> None:
    try:
        value = read_json(data).value
    except BadJson as error:
        assert error.line is None or error.line >= 1  # noqa: PT017  both ways are right
        return
    assert json.loads(data) == value


@pytest.mark.parametrize(
    ("data", "line", "found"),
    [
        (b'{"a": 1,\n "b": 2,\n "a": 3}', 3, "the key 'a' stands twice"),
        (b'{"x": {"a": 1, "\\u0061": 2}}', 1, "the key 'a' stands twice"),
        (b'{"a":\nNaN}', 2, "a value is expected"),
        (b"[Infinity]", 1, "a value is expected"),
        (b"[-Infinity]", 1, "a value is expected"),
        (b"[+1]", 1, "a value is expected"),
        (b"[01]", 1, "a comma or ] is expected"),
        (b"[1.]", 1, "a comma or ] is expected"),
        (b'{"a": 1,}', 1, "a key in double quotes"),
        (b"[1,]", 1, "a value is expected"),
        (b"{a: 1}", 1, "a key in double quotes"),
        (b'{"a" 1}', 1, "a colon is expected"),
        (b'{"a": 1 "b": 2}', 1, "a comma or } is expected"),
        (b"{}\n\n{}", 3, "after the end"),
        (b"", 1, "ends too early"),
        (b'{"a":', 1, "ends too early"),
        (b'["a', 1, "a text that does not end"),
        (b'["a\nb"]', 1, "control character"),
        (b'["\\x"]', 1, "wrong escape"),
        (b'["\\ud800"]', 1, "half a surrogate pair"),
        (b"// no\n{}", 1, "a value is expected"),
        (b"\xef\xbb\xbf{}", 1, "byte-order mark"),
        (b'{\n"a": "\xff"}', 2, "no UTF-8"),
        (b"[" + b"1" * 65 + b"]", 1, "too many digits"),
        (b"[\n" * 100_000, 34, "deeper than 32"),
        (b'{"a":' * 100_000, 1, "deeper than 32"),
        (b"[" + b"0," * 50_000 + b"0]", 1, "more than 50000 values"),
        (b" " * (limits.POLICY_BYTES + 1), None, "are the limit"),
    ],
)
def test_what_readers_could_read_in_two_ways_is_refused(data: bytes, line: int | None, found: str) -> None:
    with pytest.raises(BadJson, match=re.escape(found)) as caught:
        read_json(data)
    assert caught.value.line == line


def test_the_deepest_nesting_that_is_allowed_is_read() -> None:
    assert read_json(b"[" * 32 + b"1" + b"]" * 32).value is not None


def test_every_value_knows_its_line() -> None:
    read = read_json(b'\n{"a": [1,\n2],\n\n"b":\n{"c": {}}}')
    assert read.lines == {(): 2, ("a",): 2, ("a", 0): 2, ("a", 1): 3, ("b",): 5, ("b", "c"): 6}
    assert read.line(("b", "nothing", 1)) == 5
    assert read.line(("nothing",)) == 2
