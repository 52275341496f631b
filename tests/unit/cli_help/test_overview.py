"""The list of commands: grouped, whole, and on one screen."""

from codifica_guard.cli import manual_facts
from codifica_guard.cli.program import EXITS, GROUPS, HIDDEN, HINTS, WIDTH, commands, find, overview

LINES = 60


def test_every_command_stands_in_its_group_with_what_it_does_and_the_whole_fits_one_screen() -> None:
    lines = overview().splitlines()
    assert len(lines) <= LINES
    assert max(map(len, lines)) <= WIDTH
    for group, rows in GROUPS:
        at = next(n for n, line in enumerate(lines) if line.startswith(f"  {group:<8}"))
        assert [line[10:] for line in lines[at : at + len(rows)]] == [f"{name:<11}{told}" for name, told in rows]
    assert " ".join(EXITS.split()) in " ".join(overview().split())
    assert not any(f" {name} " in overview() for name in HIDDEN)


def test_every_name_that_is_listed_is_a_command_of_that_name() -> None:
    assert [find(name).name for name in commands()] == list(commands())
    assert len(set(commands())) == len(commands())


def test_no_hint_is_a_command_and_each_leads_to_one() -> None:
    for typed, told in HINTS.items():
        assert typed not in commands()
        assert all(part.split()[0] in commands() for part in told.split(", ")), told


def test_the_manual_tells_the_exit_codes_that_the_list_does() -> None:
    assert [str(code) for code, _ in manual_facts.EXITS] == [
        part.split()[0] for part in EXITS.removeprefix("exit codes: ").split(", ")
    ]
