"""A `git` of a test's own on the PATH, so that something happens at just the moment that the test is about."""

import os
import shutil
from pathlib import Path
from typing import Final, Literal

_BEFORE: Final = """#!/bin/sh
case " $* " in *" push "*)
    if mkdir {once} 2>/dev/null; then ( {act} ) >/dev/null 2>&1; fi ;;
esac
exec {git} "$@"
"""

_AFTER: Final = """#!/bin/sh
case " $* " in *" push "*)
    {git} "$@" >/dev/null 2>&1
    {act}
    exit 128 ;;
esac
exec {git} "$@"
"""


def git_wrapper(folder: Path, when: Literal["before the first push", "after a push"], act: str) -> dict[str, str]:
    """The environment in which `git` is one that runs a line of shell before the first push, or instead of telling its end.

    Args:
        folder: an empty folder to use.
        when: when it runs.
        act: the line of shell.
    """
    folder.mkdir(parents=True)
    real = shutil.which("git")
    assert real is not None
    text = _BEFORE if when == "before the first push" else _AFTER
    script = folder / "git"
    script.write_text(text.format(git=real, act=act, once=folder / "once"))
    script.chmod(0o755)
    return {"PATH": f"{folder}:{os.environ['PATH']}"}
