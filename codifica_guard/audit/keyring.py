"""Whose keys there were: listed and revoked by which commits, used when and how often."""

from collections.abc import Iterable, Sequence
from itertools import chain
from typing import Final

from codifica_guard.audit.made import Made
from codifica_guard.engine.world import World
from codifica_guard.identity.allowed_signers import matches
from codifica_guard.identity.keys import fingerprint
from codifica_guard.identity.patterns import is_literal
from codifica_guard.model.audited import Key, PolicyChange
from codifica_guard.model.ids import KeyBlob, ObjectId, is_agent, is_human
from codifica_guard.model.policy import Policy, SignerLine
from codifica_guard.model.value import replace

KEYS: Final = 5_000
"""Keys that are told; a policy file of a megabyte lists some ten thousand."""

_Name = tuple[str, str]
"""Principal, or pattern, and fingerprint."""


def keyring(
    world: World,
    introduction: ObjectId,
    tip: ObjectId,
    changes: Iterable[PolicyChange],
    line: Iterable[Made],
    served: Iterable[tuple[str, str, int]] = (),
) -> tuple[Key, ...]:
    """Every key that a policy of the history ever listed, in the order of principals: humans, agents, servers.

    Args:
        world: what is read.
        introduction: the commit that brought the first policy.
        tip: the newest commit of the coordination branch, whose policy counts now.
        changes: the commits that changed the policy, in the order of history.
        line: all judged commits, for what the keys were used for.
        served: receipts: principal, fingerprint and time.
    """
    ring = _Ring(introduction)
    steps = [(change.commit, change.actor) for change in changes]
    first = [] if introduction in dict(steps) else [(introduction, None)]
    for commit, by in (*first, *steps, (tip, None)):
        policy = world.own_policy(commit)
        if policy is not None:
            ring.add(commit, by, policy)
    now = world.own_policy(tip)
    own = ((made.actor, made.key, made.at) for made in line if made.actor is not None and made.key is not None)
    times: dict[_Name, list[int]] = {}
    for principal, key, at in chain(own, served):
        times.setdefault((principal, key), []).append(at)
    for (principal, key), at_all in times.items():
        ring.use(principal, key, at_all)
    return ring.told(now)


class _Ring:
    """The keys so far."""

    def __init__(self, introduction: ObjectId) -> None:
        self._introduction = introduction
        self._keys: dict[_Name, Key] = {}
        self._patterns: dict[str, list[SignerLine]] = {}
        self._revoked: dict[str, tuple[ObjectId, str | None]] = {}
        self._printed: dict[KeyBlob, str] = {}

    def add(self, commit: ObjectId, by: str | None, policy: Policy) -> None:
        """What one commit's policy lists and revokes; what an earlier one did first stays its."""
        for key in policy.revoked:
            self._revoked.setdefault(self._print(key), (commit, by))
        for signer in policy.signers:
            shown = self._print(signer.key)
            for name in signer.principals:
                if name.startswith("!") or (len(self._keys) >= KEYS and (name, shown) not in self._keys):
                    continue
                known = self._keys.get((name, shown))
                listed = known.listed if known is not None else None if commit == self._introduction else commit
                if known is None and not is_literal(name):
                    self._patterns.setdefault(shown, []).append(replace(signer, principals=(name,)))
                self._keys[name, shown] = Key(
                    principal=name,
                    fingerprint=shown,
                    since=signer.valid_after,
                    until=signer.valid_before,
                    listed=listed,
                )

    def use(self, principal: str, key: str, times: Sequence[int]) -> None:
        """All uses of a key by one principal; one that only a pattern lists gets a row of his own."""
        known = self._keys.get((principal, key)) or self._by_pattern(principal, key)
        if (principal, key) not in self._keys and len(self._keys) >= KEYS:
            return
        self._keys[principal, key] = replace(
            known,
            first=min(times),
            last=max(times),
            uses=len(times),
        )

    def _by_pattern(self, principal: str, key: str) -> Key:
        for line in self._patterns.get(key, ()):
            if matches(line, principal):
                return replace(self._keys[line.principals[0], key], principal=principal)
        return Key(principal=principal, fingerprint=key)

    def told(self, now: Policy | None) -> tuple[Key, ...]:
        """All of them, with what the newest policy says."""
        lines: dict[str, list[SignerLine]] = {}
        for line in now.signers if now is not None else ():
            lines.setdefault(self._print(line.key), []).append(line)
        maintainers = now.guard.maintainers if now is not None else ()
        found: list[Key] = []
        for (principal, shown), key in self._keys.items():
            commit, revoker = self._revoked.get(shown, (None, None))
            there = any(principal in line.principals or matches(line, principal) for line in lines.get(shown, ()))
            told = replace(key, revoked=commit, revoker=revoker, gone=not there, maintainer=principal in maintainers)
            found.append(told)
        return tuple(sorted(found, key=lambda key: (_kind(key.principal), key.principal)))

    def _print(self, key: KeyBlob) -> str:
        if key not in self._printed:
            self._printed[key] = fingerprint(key)
        return self._printed[key]


def _kind(principal: str) -> int:
    return 0 if is_human(principal) else 1 if is_agent(principal) else 2
