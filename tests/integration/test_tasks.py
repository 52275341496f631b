"""What a task may look like: fields, ids, times, and what the settings of `codifica.json` may say."""

import json
from typing import Any

import pytest

from tests.building import Repo, at
from tests.building.tasks import block, task


def test_a_new_task_of_a_human_is_accepted(repo: Repo) -> None:
    repo.clone("alice").add("FEAT-9").commit("FEAT-9: new").push().accepted()


@pytest.mark.parametrize("field", ["type", "state", "owner", "title"])
def test_a_task_lacks_no_required_field(repo: Repo, field: str) -> None:
    repo.clone("alice").add("FEAT-9", without=[field]).commit("FEAT-9: new").push().refused("CD101", field)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("acceptance", "It works"),
        ("depends_on", "FEAT-1"),
        ("execution_notes", "a note"),
        ("title", ["a", "list"]),
        ("state_transitions", {"from": "todo"}),
    ],
)
def test_a_field_of_the_wrong_kind_is_refused(repo: Repo, field: str, value: Any) -> None:
    repo.clone("alice").add("FEAT-9", **{field: value}).commit("FEAT-9: new").push().refused("CD101", field)


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("state", "finished"),
        ("state", "Todo"),
        ("type", "chore"),
        ("priority", "urgent"),
        ("owner", "builder"),
        ("owner", "agent:"),
        ("owner", "robot:x"),
        ("owner", "agent:Big Bot"),
    ],
)
def test_an_unknown_word_is_refused(repo: Repo, field: str, value: str) -> None:
    repo.clone("alice").add("FEAT-9", **{"state": "todo", field: value}).commit("FEAT-9: new").push().refused(
        "CD102", value
    )


@pytest.mark.parametrize("owner", ["human", "human:alice", "agent:some-bot.2", "unassigned"])
def test_every_form_of_an_owner_is_accepted(repo: Repo, owner: str) -> None:
    repo.clone("alice").add("FEAT-9", owner=owner).commit("FEAT-9: new").push().accepted()


def test_a_type_that_the_settings_name_is_accepted(repo: Repo) -> None:
    repo.rules(custom_types=["deploy"]).clone("alice").add("DEP-9", type="deploy").commit(
        "DEP-9: new"
    ).push().accepted()


@pytest.mark.parametrize("ident", ["FEAT 9", "-9", "FÉAT-9", "FEAT/9", "a" * 65, "FEAT:9"])
def test_an_id_of_another_form_is_refused(repo: Repo, ident: str) -> None:
    alice = repo.clone("alice").rewrite(lambda board: board.add(block(task(ident))))
    alice.commit(f"{ident}: new").push().refused({"CD103", "ST108"})


@pytest.mark.parametrize("ident", ["9", "a", "A.b_c-9", "a" * 64])
def test_an_id_of_the_form_is_accepted(repo: Repo, ident: str) -> None:
    repo.clone("alice").add(ident).commit(f"{ident}: new").push().accepted()


def test_an_id_twice_in_one_document_is_refused(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.rewrite(lambda board: board.add(block(task("FEAT-1", title="Another")))).commit("FEAT-1: new").push().refused(
        "CD104", "FEAT-1"
    )


def test_an_id_twice_over_two_documents_is_refused(repo: Repo) -> None:
    alice = (
        repo.settings(state="work/*.md")
        .task("FEAT-1", document="work/a.md")
        .task("FEAT-2", document="work/b.md")
        .clone("alice")
    )
    alice.rewrite(lambda board: board.add(block(task("FEAT-1"))), "work/b.md").commit("FEAT-1: new").push().refused(
        "CD104", "work/a.md", "work/b.md"
    )


def test_a_task_that_has_begun_does_not_vanish(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("alice")
    alice.drop("FEAT-1").commit("FEAT-1: away").push().refused("CD105", "FEAT-1")


def test_a_human_deletes_a_task_that_never_began(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2").clone("alice").drop("FEAT-1").commit("FEAT-1: away").push().accepted()


def test_a_followup_needs_what_it_follows(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "done").clone("alice")
    alice.add("FOL-1", type="followup", derived_from="FEAT-1", without=["acceptance"]).commit(
        "FOL-1: new"
    ).push().accepted()
    alice.add("FOL-2", type="followup").commit("FOL-2: new").push().refused("CD107", "derived_from")


def test_a_followup_of_nothing_is_refused(repo: Repo) -> None:
    repo.clone("alice").add("FOL-1", type="followup", derived_from="NOPE-1").commit("FOL-1: new").push().refused(
        "CD107", "NOPE-1"
    )


# -- times


@pytest.mark.parametrize(
    "when",
    [
        at(60),
        at(-1).rstrip("Z"),
        "2026-13-45T07:12:00Z",
        "2026-02-30T07:12:00Z",
        "yesterday",
        "2026-11-30 09:00",
        "1764500000",
        at(-1)[:10],
    ],
    ids=[
        "an hour ahead",
        "no offset",
        "thirteenth month",
        "thirtieth of February",
        "a word",
        "no seconds",
        "seconds since 1970",
        "a day",
    ],
)
def test_case_27_a_time_that_is_none_is_refused(repo: Repo, when: str) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", when=when).commit("FEAT-1: claim").push().refused("CD108", when)


def test_a_time_with_another_offset_is_accepted(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", when=at(120).replace("Z", "+02:00")).commit("FEAT-1: claim").push().accepted()


def test_a_clock_four_minutes_fast_is_forgiven_and_six_are_not(repo: Repo) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").clone("builder")
    builder.claim("FEAT-1", when=at(4)).commit("FEAT-1: claim").push().accepted()
    builder.claim("FEAT-2", when=at(7)).commit("FEAT-2: claim").push().refused("CD108", "ahead", "clock")


def test_an_entry_from_before_the_one_above_it_is_refused(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1", when=at(-400)).commit("FEAT-1: hand in").push().refused("CD108")


def test_an_honest_entry_after_one_of_a_fast_clock_is_accepted(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1", when=at(4)).commit("FEAT-1: claim").hand_in("FEAT-1").commit(
        "FEAT-1: hand in"
    ).push().accepted()


def test_times_of_old_entries_are_nobodys_fault(repo: Repo) -> None:
    old = {"by": "agent", "note": "Long ago", "timestamp": "last week"}
    builder = repo.task("FEAT-1", "in_progress", execution_notes=[old]).clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note").push().accepted()


# -- summaries


@pytest.mark.parametrize("summary", ["x" * 120, "é" * 120])
def test_a_summary_of_120_characters_is_accepted(repo: Repo, summary: str) -> None:
    repo.task("FEAT-1", "in_progress").clone("builder").hand_in("FEAT-1", summary=summary).commit(
        "FEAT-1: hand in"
    ).push().accepted()


@pytest.mark.parametrize("summary", ["x" * 121, "two\nlines\n"])
def test_a_longer_summary_is_refused(repo: Repo, summary: str) -> None:
    repo.task("FEAT-1", "in_progress").clone("builder").hand_in("FEAT-1", summary=summary).commit(
        "FEAT-1: hand in"
    ).push().refused("CD109")


# -- what YAML makes of words


# -- version 0.1


def test_a_document_of_version_0_1_asks_less(repo: Repo) -> None:
    builder = repo.settings(version="0.1").task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1", without={"note"}).commit("FEAT-1: hand in").push().accepted(warnings={"CD210"})


# -- the settings


@pytest.mark.parametrize(
    "change",
    [
        {"protocol": "other"},
        {"version": "9.9"},
        {"state": None},
        {"state": []},
        {"rules": {"mode": "lenient"}},
        {"rules": {"max_concurrent_tasks_per_agent": "two"}},
    ],
    ids=["protocol", "version", "state", "no state", "mode", "limit"],
)
def test_settings_that_cannot_be_taken_are_refused(repo: Repo, change: dict[str, object]) -> None:
    alice = repo.clone("alice")
    settings = json.loads(alice.read("codifica.json"))
    alice.write("codifica.json", json.dumps({**settings, **change})).commit("Settings").push().refused(
        {"CD110", "ID109"}, "codifica.json"
    )


def test_settings_that_are_no_json_are_refused(repo: Repo) -> None:
    repo.clone("alice").write("codifica.json", '{"protocol": ').commit("Settings").push().refused(
        {"CD110", "ID109"}, "codifica.json"
    )


def test_a_maintainer_changes_settings(repo: Repo) -> None:
    alice = repo.clone("alice")
    settings = json.loads(alice.read("codifica.json"))
    alice.write(
        "codifica.json", json.dumps({**settings, "rules": {"mode": "strict", "max_concurrent_tasks_per_agent": 3}})
    ).commit("Settings").push().accepted()


def test_an_unknown_setting_warns(repo: Repo) -> None:
    alice = repo.clone("alice")
    settings = json.loads(alice.read("codifica.json"))
    alice.write("codifica.json", json.dumps({**settings, "colour": "red"})).commit("Settings").push().accepted(
        "colour", warnings={"CD110"}
    )


def test_permissive_settings_only_warn(repo: Repo) -> None:
    builder = repo.rules(mode="permissive").task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1", target="done").commit("FEAT-1: done").push().accepted(
        warnings={"CD204"}, perhaps={"CD201"}
    )


def test_permissive_settings_do_not_lift_identity(repo: Repo) -> None:
    builder = repo.rules(mode="permissive").task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1").commit("FEAT-1: hand in", proof="none").push().refused("ID106")


def test_report_mode_only_warns(repo: Repo) -> None:
    builder = repo.policy(mode="report").task("FEAT-1", "in_progress").clone("builder")
    builder.hand_in("FEAT-1", without={"note"}).commit("FEAT-1: hand in", proof="none").push().accepted(
        warnings={"ID106"}, perhaps={"CD210"}
    )


def test_report_mode_still_guards_the_policy(repo: Repo) -> None:
    builder = repo.policy(mode="report").clone("builder")
    builder.write(".codifica/revoked_keys", f"{repo.keys.line('alice')}\n").commit("Policy").push().refused("ID109")
