"""People's verbs: what they say, what they write, who may, and what is too late."""

import pytest

from tests.building import NewRepo, Repo
from tests.unit.cli_human.story import WHY, exits

VERBS: dict[str, tuple[str, tuple[str, ...], str, str]] = {
    "approve": ("to_be_tested", ("FEAT-1", "-m", "tried on staging"), "done", "agent:builder"),
    "return": ("to_be_tested", ("FEAT-1", "-m", WHY), "todo", "agent:builder"),
    "return --anyone": ("to_be_tested", ("FEAT-1", "-m", WHY, "--anyone"), "todo", "unassigned"),
    "block": ("in_progress", ("FEAT-1", "-m", WHY), "blocked", "agent:builder"),
    "block --by": ("todo", ("FEAT-1", "-m", WHY, "--by", "FEAT-2"), "blocked", "unassigned"),
    "block done": ("done", ("FEAT-1", "-m", WHY), "blocked", "agent:builder"),
    "unblock": ("blocked", ("FEAT-1",), "todo", "agent:builder"),
    "unblock --to": ("blocked", ("FEAT-1", "-m", "it is there", "--to", "in_progress"), "in_progress", "agent:builder"),
    "reject": ("todo", ("FEAT-1", "-m", WHY), "rejected", "unassigned"),
    "reject blocked": ("blocked", ("FEAT-1", "-m", WHY), "rejected", "agent:builder"),
    "reopen": ("done", ("FEAT-1", "-m", WHY), "todo", "agent:builder"),
    "reopen rejected": ("rejected", ("FEAT-1", "-m", WHY), "todo", "unassigned"),
    "reopen --anyone": ("done", ("FEAT-1", "-m", WHY, "--anyone"), "todo", "unassigned"),
    "reclaim": ("in_progress", ("FEAT-1", "-m", WHY), "todo", "unassigned"),
    "reclaim --for": ("in_progress", ("FEAT-1", "-m", WHY, "--for", "writer"), "todo", "agent:writer"),
    "assign": ("todo", ("FEAT-1", "writer"), "todo", "agent:writer"),
    "assign blocked": ("blocked", ("FEAT-1", "unassigned"), "blocked", "unassigned"),
}
"""What is run: the state before, the words, and state and owner after."""


def set_up(repo: Repo, verb: str) -> tuple[str, ...]:
    """A task that a verb fits, and what is typed."""
    state, words, _, _ = VERBS[verb]
    repo.task("FEAT-1", state).task("FEAT-2")
    return (verb.partition(" ")[0], *words)


def test_a_return_says_where_the_task_is_and_how_to_free_it(repo: Repo) -> None:
    alice = repo.task("FEAT-104", "to_be_tested").clone("alice")
    done = exits(alice.guard("return", "FEAT-104", "-m", WHY), 0)
    tip = repo.tip()[:7]
    assert done.text.splitlines() == [
        f"FEAT-104  to_be_tested -> todo, stays with agent:builder (--anyone frees it)    main {tip}",
        "signed    human:alice",
        "next      for agent:builder: git codifica claim FEAT-104",
    ]
    fields = repo.fields("FEAT-104")
    assert fields["claimed_at"] == "null"
    assert fields["human_review"]["status"] == "needs_work"
    assert (fields["human_review"]["reviewer"], fields["human_review"]["notes"]) == ("human:alice", WHY)
    assert fields["state_transitions"][-1]["reason"] == WHY
    assert repo.on_server("log", "-1", "--format=%s", "main") == "FEAT-104: return"


def test_an_approval_says_who_signed_and_what_it_frees(repo: Repo) -> None:
    repo.task("FEAT-104", "to_be_tested").task("FEAT-103", depends_on=["FEAT-104"])
    repo.task("FEAT-105", depends_on=["FEAT-104", "FEAT-103"]).task("FEAT-106", depends_on=["FEAT-104"], acceptance=[])
    alice = repo.clone("alice")
    done = exits(alice.guard("approve", "FEAT-104", "-m", "tried on staging"), 0)
    assert done.text.splitlines() == [
        f"FEAT-104  to_be_tested -> done, human_review pass    signed by human:alice    main {repo.tip()[:7]}",
        "frees     FEAT-103 for claiming",
    ]
    fields = repo.fields("FEAT-104")
    review = fields["human_review"]
    assert (review["status"], review["reviewer"], review["notes"]) == ("pass", "human:alice", "tried on staging")
    assert review["recorded_at"] == fields["completed_at"] == fields["state_transitions"][-1]["timestamp"]


@pytest.mark.parametrize(
    ("verb", "words"),
    [
        ("return --anyone", "to_be_tested -> todo, free for anyone    main"),
        ("block", "FEAT-1  in_progress -> blocked    main"),
        ("block", "agent:builder stops; when it may go on: git codifica unblock FEAT-1"),
        ("unblock", "FEAT-1  blocked -> todo, agent:builder    main"),
        ("unblock --to", "agent:builder goes on"),
        ("reject", 'git codifica reopen FEAT-1 -m "why"'),
        ("reopen", "FEAT-1  done -> todo, stays with agent:builder (--anyone frees it)    main"),
        ("reopen --anyone", "done -> todo, free for anyone    main"),
        ("reclaim", "in_progress -> todo, free for anyone    main"),
        ("reclaim --for", "in_progress -> todo, for agent:writer    main"),
        ("reclaim --for", "the claim of agent:builder; its session is fenced off"),
        ("assign", "FEAT-1  todo, unassigned -> agent:writer    main"),
        ("assign blocked", "FEAT-1  blocked, agent:builder -> unassigned    main"),
    ],
)
def test_each_verb_says_what_it_did_and_what_comes_next(repo: Repo, verb: str, words: str) -> None:
    typed = set_up(repo, verb)
    exits(repo.clone("alice").guard(*typed), 0, words, "signed    human:alice")


def test_a_dry_run_shows_the_change_and_makes_none(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested").clone("alice")
    tip, before = repo.tip(), (alice.head(), alice.read())
    shows = ("-  state: to_be_tested", "+  state: done", "message: FEAT-1: approve", "message: FEAT-2: approve")
    exits(alice.guard("approve", "FEAT-1", "FEAT-2", "--dry-run"), 0, *shows, "nothing was changed")
    answer = alice.guard("new", "--title", "Mail", "--accept", "It arrives", "--dry-run", "--json", "-q").json
    assert (answer["data"]["task"], answer["data"]["commit"], answer["data"]["pushed"]) == ("FEAT-3", None, False)
    assert (repo.tip(), (alice.head(), alice.read())) == (tip, before)


def test_without_a_remote_the_branch_of_the_clone_is_the_board(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested").clone("alice")
    alice.git("remote", "remove", "origin")
    exits(alice.guard("approve", "FEAT-1"), 0, f"main {alice.head()[:7]}")
    assert (alice.git("status", "--porcelain"), alice.fields("FEAT-1")["state"]) == ("", "done")
    assert "not pushed yet" not in exits(alice.guard("new", "--title", "Mail", "--accept", "It arrives"), 0).said
    assert alice.fields("FEAT-3")["title"] == "Mail"
    head = alice.write("work.md", alice.read() + "\nMine\n").head()
    exits(alice.guard("approve", "FEAT-2"), 1, "work.md is changed here")
    assert alice.head() == head


def test_a_task_of_the_second_document_is_changed_there(repo: Repo) -> None:
    repo.settings(state=["work.md", "later.md"]).task("FEAT-1").task("OTHER-1", "to_be_tested", document="later.md")
    alice = repo.clone("alice")
    start = repo.tip()
    exits(alice.guard("approve", "OTHER-1"), 0)
    assert alice.git("diff", "--name-only", start, "HEAD") == "later.md"
    assert repo.fields("OTHER-1", "later.md")["state"] == "done"


TEXTS = [
    "plain",
    "tab\there",
    "colon: and # hash",
    "\"double\" and 'single' and `back`",
    "several\nlines\n\n  indented\nstate: done",
    "Grüße, 漢字 und \U0001f600",
    "- a list\n- of two",
    "null",
    "[not, a list]",
    "*anchor &alias !tag |",
    "2026-11-30",
    "back\\slash \\n",
    "```",
    "x" * 3000,
]


@pytest.mark.parametrize("text", TEXTS)
def test_a_reason_is_read_back_as_it_was_typed(repo: Repo, text: str) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice")
    exits(alice.guard("return", "FEAT-1", "-m", "-", data=text.encode()), 0)
    fields = repo.fields("FEAT-1")
    assert fields["state_transitions"][-1]["reason"] == text
    assert fields["human_review"]["notes"] == text


@pytest.mark.parametrize("text", ["bell\x07", "escape \x1b[31m", "line\u2028separator", "a\rb", b"\xff\xfe no text"])
def test_a_control_character_is_wrong_usage(repo: Repo, text: str | bytes) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    data = text if isinstance(text, bytes) else text.encode()
    exits(alice.guard("block", "FEAT-1", "-m", "-", data=data), 2, "which no task may hold")
    exits(alice.guard("new", "--title", "x", "--description", "-", data=data), 2, "--description holds")
    if isinstance(text, str) and "\r" not in text:
        exits(alice.guard("new", "--title", text), 2, "--title holds")
        exits(alice.guard("block", "FEAT-1", "-m", "why", "--by", text), 2, "--by holds")


@pytest.mark.parametrize(
    "words",
    [
        ("return", "FEAT-1"),
        ("return", "FEAT-1", "-m", "  "),
        ("block", "FEAT-1"),
        ("reject", "FEAT-1", "-m", ""),
        ("reopen", "FEAT-1"),
        ("reclaim", "FEAT-1"),
        ("assign", "FEAT-1"),
        ("unblock", "FEAT-1", "--to", "done"),
        ("unblock", "FEAT-1", "-m", " "),
        ("block", "FEAT-1", "-m", "why", "--by", "two\nlines"),
        ("approve",),
        ("approve", "FEAT-9"),
        ("assign", "FEAT-1", "nobody"),
        ("assign", "FEAT-1", "robot:x"),
        ("reclaim", "FEAT-2", "-m", "why", "--for", "nobody"),
    ],
)
def test_a_wrong_call_changes_nothing(repo: Repo, words: tuple[str, ...]) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2", "in_progress").clone("alice")
    tip = repo.tip()
    exits(alice.guard(*words), 2)
    assert repo.tip() == tip


REQUESTS: dict[str, tuple[str, tuple[str, ...], str]] = {
    "block": ("in_progress", ("-m", "x"), 'git codifica note FEAT-1 --ask block "why"'),
    "reject": ("in_progress", ("-m", "x"), 'git codifica note FEAT-1 --ask change "why"'),
    "reclaim": ("in_progress", ("-m", "x"), 'git codifica note FEAT-1 --ask release "why"'),
    "assign": ("in_progress", ("writer",), 'git codifica note FEAT-1 --ask release "why"'),
    "approve": ("to_be_tested", (), "git codifica done FEAT-1"),
    "unblock": ("blocked", (), "git codifica claim --next"),
    "reopen": (
        "done",
        ("-m", "x"),
        'git codifica new --type followup --derived-from FEAT-1 --title "what is left"',
    ),
}


@pytest.mark.parametrize("verb", list(REQUESTS))
def test_an_agent_that_decides_is_told_what_it_may_ask(repo: Repo, verb: str) -> None:
    state, words, request = REQUESTS[verb]
    builder = repo.task("FEAT-1", state).clone("builder")
    tip = repo.tip()
    exits(builder.guard(verb, "FEAT-1", *words), 6, f"only a human may {verb}\ndo: {request}")
    answer = builder.guard(verb, "FEAT-1", *words, "--json", "-q").json
    assert (answer["exit"], answer["next"][0], answer["data"]) == (6, request, None)
    assert repo.tip() == tip


@pytest.mark.parametrize("verb", [*REQUESTS, "return"])
def test_an_agent_that_does_not_hold_the_task_is_sent_to_other_work(repo: Repo, verb: str) -> None:
    state, words, _ = REQUESTS.get(verb, ("to_be_tested", ("-m", "x"), ""))
    writer = repo.task("FEAT-1", state).clone("writer")
    done = exits(writer.guard(verb, "FEAT-1", *words), 6, f"only a human may {verb}")
    assert "--ask" not in done.said
    assert "git codifica claim --next" in done.said


def test_an_agent_is_not_told_to_close_what_the_policy_leaves_to_people(new_repo: NewRepo) -> None:
    refusing = new_repo().policy(self_approval="refuse").task("FEAT-1", "to_be_tested").clone("builder")
    exits(refusing.guard("approve", "FEAT-1"), 6, "do: git codifica claim --next")
    judging = new_repo().task("REV-1", "to_be_tested", type="review").clone("builder")
    exits(judging.guard("approve", "REV-1"), 6, "do: git codifica claim --next")


def test_an_agent_takes_its_own_hand_in_back_but_frees_nothing(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    exits(builder.guard("return", "FEAT-1", "-m", "too early", "--anyone"), 6, "only a human may free a task")
    done = exits(builder.guard("return", "FEAT-1", "-m", "too early"), 0, "stays with agent:builder    main")
    assert "--anyone" not in done.said
    fields = repo.fields("FEAT-1")
    assert (fields["state"], fields["owner"], fields["human_review"]) == ("todo", "agent:builder", "null")


def test_under_review_by_owner_people_are_given_the_owners_command(repo: Repo) -> None:
    alice = repo.policy(review_by="owner").task("FEAT-1", "to_be_tested").clone("alice")
    only = "review_by is owner: only agent:builder may"
    exits(alice.guard("approve", "FEAT-1"), 6, f"{only} approve FEAT-1", "\nits owner: git codifica done FEAT-1")
    exits(alice.guard("return", "FEAT-1", "-m", "x"), 6, f"{only} return FEAT-1")


def test_under_review_by_owner_a_human_approves_what_is_his(repo: Repo) -> None:
    alice = repo.policy(review_by="owner").task("FEAT-1", "to_be_tested", "human:alice").clone("alice")
    exits(alice.guard("approve", "FEAT-1"), 0)
    assert repo.fields("FEAT-1")["state"] == "done"


def test_a_stranger_decides_nothing(repo: Repo) -> None:
    stranger = repo.task("FEAT-1").clone("stranger")
    exits(stranger.guard("block", "FEAT-1", "-m", "x"), 1, "is nobody's here", "key add human:NAME")


WRONG: list[tuple[str, str, str]] = [
    ("approve", "in_progress", "git codifica show FEAT-1"),
    ("return", "in_progress", 'git codifica reclaim FEAT-1 -m "why"'),
    ("return", "done", 'git codifica reopen FEAT-1 -m "why"'),
    ("block", "blocked", "git codifica unblock FEAT-1"),
    ("unblock", "todo", "git codifica show FEAT-1"),
    ("reject", "to_be_tested", 'git codifica return FEAT-1 -m "why"'),
    ("reopen", "in_progress", 'git codifica reclaim FEAT-1 -m "why"'),
    ("reclaim", "todo", "git codifica assign FEAT-1 OWNER"),
    ("assign", "in_progress", 'git codifica reclaim FEAT-1 --for OWNER -m "why"'),
]


@pytest.mark.parametrize(("verb", "state", "step"), WRONG)
def test_a_task_in_another_state_is_left_with_what_to_do_instead(repo: Repo, verb: str, state: str, step: str) -> None:
    words = {"approve": (), "unblock": (), "assign": ("writer",)}.get(verb, ("-m", "x"))
    alice = repo.task("FEAT-1", state).clone("alice")
    tip = repo.tip()
    exits(alice.guard(verb, "FEAT-1", *words), 1, f"FEAT-1 is {state}, not ", f"do: {step}")
    assert repo.tip() == tip


def test_who_comes_second_is_told_who_was_first(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("bob")
    exits(alice.guard("return", "FEAT-1", "-m", WHY), 0)
    exits(bob.guard("approve", "FEAT-1"), 4, "lost FEAT-1: human:alice returned it", "Nothing of yours changed.")
    exits(bob.guard("approve", "FEAT-1"), 1, "FEAT-1 is todo, not to_be_tested")


def test_another_owner_of_a_task_in_the_wrong_state_is_no_race(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1").clone("alice"), repo.clone("bob")
    exits(alice.guard("assign", "FEAT-1", "bob"), 0)
    exits(bob.guard("submit", "FEAT-1", "--summary", "x"), 1, "FEAT-1 is todo, not in_progress")
    exits(bob.guard("done", "FEAT-1"), 1, "FEAT-1 is todo, not to_be_tested: nothing was handed in")


def test_what_moved_between_two_wrong_states_is_no_race(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "blocked").clone("alice"), repo.clone("bob")
    exits(alice.guard("unblock", "FEAT-1"), 0)
    exits(bob.guard("approve", "FEAT-1"), 1, "FEAT-1 is todo, not to_be_tested")


@pytest.mark.parametrize(
    ("typed", "owner"),
    [
        ("builder", "agent:builder"),
        ("agent:writer", "agent:writer"),
        ("bob", "human:bob"),
        ("human:carol", "human:carol"),
        ("human", "human"),
        (" unassigned ", "unassigned"),
    ],
)
def test_owners_are_typed_in_short(repo: Repo, typed: str, owner: str) -> None:
    alice = repo.task("FEAT-1", owner="human:alice").clone("alice")
    done = exits(alice.guard("assign", "FEAT-1", typed), 0, f"todo, human:alice -> {owner}    main")
    assert repo.fields("FEAT-1")["owner"] == owner
    assert ("no key is listed for human:carol" in done.said) is (owner == "human:carol")


def test_what_is_assigned_already_stays_and_is_no_failure(repo: Repo) -> None:
    alice = repo.task("FEAT-1", owner="agent:builder").clone("alice")
    tip = repo.tip()
    exits(alice.guard("assign", "FEAT-1", "builder"), 0, "FEAT-1 is for agent:builder already; nothing was changed")
    answer = alice.guard("assign", "FEAT-1", "builder", "--json", "-q").json
    assert (answer["data"]["owner"], answer["data"]["commit"]) == ("agent:builder", None)
    assert repo.tip() == tip


def test_a_name_of_both_kinds_is_asked_for_in_full(repo: Repo) -> None:
    alice = repo.task("FEAT-1").signer("human:builder", "carol").clone("alice")
    exits(alice.guard("assign", "FEAT-1", "builder"), 2, "both agent:builder and human:builder: say which")


def test_an_agent_that_may_not_claim_is_told_of(repo: Repo) -> None:
    alice = repo.rules(allowed_agents=["writer"]).task("FEAT-1").clone("alice")
    exits(alice.guard("assign", "FEAT-1", "builder"), 0, "agent:builder is not among allowed_agents")


def test_a_task_that_cannot_be_claimed_says_why(repo: Repo) -> None:
    alice = repo.task("FEAT-1", depends_on=["FEAT-2"]).task("FEAT-2").clone("alice")
    exits(alice.guard("assign", "FEAT-1", "builder"), 0, "it cannot be claimed yet: needs FEAT-2")


def test_what_blocks_is_cleared_when_it_may_go_on(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "in_progress").clone("alice")
    exits(alice.guard("block", "FEAT-1", "-m", WHY, "--by", "FEAT-2"), 0)
    fields = repo.fields("FEAT-1")
    assert (fields["blocked_reason"], fields["blocked_by"]) == (WHY, "FEAT-2")
    exits(alice.guard("unblock", "FEAT-1"), 0)
    fields = repo.fields("FEAT-1")
    assert (fields["blocked_reason"], fields["blocked_by"], fields["claimed_at"]) == ("null", "null", "null")


def test_a_task_that_nobody_owns_does_not_go_on_in_progress(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "blocked", "unassigned").clone("alice")
    said = ("FEAT-1 has no owner who could go on", "git codifica unblock FEAT-1", "git codifica assign FEAT-1 OWNER")
    exits(alice.guard("unblock", "FEAT-1", "--to", "in_progress"), 1, *said)


def test_an_agent_whose_task_goes_on_takes_a_new_token_where_tokens_are_required(repo: Repo) -> None:
    alice = repo.policy(writer_tokens="required").task("FEAT-1", "blocked").clone("alice")
    step = 'agent:builder goes on: git codifica resume FEAT-1 -m "why"'
    exits(alice.guard("unblock", "FEAT-1", "--to", "in_progress"), 0, step)


def test_a_rejection_names_what_waits_for_it(repo: Repo) -> None:
    alice = repo.task("FEAT-1").task("FEAT-2", depends_on=["FEAT-1"]).task("FEAT-3").clone("alice")
    exits(alice.guard("reject", "FEAT-1", "-m", WHY), 0, "stuck     FEAT-2 in todo depend on it")
    fields = repo.fields("FEAT-1")
    assert fields["completed_at"] == fields["state_transitions"][-1]["timestamp"]


def test_what_is_reopened_is_completed_no_more(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "done").clone("alice")
    exits(alice.guard("reopen", "FEAT-1", "-m", WHY), 0)
    fields = repo.fields("FEAT-1")
    assert (fields["completed_at"], fields["claimed_at"]) == ("null", "null")
