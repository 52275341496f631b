"""Lines of `allowed_signers`: how one is written and ended; whatever is written is read back, by ssh-keygen too."""

import subprocess
from datetime import UTC, datetime
from pathlib import Path

import pytest

from codifica_guard.cli.signer_lines import SOON, expires_soon, signer_line, with_ends, with_line
from codifica_guard.identity.allowed_signers import parse_signers
from codifica_guard.identity.keys import parse_public
from codifica_guard.model.ids import KeyBlob, Principal
from codifica_guard.model.policy import SignerLine
from tests.building import Workshop

KEY = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI" + "A" * 43
END = int(datetime(2026, 12, 14, 21, 44, 58, tzinfo=UTC).timestamp())
MIDNIGHT = int(datetime(2026, 12, 15, tzinfo=UTC).timestamp())


@pytest.mark.parametrize(
    ("before", "after"),
    [
        (f"human:alice {KEY}", f'human:alice valid-before="20261214214458Z" {KEY}'),
        (f"\thuman:alice\t {KEY} c", f'\thuman:alice\t valid-before="20261214214458Z" {KEY} c'),
        (f'human:alice namespaces="git" {KEY}', f'human:alice namespaces="git",valid-before="20261214214458Z" {KEY}'),
        (
            f'"human:alice" namespaces="a b",valid-after="20260101"  {KEY}\r',
            f'"human:alice" namespaces="a b",valid-after="20260101",valid-before="20261214214458Z"  {KEY}\r',
        ),
        (f'human:alice valid-before="2099" {KEY}', f'human:alice valid-before="20261214214458Z" {KEY}'),
        (
            f'human:alice Valid-Before="20990101",namespaces="x,valid-before=" {KEY}',
            f'human:alice valid-before="20261214214458Z",namespaces="x,valid-before=" {KEY}',
        ),
        (
            f'human:alice namespaces="x,valid-before=",valid-before="20990101" {KEY}',
            f'human:alice namespaces="x,valid-before=",valid-before="20261214214458Z" {KEY}',
        ),
    ],
)
def test_a_line_gets_an_end_and_every_other_byte_stays(before: str, after: str) -> None:
    text = f"# head\n{before}\nlast"
    assert with_ends(text.encode(), {2: END}) == f"# head\n{after}\nlast".encode()
    (line,), faults = parse_signers(after.encode())
    assert (line.principals, line.valid_before, faults) == (("human:alice",), END, ())


def test_no_end_changes_nothing() -> None:
    assert with_ends(b"human:\xff \r\n", {}) == b"human:\xff \r\n"


@pytest.mark.parametrize(("data", "made"), [(b"", b"x\n"), (b"a\n", b"a\nx\n"), (b"a", b"a\nx\n")])
def test_a_line_is_added_on_a_line_of_its_own(data: bytes, made: bytes) -> None:
    assert with_line(data, "x") == made


def test_a_line_says_what_it_is_for_and_from_when() -> None:
    key = parse_public(f"{KEY} c")
    alice = Principal("human:alice")
    assert signer_line(alice, key) == f'human:alice namespaces="git,codifica-guard" {KEY} c'
    assert (
        signer_line(alice, key, namespaces=("git",), valid_after=MIDNIGHT)
        == f'human:alice namespaces="git",valid-after="20261215Z" {KEY} c'
    )


@pytest.mark.parametrize(
    ("after", "before", "soon"),
    [(None, None, False), (None, SOON, False), (None, SOON - 1, True), (None, -1, False), (5, 9, False)],
)
def test_a_line_expires_soon_in_its_last_days(after: int | None, before: int | None, *, soon: bool) -> None:
    line = SignerLine(principals=(), key=KeyBlob(b""), valid_after=after, valid_before=before)
    assert expires_soon(line, 0) is soon


@pytest.mark.parametrize(
    ("when", "fine"), [("20261214214458Z", True), ("20261214214500Z", False), ("20261212Z", False)]
)
def test_ssh_keygen_reads_the_dates_as_we_do(workshop: Workshop, tmp_path: Path, when: str, *, fine: bool) -> None:
    key = parse_public(workshop.keys.line("alice"))
    start = MIDNIGHT - 2 * 86400
    line = signer_line(Principal("human:alice"), key, valid_after=start)
    (tmp_path / "signers").write_bytes(with_ends(f"{line}\n".encode(), {1: END}))
    (tmp_path / "sig").write_bytes(workshop.keys.armoured("alice", b"text", "git"))
    done = subprocess.run(
        ["ssh-keygen", "-Y", "verify", "-n", "git", "-I", "human:alice", "-f", tmp_path / "signers", "-s", tmp_path / "sig",
         f"-Overify-time={when}"],
        input=b"text", capture_output=True, check=False,
    )  # fmt: skip
    assert (done.returncode == 0) is fine, done
    assert parse_signers((tmp_path / "signers").read_bytes())[0][0].valid_after == start
