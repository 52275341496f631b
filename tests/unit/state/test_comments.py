"""The comments of a task: found, and joined."""

import pytest

from codifica_guard.state.comments import Comments, comments_of, join_comments


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("- id: T-1\n", {}),
        ("- id: T-1 # a\n  # b\n  title: x#y # c\n", {"# a": 1, "# b": 1, "# c": 1}),
        ("- id: T-1\n  title: 'a # b' # c\n  note: \"# d\"\n", {"# c": 1}),
        ("- id: T-1\n  note: | # head\n    # text\n    more # text\n  # tail  \n", {"# head": 1, "# tail": 1}),
        ("- id: T-1\n  labels: [a, # one\n    b] # two\n", {"# one": 1, "# two": 1}),
        ("- id: T-1\n  a: # x\n    - b # x\n", {"# x": 2}),
        ("- id: T-1\n  title: &a b # c\n", {}),
    ],
)
def test_what_is_no_value_and_no_name_is_a_comment(text: str, found: Comments) -> None:
    assert comments_of(text.encode()) == found


def test_bytes_that_are_no_text_have_none() -> None:
    assert comments_of(b"- id: T-1 # \xff\n") == {}


@pytest.mark.parametrize(
    ("one", "two", "old", "joined"),
    [
        ({"# a": 1}, {}, {}, {"# a": 1}),
        ({"# a": 1}, {}, {"# a": 1}, {}),
        ({"# a": 2}, {"# a": 1}, {"# a": 1}, {"# a": 2}),
        ({"# a": 1}, {"# b": 1}, {}, {"# a": 1, "# b": 1}),
        ({"# a": 2}, {"# a": 3}, {"# a": 1}, {"# a": 3}),
    ],
)
def test_a_comment_goes_on_as_the_side_that_changed_it_has_it(
    one: Comments, two: Comments, old: Comments, joined: Comments
) -> None:
    for sides in ([one, two], [two, one]):
        assert join_comments(sides, lambda _, __: [old]) == joined
