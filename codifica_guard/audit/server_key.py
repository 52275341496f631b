"""The server's own key and name: where the one is, and what the other is where nothing is set."""

import os
from typing import Final

from codifica_guard.git.config import RECEIPT_KEY, SERVER, Config
from codifica_guard.git.location import Location
from codifica_guard.model.ids import Principal, is_principal

KEY_FILE: Final = "codifica-guard/receipt_ed25519"
"""Where `install` puts the key, from the repository's own folder; so a repository that is moved keeps it."""

_KIND: Final = "server:"
_NAME_LENGTH: Final = 64


def key_path(location: Location, config: Config) -> bytes:
    """The file of the private key that signs receipts, whether it is there or not."""
    return os.path.join(location.common_dir, os.fsencode(config.get(RECEIPT_KEY) or KEY_FILE))  # noqa: PTH118 - bytes


def server_principal(config: Config) -> Principal:
    """The principal that receipts are signed as: what is set, else the name of this machine.

    What is set and is no name of a server counts as nothing, so that a receipt always names one; `doctor` tells it.
    """
    named = config.get(SERVER) or ""
    return Principal(named) if named.startswith(_KIND) and is_principal(named) else default_server(os.uname().nodename)


def default_server(host: str) -> Principal:
    """The principal of a machine: its name with other letters than a principal may have taken for dashes."""
    kept = "".join(c if c.isascii() and (c.isalnum() or c in "._-") else "-" for c in host.lower())
    return Principal(f"{_KIND}{kept.lstrip('._-')[:_NAME_LENGTH] or 'git'}")
