"""No rule raises, whatever stands in tasks; and what rules say can be told."""

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from codifica_guard.model.finding import Finding, Severity, Verdict
from codifica_guard.model.ids import RepoPath, TaskId
from codifica_guard.model.value import replace
from codifica_guard.packs.all import REGISTRY
from codifica_guard.packs.codifica.choosing import free_for
from codifica_guard.policy.globs import scope_globs
from codifica_guard.report.terminal import verdict
from codifica_guard.rules.rule import About, Breach, Rule
from codifica_guard.rules.snapshot import Snapshot
from codifica_guard.rules.view import CommitView, MergeItem, MergeView
from tests.unit.packs_codifica.cases import CLAIM, CLOSING, HAND_IN, MIGRATION, at, block, note, step
from tests.unit.views import (
    ALICE,
    BOB,
    BUILDER,
    FILE,
    LINK,
    NOW,
    WORK,
    WRITER,
    Documents,
    codifica,
    commit_view,
    document,
    policy,
    snapshot,
    trailers,
)

SILENT_FOR_NOBODY: Final = {"CD406", "CD407", "CD110", "CD501", "CD502", "CD503", "CD504"}
IDS: Final = ("FEAT-1", "FEAT-2", "feat-1", "it's", "x y", "101", "9" * 5000, "\u00e9\u0663", "-", "a/b")
STATES: Final = ("todo", "in_progress", "to_be_tested", "done", "blocked", "rejected", "doing")
TIMES: Final = (
    at(),
    at(-30),
    at(90),
    "soon",
    "2026-13-45T07:12:00Z",
    "0001-01-01T00:00:00+14:00",
    "9999-12-31T23:59:59-14:00",
)

odd = st.recursive(
    st.sampled_from([None, True, False, "", " ", "x" * 200, "two\nlines", "12", "#", "\u202e", *IDS[:3]]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["by", "to", "status", "path", "x"]), inner, max_size=3)
    ),
    max_leaves=4,
)
people = st.sampled_from([BUILDER, WRITER, ALICE, "human", "alice", "unassigned", "agent:\u0430"])
times = st.sampled_from(TIMES)
provenance = st.sampled_from(
    [
        {"writer": "ssh-ed25519 AAAA1"},
        {"commit_sha": "c" * 40},
        {"commit_sha": "\u00e9" * 40},
        {"commit_sha": "z" * 64},
        {},
    ]
)


def rarely(usual: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    """A strategy that gives odd values now and then."""
    return st.one_of(usual, usual, usual, odd)


def entry(**fields: st.SearchStrategy[Any]) -> st.SearchStrategy[Any]:
    return rarely(st.fixed_dictionaries({}, optional={name: rarely(values) for name, values in fields.items()}))


moves = entry(
    **{"from": st.sampled_from(STATES), "to": st.sampled_from(STATES)},
    by=people,
    reason=st.just("x"),
    timestamp=times,
    provenance=provenance,
)
entries = st.one_of(moves, st.sampled_from([CLAIM, HAND_IN, step("in_progress", "in_progress", reason="x")]))
notes = st.one_of(
    entry(by=people, note=st.just("x"), summary=st.just("x" * 121), timestamp=times, provenance=provenance),
    st.just(CLOSING),
    st.just(note()),
)
names = st.sampled_from(IDS)
FIELDS: Final[dict[str, st.SearchStrategy[Any]]] = {
    "type": st.sampled_from(["build", "test", "review", "followup", "design"]),
    "state": st.sampled_from(STATES),
    "owner": people,
    "title": st.just("Login form"),
    "priority": st.sampled_from(["high", "normal", "urgent"]),
    "depends_on": st.lists(rarely(names), max_size=3),
    "acceptance": st.lists(st.sampled_from(["It works", ""]), max_size=2),
    "derived_from": names,
    "claimed_at": times,
    "completed_at": times,
    "human_review": entry(
        status=st.sampled_from(["pass", "needs_work", "blocked"]), reviewer=people, recorded_at=times
    ),
    "execution_notes": st.lists(notes, max_size=3),
    "state_transitions": st.lists(entries, max_size=3),
    "artifacts": st.lists(
        entry(path=st.sampled_from(["src/a.py", "", "..", "a\n", "\u00e9"]), type=st.just("code")), max_size=2
    ),
    "labels": st.just(["a"]),
    "context": st.just({"constraints": ["a"]}),
    "blocked_reason": st.just("x"),
    "effort": odd,
}


@st.composite
def tasks(draw: st.DrawFn, name: str) -> str:
    """One block, most often a task, now and then what nobody can read."""
    wanted = draw(st.sets(st.sampled_from(sorted(FIELDS)), max_size=8)) | {"state", "owner", "type"}
    fields = {"title": ...} | {field: draw(rarely(FIELDS[field])) for field in FIELDS if field in wanted}
    text = block(json.dumps(name), **fields)
    return text + draw(st.sampled_from(["", "", "", "", "  # a comment\n", "  x: `a`\n", "  state: done\n"]))


@st.composite
def sides(draw: st.DrawFn, count: int) -> list[Documents]:
    """The documents of several trees that hold the same few tasks, some changed, gone, moved or doubled."""
    ids = draw(st.lists(names, min_size=1, max_size=3, unique=True))
    versions = {name: [draw(tasks(name)) for _ in range(2)] for name in ids}
    found: list[Documents] = []
    for _ in range(count):
        held: dict[str, list[str]] = {"work.md": [], "old.md": []}
        for name in ids:
            for path in draw(
                st.sampled_from([("work.md",), ("work.md",), ("work.md",), ("old.md",), (), ("work.md", "old.md")])
            ):
                held[path].append(draw(st.sampled_from(versions[name])))
        text = draw(st.sampled_from(["# Work\n", "# Other\n"]))
        empty = draw(st.booleans())
        found.append({path: document(*blocks, text=text) for path, blocks in held.items() if blocks or empty})
    return found


policies = st.builds(
    lambda config, **fields: policy(config=config, **fields),
    config=st.builds(
        codifica,
        version=st.sampled_from(["0.1", "0.2"]),
        max_concurrent=st.sampled_from([None, 0, 1]),
        custom_types=st.sampled_from([(), ("design",)]),
        allowed_agents=st.sampled_from([(), (WRITER,)]),
        scope=st.just(scope_globs(["src/**"], ["src/no/**"])),
    ),
    writer_tokens=st.sampled_from(["required", "optional"]),
    self_approval=st.sampled_from(["allow", "warn", "refuse"]),
    review_by=st.sampled_from(["human-or-owner", "owner"]),
    resume_after_minutes=st.sampled_from([None, 60]),
    require_signatures=st.sampled_from(["transitions", "all"]),
)
views = st.fixed_dictionaries(
    {
        "actor": st.sampled_from([ALICE, BOB, BUILDER, WRITER, None]),
        "under": policies,
        "trailing": st.sampled_from([trailers(), MIGRATION, trailers(("Codifica-Writer", "x"))]),
        "reordered": st.sampled_from([(), (WORK,)]),
        "refenced": st.sampled_from([(), (TaskId("FEAT-1"),), (TaskId("absent"),)]),
        "touched": st.sampled_from([(), (WORK,)]),
        "paths": st.sampled_from(
            [{}, {"README": (None, FILE)}, {"assets/FEAT-1/a": (None, LINK), "assets/": (FILE, None)}]
        ),
        "silent_since": st.sampled_from([lambda _, __: None, lambda _, __: NOW]),
        "exists": st.sampled_from([lambda _, __: True, lambda _, __: False]),
        "proves": st.sampled_from([lambda _: True, lambda _: False]),
    }
)


@dataclass(frozen=True, slots=True)
class Said:
    """A rule and one thing that it said."""

    rule: Rule
    breach: Breach


def said(view: CommitView) -> Iterator[Said]:
    """All that the rules about commits and tasks say, as the judge asks them."""
    for about in (About.COMMIT, About.TASK):
        for rule in REGISTRY.under(view.policy, about):
            for given_to in ((view,),) if about is About.COMMIT else tuple((change, view) for change in view.changes):
                yield from (Said(rule, breach) for breach in rule.check(*given_to))


def told(found: list[Said]) -> None:
    """Everything that was said makes a report, in ASCII."""
    findings = []
    for one in found:
        breach, severity = one.breach, one.breach.severity or one.rule.severity
        assert breach.found
        assert breach.line is None or breach.line >= 1
        findings.append(
            Finding(
                code=one.rule.code,
                name=one.rule.name,
                severity=severity,
                found=breach.found,
                expected=breach.expected,
                do=breach.do,
                path=breach.path,
                line=breach.line,
                task=breach.task,
            )
        )
    text = verdict(Verdict(findings=tuple(findings)))
    assert text.isascii()
    assert bool(text) is bool(findings)
    assert text.startswith("codifica-guard: push refused") is any(f.severity is Severity.ERROR for f in findings)


quickly = settings(max_examples=80, deadline=None, suppress_health_check=[HealthCheck.too_slow])


@quickly
@given(trees=sides(3), fields=views, late=st.booleans())
def test_no_rule_raises_whatever_stands_in_tasks(trees: list[Documents], fields: dict[str, Any], *, late: bool) -> None:
    before, after, base = trees
    view = commit_view(before, after, **fields, base=snapshot(base) if late else None)
    found = list(said(view))
    told(found)
    if view.actor is None:
        codes = {one.rule.code for one in found if one.rule.code.startswith("CD")}
        assert codes <= SILENT_FOR_NOBODY
    assert {t.state for t in free_for(view.actor, view.after, view.codifica)} <= {"todo"}


@quickly
@given(trees=sides(3), fields=views, conflict=st.booleans(), twice=st.booleans())
def test_no_rule_about_merges_raises_either(
    trees: list[Documents], fields: dict[str, Any], *, conflict: bool, twice: bool
) -> None:
    left, right, own = trees
    view = commit_view(left, own, merged=right, **fields)

    def item(name: TaskId, snapshots: tuple[Snapshot, ...]) -> MergeItem:
        held = tuple(s.record(name) for s in snapshots)
        return MergeItem(
            kind="record",
            name=name,
            path=RepoPath(b"work.md"),
            conflict=conflict,
            twice=twice,
            sides=held,
            own=view.after.record(name),
        )

    every = {name for s in (*view.parents, view.after) for name in s.records}
    merge = MergeView(commit=view, decided=tuple(item(name, view.parents) for name in sorted(every)))
    rules = tuple(REGISTRY.under(view.policy, About.MERGE))
    assert {rule.code for rule in rules} == {"CD501", "CD502", "CD503", "CD504"}
    found = [Said(rule, breach) for rule in rules for breach in rule.check(merge)]
    told([*said(view), *found])
    if not conflict:
        assert {one.breach.task for one in found if one.rule.code == "CD501"} == every


@quickly
@given(sides(1), views)
def test_a_commit_that_changes_no_task_breaks_no_rule_about_tasks(
    trees: list[Documents], fields: dict[str, Any]
) -> None:
    view = replace(commit_view(trees[0], trees[0], **fields), human_act=None)
    assert not [one for one in said(view) if one.rule.about is not About.COMMIT]
