"""`post-receive`: the receipts of a push that is in. Nothing that goes wrong here fails it; the next push writes what is missing."""

import os
import sys
from collections.abc import Callable

from codifica_guard.audit import pending
from codifica_guard.errors import GuardError
from codifica_guard.git.location import at
from codifica_guard.hooks.boundary import record, tell
from codifica_guard.hooks.environment import git_dir, parse_updates
from codifica_guard.limits import INPUT_BYTES
from codifica_guard.model.push import RefUpdate
from codifica_guard.report.escape import escape_words


def run(now: int, log: Callable[[], bytes | None]) -> int:
    """Write the receipts that are due; always 0.

    Args:
        now: the clock, seconds since the epoch.
        log: where to write what went wrong; None where nowhere.
    """
    try:
        # Where objects and refs lie is the server's to say: what the pusher's environment says of it is not read.
        location = at(git_dir(os.environb), {})
        updates = _updates()
        if os.path.isdir(pending.folder(location)):  # noqa: PTH112 - bytes
            from codifica_guard.audit.handover import settle  # noqa: PLC0415 - only where something is to be written
            from codifica_guard.git.config import read_config  # noqa: PLC0415

            settle(location, read_config(location), updates, now)
    except Exception as error:  # noqa: BLE001 - the push is in, whatever happens here
        reference = record(error, log)
        why = f": {escape_words(str(error))}" if isinstance(error, GuardError) else ""
        tell(
            f"codifica-guard: the push is in; its receipt could not be written{why}. "
            f"The next push writes it; tell the admin, with this reference: {reference}\n"
        )
    return 0


def _updates() -> tuple[RefUpdate, ...]:
    """What the push moved; nothing where nobody says: then only earlier pushes are looked at."""
    try:
        return parse_updates(sys.stdin.buffer.read(INPUT_BYTES + 1))
    except GuardError:
        return ()
