"""Audits by hand, for what is made from them: one as people know it, one whose every text is hostile, one of any size.

All times are fixed, so that what is made of equal audits is equal.
"""

import hashlib
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from codifica_guard.model.act import BORN, Act, Deed, Mark, deed_between
from codifica_guard.model.audited import (
    Anchor,
    Artifact,
    Audit,
    Branch,
    Chain,
    Gap,
    Key,
    Noted,
    Pause,
    PolicyChange,
    TaskNow,
)
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId, RefName, RepoPath, TaskId
from codifica_guard.model.receipt import INTRODUCTION, PAUSE, PUSH, Line, Pusher, Receipt, Warned
from codifica_guard.model.value import replace

MAIN: Final = RefName(b"refs/heads/main")
RELEASE: Final = RefName(b"refs/heads/release/1")

ALICE, BOB, BUILDER, WRITER, SERVER = (
    "human:alice",
    "human:bob",
    "agent:builder",
    "agent:writer",
    "server:git.example.org",
)
FINGERPRINTS: Final = {
    ALICE: "SHA256:PdykPH7FMRsl2Zv3CkGcNTuGrrhDXkVTzuzQX8f3oYw",
    BOB: "SHA256:9aTqOq3mAgRHOkPS0K0bmqcJvbn2yuCsOnUy7nVY1mA",
    BUILDER: "SHA256:JYg07VOpG1uqk7Y7IQ1dq3Lk5zgVbG9rxQ0vC2cIYxk",
    WRITER: "SHA256:Kp31sGzXfa3KXsd1Rqnj9mZ7yoOQeFNQYx2Zk1rJ1eE",
    SERVER: "SHA256:x0RbTo3bYyQ4WlUS4Wh4v3nEw2m0sXwqzJx4r9Q9c3s",
}

START: Final = int(datetime(2026, 11, 30, 9, 0, tzinfo=UTC).timestamp())
HOUR, DAY = 3600, 86400

BIDI: Final = "\u202e"
HOSTILE: Final = f"<script>alert(1)</script>\"'&amp;]]>{BIDI}\x1b[31m\x07\x00\u2028%0A::error::x|`$(id)`\\"
"""Markup, quotes, a terminal's escape, a reversal of direction, control characters, a workflow command, a shell's words."""


def oid(name: object) -> ObjectId:
    """The id of a commit that is known by a name: the same at every call."""
    return ObjectId(hashlib.sha1(str(name).encode(), usedforsecurity=False).hexdigest().encode())


def act(task: str, source: str, target: str, actor: str | None, at: int, **more: Any) -> Act:
    """One act; it is signed where somebody is named, and seen by no receipt unless one is given."""
    given: dict[str, Any] = {
        "task": TaskId(task),
        "deed": deed_between(source, target),
        "source": source,
        "target": target,
        "commit": oid((task, source, target, at)),
        "at": at,
        "dated": at - 2,
        "actor": actor,
        "claimed": actor,
        "mark": Mark.SIGNED if actor is not None else Mark.UNPROVEN,
        "key": FINGERPRINTS.get(actor or ""),
    }
    return Act(**{**given, **more})


def noted(code: str, name: str, found: str, *, severity: Severity = Severity.ERROR, **more: Any) -> Noted:
    """One finding; `at`, `receipt`, `ref` and `check` are told beside it, all else is the finding's."""
    beside = {field: more.pop(field) for field in ("at", "receipt", "ref", "check") if field in more}
    return Noted(finding=Finding(code=code, name=name, severity=severity, found=found, **more), **beside)


def clean() -> Audit:
    """An audit that has found nothing: pinned, every commit with its receipt, nobody unproven."""
    acts = tuple(_life("FEAT-101", START, receipt=2))
    return Audit(
        name="shop",
        guard="1.1.0",
        ruleset=1,
        anchor=Anchor(commit=oid("introduction"), by=ALICE, key=FINGERPRINTS[ALICE], pinned=True),
        branches=(
            Branch(
                ref=MAIN, tip=oid("tip"), commits=12, order="receipts", first=START, last=START + DAY, coordinating=True
            ),
        ),
        chain=Chain(first=1, last=5, servers=((SERVER, FINGERPRINTS[SERVER]),)),
        acts=acts,
        keys=_keys(),
        tasks=(_now("FEAT-101", "Login form", "done"),),
        stale_hours=24.0,
    )


def small() -> Audit:
    """An audit as people know it: two branches, four weeks, a gap, one act that no rule allows, warnings, a pause, a moved anchor."""
    acts = (
        *_life("FEAT-101", START, receipt=2),
        *_life("FEAT-102", START + 8 * DAY, receipt=40, back=True),
        *_life("FEAT-098", START + 15 * DAY, receipt=88, agent=WRITER, until="to_be_tested"),
        act("FEAT-099", BORN, "todo", BOB, START + 10 * DAY, receipt=50, owner="unassigned", acceptance=("It is fast",)),
        act("FEAT-099", "todo", "in_progress", WRITER, START + 11 * DAY, receipt=51, owner=WRITER, session="s-7", acceptance=("It is fast",)),
        act("FEAT-099", "in_progress", "to_be_tested", WRITER, START + 12 * DAY, mark=Mark.TOKEN, receipt=52, owner=WRITER, session="s-7", summary="Fast enough"),
        act("FEAT-099", "to_be_tested", "rejected", WRITER, START + 13 * DAY, owner=WRITER, reason="Not worth it"),
        act("FEAT-100", BORN, "todo", None, START + 13 * DAY + HOUR, claimed="Mallory <m@example.org>"),
        act("FEAT-101", "done", "done", BOB, START + 20 * DAY, receipt=120, deed=Deed.EDIT, owner=BUILDER, edited=("acceptance", "title"), acceptance=("A link is mailed", "It ends after 1 h")),
        act("FEAT-103", BORN, "todo", ALICE, START + 21 * DAY, receipt=121, mark=Mark.TOUCHED, owner="human", acceptance=()),
        act("FEAT-103", "todo", "todo", ALICE, START + 22 * DAY, receipt=122, deed=Deed.CHOOSE, owner="human"),
        act("FEAT-104", BORN, "todo", ALICE, START + 2 * DAY, owner="unassigned", judged=False),
        act("FEAT-102", "done", "done", ALICE, START + 23 * DAY, receipt=123, deed=Deed.EDIT, owner=BUILDER, migration="v0.1 notes to v0.2"),
    )  # fmt: skip
    gap = Gap(
        ref=MAIN, old=oid("gap old"), new=oid("gap new"), commits=14, since=START + 12 * DAY, until=START + 14 * DAY
    )
    bad = oid(("FEAT-099", "to_be_tested", "rejected", START + 13 * DAY))
    findings = (
        noted(
            "AU101", "unseen-push", "14 commits on main came in without a receipt", expected="a receipt for every push",
            do=("codifica-guard doctor", "git log gap"), ref=MAIN, at=START + 14 * DAY, receipt=53, commit=oid("gap new"),
            check=("git log --oneline " + oid("gap old")[:7].decode() + ".." + oid("gap new")[:7].decode(),),
        ),
        noted(
            "CD202", "human-only", "to_be_tested -> rejected by agent:writer", expected="a human, signed", commit=bad,
            task=TaskId("FEAT-099"), path=RepoPath(b"work.md"), line=88, column=3, actor=WRITER, ref=MAIN, at=START + 13 * DAY,
            do=("git codifica reopen FEAT-099 -m why",), check=(f"git verify-commit {bad.decode()}", f"git show {bad.decode()} -- work.md"),
        ),
        noted(
            "CD213", "self-approval", "agent:builder closed its own task", severity=Severity.WARNING, commit=oid("warned"),
            task=TaskId("FEAT-102"), path=RepoPath(b"work.md"), line=12, actor=BUILDER, ref=MAIN, at=START + 9 * DAY, receipt=47,
        ),
    )  # fmt: skip
    return Audit(
        name="shop",
        guard="1.1.0",
        ruleset=1,
        anchor=Anchor(commit=oid("introduction"), by=ALICE, key=FINGERPRINTS[ALICE], pinned=False),
        branches=(
            Branch(
                ref=MAIN,
                tip=oid("tip"),
                commits=9940,
                order="receipts",
                first=START,
                last=START + 30 * DAY,
                coordinating=True,
            ),
            Branch(
                ref=RELEASE,
                tip=oid("release"),
                commits=3,
                order="receipts",
                first=START + 20 * DAY,
                last=START + 21 * DAY,
            ),
        ),
        chain=Chain(first=1, last=212, servers=((SERVER, FINGERPRINTS[SERVER]),), gaps=(gap,), before=2),
        acts=tuple(sorted(acts, key=lambda a: a.at)),
        findings=findings,
        notes=("2 commits on main lie before the first receipt: judged by their committers' dates",),
        keys=_keys(),
        policies=_policies(),
        pauses=_pauses(),
        introductions=(
            receipt(
                150,
                START + 25 * DAY,
                kind=INTRODUCTION,
                introduction=oid("new introduction"),
                reason="a secret was purged",
            ),
        ),
        tasks=(
            _now("FEAT-101", "Login form", "done"),
            _now("FEAT-102", "Password reset", "done"),
            _now("FEAT-098", "Cart totals", "to_be_tested", owner=WRITER),
            _now("FEAT-099", "Price list", "rejected", owner=WRITER),
            _now("FEAT-103", "Terms of service", "todo", owner="human"),
        ),
        stale_hours=24.0,
    )


def unreceipted() -> Audit:
    """The same history in a repository whose server writes no receipts."""
    seen = small()
    return replace(
        seen,
        branches=tuple(replace(branch, order="first parents") for branch in seen.branches),
        chain=Chain(),
        acts=tuple(replace(found, receipt=None, at=found.dated) for found in seen.acts),
        findings=tuple(replace(found, receipt=None) for found in seen.findings if found.finding.code != "AU101"),
        notes=("no receipts: order from first parents, times are the committers'",),
        pauses=(),
        introductions=(),
    )


def empty() -> Audit:
    """A repository whose guard was introduced a moment ago: no act, no finding, no receipt, no task."""
    return Audit(
        name="shop",
        guard="1.1.0",
        ruleset=1,
        anchor=Anchor(commit=oid("introduction"), by=ALICE, key=FINGERPRINTS[ALICE], pinned=False),
        branches=(Branch(ref=MAIN, tip=oid("introduction"), commits=1, order="first parents", coordinating=True),),
    )


def hostile() -> Audit:
    """An audit whose every pushed text is hostile, or 10,000 characters long, whose times lie outside every calendar."""
    long = "A" * 9_000 + HOSTILE * 20
    ref = RefName(b"refs/heads/" + HOSTILE.encode("utf-8").replace(b"\x00", b"") + b"\xff\xfe")
    acts = (
        act(HOSTILE, BORN, HOSTILE, HOSTILE, -(2**62), claimed=HOSTILE, owner=long, session=HOSTILE, reason=long, summary=long, review=HOSTILE, edited=(HOSTILE, long), acceptance=(HOSTILE, long, ""), migration=long, key=HOSTILE, receipt=2**53),
        act(long, HOSTILE, long, None, 2**62, claimed=long, owner=None),
        act("", "", "", None, 0, claimed=None),
        act("FEAT-1\n# heading", "todo", "in_progress", ALICE, START, owner="=cmd|' /C calc'!A1", reason="\r\n\r\n<img src=x onerror=alert(1)>"),
        act("../../etc/passwd", "in_progress", "in_progress", BUILDER, START + 1, session="--exec", owner=BUILDER),
    )  # fmt: skip
    findings = (
        noted(
            "CD202", "human-only", long, expected=long, do=(HOSTILE, long), path=RepoPath(b"a\n\xff<b>/" + HOSTILE.encode()),
            line=1, column=1, task=TaskId(HOSTILE), commit=oid("hostile"), actor=HOSTILE, ref=ref, at=2**62, check=(HOSTILE, long),
        ),
        noted("AU105", "receipt-disagrees", HOSTILE, ref=ref, at=None),
        noted("CD108", "times", HOSTILE, severity=Severity.WARNING, path=RepoPath(b"\xff" * 300), line=2**31, at=-(2**62)),
    )  # fmt: skip
    pushed = receipt(
        2**53,
        2**40,
        server=HOSTILE,
        ref=ref,
        new=oid(1),
        pusher=Pusher(name=long, by=HOSTILE, how=long),
        paused=True,
        until=2**60,
        reason=long,
        refused=(HOSTILE, "CD202"),
        warnings=(Warned(code=HOSTILE, task=long),),
        lines=(
            Line(record=HOSTILE, source=long, target=HOSTILE, actor=HOSTILE, key=HOSTILE, proof="?", commit=oid(1)),
        ),
    )
    return Audit(
        name=long,
        guard="1.1.0",
        ruleset=2,
        preview=True,
        anchor=Anchor(commit=oid("introduction"), by=HOSTILE, key=HOSTILE, pinned=False),
        branches=(
            Branch(ref=ref, tip=oid("tip"), commits=1, order="first parents", first=-(2**62), last=2**62, coordinating=True),
        ),
        chain=Chain(
            first=1,
            last=2**53,
            held=False,
            servers=((HOSTILE, long),),
            gaps=(Gap(ref=ref, old=None, new=oid("x"), commits=10**9, since=-(2**62), until=2**62),),
            before=10**9,
        ),
        acts=acts,
        findings=findings,
        notes=(HOSTILE, long),
        keys=(Key(principal=HOSTILE, fingerprint=long, since=-(2**62), until=2**62, revoker=HOSTILE, revoked=oid("r")),),
        policies=(
            PolicyChange(
                commit=oid("p"), at=2**62, actor=HOSTILE, key=long, subject=long, lines=("+" + HOSTILE, "-" + long, HOSTILE)
            ),
        ),
        pauses=(Pause(receipt=pushed, commits=1, findings=tuple(found.finding for found in findings)),),
        introductions=(replace(pushed, kind=INTRODUCTION, ref=None, new=None),),
        tasks=(
            TaskNow(
                task=TaskId(HOSTILE),
                title=long,
                type=HOSTILE,
                state=HOSTILE,
                owner=long,
                acceptance=(HOSTILE, long),
                notes=((HOSTILE, long, HOSTILE), ("", "", "")),
                artifacts=(Artifact(path=HOSTILE, kind=long, present=True), Artifact(path="javascript:alert(1)", kind="", present=False)),
            ),
            TaskNow(task=TaskId("../../etc/passwd"), title="", type="", state="", owner=""),
        ),
        stale_hours=1e300,
        filters={"--task": HOSTILE, "--since": long},
    )  # fmt: skip


def large(tasks: int, transitions: int) -> Audit:
    """A history of so many tasks and transitions, a year of it, every one with its receipt."""
    one = small()
    acts: list[Act] = []
    step = 365 * DAY // max(1, transitions)
    lives = [_endless(f"TASK-{number}") for number in range(tasks)]
    for number in range(transitions):
        made = next(lives[(number * tasks // transitions + number % 50) % tasks])  # some fifty run at a time
        acts.append(
            replace(made, at=START + number * step, dated=START + number * step, receipt=number + 1, commit=oid(number))
        )
    names = {str(made.task): made.target for made in acts}
    return replace(
        one,
        name="large",
        acts=tuple(acts),
        tasks=tuple(_now(f"TASK-{n}", f"Task number {n}", names.get(f"TASK-{n}", "todo")) for n in range(tasks)),
        chain=Chain(first=1, last=transitions, servers=((SERVER, FINGERPRINTS[SERVER]),)),
    )  # fmt: skip


def receipt(number: int, time: int, **more: Any) -> Receipt:
    """One receipt of the server, of a push unless another kind is given."""
    given: dict[str, Any] = {
        "number": number,
        "kind": PUSH,
        "repository": "5a" * 16,
        "server": SERVER,
        "guard": "1.1.0",
        "ruleset": 1,
        "time": time,
        "introduction": oid("introduction"),
        "push": f"{number:016x}"[-16:],
        "pusher": Pusher(name="alice", by="gitea", how="ssh key 12"),
    }
    return Receipt(**{**given, **more})


# -- parts


_ACCEPTANCE: Final = ("A reset link is mailed and expires after 1 h", "The old password stops working")


def _life(
    task: str, start: int, *, receipt: int, agent: str = BUILDER, back: bool = False, until: str = "done"
) -> Iterator[Act]:
    """A task from its birth to its end, every step seen by the next receipt."""
    steps: list[tuple[str, str, str, dict[str, Any]]] = [
        (BORN, "todo", ALICE, {"owner": "unassigned", "acceptance": _ACCEPTANCE}),
        ("todo", "in_progress", agent, {"owner": agent, "session": "s-41", "acceptance": _ACCEPTANCE}),
        ("in_progress", "to_be_tested", agent, {"owner": agent, "session": "s-41", "mark": Mark.TOKEN, "summary": "Form and tests"}),
    ]  # fmt: skip
    if back:
        steps += [
            ("to_be_tested", "todo", BOB, {"owner": agent, "reason": "the link lives on: criterion 2", "mark": Mark.ATTESTED}),
            ("todo", "in_progress", agent, {"owner": agent, "session": "s-42", "acceptance": _ACCEPTANCE}),
            ("in_progress", "in_progress", agent, {"owner": agent, "session": "s-43", "mark": Mark.TOKEN, "reason": "container lost"}),
            ("in_progress", "to_be_tested", agent, {"owner": agent, "session": "s-43", "mark": Mark.TOKEN, "summary": "Links die"}),
        ]  # fmt: skip
    steps.append(
        ("to_be_tested", "done", ALICE, {"owner": agent, "review": "pass", "mark": Mark.TOUCHED, "reason": "tried on staging"})
    )  # fmt: skip
    for number, (source, target, actor, more) in enumerate(steps):
        yield act(task, source, target, actor, start + number * 5 * HOUR, receipt=receipt + number, **more)
        if target == until and number:
            return


_ROUND: Final[Sequence[tuple[str, str, str, Mark]]] = (
    ("todo", "in_progress", BUILDER, Mark.SIGNED),
    ("in_progress", "to_be_tested", BUILDER, Mark.TOKEN),
    ("to_be_tested", "todo", BOB, Mark.ATTESTED),
    ("todo", "in_progress", WRITER, Mark.SIGNED),
    ("in_progress", "to_be_tested", WRITER, Mark.TOKEN),
    ("to_be_tested", "done", ALICE, Mark.TOUCHED),
    ("done", "todo", ALICE, Mark.SIGNED),
)


def _endless(task: str) -> Iterator[Act]:
    """A task that is done and reopened for ever."""
    yield act(task, BORN, "todo", ALICE, START, owner="unassigned", acceptance=_ACCEPTANCE)
    while True:
        for source, target, actor, mark in _ROUND:
            owner = actor if actor.startswith("agent:") else BUILDER
            yield act(task, source, target, actor, START, mark=mark, owner=owner, reason="as agreed")


def _now(task: str, title: str, state: str, owner: str = BUILDER) -> TaskNow:
    return TaskNow(
        task=TaskId(task),
        title=title,
        type="build",
        state=state,
        owner=owner,
        acceptance=_ACCEPTANCE,
        notes=((owner, "2026-11-30T11:02:10Z", "Form and tests: wrote it all"),),
        artifacts=(
            Artifact(path="src/auth/login.py", kind="code", present=True),
            Artifact(path=f"assets/{task}/shot.png", kind="image", present=False),
        ),
    )


def _keys() -> tuple[Key, ...]:
    return (
        Key(principal=ALICE, fingerprint=FINGERPRINTS[ALICE], first=START, last=START + 28 * DAY, uses=61, maintainer=True),
        Key(principal=ALICE, fingerprint="SHA256:7Lwq3mAgRHOkPS0K0bmqcJvbn2yuCsOnUy7nVY1mAx", since=START + DAY, until=START + 400 * DAY, listed=oid("rotation"), maintainer=True),
        Key(principal=BOB, fingerprint=FINGERPRINTS[BOB], listed=oid("key bob"), first=START + 2 * DAY, last=START + 20 * DAY, uses=6),
        Key(principal=BUILDER, fingerprint=FINGERPRINTS[BUILDER], first=START, last=START + 29 * DAY, uses=190),
        Key(principal=WRITER, fingerprint=FINGERPRINTS[WRITER], first=START + DAY, last=START + 15 * DAY, uses=98, revoked=oid("revocation"), revoker=ALICE, gone=True),
        Key(principal=SERVER, fingerprint=FINGERPRINTS[SERVER], listed=oid("key server")),
    )  # fmt: skip


def _policies() -> tuple[PolicyChange, ...]:
    return (
        PolicyChange(
            commit=oid("key bob"), at=START + 2 * DAY, actor=ALICE, key=FINGERPRINTS[ALICE], subject="codifica: key of human:bob",
            lines=(".codifica/allowed_signers", '+human:bob namespaces="git,codifica-guard" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIK7'), receipt=7,
        ),
        PolicyChange(
            commit=oid("revocation"), at=START + 16 * DAY, actor=ALICE, key=FINGERPRINTS[ALICE], subject="codifica: revoke agent:writer: laptop stolen",
            lines=(".codifica/allowed_signers", "-agent:writer ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKp3", ".codifica/revoked_keys", "+ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIKp3"), receipt=99,
        ),
        PolicyChange(
            commit=oid("unknown policy"), at=START + 13 * DAY, actor=None, key=None, subject="tidy up",
            lines=("codifica.json", '-  "max_concurrent_tasks_per_agent": 1', '+  "max_concurrent_tasks_per_agent": 9'),
        ),
    )  # fmt: skip


def _pauses() -> tuple[Pause, ...]:
    until, why = START + 18 * DAY + 2 * HOUR, "the disk was full"
    told = noted(
        "CD412", "message", "the message does not name FEAT-102", task=TaskId("FEAT-102"), commit=oid("paused")
    )
    return (
        Pause(receipt=receipt(110, START + 18 * DAY, kind=PAUSE, paused=True, until=until, reason=why)),
        Pause(
            receipt=receipt(
                111, START + 18 * DAY + HOUR, ref=MAIN, old=oid("p1"), new=oid("p2"), paused=True, until=until, reason=why,
                refused=("CD412",),
            ),
            commits=2,
            findings=(told.finding,),
        ),
        Pause(receipt=receipt(112, until - 60, kind=PAUSE, reason="")),
    )  # fmt: skip
