"""`pre-receive` and `post-receive` on the server: a push in, an exit code out. Fails closed."""

import gc
import os
import sys
import time
from collections.abc import Callable, Iterable
from contextlib import suppress
from typing import TYPE_CHECKING

from codifica_guard.errors import GuardError, RepositoryError
from codifica_guard.git.config import INTRODUCTION, PAUSED_UNTIL, RECEIPT_KEY, Config, check_format, read_config
from codifica_guard.git.location import Location, at
from codifica_guard.git.refs import head_branch, resolve
from codifica_guard.git.store import Store, open_store
from codifica_guard.hooks.boundary import closed, tell
from codifica_guard.hooks.environment import git_dir, parse_updates
from codifica_guard.limits import INPUT_BYTES
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.push import RefUpdate

if TYPE_CHECKING:
    from codifica_guard.audit.pause import Pause
    from codifica_guard.hooks.minutes import Minutes
    from codifica_guard.model.finding import Verdict
    from codifica_guard.model.receipt import Receipt

LOG = "codifica.log"
GUARD_PATH = b".codifica/guard.json"
FOLDER = b"codifica-guard"
OURS = b"\nCodifica-"
"""How a line of a message begins that is a trailer of ours."""

NO_TOOL = "no tool? pip install codifica-guard, or by hand: edit, git commit -S, git push"
"""The last line for whoever does not know the verbs."""

Clock = Callable[[], float]


def main(argv: list[str], *, clock: Clock = time.time) -> int:
    """Run a server's hook: `pre-receive` or `post-receive`; its exit code, 0 or 1."""
    if argv[:1] == ["post-receive"]:
        from codifica_guard.hooks.post_receive import run  # noqa: PLC0415 - one hook a process

        return run(int(clock()), _log)
    return closed(lambda: _pre_receive(clock), _log)


def _log() -> bytes | None:
    """The guard's log: what the config names, else a file in the repository."""
    location = at(git_dir(os.environb), {})
    named = None
    with suppress(GuardError):
        named = read_config(location).get(LOG)
    return os.fsencode(named) if named else os.path.join(location.common_dir, FOLDER, b"errors.log")  # noqa: PTH118 - bytes


def _pre_receive(clock: Clock) -> int:
    data = sys.stdin.buffer.read(INPUT_BYTES + 1)
    updates = parse_updates(data)
    location = at(git_dir(os.environb), os.environb)
    config, now = read_config(location), int(clock())
    if config.get(PAUSED_UNTIL) is not None:
        from codifica_guard.audit.pause import read_pause  # noqa: PLC0415 - few servers pause

        pause = read_pause(config)
        if pause is not None and pause.runs(now):
            return _paused(location, config, updates, now, pause)
    with open_store(location, check_format(config)) as store:
        if config.get(INTRODUCTION) is None and not awakes(store, location, updates):
            return 0
        return _judge(store, location, config, updates, now)


def _paused(location: Location, config: Config, updates: tuple[RefUpdate, ...], now: int, pause: "Pause") -> int:
    from codifica_guard.hooks.paused import let_in  # noqa: PLC0415 - few servers pause

    def judge(minutes: "Minutes") -> "Verdict | None":
        with open_store(location, check_format(config)) as store:
            if config.get(INTRODUCTION) is None and not awakes(store, location, updates):
                return None
            return _convene(store, location, config, updates, now, minutes)

    def draft(minutes: "Minutes", pause: "Pause") -> "tuple[Receipt, ...]":
        return _drafts(location, config, now, minutes, pause)

    return let_in(location, config, updates, pause, judge=judge, draft=draft, log=_log)


def awakes(store: Store, location: Location, updates: tuple[RefUpdate, ...]) -> bool:
    """Whether a repository without a pinned introduction has a policy on the branch that HEAD names, or gets one now."""
    head = head_branch(location)
    if head is None:  # nobody can say which branch is meant, so any policy wakes the judge, who says so
        return any(u.new is not None and _has_policy(store, u.new) for u in updates)
    _, tip = resolve(location, head)
    if tip is not None and _has_policy(store, tip):
        return True
    for update in updates:
        if update.new is not None and _meant(location, update.ref) == head and _has_policy(store, update.new):
            return True
    return False


def _meant(location: Location, ref: RefName) -> RefName:
    try:
        return resolve(location, ref)[0]
    except RepositoryError:
        return ref  # Git refuses the name itself


def _has_policy(store: Store, tip: ObjectId) -> bool:
    from codifica_guard.git.changes import entry_at  # noqa: PLC0415 - an idle repository without the branch needs none

    kind, oid = store.peel(tip)
    return kind == "commit" and entry_at(store, store.commit(oid).tree, GUARD_PATH) is not None


def _judge(store: Store, location: Location, config: Config, updates: tuple[RefUpdate, ...], now: int) -> int:
    # Only a repository that uses the guard pays for the engine and the rules.
    from codifica_guard.report.terminal import verdict  # noqa: PLC0415

    minutes = None
    if _writes_receipts(location, config):
        from codifica_guard.hooks.minutes import Minutes  # noqa: PLC0415

        minutes = Minutes()
    judged = _convene(store, location, config, updates, now, minutes)
    if judged.accepted and minutes is not None and not minutes.empty:
        from codifica_guard.audit import pending  # noqa: PLC0415 - most pushes of a clone's own branches need none

        pending.write(location, _drafts(location, config, now, minutes, None))
    hint = f"\n{NO_TOOL}\n" if any(f.task for f in judged.errors) and _is_by_hand(store, location, updates) else ""
    tell(verdict(judged, tips=(u.new for u in updates if u.new is not None)) + hint)
    return 0 if judged.accepted else 1


def _convene(
    store: Store,
    location: Location,
    config: Config,
    updates: tuple[RefUpdate, ...],
    now: int,
    minutes: "Minutes | None",
) -> "Verdict":
    from codifica_guard.hooks.court import convene  # noqa: PLC0415 - as above

    gc.freeze()
    gc.enable()  # a large push makes garbage
    return convene(store, location, config, updates, now, minutes)


def _writes_receipts(location: Location, config: Config) -> bool:
    """Whether the admin gave the server a key; one that is named and gone is a fault, which `post-receive` tells."""
    from codifica_guard.audit.server_key import key_path  # noqa: PLC0415 - as above

    return config.get(RECEIPT_KEY) is not None or os.path.lexists(key_path(location, config))


def _drafts(
    location: Location, config: Config, now: int, minutes: "Minutes", pause: "Pause | None"
) -> "tuple[Receipt, ...]":
    if minutes.empty or not _writes_receipts(location, config):
        return ()
    from codifica_guard.audit.pending import push_id  # noqa: PLC0415 - as above
    from codifica_guard.hooks.pusher import pusher  # noqa: PLC0415

    def stands(ref: RefName) -> ObjectId | None:
        with suppress(RepositoryError):  # Git moves no ref that cannot be read
            return resolve(location, ref)[1]
        return None

    return minutes.drafts(push_id(), now, stands, pusher(config, os.environb), pause)


def _is_by_hand(store: Store, location: Location, updates: tuple[RefUpdate, ...]) -> bool:
    """Whether no commit of a push carries our trailers; false where that cannot be told."""
    from codifica_guard.git.history import new_commits  # noqa: PLC0415 - only for a push that is refused

    head = head_branch(location)
    known = [resolve(location, head)[1] if head is not None else None, *(u.old for u in updates)]
    try:
        new = new_commits(store, _commits(store, (u.new for u in updates)), _commits(store, known))
        return not any(OURS in store.commit(oid).message for oid in new)
    except GuardError:
        return False


def _commits(store: Store, tips: Iterable[ObjectId | None]) -> tuple[ObjectId, ...]:
    peeled = (store.peel(tip) for tip in tips if tip is not None)
    return tuple(oid for kind, oid in peeled if kind == "commit")
