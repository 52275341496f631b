"""The repository's own configuration file, read without includes, environment, user or system files."""

# Git's paths are bytes, which pathlib does not take.
# ruff: noqa: PTH110, PTH118, PTH123

import os
import re
from collections.abc import Mapping
from typing import Final, Literal

from codifica_guard.errors import RepositoryError, UnknownFormat
from codifica_guard.git.location import Location
from codifica_guard.model.value import EMPTY, value

_SECTION: Final = re.compile(r'\[([A-Za-z0-9.-]+)(?:[ \t]+"((?:[^"\\\n]|\\[^\n])*)")?[ \t]*\]')
_NAME: Final = re.compile(r"([A-Za-z][A-Za-z0-9-]*)[ \t]*")
_KEY: Final = re.compile(r"[A-Za-z0-9.-]+\.(?:[^\n\0]+\.)?[A-Za-z][A-Za-z0-9-]*")
_ESCAPES: Final = {"n": "\n", "t": "\t", "b": "\b", '"': '"', "\\": "\\"}
_NUMBER: Final = re.compile(r"[+-]?[0-9]+[kKmMgG]?")
_TRUE: Final = frozenset(("true", "yes", "on"))
INTRODUCTION: Final = "codifica.introduction"
"""The commit from which on is judged; written once, by an admin or by the push behind it."""
TRUST: Final = "codifica.trust"
"""The fingerprint of the key that may introduce the policy."""
COORDINATION: Final = "codifica.coordination"
"""The branch whose state documents are the truth."""
RECEIPT_KEY: Final = "codifica.receiptKey"
"""The private key that signs receipts: a path, one that is not absolute counts from the repository's own folder."""
SERVER: Final = "codifica.server"
"""The principal that receipts are signed as, `server:NAME`."""
PAUSED_UNTIL: Final = "codifica.pausedUntil"
"""When a pause ends: seconds since the epoch, or RFC 3339."""
PAUSE_REASON: Final = "codifica.pauseReason"
"""Why the admin paused."""

_FALSE: Final = frozenset(("false", "no", "off", ""))
_EXTENSIONS: Final = frozenset(
    ("objectformat", "worktreeconfig", "partialclone", "preciousobjects", "noop", "relativeworktrees", "refstorage")
)


@value(kw_only=False)
class Config:
    """Settings by key, in the order of the files; None is a key without a value.

    Keys are `section.name` or `section.subsection.name`; all but the subsection in lower case.
    """

    entries: Mapping[str, tuple[str | None, ...]] = EMPTY

    def get(self, key: str) -> str | None:
        """The last value of a key; the empty text for a key without a value, None where it is absent."""
        values = self.get_all(key)
        return values[-1] if values else None

    def get_all(self, key: str) -> tuple[str, ...]:
        """All values of a key, in order."""
        return tuple(value or "" for value in self.entries.get(_canonical(key), ()))

    def flag(self, key: str, default: bool) -> bool:  # noqa: FBT001 - a default is what it is
        """A key's last value as Git reads booleans; the default where it is absent.

        Raises:
            RepositoryError: the value is no boolean.
        """
        values = self.entries.get(_canonical(key))
        if not values:
            return default
        value = values[-1]
        if value is None or value.lower() in _TRUE:
            return True
        if value.lower() in _FALSE:
            return False
        if _NUMBER.fullmatch(value):
            return int(value.rstrip("kKmMgG")) != 0
        raise RepositoryError(f"the setting {key} is no boolean: {value[:80]!r}")


def read_config(location: Location) -> Config:
    """The repository's settings: its `config`, and `config.worktree` where `extensions.worktreeConfig` is on.

    Raises:
        RepositoryError: a file is not there, or cannot be parsed.
    """
    entries: dict[str, list[str | None]] = {}
    _parse(os.path.join(location.common_dir, b"config"), entries)
    if Config({key: tuple(values) for key, values in entries.items()}).flag("extensions.worktreeConfig", default=False):
        own = os.path.join(location.git_dir, b"config.worktree")
        if os.path.exists(own):
            _parse(own, entries)
    return Config({key: tuple(values) for key, values in entries.items()})


def check_format(config: Config) -> Literal["sha1", "sha256"]:
    """The hash that object ids are made with, in a repository whose format is known.

    Raises:
        UnknownFormat: its version, the way its refs are stored, or an extension is not known; the text names it.
    """
    version = config.get("core.repositoryFormatVersion") or "0"
    if version not in {"0", "1"}:
        raise UnknownFormat(f"core.repositoryFormatVersion is {version[:80]}; this guard knows 0 and 1")
    for key in config.entries:
        section, _, name = key.partition(".")
        if section == "extensions" and name not in _EXTENSIONS:
            raise UnknownFormat(f"this guard does not know the extension {name[:80]}")
    storage = config.get("extensions.refStorage")
    if storage not in {None, "files"}:
        raise UnknownFormat(f"extensions.refStorage is {storage}; this guard reads refs in files")
    match config.get("extensions.objectFormat"):
        case None | "sha1":
            return "sha1"
        case "sha256":
            return "sha256"
        case other:
            raise UnknownFormat(f"extensions.objectFormat is {other[:80]}; this guard knows sha1 and sha256")


def set_value(location: Location, key: str, value: str | None) -> None:
    """Write a setting into the repository's shared configuration in place of all its values; None takes it away.

    Raises:
        RepositoryError: Git cannot write it; its own words are in the text.
    """
    import subprocess  # noqa: PLC0415 - loading it takes as long as an ordinary push

    if not _KEY.fullmatch(key) or "\0" in (value or ""):
        raise RepositoryError(f"no setting can be named {key[:80]!r}, or hold that value")
    path = os.fsdecode(os.path.join(location.common_dir, b"config"))
    change = ["--unset-all", key] if value is None else ["--replace-all", key, value]
    environ = {"PATH": os.environ.get("PATH", os.defpath), "GIT_CONFIG_NOSYSTEM": "1", "LC_ALL": "C"}
    try:
        done = subprocess.run(["git", "config", "--file", path, *change], env=environ, capture_output=True, check=False)
    except OSError as error:
        raise RepositoryError(f"cannot run git: {error.strerror}") from error
    absent = value is None and done.returncode == 5
    if done.returncode != 0 and not absent:
        raise RepositoryError(f"cannot set {key}: {done.stderr.decode('utf-8', 'replace').strip()}")


def _canonical(key: str) -> str:
    section, _, rest = key.partition(".")
    middle, dot, name = rest.rpartition(".")
    return f"{section.lower()}.{middle}{dot}{name.lower()}"


def _parse(path: bytes, entries: dict[str, list[str | None]]) -> None:
    try:
        with open(path, "rb") as file:
            text = file.read().decode("utf-8", "surrogateescape").removeprefix("\ufeff").replace("\r\n", "\n")
    except OSError as error:
        raise RepositoryError(f"cannot read {os.fsdecode(path)}: {error.strerror}") from error
    reader = _Reader(text)
    try:
        for key, value in reader.settings():
            entries.setdefault(key, []).append(value)
    except _Unreadable:
        line = text.count("\n", 0, reader.position) + 1
        raise RepositoryError(f"cannot read line {line} of {os.fsdecode(path)}") from None


class _Unreadable(Exception):
    """The reader met what Git would not take."""


class _Reader:
    """One pass over a configuration file."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.position = 0

    def settings(self) -> "list[tuple[str, str | None]]":
        found: list[tuple[str, str | None]] = []
        section: str | None = None
        while self.position < len(self.text):
            char = self.text[self.position]
            if char in " \t\n":
                self.position += 1
            elif char in "#;":
                self._skip_line()
            elif char == "[":
                section = self._section()
            elif section is None:
                raise _Unreadable
            else:
                found.append(self._setting(section))
        return found

    def _skip_line(self) -> None:
        end = self.text.find("\n", self.position)
        self.position = len(self.text) if end < 0 else end

    def _section(self) -> str:
        match = _SECTION.match(self.text, self.position)
        if match is None:
            raise _Unreadable
        self.position = match.end()
        if match[2] is None:
            return match[1].lower()
        if "." in match[1]:
            raise _Unreadable
        return match[1].lower() + "." + re.sub(r"\\(.)", r"\1", match[2])

    def _setting(self, section: str) -> tuple[str, str | None]:
        match = _NAME.match(self.text, self.position)
        if match is None:
            raise _Unreadable
        self.position = match.end()
        key = f"{section}.{match[1].lower()}"
        following = self.text[self.position : self.position + 1]
        if following in {"", "\n", "#", ";"}:
            return key, None
        if following != "=":
            raise _Unreadable
        self.position += 1
        return key, self._value()

    def _value(self) -> str:
        out: list[str] = []
        kept = 0
        quoted = False
        while (char := self._next()) not in {"", "\n"}:
            if char == '"':
                quoted = not quoted
                kept = len(out)
            elif char in "#;" and not quoted:
                self._skip_line()
            elif char in " \t" and not quoted:
                out += [char] if out else []
            else:
                out.append(self._escape() if char == "\\" else char)
                kept = len(out)
        if quoted:
            raise _Unreadable
        return "".join(out[:kept])

    def _next(self) -> str:
        char = self.text[self.position : self.position + 1]
        if char == "\0":
            raise _Unreadable
        self.position += 1
        return char

    def _escape(self) -> str:
        char = self._next()
        if char == "\n":
            return ""
        if char not in _ESCAPES:
            raise _Unreadable
        return _ESCAPES[char]
