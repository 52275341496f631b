"""Checks of what proves a push later: receipts, what they do not hold, and a pause."""

import os
from collections.abc import Iterator
from typing import Final

from codifica_guard.audit.backfill import due, way
from codifica_guard.audit.pause import read_pause
from codifica_guard.audit.pending import Held
from codifica_guard.errors import GuardError, KeyUnavailable, UsageError
from codifica_guard.git.config import COORDINATION, INTRODUCTION, PAUSE_REASON, PAUSED_UNTIL
from codifica_guard.install import receipt_key
from codifica_guard.install.check import Check, Level, Probes, fix_command
from codifica_guard.install.check_server_key import policy_of
from codifica_guard.install.pausing import pause_command, recorded_pause
from codifica_guard.install.plan import Action, Step, unset_value
from codifica_guard.install.proof import config_of, kept, newest, stands, tip
from codifica_guard.install.repository import Repository
from codifica_guard.model.ids import RefName, show_path
from codifica_guard.model.policy import Policy
from codifica_guard.model.receipt import Receipt
from codifica_guard.model.times import show_time

_RECEIPTS, _PAUSE = "receipts", "pause"
_HEADS: Final = "refs/heads/"


# -- the receipts


def check_receipts(repository: Repository, probes: Probes) -> Iterator[Check]:
    """Whether the newest receipts hold all that came in, as far as the server itself can tell."""
    try:
        yield from tuple(_receipts(repository, policy_of(probes)))
    except GuardError as error:
        text = f"{error}: no more can be written"
        do = (f"codifica-guard audit {repository.quoted}",)
        yield Check(level=Level.FAIL, name=_RECEIPTS, text=text, do=do)


def _receipts(repository: Repository, policy: Policy | None) -> Iterator[Check]:
    last, files = newest(repository), kept(repository)
    behind = () if last is None else tuple(_behind(repository, last, policy, files))
    yield from behind
    tips = {} if last is None else last.tips
    if waiting := len(due(files, (), tips, lambda ref: stands(repository, ref))):
        told = "1 push waits for its receipt" if waiting == 1 else f"{waiting:,} pushes wait for their receipts"
        text = f"{told}: the server's hook did not come to it; the next push writes what is missing"
        yield Check(level=Level.WARN, name=_RECEIPTS, text=text, do=fix_command(repository))
    if last is None:
        none = "the next push to a judged branch writes one" if policy is not None else "the policy is not in"
        yield Check(level=Level.OK, name=_RECEIPTS, text=f"none yet: {none}")
        return
    yield from _anchor(repository, last)
    if not behind:
        yield Check(level=Level.OK, name=_RECEIPTS, text=f"{last.number:,}, the last {show_time(last.time)}")


def _behind(repository: Repository, last: Receipt, policy: Policy | None, files: tuple[Held, ...]) -> Iterator[Check]:
    """Branches that are not where the receipts have them, and what waits does not lead there either."""
    for ref, known in sorted(last.tips.items()):
        now = stands(repository, ref)
        waiting = (file for file in files if file.draft is not None and file.draft.ref == ref)
        if not _is_judged(repository, policy, ref) or way(waiting, now, known).whole:
            continue
        name = show_path(ref).removeprefix(_HEADS)
        what = (
            f"{name} is gone" if now is None else _moved(repository, name, known.decode("ascii"), now.decode("ascii"))
        )
        yield Check(
            level=Level.FAIL,
            name=_RECEIPTS,
            text=f"{what} since receipt {last.number:,}, {show_time(last.time)}: no hook saw it",
            do=(f"codifica-guard audit {repository.quoted} --since-receipt",),
        )


def _is_judged(repository: Repository, policy: Policy | None, ref: RefName) -> bool:
    name = os.fsdecode(ref).removeprefix(_HEADS)
    if policy is None or name == (repository.own(COORDINATION) or repository.head()):
        return True
    return name == policy.guard.coordination_branch or policy.guard.protected_branches.match(name.encode())


def _moved(repository: Repository, name: str, known: str, now: str) -> str:
    count = repository.git("rev-list", "--count", f"{known}..{now}")
    if count is None:
        return f"{name} moved to {now[:12]}, from a commit that is not here any more,"
    commits = f"{int(count):,} commit{'' if count == '1' else 's'}"
    if repository.git("merge-base", "--is-ancestor", known, now) is not None:
        return f"{name} got {commits}"
    return f"{name} was rewound to {now[:12]}{f' with {commits}' if count != '0' else ''}"


def _anchor(repository: Repository, last: Receipt) -> Iterator[Check]:
    """What the newest receipt and the config disagree on: where judging begins."""
    pinned = repository.own(INTRODUCTION)
    if pinned is None or last.introduction is None or last.introduction.decode("ascii") == pinned:
        return
    text = (
        f"{INTRODUCTION} is {pinned[:12]}, and receipt {last.number:,} says {last.introduction[:12].decode('ascii')}: "
        "an introduce was cut short, or the config was changed by hand"
    )
    do = (f"codifica-guard introduce COMMIT {repository.quoted} -m WHY",)
    yield Check(level=Level.WARN, name=_RECEIPTS, text=text, do=do)


# -- a pause


def check_pause(repository: Repository, now: int) -> Iterator[Check]:
    """Whether the rules hold: a pause that runs, one that is over and still set, one that no receipt tells."""
    raw = repository.own(PAUSED_UNTIL)
    found = read_pause(config_of(repository))
    end = (pause_command(repository, "--end"),)
    if raw is None:
        try:
            recorded = recorded_pause(repository, now)
        except GuardError:
            return  # told with the receipts
        if recorded is not None:
            text = f"receipt {recorded.number:,} says until {show_time(recorded.until or 0)}, and {PAUSED_UNTIL} is not set: nothing is paused"
            yield Check(level=Level.WARN, name=_PAUSE, text=text, do=end)
    elif found is None:
        text = f"{PAUSED_UNTIL} is {raw!a}, which is no time: nothing is paused"
        yield Check(level=Level.WARN, name=_PAUSE, text=text, do=end)
    elif found.runs(now):
        text = f"until {show_time(found.until)} pushes pass, whatever the rules say: {found.reason or 'no reason is given'}"
        yield Check(level=Level.WARN, name=_PAUSE, text=text, do=end)
    else:
        text = f"over since {show_time(found.until)}, and still in the config"
        yield Check(level=Level.WARN, name=_PAUSE, text=text, do=fix_command(repository))


# -- mending


def mend(repository: Repository, now: int) -> Iterator[Step]:
    """Steps that need no decision: a key where nothing was ever signed, its mode and its settings, a pause that is over."""
    path = receipt_key.key_path(repository)
    subject = receipt_key.shown(repository, path)
    try:
        if receipt_key.read_key(repository) is None and tip(repository) is not None:
            note = "receipts were signed with it: put it back, or codifica-guard install makes another one"
            yield Step(action=Action.LEAVE, subject=subject, note=note)
        else:
            yield from tuple(receipt_key.set_key(repository))
    except (KeyUnavailable, UsageError) as error:
        yield Step(action=Action.LEAVE, subject=subject, note=str(error))
    found = read_pause(config_of(repository))
    if found is not None and not found.runs(now):
        for key in (PAUSED_UNTIL, PAUSE_REASON):
            yield from unset_value(repository, key)
