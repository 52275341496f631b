"""One-line YAML scalars: what they are for the readers of YAML 1.1 and 1.2, and the text that they stand for."""

import re
from functools import cache
from typing import Final

TYPED: Final[dict[str, bool | None]] = {
    "": None, "~": None, "null": None, "Null": None, "NULL": None,
    "true": True, "True": True, "TRUE": True, "false": False, "False": False, "FALSE": False,
}  # fmt: skip
"""The plain scalars that are no text: null and the booleans of YAML 1.2's core schema."""

_WORDS: Final = frozenset({"null", "true", "false", "yes", "no", "on", "off", "y", "n"})


_PLAIN: Final = re.compile(r"""(?:[^\s\-?:,\[\]{}#&*!|>'"%@`]|[-?:](?=\S))[^\t]*""")
_ENDED: Final = re.compile(r":(?: |$)")
_COMMENT: Final = re.compile(r" +#[^\n]*")
# Groups are never possessive: Python before 3.11.5 matches those wrongly.
_DOUBLE: Final = re.compile(r'"([^"\\]*(?:\\.[^"\\]*)*)"')
_SINGLE: Final = re.compile(r"'([^']*(?:''[^']*)*)'(?!')")
_ESCAPE: Final = re.compile(r"\\(?:x([0-9a-fA-F]{2})|u([0-9a-fA-F]{4})|U([0-9a-fA-F]{8})|(.))", re.DOTALL)
_SIMPLE: Final = {
    '"': '"', "\\": "\\", "/": "/", "n": "\n", "t": "\t", "r": "\r", "0": "\0", "a": "\a", "b": "\b", "e": "\x1b",
    "f": "\f", "v": "\v", " ": " ", "_": "\xa0", "N": "\x85", "L": "\u2028", "P": "\u2029",
}  # fmt: skip


@cache
def _differs() -> re.Pattern[str]:
    return re.compile(
        r"""(?ix:
            ~ | = | <<
          | [-+]? 0 [0-9_]+                                   # octal for 1.1, decimal for 1.2
          | [-+]? 0o [0-7]+ | [-+]? 0b [01_]+                 # octal for 1.2 only, binary for 1.1 only
          | [-+] 0x [0-9a-f_]+ | 0x [0-9a-f]* _ [0-9a-f_]*
          | [-+]? [0-9][0-9_]* (?: :[0-5]?[0-9] )+ (?: \.[0-9_]* )?   # sexagesimal
          | [-+]? [0-9.][0-9.]* _ [0-9._]*                    # grouped digits
          | [-+]? (?: [0-9]+ (?:\.[0-9]*)? | \.[0-9]+ ) e [-+]? [0-9]+
          | [0-9]{4}-[0-9]{1,2}-[0-9]{1,2} (?: (?:t|[ \t]+) [0-9]{1,2}:[0-9]{2}:[0-9]{2} (?:\.[0-9]*)? .* )?
        )"""
    )


def differs(text: str) -> bool:
    """Whether YAML 1.1 and YAML 1.2 read a plain scalar differently, or as null or a boolean."""
    return text.lower() in _WORDS or (not text[:1].isalpha() and _differs().fullmatch(text) is not None)


def read(text: str) -> str | None:
    """The text of one scalar that stands alone on its line, trailing comment aside; None where it is no such scalar.

    A plain `null` or `true` is given as that text: whether it may stand there is for others to say.
    """
    if text[:1] in {'"', "'"}:
        quoted = (_DOUBLE if text[0] == '"' else _SINGLE).match(text)
        if quoted is None or (text[quoted.end() :].strip(" ") and not _COMMENT.fullmatch(text, quoted.end())):
            return None
        return unescape(quoted[1]) if text[0] == '"' else quoted[1].replace("''", "'")
    text = (text[: comment.start()] if (comment := _COMMENT.search(text)) else text).rstrip(" ")
    return text if _PLAIN.fullmatch(text) and not _ENDED.search(text) else None


def unescape(body: str) -> str | None:
    """The text between double quotes with its escapes read; None where an escape is unknown."""
    if "\\" not in body:
        return body
    try:
        return _ESCAPE.sub(_unescape, body)
    except (KeyError, ValueError, OverflowError):
        return None


def _unescape(hit: re.Match[str]) -> str:
    digits = hit[1] or hit[2] or hit[3]
    return chr(int(digits, 16)) if digits else _SIMPLE[hit[4]]
