"""Documents that people and agents edit block by block: read with the help of the version before, and read whole, they are the same."""

import random

from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.engine.difference import difference
from codifica_guard.engine.resplit import resplit
from codifica_guard.model.document import Block, Document
from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split
from codifica_guard.state.edit import add_block, edit_block, replace_block, take_block
from codifica_guard.state.yaml import read_block
from tests.building import tasks

PATH = RepoPath(b"work.md")
PROSE = (
    "# Work\n\n",
    "Text.\n\n",
    "<!-- note -->\n\n",
    "- a list\n- of prose\n\n",
    "> quoted\n\n",
    "~~~text\n- id: X\n~~~\n\n",
    "\ttab\n\n",
)
BETWEEN = ("", "\n", "\n\n", "# A word.\n", "\n# A word.\n\n")
TEXTS = (
    "One line",
    "Two\nlines\n",
    "A fence:\n  ```sh\n  make\n  ```\n",
    "- id: X\n  state: done\n",
    "Ünïcode 🎉",
    "# no comment\n",
)
MARKS = ("```", "````", "~~~", "~~~~~")


class Page:
    """A document under edit: prose, fences, blocks, and what stands between them."""

    def __init__(self, seed: int) -> None:
        self.chance = random.Random(seed)  # noqa: S311 - seeded, to be the same every time
        self.count = 0
        self.end = self.chance.choice(("\n", "\n", "\r\n"))
        self.closed = self.chance.random() < 0.8
        self.parts = [self._fence() for _ in range(self.chance.choice((1, 1, 2, 3)))]

    def _fence(self) -> tuple[str, str, list[str]]:
        mark, prose = self.chance.choice(MARKS), self.chance.choice(PROSE)
        return prose, mark, [self.block() for _ in range(self.chance.choice((0, 1, 2, 5, 9)))]

    def block(self) -> str:
        """A new block, and what stands behind it."""
        self.count += 1
        chance = self.chance
        more = {"note": chance.choice(TEXTS), "x-own": chance.choice(TEXTS)} if chance.random() < 0.5 else {}
        text = tasks.block({**tasks.task(f"T-{self.count}", chance.choice(("todo", "done"))), **more})
        return text + chance.choice(BETWEEN)

    @property
    def data(self) -> bytes:
        """The bytes."""
        text = "".join(f"{prose}{mark}yaml\n{''.join(blocks)}{mark}\n\n" for prose, mark, blocks in self.parts)
        return (text if self.closed else text.rstrip("\n")).replace("\n", self.end).encode()

    def edit(self) -> None:
        """One edit, as a verb, a person or a merge makes it."""
        chance = self.chance
        number = chance.randrange(len(self.parts))
        prose, mark, blocks = self.parts[number]
        at = chance.randrange(len(blocks) + 1)
        kind = chance.choice(
            ("add", "drop", "swap", "text", "text", "twice", "move", "between", "prose", "mark", "ends")
        )
        if kind == "add" or not blocks:
            blocks.insert(at, self.block())
        elif kind == "drop":
            blocks.pop(at - 1)
        elif kind == "swap":
            blocks.reverse()
        elif kind == "text":
            blocks[at - 1] = blocks[at - 1].replace(
                *chance.choice((("todo", "done"), ("T-", "U-"), ("  ", "   "), ("works", "w#rks")))
            )
        elif kind == "twice":
            blocks.append(blocks[at - 1])
        elif kind == "move":
            self.parts[chance.randrange(len(self.parts))][2].append(blocks.pop(at - 1))
        elif kind == "between":
            blocks[at - 1] = blocks[at - 1].rstrip("\n") + "\n" + chance.choice(BETWEEN)
        elif kind == "prose":
            self.parts[number] = (chance.choice(PROSE), mark, blocks)
        elif kind == "mark":
            self.parts[number] = (prose, chance.choice(MARKS), blocks)
        else:
            self.end, self.closed = chance.choice(("\n", "\r\n")), not self.closed


@settings(max_examples=150, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**40))
def test_after_any_edits_of_blocks_the_quick_reading_is_the_whole_one(seed: int) -> None:
    page = Page(seed)
    known = page.data
    before = split(PATH, known)
    for _ in range(6):
        for _ in range(page.chance.choice((1, 1, 1, 2, 4))):
            page.edit()
        data = page.data
        after = resplit(PATH, known, before, data)
        assert after == split(PATH, data)
        check_difference(before, after)
        known, before = data, after


def check_difference(before: Document, after: Document) -> None:
    """What two versions differ in is between what they begin and end with, and nothing is in it that need not be."""
    apart = difference(before, after)
    for side, part in ((before.blocks, apart.before), (after.blocks, apart.after)):
        start = next(
            (
                n
                for n in range(len(side) + 1)
                if side[n : n + len(part)] == part and kept(before, after, n, len(side) - n - len(part))
            ),
            None,
        )
        assert start is not None
    raws = ({b.raw for b in before.blocks}, {b.raw for b in after.blocks})
    assert {b.raw for b in apart.before} >= raws[0] - raws[1]
    assert {b.raw for b in apart.after} >= raws[1] - raws[0]
    back = difference(after, before)
    assert (back.before, back.after) == (apart.after, apart.before)
    if before == after:
        assert not apart.before
        assert not apart.after


def kept(before: Document, after: Document, start: int, end: int) -> bool:
    """Whether two versions begin and end with so many blocks of the same bytes in the same fences."""

    def plain(blocks: tuple[Block, ...]) -> list[tuple[bytes, int]]:
        return [(b.raw, b.fence) for b in blocks]

    old, new = plain(before.blocks), plain(after.blocks)
    return old[:start] == new[:start] and (not end or old[-end:] == new[-end:])


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**40))
def test_an_edit_of_one_block_leaves_every_other_byte_of_the_document(seed: int) -> None:
    page = Page(seed)
    data = page.data
    document = split(PATH, data)
    assert document.splittable, document.faults
    for block in document.blocks:
        new = edit_block(
            block.raw, sets={"state": "blocked", "blocked_reason": "Why: # not"}, append={"labels": ["x y"]}
        )
        changed = replace_block(data, block, new)
        assert changed[: block.start] == data[: block.start]
        assert changed[len(changed) - (len(data) - block.end) :] == data[block.end :]
        assert (b"\r\n" in changed) == (b"\r\n" in data)
        again = split(PATH, changed)
        assert [b.raw for b in again.blocks] == [new if b is block else b.raw for b in document.blocks]
        assert again.frame == document.frame
        assert resplit(PATH, data, document, changed) == again
        assert replace_block(changed, next(b for b in again.blocks if b.start == block.start), block.raw) == data
        read = read_block(new)
        assert getattr(read, "data", None) is not None


@settings(max_examples=60, deadline=None, derandomize=True)
@given(seed=st.integers(0, 2**40))
def test_what_is_added_or_taken_out_leaves_every_other_block_and_the_text_around(seed: int) -> None:
    page = Page(seed)
    data = page.data
    document = split(PATH, data)
    raw = tasks.block(tasks.task("NEW-1")).encode()
    for fence in range(len(page.parts)):
        more = split(PATH, add_block(data, raw, fence=fence))
        assert more.splittable
        assert [b.raw for b in more.blocks if b.raw != raw] == [b.raw for b in document.blocks]
        assert [b.fence for b in more.blocks if b.raw == raw] == [fence]
        assert more.frame == document.frame
    for block in document.blocks:
        less = split(PATH, take_block(data, block))
        assert less.splittable
        assert [b.raw for b in less.blocks] == [b.raw for b in document.blocks if b is not block]
        assert less.frame == document.frame
