"""Which pending pushes came in, told from where a branch is: as tables, and as a property over histories that really happened."""

import random
from itertools import pairwise

import pytest

from codifica_guard.audit.backfill import due, lost, way
from codifica_guard.audit.pending import Held
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.receipt import PUSH, Receipt

MAIN = RefName(b"refs/heads/main")


def oid(name: str | None) -> ObjectId | None:
    return None if name is None else ObjectId(name.encode() * 40)


def held(step: str, at: int = 0, ref: RefName = MAIN) -> Held:
    """`ab` is an update from a to b; `-` is no branch."""
    old, new = (oid(None if c == "-" else c) for c in step)
    draft = Receipt(
        number=0, kind=PUSH, repository="r", server="", guard="1", ruleset=1, time=at, push=f"{step}{at}", ref=ref, old=old, new=new
    )  # fmt: skip
    return Held(name=f"{step}{at}".encode() + ref, at=at, draft=draft)


def shown(files: tuple[Held, ...]) -> list[str]:
    return [f.draft.push[:2] for f in files if f.draft is not None]


@pytest.mark.parametrize(
    ("pending", "at", "end", "steps", "whole"),
    [
        ("", "a", "a", "", True),
        ("ab", "a", "a", "", True),  # judged, not in
        ("ab", "b", "a", "ab", True),
        ("ab bc cd", "d", "a", "ab bc cd", True),
        ("ab bc cd", "d", "b", "bc cd", True),
        ("ab cd", "d", "a", "cd", False),  # b to c behind the hook
        ("ab", "c", "a", "", False),
        ("ac ab bc", "c", "a", "ab bc", True),  # ac lost; bc could begin at b only because ab came in
        ("ac bc", "c", "a", "ac", True),
        ("ac bc", "c", None, "bc", False),
        ("-a ab", "b", None, "-a ab", True),
        ("ab b-", None, "a", "ab b-", True),
        ("ab ba ab", "b", "a", "ab", True),
        ("ab ba", "a", "a", "", True),
        ("ab bc cb", "b", "x", "ab bc cb", False),
        ("aa", "a", "b", "aa", False),
    ],
)
def test_the_way_of_a_branch(pending: str, at: str | None, end: str | None, steps: str, whole: bool) -> None:  # noqa: FBT001 - a row
    files = [held(step, number) for number, step in enumerate(pending.split())]
    for order in (files, files[::-1]):
        found = way(order, oid(at), oid(end))
        assert (shown(found.steps), found.whole) == (steps.split(), whole)


def test_what_is_no_draft_is_no_step() -> None:
    assert way([Held(name=b"x", at=1, draft=None)], oid("b"), oid("a")).steps == ()
    assert lost([Held(name=b"x", at=1, draft=None)], {}, lambda _: None) == ()


def test_a_thousand_that_were_never_written_are_found_at_once() -> None:
    names = [chr(0x100 + n) for n in range(2000)]
    files = []
    for number, (old, new) in enumerate(pairwise(names)):
        draft = Receipt(
            number=0, kind=PUSH, repository="", server="", guard="", ruleset=0, time=0, push=str(number), ref=MAIN,
            old=ObjectId(old.encode()), new=ObjectId(new.encode()),
        )  # fmt: skip
        files.append(Held(name=old.encode(), at=number, draft=draft))
    found = way(files, ObjectId(names[-1].encode()), ObjectId(names[0].encode()))
    assert (len(found.steps), found.whole) == (1999, True)


def test_those_of_earlier_pushes_come_first_in_their_order_and_are_late() -> None:
    other = RefName(b"refs/heads/release/1")
    files = [held("cd", 5), held("xy", 4, other), held("bc", 3), held("ab", 2), held("yz", 1, other)]
    rows = due(files, {held("cd", 5).name}, {MAIN: ObjectId(b"a" * 40)}, {other: oid("z"), MAIN: oid("d")}.__getitem__)
    assert [(r.draft.push[:2], r.draft.late) for r in rows] == [
        ("ab", True), ("bc", True), ("xy", True), ("yz", True), ("cd", False),
    ]  # fmt: skip
    assert [r.sure for r in rows] == [False, False, False, False, True]


@pytest.mark.parametrize(("end", "sure"), [("a", True), ("b", False), ("c", False), (None, False)])
def test_of_a_pushs_own_receipt_the_chain_is_asked_where_it_ends_elsewhere(end: str | None, sure: bool) -> None:  # noqa: FBT001 - a row
    tip = oid(end)
    [row] = due([held("ab")], {held("ab").name}, {} if tip is None else {MAIN: tip}, lambda _: oid("c"))
    assert row.sure is sure


@pytest.mark.parametrize("seed", range(30))
def test_of_many_that_race_for_a_branch_just_those_that_came_in_get_receipts(seed: int) -> None:
    chance = random.Random(seed)  # noqa: S311 - seeded, to be the same every time
    tip = "a"
    pending: list[Held] = []
    won: list[Held] = []
    waiting: list[Held] = []
    for number in range(60):
        if chance.random() < 0.7:
            waiting.append(held(f"{tip}{chr(0x62 + number)}", number))  # judged while the branch is there
            pending.append(waiting[-1])
        if waiting and chance.random() < 0.6:
            pushed = waiting.pop(chance.randrange(len(waiting)))
            assert pushed.draft is not None
            if pushed.draft.old == oid(tip):
                won.append(pushed)
                tip = pushed.draft.push[1]
    chance.shuffle(pending)
    rows = due(pending, (), {MAIN: ObjectId(b"a" * 40)}, lambda _: oid(tip))
    assert [row.file for row in rows] == won
    gone = {file.name for file in lost(pending, {MAIN: ObjectId(b"a" * 40)}, lambda _: oid(tip))}
    flying = {file.name for file in pending if file.draft is not None and file.draft.old == oid(tip)}
    assert gone == {file.name for file in pending} - {file.name for file in won} - flying
