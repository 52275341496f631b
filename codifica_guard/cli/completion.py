"""`completion`: the script that makes a shell complete codifica-guard and git codifica."""

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codifica_guard.cli.command import Command, Outcome

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.help import CompletionData

FOLDER: Final = Path(__file__).parent / "shells"

SCRIPTS: Final = {"bash": "codifica-guard.bash", "zsh": "_codifica-guard", "fish": "codifica-guard.fish"}
"""Shell to the file of its script."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("shell", metavar="SHELL", choices=tuple(SCRIPTS), help=f"one of {', '.join(SCRIPTS)}")


def run(options: argparse.Namespace) -> Outcome:
    """Print a script."""
    script = (FOLDER / SCRIPTS[options.shell]).read_bytes()
    data: CompletionData = {"shell": options.shell, "script": script.decode()}
    return Outcome(raw=script, data=data)


COMMAND = Command(
    name="completion",
    summary="what makes TAB complete: for bash, zsh or fish",
    configure=configure,
    run=run,
    text="Print the script that makes a shell complete commands, options and the ids of tasks. install.sh puts it where the shells "
    'look; else one line does it. bash, in ~/.bashrc: eval "$(codifica-guard completion bash)". zsh, in ~/.zshrc behind compinit: '
    'eval "$(codifica-guard completion zsh)". fish: codifica-guard completion fish > '
    "~/.config/fish/completions/codifica-guard.fish, and the same once more as git-codifica.fish.",
)
