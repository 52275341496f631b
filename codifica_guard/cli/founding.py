"""What `init` writes: the policy, who signs, how state documents are kept, and the section for agents."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

from codifica_guard.cli.agents_page import PAGE, page_with_section
from codifica_guard.cli.signer_lines import signer_line
from codifica_guard.cli.survey import Mend, Survey, as_json, take
from codifica_guard.clone.desk import Desk
from codifica_guard.errors import LimitExceeded
from codifica_guard.git.changes import look_alikes
from codifica_guard.identity.keys import PublicKey
from codifica_guard.limits import DOCUMENT_BYTES
from codifica_guard.model.commit import Entry
from codifica_guard.model.ids import ObjectId, Principal, RepoPath, show_path
from codifica_guard.model.policy import GUARD_FILE, REVOKED_FILE, SIGNERS_FILE, CodificaConfig, Policy
from codifica_guard.policy.defaults import new_guard, new_repository_id
from codifica_guard.policy.load import PolicyFiles, load_policy
from codifica_guard.report.plain import plain
from codifica_guard.rules.snapshot import Snapshot
from codifica_guard.state.quotes import put_quotes
from codifica_guard.verbs.manual import section
from codifica_guard.verbs.own_commit import file_at
from codifica_guard.verbs.stopped import Stopped

ATTRIBUTES_FILE: Final = RepoPath(b".gitattributes")
MERGE: Final = "merge=codifica"
"""What has Git merge a document by the driver that `install` sets up in a clone."""

_SPECIAL: Final = frozenset('!{}[]()+@|\\"#\t ')
"""Characters that mean something else in `.gitattributes` than in `codifica.json`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Founding:
    """What an introduction is to hold.

    Attributes:
        files: path to bytes.
        new: those of them that are not there yet.
        policy: the policy that they make.
        mends: tasks whose lines are put in quotes.
        attributes: patterns that have new lines in `.gitattributes`.
        attributed: what those lines say of them.
        section: lines of the section in AGENTS.md; 0 where it is not written.
        notes: what could not be written, for people.
    """

    files: Mapping[RepoPath, bytes] = field(repr=False)
    new: frozenset[RepoPath]
    policy: Policy
    mends: tuple[Mend, ...] = ()
    attributes: tuple[str, ...] = ()
    attributed: str = ""
    section: int = 0
    notes: tuple[str, ...] = ()


def found(
    desk: Desk,
    ground: Survey,
    maintainer: Principal,
    signers: Mapping[Principal, PublicKey],
    *,
    mends: Sequence[Mend] = (),
    page: bool = True,
    **choices: Any,
) -> Founding:
    """All that is to be written on top of a commit; nothing is written yet.

    Args:
        desk: the clone.
        ground: what stands there.
        maintainer: the first maintainer.
        signers: whose key is whose, in the order of the lines.
        mends: tasks whose lines are to be put in quotes.
        page: whether AGENTS.md gets its section.
        **choices: keys of `guard.json` that are to differ from the defaults.

    Raises:
        Stopped: something is in the way, or the policy would not be taken.
    """
    files: dict[RepoPath, bytes] = {
        GUARD_FILE: as_json(new_guard(new_repository_id(), maintainer, **choices)),
        SIGNERS_FILE: "".join(f"{signer_line(name, key)}\n" for name, key in signers.items()).encode("ascii"),
        REVOKED_FILE: b"",
        **ground.first,
    }
    policy, config = _policy(files, ground.codifica)
    files |= _mended(desk, ground, mends)
    lines, notes = _attributes(desk, config, ground.state)
    old = file_at(desk, ground.head, ATTRIBUTES_FILE) or b""
    added = [line for line in lines if line.encode() not in old.split(b"\n")]
    if added:
        files[ATTRIBUTES_FILE] = _ended(old) + "".join(f"{line}\n" for line in added).encode()
    for path in files:
        _check_alone(desk, ground.tree, path)
    text = section(config, str(choices.get("coordination_branch", "main"))) if page else ()
    written, told = page_with_section(desk, ground.tree, config, text) if page else (None, None)
    if written is not None:
        files[PAGE] = written
    return Founding(
        files=files,
        new=frozenset(path for path in files if file_at(desk, ground.head, path) is None),
        policy=policy,
        mends=tuple(mends),
        attributes=tuple(line.partition(" ")[0].removeprefix("/") for line in added),
        attributed=", ".join(added[0].split(" ")[1:]).replace("text, ", "") if added else "",
        section=0 if written is None else len(text),
        notes=(*notes, *([told] if told is not None else [])),
    )


def _policy(files: Mapping[RepoPath, bytes], codifica: bytes) -> tuple[Policy, CodificaConfig]:
    return take(
        load_policy(
            PolicyFiles(
                guard=files[GUARD_FILE],
                codifica=codifica,
                signers=files[SIGNERS_FILE],
                revoked=files[REVOKED_FILE],
                ids=(None,) * 4,
            )
        )
    )


def _mended(desk: Desk, ground: Survey, mends: Iterable[Mend]) -> Mapping[RepoPath, bytes]:
    """The state documents with lines in quotes, read back."""
    files: dict[RepoPath, bytes] = {}
    for mend in mends:
        entry = ground.state.entries[mend.path]
        data = files.get(mend.path) or desk.world.store.blob(entry.id, DOCUMENT_BYTES)
        files[mend.path] = put_quotes(data, mend.quotes)
    return files


def _check_alone(desk: Desk, tree: ObjectId | None, path: RepoPath) -> None:
    """Nothing where no other path takes the place of this one on file systems that ignore case."""
    twins = look_alikes(desk.world.store, tree, path) if tree is not None else ()
    if twins:
        raise Stopped(
            f"{plain(show_path(twins[0]))} is the same as {show_path(path)} for many file systems: git mv it first"
        )


def _attributes(desk: Desk, config: CodificaConfig, state: Snapshot) -> tuple[list[str], list[str]]:
    """Lines of `.gitattributes` that keep the line ends of state documents and merge them by meaning, and what has none."""
    lines, notes = [], []
    flipped = [path for path, entry in state.entries.items() if _flipped(desk, entry)]
    wanted = MERGE if flipped else f"text eol=lf {MERGE}"
    if flipped:
        name = plain(show_path(flipped[0]))
        notes.append(f"{name} has CRLF line ends, so {ATTRIBUTES_FILE.decode()} does not ask for LF")
    for pattern in config.state.patterns:
        if _SPECIAL & set(pattern) or not pattern.isascii():
            notes.append(
                f"{ATTRIBUTES_FILE.decode()}: no line for {plain(pattern)}, write one by hand: PATTERN {wanted}"
            )
        else:
            lines.append(f"{pattern if '/' in pattern else f'/{pattern}'} {wanted}")
    return lines, notes


def _flipped(desk: Desk, entry: Entry) -> bool:
    """Whether a document has CRLF line ends, so that Git would call it changed if it were told to keep LF."""
    try:
        return entry.is_file and b"\r\n" in desk.world.store.blob(entry.id, DOCUMENT_BYTES)
    except LimitExceeded:
        return False


def _ended(data: bytes) -> bytes:
    return data + b"\n" if data and not data.endswith(b"\n") else data
