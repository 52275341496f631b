"""What a push may hold: raw objects, odd paths, odd trailers."""

from collections.abc import Callable

import pytest

from tests.building import Clone, Repo


def illegal(clone: Clone) -> Clone:
    """Commit an approval that nobody signed."""
    return clone.edit("FEAT-1", state="done").commit("FEAT-1: done", proof="none")


# -- 9: raw objects


@pytest.mark.parametrize(
    "person",
    [
        "Alice <alice@example.org> 99999999999999999999 +0000",
        "Alice <alice@example.org> 1234567890 +9999999",
        "Alice <alice@example.org> -5 +0000",
        "Alice <alice@example.org> 1234567890",
        "Alice <alice@example.org>",
        "<> 0 +0000",
    ],
    ids=["giant", "giant zone", "before 1970", "no zone", "no time", "nobody"],
)
def test_case_09_a_time_that_is_none_in_old_history_is_no_crash(repo: Repo, person: str) -> None:
    alice = repo.without_fsck().not_introduced().clone("alice")
    rows = [("tree", alice.head("HEAD^{tree}")), ("parent", alice.head()), ("author", person), ("committer", person)]
    alice.at(alice.raw_commit(headers=rows)).push().accepted(silent=True)
    alice.write_all(repo.trust_files()).commit("Introduce the guard").push().accepted()
    builder = repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim")
    builder.push().accepted()
    builder.switch("topic", "HEAD~2").code("on the old one").checkout("main").merge("topic").push().accepted()


def test_case_09_the_same_commit_with_each_header_once_is_let_in(repo: Repo) -> None:
    builder = repo.without_fsck().task("FEAT-1").clone("builder").code("base")
    builder.at(builder.raw_commit(extra=[("encoding", "ISO-8859-1"), ("x-of-somebody", "1")])).push().accepted()


# -- 10: what the server makes of history


@pytest.mark.parametrize("way", ["replace", "replace a blob", "grafts", "shallow"])
def test_case_10_what_is_legal_passes_whatever_the_server_makes_of_history(repo: Repo, way: str) -> None:
    builder = repo.task("FEAT-1").clone("builder").code("before")
    builder.push("HEAD:main").accepted()
    tip = repo.tip()
    builder.claim("FEAT-1").commit("FEAT-1: claim")
    if way == "replace":
        repo.on_server("replace", tip, f"{tip}^")
    elif way == "replace a blob":
        other = repo.on_server("hash-object", "-w", "--stdin", data=b"# No tasks\n")
        repo.on_server("replace", repo.on_server("rev-parse", "main:work.md"), other)
    elif way == "grafts":
        (repo.bare / "info").mkdir(exist_ok=True)
        (repo.bare / "info" / "grafts").write_text(f"{tip}\n")
    else:
        (repo.bare / "shallow").write_text(f"{tip}\n")
    done = builder.try_git("push", "-q", "origin", "HEAD:main")
    assert (done.code, "codifica-guard" in done.said) == (0, False), done.said
    assert repo.tip() == builder.head()


def test_case_10_a_replaced_document_does_not_hide_the_illegal_one(repo: Repo) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder")
    illegal(builder).push("HEAD:parked").accepted()
    bad, good = builder.head("HEAD:work.md"), builder.head("HEAD^:work.md")
    repo.on_server("replace", bad, good)
    builder.push("HEAD:main").refused("ID106", "to_be_tested -> done")


# -- 11: what stands in place of a document or a policy file, or under its name


def linked(clone: Clone, path: str) -> None:
    """Put a file elsewhere and a symbolic link in its place."""
    clone.write("src/real", clone.read(path)).write(path, None)
    (clone.folder / path).symlink_to("src/real" if "/" not in path else "../src/real")


def submodule(clone: Clone, path: str) -> None:
    """Put a submodule in the place of a file."""
    clone.write(path, None).git("add", "-A")
    clone.git("update-index", "--add", "--cacheinfo", f"160000,{clone.head()},{path}")


def pointer(clone: Clone, path: str) -> None:
    """Put a pointer to large storage in the place of a file."""
    clone.write(path, f"version https://git-lfs.github.com/spec/v1\noid sha256:{'0' * 64}\nsize 12\n")


@pytest.mark.parametrize("way", [linked, submodule])
@pytest.mark.parametrize("path", ["work.md", "codifica.json", ".codifica/guard.json", ".codifica/allowed_signers"])
def test_case_11_not_even_a_maintainer_puts_something_else_in_place_of_a_file(
    repo: Repo, path: str, way: Callable[[Clone, str], None]
) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    way(alice, path)
    if way is linked:
        alice.git("add", "-A")
    alice.commit("FEAT-1: moved", only_index=True).push().refused("ST106", path)


def test_case_11_a_pointer_to_large_storage_is_no_document_and_elsewhere_it_is_fine(repo: Repo) -> None:
    alice = repo.task("FEAT-1").clone("alice")
    pointer(alice, "work.md")
    alice.commit("FEAT-1: pointer").push().refused("ST106", "work.md is a pointer of Git LFS")
    alice.fresh()
    pointer(alice, "docs/guide.md")
    alice.commit("Guide", proof="none").push().accepted()


def test_case_11_links_and_submodules_elsewhere_are_fine(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    (builder.folder / "docs/work.md").symlink_to("../work.md")
    builder.git("add", "-A")
    builder.git("update-index", "--add", "--cacheinfo", f"160000,{builder.head()},src/lib")
    builder.commit("Links", proof="none", only_index=True).push().accepted()


@pytest.mark.parametrize(
    ("name", "twin"),
    [
        ("work.md", "WORK.md"),
        ("work.md", "wor\u212a.md"),
        ("w\u00f6rk.md", "wo\u0308rk.md"),
        ("wo\u0308rk.md", "w\u00f6rk.md"),
        ("w\u00f6rk.md", "WO\u0308RK.MD"),
        ("work.md", "codifica.JSON"),
        ("work.md", ".CODIFICA/guard.json"),
        ("work.md", ".codifica/Allowed_Signers"),
    ],
    ids=["case", "Kelvin sign", "decomposed", "composed", "both", "settings", "policy folder", "policy file"],
)
@pytest.mark.parametrize("proof", ["git", "none"])
def test_case_11_a_twin_of_a_document_or_policy_file_is_refused(repo: Repo, name: str, twin: str, proof: str) -> None:
    alice = repo.settings(state=name).task("FEAT-1", document=name).clone("alice")
    alice.git("config", "core.precomposeUnicode", "false")
    alice.write(twin, "# Work\n").commit("Twin", proof=proof).push().refused("ST106", "git rm --cached")  # type: ignore[arg-type]


def test_case_11_a_twin_in_another_folder_is_fine(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.write("docs/WORK.md", "# Work\n").write("docs/codifica.JSON", "{}\n").commit("Twins", proof="none")
    builder.push().accepted()


@pytest.mark.parametrize("who", ["alice", "builder"])
@pytest.mark.parametrize("path", ["work/a\nb.md", "work/\n.md", ".codifica/guard.json\n", ".codifica/a\nb"])
def test_case_11_a_newline_in_the_path_of_a_document_or_policy_file_is_refused(repo: Repo, who: str, path: str) -> None:
    clone = repo.settings(state="work/*.md").task("FEAT-1", document="work/a.md").clone(who)
    clone.write(path, "# Odd\n").commit("Odd").push().refused("ST106", "\\n")


# -- 12: trailers


@pytest.mark.parametrize(
    ("lines", "word"),
    [
        ("Codifica-Actor: agent:builder\nCodifica-Actor: agent:builder", "Codifica-Actor"),
        ("Codifica-Signature: AAAA\nCodifica-Signature: AAAA", "Codifica-Signature"),
        ("Codifica-Migrate: a\nCodifica-Migrate: b", "Codifica-Migrate"),
        ("codifica-actor: agent:builder", "codifica-actor"),
        ("CODIFICA-ACTOR: agent:builder", "CODIFICA-ACTOR"),
        ("Codifica-Actor:\n agent:builder", "Codifica-Actor"),
        ("Codifica-Actor: agent:builder\n\tand more", "Codifica-Actor"),
        ("Codifica_Actor: agent:builder", "Codifica_Actor"),
        ("C\u043edifica-Actor: agent:builder", "Codifica-Actor"),
        ("Codifica\u2010Actor: agent:builder", "Codifica-Actor"),
        ("Codifica-\u200bActor: agent:builder", "Codifica-Actor"),
        ("\uff23odifica-Actor: agent:builder", "Codifica-Actor"),
        ("Codifica-Actor\uff1a agent:builder", "Codifica-Actor"),
    ],
    ids=[
        "actor twice", "signature twice", "another twice", "lower case", "upper case", "folded", "folded later", "underscore", "Cyrillic o",
        "another hyphen", "invisible", "wide letter", "wide colon",
    ],
)  # fmt: skip
def test_case_12_a_trailer_that_readers_could_take_differently_is_refused(repo: Repo, lines: str, word: str) -> None:
    builder = repo.clone("builder").code()
    assert word
    builder.at(builder.raw_commit(message=f"code\n\n{lines}\n".encode())).push().refused(
        "ID114", "Codifica-Actor" if "Actor" in word else word[:8]
    )


@pytest.mark.parametrize("mark", ["\r", "\x0b", "\x0c", "\x1c", "\x85", "\u2028", "\u2029"])
def test_case_12_nothing_but_a_newline_ends_a_line(repo: Repo, mark: str) -> None:
    builder = repo.task("FEAT-1", "to_be_tested").clone("builder").close("FEAT-1").write("src/x.py", "x = 1\n")
    builder.git("add", "-A")
    line = f"Reviewed-by: Bob{mark}Codifica-Actor: human:alice{mark}Codifica-Signature: AAAA"
    message = f"FEAT-1: done\n\n{line}\n"
    builder.at(builder.raw_commit(tree=builder.git("write-tree"), message=message.encode())).push().refused(
        {"ID106", "ID114"}, without={"ID101", "ID102", "ID103"}
    )


def signed(clone: Clone) -> str:
    """The signed trailers of a claim that waits in the index, as lines."""
    clone.claim("FEAT-1").git("add", "-A")
    return "".join(f"{name}: {value}\n" for name, value in clone.trailers("trailers"))


@pytest.mark.parametrize(
    "text",
    [
        "FEAT-1: claim\n\n---\n\nText.\n\n{}",
        "FEAT-1: claim\n\n{}",
        "FEAT-1: claim\n\nReviewed-by: Bob <b@example.org>\n{}",
        "FEAT-1: claim\n\n{}Signed-off-by: B <b@example.org>\n",
        "FEAT-1: claim\n\n{}\n\n\n",
    ],
    ids=["below a line of dashes", "alone", "below others", "above others", "blank lines behind"],
)
def test_case_12_the_last_paragraph_is_read_as_git_reads_it(repo: Repo, text: str) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    lines = signed(builder)
    message = text.format(lines)
    shown = builder.git("interpret-trailers", "--parse", "--no-divider", data=message.encode())
    assert "Codifica-Signature" in shown
    builder.at(builder.raw_commit(tree=builder.git("write-tree"), message=message.encode())).push().accepted()


@pytest.mark.parametrize(
    "text",
    ["FEAT-1: claim\n\n{}\nA last word.\n", "{}", "FEAT-1: claim\n{}", "FEAT-1: claim\n\nText\nof\nfour\nlines.\n{}"],
    ids=["above a last word", "the subject", "below the subject", "below prose"],
)
def test_case_12_lines_that_git_does_not_take_for_trailers_prove_nothing(repo: Repo, text: str) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    lines = signed(builder)
    message = text.format(lines)
    if "last word" in text:
        assert "Codifica-Signature" not in builder.git(
            "interpret-trailers", "--parse", "--no-divider", data=message.encode()
        )
    builder.at(builder.raw_commit(tree=builder.git("write-tree"), message=message.encode())).push().refused(
        {"ID106", "ID114"}
    )
