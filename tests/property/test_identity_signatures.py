"""No bit of what a signature covers, nor of the signature, can change; and no bytes raise anything but our errors."""

import contextlib

import pytest
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import Encoding, NoEncryption, PrivateFormat
from hypothesis import example, given, settings
from hypothesis import strategies as st

from codifica_guard.errors import SignatureError
from codifica_guard.identity import allowed_signers, keys, patterns, sshsig, tokens
from codifica_guard.identity.signing import Signer
from codifica_guard.model.ids import NAME
from tests.unit.identity.sshkit import SoftFido, signer, text_of

MESSAGE, SPACE = b"codifica-guard-commit-v1\nrecord codifica/FEAT-1 - 00\n", "codifica-guard"
RSA = rsa.generate_private_key(65537, 2048).private_bytes(Encoding.PEM, PrivateFormat.OpenSSH, NoEncryption()).decode()
BLOBS = [
    signer(1).sign(MESSAGE, SPACE),
    Signer.from_text(RSA, None).sign(MESSAGE, SPACE),
    *(
        Signer.from_text(text_of(ec.derive_private_key(9, c)), None).sign(MESSAGE, SPACE)
        for c in (ec.SECP256R1(), ec.SECP521R1())
    ),
    SoftFido().sign(MESSAGE, SPACE),
    SoftFido(curve=True).sign(MESSAGE, SPACE),
]


def flipped(data: bytes, bit: int) -> bytes:
    bit %= len(data) * 8
    changed = bytearray(data)
    changed[bit // 8] ^= 1 << bit % 8
    return bytes(changed)


def test_every_flipped_bit_of_an_ed25519_signature_kills_it() -> None:
    for bit in range(len(BLOBS[0]) * 8):
        with pytest.raises(SignatureError):
            sshsig.check(flipped(BLOBS[0], bit), MESSAGE, SPACE)


@settings(max_examples=250, deadline=None)
@given(st.sampled_from(BLOBS), st.integers(0, 1 << 20))
def test_a_flipped_bit_of_any_signature_kills_it(blob: bytes, bit: int) -> None:
    with pytest.raises(SignatureError):
        sshsig.check(flipped(blob, bit), MESSAGE, SPACE)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(BLOBS), st.integers(0, 1 << 20))
def test_a_flipped_bit_of_the_message_kills_the_signature(blob: bytes, bit: int) -> None:
    with pytest.raises(SignatureError, match="does not fit"):
        sshsig.check(blob, flipped(MESSAGE, bit), SPACE)


@settings(max_examples=200, deadline=None)
@given(st.sampled_from(BLOBS), st.integers(0, 1 << 20))
def test_a_flipped_bit_of_the_lines_text_kills_it(blob: bytes, bit: int) -> None:
    text = flipped(sshsig.to_line(blob).encode(), bit)
    with pytest.raises(SignatureError):
        sshsig.check(sshsig.from_line(text), MESSAGE, SPACE)


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(BLOBS), st.integers(0, 1 << 20), st.binary(min_size=1, max_size=4))
def test_a_cut_or_a_longer_signature_is_refused(blob: bytes, at: int, more: bytes) -> None:
    for changed in (blob[: at % len(blob)], blob + more, more + blob):
        with pytest.raises(SignatureError):
            sshsig.check(changed, MESSAGE, SPACE)


@settings(max_examples=200, deadline=None)
@given(st.binary(min_size=1, max_size=400))
def test_armour_and_line_are_inverse(blob: bytes) -> None:
    assert sshsig.dearmour(sshsig.armour(blob)) == blob
    assert sshsig.from_line(sshsig.to_line(blob).encode()) == blob


@settings(max_examples=200, deadline=None)
@given(st.binary(max_size=200))
@example(b"SSHSIG\0\0\0\1")
def test_any_bytes_raise_only_our_errors(data: bytes) -> None:
    for read in (sshsig.dearmour, sshsig.from_line, sshsig.key_of, keys.dissect, keys.parse_public):
        with contextlib.suppress(SignatureError):
            read(data)
    with contextlib.suppress(SignatureError):
        tokens.parse_token(data.decode("latin-1"))
    allowed_signers.parse_signers(data)
    allowed_signers.parse_revoked(data)


PIECES = st.sampled_from(
    ["human:", "agent:", "human", "agent", ":", "a", "b", "*", "?", "!", ",", "-", "A", '"', " ", "\n"]
)
LINES = st.lists(PIECES, max_size=8).map(lambda p: "".join(p) + " " + keys.public_line(signer(1).key))
ITEM = st.tuples(
    st.sampled_from(["", "!"]), st.lists(PIECES.filter(lambda p: p not in ',"! \n'), min_size=1, max_size=5)
)
PATTERNS = st.lists(ITEM.map(lambda item: item[0] + "".join(item[1])), min_size=1, max_size=4)
NAMES = st.text("ab-.", min_size=1, max_size=3).filter(lambda n: NAME.fullmatch(n) is not None)


@settings(max_examples=200, deadline=None)
@given(LINES)
def test_any_line_of_signers_raises_nothing(line: str) -> None:
    lines, faults = allowed_signers.parse_signers(line.encode())
    assert lines or faults or not line.strip()


@settings(max_examples=250, deadline=None)
@given(PATTERNS, NAMES, st.sampled_from(["human", "agent"]))
def test_a_list_that_matches_a_principal_is_known_to_reach_its_kind(listed: list[str], name: str, kind: str) -> None:
    if patterns.list_matches(listed, f"{kind}:{name}"):
        assert patterns.list_reaches(listed, kind)


@settings(max_examples=200, deadline=None)
@given(st.text("ab*?", max_size=8), st.text("ab", max_size=8))
def test_patterns_match_as_a_plain_recursion_does(pattern: str, text: str) -> None:
    def plain(p: str, t: str) -> bool:
        if not p:
            return not t
        if p[0] == "*":
            return plain(p[1:], t) or (bool(t) and plain(p, t[1:]))
        return bool(t) and p[0] in {"?", t[0]} and plain(p[1:], t[1:])

    assert patterns.glob_matches(pattern, text) == plain(pattern, text)


@settings(max_examples=100, deadline=None)
@given(st.binary(min_size=32, max_size=32), st.binary(max_size=60))
def test_a_token_signs_what_its_public_half_checks(seed: bytes, payload: bytes) -> None:
    token = tokens.parse_token(tokens.WriterToken(seed).text)
    value = sshsig.to_line(token.sign(payload)).encode()
    tokens.check_writer([value], payload, token.public_line)
    with pytest.raises(SignatureError):
        tokens.check_writer([value], payload + b"x", token.public_line)
