"""What people and agents type into state documents: what is read in one way, what is refused, and what is told."""

from collections.abc import Mapping

import pytest

from codifica_guard.model.document import Task
from codifica_guard.state.yaml import read_block
from tests.building import Repo, at
from tests.building.board import document, fence
from tests.building.tasks import block, task
from tests.cases.typing_in import place, typed

# -- 17: YAML that does not parse


BROKEN: Mapping[str, tuple[str, str, str, str]] = {
    "a list item with a backtick": ("    - It is tested\n  depends_on: []\n  claimed_at", "    - `npm test` passes\n  depends_on: []\n  claimed_at", "`npm test` passes", '- "`npm test` passes"'),
    "an owner with an at sign": ("owner: agent:builder", "owner: @builder", "@builder", 'owner: "@builder"'),
    "a title with a colon": ("title: Task FEAT-2", "title: Fix: the form", ": the form", 'title: "Fix: the form"'),
    "a text with a percent sign": ("description: Text", "description: %done", "%done", 'description: "%done"'),
}  # fmt: skip


@pytest.mark.parametrize("what", BROKEN)
def test_case_17_what_does_not_parse_is_refused_with_its_place_and_the_quotes_that_mend_it(
    repo: Repo, what: str
) -> None:
    old, new, mark, quoted = BROKEN[what]
    clone, push = typed(repo, old, new)
    line, column = place(clone, mark)
    push.refused("ST101", f"work.md:{line}:{column}", "FEAT-2", quoted, "git codifica fix")
    clone.replace(new, new.replace(next(row for row in new.split("\n") if mark in row).strip(), quoted))
    clone.git("commit", "-q", "--amend", "-a", "-S", "--no-edit", "--reset-author")
    clone.push().accepted(perhaps={"CD102", "CD404"}) if "owner" not in what else clone.push().refused("CD102")


@pytest.mark.parametrize(
    "new",
    [
        "\ttitle: Task FEAT-2",
        "  title:\tTask FEAT-2",
        "  title: Task FEAT-2\n\t",
        "  title: Task FEAT-2\n  \tlabels: []",
    ],
    ids=["in place of blanks", "behind a colon", "on a line of its own", "behind blanks"],
)
def test_case_17_a_tab_is_named_with_its_place(repo: Repo, new: str) -> None:
    clone, push = typed(repo, "  title: Task FEAT-2", new)
    line, column = place(clone, "\t")
    push.refused("ST101", f"work.md:{line}:{column}", "tab")


@pytest.mark.guard
@pytest.mark.parametrize("what", BROKEN)
def test_case_17_all_other_tasks_of_the_file_are_still_named_in_status(repo: Repo, what: str) -> None:
    old, new, mark, _ = BROKEN[what]
    repo.task("FEAT-1").task("FEAT-2", "in_progress", description="Text").task(
        "FEAT-3", "to_be_tested", "agent:writer", acceptance=["Nothing"]
    )
    alice = repo.clone("alice").replace(old, new)
    line, column = place(alice, mark)
    alice.commit("FEAT-2: text")
    repo.on_server("fetch", "-q", str(alice.folder), "HEAD:refs/heads/main")  # let in around the guard
    done = alice.fresh().guard("status")
    assert done.code == 0, done.said
    assert f"ST101 work.md:{line}:{column} FEAT-2" in done.said or f"ST101 work.md:{line} FEAT-2" in done.said
    assert "FEAT-3" in done.said
    ready = alice.guard("ready")
    assert "FEAT-1" in ready.said


# -- 18: what a number sign cuts


@pytest.mark.parametrize(
    ("new", "cut"),
    [
        ("title: Fix #12 now", "#12 now"),
        ("description: See #13, it says so", "#13, it says so"),
    ],
    ids=["title", "description"],
)
def test_case_18_a_value_that_a_number_sign_cuts_is_told_with_what_is_lost(repo: Repo, new: str, cut: str) -> None:
    old = "title: Task FEAT-2" if new.startswith("title") else "description: Text"
    _, push = typed(repo, old, new)
    push.accepted("FEAT-2", cut, "put all in quotes", warnings={"ST112"})


@pytest.mark.parametrize(
    "new", ['title: "Fix #12 now"', "title: 'Fix #12 now'", "title: Fix#12 now", "title: C# first"]
)
def test_case_18_a_number_sign_that_cuts_nothing_is_no_matter(repo: Repo, new: str) -> None:
    typed(repo, "title: Task FEAT-2", new)[1].accepted()


# -- 19: one reading


@pytest.mark.parametrize("word", ["no", "No", "NO", "yes", "on", "off", "y", "n", "true"])
@pytest.mark.parametrize("field", ["owner", "state"])
def test_case_19_an_owner_or_state_that_readers_read_differently_is_refused(repo: Repo, field: str, word: str) -> None:
    old = {"owner": "owner: agent:builder", "state": "state: in_progress"}[field]
    typed(repo, old, f"{field}: {word}")[1].refused({"ST103", "CD102"}, word)


@pytest.mark.parametrize("word", ["no", "017", "1e3", "12:30", "0o17", "2026-11-30", "1_000", "~", ".5"])
def test_case_19_an_id_that_readers_read_differently_is_refused(repo: Repo, word: str) -> None:
    alice = repo.clone("alice")
    alice.rewrite(lambda board: board.add(block(task("FEAT-9")).replace("id: FEAT-9", f"id: {word}", 1)))
    alice.commit(f"{word}: new").push().refused({"ST103", "CD103", "ST101", "CD101"}, word)


WORDS = ["yes", "no", "017", "12:30", "1e3", "0x1f", "2026-11-30", "2026-11-30T09:00:00Z", "~x", "1_000", "on", "3.10"]


@pytest.mark.guard
@pytest.mark.parametrize("form", ["{}", '"{}"', "'{}'"], ids=["plain", "double quotes", "single quotes"])
def test_case_19_words_are_words_for_the_push_the_programs_and_their_schema(repo: Repo, form: str) -> None:
    alice = repo.task("FEAT-1", labels=["web"], acceptance=["It is fast"]).clone("alice")
    for old in ("- web", "- It is fast"):
        alice.replace(old, "\n    - ".join(["- " + form.format(WORDS[0]), *map(form.format, WORDS[1:])]))
    alice.commit("FEAT-1: words").push().accepted()
    task = read_block(alice.read().split("```yaml\n")[1].split("```")[0].encode())
    assert isinstance(task, Task)
    assert (task.data["labels"], task.data["acceptance"]) == (WORDS, WORDS)
    shown = alice.guard("show", "FEAT-1", "--json", "-q").json  # held against the schema
    assert shown["data"]["tasks"][0]["brief"]["acceptance"] == WORDS


@pytest.mark.guard
@pytest.mark.parametrize("form", ['"{}"', "'{}'"], ids=["double quotes", "single quotes"])
def test_case_19_a_time_is_the_same_with_and_without_quotes(repo: Repo, form: str) -> None:
    repo.task("FEAT-1").task("FEAT-2")
    now = at()
    builder = repo.clone("builder").claim("FEAT-1", when=now).commit("FEAT-1: claim").claim("FEAT-2", when=now)
    text = builder.read()
    head, sign, tail = text.partition("- id: FEAT-2")
    builder.write("work.md", head + sign + tail.replace(now, form.format(now)))
    builder.commit("FEAT-2: claim").push().accepted()
    since = [row["since"] for row in builder.guard("status", "--json", "-q").json["data"]["in_progress"]]
    assert len(since) == 2
    assert since[0] == since[1]


@pytest.mark.parametrize(
    "when", ["2026-13-45T07:12:00Z", "2016-12-31T23:59:60Z", "0000-00-00T00:00:00Z", "2026-11-30T07:12:00+25:00"]
)
@pytest.mark.parametrize("form", ["{}", '"{}"'], ids=["plain", "quoted"])
def test_case_19_an_impossible_time_is_an_ordinary_finding(repo: Repo, when: str, form: str) -> None:
    builder = repo.task("FEAT-1", "in_progress").clone("builder").note("FEAT-1", when="2026-01-01T00:00:00Z")
    builder.replace("timestamp: 2026-01-01T00:00:00Z", f"timestamp: {form.format(when)}")
    builder.commit("FEAT-1: note").push().refused("CD108", when, "FEAT-1")


# -- 20: fences


HIDDEN = "```yaml\n- id: FEAT-9\n  type: build\n  state: todo\n  owner: unassigned\n  title: Hidden\n```\n"


@pytest.mark.parametrize(
    "text",
    [
        "".join(f"- {line}\n" if not number else f"  {line}\n" for number, line in enumerate(HIDDEN.splitlines())),
        "".join(f"> {line}\n" for line in HIDDEN.splitlines()),
        f"<!--\n{HIDDEN}-->\n",
        f"````text\n{HIDDEN}````\n",
        f"~~~\n{HIDDEN}~~~\n",
        HIDDEN.replace("```yaml", "```text"),
        HIDDEN.replace("```yaml", "```yamlish"),
        "".join(f"    {line}\n" for line in HIDDEN.splitlines()),
    ],
    ids=["in a list", "in a quote", "in a comment", "in four backticks", "in tildes", "text", "another word", "indented code"],
)  # fmt: skip
@pytest.mark.parametrize("end", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_case_20_what_is_no_fence_of_tasks_holds_no_task(repo: Repo, text: str, end: str) -> None:
    repo.document("work.md", (document(fence(block(task("FEAT-1")))) + "\n" + text).replace("\n", end))
    builder = repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim")
    builder.push().accepted()
    assert builder.read().count(end.encode().decode()) == builder.read().count("\n")
    repo.clone("alice").fresh().add("FEAT-9").commit("FEAT-9: new").push().accepted()


def test_case_20_tasks_that_html_shows_as_they_are_are_told_to_stand_outside_of_a_fence(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    alice.write("work.md", f"{alice.read()}\n<div>\n{HIDDEN}</div>\n").commit("More").push().refused(
        "ST104", "a list of tasks outside of any yaml fence"
    )
    alice.write("work.md", alice.read().replace("<div>\n", "<div>\n\n")).git(
        "commit", "-q", "-a", "--amend", "-S", "--no-edit", "--reset-author"
    )
    alice.push().accepted(perhaps={"CD412"})
    assert repo.fields("FEAT-9")["title"] == "Hidden"


@pytest.mark.parametrize(
    ("mark", "info"),
    [("~~~", "yaml"), ("````", "yaml"), ("```", "yml"), ("```", "YAML title=x"), ("``` ", " yaml  "), ("~~~~", "yaml `x`")],
    ids=["tildes", "four backticks", "yml", "more words", "blanks", "a backtick behind tildes"],
)  # fmt: skip
def test_case_20_every_fence_of_tasks_is_one(repo: Repo, mark: str, info: str) -> None:
    text = f"{mark}{info}\n{block(task('FEAT-1'))}{mark.strip()}\n"
    builder = repo.document("work.md", f"# Work\n\n{text}").clone("builder")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none").push().refused("ID106", "FEAT-1")
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_case_20_a_fence_inside_a_block_scalar_is_text_as_long_as_it_is_indented(repo: Repo) -> None:
    inner = "Try this:\n```sh\nmake\n```\n~~~\n````yaml\n- id: FEAT-1\n````\n"
    repo.task("FEAT-1", "in_progress").task("FEAT-2")
    builder = repo.clone("builder").note("FEAT-1", inner).commit("FEAT-1: note")
    builder.push().accepted("id", warnings={"ST110"})
    assert repo.fields("FEAT-1")["execution_notes"][-1]["note"] == inner
    builder.claim("FEAT-2").commit("FEAT-2: claim").push().accepted()


@pytest.mark.parametrize("mark", ["```", "~~~", "````"])
def test_case_20_a_fence_that_nobody_closes_is_refused_with_the_line_that_opens_it(repo: Repo, mark: str) -> None:
    repo.document("work.md", f"# Work\n\n{mark}yaml\n{block(task('FEAT-1'))}{mark}\n\nEnd.\n")
    alice = repo.clone("alice")
    alice.write("work.md", alice.read().replace(f"{mark}\n\nEnd.", "\nEnd.")).commit("FEAT-1: text").push().refused(
        "ST104", "work.md:3"
    )


@pytest.mark.parametrize("who", ["builder", "alice"])
def test_case_20_a_mark_before_a_fence_is_told_to_whoever_touches_the_document(repo: Repo, who: str) -> None:
    repo.document("work.md", "\ufeff" + f"```yaml\n{block(task('FEAT-1'))}```\n")
    clone = repo.clone(who).edit("FEAT-1", priority="low").commit("FEAT-1: less urgent")
    clone.push().refused("ST108", "work.md:1:1", "U+FEFF", "save the file without BOM")
    clone.fresh().code("code").push().accepted()
    alice = repo.clone("alice").fresh()
    alice.write("work.md", alice.read().removeprefix("\ufeff")).commit("FEAT-1: no mark").push().accepted()
    repo.clone("builder").fresh().claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_case_20_a_mark_before_prose_hides_nothing(repo: Repo) -> None:
    repo.document("work.md", "\ufeff" + document(fence(block(task("FEAT-1")))))
    builder = repo.clone("builder")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none").push().refused("ID106", "FEAT-1")
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


@pytest.mark.parametrize("old", ["description: Text", "The tasks of the shop."], ids=["in a task", "in the prose"])
def test_case_20_a_lone_carriage_return_is_refused(repo: Repo, old: str) -> None:
    typed(repo, old, f"{old}\rstate: done")[1].refused("ST108", "a CR without LF")


def test_case_20_mixed_ends_of_lines_are_read_as_lines(repo: Repo) -> None:
    text = document(fence(block(task("FEAT-1")), block(task("FEAT-2"))))
    rows = text.split("\n")
    repo.document("work.md", "".join(row + ("\r\n" if number % 2 else "\n") for number, row in enumerate(rows[:-1])))
    alice = repo.clone("alice")
    mixed = (alice.folder / "work.md").read_bytes()
    new = mixed.replace(b"priority: normal", b"priority: low", 1)
    assert new != mixed
    alice.write("work.md", new).commit("FEAT-1: less urgent").push().accepted()
