"""A push while the admin holds the rules off: judged all the same, let in whatever comes of it, and its receipts say so.

Nothing but the repository's own configuration pauses, so no pusher can. Refs that are the server's stay the server's.
"""

import os
from collections.abc import Callable, Iterable, Iterator

from codifica_guard.audit import pending
from codifica_guard.audit.pause import Pause
from codifica_guard.engine.apply import finding_without_view
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import GuardError, LimitExceeded, RepositoryError
from codifica_guard.git.config import COORDINATION, INTRODUCTION, Config
from codifica_guard.git.location import Location
from codifica_guard.git.refs import head_branch, resolve
from codifica_guard.hooks.boundary import record, tell
from codifica_guard.hooks.minutes import Minutes
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.push import RefUpdate
from codifica_guard.model.receipt import Receipt
from codifica_guard.model.times import show_time
from codifica_guard.model.value import replace
from codifica_guard.packs.all import REGISTRY
from codifica_guard.packs.core import gd101, gd102, gt103
from codifica_guard.report.escape import escape
from codifica_guard.report.terminal import verdict
from codifica_guard.rules.view import RefView

Judge = Callable[[Minutes], Verdict | None]
"""Judges the push and takes down what its receipts will say; None for a repository that has nothing to judge by."""

Draft = Callable[[Minutes, Pause], tuple[Receipt, ...]]
"""What the receipts of a push will say, by what was taken down."""


def let_in(
    location: Location,
    config: Config,
    updates: tuple[RefUpdate, ...],
    pause: Pause,
    *,
    judge: Judge,
    draft: Draft,
    log: Callable[[], bytes | None],
) -> int:
    """Let a push in, and keep what the rules say of it for its receipts; 1 only where it writes what is the server's.

    Args:
        location: the repository.
        config: its own configuration.
        updates: what is pushed.
        pause: the pause, which holds.
        judge: judges it.
        draft: makes what its receipts will say.
        log: where to write what went wrong; None where nowhere.
    """
    named = [(_meant(location, update.ref), update) for update in updates]
    minutes = Minutes()
    failed = ""
    try:
        judged = judge(minutes)
    except Exception as error:  # noqa: BLE001 - the admin lets pushes in, also where the guard itself is what is broken
        failed = record(error, log)
        judged = Verdict(findings=tuple(_failure(error, failed)))
        minutes.unread(named, _coordination(location, config), judged.findings[0])
        _anchor(minutes, location, config)
    if judged is None:
        return 0
    reserved = tuple(dict.fromkeys(_reserved(named)))
    if reserved:
        tell(verdict(Verdict(findings=reserved)))
        return 1
    kept = _keep(location, lambda: draft(minutes, pause), log)
    tell(_line(pause, judged, failed, kept))
    return 0


def _line(pause: Pause, judged: Verdict, failed: str, kept: str) -> str:
    """The one line that the pusher is told."""
    codes = " ".join(dict.fromkeys(f.code for f in judged.errors))
    told = f"codifica-guard: paused until {show_time(pause.until)}"
    told += f" ({escape(pause.reason)})" if pause.reason else ""
    told += f": let in; else refused: {codes}" if codes else ": let in"
    told += f"; the guard itself failed, reference for the admin: {failed}" if failed else ""
    return f"{told}{kept}\n"


def _keep(location: Location, draft: Callable[[], tuple[Receipt, ...]], log: Callable[[], bytes | None]) -> str:
    """Keep what the receipts will say; where that cannot be, what the pusher is told of it."""
    try:
        pending.write(location, draft())
    except Exception as error:  # noqa: BLE001 - as above
        return f"; it will have no receipt, reference for the admin: {record(error, log)}"
    return ""


def _reserved(named: Iterable[tuple[RefName, RefUpdate]]) -> Iterator[Finding]:
    """What is a client's to write in no case; found by the names alone, whatever else works."""
    rule = REGISTRY.find(gt103.CODE)
    for ref, update in named:
        view = RefView(
            ref=ref, name=update.ref, old=update.old, new=update.new, coordination=False, judged=False,
            created=update.old is None, deleted=update.new is None,
        )  # fmt: skip
        for breach in gt103.check(view):
            yield replace(finding_without_view(rule, breach, None), ref=update.ref)


def _failure(error: Exception, reference: str) -> Iterator[Finding]:
    rule = gd102 if isinstance(error, LimitExceeded) else gd101
    for breach in gd102.check(error) if rule is gd102 else gd101.check(error, reference):
        yield Finding(code=rule.CODE, name=rule.NAME, severity=rule.SEVERITY, found=breach.found)


def _meant(location: Location, ref: RefName) -> RefName:
    try:
        return resolve(location, ref)[0]
    except RepositoryError:
        return ref  # Git refuses the name itself


def _coordination(location: Location, config: Config) -> RefName | None:
    """The coordination branch, as far as it can be told without a policy."""
    pinned = config.get(COORDINATION)
    try:
        return RefName(HEADS + os.fsencode(pinned)) if pinned else head_branch(location)
    except GuardError:
        return None


def _anchor(minutes: Minutes, location: Location, config: Config) -> None:
    """What a receipt says of the trust, where nothing could be judged."""
    pinned, branch = config.get(INTRODUCTION), _coordination(location, config)
    if pinned is not None and len(pinned) in {40, 64} and not pinned.strip("0123456789abcdef"):
        minutes.introduction = ObjectId(pinned.encode("ascii"))
    try:
        minutes.coordination = resolve(location, branch)[1] if branch is not None else None
    except GuardError:
        minutes.coordination = None
