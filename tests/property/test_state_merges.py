"""Merging tasks: no side is first, and what merges clean loses no task, note or transition."""

import json
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.model.document import Document, Task
from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split
from codifica_guard.state.merge import merge_task, same
from codifica_guard.state.render import render_task
from codifica_guard.state.weave import Woven, weave
from codifica_guard.state.yaml import read_block

HERE = RepoPath(b"work.md")
IDS = [f"T-{n}" for n in range(1, 6)]
Tasks = dict[str, dict[str, Any]]

WORDS = st.sampled_from(["low", "high", "a # b", "- c", "Fix: it", "two\nlines\n"])
MOMENTS = st.integers(0, 9).map(lambda n: f"2026-12-01T09:0{n}:00Z")
NOTES = st.lists(
    st.fixed_dictionaries({"by": st.just("agent:builder"), "note": WORDS, "timestamp": MOMENTS}), max_size=2
)
STATES = st.sampled_from(["todo", "in_progress", "to_be_tested", "done"])


def fresh(name: str) -> dict[str, Any]:
    return {
        "id": name,
        "type": "build",
        "state": "todo",
        "title": f"Title of {name}",
        "execution_notes": [{"by": "agent:builder", "note": "first", "timestamp": "2026-12-01T08:00:00Z"}],
        "state_transitions": [],
    }


@st.composite
def changed(draw: st.DrawFn, tasks: Tasks) -> Tasks:
    """Some tasks after a few acts: fields set, notes added, states moved, tasks dropped and born."""
    result = {name: {**data} for name, data in tasks.items()}
    for name in draw(st.lists(st.sampled_from(IDS), max_size=4)):
        if name not in result and name in tasks:
            continue  # dropped before
        if name not in result:
            result[name] = {**fresh(name), "title": draw(WORDS)}
            continue
        task = result[name]
        act = draw(st.sampled_from(["title", "priority", "x-own", "notes", "labels", "state", "drop"]))
        if act == "drop":
            del result[name]
        elif act == "notes":
            task["execution_notes"] = [*task["execution_notes"], *draw(NOTES)]
        elif act == "labels":
            task["labels"] = [*task.get("labels", []), *draw(st.lists(WORDS, max_size=2))]
        elif act == "state":
            state = draw(STATES)
            step = {"from": task["state"], "to": state, "by": draw(WORDS)}
            task |= {"state": state, "state_transitions": [*task["state_transitions"], step]}
        else:
            task[act] = draw(WORDS)
    return result


def written(tasks: Tasks) -> bytes:
    blocks = [render_task(task) for task in tasks.values()]
    return b"# Work\n\nText.\n\n```yaml\n" + b"\n".join(blocks) + b"```\n\nMore.\n"


def read(data: bytes) -> Document:
    return split(HERE, data)


def tasks_of(data: bytes) -> Tasks:
    found: Tasks = {}
    for block in read(data).blocks:
        task = read_block(block.raw)
        assert isinstance(task, Task)
        found[block.id] = dict(task.data)
    return found


def lists(tasks: Tasks, name: str) -> list[tuple[str, str]]:
    return [
        (ident, json.dumps(entry, sort_keys=True)) for ident, data in tasks.items() for entry in data.get(name) or ()
    ]


BASES = st.sets(st.sampled_from(IDS)).map(lambda names: {name: fresh(name) for name in IDS if name in names})


@settings(max_examples=300, deadline=None)
@given(data=st.data())
def test_a_document_merges_alike_in_both_directions_and_loses_nothing(data: st.DataObject) -> None:
    base = data.draw(BASES)
    one, two = data.draw(changed(base)), data.draw(changed(base))
    first = weave(written(base), written(one), written(two))
    second = weave(written(base), written(two), written(one))
    assert isinstance(first, Woven)
    assert isinstance(second, Woven)
    assert set(first.conflicts) == set(second.conflicts)
    if first.conflicts:
        assert not read(first.data).splittable
        return
    merged, again = tasks_of(first.data), tasks_of(second.data)
    assert list(merged) == list(again)
    assert all(same(merged[name], again[name]) for name in merged)
    assert read(first.data).frame == read(written(base)).frame
    for name in {*one, *two} - merged.keys():
        assert name in base, "a task of one side was lost"
        assert name not in one or name not in two
    for field in ("execution_notes", "state_transitions", "labels"):
        held = lists(merged, field)
        for side in (one, two):
            for entry in lists({n: d for n, d in side.items() if n in merged}, field):
                assert entry in held
    for name, fields in merged.items():
        for field, value in fields.items():
            assert field in {"execution_notes", "labels"} or any(
                side.get(name, {}).get(field) == value for side in (one, two)
            )


@settings(max_examples=200, deadline=None)
@given(data=st.data())
def test_a_side_that_changed_nothing_gives_way_byte_for_byte(data: st.DataObject) -> None:
    base = data.draw(BASES)
    one = written(data.draw(changed(base)))
    for sides in ((written(base), one), (one, written(base))):
        assert weave(written(base), *sides) == Woven(data=one)
    assert weave(written(base), one, one) == Woven(data=one)


@settings(max_examples=200, deadline=None)
@given(data=st.data(), count=st.integers(2, 4))
def test_any_number_of_sides_come_to_the_same_in_any_order(data: st.DataObject, count: int) -> None:
    base = {"T-1": fresh("T-1")}
    sides = [data.draw(changed(base)).get("T-1") for _ in range(count)]
    versions = [None if side is None else ((render_task(side), HERE),) for side in sides]
    old = frozenset({((render_task(base["T-1"]), HERE),)})
    order = data.draw(st.permutations(range(count)))
    one = merge_task(versions, lambda _, __: old)
    two = merge_task([versions[n] for n in order], lambda _, __: old)
    assert (one.clash == two.clash) or set(one.clash) == set(two.clash)
    assert (one.side is None) == (two.side is None)
    if one.side is not None and two.side is not None:
        assert versions[one.side] == [versions[n] for n in order][two.side]
    if one.data is not None:
        assert two.data is not None
        assert same(one.data, two.data)


@settings(max_examples=300, deadline=None)
@given(base=st.binary(max_size=60), ours=st.binary(max_size=60), theirs=st.binary(max_size=60))
def test_any_bytes_merge_or_do_not_and_never_raise(base: bytes, ours: bytes, theirs: bytes) -> None:
    text = b"```yaml\n%b```\n"
    for sides in ((base, ours, theirs), tuple(text % part for part in (base, ours, theirs))):
        answer = weave(*sides)
        assert answer is None or isinstance(answer, Woven)
