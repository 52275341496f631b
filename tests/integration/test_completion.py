"""TAB and `git codifica --help` in a fresh shell, as the one who types has them: a real bash on a terminal, a real git."""

import shutil
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path

import pytest

from codifica_guard.cli.completion import FOLDER
from codifica_guard.cli.program import GROUPS
from tests.building import Clone, Repo
from tests.building.machine import environment, run
from tests.building.terminal import Bash

pytestmark = pytest.mark.guard

SCRIPT = FOLDER / "codifica-guard.bash"
PAGES = Path(__file__).parents[2] / "docs" / "man"
COMMANDS = {name for _, rows in GROUPS for name, _ in rows}

# What git's own completion does, as far as others hang on it: it joins the words, finds the command, and calls _git_COMMAND, or has it loaded.
STAND_IN = r"""
__git_have_func () { declare -F "$1" >/dev/null; }
__git_main () {
  local at=1
  while [[ ${words[at]} == -* ]]; do case ${words[at]} in -C|-c|--git-dir) ((at++)) ;; esac; ((at++)); done
  if ((at >= cword)); then COMPREPLY=(); for i in status stash codifica; do [[ $i != "$cur"* ]] || COMPREPLY+=("$i "); done; return; fi
  local func=_git_${words[at]//-/_}
  if ! __git_have_func $func && __git_have_func _completion_loader; then _completion_loader "git-${words[at]}"; fi
  if __git_have_func $func; then $func; fi
}
__git_wrap__git_main () {
  local cur words cword i
  words=(); cur=
  for ((i = 0; i <= COMP_CWORD; i++)); do
    if ((i > 1)) && [[ ${COMP_WORDS[i]} == [:=] || ${COMP_WORDS[i-1]} == [:=] ]]; then words[${#words[@]}-1]+=${COMP_WORDS[i]}
    else words+=("${COMP_WORDS[i]}"); fi
  done
  cword=$((${#words[@]} - 1)); cur=${words[cword]}
  __git_main
}
complete -o bashdefault -o default -o nospace -F __git_wrap__git_main git
"""


@pytest.fixture
def commands(repo: Repo, tmp_path: Path) -> Path:
    """A prefix as an install makes it: both names in bin, the pages in share/man."""
    prefix = tmp_path / "prefix"
    for name in ("bin", "share/man/man1", "share/man/man5"):
        (prefix / name).mkdir(parents=True)
    for name in ("codifica-guard", "git-codifica"):
        file = prefix / "bin" / name
        file.write_text(f'#!/bin/sh\nexec {repo.python} -m codifica_guard "$@"\n')
        file.chmod(0o755)
    for page in PAGES.iterdir():
        shutil.copy(page, prefix / "share/man" / f"man{page.suffix[1:]}")
    return prefix


def gits_own() -> list[str]:
    """Git's own completion, where the machine has it: at the places of Debian, Fedora, Arch, Alpine and macOS."""
    places = (
        "/usr/share/bash-completion/completions/git",
        "/usr/share/git/completion/git-completion.bash",
        "/usr/share/git-core/contrib/completion/git-completion.bash",
        "/usr/share/doc/git/contrib/completion/git-completion.bash",
        "/Library/Developer/CommandLineTools/usr/share/git-core/git-completion.bash",
    )
    return [place for place in places if Path(place).is_file()][:1]


KINDS = ["alone", "git" if gits_own() else "stand-in"]


def source(kind: str, tmp_path: Path) -> Sequence[str | Path]:
    """What a shell's start-up files source, in order."""
    stand_in = tmp_path / "git-completion"
    stand_in.write_text(STAND_IN)
    files: dict[str, list[str | Path]] = {
        "alone": [SCRIPT],
        "stand-in": [stand_in, SCRIPT],
        "before": [SCRIPT, stand_in],
        "git": [*gits_own(), SCRIPT],
    }
    return files[kind]


@pytest.fixture(params=KINDS)
def kind(request: pytest.FixtureRequest) -> str:
    """Which completion of git there is."""
    return str(request.param)


def board(repo: Repo) -> Clone:
    repo.task("FEAT-1").task("FEAT-2", "to_be_tested").task("FEAT-3", "in_progress").task("FEAT-4")
    return repo.clone("alice")


def shell(clone: Clone, commands: Path, files: Sequence[str | Path]) -> Bash:
    bash = Bash(clone.folder, clone.home, path=f"{commands / 'bin'}:{environment(clone.home)['PATH']}")
    for file in files:
        assert (
            "\n" not in bash.run(f". {file}").replace(f". {file}", "").replace("printf '\\e_READY\\e\\\\'", "").strip()
        )
    return bash


@pytest.fixture
def bash(repo: Repo, commands: Path, kind: str, tmp_path: Path) -> Iterator[Bash]:
    """A shell in alice's clone."""
    with shell(board(repo), commands, source(kind, tmp_path)) as opened:
        yield opened


def test_commands_options_choices_and_ids_complete_behind_both_names(bash: Bash) -> None:
    for name in ("git codifica", "codifica-guard", "git-codifica"):
        assert bash.offers(f"{name} ") == COMMANDS
        assert bash.type(f"{name} appro")[0] == f"{name} approve "
        assert bash.type(f"{name} approve ")[0] == f"{name} approve FEAT-2 "
        assert bash.offers(f"{name} claim FE") == {"FEAT-1", "FEAT-4"}
        assert bash.type(f"{name} submit FEAT-3 --sum")[0] == f"{name} submit FEAT-3 --summary "
        assert bash.type(f"{name} note FEAT-3 --ask rel")[0] == f"{name} note FEAT-3 --ask release "
        assert bash.type(f"{name} key rot")[0] == f"{name} key rotate "


def test_words_that_bash_cuts_apart_are_completed_whole(bash: Bash, kind: str) -> None:
    names = ("git codifica", "codifica-guard") if kind == "alone" else ("git codifica",)
    for typed, whole in (
        ("claim --as human:al", "claim --as human:alice "),
        ("claim --as=human:al", "claim --as=human:alice "),
        ("claim --as=hum", "claim --as=human:"),
        ("assign FEAT-1 agent:b", "assign FEAT-1 agent:builder "),
        ('show "FEAT-2', 'show "FEAT-2" '),
        ("show 'FEAT-3", "show 'FEAT-3' "),
        ('assign FEAT-1 "agent:b', 'assign FEAT-1 "agent:builder" '),
    ):
        for name in names:
            assert bash.type(f"{name} {typed}")[0] == f"{name} {whole}"


def test_files_and_folders_are_offered_only_where_they_belong(bash: Bash) -> None:
    for name in ("git codifica", "codifica-guard"):
        assert bash.type(f"{name} init --key codifica-sp")[0] == f"{name} init --key codifica-spec.md "
        assert bash.type(f"{name} init --key=codifica-sp")[0] == f"{name} init --key=codifica-spec.md "
        assert bash.type(f"{name} doctor sr")[0] == f"{name} doctor src/"
        assert bash.type(f"{name} doctor READ")[0] == f"{name} doctor READ"
        assert bash.type(f"{name} show READ")[0] == f"{name} show READ"
        assert bash.type(f"{name} nonsense READ")[0] == f"{name} nonsense READ"


def test_another_repository_is_asked_where_gits_options_name_one(bash: Bash) -> None:
    bash.run("cd src")
    assert bash.type("git -C .. codifica approve ")[0] == "git -C .. codifica approve FEAT-2 "
    assert bash.type("git codifica -C .. approve ")[0] == "git codifica -C .. approve FEAT-2 "
    bash.run("cd /")
    assert bash.type("git codifica approve F")[0] == "git codifica approve F"
    assert bash.type("git --git-dir=nowhere codifica approve F")[0] == "git --git-dir=nowhere codifica approve F"


@pytest.mark.parametrize("kind", [*KINDS, "before"], indirect=True)
def test_the_rest_of_git_completes_as_before(bash: Bash, kind: str) -> None:
    line, shown = bash.type("git stat")
    assert line == ("git stat" if kind == "alone" else "git status ")
    assert "codifica" not in shown
    if kind != "alone":
        assert bash.type("git codif")[0] == "git codifica "
        assert bash.run("complete -p git").count("__git_wrap__git_main") == 1
    # Options of readline that were turned for one word hold for no other.
    bash.type("git codifica approve ")
    assert bash.type("git add READ")[0].rstrip() == "git add README.md"


def test_what_was_pushed_is_only_data(repo: Repo, commands: Path, kind: str, tmp_path: Path) -> None:
    evil = "$(touch pwned)`touch pwned`;touch pwned;$'\\n' * ~ \"q\" 'q' %s \\e[31m {a,b} !! &"
    repo.task("FEAT-1", title=evil).task("$(touch${IFS}pwned)").task("`touch${IFS}pwned`").task(";touch${IFS}pwned;")
    repo.task("FEAT-2 $(touch pwned)").task(":files").task("*").task("FEAT-9")
    clone = repo.clone("alice")
    clone.git("branch", "$(touch${IFS}pwned)")
    with shell(clone, commands, source(kind, tmp_path)) as bash:
        for name in ("git codifica", "codifica-guard"):
            assert bash.offers(f"{name} show ") == {"FEAT-1", "FEAT-9"}
            assert bash.offers(f"{name} show FEAT-") == {"FEAT-1", "FEAT-9"}
            assert bash.offers(f"{name} payload ") == {"HEAD", "main", "origin/main"}
        for typed in (
            "$",
            "`",
            "$(touch pwned) ",
            "`touch pwned` ",
            "'$(touch pwned)",
            '"$(touch pwned)',
            "-C $(touch pwned) show ",
        ):
            bash.type(f"git codifica show {typed}")
        for typed in ("$(touch pwned) ", '"$(touch pwned)', "-C $(touch pwned) show "):
            bash.type(f"codifica-guard {typed}")
    assert not [path for folder in (clone.folder, clone.home) for path in folder.rglob("pwned")]


def test_nothing_is_said_and_nothing_breaks_where_the_program_is_gone(
    repo: Repo, commands: Path, kind: str, tmp_path: Path
) -> None:
    with shell(board(repo), commands, source(kind, tmp_path)) as bash:
        bash.run(f"rm {commands}/bin/*; hash -r; PATH=/usr/bin:/bin; command_not_found_handle () {{ echo HANDLED; }}")
        for typed in ("git codifica approve ", "codifica-guard approve ", "codifica-guard --"):
            assert bash.type(typed) == (typed, "")


@pytest.mark.parametrize(
    "options",
    [
        "set -u",
        "set -o posix",
        "IFS=,",
        "set -f",
        "shopt -s nullglob extglob failglob",
        "COMP_WORDBREAKS=${COMP_WORDBREAKS//:}",
    ],
)
def test_a_shells_own_settings_change_nothing(repo: Repo, commands: Path, options: str) -> None:
    with shell(board(repo), commands, [SCRIPT]) as bash:
        bash.run(options)
        assert bash.type("codifica-guard approve ")[0] == "codifica-guard approve FEAT-2 "
        assert bash.type("git codifica claim --as human:al")[0] == "git codifica claim --as human:alice "
        assert bash.type("git codifica claim --as=human:al")[0] == "git codifica claim --as=human:alice "
        assert bash.offers("git codifica claim ") == {"FEAT-1", "FEAT-4"}


def test_the_script_that_the_command_prints_is_enough(repo: Repo, commands: Path) -> None:
    with shell(board(repo), commands, []) as bash:
        bash.run('eval "$(codifica-guard completion bash)"')
        assert bash.type("git codifica approve ")[0] == "git codifica approve FEAT-2 "


def test_the_files_of_an_install_are_loaded_by_name(repo: Repo, commands: Path, tmp_path: Path) -> None:
    folder = tmp_path / "completions"
    folder.mkdir()
    for name in ("codifica-guard", "git-codifica"):
        (folder / name).symlink_to(FOLDER / f"{name}.bash")
    loader = tmp_path / "loader"
    loader.write_text(
        f'_completion_loader () {{ [ ! -r {folder}/"$1" ] || {{ . {folder}/"$1"; return 124; }}; }}\ncomplete -D -F _completion_loader\n'
    )
    stand_in = tmp_path / "stand-in"
    stand_in.write_text(STAND_IN)
    (folder / "git").symlink_to(stand_in)
    with shell(board(repo), commands, [loader]) as bash:
        assert bash.type("git codifica approve ")[0] == "git codifica approve FEAT-2 "
        assert bash.type("git stat")[0] == "git status "
    with shell(repo.clone("alice"), commands, [loader]) as bash:
        assert bash.type("codifica-guard approve ")[0] == "codifica-guard approve FEAT-2 "
        assert bash.type("git stat")[0] == "git status "
    # Ours first, then what loads git's own when it is needed: ours gives way.
    with shell(repo.clone("alice"), commands, [SCRIPT, loader]) as bash:
        assert bash.type("git stat")[0] == "git status "
        assert bash.type("git codifica approve ")[0] == "git codifica approve FEAT-2 "


# -- git codifica --help

VIEWER = """#!/bin/sh
# As man does it: beside each folder of the PATH.
IFS=:
for folder in $PATH; do
  page=$folder/../share/man/man1/$1.1
  [ ! -f "$page" ] || { cat "$page"; exit 0; }
done
echo "No manual entry for $1" >&2
exit 16
"""


def has_man() -> bool:
    """Whether there is a man that shows pages; some images have one that only says that it has none."""
    if shutil.which("man") is None:
        return False
    done = subprocess.run(["man", "-w", str(PAGES / "git-codifica.1")], capture_output=True, check=False)
    return done.returncode == 0


@pytest.mark.parametrize("viewer", ["own", *(["man"] if has_man() else [])])
@pytest.mark.parametrize("words", [("codifica", "--help"), ("help", "codifica")])
def test_git_opens_the_page(repo: Repo, commands: Path, tmp_path: Path, viewer: str, words: tuple[str, ...]) -> None:
    clone = repo.task("FEAT-1").clone("alice")
    if viewer == "own":
        (tmp_path / "viewer").write_text(VIEWER)
        (tmp_path / "viewer").chmod(0o755)
        clone.git("config", "man.viewer", "own")
        clone.git("config", "man.own.cmd", str(tmp_path / "viewer"))
    path = f"{commands / 'bin'}:{environment(clone.home)['PATH']}"
    env = {"PATH": path, "MANPAGER": "cat", "PAGER": "cat", "MANWIDTH": "80"}
    done = run(["git", *words], cwd=clone.folder / "src", home=clone.home, env=env)
    shown = done.text.replace("\\-", "-")
    assert "GIT-CODIFICA" in shown
    assert all(name in shown for name in COMMANDS)


def test_without_the_page_git_has_none_so_that_the_test_above_can_fail(
    repo: Repo, commands: Path, tmp_path: Path
) -> None:
    clone = repo.task("FEAT-1").clone("alice")
    shutil.rmtree(commands / "share")
    (tmp_path / "viewer").write_text(VIEWER)
    (tmp_path / "viewer").chmod(0o755)
    env = {"PATH": f"{commands / 'bin'}:/usr/bin:/bin", "MANPATH": "/nowhere"}
    argv = ["git", "-c", "man.viewer=own", "-c", f"man.own.cmd={tmp_path / 'viewer'}", "codifica", "--help"]
    done = run(argv, cwd=clone.folder, home=clone.home, env=env, check=False)
    assert done.code != 0


def test_a_shell_of_its_own_opens_the_page(repo: Repo, commands: Path, tmp_path: Path) -> None:
    clone = repo.task("FEAT-1").clone("alice")
    (tmp_path / "viewer").write_text(VIEWER)
    (tmp_path / "viewer").chmod(0o755)
    with shell(clone, commands, []) as bash:
        bash.run(f"git config man.viewer own; git config man.own.cmd {tmp_path / 'viewer'}")
        assert ".TH GIT\\-CODIFICA 1" in bash.run("git codifica --help")
