"""The builder itself: what it makes is what plain Git and ssh-keygen take."""

from pathlib import Path

import pytest

from tests.building import NewRepo, Repo
from tests.building.machine import run


def test_a_founded_repository_is_whole(repo: Repo) -> None:
    repo.task("FEAT-1").task("FEAT-2", "in_progress").task("FEAT-3", "done").found()
    assert repo.on_server("fsck", "--no-dangling", "--no-progress") == ""
    assert repo.on_server("rev-list", "--count", "main") == "2"


def test_git_itself_takes_the_signatures_of_the_builder(repo: Repo, tmp_path: Path) -> None:
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim")
    signers = tmp_path / "signers"
    signers.write_text(str(repo.trust_files()[".codifica/allowed_signers"]))
    verified = builder.try_git("-c", f"gpg.ssh.allowedSignersFile={signers}", "verify-commit", "HEAD")
    assert verified.code == 0
    assert 'Good "git" signature for agent:builder' in verified.said


def test_an_edit_changes_only_the_lines_that_it_means(repo: Repo) -> None:
    builder = (
        repo.task("FEAT-1", "in_progress").task("FEAT-2", context={"constraints": ["Keep: the table"]}).clone("builder")
    )
    builder.note("FEAT-1")
    added = [
        line
        for line in builder.git("diff", "-U0", "work.md").splitlines()
        if line[:1] in "+-" and line[:3] not in {"+++", "---"}
    ]
    assert [line.split(":")[0] for line in added] == [
        "-  execution_notes",
        "+  execution_notes",
        "+    - by",
        "+      note",
        "+      timestamp",
    ]


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_ssh_keygen_takes_the_signed_trailers_of_the_builder(
    new_repo: NewRepo, tmp_path: Path, object_format: str
) -> None:
    repo: Repo = new_repo(object_format=object_format)
    builder = repo.task("FEAT-1").clone("builder")
    builder.claim("FEAT-1").write("src/x.py", "x = 1\n").commit("FEAT-1: claim", proof="trailers")
    told = dict(
        line.split(": ", 1)
        for line in builder.git("log", "-1", "--format=%B").splitlines()
        if line.startswith("Codifica-")
    )
    data = builder.payload("HEAD^{tree}", ["HEAD^"], "agent:builder")
    assert data.splitlines()[0] == b"codifica-guard-commit-v1"
    assert [line.split(b" ")[0] for line in data.splitlines()[3:]] == [b"path", b"record"]
    blob, signature, signers = told["Codifica-Signature"], tmp_path / "signature", tmp_path / "signers"
    lines = [blob[i : i + 70] for i in range(0, len(blob), 70)]
    signature.write_text("\n".join(["-----BEGIN SSH SIGNATURE-----", *lines, "-----END SSH SIGNATURE-----", ""]))
    signers.write_text(str(repo.trust_files()[".codifica/allowed_signers"]))
    argv: list[str | Path] = [
        "ssh-keygen",
        "-Y",
        "verify",
        "-n",
        "codifica-guard",
        "-f",
        signers,
        "-I",
        "agent:builder",
        "-s",
        signature,
    ]
    assert run(argv, cwd=tmp_path, home=tmp_path, data=data).code == 0
