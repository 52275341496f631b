"""ID107: which session may go on with a task."""

from codifica_guard.packs.core import id107
from codifica_guard.rules.rule import Breach
from codifica_guard.rules.view import CommitView
from tests.unit.views import (
    ALICE,
    BUILDER,
    WRITER,
    commit_view,
    document,
    entered,
    found,
    policy,
    snapshot,
    task,
    trailers,
)

KEY, NEXT = "ssh-ed25519 AAAA1", "ssh-ed25519 AAAA2"
REQUIRED = policy(writer_tokens="required")
CLAIM = entered("in_progress", writer=KEY, session="s-71f0", at="2026-11-30T10:03:00Z")
BARE = entered("in_progress")
AGAIN = entered("in_progress", of="in_progress", writer=NEXT, session="s-90aa")


def held(*entries: str, owner: str = BUILDER, title: str = "Login form", state: str = "in_progress") -> dict[str, str]:
    lines = ("  state_transitions:", *entries) if entries else ()
    return {"work.md": document(task("FEAT-1", *lines, state=state, owner=owner, title=title))}


FREE = held(state="todo", owner="unassigned")


def check(view: CommitView) -> list[Breach]:
    return [breach for change in view.changes for breach in id107.check(change, view)]


def proving(*keys: str) -> dict[str, object]:
    return {"proves": lambda key: key in keys, "actor": BUILDER}


def test_the_holder_of_the_token_goes_on() -> None:
    assert check(commit_view(held(*CLAIM), held(*CLAIM, title="x"), **proving(KEY))) == []  # type: ignore[arg-type]


def test_without_the_token_the_session_that_holds_the_task_is_named() -> None:
    (breach,) = check(commit_view(held(*CLAIM), held(*CLAIM, title="x"), actor=BUILDER))
    assert breach.found == "no Codifica-Writer; session s-71f0 (since 2026-11-30 10:03Z) holds the task"
    assert (breach.path, breach.line, breach.task) == (b"work.md", 4, "FEAT-1")
    assert breach.do == (
        "stop. Your notes are in your clone: give them to session s-71f0",
        'if that one is gone for good: git codifica resume FEAT-1 -m "why" (in a clone without this commit)',
        'or a human: git codifica reclaim FEAT-1 --for agent:builder -m "why"',
        "other work: git codifica claim --next",
    )
    never = policy(resume_after_minutes=None)
    (other,) = check(commit_view(held(*CLAIM), held(*CLAIM, title="x"), actor=BUILDER, under=never))
    assert other.do == (breach.do[0], *breach.do[2:])
    nameless = entered("in_progress", writer=KEY)
    (breach,) = check(commit_view(held(*nameless), held(*nameless, title="x"), actor=BUILDER))
    assert breach.do[0].endswith("give them to the session that holds the task")


def test_the_token_of_an_earlier_claim_is_said_to_be_one() -> None:
    after = held(*CLAIM, *AGAIN, title="x")
    other = trailers(("Codifica-Writer", "AAAA"))
    (breach,) = check(commit_view(held(*CLAIM, *AGAIN), after, trailing=other, **proving(KEY)))  # type: ignore[arg-type]
    assert breach.found == "its Codifica-Writer is of another claim; session s-90aa holds the task"


def test_an_entry_that_names_no_session_is_called_another_one() -> None:
    nameless = entered("in_progress", writer=KEY)
    assert (
        "another session holds the task"
        in found(check(commit_view(held(*nameless), held(*nameless, title="x"), actor=BUILDER)))[0]
    )


def test_the_hand_in_needs_the_token_and_what_follows_does_not() -> None:
    handed_in = held(*CLAIM, state="to_be_tested")
    assert len(check(commit_view(held(*CLAIM), handed_in, actor=BUILDER))) == 1
    assert check(commit_view(handed_in, held(*CLAIM, state="to_be_tested", title="x"), actor=BUILDER)) == []


def test_without_a_writer_key_the_owner_goes_on_where_tokens_are_optional() -> None:
    assert check(commit_view(held(*BARE), held(*BARE, title="x"), actor=BUILDER)) == []


def test_without_a_writer_key_the_owner_resumes_where_tokens_are_required() -> None:
    for entries in ((), BARE):
        (breach,) = check(commit_view(held(*entries), held(*entries, title="x"), actor=BUILDER, under=REQUIRED))
        assert "no session holds the task" in breach.found
        assert breach.do[0].startswith("take it out: git reset --soft 2222222~1 && ")
        assert breach.do[1] == 'git codifica resume FEAT-1 -m "why"'
        assert breach.do[2].endswith("its writer: git codifica key token FEAT-1")


def test_a_later_entry_without_key_ends_the_session_before_it() -> None:
    before = held(*CLAIM, *BARE)
    assert check(commit_view(before, held(*CLAIM, *BARE, title="x"), actor=BUILDER)) == []


def test_a_claim_shows_that_it_has_the_key_that_it_names() -> None:
    (breach,) = check(commit_view(FREE, held(*CLAIM), actor=BUILDER))
    assert breach.found == "the commit is not signed with the writer key that its own entry names (no Codifica-Writer)"
    assert check(commit_view(FREE, held(*CLAIM), **proving(KEY))) == []  # type: ignore[arg-type]


def test_a_claim_without_key_is_another_rules_news() -> None:
    assert check(commit_view(FREE, held(*BARE), actor=BUILDER, under=REQUIRED)) == []


def test_a_resume_needs_the_new_key_and_not_the_old_one() -> None:
    after = held(*CLAIM, *AGAIN)
    assert check(commit_view(held(*CLAIM), after, **proving(NEXT))) == []  # type: ignore[arg-type]
    assert len(check(commit_view(held(*CLAIM), after, **proving(KEY)))) == 1  # type: ignore[arg-type]


def test_a_resume_brings_a_key_where_tokens_are_required() -> None:
    after = held(*CLAIM, *entered("in_progress", of="in_progress"))
    (breach,) = check(commit_view(held(*CLAIM), after, under=REQUIRED, **proving(KEY)))  # type: ignore[arg-type]
    assert "has no provenance.writer" in breach.found


def test_a_resume_without_key_needs_no_token_where_they_are_optional() -> None:
    after = held(*BARE, *entered("in_progress", of="in_progress"))
    assert check(commit_view(held(*BARE), after, actor=BUILDER)) == []


def test_a_resume_without_key_never_sheds_the_fence_of_a_session() -> None:
    after = held(*CLAIM, *entered("in_progress", of="in_progress"))
    (breach,) = check(commit_view(held(*CLAIM), after, actor=BUILDER))
    assert "has no provenance.writer" in breach.found


def test_people_and_strangers_are_judged_by_other_rules() -> None:
    after = held(*CLAIM, title="x")
    assert check(commit_view(held(*CLAIM), after, actor=ALICE)) == []
    assert check(commit_view(held(*CLAIM), after, actor=WRITER)) == []
    assert check(commit_view(held(*CLAIM), after)) == []


def test_a_task_that_comes_or_goes_has_no_session() -> None:
    assert check(commit_view({"work.md": document()}, held(*CLAIM), actor=BUILDER)) == []


def test_a_zombie_is_refused_though_its_token_fits_its_own_past() -> None:
    tip = snapshot(held(*CLAIM, *AGAIN))
    (breach,) = check(commit_view(held(*CLAIM), held(*CLAIM, title="x"), base=tip, **proving(KEY)))  # type: ignore[arg-type]
    expected = "agent:builder goes on with the task as it was; on the branch it is in_progress, owner agent:builder"
    assert breach.found == f"{expected}; session s-90aa holds it"


def test_a_zombie_whose_task_was_taken_back_is_told_its_state() -> None:
    tip = snapshot(held(*CLAIM, *entered("todo", of="in_progress", by=ALICE), state="todo", owner="unassigned"))
    (breach,) = check(commit_view(held(*CLAIM), held(*CLAIM, title="x"), base=tip, **proving(KEY)))  # type: ignore[arg-type]
    assert breach.found.endswith("on the branch it is todo, owner unassigned")


def test_a_stale_claim_is_a_lost_race_and_another_rules_news() -> None:
    tip = snapshot(held(*CLAIM, owner=WRITER))
    assert check(commit_view(FREE, held(*CLAIM), base=tip, **proving(KEY))) == []  # type: ignore[arg-type]


def test_work_on_an_old_base_whose_task_did_not_move_is_fine() -> None:
    same = snapshot(held(*CLAIM))
    assert check(commit_view(held(*CLAIM), held(*CLAIM, title="x"), base=same, **proving(KEY))) == []  # type: ignore[arg-type]


def test_the_key_to_sign_with_is_the_new_one_of_a_claim_and_the_held_one_of_work() -> None:
    def wanted(before: dict[str, str], after: dict[str, str]) -> list[str | None]:
        return [id107.key_wanted(change) for change in commit_view(before, after).changes]

    assert wanted(FREE, held(*CLAIM)) == [KEY]
    assert wanted(held(*CLAIM), held(*CLAIM, *AGAIN)) == [NEXT]
    assert wanted(held(*CLAIM), held(*CLAIM, title="x")) == [KEY]
    assert wanted(held(*CLAIM, state="to_be_tested"), held(*CLAIM, state="to_be_tested", title="x")) == [None]
    assert wanted({"work.md": document()}, held(*CLAIM)) == [None]


def test_a_claim_brings_a_key_that_no_claim_before_it_had() -> None:
    back = entered("todo", of="in_progress", by=ALICE)
    before = held(*CLAIM, *back, state="todo", owner="unassigned")
    (breach,) = check(commit_view(before, held(*CLAIM, *back, *CLAIM), **proving(KEY)))  # type: ignore[arg-type]
    assert breach.found.startswith("the writer key of an earlier claim")
    fresh = entered("in_progress", writer=NEXT)
    assert check(commit_view(before, held(*CLAIM, *back, *fresh), **proving(NEXT))) == []  # type: ignore[arg-type]
