"""`allowed_signers` and `revoked_keys` are read as OpenSSH reads them; what is odd is a fault with its line."""

from datetime import UTC, datetime
from pathlib import Path

import pytest

from codifica_guard import limits
from codifica_guard.identity import allowed_signers as signers
from codifica_guard.identity import patterns, sshsig
from codifica_guard.identity.keys import public_line
from codifica_guard.model.ids import KeyBlob
from codifica_guard.model.policy import REVOKED_FILE, SIGNERS_FILE, SignerLine
from tests.unit.identity.sshkit import run, signer

A, B = signer(1), signer(2)
KEY, OTHER = public_line(A.key), public_line(B.key)


def one(text: str) -> SignerLine:
    lines, faults = signers.parse_signers(text.encode())
    assert faults == ()
    assert len(lines) == 1
    return lines[0]


def utc(year: int, month: int, day: int, hour: int = 0, minute: int = 0, second: int = 0) -> int:
    return int(datetime(year, month, day, hour, minute, second, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (f"human:a {KEY}", SignerLine(principals=("human:a",), key=A.key, line=1)),
        (f"\t human:a \t {KEY} a comment\r\n", SignerLine(principals=("human:a",), key=A.key, line=1)),
        (f'# c\n\n"human:a,!human:b" {KEY}\n', SignerLine(principals=("human:a", "!human:b"), key=A.key, line=3)),
        (
            f'agent:* namespaces="git,codifica-*" {KEY}',
            SignerLine(principals=("agent:*",), key=A.key, namespaces=("git", "codifica-*"), line=1),
        ),
        (
            f'human:a Valid-After="20260102",valid-before="202601021530" {KEY}',
            SignerLine(
                principals=("human:a",),
                key=A.key,
                valid_after=utc(2026, 1, 2),
                valid_before=utc(2026, 1, 2, 15, 30),
                line=1,
            ),
        ),
        (
            f'human:a valid-before="20260102153059Z",namespaces="git" {KEY}',
            SignerLine(
                principals=("human:a",),
                key=A.key,
                namespaces=("git",),
                valid_before=utc(2026, 1, 2, 15, 30, 59),
                line=1,
            ),
        ),
    ],
)
def test_lines_are_read(text: str, expected: SignerLine) -> None:
    assert one(text) == expected


@pytest.mark.parametrize(
    ("line", "found"),
    [
        ("human:a", "no key"),
        ("human:a ssh-ed25519", "one line"),
        ("human:a ssh-ed25519 AAAA", "cut off"),
        ("human:a ssh-dss AAAAB3NzaC1kc3M=", "'ssh-dss' are not supported"),
        (f"human:a cert-authority {KEY}", "cert-authority is not supported"),
        (f'human:a namespaces="git",CERT-AUTHORITY {KEY}', "cert-authority is not supported"),
        (f"human:a no-touch-required {KEY}", "'no-touch-required' is not known"),
        (f'human:a touch="yes" {KEY}', "'touch' is not known"),
        (f"human:a namespaces {KEY}", "'namespaces' is not known"),
        (f"human:a namespaces=git {KEY}", "cannot be read"),
        (f'human:a namespaces="git", {KEY}', "cannot be read"),
        (f'human:a namespaces="git"valid-after="2026" {KEY}', "cannot be read"),
        (f'human:a namespaces="g\\"it" {KEY}', "no key"),
        (f'human:a namespaces="git {KEY}', "no key"),
        (f'human:a namespaces="" {KEY}', "namespaces has an empty part"),
        (f'human:a namespaces="git",namespaces="git" {KEY}', "twice"),
        (f'human:a valid-after="2026" {KEY}', "valid-after is '2026', not a time"),
        (f'human:a valid-after="20261301" {KEY}', "not a time"),
        (f'human:a valid-before="2026010212" {KEY}', "valid-before is '2026010212'"),
        (f'human:a valid-after="19691231" {KEY}', "before 1970"),
        (f'human:a valid-after="20260102",valid-before="20260102" {KEY}', "not later"),
        (f"human:a,,agent:b {KEY}", "principals has an empty part"),
        (f"human:a,! {KEY}", "principals has an empty part"),
        (f'"human:a {KEY}', "quotes around the principals"),
        (f'"human:a"{KEY}', "quotes around the principals"),
        (f'"human:a b" {KEY}', "quote or a blank"),
        (f'human:"a" {KEY}', "quote or a blank"),
        (f"human:a {KEY} \x1b[1m", "control"),
        (f"human:a {KEY}\rhuman:b {KEY}", "control"),
        (",".join(f"human:a{n}" for n in range(limits.SIGNER_PATTERNS + 1)) + f" {KEY}", "too long"),
        ("a" * (limits.SIGNER_PATTERN_LENGTH + 1) + f" {KEY}", "too long"),
    ],
)
def test_other_lines_are_faults_with_their_number_and_the_good_ones_stay(line: str, found: str) -> None:
    lines, faults = signers.parse_signers(f"human:b {OTHER}\n{line}\n".encode())

    assert [s.key for s in lines] == [B.key]
    assert [(f.code, f.path, f.line, f.fatal) for f in faults] == [("ID109", SIGNERS_FILE, 2, True)]
    assert found in faults[0].found


def test_a_file_that_is_too_large_is_a_fault_and_lists_nobody() -> None:
    data = f"human:a {KEY}\n".encode() + b"#" * limits.POLICY_BYTES
    lines, faults = signers.parse_signers(data)
    assert lines == ()
    assert [f.code for f in faults] == ["ID109"]
    assert [f.code for f in signers.parse_revoked(data)[1]] == ["ID109"]


def test_one_key_on_more_lines_than_anybody_needs_is_a_fault() -> None:
    text = f"human:a {KEY}\n" * (limits.SIGNER_LINES + 1) + f"human:b {OTHER}\n"
    lines, faults = signers.parse_signers(text.encode())
    assert [(f.code, f.line) for f in faults] == [("ID109", limits.SIGNER_LINES + 1)]
    assert lines[-1].key == B.key


def test_a_mail_address_is_told_but_does_no_harm() -> None:
    lines, faults = signers.parse_signers(f"alice@example.org,human:alice,human:Bob {KEY}".encode())

    assert [(f.code, f.fatal, f.line) for f in faults] == [("ID109", False, 1), ("ID109", False, 1)]
    assert signers.names(lines[0]) == ("human:alice",)


def test_names_are_the_literal_principals_that_are_not_taken_away() -> None:
    line = one(f"human:a,human:b,human:c*,human:a,!human:b {KEY}")
    assert signers.names(line) == ("human:a",)


def test_a_key_is_found_for_the_namespaces_of_its_lines_only() -> None:
    lines, _ = signers.parse_signers(
        f'human:a namespaces="git" {KEY}\nhuman:b namespaces="codifica-*,!codifica-writer" {KEY}\nhuman:c {OTHER}\n'.encode()
    )
    found = {
        n: [s.line for s in signers.principals_of(lines, A.key, n)]
        for n in ("git", "codifica-guard", "codifica-writer")
    }
    assert found == {"git": [1], "codifica-guard": [2], "codifica-writer": []}
    assert [s.line for s in signers.principals_of(lines, B.key, "anything")] == [3]


TIMES = ["20260102", "20260102Z", "202601020304", "20260102030405", "20260102030405Z"]


@pytest.mark.parametrize("time", TIMES)
@pytest.mark.parametrize("option", ["valid-after", "valid-before"])
def test_both_ends_of_a_validity_belong_to_it_as_for_openssh_in_utc(time: str, option: str, tmp_path: Path) -> None:
    line = one(f'human:a {option}="{time}" {KEY}')
    (tmp_path / "allowed").write_text(f'human:a {option}="{time}" {KEY}\n')
    (tmp_path / "sig").write_text(sshsig.armour(A.sign(b"m", "git")))
    edge = line.valid_after if line.valid_after is not None else line.valid_before
    assert edge is not None

    for seconds in (edge - 1, edge, edge + 1):
        stamp = datetime.fromtimestamp(seconds, tz=UTC).strftime("%Y%m%d%H%M%SZ")
        argv: list[str | Path] = [
            "ssh-keygen",
            "-Y",
            "verify",
            "-f",
            "allowed",
            "-I",
            "human:a",
            "-n",
            "git",
            "-s",
            "sig",
        ]
        done = run([*argv, "-O", f"verify-time={stamp}"], tmp_path, b"m", code=None, extra={"TZ": "UTC"})
        assert signers.valid_at(line, seconds) == (done.returncode == 0), (seconds - edge, done.stderr)


@pytest.mark.parametrize(
    "listed",
    [
        "human:a",
        "human:*",
        "*",
        "human:?",
        "human:a*,!human:ab",
        "!human:a,*",
        "!human:a",
        "agent:*,human:a",
        "h*n:*b",
        "human:**b",
        "human:a?*",
        '"human:a,human:b"',
    ],
)
def test_patterns_match_as_openssh_matches_them(listed: str, tmp_path: Path) -> None:
    line = one_of(f"{listed} {KEY}")
    (tmp_path / "allowed").write_text(f"{listed} {KEY}\n")
    (tmp_path / "sig").write_text(sshsig.armour(A.sign(b"m", "git")))
    for name in ("human:a", "human:ab", "human:b", "agent:a"):
        argv: list[str | Path] = ["ssh-keygen", "-Y", "verify", "-f", "allowed", "-I", name, "-n", "git", "-s", "sig"]
        assert signers.matches(line, name) == (run(argv, tmp_path, b"m", code=None).returncode == 0), name


def one_of(text: str) -> SignerLine:
    """The line, whatever else is said of it."""
    return signers.parse_signers(text.encode())[0][0]


@pytest.mark.parametrize(
    "text",
    [
        "human:a,agent:b K",
        "human:a K\nagent:b K",
        'human:a namespaces="git" K\nagent:b namespaces="codifica-guard" K',
        'human:a valid-before="20200101" K\nagent:b valid-after="20210101" K',
        "* K",
        "human:a K\nagent:* K",
        "*:a K",
        "*a* K",
        "?????:* K",
        "human:* K\nag*x K",
        "*,!human:bob K",
        "*,!human:a* K",
        "*,!server:* K",
    ],
)
def test_one_key_for_a_human_and_an_agent_is_a_fault(text: str) -> None:
    _, faults = signers.parse_signers(text.replace("K", KEY).encode())
    assert [(f.code, f.fatal) for f in faults] == [("ID113", True)]
    assert faults[0].line == text.count("\n") + 1


@pytest.mark.parametrize(
    "text",
    [
        "human:a K\nagent:a L",
        "human:a,human:b K\nhuman:* K",
        "human:a K\nserver:a K",
        "*,!human:* K",
        "*,!agent:*,!nothing K",
        "*,!agent:?* K",
        "*,!ag* K",
        "*,!a?ent:** K",
        "human:a,agent:b,!agent:b K",
        "human:a,agent:b,!agent:* K",
        "human:* K\nagent:?*X K",
        "human:* K\nagent:_* K",
        "human:* K\nagent: K",
        "human:* K\nagent:A?* K",
        "human:* K\nagent:" + "?" * 65 + " K",
        "human:* K\nserver:* K\nagents:* K",
    ],
)
def test_keys_that_cannot_be_a_humans_and_an_agents_at_once_are_fine(text: str) -> None:
    _, faults = signers.parse_signers(text.replace("K", KEY).replace("L", OTHER).encode())
    assert [f for f in faults if f.fatal] == []


def test_many_stars_take_no_long_time() -> None:
    assert not patterns.glob_matches("*a" * 120 + "b", "a" * 200)
    assert patterns.list_reaches(["*?" * 60 + "*"], "human")


def test_revoked_keys_are_read_one_a_line() -> None:
    keys, faults = signers.parse_revoked(f"# lost\r\n\n{KEY} alice's laptop\r\n{OTHER}\n{KEY}".encode())
    assert keys == {A.key, B.key}
    assert faults == ()


def test_a_bad_line_among_the_revoked_keys_is_a_fault_with_its_number() -> None:
    keys, faults = signers.parse_revoked(f"{KEY}\nhuman:a {OTHER}\nSHA256:abc\n".encode())
    assert keys == {A.key}
    assert [(f.code, f.path, f.line) for f in faults] == [("ID109", REVOKED_FILE, 2), ("ID109", REVOKED_FILE, 3)]


def test_a_comment_that_is_no_utf8_is_taken() -> None:
    lines, faults = signers.parse_signers(b"human:a " + KEY.encode() + b" caf\xe9\n")
    assert (lines[0].key, faults) == (KeyBlob(A.key), ())
