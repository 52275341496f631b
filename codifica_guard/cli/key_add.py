"""`key add`: one more line in `.codifica/allowed_signers`, by one signed commit that the judge has seen."""

import argparse
import json
import time
from collections.abc import Mapping
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Outcome
from codifica_guard.cli.options import how, place, told
from codifica_guard.cli.public_keys import read_public
from codifica_guard.cli.questions import somebody_there, yes_or_no
from codifica_guard.cli.signer_lines import NAMESPACES, principal_of, signer_line, standing
from codifica_guard.clone.desk import open_desk
from codifica_guard.errors import NeedsTerminal, UsageError
from codifica_guard.identity.allowed_signers import matches, parse_signers
from codifica_guard.identity.keys import PublicKey, fingerprint
from codifica_guard.model.ids import Principal, RepoPath, is_human, show_path
from codifica_guard.model.policy import GUARD_FILE, SIGNERS_FILE
from codifica_guard.report.plain import plain_words
from codifica_guard.verbs.board import Board, board_at
from codifica_guard.verbs.landing import land
from codifica_guard.verbs.own_commit import file_at
from codifica_guard.verbs.seat import How, Proposal, Seat
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
            _ask(principal, key)
            asked = True
        what = "add a key of" if SIGNERS_FILE in files else "make a maintainer of"
        return Proposal(files=files, subject=f"codifica: {what} {principal}, {fingerprint(key.blob)}")

    landed = land(_how(options), plan)
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


def _how(options: argparse.Namespace) -> How:
    """Where the commit goes: to the remote, unless its branch has no policy yet, as before the first push."""
    chosen = how(options)
    if not chosen.push:
        return chosen
    with open_desk(int(time.time())) as desk:
        desk.needs_policy()
        try:
            board_at(desk)
        except UsageError:
            return How(fetch=False, push=False, dry_run=chosen.dry_run, wanted=chosen.wanted)
    return chosen


def _ask(principal: Principal, key: PublicKey) -> None:
    """Ask whether the key is really his.

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
        files[SIGNERS_FILE] = _with_line(file_at(desk, board.tip, SIGNERS_FILE) or b"", signer_line(principal, key))
        _check_shared(files[SIGNERS_FILE])
    elif not promoted:
        raise Stopped(
            f"{principal} has the key {fingerprint(key.blob)} already: line {known.line} of {show_path(SIGNERS_FILE)}, "
            f"{standing(known, policy, desk.now)}"
        )
    if promoted:
        files[GUARD_FILE] = _with_maintainer(file_at(desk, board.tip, GUARD_FILE) or b"", principal)
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
                plain_words(f"ID113: {fault.found}; a key of its own for the agent: git codifica key new NAME")
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
