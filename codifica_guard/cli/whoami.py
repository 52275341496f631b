"""`whoami`: which key signs here, and what the policy says about it."""

import argparse
import os
import time
from collections.abc import Iterator, Sequence
from typing import Any, Final

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.person import name_from_git
from codifica_guard.cli.signer_lines import maintains, standing
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.hand import SIGNING_KEY, find_key, name_actor
from codifica_guard.clone.program import setting
from codifica_guard.errors import KeyUnavailable
from codifica_guard.identity.allowed_signers import matches, principals_of
from codifica_guard.identity.attribute import GIT_NAMESPACE
from codifica_guard.identity.keys import fingerprint, public_line
from codifica_guard.identity.payload import NAMESPACE
from codifica_guard.identity.signing import KEY_VARIABLE, Signer
from codifica_guard.model.ids import Principal, is_agent, is_human
from codifica_guard.model.policy import Policy, SignerLine
from codifica_guard.report.printing import printable

_ONLY_GIT: Final = (
    "listed for git commit -S alone: its line in .codifica/allowed_signers lacks the namespace codifica-guard"
)


def configure(parser: argparse.ArgumentParser) -> None:
    """There are no arguments of its own."""


def run(_: argparse.Namespace) -> Outcome:
    """Find the key, and look it up."""
    with open_desk(int(time.time())) as desk:
        signer = find_key(desk)
        key = {
            "fingerprint": fingerprint(signer.key),
            "public": public_line(signer.key),
            "source": signer.source,
            "named_by": _named_by(desk),
        }
        first = f"key      {signer.source}  {key['fingerprint']}"
        policy = desk.policy
        if policy is None:
            text = (
                "policy   none here yet: every push passes as before. a human introduces the guard: codifica-guard init"
            )
            return Outcome(lines=printable((f"{first}  (from {key['named_by']})", text)), data=_data(key, None, None))
        listed = principals_of(policy.signers, signer.key, NAMESPACE)
        by_git = principals_of(policy.signers, signer.key, GIT_NAMESPACE)
        if not listed and not by_git:
            return _stranger(desk, policy, signer, first, key)
        return _known(desk, policy, signer, f"{first}  (from {key['named_by']})", key, listed, by_git)


def _known(
    desk: Desk,
    policy: Policy,
    signer: Signer,
    first: str,
    key: dict[str, str],
    listed: tuple[SignerLine, ...],
    by_git: tuple[SignerLine, ...],
) -> Outcome:
    """What is said of a key that the policy lists, for trailers or for Git's own signatures alone."""
    lines, rows = [first], listed or by_git
    actor, doubt = _actor(desk, policy, signer) if listed else (None, _ONLY_GIT)
    if actor is not None:
        rows = tuple(line for line in listed if matches(line, actor))
    names = list(dict.fromkeys(name for line in rows for name in line.principals))
    lines.append(f"you      {actor or ', '.join(names)}")
    lines += [f"note     {doubt}"] if doubt else []
    stands = [standing(line, policy, desk.now) for line in rows]
    best = next((s for s in ("valid", "not yet", "expired") if s in stands), "revoked")
    if best != "valid":
        text = f"the key is {best.upper()}: what it signs now is refused; ask a maintainer ({_maintainers(policy)})"
        lines.append(f"state    {text}")
    elif actor is not None:
        lines += _rights(policy, actor)
    maintainer = actor in policy.guard.maintainers if actor is not None else any(maintains(r, policy) for r in rows)
    return Outcome(lines=printable(lines), data=_data(key, policy, actor, names, best, maintainer))


def _named_by(desk: Desk) -> str:
    """What names the key, in the order in which it is looked for."""
    if os.environ.get(KEY_VARIABLE, "").strip():
        return KEY_VARIABLE
    return f"git config {SIGNING_KEY if (setting(desk.folder, SIGNING_KEY) or '').strip() else 'user.signingkey'}"


def _actor(desk: Desk, policy: Policy, signer: Signer) -> tuple[Principal | None, str]:
    try:
        return name_actor(desk, policy, signer), ""
    except KeyUnavailable as error:
        return None, str(error)


def _stranger(desk: Desk, policy: Policy, signer: Signer, first: str, key: dict[str, str]) -> Outcome:
    who = f"human:{name_from_git(desk) or 'NAME'}"
    command = f"codifica-guard key add {who} '{public_line(signer.key)}'"
    return Outcome(
        lines=printable(
            (
                f"{first}  is not listed here: you may push code, not move tasks",
                f"ask      a maintainer ({_maintainers(policy)}) to run:",
                f"         {command}",
            )
        ),
        next=(command,),
        data=_data(key, policy, None),
    )


def _maintainers(policy: Policy) -> str:
    return ", ".join(policy.guard.maintainers) or "there is none"


def _rights(policy: Policy, actor: Principal) -> Iterator[str]:
    """What a principal may do, in words."""
    guard, codifica = policy.guard, policy.codifica
    if is_human(actor):
        yield "may      write and move tasks, decide about those of others"
        if actor in guard.maintainers:
            yield "         maintainer: change the policy, codifica.json and the keys"
    elif is_agent(actor):
        if codifica is not None and codifica.allowed_agents and actor not in codifica.allowed_agents:
            yield "may      not take tasks: codifica.json does not name it in allowed_agents"
            return
        most = codifica.max_concurrent if codifica is not None else None
        yield f"may      take tasks{f' ({most} at once)' if most is not None else ''}, note, hand in its own"
        if codifica is not None:
            yield f"         change files in {' '.join(codifica.scope.patterns)}"
    else:
        yield "may      act on nothing: servers only keep records"


def _data(
    key: dict[str, str],
    policy: Policy | None,
    actor: Principal | None,
    listed: Sequence[str] = (),
    state: str | None = None,
    maintainer: bool = False,  # noqa: FBT001, FBT002 - one field of the answer
) -> dict[str, Any]:
    return {
        "key": key,
        "policy": policy is not None,
        "listed": state is not None,
        "principals": list(listed),
        "actor": actor,
        "maintainer": maintainer,
        "state": state,
        "maintainers": list(policy.guard.maintainers) if policy is not None else [],
    }


COMMAND = Command(
    name="whoami",
    summary="which key, which principal",
    configure=configure,
    run=run,
    text="Which key signs here, whose it is by the policy, and what that principal may do.",
)
