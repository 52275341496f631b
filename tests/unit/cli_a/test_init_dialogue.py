"""What `init` asks at a terminal, and what it never asks."""

import io
import json
import sys

import pytest

from tests.unit.cli_a.places import CODIFICA, Clone, Said, document, environment
from tests.unit.cli_a.terminals import Session, at_terminal

BROKEN = document("SHOP-1", "SHOP-2").replace("title: Look", "title: `look` at: it", 1)


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def asked(plain: Clone, answers: str, *words: str) -> tuple[Said, str]:
    """Run `init` with answers, one a line; and what was shown on the terminal."""
    screen = Terminal()
    with plain.monkeypatch.context() as patch:
        patch.setattr(sys, "stdin", Terminal(answers))
        patch.setattr(sys, "stderr", screen)
        said = plain.guard("init", "--key", plain.key("alice"), "--no-hooks", *words)
    return said, screen.getvalue()


def typed(plain: Clone, *answers: str, words: tuple[str, ...] = (), ends: bool = False) -> Session:
    return at_terminal(
        ["init", "--key", plain.key("alice"), "--no-hooks", *words],
        answers,
        folder=plain.folder,
        environ=environment(plain.home),
        ends=ends,
    )


# -- at a real terminal


def test_a_person_answers_and_enter_takes_what_stands_in_brackets(plain: Clone) -> None:
    plain.write("work.md", BROKEN).commit()
    session = typed(plain, "", "builder writer", "", "", "30", "")
    assert session.code == 0, session.screen
    assert session.questions == [
        "  your name [alice-smith]: ",
        "  agents, with blanks between [none]: builder writer",
        "  make their keys now? no: theirs are added later (yes, no) [yes]: ",
        "  may an agent close its own build task? no: a human approves (yes, no) [no]: ",
        "  minutes of silence, after which a session may take over its own claim [60]: 30",
        "  quote this one line? (yes, no) [yes]: ",
    ]
    assert session.screen.startswith("Codifica 0.2: codifica.json, work.md, 2 tasks. No policy yet.\n")
    policy = plain.policy()
    assert policy["maintainers"] == ["human:alice-smith"]
    assert (policy["self_approval"], policy["resume_after_minutes"]) == ("refuse", 30)
    assert plain.read("work.md") == BROKEN.replace("title: `look` at: it", 'title: "`look` at: it"')
    assert (plain.home / ".config/codifica-guard/shop/agent-writer").is_file()
    for words in (
        "  your name        human:alice-smith                      (you)\n",
        "  agents           builder writer\n",
        "  their keys       made now\n",
        "  an agent may close its own build task       no, a human approves\n",
        "  a session may take over its silent claim    after 30 minutes\n",
        "                   quote this one line?  yes\n",
        "changed  work.md (line 8: in quotes)\n",
    ):
        assert words in session.out


def test_who_goes_away_has_changed_nothing(plain: Clone) -> None:
    before = plain.head()
    session = typed(plain, "bob", ends=True)
    assert session.code == 2
    assert "nobody answered" in session.screen
    assert (plain.head(), session.out) == (before, "")
    assert not (plain.home / ".config").exists()


def test_what_is_no_answer_is_asked_again(plain: Clone) -> None:
    session = typed(plain, "Bob!", "bob", "a human:b", "none", "perhaps", "YES", "-1", "0")
    assert session.code == 0, session.screen
    for words in ("no principal", "human:b is no agent", "yes, or no", "a number of minutes"):
        assert words in session.screen
    policy = plain.policy()
    assert policy["maintainers"] == ["human:bob"]
    assert (policy["self_approval"], policy["resume_after_minutes"]) == ("allow", 0)


# -- one thing at a time


def test_only_what_the_options_leave_open_is_asked(plain: Clone) -> None:
    plain.write("work.md", BROKEN).commit()
    words = ["--as", "alice", "--agent", "builder", "--self-approval", "warn", "--resume-after", "5", "--quote"]
    said, screen = asked(plain, "", *words)
    said.ok()
    assert "[" not in screen
    assert plain.policy()["self_approval"] == "warn"


def test_yes_asks_nothing_and_begins_with_warnings_for_self_approval(plain: Clone) -> None:
    plain.write("work.md", BROKEN).commit()
    said, screen = asked(plain, "", "--yes")
    assert screen == ""
    policy = plain.policy()
    assert (policy["self_approval"], policy["resume_after_minutes"]) == ("warn", 60)
    for words in (
        "(git config user.name)",
        "yes, with a warning",
        "after 60 minutes",
        "quote this one line?  --quote does",
    ):
        assert words in said.out
    assert plain.read("work.md") == BROKEN


@pytest.mark.parametrize("silent", ["stdin", "stderr"])
def test_half_a_terminal_is_none(plain: Clone, silent: str) -> None:
    with plain.monkeypatch.context() as patch:
        patch.setattr(sys, {"stdin": "stderr", "stderr": "stdin"}[silent], Terminal("alice\n"))
        said = plain.guard("init", "--key", plain.key("alice"), "--json")
    assert said.code == 2
    assert plain.git("log", "--format=%s") == "Start"


def test_a_wrong_option_is_told_before_anything_is_asked(plain: Clone) -> None:
    for words in (["--resume-after", "-1"], ["--as", "agent:x"], ["--agent", "A"], ["--branch", "x"]):
        said, screen = asked(plain, "", *words)
        assert said.code == 2
        assert "]: " not in screen


def test_the_agents_of_the_protocol_are_proposed(plain: Clone) -> None:
    rules = {"allowed_agents": ["agent:builder", "agent:writer"]}
    plain.write("codifica.json", json.dumps({**CODIFICA, "rules": rules})).commit()
    said, screen = asked(plain, "alice\n\nno\n\n\n")
    said.ok()
    assert "agents, with blanks between [builder writer]: " in screen
    assert plain.read(".codifica/allowed_signers").count("\n") == 1
    assert "their keys       theirs, added later" in said.out
    assert "writer's key: git codifica key add agent:writer 'ssh-ed25519 ...'" in said.out


def test_keys_may_be_added_later_by_an_option_too(plain: Clone) -> None:
    words = ["--agent", "builder", "--agent", f"writer={plain.key('bob.pub')}", "--keys-later"]
    answer = plain.init(*words, "--json").ok().json["data"]
    assert answer["keys"] == []
    assert [line.split()[0] for line in plain.read(".codifica/allowed_signers").splitlines()] == [
        "human:alice",
        "agent:writer",
    ]
    assert not (plain.home / ".config").exists()


def test_a_name_is_needed_where_git_has_none(plain: Clone) -> None:
    plain.git("config", "user.name", "\u00c4nne")
    said, screen = asked(plain, "\n")
    assert said.code == 2
    assert "  your name: " in screen


def test_an_answer_that_is_no_text_is_none(plain: Clone) -> None:
    screen = Terminal()
    answers = io.TextIOWrapper(io.BytesIO(b"\xff\xfe\nbob\n\n\n\n"), encoding="utf-8")
    with plain.monkeypatch.context() as patch:
        patch.setattr(answers, "isatty", lambda: True)
        patch.setattr(sys, "stdin", answers)
        patch.setattr(sys, "stderr", screen)
        said = plain.guard("init", "--key", plain.key("alice"), "--no-hooks")
    # A text layer that has met such bytes has read too far to go on.
    assert said.code in {0, 2}
    assert screen.getvalue().count("your name") == 2


def test_each_question_says_what_is_no_answer(plain: Clone) -> None:
    said, screen = asked(plain, "Bob!\nbob\nhuman:b\nserver:x\nbuilder,builder\nlater\nn\nperhaps\nY\nx\n\u0663\n7\n")
    said.ok()
    for words, times in (
        ("no principal", 1),
        ("human:b is no", 1),
        ("server:x is no agent", 1),
        ("yes, or no\n", 2),
        ("a number of", 2),
    ):
        assert screen.count(words) == times
    policy = plain.policy()
    assert (policy["self_approval"], policy["resume_after_minutes"]) == ("allow", 7)


# -- quotes


def test_a_line_is_left_as_it_is_after_no(plain: Clone) -> None:
    plain.write("work.md", BROKEN).commit()
    said, screen = asked(plain, "alice\n\n\n\nno\n")
    assert '    title: "`look` at: it"\n' in screen
    assert plain.read("work.md") == BROKEN
    assert "quote this one line?  no" in said.out
    assert "stays as it is" in said.out


def test_a_task_with_two_lines_is_quoted_whole_or_not_at_all(plain: Clone) -> None:
    text = BROKEN.replace("owner: unassigned", "owner: unassigned\n  description: `a`", 1)
    plain.write("work.md", text).commit()
    before = plain.head()
    asked(plain, "alice\n\n\n\nyes\nno\n")[0].ok()
    assert plain.read("work.md") == text
    plain.git("reset", "-q", "--hard", before)
    said, _ = asked(plain, "alice\n\n\n\nyes\nyes\n")
    assert "work.md (lines 8, 9: in quotes)" in said.ok().out
    assert plain.read("work.md").count('"') == 4


def test_many_lines_are_one_question(plain: Clone) -> None:
    text = document(*[f"SHOP-{number}" for number in range(12)]).replace("title: Look", "title: `x`")
    plain.write("work.md", text).commit()
    before = plain.head()
    said, screen = asked(plain, "alice\n\n\n\nno\n")
    said.ok()
    assert screen.count("ST101") == 10
    assert "quote these 12 lines?" in screen
    assert plain.read("work.md") == text
    plain.git("reset", "-q", "--hard", before)
    asked(plain, "alice\n\n\n\n\n")[0].ok()
    assert plain.read("work.md") == text.replace("`x`", '"`x`"')


def test_the_option_quotes_all_and_the_server_takes_it(plain: Clone) -> None:
    plain.install()
    other = document("SHOP-9").replace("title: Look", "title: Fix: it").replace("\n", "\r\n")
    plain.write("codifica.json", plain.read("codifica.json").replace('"work.md"', '["work.md", "more.md"]'))
    plain.write("work.md", BROKEN).write("more.md", other).commit()
    answer = plain.init("--quote", "--no-hooks", "--json").ok().json
    assert answer["findings"] == []
    assert answer["data"]["quoted"] == [
        {"path": "more.md", "line": 8, "before": "  title: Fix: it", "after": '  title: "Fix: it"'},
        {"path": "work.md", "line": 8, "before": "  title: `look` at: it", "after": '  title: "`look` at: it"'},
    ]
    assert plain.read("more.md") == other.replace("Fix: it", '"Fix: it"')
    assert plain.git("status", "--porcelain") == ""
    pushed = plain.push()
    assert pushed.returncode == 0, pushed.stderr


def test_what_quotes_do_not_mend_stays(plain: Clone) -> None:
    plain.write("work.md", BROKEN.replace("state: todo", "state: &x todo")).commit()
    said = plain.init("--quote").ok()
    assert "ST1" in said.out
    assert "quote this one line" not in said.out
    assert "work.md (" not in said.out.split("wrote")[1].split(".gitattributes")[0]


def test_a_document_that_is_changed_here_is_not_written_over(plain: Clone) -> None:
    plain.write("work.md", BROKEN).commit().write("work.md", BROKEN + "\n")
    plain.init("--quote").refused("work.md is changed here")
    plain.init().ok()


def test_a_long_document_is_quoted_too(plain: Clone) -> None:
    plain.write("work.md", BROKEN + "\n" + "a" * (1024 * 1024)).commit()
    plain.init("--quote").ok()
    assert '  title: "`look` at: it"\n' in plain.read("work.md")


def test_a_dry_run_shows_the_quoted_line(plain: Clone) -> None:
    plain.write("work.md", BROKEN).commit()
    said = plain.init("--quote", "--dry-run").ok()
    assert '+  title: "`look` at: it"' in said.out
    assert "-  title: `look` at: it" in said.out
    assert plain.read("work.md") == BROKEN
