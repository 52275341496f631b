"""What a command's parser takes, as plain values: what the manual pages say, and what completion offers, is made of them."""

import argparse
from collections.abc import Iterator
from dataclasses import dataclass

# argparse shows what a parser is made of nowhere else.
# ruff: noqa: SLF001

_TOLD_DEFAULT = " (default: %(default)s)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Taken:
    """One option or argument.

    Attributes:
        flags: how an option is spelt, as it was declared; empty for an argument.
        dest: the name that the program knows it by.
        value: what its value is called; empty for an option that takes none.
        least, most: how many values it takes; None: any number.
        choices: the values that there are; empty where they are not listed.
        help: what it means, in one line.
        required: whether it cannot be left out.
        repeats: whether an option may come again, and then counts again.
        group: the heading that it stands under; empty for the command's own.
        rivals: the names of those that cannot stand beside it.
    """

    flags: tuple[str, ...]
    dest: str
    value: str
    least: int
    most: int | None
    choices: tuple[str, ...]
    help: str
    required: bool
    repeats: bool
    group: str
    rivals: frozenset[str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Form:
    """A command, or one action of a command.

    Attributes:
        words: what is typed: `claim`, or `key` and `add`.
        text: what it does.
        options: its options, without those of every command.
        shared: the options of every command that it takes.
        arguments: its arguments, in order.
        actions: its actions, where the first argument is the name of one.
    """

    words: tuple[str, ...]
    text: str
    options: tuple[Taken, ...]
    shared: tuple[Taken, ...]
    arguments: tuple[Taken, ...]
    actions: tuple["Form", ...] = ()


SHARED = "every command"
"""The heading of the options that every command takes."""


def form_of(parser: argparse.ArgumentParser, words: tuple[str, ...], outer: tuple[Taken, ...] = ()) -> Form:
    """What a parser takes; nothing that it hides.

    Args:
        parser: the parser.
        words: what is typed to come to it.
        outer: the options of every command, for an action: those that it takes too, hidden, are shared.
    """
    rows = tuple(_rows(parser))
    spelt = {flag for action in parser._actions for flag in action.option_strings}
    own = tuple(row for row in rows if row.flags and row.group != SHARED)
    shared = (
        *(row for row in rows if row.flags and row.group == SHARED),
        *(row for row in outer if spelt.issuperset(row.flags) and row.dest not in {r.dest for r in rows}),
    )
    return Form(
        words=words,
        text=" ".join((parser.description or "").split()),
        options=own,
        shared=shared,
        arguments=tuple(row for row in rows if not row.flags),
        actions=tuple(form_of(inner, (*words, name), shared) for name, inner in _actions(parser)),
    )


def _actions(parser: argparse.ArgumentParser) -> Iterator[tuple[str, argparse.ArgumentParser]]:
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            yield from action.choices.items()


def _rows(parser: argparse.ArgumentParser) -> Iterator[Taken]:
    own = {id(parser._positionals), id(parser._optionals)}
    groups = {
        id(action): (group.title or "")
        for group in parser._action_groups
        if id(group) not in own
        for action in group._group_actions
    }
    exclusive = [group._group_actions for group in parser._mutually_exclusive_groups]
    for action in parser._actions:
        if action.help is argparse.SUPPRESS or isinstance(action, argparse._SubParsersAction):
            continue
        is_help = isinstance(action, argparse._HelpAction)
        rivals = {other.dest for group in exclusive if action in group for other in group if other is not action}
        least, most = _count(action.nargs)
        choices = tuple(str(choice) for choice in action.choices or ())
        yield Taken(
            flags=tuple(action.option_strings),
            dest=action.dest,
            value=_value(action, choices) if most != 0 else "",
            least=least,
            most=most,
            choices=choices,
            help="show this help" if is_help else _help(parser, action),
            required=action.required if action.option_strings else least > 0,
            repeats=isinstance(action, argparse._AppendAction | argparse._CountAction | argparse._ExtendAction),
            group=SHARED if is_help else groups.get(id(action), ""),
            rivals=frozenset(rivals),
        )


def _value(action: argparse.Action, choices: tuple[str, ...]) -> str:
    metavar = action.metavar if isinstance(action.metavar, str) else None
    return metavar or "|".join(choices) or action.dest.upper()


def _help(parser: argparse.ArgumentParser, action: argparse.Action) -> str:
    # Some versions of Python add the default to what some kinds of options say.
    text = (action.help or "").removesuffix(_TOLD_DEFAULT)
    return " ".join((text % {**vars(action), "prog": parser.prog}).split())


def _count(nargs: int | str | None) -> tuple[int, int | None]:
    match nargs:
        case None:
            return 1, 1
        case int():
            return nargs, nargs
        case argparse.OPTIONAL:
            return 0, 1
        case argparse.ONE_OR_MORE:
            return 1, None
        case _:
            return 0, None
