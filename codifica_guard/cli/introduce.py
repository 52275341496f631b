"""`introduce`: judge from another commit on, after the history before it was rewritten."""

import argparse
import time
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.introduction import ruling_policy, verify_introduction
from codifica_guard.cli.options import line_of
from codifica_guard.install.introducing import introduce
from codifica_guard.limits import REASON_CHARACTERS
from codifica_guard.report.printing import printable

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.server import IntroduceData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("commit", metavar="COMMIT", help="the commit that introduces the policy in the new history")
    parser.add_argument("repository", nargs="?", default=".", help="a bare repository (here)")
    parser.add_argument("-m", "--reason", metavar="WHY", required=True, help="why, for the receipts")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")


def run(options: argparse.Namespace) -> Outcome:
    """Verify, write down, and pin."""
    path = options.repository
    found = introduce(
        path,
        options.commit,
        line_of(options.reason, what="a reason", longest=REASON_CHARACTERS),
        verify=lambda commit: verify_introduction(path, commit),
        policy=ruling_policy(path),
        now=int(time.time()),
        dry_run=options.dry_run,
    )
    data: IntroduceData = {
        "introduction": found.commit,
        "by": found.by,
        "before": found.before,
        "coordination": found.coordination,
        "receipt": found.receipt,
        "changed": found.changed,
        "lines": list(found.lines),
    }
    return Outcome(lines=printable(found.lines), data=data)


COMMAND = Command(
    name="introduce",
    summary="judge from another commit on, after a purge",
    configure=configure,
    run=run,
    text="On a server whose history was rewritten: pin the commit that introduces the policy in the new history, which has to be signed by a maintainer that it names and be on the coordination branch. The receipts tell it, and why. The order is pause, push the new history, introduce, end the pause.",
)
