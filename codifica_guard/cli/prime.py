"""`prime`: the whole manual for whoever works here, in as few words as it takes."""

import argparse
import time
from typing import Final

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.signer_lines import best_standing
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.hand import find_key, name_actor, principals
from codifica_guard.errors import KeyUnavailable, UsageError
from codifica_guard.identity.allowed_signers import matches, principals_of
from codifica_guard.identity.keys import fingerprint, public_line
from codifica_guard.identity.payload import NAMESPACE
from codifica_guard.identity.signing import KEY_VARIABLE
from codifica_guard.model.ids import Principal
from codifica_guard.model.policy import Policy
from codifica_guard.report.printing import printable
from codifica_guard.verbs.board import board_at
from codifica_guard.verbs.manual import Place, manual, section
from codifica_guard.verbs.remote import short_name

_MEANS: Final = "so you may read and push code, not move tasks"


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "--section", action="store_true", help="the marked section for AGENTS.md, the same for every agent"
    )


def run(options: argparse.Namespace) -> Outcome:
    """Read the policy, and tell."""
    with open_desk(int(time.time())) as desk:
        if options.section:
            config = desk.needs_policy().codifica
            if config is None:
                raise UsageError("codifica.json is missing here, or cannot be taken: git codifica check")
            return _told(section(config, short_name(desk.coordination)), None)
        board = board_at(desk)
        place = Place(
            repository=board.repository,
            guard=board.policy.guard,
            codifica=board.codifica,
            branch=board.name,
            ref=board.ref,
            remote=desk.remote,
        )
        actor, doubts = _actor(desk, board.policy)
        return _told(tuple(manual(place, actor, doubts)), actor)


def _actor(desk: Desk, policy: Policy) -> tuple[Principal | None, tuple[str, ...]]:
    """Who works here, or nobody; and what has to be settled before he can."""
    maintainers = ", ".join(policy.guard.maintainers) or "there is none"
    try:
        signer = find_key(desk, quiet=True)
    except KeyUnavailable as error:
        return None, (f"No key of yours can sign here, {_MEANS}: {error}", f"An agent's key: {KEY_VARIABLE}=FILE")
    try:
        actor = name_actor(desk, policy, signer)
    except KeyUnavailable as error:
        if principals(policy, signer):
            return None, (f"Who you are is not clear, {_MEANS}: {error}",)
        command = f"git codifica key add agent:NAME '{public_line(signer.key)}'"
        told = f"Your key {fingerprint(signer.key)} is not listed here, {_MEANS}. A maintainer ({maintainers}) runs:"
        return None, (told, f"  {command}")
    lines = (line for line in principals_of(policy.signers, signer.key, NAMESPACE) if matches(line, actor))
    stands = best_standing(lines, policy, desk.now)
    if stands == "valid":
        return actor, ()
    return actor, (
        f"But your key is {stands.upper()}: what it signs now is refused. Ask a maintainer ({maintainers}).",
    )


def _told(lines: tuple[str, ...], actor: Principal | None) -> Outcome:
    shown = printable(lines)
    return Outcome(lines=shown, data={"text": "".join(f"{line}\n" for line in shown), "actor": actor})


COMMAND = Command(
    name="prime",
    summary="the whole manual for an agent, short",
    configure=configure,
    run=run,
    text="Who you are here, where tasks live, and every command that you need, filled from the policy: a text that an agent reads once a session. With --section, the part that is the same for all agents, to be put into AGENTS.md.",
)
