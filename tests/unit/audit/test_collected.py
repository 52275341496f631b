"""What an audit tells beside its verdicts: changes of the policy, keys, tasks as they stand."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from codifica_guard.audit import standing, trust_changes
from codifica_guard.audit.keyring import keyring
from codifica_guard.audit.made import Made
from codifica_guard.audit.standing import tasks_at
from codifica_guard.engine.world import World
from codifica_guard.identity.keys import fingerprint
from codifica_guard.limits import POLICY_BYTES
from codifica_guard.model.audited import Key, PolicyChange, TaskNow
from codifica_guard.model.ids import ObjectId
from codifica_guard.model.value import replace
from tests.unit.engine.land import NOW, Land, board, key_of, line_of
from tests.unit.views import task

ALICE, BOB, BUILDER = "human:alice", "human:bob", "agent:builder"


@pytest.fixture
def land(tmp_path: Path) -> Land:
    return Land(tmp_path / "repo")


def made(commit: ObjectId, by: str | None = "alice", *, at: int = NOW, actor: str | None = None) -> Made:
    """A commit that somebody is proven to have made."""
    if by is None:
        return Made(commit=commit, at=at)
    return Made(commit=commit, at=at, actor=actor or f"human:{by}", key=print_of(by), receipt=7)


def print_of(name: str) -> str:
    return fingerprint(key_of(name).key)


def changes(land: Land, *line: Made) -> list[PolicyChange]:
    with land.store() as store:
        return list(trust_changes.trust_changes(World(store, line[0].commit), line))


def lines_of(land: Land, *line: Made) -> list[tuple[str, ...]]:
    return [change.lines for change in changes(land, *line)]


def ring(land: Land, *line: Made, served: tuple[tuple[str, str, int], ...] = ()) -> Mapping[tuple[str, str], Key]:
    with land.store() as store:
        intro, tip = line[0].commit, line[-1].commit
        world = World(store, intro)
        found = trust_changes.trust_changes(world, line)
        return {(k.principal, k.fingerprint): k for k in keyring(world, intro, tip, tuple(found), line, served)}


def signers(*rows: str) -> str:
    return "".join(f"{row}\n" for row in rows)


# -- changes of the policy


def test_the_introduction_is_the_first_change_and_what_touches_no_trust_file_is_none(land: Land) -> None:
    intro = land.introduce(by="alice")
    code = land.commit({"src/b.py": "b\n"}, intro, by="builder")
    found = changes(land, made(intro), made(code, "builder"))
    assert [change.commit for change in found] == [intro]
    first = found[0]
    assert (first.actor, first.key, first.receipt, first.at) == (ALICE, print_of("alice"), 7, NOW)
    assert first.subject == "FEAT-1: change"
    assert {".codifica/allowed_signers", ".codifica/guard.json", "codifica.json"} < set(first.lines)
    assert all(line[0] == "+" for line in first.lines if not line.endswith((".json", "signers", "keys")))


def test_a_key_that_is_added_and_one_that_goes_are_told_line_by_line(land: Land) -> None:
    intro = land.introduce()
    text = signers(f"human:alice {line_of('alice')}", f"human:carol {line_of('carol')}")
    second = land.commit({".codifica/allowed_signers": text}, intro, by="alice", message="codifica: key\n\nmore")
    [_, lines] = lines_of(land, made(intro), made(second))
    assert lines == (
        ".codifica/allowed_signers",
        f"-human:bob {line_of('bob')}",
        f"-agent:builder {line_of('builder')}",
        f"-agent:writer {line_of('writer')}",
        f"+human:carol {line_of('carol')}",
    )


def test_a_commit_of_which_it_is_known_that_it_changed_none_is_not_looked_at(land: Land) -> None:
    intro = land.introduce()
    nowhere = replace(made(ObjectId(b"f" * 40)), trust=False)
    assert [change.commit for change in changes(land, made(intro), nowhere)] == [intro]


def test_a_change_that_nobody_is_proven_to_have_made_says_so(land: Land) -> None:
    intro = land.introduce()
    change = changes(land, made(intro), made(land.commit({"codifica.json": "{}"}, intro), None))[1]
    assert (change.actor, change.key, change.receipt) == (None, None, None)


@pytest.mark.parametrize("path", ["spec.md", ".codifica/notes/more.txt", "codifica.json", ".codifica/revoked_keys"])
def test_every_trust_file_counts(land: Land, path: str) -> None:
    intro = land.introduce()
    text = f"{line_of('writer')}\n" if path.endswith("keys") else "{}\n"
    second = land.commit({path: text}, intro, by="alice")
    [_, lines] = lines_of(land, made(intro), made(second))
    assert lines[0] == path
    assert lines[-1] == f"+{text.strip()}"


def test_a_merge_that_only_joins_is_no_change_and_one_that_decides_is(land: Land) -> None:
    intro = land.introduce()
    one = land.commit({".codifica/allowed_signers": signers(f"human:alice {line_of('alice')}")}, intro, by="alice")
    two = land.commit({"src/b.py": "b\n"}, intro, by="builder")
    joined = land.commit({"src/b.py": "b\n"}, one, two)
    decided = land.commit({".codifica/revoked_keys": f"{line_of('bob')}\n"}, one, two, by="alice")
    line = [made(oid) for oid in (intro, one, two, joined, decided)]
    assert [change.commit for change in changes(land, *line)] == [intro, one, decided]


def test_lines_in_another_order_are_told_by_the_files_name_alone(land: Land) -> None:
    intro = land.introduce()
    rows = [f"{principal} {line_of(name)}" for name, principal in land.signers.items()]
    second = land.commit({".codifica/allowed_signers": signers(*reversed(rows))}, intro, by="alice")
    assert lines_of(land, made(intro), made(second))[1] == (".codifica/allowed_signers",)


def test_a_file_that_is_none_or_too_large_is_told_in_words(land: Land) -> None:
    intro = land.introduce()
    big = land.blob(b"a" * (POLICY_BYTES + 1))
    odd: dict[str, Any] = {".codifica/big": ("100644", big), ".codifica/link": ("120000", land.blob("../work.md"))}
    second = land.commit(odd, intro, by="alice")
    assert lines_of(land, made(intro), made(second))[1] == (
        ".codifica/big",
        f"+(more than {POLICY_BYTES} bytes: object {big.decode()})",
        ".codifica/link",
        "+(no regular file: mode 120000)",
    )


def test_a_long_change_is_cut_off_with_a_count_and_so_is_the_sum_of_all(
    land: Land, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(trust_changes, "LINES", 20)
    monkeypatch.setattr(trust_changes, "ALL_LINES", 45)
    intro = land.introduce()
    line, tip = [made(intro)], intro
    for number in range(3):
        text = "".join(f"{number} {row} {'x' * 2000}\n" for row in range(100))
        tip = land.commit({".codifica/long": text, ".codifica/more": text}, tip, by="alice")
        line.append(made(tip))
    found = lines_of(land, *line)
    assert found[1][:2] == (".codifica/long", f"+0 0 {'x' * 993}...")
    assert found[1][-2:] == (".codifica/more", "... and 181 more lines")
    assert found[3] == (".codifica/long", ".codifica/more", "... and 400 more lines")


def test_hostile_messages_and_names_change_nothing_of_that(land: Land) -> None:
    intro = land.introduce()
    second = land.commit(
        {".codifica/\udcff\n<b>": b"\xff\x00\n"}, intro, by="alice", message="\n\n  \x1b[31m" + "y" * 5000
    )
    change = changes(land, made(intro), made(second))[1]
    assert change.lines == (".codifica/\\xff\n<b>", "+\\xff\x00")
    assert len(change.subject) == trust_changes.SUBJECT


def test_an_empty_message_has_an_empty_subject(land: Land) -> None:
    intro = land.introduce()
    second = land.commit({"spec.md": "new\n"}, intro, by="alice", message="")
    assert changes(land, made(intro), made(second))[1].subject == ""


def test_more_trust_files_than_are_looked_at_do_no_harm(land: Land, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trust_changes, "FILES", 5)
    intro = land.introduce()
    second = land.commit({f".codifica/{n}": "x\n" for n in range(20)}, intro, by="alice")
    assert len(changes(land, made(intro), made(second))) == 2


# -- keys


def test_keys_are_listed_by_the_introduction_or_by_a_later_commit_and_counted(land: Land) -> None:
    intro = land.introduce()
    rows = [f"{principal} {line_of(name)}" for name, principal in land.signers.items()]
    second = land.commit(
        {".codifica/allowed_signers": signers(*rows, f"human:carol {line_of('carol')}")}, intro, by="alice"
    )
    work = [land.commit({f"src/{n}.py": "b\n"}, second, by="builder") for n in range(2)]
    line = [
        made(intro, at=10), made(second, at=20), made(work[0], "builder", at=40, actor=BUILDER),
        made(work[1], "builder", at=30, actor=BUILDER),
    ]  # fmt: skip
    found = ring(land, *line)
    alice, builder, carol = (
        found[who, print_of(name)] for who, name in ((ALICE, "alice"), (BUILDER, "builder"), ("human:carol", "carol"))
    )
    assert (alice.listed, alice.uses, alice.first, alice.last, alice.maintainer, alice.gone) == (
        None,
        2,
        10,
        20,
        True,
        False,
    )
    assert (builder.uses, builder.first, builder.last, builder.maintainer) == (2, 30, 40, False)
    assert (carol.listed, carol.uses, carol.first) == (second, 0, None)
    assert [key.principal for key in found.values()] == [ALICE, BOB, "human:carol", BUILDER, "agent:writer"]


def test_a_revoked_key_names_the_first_commit_that_revoked_it_and_by_whom(land: Land) -> None:
    intro = land.introduce()
    second = land.commit({".codifica/revoked_keys": f"{line_of('writer')}\n"}, intro, by="alice")
    third = land.commit({".codifica/revoked_keys": f"{line_of('writer')}\n{line_of('bob')}\n"}, second, by="alice")
    found = ring(land, made(intro), made(second), made(third, None))
    writer, bob = found["agent:writer", print_of("writer")], found[BOB, print_of("bob")]
    assert (writer.revoked, writer.revoker, writer.gone) == (second, ALICE, False)
    assert (bob.revoked, bob.revoker) == (third, None)


def test_a_key_that_no_line_has_any_more_is_gone_and_keeps_its_past(land: Land) -> None:
    intro = land.introduce()
    kept = signers(f"human:alice {line_of('alice')}")
    second = land.commit({".codifica/allowed_signers": kept}, intro, by="alice")
    found = ring(land, made(intro), made(intro, "builder", actor=BUILDER), made(second))
    builder = found[BUILDER, print_of("builder")]
    assert (builder.gone, builder.uses, builder.listed) == (True, 1, None)
    assert not found[ALICE, print_of("alice")].gone


def test_dates_are_those_of_the_newest_line(land: Land) -> None:
    intro = land.introduce()
    dated = f'human:alice valid-after="20261130Z",valid-before="20261201Z" {line_of("alice")}'
    second = land.commit({".codifica/allowed_signers": signers(dated)}, intro, by="alice")
    alice = ring(land, made(intro), made(second))[ALICE, print_of("alice")]
    assert (alice.until or 0) - (alice.since or 0) == 86400
    assert alice.listed is None


def test_whoever_only_a_pattern_lists_has_a_row_of_his_own(land: Land) -> None:
    intro = land.introduce()
    text = signers(f"human:alice {line_of('alice')}", f"agent:c*,agent:b*,!agent:bad {line_of('builder')}")
    second = land.commit({".codifica/allowed_signers": text}, intro, by="alice")
    found = ring(land, made(intro), made(second), made(second, "builder", actor="agent:bee"))
    assert found["agent:bee", print_of("builder")].uses == 1
    assert found["agent:bee", print_of("builder")].listed == second
    assert not found["agent:bee", print_of("builder")].gone
    assert found["agent:b*", print_of("builder")].uses == 0
    assert ("!agent:bad", print_of("builder")) not in found


def test_a_commit_that_takes_the_policy_away_lists_nothing_and_all_keys_are_gone(land: Land) -> None:
    intro = land.introduce()
    second = land.commit({".codifica/guard.json": None}, intro, by="alice")
    assert all(key.gone and not key.maintainer for key in ring(land, made(intro), made(second)).values())


def test_keys_of_an_introduction_that_is_none_of_the_changes_are_listed_all_the_same(land: Land) -> None:
    intro = land.introduce()
    with land.store() as store:
        found = keyring(World(store, intro), intro, intro, (), ())
    assert [key.listed for key in found] == [None] * 4


def test_a_server_is_told_by_its_receipts_and_a_key_that_nothing_lists_is_gone(land: Land) -> None:
    intro = land.introduce()
    served = (("server:git", print_of("server"), 5), ("server:git", print_of("server"), 9))
    key = ring(land, made(intro), served=served)["server:git", print_of("server")]
    assert (key.uses, key.first, key.last, key.gone) == (2, 5, 9, True)


def test_more_keys_than_are_told_do_no_harm(land: Land, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("codifica_guard.audit.keyring.KEYS", 2)
    intro = land.introduce()
    found = ring(land, made(intro), made(intro, "builder", actor=BUILDER), served=(("server:a", "SHA256:x", 1),))
    assert len(found) == 2


# -- tasks


def standings(land: Land, tip: ObjectId, intro: ObjectId) -> tuple[TaskNow, ...]:
    with land.store() as store:
        world = World(store, intro)
        policy = world.own_policy(tip)
        assert policy is not None
        return tasks_at(world, tip, policy)


FULL = (
    "  acceptance:",
    "    - It works",
    "    - It is fast",
    "  execution_notes:",
    "    - by: agent:builder",
    "      note: Wrote it all",
    "      summary: Done",
    "      timestamp: 2026-11-30T09:00:00Z",
    "    - note: Only a note",
    "  artifacts:",
    "    - path: src/a.py",
    "      type: code",
    "    - path: src/nowhere.py",
    "    - type: code",
    "    - path: /src//a.py",
)


def test_a_task_is_told_as_it_stands_with_what_is_there_and_what_is_not(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1", *FULL, state="done", owner=BUILDER))}))
    [now] = standings(land, intro, intro)
    assert (now.task, now.title, now.type, now.state, now.owner) == ("FEAT-1", "Login form", "build", "done", BUILDER)
    assert now.acceptance == ("It works", "It is fast")
    assert now.notes == ((BUILDER, "2026-11-30T09:00:00Z", "Done: Wrote it all"), ("", "", "Only a note"))
    assert [(a.path, a.kind, a.present) for a in now.artifacts] == [
        ("src/a.py", "code", True),
        ("src/nowhere.py", "", False),
        ("", "code", False),
        ("/src//a.py", "", False),
    ]


def test_tasks_stand_in_the_order_of_documents_and_places(land: Land) -> None:
    settings = {"state": ["work.md", "done.md"]}
    files = {"work.md": board(task("Z-1"), task("A-1")), "done.md": board(task("M-1", state="done"))}
    intro = land.introduce(land.begin(files), settings=settings)
    assert [now.task for now in standings(land, intro, intro)] == ["M-1", "Z-1", "A-1"]


def test_what_cannot_be_read_is_told_as_that(land: Land) -> None:
    intro = land.introduce(
        land.begin({"work.md": board(task("FEAT-1", "  labels: `x"), task("FEAT-2").replace("state: todo", "x: y"))})
    )
    unreadable, stateless = standings(land, intro, intro)
    assert (unreadable.state, unreadable.title) == ("unreadable", "")
    assert stateless.state == "without state"


def test_texts_and_lists_are_cut(land: Land, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "TEXT", 10)
    monkeypatch.setattr(standing, "ENTRIES", 1)
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1", *FULL, title="x" * 5000))}))
    [now] = standings(land, intro, intro)
    assert now.title == "xxxxxxx..."
    assert now.acceptance == ("It works",)
    assert now.notes == (("", "", "Only a ..."),)
    assert len(now.artifacts) == 1


def test_behind_all_entries_that_are_told_tasks_are_told_without(land: Land, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(standing, "ALL_ENTRIES", 8)
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1", *FULL), task("FEAT-2", *FULL))}))
    first, second = standings(land, intro, intro)
    assert len(first.artifacts) == 4
    assert replace(second, task=first.task) == replace(first, acceptance=(), notes=(), artifacts=())


def test_acceptance_that_is_no_list_is_none(land: Land) -> None:
    intro = land.introduce(land.begin({"work.md": board(task("FEAT-1", "  acceptance: yes please"))}))
    assert standings(land, intro, intro)[0].acceptance == ()
