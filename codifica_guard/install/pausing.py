"""A pause, as the admin sets, ends and sees it: bounded, in the server's own config, and in the receipts.

A pause is written down before it holds, and its end after: whatever is cut short in between, the receipts say too much rather than
too little, and the next call tells it.
"""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final, Literal

from codifica_guard.audit.ledger import receipt_at
from codifica_guard.audit.pause import Pause, read_pause
from codifica_guard.errors import GuardError, UsageError
from codifica_guard.git.config import INTRODUCTION, PAUSE_REASON, PAUSED_UNTIL, TRUST, check_format
from codifica_guard.git.history import first_parents
from codifica_guard.git.refs import resolve
from codifica_guard.git.store import open_store
from codifica_guard.install.plan import Action, Plan, Step, apply, check_writable, set_value, unset_value
from codifica_guard.install.proof import config_of, location_of, write_down
from codifica_guard.install.repository import Repository, open_bare
from codifica_guard.model.policy import Policy
from codifica_guard.model.receipt import PAUSE, RECEIPTS, Receipt
from codifica_guard.model.times import SKEW, show_time, stamp

LONGEST: Final = 24 * 60 * 60
"""Seconds that a pause may last from the call on."""

_DURATION: Final = re.compile(r"(?:([0-9]{1,4})d)?(?:([0-9]{1,5})h)?(?:([0-9]{1,6})m)?(?:([0-9]{1,7})s)?", re.ASCII)
_UNITS: Final = (24 * 60 * 60, 60 * 60, 60, 1)
_SHORT: Final = (("d", _UNITS[0]), ("h", _UNITS[1]), ("min", _UNITS[2]), ("s", _UNITS[3]))

State = Literal["on", "over", "off"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Told:
    """How a pause stands, and what was done to it.

    Attributes:
        state: whether it runs, is over and still in the config, or is none.
        pause: what the config says; None where it says nothing.
        receipt: the receipt that was written; None where none was.
        changed: whether anything was changed.
        lines: text for people.
    """

    state: State
    pause: Pause | None
    receipt: int | None = None
    changed: bool = False
    lines: tuple[str, ...] = ()


def duration(text: str) -> int:
    """The seconds of a text such as `2h`, `90m` or `1h30m`.

    Raises:
        UsageError: it is none, or longer than a pause may be.
    """
    match = _DURATION.fullmatch(text.strip().lower())
    parts = match.groups() if match is not None else ()
    seconds = sum(int(part) * unit for part, unit in zip(parts, _UNITS, strict=False) if part is not None)
    if seconds == 0:
        raise UsageError(f"--for {text[:40]!a}: say how long, such as 30m, 2h or 1h30m")
    if seconds > LONGEST:
        raise UsageError(
            f"--for {text[:40]}: at most {LONGEST // 3600}h, since a pause that is forgotten lets everything in. "
            "Extend it when the time comes: each extension has its receipt. For longer a maintainer lets rules warn only: "
            "git codifica policy set mode report"
        )
    return seconds


def pause_command(repository: Repository, *options: str) -> str:
    """The command, for what an admin has to do."""
    return " ".join(("codifica-guard pause", repository.quoted, *options))


def tell(path: str, now: int) -> Told:
    """How a pause stands in a bare repository; nothing is changed.

    Raises:
        GuardError: there is no bare repository, or its receipts cannot be read.
    """
    repository = open_bare(path)
    found = read_pause(config_of(repository))
    recorded = recorded_pause(repository, now)
    lines: list[str] = []
    if found is not None and found.runs(now):
        lines += [
            f"paused   until {show_time(found.until)}, {span(found.until - now)} from now: pushes pass, whatever the rules say",
            f"why      {found.reason or '(no reason is given)'}",
            f"end it   {pause_command(repository, '--end')}",
        ]
        if recorded is None:
            lines.append(
                "note     no receipt tells of it: the config was changed by hand; each push has its receipt all the same"
            )
        elif recorded.until != found.until:
            lines.append(f"note     {_says(recorded)}: the last call was cut short, or the config was changed by hand")
    elif found is not None:
        lines += [f"not paused   over since {show_time(found.until)}: {found.reason or '(no reason is given)'}"]
        lines += [f"             out of the config, too: {pause_command(repository, '--end')}"]
    else:
        raw = repository.own(PAUSED_UNTIL)
        lines += [f"not paused   {PAUSED_UNTIL} is {raw!a}, which is no time" if raw is not None else "not paused"]
    if recorded is not None and (found is None or not found.runs(now)):
        lines.append(
            f"note     {_says(recorded)}: a call was cut short; so that they tell the end: {pause_command(repository, '--end')}"
        )
    return Told(state=_state(found, now), pause=found, lines=tuple(lines))


def begin(path: str, seconds: int, reason: str, *, policy: Policy | None, now: int, dry_run: bool) -> Told:
    """Hold the rules off for a time; where they are held off already, until then and no longer.

    Raises:
        UsageError: the guard is not at work there, so that there is nothing to pause.
        GuardError: the receipt cannot be written; nothing is paused.
    """
    repository = open_working(path, policy)
    before, until = read_pause(config_of(repository)), now + seconds
    steps = (
        *set_value(repository, PAUSE_REASON, reason),
        *set_value(repository, PAUSED_UNTIL, stamp(until), f"{stamp(until)}   ({span(seconds)} from now)"),
    )
    if dry_run:
        return _foretold(repository, f"paused until {show_time(until)}: {reason}", steps, before, now)
    receipt = write_down(repository, PAUSE, policy=policy, now=now, until=until, reason=reason)
    apply(Plan(heading=str(repository.git_dir), steps=steps))
    was = f", was until {show_time(before.until)}" if before is not None and before.runs(now) else ""
    lines = (
        f"paused   until {show_time(until)}, {span(seconds)} from now{was}: pushes pass, whatever the rules say",
        f"receipt  {receipt.number:,}; each push has its own, with what would have refused it",
        f"end it   {pause_command(repository, '--end')}",
    )
    pause = Pause(until=until, reason=reason)
    return Told(state="on", pause=pause, receipt=receipt.number, changed=True, lines=lines)


def end(path: str, reason: str, *, policy: Policy | None, now: int, dry_run: bool) -> Told:
    """Let the rules hold again, at once; and take a pause that is over out of the config.

    Raises:
        GuardError: the config cannot be changed, or, told so, the receipt cannot be written though the pause is over.
    """
    repository = open_bare(path)
    check_writable(repository)
    before, recorded = read_pause(config_of(repository)), recorded_pause(repository, now)
    steps = tuple(step for key in (PAUSED_UNTIL, PAUSE_REASON) for step in unset_value(repository, key))
    if not steps and recorded is None:
        return Told(state="off", pause=None, lines=("not paused: nothing to do",))
    writes = (before is not None and before.runs(now)) or recorded is not None
    if dry_run:
        return _foretold(repository, "the pause is over" if writes else None, steps, before, now)
    apply(Plan(heading=str(repository.git_dir), steps=steps))
    if not writes:
        over = f" since {show_time(before.until)}" if before is not None else ""
        return Told(
            state="off", pause=None, changed=True, lines=(f"not paused   it was over{over}; out of the config now",)
        )
    try:
        receipt = write_down(repository, PAUSE, policy=policy, now=now, reason=reason)
    except GuardError as error:
        again = pause_command(repository, "--end")
        raise GuardError(f"the pause is over, and its receipt could not be written: {error}; again: {again}") from error
    lines = ("not paused   the rules hold again", f"receipt      {receipt.number:,}")
    return Told(state="off", pause=None, receipt=receipt.number, changed=True, lines=lines)


def open_working(path: str, policy: Policy | None) -> Repository:
    """The bare repository at a path, where the guard is installed and has a policy to judge by.

    Raises:
        UsageError: it is not, or not ours to write.
    """
    repository = open_bare(path)
    check_writable(repository)
    pinned = repository.own(INTRODUCTION)
    if pinned is None and repository.own(TRUST) is None:
        raise UsageError(
            f"{repository.git_dir}: the guard is not installed here; do: codifica-guard install {repository.quoted}"
        )
    if pinned is None and policy is None:
        raise UsageError(f"{repository.git_dir} has no policy yet: pushes pass as they are, there is nothing to pause")
    return repository


def recorded_pause(repository: Repository, now: int) -> Receipt | None:
    """The newest receipt about a pause, if it says that one runs now.

    Raises:
        GuardError: the receipts cannot be read.
    """
    location, config = location_of(repository), config_of(repository)
    tip = resolve(location, RECEIPTS)[1]
    if tip is None:
        return None
    with open_store(location, check_format(config)) as store:
        for oid in first_parents(store, tip):
            # A pause that began before that is over.
            if store.commit(oid).committer_time < now - LONGEST - SKEW:
                return None
            receipt = receipt_at(store, oid)
            if receipt.kind == PAUSE:
                return receipt if receipt.paused and receipt.until is not None and receipt.until > now else None
    return None


def span(seconds: int) -> str:
    """A time that passes, in two units at most: `1 h 30 min`."""
    parts = []
    for name, unit in _SHORT:
        count, seconds = divmod(seconds, unit)
        if count:
            parts.append(f"{count} {name}")
    return " ".join(parts[:2]) or "0 s"


def _says(recorded: Receipt) -> str:
    return f"receipt {recorded.number:,} says until {show_time(recorded.until or 0)}"


def _state(pause: Pause | None, now: int) -> State:
    return "off" if pause is None else "on" if pause.runs(now) else "over"


def _foretold(
    repository: Repository, receipt: str | None, steps: tuple[Step, ...], before: Pause | None, now: int
) -> Told:
    """What a dry run tells."""
    first: Iterator[Step] = iter(
        () if receipt is None else (Step(action=Action.WRITE, subject="receipt", note=receipt),)
    )
    report = Plan(heading=str(repository.git_dir), steps=(*first, *steps)).preview()
    return Told(state=_state(before, now), pause=before, lines=report.lines)
