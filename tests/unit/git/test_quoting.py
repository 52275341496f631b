import subprocess
from pathlib import Path

import pytest

from codifica_guard.errors import RepositoryError
from codifica_guard.git.quoting import c_unquote, split_path_list
from codifica_guard.identity.payload import quote
from tests.unit.git.plain import Plain


def test_what_git_quotes_is_read_back(tmp_path: Path) -> None:
    repo = Plain(tmp_path / "r")
    name = b'a"b\\c\td\ne\xc3\xa9\x01\x7f'
    (repo.path / name.decode()).write_text("x")
    repo.git("add", "-A")
    assert c_unquote(repo.git("ls-files")) == name


def test_every_byte_goes_through_quotes_unchanged() -> None:
    everything = bytes(range(256))
    assert c_unquote(quote(everything)) == everything


def test_the_quoted_form_is_exact() -> None:
    assert quote(b'a b"\\\x07\x08\t\n\x0b\x0c\r\0\x7f\xff~') == rb'"a b\"\\\a\b\t\n\v\f\r\000\177\377~"'
    assert quote(b"") == b'""'


@pytest.mark.parametrize("text", [b"", b"a", b'"a', b'"a"b', rb'"\x"', rb'"\400"', rb'"\1"', b'a"b"', b'"'])
def test_what_is_not_quoted_text_is_refused(text: bytes) -> None:
    with pytest.raises(RepositoryError, match="quoted"):
        c_unquote(text)


@pytest.mark.parametrize(
    ("value", "paths"),
    [
        (b"", ()),
        (b"/a", (b"/a",)),
        (b"/a:/b c", (b"/a", b"/b c")),
        (b"/a::/b:", (b"/a", b"/b")),
        (rb'"/we:ird\"\303\251/objects":/b', (b'/we:ird"\xc3\xa9/objects', b"/b")),
        (rb'/a:"/b"', (b"/a", b"/b")),
        (b'/a"b:/c', (b'/a"b', b"/c")),
    ],
)
def test_a_list_of_paths_is_split_at_its_colons(value: bytes, paths: tuple[bytes, ...]) -> None:
    assert split_path_list(value) == paths


@pytest.mark.parametrize("value", [b'"/a', b'"/a"b', rb'/x:"\q"'])
def test_a_list_that_cannot_be_read_is_refused(value: bytes) -> None:
    with pytest.raises(RepositoryError, match="quoted path"):
        split_path_list(value)


def test_the_list_of_a_real_quarantine_is_read(tmp_path: Path) -> None:
    server = Plain(tmp_path / 'we:ird"é', bare=True)
    hook = server.path / "hooks" / "pre-receive"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text(f"#!/bin/sh\nprintf %s \"$GIT_ALTERNATE_OBJECT_DIRECTORIES\" > '{tmp_path}/seen'\n")
    hook.chmod(0o755)
    client = Plain(tmp_path / "client")
    client.commit()
    subprocess.run(["git", "push", "-q", server.path, "main"], cwd=client.path, env=client.env, check=True)
    assert [Path(path.decode()).resolve() for path in split_path_list((tmp_path / "seen").read_bytes())] == [
        server.path / "objects"
    ]
