"""Refs, branches and objects: what a push may move, and what it may bring."""

import json

import pytest

from tests.building import Clone, NewRepo, Repo
from tests.building.repo import as_json
from tests.building.times import seconds


def test_a_protected_branch_is_not_rewound(repo: Repo) -> None:
    builder = repo.clone("builder").code("one")
    builder.push().accepted()
    builder.git("reset", "-q", "--hard", "HEAD^")
    builder.code("other", path="src/other.py").push("+HEAD:main").refused("GT101", "main")


def test_a_protected_branch_is_not_set_back_to_an_ancestor(repo: Repo) -> None:
    builder = repo.clone("builder").code("one")
    builder.push().accepted()
    builder.git("reset", "-q", "--hard", "HEAD^")
    builder.push("+HEAD:main").refused("GT101")


def test_not_even_a_maintainer_rewinds(repo: Repo) -> None:
    alice = repo.clone("alice").code("one", proof="git")
    alice.push().accepted()
    alice.git("commit", "-q", "--amend", "-S", "-m", "one, better")
    alice.push("+HEAD:main").refused("GT101")


def test_a_free_branch_is_rewound_as_people_like(repo: Repo) -> None:
    builder = repo.clone("builder").code("one")
    builder.push("HEAD:topic").accepted()
    builder.git("commit", "-q", "--amend", "-m", "one, better")
    builder.push("+HEAD:topic").accepted()


def test_case_02_a_protected_branch_is_not_deleted(repo: Repo) -> None:
    repo.clone("alice").push(":main").refused("GT102", "main")


def test_case_02_a_free_branch_is_deleted(repo: Repo) -> None:
    builder = repo.clone("builder").code("one")
    builder.push("HEAD:topic").accepted()
    builder.push(":topic").accepted()


def test_case_02_a_deletion_beside_a_good_ref_is_refused_with_it(repo: Repo) -> None:
    builder = repo.clone("builder").code("one")
    builder.push("HEAD:topic", ":main").refused("GT102")


@pytest.mark.parametrize("ref", ["refs/codifica/receipts", "refs/codifica/x/y", "refs/replace/" + "a" * 40])
def test_the_servers_own_refs_are_not_written_by_a_push(repo: Repo, ref: str) -> None:
    repo.clone("alice").code("one", proof="git").push(f"HEAD:{ref}").refused("GT103")


HIDING = [
    "refs/heads/refs/heads/main",
    "refs/tags/refs/heads/main",
    "refs/heads/HEAD",
    "refs/tags/HEAD",
    "refs/heads/-x",
]


@pytest.mark.parametrize("ref", HIDING)
@pytest.mark.parametrize("who", ["alice", "builder"])
def test_a_ref_that_hides_another_is_not_made(repo: Repo, who: str, ref: str) -> None:
    clone = repo.clone(who)
    clone.push(f"HEAD:{ref}").refused("GT103", ref)
    clone.code("one", proof="git").push().accepted()


@pytest.mark.parametrize("ref", HIDING)
def test_a_ref_that_hides_another_and_is_there_is_not_moved_and_anybody_deletes_it(repo: Repo, ref: str) -> None:
    builder = repo.clone("builder")
    repo.on_server("update-ref", ref, builder.head())
    builder.code("one", proof="git")
    builder.push(f"+HEAD:{ref}").refused("GT103", f"git push origin :{ref}")
    builder.push(f":{ref}").accepted()
    builder.push().accepted()


def test_a_tag_of_a_file_does_not_hide_a_branch_either(repo: Repo) -> None:
    builder = repo.clone("builder")
    file = builder.git("rev-parse", "HEAD:work.md")
    builder.push(f"{file}:refs/tags/refs/heads/main").refused("GT103")


def test_the_way_that_a_refused_name_tells_works(repo: Repo) -> None:
    builder = repo.clone("builder").code("one")
    builder.git("update-ref", "refs/heads/refs/heads/main", builder.head())
    builder.push("refs/heads/refs/heads/main:refs/heads/refs/heads/main").refused(
        "GT103", "git branch -m -- refs/heads/main NAME && git push origin refs/heads/NAME"
    )
    builder.git("branch", "-m", "--", "refs/heads/main", "other")
    builder.push("refs/heads/other:refs/heads/other").accepted()


def test_a_verb_says_what_is_in_its_way_on_the_server(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    repo.on_server("update-ref", "refs/heads/refs/heads/main", builder.head())
    done = builder.guard("claim", "FEAT-1")
    assert done.code == 3
    assert "is not reached" not in done.said
    assert "origin has another ref whose name ends in refs/heads/main" in done.said
    assert "git push origin :refs/heads/refs/heads/main" in done.said
    builder.push(":refs/heads/refs/heads/main").accepted()
    assert builder.guard("claim", "FEAT-1").code == 0


def test_a_tag_and_other_refs_are_anybodys(repo: Repo) -> None:
    builder = repo.clone("builder").code("one")
    builder.git("tag", "-a", "-m", "First", "v1")
    builder.push("refs/tags/v1:refs/tags/v1", "HEAD:refs/notes/mine").accepted()


def test_all_branches_at_once_are_accepted(repo: Repo) -> None:
    builder = repo.clone("builder").code("one")
    builder.git("branch", "topic")
    builder.push_as(
        "--all", "origin", wanted={"refs/heads/main": builder.head(), "refs/heads/topic": builder.head()}
    ).accepted()


def test_case_02_a_branch_born_from_main_is_judged_by_what_is_new_in_it(repo: Repo) -> None:
    builder = repo.policy(protected_branches=["main", "release/*"]).task("FEAT-1", "done").clone("builder")
    builder.code("fix").push("HEAD:release/1").accepted()


def test_case_02_a_protected_branch_born_with_an_illegal_commit_is_refused(repo: Repo) -> None:
    builder = repo.policy(protected_branches=["main", "release/*"]).task("FEAT-1", "to_be_tested").clone("builder")
    builder.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none").push("HEAD:release/1").refused("ID106")


def test_case_03_state_is_changed_on_the_coordination_branch_only(repo: Repo) -> None:
    builder = repo.policy(protected_branches=["main", "release/*"]).task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push("HEAD:release/1").refused("GT105", "main")


def test_state_that_main_has_already_goes_to_other_branches(repo: Repo) -> None:
    builder = repo.policy(protected_branches=["main", "release/*"]).task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.push("HEAD:release/1").accepted()


def test_state_that_goes_to_main_and_to_a_release_at_once_is_told_to_go_to_main_first(repo: Repo) -> None:
    builder = repo.policy(protected_branches=["main", "release/*"]).task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push("HEAD:main", "HEAD:release/1").refused("GT105", "main first")


def test_a_new_history_does_not_take_the_place_of_the_old(repo: Repo) -> None:
    alice = repo.clone("alice")
    alice.git("checkout", "-q", "--orphan", "fresh")
    alice.commit("All new").push("+HEAD:main").refused({"GT104", "GT101", "ID110"})


@pytest.mark.guard
def test_a_branch_that_is_born_again_descends_from_the_introduction(repo: Repo) -> None:
    alice = repo.clone("alice").code("one", proof="git")
    alice.push().accepted()  # the introduction is pinned now
    old = repo.tip()
    repo.on_server("update-ref", "-d", "refs/heads/main")
    alice.git("checkout", "-q", "--orphan", "fresh")
    alice.commit("All new").push("HEAD:main").refused({"GT104", "ID110"})
    alice.push(f"{old}:main").accepted()


def test_a_merge_of_a_branch_from_before_the_introduction_is_welcome(repo: Repo) -> None:
    builder = repo.clone("builder")
    builder.switch("old", "HEAD^").code("old work", path="src/old.py").checkout("main").merge("old").push().accepted()


@pytest.mark.parametrize("first", ["good", "bad"])
def test_case_01_one_illegal_ref_refuses_the_whole_push_in_either_order(repo: Repo, first: str) -> None:
    builder = (
        repo.policy(protected_branches=["main", "stable"]).task("FEAT-1", "to_be_tested").clone("builder").code("one")
    )
    good = builder.head()
    builder.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none")
    names = ["main", "stable"] if first == "bad" else ["stable", "main"]
    specs = [f"HEAD:{names[0]}", f"{good}:{names[1]}"]
    builder.push(*specs).refused({"ID106", "GT105"})


def many_branches(clone: Clone, count: int) -> None:
    """Give a clone many branches at its head, packed: a file each would take seconds."""
    tip = clone.head()
    rows = (f"{tip} refs/heads/many/{number:05}\n" for number in range(count))
    packed = clone.folder / ".git" / "packed-refs"
    before = packed.read_text() if packed.exists() else "# pack-refs with: peeled fully-peeled sorted \n"
    head, *refs = before.splitlines(keepends=True)
    packed.write_text(head + "".join(sorted([*refs, *rows], key=lambda row: row.split(" ", 1)[1])))


def test_case_01_the_last_of_five_thousand_refs_is_judged(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder").code("one")
    many_branches(builder, 5000)
    builder.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none")
    wanted = {"refs/heads/zzz": builder.head(), "refs/heads/main": builder.head()}
    builder.push_as(
        str(repo.bare), "refs/heads/many/*:refs/heads/many/*", "HEAD:refs/heads/zzz", "HEAD:main", wanted=wanted
    ).refused("ID106")


def test_case_01_many_good_refs_are_accepted(repo: Repo) -> None:
    builder = repo.clone("builder").code("one")
    many_branches(builder, 500)
    wanted = {"refs/heads/main": builder.head(), "refs/heads/many/00499": builder.head()}
    builder.push_as(str(repo.bare), "refs/heads/many/*:refs/heads/many/*", "HEAD:main", wanted=wanted).accepted()


def test_case_48_a_symbolic_ref_that_means_main_is_main(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    repo.on_server("symbolic-ref", "refs/heads/alias", "refs/heads/main")
    builder.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none")
    builder.push_as(
        "origin", "HEAD:alias", wanted={"refs/heads/main": builder.head(), "refs/heads/alias": builder.head()}
    ).refused("ID106")


def test_case_48_two_branches_with_two_policies_in_one_push_are_judged_each_by_its_own(repo: Repo) -> None:
    repo.policy(protected_branches=["main", "strict"], writer_tokens="optional").task("FEAT-1", "in_progress")
    alice, builder = repo.clone("alice"), repo.clone("builder")
    alice.switch("strict").write_all(
        {
            ".codifica/guard.json": repo.trust_files(require_signatures="all", protected_branches=["main", "strict"])[
                ".codifica/guard.json"
            ]
        }
    )
    alice.commit("Strict here").push("HEAD:strict").accepted(perhaps={"GT105"})
    builder.code("loose")
    loose = builder.head()
    builder.fetch().git("checkout", "-q", "-b", "strict", "origin/strict")
    builder.code("loose too", path="src/b.py").push(f"{loose}:main", "HEAD:strict").refused("ID106")


# -- the side doors


def test_case_03_an_illegal_commit_parked_on_a_free_branch_does_not_come_to_main(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none").push("HEAD:topic").accepted()
    builder.push("HEAD:main").refused("ID106")


def test_case_03_an_illegal_commit_parked_on_a_free_branch_is_not_merged_to_main(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder").switch("topic")
    builder.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none").push("HEAD:topic").accepted()
    builder.checkout("main").merge("topic").push("HEAD:main").refused("ID106")


def test_case_03_what_another_protected_branch_let_in_is_judged_again_for_main(repo: Repo) -> None:
    scope = {"mode": "strict", "file_scope": {"include": ["src/**"]}}
    repo.policy(protected_branches=["main", "loose"]).settings(rules=scope)
    alice, builder = repo.clone("alice"), repo.clone("builder")
    settings = json.loads(alice.read("codifica.json"))
    alice.switch("loose").write("codifica.json", as_json({**settings, "rules": "strict"})).commit("No scope here").push(
        "HEAD:loose"
    ).accepted()
    builder.fetch().switch("loose", "origin/loose").code("outside", path="README.md").push("HEAD:loose").accepted()
    alice.checkout("main").code("main moves", path="src/moved.py").push().accepted()
    builder.fetch().switch("mine", "origin/main").merge("loose").push("HEAD:main").refused("CD407", "README.md")


# -- objects, byte by byte


@pytest.mark.parametrize(
    "doubled",
    ["tree", "author", "committer", "gpgsig"],
)
def test_case_09_a_commit_with_a_header_twice_is_refused_from_its_raw_bytes(repo: Repo, doubled: str) -> None:
    builder = repo.without_fsck().task("FEAT-1").clone("builder").code("base")
    tree, person = builder.head("HEAD^{tree}"), f"Builder <builder@example.org> {seconds()} +0000"
    rows = [
        ("tree", tree),
        ("parent", builder.head()),
        ("author", person),
        ("committer", person),
        ("gpgsig", "-----BEGIN SSH SIGNATURE-----\n AAAA\n -----END SSH SIGNATURE-----"),
    ]
    place = [name for name, _ in rows].index(doubled)
    rows.insert(place, rows[place])
    if doubled != "gpgsig":
        rows.pop()
    push = builder.at(builder.raw_commit(headers=rows)).push("+HEAD:main")
    push.refused({"GT106"} if doubled != "tree" else {"GT106", "GT101"})


def test_case_09_a_message_with_a_nul_is_refused(repo: Repo) -> None:
    builder = repo.without_fsck().clone("builder")
    builder.at(builder.raw_commit(message=b"code\0Codifica-Actor: human:alice\n")).push().refused("GT106")


@pytest.mark.parametrize("time", ["99999999999999999999 +0000", "1764500000 +9999999", "-5 +0000", "yesterday"])
def test_case_09_an_impossible_time_is_refused(repo: Repo, time: str) -> None:
    builder = repo.without_fsck().clone("builder")
    person = f"Builder <builder@example.org> {time}"
    rows = [
        ("tree", builder.head("HEAD^{tree}")),
        ("parent", builder.head()),
        ("author", person),
        ("committer", person),
    ]
    builder.at(builder.raw_commit(headers=rows)).push().refused("GT106")


def test_case_09_broken_times_in_old_history_are_nobodys_fault(repo: Repo) -> None:
    alice = repo.without_fsck().not_introduced().clone("alice")
    person = "Alice <alice@example.org> 1234567890 +051800"
    rows = [("tree", alice.head("HEAD^{tree}")), ("parent", alice.head()), ("author", person), ("committer", person)]
    alice.at(alice.raw_commit(headers=rows)).push().accepted(silent=True)
    alice.write_all(repo.trust_files()).commit("Introduce the guard").push().accepted()
    repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_case_09_a_tree_with_two_entries_of_one_name_is_refused(repo: Repo) -> None:
    builder = repo.without_fsck().task("FEAT-1", "to_be_tested").clone("builder")
    forged = builder.git(
        "hash-object", "-w", "--stdin", data=builder.read().replace("state: to_be_tested", "state: done", 1).encode()
    )
    entries = [row.split("\t") for row in builder.git("ls-tree", "HEAD").split("\n")]
    raw = b""
    for meta, name in entries:
        mode, _, oid = meta.split(" ")
        raw += mode.lstrip("0").encode() + b" " + name.encode() + b"\0" + bytes.fromhex(oid)
        if name == "work.md":
            raw += b"100644 work.md\0" + bytes.fromhex(forged)
    tree = builder.object("tree", raw)
    builder.at(builder.raw_commit(tree=tree)).push().refused("GT106")


def test_case_11_a_path_with_a_newline_in_place_of_a_document_is_refused(repo: Repo) -> None:
    builder = repo.settings(state="work/*.md").task("FEAT-1", document="work/a.md").clone("builder")
    builder.code("odd", path="work/a\nb.md", text="# Odd\n").push().refused({"ST106", "ID106"})


def test_odd_paths_of_code_are_fine(repo: Repo) -> None:
    builder = repo.clone("builder")
    for name in ("src/new\nline.py", 'src/"quoted".py', "src/back\\slash.py", "src/" + "d" * 200 + "/" + "f" * 200):
        builder.write(name, "x = 1\n")
    builder.commit("odd", proof="none").push().accepted()


def test_old_and_future_dates_of_code_are_fine(repo: Repo) -> None:
    builder = repo.clone("builder").write("src/a.py", "a = 1\n").commit("old", proof="none", when=-60 * 24 * 3650)
    builder.write("src/a.py", "a = 2\n").commit("new", proof="none", when=60 * 24).push().accepted()


@pytest.mark.parametrize("way", ["replace", "grafts", "shallow"])
def test_case_10_what_the_server_makes_of_history_does_not_change_the_verdict(repo: Repo, way: str) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none")
    bad = builder.head()
    builder.code("code", path="src/b.py")
    tip = builder.head()
    if way == "replace":
        builder.push(f"{bad}:refs/heads/parked").accepted()
        repo.on_server("replace", bad, repo.tip())
    elif way == "grafts":
        (repo.bare / "info").mkdir(exist_ok=True)
        (repo.bare / "info" / "grafts").write_text(f"{tip} {repo.tip()}\n")
    else:
        builder.push(f"{tip}:refs/heads/parked").accepted()
        (repo.bare / "shallow").write_text(f"{tip}\n")
    push = builder.push()
    if push.guarded:
        push.refused("ID106")


def test_a_push_from_a_shallow_clone_that_brings_all_parents_is_accepted(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.git("fetch", "-q", "--depth=1", f"file://{repo.bare}", "main")
    builder.git("checkout", "-q", "-B", "main", "FETCH_HEAD")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_case_16_everything_packed_on_the_server_is_read(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    repo.on_server("pack-refs", "--all")
    repo.on_server("repack", "-a", "-d", "-q", "-b")
    repo.on_server("commit-graph", "write", "--reachable")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_case_16_a_server_whose_objects_lie_elsewhere_is_read(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    repo.on_server("repack", "-a", "-d", "-q")
    pool = repo.root / "pool" / "objects" / "pack"
    pool.mkdir(parents=True)
    for path in (repo.bare / "objects" / "pack").glob("pack-*"):
        path.rename(pool / path.name)
    (repo.bare / "objects" / "info").mkdir(exist_ok=True)
    (repo.bare / "objects" / "info" / "alternates").write_text("../../pool/objects\n")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_a_server_at_an_odd_path_is_read(new_repo: NewRepo) -> None:
    repo: Repo = new_repo(name='we:ird "shöp".git')
    builder = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("builder")
    builder.claim("FEAT-2").commit("FEAT-2: claim").push().accepted()
    builder.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none").push().refused("ID106")


def test_sizes_and_words_in_the_servers_settings_are_understood(repo: Repo) -> None:
    repo.server(
        core_bigFileThreshold="50m",
        core_packedGitLimit="1g",
        core_logAllRefUpdates="on",
        receive_unpackLimit="1",
        core_commitGraph="yes",
        core_multiPackIndex="no",
    )
    repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_case_16_a_tasks_whole_life_in_either_object_format(new_repo: NewRepo, object_format: str) -> None:
    repo: Repo = new_repo(object_format=object_format)
    builder, alice = repo.task("FEAT-1").clone("builder"), repo.clone("alice")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.code("FEAT-1: login").note("FEAT-1").commit("FEAT-1: note", proof="trailers").push().accepted()
    builder.hand_in("FEAT-1").commit("FEAT-1: hand in").push().accepted()
    alice.pull().approve("FEAT-1").commit("FEAT-1: approve").push().accepted()


def test_case_16_an_unsigned_transition_in_a_sha256_repository_is_refused(new_repo: NewRepo) -> None:
    repo: Repo = new_repo(object_format="sha256")
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    builder.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none").push().refused("ID106")


def test_case_48_two_protected_branches_with_policies_of_their_own_are_judged_each_by_its_own(repo: Repo) -> None:
    repo.policy(protected_branches=["main", "release/*"]).rules(file_scope={"include": ["src/**"]})
    alice = repo.clone("alice")
    alice.push("HEAD:refs/heads/release/1").accepted()
    config = json.loads((alice.folder / "codifica.json").read_text())
    config["rules"]["file_scope"]["include"].append("docs/**")
    alice.write("codifica.json", json.dumps(config)).commit("More scope")
    alice.push().accepted()
    builder = repo.clone("builder").fresh()
    builder.code(path="docs/a.md")
    builder.git("branch", "-q", "wide")
    builder.git("checkout", "-q", "-B", "narrow", "origin/release/1")
    builder.code(path="docs/b.md")
    push = builder.push("wide:refs/heads/main", "narrow:refs/heads/release/1")
    push.refused("CD407", "docs/b.md")
    builder.push("wide:refs/heads/main").accepted()
