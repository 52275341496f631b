"""What a commit does, held against a second reading of the grammar."""

from codifica_guard.engine.facts import Facts, deed_of
from codifica_guard.identity import payload as grammar
from codifica_guard.model.ids import ObjectId, Principal
from tests.unit.engine.land import RID, Land, Leaf, Value, board, work
from tests.unit.views import task

ALICE = Principal("human:alice")


def facts_of(land: Land, oid: ObjectId, intro: ObjectId | None, actor: Principal = ALICE) -> list[str]:
    """The lines of the guard's payload."""
    with land.store() as store:
        world = land.world(store, intro)
        commit = store.commit(oid)
        facts = Facts(world, deed_of(commit), world.trailers(commit), lambda: world.own_policy(oid))
        whole = facts.payload(actor)
        assert facts.payload(actor) == whole
        assert facts.payload(Principal("agent:x")) == whole.replace(actor.encode(), b"agent:x", 1)
    return whole.decode().split("\n")[:-1]


def second(land: Land, oid: ObjectId) -> list[str]:
    return land.payload(land.trees[oid], land.parents[oid], ALICE).decode().split("\n")[:-1]


def kinds(lines: list[str]) -> list[str]:
    return [line.split(" ")[0] for line in lines[3:]]


def test_a_code_commit_has_a_line_for_each_path(land: Land, intro: ObjectId) -> None:
    module: Leaf = ("160000", ObjectId(b"d" * 40))
    link: Leaf = ("120000", land.blob("a.py"))
    changes: dict[str, Value] = {
        "src/b c.py": "b\n", "src/a.py": None, "lib": module, "src/l": link, "work.md ": "no document\n", "\udcff": "x",
    }  # fmt: skip
    oid = land.commit(changes, intro)
    lines = facts_of(land, oid, intro)
    assert lines == second(land, oid)
    assert kinds(lines) == ["path"] * 6
    assert f"repository {RID}" in lines


def test_the_mode_of_a_path_counts(land: Land, intro: ObjectId) -> None:
    oid = land.commit({"src/a.py": ("100755", land.trees[intro]["src/a.py"][1])}, intro)
    assert facts_of(land, oid, intro) == second(land, oid)
    assert kinds(facts_of(land, oid, intro)) == ["path"]


def test_a_task_is_a_record_and_the_text_around_it_a_frame(land: Land, intro: ObjectId) -> None:
    edited = land.commit({"work.md": work(FEAT_2="Other")}, intro)
    assert kinds(facts_of(land, edited, intro)) == ["record"]
    framed = land.commit({"work.md": work().replace("# Work", "# Works")}, intro)
    assert kinds(facts_of(land, framed, intro)) == ["frame"]
    spaced = land.commit({"work.md": work().replace("- id: FEAT-2", "\n\n- id: FEAT-2")}, intro)
    assert facts_of(land, spaced, intro)[3:] == []
    for oid in (edited, framed, spaced):
        assert facts_of(land, oid, intro) == second(land, oid)


def test_two_tasks_that_swap_are_an_order(land: Land, intro: ObjectId) -> None:
    oid = land.commit(
        {"work.md": board(*(task(n, title=f"Title of {n}") for n in ("FEAT-2", "FEAT-1", "FEAT-3")))}, intro
    )
    assert facts_of(land, oid, intro) == second(land, oid)
    assert kinds(facts_of(land, oid, intro)) == ["order"]


def test_a_new_task_between_others_is_no_order(land: Land, intro: ObjectId) -> None:
    names = ("FEAT-0", "FEAT-1", "FEAT-9", "FEAT-3")
    oid = land.commit({"work.md": board(*(task(n, title=f"Title of {n}") for n in names))}, intro)
    assert facts_of(land, oid, intro) == second(land, oid)
    assert kinds(facts_of(land, oid, intro)) == ["record"] * 3


def two_documents(land: Land) -> ObjectId:
    first = land.begin({"done.md": board(task("OLD-1", state="done"), text="# Done\n")})
    return land.introduce(first, settings={"state": ["work.md", "done.md"]})


def test_a_move_to_another_document_is_a_place(land: Land) -> None:
    intro = two_documents(land)
    kept = (task("FEAT-1", title="Title of FEAT-1"), task("FEAT-3", title="Title of FEAT-3"))
    moved = task("FEAT-2", title="Title of FEAT-2")
    there = board(task("OLD-1", state="done"), moved, text="# Done\n")
    oid = land.commit({"work.md": board(*kept), "done.md": there}, intro)
    lines = facts_of(land, oid, intro)
    assert lines == second(land, oid)
    assert lines[3:] == ['place codifica/FEAT-2 "work.md" "done.md"']
    changed = land.commit({"work.md": board(*kept), "done.md": there.replace("OLD-1", "OLD-2")}, intro)
    assert facts_of(land, changed, intro) == second(land, changed)


def test_two_sides_of_a_merge_that_archived_a_task(land: Land) -> None:
    intro = two_documents(land)
    kept = (task("FEAT-1", title="Title of FEAT-1"), task("FEAT-3", title="Title of FEAT-3"))
    moved = task("FEAT-2", title="Title of FEAT-2")
    archived: dict[str, Value] = {
        "work.md": board(*kept), "done.md": board(task("OLD-1", state="done"), moved, text="# Done\n"),
    }  # fmt: skip
    one = land.commit(archived, intro)
    two = land.commit({"work.md": work(FEAT_1="Other")}, intro)
    both = land.commit({**archived, "work.md": board(task("FEAT-1", title="Other"), kept[1])}, one, two)
    assert facts_of(land, both, intro) == second(land, both)
    assert kinds(facts_of(land, both, intro)) == ["place", "record"]


def test_a_document_that_is_born_ends_or_changes_its_mode_has_its_line(land: Land) -> None:
    intro = two_documents(land)
    gone = land.commit({"done.md": None}, intro)
    back = land.commit({"done.md": board(task("OLD-1", state="done"), text="# Done\n")}, gone)
    mode = land.commit({"done.md": ("100755", land.trees[back]["done.md"][1])}, back)
    for oid, found in ((gone, ["doc", "frame", "record"]), (back, ["doc", "frame", "record"]), (mode, ["doc"])):
        assert facts_of(land, oid, intro) == second(land, oid)
        assert kinds(facts_of(land, oid, intro)) == found


def test_the_introduction_is_all_paths_and_takes_its_own_id(land: Land) -> None:
    first = land.begin()
    intro = land.introduce(first)
    lines = facts_of(land, intro, intro)
    assert lines == second(land, intro)
    assert set(kinds(lines)) == {"path", "trust", "parent"}
    root = land.commit({**land.policy(), "work.md": work()})
    assert facts_of(land, root, root) == second(land, root)
    assert "parent" not in kinds(facts_of(land, root, root))
    assert facts_of(land, first, None)[1] == "repository -"


def test_trust_files_bind_a_commit_to_its_place(land: Land, intro: ObjectId) -> None:
    above = land.commit({"src/a.py": "z\n"}, intro)
    changes: dict[str, Value] = {".codifica/revoked_keys": "x\n", ".codifica/new/thing": "y", "spec.md": "# New\n"}
    one, two = land.commit(changes, intro), land.commit(changes, above)
    assert facts_of(land, one, intro) == second(land, one)
    assert facts_of(land, two, intro) == second(land, two)
    assert f"parent {intro.decode()}" in facts_of(land, one, intro)
    assert f"parent {above.decode()}" in facts_of(land, two, intro)
    assert kinds(facts_of(land, one, intro)).count("trust") == 3


def test_a_trust_file_that_is_no_file_is_covered_by_its_entry(land: Land, intro: ObjectId) -> None:
    oid = land.commit({".codifica/guard.json": ("120000", land.blob("elsewhere"))}, intro)
    line = next(line for line in facts_of(land, oid, intro) if line.startswith("trust"))
    assert line.split(" ")[2] == grammar.digest(land.trees[oid][".codifica/guard.json"][1]).decode()


def test_the_spec_stays_a_trust_file_where_a_pattern_takes_it_for_a_document(land: Land) -> None:
    intro = land.introduce(settings={"state": "*.md"})
    oid = land.commit({"spec.md": "# Other\n"}, intro)
    assert kinds(facts_of(land, oid, intro)) == ["parent", "path", "trust"]


def test_a_document_that_one_side_cannot_split_is_a_path_on_all(land: Land, intro: ObjectId) -> None:
    for broken in (
        work().replace("  state", " state"),
        board(task("FEAT-1"), task("FEAT-1")),
        "\0",
        "x" * 9_000_000,
    ):
        there = land.commit({"work.md": broken}, intro)
        back = land.commit({"work.md": work()}, there)
        merge = land.commit({"work.md": work(FEAT_1="New")}, intro, there)
        for oid in (there, back, merge):
            assert kinds(facts_of(land, oid, intro)) == ["path"]
    link = land.commit({"work.md": ("120000", land.blob("done.md"))}, intro)
    assert kinds(facts_of(land, link, intro)) == ["path"]


def test_documents_that_share_an_id_are_paths_so_that_each_of_them_is_covered(land: Land) -> None:
    intro = two_documents(land)
    twice: dict[str, Value] = {
        "work.md": work(FEAT_1="One"),
        "done.md": board(task("OLD-1", state="done"), task("FEAT-1", title="Two"), text="# Done\n"),
    }
    oid = land.commit(twice, intro)
    assert kinds(facts_of(land, oid, intro)) == ["path", "path"]
    three = land.commit({**twice, "work.md": work(FEAT_1="Three")}, intro)
    assert facts_of(land, oid, intro) != facts_of(land, three, intro)


def test_a_pattern_dropped_by_the_commit_still_names_a_document_and_one_it_adds_does_not(
    land: Land, intro: ObjectId
) -> None:
    other = {
        ".codifica/guard.json": land.policy()[".codifica/guard.json"],
        "codifica.json": land.policy(settings={"state": "new.md"})["codifica.json"],
    }
    oid = land.commit({**other, "work.md": work(FEAT_1="Other"), "new.md": board(task("NEW-1"))}, intro)
    lines = facts_of(land, oid, intro)
    assert lines == second(land, oid)
    assert any(line.startswith("record codifica/FEAT-1") for line in lines)
    assert any(line.startswith("path") and line.endswith('"new.md"') for line in lines)


def test_a_merge_lists_what_is_not_the_same_everywhere(land: Land, intro: ObjectId) -> None:
    one = land.commit({"work.md": work(FEAT_1="Other"), "src/a.py": "one\n"}, intro)
    two = land.commit({"work.md": work(FEAT_3="Last"), "src/b.py": "two\n"}, intro)
    both = land.commit({"work.md": work(FEAT_1="Other", FEAT_3="Last"), "src/b.py": "two\n"}, one, two)
    odd = land.commit({"work.md": work(FEAT_1="Third"), "src/b.py": "2\n", "src/c.py": "c"}, one, two, intro)
    for oid in (both, odd):
        assert facts_of(land, oid, intro) == second(land, oid)
    record = next(line for line in facts_of(land, odd, intro) if "FEAT-1" in line)
    assert record.split(" ")[2].count(",") == 2


def test_codifica_trailers_and_reports_are_covered_and_other_words_are_not(land: Land, intro: ObjectId) -> None:
    def lines(message: str, *trailers: tuple[str, str]) -> list[str]:
        oid = land.commit({"src/a.py": "b\n"}, intro, message=message, trailers=trailers)
        return facts_of(land, oid, intro)

    plain = lines("One")
    assert plain == lines(
        "Two", ("Signed-off-by", "A <a@example.org>"), ("Codifica-Writer", "x"), ("Codifica-Actor", "y")
    )
    assert lines("One", ("Codifica-Reason", "because")) != plain
    assert 'trailer Codifica-Reason "because"' in lines("One", ("Codifica-Reason", "because"))
    report = grammar.digest(b"REPORT x\nall is well\n").decode()
    assert f"report {report}" in lines("One\n\nREPORT x\nall is well  \n\nmore")
    assert kinds(lines("One\n\nREPORT x\na\n\nREPORT y\nb")) == ["path", "report", "report"]


def test_a_finished_task_that_goes_alone_to_another_fence_has_no_line(land: Land) -> None:
    one, two, done = (task(n, title="T", state=s) for n, s in (("A-1", "todo"), ("B-1", "todo"), ("D-1", "done")))
    before = f"# W\n\n```yaml\n{done}{one}```\n\n## Done\n\n```yaml\n{two}```\n"
    after = f"# W\n\n```yaml\n{one}```\n\n## Done\n\n```yaml\n{two}{done}```\n"
    intro = land.introduce(land.begin({"work.md": before}))
    assert facts_of(land, land.commit({"work.md": after}, intro), intro)[3:] == []
    swapped = land.commit({"work.md": after.replace("state: done", "state: todo")}, intro)
    assert kinds(facts_of(land, swapped, intro)) == ["order", "record"]
