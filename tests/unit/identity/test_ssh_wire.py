"""The wire format is read strictly, and packed as OpenSSH packs it."""

import pytest

from codifica_guard.errors import SignatureError
from codifica_guard.identity.wire import Reader, pack_mpint, pack_string, pack_u32


@pytest.mark.parametrize(
    ("number", "wire"),
    [  # the examples of RFC 4251, section 5
        (0, "00000000"),
        (0x9A378F9B2E332A7, "0000000809a378f9b2e332a7"),
        (0x80, "000000020080"),
        (0x7F, "000000017f"),
    ],
)
def test_numbers_are_packed_as_the_rfc_shows_and_read_back(number: int, wire: str) -> None:
    packed = pack_mpint(number)
    reader = Reader(packed)

    assert packed.hex() == wire
    assert reader.mpint() == number
    reader.end()


def test_a_zero_that_the_sign_needs_is_no_padding() -> None:
    assert Reader(bytes.fromhex("0000000200ff")).mpint() == 255


@pytest.mark.parametrize("wire", ["0000000180", "00000002ff00", "000000020001", "0000000100"])
def test_negative_and_padded_numbers_are_refused(wire: str) -> None:
    with pytest.raises(SignatureError):
        Reader(bytes.fromhex(wire)).mpint()


def test_a_string_longer_than_the_rest_is_refused() -> None:
    with pytest.raises(SignatureError, match="cut off"):
        Reader(pack_u32(5) + b"four").string()


def test_bytes_left_over_are_refused() -> None:
    reader = Reader(pack_string(b"x") + b"y")
    assert reader.string() == b"x"
    with pytest.raises(SignatureError, match="follow"):
        reader.end()
