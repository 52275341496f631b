"""The manual pages of the commands, made from their parsers: codifica-guard(1), and git-codifica(1) for the other name."""

from collections.abc import Iterator, Sequence
from typing import Final

from codifica_guard import __version__
from codifica_guard.cli import manual_facts, roff
from codifica_guard.cli.anatomy import Form, Taken, form_of
from codifica_guard.cli.program import GLOBAL, GROUPS, find, parser_of

MANUAL: Final = "codifica-guard manual"
VERSION: Final = f"codifica-guard {__version__}"
WHAT: Final = "hold agents and people to what they agreed on"

NAMES: Final = {"codifica-guard": "codifica-guard", "git-codifica": "git codifica"}
"""Page to what is typed."""


def command_page(page: str) -> str:
    """A page in man(7).

    Args:
        page: a key of `NAMES`.
    """
    typed = NAMES[page]
    return "\n".join((*roff.title(page, 1, VERSION, MANUAL), *_body(page, typed))) + "\n"


def _body(page: str, typed: str) -> Iterator[str]:
    yield from (roff.heading("NAME"), f"{roff.text(page)} \\- {roff.text(WHAT)}", roff.heading("SYNOPSIS"))
    yield f"{roff.bold(typed)} [{roff.bold('-C')} {roff.italic('DIR')}] {roff.italic('COMMAND')} [{roff.italic('OPTION')}...]"
    yield roff.heading("DESCRIPTION")
    yield from roff.lines(
        roff.prose(
            "Agents and people keep their tasks in a repository as plain text, by the Codifica protocol. The guard is Git hooks "
            "that refuse, on a shared bare repository, what the protocol forbids, and commands that do by one signed commit what it "
            "allows. `codifica-guard` and `git codifica` are the same program."
        )
    )
    yield from roff.paragraph(
        "Commands that write act on the remote's coordination branch, whatever is checked out: your branch, index and files stay as "
        "they are. Nothing is asked without a terminal."
    )
    yield from _list_of_commands()
    yield from _shared_options()
    yield from roff.paragraph("`codifica-guard schema` `COMMAND` prints the JSON Schema of a command's object.")
    yield roff.heading("COMMANDS IN DETAIL")
    for _, rows in GROUPS:
        for name, _ in rows:
            yield from _command(typed, _form(name))
    yield from _end(page)


def _form(name: str) -> Form:
    return form_of(parser_of(find(name)), (name,))


def _list_of_commands() -> Iterator[str]:
    yield roff.heading("COMMANDS")
    for group, rows in GROUPS:
        yield roff.subheading(group.capitalize())
        for name, summary in rows:
            yield from roff.item(roff.bold(name), _sentence(summary))


def _shared_options() -> Iterator[str]:
    yield roff.heading("OPTIONS")
    yield from roff.lines(roff.prose("Before a command, or in place of one:"))
    for flag, told in GLOBAL:
        place = f" {roff.italic('DIR')}" if flag == "-C" else ""
        yield from roff.item(f"{roff.bold(flag)}{place}", _sentence(told))
    yield from roff.paragraph("Behind every command:")
    for option in _form("status").shared:
        yield from roff.item(_tag(option), _sentence(option.help))


def _command(typed: str, form: Form) -> Iterator[str]:
    yield roff.subheading(" ".join(form.words))
    if not form.actions:
        yield from roff.lines(_synopsis(typed, form))
    else:
        yield f"{roff.bold(' '.join((typed, *form.words)))} {roff.italic('ACTION')}"
    yield from roff.paragraph(_sentence(form.text))
    for taken in (*form.arguments, *form.options):
        yield from roff.item(_tag(taken), _sentence(taken.help or taken.dest), *_values(taken))
    for action in form.actions:
        yield from _command(typed, action)


def _synopsis(typed: str, form: Form) -> str:
    words = [roff.bold(" ".join((typed, *form.words)))]
    told: set[str] = set()
    for option in form.options:
        if option.dest in told:
            continue
        together = [option, *(other for other in form.options if other.dest in option.rivals)]
        told |= {other.dest for other in together}
        choice = " | ".join(_short(other) for other in together)
        whole = choice if option.required else f"[{choice}]"
        words.append(f"{whole}..." if option.repeats else whole)
    words += (_place(argument) for argument in form.arguments)
    return " ".join(words)


def _short(option: Taken) -> str:
    """An option as it stands in a synopsis: its first spelling, or both of a switch that can be turned off."""
    opposite = [flag for flag in option.flags if flag.startswith("--no-")]
    spelt = (option.flags[0], *opposite) if option.flags[0] not in opposite else option.flags[:1]
    return " | ".join(roff.bold(flag) for flag in spelt) + _value(option)


def _place(argument: Taken) -> str:
    many = "..." if argument.most is None else ""
    shown = f"{roff.italic(argument.value)}{many}"
    return shown if argument.required else f"[{shown}]"


def _tag(taken: Taken) -> str:
    spelt = ", ".join(f"{roff.bold(flag)}{_value(taken)}" for flag in taken.flags)
    return spelt or f"{roff.italic(taken.value)}{'...' if taken.most is None else ''}"


def _value(option: Taken) -> str:
    return f" {roff.italic(option.value)}" if option.value else ""


def _values(taken: Taken) -> tuple[str, ...]:
    """The values that there are, where neither the value's name nor the help lists them."""
    if not taken.choices or taken.value == "|".join(taken.choices) or all(c in taken.help for c in taken.choices):
        return ()
    return (f"One of {', '.join(f'`{choice}`' for choice in taken.choices)}.",)


def _sentence(words: str) -> str:
    return words[:1].upper() + words[1:] + ("" if words.endswith((".", ":", "?")) else ".")


def _end(page: str) -> Iterator[str]:
    yield roff.heading("EXIT STATUS")
    yield from roff.lines(roff.prose("Of commands; hooks end with 0 or 1."))
    for code, told in manual_facts.EXITS:
        yield from roff.item(roff.bold(str(code)), told)
    yield roff.heading("ENVIRONMENT")
    yield from _rows(manual_facts.ENVIRONMENT)
    yield from roff.paragraph(
        "An option goes before the environment, and that before the settings. No variable weakens a check."
    )
    yield roff.heading("CONFIGURATION")
    yield from roff.lines(roff.prose("Settings of `git config`. In a clone:"))
    yield from _rows(manual_facts.CLONE)
    yield from roff.paragraph("On a server, read from the repository's own settings only:")
    yield from _rows(manual_facts.SERVER)
    yield roff.heading("FILES")
    yield from _rows(manual_facts.FILES)
    yield roff.heading("EXAMPLES")
    for number, (told, rows) in enumerate(manual_facts.EXAMPLES):
        yield from (*(roff.paragraph(told) if number else roff.lines(roff.prose(told))), *roff.example(rows))
    yield roff.heading("SEE ALSO")
    other = next(name for name in NAMES if name != page)
    pages = [(other, 1), ("codifica-guard-policy", 5), ("git", 1), ("githooks", 5), ("ssh-keygen", 1)]
    yield ",\n".join(f"{roff.bold(name)}({section})" for name, section in pages)


def _rows(rows: Sequence[tuple[str, str]]) -> Iterator[str]:
    for name, told in rows:
        yield from roff.item(roff.bold(name), told)
