"""The report of an audit for a screen."""

from pathlib import Path

import pytest

from codifica_guard.audit.narrow import Part, narrow
from codifica_guard.cli.audit_text import BAR, LISTED, ROWS, WEEKS, WIDTH, page
from codifica_guard.model.act import Act, Mark
from codifica_guard.model.audited import Audit, Chain, Pause
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import TaskId
from codifica_guard.model.receipt import PAUSE
from codifica_guard.model.value import replace
from tests.building import audits
from tests.building.audits import ALICE, DAY, MAIN, SERVER, START, act, clean, empty, hostile, noted, oid, small

GOLDEN = Path(__file__).with_name("golden")


def told(audit: Audit, whole: Audit | None = None, *, weekly: bool = False) -> str:
    return "\n".join(page(audit, whole or audit, weekly=weekly)) + "\n"


def with_acts(*acts: Act) -> Audit:
    return replace(empty(), acts=acts)


@pytest.mark.parametrize("name", ["small", "clean", "empty", "unreceipted"])
def test_the_whole_report_is_as_it_is_written_down(name: str) -> None:
    assert told(getattr(audits, name)()) == (GOLDEN / f"{name}.txt").read_text("ascii")


def test_week_by_week_it_is_as_it_is_written_down() -> None:
    assert told(small(), weekly=True) == (GOLDEN / "weekly.txt").read_text("ascii")


def test_hostile_text_is_escaped_and_every_list_is_bounded() -> None:
    text = told(hostile())
    assert text.isascii()
    assert all(" " <= c <= "~" for c in text.replace("\n", ""))
    assert len(text) < 40_000
    assert "\\u202e" in text
    assert "<script>" in text  # a screen runs no markup


def test_a_large_audit_fits_a_few_screens() -> None:
    lines = told(audits.large(500, 3_000)).splitlines()
    assert len(lines) < 130
    assert max(map(len, lines)) <= WIDTH + 2


def test_the_verdict_is_that_of_the_whole_however_the_report_is_narrowed() -> None:
    part = Part(task="FEAT-103", words=(("--task", "FEAT-103"),))
    text = told(narrow(small(), part), small())
    assert "verdict   2 errors, 1 warning\n" in text
    assert "FINDINGS  1 error, 0 warnings\n" in text
    assert "narrowed  --task FEAT-103\n" in text
    assert "1 transition of 1 task\n" in text


def test_a_pinned_introduction_is_told_to_be_pinned_and_no_other_is_offered() -> None:
    text = told(clean())
    assert "pinned: you, or this clone, had named it before" in text
    assert "--introduction" not in text


def test_another_ruleset_is_told_to_be_a_preview() -> None:
    text = told(replace(clean(), ruleset=2, preview=True))
    assert "ruleset 2 (a preview: not the one that the policy names)" in text


def test_receipts_that_are_all_not_believed_are_told_apart_from_none() -> None:
    assert "receipts  none that is believed: order from first parents" in told(
        replace(clean(), chain=Chain(held=False))
    )
    assert "receipts  none: order from first parents" in told(replace(clean(), chain=Chain()))
    some = Chain(first=3, last=9, held=False, servers=((SERVER, "SHA256:x"),))
    assert "receipts  3-9, not all of them hold: see the findings" in told(replace(clean(), chain=some))


def test_more_gaps_than_a_screen_holds_are_counted() -> None:
    gap = small().chain.gaps[0]
    text = told(replace(clean(), chain=replace(clean().chain, gaps=(gap,) * (LISTED + 3))))
    assert text.count("gap  main") == LISTED
    assert "and 3 more, all of them: --json" in text


def test_a_gap_whose_times_are_not_known_is_told_so_and_marks_no_week() -> None:
    gap = replace(small().chain.gaps[0], since=None, until=None, old=None)
    text = told(replace(clean(), chain=replace(clean().chain, gaps=(gap,))))
    assert "gap  main ..53b7005  14 commits  the beginning to now" in text
    assert "gap: commits without a receipt" not in text


@pytest.mark.parametrize(("since", "until"), [(None, START), (START, None)])
def test_a_gap_of_which_one_time_is_known_marks_that_week(since: int | None, until: int | None) -> None:
    gap = replace(small().chain.gaps[0], since=since, until=until)
    assert (
        told(replace(clean(), chain=replace(clean().chain, gaps=(gap,)))).count("gap: commits without a receipt") == 1
    )


# -- findings


def test_more_errors_than_are_shown_are_counted() -> None:
    many = tuple(noted("CD202", "human-only", f"number {n}") for n in range(60))
    text = told(replace(clean(), findings=many))
    assert "number 49" in text
    assert "number 50" not in text
    assert "and 10 more errors, all of them: --json" in text


def test_of_many_warnings_of_one_rule_the_last_ones_are_named_and_the_others_counted() -> None:
    many = tuple(noted("CD207", "no-entry", f"number {n}", severity=Severity.WARNING, ref=MAIN) for n in range(5))
    text = told(replace(clean(), findings=many))
    assert "  warning CD207 no-entry, 5 times   git codifica explain CD207\n" in text
    assert "    main: number 4\n" in text
    assert "number 1" not in text
    assert "    and 2 before, all of them: --json" in text


# -- coverage


def test_older_weeks_than_are_shown_are_counted() -> None:
    acts = [act("A", "new", "todo", ALICE, START + n * 7 * DAY) for n in range(WEEKS + 5)]
    text = told(with_acts(*acts))
    assert "  and 5 older weeks, all of them: --json\n" in text
    assert text.count("100% proven") == WEEKS


def test_whatever_is_there_at_all_has_a_letter_and_the_bar_fits() -> None:
    acts = [act("A", "todo", "in_progress", ALICE, START) for _ in range(1000)]
    rare = [act("A", "todo", "in_progress", ALICE, START, mark=mark) for mark in (Mark.TOUCHED, Mark.ATTESTED)]
    text = told(with_acts(*acts, *rare, act("B", "new", "todo", None, START)))
    bar = text.partition("[")[2].partition("]")[0]
    assert len(bar) == BAR
    assert bar == "S" * (BAR - 3) + "HAU"
    assert " 1,003   99% proven" in text


def test_a_quiet_week_beside_a_busy_one_is_seen() -> None:
    busy = [act("A", "todo", "in_progress", ALICE, START) for _ in range(1000)]
    text = told(with_acts(*busy, act("B", "new", "todo", None, START + 7 * DAY)))
    assert f"[U{' ' * (BAR - 1)}]     1    0% proven" in text


def test_what_was_done_before_there_was_a_policy_is_not_counted() -> None:
    text = told(with_acts(act("A", "new", "todo", ALICE, START, judged=False)))
    assert "0 transitions of 0 tasks" in text
    assert "COVERAGE" not in text


def test_more_principals_than_a_screen_holds_are_counted() -> None:
    acts = [act("A", "new", "todo", f"human:h{n:03}", START) for n in range(ROWS + 2)]
    text = told(with_acts(*acts))
    assert "and 2 more, all of them: --json" in text
    assert "and 2 more)" in text


def test_many_branches_are_counted_in_the_first_lines() -> None:
    branch = clean().branches[0]
    text = told(replace(clean(), branches=(branch,) * (LISTED + 2)))
    assert f"judged: {12 * (LISTED + 2)} commits" in text
    assert "and 2 more branches" in " ".join(text.split())


# -- notes


def test_pauses_moves_and_migrations_are_told_where_they_are() -> None:
    text = told(small())
    assert "receipt 111: 2 commits pushed by alice (gitea) in a pause" in text
    assert "receipt 150: the admin moved the introduction to 980407a: a secret was purged" in text
    assert "migration 25a9a16 of 1 task by human:alice: v0.1 notes to v0.2" in text


def test_more_notes_than_a_screen_holds_are_counted() -> None:
    text = told(replace(clean(), notes=tuple(f"note {n}" for n in range(3 * LISTED + 4))))
    assert "note 29" in text
    assert "note 30" not in text
    assert "and 4 more, all of them: --json" in text


def test_an_introduction_that_was_taken_away_is_told_as_that() -> None:
    moved = replace(small().introductions[0], introduction=None, reason="")
    assert "the admin moved the introduction to nothing\n" in told(replace(clean(), introductions=(moved,)))


def test_a_pause_without_an_end_or_a_reason_is_told_as_that() -> None:
    pause = Pause(receipt=audits.receipt(7, START, kind=PAUSE, paused=True))
    assert "receipt 7: the admin paused the guard\n" in told(replace(clean(), pauses=(pause,)))


def test_a_push_in_a_pause_whose_commits_were_not_counted_is_told_without_a_number() -> None:
    pause = Pause(receipt=audits.receipt(7, START, paused=True, ref=MAIN))
    text = told(replace(clean(), pauses=(pause,)))
    assert "receipt 7: something was pushed by alice (gitea) in a pause\n" in text


def test_a_finding_about_a_branch_names_it_in_short() -> None:
    found = (noted("AU102", "rewound-branch", "x", ref=b"refs/heads/release/1"), noted("AU104", "forged-receipt", "x"))
    text = told(replace(clean(), findings=found))
    assert "  AU102 rewound-branch  release/1\n" in text
    assert "  AU104 forged-receipt\n" in text


def test_a_migration_that_nobody_is_proven_to_have_made_is_nobodys() -> None:
    moved = act("A", "todo", "todo", None, START, migration="why", commit=oid("m"))
    assert "of 2 tasks by nobody: why" in told(with_acts(moved, replace(moved, task=TaskId("B"))))
