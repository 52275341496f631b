"""The merge driver in a clone's config, which `.gitattributes` names for the state documents."""

from collections.abc import Iterator
from typing import Final

from codifica_guard.install import shim
from codifica_guard.install.plan import Action, Step, set_value, unset_value
from codifica_guard.install.repository import Repository

NAME: Final = "codifica"
"""What `.gitattributes` calls it: `work.md merge=codifica`."""

TITLE: Final = "codifica-guard: tasks merged by meaning"
_NAME_KEY: Final = f"merge.{NAME}.name"
DRIVER_KEY: Final = f"merge.{NAME}.driver"
_CALL: Final = " -I -m codifica_guard merge-driver %O %A %B %L %P"
_TEST: Final = "if test -x "
_LINES: Final = "; else git merge-file --marker-size=%L %A %O %B; fi"
"""Without the interpreter Git's own merge of lines: Git would take what a failed driver left, our side, for the answer."""


def command(python: str) -> str:
    """What Git runs, through sh; a percent sign in the interpreter's path is none of Git's placeholders."""
    quoted = shim.quoted(python).replace("%", "%%")
    return f"{_TEST}{quoted}; then {quoted}{_CALL}{_LINES}"


def set_driver(repository: Repository, python: str) -> Iterator[Step]:
    """Steps that set it, unless there is one of this name that is not ours."""
    if not is_ours(repository) and repository.own(DRIVER_KEY) is not None:
        note = f"there is another merge driver {NAME}, not ours: git config --unset {DRIVER_KEY}, then install again"
        yield Step(action=Action.LEAVE, subject=DRIVER_KEY, note=note)
        return
    yield from set_value(repository, _NAME_KEY, TITLE)
    yield from set_value(repository, DRIVER_KEY, command(python), "state documents are merged task by task")


def unset_driver(repository: Repository) -> Iterator[Step]:
    """Steps that take it back, if it is ours."""
    if is_ours(repository):
        yield from unset_value(repository, DRIVER_KEY)
    if repository.own(_NAME_KEY) == TITLE:
        yield from unset_value(repository, _NAME_KEY)


def is_ours(repository: Repository) -> bool:
    """Whether the driver that is set calls the guard."""
    return _CALL.split(" %")[0] in (repository.own(DRIVER_KEY) or "")


def interpreter_of(repository: Repository) -> str | None:
    """The interpreter that the driver starts; None where it is not as we write it."""
    before, found, after = (repository.own(DRIVER_KEY) or "").partition(_CALL)
    test, then, quoted = before.partition("; then ")
    if not found or not then or after != _LINES or test != _TEST + quoted:
        return None
    return quoted[1:-1].replace("'\\''", "'").replace("%%", "%")
