"""The program behind the two names: the list of commands, the shared options, the exit codes."""

import argparse
import io
import os
import sys
from collections.abc import Iterable, Sequence
from contextlib import nullcontext, redirect_stderr, suppress
from importlib import import_module
from itertools import takewhile
from textwrap import wrap
from typing import IO, Final

from codifica_guard import __version__
from codifica_guard.cli.command import CANNOT_TELL, INTERRUPTED, USAGE, Command, Outcome, exit_of
from codifica_guard.errors import GuardError, UsageError
from codifica_guard.report.printing import printable
from codifica_guard.verbs.stopped import Stopped

GROUPS: Final = (
    ("look", (
        ("status", "what waits for you, what runs, what is free"),
        ("ready", "which tasks you may take, and why not the others"),
        ("show", "one task, and what to do with it"),
        ("log", "who moved a task, and how that is proven"),
        ("check", "judge commits, what is staged, files, or a merge"),
        ("explain", "what a rule means, and what to do"),
        ("whoami", "which key, which principal"),
        ("prime", "the whole manual for an agent, short"),
    )),
    ("agent", (
        ("claim", "take a task: ID, or --next"),
        ("note", "record progress; --ask block, release or change"),
        ("submit", "hand in: the work is pushed, and described"),
        ("resume", "take over your own claim after a crash"),
        ("done", "close your own task, where you may"),
    )),
    ("human", (
        ("new", "a new task"),
        ("assign", "say whose it is"),
        ("edit", "change what a task says, in your editor"),
        ("approve", "accept what was handed in"),
        ("return", "give it back, and say why"),
        ("block", "stop a task, and say why"),
        ("unblock", "let it go on"),
        ("reject", "it will not be done"),
        ("reopen", "it was closed, and is not done"),
        ("reclaim", "take a running task away from its owner"),
        ("archive", "move finished tasks to another document"),
        ("fix", "mend the documents of the work tree before you commit"),
    )),
    ("trust", (
        ("init", "introduce the guard into this repository"),
        ("key", "keys: new, add, rotate, revoke, list; writer tokens"),
        ("policy", "the policy that counts: show, set, upgrade"),
        ("sign", "sign commits by trailers"),
        ("payload", "what a commit's signature covers"),
    )),
    ("server", (
        ("install", "put the hooks into a repository"),
        ("uninstall", "take them out again"),
        ("doctor", "does the guard really stand"),
        ("pause", "let pushes pass for a while, in the open"),
        ("introduce", "judge from another commit on, after a purge"),
    )),
    ("audit", (
        ("audit", "prove who made every transition, from history alone"),
        ("simulate", "what of a history would have been refused; needs no keys"),
        ("ci", "judge what a run of CI is about: a pull request, a push"),
    )),
    ("help", (
        ("demo", "see it work, in a temporary folder"),
        ("completion", "what makes TAB complete: for bash, zsh or fish"),
    )),
)  # fmt: skip
"""Commands by what they are for; each is a module of this package that has `COMMAND`."""

HIDDEN: Final = ("schema", "merge-driver")
"""Commands that the overview does not show."""

JSON_VARIABLE: Final = "CODIFICA_JSON"

RUNNER_VARIABLE: Final = "GITHUB_ACTIONS"
"""Is `true` in jobs of GitHub, Gitea and Forgejo, whose runners take commands from what is printed."""

NO_COMMAND: Final = "usage"
"""What the JSON calls the answer to a call that names no command that there is."""

MODULES: Final = {"return": "give_back", "merge-driver": "merge_driver"}
"""Commands whose name cannot be a module's."""

HINTS: Final = {
    "close": "approve (human), done (agent)",
    "next": "ready",
    "list": "status",
    "ls": "status",
    "create": "new",
    "add": "new",
    "start": "claim",
    "take": "claim",
    "pick": "claim",
    "view": "show",
    "comment": "note",
    "request-changes": "return",
    "release": "note --ask release",
    "unclaim": "note --ask release",
    "verify": "check, audit",
    "history": "log",
    "accept": "approve",
    "change": "edit",
    "update": "edit",
    "modify": "edit",
    "move": "archive",
    "mend": "fix",
    "repair": "fix",
    "format": "fix",
    "finish": "submit",
    "complete": "submit, done",
    "login": "whoami",
    "keys": "key list",
    "rotate": "key rotate",
    "revoke": "key revoke",
    "config": "policy show",
    "settings": "policy show",
    "maintainers": "policy show",
    "upgrade": "policy upgrade",
    "setup": "init, install",
    "why": "explain",
    "test": "demo, doctor",
    "unpause": "pause --end",
    "purge": "uninstall --purge, introduce",
}
"""What people and agents type who come from elsewhere, and what it is called here."""

WIDTH: Final = 80
"""Columns of the overview."""

GLOBAL: Final = (
    ("-C", "run as if started in a folder, named by the next word"),
    ("--help", "the list of commands; behind a command, its own page"),
    ("--version", "which guard this is"),
)
"""Options that stand before a command, or in place of one."""

EXITS: Final = (
    "exit codes: 0 done, 1 a rule is broken, 2 wrong usage, 3 cannot tell, 4 lost: somebody was first, "
    "5 nothing to do, 6 needs a human or another principal, 7 try again later, 130 interrupted"
)


def run(arguments: list[str]) -> int:
    """Run a command; the exit code. Nothing prompts without a terminal, no error shows a traceback."""
    json, quiet = _asked(arguments)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a screen that knows no other letters
    if not arguments:
        outcome = Outcome(exit=USAGE, lines=tuple(overview().splitlines()), next=("codifica-guard --help",))
        return _print(NO_COMMAND, 1, outcome, json=json, quiet=quiet)
    if arguments[0] in {"-h", "--help", "help"}:
        sys.stdout.write(overview())
        return 0
    if arguments[0] in {"-V", "--version", "version"}:
        outcome = Outcome(lines=(f"codifica-guard {__version__}",), data={"version": __version__})
        return _print("version", 1, outcome, json=json, quiet=json and quiet)
    if arguments[0] == "-C" and len(arguments) > 2:
        arguments = [*arguments[2:], *arguments[:2]]  # as git takes it, before the command
    name = arguments[0]
    if name not in commands():
        return _print(NO_COMMAND, 1, _unknown(name), json=json, quiet=quiet)
    command = find(name)
    said = io.StringIO()
    try:
        with redirect_stderr(said) if json else nullcontext():
            parser = parser_of(command)
            parse = parser.parse_intermixed_args if command.mixed else parser.parse_args
            options = parse(arguments[1:])
    except SystemExit as ended:  # argparse has told what is wrong, or printed the help
        if ended.code and json:
            return _print(
                name,
                command.version,
                Outcome(exit=USAGE, notes=tuple(said.getvalue().splitlines())),
                json=True,
                quiet=quiet,
            )
        raise
    return _print(name, command.version, _run(command, options), json=options.json, quiet=options.quiet)


def commands() -> tuple[str, ...]:
    """The names of all commands, hidden ones too."""
    return (*(name for _, rows in GROUPS for name, _ in rows), *HIDDEN)


def find(name: str) -> Command:
    """The command of a name that `commands` gives."""
    command: Command = import_module(f"codifica_guard.cli.{MODULES.get(name, name)}").COMMAND
    return command


def _asked(arguments: Sequence[str]) -> tuple[bool, bool]:
    """Whether JSON is asked for, and quiet: before a command is known that could read its options."""
    options = set(takewhile(lambda word: word != "--", arguments))
    return os.environ.get(JSON_VARIABLE) == "1" or "--json" in options, bool(options & {"-q", "--quiet"})


def _unknown(name: str) -> Outcome:
    hint = f"; you may mean: {HINTS[name]}" if name in HINTS else ""
    text = f"codifica-guard: there is no command {name!r}{hint}. See: codifica-guard --help"
    return Outcome(exit=USAGE, notes=(text,), next=("codifica-guard --help",))


def overview() -> str:
    """The list of commands."""
    lines = ["usage: codifica-guard COMMAND [options]      (or: git codifica COMMAND)", ""]
    for group, rows in GROUPS:
        for number, (name, summary) in enumerate(rows):
            lines.append(f"  {group if number == 0 else '':<8}{name:<11}{summary}")
    lines += ["", "  every command: --help, -C DIR, --json, -q; the manual: git codifica --help"]
    lines += [*wrap(EXITS, WIDTH, initial_indent="  ", subsequent_indent="    "), ""]
    return "\n".join(lines)


def parser_of(command: Command) -> argparse.ArgumentParser:
    """The parser of a command, the options of every command with it; manual pages and completion are made from it."""
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
        default=os.environ.get(JSON_VARIABLE) == "1",
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
        # A verdict names the program itself, and an answer needs no name.
        text = printable((str(error) if error.findings or error.answer else told).splitlines())
        return Outcome(
            exit=error.exit,
            lines=text if error.answer else (),
            notes=() if error.answer else text,
            findings=error.findings,
            next=error.next,
            data=error.data,
            as_of=error.as_of,
        )
    return Outcome(exit=exit_of(error), notes=(told,))


def _print(name: str, version: int, outcome: Outcome, *, json: bool, quiet: bool) -> int:
    """Say what a command came to; its exit code."""
    try:
        if json:
            from codifica_guard.cli.envelope import envelope  # noqa: PLC0415 - for programs only

            sys.stdout.write(envelope(name, version, outcome) + "\n")
            sys.stdout.flush()
            # Standard output belongs to the program that reads it, so the text for people goes beside it.
            _write(() if quiet else _told(outcome, (*outcome.notes, *outcome.lines)), to=sys.stderr)
            _write(outcome.commands, to=sys.stderr)
        else:
            shown = not quiet or outcome.exit
            _write(_told(outcome, outcome.notes) if shown else (), to=sys.stderr)
            if outcome.raw is not None:
                sys.stdout.buffer.write(outcome.raw)
            _write(_told(outcome, outcome.lines) if shown and outcome.raw is None else (), to=sys.stdout)
            _write(outcome.commands, to=sys.stdout)
            sys.stdout.flush()
        sys.stderr.flush()
    except OSError:
        _give_up_output()
    return outcome.exit


def _told(outcome: Outcome, lines: Iterable[str]) -> Iterable[str]:
    """Lines for people; where a runner of CI reads along, none that it would take for a command of its own."""
    if not outcome.commands and os.environ.get(RUNNER_VARIABLE) != "true":
        return lines
    from codifica_guard.report.github import harmless  # noqa: PLC0415 - on runners only

    return map(harmless, lines)


def _give_up_output() -> None:
    """Nobody reads any more, or there is no room: what is left goes nowhere, and the exit code stays what it is."""
    nowhere = os.open(os.devnull, os.O_WRONLY)
    for stream in (sys.stdout, sys.stderr):
        with suppress(OSError, ValueError):
            os.dup2(nowhere, stream.fileno())
    os.close(nowhere)


def _write(lines: Iterable[str], *, to: IO[str]) -> None:
    to.write("".join(f"{line}\n" for line in lines))
