"""The payload as a shell makes it again: equal to what was signed, for every kind of line, and with nothing taken for granted."""

import re
from pathlib import Path

import pytest

from codifica_guard.engine.facts import Facts, deed_of
from codifica_guard.engine.world import state_files
from codifica_guard.git.store import ObjectFormat
from codifica_guard.model.ids import ObjectId, Principal
from codifica_guard.verbs.rebuilding import RUNS, Rebuilding
from tests.unit.cli_proof.alone import Alone
from tests.unit.cli_proof.stage import Stage, board, task
from tests.unit.engine.land import Value
from tests.unit.views import document

ALICE = Principal("human:alice")


def rebuilt(stage: Stage, alone: Alone, oid: ObjectId) -> tuple[str, bytes]:
    """The script of a commit's payload, which prints exactly that; and the payload."""
    with stage.store() as store:
        introduction = ObjectId(stage.plain.git("config", "codifica.introduction"))
        world, commit = stage.world(store, introduction), store.commit(oid)
        payload = Facts(world, deed_of(commit), world.trailers(commit), lambda: world.own_policy(oid)).payload(ALICE)
        files = state_files(tuple(p for p in map(world.policy, commit.parents) if p is not None))
        script = Rebuilding(world, commit, "${commit}", files).script(payload)
    done = alone.run(f"commit={oid.decode()}\n{script}", stage.plain.path)
    assert (done.stdout.encode(), done.stderr) == (payload, "")
    return script, payload


def kinds(payload: bytes) -> list[str]:
    """The kinds of lines, each once, in their order."""
    return list(dict.fromkeys(line.split(b" ")[0].decode() for line in payload.splitlines()[3:]))


def taken(script: str) -> list[str]:
    """The lines of a script that are taken as they stand."""
    return re.findall(r"^  printf '%s\\n' '?(?!codifica-guard-commit|repository|actor)(\w+)", script, re.MULTILINE)


@pytest.fixture(name="alone")
def _alone(tmp_path: Path) -> Alone:
    return Alone(tmp_path)


def begun(path: Path, files: dict[str, Value], object_format: ObjectFormat = "sha1") -> Stage:
    """A stage of some files, whose state documents are all Markdown files at the root."""
    stage = Stage(path, object_format)
    stage.begun(files, settings={"state": "*.md", "spec": "spec.md"})
    return stage


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_tasks_texts_entries_and_trailers_are_made_again(
    tmp_path: Path, alone: Alone, object_format: ObjectFormat
) -> None:
    stage = begun(tmp_path, {"work.md": board(task("FEAT-1"), task("FEAT-2"))}, object_format)
    commented = document(task("FEAT-1", title="x"), "\n# between\n\n", task("FEAT-3"), text="# Work\n\nMore.\n")
    link = ("120000", stage.blob("README.md"))
    module = ("160000", ObjectId(stage.tip))
    changes: dict[str, Value] = {
        "work.md": commented,
        "src/a.py": None,
        "src/b.py": "b\n",
        "src/link": link,
        "src/module": module,
        "src/run": ("100755", stage.blob("#!/bin/sh\n")),
    }
    trailers = [("Codifica-Actor", ALICE), ("Codifica-Migrate", "v0.1 to v0.2"), ("Codifica-Reason", 'a "quoted" one')]
    oid = stage.commit(changes, stage.tip, trailers=trailers)
    script, payload = rebuilt(stage, alone, oid)
    assert kinds(payload) == ["frame", "path", "record", "trailer"]
    assert taken(script) == ["trailer"]  # the one with quotes
    assert not re.search(r"\b[0-9a-f]{40,64}\b", script)


def test_documents_that_come_go_and_swap_tasks(tmp_path: Path, alone: Alone) -> None:
    first, second = task("FEAT-1"), task("FEAT-2")
    stage = begun(tmp_path, {"work.md": board(first, second, task("FEAT-3")), "old.md": board(task("OLD-1"))})
    changes: dict[str, Value] = {
        "work.md": ("100755", stage.blob(board(second, first))),
        "old.md": None,
        "new.md": board(task("FEAT-3"), task("OLD-1")),
    }
    script, payload = rebuilt(stage, alone, stage.commit(changes, stage.tip))
    assert kinds(payload) == ["doc", "frame", "order", "place"]
    assert sorted(set(taken(script))) == ["order", "place"]


def test_a_policy_is_bound_to_its_place(tmp_path: Path, alone: Alone) -> None:
    stage = begun(tmp_path, {})
    changes: dict[str, Value] = {
        **stage.policy(ruleset=1, mode="enforce"),
        ".codifica/more": ("120000", stage.blob("x")),
        "spec.md": None,
    }
    script, payload = rebuilt(stage, alone, stage.commit(changes, stage.tip))
    assert kinds(payload) == ["parent", "path", "trust"]
    assert taken(script) == []


def test_the_introduction_and_a_root_have_nothing_before(tmp_path: Path, alone: Alone) -> None:
    stage = begun(tmp_path, {})
    introduction = ObjectId(stage.plain.git("config", "codifica.introduction"))
    assert kinds(rebuilt(stage, alone, introduction)[1]) == ["parent", "path", "trust"]
    root = stage.commit({"a": "x\n"})
    script, payload = rebuilt(stage, alone, root)
    assert payload.splitlines()[3].startswith(b"path - - 100644 ")
    assert taken(script) == []


def test_a_merge_has_every_side(tmp_path: Path, alone: Alone) -> None:
    stage = begun(tmp_path, {"work.md": board(task("FEAT-1"), task("FEAT-2"))})
    base = stage.tip
    sides = [
        stage.commit(
            {"work.md": board(task("FEAT-1", title="a"), task("FEAT-2")), "src/a.py": "a2\n", "src/x": "x\n"}, base
        ),
        stage.commit(
            {"work.md": board(task("FEAT-1"), task("FEAT-3"), text="# Other\n"), "src/a.py": None, "spec.md": "s\n"},
            base,
        ),
        stage.commit({"work.md": None}, base),
    ]
    for parents in (sides[:2], sides):
        merged = board(task("FEAT-1", title="b"), task("FEAT-2"), task("FEAT-3"), text="# Both\n")
        script, payload = rebuilt(stage, alone, stage.commit({"work.md": merged, "src/a.py": "a3\n"}, *parents))
        assert {"frame", "parent", "path", "record", "trust"} <= set(kinds(payload))
        assert taken(script) == []


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("{}", "{}"),
        ("\ufeff{}", "\ufeff{}"),
        ("{}\nlast line", "{}\nother last line"),
        ("{}\n<!--\n```yaml\n- id: NOT\n```\n-->\n", "{}\n<!--\n```yaml\n- id: NOR\n```\n-->\n"),
        (
            "{}\n~~~ yml\n- id: FEAT-9\n  type: build\n~~~\n",
            "{}\n~~~ yml\n\n# a comment\n- id: FEAT-9\n  type: ops\n\n~~~\n",
        ),
    ],
)
@pytest.mark.parametrize("ends", ["\n", "\r\n"])
def test_documents_of_any_form(tmp_path: Path, alone: Alone, before: str, after: str, ends: str) -> None:
    old = before.format(board(task("FEAT-1"), task("FEAT-2"))).replace("\n", ends)
    new = after.format(board(task("FEAT-1", state="done"), "\n\n", task("FEAT-2"), "# end\n")).replace("\n", ends)
    stage = begun(tmp_path, {"work.md": old})
    script, payload = rebuilt(stage, alone, stage.commit({"work.md": new.encode()}, stage.tip))
    assert "frame" in kinds(payload)
    assert "record" in kinds(payload)
    assert set(taken(script)) <= {"frame"}
    assert taken(script) == [] or "last line" in before


def test_what_cannot_be_split_is_a_path_and_a_text_in_too_many_pieces_is_taken(tmp_path: Path, alone: Alone) -> None:
    stage = begun(tmp_path, {"work.md": board(task("FEAT-1"))})
    broken = stage.commit({"work.md": board(task("FEAT-1"), task("FEAT-1"))}, stage.tip)
    assert kinds(rebuilt(stage, alone, broken)[1]) == ["path"]

    def pieces(last: str) -> str:
        return "".join(document(task(f"FEAT-{n}"), text=f"# Part {n}\n") for n in range(RUNS + 1)) + last

    stage = begun(tmp_path / "more", {"work.md": pieces("a\n")})
    script, payload = rebuilt(stage, alone, stage.commit({"work.md": pieces("b\n")}, stage.tip))
    assert kinds(payload) == ["frame"]
    assert re.search(r"printf 'frame \"work.md\" %s %s\\n' \"[0-9a-f]{64}\" \"[0-9a-f]{64}\"", script)


def test_a_report_is_taken_as_it_is(tmp_path: Path, alone: Alone) -> None:
    stage = begun(tmp_path, {})
    oid = stage.commit({"src/a.py": "b\n"}, stage.tip, message="FEAT-1: x\n\nREPORT done\nall of it")
    script, payload = rebuilt(stage, alone, oid)
    assert kinds(payload) == ["path", "report"]
    assert taken(script) == ["report"]
