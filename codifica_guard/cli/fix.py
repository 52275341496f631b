"""`fix`: the documents of the work tree are mended, before they are committed."""

import argparse
import os
import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from codifica_guard.cli.command import OK, REFUSED, Command, Outcome
from codifica_guard.cli.options import add_name, add_reason, text_of
from codifica_guard.clone.desk import open_desk
from codifica_guard.clone.hand import find_hand
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import show_path
from codifica_guard.model.times import stamp
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import LONGEST, printable
from codifica_guard.report.terminal import place
from codifica_guard.verbs.fixing import Fixed, mend
from codifica_guard.verbs.moves import Hands
from codifica_guard.verbs.own_commit import check_work_tree
from codifica_guard.verbs.seat import session_name
from codifica_guard.verbs.working_file import Unfit

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.human import FixData


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("paths", nargs="*", metavar="PATH", help="state documents, or folders of them; else all")
    add_reason(parser, required=False, text="why tasks were moved, where the protocol wants a reason")
    parser.add_argument("--dry-run", action="store_true", help="show the change, write nothing")
    add_name(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Mend them."""
    reason = text_of(options.reason)
    with open_desk(int(time.time())) as desk:
        check_work_tree(desk)

        def find() -> Hands:
            hand = find_hand(desk, wanted=options.name)
            return Hands(actor=hand.actor, at=stamp(desk.now), session=session_name())

        found = mend(desk, [os.fsencode(path) for path in options.paths], find=find, reason=reason)
        return _told(found, written=() if options.dry_run else tuple(_written(found)), dry=options.dry_run)


def _written(found: tuple[Fixed, ...]) -> Iterator[Fixed | Unfit]:
    """Write what was mended: each document that was, or why it was not."""
    for fixed in found:
        if fixed.changed and fixed.file is not None:
            try:
                fixed.file.replace(fixed.after)
            except Unfit as error:
                yield error
            else:
                yield fixed


def _told(found: tuple[Fixed, ...], *, written: tuple[Fixed | Unfit, ...], dry: bool) -> Outcome:
    failed = tuple(str(error) for error in written if isinstance(error, Unfit))
    done = tuple(fixed for fixed in found if (dry and fixed.changed) or fixed in written)
    left = tuple(finding for fixed in found for finding in fixed.left)
    errors = [finding for finding in left if finding.severity is Severity.ERROR]
    diff = printable(line for fixed in done for line in fixed.diff())
    rows = [f"{_where(f, m.line)}  {m.code} {plain(m.task)}  {m.what}" for f in done for m in f.mended]
    lines = [*diff, *(f"{'would mend' if dry else 'mended':<12}{row}" for row in rows)]
    lines += [line for finding in left for line in _left(finding)]
    lines += [f"{'left':<12}{text}" for text in failed]
    if not lines:
        lines = ["there is nothing to mend"]
    elif dry:
        lines.append("nothing was changed")
    data: FixData = {
        "files": [
            {
                "path": show_path(fixed.path),
                "written": fixed in written,
                "mended": [{"line": m.line, "code": m.code, "task": m.task, "what": m.what} for m in fixed.mended],
                "diff": list(fixed.diff()),
            }
            for fixed in found
        ],
        "dry_run": dry,
    }
    return Outcome(
        lines=printable(lines),
        exit=REFUSED if errors or failed else OK,
        data=data,
        findings=left,
        next=tuple(f"git codifica explain {code}" for code in dict.fromkeys(f.code for f in errors)),
    )


def _where(fixed: Fixed, line: int) -> str:
    return f"{plain(show_path(fixed.path), LONGEST)}:{line}"


def _left(finding: Finding) -> Iterator[str]:
    """What is left, and what to do about it."""
    task = f" {plain(finding.task)}" if finding.task is not None else ""
    label = "left" if finding.severity is Severity.ERROR else "note"
    yield f"{label:<12}{place(finding)}  {finding.code}{task}  {finding.found}"
    for step in finding.do:
        yield f"{'':<12}  do: {step}"


COMMAND = Command(
    name="fix",
    summary="mend the documents of the work tree before you commit",
    configure=configure,
    run=run,
    text="Mend the state documents of the work tree: put values in quotes that make a task unreadable (ST101), and for tasks that "
    "were moved by hand write the entry in state_transitions (CD207) and completed_at (CD209), also where a commit of yours "
    "left them out. What is still broken then is told as `check --tree` tells it, exit code 1. Shows the change; the index and every other line stay as they are.",
)
