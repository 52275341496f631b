"""The manual pages: made from the parsers and the schemas, whole, the same everywhere, and up to date."""

import re
import shutil
import subprocess
import sys
from argparse import ArgumentParser, BooleanOptionalAction
from pathlib import Path

import pytest

from codifica_guard.cli import manual_facts, manual_pages, roff
from codifica_guard.cli.anatomy import Form, form_of
from codifica_guard.cli.manual_commands import NAMES, _synopsis
from codifica_guard.cli.program import GROUPS, HIDDEN, find, parser_of
from codifica_guard.policy.defaults import minimal_codifica, new_guard
from tests.unit.cli_help.test_roff import shown, unescaped

ROOT = Path(__file__).parents[3]
MACROS = re.compile(r'\.(?:\\" .*|TH .*|SH .+|SS .+|PP|TP|IP|RS 4|RE|nf|fi|nh|ad l|br)')


@pytest.fixture(scope="module")
def pages() -> dict[str, str]:
    return dict(manual_pages.pages())


def parts(page: str, macro: str) -> dict[str, str]:
    """Heading to what stands below it."""
    _, *rest = re.split(rf"^\.{macro} ", page, flags=re.MULTILINE)
    return {unescaped(name.strip('"')): text for name, _, text in (part.partition("\n") for part in rest)}


def text(page: str) -> str:
    return " ".join(shown(line) for line in page.split("\n") if not line.startswith("."))


def test_what_lies_in_the_checkout_is_what_is_made() -> None:
    assert manual_pages.main(["--check"]) == 0, "run: python -m codifica_guard.cli.manual_pages"


def test_they_are_made_the_same_whoever_makes_them(pages: dict[str, str], tmp_path: Path) -> None:
    program = "from codifica_guard.cli.manual_pages import main; from pathlib import Path; main([], Path('made'))"
    environment = {
        "PYTHONHASHSEED": "7",
        "CODIFICA_JSON": "1",
        "COLUMNS": "20",
        "LC_ALL": "C",
        "TZ": "Asia/Tokyo",
        "HOME": "/nowhere",
    }
    subprocess.run([sys.executable, "-c", program], cwd=tmp_path, env=environment, check=True)
    assert {path.name: path.read_text("ascii") for path in (tmp_path / "made").iterdir()} == pages


def test_each_page_has_its_sections_and_nothing_that_roff_does_not_know(pages: dict[str, str]) -> None:
    assert set(pages) == {"codifica-guard.1", "git-codifica.1", "codifica-guard-policy.5"}
    for name, page in pages.items():
        lines = page.split("\n")
        assert lines.pop() == ""
        for line in lines:
            assert MACROS.fullmatch(line) if line.startswith(".") else shown(line).strip(), (name, line)
        assert f".TH {roff.text(name[:-2].upper())} {name[-1]} " in page
        found = list(parts(page, "SH"))
        assert found[:3] == ["NAME", "SYNOPSIS", "DESCRIPTION"]
        assert found[-2:] == ["EXAMPLES", "SEE ALSO"]
        assert text(parts(page, "SH")["NAME"]).startswith(f"{name[:-2]} - ")
        # No paragraph behind a heading, and no empty one: readers of man pages complain.
        assert not re.search(r"^\.S[HS] .*\n\.PP", page, re.MULTILINE)
        assert not re.search(r"^\.(?:PP|IP)\n\.(?!RS)", page, re.MULTILINE)


@pytest.mark.parametrize("name", NAMES)
def test_every_command_action_option_argument_and_choice_is_there(pages: dict[str, str], name: str) -> None:
    page = pages[f"{name}.1"]
    assert {"COMMANDS", "OPTIONS", "COMMANDS IN DETAIL", "EXIT STATUS", "ENVIRONMENT", "CONFIGURATION", "FILES"} <= set(
        parts(page, "SH")
    )
    detail = parts(parts(page, "SH")["COMMANDS IN DETAIL"], "SS")

    def look(form: Form) -> None:
        told = detail.pop(" ".join(form.words))
        assert text(told).startswith(f"{NAMES[name]} {' '.join(form.words)}")
        whole = " ".join(text(told).split())
        for taken in (*form.options, *form.arguments):
            for word in (*taken.flags, *taken.choices):
                assert word in whole, (form.words, word)
            assert f"\n{roff.bold(taken.flags[0]) if taken.flags else roff.italic(taken.value)}" in told
            assert taken.help[1:] in whole, (form.words, taken.help)
        for action in form.actions:
            look(action)

    for group, rows in GROUPS:
        assert f"\n.SS {group.capitalize()}\n" in page
        for command, summary in rows:
            assert summary[1:] in " ".join(text(parts(page, "SH")["COMMANDS"]).split())
            look(form_of(parser_of(find(command)), (command,)))
    assert not detail
    assert not any(f"\n.SS {hidden}\n" in page for hidden in HIDDEN)


@pytest.mark.parametrize("name", NAMES)
def test_the_options_of_every_command_are_told_once(pages: dict[str, str], name: str) -> None:
    told = text(parts(pages[f"{name}.1"], "SH")["OPTIONS"])
    for option in form_of(parser_of(find("status")), ("status",)).shared:
        assert all(flag in told for flag in option.flags)
    assert "\n\\fB\\-\\-json\\fR" not in parts(pages[f"{name}.1"], "SH")["COMMANDS IN DETAIL"]


def sources() -> str:
    return "\n".join(path.read_text("utf-8") for path in sorted((ROOT / "codifica_guard").rglob("*.py")))


def test_every_variable_and_setting_that_the_code_reads_is_told_and_no_other() -> None:
    code = sources()
    variables = set(re.findall(r'"(CODIFICA_[A-Z_]+)"', code))
    assert {name for name, _ in manual_facts.ENVIRONMENT} == variables
    settings = set(re.findall(r'"(codifica\.[a-zA-Z]+)"', code)) - {"codifica.json"}
    assert {name for name, _ in (*manual_facts.CLONE, *manual_facts.SERVER)} == settings


def test_every_key_of_the_policy_is_told_with_its_meaning_values_and_default(pages: dict[str, str]) -> None:
    page = pages["codifica-guard-policy.5"]
    found = parts(page, "SH")
    guard, codifica = found[".codifica/guard.json"], found["codifica.json"]
    for key in new_guard("0" * 32, "human:alice"):
        assert f".TP\n{roff.bold(key)}\n" in guard
    for key in minimal_codifica():
        assert f".TP\n{roff.bold(key)}\n" in codifica
    told = {name: " ".join(text(part).split()) for name, part in ((".", guard), ("c", codifica))}
    assert 'Values: "allow", "warn", "refuse". Default: "warn".' in told["."]
    assert (
        "maintainers The people who may change the policy. Values: a list that is not empty (each human:NAME). Has to be there."
        in told["."]
    )
    assert "Values: a whole number from 0 to 5256000, or null. Default: null." in told["."]
    assert "Values: an object (each value human:NAME). Default: {}." in told["."]
    assert (
        "rules.file_scope.exclude Globs of what may not; these win. Values: a list (each a text). Default: []."
        in told["c"]
    )
    assert "rules.allowed_agents" in told["c"]
    assert "Default" not in told["c"].partition("rules.mode")[0].rpartition("rules ")[2]


def test_pages_are_written_compared_and_taken_away(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], pages: dict[str, str]
) -> None:
    folder = tmp_path / "man"
    assert manual_pages.main(["--check"], folder) == 1
    assert capsys.readouterr().err.count("is not up to date; run: python -m codifica_guard.cli.manual_pages\n") == len(
        pages
    )
    assert manual_pages.main([], folder) == 0
    assert {path.name: path.read_text("ascii") for path in folder.iterdir()} == pages
    assert manual_pages.main(["--check"], folder) == 0
    (folder / "old.1").write_text("")
    (folder / "git-codifica.1").write_text("other")
    assert manual_pages.main(["--check"], folder) == 1
    assert [line.split()[0] for line in capsys.readouterr().err.splitlines()] == ["git-codifica.1", "old.1"]
    assert manual_pages.main([], folder) == 0
    assert manual_pages.main(["--check"], folder) == 0
    for wrong in (["--chek"], ["--check", "--check"], ["x"]):
        assert manual_pages.main(wrong, folder) == 2
        assert "usage: python -m codifica_guard.cli.manual_pages [--check]" in capsys.readouterr().err


def test_what_excludes_each_other_stands_together_in_a_synopsis_and_what_is_needed_without_brackets() -> None:
    parser = ArgumentParser(prog="x")
    parser.add_argument("--title", metavar="T", required=True)
    group = parser.add_mutually_exclusive_group()
    group.add_argument("--this", action="store_true")
    group.add_argument("--that", metavar="X")
    parser.add_argument("--label", metavar="L", action="append")
    parser.add_argument("--fetch", action=BooleanOptionalAction)
    parser.add_argument("task", metavar="ID")
    parser.add_argument("file", metavar="FILE", nargs="*")
    assert shown(_synopsis("x", form_of(parser, ("do",)))) == (
        "x do --title T [--this | --that X] [--label L]... [--fetch | --no-fetch] ID [FILE...]"
    )


def test_the_readers_of_manual_pages_that_are_here_have_no_complaint() -> None:
    readers = (["mandoc", "-Tlint"], ["groff", "-ww", "-man", "-Tutf8"], ["man", "--warnings", "-l"])
    for reader in readers:
        if shutil.which(reader[0]) is None:
            continue
        for page in manual_pages.FOLDER.iterdir():
            done = subprocess.run([*reader, page], capture_output=True, check=False)
            said = done.stdout + done.stderr if reader[0] == "mandoc" else done.stderr
            assert (done.returncode, said) == (0, b""), reader
