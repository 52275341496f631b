"""Whose hand a clone is in: the key, the principal that the policy lists for it, the writer tokens."""

import os
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from codifica_guard.clone.desk import Desk
from codifica_guard.errors import KeyUnavailable, NeedsTerminal
from codifica_guard.identity.allowed_signers import matches, names, principals_of
from codifica_guard.identity.keys import fingerprint, public_line
from codifica_guard.identity.payload import NAMESPACE
from codifica_guard.identity.signing import Signer, find_signer
from codifica_guard.identity.tokens import WriterToken, load_tokens
from codifica_guard.model.ids import Principal, is_principal
from codifica_guard.model.policy import Policy

ACTOR_VARIABLE, ACTOR_KEY, SIGNING_KEY, TOKEN_DIR = (
    "CODIFICA_ACTOR",
    "codifica.actor",
    "codifica.signingKey",
    "codifica.tokenDir",
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Hand:
    """Who works here.

    Attributes:
        signer: the key.
        actor: the principal.
        tokens: writer tokens at hand.
    """

    signer: Signer
    actor: Principal
    tokens: tuple[WriterToken, ...] = ()


def find_key(
    desk: Desk, *, explicit: str | None = None, environ: Mapping[str, str] | None = None, quiet: bool = False
) -> Signer:
    """The key that signs here: option, environment, `codifica.signingKey`, Git's own `user.signingkey` if it signs by SSH.

    Args:
        desk: the clone.
        explicit: the key, where an option names it.
        environ: the environment.
        quiet: never ask for a passphrase.

    Raises:
        KeyUnavailable: there is none, or it cannot be opened.
    """
    env = os.environ if environ is None else environ
    by_ssh = desk.setting("gpg.format") == "ssh"
    return find_signer(
        explicit=explicit,
        environ=env,
        config_key=desk.setting(SIGNING_KEY),
        git_signing_key=desk.setting("user.signingkey") if by_ssh else None,
        ask=None if quiet else asker(),
    )


def asker() -> Callable[[str], str] | None:
    """What asks for a passphrase; None where nobody is there to answer."""
    if not sys.stderr.isatty():
        return None

    def ask(prompt: str) -> str:
        import getpass  # noqa: PLC0415 - only where somebody is asked

        try:
            return getpass.getpass(prompt)
        except EOFError as error:
            raise NeedsTerminal("nobody answered the question for the passphrase") from error

    return ask


def principals(policy: Policy, signer: Signer) -> tuple[Principal, ...]:
    """The principals that a policy lists for a key, by name."""
    lines = principals_of(policy.signers, signer.key, NAMESPACE)
    return tuple(dict.fromkeys(name for line in lines for name in names(line)))


def name_actor(
    desk: Desk, policy: Policy, signer: Signer, *, wanted: str | None = None, environ: Mapping[str, str] | None = None
) -> Principal:
    """The principal that works here: option, environment, config, else the only one that the key is listed for.

    Raises:
        KeyUnavailable: the key is nobody's here, or several principals' and none is named, or not the named one's.
    """
    env = os.environ if environ is None else environ
    named = wanted or env.get(ACTOR_VARIABLE) or desk.setting(ACTOR_KEY)
    lines = principals_of(policy.signers, signer.key, NAMESPACE)
    listed = principals(policy, signer)
    if named:
        full = [p for p in ((named,) if ":" in named else (f"human:{named}", f"agent:{named}")) if is_principal(p)]
        fitting = [p for p in full if any(matches(line, p) for line in lines)]
        if len(fitting) == 1:
            return Principal(fitting[0])
        raise KeyUnavailable(
            f"the key {fingerprint(signer.key)} is not {named}'s here; it is listed for {', '.join(listed) or 'nobody'}"
        )
    if len(listed) == 1:
        return listed[0]
    if listed:
        raise KeyUnavailable(f"the key is listed for {', '.join(listed)}: say which, git config {ACTOR_KEY} NAME")
    raise KeyUnavailable(
        f"the key {fingerprint(signer.key)} is nobody's here; a maintainer runs: "
        f"git codifica key add human:NAME '{public_line(signer.key)}'"
    )


def token_folder(desk: Desk) -> Path:
    """Where writer tokens of this clone are kept.

    Raises:
        KeyUnavailable: the setting names a home folder that is not known here.
    """
    named = desk.setting(TOKEN_DIR)
    common = Path(os.fsdecode(desk.location.common_dir))
    try:
        return Path(named).expanduser() if named else common / "codifica-guard" / "tokens"
    except RuntimeError as error:
        raise KeyUnavailable(f"{TOKEN_DIR} {named} names no home folder that is known here") from error


def find_hand(desk: Desk, *, key: str | None = None, wanted: str | None = None) -> Hand:
    """Who works here.

    Args:
        desk: the clone.
        key: the key, where an option names it.
        wanted: the principal, where an option names it.

    Raises:
        KeyUnavailable: there is no key, or it is not listed for one principal.
    """
    signer = find_key(desk, explicit=key)
    actor = name_actor(desk, desk.needs_policy(), signer, wanted=wanted)
    return Hand(signer=signer, actor=actor, tokens=load_tokens(token_folder(desk), os.environ))
