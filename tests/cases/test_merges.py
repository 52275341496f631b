"""Case 5: merges, judged per task, and made by the driver that the guard brings."""

import pytest

from tests.building import Clone, Repo
from tests.building.board import document
from tests.building.times import at


def short(ident: str) -> str:
    """A task whose fields stand close to its neighbours'."""
    return (
        f"- id: {ident}\n  state: todo\n  owner: unassigned\n  type: build\n  title: Title of {ident}\n"
        f"  priority: normal\n  acceptance:\n    - It works\n  state_transitions: []\n"
    )


def neighbours(repo: Repo) -> tuple[Clone, Clone]:
    """A claim of two tasks that stand next to each other: the first is on the server, the second is not."""
    repo.document("work.md", document("```yaml\n" + "".join(map(short, ("FEAT-1", "FEAT-2", "FEAT-3"))) + "```\n"))
    builder, writer = repo.clone("builder"), repo.clone("writer")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    writer.claim("FEAT-2").commit("FEAT-2: claim").fetch()
    return builder, writer


def two_documents(repo: Repo) -> tuple[Clone, Clone]:
    """A finished task, and two documents that it may be archived to."""
    repo.settings(state="work/*.md").task("FEAT-1", "done", document="work/a.md").task("FEAT-2", document="work/a.md")
    repo.task("FEAT-3", "done", document="work/b.md").task("FEAT-4", "done", document="work/c.md")
    return repo.clone("alice"), repo.clone("bob")


def archive(clone: Clone, target: str) -> Clone:
    """Move FEAT-1 from the first document to another."""
    moved: list[str] = []
    clone.rewrite(lambda board: moved.append(board.take("FEAT-1")), "work/a.md")
    return clone.rewrite(lambda board: board.add(moved[0]), target).commit("FEAT-1: archive")


def marked(clone: Clone, path: str = "work.md") -> bool:
    return "<<<<<<<" in clone.read(path)


@pytest.mark.parametrize("first", ["builder", "writer"])
def test_case_05_two_neighbouring_claims_merge_by_the_driver_and_push(repo: Repo, first: str) -> None:
    builder, writer = neighbours(repo)
    if first == "builder":
        writer.with_driver().pull().push().accepted()
    else:
        builder.with_driver().git("fetch", "-q", str(writer.folder), "main:theirs")
        builder.merge("theirs").push().accepted()
    assert repo.fields("FEAT-1")["owner"] == "agent:builder"
    assert repo.fields("FEAT-2")["owner"] == "agent:writer"
    text = repo.on_server("show", "main:work.md")
    assert [line[6:] for line in text.splitlines() if line.startswith("- id:")] == ["FEAT-1", "FEAT-2", "FEAT-3"]


def test_case_05_tasks_that_both_sides_appended_merge_by_the_driver(repo: Repo) -> None:
    repo.task("FEAT-1")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.add("FEAT-8").commit("FEAT-8: new").push().accepted()
    bob.add("FEAT-7").commit("FEAT-7: new").fetch()
    assert bob.try_git("merge", "-q", "--no-edit", "origin/main").code == 1
    assert marked(bob), "as text they would join by themselves, and nothing is proven here"
    bob.git("merge", "--abort")
    bob.with_driver().pull().push().accepted()
    heads = [line[6:] for line in bob.read().splitlines() if line.startswith("- id:")]
    assert heads == ["FEAT-1", "FEAT-7", "FEAT-8"]


def test_case_05_different_fields_of_one_task_join_without_a_signature(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    builder, alice = repo.clone("builder"), repo.clone("alice")
    alice.edit("FEAT-1", priority="low").commit("FEAT-1: priority").push().accepted()
    builder.note("FEAT-1", "Half of it").commit("FEAT-1: note").with_driver().pull().push().accepted()
    assert repo.fields("FEAT-1")["priority"] == "low"
    assert [note["note"] for note in repo.fields("FEAT-1")["execution_notes"]] == ["Half of it"]


def test_case_05_neighbouring_lines_of_one_task_join(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.edit("FEAT-1", title="Better").commit("FEAT-1: title").push().accepted()
    bob.edit("FEAT-1", priority="low").commit("FEAT-1: priority").fetch()
    assert bob.try_git("merge", "-q", "--no-edit", "origin/main").code == 1
    bob.git("merge", "--abort")
    bob.with_driver().pull().push().accepted()
    assert (repo.fields("FEAT-1")["title"], repo.fields("FEAT-1")["priority"]) == ("Better", "low")


def test_case_05_notes_of_both_sides_stay_both_by_time(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    builder, twin = repo.clone("builder"), repo.clone("builder", "twin")
    twin.note("FEAT-1", "The second", when=at(2)).commit("FEAT-1: note").push().accepted()
    builder.note("FEAT-1", "The first", when=at(1)).commit("FEAT-1: note").with_driver().pull().push().accepted()
    assert [note["note"] for note in repo.fields("FEAT-1")["execution_notes"]] == ["The first", "The second"]


def test_case_05_a_join_keeps_the_comments_of_both_sides(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.replace("  title: Task FEAT-1", "  # do not rename\n  title: Task FEAT-1").commit(
        "FEAT-1: say so"
    ).push().accepted()
    bob.edit("FEAT-1", title="Renamed").commit("FEAT-1: title").with_driver().pull().push().accepted()
    assert "  # do not rename\n  title: Renamed\n" in repo.on_server("show", "main:work.md")


def test_case_05_a_comment_does_not_get_lost_in_a_join(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress", labels=["one"]).task("FEAT-2")
    alice, builder = repo.clone("alice"), repo.clone("builder")
    alice.replace("  labels:\n", "  # never take one out\n  labels:\n").commit("FEAT-1: say so").push().accepted()
    builder.edit("FEAT-1", labels=["one", "two"]).commit("FEAT-1: label").with_driver().fetch()
    builder.try_git("merge", "-q", "--no-ff", "--no-commit", "origin/main")
    builder.replace("  # never take one out\n", "").commit("Merge", proof="git")
    builder.push().refused("CD501", "is not what its sides come to together: its comments")
    builder.git("reset", "-q", "--hard", "HEAD~1")
    builder.pull().push().accepted()


@pytest.mark.parametrize(
    ("field", "value"), [("execution_notes", None), ("priority", "critical")], ids=["a lost note", "a word more"]
)
def test_case_05_a_join_that_is_not_the_join_is_refused(repo: Repo, field: str, value: str | None) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    builder, alice = repo.clone("builder"), repo.clone("alice")
    alice.edit("FEAT-1", title="Better").commit("FEAT-1: title").push().accepted()
    builder.note("FEAT-1").commit("FEAT-1: note").with_driver().fetch()
    builder.try_git("merge", "-q", "--no-ff", "--no-commit", "origin/main")
    builder.edit("FEAT-1", **{field: value}).commit("Merge", proof="git")
    builder.push().refused("CD501", f"the merge's FEAT-1 is not what its sides come to together: {field}")


def test_case_05_two_histories_stop_the_driver_at_that_task_alone(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2").task("FEAT-3")
    builder, writer = repo.clone("builder"), repo.clone("writer").with_driver()
    builder.claim("FEAT-2").commit("FEAT-2: claim").push().accepted()
    writer.claim("FEAT-2").commit("FEAT-2: claim").fetch()
    done = writer.try_git("merge", "-q", "origin/main")
    assert done.code == 1
    assert "two versions of FEAT-2" in done.said
    text = writer.read()
    inside = text[text.index("<<<<<<< ours") : text.index(">>>>>>> theirs")]
    assert inside.count("- id:") == inside.count("- id: FEAT-2") == 2
    assert text.count("<<<<<<<") == 1
    writer.git("commit", "-q", "-am", "As it is", "--no-gpg-sign")
    writer.push().refused({"ST105", "CD303"})


# -- merges that pick


def at_odds(repo: Repo) -> tuple[Clone, Clone]:
    """The server's main has alice's title of a task; bob has another title of it, and a note's neighbour changed."""
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.edit("FEAT-1", title="Hers").edit("FEAT-2", priority="low").commit("FEAT-1 FEAT-2: hers").push().accepted()
    bob.edit("FEAT-1", title="His").commit("FEAT-1: his").fetch()
    return alice, bob


@pytest.mark.parametrize("options", [["-s", "ours"], ["-X", "theirs"], ["-X", "ours"]])
def test_case_05_a_merge_that_picks_a_side_is_refused_and_both_places_are_named(repo: Repo, options: list[str]) -> None:
    alice, bob = at_odds(repo)
    mine = bob.head()
    bob.merge("origin/main", options=options)
    places = [f"work.md:8 in {oid[:7]}: in_progress, agent:builder" for oid in (mine, alice.head())]
    bob.push().refused("CD502", "FEAT-1", *places, "with different title")


def test_case_05_a_union_of_lines_is_refused(repo: Repo) -> None:
    _, bob = at_odds(repo)
    (bob.folder / ".git" / "info").mkdir(exist_ok=True)
    (bob.folder / ".git" / "info" / "attributes").write_text("*.md merge=union\n")
    bob.merge("origin/main").push().refused({"ST102", "CD502"}, "FEAT-1")


def test_case_05_a_union_of_lines_with_the_field_once_is_refused_too(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    builder, twin = repo.clone("builder"), repo.clone("builder", "twin")
    twin.note("FEAT-1", "One").edit("FEAT-1", labels=["a"]).commit("FEAT-1: note").push().accepted()
    builder.note("FEAT-1", "Two").edit("FEAT-1", labels=["b"]).commit("FEAT-1: note").fetch()
    (builder.folder / ".git" / "info").mkdir(exist_ok=True)
    (builder.folder / ".git" / "info" / "attributes").write_text("*.md merge=union\n")
    builder.merge("origin/main").push().refused({"ST101", "ST102", "CD501"}, "FEAT-1")


def test_case_05_a_change_that_is_in_no_parent_is_refused(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.code(path="src/a.py").push().accepted()
    bob.code(path="src/b.py").fetch().try_git("merge", "-q", "--no-ff", "--no-commit", "origin/main")
    bob.edit("FEAT-2", title="Slipped in").commit("Merge", proof="git").push().refused("CD501", "FEAT-2")


@pytest.mark.parametrize("take", ["ours", "theirs"])
@pytest.mark.parametrize("proof", ["git", "trailers"])
def test_case_05_a_humans_signed_choice_is_accepted(repo: Repo, take: str, proof: str) -> None:
    alice, bob = at_odds(repo)
    text = alice.read() if take == "theirs" else alice.read().replace("title: Hers", "title: His")
    bob.merge("origin/main", files={"work.md": text}, proof=proof).push().accepted()  # type: ignore[arg-type]
    assert repo.fields("FEAT-1")["title"] == ("Hers" if take == "theirs" else "His")


def test_case_05_a_human_settles_what_the_driver_marked(repo: Repo) -> None:
    _, bob = at_odds(repo)
    bob.with_driver().try_git("merge", "-q", "origin/main")
    text = bob.read()
    start, middle, end = (text.index(mark) for mark in ("<<<<<<< ours", "=======", ">>>>>>> theirs"))
    ours, rest = text[start:middle].split("\n", 1)[1], text[end:].split("\n", 1)[1]
    bob.write("work.md", text[:start] + ours + rest).commit("Merge: his title").push().accepted()
    assert (repo.fields("FEAT-1")["title"], repo.fields("FEAT-2")["priority"]) == ("His", "low")


# -- archives


def test_case_05_two_archivals_of_one_task_to_one_place_are_one(repo: Repo) -> None:
    alice, bob = two_documents(repo)
    archive(alice, "work/b.md").push().accepted()
    archive(bob, "work/b.md").with_driver().pull().push().accepted()


def test_case_05_two_archivals_of_one_task_to_two_places_are_refused_and_both_are_named(repo: Repo) -> None:
    alice, bob = two_documents(repo)
    archive(alice, "work/b.md").push().accepted()
    archive(bob, "work/c.md").with_driver().pull()
    bob.push().refused({"CD502", "CD504"}, "FEAT-1", "work/b.md", "work/c.md")
    bob.git("reset", "-q", "--hard", "HEAD~1")
    bob.merge("origin/main", files={"work/c.md": alice.read("work/c.md")}, proof="git").push().accepted()


@pytest.mark.parametrize("keep", ["archival", "edit"])
def test_case_05_an_archival_against_an_edit_is_refused_and_a_human_settles_it(repo: Repo, keep: str) -> None:
    alice, bob = two_documents(repo)
    archive(alice, "work/b.md").push().accepted()
    before = {path: bob.read(path) for path in ("work/a.md", "work/b.md")}
    bob.edit("FEAT-1", title="Better").commit("FEAT-1: title").with_driver().fetch()
    edited = bob.read("work/a.md")
    done = bob.try_git("merge", "-q", "--no-edit", "origin/main")
    assert done.code == 1
    assert "two versions of FEAT-1" in done.said
    bob.git("merge", "--abort")
    archived = {path: alice.read(path) for path in before}
    bob.merge("origin/main", files=archived).push().refused("CD502", "FEAT-1", "work/a.md:", "work/b.md:")
    bob.git("reset", "-q", "--hard", "HEAD~1")
    files = archived if keep == "archival" else {"work/a.md": edited, "work/b.md": before["work/b.md"]}
    bob.merge("origin/main", files=files, proof="git").push().accepted()


# -- tasks that come and go


def test_case_05_a_task_that_was_taken_out_is_not_resurrected(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    with_both = bob.read()
    alice.drop("FEAT-2").commit("FEAT-2: not needed").push().accepted()
    bob.code(path="src/b.py").fetch()
    bob.merge("origin/main", files={"work.md": with_both}).push().refused({"CD501", "ID106"}, "FEAT-2")
    bob.git("reset", "-q", "--hard", "HEAD~1")
    bob.with_driver().pull().push().accepted()


def test_case_05_a_task_is_not_dropped_by_a_merge(repo: Repo) -> None:
    repo.task("FEAT-1")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    without = alice.read()
    alice.add("FEAT-9").commit("FEAT-9: new").push().accepted()
    bob.code(path="src/b.py").fetch()
    bob.merge("origin/main", files={"work.md": without}, proof="git").push().refused("CD501", "FEAT-9")


def test_case_05_one_id_that_was_born_on_both_sides_stops_the_driver(repo: Repo) -> None:
    repo.task("FEAT-1")
    alice, bob = repo.clone("alice"), repo.clone("bob")
    alice.add("FEAT-9", title="Hers").commit("FEAT-9: new").push().accepted()
    bob.add("FEAT-9", title="His").commit("FEAT-9: new").with_driver().fetch()
    done = bob.try_git("merge", "-q", "origin/main")
    assert done.code == 1
    assert "FEAT-9" in done.said
    bob.git("merge", "--abort")
    bob.merge("origin/main", files={"work.md": alice.read()}).push().refused("CD503", "FEAT-9")


# -- many sides


def test_case_05_an_octopus_that_drops_a_side_is_refused(repo: Repo) -> None:
    builder, alice = repo.task("FEAT-1").task("FEAT-2").clone("builder"), repo.clone("alice")
    alice.edit("FEAT-2", priority="low").commit("FEAT-2: priority").push().accepted()
    builder.fetch()
    for name in ("a", "b"):
        builder.git("checkout", "-q", "-b", name, "origin/main^")
        builder.code(name, path=f"src/{name}.py")
    builder.checkout("origin/main")
    parents = [builder.head(name) for name in ("HEAD", "a", "b")]
    tree = builder.head("origin/main^^{tree}")
    builder.at(builder.raw_commit(tree=tree, parents=parents, message=b"Merge\n")).push().refused("CD501", "FEAT-2")


def test_case_05_an_octopus_whose_sides_note_one_task_keeps_every_note(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder")
    times = {name: at(number) for number, name in enumerate(("a", "b", "c"))}
    for name, when in times.items():
        builder.git("checkout", "-q", "-b", name, "origin/main")
        builder.note("FEAT-1", f"By {name}", when=when).commit("FEAT-1: note")
    first, rest = builder.head("a"), [builder.head(name) for name in ("b", "c")]
    builder.checkout("a")
    for name in ("b", "c"):
        builder.note("FEAT-1", f"By {name}", when=times[name])
    builder.git("add", "-A")
    whole = builder.raw_commit(tree=builder.git("write-tree"), parents=[first, *rest], message=b"Merge\n")
    lost = builder.raw_commit(tree=builder.head("c^{tree}"), parents=[first, *rest], message=b"Merge\n")
    builder.git("reset", "-q", "--hard")
    builder.at(lost).push().refused("CD501", "execution_notes")
    builder.at(whole).push().accepted()


def test_case_05_a_criss_cross_of_joins_goes_through(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress").task("FEAT-2", "in_progress", "agent:writer").task("FEAT-3")
    builder, writer = repo.clone("builder").with_driver(), repo.clone("writer").with_driver()
    builder.note("FEAT-1", "One").commit("FEAT-1: note")
    writer.note("FEAT-2", "Two").commit("FEAT-2: note")
    builder.git("fetch", "-q", str(writer.folder), "main:theirs")
    writer.git("fetch", "-q", str(builder.folder), "main:theirs")
    builder.merge("theirs").note("FEAT-1", "Three").commit("FEAT-1: note")
    writer.merge("theirs").note("FEAT-2", "Four").commit("FEAT-2: note").push().accepted()
    builder.pull().push().accepted()
    assert [len(repo.fields(name)["execution_notes"]) for name in ("FEAT-1", "FEAT-2")] == [2, 2]


def test_case_05_in_a_criss_cross_two_old_values_are_a_conflict(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    alice, bob = repo.clone("alice").with_driver(), repo.clone("bob").with_driver()
    alice.edit("FEAT-1", title="Hers").commit("FEAT-1: hers")
    bob.edit("FEAT-1", title="His").commit("FEAT-1: his")
    alice.git("fetch", "-q", str(bob.folder), "main:theirs")
    bob.git("fetch", "-q", str(alice.folder), "main:theirs")
    hers, his = alice.read(), bob.read()
    alice.merge("theirs", files={"work.md": hers}, proof="git").push().accepted()
    bob.merge("theirs", files={"work.md": his}, proof="git").fetch()
    assert bob.try_git("merge", "-q", "origin/main").code == 1
    assert marked(bob)
    bob.git("merge", "--abort")
    bob.merge("origin/main", files={"work.md": his}).push().refused("CD502", "FEAT-1", "with different title")
    bob.git("reset", "-q", "--hard", "HEAD~1")
    bob.merge("origin/main", files={"work.md": his}, proof="git").push().accepted()
