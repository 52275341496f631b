"""`edit`: a human changes what a task says, in an editor or by a file."""

import argparse
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codifica_guard.cli.command import Command, Outcome, exit_of
from codifica_guard.cli.decision import row
from codifica_guard.cli.editor import find_editor, run_editor
from codifica_guard.cli.options import add_writing, how, place, told
from codifica_guard.cli.questions import somebody_there, tell, yes_or_no
from codifica_guard.clone.desk import open_desk
from codifica_guard.errors import GuardError, NeedsTerminal, UsageError
from codifica_guard.limits import BLOCK_BYTES
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import TaskId, show_path
from codifica_guard.packs.all import REGISTRY
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.report.printing import LONGEST, printable
from codifica_guard.rules.commands import show
from codifica_guard.rules.snapshot import Record
from codifica_guard.verbs.clashing import Clashed
from codifica_guard.verbs.draft_text import DraftFile, DraftText, read_draft, read_text, with_head
from codifica_guard.verbs.editing import Editing, Faulty, Opened, Unchanged, again, open_task, refused
from codifica_guard.verbs.landing import land
from codifica_guard.verbs.seat import Proposal, Seat
from codifica_guard.verbs.stopped import REFUSED, Stopped

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.human import EditData

STDIN = "-"
_PIPED: Final = 64 * BLOCK_BYTES
"""Bytes of standard input that are taken in; what is longer than a task is refused, and kept all the same."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument("task", metavar="ID", help="the task; blanks around it do not count")
    parser.add_argument(
        "--from", dest="source", metavar="FILE", help="the new text, without an editor; - reads standard input"
    )
    add_writing(parser)


def run(options: argparse.Namespace) -> Outcome:
    """Edit it."""
    if options.source is not None:
        return _given(options)
    if not somebody_there():
        raise NeedsTerminal(
            "nobody is here to edit: --from FILE, or --from - for standard input; the text as it is: "
            f"{show(TaskId(options.task.strip()))} --yaml"
        )
    return _in_editor(options)


# -- a text that is given


def _given(options: argparse.Namespace) -> Outcome:
    piped = options.source == STDIN
    data = _piped() if piped else read_text(Path(options.source))
    draft = read_draft(data)
    name = "standard input" if piped else options.source
    try:
        return _land(options, draft, None, shown=False)
    except Unchanged as unchanged:
        kept = _kept(options, data) if piped and unchanged.own else None
        return _nothing(unchanged, kept)
    except Clashed as clash:
        raise _keeping(clash, _kept(options, clash.text), clash.task) from clash
    except (Faulty, GuardError) as error:
        ended = _faulty(error, draft, name) if isinstance(error, Faulty) else error
        if not piped or not data.strip():
            raise ended from error
        raise _keeping(ended, _kept(options, data), TaskId(options.task.strip())) from error
    except KeyboardInterrupt:
        if piped:
            tell(f"your text is kept: {again(TaskId(options.task.strip()), str(_kept(options, data).path))}")
        raise


def _piped() -> bytes:
    """Standard input, whole, so that it can be kept.

    Raises:
        UsageError: it is longer than anybody's text.
    """
    data = sys.stdin.buffer.read(_PIPED + 1)
    if len(data) > _PIPED:
        raise UsageError(f"standard input is longer than any task may be ({BLOCK_BYTES} bytes)")
    return data


def _kept(options: argparse.Namespace, data: bytes) -> DraftFile:
    """The file that a text is kept in: the one that it was read from, where that is of this kind."""
    known = Path(options.source) if options.source not in {None, STDIN} else None
    with open_desk(int(time.time())) as desk:
        file = DraftFile(desk, TaskId(options.task.strip()), known)
    file.write(data)
    return file


# -- a text from an editor


def _in_editor(options: argparse.Namespace) -> Outcome:
    opened = open_task(how(options), options.task)
    with open_desk(int(time.time())) as desk:
        command = find_editor(desk.folder)
        file = DraftFile(desk, opened.task)
    file.write(with_head(opened.raw, opened.task, opened.place, opened.commit))
    try:
        return _edited(options, opened, command, file)
    except GuardError as error:
        if not _is_left(file, opened.raw):
            raise
        raise _keeping(error, file, opened.task) from error
    except KeyboardInterrupt:
        if _is_left(file, opened.raw):
            tell(f"your text is kept: {again(opened.task, str(file.path))}")
        raise


def _edited(options: argparse.Namespace, opened: Opened, command: str, file: DraftFile) -> Outcome:
    """Let the editor have the text until it lands, or is given up."""
    while True:
        run_editor(command, file.path)
        data = file.read()
        draft = read_draft(data)
        if _is_as_it_was(data, opened.raw):
            file.drop()
            return _untouched(opened.task, emptied=not draft.raw)
        try:
            outcome = _land(options, draft, opened.raw, shown=True)
        except Unchanged as unchanged:
            if not unchanged.own:
                file.drop()
            return _nothing(unchanged, file if unchanged.own else None)
        except Clashed as clash:
            file.write(clash.text)
            raise
        except (Faulty, Stopped) as error:
            _offer_again(error, draft, file)
        else:
            return _landed(outcome, file, opened.task, dry=options.dry_run)


def _is_as_it_was(data: bytes, raw: bytes) -> bool:
    """Whether a text holds nothing that somebody wrote."""
    draft = read_draft(data)
    return draft.stray is None and draft.raw in {b"", raw}


def _is_left(file: DraftFile, raw: bytes) -> bool:
    """Whether a file holds what somebody wrote; one that does not is taken away.

    A file that an editor took away is written anew, with what was read from it last.
    """
    if not file.path.exists() and not _is_as_it_was(file.last, raw):
        file.write(file.last)
    try:
        left = not _is_as_it_was(file.read(), raw)
    except GuardError:
        return file.path.exists()  # what cannot be read may be anything
    if not left:
        file.drop()
    return left


def _offer_again(error: Faulty | Stopped, draft: DraftText, file: DraftFile) -> None:
    """Tell what is wrong with a text; return where it is to be edited again.

    Raises:
        Stopped: it is not, or another text would not help.
    """
    if isinstance(error, Stopped) and not refused(error):
        raise error
    ended = _faulty(error, draft, str(file.path)) if isinstance(error, Faulty) else error
    tell(*str(ended).splitlines())
    if not yes_or_no("edit it again", default=True):
        raise Stopped("nothing was changed", findings=ended.findings, as_of=ended.as_of, answer=True) from error


def _landed(outcome: Outcome, file: DraftFile, task: TaskId, *, dry: bool) -> Outcome:
    if not dry:
        file.drop()
        return outcome
    return Outcome(
        lines=(*outcome.lines, f"your text is kept: {again(task, str(file.path))}"),
        notes=outcome.notes, findings=outcome.findings, data=outcome.data, as_of=outcome.as_of,
    )  # fmt: skip


# -- both


def _land(options: argparse.Namespace, draft: DraftText, base: bytes | None, *, shown: bool) -> Outcome:
    editing = Editing(options.task, draft, base)
    early = shown and not options.json and not options.quiet and not options.dry_run
    before: list[tuple[str, ...]] = []

    def plan(seat: Seat) -> Proposal:
        proposal = editing.plan(seat)
        if early and before[-1:] != [editing.diff]:
            before.append(editing.diff)
            tell(*editing.diff)  # before a key is asked for
        return proposal

    landed = land(how(options), plan)
    record, board = editing.record, landed.seat.board
    what = f"edited: {', '.join(plain(name) for name in editing.fields)}" if editing.fields else "edited"
    head = f"{plain(record.block.id)}  {what}    {place(landed)}"
    data: EditData = {
        **_data(landed.seat, record),
        "fields": list(editing.fields),
        "diff": list(editing.diff),
        "commit": None if landed.commit is None else landed.commit.id.decode("ascii"),
        "pushed": landed.pushed,
        "branch": board.name,
    }
    lines = (*(() if early else editing.diff), head, row("signed", landed.seat.actor))
    return told(landed, lines, data)


def _data(seat: Seat, record: Record) -> "EditData":
    return {
        "task": record.block.id,
        "path": show_path(record.path),
        "line": record.line,
        "fields": [],
        "diff": [],
        "by": seat.actor,
        "branch": seat.board.name,
        "commit": None,
        "pushed": False,
    }


def _nothing(unchanged: Unchanged, kept: DraftFile | None) -> Outcome:
    """Nothing to do; a text that holds more is kept."""
    seat, record = unchanged.seat, unchanged.record
    why = "says so already" if not unchanged.empty else "is left as it is: the text holds no task"
    more = (f"your text is kept: {again(record.block.id, str(kept.path))}",) if kept is not None else ()
    text = f"{plain(record.block.id)} {why}; nothing was done"
    return Outcome(lines=printable((text, *more)), data=_data(seat, record), as_of=seat.board.as_of)


def _untouched(task: TaskId, *, emptied: bool) -> Outcome:
    why = "the text is empty" if emptied else "the text is as it was"
    return Outcome(lines=(f"{plain(task)}: {why}; nothing was done",))


def _faulty(error: Faulty, draft: DraftText, name: str) -> Stopped:
    """A text that is not the task: each fault with its line and column in the text."""
    findings = tuple(
        Finding(
            code=fault.code, name=REGISTRY.find(fault.code).name, severity=Severity.ERROR, found=fault.found,
            expected=fault.expected, do=(fault.do,) if fault.do else (), line=draft.line(fault.line), column=fault.column,
        )
        for fault in error.faults
    )  # fmt: skip
    return Stopped(
        "\n".join(line for finding in findings for line in _rows(finding, name)), findings=findings, exit=REFUSED
    )


def _rows(finding: Finding, name: str) -> Iterator[str]:
    column = f":{finding.column}" if finding.column is not None else ""
    yield f"{plain(name, LONGEST)}:{finding.line}{column}  {finding.code} {finding.name}  {plain_words(finding.found)}"
    yield from (f"  do: {plain_words(step)}" for step in finding.do)


def _keeping(error: GuardError, file: DraftFile, task: TaskId) -> Stopped:
    """The same end, which names the file that holds the text, and the command that takes it."""
    step = again(task, str(file.path))
    told = "settle it in your text, which is kept, then" if isinstance(error, Clashed) else "your text is kept"
    ended = error if isinstance(error, Stopped) else Stopped(str(error), exit=exit_of(error))
    return Stopped(
        f"{ended}\n{told}: {step}",
        exit=ended.exit,
        next=(*ended.next, *printable((step,))),
        findings=ended.findings,
        data=ended.data,
        as_of=ended.as_of,
        answer=ended.answer,
    )


COMMAND = Command(
    name="edit",
    summary="change what a task says, in your editor",
    configure=configure,
    run=run,
    text="Open one task in the editor that Git would take. What comes back is read strictly and judged, the change is shown, "
    "and the commit is signed by you. A text that is left as it was, or emptied, changes nothing; one that cannot be taken is kept. "
    "Without a terminal: git codifica show ID --yaml > FILE, then --from FILE. What others change meanwhile stays; where both "
    "changed the same, the text is kept with what they wrote, to be settled in it.",
)
