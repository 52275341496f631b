"""Lines that a reader could take for a Codifica trailer."""

import re
from typing import Final

_ALIKE: Final = str.maketrans(
    {
        # Cyrillic and Greek letters that look like those of the keys, as people write forged ones.
        "\u0430": "a", "\u0441": "c", "\u0501": "d", "\u0435": "e", "\u0456": "i", "\u043e": "o", "\u0440": "p",
        "\u0455": "s", "\u0443": "y", "\u0445": "x", "\u0442": "t", "\u043a": "k", "\u0433": "r", "\u0475": "v",
        "\u03b1": "a", "\u03bf": "o", "\u03b9": "i", "\u03ba": "k", "\u03c5": "u", "\u03bd": "v", "\u03c2": "c",
        "\u03f2": "c", "\u0131": "i", "\u0251": "a", "\u0261": "g", "\u0581": "g", "\u0585": "o", "\u057d": "u",
        # Dashes that NFKC leaves as they are, and colons.
        "\u2010": "-", "\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2015": "-", "\u2212": "-", "\u2043": "-",
        "\u02d7": "-", "\u05f3": ":", "\u0589": ":", "\u02d0": ":", "\ua789": ":", "\u2236": ":",
    }
)  # fmt: skip
_INVISIBLE: Final = re.compile(
    "[\u00ad\u034f\u061c\u115f\u1160\u17b4\u17b5\u180b-\u180e\u200b-\u200f\u202a-\u202e\u2060-\u206f\u3164\ufe00-\ufe0f\ufeff\uffa0]"
)
_KEY: Final = re.compile(r"[ \t]*(codifica(?:[-_][a-z0-9_-]*|[ \t]+[a-z0-9]+)?)[ \t]*:")
_SPOKEN: Final = frozenset(
    f"codifica {name}" for name in ("actor", "signature", "writer", "key", "evidence", "instruct", "reason", "migrate")
)


def folded_key(line: bytes) -> str | None:
    """The Codifica key that a line seems to have: lower case, ASCII, hyphens; None where it seems to have none.

    Case, width, accents, letters of other alphabets, dashes of any kind, invisible characters, and `_` or a
    blank in place of the hyphen make no difference. With a blank only the known keys count: the rest is prose.
    """
    head = line[:400].decode("utf-8", "replace")
    if not head.isascii():
        import unicodedata  # noqa: PLC0415 - only hostile and foreign messages need it

        head = _INVISIBLE.sub("", unicodedata.normalize("NFKC", head).casefold()).translate(_ALIKE)
        head = "".join(c for c in unicodedata.normalize("NFKD", head) if not unicodedata.combining(c))
    match = _KEY.match(head.lower())
    if match is None or match[1] == "codifica":
        return None
    key = re.sub(r"[ \t]+", " ", match[1])
    if " " in key and key not in _SPOKEN:
        return None
    return key.replace("_", "-").replace(" ", "-")
