import os
import re
import subprocess
import sys
import tomllib
from pathlib import Path

import pytest

from codifica_guard.errors import GuardError, UsageError
from codifica_guard.install import shim
from codifica_guard.install.shim import Whose

ROOT = Path(shim.__file__).parents[2]
ALL = (*shim.SERVER, *shim.CLIENT)


@pytest.mark.parametrize("name", ALL)
def test_a_shim_is_a_short_script_of_sh_and_knows_its_own_name(name: str) -> None:
    data = shim.source(name)
    assert data.startswith(b"#!/bin/sh\n")
    assert data.count(b"\n") <= (15 if name in shim.SERVER else 21)
    assert shim.version_of(data, name) == 1
    assert data.count(b"@PYTHON@") == 1
    assert re.search(rf"hook {name}[ ;]".encode(), data)
    assert f"{name}{shim.KEPT}".encode() in data


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("sh", ["sh", "dash", "bash"])
def test_a_rendered_shim_is_proper_sh(name: str, sh: str, tmp_path: Path) -> None:
    path = tmp_path / name
    path.write_bytes(shim.render(name, '/a b/it\'s/$(date)`id`\\/"x"/python'))
    subprocess.run([sh, "-n", str(path)], check=True)


def test_the_wheel_packs_the_shims_where_the_package_looks_first(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())
    packed = project["tool"]["hatch"]["build"]["targets"]["wheel"]["force-include"]
    assert packed["hooks"] == "codifica_guard/install/shims"
    assert sorted(p.name for p in (ROOT / "hooks").iterdir()) == sorted(ALL)
    package = tmp_path / "site-packages/codifica_guard/install"
    (package / "shims").mkdir(parents=True)
    (package / "shims" / "pre-receive").write_bytes(b"from the wheel")
    monkeypatch.setattr(shim, "__file__", str(package / "shim.py"))
    assert shim.source("pre-receive") == b"from the wheel"
    with pytest.raises(GuardError, match="incomplete: the shim pre-push is missing"):
        shim.source("pre-push")


@pytest.mark.parametrize(
    "path", ["/usr/bin/python3", "/it's/'quoted'/python", "/a\nb/python", "/\udcff\N{SNOWMAN}/python", "/$x/`y`/\\n"]
)
def test_any_interpreters_path_is_quoted_so_that_it_is_read_back_and_sh_sees_one_word(path: str) -> None:
    data = shim.render("commit-msg", path)
    assert shim.interpreter_of(data) == path
    line = re.search(rb"^guard_python='(?:[^']|'\\'')*'$", data, re.MULTILINE)
    assert line is not None
    done = subprocess.run(["sh", "-c", line[0] + b'\nprintf %s "$guard_python"'], capture_output=True, check=True)
    assert os.fsdecode(done.stdout) == path


@pytest.mark.parametrize("path", ["python3", "", "bin/python", "/a\0b"])
def test_an_interpreter_without_an_absolute_path_is_refused(path: str) -> None:
    with pytest.raises(UsageError, match="absolute"):
        shim.render("pre-receive", path)


def test_a_file_that_starts_no_interpreter_names_none() -> None:
    assert shim.interpreter_of(shim.render("post-receive", "/x")) == "/x"
    assert shim.interpreter_of(b"#!/bin/sh\nexit 0\n") is None


def test_the_interpreter_is_named_through_the_link_that_an_upgrade_flips(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    version = tmp_path / "0.1.0"
    (version / "bin").mkdir(parents=True)
    monkeypatch.setattr(sys, "prefix", str(version))
    monkeypatch.setattr(sys, "executable", str(version / "bin" / "python3"))
    assert shim.interpreter() == str(version / "bin" / "python3")
    (tmp_path / "current").symlink_to("0.0.9")
    assert shim.interpreter() == str(version / "bin" / "python3")
    (tmp_path / "current").unlink()
    (tmp_path / "current").symlink_to("0.1.0")
    assert shim.interpreter() == str(tmp_path / "current" / "bin" / "python3")
    monkeypatch.setattr(sys, "prefix", str(tmp_path / "current"))
    monkeypatch.setattr(sys, "executable", str(tmp_path / "current" / "bin" / "python3"))
    assert shim.interpreter() == str(tmp_path / "current" / "bin" / "python3")


def test_our_files_are_told_from_others_by_the_marker_and_nothing_else(tmp_path: Path) -> None:
    path = tmp_path / "pre-receive"
    assert shim.look(path, "pre-receive").whose is Whose.NOBODY
    ours = shim.render("pre-receive", "/x/python")
    path.write_bytes(ours)
    found = shim.look(path, "pre-receive")
    assert (found.whose, found.data, found.executable, found.version) == (Whose.OURS, ours, False, 1)
    path.chmod(0o755)
    assert shim.look(path, "pre-receive").executable
    for foreign in (
        b"",
        b"#!/bin/sh\nexec codifica-guard\n",
        b"# codifica-guard shim 1: pre-receive.\n",
        b"#!/bin/sh\n\n" + ours.split(b"\n", 1)[1],
        shim.render("post-receive", "/x"),
        ours + b"#" * 70_000,
    ):
        path.write_bytes(foreign)
        assert shim.look(path, "pre-receive").whose is Whose.FOREIGN, foreign[:60]


def test_a_link_is_somebody_elses_even_if_it_points_at_a_shim_or_nowhere(tmp_path: Path) -> None:
    target = tmp_path / "target"
    target.write_bytes(shim.render("pre-push", "/x"))
    (tmp_path / "pre-push").symlink_to(target)
    assert shim.look(tmp_path / "pre-push", "pre-push").whose is Whose.FOREIGN
    target.unlink()
    assert shim.look(tmp_path / "pre-push", "pre-push") == shim.Found(whose=Whose.FOREIGN)


def test_a_place_that_cannot_be_read_is_an_error_of_ours(tmp_path: Path) -> None:
    (tmp_path / "pre-push").mkdir()
    with pytest.raises(GuardError, match="cannot be read"):
        shim.look(tmp_path / "pre-push", "pre-push")
