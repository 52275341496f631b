"""`python -m codifica_guard`: the same program as the console scripts; hooks start and end as fast as Python lets them."""

import gc
import os
import sys


def run() -> int:
    """Run the program; a hook ends the process itself."""
    if sys.argv[1:2] != ["hook"]:
        from codifica_guard.cli.main import main  # noqa: PLC0415 - a hook loads nothing of the commands

        return main()
    gc.disable()  # modules make no garbage; the judge turns it on again
    from codifica_guard.cli.hook import run_hook  # noqa: PLC0415

    code = run_hook(sys.argv[2:])
    try:
        sys.stdout.flush()
        sys.stderr.flush()
    finally:
        os._exit(code)  # taking the interpreter apart would cost as much again as the hook


if __name__ == "__main__":
    sys.exit(run())
