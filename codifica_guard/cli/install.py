"""`install`: put the hooks into a bare repository or a clone."""

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.introduction import ruling_policy, verify_introduction
from codifica_guard.clone.desk import open_desk
from codifica_guard.errors import UsageError
from codifica_guard.git.config import INTRODUCTION
from codifica_guard.git.history import is_ancestor
from codifica_guard.identity.keys import fingerprint
from codifica_guard.install import receipt_key
from codifica_guard.install.bare import PUSHERS, plan_bare
from codifica_guard.install.clone import plan_clone
from codifica_guard.install.plan import apply
from codifica_guard.install.repository import is_bare, open_bare
from codifica_guard.report.printing import printable

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.server import InstallData, ServerKeyData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("repository", nargs="?", default=".", help="a bare repository, or a clone (here)")
    parser.add_argument(
        "--maintainer", metavar="KEY.pub", help="whose key may introduce the policy: a file, or - for standard input"
    )
    parser.add_argument("--introduction", metavar="COMMIT", help="the commit that introduced the policy")
    parser.add_argument("--trust-first-push", action="store_true", help="take whatever policy is pushed first")
    parser.add_argument("--pusher", choices=PUSHERS, help="what says who pushes on this server")
    parser.add_argument(
        "--server",
        metavar="HOST",
        help="what the server is called in its receipts: git.example.org; else this machine's name",
    )
    parser.add_argument(
        "--hooks-path", action="store_true", help="write into the hooks in the folder that core.hooksPath names"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")


def run(options: argparse.Namespace) -> Outcome:
    """Plan, and carry out."""
    if bare := is_bare(options.repository):
        if options.hooks_path:
            raise UsageError(f"{options.repository} is a bare repository: --hooks-path is for clones")
        plan = plan_bare(
            options.repository,
            maintainer=read_key(options.maintainer) if options.maintainer else None,
            introduction=options.introduction,
            trust_first_push=options.trust_first_push,
            pusher=options.pusher,
            server=options.server,
            verify_introduction=lambda commit: verify_introduction(options.repository, commit),
        )
    else:
        if options.maintainer or options.trust_first_push or options.pusher or options.server:
            raise UsageError(
                f"{options.repository} is no bare repository: --maintainer, --trust-first-push, --pusher and --server are for servers"
            )
        if options.introduction:
            verify_introduction(options.repository, options.introduction)
        plan = plan_clone(
            options.repository,
            introduction=options.introduction or known(options.repository),
            hooks_path=options.hooks_path,
        )
    report = plan.preview() if options.dry_run else apply(plan)
    lines, key = _server_key(options.repository) if bare else ((), None)
    data: InstallData = {"changed": report.changed, "lines": [*report.lines, *lines], "server_key": key}
    return Outcome(lines=printable((*report.lines, *lines)), exit=report.exit_code, data=data)


def _server_key(path: str) -> "tuple[tuple[str, ...], ServerKeyData | None]":
    """The key that receipts are signed with, for people as long as nobody has listed it, and for programs."""
    repository = open_bare(path)
    policy = ruling_policy(path)
    found = receipt_key.read_key(repository)
    if found is None:  # a dry run
        return (), None
    listed = found.listed(policy)
    data: ServerKeyData = {
        "principal": found.principal,
        "key": found.line,
        "fingerprint": fingerprint(found.key),
        "listed": listed,
        "add": None if listed or found.revoked(policy) else found.add,
    }
    return receipt_key.told(repository, policy), data


def known(repository: str) -> str | None:
    """The introduction that the remote's main branch holds, to be pinned; None where there is none, or history is cut."""
    with open_desk(int(time.time()), os.fsencode(repository)) as desk:
        tip = desk.tracked(desk.coordination)
        if (
            desk.config.get(INTRODUCTION)
            or desk.cuts
            or tip is None
            or desk.policy is None
            or desk.world.introduction is None
        ):
            return None
        found = desk.world.introduction
        return found.decode("ascii") if is_ancestor(desk.world.store, found, tip) else None


def read_key(name: str) -> str:
    """The one public key of a file, or of standard input.

    Raises:
        UsageError: it cannot be read, or holds none or several.
    """
    try:
        text = sys.stdin.read() if name == "-" else Path(name).read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        why = error.strerror or str(error) if isinstance(error, OSError) else "it is no text"
        raise UsageError(f"cannot read a public key from {name}: {why}") from error
    lines = [line.strip() for line in text.splitlines() if line.strip() and not line.startswith("#")]
    if len(lines) != 1:
        raise UsageError(f"{name} holds {len(lines)} keys; give exactly one: the maintainer's public key")
    return lines[0]


COMMAND = Command(
    name="install",
    summary="put the hooks into a repository",
    configure=configure,
    run=run,
    text="Put the hooks into a bare repository (with --maintainer, --introduction or --trust-first-push) or into a clone. A server gets a key of its own, which signs a receipt for every push; the command by which a maintainer lists it is printed. Hooks that are there are kept and called. Where core.hooksPath of a clone names another folder, Git's own config calls ours beside it (Git 2.54 and newer), or --hooks-path puts a few lines into the hooks there.",
)
