"""Who did it: Git's own signatures and the signed trailers, what each outlives and what each dies of."""

import pytest

from tests.building import Clone, NewRepo, Repo, at
from tests.building.times import seconds

# -- Git's own signature


def test_the_signature_of_git_is_enough(repo: Repo) -> None:
    repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve").push().accepted()


@pytest.mark.parametrize("kind", ["ecdsa", "rsa"])
def test_other_kinds_of_keys_count_as_well(repo: Repo, kind: str) -> None:
    repo.keys.private(f"carol-{kind}", kind)
    carol = repo.task("FEAT-1", "to_be_tested").signer("human:carol", f"carol-{kind}").clone("carol")
    carol.approve("FEAT-1").commit("FEAT-1: approve", key=f"carol-{kind}").push().accepted()
    carol.back("FEAT-1", reason="Not yet").commit(
        "FEAT-1: reopen", key=f"carol-{kind}", proof="trailers"
    ).push().accepted()


def test_a_signature_of_other_bytes_is_refused(repo: Repo) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve")
    raw = alice.git("cat-file", "commit", "HEAD") + "\n"
    alice.at(alice.object("commit", raw.replace("FEAT-1: approve", "FEAT-1: approved").encode())).push().refused(
        "ID101"
    )


def test_a_key_that_nobody_listed_is_refused_and_shown_to_a_maintainer(repo: Repo) -> None:
    carol = repo.task("FEAT-1", "to_be_tested").clone("carol").approve("FEAT-1").commit("FEAT-1: approve")
    carol.push().refused("ID102", "SHA256:", "key add", repo.keys.line("carol")[:40])


def test_code_with_a_key_that_nobody_listed_passes_with_a_warning(repo: Repo) -> None:
    repo.clone("carol").code(proof="git").push().accepted(warnings={"ID102"})


def test_a_key_for_another_namespace_is_not_taken(repo: Repo) -> None:
    repo.signer("human:carol", "carol", 'namespaces="file"').task("FEAT-1", "to_be_tested")
    repo.clone("carol").approve("FEAT-1").commit("FEAT-1: approve").push().refused({"ID102", "ID104", "ID101", "ID103"})


@pytest.mark.parametrize("kind", ["PGP SIGNATURE", "SIGNED MESSAGE"])
def test_other_kinds_of_signatures_are_no_identity(repo: Repo, kind: str) -> None:
    alice = repo.task("FEAT-1", "to_be_tested").clone("alice").approve("FEAT-1").commit("FEAT-1: approve", proof="none")
    armour = f"-----BEGIN {kind}-----\n \n iQEzBAABCAAdFiEE\n -----END {kind}-----"
    tree, parent = alice.head("HEAD^{tree}"), alice.head("HEAD^")
    alice.at(alice.raw_commit(tree=tree, parents=[parent], extra=[("gpgsig", armour)], message=b"FEAT-1: approve\n"))
    alice.push().refused({"ID101", "ID102", "ID106"}, "SSH")


def test_a_key_past_its_time_is_refused_also_on_a_back_dated_commit(repo: Repo) -> None:
    end = at(-60 * 24 * 30)[:10].replace("-", "")
    repo.signer("human:carol", "carol", f'namespaces="git,codifica-guard",valid-before="{end}"').task(
        "FEAT-1", "to_be_tested"
    )
    carol = repo.clone("carol").approve("FEAT-1").commit("FEAT-1: approve", when=-60 * 24 * 40)
    carol.push().refused("ID104", "human:carol")


def test_a_key_before_its_time_is_refused(repo: Repo) -> None:
    start = at(60 * 24 * 30)[:10].replace("-", "")
    repo.signer("human:carol", "carol", f'namespaces="git,codifica-guard",valid-after="{start}"').task(
        "FEAT-1", "to_be_tested"
    )
    repo.clone("carol").approve("FEAT-1").commit("FEAT-1: approve").push().refused("ID104")


def test_the_servers_clock_ends_a_keys_time(repo: Repo) -> None:
    end = at(60 * 24 * 2)[:10].replace("-", "")
    repo.signer("human:carol", "carol", f'namespaces="git,codifica-guard",valid-before="{end}"').task(
        "FEAT-1", "to_be_tested"
    ).task("FEAT-2", "to_be_tested")
    carol = repo.clone("carol").approve("FEAT-1").commit("FEAT-1: approve")
    carol.push().accepted()
    repo.clock(60 * 24 * 3)
    carol.approve("FEAT-2").commit("FEAT-2: approve").push().refused("ID104")


def test_a_revoked_key_moves_nothing(repo: Repo) -> None:
    bob = repo.task("FEAT-1", "to_be_tested").revoked("bob").clone("bob")
    bob.approve("FEAT-1").commit("FEAT-1: approve").push().refused("ID105", "human:bob")


def test_a_revoked_key_brings_not_even_code(repo: Repo) -> None:
    repo.revoked("bob").clone("bob").code(proof="git").push().refused("ID105")


def test_a_key_that_is_revoked_meanwhile_is_refused_on_an_old_base_too(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("bob")
    bob.approve("FEAT-1").commit("FEAT-1: approve")
    alice.write(".codifica/revoked_keys", f"{repo.keys.line('bob')}\n").commit("Revoke bob").push().accepted()
    bob.pull().push().refused("ID105")


def test_what_a_revoked_key_did_before_stands(repo: Repo) -> None:
    alice, bob = repo.task("FEAT-1", "to_be_tested").clone("alice"), repo.clone("bob")
    bob.approve("FEAT-1").commit("FEAT-1: approve").push().accepted()
    alice.pull().write(".codifica/revoked_keys", f"{repo.keys.line('bob')}\n").commit("Revoke bob").push().accepted()
    alice.code(path="src/later.py").push().accepted()


def test_a_key_of_two_principals_needs_a_name(repo: Repo) -> None:
    repo.signer("human:carol", "carol").signer("human:carla", "carol").task("FEAT-1", "to_be_tested").task(
        "FEAT-2", "to_be_tested"
    )
    carol = repo.clone("carol").approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    carol.push().accepted()
    carol.approve("FEAT-2").commit("FEAT-2: approve").push().refused("ID103", "human:carla")


def test_a_pattern_of_principals_is_understood(repo: Repo) -> None:
    builder = (
        repo.without_signer("agent:builder", "builder")
        .signer("agent:b*,!agent:bad", "builder")
        .task("FEAT-1")
        .clone("builder")
    )
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="trailers").push().accepted()


def test_where_all_has_to_be_signed_unsigned_code_is_refused(repo: Repo) -> None:
    builder = repo.policy(require_signatures="all").clone("builder")
    builder.code(proof="git").push().accepted()
    builder.code(path="src/b.py").push().refused("ID106")


def test_where_presence_is_asked_for_a_plain_key_approves_nothing(repo: Repo) -> None:
    alice = repo.policy(human_presence="hardware-key").task("FEAT-1", "to_be_tested").clone("alice")
    alice.approve("FEAT-1").commit("FEAT-1: approve").push().refused("ID111")


def test_where_presence_is_asked_for_agents_work_as_before(repo: Repo) -> None:
    repo.policy(human_presence="hardware-key").task("FEAT-1").clone("builder").claim("FEAT-1").commit(
        "FEAT-1: claim"
    ).push().accepted()


def test_where_only_trailers_prove_a_human_the_signature_of_git_does_not(repo: Repo) -> None:
    alice = (
        repo.policy(human_proof="trailer").task("FEAT-1", "to_be_tested").task("FEAT-2", "to_be_tested").clone("alice")
    )
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="trailers").push().accepted()
    alice.approve("FEAT-2").commit("FEAT-2: approve").push().refused({"ID112", "ID106"})


# -- the signed trailers: what they outlive


def moved(repo: Repo) -> None:
    """Let main move by an unrelated commit of somebody else's."""
    repo.clone("writer").fresh().code("unrelated", path="src/unrelated.py", proof="git").push().accepted()


def test_trailers_alone_are_enough(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="trailers")
    builder.push().accepted()


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
@pytest.mark.parametrize("way", ["rebase", "rebase --apply", "cherry-pick", "cherry-pick -x -s", "am"])
def test_trailers_outlive_every_rewrite_over_unrelated_changes(new_repo: NewRepo, way: str, object_format: str) -> None:
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


# -- what they die of


def test_trailers_die_of_a_change_of_the_same_task(repo: Repo) -> None:
    alice, builder = repo.task("FEAT-1", "to_be_tested", description="Text").clone("alice"), repo.clone("builder")
    alice.switch("mine").approve("FEAT-1").commit("FEAT-1: approve", proof="trailers")
    builder.note("FEAT-1", "One more thing").commit("FEAT-1: note").push().accepted()
    alice.fetch().git("rebase", "-q", "-X", "theirs", "origin/main")
    alice.push().refused("ID101", "look again")


def test_trailers_die_of_another_base_of_the_same_file(repo: Repo) -> None:
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
    alice.push().refused({"ID101", "CD407"})


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
def test_trailers_die_of_any_change_of_what_they_cover(repo: Repo, change: str) -> None:
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
def test_odd_trailers_are_refused(repo: Repo, lines: list[str]) -> None:
    builder = repo.clone("builder").write("src/x.py", "x = 1\n")
    builder.git("add", "-A")
    tree = builder.git("write-tree")
    message = "code\n\n" + "\n".join(lines) + "\n"
    builder.at(builder.raw_commit(tree=tree, message=message.encode())).push().refused("ID114")


def test_a_line_separator_forges_no_trailer(repo: Repo) -> None:
    bob = repo.task("FEAT-1", "to_be_tested").clone("bob")
    bob.edit("FEAT-1", state="done").commit(
        "FEAT-1: done\n\nReviewed-by: Bob\u2028Codifica-Actor: human:alice", proof="none"
    )
    bob.push().refused({"ID106", "ID114"})


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


def test_a_line_of_dashes_hides_no_trailers(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1")
    builder.git("add", "-A")
    lines = "".join(f"{name}: {value}\n" for name, value in builder.trailers("trailers"))
    builder.git("commit", "-q", "-m", f"FEAT-1: claim\n\n---\nA word below the line.\n\n{lines}")
    builder.push().accepted()


def test_trailers_above_the_last_paragraph_are_text(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1")
    builder.git("add", "-A")
    lines = "".join(f"{name}: {value}\n" for name, value in builder.trailers("trailers"))
    builder.git("commit", "-q", "-m", f"FEAT-1: claim\n\n{lines}\nAnd a last word.")
    builder.push().refused({"ID106", "ID114"})


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


# -- tokens of claims


def test_the_holder_of_the_token_goes_on(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="token").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", tokens=["token"]).hand_in("FEAT-1").commit(
        "FEAT-1: hand in", proof="trailers", tokens=["token"]
    ).push().accepted()


@pytest.mark.parametrize("tokens", [[], ["other"]])
def test_without_the_token_the_same_agent_does_not_go_on(repo: Repo, tokens: list[str]) -> None:
    builder = repo.task("FEAT-1", "in_progress", writer="token").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", tokens=tokens).push().refused("ID107", "FEAT-1", "session s-1")


def test_after_the_hand_in_the_owners_own_signature_is_enough(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested", writer="token").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note").push().accepted()


def test_notes_on_two_tasks_need_both_tokens(repo: Repo) -> None:
    builder = (
        repo.task("FEAT-1", "in_progress", writer="one").task("FEAT-2", "in_progress", writer="two").clone("builder")
    )
    builder.note("FEAT-1").note("FEAT-2").commit("FEAT-1 FEAT-2: notes", tokens=["one", "two"]).push().accepted()
    builder.note("FEAT-1").note("FEAT-2").commit("FEAT-1 FEAT-2: notes", tokens=["one"]).push().refused(
        "ID107", "FEAT-2"
    )


def test_people_need_no_token(repo: Repo) -> None:
    repo.task("FEAT-1", "in_progress", writer="token").clone("alice").block("FEAT-1").commit(
        "FEAT-1: block"
    ).push().accepted()


def test_times_of_commits_do_not_matter_to_tokens(repo: Repo) -> None:
    assert seconds(-1) < seconds()
    builder = repo.task("FEAT-1", "in_progress", writer="token").clone("builder")
    builder.note("FEAT-1").commit("FEAT-1: note", tokens=["token"], when=-60 * 24 * 400).push().accepted()
