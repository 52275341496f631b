"""The hooks of a clone. They help; where something fails they say so in one line and stay out of the way.

Only where this machine is not fit to sign or to check, do those refuse that sign or check: what they let pass then would be
refused by the server, or worse, by nobody.
"""

import os
import shutil
import sys
import time
from collections.abc import Callable, Mapping
from pathlib import Path

from codifica_guard.errors import GuardError
from codifica_guard.hooks.boundary import tell
from codifica_guard.install.shim import REFUSING
from codifica_guard.limits import INPUT_BYTES
from codifica_guard.model.policy import GUARD_FILE

Clock = Callable[[], float]


def main(argv: list[str], *, clock: Clock = time.time) -> int:
    """Run a clone's hook by its name: `commit-msg FILE`, `applypatch-msg FILE`, `post-rewrite WHAT`, `pre-push REMOTE URL`, `post-merge SQUASH`."""
    name, arguments = (argv[0], argv[1:]) if argv else ("", [])
    run = _hooks().get(name)
    if run is None:
        tell(f"codifica-guard: there is no hook {name!r}\n")
        return 1
    try:
        return run(arguments, int(clock()))
    except GuardError as error:
        if shutil.which("git") is None:
            return _unfit(name)
        tell(f"codifica-guard: {name} could not look: {error}\n")
    except Exception as error:  # noqa: BLE001 - never in the way at home
        tell(f"codifica-guard: {name} failed itself ({type(error).__name__}: {error}); nothing was checked\n")
    return 0


def _unfit(name: str) -> int:
    """Without the `git` program nothing can be signed, and hardly anything told; with a policy here, that refuses."""
    refuses = name in REFUSING and Path(GUARD_FILE.decode()).exists()
    tell(
        f"codifica-guard: {name}{': refused' if refuses else ''}: there is no git on the PATH ({os.environ.get('PATH', '')}); "
        f"do: start this program with a PATH that has it\n"
    )
    return int(refuses)


def _hooks() -> Mapping[str, Callable[[list[str], int], int]]:
    # One process runs one hook; what only another needs is not loaded for it.
    from codifica_guard.hooks import commit_msg, post_merge, post_rewrite, pre_push  # noqa: PLC0415

    return {
        "commit-msg": commit_msg.run,
        "applypatch-msg": commit_msg.run_applypatch,
        "post-rewrite": post_rewrite.run,
        "pre-push": pre_push.run,
        "post-merge": post_merge.run,
    }


def read_input() -> list[list[bytes]]:
    """The words of each line of standard input."""
    return [line.split() for line in sys.stdin.buffer.read(INPUT_BYTES).split(b"\n") if line.strip()]
