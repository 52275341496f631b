"""The marked section in AGENTS.md: put in, put anew, and nothing else of the page touched."""

import pytest

from codifica_guard.cli.agents_page import with_section
from codifica_guard.errors import StateError
from codifica_guard.verbs.manual import BEGIN, END
from tests.unit.cli_a.places import Clone

LINES = (BEGIN, "Tasks: work.md", END)
SECTION = "\n".join(LINES)
OLD = f"{BEGIN}\nwhat was said before\n\n{END}"


@pytest.mark.parametrize(
    ("page", "after"),
    [
        ("", f"{SECTION}\n"),
        ("# A\n", f"# A\n\n{SECTION}\n"),
        ("# A", f"# A\n\n{SECTION}\n"),
        ("# A\n\n", f"# A\n\n{SECTION}\n"),
        ("# A\r\nb\r\n", f"# A\r\nb\r\n\r\n{SECTION}\n".replace("\n", "\r\n").replace("\r\r", "\r")),
        (f"# A\n{OLD}\n# B\n", f"# A\n{SECTION}\n# B\n"),
        (OLD, SECTION),
        (f"{OLD}\n\n\n", f"{SECTION}\n\n\n"),
        (f"a\r\n{OLD}\r\nb".replace("\n", "\r\n").replace("\r\r", "\r"), f"a\r\n{SECTION}\r\nb".replace("\n", "\r\n").replace("\r\r", "\r")),
        (f"\u00fc\n  {BEGIN}  \nx\n{END}\nb\x0cc\rd", f"\u00fc\n{SECTION}\nb\x0cc\rd"),
    ],
)  # fmt: skip
def test_the_section_takes_its_place_and_every_other_byte_stays(page: str, after: str) -> None:
    assert with_section(page.encode(), LINES) == after.encode()
    assert with_section(after.encode(), LINES) == after.encode()


@pytest.mark.parametrize(
    "page", [BEGIN, END, f"{END}\n{BEGIN}", f"{OLD}\n{OLD}", f"{BEGIN}\n{BEGIN}\n{END}", f"{OLD}\n{END}", "a\0b"]
)
def test_a_page_whose_marks_make_no_section_is_left_alone(page: str) -> None:
    with pytest.raises(StateError, match=r"AGENTS\.md"):
        with_section(page.encode(), LINES)


# -- by init


def test_a_page_that_is_there_gets_the_section_and_keeps_the_rest(plain: Clone) -> None:
    plain.write("AGENTS.md", "# Agents\r\n\r\nBe nice.\r\n").commit()
    said = plain.init().ok()
    section = plain.guard("prime", "--section").ok().out
    assert plain.read("AGENTS.md") == "# Agents\r\n\r\nBe nice.\r\n\r\n" + section.replace("\n", "\r\n")
    assert f"changed  AGENTS.md (one marked section, {section.count(chr(10))} lines: git codifica prime" in said.out


def test_a_new_page_is_the_section_alone(plain: Clone) -> None:
    answer = plain.init("--json").ok().json
    assert "AGENTS.md" in answer["data"]["files"]
    assert plain.read("AGENTS.md") == plain.guard("prime", "--section").ok().out


def test_an_old_section_is_put_anew_and_one_that_is_right_stays(plain: Clone) -> None:
    plain.write("AGENTS.md", f"# A\n{OLD}\n# B\n").commit()
    plain.init().ok()
    page = plain.read("AGENTS.md")
    assert page == f"# A\n{plain.guard('prime', '--section').ok().out}# B\n"
    plain.git("reset", "-q", "--hard", "HEAD^")
    plain.write("AGENTS.md", page).commit()
    assert "AGENTS.md" not in plain.init("--json").ok().json["data"]["files"]


def test_the_page_may_be_left_out(plain: Clone) -> None:
    said = plain.init("--no-agents-md").ok()
    assert "AGENTS.md" not in said.out
    assert not (plain.folder / "AGENTS.md").exists()


def left_alone(plain: Clone, why: str) -> None:
    before = plain.git("status", "--porcelain")
    answer = plain.init("--json").ok().json["data"]
    assert "AGENTS.md" not in answer["files"]
    told = [note for note in answer["notes"] if why in note]
    assert len(told) == 1
    assert "git codifica prime --section" in told[0]
    assert plain.git("status", "--porcelain") == before


@pytest.mark.parametrize("staged", [False, True])
def test_a_changed_page_is_left_alone(plain: Clone, *, staged: bool) -> None:
    plain.write("AGENTS.md", "a\n").commit().write("AGENTS.md", "b\n")
    if staged:
        plain.git("add", "AGENTS.md")
    left_alone(plain, "AGENTS.md is changed here")
    assert plain.read("AGENTS.md") == "b\n"


def test_a_page_that_is_not_committed_is_left_alone(plain: Clone) -> None:
    plain.write("AGENTS.md", "mine\n")
    left_alone(plain, "AGENTS.md is changed here")


def test_an_ignored_page_is_left_alone(plain: Clone) -> None:
    plain.write(".gitignore", "AGENTS.md\n").commit().write("AGENTS.md", "mine\n")
    left_alone(plain, "AGENTS.md is changed here")


def test_a_link_is_left_alone(plain: Clone) -> None:
    plain.write("CLAUDE.md", "# C\n")
    (plain.folder / "AGENTS.md").symlink_to("CLAUDE.md")
    left_alone(plain.commit(), "AGENTS.md is no regular file")


def test_a_page_that_differs_by_case_is_left_alone(plain: Clone) -> None:
    left_alone(plain.write("Agents.md", "# A\n").commit(), "Agents.md is the same as AGENTS.md")


def test_a_page_with_half_a_section_is_left_alone(plain: Clone) -> None:
    left_alone(plain.write("AGENTS.md", f"{BEGIN}\n").commit(), "more than once, or one of them alone")


def test_a_page_without_end_is_left_alone(plain: Clone) -> None:
    left_alone(plain.write("AGENTS.md", "a" * (1024 * 1024 + 1)).commit(), "longer than any page")


@pytest.mark.parametrize(("key", "value"), [("spec", "AGENTS.md"), ("state", "*.md")])
def test_a_page_that_the_protocol_uses_is_left_alone(plain: Clone, key: str, value: str) -> None:
    old = {"spec": '"codifica-spec.md"', "state": '"work.md"'}[key]
    plain.write("codifica.json", plain.read("codifica.json").replace(old, f'"{value}"')).commit()
    left_alone(plain, "a page of the protocol")


@pytest.mark.parametrize(("key", "value"), [("spec", "agents.md"), ("state", "a*.md"), ("state", "agents.*")])
def test_a_page_that_the_protocol_uses_where_case_is_ignored_is_left_alone(plain: Clone, key: str, value: str) -> None:
    old = {"spec": '"codifica-spec.md"', "state": '"work.md"'}[key]
    plain.write("codifica.json", plain.read("codifica.json").replace(old, f'"{value}"')).commit()
    left_alone(plain, "to file systems that ignore case")


def test_the_server_takes_an_introduction_with_the_page(plain: Clone) -> None:
    plain.install()
    plain.write("AGENTS.md", "# Agents\n").commit().init("--no-hooks").ok()
    pushed = plain.push()
    assert pushed.returncode == 0, pushed.stderr
