"""The signed trailers: what they outlive, what they die of, and how they are written."""

from collections.abc import Callable

import pytest

from tests.building import Clone, NewRepo, Repo, at
from tests.building.board import document, fence
from tests.building.tasks import block, task

# -- the signed trailers: what they outlive


def moved(repo: Repo) -> None:
    """Let main move by an unrelated commit of somebody else's."""
    repo.clone("writer").fresh().code("unrelated", path="src/unrelated.py", proof="git").push().accepted()


def test_trailers_alone_are_enough(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="trailers")
    builder.push().accepted()


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("way", ["rebase", "rebase --apply", "cherry-pick", "cherry-pick -x -s", "am"])
def test_case_07_trailers_outlive_every_rewrite_over_unrelated_changes(
    new_repo: NewRepo, way: str, object_format: str
) -> None:
    repo: Repo = new_repo(object_format=object_format)
    builder = (
        repo.task("FEAT-1", "to_be_tested")
        .clone("alice")
        .switch("mine")
        .approve("FEAT-1")
        .write("docs/note.md", "Good.\n")
    )
    builder.commit("FEAT-1: approve", proof="trailers")
    moved(repo)
    carry(builder, way)
    builder.push().accepted()


def carry(clone: Clone, way: str) -> None:
    """Carry the last commit of the branch `mine` over to the tip of main."""
    clone.fetch()
    if way.startswith("rebase"):
        clone.git(*way.split(" "), "origin/main")
        return
    if way == "am":
        patch = clone.git("format-patch", "--stdout", "--full-index", "-1") + "\n\n"
        clone.checkout("origin/main").git("am", "-q", data=patch.encode())
        return
    tip = clone.head()
    clone.checkout("origin/main").git(*way.split(" "), tip)


def test_trailers_outlive_a_change_of_another_task(repo: Repo) -> None:
    alice, builder = (
        repo.task("FEAT-1", "to_be_tested").task("FEAT-2").task("FEAT-3").clone("alice"),
        repo.clone("builder"),
    )
    alice.switch("mine").approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    builder.claim("FEAT-3").commit("FEAT-3: claim").push().accepted()
    carry(alice, "rebase")
    alice.push().accepted()


def test_trailers_outlive_other_words_in_the_message(repo: Repo) -> None:
    alice = (
        repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    )
    told = alice.git("log", "-1", "--format=%B")
    alice.git(
        "commit",
        "-q",
        "--amend",
        "--no-gpg-sign",
        "-m",
        told.replace("FEAT-1: approve", "FEAT-1: approve, at last\n\nIt took a while.")
        + "\nSigned-off-by: Alice <alice@example.org>",
    )
    alice.push().accepted()


def test_anybody_may_carry_a_signed_decision_over(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("bob")
    alice.switch("mine").approve("FEAT-1").commit("FEAT-1: approve", proof="trailers").push("HEAD:mine").accepted()
    moved(repo)
    bob.fresh().git("cherry-pick", "origin/mine")
    bob.push().accepted()


def archive(alice: Clone) -> None:
    """Move a finished task to another document."""
    moved: list[str] = []
    alice.rewrite(lambda board: moved.append(board.take("FEAT-1")), "work/a.md")
    alice.rewrite(lambda board: board.add(moved[0]), "work/b.md")


ACTS: dict[str, Callable[[Clone], object]] = {
    "prose": lambda alice: alice.replace("The tasks of the shop.", "More tasks.", "work/a.md"),
    "order": lambda alice: alice.rewrite(lambda board: board.add(board.take("FEAT-1")), "work/a.md"),
    "trust": lambda alice: alice.write("codifica-spec.md", "# Another way\n").write(".codifica/note", "x\n"),
    "archive": archive,
    "mode": lambda alice: (alice.folder / "work/a.md").chmod(0o755),
    "birth": lambda alice: alice.write("work/c.md", document(fence(block(task("FEAT-9"))))),
    "rename": lambda alice: alice.git("mv", "src/app.py", 'src/"né w".py'),
    "link": lambda alice: (alice.folder / "src/link").symlink_to("app.py"),
    "new and old": lambda alice: alice.add("FEAT-9", path="work/a.md").edit("FEAT-2", priority="low"),
    "comment": lambda alice: alice.replace("- id: FEAT-2", "# The next one.\n- id: FEAT-2", "work/a.md"),
}


@pytest.mark.parametrize("act", ACTS)
def test_trailers_cover_every_kind_of_change(repo: Repo, act: str) -> None:
    repo.settings(state="work/*.md").policy(human_proof="trailer")
    repo.task("FEAT-1", "done", document="work/a.md").task("FEAT-2", document="work/a.md").task(
        "FEAT-3", document="work/b.md"
    )
    alice = repo.clone("alice")
    ACTS[act](alice)
    alice.commit(f"FEAT-1 FEAT-2 FEAT-9: {act}", proof="trailers").push().accepted()


# -- what they die of


def test_case_07_trailers_die_of_a_change_of_the_same_task(repo: Repo) -> None:
    alice, builder = repo.task("FEAT-1", "to_be_tested", description="Text").clone("alice"), repo.clone("builder")
    alice.switch("mine").approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    builder.note("FEAT-1", "One more thing").commit("FEAT-1: note").push().accepted()
    alice.fetch().git("rebase", "-q", "-X", "theirs", "origin/main")
    alice.push().refused("ID101", "look again")


def test_case_07_trailers_die_of_another_base_of_the_same_file(repo: Repo) -> None:
    repo.rules(file_scope={"include": ["src/**"]})
    alice = (
        repo.clone("alice")
        .switch("mine")
        .write("docs/guide.md", "# Guide\n\nMore.\n")
        .commit("Guide", proof="trailers")
    )
    bob = repo.clone("bob").write("docs/guide.md", "# The guide\n").commit("Guide")
    bob.push().accepted()
    alice.fetch().git("rebase", "-q", "-X", "theirs", "origin/main")
    alice.push().refused("CD407")


def amended(clone: Clone, change: str) -> Clone:
    """Change one thing of a commit with signed trailers, and keep the trailers as they are."""
    told = clone.git("log", "-1", "--format=%B")
    if change == "a file slips in":
        clone.write("src/slip.py", "x = 1\n")
    elif change == "another word in the task":
        clone.replace("title: Task FEAT-1", "title: A task")
    elif change == "a task slips in":
        clone.edit("FEAT-2", priority="low")
    elif change == "a trailer slips in":
        told += "\nCodifica-Instruct: T-1 retry"
    elif change == "the mode of the document":
        (clone.folder / "work.md").chmod(0o755)
    elif change == "a word of the prose":
        clone.replace("The tasks of the shop.", "The tasks of my shop.")
    elif change == "another order":
        clone.rewrite(lambda board: board.add(board.take("FEAT-1")))
    elif change == "another actor":
        told = told.replace("Codifica-Actor: human:alice", "Codifica-Actor: human:bob")
    clone.git("add", "-A")
    clone.git("commit", "-q", "--amend", "--no-gpg-sign", "-m", told)
    return clone


@pytest.mark.parametrize(
    "change",
    [
        "a file slips in",
        "another word in the task",
        "a task slips in",
        "a trailer slips in",
        "the mode of the document",
        "a word of the prose",
        "another order",
        "another actor",
    ],
)
def test_case_07_trailers_die_of_any_change_of_what_they_cover(repo: Repo, change: str) -> None:
    alice = (
        repo.task("FEAT-1", "to_be_tested")
        .task("FEAT-2")
        .clone("alice")
        .approve("FEAT-1")
        .commit("FEAT-1: approve", proof="trailers")
    )
    amended(alice, change).push().refused({"ID101", "ID103", "ID102"} if change == "another actor" else "ID101")


@pytest.mark.parametrize("place", [0, 20, 60, 120, 200])
def test_trailers_die_of_any_changed_byte_of_the_signature(repo: Repo, place: int) -> None:
    alice = (
        repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    )
    told = alice.git("log", "-1", "--format=%B")
    start = told.index("Codifica-Signature: ") + len("Codifica-Signature: ") + place
    other = "A" if told[start] != "A" else "B"
    alice.git("commit", "-q", "--amend", "--no-gpg-sign", "-m", told[:start] + other + told[start + 1 :])
    alice.push().refused({"ID101", "ID102", "ID103"})


def test_a_signed_decision_fits_into_no_other_repository(new_repo: NewRepo) -> None:
    here, there = new_repo(), new_repo().policy(repository="77" * 16)
    alice = here.task("FEAT-1", "to_be_tested").clone("alice")
    bob = there.task("FEAT-1", "to_be_tested").clone("bob")
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    bob.git("fetch", "-q", str(alice.folder), "main")
    bob.git("cherry-pick", "FETCH_HEAD")
    bob.push().refused("ID101")


def test_the_same_decision_twice_in_a_tasks_life_is_refused(repo: Repo) -> None:
    alice, builder = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("builder")
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="trailers").push().accepted()
    approval = alice.head()
    alice.back("FEAT-1").commit("FEAT-1: reopen", proof="trailers").push().accepted()
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim").hand_in("FEAT-1").commit(
        "FEAT-1: hand in"
    ).push().accepted()
    told = builder.git("log", "-1", "--format=%B", approval)
    entry = {"from": "to_be_tested", "to": "done", "by": "human:alice", "reason": "Looks good", "timestamp": at()}
    builder.append("FEAT-1", "state_transitions", entry).edit("FEAT-1", state="done", completed_at=at())
    builder.git("commit", "-q", "-a", "--no-gpg-sign", "-m", told)
    builder.push().refused("ID101")


def test_a_dead_trailer_on_code_that_needs_no_proof_only_warns(repo: Repo) -> None:
    builder = repo.clone("builder").write("src/x.py", "x = 1\n").commit("code", proof="trailers")
    builder.write("src/y.py", "y = 1\n").git("commit", "-q", "--amend", "--no-edit", "--no-gpg-sign", "-a")
    builder.git("add", "-A")
    builder.git("commit", "-q", "--amend", "--no-edit", "--no-gpg-sign")
    builder.push().accepted(warnings={"ID101"})


# -- the form of the trailers


@pytest.mark.parametrize(
    "lines",
    [
        ["Codifica-Actor: agent:builder", "Codifica-Actor: agent:builder"],
        ["codifica-actor: agent:builder"],
        ["Codifica_Actor: agent:builder"],
        ["Codifica-Actor: agent:builder", "Codifica-Sigature: AAAA"],
        ["Codifica-Actor:", "  agent:builder"],
        ["Codifica-Actor: agent:builder\rCodifica-Migrate: x"],
        ["Codifica-Àctor: agent:builder"],
        ["Codifica-Unknown: x"],
    ],
    ids=["twice", "lower case", "underscore", "misspelt", "folded", "carriage return", "look-alike", "unknown"],
)
def test_case_12_odd_trailers_are_refused(repo: Repo, lines: list[str]) -> None:
    builder = repo.clone("builder").write("src/x.py", "x = 1\n")
    builder.git("add", "-A")
    tree = builder.git("write-tree")
    message = "code\n\n" + "\n".join(lines) + "\n"
    builder.at(builder.raw_commit(tree=tree, message=message.encode())).push().refused("ID114")


def test_case_12_a_line_separator_forges_no_trailer(repo: Repo) -> None:
    bob = repo.task("FEAT-1", "to_be_tested").clone("bob")
    bob.edit("FEAT-1", state="done").commit(
        "FEAT-1: done\n\nReviewed-by: Bob\u2028Codifica-Actor: human:alice", proof="none"
    )
    bob.push().refused("ID106")


def test_trailers_of_others_are_anybodys(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1")
    builder.git("add", "-A")
    lines = "".join(f"{name}: {value}\n" for name, value in builder.trailers("trailers"))
    builder.git(
        "commit",
        "-q",
        "-m",
        f"FEAT-1: claim\n\nChange-Id: I0123\nReviewed-by: Somebody <s@example.org>\n{lines}Signed-off-by: Builder <builder@example.org>",
    )
    builder.push().accepted()


def test_case_12_a_line_of_dashes_hides_no_trailers(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1")
    builder.git("add", "-A")
    lines = "".join(f"{name}: {value}\n" for name, value in builder.trailers("trailers"))
    builder.git("commit", "-q", "-m", f"FEAT-1: claim\n\n---\nA word below the line.\n\n{lines}")
    builder.push().accepted()


def test_case_12_trailers_above_the_last_paragraph_are_text(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1")
    builder.git("add", "-A")
    lines = "".join(f"{name}: {value}\n" for name, value in builder.trailers("trailers"))
    builder.git("commit", "-q", "-m", f"FEAT-1: claim\n\n{lines}\nAnd a last word.")
    builder.push().refused("ID106")


def test_the_trailers_actor_counts_where_the_signature_of_git_is_anothers(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1")
    builder.commit("FEAT-1: claim", proof="both", key=None).git("commit", "-q", "--amend", "--no-edit", "-S")
    raw = builder.git("log", "-1", "--format=%B")
    alice_key = repo.keys.private("alice")
    builder.git("-c", f"user.signingkey={alice_key}", "commit", "-q", "--amend", "-S", "-m", raw)
    builder.push().accepted()


def test_trailers_on_a_commit_that_changes_nothing_are_refused(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.commit(
        "Nothing", proof="trailers", trailers=[("Codifica-Migrate", "x")], options=["--allow-empty"]
    ).push().refused({"ID114", "ID101"})


def test_a_token_in_a_message_or_file_is_refused(repo: Repo) -> None:
    secret = "cgw1_" + "A" * 43
    builder = repo.clone("builder")
    builder.code(f"code\n\n{secret}").push("HEAD:topic").refused("ID108", "reclaim")


def test_a_token_in_a_file_on_any_branch_is_refused(repo: Repo) -> None:
    secret = "cgw1_" + "A" * 43
    repo.clone("builder").code("code", path="src/.env", text=f"CODIFICA_WRITER_TOKEN={secret}\n").push(
        "HEAD:topic"
    ).refused("ID108", "src/.env")


def test_a_word_that_only_begins_like_a_token_is_fine(repo: Repo) -> None:
    repo.clone("builder").code("code", text="prefix = 'cgw1_'\n").push().accepted()
