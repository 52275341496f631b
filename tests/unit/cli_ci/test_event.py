"""What an event says, and that nothing else in its file is read."""

import json
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given
from hypothesis import strategies as st

from codifica_guard.cli import ci_event
from codifica_guard.cli.ci_event import Asked, asked_by_event
from codifica_guard.errors import UsageError
from codifica_guard.model.ids import ObjectId, RefName
from tests.building import events

BASE, HEAD, ZERO = "a" * 40, "b" * 40, "0" * 40
MAIN: Final = RefName(b"refs/heads/main")

Read = Callable[[str, object], Asked]


@pytest.fixture
def read(tmp_path: Path) -> Read:
    def reading(name: str, event: object) -> Asked:
        path = tmp_path / "event.json"
        path.write_bytes(event if isinstance(event, bytes) else json.dumps(event).encode())
        return asked_by_event({"GITHUB_EVENT_PATH": str(path), "GITHUB_EVENT_NAME": name})

    return reading


def test_a_pull_request_is_told_by_its_number_and_commits(read: Read) -> None:
    told = read(
        "pull_request_target", events.pull_request(BASE, HEAD, allow_squash_merge=True, allow_rebase_merge=False)
    )
    assert told == Asked(
        name="pull request #41 into main",
        ref=MAIN,
        head=ObjectId(HEAD.encode()),
        base=ObjectId(BASE.encode()),
        number=41,
        squash=True,
        rebase=False,
        default=MAIN,
    )
    assert read("pull_request", events.pull_request(BASE, HEAD)).own
    assert read("pull_request", events.pull_request(BASE, HEAD)).squash is None


def test_a_push_is_told_by_its_ref(read: Read) -> None:
    told = read("push", events.push(BASE, HEAD, ref="refs/heads/release/1"))
    assert (told.name, told.ref, told.pushed) == ("push to release/1", RefName(b"refs/heads/release/1"), True)
    assert read("push", events.push(ZERO, HEAD)).base is None
    assert read("push", events.push(BASE, "0" * 64)).head is None


def test_without_a_default_branch_none_is_told(read: Read) -> None:
    event = events.push(BASE, HEAD)
    for repository in (None, {}, {"default_branch": ""}):
        assert read("push", {**event, "repository": repository}).default is None


def pull(**changed: Any) -> dict[str, Any]:
    event = events.pull_request(BASE, HEAD)
    for place, value in changed.items():
        *way, last = place.split("__")
        inner = event["pull_request"]
        for step in way:
            inner = inner[step]
        inner[last] = value
    return event


@pytest.mark.parametrize(
    ("name", "event"),
    [
        *(("pull_request_target", pull(number=number)) for number in (True, 0, -1, "41", 1.0, None)),
        *(("pull_request_target", pull(head__sha=oid)) for oid in ("", "main", BASE[:39], BASE + "b", "--upload-pack=x", BASE.upper(), None, 7)),
        *(("pull_request_target", pull(base__ref=ref)) for ref in ("", "a b", "../x", "a:b", "a*", "x.lock", "a\n", "\ud800", None, 7)),
        ("pull_request_target", pull(base=None)),
        ("pull_request_target", pull(base__repo=7)),
        ("pull_request_target", {}),
        ("pull_request_target", []),
        ("pull_request_target", b""),
        ("pull_request_target", b"\xff"),
        ("pull_request_target", b"[" * 100_000),
        ("merge_group", {"merge_group": {"base_ref": "main", "head_sha": HEAD, "base_sha": BASE}}),
        ("push", {"ref": "main", "before": BASE, "after": HEAD}),
        ("push", {"ref": 7, "before": BASE, "after": HEAD}),
        ("push", {"ref": "refs/heads/main", "before": None, "after": HEAD}),
        ("push", {**events.push(BASE, HEAD), "repository": {"default_branch": "a b"}}),
        ("push", {**events.push(BASE, HEAD), "repository": {"default_branch": 7}}),
    ],
)  # fmt: skip
def test_what_is_no_such_event_is_a_wrong_call(read: Read, name: str, event: object) -> None:
    with pytest.raises(UsageError, match=rf"is no event {name}: "):
        read(name, event)


@pytest.mark.parametrize(
    "name", ["schedule", "workflow_dispatch", "pull_request_review", "issue_comment", "", "x\n::y"]
)
def test_another_event_is_a_wrong_call_that_says_what_to_do(read: Read, name: str) -> None:
    with pytest.raises(UsageError, match="--base REF --head REF") as raised:
        read(name, {})
    assert "\n" not in str(raised.value)


def test_without_an_event_or_its_file_the_call_is_wrong(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(UsageError, match="what is to be judged"):
        asked_by_event({})
    with pytest.raises(UsageError, match="cannot read"):
        asked_by_event({"GITHUB_EVENT_PATH": str(tmp_path), "GITHUB_EVENT_NAME": "push"})
    monkeypatch.setattr(ci_event, "_LARGEST", 3)
    (tmp_path / "large").write_text("{   }")
    with pytest.raises(UsageError, match="more than 3 bytes"):
        asked_by_event({"GITHUB_EVENT_PATH": str(tmp_path / "large"), "GITHUB_EVENT_NAME": "push"})


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(
        ["pull_request", "number", "base", "head", "ref", "sha", "repo", "repository", "default_branch", "before", "after", "merge_group"]
    ), inner, max_size=4),
    max_leaves=12,
)  # fmt: skip


@given(st.sampled_from(["pull_request_target", "push", "merge_group"]), JSON)
def test_any_event_is_read_or_a_wrong_call(tmp_path_factory: pytest.TempPathFactory, name: str, event: object) -> None:
    path = tmp_path_factory.getbasetemp() / "any-event.json"
    path.write_text(json.dumps(event))
    with suppress(UsageError):
        told = asked_by_event({"GITHUB_EVENT_PATH": str(path), "GITHUB_EVENT_NAME": name})
        assert told.name.isprintable()
