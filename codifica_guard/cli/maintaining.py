"""Changes of the policy by a command: who may make one, where it goes, and that somebody can still make the next."""

import argparse
import time
from collections.abc import Mapping
from dataclasses import replace

from codifica_guard.cli.options import how
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.errors import UsageError
from codifica_guard.git.history import is_ancestor
from codifica_guard.identity.allowed_signers import matches, valid_at
from codifica_guard.identity.attribute import GIT_NAMESPACE
from codifica_guard.identity.keys import is_hardware
from codifica_guard.identity.patterns import list_matches
from codifica_guard.identity.payload import NAMESPACE
from codifica_guard.model.ids import Principal, RepoPath, show_path
from codifica_guard.model.policy import GUARD_FILE, REVOKED_FILE, SIGNERS_FILE, Policy, SignerLine
from codifica_guard.packs.core.wording import listed
from codifica_guard.policy.load import PolicyFiles, load_policy
from codifica_guard.verbs.act import needs_other
from codifica_guard.verbs.board import Board, board_at
from codifica_guard.verbs.landing import Landed, land
from codifica_guard.verbs.own_commit import file_at
from codifica_guard.verbs.seat import How, Plan, Seat
from codifica_guard.verbs.stopped import NEEDS_OTHER, REFUSED, Stopped


def how_here(options: argparse.Namespace) -> How:
    """Where a change of the policy goes: to the remote, unless its branch has no policy yet, as before the first push."""
    chosen = how(options)
    if not chosen.push:
        return chosen
    with open_desk(int(time.time())) as desk:
        desk.needs_policy()
        try:
            board_at(desk)
        except UsageError:
            return replace(chosen, fetch=False, push=False)
    return chosen


def land_change(options: argparse.Namespace, plan: Plan) -> Landed:
    """Land a maintainer's change of the policy.

    Raises:
        Stopped: it did not land; exit code 1 where it breaks a rule, since no other maintainer could do the same.
        UsageError: there is no policy, no branch, or the call is wrong.
    """
    try:
        return land(how_here(options), plan)
    except Stopped as end:
        if end.findings and end.exit == NEEDS_OTHER:
            end.exit = REFUSED
        raise


def policy_here(desk: Desk) -> Policy:
    """The policy that counts: the coordination branch's as last fetched, or this clone's own where that goes on from it.

    Raises:
        UsageError: there is none.
    """
    tip, head = desk.tracked(desk.coordination), desk.head
    if tip is None or (head is not None and is_ancestor(desk.world.store, tip, head)):
        return desk.needs_policy()
    return desk.world.policy(tip) or desk.needs_policy()


def check_maintainer(seat: Seat, command: str) -> None:
    """Nothing where the caller may change the policy.

    Args:
        seat: who asks.
        command: what a maintainer would run instead.

    Raises:
        Stopped: he is no maintainer; exit code 6, and who is.
    """
    maintainers = seat.board.policy.guard.maintainers
    if seat.actor in maintainers:
        return
    named = listed(maintainers) or "there are none"
    raise needs_other(
        seat,
        f"{seat.actor} is no maintainer: only maintainers change the policy ({named})",
        (),
        ("ask one to run", command),
    )


def policy_with(board: Board, files: Mapping[RepoPath, bytes]) -> Policy:
    """The policy of a board with some of its files changed.

    Raises:
        Stopped: a file of it is no regular file.
    """
    guard, signers, revoked = (
        files[path] if path in files else file_at(board.desk, board.tip, path)
        for path in (GUARD_FILE, SIGNERS_FILE, REVOKED_FILE)
    )
    made = load_policy(PolicyFiles(guard=guard, codifica=None, signers=signers, revoked=revoked, ids=(None,) * 4))
    if made is None:
        raise AssertionError("a board has a guard.json")
    return made


def check_sound(board: Board) -> None:
    """Nothing where the policy can be taken, so that a change of it says what it seems to say.

    Raises:
        Stopped: it cannot; the text says why.
    """
    for fault in board.policy.faults:
        if fault.fatal and fault.path in {GUARD_FILE, SIGNERS_FILE, REVOKED_FILE}:
            place = f"{show_path(fault.path)}{f':{fault.line}' if fault.line else ''}"
            raise Stopped(f"{fault.code} {place} {fault.found}; mend it first, then git commit -S, git push")


def check_keepers(board: Board, files: Mapping[RepoPath, bytes], at: int, otherwise: str) -> None:
    """Nothing where somebody can still change the policy afterwards.

    Args:
        board: the board.
        files: what is about to change.
        at: when, seconds since the epoch.
        otherwise: what to do instead.

    Raises:
        Stopped: nobody could, ever again.
    """
    if not keepers(policy_with(board, files), at):
        raise Stopped(
            f"nobody could change the policy any more: no maintainer would have a key that counts\ndo: {otherwise}"
        )


def keepers(policy: Policy, at: int) -> tuple[Principal, ...]:
    """The maintainers who can change a policy at a time (seconds since the epoch): those with a key that proves them then."""
    return tuple(
        m
        for m in policy.guard.maintainers
        if any(matches(line, m) and counts(line, policy, at) for line in policy.signers)
    )


def counts(line: SignerLine, policy: Policy, at: int) -> bool:
    """Whether a person's decisions can be proven by the key of a line at a time."""
    proofs = {NAMESPACE} | ({GIT_NAMESPACE} if policy.guard.human_proof == "fresh-or-trailer" else set())
    return (
        line.key not in policy.revoked
        and valid_at(line, at)
        and (not line.namespaces or any(list_matches(line.namespaces, proof) for proof in proofs))
        and (policy.guard.human_presence == "any" or is_hardware(line.key))
    )
