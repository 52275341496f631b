"""A document that is taken apart with the help of an older version gives what the whole reading gives."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.engine.common import common_end, common_start
from codifica_guard.engine.difference import difference
from codifica_guard.engine.resplit import resplit
from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split
from tests.unit.views import document, task

PATH = RepoPath(b"work.md")
PIECES = (
    "- id: NEW-1\n  type: build\n  state: todo\n  owner: unassigned\n  title: New\n", "\n", "# c\n", "```\n", "~~~\n", "```yaml\n", "  x: |\n",
    "    text\n", "- ", " ", "x", "\r\n", "   \n", "=======\n", "<<<<<<<\n", "- id: FEAT-1\n", "\u2028", "é", "  ```\n", "  ~~~\n", "   ````\n", "\n\n", "- id:\n", "> q\n",
)  # fmt: skip


def text(chance: random.Random) -> str:
    def some(prefix: str) -> list[str]:
        count = chance.choice((0, 1, 2, 3, 6))
        return [task(f"{prefix}-{n}", f"  note: {'x' * chance.choice((1, 40, 9000))}") for n in range(count)]

    glue = chance.choice(("", "\n", "# between\n", "\n\n"))
    first = document(*(t + glue for t in some("FEAT")))
    marks = chance.choice(("```", "~~~", "````"))
    second = f"\n## More\n\n{marks}yaml\n{''.join(some('MORE'))}{marks}\n"
    return first + (second if chance.random() < 0.7 else "") + chance.choice(("", "End.\n", "<<<<<<< a\n"))


def edited(old: str, chance: random.Random) -> str:
    for _ in range(chance.choice((0, 1, 1, 1, 2))):
        at = chance.randrange(len(old) + 1)
        if chance.random() < 0.6:
            at = old.rfind("\n", 0, at) + 1
        gone = chance.choice((0, 0, 1, 5, 80))
        if chance.random() < 0.5 and old:  # a whole line
            lines = old.split("\n")
            number = chance.randrange(len(lines))
            at = sum(len(line) + 1 for line in lines[:number])
            gone = len(lines[number]) + 1
        old = old[:at] + chance.choice(PIECES) * chance.choice((0, 1, 1)) + old[at + gone :]
    return old


@settings(max_examples=400, deadline=None)
@given(seed=st.integers(0, 2**40))
def test_a_new_version_is_read_as_if_there_were_no_old_one(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - seeded, to be the same every time
    old = text(chance)
    known = old.encode()
    before = split(PATH, known)
    for _ in range(4):
        new = edited(old, chance)
        data = new.encode()
        after = resplit(PATH, known, before, data)
        assert after == split(PATH, data)
        apart = difference(before, after)
        assert len(before.blocks) - len(apart.before) == len(after.blocks) - len(apart.after)
        old, known, before = new, data, after


@settings(max_examples=200, deadline=None)
@given(
    start=st.text("ab", max_size=9), one=st.text("ab", max_size=9), other=st.text("ab", max_size=9), end=st.text("ab", max_size=9), times=st.sampled_from((1, 1, 3000))
)  # fmt: skip
def test_common_starts_and_ends_are_those_that_a_loop_finds(
    start: str, one: str, other: str, end: str, times: int
) -> None:
    left, right = (start * times + middle + end * times for middle in (one, other))
    size = next((n for n, (a, b) in enumerate(zip(left, right, strict=False)) if a != b), min(len(left), len(right)))
    assert common_start(left.encode(), right.encode()) == common_start(list(left), list(right)) == size
    rest = min(len(left), len(right)) - size
    tail = next((n for n in range(rest) if left[-1 - n] != right[-1 - n]), rest)
    assert common_end(left.encode(), right.encode(), size) == common_end(list(left), list(right), size) == tail
