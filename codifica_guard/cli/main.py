"""The entry of the console scripts."""

import sys
from collections.abc import Sequence


def main(argv: Sequence[str] | None = None) -> int:
    """Run the command that the arguments name; its exit code."""
    arguments = list(sys.argv[1:] if argv is None else argv)
    if arguments[:1] == ["hook"]:
        from codifica_guard.cli.hook import run_hook  # noqa: PLC0415 - a hook imports nothing of the commands

        return run_hook(arguments[1:])
    if arguments[:1] == ["__complete"]:
        from codifica_guard.cli.complete import complete  # noqa: PLC0415 - what TAB asks, many times a minute

        return complete(arguments[1:])
    from codifica_guard.cli.program import run  # noqa: PLC0415 - and they nothing of the hooks

    return run(arguments)
