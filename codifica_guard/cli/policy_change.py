"""`policy set` and `policy upgrade`: one signed commit of `guard.json`, every other byte of it as it was."""

import argparse
import json
import shlex
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

from codifica_guard.cli.command import Outcome
from codifica_guard.cli.maintaining import check_keepers, check_maintainer, check_sound, land_change
from codifica_guard.cli.options import place, told
from codifica_guard.cli.policy_text import with_values
from codifica_guard.errors import PolicyError, UsageError
from codifica_guard.model.ids import show_path
from codifica_guard.model.policy import GUARD_FILE
from codifica_guard.policy.defaults import SCHEMA
from codifica_guard.policy.json_text import read_json
from codifica_guard.policy.meaning import fits, guard_keys, guard_wrong, lists
from codifica_guard.policy.schema import KNOWN_RULESETS
from codifica_guard.report.plain import plain
from codifica_guard.verbs.own_commit import changes, file_at
from codifica_guard.verbs.seat import Proposal, Seat

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import ChangedPolicy

_SCHEMA_KEY: Final = "$schema"
_SUBJECT: Final = 100

Wanted = Callable[[Mapping[str, Any]], Mapping[str, Any]]
"""Takes what `guard.json` says, and gives the keys that are to have other values."""


class _Nothing(Exception):
    """There is nothing to change."""

    def __init__(self, seat: Seat) -> None:
        super().__init__()
        self.seat = seat


def run_set(options: argparse.Namespace) -> Outcome:
    """Give one key another value.

    Raises:
        Stopped: the caller may not, or nobody could change the policy afterwards.
        UsageError: there is no such key, or it does not take the value.
    """
    key: str = options.key
    known = {meaning.name for meaning in guard_keys()}
    if key not in known:
        near = (
            ""
            if not key.startswith("rules")
            else "; rules stand in codifica.json, which is changed by hand: git commit -S"
        )
        raise UsageError(f"{plain(key)} is no key of guard.json{near}: {', '.join(sorted(known))}")
    value = value_of(key, options.value)
    if isinstance(value, list) and (twice := [word for n, word in enumerate(value) if word in value[:n]]):
        raise UsageError(f"{key} names {plain(twice[0] if isinstance(twice[0], str) else json.dumps(twice[0]))} twice")
    shown = json.dumps(value)
    command = f"git codifica policy set {key} {' '.join(map(shlex.quote, options.value))}"
    subject = f"codifica: policy {key} {shown if len(shown) <= _SUBJECT else 'changed'}"
    return _change(options, lambda _: {key: value}, command, subject, f"{key} is {plain(shown)} already")


def run_upgrade(options: argparse.Namespace) -> Outcome:
    """Spell out what is absent, and let `$schema` and, where that is asked for, the ruleset be those of this guard.

    Raises:
        Stopped: the caller may not.
        UsageError: this guard does not know the ruleset.
    """
    ruleset: int | None = options.ruleset
    if ruleset is not None and ruleset not in KNOWN_RULESETS:
        raise UsageError(
            f"--ruleset {ruleset}: this guard knows {', '.join(map(str, sorted(KNOWN_RULESETS)))}; a newer one may"
        )
    command = f"git codifica policy upgrade{'' if ruleset is None else f' --ruleset {ruleset}'}"

    def wanted(guard: Mapping[str, Any]) -> Mapping[str, Any]:
        absent = {m.name: m.default for m in guard_keys() if not m.required and m.name not in guard}
        named = str(guard.get(_SCHEMA_KEY)).rpartition("/")[2] == SCHEMA
        return {
            **absent,
            **({} if named else {_SCHEMA_KEY: SCHEMA}),
            **({} if ruleset is None else {"ruleset": ruleset}),
        }

    subject = f"codifica: upgrade the policy{'' if ruleset is None else f' to ruleset {ruleset}'}"
    nothing = f"nothing to do: {show_path(GUARD_FILE)} spells out every key that this guard knows"
    return _change(options, wanted, command, subject, nothing)


def value_of(key: str, words: Sequence[str]) -> Any:
    """The value that was typed for a key: JSON where the key takes that, else the text itself; several for a list.

    Raises:
        UsageError: several, for a key that takes one; or what begins like JSON and is none.
    """
    read = _together(key, [_value(word) for word in words])
    text = _together(key, list(words))
    return text if not fits(key, read) and fits(key, text) else read


def _together(key: str, values: list[Any]) -> Any:
    if key in lists() and not (len(values) == 1 and (values[0] is None or isinstance(values[0], list))):
        return values
    if len(values) > 1:
        raise UsageError(f"{key} takes one value; {len(values)} were given")
    return values[0]


def _value(word: str) -> Any:
    try:
        return read_json(word.encode("utf-8", "surrogateescape")).value
    except PolicyError as error:
        if word.lstrip().startswith(("{", "[", '"')):
            raise UsageError(f"{plain(word)}: {error}") from error
        return word


def _change(options: argparse.Namespace, wanted: Wanted, command: str, subject: str, nothing: str) -> Outcome:
    diff: list[str] = []
    changed: list[str] = []

    def plan(seat: Seat) -> Proposal:
        check_maintainer(seat, command)
        board = seat.board
        check_sound(board)
        data = file_at(board.desk, board.tip, GUARD_FILE) or b""
        guard = read_json(data).value
        values = {k: v for k, v in wanted(guard).items() if k not in guard or not _same(guard[k], v)}
        if not values:
            raise _Nothing(seat)
        wrong = guard_wrong({**guard, **values})
        if wrong:
            raise UsageError("; ".join(f"{'.'.join(map(str, where))} {words}" for where, words in wrong))
        files = {GUARD_FILE: with_values(data, values, [meaning.name for meaning in guard_keys()])}
        check_keepers(
            board, files, board.now, "git codifica key list; a maintainer needs a key that counts afterwards, too"
        )
        diff[:] = changes(board.desk, board.tip, files)
        changed[:] = values
        return Proposal(files=files, subject=subject)

    try:
        landed = land_change(options, plan)
    except _Nothing as end:
        board = end.seat.board
        same: ChangedPolicy = {"changed": [], "branch": board.name, "commit": None, "pushed": False}
        return Outcome(lines=(nothing,), data=same, as_of=board.as_of)
    data: ChangedPolicy = {
        "changed": changed,
        "branch": landed.seat.board.name,
        "commit": None if landed.commit is None else landed.commit.id.decode(),
        "pushed": landed.pushed,
    }
    tail = f"commit   {place(landed)}, signed by {landed.seat.actor}{', pushed' if landed.pushed else ''}"
    return told(landed, (*diff, tail), data)


def _same(one: Any, other: Any) -> bool:
    """Whether two JSON values are one: true is no 1."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)
