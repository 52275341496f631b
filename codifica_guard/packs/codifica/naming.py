"""How branches are named: by `rules.branch_pattern`, for the task that is worked on."""

import re
from collections.abc import Iterator
from typing import Final

from codifica_guard.errors import PolicyError
from codifica_guard.model.document import Task
from codifica_guard.model.ids import TASK_ID, TaskId
from codifica_guard.model.policy import CodificaConfig
from codifica_guard.packs.codifica.vocabulary import types
from codifica_guard.policy.globs import compile_globs, filled
from codifica_guard.rules.snapshot import Snapshot

_SLUG: Final = 40
_LONGEST: Final = 255
_CANDIDATES: Final = 20


def branch_of(task: Task, config: CodificaConfig) -> str:
    """The name of a task's branch, without refs/heads/; of a-z, 0-9 and `. _ - /` only, so that it is one word of any shell."""
    parts = {
        "type": _plain(task.type or "task"),
        "id": _plain(task.id, keep=True),
        "slug": slug(task.text("title") or ""),
    }
    name = re.sub(r"\{(\w+)\}", lambda m: parts.get(m[1], m[0]), config.branch_pattern)
    plain = re.sub(r"\.{2,}", ".", re.sub(r"[^A-Za-z0-9._/-]+", "-", name))
    rows = (re.sub(r"(\.lock)+$", "", row.strip(".-")) for row in plain.split("/"))
    return "/".join(row for row in rows if row) or "work"


def slug(title: str) -> str:
    """A title as a part of a name: `Password reset!` is `password-reset`; cut at whole words."""
    words = re.findall(r"[a-z0-9]+", title.lower())
    name = ""
    for part in words:
        if name and len(name) + 1 + len(part) > _SLUG:
            break
        name = f"{name}-{part}" if name else part[:_SLUG]
    return name or "work"


def fits(name: str, boards: tuple[Snapshot, ...], config: CodificaConfig) -> bool:
    """Whether a branch is named as `branch_pattern` says.

    `{type}` and `{id}` are those of one task, `{slug}` is anything without a `/`, and the rest is a glob. A name that the verbs
    propose always fits, and any name does where the pattern cannot be taken.

    Args:
        name: the branch, without refs/heads/.
        boards: the states whose tasks count.
        config: the settings.
    """
    if len(name) > _LONGEST:
        return False
    if "{id}" not in config.branch_pattern:
        return _matches(name, config, kinds=types(config))
    for task in named(name, boards):
        kinds = (_plain(task.type),) if task.type else types(config)
        if name == branch_of(task, config) or _matches(name, config, ident=_plain(task.id, keep=True), kinds=kinds):
            return True
    return False


def named(name: str, boards: tuple[Snapshot, ...]) -> Iterator[Task]:
    """The tasks whose ids stand in a name, the longest ids first; of one that cannot be read only the id is known."""
    found = {ident: board for board in reversed(boards) for ident in board.records if _in_names(ident) in name}
    for ident in sorted(found, key=lambda i: (-len(i), i))[:_CANDIDATES]:
        yield found[ident].task(ident) or Task(data={"id": ident})


def _in_names(ident: TaskId) -> str:
    return ident if TASK_ID.fullmatch(ident) else _plain(ident, keep=True)


def _matches(name: str, config: CodificaConfig, *, kinds: tuple[str, ...], ident: str = "") -> bool:
    try:
        globs = compile_globs([filled(config.branch_pattern, kinds=kinds, ident=ident)])
    except PolicyError:
        return True  # the maintainer is told of such a pattern; nobody else can mend it
    return globs.match(name.encode("utf-8", "surrogateescape"))


def _plain(text: str, *, keep: bool = False) -> str:
    return re.sub(r"[^A-Za-z0-9._-]+", "-", text if keep else text.lower()).strip("-.") or "task"
