"""CD201-CD213: how a task moves, and what is written down about it."""

from itertools import product
from typing import Final

import pytest

from codifica_guard.packs.codifica.vocabulary import STATES, TABLE, Who
from codifica_guard.rules.view import CommitView
from tests.unit.packs_codifica.cases import (
    CLAIM,
    CLOSING,
    HAND_IN,
    MIGRATION,
    Case,
    accepted,
    at,
    block,
    breaches,
    check,
    documents,
    handed_in,
    note,
    refused,
    running,
    step,
    told,
)
from tests.unit.views import ALICE, BOB, BUILDER, WRITER, codifica, commit_view, policy

TODO: Final = block()
UNREADABLE: Final = block(title=...) + "  title: `a`\n"
OLD: Final = policy(config=codifica(version="0.1"))
CUSTOM: Final = policy(config=codifica(custom_types=("design",)))
OWNERS_ONLY: Final = policy(review_by="owner")


def moved(source: str, target: str, **fields: object) -> tuple[str, str]:
    return block(state=source, **fields), block(state=target, **fields)


# -- the table


@pytest.mark.parametrize(("source", "target"), list(product(STATES, STATES)))
@pytest.mark.parametrize("actor", [ALICE, BUILDER])
def test_a_step_stands_in_the_table_or_is_refused(source: str, target: str, actor: object) -> None:
    before, after = moved(source, target)
    view = commit_view(documents(before), documents(after), actor=actor)  # type: ignore[arg-type]
    legal = source == target or (source, target) in TABLE
    assert told("CD201", breaches("CD201", view)) == (() if legal else (f"error: {source} -> {target}",))


@pytest.mark.parametrize(("source", "target"), [move for move, who in TABLE.items() if who is Who.HUMAN])
def test_a_humans_step_is_no_agents_even_of_its_own_task(source: str, target: str) -> None:
    before, after = moved(source, target, owner=BUILDER)

    def by(actor: object) -> CommitView:
        return commit_view(documents(before), documents(after), actor=actor)  # type: ignore[arg-type]

    assert told("CD202", breaches("CD202", by(BUILDER))) == (f"error: {source} -> {target} by agent:builder",)
    assert breaches("CD202", by(ALICE)) == []
    assert breaches("CD202", by(None)) == []


@pytest.mark.parametrize(("source", "target"), [move for move, who in TABLE.items() if who is not Who.HUMAN])
def test_the_other_steps_are_no_humans_alone(source: str, target: str) -> None:
    before, after = moved(source, target, owner=BUILDER)
    assert breaches("CD202", commit_view(documents(before), documents(after), actor=BUILDER)) == []


def test_the_table_is_the_protocols() -> None:
    """Clauses 7.1 and 7.2, as they are told in docs/readings.md."""
    humans = {(s, "blocked") for s in STATES if s != "blocked"} | {
        (s, "rejected") for s in ("todo", "blocked", "in_progress")
    }
    humans |= {
        ("blocked", "todo"),
        ("blocked", "in_progress"),
        ("rejected", "todo"),
        ("done", "todo"),
        ("in_progress", "todo"),
    }
    assert {move for move, who in TABLE.items() if who is Who.HUMAN} == humans
    assert {move: who for move, who in TABLE.items() if who is not Who.HUMAN} == {
        ("todo", "in_progress"): Who.ANYBODY,
        ("in_progress", "to_be_tested"): Who.OWNER,
        ("in_progress", "done"): Who.OWNER,
        ("to_be_tested", "done"): Who.OWNER_OR_HUMAN,
        ("to_be_tested", "todo"): Who.OWNER_OR_HUMAN,
    }


UNKNOWN: Final = (
    refused("CD201", "out-of-an-unknown-state", *moved("doing", "done"), BUILDER, "error: doing -> done by agent:builder"),
    refused("CD201", "out-of-no-state", block(state=...), block(state="done"), BUILDER, "error: no state -> done by agent:builder"),
    accepted("CD201", "a-human-mends-a-state", *moved("doing", "todo"), ALICE),
    accepted("CD201", "into-an-unknown-state", *moved("todo", "doing"), BUILDER),
    accepted("CD201", "into-no-state", TODO, block(state=...), BUILDER),
    accepted("CD201", "unreadable-before", UNREADABLE, block(state="done"), BUILDER),
    accepted("CD201", "nobody", *moved("todo", "done"), None),
    accepted("CD201", "migrated", *moved("todo", "done"), ALICE, trailing=MIGRATION),
    refused("CD201", "migrated-by-no-maintainer", *moved("todo", "done"), BOB, "error: todo -> done", trailing=MIGRATION),
)  # fmt: skip

# -- who


def owned(source: str, target: str, owner: object) -> tuple[str, str]:
    return moved(source, target, owner=owner)


OWNER: Final = (
    refused("CD203", "hand-in-by-another-agent", *owned("in_progress", "to_be_tested", BUILDER), WRITER, "error: in_progress -> to_be_tested by agent:writer; the owner is agent:builder"),
    refused("CD203", "hand-in-by-a-human", *owned("in_progress", "to_be_tested", BUILDER), ALICE, "error: in_progress -> to_be_tested by human:alice; the owner is agent:builder"),
    refused("CD203", "closed-by-a-human", *owned("in_progress", "done", BUILDER), ALICE, "error: in_progress -> done by human:alice; the owner is agent:builder"),
    refused("CD203", "approved-by-another-agent", *owned("to_be_tested", "done", BUILDER), WRITER, "error: to_be_tested -> done by agent:writer; the owner is agent:builder"),
    refused("CD203", "returned-by-another-agent", *owned("to_be_tested", "todo", BUILDER), WRITER, "error: to_be_tested -> todo by agent:writer; the owner is agent:builder"),
    refused("CD203", "approved-where-only-owners-may", *owned("to_be_tested", "done", BUILDER), ALICE, "error: to_be_tested -> done by human:alice; the owner is agent:builder", under=OWNERS_ONLY),
    refused("CD203", "of-nobody", *owned("in_progress", "to_be_tested", "unassigned"), BUILDER, "error: in_progress -> to_be_tested by agent:builder; the owner is unassigned"),
    refused("CD203", "owner-written-in-the-same-step", block(state="in_progress", owner=WRITER), block(state="done", owner=BUILDER), BUILDER, "error: in_progress -> done by agent:builder; the owner is agent:writer"),
    accepted("CD203", "hand-in", *owned("in_progress", "to_be_tested", BUILDER), BUILDER),
    accepted("CD203", "a-humans-own", *owned("in_progress", "to_be_tested", ALICE), ALICE),
    accepted("CD203", "any-humans", *owned("in_progress", "to_be_tested", "human"), BOB),
    accepted("CD203", "approved-by-a-human", *owned("to_be_tested", "done", BUILDER), BOB),
    accepted("CD203", "returned-by-a-human", *owned("to_be_tested", "todo", BUILDER), BOB),
    accepted("CD203", "own-where-only-owners-may", *owned("to_be_tested", "done", BUILDER), BUILDER, under=OWNERS_ONLY),
    accepted("CD203", "claimed-by-another", *owned("todo", "in_progress", WRITER), BUILDER),
    accepted("CD203", "blocked-by-a-human", *owned("in_progress", "blocked", BUILDER), ALICE),
    accepted("CD203", "edited", running(), running(title="x"), WRITER),
    accepted("CD203", "nobody", *owned("in_progress", "done", BUILDER), None),
)  # fmt: skip

TESTED: Final = (
    refused("CD204", "build", *moved("in_progress", "done"), BUILDER, "error: in_progress -> done of a task of type build"),
    refused("CD204", "build-by-a-human", *moved("in_progress", "done"), ALICE, "error: in_progress -> done of a task of type build"),
    refused("CD204", "custom", *moved("in_progress", "done", type="design"), BUILDER, "error: in_progress -> done of a task of type design", under=CUSTOM),
    refused("CD204", "type-changed-in-the-same-step", block(state="in_progress"), block(state="done", type="test"), BUILDER, "error: in_progress -> done of a task of type build"),
    *(accepted("CD204", kind, *moved("in_progress", "done", type=kind), BUILDER) for kind in ("test", "investigate", "followup")),
    accepted("CD204", "after-testing", *moved("to_be_tested", "done"), BUILDER),
    accepted("CD204", "nobody", *moved("in_progress", "done"), None),
)  # fmt: skip

# -- reasons

MISSING: Final = "error: blocked_reason is missing"
REASON: Final = (
    refused("CD205", "absent", *moved("todo", "blocked"), ALICE, MISSING),
    refused("CD205", "blank", TODO, block(state="blocked", blocked_reason="  "), ALICE, MISSING),
    refused("CD205", "a-list", TODO, block(state="blocked", blocked_reason=["a"]), ALICE, MISSING),
    refused("CD205", "from-done", *moved("done", "blocked"), ALICE, MISSING),
    accepted("CD205", "given", TODO, block(state="blocked", blocked_reason="The key"), ALICE),
    accepted("CD205", "was-blocked", block(state="blocked"), block(state="blocked", title="x"), ALICE),
    accepted("CD205", "unblocked", *moved("blocked", "todo"), ALICE),
    accepted("CD205", "nobody", *moved("todo", "blocked"), None),
)  # fmt: skip


def because(source: str, target: str, *entries: object, owner: str = BUILDER) -> tuple[str, str]:
    return block(state=source, owner=owner), block(state=target, owner=owner, state_transitions=list(entries))


WHY: Final = (
    *(
        refused("CD206", f"{source}-{target}", *moved(source, target), ALICE, f"error: {source} -> {target} without a reason")
        for source, target in (
            ("todo", "rejected"), ("blocked", "rejected"), ("in_progress", "rejected"),
            ("rejected", "todo"), ("done", "todo"), ("in_progress", "todo"),
        )
    ),
    *(
        accepted("CD206", f"{source}-{target}-with-reason", *because(source, target, step(source, target, reason="No use")), ALICE)
        for source, target in (("todo", "rejected"), ("done", "todo"), ("in_progress", "todo"))
    ),
    refused("CD206", "blank", *because("done", "todo", step("done", "todo", reason=" ")), ALICE, "error: done -> todo without a reason"),
    refused("CD206", "a-list", *because("done", "todo", step("done", "todo", reason=["a"])), ALICE, "error: done -> todo without a reason"),
    refused("CD206", "of-another-step", *because("done", "todo", step("todo", "done", reason="x")), ALICE, "error: done -> todo without a reason"),
    refused("CD206", "an-older-one", block(state="done", state_transitions=[step("done", "todo", reason="x")]), block(state_transitions=[step("done", "todo", reason="x")]), ALICE, "error: done -> todo without a reason"),
    refused("CD206", "an-agents-return", *because("to_be_tested", "todo"), BUILDER, "error: to_be_tested -> todo without a reason"),
    refused("CD206", "a-humans-return", *because("to_be_tested", "todo"), ALICE, "warning: to_be_tested -> todo without a reason"),
    refused("CD206", "migrated", *because("done", "todo"), ALICE, "error: done -> todo without a reason", trailing=MIGRATION),
    accepted("CD206", "return-with-reason", *because("to_be_tested", "todo", step("to_be_tested", "todo", reason="x")), BUILDER),
    accepted("CD206", "unblocked", *because("blocked", "todo"), ALICE),
    accepted("CD206", "blocked", *because("todo", "blocked"), ALICE),
    accepted("CD206", "not-in-the-table", *because("done", "rejected"), ALICE),
    accepted("CD206", "edited", TODO, block(title="x"), ALICE),
    accepted("CD206", "nobody", *because("done", "todo"), None),
)  # fmt: skip

# -- the entry


def recorded(
    *entries: object, source: str = "in_progress", target: str = "to_be_tested", owner: str = BUILDER
) -> tuple[str, str]:
    first = {"owner": owner, "state_transitions": [CLAIM]}
    return block(state=source, **first), block(state=target, **{**first, "state_transitions": [CLAIM, *entries]})


NONE: Final = "state_transitions has no entry for in_progress -> to_be_tested"
ENTRY: Final = (
    refused("CD207", "none", *recorded(), BUILDER, f"error: {NONE}"),
    refused("CD207", "none-by-a-human", *recorded(owner=ALICE), ALICE, f"warning: {NONE}"),
    refused("CD207", "two", *recorded(HAND_IN, HAND_IN), BUILDER, "error: 2 new entries for one transition"),
    refused("CD207", "another-state", *recorded(step("in_progress", "done")), BUILDER, "error: the new entry says in_progress -> done by agent:builder"),
    refused("CD207", "another-start", *recorded(step("todo", "to_be_tested")), BUILDER, "error: the new entry says todo -> to_be_tested by agent:builder"),
    refused("CD207", "another-actor", *recorded(step("in_progress", "to_be_tested", WRITER)), BUILDER, "error: the new entry says in_progress -> to_be_tested by agent:writer"),
    refused("CD207", "an-agent-as-a-human", *recorded(step("in_progress", "to_be_tested", "human")), BUILDER, "error: the new entry says in_progress -> to_be_tested by human"),
    refused("CD207", "an-agent-without-prefix", *recorded(step("in_progress", "to_be_tested", "builder")), BUILDER, "error: the new entry says in_progress -> to_be_tested by builder"),
    refused("CD207", "by-a-list", *recorded(step("in_progress", "to_be_tested", ["a"])), BUILDER, "error: the new entry says in_progress -> to_be_tested by ['a']"),
    refused("CD207", "empty", *recorded({"from": None}), BUILDER, "error: the new entry says None -> None by None"),
    refused("CD207", "another-human", *recorded(step("in_progress", "to_be_tested", BOB), owner=ALICE), ALICE, "warning: the new entry says in_progress -> to_be_tested by human:bob"),
    refused("CD207", "history-rewritten", running(), running(state="to_be_tested", state_transitions=[HAND_IN]), BUILDER, f"error: {NONE}"),
    refused("CD207", "no-list", running(state_transitions="a"), running(state="to_be_tested", state_transitions="a"), BUILDER, f"error: {NONE}"),
    refused("CD207", "claim-by-another", TODO, running(state_transitions=[step("todo", "in_progress", WRITER)]), BUILDER, "error: the new entry says todo -> in_progress by agent:writer"),
    accepted("CD207", "exactly", *recorded(HAND_IN), BUILDER),
    accepted("CD207", "what-was-left-out-and-the-step", handed_in(state_transitions=[CLAIM]), handed_in(state="done", state_transitions=[CLAIM, HAND_IN, step("to_be_tested", "done", ALICE)]), ALICE),
    refused("CD207", "what-was-left-out-behind-the-step", handed_in(state_transitions=[CLAIM]), handed_in(state="done", state_transitions=[CLAIM, step("to_be_tested", "done", ALICE), HAND_IN]), ALICE, "warning: 2 new entries for one transition"),
    refused("CD207", "a-step-that-does-not-follow", handed_in(state_transitions=[CLAIM]), handed_in(state="done", state_transitions=[CLAIM, step("todo", "in_progress"), step("to_be_tested", "done", ALICE)]), ALICE, "warning: 2 new entries for one transition"),
    refused("CD207", "an-agents-two", handed_in(state_transitions=[CLAIM]), handed_in(state="done", state_transitions=[CLAIM, HAND_IN, step("to_be_tested", "done")]), BUILDER, "error: 2 new entries for one transition"),
    *(accepted("CD207", f"by-{by}", *recorded(step("in_progress", "to_be_tested", by), owner=ALICE), ALICE) for by in (ALICE, "alice", "human")),
    accepted("CD207", "claim-without-entry-is-another-rule", TODO, running(state_transitions=[]), BUILDER),
    refused("CD207", "humans-claim-without-entry", TODO, running(owner=ALICE, state_transitions=[]), ALICE, "warning: state_transitions has no entry for todo -> in_progress"),
    refused("CD207", "entry-without-step", running(), running(state_transitions=[CLAIM, HAND_IN]), BUILDER, "error: a new entry of state_transitions, and the state stays"),
    accepted("CD207", "human-closes-the-chain", running(), running(state_transitions=[CLAIM, HAND_IN]), ALICE),
    accepted("CD207", "resume", running(), running(state_transitions=[CLAIM, step("in_progress", "in_progress")]), BUILDER),
    refused("CD207", "resume-for-another", running(), running(state_transitions=[CLAIM, step("in_progress", "in_progress", WRITER)]), BUILDER, "error: a new entry of state_transitions, and the state stays"),
    refused("CD207", "two-resumes", running(), running(state_transitions=[CLAIM, *[step("in_progress", "in_progress")] * 2]), BUILDER, "error: a new entry of state_transitions, and the state stays"),
    accepted("CD207", "edited", running(), running(title="x"), BUILDER),
    accepted("CD207", "born", (), running(), BUILDER),
    accepted("CD207", "nobody", *recorded(), None),
    accepted("CD207", "migrated", *recorded(), ALICE, trailing=MIGRATION),
)  # fmt: skip

OTHER: Final = {**CLAIM, "reason": "x"}
HISTORY: Final = (
    refused("CD208", "changed", running(), running(state_transitions=[OTHER]), BUILDER, "error: state_transitions: entry 1 of 1 is not what was recorded"),
    refused("CD208", "removed", running(), running(state_transitions=[]), ALICE, "error: state_transitions: entry 1 of 1 is not what was recorded"),
    refused("CD208", "field-removed", running(), running(state_transitions=...), ALICE, "error: state_transitions: entry 1 of 1 is not what was recorded"),
    refused("CD208", "made-a-text", running(), running(state_transitions="x"), ALICE, "error: state_transitions: entry 1 of 1 is not what was recorded"),
    refused("CD208", "last-of-two", handed_in(), handed_in(state_transitions=[CLAIM]), ALICE, "error: state_transitions: entry 2 of 2 is not what was recorded"),
    refused("CD208", "order", running(execution_notes=[note("a"), note("b")]), running(execution_notes=[note("b"), note("a")]), BUILDER, "error: execution_notes: entry 1 of 2 is not what was recorded"),
    refused("CD208", "new-one-above", running(execution_notes=[note("a")]), running(execution_notes=[note("b"), note("a")]), BUILDER, "error: execution_notes: entry 1 of 1 is not what was recorded"),
    refused("CD208", "a-claim-reverted", running(), TODO, BUILDER, "error: state_transitions: entry 1 of 1 is not what was recorded"),
    refused("CD208", "entry-that-is-no-mapping", running(execution_notes=["a"]), running(execution_notes=["b"]), ALICE, "error: execution_notes: entry 1 of 1 is not what was recorded"),
    accepted("CD208", "added", running(execution_notes=[note("a")]), running(execution_notes=[note("a"), note("b")]), BUILDER),
    accepted("CD208", "no-list-is-mended", running(execution_notes="a"), running(execution_notes=[note("a")]), ALICE),
    accepted("CD208", "nothing-was-there", running(execution_notes=[]), running(execution_notes=...), ALICE),
    accepted("CD208", "unreadable-before", UNREADABLE, TODO, ALICE),
    accepted("CD208", "nobody", running(), running(state_transitions=[]), None),
    accepted("CD208", "migrated", running(), running(state_transitions=[]), ALICE, trailing=MIGRATION),
    refused("CD208", "migrated-by-no-maintainer", running(), running(state_transitions=[]), BOB, "error: state_transitions: entry 1 of 1 is not what was recorded", trailing=MIGRATION),
)  # fmt: skip

# -- closing

CLOSED: Final = (
    refused("CD209", "none", *moved("to_be_tested", "done"), BUILDER, "error: completed_at is missing"),
    refused("CD209", "a-list", block(state="to_be_tested"), block(state="done", completed_at=["a"]), BUILDER, "error: completed_at is missing"),
    refused("CD209", "of-an-earlier-closing", *moved("to_be_tested", "done", completed_at=at(-60)), BUILDER, "error: completed_at is that of an earlier closing"),
    refused("CD209", "a-humans", *moved("to_be_tested", "done"), ALICE, "warning: completed_at is missing"),
    refused("CD209", "rejected", *moved("todo", "rejected"), ALICE, "warning: completed_at is missing"),
    refused("CD209", "version-0.1", *moved("to_be_tested", "done"), BUILDER, "warning: completed_at is missing", under=OLD),
    accepted("CD209", "written", block(state="to_be_tested"), block(state="done", completed_at=at()), BUILDER),
    accepted("CD209", "not-closed", *moved("in_progress", "to_be_tested"), BUILDER),
    accepted("CD209", "edited", TODO, block(title="x"), BUILDER),
    accepted("CD209", "nobody", *moved("to_be_tested", "done"), None),
    accepted("CD209", "migrated", *moved("to_be_tested", "done"), ALICE, trailing=MIGRATION),
)  # fmt: skip


def closing(
    *notes: object, before: tuple[object, ...] = (), claim: object = CLAIM, target: str = "to_be_tested"
) -> tuple[str, str]:
    history = {"state_transitions": [claim]}
    return running(execution_notes=[*before], **history), running(
        state=target, execution_notes=[*before, *notes], **history
    )


EARLY: Final = note(minutes=-90, summary="Of an earlier claim")
UNBLOCKED: Final = step("blocked", "in_progress", ALICE, minutes=-10)
NOTE: Final = (
    refused("CD210", "none", *closing(), BUILDER, "error: no note since the claim"),
    refused("CD210", "without-summary", *closing(note()), BUILDER, "error: the newest note has no summary"),
    refused("CD210", "blank-summary", *closing(note(summary=" ")), BUILDER, "error: the newest note has no summary"),
    refused("CD210", "summary-as-list", *closing(note(summary=["x"])), BUILDER, "error: the newest note has no summary"),
    refused("CD210", "newest-without-summary", *closing(CLOSING, note()), BUILDER, "error: the newest note has no summary"),
    refused("CD210", "another-agents", *closing(note(by=WRITER, summary="x")), BUILDER, "error: no note since the claim"),
    refused("CD210", "before-the-claim", *closing(before=(EARLY,)), BUILDER, "error: no note since the claim"),
    refused("CD210", "on-done", *closing(target="done"), BUILDER, "error: no note since the claim"),
    refused("CD210", "version-0.1", *closing(), BUILDER, "warning: no note since the claim", under=OLD),
    refused("CD210", "notes-that-are-no-mappings", running(execution_notes=["a"]), running(state="done", execution_notes=["a"]), BUILDER, "error: no note since the claim"),
    accepted("CD210", "with-the-hand-in", *closing(CLOSING), BUILDER),
    accepted("CD210", "earlier-since-the-claim", *closing(before=(CLOSING,)), BUILDER),
    accepted("CD210", "clocks-differ", *closing(note(minutes=-65, summary="x")), BUILDER),
    accepted("CD210", "since-the-claim-and-before-an-unblocking", handed_in(state="in_progress", state_transitions=[CLAIM, UNBLOCKED]), handed_in(state_transitions=[CLAIM, UNBLOCKED]), BUILDER),
    accepted("CD210", "time-that-is-none", *closing(note(summary="x", timestamp="soon")), BUILDER),
    accepted("CD210", "claim-without-time", *closing(before=(EARLY,), claim={"to": "in_progress"}), BUILDER),
    accepted("CD210", "no-claim-recorded", running(execution_notes=[EARLY], state_transitions=None), running(state="to_be_tested", execution_notes=[EARLY], state_transitions=None), BUILDER),
    accepted("CD210", "a-human", *closing(), ALICE),
    accepted("CD210", "approval", *moved("to_be_tested", "done"), BUILDER),
    accepted("CD210", "nobody", *closing(), None),
)  # fmt: skip

REVIEW: Final = (
    *(
        refused("CD211", f"{source}-{target}", *moved(source, target, type="review", owner=BUILDER), BUILDER, f"error: {source} -> {target} of a review task by agent:builder")
        for source, target in (("todo", "in_progress"), ("in_progress", "to_be_tested"), ("in_progress", "done"), ("to_be_tested", "done"))
    ),
    accepted("CD211", "a-human", *moved("todo", "in_progress", type="review"), ALICE),
    accepted("CD211", "filed", (), block(type="review"), BUILDER),
    accepted("CD211", "edited", block(type="review"), block(type="review", title="x"), BUILDER),
    accepted("CD211", "another-type", *moved("todo", "in_progress"), BUILDER),
    accepted("CD211", "nobody", *moved("todo", "in_progress", type="review"), None),
)  # fmt: skip


def reviewed(status: object, minutes: float | None = None, **fields: object) -> dict[str, object]:
    when = {} if minutes is None else {"recorded_at": at(minutes)}
    return {"human_review": {"status": status, "reviewer": BOB, **when}, **fields}


def approved(status: object, minutes: float | None = None, **fields: object) -> tuple[str, str]:
    return handed_in(**reviewed(status, minutes, **fields)), handed_in(
        **reviewed(status, minutes, state="done", **fields)
    )


AT_ONCE: Final = [
    CLAIM,
    HAND_IN,
    step("to_be_tested", "todo", BOB, -20),
    step("todo", "in_progress", minutes=-10),
    step("in_progress", "done"),
]
FAILING: Final = (
    refused("CD212", "needs-work", *approved("needs_work", -10), BUILDER, "error: human_review.status is needs_work, by human:bob"),
    refused("CD212", "blocked", *approved("blocked", -10), BUILDER, "error: human_review.status is blocked, by human:bob"),
    refused("CD212", "by-a-human", *approved("needs_work", -10), ALICE, "error: human_review.status is needs_work, by human:bob"),
    refused("CD212", "without-time", *approved("needs_work"), BUILDER, "error: human_review.status is needs_work, by human:bob"),
    refused("CD212", "at-the-same-time", *approved("needs_work", -30), BUILDER, "error: human_review.status is needs_work, by human:bob"),
    refused("CD212", "hand-in-without-entry", *approved("needs_work", -90, state_transitions=[]), BUILDER, "error: human_review.status is needs_work, by human:bob"),
    accepted("CD212", "of-an-earlier-hand-in", *approved("needs_work", -40), BUILDER),
    accepted("CD212", "pass", *approved("pass", -10), BUILDER),
    accepted("CD212", "pass-in-the-same-commit", handed_in(**reviewed("needs_work", -10)), handed_in(**reviewed("pass", 0, state="done")), ALICE),
    accepted("CD212", "no-review", *approved(None), BUILDER),
    accepted("CD212", "status-as-list", *approved(["needs_work"], -10), BUILDER),
    accepted("CD212", "review-as-list", handed_in(human_review=["x"]), handed_in(human_review=["x"], state="done"), BUILDER),
    accepted("CD212", "handed-in-again-by-closing", running(type="test", **reviewed("needs_work", -20, state_transitions=AT_ONCE[:4])), running(type="test", **reviewed("needs_work", -20, state="done", state_transitions=AT_ONCE)), BUILDER),
    accepted("CD212", "not-closed", running(**reviewed("needs_work")), handed_in(**reviewed("needs_work")), BUILDER),
    accepted("CD212", "nobody", *approved("needs_work", -10), None),
)  # fmt: skip

REFUSE: Final = policy(self_approval="refuse")
ALLOW: Final = policy(self_approval="allow")
OWN: Final = "agent:builder closes its own work; no human passed it"
SELF: Final = (
    refused("CD213", "no-review", *approved(None), BUILDER, f"warning: {OWN}"),
    refused("CD213", "refused-by-policy", *approved(None), BUILDER, f"error: {OWN}", under=REFUSE),
    refused("CD213", "pass-of-an-earlier-hand-in", *approved("pass", -40), BUILDER, f"error: {OWN}", under=REFUSE),
    refused("CD213", "pass-of-its-own", handed_in(), handed_in(**reviewed("pass", 0, state="done")), BUILDER, f"error: {OWN}", under=REFUSE),
    refused("CD213", "custom", *approved(None, type="design"), BUILDER, f"warning: {OWN}", under=CUSTOM),
    refused("CD213", "status-as-list", *approved(["pass"], -10), BUILDER, f"warning: {OWN}"),
    accepted("CD213", "allowed", *approved(None), BUILDER, under=ALLOW),
    accepted("CD213", "passed", *approved("pass", -10), BUILDER, under=REFUSE),
    accepted("CD213", "a-human", *approved(None), ALICE, under=REFUSE),
    accepted("CD213", "test", *approved(None, type="test"), BUILDER, under=REFUSE),
    accepted("CD213", "hand-in", running(), handed_in(), BUILDER, under=REFUSE),
    accepted("CD213", "nobody", *approved(None), None, under=REFUSE),
)  # fmt: skip

CASES: Final = (*UNKNOWN, *OWNER, *TESTED, *REASON, *WHY, *ENTRY, *HISTORY, *CLOSED, *NOTE, *REVIEW, *FAILING, *SELF)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_row_of_the_table_holds(case: Case) -> None:
    check(case)


def test_a_step_that_is_in_no_row_names_the_rows_that_there_are() -> None:
    before, after = moved("rejected", "done")
    (breach,) = breaches("CD201", commit_view(documents(before), documents(after), actor=ALICE))
    assert breach.expected == "from rejected to blocked, todo"
    assert breach.line == 6
