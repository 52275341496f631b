"""Characters that readers take differently, or that people cannot see (ST108)."""

import re
import unicodedata
from functools import cache
from typing import Final

from codifica_guard.model.document import Fault
from codifica_guard.state.fields import NAMES

BOM: Final = b"\xef\xbb\xbf"


_BAD_BYTES: Final = bytes([*range(9), 11, 12, *range(14, 32), 127])
# Apart from each other, since a pattern that begins with one certain byte is searched for ten times as fast.
_BAD_WIDE: Final = (rb"\xc2[\x80-\x9f]", rb"\xe2\x80[\xa8\xa9]", rb"\xef(?:\xbb\xbf|\xbf[\xbe\xbf])")

# Letters that look like ASCII ones and that compatibility normalisation keeps apart: Cyrillic, Greek, Armenian, dashes.
_LOOKS: Final = str.maketrans(
    "аеорсухіјѕԁԛԝһкмтьвгпАВЕКМНОРСТУХІЈЅԌԚԜαεικνορτυχγηωΑΒΕΖΗΙΚΜΝΟΡΤΥΧսոօհցքɑɡıƖ‐‑‒–—−ʼ’٠",  # noqa: RUF001
    "aeopcyxijsdqwhkmtbbrnABEKMHOPCTYXIJSGQWaeiknoptuxynwABEZHIKMNOPTYXunohgqagil------''0",
)


@cache
def _bad() -> re.Pattern[str]:
    return re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u2028\u2029\ud800-\udfff\ufeff\ufffe\uffff]|\r(?!\n)")


def bad(text: str, start: int = 0) -> re.Match[str] | None:
    """The first character that no document and no value may hold: controls, line ends of some readers, BOM, surrogates."""
    return _bad().search(text, start)


def name(character: str) -> str:
    """A character's code point and name, such as `U+00A0 NO-BREAK SPACE`."""
    words = unicodedata.name(character, "")
    return f"U+{ord(character):04X} {words}" if words else f"U+{ord(character):04X}"


def document_fault(data: bytes) -> Fault | None:
    """The first place where a document's bytes are no text that all readers read alike (ST108); None for sound ones.

    A byte order mark at the very start is let pass here: whether it hides something, the caller sees.
    """
    start = len(BOM) if data.startswith(BOM) else 0
    plain = data.isascii()
    if not plain:
        try:
            data.decode()
        except UnicodeDecodeError as error:
            line, column = place(data, error.start)
            found = f"byte 0x{data[error.start]:02x} is no UTF-8"
            return Fault(code="ST108", line=line, column=column, found=found, do="save the file as UTF-8")
    if (
        len(data.translate(None, _BAD_BYTES)) == len(data)
        and (plain or not any(re.compile(wide).search(data, start) for wide in _BAD_WIDE))
        and (b"\r" not in data or data.count(b"\r") == data.count(b"\r\n"))
    ):
        return None
    text = data.decode()
    hit = bad(text, 1 if start else 0)
    assert hit is not None  # noqa: S101 - the two searches name the same characters
    line, column = place(data, len(text[: hit.start()].encode()))
    if hit[0] == "\r":
        return Fault(
            code="ST108",
            line=line,
            column=column,
            found="a CR without LF: some readers end the line here",
            do="end lines with LF",
        )
    return Fault(
        code="ST108", line=line, column=column, found=f"forbidden character {name(hit[0])}", do="delete that character"
    )


def place(data: bytes, at: int) -> tuple[int, int]:
    """Line and column (in characters), from 1, of a byte offset."""
    start = data.rfind(b"\n", 0, at) + 1
    return data.count(b"\n", 0, at) + 1, len(data[start:at].decode("utf-8", "replace")) + 1


def look_alike(text: str) -> str | None:
    """Why a text that is not all ASCII may be taken for another one; else None.

    That is: it holds an invisible character, an odd blank, a combining mark, or letters that look like ASCII ones.
    """
    for character in text:
        if unicodedata.category(character) in {"Cf", "Zs", "Cc", "Mn"} and character != " ":
            return f"invisible or odd character {name(character)}"
    shown = unicodedata.normalize("NFKC", text).translate(_LOOKS)
    # A word wholly in another script may consist of such letters by chance; mixed in, or as a known name, they deceive.
    if shown.isascii() and (any(c.isascii() and c.isalpha() for c in text) or shown.lower() in NAMES):
        return f"{next(name(c) for c in text if not c.isascii())}, which looks like an ASCII character"
    return None


def foreign(text: str) -> str | None:
    """Why a text is no plain ASCII without control characters: names the first code point that is not; else None."""
    for character in text:
        if not " " <= character <= "~":
            return f"character {name(character)}"
    return None
