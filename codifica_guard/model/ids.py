"""Names for the kinds of identifiers. Git's own data stays bytes until one named decode."""

import re
from typing import Final, NewType

ObjectId = NewType("ObjectId", bytes)
"""Object id: 40 (SHA-1) or 64 (SHA-256) lower-case hexadecimal digits."""

RefName = NewType("RefName", bytes)
"""A full ref name, such as `refs/heads/main`."""

RepoPath = NewType("RepoPath", bytes)
"""A path inside the tree, `/` between its parts, as Git stores it."""

TaskId = NewType("TaskId", str)
"""A task's id as it was read; not yet checked for its form."""

Principal = NewType("Principal", str)
"""Who acts: `human:<name>`, `agent:<name>` or `server:<name>`."""

KeyBlob = NewType("KeyBlob", bytes)
"""A public key in SSH wire format: what tells keys apart."""

NAME: Final = re.compile(r"[a-z0-9][a-z0-9._-]{0,63}")
"""The form of a principal's name (after the colon)."""

TASK_ID: Final = re.compile(r"[A-Za-z0-9][A-Za-z0-9._-]{0,63}")
"""The form of a task's id (CD103)."""


def is_principal(text: str) -> bool:
    """Whether a text is `human:`, `agent:` or `server:` and a well-formed name."""
    kind, colon, name = text.partition(":")
    return bool(colon) and kind in {"human", "agent", "server"} and NAME.fullmatch(name) is not None


def is_human(principal: str | None) -> bool:
    """Whether a principal is a human."""
    return principal is not None and principal.startswith("human:")


def is_agent(principal: str | None) -> bool:
    """Whether a principal is an agent."""
    return principal is not None and principal.startswith("agent:")


def show_path(path: bytes) -> str:
    """A path for people: UTF-8 where it is, the other bytes escaped."""
    return path.decode("utf-8", "backslashreplace")


def short(oid: bytes) -> str:
    """The first seven digits of an object id."""
    return oid[:7].decode("ascii")
