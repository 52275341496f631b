"""`key add`: one more line in `.codifica/allowed_signers`, by one signed commit that the judge has seen."""

import argparse
from collections.abc import Mapping
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Outcome
from codifica_guard.cli.maintaining import how_here
from codifica_guard.cli.options import place, told
from codifica_guard.cli.policy_text import with_values
from codifica_guard.cli.public_keys import read_public
from codifica_guard.cli.questions import somebody_there, yes_or_no
from codifica_guard.cli.signer_lines import NAMESPACES, check_shared, principal_of, signer_line, standing, with_line
from codifica_guard.errors import NeedsTerminal, PolicyError, UsageError
from codifica_guard.identity.allowed_signers import matches
from codifica_guard.identity.keys import PublicKey, fingerprint
from codifica_guard.model.ids import Principal, RepoPath, is_human, show_path
from codifica_guard.model.policy import GUARD_FILE, SIGNERS_FILE
from codifica_guard.policy.json_text import read_json
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.landing import land
from codifica_guard.verbs.own_commit import file_at
from codifica_guard.verbs.seat import Proposal, Seat
from codifica_guard.verbs.stopped import REFUSED, Stopped

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import AddedKey


def run(options: argparse.Namespace) -> Outcome:
    """List a key for a principal on the coordination branch.

    Raises:
        Stopped: the key or the caller may not; nothing has changed.
        UsageError: the call is wrong.
    """
    principal = principal_of(options.principal)
    if options.maintainer and not is_human(principal):
        raise UsageError(f"{principal} cannot be a maintainer: only humans can")
    key = read_public(options.key)
    asked = options.yes or options.dry_run

    def plan(seat: Seat) -> Proposal:
        nonlocal asked
        files = _files(seat.board, principal, key, maintainer=options.maintainer)
        if not asked and is_human(principal) and principal != seat.actor and SIGNERS_FILE in files:
            ask_owner(principal, key)
            asked = True
        what = "add a key of" if SIGNERS_FILE in files else "make a maintainer of"
        return Proposal(files=files, subject=f"codifica: {what} {principal}, {fingerprint(key.blob)}")

    landed = land(how_here(options), plan)
    board, files = landed.seat.board, landed.proposal.files
    namespaces = NAMESPACES[principal.partition(":")[0]]
    lines = [
        f"{principal}   {fingerprint(key.blob)}   namespaces {namespaces}{'   maintainer' if options.maintainer else ''}",
        f"commit   {place(landed)}, signed by {landed.seat.actor}{', pushed' if landed.pushed else ''}",
    ]
    if is_human(principal) and principal not in board.policy.guard.maintainers and not options.maintainer:
        lines.append("note     --maintainer would also let him change the policy")
    data: AddedKey = {
        "principal": principal,
        "fingerprint": fingerprint(key.blob),
        "maintainer": GUARD_FILE in files,
        "branch": board.name,
        "commit": None if landed.commit is None else landed.commit.id.decode(),
        "pushed": landed.pushed,
        "files": [show_path(path) for path in files],
    }
    return told(landed, lines, data)


def ask_owner(principal: Principal, key: PublicKey) -> None:
    """Ask whether a key is really its owner's.

    Raises:
        NeedsTerminal: nobody is there to answer.
        Stopped: it is not.
    """
    if not somebody_there():
        raise NeedsTerminal(f"compare the fingerprint with its owner, {fingerprint(key.blob)}, then again with --yes")
    if not yes_or_no(f"{principal} {fingerprint(key.blob)}: did he tell you this fingerprint himself?", default=False):
        raise Stopped("not added: ask the key's owner for its fingerprint (ssh-keygen -l -f KEY.pub)", exit=REFUSED)


def _files(board: Board, principal: Principal, key: PublicKey, *, maintainer: bool) -> Mapping[RepoPath, bytes]:
    desk, policy, files = board.desk, board.policy, dict[RepoPath, bytes]()
    if key.blob in policy.revoked:
        raise Stopped(f"the key {fingerprint(key.blob)} is revoked, for good: make another one")
    known = next((line for line in policy.signers if line.key == key.blob and matches(line, principal)), None)
    promoted = maintainer and principal not in policy.guard.maintainers
    if known is None:
        files[SIGNERS_FILE] = with_line(file_at(desk, board.tip, SIGNERS_FILE) or b"", signer_line(principal, key))
        check_shared(files[SIGNERS_FILE])
    elif not promoted:
        raise Stopped(
            f"{principal} has the key {fingerprint(key.blob)} already: line {known.line} of {show_path(SIGNERS_FILE)}, "
            f"{standing(known, policy, desk.now)}"
        )
    if promoted:
        files[GUARD_FILE] = _with_maintainer(file_at(desk, board.tip, GUARD_FILE) or b"", principal)
    return files


def _with_maintainer(data: bytes, principal: Principal) -> bytes:
    try:
        listed = [*read_json(data).value["maintainers"], principal]
        return with_values(data, {"maintainers": listed})
    except (PolicyError, TypeError, KeyError, AttributeError) as error:
        raise Stopped(
            f"{show_path(GUARD_FILE)} cannot be taken as it is; mend it first: codifica-guard doctor"
        ) from error
