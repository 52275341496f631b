"""The message file of a commit in the making, as Git hands it to hooks."""

import pytest

from codifica_guard.clone.draft_message import cut, stored

SCISSORS = b"# ------------------------ >8 ------------------------\n# Do not modify\ndiff --git a/x b/x\n+y\n"
HELP = b"\n# Please enter the commit message\n#\n# On branch main\n"


def test_without_an_editor_every_line_is_text() -> None:
    data = b"Title\n\n# no comment\n"
    assert cut(data, "#", edited=False) == (data, b"")
    assert stored(data, "#", edited=False) == data


def test_comments_stay_behind_the_text() -> None:
    text, behind = cut(b"Title\n\nBody\n" + HELP, "#", edited=True)
    assert text == b"Title\n\nBody\n"
    assert text + behind == b"Title\n\nBody\n" + HELP


def test_what_stands_behind_the_scissors_is_never_text() -> None:
    text, behind = cut(b"Title\n" + HELP + SCISSORS, "#", edited=True)
    assert text == b"Title\n"
    assert behind.endswith(SCISSORS)
    assert text + behind == b"Title\n" + HELP + SCISSORS


def test_scissors_without_comments_stay_too() -> None:
    text, behind = cut(b"Title\n" + SCISSORS, "#", edited=True)
    assert (text, behind) == (b"Title\n", SCISSORS)


def test_a_comment_among_the_text_is_not_stored() -> None:
    text, _ = cut(b"Title\n# aside\n\nBody  \n" + HELP, "#", edited=True)
    assert text == b"Title\n# aside\n\nBody  \n"
    assert stored(text, "#", edited=True) == b"Title\n\nBody\n"


@pytest.mark.parametrize("comment", [";", "//"])
def test_the_comment_mark_is_the_users(comment: str) -> None:
    mark = comment.encode()
    text, behind = cut(b"Title\n# 7 is text\n" + HELP.replace(b"#", mark), comment, edited=True)
    assert text == b"Title\n# 7 is text\n"
    assert behind.count(mark) == 3


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"Title\n# 7\n" + HELP.replace(b"#", b";"), b"Title\n# 7\n"),
        (b"Title\n# 7\n" + (HELP + SCISSORS).replace(b"# ", b"; ").replace(b"#\n", b";\n"), b"Title\n# 7\n"),
        (b"Title\n# 7\n", b"Title\n"),
        (b"Title\n", b"Title\n"),
        (b"", b""),
    ],
)
def test_an_automatic_mark_is_found_in_the_file(data: bytes, text: bytes) -> None:
    assert cut(data, "auto", edited=True)[0] == text
    assert stored(text, "auto", edited=True) in text


def test_an_empty_mark_is_gits_default() -> None:
    assert cut(b"Title\n# help\n", "", edited=True)[0] == b"Title\n"
