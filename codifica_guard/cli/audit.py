"""`audit`: the history judged again, the receipts held against it, and who did what."""

import argparse
import os
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from typing import Final

from codifica_guard.audit.narrow import Part, narrow
from codifica_guard.audit.replay import audit
from codifica_guard.audit.replayed import Wanted
from codifica_guard.audit.source import open_source
from codifica_guard.audit.whole import whole
from codifica_guard.cli.audit_files import write_page, write_sarif
from codifica_guard.cli.audit_json import audit_data
from codifica_guard.cli.audit_text import page
from codifica_guard.cli.ci_reports import add_reports, reported, titled
from codifica_guard.cli.ci_reports import wanted as wanted_reports
from codifica_guard.cli.command import CANNOT_TELL, OK, REFUSED, Command, Outcome, exit_of
from codifica_guard.cli.progress import Progress, visible
from codifica_guard.cli.waits import when
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.errors import CannotTell, GuardError, MissingObject, UsageError
from codifica_guard.model.audited import Audit
from codifica_guard.model.ids import ObjectId, short, show_path
from codifica_guard.model.policy import GUARD_FILE
from codifica_guard.model.value import replace as changed
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.rules.commands import word
from codifica_guard.verbs.ages import ago
from codifica_guard.verbs.remote import fetch_all, fetched_at, is_there
from codifica_guard.verbs.simulation import UNSHALLOW, moment
from codifica_guard.verbs.stopped import Stopped

CLONE: Final = "git codifica audit"
"""What is typed for an audit of the clone that one stands in."""

QUIET_SECONDS: Final = 1.0
"""Seconds that an audit may take before a terminal is told how far it is."""

PLACES: Final = (
    "GIT_DIR",
    "GIT_WORK_TREE",
    "GIT_COMMON_DIR",
    "GIT_INDEX_FILE",
    "GIT_OBJECT_DIRECTORY",
    "GIT_ALTERNATE_OBJECT_DIRECTORIES",
    "GIT_NAMESPACE",
)
"""Variables by which Git is told where a repository lies."""

FSCK: Final = ("git fsck",)


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "repository", nargs="?", metavar="REPOSITORY", help="a clone, or a server's bare repository (here)"
    )
    how = parser.add_argument_group("what is judged, and how")
    how.add_argument("--introduction", metavar="COMMIT", help="the introduction as you know it from elsewhere")
    how.add_argument(
        "--ruleset", metavar="N", type=int, help="judge by another ruleset than the policy names: a preview"
    )
    how.add_argument("--since-receipt", action="store_true", help="judge only what came in behind the last receipt")
    how.add_argument("--no-fetch", action="store_true", help="take what was fetched last; do not ask the remote")
    how.add_argument(
        "--no-cache", action="store_true", help="judge every commit again, whatever an earlier audit found"
    )
    part = parser.add_argument_group("what is told; what is judged, and the exit code, stay those of the whole")
    part.add_argument("--since", metavar="7d|DATE", help="only what happened since then (UTC)")
    part.add_argument("--until", metavar="7d|DATE", help="only what happened until then; of a day, its end (UTC)")
    part.add_argument("--task", metavar="ID", help="only what concerns this task")
    part.add_argument("--actor", metavar="NAME", help="only what this human or agent did, with or without the kind")
    part.add_argument("--weekly", action="store_true", help="who did what, week by week")
    parser.add_argument("--html", metavar="FILE", help="write all of it as a page; into a folder where it ends in /")
    add_reports(parser)
    parser.add_argument("--progress", action="store_true", help="show how far it is, without a terminal too")


def run(options: argparse.Namespace) -> Outcome:
    """Judge, and tell."""
    reports = wanted_reports(options, os.environ, runner=False)
    failed: tuple[str, ...] = ()
    try:
        outcome = _told(options, int(time.time()))
    except GuardError as error:
        if not reports.annotate:
            raise
        steps = error.next if isinstance(error, Stopped) else ()
        failed = printable(str(error).splitlines())
        outcome = Outcome(exit=exit_of(error), notes=failed, next=steps)
    # The log is written already: an audit's own says more than its findings.
    return reported(outcome, replace(reports, sarif=None), titled("audit", outcome), failed=failed)


def _told(options: argparse.Namespace, now: int) -> Outcome:
    """What the audit came to; the files that are asked for are written."""
    part = _part(options, now)
    with _here(options.repository) as start:
        with open_desk(now, start) as desk:
            _fetch(desk, options)
            name, fetched = desk.name, fetched_at(desk) if _is_clone(desk) else None
            wanted = Wanted(
                introduction=None if options.introduction is None else _commit(desk, options.introduction.strip()),
                ruleset=options.ruleset,
                since_receipt=options.since_receipt,
                cached=not options.no_cache,
                fetched=not options.no_fetch,
            )
        every = _judged(start, wanted, name, shown=visible(forced=options.progress, quiet=options.quiet))
    if options.since_receipt:
        every = changed(every, filters={"--since-receipt": ""})
    _check_known(every, part)
    shown = narrow(every, part)
    told = [*page(shown, every, command=_command(options), weekly=options.weekly), ""]
    told += write_page(options.html, shown, every) if options.html is not None else [_more(options)]
    told += write_sarif(options.sarif, shown) if options.sarif is not None else []
    stale = options.no_fetch and fetched is not None
    return Outcome(
        lines=printable(told),
        notes=(f"the remote was not asked: this is what was fetched {ago(now - (fetched or now))}",) if stale else (),
        exit=REFUSED if every.errors else OK,
        data=audit_data(shown, every) if options.json else None,
        findings=tuple(noted.finding for noted in shown.findings),
        next=tuple(f"git codifica explain {code}" for code in dict.fromkeys(n.finding.code for n in shown.errors)),
        as_of={"commit": every.branches[0].tip.decode("ascii"), "fetched": when(fetched)},
    )


# -- what is audited


@contextmanager
def _here(repository: str | None) -> Iterator[bytes]:
    """The folder to begin in. Where one is named, no variable of Git's names another one."""
    if repository is None:
        yield b"."
        return
    if not os.path.isdir(repository):  # noqa: PTH112 - a word of the command line
        raise UsageError(f"{plain(repository, 400)} is no folder: name a clone, or a server's bare repository")
    kept = {name: os.environ.pop(name) for name in PLACES if name in os.environ}
    try:
        yield os.fsencode(repository)
    finally:
        os.environ.update(kept)


def _is_clone(desk: Desk) -> bool:
    """Whether what the server has is known here by what was fetched from it."""
    return bool(desk.remotes) and not desk.config.flag("core.bare", default=False)


def _fetch(desk: Desk, options: argparse.Namespace) -> None:
    """Let a clone know what the server has; a server's own repository has it.

    Raises:
        Stopped: the remote is not reached, so that nobody can tell what it has seen by now; exit code 3.
    """
    if options.no_fetch or not _is_clone(desk) or not is_there(desk):
        return
    try:
        fetch_all(desk)
    except Stopped as error:
        stay = f"{_command(options)} --no-fetch"
        text = f"cannot tell what the server has seen: {error}\nwith what was fetched last: {stay}"
        raise Stopped(text, exit=CANNOT_TELL, next=(*error.next, stay)) from error


def _commit(desk: Desk, name: str) -> ObjectId:
    """The commit that an introduction is named by.

    Raises:
        UsageError: there is none, or it has no policy.
        Stopped: there may be one, but the history is cut; exit code 3.
    """
    oid = ObjectId(name.lower().encode("ascii", "replace"))
    found = None
    with suppress(GuardError):
        found = desk.world.store.commit(oid).id  # also where git does not like the repository's owner
    try:
        found = found or desk.commit_id(name)
    except UsageError as error:
        text = f"--introduction {plain(name)} names no commit here"
        if desk.cuts:
            raise _stopped(CannotTell(f"{text}, and history is cut"), (UNSHALLOW,)) from error
        raise UsageError(f"{text}: is it another repository's, or was history rewritten?") from error
    if desk.world.trust_ids(found)[0] is None:
        raise UsageError(
            f"--introduction {plain(name)}: {short(found)} has no {show_path(GUARD_FILE)}, so it introduced nothing"
        )
    return found


def _judged(start: bytes, wanted: Wanted, name: str, *, shown: bool) -> Audit:
    """The whole audit.

    Raises:
        Stopped: it cannot be told; exit code 3.
    """
    progress = Progress(shown=shown, after=QUIET_SECONDS)
    with open_source(start) as source:
        try:
            return whole(source.world, audit(source, wanted, progress.tell), name)
        except (CannotTell, MissingObject) as error:
            raise _stopped(error, error.do if isinstance(error, CannotTell) else FSCK) from error
        finally:
            progress.clear()


def _stopped(error: GuardError, do: tuple[str, ...]) -> Stopped:
    """That it cannot be told, why, and what to do about it."""
    return Stopped(f"cannot tell: {error}{''.join(f': {step}' for step in do[:1])}", exit=CANNOT_TELL, next=do)


# -- what is told


def _part(options: argparse.Namespace, now: int) -> Part:
    since = moment(options.since, now) if options.since is not None else None
    until = moment(options.until, now, end=True) if options.until is not None else None
    if since is not None and until is not None and since > until:
        raise UsageError("--since lies behind --until: nothing can be in between")
    named = {f"--{name}": getattr(options, name) for name in ("since", "until", "task", "actor")}
    return Part(
        since=since,
        until=until,
        task=options.task.strip() if options.task is not None else None,
        actor=options.actor.strip() if options.actor is not None else None,
        words=tuple((option, text.strip()) for option, text in named.items() if text is not None),
    )


def _check_known(every: Audit, part: Part) -> None:
    """Raise where a filter names what nothing knows: an empty answer would look like a good one."""
    tasks = (
        {act.task for act in every.acts} | {now.task for now in every.tasks} | {n.finding.task for n in every.findings}
    )
    if part.task is not None and part.task not in tasks:
        raise UsageError(f"nothing that was judged knows a task {plain(part.task)}")
    names = (
        *(act.actor or act.claimed for act in every.acts),
        *(change.actor for change in every.policies),
        *(noted.finding.actor for noted in every.findings),
        *(key.principal for key in every.keys),
    )
    if not part.by(*names):
        known = ", ".join(dict.fromkeys(plain(key.principal) for key in every.keys[:10]))
        raise UsageError(f"nothing that was judged is {plain(part.actor or '')}'s; there are: {known}")


def _command(options: argparse.Namespace) -> str:
    """What is typed for an audit of this repository."""
    return CLONE if options.repository is None else f"codifica-guard audit {word(options.repository)}"


def _more(options: argparse.Namespace) -> str:
    return f"all of it as a page: {_command(options)} --html audit.html; for programs: --json, --sarif FILE"


COMMAND = Command(
    name="audit",
    summary="prove who made every transition, from history alone",
    configure=configure,
    run=run,
    text="Judge the whole history again as the server judged it, hold the server's signed receipts against it, and tell who did what and "
    "how that is proven. In a clone it asks the remote for branches and receipts first; on a server it takes the bare repository as it "
    "is. It writes nothing but what it may use again, and the reports that are asked for. Exit code 0: every commit holds, 1: something "
    "does not, 3: it cannot be told, since history is cut, objects are missing or the remote is not reached.",
)
