"""`install`: put the hooks into a bare repository or a clone."""

import argparse
import os
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.clone.desk import open_desk
from codifica_guard.errors import UsageError
from codifica_guard.git.config import INTRODUCTION
from codifica_guard.git.history import is_ancestor
from codifica_guard.install.bare import PUSHERS, plan_bare
from codifica_guard.install.clone import plan_clone
from codifica_guard.install.plan import apply
from codifica_guard.install.repository import is_bare
from codifica_guard.report.printing import printable

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.server import PlanData


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
        "--hooks-path", action="store_true", help="write into the hooks in the folder that core.hooksPath names"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")


def run(options: argparse.Namespace) -> Outcome:
    """Plan, and carry out."""
    if is_bare(options.repository):
        if options.hooks_path:
            raise UsageError(f"{options.repository} is a bare repository: --hooks-path is for clones")
        plan = plan_bare(
            options.repository,
            maintainer=read_key(options.maintainer) if options.maintainer else None,
            introduction=options.introduction,
            trust_first_push=options.trust_first_push,
            pusher=options.pusher,
            verify_introduction=lambda commit: verify(options.repository, commit),
        )
    else:
        if options.maintainer or options.trust_first_push or options.pusher:
            raise UsageError(
                f"{options.repository} is no bare repository: --maintainer, --trust-first-push and --pusher are for servers"
            )
        if options.introduction:
            verify(options.repository, options.introduction)
        plan = plan_clone(
            options.repository,
            introduction=options.introduction or known(options.repository),
            hooks_path=options.hooks_path,
        )
    report = plan.preview() if options.dry_run else apply(plan)
    data: PlanData = {"changed": report.changed, "lines": list(report.lines)}
    return Outcome(lines=printable(report.lines), exit=report.exit_code, data=data)


def verify(repository: str, commit: str) -> str:
    """Who signed an introduction, as `introduction.verify` says it."""
    from codifica_guard.cli.introduction import verify_introduction  # noqa: PLC0415 - needed with --introduction only

    return verify_introduction(repository, commit)


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
    text="Put the hooks into a bare repository (with --maintainer, --introduction or --trust-first-push) or into a clone. Hooks that are there are kept and called. Where core.hooksPath of a clone names another folder, Git's own config calls ours beside it (Git 2.54 and newer), or --hooks-path puts a few lines into the hooks there.",
)
