"""State documents merged task by task: the bytes that come out."""

import pytest

from codifica_guard.state.weave import Woven, weave


def task(name: str, *lines: str) -> str:
    return "\n".join((f"- id: {name}", *(f"  {line}" for line in lines or ("title: t",)))) + "\n"


def page(*blocks: str, head: str = "# Work", second: str = "", gap: str = "\n") -> bytes:
    return f"{head}\n\n```yaml\n{gap.join(blocks)}```\n\n## Done\n\n```yaml\n{second}```\n\nEnd.\n".encode()


A, B, C, X, Y = (task(name) for name in "ABCXY")
BASE = page(A, B)


def clean(base: bytes, ours: bytes, theirs: bytes) -> bytes:
    answers = [weave(base, *sides) for sides in ((ours, theirs), (theirs, ours))]
    assert all(isinstance(a, Woven) and not a.conflicts for a in answers)
    assert answers[0] == answers[1]
    return answers[0].data if answers[0] else b""


@pytest.mark.parametrize(
    ("ours", "theirs", "result"),
    [
        (page(A, B), page(A), page(A)),
        (page(A), page(B), page()),
        (page(A, B, X), page(A, B), page(A, B, X)),
        (page(A, B, X), page(A, B, C), page(A, B, C, X)),
        (page(A, B, X), page(A, B, C, Y), page(A, B, C, Y, X)),
        (page(X, A, B), page(C, A, B), page(C, X, A, B)),
        (page(A, X, B), page(A, C, B), page(A, C, X, B)),
        (page(A, X), page(B, Y), page(X, Y)),
        (page(A, B, X), page(A, B, X), page(A, B, X)),
        (page(A, second=B), page(A, B, X), page(A, X, second=B)),
        (page(B, A), page(A, B, X), page(B, X, A)),
        (page(A, B, head="# Tasks"), page(A, B, X), page(A, B, X, head="# Tasks")),
    ],
)  # fmt: skip
def test_tasks_that_come_go_and_move_on_two_sides(ours: bytes, theirs: bytes, result: bytes) -> None:
    assert clean(BASE, ours, theirs) == result


def test_tasks_without_blank_lines_between_them_stay_so() -> None:
    tight = page(A, B, gap="")
    assert clean(tight, page(A, B, X, gap=""), page(A, C, B, gap="")) == page(A, C, B, X, gap="")


def test_a_first_task_comes_into_an_empty_fence() -> None:
    assert clean(page(), page(X), page(C)) == page(C, X)
    assert clean(page(A), page(), page(A, X)) == page(X)
    assert clean(page(second=A), page(X, second=A), page(second=A)) == page(X, second=A)


def test_comments_between_tasks_are_text_and_stay() -> None:
    commented = page(A, "# next\n" + B, C)
    assert clean(commented, page(A, "# next\n" + C), page(A, "# next\n" + B, C, X)) == page(A, "# next\n" + C, X)
    assert clean(commented, page(A, "# next\n" + B), commented) == page(A, "# next\n" + B)


def test_line_ends_stay_those_of_the_side_that_is_kept() -> None:
    crlf = BASE.replace(b"\n", b"\r\n")
    theirs = page(task("A", "title: new"), B, X)
    assert weave(crlf, crlf, theirs) == Woven(data=theirs.replace(b"\n", b"\r\n"))
    assert weave(BASE, theirs, crlf) == Woven(data=theirs)


def test_only_a_task_in_conflict_stands_between_markers() -> None:
    ours, theirs = page(task("A", "title: one"), B, X), page(task("A", "title: two"), B, C)
    answer = weave(BASE, ours, theirs, marker=9)
    assert answer is not None
    assert answer.conflicts == ("A",)
    marks = ("<<<<<<<<< ours\n", "=========\n", ">>>>>>>>> theirs\n")
    both = marks[0] + task("A", "title: one") + marks[1] + task("A", "title: two") + marks[2]
    assert answer.data == page(both, B, C, X)


def test_an_edit_against_a_deletion_leaves_one_side_empty() -> None:
    edited = page(A, task("B", "title: new"))
    for sides, both in (((edited, page(A)), "{}=======\n"), ((page(A), edited), "=======\n{}")):
        answer = weave(BASE, *sides)
        assert answer is not None
        assert answer.conflicts == ("B",)
        body = "<<<<<<< ours\n" + both.format(task("B", "title: new")) + ">>>>>>> theirs\n"
        assert body.encode() in answer.data


@pytest.mark.parametrize(
    ("base", "ours", "theirs"),
    [
        (BASE, page(A, B, head="# One"), page(A, B, head="# Two")),
        (page(A, B, C), page(B, A, C), page(A, C, B)),
        (BASE, page(B, A), page(A, B, head="# Two")),
        (BASE, page(A, B, A), BASE),
        (BASE, b"```yaml\n- id: A\n", BASE),
        (b"```yaml\n- id: A\n", page(A), page(B)),
        (b"", b"# One\n", b"# Two\n"),
        (BASE, b"no tasks\n", page(A, B, X)),
    ],
)
def test_where_no_side_goes_on_there_is_no_answer(base: bytes, ours: bytes, theirs: bytes) -> None:
    assert weave(base, ours, theirs) is None
    assert weave(base, theirs, ours) is None


def test_what_two_earlier_merges_left_in_conflict_has_two_old_values() -> None:
    one, two = task("A", "title: one"), task("A", "title: two")
    for middle in ("", "||||||| base\n" + A):
        base = page("<<<<<<< x\n" + one + middle + "=======\n" + two + ">>>>>>> y\n", B)
        merged = weave(base, page(one, B), page(two, B))
        assert merged is not None
        assert merged.conflicts == ("A",)
        third = page(task("A", "title: three"), B, X)
        assert weave(base, page(one, B), third) == Woven(data=third)


def test_a_document_without_fences_has_no_place_for_a_task() -> None:
    assert weave(b"Text.\n", b"Text.\n", b"Text.\n") == Woven(data=b"Text.\n")
    assert weave(page(A), b"No tasks.\n", page(A, X)) is None


def test_a_new_task_stands_before_its_follower_where_nothing_precedes_it() -> None:
    assert clean(BASE, page(X, A, B), page(C, Y, A, B)) == page(C, Y, X, A, B)
    assert clean(BASE, page(C, B), page(X, A, B)) == page(C, X, B)


def test_fences_that_only_one_side_has_keep_new_tasks_beside_their_neighbours() -> None:
    more = BASE.replace(b"# Work\n", b"# Work\n\n```yaml\n```\n")
    assert clean(BASE, more, page(A, B, X)) == page(A, B, X).replace(b"# Work\n", b"# Work\n\n```yaml\n```\n")
    assert clean(page(), page().replace(b"# Work\n", b"# Work\n\n```yaml\n```\n"), page(X)) == page().replace(
        b"# Work\n", b"# Work\n\n```yaml\n" + X.encode() + b"```\n"
    )


def test_joined_fields_stand_in_the_document() -> None:
    base = page(task("A", "title: t", "priority: low"))
    ours, theirs = (
        page(task("A", *lines)) for lines in (("title: x", "priority: low"), ("title: t", "priority: high"))
    )
    assert clean(base, ours, theirs) == page(task("A", "title: x", "priority: high"))
