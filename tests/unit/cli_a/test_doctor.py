import shutil

import pytest

from tests.unit.cli_a.places import Clone


def levels(shop: Clone, *words: object) -> dict[str, str]:
    checks = shop.guard("doctor", "--json", *map(str, words)).json["data"]["checks"]
    return {check["name"]: check["level"] for check in checks}


def test_a_sound_server_is_called_so(shop: Clone) -> None:
    shop.install("--introduction", shop.head())
    said = shop.guard("doctor", shop.bare).ok()
    for word in ("by human:alice", "pinned", "ruleset 1", "is not listed", "0 failures, 1 warning"):
        assert word in said.out
    assert shop.guard("doctor", "-q", shop.bare).ok().out == ""


def test_a_hook_without_its_mode_is_found_and_mended(shop: Clone) -> None:
    shop.install("--introduction", shop.head())
    hook = shop.bare / "hooks" / "pre-receive"
    hook.chmod(0o644)
    assert shop.guard("doctor", "-q", shop.bare).refused("0644").out.count("\n") == 2
    assert levels(shop, shop.bare)["pre-receive"] == "fail"
    said = shop.guard("doctor", "--fix", shop.bare).ok()
    assert "wrote" in said.out
    assert hook.stat().st_mode & 0o111
    assert shop.guard("doctor", "--fix", "-q", shop.bare).ok().out == ""


def test_doctor_mends_only_what_was_installed(shop: Clone) -> None:
    shop.guard("doctor", "--fix", shop.bare).misused("not installed")


def test_a_pinned_commit_that_is_no_introduction_is_found(shop: Clone) -> None:
    shop.install("--introduction", shop.head())
    shop.git("--git-dir", shop.bare, "config", "codifica.introduction", shop.git("rev-parse", "HEAD^"))
    shop.guard("doctor", shop.bare).refused("introduces nothing")


def test_an_empty_server_has_no_policy(shop: Clone) -> None:
    shutil.rmtree(shop.bare)
    shop.git("init", "-q", "--bare", shop.bare)
    shop.install()
    assert "none on main yet" in shop.guard("doctor", shop.bare).ok().out


def test_a_clone_is_looked_at_with_its_key(shop: Clone) -> None:
    shop.guard("install", "--introduction", "HEAD").ok()
    said = shop.guard("doctor").ok()
    assert f"human:alice  {shop.fingerprint('alice')}" in said.out
    shop.as_bob()
    assert levels(shop)["key"] == "warn"


def test_a_clone_without_policy_still_has_a_key(plain: Clone) -> None:
    plain.guard("install").ok()
    assert levels(plain)["key"] == "warn"
    plain.git("config", "codifica.signingKey", plain.key("bob"))
    assert levels(plain) | {"key": "ok"} == levels(plain)
    assert plain.fingerprint("bob") in plain.guard("doctor").out


def test_a_folder_of_somebody_elses_hooks_is_not_mended(plain: Clone) -> None:
    plain.git("config", "core.hooksPath", ".husky")
    plain.guard("doctor", "--fix").misused("not installed here")
    plain.guard("install").refused("--hooks-path")
    plain.guard("doctor", "--fix").refused("nothing to do", "codifica-guard install --hooks-path")
    assert not (plain.folder / ".husky").exists()


def test_a_clone_without_hooks_is_no_failure(shop: Clone) -> None:
    said = shop.guard("doctor").ok().out
    assert "no hooks of ours here; nobody needs them" in said
    assert "do             codifica-guard install" in said
    assert "hooks/" not in said


@pytest.mark.parametrize(("name", "why"), [("nowhere.pub", "No such file or directory"), ("odd.pub", "it is no text")])
def test_a_maintainers_key_that_cannot_be_read_is_said_in_words(shop: Clone, name: str, why: str) -> None:
    (shop.folder / "odd.pub").write_bytes(b"\xff\xfe")
    shop.guard("install", shop.bare, "--maintainer", name).misused(f"cannot read a public key from {name}: {why}")


def test_an_unknown_format_cannot_be_told(shop: Clone) -> None:
    shop.git("--git-dir", shop.bare, "config", "core.repositoryFormatVersion", "9")
    assert shop.guard("doctor", shop.bare).code == 3


def test_paths_are_shown_without_what_disturbs_a_screen(shop: Clone) -> None:
    place = shop.bare.rename(shop.bare.with_name("sh\u00f6p\x1b.git"))
    shop.bare = place
    shop.guard("install", place, "--introduction", shop.head())
    assert "sh\u00f6p\\u001b.git" in shop.guard("uninstall", "--dry-run", place).ok().out


@pytest.mark.parametrize("where", ["bare", "clone"])
def test_uninstall_gives_everything_back(shop: Clone, where: str) -> None:
    place = shop.bare if where == "bare" else shop.folder
    folder = (shop.bare if where == "bare" else shop.folder / ".git") / "hooks"
    folder.mkdir(exist_ok=True)
    name = "pre-receive" if where == "bare" else "commit-msg"
    (folder / name).write_text("#!/bin/sh\necho mine\n")
    shop.guard("install", place, "--introduction", shop.head()).ok()
    preview = shop.guard("uninstall", place, "--dry-run").ok()
    assert "would restore" in preview.out
    assert "mine" not in (folder / name).read_text()
    answer = shop.guard("uninstall", place, "--json").ok().json
    assert answer["data"]["changed"] is True
    assert (folder / name).read_text() == "#!/bin/sh\necho mine\n"
    assert shop.guard("uninstall", place, "--json").ok().json["data"]["changed"] is False


def test_uninstall_needs_a_repository(shop: Clone) -> None:
    shop.guard("uninstall", shop.home).misused("lies in no clone")
