"""Timelines: where moments lie, which bars and letters a task has, and where it was silent."""

import re
from itertools import pairwise
from typing import Any

import pytest

from codifica_guard.model.act import BORN, GONE, Act, Deed, Mark
from codifica_guard.model.audited import Audit, Gap, TaskNow
from codifica_guard.model.ids import TaskId
from codifica_guard.model.value import replace
from codifica_guard.report.html import page
from codifica_guard.report.html.axis import Axis, axis, percent
from codifica_guard.report.html.index import Index, Told
from codifica_guard.report.html.lanes import crowded, labels, lane, own_axis
from tests.building import audits
from tests.building.audits import ALICE, BUILDER, DAY, HOUR, START, act, noted
from tests.building.web import Web, text_of

SPAN = Axis(first=START, last=START + 100 * HOUR)


def told(*acts: Act, notes: tuple[str, ...] = (), errors: tuple[int | None, ...] = ()) -> Told:
    now = TaskNow(
        task=TaskId("T"), title="", type="build", state="done", owner="", notes=tuple(("x", n, "y") for n in notes)
    )
    findings = tuple((n, noted("CD303", "x", "y", at=at)) for n, at in enumerate(errors, 1))
    return Told(number=1, task=TaskId("T"), now=now, acts=acts, findings=findings)


def step(hours: float, source: str, target: str, **more: Any) -> Act:
    return act("T", source, target, more.pop("actor", ALICE), int(START + hours * HOUR), **more)


def bars(drawn: str) -> list[tuple[str, str, str]]:
    return re.findall(r'<line class="([^"]+)" x1="([^"]+)" x2="([^"]+)"/>', drawn)


# -- the axis


def test_an_axis_holds_all_moments_with_some_air() -> None:
    found = axis([START, START + 100 * DAY])
    assert found is not None
    assert (found.first, found.last) == (START - 2 * DAY, START + 102 * DAY)
    assert (found.at(START - 9 * DAY), found.at(START + 50 * DAY), found.at(START + 900 * DAY)) == (0, 50, 100)
    assert found.holds(START)
    assert not found.holds(START - 9 * DAY)


@pytest.mark.parametrize("moments", [[], [2**62], [-(2**62), 2**62]])
def test_there_is_none_without_a_moment_in_the_calendar(moments: list[int]) -> None:
    assert axis(moments) is None


@pytest.mark.parametrize(
    ("moments", "days", "off"),
    [
        ([0, *(START + n * DAY for n in range(30))], (0, 29), 1),
        ([*(START + n * DAY for n in range(30)), START + 40_000 * DAY], (0, 29), 1),
        ([0, *(START + n * DAY for n in range(60)), START + 40_000 * DAY, 1], (0, 59), 3),
        ([0, START], (-START // DAY, 0), 0),
        ([START, START + 55 * DAY, START + 55 * DAY], (0, 55), 0),
        ([*([START] * 10), *([START + 900 * DAY] * 10)], (0, 900), 0),
        ([2**62, START, START + DAY, START + 2 * DAY], (0, 2), 1),
    ],
)
def test_a_few_strays_do_not_squeeze_everything_else(moments: list[int], days: tuple[int, int], off: int) -> None:
    found = axis(moments)
    assert found is not None
    span = (days[1] - days[0]) * DAY
    air = max(span // 50, 1)
    assert abs(found.first + air - (START + days[0] * DAY)) < DAY
    assert abs(found.last - air - (START + days[1] * DAY)) < DAY
    assert found.off == off


def test_the_axis_reaches_the_last_judged_commit_unless_that_is_far_off() -> None:
    near, far, before = (axis([START], last=START + d * DAY) for d in (50, 500, -5))
    assert near is not None
    assert far is not None
    assert before is not None
    assert near.last > START + 50 * DAY
    assert far.last == before.last == START + HOUR // 2


@pytest.mark.parametrize(
    ("days", "first", "last"),
    [
        (0.0001, "30 Nov, 09:00:00", "09:00:07"),
        (0.001, "30 Nov, 09:00:00", "09:01:15"),
        (0.01, "30 Nov, 09:00", "09:10"),
        (0.1, "30 Nov, 09:00", "11:15"),
        (2.9, "30 Nov, 12:00", "06:00"),
        (10, "1 Dec", "10 Dec"),
        (20, "1 Dec", "19 Dec"),
        (60, "7 Dec", "25 Jan"),
        (150, "7 Dec", "26 Apr"),
        (365, "Jan 2027", "Nov 2027"),
        (3_000, "2027", "2035"),
        (400_000, "2100", "3100"),
    ],
)
def test_days_and_months_are_named_as_they_fit(days: float, first: str, last: str) -> None:
    names = list(Axis(first=START, last=int(START + days * DAY)).labels())
    assert 1 <= len(names) <= 13
    assert all(0 <= at <= 100 for at, _ in names)
    assert [at for at, _ in names] == sorted(at for at, _ in names)
    assert (names[0][1], names[-1][1].split(", ")[-1]) == (first, last)


def test_the_ends_of_the_calendar_have_names_too() -> None:
    ends = Axis(first=-62_135_596_800, last=253_402_300_799)
    assert list(ends.labels())
    for first in (-62_135_596_800 - 3_600, 253_402_300_799 - 2 * DAY):
        for days in (1, 5, 100, 1_000):
            list(Axis(first=first, last=first + days * DAY).labels())


def test_places_are_as_short_as_they_can_be() -> None:
    assert [percent(x) for x in (0.0, 12.34, 12.0, 99.96)] == ["0%", "12.3%", "12%", "100%"]


# -- one lane


def test_each_state_has_its_bar_from_step_to_step_and_the_last_one_lasts() -> None:
    drawn = lane(
        told(
            step(10, BORN, "todo"),
            step(20, "todo", "in_progress"),
            step(30, "in_progress", "to_be_tested"),
            step(40, "to_be_tested", "done"),
            step(50, "done", "blocked"),
            step(60, "blocked", "rejected"),
            step(70, "rejected", "strange"),
        ),
        SPAN,
        None,
    )
    assert bars(drawn) == [
        ("t", "10%", "20%"), ("i", "20%", "30%"), ("b", "30%", "40%"), ("d", "40%", "50%"), ("x", "50%", "60%"),
        ("r", "60%", "70%"), ("o", "70%", "100%"),
    ]  # fmt: skip


def test_what_a_task_was_before_is_drawn_without_a_tick_and_a_deleted_one_ends() -> None:
    drawn = lane(told(step(50, "todo", "in_progress"), step(60, "in_progress", GONE)), SPAN, None)
    assert bars(drawn) == [("t p", "0%", "50%"), ("i", "50%", "60%")]
    assert '<use href="#y" x="60%"/>' in drawn


def test_a_step_at_the_very_start_leaves_nothing_of_what_was_before() -> None:
    assert bars(lane(told(step(0, "todo", "in_progress")), SPAN, None)) == [("i", "0%", "100%")]


def test_dates_that_run_backwards_give_no_room_but_every_step_a_tick() -> None:
    drawn = lane(
        told(step(50, BORN, "todo"), step(20, "todo", "in_progress"), step(60, "in_progress", "done")), SPAN, None
    )
    assert bars(drawn) == [("t", "50%", "50.2%"), ("i", "50%", "60%"), ("d", "60%", "100%")]


def test_edits_have_a_small_tick_and_a_small_letter() -> None:
    drawn = lane(told(step(10, BORN, "todo"), step(50, "todo", "todo", deed=Deed.EDIT, mark=Mark.TOUCHED)), SPAN, None)
    assert bars(drawn) == [("t", "10%", "100%")]
    assert '<use href="#e" x="50%"/>' in drawn
    assert ">h</text>" in drawn
    alone = lane(told(step(50, "done", "done", deed=Deed.EDIT)), SPAN, None)
    assert bars(alone) == [("d p", "0%", "100%")]


def test_errors_about_a_task_are_crosses() -> None:
    drawn = lane(told(step(10, BORN, "todo"), errors=(START + 30 * HOUR, None)), SPAN, None)
    assert drawn.count('<use href="#z"') == 1
    assert '<use href="#z" x="30%"/>' in drawn
    warned = replace(told(step(10, BORN, "todo")), findings=((1, audits.small().warnings[0]),))
    assert "#z" not in lane(warned, SPAN, None)


@pytest.mark.parametrize(
    ("notes", "stale", "silent"),
    [
        ((), 100.0, []),
        ((), None, []),
        ((), 24.0, [("q", "44%", "80%")]),
        (("2026-12-02T09:00:00Z",), 24.0, [("q", "44%", "48%"), ("q", "72%", "80%")]),
        (("2026-12-01T09:00:00Z", "nonsense"), 24.0, [("q", "48%", "80%")]),
        ((), 1e300, []),
        ((), float("nan"), []),
    ],
)
def test_a_claim_without_a_sign_of_life_is_hatched(
    notes: tuple[str, ...], stale: float | None, silent: list[tuple[str, str, str]]
) -> None:
    task = told(step(10, BORN, "todo"), step(20, "todo", "in_progress"), step(80, "in_progress", "done"), notes=notes)
    assert [bar for bar in bars(lane(task, SPAN, stale)) if bar[0] == "q"] == silent


def test_a_resume_is_a_sign_of_life_and_a_claim_that_lasts_is_silent_until_the_end() -> None:
    task = told(step(0, "todo", "in_progress"), step(30, "in_progress", "in_progress"))
    found = [bar for bar in bars(lane(task, SPAN, 24.0)) if bar[0] == "q"]
    assert found == [("q", "24%", "30%"), ("q", "54%", "100%")]


def test_silence_that_lies_off_the_axis_is_not_drawn() -> None:
    drawn = lane(told(step(-90, "todo", "in_progress"), step(-10, "in_progress", "done")), SPAN, 24.0)
    assert "q" not in {kind for kind, _, _ in bars(drawn)}


def test_a_task_that_is_gone_is_silent_as_well() -> None:
    gone = replace(told(step(0, "todo", "in_progress")), now=None)
    assert ("q", "24%", "100%") in bars(lane(gone, SPAN, 24.0))


@pytest.mark.parametrize(
    ("hours", "marks", "expected"),
    [
        ((0, 50), "ST", [(0, "S"), (50, "T")]),
        ((0, 1), "ST", [(0, "ST")]),
        ((0, 1, 2, 3), "STHU", [(0, "STHU")]),
        ((0, 0, 0, 0, 0, 90), "SSTUAS", [(0, "5\u00d7UATS"), (90, "S")]),
        ((1, 0), "TS", [(0, "ST")]),
        ((0, 1, 2, 3, 4, 5, 6, 7), "SSSSSSSS", [(0, "7\u00d7S"), (7, "S")]),
    ],
)
def test_letters_that_would_cover_each_other_stand_together(
    hours: tuple[float, ...], marks: str, expected: list[tuple[float, str]]
) -> None:
    acts = [step(h, "todo", "in_progress", mark=Mark(m)) for h, m in zip(hours, marks, strict=True)]
    found = list(labels(acts, SPAN))
    assert found == expected
    assert sum(int(said.split("\u00d7")[0]) if "\u00d7" in said else len(said) for _, said in found) == len(hours)
    assert crowded(told(*acts), SPAN) == any(len(said) > 1 for _, said in found)
    assert all(b[0] >= a[0] + 1.25 * len(a[1]) - 1.5 for a, b in pairwise(found))


def test_unproven_letters_are_red_and_those_at_the_edge_turn_inward() -> None:
    drawn = lane(told(step(50, BORN, "todo", mark=Mark.UNPROVEN), step(99, "todo", "in_progress")), SPAN, None)
    assert '<text x="50%" class="bad">U</text>' in drawn
    assert '<text x="99%" class="end">S</text>' in drawn


# -- the section


def audit(*acts: Act, **more: Any) -> Audit:
    return replace(audits.empty(), acts=acts, **more)


def test_lanes_are_in_the_order_of_their_first_step_and_lead_to_their_tasks() -> None:
    web = Web(page(audits.small()))
    names = [text_of(link) for link in web.all("#s5 a.id")]
    assert names == ["FEAT-101", "FEAT-104", "FEAT-102", "FEAT-099", "FEAT-100", "FEAT-098", "FEAT-103"]
    for link in web.all("#s5 a.id"):
        assert web.at(str(link.attrs["href"])).startswith(text_of(link))


def test_tasks_that_did_not_move_are_counted() -> None:
    still = audits._now("X", "x", "todo")
    said = Web(page(audit(act("T", BORN, "todo", ALICE, START), tasks=(still,)))).text("#s5")
    assert "1 task did not move in this time and has no lane" in said
    both = Web(page(audit(act("T", BORN, "todo", ALICE, START), tasks=(still, audits._now("Y", "y", "todo"))))).text(
        "#s5"
    )
    assert "2 tasks did not move in this time and have no lane" in both
    assert "No task was moved." in Web(page(audits.empty())).text("#s5")


def test_moments_off_the_axis_are_told() -> None:
    acts = [act("T", BORN, "todo", ALICE, 0), *(act(f"T{n}", BORN, "todo", ALICE, START + n * HOUR) for n in range(30))]
    said = Web(page(audit(*acts))).text("#s5")
    assert "1 moment lies so far off that nothing else could be told apart" in said


def test_sixty_lanes_are_shown_and_others_folded_with_a_word_on_errors() -> None:
    acts = [act(f"T-{n}", BORN, "todo", ALICE, START + n * HOUR) for n in range(150)]
    wrong = noted("CD202", "x", "y", task=TaskId("T-130"), at=START)
    web = Web(page(audit(*acts, findings=(wrong,))))
    assert [text_of(s) for s in web.all("#s5 summary")] == [
        "61 to 120: from T-60 to T-119",
        "121 to 150: from T-120 to T-149, 1 task with errors",
    ]


def test_gaps_are_hatched_behind_all_lanes() -> None:
    gaps = (Gap(ref=audits.MAIN, old=None, new=audits.oid("x"), commits=1),)
    chain = replace(audits.small().chain, gaps=gaps)
    web = Web(page(replace(audits.small(), chain=chain)))
    (band,) = web.all("symbol .band")
    assert (band.attrs["x"], band.attrs["width"]) == ("0%", "100%")
    assert len(web.all('use[href="#g"]')) == 7


def test_a_crowded_task_has_a_lane_of_its_own_unless_there_are_too_many() -> None:
    assert len(Web(page(audits.small())).all("svg.own")) == 3
    assert Web(page(audits.large(301, 2_000))).all("svg.own") == []
    far = told(*(step(0, BORN, "todo", mark=Mark.SIGNED),))
    assert own_axis(far) is not None
    assert own_axis(replace(far, acts=(replace(far.acts[0], at=2**62),))) is None


def test_an_own_lane_leaves_later_edits_to_the_table() -> None:
    task = told(
        step(0, BORN, "todo"),
        step(1, "todo", "in_progress"),
        step(90_000, "done", "done", deed=Deed.EDIT, mark=Mark.TOUCHED),
    )
    own = own_axis(task)
    assert own is not None
    assert own.last < START + 3 * HOUR
    assert ">h</text>" not in lane(task, own, None, own=True)


def test_an_index_knows_where_tasks_are() -> None:
    index = Index(audits.large(250, 300), folder=True)
    assert [index.href(index.tasks[n]) for n in (0, 99, 100, 249)] == [
        "tasks/1.html#t1", "tasks/1.html#t100", "tasks/2.html#t101", "tasks/3.html#t250",
    ]  # fmt: skip
    assert index.link("nobody knows <it>") == "nobody knows &lt;it&gt;"
    assert [t.owner for t in Index(audit(act("T", BORN, "todo", None, 0, owner=BUILDER))).tasks] == [BUILDER]
    assert Told(number=1, task=TaskId("T"), now=None, acts=(), findings=()).state == "gone"
    assert Told(number=1, task=TaskId("T"), now=None, acts=(), findings=()).owner is None
