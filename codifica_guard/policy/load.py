"""From the bytes of the trust files to one checked `Policy`."""

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any, Final

from codifica_guard import limits
from codifica_guard.errors import PolicyError
from codifica_guard.model.ids import KeyBlob, Principal, RepoPath, show_path
from codifica_guard.model.policy import (
    CODIFICA_FILE,
    GUARD_FILE,
    REVOKED_FILE,
    SIGNERS_FILE,
    CodificaConfig,
    Globs,
    GuardConfig,
    Policy,
    PolicyFault,
    SignerLine,
)
from codifica_guard.model.value import value
from codifica_guard.policy.globs import MAGIC, compile_globs, filled, literal, scope_globs

if TYPE_CHECKING:
    from codifica_guard.policy.cache import PolicyCache
    from codifica_guard.policy.json_text import Json
    from codifica_guard.policy.schema import CodificaFile, GuardFile

_PLACEHOLDER: Final = re.compile(r"\{([^{},.]*)\}")  # {a,b} and {1..3} are choices
_PLACEHOLDERS: Final = frozenset({"type", "id", "slug"})
_TOLD: Final = 50  # faults of a policy, and warnings of a file: nobody mends more at once


@value
class PolicyFiles:
    """The trust files of one tree; None where there is no such file.

    Attributes:
        guard: `.codifica/guard.json`.
        codifica: `codifica.json`.
        signers: `.codifica/allowed_signers`.
        revoked: `.codifica/revoked_keys`.
        ids: the object ids of the four, in this order.
    """

    guard: bytes | None
    codifica: bytes | None
    signers: bytes | None
    revoked: bytes | None
    ids: tuple[bytes | None, ...]

    @property
    def named(self) -> bool:
        """Whether the ids name exactly the files that are there, so that they stand for them."""
        there = (self.guard, self.codifica, self.signers, self.revoked)
        return [oid is not None for oid in self.ids] == [data is not None for data in there]


def load_policy(files: PolicyFiles, cache: "PolicyCache | None" = None) -> Policy | None:
    """The policy of a tree; None where there is no `.codifica/guard.json`. Never raises on bad content.

    What is wrong with the files stands in `Policy.faults`. A fatal fault of code ID109 means that nothing may be judged as
    permitted by this policy: a `guard.json` that cannot be taken gives the strictest configuration there is (no maintainers, all
    branches protected, every commit signed), and signers that cannot be read prove nobody. Where `codifica.json` cannot be taken,
    `codifica` is None and there is a fatal CD110; where there is none, `codifica` is None and there is no fault.

    Args:
        files: the bytes, each at most `limits.POLICY_BYTES`, or refused.
        cache: where checked policies are kept by the files' ids; None: nowhere.
    """
    if files.guard is None:
        return None
    if cache is not None and not files.named:
        cache = None
    if cache is not None and (kept := cache.get(files.ids)) is not None:
        return kept
    faults: list[PolicyFault] = []
    guard = _guard(files.guard, faults)
    signers, revoked = _keys(files, faults)
    faults.extend(_unlisted(guard, signers))
    codifica = None if files.codifica is None else _codifica(files.codifica, faults)
    faults.sort(key=lambda fault: not fault.fatal)
    policy = Policy(
        guard=guard,
        codifica=codifica,
        signers=signers,
        revoked=revoked,
        key=files.ids,
        faults=tuple(faults[:_TOLD]),
    )
    if cache is not None:
        cache.put(policy)
    return policy


def strictest_guard() -> GuardConfig:
    """What stands for a `guard.json` that cannot be taken: nobody may change anything that needs permission."""
    return GuardConfig(
        repository="",
        coordination_branch=None,
        protected_branches=compile_globs(["**"]),
        mode="enforce",
        maintainers=(),
        require_signatures="all",
        ruleset=1,
        writer_tokens="required",
        resume_after_minutes=None,
        review_by="owner",
        self_approval="refuse",
        human_proof="trailer",
        human_presence="hardware-key",
        web_edits="refuse",
    )


def _guard(data: bytes, faults: list[PolicyFault]) -> GuardConfig:
    # Only here: a policy that is kept from an earlier push needs no pydantic.
    from codifica_guard.policy.schema import GuardFile  # noqa: PLC0415

    read = _read(data, GuardFile, GUARD_FILE, faults)
    if read is None:
        return strictest_guard()
    shape: GuardFile = read[0]
    warnings = list(_unknown(shape, read[1]))
    protected = _protected(shape, read[1], faults, warnings)
    if protected is None:
        return strictest_guard()
    return GuardConfig(
        repository=shape.repository,
        coordination_branch=shape.coordination_branch,
        protected_branches=protected,
        mode=shape.mode,
        maintainers=tuple(Principal(m) for m in dict.fromkeys(shape.maintainers)),
        require_signatures=shape.require_signatures,
        ruleset=shape.ruleset,
        writer_tokens=shape.writer_tokens,
        resume_after_minutes=shape.resume_after_minutes,
        review_by=shape.review_by,
        self_approval=shape.self_approval,
        human_proof=shape.human_proof,
        human_presence=shape.human_presence,
        web_edits=shape.web_edits,
        forge_accounts=dict(shape.forge_accounts),
        warnings=tuple(warnings[:_TOLD]),
    )


def _protected(shape: "GuardFile", json: "Json", faults: list[PolicyFault], warnings: list[str]) -> Globs | None:
    """The protected branches, among them always the coordination branch; None and a fault for patterns that cannot be taken."""
    try:
        globs = compile_globs(shape.protected_branches or [])
    except PolicyError as error:
        line = json.line(("protected_branches",))
        faults.append(PolicyFault(code="ID109", path=GUARD_FILE, found=f"protected_branches: {error}", line=line))
        return None
    branch = shape.coordination_branch
    if branch is None or globs.match(branch.encode()):
        return globs
    if shape.protected_branches is not None:
        warnings.append(f"protected_branches: {branch} is protected too, since it holds the tasks")
    name = literal(branch)
    exclude = tuple(rf"(?!{name}\Z)(?:{source})" for source in globs.exclude)
    return Globs(patterns=(*globs.patterns, branch), include=(*globs.include, name), exclude=exclude)


def _codifica(data: bytes, faults: list[PolicyFault]) -> CodificaConfig | None:
    # Only here, as above.
    from codifica_guard.policy.schema import CodificaFile  # noqa: PLC0415

    read = _read(data, CodificaFile, CODIFICA_FILE, faults)
    if read is None:
        return None
    shape: CodificaFile = read[0]
    json = read[1]
    rules = shape.full_rules()
    patterns = [shape.state] if isinstance(shape.state, str) else shape.state
    scope = rules.file_scope
    before = len(faults)
    state = _globs(json, ("state",), faults, patterns)
    _globs(json, ("rules", "file_scope", "include"), faults, scope.include)
    _globs(json, ("rules", "file_scope", "exclude"), faults, scope.exclude)
    if state is not None and any(state.match(path) for path in (CODIFICA_FILE, GUARD_FILE, SIGNERS_FILE, REVOKED_FILE)):
        found = "state: takes in files that carry trust (codifica.json or .codifica/)"
        faults.append(PolicyFault(code="CD110", path=CODIFICA_FILE, found=found, line=json.line(("state",))))
    if state is None or len(faults) > before:
        return None
    return CodificaConfig(
        version=shape.version,
        spec=RepoPath(shape.spec.encode()),
        state=state,
        assets=RepoPath(shape.assets.rstrip("/").encode() + b"/"),
        mode=rules.mode,
        allowed_agents=tuple(dict.fromkeys(Principal(_agent(a)) for a in rules.allowed_agents)),
        scope=scope_globs(scope.include, scope.exclude),
        custom_types=tuple(dict.fromkeys(rules.custom_types)),
        branch_pattern=rules.branch_pattern,
        max_concurrent=rules.max_concurrent_tasks_per_agent,
        stale_claim_hours=rules.stale_claim_hours,
        warnings=(*_doubts(shape, state), *_unknown(shape, json))[:_TOLD],
    )


def _globs(json: "Json", place: tuple[str, ...], faults: list[PolicyFault], patterns: list[str]) -> Globs | None:
    try:
        return compile_globs(patterns)
    except PolicyError as error:
        found = f"{'.'.join(place)}: {error}"
        faults.append(PolicyFault(code="CD110", path=CODIFICA_FILE, found=found, line=json.line(place)))
        return None


def _agent(name: str) -> str:
    return name if name.startswith("agent:") else f"agent:{name}"


def _doubts(shape: "CodificaFile", state: Globs) -> Iterator[str]:
    """What is legal in `codifica.json`, but hardly meant."""
    rules = shape.full_rules()
    bare = [a for a in rules.allowed_agents if not a.startswith("agent:")]
    if bare:
        yield f"rules.allowed_agents: {bare[0]} is read as agent:{bare[0]}"
    scope = rules.file_scope
    if not scope.include:
        yield "rules.file_scope.include: is empty, so no agent may change any file outside the state documents"
    for name, patterns in (("include", scope.include), ("exclude", scope.exclude)):
        for pattern in patterns:
            if pattern.endswith("/"):
                yield f"rules.file_scope.{name}: {pattern} matches no file; {pattern}** is all that lies in it"
    if state.match(shape.spec.encode()):
        yield f"state: takes in {shape.spec}, which is the spec and no state document"
    yield from _doubts_of_branches(rules.branch_pattern)


def _doubts_of_branches(pattern: str) -> Iterator[str]:
    """What is hardly meant in `branch_pattern`."""
    for unknown in sorted(set(_PLACEHOLDER.findall(pattern)) - _PLACEHOLDERS):
        yield f"rules.branch_pattern: {{{unknown}}} is not filled in; {{type}}, {{id}} and {{slug}} are"
    if pattern.startswith("refs/"):
        yield "rules.branch_pattern: no branch fits it; leave refs/heads/ out"
    if set(_PLACEHOLDER.sub("", pattern)) & MAGIC:
        try:
            compile_globs([filled(pattern, kinds=("build",), ident="FEAT-1")])
        except PolicyError as error:
            yield f"rules.branch_pattern: {error}; every name passes"


def _read(data: bytes, shape: type[Any], path: RepoPath, faults: list[PolicyFault]) -> "tuple[Any, Json] | None":
    """A file's checked shape; None and faults where it cannot be taken."""
    # Only here, as above.
    from codifica_guard.policy.json_text import BadJson, read_json  # noqa: PLC0415
    from codifica_guard.policy.schema import check  # noqa: PLC0415

    code = "ID109" if path == GUARD_FILE else "CD110"
    try:
        json = read_json(data)
    except BadJson as error:
        faults.append(PolicyFault(code=code, path=path, found=str(error), line=error.line))
        return None
    checked, wrong = check(shape, json.value)
    for place, words in wrong:
        subject = ".".join(map(str, place)) or "the file"
        faults.append(PolicyFault(code=code, path=path, found=f"{subject} {words}", line=json.line(place)))
    return None if checked is None else (checked, json)


def _unknown(shape: Any, json: "Json") -> Iterator[str]:
    for place in shape.unknown_keys():
        name = ".".join(map(str, place))
        line = json.line(place)
        yield f"{name[: limits.VALUE_SHOWN]}: is not known and says nothing (line {line})"


def _keys(files: PolicyFiles, faults: list[PolicyFault]) -> tuple[tuple[SignerLine, ...], frozenset[KeyBlob]]:
    # Only here: reading keys needs cryptography.
    from codifica_guard.identity.allowed_signers import parse_revoked, parse_signers  # noqa: PLC0415

    signers, wrong = parse_signers(files.signers or b"")
    revoked, worse = parse_revoked(files.revoked or b"")
    faults.extend((*wrong, *worse))
    if not signers:
        found = f"{show_path(SIGNERS_FILE)} lists nobody"
        faults.append(PolicyFault(code="ID109", path=SIGNERS_FILE, found=found))
    return signers, revoked


def _unlisted(guard: GuardConfig, signers: tuple[SignerLine, ...]) -> Iterator[PolicyFault]:
    """Maintainers without a key: told, since another may still give them one."""
    # Only here, as above.
    from codifica_guard.identity.allowed_signers import matches  # noqa: PLC0415

    for maintainer in guard.maintainers:
        if signers and not any(matches(line, maintainer) for line in signers):
            found = f"{maintainer} is a maintainer, and no line lists a key for that name"
            yield PolicyFault(code="ID109", path=SIGNERS_FILE, found=found, fatal=False)
