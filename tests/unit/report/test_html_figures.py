"""Numbers in the page: each is a count over the acts, and what a role forbids is marked and told in words."""

import random
import re
from collections import Counter
from collections.abc import Callable
from typing import Final

import pytest

from codifica_guard.model.act import BORN, Act, Deed, Mark
from codifica_guard.model.audited import Audit, Gap
from codifica_guard.model.ids import TaskId
from codifica_guard.model.value import replace
from codifica_guard.report.audit_figures import NOBODY, week_of, weeks
from codifica_guard.report.html import page
from codifica_guard.report.html.coverage import counted
from codifica_guard.report.html.duties import approvals
from codifica_guard.report.html.slots import BARS, Slot, place, slots_of
from tests.building import audits
from tests.building.audits import ALICE, BOB, BUILDER, DAY, START, WRITER, act
from tests.building.web import Web, text_of

NOBODY_SHOWN: Final = "nobody proven"


def random_audit(seed: int) -> Audit:
    """Acts of all kinds by anybody."""
    chance = random.Random(seed)  # noqa: S311 - no secret
    who = [ALICE, BOB, BUILDER, WRITER, "human:carol", None]
    states = ["todo", "in_progress", "to_be_tested", "done", "blocked", "rejected"]
    acts = []
    for number in range(chance.randrange(1, 300)):
        actor = chance.choice(who)
        source, target = chance.choice([BORN, *states]), chance.choice(states)
        deed = {"deed": chance.choice([Deed.EDIT, Deed.CHOOSE])} if source == target and chance.random() < 0.5 else {}
        mark = chance.choice(list(Mark)) if actor is not None else Mark.UNPROVEN
        at = START + chance.randrange(400) * DAY
        acts.append(act(f"T-{chance.randrange(30)}", source, target, actor, at, mark=mark, commit=audits.oid(number), judged=chance.random() > 0.1, owner=chance.choice(who), **deed))  # fmt: skip
    return replace(audits.small(), acts=tuple(acts), findings=())


EVERY: Final[list[Callable[[], Audit]]] = [
    audits.small,
    audits.unreceipted,
    lambda: audits.large(40, 700),
    *(lambda seed=seed: random_audit(seed) for seed in range(4)),
]


def numbers(cell: str) -> int:
    """The number of a cell; nothing is none."""
    found = re.search(r"\d[\d,]*", cell)
    return int(found[0].replace(",", "")) if found else 0


@pytest.mark.parametrize("make", EVERY)
def test_each_number_of_who_did_what_is_a_count_over_the_acts(make: Callable[[], Audit]) -> None:
    audit = make()
    heads, *rows = Web(page(audit)).table("#s3 table")
    told = {(row[0], head): numbers(cell) for row in rows for head, cell in zip(heads[1:], row[1:], strict=True)}
    expected = Counter(
        (a.actor or NOBODY_SHOWN, "choose in a merge" if a.deed is Deed.CHOOSE else a.deed.value) for a in audit.acts
    )
    expected.update((change.actor or NOBODY_SHOWN, "policy") for change in audit.policies)
    assert {key: many for key, many in told.items() if many} == dict(expected)


@pytest.mark.parametrize("make", EVERY)
def test_each_list_behind_a_number_names_as_many_acts(make: Callable[[], Audit]) -> None:
    audit = make()
    web = Web(page(audit))
    links = [(a.attrs["href"] or "", numbers(text_of(a))) for a in web.all("#s3 table a")]
    assert links
    for href, many in links:
        listed = web.at(href)
        head, _, rest = listed.partition(f": {many:,}")
        assert head
        items = [item for item in rest.split(", ") if item]
        assert sum(int(item.partition("\u00d7")[2] or 1) for item in items) == many


@pytest.mark.parametrize("make", EVERY)
def test_a_number_in_a_grey_cell_is_marked_and_told_in_words(make: Callable[[], Audit]) -> None:
    audit = make()
    web = Web(page(audit))
    ill = web.all("#s3 td.ill")
    grey = [cell for cell in web.all("#s3 td.no") if numbers(text_of(cell)) and cell not in ill]
    people_only = {Deed.BLOCK, Deed.UNBLOCK, Deed.REJECT, Deed.REOPEN, Deed.RECLAIM, Deed.DELETE, Deed.CHOOSE}
    wrong = [
        a
        for a in audit.acts
        if a.judged and (a.actor is None or (a.actor.startswith("agent:") and a.deed in people_only))
    ]
    cells = {(a.actor, a.deed) for a in wrong} | {(c.actor, "policy") for c in audit.policies if c.actor is None}
    assert len(ill) == len(cells)
    assert all(text_of(cell).startswith("! ") for cell in ill)
    assert len(web.all("#s3 ul.plain li")) == len(cells)
    told = web.text("#s3 ul.plain") if cells else ""
    for a in wrong[:3]:
        assert f"! {'choose in a merge' if a.deed is Deed.CHOOSE else a.deed.value}, " in told
    for cell in grey:
        assert not text_of(cell).startswith("!")


def test_what_nobody_did_wrong_is_said_too() -> None:
    assert "✓ No number stands in a grey cell" in Web(page(audits.clean())).text("#s3")
    assert "Nobody did anything yet." in Web(page(audits.empty())).text("#s3")


def test_who_is_neither_person_nor_agent_may_nothing() -> None:
    audit = replace(audits.clean(), acts=(act("T", BORN, "todo", "server:x", START),))
    assert "! new, 1 time: server:x is neither a person nor an agent: T in " in Web(page(audit)).text("#s3")


def test_long_lists_are_cut_and_their_rest_is_counted() -> None:
    acts = tuple(act(f"T-{n}", BORN, "todo", None, START, commit=audits.oid(n)) for n in range(450))
    web = Web(page(replace(audits.empty(), acts=acts)))
    assert "and 50 more tasks, in section 6" in web.text("#w1-1")
    assert "and 438 more" in web.text("#s3 ul.plain")


# -- separation of duties


@pytest.mark.parametrize("make", EVERY)
def test_each_number_of_separation_of_duties_is_a_count_over_the_approvals(make: Callable[[], Audit]) -> None:
    audit = make()
    found = approvals(audit)
    assert len(found) == sum(a.deed is Deed.APPROVE for a in audit.acts)
    web = Web(page(audit))
    if not found:
        assert "Nothing was approved." in web.text("#s4")
        return
    heads, *rows = web.table("#s4 table")
    shown = {NOBODY: NOBODY_SHOWN}
    expected = Counter((shown.get(a.author, a.author), shown.get(a.approver, a.approver)) for a in found)
    told = {(row[0], head): numbers(cell) for row in rows for head, cell in zip(heads[1:], row[1:], strict=True)}
    assert told.pop(("All", "All")) == len(found)
    for (row, head), many in told.items():
        if row == "All":
            assert many == sum(n for (_, by), n in expected.items() if by == head)
        elif head == "All":
            assert many == sum(n for (of, _), n in expected.items() if of == row)
        else:
            assert many == expected[row, head]
    assert sum(expected.values()) == len(found)
    own = sum(a.own for a in found)
    assert (f"! {own:,} approval" in web.text("#s4")) == bool(own)
    assert ("✓ Nobody approved work" in web.text("#s4")) == (not own)


def life(*steps: tuple[str, str, str | None], owner: str = BUILDER) -> tuple[Act, ...]:
    return tuple(act("T", *step, START + n * DAY, owner=owner) for n, step in enumerate(steps))


@pytest.mark.parametrize(
    ("steps", "author", "approver"),
    [
        ((("in_progress", "to_be_tested", BUILDER), ("to_be_tested", "done", ALICE)), BUILDER, ALICE),
        ((("in_progress", "to_be_tested", ALICE), ("to_be_tested", "done", ALICE)), ALICE, ALICE),
        ((("to_be_tested", "done", ALICE),), BUILDER, ALICE),
        ((("in_progress", "to_be_tested", None), ("to_be_tested", "done", ALICE)), NOBODY, ALICE),
        ((("in_progress", "to_be_tested", BUILDER), ("to_be_tested", "done", None)), BUILDER, NOBODY),
        (
            (
                ("in_progress", "to_be_tested", BUILDER),
                ("to_be_tested", "todo", BOB),
                ("in_progress", "to_be_tested", WRITER),
                ("to_be_tested", "done", BOB),
            ),
            WRITER,
            BOB,
        ),
    ],
)
def test_the_author_is_who_handed_in_last(
    steps: tuple[tuple[str, str, str | None], ...], author: str, approver: str
) -> None:
    (told,) = approvals(replace(audits.empty(), acts=life(*steps)))
    assert (told.author, told.approver) == (author, approver)
    assert told.own == (author == approver)


def test_the_diagonal_and_what_agents_may_not_approve_are_marked() -> None:
    steps = (("in_progress", "to_be_tested", BUILDER), ("to_be_tested", "done", BUILDER))
    own = life(*steps)
    other = tuple(replace(a, task=TaskId("O"), actor=WRITER if a.deed is Deed.APPROVE else a.actor) for a in own)
    web = Web(page(replace(audits.empty(), acts=own + other)))
    assert [text_of(cell) for cell in web.all("#s4 td.self")] == ["1own work"]
    assert [text_of(cell) for cell in web.all("#s4 td.no")] == ["! 1"]
    assert "1 approval of own work: agent:builder T" in web.text("#s4")


def test_with_many_names_only_those_who_approved_have_a_column() -> None:
    acts = [
        a
        for n in range(20)
        for a in (
            act(f"T-{n}", "in_progress", "to_be_tested", f"agent:a{n}", START),
            act(f"T-{n}", "to_be_tested", "done", ALICE, START + 1),
        )
    ]
    heads, *rows = Web(page(replace(audits.empty(), acts=tuple(acts)))).table("#s4 table")
    assert (heads, len(rows)) == (["Handed in by", ALICE, "All"], 21)


def test_many_approvals_of_own_work_are_listed_in_part_and_closed_ones_are_counted_apart() -> None:
    own = tuple(act(f"T-{n}", "to_be_tested", "done", ALICE, START, owner=ALICE) for n in range(42))
    closed = (act("C", "in_progress", "done", BUILDER, START),)
    said = Web(page(replace(audits.empty(), acts=own + closed))).text("#s4")
    assert "! 42 approvals of own work" in said
    assert "and 2 more" in said
    assert "1 task was closed by their owners without a hand-in" in said


# -- coverage


@pytest.mark.parametrize("make", EVERY)
def test_each_number_of_the_coverage_is_a_count_over_the_transitions(make: Callable[[], Audit]) -> None:
    audit = make()
    web = Web(page(audit))
    steps = counted(audit)
    assert steps == tuple(a for a in audit.acts if a.is_transition and a.judged)
    tables = web.all("#s2 table")
    _, *rows = [[text_of(cell) for cell in row.query("th, td")] for row in tables[0].query("tr")]
    known = Counter(a.mark for a in steps)
    assert [numbers(row[2]) for row in rows] == [*(known[mark] for mark in Mark), len(steps) - known[Mark.UNPROVEN]]
    _, *weekly = [[text_of(cell) for cell in row.query("th, td")] for row in tables[1].query("tr")]
    assert [sum(numbers(row[1 + n]) for row in weekly) for n in range(5)] == [known[mark] for mark in Mark]
    assert sum(numbers(row[6]) for row in weekly) == len(steps)
    bars = web.all("svg.cov g > rect")
    assert len(bars) == sum(bool(numbers(cell)) for row in weekly for cell in row[1:6])
    left = len(audit.transitions) - len(steps)
    assert ("Not counted:" in web.text("#s2")) == bool(left)


def test_gaps_are_hatched_and_listed() -> None:
    web = Web(page(audits.small()))
    assert len(web.all("svg.cov > .h")) == 1
    assert "2026-12-12 09:00:00Z2026-12-14 09:00:00Z" in web.text("#s2")
    open_ended = Gap(ref=audits.MAIN, old=None, new=audits.oid("x"), commits=3)
    chain = replace(audits.small().chain, gaps=(open_ended,))
    (bar,) = Web(page(replace(audits.small(), chain=chain))).all("svg.cov > .h")
    assert bar.attrs["x"] == "0%"


def spread(*days: int) -> Audit:
    return replace(audits.empty(), acts=tuple(act("T", "todo", "in_progress", ALICE, START + d * DAY) for d in days))


def slots(audit: Audit) -> list[Slot]:
    return slots_of(audit, weeks(counted(audit)))


def test_empty_weeks_are_drawn_and_long_empty_stretches_are_one_place() -> None:
    assert [(s.start is None, s.weeks) for s in slots(spread(0, 14))] == [(False, 1)] * 3
    assert [(s.start is None, s.weeks) for s in slots(spread(0, 7 * 8))] == [(False, 1), (True, 7), (False, 1)]
    far = slots(spread(-20_000, 0, 20_000))
    assert [s.start is None for s in far] == [False, True, False, True, False]


@pytest.mark.parametrize(
    ("step", "many", "weeks_each"),
    [(7, 110, 1), (7, 111, 4), (28, 300, 13), (90, 400, 52), (360, 1_000, 520), (3_600, 800, 5_200)],
)
def test_more_weeks_than_bars_share_one(step: int, many: int, weeks_each: int) -> None:
    found = slots(spread(*range(0, step * many, step)))
    assert len(found) <= BARS
    assert {s.weeks for s in found} == {weeks_each}
    assert sum(sum(s.marks.values()) for s in found) == many


def test_the_first_and_last_week_of_the_audit_are_told_though_nothing_was_done_in_them() -> None:
    audit = spread(14)
    branch = replace(audit.branches[0], first=START, last=START + 28 * DAY)
    found = slots(replace(audit, branches=(branch,)))
    assert [s.start for s in found] == [week_of(START + d * DAY) for d in (0, 7, 14, 21, 28)]


def test_moments_have_a_place_among_the_bars() -> None:
    found = slots(spread(0, 7))
    monday = week_of(START)
    assert [
        place(at, found, 9) for at in (None, monday - 1, monday, monday + 7 * DAY, monday + 7 * DAY // 2, 10**11)
    ] == [9, 0, 0, 1, 0.5, 2]


def test_what_lies_outside_the_calendar_is_counted_and_in_no_week() -> None:
    acts = (act("T", BORN, "todo", ALICE, 2**62), act("T", "todo", "in_progress", ALICE, START))
    assert "1 transition lies outside every calendar" in Web(page(replace(audits.empty(), acts=acts))).text("#s2")
    web = Web(page(replace(audits.empty(), acts=acts[:1])))
    assert web.all("svg.cov") == []
    assert "1 transition lies outside" in web.text("#s2")


def test_months_are_named_where_a_bar_is_a_quarter() -> None:
    assert re.search(r"Nov 20\d\d", Web(page(spread(*range(0, 28 * 400, 28)))).text("#s2"))
