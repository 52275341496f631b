"""What stands in a repository that has no policy yet: its protocol, its tasks, and what of them cannot be read."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Final

from codifica_guard.cli.spec_page import SPEC, WORK
from codifica_guard.clone.desk import Desk
from codifica_guard.engine.world import state_files
from codifica_guard.git.changes import entry_at
from codifica_guard.model.document import Fault
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId, show_path
from codifica_guard.model.policy import CODIFICA_FILE, REVOKED_FILE, SIGNERS_FILE, CodificaConfig, Policy
from codifica_guard.packs.all import REGISTRY
from codifica_guard.policy.defaults import minimal_codifica, new_guard
from codifica_guard.policy.load import PolicyFiles, load_policy
from codifica_guard.report.plain import plain
from codifica_guard.rules.snapshot import EMPTY, Snapshot
from codifica_guard.state.quotes import Quote, find_quotes
from codifica_guard.state.yaml import read_block
from codifica_guard.verbs.own_commit import file_at, tree_of
from codifica_guard.verbs.stopped import Stopped

WORK_FILE: Final = RepoPath(b"work.md")
SPEC_FILE: Final = RepoPath(b"codifica-spec.md")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mend:
    """A task that can be read as soon as some of its lines are in quotes."""

    path: RepoPath
    task: TaskId
    quotes: tuple[Quote, ...]


@dataclass(frozen=True, kw_only=True)
class Survey:
    """A repository before the guard.

    Attributes:
        head: the commit that was looked at; None on an unborn branch.
        tree: its tree.
        codifica: the bytes of `codifica.json`: those in the commit, else those of a small new one.
        config: what they say.
        first: path to bytes of what a repository without a protocol gets.
        state: the state documents.
    """

    head: ObjectId | None
    tree: ObjectId | None
    codifica: bytes
    config: CodificaConfig
    first: Mapping[RepoPath, bytes]
    state: Snapshot = field(repr=False)

    @property
    def headline(self) -> str:
        """The protocol and the number of tasks, in one line."""
        tasks = sum(len(document.blocks) for document in self.state.documents.values())
        patterns = plain(", ".join(self.config.state.patterns))
        count = f"{tasks} task{'' if tasks == 1 else 's'}"
        return f"Codifica {self.config.version}: codifica.json, {patterns}, {count}. No policy yet."

    @cached_property
    def unreadable(self) -> tuple[Finding, ...]:
        """What in the state documents cannot be read as it stands: warnings, with their lines."""
        return tuple(_unreadable(self.state))

    @cached_property
    def mends(self) -> tuple[Mend, ...]:
        """The tasks that quotes make readable."""
        return tuple(
            Mend(path=path, task=block.id, quotes=quotes)
            for path, document in self.state.documents.items()
            for block in document.blocks
            if (quotes := find_quotes(block))
        )


def survey(desk: Desk, head: ObjectId | None) -> Survey:
    """Look at a commit; nothing is written.

    Raises:
        Stopped: something is in the way of a policy, or `codifica.json` cannot be taken.
    """
    tree = tree_of(desk, head)
    _check_free(desk, tree)
    codifica = file_at(desk, head, CODIFICA_FILE)
    first: dict[RepoPath, bytes] = {}
    if codifica is None:
        codifica = first[CODIFICA_FILE] = as_json(minimal_codifica())
        pages = {WORK_FILE: WORK, SPEC_FILE: SPEC}
        first |= {path: text.encode("ascii") for path, text in pages.items() if file_at(desk, head, path) is None}
    policy, config = _protocol(codifica)
    state = desk.world.snapshot(tree, state_files((policy,))) if tree is not None else EMPTY
    return Survey(head=head, tree=tree, codifica=codifica, config=config, first=first, state=state)


def as_json(value: dict[str, Any]) -> bytes:
    """A JSON document as people like to read it."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def take(policy: Policy | None, *paths: RepoPath) -> tuple[Policy, CodificaConfig]:
    """A policy that can be taken as it is.

    Args:
        policy: the policy.
        *paths: the files that count; none: all.

    Raises:
        Stopped: it cannot; the text says why.
    """
    faults = policy.faults if policy is not None else ()
    fatal = [fault for fault in faults if fault.fatal and (not paths or fault.path in paths)]
    if policy is None or policy.codifica is None or fatal:
        lines = (f"{f.code} {show_path(f.path)}{f':{f.line}' if f.line else ''}: {f.found}" for f in fatal)
        raise Stopped("\n".join(plain(line, 400) for line in lines))
    return policy, policy.codifica


def _protocol(codifica: bytes) -> tuple[Policy, CodificaConfig]:
    """`codifica.json`, read beside a policy that says nothing yet."""
    guard = as_json(new_guard("0" * 32, "human:nobody"))
    files = PolicyFiles(guard=guard, codifica=codifica, signers=None, revoked=None, ids=(None,) * 4)
    return take(load_policy(files), CODIFICA_FILE)


def _check_free(desk: Desk, tree: ObjectId | None) -> None:
    if tree is None:
        return
    folder = entry_at(desk.world.store, tree, b".codifica")
    if folder is None:
        return
    for path in (SIGNERS_FILE, REVOKED_FILE):
        if entry_at(desk.world.store, tree, path) is not None:
            raise Stopped(
                f"{show_path(path)} is there already, without a policy beside it: git rm it in a commit of its own"
            )
    if folder.is_file:
        raise Stopped(
            ".codifica is a file in this repository, and has to be a folder: git mv it in a commit of its own"
        )


def _unreadable(state: Snapshot) -> Iterator[Finding]:
    for path, document in state.documents.items():
        if not document.splittable and not document.faults:
            yield warning(
                path, Fault(code="ST106", line=1, found="is no regular file, so no task is read from it"), None
            )
        for fault in document.faults:
            yield warning(path, fault, fault.line)
        for block in document.blocks:
            read = read_block(block.raw)
            if isinstance(read, Fault):
                yield warning(path, read, block.line + read.line - 1, block.id)


def warning(path: RepoPath, fault: Fault, line: int | None, task: TaskId | None = None) -> Finding:
    """A fault of a document as a warning about a line of it."""
    return Finding(
        code=fault.code,
        name=REGISTRY.find(fault.code).name,
        severity=Severity.WARNING,
        found=fault.found,
        expected=fault.expected,
        do=(fault.do,) if fault.do else (),
        path=path,
        line=line,
        column=fault.column,
        task=task,
    )
