"""What may become of documents, ids, files and keys, by real pushes: each refusal beside the nearest push that passes."""

import sys
from collections.abc import Callable

import pytest

from tests.building import Clone, Repo, at
from tests.building.board import Board
from tests.building.machine import run
from tests.building.tasks import block, note, task

Act = Callable[[Clone], object]


# -- 33: a document written from memory


def _memory(board: Board) -> None:
    board.take("FEAT-2")


def _shorter(board: Board) -> None:
    board.change("FEAT-1", {"execution_notes": board.fields("FEAT-1")["execution_notes"][1:]})


def _reworded(board: Board) -> None:
    rows = board.fields("FEAT-1")["execution_notes"]
    board.change("FEAT-1", {"execution_notes": [{**rows[0], "note": "Short"}, *rows[1:]]})


def _reordered(board: Board) -> None:
    board.add(board.take("FEAT-2"))


def _fields(board: Board) -> None:
    fields = board.fields("FEAT-1")
    board.put("FEAT-1", block({"id": fields.pop("id"), **dict(reversed(fields.items()))}))


@pytest.mark.parametrize(
    ("rewrite", "code"),
    [(_memory, "CD409"), (_shorter, "CD208"), (_reworded, "CD208"), (_reordered, "CD405"), (_fields, "CD405")],
    ids=["a task lost", "a note lost", "a note shortened", "tasks in another order", "fields in another order"],
)
def test_case_33_what_is_written_from_memory_is_held_against_what_was_there(
    repo: Repo, rewrite: Callable[[Board], None], code: str
) -> None:
    past = [note("agent:builder", text, when=at(when)) for text, when in (("A long story", -120), ("Then more", -110))]
    repo.task("FEAT-1", "in_progress", execution_notes=past).task("FEAT-2").task("FEAT-3")
    builder = repo.clone("builder").note("FEAT-1", "The third")
    builder.rewrite(rewrite).commit("FEAT-1: note").push().refused(code)
    builder.fresh().note("FEAT-1", "The third").commit("FEAT-1: note").push().accepted()


# -- 34: ids


@pytest.mark.parametrize("way", ["in one commit", "in two commits", "in two commits of one merge"])
@pytest.mark.parametrize(("who", "code"), [("builder", "CD409"), ("alice", "CD105")])
def test_case_34_a_task_that_began_is_not_deleted_and_added_again_as_new(
    repo: Repo, who: str, code: str, way: str
) -> None:
    clone = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone(who)
    if way == "in two commits of one merge":
        clone.switch("side")
    clone.drop("FEAT-1")
    if way != "in one commit":
        clone.commit("FEAT-1: away")
    clone.add("FEAT-1").commit("FEAT-1: new")
    if way == "in two commits of one merge":
        clone.checkout("main").merge("side")
    codes = {code} if way != "in one commit" else {"CD201", "CD202", "CD208", "CD203"}
    clone.push("HEAD:main").refused(codes, "FEAT-1")


def test_case_34_another_task_takes_an_id_of_its_own(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("builder")
    builder.add("FEAT-3").commit("FEAT-3: new").push().accepted()


@pytest.mark.parametrize(("who", "code"), [("builder", "CD409"), ("alice", "CD105")])
def test_case_34_a_task_that_began_keeps_its_id(repo: Repo, who: str, code: str) -> None:
    clone = repo.task("FEAT-1", "in_progress").clone(who)
    clone.replace("- id: FEAT-1", "- id: FEAT-100").commit("FEAT-100: was FEAT-1").push().refused(code, "FEAT-1")


@pytest.mark.parametrize(("there", "new"), [("101", '"101"'), ('"101"', "101"), ("101", "'101'")])
def test_case_34_quotes_make_no_other_id(repo: Repo, there: str, new: str) -> None:
    repo.document("work.md", f"# Work\n\n```yaml\n{block(task('101')).replace('id: 101', f'id: {there}', 1)}```\n")
    alice = repo.clone("alice")
    alice.rewrite(lambda board: board.add(block(task("101")).replace("id: 101", f"id: {new}", 1)))
    alice.commit("101: new").push().refused("CD104", "101")
    alice.fresh().add("102").commit("102: new").push().accepted()


def test_case_34_only_quotes_around_an_id_are_changed_by_a_human_and_by_no_agent(repo: Repo) -> None:
    builder, alice = repo.task("101", "in_progress").clone("builder"), repo.clone("alice")
    builder.replace("- id: 101", '- id: "101"').commit("101: quotes").push().refused("CD405")
    alice.replace("- id: 101", '- id: "101"').commit("101: quotes").push().accepted()


@pytest.mark.parametrize("ident", ["feat-1", "Feat-1", "FEAT-1"])
@pytest.mark.parametrize("who", ["alice", "builder"])
def test_case_34_an_id_that_reads_like_another_is_refused(repo: Repo, ident: str, who: str) -> None:
    clone = repo.task("FEAT-1").clone(who)
    clone.rewrite(lambda board: board.add(block(task(ident, title="Another"))))
    clone.commit(f"{ident}: new").push().refused("CD104" if ident == "FEAT-1" else "CD103", "FEAT-1")
    clone.fresh().add("FEAT-10").commit("FEAT-10: new").push().accepted()


# -- 35: files and artifacts


@pytest.mark.parametrize(
    ("old", "new"),
    [("src/app.py", "app.py"), ("README.md", "src/README.md"), ("src/app.py", "src/secret/app.py")],
    ids=["out", "in", "into what is excluded"],
)
@pytest.mark.parametrize("proof", ["git", "none"])
def test_case_35_a_rename_over_the_border_of_the_scope_is_refused_and_within_it_is_not(
    repo: Repo, old: str, new: str, proof: str
) -> None:
    repo.rules(file_scope={"include": ["src/**"], "exclude": ["src/secret/**"]}).task("FEAT-1", "in_progress")
    builder, alice = repo.clone("builder"), repo.clone("alice")
    (builder.folder / new).parent.mkdir(exist_ok=True)
    builder.git("mv", old, new)
    outside = old if old == "README.md" else new
    builder.commit("FEAT-1: move", proof=proof).push().refused("CD407", outside)  # type: ignore[arg-type]
    builder.fresh().git("mv", "src/app.py", "src/shop.py")
    builder.commit("FEAT-1: move", proof=proof).push().accepted()  # type: ignore[arg-type]
    alice.fresh().git("mv", "README.md", "src/README.md")
    alice.commit("FEAT-1: move").push().accepted()


@pytest.mark.parametrize("target", ["to_be_tested", "done"])
def test_case_35_an_artifact_that_is_nowhere_warns_when_its_task_is_done(repo: Repo, target: str) -> None:
    artifact = [{"path": "src/gone.py", "type": "code"}]
    repo.task("FEAT-1", "in_progress", type="test", artifacts=artifact)
    builder = repo.clone("builder").hand_in("FEAT-1", target=target).commit("FEAT-1: hand in")
    if target == "done":
        builder.push().accepted("src/gone.py", warnings={"CD413"})
    else:
        builder.push().accepted()


@pytest.mark.parametrize("place", ["in the tree", "on the branch that was handed in"])
def test_case_35_an_artifact_that_is_somewhere_is_fine(repo: Repo, place: str) -> None:
    repo.task("FEAT-1", "to_be_tested", artifacts=[{"path": "src/page.py", "type": "code"}])
    builder, alice = repo.clone("builder"), repo.clone("alice")
    builder.code("FEAT-1: page", path="src/page.py", proof="git")
    builder.push("HEAD:main" if place == "in the tree" else "HEAD:build/FEAT-1-page").accepted()
    alice.fresh()
    entry = {"from": "to_be_tested", "to": "done", "by": "human:alice", "reason": "Looks good", "timestamp": at()}
    if place != "in the tree":
        entry |= {"provenance": {"commit_sha": builder.head()}}  # type: ignore[dict-item]
    alice.approve("FEAT-1", without={"entry"}).append("FEAT-1", "state_transitions", entry)
    alice.commit("FEAT-1: approve").push().accepted()


# -- 36: a human without any key


@pytest.mark.parametrize("path", ["src/page.py", "src/deep/er/page.py"])
def test_case_36_a_human_without_a_key_brings_code_within_the_scope(repo: Repo, path: str) -> None:
    repo.rules(file_scope={"include": ["src/**"]}).task("FEAT-1")
    repo.clone("stranger").code("A page", path=path).push().accepted(silent=True)


def test_case_36_outside_the_scope_he_is_told_how_to_sign(repo: Repo) -> None:
    repo.rules(file_scope={"include": ["src/**"]}).task("FEAT-1")
    repo.clone("stranger").code("A word", path="README.md").push().refused(
        "CD407", "README.md", "src/**", "git config gpg.format ssh", "git commit --amend -S --no-edit --reset-author"
    )


@pytest.mark.parametrize(
    "act",
    [
        lambda clone: clone.edit("FEAT-1", priority="low"),
        lambda clone: clone.edit("FEAT-1", state="in_progress", owner="human:stranger"),
        lambda clone: clone.add("FEAT-9"),
        lambda clone: clone.drop("FEAT-1"),
        lambda clone: clone.replace("The tasks of the shop.", "Tasks."),
    ],
    ids=["a word", "a claim", "a new task", "a task gone", "the prose"],
)
def test_case_36_a_task_he_does_not_touch_unsigned_and_is_told_how_to_sign(repo: Repo, act: Act) -> None:
    stranger = repo.task("FEAT-1").task("FEAT-2").clone("stranger")
    act(stranger)
    stranger.commit("FEAT-1 FEAT-9: change", proof="none").push().refused(
        "ID106",
        "git config gpg.format ssh",
        "git config user.signingkey ~/.ssh/id_ed25519.pub",
        "git commit --amend -S --no-edit --reset-author",
    )


# -- 37: keys whose time is over


@pytest.mark.parametrize("when", [0.0, -60 * 24 * 400], ids=["dated now", "dated back"])
@pytest.mark.parametrize("proof", ["git", "trailers", "both"])
def test_case_37_a_key_past_its_time_decides_nothing_whatever_the_date(repo: Repo, when: float, proof: str) -> None:
    end = at(-60 * 24 * 30)[:10].replace("-", "")
    repo.signer("human:carol", "carol", f'namespaces="git,codifica-guard",valid-before="{end}"')
    carol = repo.task("FEAT-1", "to_be_tested").clone("carol").approve("FEAT-1")
    carol.commit("FEAT-1: approve", when=when, proof=proof).push().refused("ID104", "human:carol")  # type: ignore[arg-type]


def test_case_37_a_key_before_the_end_of_its_time_decides(repo: Repo) -> None:
    end = at(60 * 24 * 30)[:10].replace("-", "")
    repo.signer("human:carol", "carol", f'namespaces="git,codifica-guard",valid-before="{end}"')
    carol = repo.task("FEAT-1", "to_be_tested").clone("carol").approve("FEAT-1").commit("FEAT-1: approve")
    carol.push().accepted()


@pytest.mark.parametrize("way", ["merge", "main as the second parent", "rebase"])
@pytest.mark.parametrize("proof", ["git", "trailers"])
def test_case_37_a_revoked_key_on_an_old_base_is_refused(repo: Repo, way: str, proof: str) -> None:
    alice, bob = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("alice"), repo.clone("bob")
    bob.switch("mine").approve("FEAT-1").commit("FEAT-1: approve", proof=proof)  # type: ignore[arg-type]
    alice.write(".codifica/revoked_keys", f"{repo.keys.line('bob')}\n").commit("Revoke bob").push().accepted()
    bob.fetch()
    if way == "merge":
        bob.checkout("origin/main").merge("mine")
    elif way == "rebase":
        bob.git("rebase", "-q", *(["-S"] if proof == "git" else []), "origin/main")
    else:
        bob.merge("origin/main")
    bob.push("HEAD:main").refused("ID105", "human:bob")
    alice.approve("FEAT-1").commit("FEAT-1: approve").push().accepted()


# -- 38: nothing to guard


@pytest.mark.parametrize("way", ["never a protocol", "no policy yet"])
def test_case_38_a_push_to_a_repository_without_the_protocol_is_silent_and_accepted(repo: Repo, way: str) -> None:
    if way == "never a protocol":
        repo.without_protocol()
    else:
        repo.not_introduced().file("codifica.json", None)
    stranger = repo.clone("stranger").code("code", path="anything/at/all")
    stranger.git("tag", "v1")
    stranger.push("HEAD:main", "HEAD:topic", "refs/tags/v1:refs/tags/v1").accepted(silent=True)
    stranger.push(":topic").accepted(silent=True)
    stranger.git("commit", "-q", "--amend", "-m", "better")
    stranger.push("+HEAD:main").accepted(silent=True)


LOOK = """
import sys
from codifica_guard.hooks.server import main
code = main(["pre-receive"])
heavy = ("ruamel", "cryptography", "pydantic", "wcmatch", "codifica_guard.engine", "codifica_guard.packs", "codifica_guard.policy")
print(code, [name for name in sys.modules if name.startswith(heavy)])
"""


@pytest.mark.guard
def test_case_38_where_there_is_nothing_to_guard_nothing_is_loaded_to_guard_it(repo: Repo) -> None:
    tip = repo.without_protocol().found().tip()
    row = f"{tip} {tip} refs/heads/main\n{'0' * 40} {tip} refs/heads/x\n".encode()
    argv = [sys.executable, "-I", "-c", LOOK]
    done = run(argv, cwd=repo.bare, home=repo.root, data=row, env={"GIT_DIR": "."})
    assert done.said.split("\n", 1)[0] == "0 []"
