"""`whoami`: which key signs here, and what the policy says about it."""

import argparse
import os
import re
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.person import name_from_git
from codifica_guard.cli.signer_lines import Standing, best_standing, maintains
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.hand import SIGNING_KEY, find_key, name_actor
from codifica_guard.errors import KeyUnavailable, SignatureError
from codifica_guard.identity.allowed_signers import matches, principals_of
from codifica_guard.identity.attribute import GIT_NAMESPACE
from codifica_guard.identity.keys import fingerprint, parse_public, public_line
from codifica_guard.identity.payload import NAMESPACE
from codifica_guard.identity.signing import KEY_VARIABLE, Signer
from codifica_guard.model.ids import Principal, is_agent, is_human
from codifica_guard.model.policy import Policy, SignerLine
from codifica_guard.report.printing import printable

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.look import SigningKey, WhoamiData

_ONLY_GIT: Final = (
    "listed for git commit -S alone: its line in .codifica/allowed_signers lacks the namespace codifica-guard"
)

_FILE_CHARACTERS: Final = 64 * 1024
_PLAIN: Final = re.compile(r"[A-Za-z0-9@._+:-]{1,100}")


def configure(parser: argparse.ArgumentParser) -> None:
    """There are no arguments of its own."""


def run(_: argparse.Namespace) -> Outcome:
    """Find the key, and look it up."""
    with open_desk(int(time.time())) as desk:
        signer = find_key(desk)
        key: SigningKey = {
            "fingerprint": fingerprint(signer.key),
            "public": public_line(signer.key),
            "source": signer.source,
            "named_by": _named_by(desk),
        }
        first = f"key      {signer.source}  {key['fingerprint']}"
        policy = desk.policy
        if policy is None:
            text = (
                "policy   none here yet: every push passes as before. a human introduces the guard: git codifica init"
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
    key: "SigningKey",
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
    best = best_standing(rows, policy, desk.now)
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
    return f"git config {SIGNING_KEY if (desk.setting(SIGNING_KEY) or '').strip() else 'user.signingkey'}"


def _actor(desk: Desk, policy: Policy, signer: Signer) -> tuple[Principal | None, str]:
    try:
        return name_actor(desk, policy, signer), ""
    except KeyUnavailable as error:
        return None, str(error)


def _stranger(desk: Desk, policy: Policy, signer: Signer, first: str, key: "SigningKey") -> Outcome:
    who = f"human:{name_from_git(desk) or 'NAME'}"
    command = f"git codifica key add {who} '{_line(signer)}'"
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


def _line(signer: Signer) -> str:
    """The public key as one line, with the comment that its file has, if that can be typed between quotes."""
    line = public_line(signer.key)
    place = Path(signer.source)
    try:
        with place.with_name(f"{place.name.removesuffix('.pub')}.pub").open(encoding="ascii") as file:
            given = parse_public(file.read(_FILE_CHARACTERS))
    except (OSError, ValueError, SignatureError):
        return line  # the key is text, or in the agent, or has no public half beside it
    return f"{line} {given.comment}" if given.blob == signer.key and _PLAIN.fullmatch(given.comment) else line


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
    key: "SigningKey",
    policy: Policy | None,
    actor: Principal | None,
    listed: Sequence[str] = (),
    state: Standing | None = None,
    maintainer: bool = False,  # noqa: FBT001, FBT002 - one field of the answer
) -> "WhoamiData":
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
