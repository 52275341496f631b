"""Where the cursor stands: what argparse would make of the words before it decides."""

import argparse

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codifica_guard.cli.anatomy import SHARED, Form, form_of
from codifica_guard.cli.program import commands, find, parser_of
from codifica_guard.cli.spot import Spot, spot_of, unquoted


def parser() -> argparse.ArgumentParser:
    made = argparse.ArgumentParser(prog="try")
    shared = made.add_argument_group(SHARED)
    shared.add_argument("-C", dest="directory", metavar="DIR")
    shared.add_argument("-q", "--quiet", action="store_true")
    made.add_argument("task", metavar="ID")
    made.add_argument("rest", metavar="FILE", nargs="*")
    made.add_argument("-m", "--reason", metavar="TEXT")
    made.add_argument("--pair", nargs=2, metavar="P")
    made.add_argument("--some", nargs="+", metavar="S")
    made.add_argument("--label", action="append", metavar="L")
    made.add_argument("--to", choices=("todo", "done"))
    group = made.add_mutually_exclusive_group()
    group.add_argument("--this", action="store_true")
    group.add_argument("--that", action="store_true")
    return made


def spot(*words: str) -> Spot:
    found = spot_of(form_of(parser(), ("try",)), words)
    assert found is not None
    return found


def flags(found: Spot) -> set[str]:
    return {flag for option in found.options for flag in option.flags}


@pytest.mark.parametrize(
    ("words", "dest", "head"),
    [
        (("",), "task", ""),
        (("FE",), "task", ""),
        (("FEAT-1", ""), "rest", ""),
        (("FEAT-1", "a", "b", ""), "rest", ""),
        (("-m", ""), "reason", ""),
        (("--reason", "x"), "reason", ""),
        (("--reason", "-x"), "reason", ""),
        (("--reason=",), "reason", "--reason="),
        (("--to=to",), "to", "--to="),
        (("-m", "why", ""), "task", ""),
        (("-mwhy", ""), "task", ""),
        (("--reason=why", ""), "task", ""),
        (("--quiet", ""), "task", ""),
        (("-q", "FEAT-1", ""), "rest", ""),
        (("--pair", "a", ""), "pair", ""),
        (("--pair", "a", "b", ""), "task", ""),
        (("--some", ""), "some", ""),
        (("--some", "a", "b", ""), "some", ""),
        (("--some", "a", "-q", ""), "task", ""),
        (("--some", "a", "--", ""), "task", ""),
        (("--unknown", ""), "task", ""),
        (("--", ""), "task", ""),
        (("--", "-x"), "task", ""),
        (("-", ""), "rest", ""),
        (("-C", "x", "--label", "a", "--label", ""), "label", ""),
    ],
)
def test_a_word_belongs_to_what_argparse_would_give_it_to(words: tuple[str, ...], dest: str, head: str) -> None:
    found = spot(*words)
    assert found.taken is not None
    assert (found.taken.dest, found.head) == (dest, head)


def test_where_an_option_begins_those_are_offered_that_may_still_come() -> None:
    every = flags(spot("-"))
    assert {"-m", "--reason", "--this", "--that", "--label", "-C", "--help"} <= every
    assert flags(spot("--some", "a", "-")) == every - {"--some"}
    left = flags(spot("-m", "why", "--this", "--label", "x", "--"))
    assert every - left == {"-m", "--reason", "--this", "--that"}
    assert flags(spot("FEAT-1", "-")) == every
    assert spot("-").taken is None


def test_beside_an_argument_options_are_named_only_where_nothing_is_typed_yet() -> None:
    assert flags(spot(""))
    assert not flags(spot("F"))
    assert not flags(spot("--", ""))


@pytest.mark.parametrize("words", [("--quiet=",), ("--nothing=x",), ("-x=",)])
def test_what_takes_no_value_gets_none(words: tuple[str, ...]) -> None:
    assert spot_of(form_of(parser(), ("try",)), words) is None


def test_the_values_before_are_handed_on_without_their_quotes() -> None:
    found = spot("'FEAT 1'", "-C", '"a b"', "--label", "x", "--label=y", "-mz", "x\\ y", "")
    assert found.given == {
        "task": ["FEAT 1"],
        "directory": ["a b"],
        "label": ["x", "y"],
        "reason": ["z"],
        "rest": ["x y"],
    }


def test_behind_the_last_argument_there_are_options_only() -> None:
    made = argparse.ArgumentParser(prog="try")
    made.add_argument("task")
    form = form_of(made, ("try",))
    behind = spot_of(form, ("FEAT-1", ""))
    assert behind is not None
    assert (behind.taken, flags(behind)) == (None, {"-h", "--help"})
    assert spot_of(form, ("FEAT-1", "x")) is None


def test_an_action_is_chosen_once_and_then_its_own_arguments_come() -> None:
    made = argparse.ArgumentParser(prog="try")
    actions = made.add_subparsers()
    actions.add_parser("add").add_argument("key", metavar="KEY")
    actions.add_parser("list")
    form = form_of(made, ("try",))
    first, inner, twice = (spot_of(form, words) for words in (("",), ("add", ""), ("list", "a")))
    assert first is not None
    assert [action.words[-1] for action in first.actions] == ["add", "list"]
    assert inner is not None
    assert inner.taken is not None
    assert (inner.form.words, inner.taken.dest) == (("try", "add"), "key")
    assert twice is None
    assert spot_of(form, ("wrong", "")) is None


@pytest.mark.parametrize(
    ("word", "value"),
    [
        ("plain", "plain"),
        ("'a b'", "a b"),
        ('"a b', '"a b'),
        ("a\\ b", "a b"),
        ("", ""),
        ("''", ""),
        ("$(date)", "$(date)"),
        ("a b", "a b"),
    ],
)
def test_quotes_are_taken_off_and_nothing_else_is_done(word: str, value: str) -> None:
    assert unquoted(word) == value


FORMS = [form_of(parser_of(find(name)), (name,)) for name in commands()]
WORDS = st.one_of(
    st.sampled_from(
        [
            "",
            "-",
            "--",
            "-m",
            "--as",
            "--as=x",
            "--fetch",
            "-C",
            "-q",
            "add",
            "set",
            "FEAT-1",
            "human:alice",
            "'",
            '"a b"',
            "-mx",
        ]
    ),
    st.text(max_size=4),
)


@given(form=st.sampled_from(FORMS), words=st.lists(WORDS, min_size=1, max_size=7))
def test_any_words_come_to_a_place_of_the_command_or_to_none(form: Form, words: list[str]) -> None:
    found = spot_of(form, words)
    if found is None:
        return
    assert found.form in (form, *form.actions)
    known = {taken.dest for taken in (*found.form.options, *found.form.shared, *found.form.arguments)}
    assert {option.dest for option in found.options} <= known
    if found.taken is not None:
        assert found.taken.dest in known
        assert found.taken.most != 0
        assert words[-1].startswith(found.head)
