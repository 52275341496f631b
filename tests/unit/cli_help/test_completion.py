"""`completion`, and the files that an install puts where the shells look."""

import os
import re
import subprocess
import tomllib
from pathlib import Path

import pytest

from codifica_guard.cli.complete import GIT
from codifica_guard.cli.completion import FOLDER, SCRIPTS
from tests.building.inside import inside

ROOT = Path(__file__).parents[3]


@pytest.mark.parametrize("shell", SCRIPTS)
def test_a_shells_script_is_printed_as_it_is_kept(shell: str, tmp_path: Path) -> None:
    done = inside(("completion", shell), cwd=tmp_path, home=tmp_path)
    assert (done.code, done.out, done.err) == (0, (FOLDER / SCRIPTS[shell]).read_bytes(), b"")
    answer = inside(("completion", shell, "--json", "-q"), cwd=tmp_path, home=tmp_path).json
    assert answer["data"] == {"shell": shell, "script": done.text + "\n"}
    assert "__complete" in done.text


@pytest.mark.parametrize("words", [(), ("tcsh",), ("bash", "zsh")])
def test_other_shells_are_refused_by_name(words: tuple[str, ...], tmp_path: Path) -> None:
    done = inside(("completion", *words), cwd=tmp_path, home=tmp_path)
    assert (done.code, done.out) == (2, b"")
    assert "usage: codifica-guard completion" in done.said


def test_a_task_is_not_completed_by_mistake(tmp_path: Path) -> None:
    done = inside(("complete", "FEAT-1"), cwd=tmp_path, home=tmp_path)
    assert done.code == 2
    assert "you may mean: submit, done" in done.said


def test_the_scripts_hold_no_list_of_commands_and_evaluate_no_answer() -> None:
    for path in FOLDER.rglob("*.*sh"):
        text = path.read_text("ascii")
        code = "\n".join(line for line in text.split("\n") if not line.lstrip().startswith("#"))
        assert not re.search(r"\b(?:eval|compgen|_call_program|approve|reclaim)\b", code), path


@pytest.mark.parametrize("name", ["codifica-guard.bash", "git-codifica.bash"])
def test_bash_takes_the_scripts(name: str) -> None:
    subprocess.run(["bash", "-n", FOLDER / name], check=True)


def test_every_script_and_page_is_shipped_and_linked_by_the_install() -> None:
    with (ROOT / "pyproject.toml").open("rb") as file:
        wheel = tomllib.load(file)["tool"]["hatch"]["build"]["targets"]["wheel"]["shared-data"]
    kept = {
        path.relative_to(ROOT).as_posix()
        for folder in (FOLDER, ROOT / "docs/man")
        for path in folder.rglob("*")
        if path.is_file()
    }
    assert set(wheel) == kept
    script = (ROOT / "install.sh").read_text("ascii")
    linked = {
        f"share/{folder}/{name}"
        for folder, names in re.findall(r"^  put_beside (\S+) (.+)$", script, re.MULTILINE)
        for name in names.split()
    }
    assert set(wheel.values()) == linked
    for source, target in wheel.items():
        section = Path(source).suffix[1:]
        assert not section.isdigit() or f"/man{section}/" in target


def test_a_word_of_git_is_what_the_bash_script_says() -> None:
    assert f"git-codifica {GIT} " in (FOLDER / SCRIPTS["bash"]).read_text("ascii")


# -- install.sh


def use(tmp_path: Path, name: str, bin_folder: str = "prefix/bin") -> str:
    done = subprocess.run(
        [ROOT / "install.sh", "--use", name],
        env={
            "PATH": os.environ["PATH"],
            "HOME": str(tmp_path),
            "CODIFICA_HOME": str(tmp_path / "home"),
            "CODIFICA_BIN": str(tmp_path / bin_folder),
        },
        capture_output=True,
        check=True,
        text=True,
    )
    assert done.stderr == ""
    return done.stdout


def version(tmp_path: Path, name: str, *files: str) -> None:
    folder = tmp_path / "home" / name
    (folder / "bin").mkdir(parents=True)
    (folder / "installed-from").write_text("x\n")
    for file in files:
        (folder / "share" / file).parent.mkdir(parents=True, exist_ok=True)
        (folder / "share" / file).write_text(f"{name} {file}")


PAGE, TAB = "man/man1/git-codifica.1", "bash-completion/completions/git-codifica"


def test_pages_and_scripts_stand_beside_the_commands_and_follow_the_version(tmp_path: Path) -> None:
    version(tmp_path, "1.0", PAGE, TAB)
    version(tmp_path, "2.0", PAGE, TAB, "fish/vendor_completions.d/git-codifica.fish")
    version(tmp_path, "0.9")
    share = tmp_path / "prefix" / "share"
    told = use(tmp_path, "1.0")
    assert f"manual    {share}/man\n" in told
    assert f"shells    {share}/{{bash-completion,zsh,fish}}: completion, from the next shell on\n" in told
    assert (share / PAGE).read_text() == f"1.0 {PAGE}"
    assert not (share / "fish").exists()
    use(tmp_path, "2.0")
    assert (share / TAB).read_text() == f"2.0 {TAB}"
    assert (share / "fish/vendor_completions.d/git-codifica.fish").exists()
    # A version that has none takes them away: a link to nothing would be loaded, and fail.
    told = use(tmp_path, "0.9")
    assert "manual" not in told
    assert not [path for path in share.rglob("*") if path.is_symlink()]


def test_where_the_commands_are_in_no_bin_the_rest_stands_below_them(tmp_path: Path) -> None:
    version(tmp_path, "1.0", PAGE, TAB)
    use(tmp_path, "1.0", "my tools")
    assert (tmp_path / "my tools" / "share" / PAGE).read_text() == f"1.0 {PAGE}"
    use(tmp_path, "1.0", "other/bin/")
    assert (tmp_path / "other" / "share" / PAGE).read_text() == f"1.0 {PAGE}"


def test_files_of_somebody_else_stay_and_a_folder_that_cannot_be_made_is_no_failure(tmp_path: Path) -> None:
    version(tmp_path, "1.0", PAGE, TAB)
    share = tmp_path / "prefix" / "share"
    (share / PAGE).parent.mkdir(parents=True)
    (share / PAGE).write_text("mine")
    (share / "bash-completion").write_text("no folder")
    told = use(tmp_path, "1.0")
    assert (share / PAGE).read_text() == "mine"
    assert f"note      {share / PAGE} is there and no link of ours; it was left" in told
    assert "shells " not in told
    assert "commands " in told
