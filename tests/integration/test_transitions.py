"""Who may move a task where, and what a move needs."""

import pytest

from tests.building import Repo, at
from tests.building.tasks import review

# -- handed in, and done by the owner


def test_the_owner_hands_in(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress").clone("builder").hand_in("FEAT-1").commit("FEAT-1: hand in").push().accepted()


def test_the_closing_note_may_come_a_commit_earlier(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.note("FEAT-1", summary="The page is there").commit("FEAT-1: note")
    builder.hand_in("FEAT-1", without={"note"}).commit("FEAT-1: hand in").push().accepted()


def test_a_hand_in_without_a_closing_note_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1", without={"note"}).commit("FEAT-1: hand in").push().refused("CD210")


def test_a_closing_note_without_a_summary_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1", summary=None).commit("FEAT-1: hand in").push().refused("CD210", "summary")


def test_a_note_from_before_the_claim_closes_nothing(repo: Repo) -> None:
    old = {"by": "agent:builder", "note": "Long ago", "summary": "Long ago", "timestamp": at(-400)}
    builder = repo.task("FEAT-1", "in_progress", execution_notes=[old]).clone("builder")
    builder.hand_in("FEAT-1", without={"note"}).commit("FEAT-1: hand in").push().refused("CD210")


def test_another_agent_does_not_hand_in(repo: Repo) -> None:
    writer = repo.task("FEAT-1", "in_progress").clone("writer")
    writer.hand_in("FEAT-1").commit("FEAT-1: hand in").push().refused("CD203", "agent:builder")


def test_a_human_hands_in_what_is_his_own_work(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "in_progress", "human:alice").clone("alice")
    alice.hand_in("FEAT-1", without={"note"}).commit("FEAT-1: please test").push().accepted()


def test_a_build_task_does_not_skip_testing(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1", target="done").commit("FEAT-1: done").push().refused({"CD204", "CD201"})


def test_a_custom_type_does_not_skip_testing(repo: Repo) -> None:
    builder = repo.rules(custom_types=["deploy"]).task("DEP-1", "in_progress", type="deploy").clone("builder")
    builder.hand_in("DEP-1", target="done").commit("DEP-1: done").push().refused({"CD204", "CD201"})


@pytest.mark.parametrize("kind", ["test", "investigate", "followup"])
def test_other_types_may_go_straight_to_done(repo: Repo, kind: str) -> None:
    builder = (
        repo.task("FEAT-1", "done").task("INV-1", "in_progress", type=kind, derived_from="FEAT-1").clone("builder")
    )
    builder.hand_in("INV-1", target="done").commit("INV-1: done").push().accepted()


def test_an_agent_that_finishes_says_when(repo: Repo) -> None:
    builder = repo.task("INV-1", "in_progress", type="investigate").clone("builder")
    builder.hand_in("INV-1", target="done", without={"completed_at"}).commit("INV-1: done").push().refused("CD209")


# -- closing


@pytest.mark.parametrize(("policy", "warnings"), [("warn", {"CD213"}), ("allow", set())])
def test_an_agent_closes_its_own_build_task_where_the_policy_lets_it(
    repo: Repo, policy: str, warnings: set[str]
) -> None:
    builder = repo.policy(self_approval=policy).task("FEAT-1", "to_be_tested").clone("builder")
    builder.close("FEAT-1").commit("FEAT-1: done").push().accepted(warnings=warnings)


def test_self_approval_is_refused_where_the_policy_says_so(repo: Repo) -> None:
    builder = repo.policy(self_approval="refuse").task("FEAT-1", "to_be_tested").clone("builder")
    builder.close("FEAT-1").commit("FEAT-1: done").push().refused("CD213")


def test_after_a_humans_pass_the_owner_may_close(repo: Repo) -> None:
    repo.policy(self_approval="refuse").task(
        "FEAT-1", "to_be_tested", human_review=review("pass", "human:alice", at(-100))
    )
    repo.clone("builder").close("FEAT-1").commit("FEAT-1: done").push().accepted()


@pytest.mark.parametrize("status", ["needs_work", "blocked"])
def test_nobody_closes_over_a_review_that_fails(repo: Repo, status: str) -> None:
    repo.task("FEAT-1", "to_be_tested", human_review=review(status, "human:alice", at(-100)))
    repo.clone("builder").close("FEAT-1").commit("FEAT-1: done").push().refused("CD212")


def test_a_review_that_failed_before_the_hand_in_does_not_count(repo: Repo) -> None:
    repo.policy(self_approval="allow").task(
        "FEAT-1", "to_be_tested", human_review=review("needs_work", "human:alice", at(-175))
    )
    repo.clone("builder").close("FEAT-1").commit("FEAT-1: done").push().accepted()


def test_another_agent_does_not_close(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested").clone("writer").close("FEAT-1").commit("FEAT-1: done").push().refused("CD203")


def test_an_agent_does_not_close_what_a_human_did(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested", "human:alice").clone("builder")
    builder.close("FEAT-1").commit("FEAT-1: done").push().refused({"CD203", "CD202"})


def test_a_human_closes_a_review(repo: Repo) -> None:
    repo.task("REV-1", "to_be_tested", "human:alice", type="review").clone("alice").approve("REV-1").commit(
        "REV-1: done"
    ).push().accepted()


@pytest.mark.parametrize("who", ["alice", "bob"])
def test_any_human_approves(repo: Repo, who: str) -> None:
    repo.task("FEAT-1", "to_be_tested").clone(who).approve("FEAT-1").commit("FEAT-1: approve").push().accepted()


def test_case_43_the_amended_and_signed_commit_is_then_accepted(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", state="done").commit("FEAT-1 looks good", proof="none")
    alice.git("commit", "-q", "--amend", "-S", "--no-edit", "--reset-author")
    alice.push().accepted(warnings={"CD207", "CD209"})


def test_where_only_the_owner_reviews_another_human_does_not_close(repo: Repo) -> None:
    alice = repo.policy(review_by="owner").task("FEAT-1", "to_be_tested").clone("alice")
    alice.approve("FEAT-1").commit("FEAT-1: approve").push().refused("CD203")


def test_a_human_approves_two_tasks_in_one_commit(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested", "agent:writer").clone("alice")
    alice.approve("FEAT-1").approve("FEAT-2").commit("FEAT-1 and FEAT-2: approve").push().accepted()


# -- not in the table


@pytest.mark.parametrize(
    ("source", "target"),
    [
        ("todo", "done"),
        ("rejected", "done"),
        ("to_be_tested", "rejected"),
        ("done", "in_progress"),
        ("todo", "to_be_tested"),
    ],
)
def test_the_table_binds_people_too(repo: Repo, source: str, target: str) -> None:
    alice = repo.task("FEAT-1", source).clone("alice")
    alice.move("FEAT-1", target, owner="human:alice", completed_at=at()).commit("FEAT-1: move").push().refused(
        {"CD201", "CD204"}
    )


@pytest.mark.parametrize("target", ["done", "to_be_tested"])
def test_an_agent_does_not_skip_the_claim(repo: Repo, target: str) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.move("FEAT-1", target, completed_at=at()).commit("FEAT-1: move").push().refused(
        {"CD201", "CD202", "CD203", "CD204"}
    )


def test_an_agent_has_no_way_to_give_a_claim_back(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.reclaim("FEAT-1").commit("FEAT-1: give back").push().refused({"CD202", "CD201"})


def test_what_is_undone_within_one_push_is_still_judged(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "done").clone("builder")
    builder.back("FEAT-1").commit("FEAT-1: reopen")
    builder.git("revert", "--no-edit", "-S", "HEAD")
    builder.push().refused("CD202")


def test_case_04_from_todo_to_done_to_todo_within_one_push_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    old = builder.read()
    builder.close("FEAT-1").commit("FEAT-1: done").write("work.md", old).commit("FEAT-1: todo again")
    builder.push().refused({"CD201", "CD202", "CD203", "CD204"})


def test_case_04_an_illegal_commit_in_the_middle_of_a_push_is_named(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.code("FEAT-1: before").note("FEAT-1").edit("FEAT-1", priority="low").commit("FEAT-1: middle")
    middle = builder.head()
    builder.code("FEAT-1: after", path="src/after.py").push().refused("CD403", middle[:7])


# -- back, blocked, rejected, reopened, reclaimed


def test_a_human_returns_a_task_and_the_owner_stays(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.back("FEAT-1", human_review=review("needs_work", "human:alice")).commit("FEAT-1: back").push().accepted()


def test_a_returned_task_is_claimed_and_handed_in_again(repo: Repo) -> None:
    alice, builder = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("builder")
    alice.back("FEAT-1").commit("FEAT-1: back").push().accepted()
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim").hand_in("FEAT-1").commit(
        "FEAT-1: hand in"
    ).push().accepted()


def test_a_human_returns_by_one_word(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    alice.edit("FEAT-1", state="todo").commit("FEAT-1: back").push().accepted(warnings={"CD207"}, perhaps={"CD206"})


def test_only_a_human_frees_a_task_on_its_return(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested").clone("alice")
    alice.back("FEAT-1", owner="unassigned").commit("FEAT-1: back").push().accepted()
    builder = repo.clone("builder")
    builder.back("FEAT-2", owner="agent:writer").commit("FEAT-2: back").push().refused({"CD404", "CD403"})


def test_the_owner_takes_its_hand_in_back_with_a_reason(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.back("FEAT-1", reason="A test fails").commit("FEAT-1: back").push().accepted()


@pytest.mark.parametrize("reason", ["", None])
def test_the_owner_does_not_take_it_back_without_a_reason(repo: Repo, reason: str | None) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.back("FEAT-1", reason=reason).commit("FEAT-1: back").push().refused("CD206")


def test_another_agent_returns_nothing(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested").clone("writer").back("FEAT-1").commit("FEAT-1: back").push().refused("CD203")


@pytest.mark.parametrize("state", ["todo", "in_progress", "to_be_tested"])
def test_a_human_blocks(repo: Repo, state: str) -> None:
    repo.task("FEAT-1", state).clone("alice").block("FEAT-1").commit("FEAT-1: block").push().accepted()


def test_a_block_needs_its_reason_also_by_hand(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "in_progress").clone("alice")
    alice.block("FEAT-1", without={"reason"}).commit("FEAT-1: block").push().refused("CD205", "blocked_reason")


def test_a_human_blocks_by_two_lines(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "in_progress").clone("alice")
    alice.block("FEAT-1", without={"entry"}).commit("FEAT-1: block").push().accepted(warnings={"CD207"})


def test_a_human_blocks_a_build_task_that_has_no_acceptance(repo: Repo) -> None:
    alice = repo.task("FEAT-1", without=["acceptance"]).clone("alice")
    alice.block("FEAT-1").commit("FEAT-1: block").push().accepted(perhaps={"CD106"})


def test_an_agent_asks_for_a_block_in_a_note(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.note("FEAT-1", "The SMTP password is missing", summary="request: block: SMTP password").commit(
        "FEAT-1: ask"
    ).push().accepted()


def test_a_human_unblocks(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "blocked").task("FEAT-2", "blocked").clone("alice")
    alice.back("FEAT-1", reason="The supplier answered").commit("FEAT-1: unblock")
    alice.unblock("FEAT-2").commit("FEAT-2: go on").push().accepted()


def test_nothing_runs_without_an_owner(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "blocked").clone("alice")
    alice.unblock("FEAT-1", owner="unassigned").commit("FEAT-1: go on").push().refused("CD309")


@pytest.mark.parametrize("state", ["todo", "in_progress", "blocked"])
def test_a_human_rejects_with_a_reason(repo: Repo, state: str) -> None:
    repo.task("FEAT-1", state).clone("alice").reject("FEAT-1").commit("FEAT-1: reject").push().accepted()


def test_rejecting_by_one_word_is_refused(repo: Repo) -> None:
    repo.task("FEAT-1").clone("alice").edit("FEAT-1", state="rejected").commit("FEAT-1: reject").push().refused("CD206")


@pytest.mark.parametrize("state", ["done", "rejected"])
def test_a_human_reopens_with_a_reason(repo: Repo, state: str) -> None:
    repo.task("FEAT-1", state).clone("alice").back("FEAT-1").commit("FEAT-1: reopen").push().accepted()


@pytest.mark.parametrize("state", ["done", "rejected"])
def test_reopening_by_one_word_is_refused(repo: Repo, state: str) -> None:
    repo.task("FEAT-1", state).clone("alice").edit("FEAT-1", state="todo").commit("FEAT-1: reopen").push().refused(
        "CD206"
    )


def test_a_human_reclaims_a_running_task(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "in_progress").clone("alice")
    alice.reclaim("FEAT-1").commit("FEAT-1: reclaim").push().accepted(perhaps={"CD206", "CD310"})


def test_a_human_reclaims_for_an_agent(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "in_progress").clone("alice")
    alice.reclaim("FEAT-1", owner="agent:writer").commit("FEAT-1: reclaim for writer").push().accepted(
        perhaps={"CD310"}
    )
    repo.clone("writer").claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


@pytest.mark.parametrize("reason", ["", None])
def test_a_reclaim_without_a_reason_is_refused(repo: Repo, reason: str | None) -> None:
    alice = repo.task("FEAT-1", "in_progress").clone("alice")
    alice.reclaim("FEAT-1", reason=reason).commit("FEAT-1: reclaim").push().refused("CD206")
