"""`pause`: hold the rules off for a while, end that, or tell how it stands; in the open, by receipts."""

import argparse
import time
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Command, Outcome
from codifica_guard.cli.introduction import ruling_policy
from codifica_guard.cli.options import line_of
from codifica_guard.errors import UsageError
from codifica_guard.install.pausing import LONGEST, Told, begin, duration, end, tell
from codifica_guard.limits import REASON_CHARACTERS
from codifica_guard.model.times import stamp
from codifica_guard.report.printing import printable

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.server import PauseData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("repository", nargs="?", default=".", help="a bare repository (here)")
    what = parser.add_mutually_exclusive_group()
    what.add_argument(
        "--for", dest="duration", metavar="TIME", help=f"how long: 30m, 2h, 1h30m; {LONGEST // 3600}h at most"
    )
    what.add_argument("--end", action="store_true", help="let the rules hold again, at once")
    parser.add_argument("-m", "--reason", metavar="WHY", help="why, for the receipts")
    parser.add_argument("--dry-run", action="store_true", help="say what would be done")


def run(options: argparse.Namespace) -> Outcome:
    """Set, end or tell."""
    path, now = options.repository, int(time.time())
    reason = None if options.reason is None else line_of(options.reason, what="a reason", longest=REASON_CHARACTERS)
    if options.duration is not None:
        seconds = duration(options.duration)
        if reason is None:
            raise UsageError("say why, for all who read the receipts: -m WHY")
        told = begin(path, seconds, reason, policy=ruling_policy(path), now=now, dry_run=options.dry_run)
    elif options.end:
        told = end(path, reason or "", policy=ruling_policy(path), now=now, dry_run=options.dry_run)
    elif reason is not None or options.dry_run:
        raise UsageError("say for how long, with --for 2h, or --end")
    else:
        told = tell(path, now)
    return Outcome(lines=printable(told.lines), data=_data(told))


def _data(told: Told) -> "PauseData":
    return {
        "state": told.state,
        "until": None if told.pause is None else stamp(told.pause.until),
        "reason": None if told.pause is None else told.pause.reason,
        "receipt": told.receipt,
        "changed": told.changed,
        "lines": list(told.lines),
    }


COMMAND = Command(
    name="pause",
    summary="let pushes pass for a while, in the open",
    configure=configure,
    run=run,
    text="Hold the rules off on a server for a bounded time: every push is judged all the same, and passes; its receipt says so, and what would have refused it. Nobody who pushes can set, extend or hide a pause. Without options it tells whether one runs.",
)
