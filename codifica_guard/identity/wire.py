"""The SSH wire format (RFC 4251, section 5), read strictly: every value has one encoding only."""

from codifica_guard.errors import SignatureError


class Reader:
    """Reads values one after the other from bytes that may be hostile.

    Every method raises `SignatureError` where the bytes do not hold what is asked for.
    """

    __slots__ = ("_at", "_data")

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def take(self, count: int) -> bytes:
        """The next `count` bytes."""
        value = self._data[self._at : self._at + count]
        if len(value) != count:
            raise SignatureError("the key or signature is cut off")
        self._at += count
        return value

    def u32(self) -> int:
        """A number of four bytes, big-endian."""
        return int.from_bytes(self.take(4), "big")

    def string(self) -> bytes:
        """A string: its length in four bytes, then its bytes."""
        return self.take(self.u32())

    def mpint(self) -> int:
        """A number that is not negative, in its shortest form: OpenSSH takes padded ones, this reader does not."""
        value = self.string()
        if value and value[0] & 0x80:
            raise SignatureError("the key or signature holds a negative number")
        if value and value[0] == 0 and not (len(value) > 1 and value[1] & 0x80):
            raise SignatureError("the key or signature holds a padded number")
        return int.from_bytes(value, "big")

    def end(self) -> None:
        """Nothing is left; trailing bytes are refused."""
        if self._at != len(self._data):
            raise SignatureError("bytes follow after the key or signature")


def pack_u32(number: int) -> bytes:
    """A number of four bytes, big-endian."""
    return number.to_bytes(4, "big")


def pack_string(value: bytes) -> bytes:
    """A string: its length in four bytes, then its bytes."""
    return pack_u32(len(value)) + value


def pack_mpint(number: int) -> bytes:
    """A number that is not negative, in its shortest form."""
    return pack_string(number.to_bytes((number.bit_length() + 8) // 8, "big") if number else b"")
