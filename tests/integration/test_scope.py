"""What `file_scope` lets agents and unsigned commits change: the meaning of its patterns, pinned by pushes."""

import pytest

from tests.building import Repo

SCOPES = [
    # include, exclude, path, whether it may be changed
    (["**"], [], ".github/workflows/ci.yml", True),
    (["src/**"], [], "src/.env", True),
    (["src/**"], [], "src", False),
    (["src/*"], [], "src/deep/a.py", False),
    (["src/*"], [], "src/.hidden", True),
    (["./src/**"], [], "src/a.py", True),
    (["src/**"], [], "Src/a.py", False),
    (["*.key"], [], "server.key", True),
    (["*.key"], [], "conf/server.key", False),
    (["**/*.key"], [], "conf/server.key", True),
    (["**"], ["*.key"], "server.key", False),
    (["**"], ["*.key"], "conf/server.key", True),
    (["**"], ["**/*.key"], "conf/deep/server.key", False),
    (["src/app.py"], ["src/app.py"], "src/app.py", False),
    (["{src,docs}/**"], [], "docs/a.md", True),
    (["{src,docs}/**"], [], "docz/a.md", False),
    (["**", "!secret/**"], [], "secret/a", False),
    (["!secret/**"], [], "public/a", True),
    (["**"], ["conf/**", "!conf/public.ini"], "conf/public.ini", True),
    (["**"], ["conf/**", "!conf/public.ini"], "conf/other.ini", False),
    (["src/@(web|api)/**"], [], "src/api/a.py", True),
    (["src/!(vendor)/**"], [], "src/vendor/a.py", False),
    (["src/[a-c].py"], [], "src/b.py", True),
    (["src/[!a-c].py"], [], "src/b.py", False),
    (["src/?.py"], [], "src/ab.py", False),
    (["src/étage/**"], [], "src/étage/a.py", True),
    ([r"src/\[a\].py"], [], "src/[a].py", True),
    ([], [], "src/a.py", False),
]


@pytest.mark.parametrize(("include", "exclude", "path", "allowed"), SCOPES)
def test_a_scope_means_what_the_table_says(
    repo: Repo, include: list[str], exclude: list[str], path: str, *, allowed: bool
) -> None:
    repo.rules(file_scope={"include": include, "exclude": exclude}).file("src/app.py", None)
    push = repo.clone("builder").code("FEAT-1: code", path=path).push()
    if allowed:
        push.accepted()
    else:
        push.refused("CD407")


def test_state_documents_are_in_scope_and_policy_files_in_nobodys(repo: Repo) -> None:
    repo.rules(file_scope={"include": ["src/**", ".codifica/**", "codifica.json"], "exclude": ["work.md"]}).task(
        "FEAT-1"
    )
    builder = repo.clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim").push().accepted()
    builder.write(".codifica/revoked_keys", "# none\n").commit("FEAT-1: keys").push().refused(
        "ID109", without={"CD407"}
    )


def test_an_upgrade_of_the_protocol_counts_from_the_next_commit_on(repo: Repo) -> None:
    builder, alice = repo.settings(version="0.1").task("FEAT-1", "in_progress").clone("builder"), repo.clone("alice")
    alice.write("codifica.json", alice.read("codifica.json").replace('"0.1"', '"0.2"')).commit("Codifica 0.2")
    alice.push().accepted()
    builder.fresh().hand_in("FEAT-1", without={"note"}).commit("FEAT-1: hand in").push().refused("CD210")
