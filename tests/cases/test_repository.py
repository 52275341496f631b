"""How a repository is pushed to, committed to and stored; nothing of it moves the verdict."""

from collections.abc import Callable

import pytest

from tests.building import Clone, NewRepo, Repo


def illegal(clone: Clone) -> Clone:
    """Commit an approval that nobody signed."""
    return clone.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none")


# -- 14: what the pusher sets


@pytest.mark.parametrize(
    "env",
    [
        {"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "codifica.introduction", "GIT_CONFIG_VALUE_0": "0" * 40},
        {"GIT_CONFIG_PARAMETERS": "'codifica.coordination=other'"},
        {"GIT_CONFIG_GLOBAL": "/dev/null", "GIT_CONFIG_SYSTEM": "/dev/null"},
        {"HOME": "/nonexistent", "XDG_CONFIG_HOME": "/nonexistent"},
        {"PYTHONPATH": "/nonexistent", "PYTHONHOME": "/nonexistent", "PYTHONSTARTUP": "/dev/full"},
        {"LC_ALL": "tr_TR.UTF-8", "PYTHONIOENCODING": "utf-16", "PYTHONUTF8": "0"},
    ],
    ids=["config", "parameters", "config files", "home", "python", "words"],
)
def test_case_14_no_variable_of_the_pusher_stops_what_is_legal(repo: Repo, env: dict[str, str]) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim")
    builder.push(env=env, options=["-o", "ci.skip"]).accepted()


# -- 15: ways to commit


def commit_all(clone: Clone) -> None:
    """`commit -a`: what is staged and what is not."""
    clone.claim("FEAT-1").git("commit", "-q", "-a", "-m", "FEAT-1: claim")


def commit_only(clone: Clone) -> None:
    """`commit --only`: one file, while another is staged."""
    clone.claim("FEAT-1").write("src/app.py", "print('not yet')\n").git("add", "src/app.py")
    clone.git("commit", "-q", "-m", "FEAT-1: claim", "--only", "work.md")


def commit_patch(clone: Clone) -> None:
    """`commit -p`: the first part of a file, while a later one that no agent may change stays behind."""
    clone.claim("FEAT-1").replace("Prose that belongs to no task.", "Prose of mine.")
    clone.git("commit", "-q", "-p", "-m", "FEAT-1: claim", data=b"y\nn\n")
    assert "Prose of mine" in clone.read()


def commit_patch_of_index(clone: Clone) -> None:
    """`add -p` and then a plain commit."""
    clone.claim("FEAT-1").replace("Prose that belongs to no task.", "Prose of mine.")
    clone.git("add", "-p", data=b"y\nn\n")
    clone.git("commit", "-q", "-m", "FEAT-1: claim")


def commit_linked(clone: Clone) -> None:
    """In a linked work tree, while the first one is dirty."""
    clone.replace("Prose that belongs to no task.", "Prose of mine.").git("add", "-A")
    clone.git("worktree", "add", "-q", "-b", "claim", "../linked", "HEAD")
    text = clone.read()
    clone.git("reset", "-q", "--hard")
    linked = clone.folder.parent / "linked"
    (linked / "work.md").write_text(clone.claim("FEAT-1").read())
    clone.git("checkout", "-q", "work.md")
    clone.write("work.md", text)
    clone.git("-C", str(linked), "commit", "-q", "-a", "-m", "FEAT-1: claim")
    clone.git("update-ref", "HEAD", "claim")


def commit_sparse(clone: Clone) -> None:
    """With a sparse index that does not even hold `src`."""
    clone.git("sparse-checkout", "set", "--cone", "--sparse-index", "docs")
    clone.claim("FEAT-1").git("commit", "-q", "-a", "-m", "FEAT-1: claim")


def commit_split(clone: Clone) -> None:
    """With an index in two files."""
    clone.git("update-index", "--split-index")
    clone.claim("FEAT-1").git("commit", "-q", "-a", "-m", "FEAT-1: claim")


def commit_submodule(clone: Clone) -> None:
    """Beside a submodule that nobody has fetched."""
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{clone.head()},src/lib")
    clone.git("commit", "-q", "--no-gpg-sign", "-m", "lib")
    clone.claim("FEAT-1").git("commit", "-q", "-m", "FEAT-1: claim", "work.md")


@pytest.mark.guard
@pytest.mark.parametrize(
    "way",
    [
        commit_all,
        commit_only,
        commit_patch,
        commit_patch_of_index,
        commit_linked,
        commit_sparse,
        commit_split,
        commit_submodule,
    ],
)
def test_case_15_both_hooks_judge_what_is_committed_however_it_is_committed(
    repo: Repo, way: Callable[[Clone], None]
) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").clone("builder")
    assert builder.guard("install").code == 0
    way(builder)
    assert "Codifica-Signature" in builder.git("log", "-1", "--format=%B")
    builder.push().accepted()
    assert repo.fields("FEAT-1")["owner"] == "agent:builder"


@pytest.mark.guard
@pytest.mark.parametrize("legal", ["in the work tree", "in the commit"])
def test_case_15_the_hook_of_a_clone_looks_at_the_commit_and_not_at_the_work_tree(repo: Repo, legal: str) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").clone("builder")
    assert builder.guard("install").code == 0
    good = builder.claim("FEAT-1").read()
    bad = builder.edit("FEAT-2", acceptance=["Nothing"]).read()
    staged, lying = (bad, good) if legal == "in the work tree" else (good, bad)
    builder.write("work.md", staged).git("add", "work.md")
    builder.write("work.md", lying)
    done = builder.try_git("commit", "-q", "-m", "FEAT-1: claim")
    if legal == "in the commit":
        assert done.code == 0, done.said
        builder.push().accepted()
    else:
        assert done.code == 1
        assert "codifica-guard: commit refused, 2 errors: CD302 CD404" in done.said
        builder.commit("FEAT-1: claim", only_index=True, options=["--no-verify"])
        builder.push(options=["--no-verify"]).refused("CD404", "FEAT-2")


# -- 16: ways to store


def fork(repo: Repo, *, relative: bool, chained: bool) -> None:
    """Let the server borrow its objects from a pool, and the pool perhaps from another one."""
    repo.on_server("repack", "-a", "-d", "-q")
    packs = sorted((repo.bare / "objects" / "pack").glob("pack-*"))
    pools = [repo.root / "pool one" / "objects", repo.root / "pool two" / "objects"]
    for pool in pools:
        (pool / "pack").mkdir(parents=True)
        (pool / "info").mkdir()
    home = pools[1] if chained else pools[0]
    for path in packs:
        path.rename(home / "pack" / path.name)
    (repo.bare / "objects" / "info").mkdir(exist_ok=True)
    name = "../../pool one/objects" if relative else str(pools[0])
    (repo.bare / "objects" / "info" / "alternates").write_text(f"# pools\n{name}\n")
    if chained:
        other = "../../pool two/objects" if relative else str(pools[1])
        (pools[0] / "info" / "alternates").write_text(f"{other}\n")


@pytest.mark.parametrize("relative", [True, False], ids=["relative", "absolute"])
@pytest.mark.parametrize("chained", [True, False], ids=["chained", "alone"])
def test_case_16_a_fork_is_judged_as_any(repo: Repo, *, relative: bool, chained: bool) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2", "to_be_tested").clone("builder")
    fork(repo, relative=relative, chained=chained)
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.edit("FEAT-2", state="done").commit("FEAT-2: done", proof="none").push().refused("ID106", "FEAT-2")


@pytest.mark.guard
@pytest.mark.parametrize("moved", ["before", "after"])
def test_case_16_packed_refs_are_read_and_a_loose_one_wins(repo: Repo, moved: str) -> None:
    builder = repo.task("FEAT-1").task("FEAT-2").clone("builder").claim("FEAT-1").commit("FEAT-1: claim")
    if moved == "before":
        builder.push().accepted()
    repo.on_server("pack-refs", "--all")
    builder.push().accepted()
    builder.claim("FEAT-2").commit("FEAT-2: claim").push().accepted()
    repo.on_server("pack-refs", "--all", "--no-prune")
    builder.edit("FEAT-2", acceptance=["Nothing"]).commit("FEAT-2: easier").push().refused("CD403")


@pytest.mark.guard
@pytest.mark.parametrize(
    ("extension", "named"),
    [
        ("unheardOf = true", "unheardof"),
        ("refStorage = reftable", "extensions.refStorage is reftable"),
        ("objectFormat = sha3", "extensions.objectFormat is sha3"),
    ],
)
def test_case_16_a_format_that_is_not_known_is_named_and_nothing_is_judged(
    repo: Repo, extension: str, named: str
) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim")
    row = f"{repo.tip()} {builder.head()} refs/heads/main\n".encode()
    config = repo.bare / "config"
    before = config.read_text()
    told = before.replace("repositoryformatversion = 0", "repositoryformatversion = 1")
    config.write_text(f"{told}[extensions]\n\t{extension}\n")
    done = repo.hook("pre-receive", row)
    assert done.code == 1
    assert "GD101" in done.said
    assert named in " ".join(done.said.split())
    config.write_text(before)
    builder.push().accepted()


@pytest.mark.parametrize("kind", ["sha1", "sha256"])
def test_case_16_both_object_formats_are_refused_and_let_in_alike(new_repo: NewRepo, kind: str) -> None:
    repo: Repo = new_repo(object_format=kind)
    builder = repo.task("FEAT-1", "to_be_tested").task("FEAT-2").clone("builder")
    illegal(builder).push().refused("ID106", "FEAT-1", "to_be_tested -> done")
    builder.fresh().claim("FEAT-2").commit("FEAT-2: claim", proof="trailers").push().accepted()
