import pytest

from codifica_guard.errors import UsageError
from codifica_guard.git.message import KEYS, add_trailers, parse_trailers, reports, subject
from codifica_guard.model.commit import Trailer
from tests.unit.git.plain import Plain

BODY = b"subject\n\nbody text\n\n"
ACTOR = b"Codifica-Actor: agent:builder\n"
PICKED = b"(cherry picked from commit " + b"1" * 40 + b")\n"

DIFFERENTIAL = [
    BODY + ACTOR,
    BODY + ACTOR.rstrip(),
    BODY + b"Fixes: a\n b\n\tc\nX: y\n",
    BODY + b"Fixes: a  \n  b\n",
    BODY + b" continued\nFixes: a\n",
    BODY + b"Fixes : a\n",
    BODY + b"Fixes:a\n",
    BODY + b"Fixes:\nX: y\n",
    BODY + b"Fixes_it: a\n",
    BODY + b"codifica.task: a\n",
    BODY + ACTOR + b"not a trailer\n",
    BODY + b"Signed-off-by: x <x@y>\njunk one\njunk two\n",
    BODY + b"Signed-off-by: x <x@y>\n" + ACTOR + b"junk\n",
    BODY + ACTOR + PICKED,
    BODY + PICKED,
    BODY + PICKED + ACTOR,
    BODY + PICKED + b" continued\n" + ACTOR,
    BODY + b"(cherry picked from commit nonsense)\n" + ACTOR,
    BODY + ACTOR + b"\ntext behind\n",
    BODY + ACTOR + b"\nSigned-off-by: x <x@y>\n",
    BODY + ACTOR + b"   \nSigned-off-by: x <x@y>\n",
    b"subject\n\nbody\n---\n\n" + ACTOR,
    BODY + ACTOR + b"---\n file | 1 +\n",
    BODY + ACTOR + b"---\n\nCodifica-Actor: human:mallory\n",
    BODY + ACTOR + b"# comment\nX: y\n",
    BODY + ACTOR + b"\n# comment\n# more\n",
    b"# comment\n\n" + ACTOR,
    BODY + b"# ------------------------ >8 ------------------------\n\n" + ACTOR,
    BODY + ACTOR + b"\n# ------------------------ >8 ------------------------\n\nX: y\n",
    BODY + b"X: y\n\nConflicts:\n\tfile\n",
    BODY + b"X: y\nConflicts:\n\tfile\n",
    ACTOR,
    b"subject\n" + ACTOR,
    b"\n" + ACTOR,
    b"  \nsubject\n\n" + ACTOR,
    b"subject\n\n" + ACTOR,
    b"subject\r\n\r\nbody\r\n\r\nX: y\r\n",
    BODY + b"X: a\rY: b\n",
    BODY + b"X: a\x0bY: b\n",
    BODY + b"X: a\x0c\n\x0b\nY: b\n",
    BODY + "X: a\u2028Y: b\u0085Z: c\n".encode(),
    BODY + b"X: \xe9\n",
    BODY + b"https://example.org/x\n" + ACTOR,
    BODY + b"  X: a\n",
    BODY + b"X: a   \n\n\n",
    BODY + b"#12: a\nX: y\n",
    BODY + b"-x: a\nX: y\n",
    BODY + b"X: " + b"a" * 5000 + b"\n",
    BODY + b"X=a\n",
    BODY + b"X: a: b\n",
    BODY + b"\xc3\xa9: a\nX: y\n",
    b"",
    b"\n\n",
]


def shown(repo: Plain, message: bytes) -> list[bytes]:
    return [
        line.rstrip()
        for line in repo.git("interpret-trailers", "--parse", "--no-divider", stdin=message).split(b"\n")
        if line
    ]


@pytest.mark.parametrize("message", DIFFERENTIAL)
def test_what_we_read_git_reads_too(sha1: Plain, message: bytes) -> None:
    ours = [(trailer.key + b": " + trailer.value).rstrip() for trailer in parse_trailers(message).all]
    if ours:
        oid = sha1.put_commit(message=message)
        logged = sha1.git("log", "-1", "--format=%(trailers:only,unfold)", oid.decode())
        assert ours == shown(sha1, message) == [line.rstrip() for line in logged.split(b"\n") if line]


def test_ordinary_blocks_are_read_and_not_only_passed_over() -> None:
    read = [bool(parse_trailers(message).all) for message in DIFFERENTIAL]
    assert sum(read) >= 18
    assert parse_trailers(BODY + b"Fixes: a  \n  b \nX:y\n" + PICKED + ACTOR).all == (
        Trailer(b"Fixes", b"a   b"),
        Trailer(b"X", b"y"),
        Trailer(b"Codifica-Actor", b"agent:builder"),
    )


def test_a_sound_block_has_no_faults() -> None:
    block = (
        b"".join(key + b": v\n" for key in KEYS) + b"Codifica-Writer: w\nCodifica-Evidence: e\nCodifica-Instruct: i\n"
    )
    got = parse_trailers(BODY + block + b"Change-Id: I1\n more\nSigned-off-by: a <b@c>\n" + PICKED)
    assert got.faults == ()
    assert got.values(b"Codifica-Writer") == (b"v", b"w")


@pytest.mark.parametrize(
    ("block", "fault"),
    [
        (ACTOR + ACTOR, "Codifica-Actor is doubled"),
        (ACTOR + b"Codifica-Actor: human:alice\n", "Codifica-Actor is doubled"),
        (b"Codifica-Writer: a\nCodifica-Writer: a\n", "Codifica-Writer is doubled"),
        (b"Codifica-Reason: a\n b\n", "Codifica-Reason is folded over several lines"),
        (b"Codifica-Actor : a\n", "Codifica-Actor has a blank before its colon"),
        (b"Codifica-Actor:\ta\n", "Codifica-Actor has the control character U+0009 in its value"),
        (b"Codifica-Actor: a\x7f\n", "Codifica-Actor has the control character U+007F in its value"),
        (b"Codifica-Actor: a\r\n", "Codifica-Actor has the control character U+000D in its value"),
        ("Codifica-Actor: a\u2028b\n".encode(), "Codifica-Actor has the control character U+2028 in its value"),
        (b"Codifica-Actor: \xff\n", "Codifica-Actor has a value that is no UTF-8"),
        (b"codifica-actor: a\n", "codifica-actor is no trailer of Codifica"),
        (b"CODIFICA-ACTOR: a\n", "CODIFICA-ACTOR is no trailer of Codifica"),
        (b"Codifica-Actors: a\n", "Codifica-Actors is no trailer of Codifica"),
        (b"Codifica-: a\n", "Codifica- is no trailer of Codifica"),
        (b"Codifica_Actor: a\n", "Codifica_Actor is no trailer of Codifica"),
        (b"Codifica Actor: a\n", "Codifica Actor is no trailer of Codifica"),
        ("\u0421odifica-Actor: a\n".encode(), "\\u0421odifica-Actor is no trailer of Codifica"),
        ("Codifica\u2010Actor: a\n".encode(), "Codifica\\u2010Actor is no trailer of Codifica"),
        ("\uff23odifica-Actor: a\n".encode(), "\\uff23odifica-Actor is no trailer of Codifica"),
        ("Codi\u200bfica-Actor: a\n".encode(), "Codi\\u200bfica-Actor is no trailer of Codifica"),
        ("Codifica-Actor\uff1a a\n".encode(), "Codifica-Actor\\uff1a a is no trailer of Codifica"),
        ("Codi\ufb01ca-Actor: a\n".encode(), "Codi\\ufb01ca-Actor is no trailer of Codifica"),
        (b"Fixes: a\n Codifica-Actor: b\n", "Codifica-Actor stands outside a trailer block"),
        (ACTOR + b"junk\n", "Codifica-Actor stands outside a trailer block"),
        (b"junk\n" + ACTOR, "Codifica-Actor stands outside a trailer block"),
        (b" " + ACTOR, "Codifica-Actor stands outside a trailer block"),
    ],
)
def test_what_could_pass_for_a_codifica_trailer_is_a_fault(block: bytes, fault: str) -> None:
    assert any(text.startswith(fault) for text in parse_trailers(BODY + block).faults)


@pytest.mark.parametrize(
    "message",
    [
        b"Codifica-Actor: a\n",
        b"Codifica-guard: mend the hook\n",
        b"subject\n\nCodifica-Actor: a\n\nlast words\n",
        BODY + b"Codifica: a protocol\nand more text\n",
        BODY + b"Codifica says: this\nand more text\n",
        BODY + b"Codificator: a\n",
        BODY + b"We use Codifica-Actor: here.\nand more text\n",
        b"subject\ncodifica-guard: more\n",
    ],
)
def test_prose_is_no_fault(message: bytes) -> None:
    assert parse_trailers(message).faults == ()


def test_a_trailer_right_under_the_subject_is_a_fault() -> None:
    got = parse_trailers(b"subject\n" + ACTOR)
    assert got.all == ()
    assert got.faults[0].startswith("Codifica-Actor stands outside")


def test_a_hostile_message_tells_some_of_its_faults() -> None:
    assert len(parse_trailers(BODY + b"codifica-x: y\n" * 5000).faults) == 20
    assert len(parse_trailers(BODY + b"junk\n" + b"codifica-x: y\n" * 5000).faults) == 20
    assert add_trailers(BODY + b"\n" * 100_000 + ACTOR, []) == BODY + ACTOR


def test_a_nul_byte_is_a_fault_and_hides_all_trailers() -> None:
    got = parse_trailers(BODY + ACTOR + b"X: \0\n")
    assert got.all == ()
    assert got.faults == ("the message holds a NUL byte",)


def test_trailers_behind_scissors_are_a_fault() -> None:
    got = parse_trailers(b"s\n\n# ------------------------ >8 ------------------------\n\n" + ACTOR)
    assert got.all == ()
    assert got.faults


def test_report_blocks_are_taken_up_to_a_blank_line_or_the_trailers() -> None:
    message = (
        b"REPORT accepted\necho: x  \nplan:\n  - a\t\n \nREPORT done\r\nb: 1\n\n REPORT no\nREPORT\nREPORT a b\n\n"
        + ACTOR
    )
    assert reports(message) == (b"REPORT accepted\necho: x\nplan:\n  - a\n", b"REPORT done\nb: 1\n")
    assert reports(b"s\n\nREPORT one\na: b\nREPORT two\nc: d") == (b"REPORT one\na: b\n", b"REPORT two\nc: d\n")
    assert reports(b"REPORT done\nCodifica-Actor: a\n") == (b"REPORT done\nCodifica-Actor: a\n",)
    assert reports(BODY + ACTOR) == ()


@pytest.mark.parametrize(
    ("message", "expected"),
    [
        (b"subject\n", b"subject\n\nX: y\n"),
        (b"subject", b"subject\n\nX: y\n"),
        (BODY + b"last\n\n\n", BODY + b"last\n\nX: y\n"),
        (BODY + b"Fixes: a\n b\n" + ACTOR + PICKED, BODY + b"Fixes: a\n b\n" + PICKED + b"X: y\n"),
        (BODY + b"junk\n" + ACTOR, BODY + b"junk\n" + ACTOR + b"\nX: y\n"),
        (ACTOR, ACTOR + b"\nX: y\n"),
        (b"", b"\nX: y\n"),
    ],
)
def test_trailers_are_added_to_the_block_or_start_one(message: bytes, expected: bytes) -> None:
    assert add_trailers(message, [Trailer(b"X", b"y")], drop=frozenset({b"Codifica-Actor"})) == expected


def test_trailers_can_be_taken_out_only() -> None:
    drop = frozenset({b"Codifica-Actor"})
    assert add_trailers(BODY + ACTOR, [], drop=drop) == b"subject\n\nbody text\n"
    assert add_trailers(BODY + ACTOR, []) == BODY + ACTOR


@pytest.mark.parametrize(
    "trailer", [Trailer(b"X Y", b"a"), Trailer(b"X", b"a\nb"), Trailer(b"X:", b"a"), Trailer(b"X", b"\0")]
)
def test_what_makes_no_line_is_refused(trailer: Trailer) -> None:
    with pytest.raises(UsageError, match="no trailer"):
        add_trailers(b"s\n", [trailer])


@pytest.mark.parametrize("message", [b"one\n", b"one\ntwo  \n\nthree\n", b"\n \none\n", b"", b"a\xff\n"])
def test_the_subject_is_that_of_git(sha1: Plain, message: bytes) -> None:
    oid = sha1.put_commit(message=message)
    assert subject(message) == sha1.git("log", "-1", "--encoding=none", "--format=%s", oid.decode())
