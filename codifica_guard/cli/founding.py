"""What `init` writes: the policy, who signs, how state documents are kept, and a first task list where there is none."""

import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from codifica_guard.cli.signer_lines import signer_line
from codifica_guard.cli.spec_page import SPEC, WORK
from codifica_guard.clone.desk import Desk
from codifica_guard.engine.world import state_files
from codifica_guard.errors import LimitExceeded
from codifica_guard.git.changes import entry_at, look_alikes
from codifica_guard.identity.keys import PublicKey
from codifica_guard.limits import DOCUMENT_BYTES
from codifica_guard.model.commit import Entry
from codifica_guard.model.document import Fault
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId, Principal, RepoPath, TaskId, show_path
from codifica_guard.model.policy import CODIFICA_FILE, GUARD_FILE, REVOKED_FILE, SIGNERS_FILE, CodificaConfig, Policy
from codifica_guard.packs.all import REGISTRY
from codifica_guard.policy.defaults import minimal_codifica, new_guard, new_repository_id
from codifica_guard.policy.load import PolicyFiles, load_policy
from codifica_guard.report.escape import escape
from codifica_guard.rules.snapshot import EMPTY, Snapshot
from codifica_guard.state.yaml import read_block
from codifica_guard.verbs.own_commit import file_at, tree_of
from codifica_guard.verbs.stopped import Stopped

ATTRIBUTES_FILE: Final = RepoPath(b".gitattributes")
WORK_FILE: Final = RepoPath(b"work.md")
SPEC_FILE: Final = RepoPath(b"codifica-spec.md")
_SPECIAL: Final = frozenset('!{}[]()+@|\\"#\t ')
"""Characters that mean something else in `.gitattributes` than in `codifica.json`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Founding:
    """What an introduction is to hold.

    Attributes:
        files: path to bytes.
        policy: the policy that they make.
        state: the state documents as they stand now.
        attributes: lines that are new in `.gitattributes`.
        notes: what could not be written, for people.
    """

    files: Mapping[RepoPath, bytes]
    policy: Policy
    codifica: CodificaConfig
    state: Snapshot = field(repr=False)
    attributes: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()


def found(
    desk: Desk, head: ObjectId | None, maintainer: Principal, signers: Mapping[Principal, PublicKey], **choices: Any
) -> Founding:
    """All that is to be written on top of a commit; nothing is written yet.

    Args:
        desk: the clone.
        head: the commit; None on an unborn branch.
        maintainer: the first maintainer.
        signers: whose key is whose, in the order of the lines.
        **choices: keys of `guard.json` that are to differ from the defaults.

    Raises:
        Stopped: something is in the way, or the policy would not be taken.
    """
    _check_free(desk, head)
    files: dict[RepoPath, bytes] = {
        GUARD_FILE: as_json(new_guard(new_repository_id(), maintainer, **choices)),
        SIGNERS_FILE: "".join(f"{signer_line(name, key)}\n" for name, key in signers.items()).encode("ascii"),
        REVOKED_FILE: b"",
    }
    codifica = file_at(desk, head, CODIFICA_FILE)
    if codifica is None:
        codifica = files[CODIFICA_FILE] = as_json(minimal_codifica())
        first = {WORK_FILE: WORK, SPEC_FILE: SPEC}
        files |= {path: text.encode("ascii") for path, text in first.items() if file_at(desk, head, path) is None}
    policy, config = _policy(files, codifica)
    tree = tree_of(desk, head)
    state = desk.world.snapshot(tree, state_files((policy,))) if tree is not None else EMPTY
    lines, notes = _attributes(desk, config, state)
    old = file_at(desk, head, ATTRIBUTES_FILE) or b""
    new = tuple(line for line in lines if line.encode() not in old.split(b"\n"))
    if new:
        files[ATTRIBUTES_FILE] = _ended(old) + "".join(f"{line}\n" for line in new).encode()
    for path in files:
        _check_alone(desk, tree, path)
    return Founding(files=files, policy=policy, codifica=config, state=state, attributes=new, notes=tuple(notes))


def as_json(value: dict[str, Any]) -> bytes:
    """A JSON document as people like to read it."""
    return (json.dumps(value, indent=2, ensure_ascii=False) + "\n").encode()


def unreadable(founding: Founding) -> Iterator[Finding]:
    """What in the state documents cannot be read as it stands: warnings, with their lines."""
    for path, document in founding.state.documents.items():
        if not document.splittable and not document.faults:
            yield _warning(
                path, Fault(code="ST106", line=1, found="is no regular file, so no task is read from it"), None
            )
        for fault in document.faults:
            yield _warning(path, fault, fault.line)
        for block in document.blocks:
            read = read_block(block.raw)
            if isinstance(read, Fault):
                yield _warning(path, read, block.line + read.line - 1, block.id)


def _warning(path: RepoPath, fault: Fault, line: int | None, task: TaskId | None = None) -> Finding:
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


def _check_free(desk: Desk, head: ObjectId | None) -> None:
    tree = tree_of(desk, head)
    folder = entry_at(desk.world.store, tree, b".codifica") if tree is not None else None
    if folder is not None and (file := next((p for p in (SIGNERS_FILE, REVOKED_FILE) if _holds(desk, tree, p)), None)):
        raise Stopped(
            f"{show_path(file)} is there already, without a policy beside it: git rm it in a commit of its own"
        )
    if folder is not None and folder.is_file:
        raise Stopped(
            ".codifica is a file in this repository, and has to be a folder: git mv it in a commit of its own"
        )


def _check_alone(desk: Desk, tree: ObjectId | None, path: RepoPath) -> None:
    """Nothing where no other path takes the place of this one on file systems that ignore case."""
    twins = look_alikes(desk.world.store, tree, path) if tree is not None else ()
    if twins:
        raise Stopped(
            f"{escape(show_path(twins[0]))} is the same as {show_path(path)} for many file systems: git mv it first"
        )


def _holds(desk: Desk, tree: ObjectId | None, path: RepoPath) -> bool:
    return tree is not None and entry_at(desk.world.store, tree, path) is not None


def _policy(files: Mapping[RepoPath, bytes], codifica: bytes) -> tuple[Policy, CodificaConfig]:
    policy = load_policy(
        PolicyFiles(
            guard=files[GUARD_FILE],
            codifica=codifica,
            signers=files[SIGNERS_FILE],
            revoked=files[REVOKED_FILE],
            ids=(None,) * 4,
        )
    )
    if policy is None or policy.codifica is None or any(fault.fatal for fault in policy.faults):
        faults = policy.faults if policy is not None else ()
        raise Stopped(
            "\n".join(
                escape(f"{f.code} {show_path(f.path)}{f':{f.line}' if f.line else ''}: {f.found}", 400)
                for f in faults
                if f.fatal
            )
        )
    return policy, policy.codifica


def _attributes(desk: Desk, config: CodificaConfig, state: Snapshot) -> tuple[list[str], list[str]]:
    """Lines of `.gitattributes` that keep the line ends of state documents, and what has none."""
    lines, notes = [], []
    flipped = [path for path, entry in state.entries.items() if _flipped(desk, entry)]
    for pattern in config.state.patterns:
        if _SPECIAL & set(pattern) or not pattern.isascii():
            notes.append(
                f"{ATTRIBUTES_FILE.decode()}: no line for {escape(pattern)}, write one by hand: PATTERN text eol=lf"
            )
        elif flipped:
            notes.append(
                f"{escape(show_path(flipped[0]))} has CRLF line ends, so {ATTRIBUTES_FILE.decode()} has no line for {pattern}"
            )
        else:
            lines.append(f"{pattern if '/' in pattern else f'/{pattern}'} text eol=lf")
    return lines, notes


def _flipped(desk: Desk, entry: Entry) -> bool:
    """Whether a document has CRLF line ends, so that Git would call it changed if it were told to keep LF."""
    try:
        return entry.is_file and b"\r\n" in desk.world.store.blob(entry.id, DOCUMENT_BYTES)
    except LimitExceeded:
        return False


def _ended(data: bytes) -> bytes:
    return data + b"\n" if data and not data.endswith(b"\n") else data
