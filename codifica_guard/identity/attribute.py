"""Who made a commit: Git's own SSH signature and the signed trailers, held against one policy.

Both proofs count the same. Where a trailer names an actor, that actor counts and has to prove itself; nothing falls
back in silence to another principal's signature.
"""

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Final

from codifica_guard.errors import SignatureError
from codifica_guard.identity import sshsig
from codifica_guard.identity.allowed_signers import matches, names, principals_of, valid_at
from codifica_guard.identity.keys import fingerprint, public_line
from codifica_guard.identity.patterns import is_literal
from codifica_guard.identity.payload import NAMESPACE
from codifica_guard.model.commit import ACTOR, SIGNATURE, Commit, Trailers
from codifica_guard.model.identity import Attribution, Problem, Proof
from codifica_guard.model.ids import KeyBlob, Principal, is_principal, short
from codifica_guard.model.policy import Policy, SignerLine
from codifica_guard.model.value import value

GIT_NAMESPACE: Final = "git"
_FOREIGN: Final = {b"-----BEGIN PGP ": "OpenPGP", b"-----BEGIN SIGNED MESSAGE-----": "X.509"}


@value
class _Outcome:
    """What one proof came to: the actor, or the problem; and whom the key belongs to, as far as it says."""

    actor: Principal | None = None
    key: KeyBlob | None = None
    touched: bool = False
    problem: Problem | None = None
    owner: str | None = None


@value
class _Case:
    """What all steps hold a proof against."""

    commit: Commit
    payload: Callable[[Principal], bytes]
    policy: Policy
    now: int
    revoked: Callable[[KeyBlob], bool]


def attribute(
    commit: Commit,
    trailers: Trailers,
    payload: Callable[[Principal], bytes],
    policy: Policy,
    now: int,
    revoked: Callable[[KeyBlob], bool],
) -> Attribution:
    """Who made a commit, as far as it is proven under one policy; whatever it holds, it raises nothing of its own.

    Where a proof holds, only revoked keys (ID105) are still told; where none does, every proof that is there is.

    Args:
        commit: the commit.
        trailers: the trailers of its message.
        payload: what the commit does, as `Codifica-Signature` has to cover it if this principal is the actor. Called
            at most once, and only where such a signature stands.
        policy: whose signers count.
        now: seconds since the epoch that validity dates are held against.
        revoked: whether a key is revoked for this commit.
    """
    case = _Case(commit=commit, payload=payload, policy=policy, now=now, revoked=revoked)
    named = trailers.values(ACTOR)
    signed = trailers.values(SIGNATURE)
    claimed = named[0].decode("utf-8", "backslashreplace") if named else None
    fault = _actor_fault(named)
    if fault is not None:
        return _nothing(case, claimed, (fault, *_revoked_keys(case, signed)))
    actor = Principal(claimed) if claimed is not None else None
    trailer = _by_trailer(case, actor, signed) if signed else None
    if trailer is not None and trailer.actor is not None:
        return _proven(case, trailer, Proof.TRAILER, claimed, _revoked_keys(case, ()))
    git = _by_git(case, actor, commit.signature) if commit.signature is not None else None
    if git is not None and git.actor is not None and (trailer is None or git.actor in {actor, trailer.owner}):
        return _proven(case, git, Proof.GIT, claimed, _revoked_keys(case, signed))
    failed = tuple(o for o in (trailer, git) if o is not None)
    problems = [o.problem for o in failed if o.problem is not None]
    if trailer is not None:  # that Git's signature is another's is no news beside a trailer that fails
        problems = [p for p in problems if p is trailer.problem or p.code != "ID103"]
    owners = [o.owner for o in failed if o.owner is not None]
    return _nothing(case, claimed or next(iter(owners), None), tuple(problems))


def _proven(
    case: _Case, outcome: _Outcome, proof: Proof, claimed: str | None, problems: tuple[Problem, ...]
) -> Attribution:
    return Attribution(
        actor=outcome.actor,
        proof=proof,
        claimed=claimed,
        key=outcome.key,
        touched=outcome.touched,
        fresh=case.commit.author == case.commit.committer,
        problems=problems,
    )


def _nothing(case: _Case, claimed: str | None, problems: tuple[Problem, ...]) -> Attribution:
    ordered = sorted(problems, key=lambda p: p.code != "ID105")
    return Attribution(claimed=claimed, fresh=case.commit.author == case.commit.committer, problems=tuple(ordered))


def _actor_fault(named: tuple[bytes, ...]) -> Problem | None:
    """Why `Codifica-Actor` names nobody who may act."""
    if not named:
        return None
    text = named[0].decode("utf-8", "backslashreplace")
    if len(named) > 1:
        return Problem(code="ID103", found="several Codifica-Actor trailers: one actor makes a commit")
    if not is_principal(text):
        return Problem(code="ID103", found=f"Codifica-Actor is {text[:80]!a}, no principal such as agent:builder")
    if text.startswith("server:"):
        return Problem(code="ID103", found=f"Codifica-Actor is {text}: servers keep receipts, they never act")
    return None


def _by_trailer(case: _Case, actor: Principal | None, signed: tuple[bytes, ...]) -> _Outcome:
    """The proof by `Codifica-Signature`, for the actor that is named, or else for the key's single principal."""
    if len(signed) > 1:
        found = "several Codifica-Signature trailers: one signature makes a commit"
        keys = _revoked_keys(case, signed)
        return _Outcome(problem=keys[0] if keys else Problem(code="ID101", found=found))
    try:
        blob = sshsig.from_line(signed[0])
        key = sshsig.key_of(blob)
    except SignatureError as error:
        return _Outcome(problem=Problem(code="ID101", found=f"Codifica-Signature: {error}", do=_sign_again(case)))
    listed = _listed(case, key, NAMESPACE, actor)
    signer = actor or listed.actor
    if signer is None or _settled(listed, actor):  # without an actor there is nothing to hold the signature against
        return listed
    try:
        held = sshsig.check(blob, case.payload(signer), NAMESPACE)
    except SignatureError as error:
        found = f"{_whose(key, listed.owner)} signed something else than this commit does: {error}"
        return _Outcome(problem=Problem(code="ID101", found=found, do=_sign_again(case)), owner=listed.owner)
    return _with_touch(listed, held)


def _by_git(case: _Case, actor: Principal | None, text: bytes) -> _Outcome:
    """The proof by Git's own signature, for the actor that is named, or else for the key's single principal."""
    for begin, name in _FOREIGN.items():
        if text.startswith(begin):
            found = f"Git's signature is made with {name}, which is no identity here; SSH is needed"
            return _Outcome(problem=Problem(code="ID101", found=found, do="git config gpg.format ssh"))
    try:
        blob = sshsig.dearmour(text)
        key = sshsig.key_of(blob)
    except SignatureError as error:
        return _Outcome(problem=Problem(code="ID101", found=f"Git's signature: {error}", do=_sign_again(case)))
    listed = _listed(case, key, GIT_NAMESPACE, actor)
    if _settled(listed, actor):
        return listed
    try:
        held = sshsig.check(blob, case.commit.signed, GIT_NAMESPACE)
    except SignatureError as error:
        found = f"Git's signature by {_whose(key, listed.owner)} is not for this commit: {error}"
        return _Outcome(problem=Problem(code="ID101", found=found, do=_sign_again(case)), owner=listed.owner)
    return _with_touch(listed, held)


def _settled(listed: _Outcome, actor: Principal | None) -> bool:
    """Whether a proof fails whatever the signature covers: by a revoked key, or by another's than the named actor's."""
    code = listed.problem.code if listed.problem is not None else ""
    return code == "ID105" or (code == "ID103" and actor is not None)


def _with_touch(listed: _Outcome, held: sshsig.Signed) -> _Outcome:
    if listed.actor is None:
        return listed
    return _Outcome(actor=listed.actor, key=held.key, touched=held.touched, owner=listed.owner)


def _listed(case: _Case, key: KeyBlob, namespace: str, actor: Principal | None) -> _Outcome:
    """Whom a key may act for, if its signature holds: the named actor, or the single principal that it is listed for."""
    every = tuple(line for line in case.policy.signers if line.key == key)
    lines = principals_of(every, key, namespace)
    owner = _single(lines)
    if case.revoked(key):
        return _Outcome(problem=_revoked(case, key), owner=owner or _single(every))
    if not lines:
        return _Outcome(problem=_unlisted(key, namespace, actor, every=every), owner=_single(every))
    if actor is not None:
        lines = tuple(line for line in lines if matches(line, actor))
        if not lines:
            found = f"Codifica-Actor names {actor}, the key {fingerprint(key)} is listed for {_shown(every)}"
            return _Outcome(problem=Problem(code="ID103", found=found, do=_sign_again(case)), owner=owner)
    valid = tuple(line for line in lines if valid_at(line, case.now))
    if not valid:
        return _Outcome(problem=_dated(case, key, actor or owner, lines), owner=owner)
    single = actor or _single(valid)
    if single is None or single.startswith("server:"):
        found = (
            f"the key {fingerprint(key)} is listed for {_shown(valid)}: the trailer Codifica-Actor has to name who acts"
        )
        if single is not None:
            found = f"the key {fingerprint(key)} is {single}'s: servers keep receipts, they never act"
        return _Outcome(problem=Problem(code="ID103", found=found), owner=owner)
    return _Outcome(actor=single, owner=single)


def _single(lines: tuple[SignerLine, ...]) -> Principal | None:
    """The one principal that lines name; None where they name none, several, or use wildcards."""
    if any(not p.startswith("!") and not is_literal(p) for line in lines for p in line.principals):
        return None
    found = {name for line in lines for name in names(line)}
    return found.pop() if len(found) == 1 else None


def _revoked_keys(case: _Case, signed: tuple[bytes, ...]) -> tuple[Problem, ...]:
    """ID105 for each revoked key among the signatures that are not looked at otherwise, Git's first."""
    found: dict[KeyBlob, Problem] = {}
    for text, decode in ((case.commit.signature, sshsig.dearmour), *((line, sshsig.from_line) for line in signed)):
        try:
            key = sshsig.key_of(decode(text or b""))
        except SignatureError:
            continue  # no key, nothing revoked; what is malformed is told where it was to prove something
        if case.revoked(key):
            found[key] = _revoked(case, key)
    return tuple(found.values())


def _revoked(case: _Case, key: KeyBlob) -> Problem:
    every = tuple(line for line in case.policy.signers if line.key == key)
    return Problem(
        code="ID105",
        found=f"{_whose(key, _single(every))} is revoked",
        do=f"git codifica sign --drop {short(case.commit.id)}",
    )


def _unlisted(key: KeyBlob, namespace: str, actor: Principal | None, *, every: tuple[SignerLine, ...]) -> Problem:
    """ID102: the text leaves no doubt that a maintainer has to know whose key it is before it is added."""
    if every:
        found = f"the key {fingerprint(key)} of {_shown(every)} is not listed for the namespace {namespace}"
    else:
        found = f"the key {fingerprint(key)} is nobody's here"
    name = actor or _single(every) or "human:NAME"
    try:
        line = public_line(key)
    except SignatureError as error:
        return Problem(code="ID102", found=f"{found}: {error}")
    return Problem(
        code="ID102", found=found, do=f"if it is {name}'s, a maintainer runs: git codifica key add {name} '{line}'"
    )


def _dated(case: _Case, key: KeyBlob, owner: str | None, lines: tuple[SignerLine, ...]) -> Problem:
    line = lines[0]
    if line.valid_after is not None and case.now < line.valid_after:
        when = f"is valid from {_time(line.valid_after)} on"
        do = f"wait until then; or a maintainer mends line {line.line} of .codifica/allowed_signers"
    else:
        when = f"was valid until {_time(line.valid_before or 0)}"
        do = f"sign with your newer key; to list one, a maintainer runs: git codifica key add {owner or 'PRINCIPAL'} FILE.pub"
    return Problem(code="ID104", found=f"{_whose(key, owner)} {when}, now is {_time(case.now)}", do=do)


def _whose(key: KeyBlob, owner: str | None) -> str:
    return f"the key {fingerprint(key)}" + (f" of {owner}" if owner else "")


def _shown(lines: tuple[SignerLine, ...]) -> str:
    patterns = tuple(dict.fromkeys(p for line in lines for p in line.principals))
    return ", ".join(patterns[:4]) + (", …" if len(patterns) > 4 else "")


def _sign_again(case: _Case) -> str:
    return f"look again, then: git codifica sign {short(case.commit.id)}"


def _time(seconds: int) -> str:
    try:
        return datetime.fromtimestamp(seconds, tz=UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
    except (OverflowError, OSError, ValueError):
        return f"{seconds} seconds after 1970"
