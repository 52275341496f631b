"""Lines of sh in somebody else's hook: where they go, what they do to input and exit codes, and how they come out."""

import subprocess
from pathlib import Path

import pytest

from codifica_guard.install import lines, shim
from tests.unit.install.places import Git, write_hook


@pytest.mark.parametrize("name", shim.CLIENT)
@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"#!/bin/sh\n",
        b"#!/bin/sh\n# a comment\n\necho one\n",
        b"echo no newline at the end",
        b"#!/usr/bin/env bash\nset -eu\nexit 0\n# behind\n",
        b'#!/bin/sh\nif x; then\n  exec y\nfi\nexec z "$@"\n\n',
        b'#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\nnpm test\n',
        b"#!/bin/sh\r\necho crlf\r\n",
    ],
)
def test_what_is_put_in_comes_out_again_and_every_other_byte_stays(name: str, data: bytes) -> None:
    assert not lines.is_called(data, name)
    made = lines.added(data, name)
    assert lines.is_called(made, name)
    rest = lines.taken(made, name)
    assert rest in {data, data + b"\n"}
    assert lines.taken(data, name) is None


def test_lines_go_in_front_where_there_is_input_and_behind_elsewhere() -> None:
    data = b"#!/bin/sh\n# ours\necho one\n"
    assert lines.added(data, "pre-push") == b"#!/bin/sh\n# ours\n" + lines.block("pre-push") + b"echo one\n"
    assert lines.added(data, "commit-msg") == data + lines.block("commit-msg")
    old = b'#!/usr/bin/env sh\n. "$(dirname -- "$0")/_/husky.sh"\n\nnpm test\n'
    assert lines.added(old, "pre-push").startswith(old[:-10] + lines.block("pre-push"))
    ending = b"#!/bin/sh\none\nexec two\n# behind\n"
    assert (
        lines.added(ending, "commit-msg") == b"#!/bin/sh\none\n" + lines.block("commit-msg") + b"exec two\n# behind\n"
    )


@pytest.mark.parametrize("name", shim.CLIENT)
@pytest.mark.parametrize("sh", [["sh", "-e"], ["dash", "-eu"], ["bash", "-euo", "pipefail"], ["bash", "--posix"]])
@pytest.mark.parametrize("data", [b"", b"one\n", b"refs/heads/$(id) 1 `id` \\0\ntwo  \n"])
def test_the_other_lines_get_the_same_input_and_the_refusal_counts(
    name: str, sh: list[str], data: bytes, clone: Path, git: Git
) -> None:
    script = clone / "hook"
    script.write_bytes(lines.added(b'#!/bin/sh\ncat >theirs; echo "$1" >>ran\n', name))

    def run() -> int:
        return subprocess.run([*sh, str(script), "a b"], cwd=clone, input=data, check=False).returncode

    assert run() == 0  # nothing of the guard is here
    assert (clone / "theirs").read_bytes() == data
    (clone / ".git" / "codifica-guard" / "hooks").mkdir(parents=True)
    write_hook(clone / ".git" / "codifica-guard" / "hooks" / name, 'cat >ours; echo "ours $1" >>ran; exit 3')
    (clone / "ran").unlink()
    assert run() == (3 if name in shim.REFUSING else 0)
    first_refuses = name in shim.WITH_INPUT and name in shim.REFUSING
    ran = (clone / "ran").read_text().splitlines()
    assert sorted(ran) == sorted(["ours a b", *([] if first_refuses else ["a b"])])
    if name in shim.WITH_INPUT:
        assert (clone / "ours").read_bytes().strip(b"\n") == data.strip(b"\n")
        assert first_refuses or (clone / "theirs").read_bytes() == data
    del git


@pytest.mark.parametrize(
    ("first", "fits"),
    [
        (b"#!/bin/sh", True),
        (b"#!/usr/bin/env bash", True),
        (b"#! /bin/dash -e", True),
        (b"#!/bin/busybox sh", True),
        (b"echo text", True),
        (b"", True),
        (b"#!/usr/bin/python3", False),
        (b"#!/usr/bin/env node", False),
        (b"#!/usr/bin/env", False),
        (b"\x7fELF\0", False),
    ],
)
def test_only_scripts_of_a_shell_are_written_into(first: bytes, fits: bool) -> None:  # noqa: FBT001 - a table
    assert lines.is_sh(first + b"\nx\n") is fits


def test_a_hook_of_ours_alone_is_empty_without_our_lines() -> None:
    rest = lines.taken(lines.alone("pre-push"), "pre-push")
    assert rest is not None
    assert lines.is_empty(rest)
    assert not lines.is_empty(b"#!/bin/sh\nx\n")
