"""Random messages: whatever we read as trailers, Git reads the same; what we add is read back."""

import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.git.message import add_trailers, parse_trailers, reports
from codifica_guard.git.quoting import c_unquote
from codifica_guard.identity.payload import quote
from codifica_guard.model.commit import Trailer
from tests.unit.git.plain import Plain


@pytest.fixture(scope="module")
def repo() -> Iterator[Plain]:
    with tempfile.TemporaryDirectory() as folder:
        yield Plain(Path(folder) / "repo")


LINES = st.sampled_from(
    [b"", b"", b" ", b"\r", b"\x0b", b"\x0c", b"text", b"Fixes: a", b"X:y", b"X : y ", b"Codifica-Actor: agent:a", b" more", b"\tmore",
     b"#x: y", b"# comment", b"---", b"Conflicts:", b"(cherry picked from commit " + b"a" * 40 + b")", b"Signed-off-by: a <b@c>",
     b"# ------------------------ >8 ------------------------", b"x:\ry: z", "x: \u2028y: z".encode(), b"\xff: a", b"-: a", b"a: \x1c"]
)  # fmt: skip
MESSAGES = st.lists(LINES, max_size=9).map(lambda lines: b"s\n\n" + b"\n".join(lines))


@settings(max_examples=120, deadline=None)
@given(MESSAGES)
def test_whatever_we_read_git_reads_the_same(repo: Plain, message: bytes) -> None:
    ours = [(trailer.key + b": " + trailer.value).rstrip() for trailer in parse_trailers(message).all]
    if ours:
        git = repo.git("interpret-trailers", "--parse", "--no-divider", stdin=message)
        assert ours == [line.rstrip() for line in git.split(b"\n") if line.strip()]


@settings(max_examples=100, deadline=None)
@given(MESSAGES, st.binary(max_size=20))
def test_what_is_added_is_read_back_at_the_end(message: bytes, junk: bytes) -> None:
    value = junk.hex().encode()
    before = parse_trailers(message).all
    if b">8" not in message:
        added = add_trailers(message, [Trailer(b"Codifica-Key", value)])
        assert parse_trailers(added).all == (*before, Trailer(b"Codifica-Key", value))
        assert reports(added) == reports(message)


@settings(max_examples=100, deadline=None)
@given(st.binary(max_size=300))
def test_any_bytes_are_read_without_an_error(message: bytes) -> None:
    got = parse_trailers(message)
    assert all(b"\0" not in trailer.key + trailer.value for trailer in got.all)
    assert all(block.startswith(b"REPORT ") and block.endswith(b"\n") for block in reports(message))
    assert c_unquote(quote(message)) == message
