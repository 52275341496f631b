"""Who shares a repository: the names of their clones and keys, and their principals."""

from collections.abc import Mapping
from typing import Final

PEOPLE: Final[Mapping[str, str]] = {
    "alice": "human:alice",
    "bob": "human:bob",
    "carol": "human:carol",
    "builder": "agent:builder",
    "writer": "agent:writer",
    "stranger": "human:stranger",
}

REPOSITORY_ID: Final = "5a" * 16
