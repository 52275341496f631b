"""CD301-CD314: who takes a task, when, and with what."""

from typing import Final

import pytest

from codifica_guard.model.ids import ObjectId
from tests.unit.packs_codifica.cases import (
    CLAIM,
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
from tests.unit.views import (
    ALICE,
    BOB,
    BUILDER,
    FILE,
    NOW,
    OTHER_FILE,
    WORK,
    WRITER,
    codifica,
    commit_view,
    policy,
    snapshot,
)
from tests.unit.views import document as page

TODO: Final = block()
UNREADABLE: Final = block(title=...) + "  title: `a`\n"
REQUIRED: Final = policy(writer_tokens="required")
OLD: Final = policy(config=codifica(version="0.1"))
KEYED: Final = step("todo", "in_progress", minutes=-60, provenance={"writer": "ssh-ed25519 AAAA1"})


def lacks(what: str, who: str = "agent:builder", severity: str = "error") -> str:
    return f"{severity}: {who} claims FEAT-1: {what}"


NO_ENTRY: Final = "state_transitions has no new entry"
WHOLE: Final = (
    refused("CD301", "owner-missing", TODO, running(owner=...), BUILDER, lacks("owner is missing")),
    refused("CD301", "owner-unassigned", TODO, running(owner="unassigned"), BUILDER, lacks("owner is unassigned")),
    refused("CD301", "another-owner", TODO, running(owner=WRITER), BUILDER, lacks("owner is agent:writer")),
    refused("CD301", "owner-is-a-list", TODO, running(owner=["a"]), BUILDER, lacks("owner is missing")),
    refused("CD301", "no-time", TODO, running(claimed_at=...), BUILDER, lacks("claimed_at is missing")),
    refused("CD301", "time-of-an-earlier-claim", block(claimed_at=at(-60)), running(), BUILDER, lacks("claimed_at is that of an earlier claim")),
    refused("CD301", "no-entry", TODO, running(state_transitions=[]), BUILDER, lacks(NO_ENTRY)),
    refused("CD301", "entry-to-another-state", TODO, running(state_transitions=[step("todo", "done")]), BUILDER, lacks(NO_ENTRY)),
    refused("CD301", "old-entry", block(state_transitions=[CLAIM]), running(), BUILDER, lacks(NO_ENTRY)),
    refused("CD301", "entries-of-no-kind", TODO, running(state_transitions=["a"]), BUILDER, lacks(NO_ENTRY)),
    refused("CD301", "nothing", TODO, block(state="in_progress"), BUILDER, lacks(f"owner is unassigned, claimed_at is missing, {NO_ENTRY}")),
    refused("CD301", "no-key", TODO, running(), BUILDER, lacks("provenance.writer is missing"), under=REQUIRED),
    refused("CD301", "key-that-is-no-text", TODO, running(state_transitions=[{**CLAIM, "provenance": {"writer": ["a"]}}]), BUILDER, lacks("provenance.writer is missing"), under=REQUIRED),
    refused("CD301", "key-that-is-empty", TODO, running(state_transitions=[{**CLAIM, "provenance": {"writer": ""}}]), BUILDER, lacks("provenance.writer is missing"), under=REQUIRED),
    refused("CD301", "provenance-of-no-kind", TODO, running(state_transitions=[{**CLAIM, "provenance": "a"}]), BUILDER, lacks("provenance.writer is missing"), under=REQUIRED),
    refused("CD301", "migrated", TODO, running(owner="unassigned"), ALICE, lacks("owner is unassigned", "human:alice"), trailing=MIGRATION),
    refused("CD301", "time-under-0.1", TODO, running(claimed_at=...), BUILDER, lacks("claimed_at is missing", severity="warning"), under=OLD),
    refused("CD301", "old-time-under-0.1", block(claimed_at=at(-60)), running(), BUILDER, lacks("claimed_at is that of an earlier claim", severity="warning"), under=OLD),
    refused("CD301", "more-under-0.1", TODO, running(claimed_at=..., owner="unassigned"), BUILDER, lacks("owner is unassigned, claimed_at is missing"), under=OLD),
    refused("CD301", "human-without-owner", TODO, running(owner="unassigned"), ALICE, lacks("owner is unassigned", "human:alice")),
    refused("CD301", "human-for-an-agent", TODO, running(), ALICE, lacks("owner is agent:builder", "human:alice", "warning")),
    refused("CD301", "human-with-state-and-owner", TODO, block(state="in_progress", owner=ALICE), ALICE, lacks(f"claimed_at is missing, {NO_ENTRY}", "human:alice", "warning"), under=REQUIRED),
    accepted("CD301", "whole", TODO, running(), BUILDER),
    accepted("CD301", "with-key", TODO, running(state_transitions=[KEYED]), BUILDER, under=REQUIRED),
    accepted("CD301", "waited-for-it", block(owner=BUILDER), running(), BUILDER),
    accepted("CD301", "human-by-hand", TODO, running(owner=ALICE, state_transitions=[step("todo", "in_progress", "alice")]), ALICE, under=REQUIRED),
    accepted("CD301", "any-human", block(owner="human"), running(owner="human", state_transitions=[step("todo", "in_progress", "human")]), BOB),
    accepted("CD301", "resume", running(), running(state_transitions=[CLAIM, step("in_progress", "in_progress")]), BUILDER, under=REQUIRED),
    accepted("CD301", "unblocked", block(state="blocked"), block(state="in_progress"), ALICE),
    accepted("CD301", "nobody", TODO, block(state="in_progress"), None),
)  # fmt: skip


def does(what: str) -> str:
    return f"error: the claim of FEAT-1 does more: {what}"


MORE: Final = (
    refused("CD302", "with-code", TODO, running(), BUILDER, does("src/a.py is changed"), paths={"src/a.py": (FILE, OTHER_FILE)}),
    refused("CD302", "with-another-task", (TODO, block("FEAT-2")), (running(), block("FEAT-2", title="x")), BUILDER, does("FEAT-2 is changed")),
    refused("CD302", "with-a-new-task", TODO, (running(), block("FEAT-2")), BUILDER, does("FEAT-2 is changed")),
    refused("CD302", "two", (TODO, block("FEAT-2")), (running(), running("FEAT-2")), BUILDER, does("FEAT-2 is claimed"), "error: the claim of FEAT-2 does more: FEAT-1 is claimed"),
    refused("CD302", "two-in-two-documents", {"a.md": page(TODO), "b.md": page(block("FEAT-2"))}, {"a.md": page(running()), "b.md": page(running("FEAT-2"))}, BUILDER, does("FEAT-2 is claimed"), "error: the claim of FEAT-2 does more: FEAT-1 is claimed"),
    refused("CD302", "with-other-fields", TODO, running(title="x", execution_notes=[note()]), BUILDER, does("execution_notes of FEAT-1 is changed, title of FEAT-1 is changed")),
    refused("CD302", "with-text-around", TODO, {"work.md": page(running(), text="# Other\n")}, BUILDER, does("work.md is changed")),
    refused("CD302", "with-order", TODO, running(), BUILDER, does("work.md is changed"), reordered=(WORK,)),
    refused("CD302", "with-a-move-to-another-fence", TODO, running(), BUILDER, does("FEAT-9 goes to another fence"), refenced=("FEAT-9",)),
    refused("CD302", "much", TODO, running(title="x"), BUILDER, does("a is changed, b is changed, c is changed and 1 more"), paths=dict.fromkeys("abc", (None, FILE))),
    accepted("CD302", "alone", (TODO, block("FEAT-2")), (running(), block("FEAT-2")), BUILDER),
    accepted("CD302", "null-was-not-there", TODO, running(labels=None), BUILDER),
    accepted("CD302", "a-human", TODO, running(owner=ALICE, title="x"), ALICE),
    accepted("CD302", "resume-with-work", running(), running(title="x", state_transitions=[CLAIM, step("in_progress", "in_progress")]), BUILDER),
    accepted("CD302", "nobody", TODO, running(title="x"), None),
)  # fmt: skip

ASSIGNED: Final = (
    refused("CD304", "another-agents", block(owner=WRITER), running(), BUILDER, "error: agent:builder claims FEAT-1, which waits for agent:writer"),
    refused("CD304", "a-humans", block(owner=ALICE), running(), BUILDER, "error: agent:builder claims FEAT-1, which waits for human:alice"),
    refused("CD304", "any-humans", block(owner="human"), running(), BUILDER, "error: agent:builder claims FEAT-1, which waits for human"),
    accepted("CD304", "unassigned", TODO, running(), BUILDER),
    accepted("CD304", "its-own", block(owner=BUILDER), running(), BUILDER),
    accepted("CD304", "null", block(owner=None), running(), BUILDER),
    accepted("CD304", "absent", block(owner=...), running(), BUILDER),
    accepted("CD304", "no-text", block(owner=["a"]), running(), BUILDER),
    accepted("CD304", "a-human", block(owner=WRITER), running(owner=ALICE), ALICE),
    accepted("CD304", "no-claim", block(owner=WRITER), block(owner=WRITER, title="x"), BUILDER),
    accepted("CD304", "nobody", block(owner=WRITER), running(), None),
)  # fmt: skip

ONE: Final = policy(config=codifica(max_concurrent=1))
TWO: Final = policy(config=codifica(max_concurrent=2))
FULL: Final = "agent:builder would hold 2 tasks: FEAT-1, FEAT-2"
HIDDEN: Final = (
    running("FEAT-2")
    .replace('state: "in_progress"', 'state: "in\\x5fprogress"')
    .replace('"agent:builder"', '"\\x61gent:builder"')
)
LIMIT: Final = (
    refused("CD305", "one-too-many", (TODO, running("FEAT-2")), (running(), running("FEAT-2")), BUILDER, f"error: {FULL}", under=ONE),
    refused("CD305", "over-all-documents", {"a.md": page(TODO), "b.md": page(running("FEAT-2"))}, {"a.md": page(running()), "b.md": page(running("FEAT-2"))}, BUILDER, f"error: {FULL}", under=ONE),
    refused("CD305", "written-so-that-no-scan-sees-it", (TODO, HIDDEN), (running(), HIDDEN), BUILDER, f"error: {FULL}", under=ONE),
    refused("CD305", "written-as-text", (TODO, running("FEAT-2")), (running(), running("FEAT-2").replace("state: ", "state:  # now\n    ")), BUILDER, f"error: {FULL}", under=ONE),
    refused("CD305", "two-at-once", (TODO, block("FEAT-2")), (running(), running("FEAT-2")), BUILDER, f"error: {FULL}", f"error: {FULL}", under=ONE),
    refused("CD305", "unblocked-into-full-hands", (block(state="blocked", owner=BUILDER), running("FEAT-2")), (running(), running("FEAT-2")), ALICE, f"warning: {FULL}", under=ONE),
    refused("CD305", "given", (running(owner=WRITER), running("FEAT-2")), (running(), running("FEAT-2")), ALICE, f"warning: {FULL}", under=ONE),
    refused("CD305", "born", running("FEAT-2"), (running(), running("FEAT-2")), BUILDER, f"error: {FULL}", under=ONE),
    accepted("CD305", "as-many-as-may-be", (TODO, running("FEAT-2")), (running(), running("FEAT-2")), BUILDER, under=TWO),
    accepted("CD305", "no-limit", (TODO, running("FEAT-2")), (running(), running("FEAT-2")), BUILDER),
    accepted("CD305", "the-other-is-handed-in", (TODO, handed_in("FEAT-2")), (running(), handed_in("FEAT-2")), BUILDER, under=ONE),
    accepted("CD305", "the-other-is-anothers", (TODO, running("FEAT-2", owner=WRITER)), (running(), running("FEAT-2", owner=WRITER)), BUILDER, under=ONE),
    accepted("CD305", "humans-have-no-limit", (TODO, running("FEAT-2", owner=ALICE)), (running(owner=ALICE), running("FEAT-2", owner=ALICE)), ALICE, under=ONE),
    accepted("CD305", "nobodys", (TODO, running("FEAT-2")), (running(owner=...), running("FEAT-2")), ALICE, under=ONE),
    accepted("CD305", "old-fault", (running(), running("FEAT-2")), (running(title="x"), running("FEAT-2")), BUILDER, under=ONE),
    accepted("CD305", "hand-in", (running(), running("FEAT-2")), (handed_in(), running("FEAT-2")), BUILDER, under=ONE),
    accepted("CD305", "the-other-cannot-be-read", (TODO, running("FEAT-2") + "  x: `a`\n"), (running(), running("FEAT-2") + "  x: `a`\n"), BUILDER, under=ONE),
    accepted("CD305", "nobody", (TODO, running("FEAT-2")), (running(), running("FEAT-2")), None, under=ONE),
)  # fmt: skip

# -- dependencies


def needs(*names: object, name: str = "FEAT-1", **fields: object) -> str:
    return block(name, depends_on=[*names], **fields)


def started(*names: str) -> str:
    return running(depends_on=[*names])


DONE: Final = block("FEAT-2", state="done")
DEPENDS: Final = (
    refused("CD306", "born", (), needs("FEAT-2"), BUILDER, "error: depends_on: FEAT-2, and there is no such task"),
    refused("CD306", "changed", TODO, needs("FEAT-2"), ALICE, "error: depends_on: FEAT-2, and there is no such task"),
    refused("CD306", "claimed", needs("FEAT-2"), started("FEAT-2"), BUILDER, "error: depends_on: FEAT-2, and there is no such task"),
    refused("CD306", "by-another-case", (), (needs("feat-2"), DONE), ALICE, "error: depends_on: feat-2, and there is no such task"),
    accepted("CD306", "there", TODO, (needs("FEAT-2"), DONE), BUILDER),
    accepted("CD306", "in-another-document", {"a.md": page(TODO), "b.md": page(DONE)}, {"a.md": page(needs("FEAT-2")), "b.md": page(DONE)}, ALICE),
    accepted("CD306", "old-name", needs("FEAT-2"), needs("FEAT-2", title="x"), ALICE),
    accepted("CD306", "no-list", TODO, block(depends_on="FEAT-2"), ALICE),
    accepted("CD306", "no-texts", TODO, needs(None, {"a": "b"}), ALICE),
    accepted("CD306", "gone", needs("FEAT-2"), (), ALICE),
    accepted("CD306", "nobody", (), needs("FEAT-2"), None),
    *(
        refused("CD307", f"claimed-on-{state}", (needs("FEAT-2"), block("FEAT-2", state=state)), (started("FEAT-2"), block("FEAT-2", state=state)), actor, f"error: FEAT-1 starts, and FEAT-2 is {state}")
        for state, actor in (("todo", BUILDER), ("in_progress", BUILDER), ("to_be_tested", BUILDER), ("blocked", ALICE), ("rejected", ALICE))
    ),
    refused("CD307", "unblocked", (needs("FEAT-2", state="blocked"), block("FEAT-2")), (started("FEAT-2"), block("FEAT-2")), ALICE, "error: FEAT-1 starts, and FEAT-2 is todo"),
    refused("CD307", "on-itself", needs("FEAT-1"), started("FEAT-1"), BUILDER, "error: FEAT-1 starts, and FEAT-1 is in_progress"),
    refused("CD307", "on-what-cannot-be-read", (needs("FEAT-2"), block("FEAT-2", title=["`"]).replace('"`"', "`")), (started("FEAT-2"), block("FEAT-2", title=["`"]).replace('"`"', "`")), BUILDER, "error: FEAT-1 starts, and FEAT-2 is unreadable"),
    refused("CD307", "in-another-document", {"a.md": page(needs("FEAT-2")), "b.md": page(block("FEAT-2"))}, {"a.md": page(started("FEAT-2")), "b.md": page(block("FEAT-2"))}, BUILDER, "error: FEAT-1 starts, and FEAT-2 is todo"),
    accepted("CD307", "done", (needs("FEAT-2"), DONE), (started("FEAT-2"), DONE), BUILDER),
    accepted("CD307", "what-is-not-there-is-another-rule", needs("FEAT-2"), started("FEAT-2"), BUILDER),
    accepted("CD307", "not-started", (TODO, block("FEAT-2")), (needs("FEAT-2"), block("FEAT-2")), ALICE),
    accepted("CD307", "blocked", (started("FEAT-2"), block("FEAT-2")), (needs("FEAT-2", state="blocked"), block("FEAT-2")), ALICE),
    accepted("CD307", "nobody", (needs("FEAT-2"), block("FEAT-2")), (started("FEAT-2"), block("FEAT-2")), None),
)  # fmt: skip

SECOND: Final = needs("FEAT-1", name="FEAT-2")
RING: Final = tuple(needs(f"T{(n + 1) % 101}", name=f"T{n}") for n in range(101))
CIRCLE: Final = (
    refused("CD308", "itself", TODO, needs("FEAT-1"), ALICE, "error: a circle: FEAT-1 -> FEAT-1"),
    refused("CD308", "two", (TODO, SECOND), (needs("FEAT-2"), SECOND), ALICE, "error: a circle: FEAT-1 -> FEAT-2 -> FEAT-1"),
    refused("CD308", "born", SECOND, (needs("FEAT-2"), SECOND), BUILDER, "error: a circle: FEAT-1 -> FEAT-2 -> FEAT-1"),
    refused("CD308", "over-documents", {"a.md": page(TODO), "b.md": page(SECOND)}, {"a.md": page(needs("FEAT-2")), "b.md": page(SECOND)}, ALICE, "error: a circle: FEAT-1 -> FEAT-2 -> FEAT-1"),
    refused("CD308", "the-shortest-way", (TODO, needs("FEAT-3", "FEAT-1", name="FEAT-2"), needs("FEAT-1", name="FEAT-3")), (needs("FEAT-2"), needs("FEAT-3", "FEAT-1", name="FEAT-2"), needs("FEAT-1", name="FEAT-3")), ALICE, "error: a circle: FEAT-1 -> FEAT-2 -> FEAT-1"),
    refused("CD308", "long", RING[1:], RING, ALICE, "error: a circle: 101 tasks around T0 that wait for one another"),
    accepted("CD308", "several-on-one", TODO, (TODO, SECOND, needs("FEAT-1", "FEAT-2", name="FEAT-3")), BUILDER),
    accepted("CD308", "old-circle", (needs("FEAT-2"), SECOND), (needs("FEAT-2", title="x"), SECOND), ALICE),
    accepted("CD308", "beside-an-old-circle", (TODO, needs("FEAT-3", name="FEAT-2"), needs("FEAT-2", name="FEAT-3")), (needs("FEAT-2"), needs("FEAT-3", name="FEAT-2"), needs("FEAT-2", name="FEAT-3")), ALICE),
    accepted("CD308", "no-such-task", TODO, needs("FEAT-9"), ALICE),
    accepted("CD308", "nobody", TODO, needs("FEAT-1"), None),
    refused("CD311", "reopened", (DONE, running(depends_on=["FEAT-2"])), (block("FEAT-2"), running(depends_on=["FEAT-2"])), ALICE, "warning: FEAT-2 is open again, and FEAT-1 (agent:builder) builds on it"),
    refused("CD311", "blocked", (DONE, running(depends_on=["FEAT-2"])), (block("FEAT-2", state="blocked"), running(depends_on=["FEAT-2"])), ALICE, "warning: FEAT-2 is open again, and FEAT-1 (agent:builder) builds on it"),
    accepted("CD311", "nobody-builds-on-it", (DONE, running(labels=["FEAT-2"])), (block("FEAT-2"), running(labels=["FEAT-2"])), ALICE),
    accepted("CD311", "not-begun", (DONE, needs("FEAT-2")), (block("FEAT-2"), needs("FEAT-2")), ALICE),
    accepted("CD311", "closed", (block("FEAT-2", state="to_be_tested"), started("FEAT-2")), (DONE, started("FEAT-2")), ALICE),
    accepted("CD311", "nobody", (DONE, started("FEAT-2")), (block("FEAT-2"), started("FEAT-2")), None),
)  # fmt: skip

HELD: Final = (
    refused("CD309", "owner-taken-away", running(), running(owner="unassigned"), ALICE, "error: in_progress and unassigned"),
    refused("CD309", "owner-dropped", running(), running(owner=...), BUILDER, "error: in_progress and unassigned"),
    refused("CD309", "unblocked", block(state="blocked"), block(state="in_progress"), ALICE, "error: in_progress and unassigned"),
    refused("CD309", "humans-claim", TODO, block(state="in_progress"), ALICE, "error: in_progress and unassigned"),
    refused("CD309", "born", (), running(owner=""), BUILDER, "error: in_progress and unassigned"),
    accepted("CD309", "agents-claim-is-another-rule", TODO, block(state="in_progress"), BUILDER),
    accepted("CD309", "owned", TODO, running(owner=ALICE), ALICE),
    accepted("CD309", "old-fault", running(owner="unassigned"), running(owner="unassigned", title="x"), ALICE),
    accepted("CD309", "todo", running(), TODO, ALICE),
    accepted("CD309", "unreadable-after", running(), UNREADABLE, ALICE),
    accepted("CD309", "nobody", running(), running(owner="unassigned"), None),
    refused("CD310", "taken-back-early", running(), block(owner="unassigned"), ALICE, "warning: FEAT-1 spoke last at 2026-11-29 23:54Z; a claim is stale after 24 h", silent_since=lambda _, __: NOW - 59 * 60),
    accepted("CD310", "taken-back-when-stale", running(), block(owner="unassigned"), ALICE, silent_since=lambda _, __: NOW - 24 * 3600),
    refused("CD310", "to-todo", running(), block(owner=BUILDER), WRITER, "error: agent:writer takes back the claim of agent:builder"),
    refused("CD310", "freed", running(), running(owner="unassigned"), WRITER, "error: agent:writer takes back the claim of agent:builder"),
    refused("CD310", "a-humans", running(owner="human"), block(), BUILDER, "error: agent:builder takes back the claim of human"),
    accepted("CD310", "its-own", running(), TODO, BUILDER),
    accepted("CD310", "a-human", running(), TODO, ALICE),
    accepted("CD310", "seized-is-another-rule", running(), running(owner=WRITER), WRITER),
    accepted("CD310", "not-running", block(state="blocked", owner=BUILDER), TODO, WRITER),
    accepted("CD310", "deleted", running(), (), WRITER),
    accepted("CD310", "nobody", running(), TODO, None),
)  # fmt: skip

FEW: Final = policy(config=codifica(allowed_agents=(WRITER,)))
ALLOWED: Final = (
    refused("CD312", "edit", TODO, block(title="x"), BUILDER, "error: agent:builder changes FEAT-1", under=FEW),
    refused("CD312", "born", (), TODO, BUILDER, "error: agent:builder changes FEAT-1", under=FEW),
    refused("CD312", "deleted", TODO, (), BUILDER, "error: agent:builder changes FEAT-1", under=FEW),
    accepted("CD312", "listed", TODO, block(title="x"), WRITER, under=FEW),
    accepted("CD312", "everybody", TODO, block(title="x"), BUILDER),
    accepted("CD312", "a-human", TODO, block(title="x"), ALICE, under=FEW),
    accepted("CD312", "code", TODO, TODO, BUILDER, under=FEW, paths={"src/a.py": (FILE, OTHER_FILE)}),
    accepted("CD312", "nobody", TODO, block(title="x"), None, under=FEW),
)  # fmt: skip

# -- resume

KEY: Final = {"writer": "ssh-ed25519 AAAA2"}


def resumed(
    *, claim: dict[str, object] = KEYED, owner: str = BUILDER, title: str = "x", **entry: object
) -> tuple[str, str]:
    new = {**step("in_progress", "in_progress"), "reason": "The session died", "provenance": KEY, **entry}
    return running(owner=owner, state_transitions=[claim]), running(
        owner=owner,
        state_transitions=[claim, {k: v for k, v in new.items() if v is not ...}],
        title="Login form" if title == "x" else title,
    )


NEVER: Final = policy(resume_after_minutes=None)
RESUME: Final = (
    refused("CD314", "by-another", *resumed(), WRITER, "error: agent:writer resumes the claim of agent:builder"),
    refused("CD314", "of-a-human", *resumed(owner="human"), BUILDER, "error: agent:builder resumes the claim of human"),
    refused("CD314", "without-reason", *resumed(reason=...), BUILDER, "error: a resume without a reason"),
    refused("CD314", "blank-reason", *resumed(reason=" "), BUILDER, "error: a resume without a reason"),
    refused("CD314", "reason-as-list", *resumed(reason=["a"]), BUILDER, "error: a resume without a reason"),
    refused("CD314", "with-more", *resumed(title="Another"), BUILDER, "error: a resume that changes more than the history"),
    refused("CD314", "without-key", *resumed(provenance=...), BUILDER, "error: a resume without provenance.writer"),
    refused("CD314", "everything", *resumed(provenance=..., reason=..., title="Another"), BUILDER, "error: a resume without a reason", "error: a resume that changes more than the history", "error: a resume without provenance.writer"),
    refused("CD314", "policy-has-none", *resumed(), BUILDER, "error: a resume, and the policy has no resume_after_minutes", under=NEVER),
    refused("CD314", "too-early", *resumed(), BUILDER, "error: the task spoke last at 2026-11-29 23:54Z", silent_since=lambda _, __: NOW - 59 * 60),
    accepted("CD314", "in-time", *resumed(), BUILDER, silent_since=lambda _, __: NOW - 60 * 60),
    accepted("CD314", "silent-for-longer-than-history-tells", *resumed(), BUILDER),
    accepted("CD314", "at-once-where-nobody-holds-a-key", *resumed(claim=CLAIM), BUILDER, under=REQUIRED, silent_since=lambda _, __: NOW),
    accepted("CD314", "at-once-where-the-claim-is-not-recorded", running(state_transitions=[]), running(state_transitions=[{**step("in_progress", "in_progress"), "reason": "x"}]), BUILDER, under=REQUIRED, silent_since=lambda _, __: NOW),
    refused("CD314", "not-at-once-where-keys-are-optional", *resumed(claim=CLAIM), BUILDER, "error: the task spoke last at 2026-11-30 00:53Z", silent_since=lambda _, __: NOW),
    refused("CD314", "not-at-once-where-a-session-holds-one", *resumed(), BUILDER, "error: the task spoke last at 2026-11-30 00:53Z", silent_since=lambda _, __: NOW, under=REQUIRED),
    accepted("CD314", "a-human", *resumed(), ALICE),
    accepted("CD314", "a-note", running(), running(execution_notes=[note()]), WRITER),
    accepted("CD314", "nobody", *resumed(), None),
)  # fmt: skip

CASES: Final = (*WHOLE, *MORE, *ASSIGNED, *LIMIT, *DEPENDS, *CIRCLE, *HELD, *ALLOWED, *RESUME)


@pytest.mark.parametrize("case", CASES, ids=str)
def test_a_row_of_the_table_holds(case: Case) -> None:
    check(case)


# -- the race

MINE: Final = running()
THEIRS: Final = running(owner=WRITER, state_transitions=[{**CLAIM, "by": WRITER}])
FREE: Final = block("FEAT-3", acceptance=["It works"], priority="high")
EIGHT: Final = tuple(block(f"FREE-{n}", type="test") for n in range(8))


def race(
    after: str, *, there: str | tuple[str, ...] | None, before: str = TODO, actor: object = BUILDER, **fields: object
) -> tuple[str, ...]:
    base = None if there is None else snapshot(documents(there))
    view = commit_view(documents(before), documents(after), actor=actor, base=base, **fields)  # type: ignore[arg-type]
    return told("CD303", breaches("CD303", view))


def test_the_loser_is_told_who_holds_the_task_since_when_and_by_which_commit() -> None:
    lost = race(MINE, there=THEIRS, written_in=lambda _: ObjectId(b"8c1d02e" + b"0" * 33))
    assert lost == ("error: agent:builder claims FEAT-1; agent:writer holds it since 2026-11-29 23:53Z (8c1d02e)",)


def test_what_the_history_does_not_say_is_left_out() -> None:
    assert race(MINE, there=running(owner=WRITER, state_transitions=[])) == (
        "error: agent:builder claims FEAT-1; agent:writer holds it",
    )
    assert race(MINE, there=running(owner=WRITER, state_transitions=[{"to": "in_progress"}])) == (
        "error: agent:builder claims FEAT-1; agent:writer holds it",
    )


def test_a_claim_of_what_is_finished_by_now_says_how_it_stands() -> None:
    assert race(MINE, there=block(state="blocked", owner=WRITER)) == (
        "error: agent:builder claims FEAT-1; it is blocked now, owner agent:writer",
    )


def test_a_claim_from_the_tip_or_of_a_task_that_stayed_wins() -> None:
    assert race(MINE, there=None) == ()
    assert race(MINE, there=TODO) == ()
    assert race(MINE, there=block(title="A human's new title")) == ()
    assert race(MINE, there=block("FEAT-2")) == ()


def test_a_person_and_nobody_lose_no_race() -> None:
    assert race(running(owner=ALICE), there=THEIRS, actor=ALICE) == ()
    assert race(MINE, there=THEIRS, actor=None) == ()


def test_a_second_owner_written_over_the_first_is_a_lost_race_too() -> None:
    seized = running(owner=WRITER)
    assert race(seized, there=None, before=running(), actor=WRITER) == (
        "error: agent:writer claims FEAT-1; agent:builder holds it since 2026-11-29 23:53Z",
    )
    assert race(running(title="x"), there=None, before=running()) == ()
    assert race(running(owner=WRITER, title="x"), there=None, before=running(owner="unassigned"), actor=WRITER) == ()
    assert race(seized, there=None, before=running(), actor=BUILDER) == ()
    assert race(running(owner=WRITER), there=None, before=running(), actor=ALICE) == ()
    assert race(running(owner=WRITER), there=None, before=handed_in(), actor=WRITER) == ()


def test_the_loser_is_told_what_is_free() -> None:
    def free(*others: str) -> str:
        base = snapshot(documents((THEIRS, *others)))
        view = commit_view(documents(TODO), documents(MINE), actor=BUILDER, base=base)
        (breach,) = breaches("CD303", view)
        assert (
            breach.do[0]
            == "git fetch && git branch set-aside && git reset --hard @{upstream} && git codifica claim --next"
        )
        return breach.do[1]

    assert free() == "free for you: nothing right now"
    assert free(block("FEAT-2", type="test"), FREE) == "free for you: FEAT-3 (high), FEAT-2 (normal)"
    assert free(*EIGHT).count("(normal)") == 5


def test_a_commit_that_changes_many_tasks_is_not_told_what_is_free() -> None:
    many = [f"FEAT-{n}" for n in range(11)]
    base = snapshot(documents([running(name, owner=WRITER) for name in many]))
    view = commit_view(
        documents([block(name) for name in many]), documents([running(name) for name in many]), actor=BUILDER, base=base
    )
    lost = breaches("CD303", view)
    assert len(lost) == 11
    assert all("free for you" not in line for breach in lost for line in breach.do)


def test_a_claim_among_thousands_names_a_few() -> None:
    many = [f"FEAT-{n}" for n in range(150)]
    view = commit_view(
        documents([block(name) for name in many]), documents([running(name) for name in many]), actor=BUILDER
    )
    texts = {breach.found.rpartition(" and ")[2] for breach in breaches("CD302", view)}
    assert texts == {"at least 97 more"}


def test_whoever_resumes_too_early_is_told_when_to_come_back() -> None:
    before, after = resumed()
    view = commit_view(documents(before), documents(after), actor=BUILDER, silent_since=lambda _, __: NOW)
    (breach,) = breaches("CD314", view)
    assert breach.do[1:] == (
        'wait until 2026-11-30 01:53Z, then: git codifica resume FEAT-1 -m "why"',
        'or a human: git codifica reclaim FEAT-1 --for agent:builder -m "why"',
    )


@pytest.mark.parametrize(
    ("under", "actor", "keyed"), [(REQUIRED, BUILDER, True), (REQUIRED, ALICE, False), (policy(), BUILDER, False)]
)
def test_a_writer_key_is_asked_for_where_one_is_due(under: object, actor: object, *, keyed: bool) -> None:
    view = commit_view(documents(TODO), documents(block(state="in_progress")), actor=actor, under=under)  # type: ignore[arg-type]
    (breach,) = breaches("CD301", view)
    assert ("with the writer key" in breach.expected) is keyed
