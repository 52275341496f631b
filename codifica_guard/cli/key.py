"""`key`: make key files and writer tokens, list the keys of the policy, add, rotate and revoke them."""

import argparse
import os
import shlex
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

from codifica_guard.cli import key_add, key_list, key_revoke, key_rotate, key_token
from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.key_files import default_path, new_key, write_key
from codifica_guard.cli.options import add_action, add_reason, add_writing
from codifica_guard.cli.rotation import OVERLAP
from codifica_guard.cli.signer_lines import principal_of
from codifica_guard.clone.desk import open_desk
from codifica_guard.errors import RepositoryError, UsageError
from codifica_guard.identity.keys import fingerprint
from codifica_guard.model.ids import Principal
from codifica_guard.report.printing import printable

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import NewKey


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the commands and their arguments."""
    actions = parser.add_subparsers(dest="action", metavar="new|add|list|token|rotate|revoke", required=True)

    new = add_action(actions, "new", "make a key file for an agent, or for human:NAME")
    new.add_argument("name", metavar="NAME", help="builder, agent:builder or human:bob")
    new.add_argument("--file", metavar="PATH", help="where the private key goes; else below ~/.config/codifica-guard")

    add = add_action(actions, "add", "list a key in the policy, by one signed commit")
    add.add_argument("principal", metavar="PRINCIPAL", help="human:bob, agent:builder")
    add.add_argument("key", metavar="KEY", nargs="+", help="the public key: a file, - for standard input, or its line")
    add.add_argument("--maintainer", action="store_true", help="he may change the policy, too")
    add.add_argument("--yes", action="store_true", help="its owner told you the fingerprint himself")
    add_writing(add)

    rotate = add_action(actions, "rotate", "list a new key, and let the old one end; by one signed commit")
    rotate.add_argument("principal", metavar="PRINCIPAL", help="human:bob, agent:builder")
    rotate.add_argument(
        "--new", metavar="KEY", required=True, help="the new public key: a file, - for standard input, or its line"
    )
    rotate.add_argument(
        "--old", metavar="KEY", help="the key that ends, where there are several: SHA256:..., a file, or its line"
    )
    rotate.add_argument(
        "--overlap",
        metavar="SPAN",
        default=OVERLAP,
        help="how long both are valid: 14d, 12h, 0 (%(default)s)",
    )
    rotate.add_argument("--yes", action="store_true", help="its owner told you the new fingerprint himself")
    add_writing(rotate)

    revoke = add_action(actions, "revoke", "refuse a key for good, by one signed commit")
    revoke.add_argument(
        "target",
        metavar="PRINCIPAL|KEY",
        nargs="+",
        help="whose key, its fingerprint (SHA256:...), a file, or its line",
    )
    revoke.add_argument(
        "--all", dest="every", action="store_true", help="all keys of the principal, where there are several"
    )
    revoke.add_argument("--yes", action="store_true", help="do not ask: a revoked key never comes back")
    add_reason(revoke, required=True)
    add_writing(revoke)

    token = add_action(actions, "token", "make a writer token for the claim of a task")
    token.add_argument("task", metavar="ID", help="the task that is going to be claimed")

    add_action(actions, "list", "the keys of the policy, and how they stand")


def run(options: argparse.Namespace) -> Outcome:
    """Do what the action says."""
    actions: dict[str, Callable[[argparse.Namespace], Outcome]] = {
        "new": _new,
        "add": key_add.run,
        "rotate": key_rotate.run,
        "revoke": key_revoke.run,
        "list": key_list.run,
        "token": lambda given: key_token.run(given.task),
    }
    return actions[options.action](options)


# -- new


def _new(options: argparse.Namespace) -> Outcome:
    principal = principal_of(options.name, "agent")
    if principal.startswith("server:"):
        raise UsageError(f"{principal}: keys are made for agents and humans")
    key = new_key(principal, _place(options.file, principal))
    write_key(key)
    command = f"git codifica key add {principal} '{key.line}'"
    data: NewKey = {
        "principal": principal,
        "path": str(key.path),
        "public": key.line,
        "fingerprint": fingerprint(key.key),
    }
    return Outcome(
        lines=printable(
            (
                f"wrote    {key.path}   (0600, no passphrase), and the public half beside it: .pub",
                f"public   {key.line}",
                "next     a maintainer runs:",
                f"         {command}",
                f"         {principal} works with: CODIFICA_SIGNING_KEY={shlex.quote(str(key.path))}",
            )
        ),
        next=(command,),
        data=data,
    )


def _place(given: str | None, principal: Principal) -> Path:
    if given is not None:
        return Path(os.path.abspath(Path(given).expanduser()))  # noqa: PTH100 - a link on the way is the user's own choice
    try:
        with open_desk(int(time.time())) as desk:
            return default_path(desk, principal)
    except RepositoryError as error:
        raise UsageError(f"{error}: run this in a clone, or say where the key goes: --file PATH") from error


COMMAND = Command(
    name="key",
    summary="make, list, add, rotate and revoke keys",
    configure=configure,
    run=run,
    text="Make key files, list who signs with which key, and change .codifica/allowed_signers and .codifica/revoked_keys. "
    "What changes them is one signed commit of a maintainer; --dry-run shows the lines, and they can be written by hand as well.",
)
