"""The guard in a bare repository: the server's side of the install."""

from collections.abc import Callable, Iterator
from typing import Final

from codifica_guard.engine.trust import FIRST_PUSH
from codifica_guard.errors import SignatureError, UsageError
from codifica_guard.git.config import (
    COORDINATION,
    INTRODUCTION,
    PAUSE_REASON,
    PAUSED_UNTIL,
    RECEIPT_KEY,
    SERVER,
    TRUST,
)
from codifica_guard.identity.keys import fingerprint, parse_public
from codifica_guard.install import proof, receipt_key, shim
from codifica_guard.install.plan import (
    Action,
    Plan,
    Step,
    check_writable,
    install_hooks,
    remove_hooks,
    set_value,
    unset_value,
)
from codifica_guard.install.repository import Repository, open_bare
from codifica_guard.model.policy import GUARD_FILE

PUSHERS: Final = ("gitea", "gitolite", "gitlab", "http", "none")
"""Who may say who pushes: a forge or web server that sets it, or nobody."""

_KEYS: Final = (TRUST, INTRODUCTION, "codifica.pusher", COORDINATION, RECEIPT_KEY, SERVER, PAUSED_UNTIL, PAUSE_REASON)
_FSCK: Final = "receive.fsckObjects"
_FSCK_BEFORE: Final = "codifica.fsckObjectsBefore"  # what uninstall tells: the key's own value before, or "unset"
_PUSHER_NOTES: Final = {"none": "none      (plain ssh: git knows no pusher)"}

VerifyIntroduction = Callable[[str], str]
"""Takes a commit's full id; returns who introduced the guard there (`human:alice SHA256:...`), raises a GuardError else."""


def plan_bare(
    git_dir: str,
    *,
    maintainer: str | None = None,
    introduction: str | None = None,
    trust_first_push: bool = False,
    pusher: str | None = None,
    server: str | None = None,
    verify_introduction: VerifyIntroduction,
    python: str | None = None,
) -> Plan:
    """What installing the guard into a bare repository would do; run again after that, it has no steps.

    Args:
        git_dir: the repository's folder itself.
        maintainer: one line with the public key whose holder may introduce the policy.
        introduction: a commit that introduced it.
        trust_first_push: believe whoever pushes the first policy.
        pusher: one of PUSHERS; None keeps what is set, or sets `none`.
        server: what the server is called in its receipts; None keeps what is set, or takes the machine's name.
        verify_introduction: checks that a maintainer named by the commit signed it, and says who.
        python: the interpreter that the hooks start; None for this one.

    Raises:
        UsageError: nobody is named who may introduce the policy, or the folder is not ours to write.
        GuardError: the introduction does not hold.
    """
    if sum((maintainer is not None, introduction is not None, trust_first_push)) > 1:
        raise UsageError("--maintainer, --introduction and --trust-first-push exclude each other: give one")
    if pusher is not None and pusher not in PUSHERS:
        raise UsageError(f"unknown pusher {pusher!r}: one of {', '.join(PUSHERS)}")
    repository = open_bare(git_dir)
    _refuse_foreign_folders(repository)
    check_writable(repository)
    commits = _commits(repository)
    if introduction is not None:
        trust, after = _by_introduction(repository, introduction, verify_introduction)
    elif maintainer is not None:
        trust, after = _by_key(repository, maintainer, commits)
    elif trust_first_push:
        trust, after = _by_first_push(repository)
    else:
        trust, after = _as_before(repository)
    steps = (
        *trust,
        *_set_pusher(repository, pusher),
        *_set_fsck(repository),
        *receipt_key.set_key(repository, server),
        *install_hooks(repository.hooks, shim.SERVER, python or shim.interpreter()),
    )
    return Plan(heading=_heading(repository, commits), steps=steps, after=after)


def plan_uninstall(git_dir: str, *, purge: bool = False) -> Plan:
    """What taking the guard out of a bare repository would do; no steps where it is not in.

    Args:
        git_dir: the repository's folder itself.
        purge: whether receipts and the key that signed them go as well.

    Raises:
        UsageError: there is no bare repository, or it is not ours to write.
    """
    repository = open_bare(git_dir)
    check_writable(repository)
    before = repository.own(_FSCK_BEFORE)
    steps = [*remove_hooks(repository.hooks, shim.SERVER)]
    for key in _KEYS:
        steps += unset_value(repository, key)
    steps += unset_value(repository, _FSCK_BEFORE)
    if before is not None and (value := repository.own(_FSCK)) is not None:
        hint = "was unset; nobody else may rely on it: git config --unset receive.fsckObjects"
        note = f"{value}   ({hint if before == 'unset' else f'was {before}'})"
        steps.append(Step(action=Action.LEAVE, subject=_FSCK, note=note))
    steps += proof.purge(repository) if purge else proof.leave(repository)
    return Plan(heading=_heading(repository, _commits(repository)), steps=tuple(steps))


def _refuse_foreign_folders(repository: Repository) -> None:
    if (elsewhere := repository.hooks_elsewhere()) is not None:
        path, origin = elsewhere
        raise UsageError(
            f"core.hooksPath is {path} (set in {origin}): git does not look into {repository.hooks}, and that folder is not "
            f"ours to take. Unset it, or set it back for this repository alone: "
            f"git --git-dir={repository.quoted} config core.hooksPath {repository.quoted}/hooks"
        )
    if (repository.hooks / "pre-receive.d" / "gitea").exists():
        raise UsageError(
            f"{repository.hooks} is kept by a forge (Gitea or Forgejo), which would write over ours; there a hook stands in "
            f"{repository.hooks / 'pre-receive.d'}"
        )


def _by_introduction(
    repository: Repository, name: str, verify: VerifyIntroduction
) -> tuple[list[Step], tuple[str, ...]]:
    oid = repository.commit_id(name)
    if oid is None:
        raise UsageError(f"--introduction {name}: there is no such commit in {repository.git_dir}")
    pinned = repository.own(INTRODUCTION)
    if pinned is not None and pinned != oid:
        raise UsageError(
            f"{pinned[:12]} is pinned as introduction already. If it is to be another one, say why, and the receipts tell it: "
            f"codifica-guard introduce {oid[:12]} {repository.quoted} -m WHY"
        )
    who = verify(oid)
    before = int(repository.git("rev-list", "--count", f"{oid}^@") or "0")
    older = "the one commit before it is not" if before == 1 else f"the {before:,} commits before it are not"
    steps = [*set_value(repository, INTRODUCTION, oid, f"{oid[:12]}   ({who})")]
    return steps, (
        f"installed. {oid[:12]} introduced the guard, signed by {who}.",
        f"it and all after it are judged; {older}.",
    )


def _by_key(repository: Repository, line: str, commits: int) -> tuple[list[Step], tuple[str, ...]]:
    found, comment = _public_key(line)
    if repository.own(TRUST) != found:
        _refuse_introduced(repository)
    note = f"{found}   ({comment})" if comment else found
    return [*set_value(repository, "codifica.trust", found, note)], (
        f"installed. idle until a commit on {repository.head()} adds {_guard_file()}, signed by {found}.",
        "until then pushes pass as before. that commit and all after it are judged"
        + (f"; the {commits:,} before {'is' if commits == 1 else 'are'} not." if commits else "."),
    )


def _public_key(line: str) -> tuple[str, str]:
    """Fingerprint and comment of a maintainer's key."""
    if "PRIVATE KEY" in line:
        raise UsageError("that is a private key; the server needs the public one, the file that ends in .pub")
    try:
        key = parse_public(line)
    except SignatureError as error:
        raise UsageError(f"--maintainer: {error}") from error
    return fingerprint(key.blob), key.comment


def _by_first_push(repository: Repository) -> tuple[list[Step], tuple[str, ...]]:
    if repository.own(TRUST) != FIRST_PUSH:
        _refuse_introduced(repository)
    return [*set_value(repository, "codifica.trust", FIRST_PUSH)], (
        f"installed. idle until a commit on {repository.head()} adds {_guard_file()}.",
        "whoever pushes it first decides who is maintainer, be it an agent: --maintainer KEY.pub is safer.",
    )


def _as_before(repository: Repository) -> tuple[list[Step], tuple[str, ...]]:
    if (pinned := repository.own(INTRODUCTION)) is not None:
        return [], (f"installed. {pinned[:12]} and all after it are judged, as before.",)
    if (trust := repository.own(TRUST)) is not None:
        return [], (f"installed. {trust} may introduce the policy, as before.",)
    raise UsageError(
        "say who may introduce the policy: --maintainer KEY.pub, --introduction COMMIT, or --trust-first-push"
    )


def _refuse_introduced(repository: Repository) -> None:
    if (pinned := repository.own(INTRODUCTION)) is not None:
        raise UsageError(
            f"{pinned[:12]} introduced the guard already, the policy says whose keys count; "
            f"leave the option out, or name the commit: --introduction {pinned[:12]}"
        )
    if repository.holds(_guard_file()):
        touched = repository.git("rev-list", "--first-parent", "HEAD", "--", _guard_file()) or "?"
        raise UsageError(
            f"{repository.head()} has a policy already, so nobody can introduce it any more; "
            f"name the commit that did: --introduction COMMIT (the first with {_guard_file()} is {touched.split()[-1][:12]})"
        )


def _set_pusher(repository: Repository, pusher: str | None) -> Iterator[Step]:
    value = pusher or repository.own("codifica.pusher") or "none"
    yield from set_value(repository, "codifica.pusher", value, _PUSHER_NOTES.get(value, ""))


def _set_fsck(repository: Repository) -> Iterator[Step]:
    before = repository.own(_FSCK)
    if repository.own(_FSCK_BEFORE) is None:
        note = f"{before or 'unset'}   (to tell it at uninstall)"
        yield from set_value(repository, _FSCK_BEFORE, before or "unset", note)
    yield from set_value(repository, _FSCK, "true")


def _heading(repository: Repository, commits: int) -> str:
    count = f"{commits:,} commits on {repository.head()}" if commits else "no commits yet"
    policy = "a policy" if repository.holds(_guard_file()) else "no policy yet"
    return f"{repository.git_dir}   bare repository, {repository.object_format}, {count}, {policy}"


def _commits(repository: Repository) -> int:
    return int(repository.git("rev-list", "--count", "HEAD", "--") or 0)


def _guard_file() -> str:
    return GUARD_FILE.decode()
