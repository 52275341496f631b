"""`payload`: the bytes that a commit's signed trailers cover, and the signature, for anybody who has ssh-keygen."""

import argparse
import time
from typing import TYPE_CHECKING

from codifica_guard.cli.command import REFUSED, Command, Outcome
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.signing import holds
from codifica_guard.engine.facts import Facts, deed_of
from codifica_guard.errors import UsageError
from codifica_guard.identity.sshsig import armour, from_line
from codifica_guard.model.commit import ACTOR, SIGNATURE, Commit
from codifica_guard.model.ids import Principal, is_principal, short
from codifica_guard.model.times import stamp
from codifica_guard.report.printing import printable
from codifica_guard.verbs.board import board_at
from codifica_guard.verbs.history import witnesses_of

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import PayloadData, SeenData, SignatureData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("commit", nargs="?", default="HEAD", metavar="COMMIT", help="the commit (HEAD)")
    kinds = parser.add_mutually_exclusive_group()
    kinds.add_argument("--signature", action="store_true", help="the armoured SSH signature instead of the payload")
    kinds.add_argument("--receipt", action="store_true", help="the commit of the server's receipt that saw it instead")
    parser.add_argument("--as", dest="actor", metavar="NAME", help="whose payload, where the commit does not say")


def run(options: argparse.Namespace) -> Outcome:
    """Print the payload, or the signature."""
    with open_desk(int(time.time())) as desk:
        desk.needs_policy()
        commit = desk.world.store.commit(desk.commit_id(options.commit))
        if options.receipt:
            return _receipt(desk, commit)
        if options.signature:
            return _signature(desk, commit)
        return _payload(desk, commit, options.actor)


def _payload(desk: Desk, commit: Commit, named: str | None) -> Outcome:
    trailers = desk.world.trailers(commit)
    own = trailers.values(ACTOR)
    actor = named or (own[0].decode("utf-8", "backslashreplace") if own else None)
    if actor is None:
        seen = holds(desk, commit, desk.needs_policy())
        actor = seen.actor or seen.claimed
    if actor is None:
        raise UsageError(f"{short(commit.id)} is signed by nobody: name whose payload it is to be, --as human:NAME")
    if not is_principal(actor):
        raise UsageError(f"{actor!a} is no principal such as human:alice or agent:builder")
    facts = Facts(desk.world, deed_of(commit), trailers, lambda: desk.world.own_policy(commit.id))
    covered = facts.payload(Principal(actor))
    notes: tuple[str, ...] = ()
    if not trailers.values(SIGNATURE) and commit.signature is not None:
        notes = (_of_git(commit),)
    data: PayloadData = {"commit": commit.id.decode(), "actor": actor, "payload": covered.decode("ascii")}
    return Outcome(raw=covered, notes=notes, data=data)


def _signature(desk: Desk, commit: Commit) -> Outcome:
    values = desk.world.trailers(commit).values(SIGNATURE)
    notes: tuple[str, ...] = ()
    if values:
        text = armour(from_line(values[0]))
    elif commit.signature is not None:
        text = commit.signature.decode("utf-8", "backslashreplace").rstrip("\n") + "\n"
        notes = (_of_git(commit),)
    else:
        return Outcome(exit=REFUSED, notes=(f"codifica-guard payload: {short(commit.id)} carries no signature",))
    data: SignatureData = {"commit": commit.id.decode(), "by": "trailer" if values else "git", "signature": text}
    return Outcome(raw=text.encode(), notes=notes, data=data)


def _receipt(desk: Desk, commit: Commit) -> Outcome:
    witness = witnesses_of(board_at(desk)).of(commit.id)
    if witness is None:
        told = f"codifica-guard payload: no receipt that is here, and believed, saw {short(commit.id)}"
        fetch = f"git fetch {desk.remote} '+refs/codifica/*:refs/codifica/*'"
        return Outcome(exit=REFUSED, notes=printable((told,)), next=(fetch,))
    data: SeenData = {
        "commit": commit.id.decode(),
        "receipt": witness.commit.decode(),
        "number": witness.number,
        "server": witness.receipt.server,
        "at": stamp(witness.at),
    }
    return Outcome(raw=witness.commit + b"\n", data=data)


def _of_git(commit: Commit) -> str:
    return (
        f"codifica-guard: {short(commit.id)} has Git's own signature, which covers the commit itself without its "
        f"signature header (namespace git), and not the payload: git verify-commit {short(commit.id)}"
    )


COMMAND = Command(
    name="payload",
    summary="what a commit's signature covers",
    configure=configure,
    run=run,
    text="Print exactly the bytes that Codifica-Signature covers, or with --signature the signature itself. To check it without the guard: codifica-guard payload C > p; codifica-guard payload C --signature > s; ssh-keygen -Y verify -n codifica-guard -f .codifica/allowed_signers -I agent:builder -s s < p. With --receipt: git verify-commit $(codifica-guard payload C --receipt)",
)
