"""Checks of what the guard goes by: introduction, policy, and the key of a clone."""

import os
from collections.abc import Iterator
from typing import Final

from codifica_guard.engine.trust import FIRST_PUSH
from codifica_guard.errors import GuardError, UnknownFormat
from codifica_guard.git.config import INTRODUCTION, TRUST
from codifica_guard.install.bare import PUSHERS
from codifica_guard.install.check import Check, Level, Probes, install_command
from codifica_guard.install.repository import Repository
from codifica_guard.model.policy import GUARD_FILE, Globs

_WILD: Final = frozenset("*?[{")


def check_trust(repository: Repository, probes: Probes) -> Iterator[Check]:
    """Whether it is settled on a server who may introduce the policy, or which commit did."""
    pinned, trust = repository.own(INTRODUCTION), repository.own(TRUST)
    pusher = repository.own("codifica.pusher") or "none"
    if pusher not in PUSHERS:
        text = f"codifica.pusher is {pusher!r}: one of {', '.join(PUSHERS)}"
        yield Check(level=Level.FAIL, name="pusher", text=text, do=(f"{install_command(repository)} --pusher none",))
    if pinned is not None:
        yield _pinned(repository, pinned, probes)
    elif trust == FIRST_PUSH:
        text = "whoever pushes the first policy is believed"
        yield Check(
            level=Level.WARN,
            name="introduction",
            text=text,
            do=(f"{install_command(repository)} --maintainer KEY.pub",),
        )
    elif trust is not None:
        state = (
            "may introduce the policy"
            if repository.holds(GUARD_FILE.decode())
            else "is awaited to introduce the policy"
        )
        yield Check(level=Level.OK, name="introduction", text=f"{trust} {state}")
    else:
        text = "nobody is named who may introduce the policy"
        yield Check(
            level=Level.FAIL,
            name="introduction",
            text=text,
            do=(f"{install_command(repository)} --maintainer KEY.pub",),
        )


def check_pinned(repository: Repository, probes: Probes) -> Iterator[Check]:
    """Whether a clone has pinned the introduction, so that nobody can show it another one."""
    pinned = repository.own(INTRODUCTION)
    if pinned is not None:
        yield _pinned(repository, pinned, probes)
    elif repository.holds(GUARD_FILE.decode()):
        text = "not pinned here: the introduction is taken from the repository itself"
        yield Check(level=Level.WARN, name="introduction", text=text, do=("codifica-guard install",))
    else:
        yield Check(level=Level.OK, name="introduction", text="no policy yet")


def check_policy(repository: Repository, probes: Probes) -> Iterator[Check]:
    """Whether the policy of HEAD's tree can be taken, and what in it surprises people."""
    try:
        policy = probes.policy()
    except UnknownFormat as error:
        yield Check(level=Level.FAIL, name="format", text=str(error), cannot_tell=True)
        return
    except GuardError as error:
        yield Check(level=Level.FAIL, name="policy", text=str(error))
        return
    if policy is None:
        yield Check(level=Level.OK, name="policy", text=f"none on {repository.head()} yet: idle, pushes pass untouched")
        return
    faults = [
        Check(
            level=Level.FAIL if fault.fatal else Level.WARN,
            name="policy",
            text=f"{fault.code} {fault.path.decode('utf-8', 'backslashreplace')}"
            f"{f':{fault.line}' if fault.line else ''}: {fault.found}",
        )
        for fault in policy.faults
    ]
    guard = policy.guard
    text = f"ruleset {guard.ruleset}, mode {guard.mode}, maintainers {', '.join(guard.maintainers)}"
    yield from faults or [Check(level=Level.OK, name="policy", text=text)]
    said = {fault.found for fault in policy.faults}
    codifica = policy.codifica
    warnings = (*guard.warnings, *(codifica.warnings if codifica else ()))
    yield from (Check(level=Level.WARN, name="policy", text=text) for text in warnings if text not in said)
    if codifica is not None:
        yield from _check_state(repository, codifica.state)
        yield from _check_scope(codifica.scope)


def check_key(probes: Probes) -> Iterator[Check]:
    """Whether this clone finds a key to sign with, and what will go wrong with it."""
    try:
        yield Check(level=Level.OK, name="key", text=probes.key())
        for doubt in probes.doubts():
            yield Check(level=Level.WARN, name="key", text=doubt.text, do=doubt.do)
    except GuardError as error:
        yield Check(level=Level.WARN, name="key", text=str(error))


def _pinned(repository: Repository, pinned: str, probes: Probes) -> Check:
    if repository.commit_id(pinned) is None:
        text = f"codifica.introduction is {pinned}: there is no such commit here"
        again = "git config --unset codifica.introduction"
        moved = f"codifica-guard introduce COMMIT {repository.quoted} -m WHY"
        return Check(level=Level.FAIL, name="introduction", text=text, do=(moved if repository.bare else again,))
    try:
        return Check(
            level=Level.OK, name="introduction", text=f"{pinned[:12]} by {probes.introduction(pinned)}, pinned"
        )
    except GuardError as error:
        return Check(level=Level.FAIL, name="introduction", text=f"{pinned[:12]} does not hold: {error}")


def _check_state(repository: Repository, state: Globs) -> Iterator[Check]:
    listed = repository.git("ls-tree", "-r", "-z", "--name-only", "HEAD") or ""
    paths = [os.fsencode(path) for path in listed.split("\0") if path]
    if not any(state.match(path) for path in paths):
        text = f"codifica.json: state {', '.join(state.patterns)} matches no file on {repository.head()}"
        yield Check(level=Level.WARN, name="state", text=text)


def _check_scope(scope: Globs) -> Iterator[Check]:
    for pattern in scope.patterns:
        bare = pattern.lstrip("!")
        if "/" not in bare and bare != "**" and set(bare) & _WILD:
            text = f"codifica.json: file_scope {bare} matches in the root folder only"
            yield Check(level=Level.WARN, name="scope", text=text, do=(f"to match everywhere: **/{bare}",))
