"""`uninstall`: take the hooks out of a bare repository or a clone; what was there before is there again."""

import argparse
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.errors import UsageError
from codifica_guard.install.bare import plan_uninstall
from codifica_guard.install.clone import plan_uninstall_clone
from codifica_guard.install.plan import apply
from codifica_guard.install.repository import is_bare
from codifica_guard.report.printing import printable

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.server import PlanData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("repository", nargs="?", default=".", help="a bare repository, or a clone (here)")
    parser.add_argument(
        "--purge", action="store_true", help="on a server: delete the receipts and the key that signed them, too"
    )
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")


def run(options: argparse.Namespace) -> Outcome:
    """Plan, and carry out."""
    bare = is_bare(options.repository)
    if options.purge and not bare:
        raise UsageError(f"{options.repository} is no bare repository: --purge is for servers")
    plan = plan_uninstall(options.repository, purge=options.purge) if bare else plan_uninstall_clone(options.repository)
    report = plan.preview() if options.dry_run else apply(plan)
    data: PlanData = {"changed": report.changed, "lines": list(report.lines)}
    return Outcome(lines=printable(report.lines), exit=report.exit_code, data=data)


COMMAND = Command(
    name="uninstall",
    summary="take the hooks out of a repository",
    configure=configure,
    run=run,
    text="Take the hooks and settings out of a bare repository or a clone. Hooks that were there before are put back, byte for byte; the policy in the repository stays, and on a server the receipts and the key that signed them, unless --purge is given.",
)
