"""The policy of one tree: what `codifica.json` and `.codifica/` say, checked and ready to use."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Any, Literal

from codifica_guard.model.ids import KeyBlob, Principal, RepoPath
from codifica_guard.model.value import EMPTY, value

GUARD_FILE = RepoPath(b".codifica/guard.json")
SIGNERS_FILE = RepoPath(b".codifica/allowed_signers")
REVOKED_FILE = RepoPath(b".codifica/revoked_keys")
CODIFICA_FILE = RepoPath(b"codifica.json")
TRUST_FOLDER = b".codifica/"


@value(slots=False)
class Globs:
    """A list of glob patterns, compiled: a path matches if an include pattern does and no exclude pattern does.

    Attributes:
        patterns: as they were written.
        include: their regular expressions, for a full match of the path's text.
        exclude: regular expressions of the patterns that take away.
    """

    patterns: tuple[str, ...]
    include: tuple[str, ...]
    exclude: tuple[str, ...] = ()

    @cached_property
    def _compiled(self) -> tuple[tuple[re.Pattern[str], ...], tuple[re.Pattern[str], ...]]:
        return tuple(re.compile(p) for p in self.include), tuple(re.compile(p) for p in self.exclude)

    def match(self, path: bytes) -> bool:
        """Whether a path matches; bytes that are no UTF-8 are matched as lone surrogates."""
        text = path.decode("utf-8", "surrogateescape")
        include, exclude = self._compiled
        return any(r.fullmatch(text) for r in include) and not any(r.fullmatch(text) for r in exclude)

    def excludes(self, path: bytes) -> bool:
        """Whether a pattern takes a path away."""
        return any(r.fullmatch(path.decode("utf-8", "surrogateescape")) for r in self._compiled[1])


@value
class CodificaConfig:
    """`codifica.json`, checked."""

    version: Literal["0.1", "0.2"]
    spec: RepoPath
    state: Globs
    assets: RepoPath
    mode: Literal["strict", "permissive"]
    allowed_agents: tuple[Principal, ...]
    scope: Globs
    custom_types: tuple[str, ...]
    branch_pattern: str
    max_concurrent: int | None
    stale_claim_hours: int
    warnings: tuple[str, ...] = ()


@value
class GuardConfig:
    """`.codifica/guard.json`, checked; defaults filled in."""

    repository: str
    coordination_branch: str | None
    protected_branches: Globs
    mode: Literal["enforce", "report"]
    maintainers: tuple[Principal, ...]
    require_signatures: Literal["transitions", "all"]
    ruleset: int
    writer_tokens: Literal["required", "optional"]
    resume_after_minutes: int | None
    review_by: Literal["human-or-owner", "owner"]
    self_approval: Literal["allow", "warn", "refuse"]
    human_proof: Literal["fresh-or-trailer", "trailer"]
    human_presence: Literal["any", "hardware-key"]
    web_edits: Literal["refuse", "reviews"]
    forge_accounts: Mapping[str, str] = EMPTY
    openclaw: Any = None
    codex_workflow: Any = None
    warnings: tuple[str, ...] = ()


@value
class SignerLine:
    """One line of `allowed_signers`.

    Attributes:
        principals: its patterns, in order; a leading `!` takes away.
        key: the key.
        namespaces: patterns of namespaces; empty for any.
        valid_after, valid_before: seconds since the epoch (UTC); None where open.
        line: line in the file, from 1.
    """

    principals: tuple[str, ...]
    key: KeyBlob
    namespaces: tuple[str, ...] = ()
    valid_after: int | None = None
    valid_before: int | None = None
    line: int = 0


@value
class PolicyFault:
    """Why a trust file cannot be taken: the rule it breaks and the place.

    Attributes:
        code: CD110 (`codifica.json`), ID109 (`guard.json`, signers), ID113 (one key for a human and an agent).
        path: the file.
        found: what is wrong, in words.
        line: line in the file, from 1, where known.
        fatal: False for what is told only.
    """

    code: str
    path: RepoPath
    found: str
    line: int | None = None
    fatal: bool = True


@value
class Policy:
    """All trust files of one tree.

    Attributes:
        guard: `.codifica/guard.json`.
        codifica: `codifica.json`; None where there is none, or where it cannot be taken.
        signers: lines of `.codifica/allowed_signers`.
        revoked: keys of `.codifica/revoked_keys`.
        key: what tells policies apart: the ids of the files it was made of.
        faults: what is wrong with the files.
    """

    guard: GuardConfig
    codifica: CodificaConfig | None
    signers: tuple[SignerLine, ...]
    revoked: frozenset[KeyBlob]
    key: tuple[bytes | None, ...]
    faults: tuple[PolicyFault, ...] = ()

    def is_trust(self, path: bytes) -> bool:
        """Whether a path is one of the files that carry trust: `.codifica/**`, `codifica.json`, the spec."""
        return (
            path.startswith(TRUST_FOLDER)
            or path == CODIFICA_FILE
            or (self.codifica is not None and path == self.codifica.spec)
        )
