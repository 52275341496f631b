"""ID109, ID110, ID113: the files that carry trust, and the introduction."""

import pytest

from codifica_guard.model.commit import Entry
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import ObjectId, Principal
from codifica_guard.model.policy import GUARD_FILE, SIGNERS_FILE, Policy, PolicyFault
from codifica_guard.packs.core import id109, id110, id113
from codifica_guard.rules.view import CommitView, MergeItem, MergeView
from tests.unit.views import (
    ALICE,
    BOB,
    BUILDER,
    FILE,
    OTHER_FILE,
    WORK,
    commit_view,
    document,
    failed,
    found,
    policy,
    task,
)

START = {"work.md": document(task("FEAT-1"))}
SIGNERS, GUARD, REVOKED = ".codifica/allowed_signers", ".codifica/guard.json", ".codifica/revoked_keys"
CHANGED = (FILE, OTHER_FILE)
FATAL = PolicyFault(code="ID109", path=GUARD_FILE, found="it is no JSON", line=3)
SHARED = PolicyFault(code="ID113", path=SIGNERS_FILE, found="one key for both", line=2)


def by(actor: Principal | None, *paths: str, own: Policy | None = None, under: Policy | None = None) -> CommitView:
    """A commit that changes some files that carry trust."""
    return commit_view(
        START, paths=dict.fromkeys(paths, CHANGED), actor=actor, own_policy=own or policy(), under=under or policy()
    )


@pytest.mark.parametrize("path", [GUARD, SIGNERS, REVOKED, ".codifica/notes", "codifica.json", "codifica-spec.md"])
@pytest.mark.parametrize("actor", [BUILDER, BOB, None])
def test_only_maintainers_change_what_carries_trust(path: str, actor: Principal | None) -> None:
    (breach,) = id109.check(by(actor, path))
    assert breach.found == f"{path} changed by {actor or 'a commit that nobody signed'}"
    assert breach.expected == "only maintainers (human:alice)"
    assert breach.path == path.encode()
    assert found(id109.check(by(ALICE, path))) == []


def test_the_undo_is_a_command_for_exactly_these_files() -> None:
    (breach,) = id109.check(by(BUILDER, GUARD, SIGNERS, "codifica.json"))
    assert breach.do[0] == "undo: git restore --source=origin/main --staged --worktree .codifica codifica.json"
    assert breach.do[1] == "git commit --amend --no-edit"


def test_a_signature_that_fails_is_no_maintainers() -> None:
    view = commit_view(START, paths={SIGNERS: CHANGED}, attribution=failed("ID102"), own_policy=policy())
    assert found(id109.check(view)) == [f"{SIGNERS} changed by a commit whose signature proves nobody"]


def test_an_agent_among_the_maintainers_is_none() -> None:
    rules = policy(maintainers=(BUILDER,))
    assert len(list(id109.check(by(BUILDER, SIGNERS, under=rules)))) == 1


def test_a_state_document_is_deleted_by_maintainers_only() -> None:
    (breach,) = id109.check(commit_view(START, {}, actor=BUILDER))
    assert (breach.found, breach.path) == ("work.md deleted by agent:builder", WORK)
    assert found(id109.check(commit_view(START, {}, actor=ALICE))) == []


def test_a_file_that_carries_trust_is_deleted_by_maintainers_only() -> None:
    (breach,) = id109.check(commit_view(START, paths={SIGNERS: (FILE, None)}, actor=BOB))
    assert breach.found == f"{SIGNERS} deleted by human:bob"


def test_a_policy_without_maintainers_says_so() -> None:
    (breach,) = id109.check(by(ALICE, SIGNERS, under=policy(maintainers=())))
    assert breach.expected == "only maintainers (there are none)"


def test_a_policy_that_cannot_be_read_never_lands() -> None:
    (breach,) = id109.check(by(ALICE, GUARD, own=policy(faults=[FATAL, SHARED], repository="", maintainers=())))
    assert (breach.found, breach.path, breach.line, breach.severity) == ("it is no JSON", GUARD_FILE, 3, None)


def test_what_is_only_doubtful_is_told() -> None:
    doubt = PolicyFault(code="ID109", path=SIGNERS_FILE, found="no key", fatal=False)
    (breach,) = id109.check(by(ALICE, SIGNERS, own=policy(faults=[doubt])))
    assert breach.severity is Severity.WARNING


@pytest.mark.parametrize(
    ("changed", "says"),
    [
        ({"maintainers": ()}, "there is no maintainer left"),
        ({"repository": "ff" * 16}, "repository is another one than before"),
        ({"coordination_branch": "trunk"}, "coordination_branch is trunk"),
    ],
)
def test_not_even_a_maintainer_changes_what_holds_the_policy(changed: dict[str, object], says: str) -> None:
    own = policy(**changed)  # type: ignore[arg-type]
    assert found(id109.check(by(ALICE, GUARD, own=own))) == [says]
    assert found(id109.check(by(ALICE, SIGNERS, own=own))) == []


def test_guard_json_never_goes() -> None:
    (breach,) = id109.check(commit_view(START, paths={GUARD: (FILE, None)}, actor=ALICE))
    assert breach.found == "guard.json is gone: nothing would be judged any more"


def test_a_file_beside_an_absent_guard_json_is_a_maintainers_to_change() -> None:
    assert found(id109.check(commit_view(START, paths={SIGNERS: CHANGED}, actor=ALICE))) == []


def test_revoked_keys_only_grow() -> None:
    old = policy(revoked=[b"k1", b"k2"], key=(None, None, None, FILE.id))
    fewer, more = policy(revoked=[b"k1"]), policy(revoked=[b"k1", b"k2", b"k3"])
    assert found(id109.check(by(ALICE, REVOKED, own=fewer, under=old))) == ["revoked_keys lists fewer keys than before"]
    assert found(id109.check(by(ALICE, REVOKED, own=more, under=old))) == []


def test_a_longer_list_at_the_tip_is_no_fault_of_a_commit_that_began_before() -> None:
    tip = policy(revoked=[b"k1", b"k2"], key=(None, None, None, ObjectId(b"9" * 40)))
    assert found(id109.check(by(ALICE, REVOKED, own=policy(revoked=[b"k1", b"k3"]), under=tip))) == []


def test_an_introduction_is_held_against_its_own_faults_alone() -> None:
    new: dict[str, tuple[Entry | None, Entry | None]] = {GUARD: (None, FILE), SIGNERS: (None, FILE)}
    fine = commit_view(START, paths=new, introduces=True, own_policy=policy(repository="ab" * 16))
    assert found(id109.check(fine)) == []
    broken = commit_view(START, paths=new, introduces=True, own_policy=policy(faults=[FATAL]))
    assert found(id109.check(broken)) == ["it is no JSON"]


def merge(actor: Principal | None, *, conflict: bool, kind: str = "trust") -> tuple[MergeItem, MergeView]:
    item = MergeItem(kind=kind, name=SIGNERS, path=SIGNERS_FILE, conflict=conflict)
    return item, MergeView(commit=commit_view(START, merged=START, actor=actor), decided=(item,))


@pytest.mark.parametrize("actor", [ALICE, BOB, BUILDER, None])
def test_a_merge_brings_no_own_change_of_what_carries_trust(actor: Principal | None) -> None:
    breach = id109.breach_of_merge(*merge(actor, conflict=False))
    assert breach is not None
    assert breach.found == f"the merge changes {SIGNERS} in a way that no parent did"


@pytest.mark.parametrize("actor", [BOB, BUILDER, None])
def test_a_conflict_in_what_carries_trust_needs_a_maintainer(actor: Principal | None) -> None:
    breach = id109.breach_of_merge(*merge(actor, conflict=True))
    assert breach is not None
    assert breach.found == f"a conflict in {SIGNERS} was settled by {actor or 'a commit that nobody signed'}"
    assert id109.breach_of_merge(*merge(ALICE, conflict=True)) is None


@pytest.mark.parametrize("actor", [ALICE, BUILDER, None])
def test_a_merge_takes_no_key_off_the_list_whoever_makes_it(actor: Principal | None) -> None:
    breach = id109.breach_of_merge(*merge(actor, conflict=False, kind="revoked"))
    assert breach is not None
    assert breach.found == "the merge's revoked_keys lists fewer keys than its sides"


def test_other_decisions_of_a_merge_are_other_rules() -> None:
    assert id109.breach_of_merge(*merge(None, conflict=False, kind="record")) is None


def introduction(actor: Principal | None, own: Policy | None) -> CommitView:
    return commit_view(START, paths={GUARD: (None, FILE)}, introduces=True, own_policy=own, actor=actor)


@pytest.mark.parametrize("actor", [BOB, BUILDER, None])
def test_an_introduction_is_signed_by_a_maintainer_that_it_names(actor: Principal | None) -> None:
    (breach,) = id110.check(introduction(actor, policy()))
    assert breach.found == f"the guard is introduced by {actor or 'a commit that nobody signed'}"
    assert "(human:alice)" in breach.expected


def test_an_introduction_has_a_guard_json() -> None:
    assert found(id110.check(introduction(ALICE, None))) == ["the introduction has no guard.json"]


@pytest.mark.parametrize("fault", [FATAL, SHARED])
def test_an_introduction_whose_policy_is_wrong_is_told_of_that_alone(fault: PolicyFault) -> None:
    view = introduction(None, policy(faults=[fault]))
    assert found(id110.check(view)) == []
    assert found([*id109.check(view), *id113.check(view)]) == [fault.found]


def test_a_warning_about_the_policy_does_not_stand_for_the_signature() -> None:
    doubt = PolicyFault(code="ID109", path=SIGNERS_FILE, found="no key", fatal=False)
    assert len(list(id110.check(introduction(None, policy(faults=[doubt]))))) == 1


def test_an_introduction_that_the_server_does_not_trust_says_why() -> None:
    breach = id110.untrusted("signed with SHA256:aa, SHA256:bb is awaited")
    assert breach.found == "signed with SHA256:aa, SHA256:bb is awaited"
    assert breach.path == GUARD_FILE


def test_a_change_of_guard_json_is_no_second_introduction() -> None:
    assert found(id110.check(by(ALICE, GUARD))) == []
    (breach,) = id110.check(commit_view(paths={GUARD: (None, FILE)}, actor=ALICE, own_policy=policy()))
    assert breach.do == ("git fetch origin", "git merge origin/main")


def test_a_key_of_two_kinds_is_told_where_trust_changed() -> None:
    doubt = PolicyFault(code="ID113", path=SIGNERS_FILE, found="a pattern", fatal=False)
    told = list(id113.check(by(ALICE, SIGNERS, own=policy(faults=[SHARED, doubt, FATAL]))))
    assert [(b.found, b.line, b.severity) for b in told] == [
        ("one key for both", 2, None),
        ("a pattern", None, Severity.WARNING),
    ]
    assert found(id113.check(commit_view(START, own_policy=policy(faults=[SHARED])))) == []
