"""The admin's day: the guard comes onto a server that has a history and hooks of its own, and goes again."""

import stat
from pathlib import Path

import pytest

from tests.building import Repo

pytestmark = [pytest.mark.guard, pytest.mark.cold]

COMMITS = 1000

FOREIGN = b"#!/bin/sh\n# sends mail\ncat >> mails\necho told by mail\n"


def with_history(repo: Repo) -> Repo:
    """A bare repository with a thousand commits, and a post-receive of somebody else's."""
    repo.not_installed().task("FEAT-1").task("FEAT-2", "to_be_tested").found()
    rows = [f"reset refs/heads/main\nfrom {repo.tip()}\n\n"]
    for number in range(COMMITS):
        rows.append(
            f"commit refs/heads/main\ncommitter Old Hand <old@example.org> {1_500_000_000 + number} +0000\ndata 4\nwork\n"
        )
        rows.append(f"M 100644 inline src/file{number % 50}.py\ndata {len(str(number)) + 5}\nx = {number}\n\n")
    repo.on_server("fast-import", "--quiet", data="".join(rows).encode())
    hooks = repo.bare / "hooks"
    hooks.mkdir(exist_ok=True)
    (hooks / "post-receive").write_bytes(FOREIGN)
    (hooks / "post-receive").chmod(0o755)
    repo.clone("alice").fresh()
    return repo


def picture(folder: Path) -> dict[str, tuple[int, bytes]]:
    """All files of a repository but its objects: their modes and bytes."""
    files = (
        path for path in sorted(folder.rglob("*")) if path.is_file() and "objects" not in path.relative_to(folder).parts
    )
    return {str(path.relative_to(folder)): (stat.S_IMODE(path.stat().st_mode), path.read_bytes()) for path in files}


def test_a_dry_run_of_install_changes_nothing(repo: Repo) -> None:
    with_history(repo)
    before = picture(repo.bare)
    done = repo.install("--maintainer", repo.keys.public("alice"), "--dry-run")
    assert done.code == 0
    assert picture(repo.bare) == before
    for word in ("pre-receive", "post-receive", "codifica.trust", "SHA256:", "receive.fsckObjects"):
        assert word in done.said


def test_install_twice_is_install_once(repo: Repo) -> None:
    with_history(repo)
    assert repo.install().code == 0
    once = picture(repo.bare)
    assert once["hooks/pre-receive"][0] & 0o111 == 0o111
    again = repo.install()
    assert again.code == 0, again.said
    assert picture(repo.bare) == once


def test_install_says_who_may_introduce_the_policy(repo: Repo) -> None:
    done = with_history(repo).install()
    assert done.code == 0
    assert "idle until" in done.said or "until" in done.said
    assert "SHA256:" in done.said


def test_install_asks_who_may_introduce_the_policy(repo: Repo) -> None:
    with_history(repo)
    done = repo.guard("install", repo.bare)
    assert done.code == 2
    for word in ("--maintainer", "--introduction", "--trust-first-push"):
        assert word in done.said


def test_the_whole_life_of_a_guard_on_a_server(repo: Repo) -> None:
    with_history(repo)
    before = picture(repo.bare)
    assert repo.install().code == 0
    alice, builder = repo.clone("alice"), repo.clone("builder").fresh()

    # until the policy arrives pushes pass as before, and the other hook still runs
    builder.code("as before").push().accepted("told by mail")
    assert repo.tip() in (repo.bare / "mails").read_text()
    # an agent does not bring the policy, the maintainer does
    builder.write_all(repo.trust_files()).commit("My policy").push().refused("ID110")
    alice.pull().write_all(repo.trust_files()).commit("Introduce the guard").push().accepted("told by mail")
    # from then on all is judged, and what lay before is not
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim").push().accepted("told by mail")
    builder.close("FEAT-2").commit("FEAT-2: done", proof="none").push().refused("ID106")
    builder.fresh()

    assert repo.guard("doctor", repo.bare).code == 0
    hook = repo.bare / "hooks" / "pre-receive"
    hook.chmod(0o644)
    doctor = repo.guard("doctor", repo.bare)
    assert doctor.code == 1
    assert "pre-receive" in doctor.said
    assert "0644" in doctor.said or "executable" in doctor.said
    hook.chmod(0o755)
    assert repo.guard("doctor", repo.bare).code == 0

    gone = repo.guard("uninstall", repo.bare)
    assert gone.code == 0, gone.said
    after = picture(repo.bare)
    assert not hook.exists()
    assert after["hooks/post-receive"] == before["hooks/post-receive"]
    assert "codifica.trust" not in repo.on_server("config", "--list")
    assert "codifica.introduction" not in repo.on_server("config", "--list")
    builder.code("as before", path="src/z.py").push().accepted("told by mail")


def test_doctor_mends_a_hook_that_lost_its_mode(repo: Repo) -> None:
    hook = repo.task("FEAT-1", "to_be_tested").found().bare / "hooks" / "pre-receive"
    hook.chmod(0o644)
    assert repo.guard("doctor", "--fix", repo.bare).code == 0
    builder = repo.clone("builder")
    builder.close("FEAT-1").commit("FEAT-1: done", proof="none").push().refused("ID106")


def test_doctor_finds_a_hook_that_is_gone(repo: Repo) -> None:
    (repo.found().bare / "hooks" / "pre-receive").unlink()
    doctor = repo.guard("doctor", repo.bare)
    assert doctor.code == 1
    assert "pre-receive" in doctor.said


def test_doctor_tells_that_a_pattern_of_documents_matches_nothing(repo: Repo) -> None:
    repo.task("FEAT-1").settings(state="nothing/*.md").found()
    doctor = repo.guard("doctor", repo.bare)
    assert "nothing/*.md" in doctor.said


def test_doctor_fails_where_nothing_is_installed(repo: Repo) -> None:
    assert repo.not_installed().found().guard("doctor", repo.bare).code == 1


def test_install_pins_an_introduction_that_is_there(repo: Repo) -> None:
    repo.not_installed().task("FEAT-1").found()
    alice = repo.clone("alice")
    alice.write_all(repo.trust_files()).commit("Introduce the guard").push().accepted(silent=True)
    done = repo.install("--introduction", alice.head())
    assert done.code == 0, done.said
    assert "human:alice" in done.said
    builder = repo.clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="none").push().refused("ID106")
    builder.fresh().claim("FEAT-1").commit("FEAT-1: claim").push().accepted()


def test_install_pins_no_commit_that_introduces_nothing(repo: Repo) -> None:
    repo.not_installed().found()
    done = repo.install("--introduction", repo.tip())
    assert done.code in {1, 2}
    assert not (repo.bare / "hooks" / "pre-receive").exists()


def test_install_pins_no_introduction_that_its_maintainer_did_not_sign(repo: Repo) -> None:
    repo.not_installed().found()
    alice = repo.clone("alice")
    alice.write_all(repo.trust_files()).commit("Introduce the guard", proof="none").push().accepted(silent=True)
    assert repo.install("--introduction", alice.head()).code in {1, 2}
    assert not (repo.bare / "hooks" / "pre-receive").exists()


def test_trust_on_first_push_is_to_be_had_by_its_name(repo: Repo) -> None:
    repo.not_installed().task("FEAT-1").found()
    assert repo.install("--trust-first-push").code == 0
    bob = repo.clone("bob")
    bob.write_all(repo.trust_files(maintainers=["human:bob"])).commit("Introduce the guard").push().accepted()
    repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="none").push().refused("ID106")


def test_a_key_is_taken_from_standard_input(repo: Repo) -> None:
    repo.not_installed().task("FEAT-1").found()
    done = repo.guard("install", repo.bare, "--maintainer", "-", data=repo.keys.public("alice").read_bytes())
    assert done.code == 0, done.said
    alice = repo.clone("alice")
    alice.write_all(repo.trust_files()).commit("Introduce the guard").push().accepted()


def test_a_hook_of_somebody_elses_that_refuses_still_refuses(repo: Repo) -> None:
    repo.not_installed().task("FEAT-1").found()
    hook = repo.bare / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\ncat > seen\necho 'not on a Friday'\nexit 1\n")
    hook.chmod(0o755)
    assert repo.install().code == 0
    push = repo.clone("builder").code().push().refused_by_git()
    assert "not on a Friday" in push.remote
    assert "refs/heads/main" in (repo.bare / "seen").read_text()


def test_the_servers_folder_may_have_any_name(repo: Repo) -> None:
    repo.found()
    odd = repo.bare.rename(repo.bare.with_name('it\'s a "shop".git'))
    assert repo.guard("install", odd, "--maintainer", repo.keys.public("alice")).code == 0


def test_install_refuses_what_is_no_repository(repo: Repo, tmp_path: Path) -> None:
    done = repo.found().guard("install", tmp_path, "--maintainer", repo.keys.public("alice"))
    assert done.code in {2, 3}
    assert "Traceback" not in done.said
