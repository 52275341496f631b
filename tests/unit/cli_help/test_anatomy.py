"""Parsers as values: nothing that is typed is left out, nothing that is hidden is told."""

import argparse

import pytest

from codifica_guard.cli.anatomy import SHARED, Form, Taken, form_of
from codifica_guard.cli.program import commands, find, parser_of


def parser(**more: object) -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="codifica-guard try", description="A  command\nto try.", **more)  # type: ignore[arg-type]
    made.add_argument_group(SHARED).add_argument("-C", dest="directory", metavar="DIR", help="where")
    return made


def only(form: Form, dest: str) -> Taken:
    [found] = [row for row in (*form.options, *form.shared, *form.arguments) if row.dest == dest]
    return found


def test_what_every_command_takes_is_apart_from_its_own() -> None:
    made = parser()
    made.add_argument("--own", action="store_true", help="of this one")
    form = form_of(made, ("try",))
    assert (form.words, form.text) == (("try",), "A command to try.")
    assert [row.dest for row in form.shared] == ["help", "directory"]
    assert [row.dest for row in form.options] == ["own"]
    assert only(form, "help").help == "show this help"


@pytest.mark.parametrize(
    ("nargs", "least", "most", "required"),
    [
        (None, 1, 1, True),
        (2, 2, 2, True),
        ("?", 0, 1, False),
        ("*", 0, None, False),
        ("+", 1, None, True),
        ("...", 0, None, False),
    ],
)
def test_how_many_values_there_may_be_is_told(
    nargs: str | int | None, least: int, most: int | None, *, required: bool
) -> None:
    made = parser()
    made.add_argument("thing", nargs=nargs)
    taken = only(form_of(made, ("try",)), "thing")
    assert (taken.least, taken.most, taken.required, taken.value, taken.flags) == (least, most, required, "THING", ())


def test_an_option_tells_its_spellings_values_and_whether_it_may_come_again() -> None:
    made = parser()
    made.add_argument(
        "-m", "--many", action="append", choices=("a", "b"), required=True, help="50%% of %(prog)s, %(default)s"
    )
    made.add_argument("--flag", action=argparse.BooleanOptionalAction, default=True, help="on or off")
    many, flag = (only(form_of(made, ("try",)), dest) for dest in ("many", "flag"))
    assert (many.flags, many.value, many.choices) == (("-m", "--many"), "a|b", ("a", "b"))
    assert (many.required, many.repeats, many.help) == (True, True, "50% of codifica-guard try, None")
    assert (flag.flags, flag.value, flag.most, flag.repeats) == (("--flag", "--no-flag"), "", 0, False)
    assert flag.help == "on or off"


def test_those_that_exclude_each_other_know_it() -> None:
    made = parser()
    group = made.add_mutually_exclusive_group()
    group.add_argument("--this", action="store_true")
    group.add_argument("--that", action="store_true")
    form = form_of(made, ("try",))
    assert [set(only(form, dest).rivals) for dest in ("this", "that", "directory")] == [{"that"}, {"this"}, set()]


def test_an_action_takes_of_the_shared_options_those_that_it_hides_and_no_others() -> None:
    made = parser()
    actions = made.add_subparsers(dest="action", metavar="one|two")
    one = actions.add_parser("one", description="the first")
    one.add_argument("-C", dest="directory", default=argparse.SUPPRESS, help=argparse.SUPPRESS)
    one.add_argument("--secret", help=argparse.SUPPRESS)
    actions.add_parser("two")
    form = form_of(made, ("try",))
    first, second = form.actions
    assert (first.words, first.text, form.arguments) == (("try", "one"), "the first", ())
    assert [row.dest for row in first.shared] == ["help", "directory"]
    assert [row.dest for row in second.shared] == ["help"]
    assert first.options == ()


def test_every_command_can_be_told_and_every_option_has_words() -> None:
    def look(form: Form) -> None:
        assert form.text
        for taken in (*form.options, *form.shared, *form.arguments):
            assert taken.help, (form.words, taken.dest)
        assert {"help", "directory", "json", "quiet"} <= {row.dest for row in form.shared}
        for action in form.actions:
            look(action)

    for name in commands():
        look(form_of(parser_of(find(name)), (name,)))
