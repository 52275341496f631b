"""What will go wrong with the key of a clone that is fine today: it ends soon, it counts no more, or all depends on it."""

import os
import time
from collections.abc import Iterator

from codifica_guard.cli.maintaining import keepers, policy_here
from codifica_guard.cli.signer_lines import best_standing, expires_soon
from codifica_guard.clone.desk import open_desk
from codifica_guard.clone.hand import find_key, name_actor
from codifica_guard.identity.allowed_signers import matches, names, principals_of, valid_at
from codifica_guard.identity.keys import fingerprint
from codifica_guard.identity.payload import NAMESPACE
from codifica_guard.install.check import Doubt
from codifica_guard.model.ids import KeyBlob, Principal
from codifica_guard.model.policy import Policy
from codifica_guard.model.times import show_time


def key_doubts(path: str) -> tuple[Doubt, ...]:
    """What ought to be known about the key that a clone signs with, by the policy that counts; nothing where there is none.

    Raises:
        GuardError: there is no key, or it is not listed for one principal.
    """
    with open_desk(int(time.time()), os.fsencode(path)) as desk:
        if desk.policy is None:
            return ()
        policy, signer = policy_here(desk), find_key(desk, quiet=True)
        actor = name_actor(desk, policy, signer)
        return (*_ending(policy, signer.key, actor, desk.now), *_lonely(policy, actor, desk.now))


def _ending(policy: Policy, key: KeyBlob, actor: Principal, now: int) -> Iterator[Doubt]:
    """That a key counts no more, or not for long."""
    lines = tuple(line for line in principals_of(policy.signers, key, NAMESPACE) if matches(line, actor))
    stands = best_standing(lines, policy, now)
    other = _newer(policy, key, actor, now)
    do = (
        f"git config codifica.signingKey FILE.pub   ({fingerprint(other)} is valid without an end)"
        if other is not None
        else f"a maintainer runs: git codifica key {'rotate' if stands == 'valid' else 'add'} {actor} "
        f"{'--new ' if stands == 'valid' else ''}FILE.pub",
    )
    if stands != "valid":
        yield Doubt(text=f"{fingerprint(key)} is {stands.upper()}: what it signs now is refused", do=do)
    elif all(expires_soon(line, now) for line in lines if valid_at(line, now)):
        end = max(line.valid_before or 0 for line in lines if valid_at(line, now))
        yield Doubt(text=f"{fingerprint(key)} ends at {show_time(end)}: what it signs later is refused", do=do)


def _newer(policy: Policy, key: KeyBlob, actor: Principal, now: int) -> KeyBlob | None:
    """Another key of a principal, valid without an end."""
    found = (
        line.key
        for line in policy.signers
        if line.key != key and line.key not in policy.revoked and actor in names(line)
        if valid_at(line, now) and line.valid_before is None
    )
    return next(found, None)


def _lonely(policy: Policy, actor: Principal, now: int) -> Iterator[Doubt]:
    """That one key is all that can change the policy."""
    if keepers(policy, now) != (actor,):
        return
    keys = {
        line.key
        for line in policy.signers
        if matches(line, actor) and line.key not in policy.revoked and valid_at(line, now)
    }
    if len(keys) == 1:
        yield Doubt(
            text=f"{actor} alone can change the policy, with one key: if it is lost, only the server's admin can help",
            do=(f"git codifica key add {actor} SPARE.pub   (a second key, kept offline)",),
        )
