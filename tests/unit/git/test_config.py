from pathlib import Path

import pytest

from codifica_guard.errors import RepositoryError, UnknownFormat
from codifica_guard.git.config import Config, check_format, read_config, set_value
from codifica_guard.git.location import at
from tests.unit.git.plain import Plain

TRICKY = """\ufeff# comment
; another
[one] two = three ; after
\tfour="a # b" # c
\tfive = a \\"b\\" \\\\ \\t\\n\\b end   \t
\tsix = first \\
  second
\tseven
\teight =
\tnine = "  kept  "  "x"
[Section "Sub \\"q\\" \\\\ Name"]
\tKey-Name = Value\r
\tkey-name = last
[old.Style]
\tkey = x
[a]b=c
[e "f"]
g = yes
"""


def config_of(repo: Plain, text: str) -> Config:
    (repo.git_dir / "config").write_text(text, newline="")
    return read_config(repo.location)


def test_a_tricky_file_reads_as_git_reads_it(sha1: Plain) -> None:
    config = config_of(sha1, TRICKY)
    keys = [
        "one.two", "one.four", "one.five", "one.six", "one.eight", "one.nine", "a.b", "e.f.g", "OLD.style.KEY",
        'SECTION.Sub "q" \\ Name.KEY-NAME',
    ]  # fmt: skip
    for key in keys:
        by_git = sha1.git("config", "--file", ".git/config", "--get-all", "-z", key).removesuffix(b"\0")
        assert "\0".join(config.get_all(key)).encode() == by_git, key
    assert config.get('section.Sub "q" \\ Name.key-name') == "last"
    assert config.get("one.seven") == ""
    assert config.flag("one.seven", default=False)
    assert config.get("no.such") is None
    assert config.get_all("no.such") == ()


@pytest.mark.parametrize(
    "text",
    ["key = 1", "[a", '[a.b "c"]\nx=1', '[a "b]\nc=1', "[a]\n1x = 2", "[a]\nx y", '[a]\nx = "open', "[a]\nx = \\q",
     "[a]\nx = a\0b", "[a]\nx = y\\", "[a b]\n", "[]\n"],
)  # fmt: skip
def test_what_git_would_not_take_is_refused_with_its_line(sha1: Plain, text: str) -> None:
    with pytest.raises(RepositoryError, match=r"cannot read line [12] of .*config"):
        config_of(sha1, text)


def test_a_file_that_is_not_there_is_refused(sha1: Plain) -> None:
    where = sha1.location
    (sha1.git_dir / "config").unlink()
    with pytest.raises(RepositoryError, match=r"cannot read .*config"):
        read_config(where)


@pytest.mark.parametrize(
    ("value", "meaning"),
    [("true", True), ("YES", True), ("on", True), ("1", True), ("-1", True), ("2k", True), ("false", False), ("no", False),
     ("Off", False), ("0", False), ("", False), ("0m", False)],
)  # fmt: skip
def test_booleans_are_read_as_git_reads_them(value: str, meaning: object) -> None:
    assert Config({"a.b": (value,)}).flag("A.B", default=not meaning) is meaning


def test_a_flag_that_is_absent_is_the_default_and_nonsense_is_refused() -> None:
    assert Config().flag("a.b", default=True)
    with pytest.raises(RepositoryError, match=r"a\.b is no boolean"):
        Config({"a.b": ("maybe",)}).flag("a.b", default=True)


def test_includes_and_the_environment_have_no_say(sha1: Plain, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "more").write_text("[codifica]\n\tpusher = none\n")
    monkeypatch.setenv("GIT_CONFIG_COUNT", "1")
    monkeypatch.setenv("GIT_CONFIG_KEY_0", "codifica.pusher")
    monkeypatch.setenv("GIT_CONFIG_VALUE_0", "none")
    config = config_of(sha1, f"[include]\n\tpath = {tmp_path}/more\n")
    assert config.get("codifica.pusher") is None


def test_a_worktree_has_settings_of_its_own_where_that_is_switched_on(sha1: Plain, tmp_path: Path) -> None:
    sha1.commit()
    sha1.git("worktree", "add", "-q", str(tmp_path / "linked"), "-b", "side")
    linked = at(bytes(sha1.git_dir / "worktrees/linked"), {})
    (sha1.git_dir / "worktrees/linked/config.worktree").write_text("[x]\ny = own\n")
    sha1.git("config", "x.y", "shared")
    assert read_config(linked).get("x.y") == "shared"
    sha1.git("config", "extensions.worktreeConfig", "true")
    assert read_config(linked).get("x.y") == "own"
    assert read_config(sha1.location).get("x.y") == "shared"


def test_the_object_format_is_read(plain: Plain) -> None:
    assert check_format(read_config(plain.location)) == plain.object_format


def test_extensions_that_change_nothing_for_us_are_known() -> None:
    extensions = ("worktreeConfig", "partialClone", "preciousObjects", "noop", "relativeWorktrees")
    entries: dict[str, tuple[str | None, ...]] = {f"extensions.{name.lower()}": ("x",) for name in extensions}
    entries["core.repositoryformatversion"] = ("1",)
    entries["extensions.objectformat"] = ("sha1",)
    entries["extensions.refstorage"] = ("files",)
    assert check_format(Config(entries)) == "sha1"


@pytest.mark.parametrize(
    ("key", "value", "named"),
    [
        ("core.repositoryformatversion", "2", "is 2"),
        ("extensions.refstorage", "reftable", "reftable"),
        ("extensions.compatobjectformat", "sha256", "compatobjectformat"),
        ("extensions.tomorrow", "true", "tomorrow"),
        ("extensions.objectformat", "sha3", "sha3"),
    ],
)
def test_a_format_that_is_not_known_is_named(key: str, value: str, named: str) -> None:
    with pytest.raises(UnknownFormat, match=named):
        check_format(Config({"core.repositoryformatversion": ("1",), key: (value,)}))


def test_a_value_is_set_replaced_and_taken_away(sha1: Plain) -> None:
    sha1.git("config", "--add", "codifica.a b.pusher", "one")
    sha1.git("config", "--add", "codifica.a b.pusher", "two")
    set_value(sha1.location, "codifica.a b.pusher", '-x "y" # z\n')
    assert read_config(sha1.location).get_all("codifica.a b.pusher") == ('-x "y" # z\n',)
    set_value(sha1.location, "codifica.a b.pusher", None)
    set_value(sha1.location, "codifica.a b.pusher", None)
    assert read_config(sha1.location).get("codifica.a b.pusher") is None


@pytest.mark.parametrize(("key", "value"), [("--list", "x"), ("a", "x"), ("a.b", "x\0y"), ("a.1b", "x")])
def test_a_setting_that_cannot_be_is_refused_before_git_runs(sha1: Plain, key: str, value: str) -> None:
    with pytest.raises(RepositoryError, match="no setting"):
        set_value(sha1.location, key, value)


def test_a_file_that_git_cannot_write_is_an_error(sha1: Plain) -> None:
    (sha1.git_dir / "config.lock").write_text("")
    with pytest.raises(RepositoryError, match=r"cannot set a\.b: .*lock"):
        set_value(sha1.location, "a.b", "x")


def test_a_machine_without_git_is_an_error(sha1: Plain, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    where = sha1.location
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(RepositoryError, match="cannot run git"):
        set_value(where, "a.b", "x")
