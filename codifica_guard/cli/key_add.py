"""`key add`: one more line in `.codifica/allowed_signers`, by one signed commit that the judge has seen."""

import argparse
import json
from collections.abc import Mapping

from codifica_guard.cli.command import Outcome
from codifica_guard.cli.public_keys import read_public
from codifica_guard.cli.signer_lines import NAMESPACES, principal_of, signer_line, standing
from codifica_guard.clone.desk import Desk
from codifica_guard.clone.hand import Hand, find_key, name_actor
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import UsageError
from codifica_guard.git.history import is_ancestor
from codifica_guard.git.refs import resolve
from codifica_guard.identity.allowed_signers import matches, parse_signers
from codifica_guard.identity.keys import PublicKey, fingerprint
from codifica_guard.model.ids import ObjectId, Principal, RepoPath, is_human, short, show_path
from codifica_guard.model.policy import GUARD_FILE, SIGNERS_FILE, Policy
from codifica_guard.report.escape import escape_words
from codifica_guard.report.terminal import verdict
from codifica_guard.verbs.own_commit import OwnCommit, check_place, file_at, land, make, preview, refuse
from codifica_guard.verbs.stopped import Stopped


def run(desk: Desk, options: argparse.Namespace) -> Outcome:
    """List a key for a principal on the coordination branch.

    Raises:
        Stopped: the key or the caller may not; nothing has changed.
        UsageError: the call is wrong.
    """
    principal = principal_of(options.principal)
    if options.maintainer and not is_human(principal):
        raise UsageError(f"{principal} cannot be a maintainer: only humans can")
    key = read_public(options.key)
    desk.needs_policy()
    tip = _tip(desk)
    policy = desk.world.policy(tip)
    if policy is None:
        raise UsageError(f"{_branch(desk)} has no policy: git pull")
    files = _files(desk, tip, policy, principal, key, maintainer=options.maintainer)
    what = "add a key of" if SIGNERS_FILE in files else "make a maintainer of"
    own = OwnCommit(
        branch=desk.coordination,
        parent=tip,
        files=files,
        subject=f"codifica: {what} {principal}, {fingerprint(key.blob)}",
    )
    here = check_place(desk, own)
    signer = find_key(desk)
    hand = Hand(signer=signer, actor=name_actor(desk, policy, signer))
    if options.dry_run:
        lines = [*preview(desk, own)]
        if hand.actor not in policy.guard.maintainers:
            lines.insert(-1, f"{hand.actor} is no maintainer: the commit would be refused")
        return Outcome(lines=tuple(lines), data=_data(own, principal, key, None))
    commit = make(desk, own, hand, policy)
    judged = desk.judge_one(commit)
    refuse(judged)
    land(desk, own, commit, here=here)
    push = f"git push {desk.remote} {own.name}"
    namespaces = NAMESPACES[principal.partition(":")[0]]
    lines = [
        f"{principal}   {fingerprint(key.blob)}   namespaces {namespaces}{'   maintainer' if options.maintainer else ''}",
        f"commit   {short(commit.id)} on {own.name}, signed by {hand.actor}",
        f"next     {push}",
    ]
    if is_human(principal) and principal not in policy.guard.maintainers and not options.maintainer:
        lines.append(
            "note     compare the fingerprint with its owner; --maintainer would also let him change the policy"
        )
    return Outcome(
        lines=tuple(lines),
        notes=tuple(verdict(judged, "commit", draft=True).splitlines()),
        findings=judged.findings,
        next=(push,),
        data=_data(own, principal, key, commit.id),
    )


def _branch(desk: Desk) -> str:
    return show_path(desk.coordination.removeprefix(HEADS))


def _tip(desk: Desk) -> ObjectId:
    """The local tip of the coordination branch, which holds all that was fetched of it."""
    name = _branch(desk)
    tip = resolve(desk.location, desk.coordination)[1]
    tracked = desk.tracked(desk.coordination)
    if tip is None:
        raise Stopped(f"there is no branch {name} here: git branch {name} {desk.remote}/{name}")
    # A change of trust is bound to its parents: behind what the server has, it could not be pushed, and a rebase kills it.
    if tracked is not None and not is_ancestor(desk.world.store, tracked, tip):
        raise Stopped(
            f"{name} lacks commits that {desk.remote}/{name} has: git switch {name} && git pull --no-rebase, then again"
        )
    return tip


def _files(
    desk: Desk, tip: ObjectId, policy: Policy, principal: Principal, key: PublicKey, *, maintainer: bool
) -> Mapping[RepoPath, bytes]:
    files: dict[RepoPath, bytes] = {}
    if key.blob in policy.revoked:
        raise Stopped(f"the key {fingerprint(key.blob)} is revoked, for good: make another one")
    known = next((line for line in policy.signers if line.key == key.blob and matches(line, principal)), None)
    promoted = maintainer and principal not in policy.guard.maintainers
    if known is None:
        files[SIGNERS_FILE] = _with_line(file_at(desk, tip, SIGNERS_FILE) or b"", signer_line(principal, key))
        _check_shared(files[SIGNERS_FILE])
    elif not promoted:
        raise Stopped(
            f"{principal} has the key {fingerprint(key.blob)} already: line {known.line} of {show_path(SIGNERS_FILE)}, "
            f"{standing(known, policy, desk.now)}"
        )
    if promoted:
        files[GUARD_FILE] = _with_maintainer(file_at(desk, tip, GUARD_FILE) or b"", principal)
    return files


def _with_line(data: bytes, line: str) -> bytes:
    end = b"" if not data or data.endswith(b"\n") else b"\n"
    return data + end + line.encode("ascii") + b"\n"


def _check_shared(data: bytes) -> None:
    """Nothing where the lines can be told apart; whatever else is wrong with them the judge tells."""
    _, faults = parse_signers(data)
    for fault in faults:
        if fault.code == "ID113":
            raise Stopped(
                escape_words(f"ID113: {fault.found}; a key of its own for the agent: codifica-guard key new NAME")
            )


def _with_maintainer(data: bytes, principal: Principal) -> bytes:
    try:
        guard = json.loads(data)
        guard["maintainers"].append(principal)
    except (ValueError, TypeError, KeyError, AttributeError) as error:
        raise Stopped(
            f"{show_path(GUARD_FILE)} cannot be taken as it is; mend it first: codifica-guard doctor"
        ) from error
    return (json.dumps(guard, indent=2, ensure_ascii=False) + "\n").encode()


def _data(own: OwnCommit, principal: Principal, key: PublicKey, commit: ObjectId | None) -> dict[str, object]:
    return {
        "principal": principal,
        "fingerprint": fingerprint(key.blob),
        "maintainer": GUARD_FILE in own.files,
        "branch": own.name,
        "commit": None if commit is None else commit.decode(),
        "files": [show_path(path) for path in own.files],
    }
