"""The other sections: findings, each task, keys, policy, pauses."""

from typing import Any

import pytest

from codifica_guard.model.act import BORN, Act, Deed, Mark
from codifica_guard.model.audited import Artifact, Audit, Key, Pause, TaskNow
from codifica_guard.model.finding import Severity
from codifica_guard.model.identity import Proof
from codifica_guard.model.ids import TaskId
from codifica_guard.model.receipt import INTRODUCTION, PAUSE, Pusher
from codifica_guard.model.value import replace
from codifica_guard.report.html import page
from codifica_guard.report.html.checks import checks
from tests.building import audits
from tests.building.audits import ALICE, BOB, BUILDER, HOUR, SERVER, START, act, noted, oid
from tests.building.web import Web, text_of


def section(number: int, audit: Audit) -> str:
    return Web(page(audit)).text(f"#s{number}")


def one(*acts: Act, **now: Any) -> Audit:
    given = {"task": TaskId("T"), "title": "Title", "type": "build", "state": "todo", "owner": BUILDER}
    return replace(audits.empty(), acts=acts, tasks=(TaskNow(**{**given, **now}),))


def step(hours: int, source: str, target: str, actor: str | None = ALICE, **more: Any) -> Act:
    return act("T", source, target, actor, START + hours * HOUR, **more)


# -- findings


def test_a_finding_tells_all_that_is_known_of_it_errors_first() -> None:
    web = Web(page(audits.small()))
    found = web.all("#s1 article")
    assert [text_of(f.query("h3")[0]).split()[0] for f in found] == ["ErrorAU101", "ErrorCD202", "WarningCD213"]
    said = text_of(found[1])
    bad = oid(("FEAT-099", "to_be_tested", "rejected", START + 13 * audits.DAY)).decode()
    for words in (
        "TaskFEAT-099",
        "work.md:88:3",
        f"Commit{bad}",
        "Branchmain",
        "2026-12-13 09:00:00Z",
        "Whoagent:writer",
    ):
        assert words in said
    assert "Expected: a human, signed" in said
    assert f"The same by hand:git verify-commit {bad}\ngit show {bad} -- work.md" in said
    assert "git codifica reopen FEAT-099 -m why" in said
    assert "explain AU101" in web.text("#s1 .lead")


def test_the_branch_may_come_from_the_finding_itself() -> None:
    found = noted("GT101", "rewound", "x")
    told = replace(found, finding=replace(found.finding, ref=b"refs/heads/side"))
    assert "Branchside" in section(1, replace(audits.empty(), findings=(told,)))


def test_without_findings_it_is_said_what_that_means() -> None:
    assert "none broke a rule" in section(1, audits.clean())


def test_hundreds_of_findings_have_a_line_each_and_thousands_are_counted() -> None:
    many = tuple(noted("CD101", "x", f"number {n}", task=TaskId("T"), commit=oid(n)) for n in range(5_300))
    audit = replace(audits.empty(), findings=many, acts=(step(0, BORN, "todo"),))
    data = page(audit)
    assert data.count(b"<article") == 200
    assert (b"5,100 further findings" in data, b'id="f5200"' in data, b'id="f5201"' in data) == (True, True, False)
    assert b"And 100 more, which this page leaves out" in data
    warned = tuple(noted("CD101", "x", f"number {n}", severity=Severity.WARNING) for n in range(201))
    assert "1 further finding" in section(1, replace(audits.empty(), findings=warned))
    assert "warningCD101number 200" in section(1, replace(audits.empty(), findings=warned))


# -- each task


def test_a_task_tells_its_steps_in_words() -> None:
    said = section(6, audits.small())
    for words in (
        "2026-11-30 14:00:00Ztodo → in progressagent:builderSfb549f48193c3session s-41",
        "in progress → to be testedagent:builderT",
        "Form and tests; session s-41",
        "to be tested → donehuman:aliceH",
        "tried on staging; review: pass",
        "resume, still in progress",
        "nobody proven (says Mallory <m@example.org>)U",
        "changed: acceptance, title",
        "migration: v0.1 notes to v0.2",
        "no policy held yet",
        "choose",
    ):
        assert words in said


def test_a_committer_s_date_is_told_where_it_is_far_from_the_receipt_s() -> None:
    near, far, unseen = (
        step(0, BORN, "todo", dated=START - s, receipt=r) for s, r in ((300, 1), (301, 1), (9_999, None))
    )
    assert ["its committer says" in section(6, one(a)) for a in (near, far, unseen)] == [False, True, False]


CLAIM = {"acceptance": ("a", "b"), "owner": BUILDER}


@pytest.mark.parametrize(
    ("acts", "now", "said"),
    [
        ([], ("a",), "Criteria as they standa"),
        ([step(0, BORN, "todo", acceptance=("a", "b"))], ("a", "b"), "Criteria as of 2026-11-30 09:00:00Zab"),
        (
            [step(0, BORN, "todo", acceptance=("a",)), step(1, "todo", "in_progress", BUILDER, **CLAIM)],
            ("a", "b"),
            "Criteria as frozen at the claim of 2026-11-30 10:00:00Zab",
        ),
        (
            [
                step(1, "todo", "in_progress", BUILDER, **CLAIM),
                step(2, "in_progress", "in_progress", BOB, deed=Deed.EDIT, acceptance=("a", "c")),
            ],
            ("a", "c"),
            "Zab\nChanged 2026-11-30 11:00:00Z by human:bob S in ",
        ),
        (
            [
                step(1, "todo", "in_progress", BUILDER, **CLAIM),
                step(2, "in_progress", "in_progress", BOB, deed=Deed.EDIT, acceptance=("b", "a")),
            ],
            ("b", "a"),
            "their order",
        ),
        ([step(1, "todo", "in_progress", BUILDER, acceptance=())], (), "Znone"),
        ([step(1, "todo", "in_progress", BUILDER, acceptance=("a",))], ("x",), "At the tip they read otherwise"),
        ([step(1, "todo", "in_progress", BUILDER, acceptance=("a",))], (), "left them:none"),
        (
            [
                step(1, "todo", "in_progress", BUILDER),
                step(2, "in_progress", "in_progress", BOB, deed=Deed.EDIT, acceptance=("a",)),
            ],
            ("a",),
            "Criteria as of 2026-11-30 11:00:00Za",
        ),
    ],
)
def test_criteria_are_told_as_they_were_claimed_with_each_change_since(
    acts: list[Act], now: tuple[str, ...], said: str
) -> None:
    told = section(6, one(*acts, acceptance=now)).replace("\n", "")
    assert said.replace("\n", "") in told


def test_a_change_of_criteria_shows_what_went_and_what_came() -> None:
    acts = [
        step(1, "todo", "in_progress", BUILDER, **CLAIM),
        step(2, "in_progress", "in_progress", BOB, deed=Deed.EDIT, acceptance=("a", "c")),
    ]
    web = Web(page(one(*acts, acceptance=("a", "c"))))
    assert [text_of(row) for row in web.all("#s6 .diff span")] == ["- b", "+ c"]
    assert "At the tip" not in web.text("#s6")


def test_notes_and_evidence_are_told_and_what_is_missing_is_named() -> None:
    said = section(6, audits.small())
    assert "agent:builder 2026-11-30T11:02:10Z Form and tests: wrote it all" in said
    assert "✓ there src/auth/login.py code" in said
    assert "✗ missing assets/FEAT-101/shot.png image" in said


def test_long_parts_of_a_task_are_cut_and_counted() -> None:
    acts = [step(n, "todo", "in_progress") for n in range(2_001)]
    audit = one(
        *acts,
        acceptance=tuple(map(str, range(201))),
        notes=tuple(("a", "b", str(n)) for n in range(501)),
        artifacts=tuple(Artifact(path=str(n), kind="", present=True) for n in range(201)),
    )
    said = section(6, audit)
    for words in ("And 1 later ones, which", "and 1 more", "And 1 later ones"):
        assert words in said
    assert said.count("And 1 later ones") == 2
    assert said.count("and 1 more") == 2


def test_a_task_names_its_findings_and_one_without_acts_says_so() -> None:
    web = Web(page(audits.small()))
    links = [link.attrs["href"] for link in web.all("#s6 p a")]
    assert links == ["#f3", "#f2"]
    assert "! 1 error" in web.text("#s6")
    assert "Nothing was done to it in this time." in section(6, one())
    assert section(6, audits.empty()).endswith("There is no task.")
    many = tuple(noted("CD101", "x", "y", task=TaskId("Z" if n < 5_250 else "T")) for n in range(5_251))
    assert all(not e.query("a") for e in Web(page(replace(one(), findings=many))).all("#t1 p"))


def test_gone_tasks_come_last_and_one_without_an_id_can_be_opened() -> None:
    web = Web(page(audits.small()))
    names = [text_of(h) for h in web.all("#s6 h3")]
    assert names == ["FEAT-101", "FEAT-102", "FEAT-098", "FEAT-099", "FEAT-103", "FEAT-104", "FEAT-100"]
    assert "not on the branch now" in web.at("#t7")
    assert [
        text_of(h) for h in Web(page(replace(audits.empty(), acts=(act("", BORN, "todo", None, 0),)))).all("#s6 h3")
    ] == ["?"]


# -- keys, policy, pauses


def test_keys_are_told_with_their_time_their_use_and_their_end() -> None:
    said = section(7, audits.small())
    for words in (
        "human:alice maintainer",
        "from 2026-12-01 09:00:00Zuntil 2028-01-04 09:00:00Z",
        "✗ revoked in " + oid("revocation").decode()[:12] + " by human:alice",
        "introduction",
        "2026-11-30to 2026-12-28",
        "never",
        "190",
    ):
        assert words in said
    assert said.index("human:bob") < said.index("agent:builder") < said.index(SERVER)
    assert "No key is listed." in section(7, audits.empty())


@pytest.mark.parametrize(
    ("key", "said"),
    [
        (Key(principal=ALICE, fingerprint="f", gone=True), "no longer listed"),
        (Key(principal=ALICE, fingerprint="f", revoked=oid("r")), "✗ revoked in " + oid("r").decode()[:12]),
        (Key(principal=ALICE, fingerprint="f", since=0), "from 1970-01-01"),
        (Key(principal=ALICE, fingerprint="f", until=1), "until 1970-01-01 00:00:01Z"),
        (Key(principal=ALICE, fingerprint="f", first=0, last=1, uses=2), "✓ listed1970-01-012"),
    ],
)
def test_each_kind_of_key(key: Key, said: str) -> None:
    assert said in section(7, replace(audits.empty(), keys=(key,)))


def test_changes_of_the_policy_are_shown_as_they_are_and_nobody_s_is_red() -> None:
    web = Web(page(audits.small()))
    assert [text_of(h) for h in web.all("#s8 h3")] == ["codifica: key of human:bob", "codifica: revoke agent:writer: laptop stolen", "tidy up"]  # fmt: skip
    assert 'codifica.json-  "max_concurrent_tasks_per_agent": 1+  "max_concurrent_tasks_per_agent": 9' in web.text(
        "#s8"
    )
    assert "nobody proven, without a receipt" in web.text("#s8")
    assert "receipt 99" in web.text("#s8")
    assert "The policy did not change" in section(8, audits.empty())
    long = replace(audits.small().policies[0], subject="", lines=("+x",) * 402)
    said = section(8, replace(audits.empty(), policies=(long, replace(long, lines=()))))
    assert "And 2 more lines, which this page leaves out" in said
    assert "without a subject" in said


def test_pauses_migrations_and_moved_introductions_are_told() -> None:
    said = section(9, audits.small())
    for words in (
        "paused until 2026-12-18 11:00:00Z110\u2013the disk was full",
        "a push passed unjudged: 2 commits to main, up to "
        + oid("p2").decode()[:12]
        + ", pushed by alice (gitea)111CD412",
        "CD412: the message does not name FEAT-102",
        "the pause was ended112\u2013\u2013",
        "human:alice S, commit",
        "v0.1 notes to v0.2 (FEAT-102)",
        f"receipt 150: moved to {oid('new introduction').decode()}: a secret was purged",
    ):
        assert words in said
    none = section(9, audits.empty())
    assert "None: but only receipts would tell of them." in none
    assert "None: the server held every push to the rules." in section(9, audits.clean())
    assert "None: the introduction above is the only one." in none


def test_odd_pauses_migrations_and_introductions_are_told_as_well() -> None:
    push = audits.receipt(5, START, paused=True, pusher=Pusher())
    full = tuple(noted("CD101", "x", str(n)).finding for n in range(21))
    moved = audits.receipt(6, START, kind=INTRODUCTION, introduction=None)
    migrated = [step(0, "todo", "todo", deed=Deed.EDIT, migration="", commit=oid("m")) for _ in range(41)]
    audit = replace(
        audits.empty(),
        acts=tuple(migrated),
        pauses=(Pause(receipt=push, commits=1), Pause(receipt=push, findings=full), Pause(receipt=audits.receipt(7, 0, kind=PAUSE))),
        introductions=(moved,),
    )  # fmt: skip
    said = section(9, audit)
    for words in (
        "a push passed unjudged: 1 commit5nothing\u2013",
        "and 1 more",
        "moved to none: no reason given",
        "no reason given (T",
    ):
        assert words in said


def test_what_there_is_too_much_of_is_cut_and_counted() -> None:
    small = audits.small()
    audit = replace(
        small,
        branches=small.branches[:1] * 201,
        notes=("x",) * 101,
        policies=small.policies[:1] * 2_001,
        pauses=small.pauses[:1] * 1_001,
        introductions=small.introductions * 1_001,
        chain=replace(small.chain, gaps=small.chain.gaps * 501),
        acts=tuple(step(0, "todo", "todo", deed=Deed.EDIT, migration="m", commit=oid(n)) for n in range(1_001)),
    )
    web = Web(page(audit))
    assert web.text("header").count("And 1 more, which this page leaves out.") == 2
    assert [web.text(f"#s{n}").count("And 1 more, which this page leaves out.") for n in (2, 8, 9)] == [0, 1, 3]
    moved = replace(audit, acts=(step(0, BORN, "todo"),))
    assert section(2, moved).count("And 1 more, which this page leaves out.") == 1
    wide = replace(small.policies[0], lines=("+" + "x" * 600,) * 400)
    said = section(8, replace(small, policies=(wide,) * 6))
    assert said.count("Its 400 lines are left out: there were many before.") == 1
    assert len(page(replace(small, policies=(wide,) * 500))) < 2_000_000


def test_the_head_names_what_lies_beside_the_rules() -> None:
    said = Web(page(audits.small())).text("header")
    assert "! 1 push passed unjudged in a pause, the introduction was moved 1 time, 1 migration: section 9" in said
    assert "Beside the rules" not in Web(page(audits.clean())).text("header")


def test_an_id_that_stands_twice_is_told_twice_and_what_was_done_to_it_once() -> None:
    audit = one(step(0, BORN, "todo"))
    web = Web(page(replace(audit, tasks=(*audit.tasks, replace(audit.tasks[0], title="Other")))))
    assert [text_of(t.query("summary")[0]) for t in web.all("details.task")] == [
        "T Title todo, agent:builder, 1 act",
        "T Other todo, agent:builder, 0 acts",
    ]
    assert web.links().count("#t1") == 2


def test_with_many_tasks_long_notes_are_cut_sooner() -> None:
    note = (("a", "b", "x" * 3_000),)
    few = one(notes=note)
    many = replace(
        few, tasks=few.tasks + tuple(replace(few.tasks[0], task=TaskId(f"T-{n}"), notes=()) for n in range(300))
    )
    assert ("2,400 more of 3,000" in section(6, few), "2,400 more of 3,000" in section(6, many)) == (False, True)


# -- by hand


def test_the_example_is_the_newest_approval_else_the_newest_step() -> None:
    made = [
        step(0, BORN, "todo", proof=Proof.TRAILER, commit=oid(0)),
        step(1, "to_be_tested", "done", proof=Proof.TRAILER, commit=oid(1)),
        step(2, "done", "todo", proof=Proof.TRAILER, commit=oid(2)),
        step(3, "todo", "in_progress", proof=Proof.GIT, commit=oid(3)),
        step(4, "todo", "todo", deed=Deed.EDIT, proof=Proof.GIT, commit=oid(4)),
        step(5, "todo", "in_progress", proof=Proof.GIT, commit=oid(5), judged=False),
    ]
    said = "".join(checks(replace(audits.empty(), acts=tuple(made))))
    assert f"c={oid(1).decode()} id=T who=human:alice" in said
    assert f"git show {oid(3).decode()}\n" in said
    only = "".join(checks(replace(audits.empty(), acts=tuple(made[3:4]))))
    assert "One transition, signed by a trailer" not in only


def test_the_command_for_the_same_page_names_what_it_was_made_with() -> None:
    pinned = replace(audits.clean(), filters={"--since": "2026-12-01", "--weekly": "", "--task": "a b"})
    said = "".join(checks(pinned))
    assert (
        f"codifica-guard==1.1.0 audit --since 2026-12-01 --weekly --task VALUE --introduction {oid('introduction').decode()} --html"
        in said
    )
    assert " origin/HEAD &amp;&amp; echo it does" in "".join(checks(audits.hostile()))
    assert "audit --html again.html" in "".join(checks(audits.empty()))
    assert "--is-ancestor TIP origin/main" in "".join(checks(replace(audits.empty(), branches=())))
    assert "G NAME ... receipt N" in "".join(
        checks(replace(audits.small(), chain=replace(audits.small().chain, servers=())))
    )


def test_marks_have_a_letter_and_a_word() -> None:
    said = section(2, audits.small())
    for mark in Mark:
        assert f"{mark.value} " in said
