"""The program behind the two names: the list of commands, the shared options, the exit codes."""

import argparse
import os
import sys
from importlib import import_module
from typing import Final

from codifica_guard import __version__
from codifica_guard.cli.command import CANNOT_TELL, INTERRUPTED, REFUSED, USAGE, Command, Outcome
from codifica_guard.errors import GuardError, SignatureError, UsageError
from codifica_guard.report.printing import printable
from codifica_guard.verbs.stopped import Stopped

GROUPS: Final = (
    ("look", (("check", "judge commits, or what is staged"), ("explain", "what a rule means, and what to do"), ("whoami", "which key, which principal"))),
    ("trust", (("init", "introduce the guard into this repository"), ("key", "keys and writer tokens: new, add, list, token"), ("sign", "sign commits by trailers"), ("payload", "what a commit's signature covers"))),
    ("server", (("install", "put the hooks into a repository"), ("uninstall", "take them out again"), ("doctor", "does the guard really stand"))),
    ("help", (("demo", "see it work, in a temporary folder"),)),
)  # fmt: skip
"""Commands by what they are for; each is a module of this package that has `COMMAND`."""

HINTS: Final = {
    "verify": "check",
    "audit": "check",
    "login": "whoami",
    "keys": "key",
    "setup": "init or install",
    "why": "explain",
    "test": "demo or doctor",
}

EXITS: Final = "exit codes: 0 done, 1 a rule is broken, 2 wrong usage, 3 cannot tell (the guard failed, or an unknown format), 130 interrupted"


def run(arguments: list[str]) -> int:
    """Run a command; the exit code. Nothing prompts without a terminal, no error shows a traceback."""
    if not arguments or arguments[0] in {"-h", "--help", "help"}:
        sys.stdout.write(overview())
        return 0 if arguments else USAGE
    if arguments[0] in {"-V", "--version", "version"}:
        sys.stdout.write(f"codifica-guard {__version__}\n")
        return 0
    if arguments[0] == "-C" and len(arguments) > 2:
        arguments = [*arguments[2:], *arguments[:2]]  # as git takes it, before the command
    name = arguments[0]
    if name not in {n for _, rows in GROUPS for n, _ in rows}:
        return _unknown(name)
    command: Command = import_module(f"codifica_guard.cli.{name}").COMMAND
    try:
        options = _parser(command).parse_args(arguments[1:])
    except SystemExit as ended:  # argparse has told what is wrong, or printed the help
        if ended.code and "--json" in arguments:
            _print_json(command, Outcome(exit=USAGE))
        raise
    outcome = _run(command, options)
    _print(command, outcome, options)
    return outcome.exit


def _unknown(name: str) -> int:
    hint = f"; you may mean: {HINTS[name]}" if name in HINTS else ""
    sys.stderr.write(f"codifica-guard: there is no command {name!r}{hint}. See: codifica-guard --help\n")
    return USAGE


def overview() -> str:
    """The list of commands."""
    lines = ["usage: codifica-guard COMMAND [options]      (or: git codifica COMMAND)", ""]
    for group, rows in GROUPS:
        for number, (name, summary) in enumerate(rows):
            lines.append(f"  {group if number == 0 else '':<8}{name:<11}{summary}")
    lines += ["", "  every command: --help, -C DIR, --json, -q", f"  {EXITS}", ""]
    return "\n".join(lines)


def _parser(command: Command) -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog=f"codifica-guard {command.name}",
        description=command.text or command.summary,
        epilog=EXITS,
        allow_abbrev=False,
    )
    shared = parser.add_argument_group("every command")
    shared.add_argument("-C", dest="directory", metavar="DIR", help="run as if started in DIR")
    shared.add_argument(
        "--json",
        action="store_true",
        default=os.environ.get("CODIFICA_JSON") == "1",
        help="one JSON object on standard output",
    )
    shared.add_argument("-q", "--quiet", action="store_true", help="say nothing but errors")
    command.configure(parser)
    return parser


def _run(command: Command, options: argparse.Namespace) -> Outcome:
    try:
        if options.directory:
            try:
                os.chdir(options.directory)
            except OSError as error:
                raise UsageError(f"cannot go to {options.directory}: {error.strerror}") from error
        return command.run(options)
    except GuardError as error:
        return _ended(command, error)
    except KeyboardInterrupt:
        return Outcome(exit=INTERRUPTED, notes=("interrupted",))
    except Exception as error:  # noqa: BLE001 - a defect of the guard is told in one line, never as a traceback
        return Outcome(
            exit=CANNOT_TELL,
            notes=(f"codifica-guard {command.name}: the guard itself failed: {type(error).__name__}: {error}",),
        )


def _ended(command: Command, error: GuardError) -> Outcome:
    """What a command comes to that did not do what was asked."""
    told = f"codifica-guard {command.name}: {error}"
    if isinstance(error, Stopped):
        return Outcome(
            exit=error.exit,
            # A verdict names the program itself.
            notes=printable((str(error) if error.findings else told).splitlines()),
            findings=error.findings,
            next=error.next,
            data=error.data,
            as_of=error.as_of,
        )
    kinds = ((UsageError, USAGE), (SignatureError, REFUSED))
    code = next((code for kind, code in kinds if isinstance(error, kind)), CANNOT_TELL)
    return Outcome(exit=code, notes=(told,))


def _print(command: Command, outcome: Outcome, options: argparse.Namespace) -> None:
    try:
        if not options.quiet or outcome.exit:
            for line in outcome.notes:
                sys.stderr.write(line + "\n")
        if options.json:
            _print_json(command, outcome)
        elif outcome.raw is not None:
            sys.stdout.buffer.write(outcome.raw)
        elif not options.quiet or outcome.exit:
            sys.stdout.write("".join(line + "\n" for line in outcome.lines))
        sys.stdout.flush()
    except BrokenPipeError:
        sys.stdout = open(os.devnull, "w", encoding="utf-8")  # noqa: SIM115, PTH123 - keeps the exit code


def _print_json(command: Command, outcome: Outcome) -> None:
    from codifica_guard.cli.envelope import envelope  # noqa: PLC0415 - for programs only

    sys.stdout.write(envelope(command.name, command.version, outcome) + "\n")
