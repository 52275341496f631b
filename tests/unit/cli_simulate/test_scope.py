"""Which commits `simulate` judges, by which settings, and what it says where it cannot tell."""

import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from codifica_guard.errors import UsageError
from codifica_guard.verbs.simulation import moment
from tests.building.inside import inside
from tests.building.machine import run
from tests.building.times import STARTED
from tests.unit.cli_simulate.tale import Tale, build

pytestmark = pytest.mark.guard


def sins(tale: Tale, *numbers: int) -> Tale:
    """Commits that would have been refused, one a task."""
    for number in numbers:
        tale.close(f"FEAT-{number}").commit(f"FEAT-{number}: done", when=number)
    return tale


@pytest.fixture
def four(tale: Tale) -> Tale:
    """Four tasks that an agent approves itself."""
    tale.begin(*(build(f"FEAT-{number}", "to_be_tested") for number in range(1, 5)))
    return sins(tale, 1, 2, 3, 4)


def moment_of(four: Tale, number: int) -> str:
    """When a task of the four was closed."""
    return four.git("log", "-1", "--format=%cI", f"HEAD~{4 - number}")


# -- settings


def test_before_there_is_a_codifica_json_nothing_is_judged(tale: Tale) -> None:
    tale.tasks(build("FEAT-1", "to_be_tested"), build("FEAT-2", "to_be_tested")).commit("Tasks")
    sins(tale, 1).settings().commit("Settings", when=2)
    sins(tale, 2)
    data = tale.told()
    assert [row["task"] for row in data["findings"]] == ["FEAT-2"]
    assert (data["commits"], data["judged"], data["first"]) == (4, 1, tale.head("HEAD~1"))


def test_after_codifica_json_is_gone_nothing_is_judged(four: Tale) -> None:
    four.write("codifica.json", None).commit("No settings any more", when=5)
    four.drop("FEAT-1").commit("FEAT-1 goes", when=6)
    four.settings().commit("Settings again", when=7)
    four.drop("FEAT-2").commit("FEAT-2 goes", when=8)
    assert [row["task"] for row in four.told("HEAD~4..HEAD")["findings"]] == ["FEAT-2"]
    assert four.told("HEAD~2..HEAD~1")["judged"] == 0


def test_a_commit_is_judged_by_what_its_parent_says(tale: Tale) -> None:
    tale.begin(build("FEAT-1", type="chore"), build("FEAT-2", type="chore"), rules={"custom_types": ["chore"]})
    tale.claim("FEAT-1", when=tale.now()).commit("FEAT-1: claim")
    tale.settings().commit("No such type")
    tale.claim("FEAT-2", when=tale.now()).commit("FEAT-2: claim")
    assert tale.found() == []
    tale.add("FEAT-3", type="chore").commit("FEAT-3: new")
    assert tale.found() == [("CD102", "FEAT-3", "FEAT-3: new")]


def test_settings_that_break_are_named_and_nothing_behind_them_is_called_fine(four: Tale) -> None:
    four.write("codifica.json", "{").commit("Broken", when=5)
    four.drop("FEAT-1").commit("FEAT-1 goes", when=6)
    assert [code for code, _, subject in four.found() if subject == "Broken"] == ["CD110"]
    done = four.guard("simulate", "HEAD~1..HEAD")
    assert done.code == 3
    assert "nothing would have been refused, of what could be judged" in done.text
    assert four.told("HEAD~1..HEAD")["not_judged"] == [{"commit": four.head(), "why": "codifica.json cannot be read"}]


def test_settings_that_never_could_be_read_are_told(tale: Tale) -> None:
    tale.write("codifica.json", "{" + " " * 2_000_000).tasks(build("FEAT-1")).commit("Start")
    tale.drop("FEAT-1").commit("FEAT-1 goes")
    done = tale.guard("simulate")
    assert done.code == 3
    assert "1 commit behind a codifica.json that cannot be read" in done.text


def test_without_codifica_json_there_is_nothing_to_judge_by(tale: Tale) -> None:
    done = tale.write("a", "a\n").commit("Start").guard("simulate")
    assert done.code == 2
    assert (
        done.said
        == "codifica-guard simulate: no commit of main has a codifica.json: there are no rules to judge it by\n"
    )


def test_the_last_commit_alone_may_bring_the_settings(tale: Tale) -> None:
    done = tale.begin(build("FEAT-1")).guard("simulate")
    assert done.code == 0
    assert "1 commit, 0 judged" in done.text
    assert "that commit is taken as it is" in done.text


def test_an_unborn_branch_and_a_folder_that_is_no_repository_are_told(tale: Tale, tmp_path: Path) -> None:
    assert tale.guard("simulate").code == 2
    done = inside(["simulate"], cwd=tmp_path, home=tale.home)
    assert (done.code, b"no repository at" in done.err) == (3, True)


def test_a_policy_beside_the_settings_plays_no_part(four: Tale) -> None:
    four.write(".codifica/guard.json", "{}").commit("Guarded", when=5)
    done = four.guard("simulate")
    assert done.code == 1
    assert "this repository has a policy, and signatures: git codifica check judges by them" in done.text
    assert "git codifica init" not in done.text


# -- which commits


@pytest.mark.parametrize(
    ("argv", "tasks"),
    [
        ([], [1, 2, 3, 4]),
        (["main"], [1, 2, 3, 4]),
        (["HEAD~1"], [1, 2, 3]),
        (["HEAD~3..HEAD~1"], [2, 3]),
        (["HEAD~1.."], [4]),
        (["..HEAD"], []),
        (["--task", "FEAT-2"], [2]),
        (["--task", " FEAT-2 ", "--actor", "claude"], [2]),
        (["--actor", "agent:claude"], [1, 2, 3, 4]),
        (["--since", "@2"], [2, 3, 4]),
        (["--until", "@2"], [1, 2]),
        (["--since", "@2", "--until", "@3"], [2, 3]),
        (["--since", "2001-01-01"], [1, 2, 3, 4]),
        (["--until", "2001-01-01"], []),
    ],
)
def test_ranges_and_filters_choose(four: Tale, argv: list[str], tasks: list[int]) -> None:
    words = [moment_of(four, int(word[1:])) if word.startswith("@") else word for word in argv]
    assert [row["task"] for row in four.told(*words)["findings"]] == [f"FEAT-{number}" for number in tasks]


@pytest.mark.parametrize(
    ("argv", "says"),
    [
        (["--task", "FEAT-9"], "knows a task FEAT-9"),
        (["--actor", "bob"], "is said to be bob's; there are: agent:claude"),
        (["nowhere"], "nowhere names no commit here"),
        (["a...b"], "give A..B"),
        (["--since", "yesterday"], "yesterday is no time"),
        (["--since", "2026-01-02", "--until", "2026-01-01"], "no commit can be in between"),
        (["-n"], "unrecognized arguments"),
        (["main", "side"], "unrecognized arguments"),
    ],
)
def test_a_wrong_call_ends_with_two(four: Tale, argv: list[str], says: str) -> None:
    done = four.guard("simulate", *argv)
    assert done.code == 2
    assert says in done.said


def test_a_range_gives_the_verdict_that_the_whole_history_gives(tale: Tale) -> None:
    tale.begin(build("FEAT-1"), build("FEAT-2", "to_be_tested"), build("FEAT-3"))
    tale.git("branch", "side")
    tale.claim("FEAT-1", when=tale.now()).commit("FEAT-1: claim")
    ours = tale.read()
    tale.git("checkout", "-q", "side")
    tale.by("agent:codex").claim("FEAT-1", when=tale.now()).commit("FEAT-1: claim too")
    tale.git("checkout", "-q", "main")
    tale.write("work.md", ours).commit("Merge side", merges=["side"])
    whole = tale.told()["findings"]
    assert ("CD303", tale.head("side")) in {(row["code"], row["commit"]) for row in whole}
    for start in ("HEAD~2", "HEAD~1", "side", "HEAD"):
        inside_it = set(tale.git("rev-list", f"{start}..HEAD").split())
        assert tale.told(f"{start}..HEAD")["findings"] == [row for row in whole if row["commit"] in inside_it]


def test_two_branches_without_a_common_history_are_ranges_too(four: Tale) -> None:
    four.git("checkout", "-q", "--orphan", "other")
    four.commit("Another start", when=9)
    assert four.told("main..other")["commits"] == 1


def test_times_are_dates_moments_or_spans() -> None:
    assert moment("1970-01-02", 0) == 86400
    assert moment(" 1970-01-02 ", 0, end=True) == 2 * 86400 - 1
    assert moment("1970-01-02T00:00:01+00:00", 0, end=True) == 86401
    assert moment("2d", 3 * 86400) == 86400
    for wrong in ("", "2026-02-30", "7", "99999-01-01"):
        with pytest.raises(UsageError, match="is no time"):
            moment(wrong, 0)


# -- where it is run


@contextmanager
def unwritable(folder: Path) -> Iterator[None]:
    """A folder in which nothing can be made or changed; for root, too, the folder is watched."""
    everything = [folder, *folder.rglob("*")]
    modes = {path: path.lstat().st_mode for path in everything if not path.is_symlink()}
    before = {path: path.lstat().st_mtime_ns for path in everything}
    for path, mode in modes.items():
        path.chmod(stat.S_IMODE(mode) & ~0o222)
    try:
        yield
        assert {path: path.lstat().st_mtime_ns for path in (folder, *folder.rglob("*"))} == before
    finally:
        for path, mode in modes.items():
            path.chmod(stat.S_IMODE(mode))


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_bare_repository_that_cannot_be_written_is_enough(tmp_path: Path, object_format: str) -> None:
    tale = Tale(tmp_path, object_format=object_format)
    tale.begin(build("FEAT-1", "to_be_tested"))
    sins(tale, 1)
    bare = tmp_path / "bare.git"
    run(["git", "clone", "-q", "--bare", "--template=", tale.folder, bare], cwd=tmp_path, home=tale.home)
    with unwritable(bare):
        done = inside(["simulate", "--json", "-q"], cwd=bare, home=tale.home)
    assert done.code == 1
    assert [row["code"] for row in done.json["data"]["findings"]] == ["CD213"]


@pytest.mark.parametrize("name", [None, "main", "HEAD", "refs/heads/main", "HEAD~1"])
def test_a_repository_of_somebody_else_is_read_as_far_as_refs_go(four: Tale, name: str | None) -> None:
    argv = ["simulate", *([name] if name else [])]
    done = inside(argv, cwd=four.folder, home=four.home, env={"GIT_TEST_ASSUME_DIFFERENT_OWNER": "1"})
    assert done.code == (2 if name == "HEAD~1" else 1), done.said


def test_a_commit_without_a_time_has_nothing_ahead_of_it(four: Tale) -> None:
    four.by("human:davide").reject("FEAT-1").git("add", "-A")
    who = {"GIT_AUTHOR_NAME": "D", "GIT_AUTHOR_EMAIL": "d", "GIT_COMMITTER_NAME": "D", "GIT_COMMITTER_EMAIL": "d"}
    dates = {"GIT_AUTHOR_DATE": "@0 +0000", "GIT_COMMITTER_DATE": "@0 +0000"}
    four.git("commit", "-q", "-m", "FEAT-1: reject", env={**who, **dates})
    assert [code for code, _, subject in four.found("HEAD~1..HEAD")] == ["CD201"]


def test_nothing_is_written_into_a_clone(four: Tale) -> None:
    with unwritable(four.folder):
        assert four.guard("simulate").code == 1
    assert four.git("status", "--porcelain") == ""


def shallow(tale: Tale, depth: int) -> Path:
    folder = tale.folder.parent / f"shallow-{depth}"
    run(
        ["git", "clone", "-q", "--template=", f"--depth={depth}", f"file://{tale.folder}", folder],
        cwd=tale.home,
        home=tale.home,
    )
    return folder


def test_a_shallow_clone_cannot_tell_what_is_cut_off(four: Tale) -> None:
    folder = shallow(four, 3)
    done = inside(["simulate", "--json"], cwd=folder, home=four.home)
    assert done.code == 3
    assert "cannot tell" in done.json["error"]
    assert done.json["next"] == ["git fetch --unshallow"]
    whole = inside(["simulate", "--json", "HEAD~2..HEAD"], cwd=folder, home=four.home).json
    assert [row["task"] for row in whole["data"]["findings"]] == ["FEAT-3", "FEAT-4"]
    young = inside(["simulate", "--json", "--since", moment_of(four, 3)], cwd=folder, home=four.home).json
    assert [row["task"] for row in young["data"]["findings"]] == ["FEAT-3", "FEAT-4"]
    old = inside(["simulate", "--json", "--until", moment_of(four, 1)], cwd=folder, home=four.home)
    assert old.code in {0, 2}


def test_a_merge_in_a_shallow_clone_cannot_be_told(four: Tale) -> None:
    four.git("branch", "side", "HEAD~1")
    four.git("checkout", "-q", "side")
    four.write("b", "b\n").commit("Side", when=5)
    four.git("checkout", "-q", "main")
    four.write("b", "b\n").commit("Merge", merges=["side"], when=6)
    folder = shallow(four, 2)
    done = inside(["simulate", "--since", four.git("log", "-1", "--format=%cI")], cwd=folder, home=four.home)
    assert done.code == 3
    assert "a merge of sides that are cut off" in done.said


def test_a_commit_whose_objects_are_gone_is_not_judged_and_the_others_are(four: Tale) -> None:
    blob = four.git("rev-parse", "HEAD~1:work.md")
    os.remove(four.folder / ".git" / "objects" / blob[:2] / blob[2:])  # noqa: PTH107 - it is read-only
    done = four.guard("simulate", "--json")
    answer = done.json
    assert done.code == 1
    assert [row["task"] for row in answer["data"]["findings"]] == ["FEAT-1", "FEAT-2"]
    assert [gap["commit"] for gap in answer["data"]["not_judged"]] == [four.head("HEAD~1"), four.head()]
    assert four.guard("simulate", "HEAD~1..HEAD").code == 3
    text = four.guard("simulate").text
    assert "not judged: 2 commits" in text
    assert "clone again without --filter" in text


def test_more_than_a_screen_can_hold_is_counted(tale: Tale) -> None:
    many = [build(f"FEAT-{number}", "to_be_tested", f"agent:a{number}") for number in range(25)]
    tale.begin(*many)
    for number in range(25):
        tale.by(f"agent:a{number}").close(f"FEAT-{number}")
    tale.commit("All done", when=1)
    text = tale.guard("simulate").text
    assert "  and more, all of them: --json" in text
    assert len(tale.told()["actors"]) == 25
    assert str(STARTED.year) in text
