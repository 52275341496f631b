"""The frozen values: ids, commits, documents, findings, policies."""

from typing import Final

import pytest

from codifica_guard.model.commit import SUBMODULE, SYMLINK, TREE, Entry, Trailer, Trailers
from codifica_guard.model.document import Task
from codifica_guard.model.finding import Finding, Severity, Verdict
from codifica_guard.model.identity import Attribution, Proof
from codifica_guard.model.ids import (
    ObjectId,
    Principal,
    RefName,
    RepoPath,
    is_agent,
    is_human,
    is_principal,
    short,
    show_path,
)
from codifica_guard.model.policy import Globs
from codifica_guard.model.push import Push, RefUpdate
from codifica_guard.model.value import FrozenValueError
from tests.unit.views import policy

# -- ids


@pytest.mark.parametrize(
    "text", ["human:alice", "agent:b", "server:git.example.org", "agent:0_a-b.c", "human:" + "a" * 64]
)
def test_a_principal_is_a_kind_and_a_name(text: str) -> None:
    assert is_principal(text)


@pytest.mark.parametrize(
    "text",
    ["", "human", "human:", ":alice", "alice", "robot:a", "human:Alice", "human:-a", "human: a", "human:a b", "human:" + "a" * 65, "human:a\n", "agent:\u0430", "HUMAN:a", "human:a:b"],
)  # fmt: skip
def test_other_texts_are_no_principals(text: str) -> None:
    assert not is_principal(text)


def test_a_principal_is_human_or_agent_by_its_kind() -> None:
    assert [is_human(p) for p in ("human:a", "agent:a", "server:a", "human", None)] == [
        True,
        False,
        False,
        False,
        False,
    ]
    assert [is_agent(p) for p in ("agent:a", "human:a", "server:a", "agent", None)] == [
        True,
        False,
        False,
        False,
        False,
    ]


def test_paths_and_ids_are_shown_in_short() -> None:
    assert show_path("gr\u00fc\u00df.md".encode()) == "gr\u00fc\u00df.md"
    assert show_path(b"a\xff\xfe.md") == "a\\xff\\xfe.md"
    assert short(ObjectId(b"8c1d02e" + b"0" * 33)) == "8c1d02e"


# -- commits


def test_an_entry_is_a_file_by_its_mode() -> None:
    oid = ObjectId(b"a" * 40)
    assert [Entry(mode, oid).is_file for mode in (0o100644, 0o100755, 0o100664)] == [True] * 3
    assert [Entry(mode, oid).is_file for mode in (SYMLINK, SUBMODULE, TREE)] == [False] * 3


def test_the_values_of_a_trailer_are_those_of_exactly_its_key() -> None:
    held = Trailers(all=(Trailer(b"A", b"1"), Trailer(b"a", b"2"), Trailer(b"A", b"3")))
    assert held.values(b"A") == (b"1", b"3")
    assert held.values(b"B") == Trailers().values(b"A") == ()


# -- tasks

TASK: Final = Task(
    data={
        "id": "A",
        "state": None,
        "owner": ["x"],
        "type": "build",
        "flag": True,
        "rows": [{"a": "b"}, "c", None, {"d": "e"}],
    }
)


def test_a_text_is_a_text_and_nothing_else() -> None:
    assert TASK.text("type") == TASK.type == "build"
    assert [TASK.text(name) for name in ("state", "owner", "flag", "rows", "absent")] == [None] * 5
    assert TASK.state is TASK.owner is None


def test_a_list_is_read_by_what_it_holds() -> None:
    assert TASK.entries("rows") == ({"a": "b"}, {"d": "e"})
    assert TASK.texts("rows") == ("c",)
    for name in ("type", "state", "absent", "flag"):
        assert TASK.entries(name) == ()
        assert TASK.texts(name) == ()


def test_a_task_without_id_has_the_empty_one() -> None:
    assert TASK.id == "A"
    assert Task(data={}).id == Task(data={"id": ["A"]}).id == ""


# -- findings


def finding(severity: Severity) -> Finding:
    return Finding(code="CD101", name="required-field", severity=severity, found="title is missing")


def test_a_verdict_refuses_by_its_errors_alone() -> None:
    error, warning = finding(Severity.ERROR), finding(Severity.WARNING)
    both = Verdict(findings=(warning, error))
    assert (both.errors, both.warnings, both.accepted) == ((error,), (warning,), False)
    assert Verdict(findings=(warning,)).accepted
    assert Verdict().accepted


def test_values_are_frozen() -> None:
    with pytest.raises(FrozenValueError):
        finding(Severity.ERROR).code = "CD102"  # type: ignore[misc]
    with pytest.raises(FrozenValueError):
        Attribution().actor = Principal("human:eve")  # type: ignore[misc]
    assert Attribution().proof is Proof.NONE


def test_a_push_is_equal_by_its_updates() -> None:
    update = RefUpdate(ref=RefName(b"refs/heads/main"), old=None, new=ObjectId(b"a" * 40))
    assert Push(updates=(update,)) == Push(updates=(update,)) != Push(updates=())


# -- policies


def test_globs_match_what_is_included_and_not_excluded() -> None:
    globs = Globs(patterns=("src/**", "!src/no/**"), include=("src/.*", "docs/[^/]*"), exclude=("src/no/.*",))
    assert [p for p in (b"src/a", b"src/no/a", b"docs/a", b"docs/a/b", b"xsrc/a", b"src/a\n") if globs.match(p)] == [
        b"src/a",
        b"docs/a",
    ]
    assert [p for p in (b"src/a", b"src/no/a", b"no/a") if globs.excludes(p)] == [b"src/no/a"]


def test_globs_take_paths_that_are_no_text() -> None:
    globs = Globs(patterns=("*",), include=("[^/]*",), exclude=("\udcff",))
    assert globs.match(b"a\xff")
    assert not globs.match(b"\xff")
    assert globs.excludes(b"\xff")


def test_no_patterns_match_nothing() -> None:
    assert not Globs(patterns=(), include=()).match(b"a")


def test_globs_are_equal_by_their_patterns_also_after_they_were_used() -> None:
    one, other = (Globs(patterns=("*",), include=("[^/]*",)) for _ in range(2))
    assert one.match(b"a")
    assert one == other
    assert hash(one) == hash(other)


@pytest.mark.parametrize(
    ("path", "trust"),
    [
        (b".codifica/guard.json", True), (b".codifica/a/b", True), (b"codifica.json", True), (b"codifica-spec.md", True), (b".codifica", False),
        (b"a/.codifica/guard.json", False), (b"sub/codifica.json", False), (b"work.md", False), (b".codificaX/a", False),
    ],
)  # fmt: skip
def test_trust_is_in_the_policy_codifica_json_and_the_spec(path: bytes, *, trust: bool) -> None:
    assert policy().is_trust(RepoPath(path)) is trust


def test_without_codifica_json_there_is_no_spec() -> None:
    assert not policy(without_codifica=True).is_trust(b"codifica-spec.md")
    assert policy(without_codifica=True).is_trust(b"codifica.json")
