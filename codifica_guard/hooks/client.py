"""The hooks of a clone. They help; where something fails they say so in one line and stay out of the way."""

import sys
import time
from collections.abc import Callable, Mapping

from codifica_guard.errors import GuardError
from codifica_guard.hooks.boundary import tell
from codifica_guard.limits import INPUT_BYTES

Clock = Callable[[], float]


def main(argv: list[str], *, clock: Clock = time.time) -> int:
    """Run a clone's hook by its name: `commit-msg FILE`, `post-rewrite WHAT`, `pre-push REMOTE URL`, `post-merge SQUASH`."""
    name, arguments = (argv[0], argv[1:]) if argv else ("", [])
    run = _hooks().get(name)
    if run is None:
        tell(f"codifica-guard: there is no hook {name!r}\n")
        return 1
    try:
        return run(arguments, int(clock()))
    except GuardError as error:
        tell(f"codifica-guard: {name} could not look: {error}\n")
    except Exception as error:  # noqa: BLE001 - never in the way at home
        tell(f"codifica-guard: {name} failed itself ({type(error).__name__}: {error}); nothing was checked\n")
    return 0


def _hooks() -> Mapping[str, Callable[[list[str], int], int]]:
    # One process runs one hook; what only another needs is not loaded for it.
    from codifica_guard.hooks import commit_msg, post_merge, post_rewrite, pre_push  # noqa: PLC0415

    return {
        "commit-msg": commit_msg.run,
        "post-rewrite": post_rewrite.run,
        "pre-push": pre_push.run,
        "post-merge": post_merge.run,
    }


def read_input() -> list[list[bytes]]:
    """The words of each line of standard input."""
    return [line.split() for line in sys.stdin.buffer.read(INPUT_BYTES).split(b"\n") if line.strip()]
