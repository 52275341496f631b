"""The lines of the payload, each byte of them."""

import hashlib

import pytest

from codifica_guard.git.quoting import c_unquote
from codifica_guard.identity import payload
from codifica_guard.model.commit import SUBMODULE, SYMLINK, Entry
from codifica_guard.model.ids import ObjectId

A, B = ObjectId(b"a" * 40), ObjectId(b"b" * 64)
FILE, LINK = Entry(0o100644, A), Entry(SYMLINK, B)


def test_every_byte_has_one_quoted_form_without_line_end_that_git_reads_back() -> None:
    named = {7: b"\\a", 8: b"\\b", 9: b"\\t", 10: b"\\n", 11: b"\\v", 12: b"\\f", 13: b"\\r", 34: b'\\"', 92: b"\\\\"}
    forms = set()
    for byte in range(256):
        form = payload.quote(bytes([byte]))
        inner = named.get(byte) or (bytes([byte]) if 0x20 <= byte <= 0x7E else b"\\%03o" % byte)
        assert form == b'"' + inner + b'"'
        assert c_unquote(form) == bytes([byte])
        assert b"\n" not in form
        forms.add(form)
    assert len(forms) == 256
    assert payload.quote(b"") == b'""'


def test_a_digest_is_sha_256_in_lower_case() -> None:
    assert payload.digest(b"x") == hashlib.sha256(b"x").hexdigest().encode()


@pytest.mark.parametrize(
    ("name", "form"),
    [
        ("FEAT-1", b"FEAT-1"),
        ("a.B_9-z", b"a.B_9-z"),
        ("", b'""'),
        ("a b", b'"a b"'),
        ("a/b", b'"a/b"'),
        ("\u00e9", b'"\\303\\251"'),
        ("\udcff", b'"\\377"'),
        ("x\n", b'"x\\n"'),
    ],
)
def test_ids_are_quoted_where_they_are_not_plain(name: str, form: bytes) -> None:
    assert payload.record("codifica", name, [b"1", b"2"]) == b"record codifica/" + form + b" 1 2"
    assert payload.place("codex", name, [b"p", b"q"]) == b"place codex/" + form + b' "p" "q"'


def test_what_is_absent_is_a_dash_and_parents_are_joined_in_their_order() -> None:
    assert payload.record("openclaw", "T", [b"1", None, b"3", None]) == b"record openclaw/T 1,-,3 -"
    assert payload.record("codifica", "T", [b"1"]) == b"record codifica/T - 1"
    assert payload.place("codifica", "T", [None, b"a,b", b"c"]) == b'place codifica/T -,"a,b" "c"'
    assert payload.frame(b"a b.md", [None, b"2"]) == b'frame "a b.md" - 2'
    assert payload.trust(b"codifica.json", [b"1", b"2", None]) == b'trust 1,2 - "codifica.json"'


def test_entries_show_their_mode_in_six_digits_and_their_own_id() -> None:
    module = Entry(SUBMODULE, A)
    assert payload.leaf(b"x", [FILE, LINK, None]) == b"path 100644,120000 %s,%s - - " % (A, B) + b'"x"'
    assert payload.leaf(b"x", [module]) == b'path - - 160000 %s "x"' % A
    assert payload.leaf(b"x", [None, Entry(0o644, A)]) == b'path - - 000644 %s "x"' % A
    assert payload.doc(b"w", [FILE, None]) == b'doc 100644 - "w"'


def test_an_order_is_the_digest_of_ids_one_a_line() -> None:
    def told(*ids: str) -> bytes:
        return hashlib.sha256("".join(f"{i}\n" for i in ids).encode()).hexdigest().encode()

    line = payload.order(b"w", [["A", "B"], None, ["B", "A"]])
    assert line == b'order "w" %s,- %s' % (told("A", "B"), told("B", "A"))


def test_reports_trailers_and_parents() -> None:
    assert payload.report(b"REPORT x\n") == b"report " + payload.digest(b"REPORT x\n")
    assert payload.trailer(b"Codifica-Reason", b'say "no"') == b'trailer Codifica-Reason "say \\"no\\""'
    assert payload.parent(A) == b"parent " + A


def test_facts_are_sorted_by_bytes_kept_twice_and_each_ends_its_line() -> None:
    whole = payload.payload("f" * 32, "agent:a", [b"b", b"a b", b"a", b"B", b"a"])
    head = b"codifica-guard-commit-v1\nrepository " + b"f" * 32 + b"\nactor agent:a\n"
    assert whole == head + b"B\na\na\na b\nb\n"
    assert payload.payload("-", "agent:a", []) == b"codifica-guard-commit-v1\nrepository -\nactor agent:a\n"
