"""Claims: a free task, taken by an agent, whole and in one commit; who comes first has it."""

import pytest

from tests.building import Repo, at


def test_a_whole_claim_in_one_signed_commit_is_accepted(repo: Repo) -> None:
    repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_a_task_that_waits_for_an_agent_by_name_is_claimed_by_it(repo: Repo) -> None:
    repo.task("FEAT-1", owner="agent:builder").clone("builder").claim("FEAT-1").commit(
        "FEAT-1: claim"
    ).push().accepted()


def test_a_task_that_waits_for_somebody_else_is_not_claimed(repo: Repo) -> None:
    writer = repo.task("FEAT-1", owner="agent:builder").clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim").push().refused(
        "CD304", "agent:builder", "git codifica claim --next", "git codifica assign FEAT-1 agent:writer"
    )


def test_case_27_a_claim_in_two_commits_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.edit("FEAT-1", state="in_progress").commit("FEAT-1: start")
    builder.claim("FEAT-1", source="todo", without={"state"}).commit("FEAT-1: mine")
    builder.push().refused("CD301", "git reset --soft", "git codifica claim FEAT-1")


@pytest.mark.parametrize(
    ("missing", "codes"),
    [("owner", {"CD301", "CD309"}), ("claimed_at", {"CD301"}), ("entry", {"CD301", "CD207"})],
)
def test_case_27_a_claim_that_lacks_a_part_is_refused(repo: Repo, missing: str, codes: set[str]) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", without={missing}).commit("FEAT-1: claim").push().refused(codes)


def test_a_claim_that_keeps_the_old_claimed_at_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", claimed_at=at(-600)).clone("builder")
    builder.claim("FEAT-1", without={"claimed_at"}).commit("FEAT-1: claim").push().refused("CD301", "claimed_at")


def test_a_claim_in_another_agents_name_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", owner="agent:writer").commit("FEAT-1: claim").push().refused({"CD301", "CD404", "CD203"})


def test_an_unsigned_claim_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none").push().refused("ID106", "FEAT-1")


def test_two_claims_in_two_commits_are_accepted_where_no_limit_is_set(repo: Repo) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").claim("FEAT-2").commit("FEAT-2: claim").push().accepted()


def test_a_claim_together_with_a_hand_in_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2", "in_progress").clone("builder")
    builder.claim("FEAT-1").hand_in("FEAT-2").commit("FEAT-1 FEAT-2: both").push().refused("CD302")


def test_claims_in_two_documents_in_one_commit_are_refused(repo: Repo) -> None:
    repo.settings(state=["work.md", "teams/*.md"]).task("FEAT-1").task("WEB-1", document="teams/web.md")
    builder = repo.clone("builder")
    builder.claim("FEAT-1").claim("WEB-1").commit("FEAT-1 WEB-1: claim").push().refused("CD302")


def test_case_25_the_loser_of_a_race_is_told_who_holds_the_task_and_what_is_free(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2", priority="high").task("FEAT-3", owner="agent:builder").task(
        "FEAT-4", depends_on=["FEAT-1"]
    )
    builder, writer = repo.clone("builder"), repo.clone("writer")
    writer.claim("FEAT-1").commit("FEAT-1: claim")
    builder.claim("FEAT-1", session="s-3").commit("FEAT-1: claim").push().accepted()
    writer.pull("-X", "ours")
    push = writer.push().refused("CD303", "agent:builder holds it since", "FEAT-2 (high)")
    assert not push.guarded or ("FEAT-3" not in push.said and "FEAT-4" not in push.said)


def test_case_26_a_second_session_of_the_same_agent_loses_a_race_like_anybody(repo: Repo) -> None:
    first, second = repo.task("FEAT-1").clone("builder"), repo.clone("builder", "twin")
    second.claim("FEAT-1", session="s-7").commit("FEAT-1: claim")
    first.claim("FEAT-1", session="s-8").commit("FEAT-1: claim").push().accepted()
    second.pull("-X", "ours").push().refused("CD303")


def test_two_agents_who_claim_two_tasks_at_once_both_win(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3")
    builder, writer = repo.clone("builder"), repo.clone("writer")
    writer.claim("FEAT-3").commit("FEAT-3: claim")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    writer.pull().push().accepted()


def test_a_rebased_claim_over_another_claim_of_another_task_is_accepted(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3")
    builder, writer = repo.clone("builder"), repo.clone("writer")
    writer.claim("FEAT-3").commit("FEAT-3: claim", proof="trailers")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    writer.pull("--rebase").push().accepted()


def test_an_agent_over_its_limit_claims_nothing(repo: Repo) -> None:
    builder = repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1", "in_progress").task("FEAT-2").clone("builder")
    builder.claim("FEAT-2").commit("FEAT-2: claim").push().refused("CD305", "FEAT-1")


def test_at_the_limit_an_agent_hands_in_first_and_then_claims(repo: Repo) -> None:
    builder = repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1", "in_progress").task("FEAT-2").clone("builder")
    builder.hand_in("FEAT-1").commit("FEAT-1: hand in").claim("FEAT-2").commit("FEAT-2: claim").push().accepted()


def test_at_the_limit_an_agent_that_claims_first_and_then_hands_in_is_refused(repo: Repo) -> None:
    builder = repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1", "in_progress").task("FEAT-2").clone("builder")
    builder.claim("FEAT-2").commit("FEAT-2: claim").hand_in("FEAT-1").commit("FEAT-1: hand in").push().refused("CD305")


def test_the_limit_counts_over_all_documents(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).settings(state="work/*.md")
    builder = (
        repo.task("FEAT-1", "in_progress", document="work/a.md").task("FEAT-2", document="work/b.md").clone("builder")
    )
    builder.claim("FEAT-2").commit("FEAT-2: claim").push().refused("CD305")


def test_the_limit_does_not_count_what_others_hold(repo: Repo) -> None:
    builder = (
        repo.rules(max_concurrent_tasks_per_agent=1)
        .task("FEAT-1", "in_progress", "agent:writer")
        .task("FEAT-2")
        .clone("builder")
    )
    builder.claim("FEAT-2").commit("FEAT-2: claim").push().accepted()


def test_a_human_over_an_agents_limit_is_only_warned(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1", "in_progress").task("FEAT-2", "blocked")
    repo.clone("alice").unblock("FEAT-2").commit("FEAT-2: go on").push().accepted(warnings={"CD305"})


def test_a_claim_on_a_task_with_an_unknown_dependency_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", depends_on=["NOPE-1"]).clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().refused("CD306", "NOPE-1")


@pytest.mark.parametrize("state", ["todo", "in_progress", "to_be_tested", "blocked", "rejected"])
def test_a_claim_before_the_dependency_is_done_is_refused(repo: Repo, state: str) -> None:
    builder = repo.task("FEAT-1", depends_on=["FEAT-2"]).task("FEAT-2", state).clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().refused("CD307", "FEAT-2")


def test_a_claim_after_the_dependency_is_done_is_accepted(repo: Repo) -> None:
    builder = (
        repo.settings(state="work/*.md")
        .task("FEAT-1", depends_on=["FEAT-2"], document="work/a.md")
        .task("FEAT-2", "done", document="work/b.md")
        .clone("builder")
    )
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_dependencies_bind_people_too(repo: Repo) -> None:
    alice = repo.task("FEAT-1", depends_on=["FEAT-2"]).task("FEAT-2").clone("alice")
    alice.claim("FEAT-1").commit("FEAT-1: mine").push().refused("CD307")


def test_a_cycle_of_dependencies_is_refused_and_named(repo: Repo) -> None:
    alice = repo.task("FEAT-1", depends_on=["FEAT-2"]).task("FEAT-2").clone("alice")
    alice.edit("FEAT-2", depends_on=["FEAT-1"]).commit("FEAT-2: needs FEAT-1").push().refused(
        "CD308", "FEAT-1 -> FEAT-2"
    )


def test_a_dependency_without_a_cycle_is_accepted(repo: Repo) -> None:
    alice = repo.task("FEAT-1", depends_on=["FEAT-2"]).task("FEAT-2").task("FEAT-3").clone("alice")
    alice.edit("FEAT-2", depends_on=["FEAT-3"]).commit("FEAT-2: needs FEAT-3").push().accepted()


def test_a_new_dependency_on_nothing_is_refused(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.edit("FEAT-1", depends_on=["NOPE-1"]).commit("FEAT-1: needs NOPE-1").push().refused("CD306", "NOPE-1")


def test_a_human_who_starts_a_task_that_nobody_owns_is_refused(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.edit("FEAT-1", state="in_progress").commit("FEAT-1: start").push().refused({"CD309", "CD301"})


def test_a_human_claims_by_two_words(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.edit("FEAT-1", state="in_progress", owner="human:alice").commit("FEAT-1: mine").push().accepted(
        warnings={"CD207"}, perhaps={"CD301"}
    )


def test_an_agent_does_not_write_itself_over_the_holder(repo: Repo) -> None:
    writer = repo.task("FEAT-1", "in_progress").clone("writer")
    writer.claim("FEAT-1", source="todo").commit("FEAT-1: claim").push().refused(
        {"CD303", "CD404", "CD203", "CD310", "CD314"}
    )


def test_an_agent_does_not_take_back_anothers_claim(repo: Repo) -> None:
    writer = repo.task("FEAT-1", "in_progress").clone("writer")
    writer.reclaim("FEAT-1").commit("FEAT-1: reclaim").push().refused({"CD310", "CD202", "CD203"})


def test_an_agent_that_is_not_allowed_claims_nothing(repo: Repo) -> None:
    builder = repo.rules(allowed_agents=["agent:writer"]).task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().refused("CD312", "agent:builder")


def test_code_of_an_agent_that_is_not_allowed_is_accepted(repo: Repo) -> None:
    repo.rules(allowed_agents=["agent:writer"]).clone("builder").code(proof="git").push().accepted()


def test_an_allowed_agent_may_be_named_without_its_prefix(repo: Repo) -> None:
    builder = repo.rules(allowed_agents=["builder"]).task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted(perhaps={"CD110"})


def test_a_review_is_not_claimed_by_an_agent(repo: Repo) -> None:
    builder = repo.task("REV-1", type="review").clone("builder")
    builder.claim("REV-1").commit("REV-1: claim").push().refused({"CD211", "CD202"})


def test_a_build_task_without_acceptance_is_not_claimed(repo: Repo) -> None:
    builder = repo.task("FEAT-1", without=["acceptance"]).clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().refused("CD106")


def test_an_investigation_needs_no_acceptance(repo: Repo) -> None:
    builder = repo.task("INV-1", type="investigate", without=["acceptance"]).clone("builder")
    builder.claim("INV-1").commit("INV-1: claim").push().accepted()


def test_a_custom_type_follows_build_in_what_it_needs(repo: Repo) -> None:
    builder = (
        repo.rules(custom_types=["deploy"])
        .task("DEP-1", type="deploy", without=["acceptance"])
        .task("DEP-2", type="deploy")
        .clone("builder")
    )
    builder.claim("DEP-2").commit("DEP-2: claim").push().accepted()
    builder.claim("DEP-1").commit("DEP-1: claim").push().refused("CD106")


def test_only_a_human_leads_a_task_out_of_blocked(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "blocked").clone("builder")
    builder.unblock("FEAT-1").commit("FEAT-1: go on").push().refused("CD202")


def test_old_faults_of_other_tasks_blame_nobody_who_comes_later(repo: Repo) -> None:
    repo.rules(max_concurrent_tasks_per_agent=1).task("FEAT-1")
    repo.task("OLD-1", "in_progress", "unassigned").task("OLD-2", depends_on=["NOPE-1"]).task("OLD-3", type="followup")
    repo.task("OLD-4", "in_progress", "agent:writer").task("OLD-5", "in_progress", "agent:writer")
    repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_a_reopened_dependency_of_a_running_task_warns(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "in_progress", depends_on=["FEAT-2"]).task("FEAT-2", "done").clone("alice")
    alice.back("FEAT-2").commit("FEAT-2: reopen").push().accepted("FEAT-1", warnings={"CD311"})


# -- writer keys


def test_a_claim_with_a_writer_key_shows_that_it_holds_it(repo: Repo) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", writer=repo.keys.line("token")).commit(
        "FEAT-1: claim", proof="trailers", tokens=["token"]
    ).push().accepted()


def test_a_claim_signed_by_git_carries_the_token_beside(repo: Repo) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", writer=repo.keys.line("token")).commit(
        "FEAT-1: claim", proof="git", tokens=["token"]
    ).push().accepted()


def test_a_claim_without_a_writer_key_is_refused_where_the_policy_demands_one(repo: Repo) -> None:
    builder = repo.policy(writer_tokens="required").task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().refused({"CD301", "ID107"})


def test_a_claim_with_a_writer_key_that_it_does_not_hold_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", writer=repo.keys.line("token")).commit("FEAT-1: claim").push().refused({"ID107", "CD301"})


def test_an_agent_resumes_its_own_claim_after_the_silence(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="old").clone("builder")
    builder.resume("FEAT-1", writer=repo.keys.line("new")).commit("FEAT-1: resume", tokens=["new"]).push().accepted()


def test_a_resume_without_a_new_writer_key_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="old").clone("builder")
    builder.resume("FEAT-1", writer=None).commit("FEAT-1: resume").push().refused({"CD314", "CD301", "ID107"})


def test_a_resume_too_early_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="old").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", tokens=["old"]).push().accepted()
    builder.resume("FEAT-1", writer=repo.keys.line("new")).commit("FEAT-1: resume", tokens=["new"]).push().refused(
        "CD314"
    )


def test_the_servers_clock_says_when_a_resume_is_due(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="old").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", tokens=["old"]).push().accepted()
    builder.resume("FEAT-1", writer=repo.keys.line("new")).commit("FEAT-1: resume", tokens=["new"])
    repo.clock(58)
    builder.push().refused("CD314")
    repo.clock(62)
    builder.push().accepted()


def test_a_resume_by_another_agent_is_refused(repo: Repo) -> None:
    writer = repo.task("FEAT-1", "in_progress", writer="old").clone("writer")
    writer.resume("FEAT-1", writer=repo.keys.line("new")).commit("FEAT-1: resume", tokens=["new"])
    writer.push().refused({"CD314", "CD203", "CD303", "CD404", "ID107"})
