"""Public keys are told apart by their blobs; each has one form only."""

import base64
from pathlib import Path

import pytest

from codifica_guard.errors import SignatureError
from codifica_guard.identity import keys
from codifica_guard.identity.wire import pack_mpint, pack_string
from tests.unit.identity.sshkit import KINDS, SoftFido, keygen, run, signer


def line_of(blob: bytes, kind: str) -> str:
    return f"{kind} {base64.b64encode(blob).decode()}"


@pytest.mark.parametrize("kind", KINDS)
def test_a_key_of_ssh_keygen_is_read_and_has_the_same_fingerprint(kind: str, tmp_path: Path) -> None:
    public = keygen(tmp_path, kind).with_suffix(".pub")
    key = keys.parse_public(public.read_bytes())
    shown = run(["ssh-keygen", "-l", "-f", public], tmp_path).stdout.decode().split()[1]

    assert keys.fingerprint(key.blob) == shown
    assert key.comment == "a comment"
    assert public.read_text() == f"{keys.public_line(key.blob)} a comment\n"
    assert keys.key_type(key.blob) == key.type
    assert not keys.is_hardware(key.blob)


@pytest.mark.parametrize("fido", [SoftFido(), SoftFido(curve=True)])
def test_hardware_keys_are_known_by_their_type(fido: SoftFido, tmp_path: Path) -> None:
    (tmp_path / "sk.pub").write_text(keys.public_line(fido.key) + "\n")
    shown = run(["ssh-keygen", "-l", "-f", "sk.pub"], tmp_path).stdout.decode().split()[1]

    assert keys.is_hardware(fido.key)
    assert keys.fingerprint(fido.key) == shown
    assert keys.dissect(fido.key).application == b"ssh:"


def test_tabs_and_a_carriage_return_at_the_end_are_fine() -> None:
    blob = signer(1).key
    key = keys.parse_public(keys.public_line(blob).replace(" ", "\t") + "\t two words \r\n")
    assert (key.blob, key.comment) == (blob, "two words")


ED = pack_string(b"ssh-ed25519")
EC = pack_string(b"ecdsa-sha2-nistp256")
POINT = b"\4" + b"\1" * 64


@pytest.mark.parametrize(
    ("blob", "kind", "message"),
    [
        (ED + pack_string(b"\1" * 31), "ssh-ed25519", "length"),
        (ED + pack_string(b"\1" * 32) + b"x", "ssh-ed25519", "follow"),
        (ED + pack_string(b"\1" * 32)[:-1], "ssh-ed25519", "cut off"),
        (ED + pack_string(b"\1" * 32), "ssh-rsa", "of the type ssh-ed25519"),
        (EC + pack_string(b"nistp384") + pack_string(POINT), "ecdsa-sha2-nistp256", "curve"),
        (EC + pack_string(b"nistp256") + pack_string(b"\2" + POINT[1:]), "ecdsa-sha2-nistp256", "uncompressed"),
        (EC + pack_string(b"nistp256") + pack_string(POINT[:33]), "ecdsa-sha2-nistp256", "length"),
        (pack_string(b"ssh-rsa") + pack_mpint(3) + pack_mpint(1 << 2046), "ssh-rsa", "2047"),
        (pack_string(b"ssh-rsa") + pack_mpint(3) + pack_mpint(1 << 16384), "ssh-rsa", "16385"),
        (pack_string(b"ssh-dss") + pack_mpint(3), "ssh-dss", "not supported"),
        (pack_string(b"ssh-ed25519-cert-v01@openssh.com"), "ssh-ed25519-cert-v01@openssh.com", "certificates"),
        (b"", "ssh-ed25519", "base64"),
        (b"\0", "ssh-ed25519", "cut off"),
    ],
)
def test_other_keys_are_refused(blob: bytes, kind: str, message: str) -> None:
    with pytest.raises(SignatureError, match=message):
        keys.parse_public(line_of(blob, kind))


GOOD = keys.public_line(signer(1).key)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "ssh-ed25519",
        GOOD.split()[1],
        GOOD + "\n" + GOOD,
        GOOD + " \x1b[0m",
        GOOD + "=",
        GOOD[:-1] + "!",
        GOOD[:-4] + "é" + GOOD[-3:],
        'namespaces="git" ' + GOOD,
    ],
)
def test_what_is_no_single_public_key_line_is_refused(text: str) -> None:
    with pytest.raises(SignatureError):
        keys.parse_public(text)
    with pytest.raises(SignatureError):
        keys.parse_public(text.encode())


@pytest.mark.parametrize("text", ["AA==", "AAE=", "AAEC"])
def test_base64_has_one_form(text: str) -> None:
    assert base64.b64encode(keys.decode_base64(text, "it")).decode() == text


@pytest.mark.parametrize(
    "text", ["", "AB==", "AA", "AA=", "AAE", "AAF=", "A A=", "AAEC\n", "AA==AA==", "=", "A", "AAEC="]
)
def test_other_forms_of_base64_are_refused(text: str) -> None:
    with pytest.raises(SignatureError, match="the thing is not proper base64"):
        keys.decode_base64(text, "the thing")
