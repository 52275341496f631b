"""`key revoke`: keys refused for good, by one signed commit that only lets `.codifica/revoked_keys` grow."""

import argparse
import shlex
from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from codifica_guard.cli.command import Outcome
from codifica_guard.cli.key_traces import Traces, listed_for, traces_of
from codifica_guard.cli.maintaining import check_maintainer, check_sound, keepers, land_change, policy_with
from codifica_guard.cli.options import place, text_of, told
from codifica_guard.cli.public_keys import read_public
from codifica_guard.cli.questions import somebody_there, tell, yes_or_no
from codifica_guard.cli.signer_lines import with_line
from codifica_guard.errors import NeedsTerminal, UsageError
from codifica_guard.identity.allowed_signers import names
from codifica_guard.identity.keys import fingerprint, public_line
from codifica_guard.model.ids import NAME, KeyBlob, Principal, is_principal
from codifica_guard.model.policy import REVOKED_FILE, Policy
from codifica_guard.model.times import show_time
from codifica_guard.report.plain import plain
from codifica_guard.report.printing import printable
from codifica_guard.rules.commands import word
from codifica_guard.verbs.board import Board
from codifica_guard.verbs.own_commit import file_at
from codifica_guard.verbs.seat import Proposal, Seat
from codifica_guard.verbs.stopped import Stopped

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import RevokedKeys

_REASON: Final = 200
"""Characters of the reason that stand beside the key."""

_COMMITS: Final = "every new commit signed with it is refused"
_RECEIPTS: Final = "no new receipt signed with it is believed"
_SERVER: Final = (
    "the receipts before it stay proven",
    "another key: the server's admin moves codifica-guard/receipt_ed25519 and its .pub away, then: codifica-guard install REPOSITORY",
)


def run(options: argparse.Namespace) -> Outcome:
    """Revoke a key, or all of a principal's.

    Raises:
        Stopped: the keys or the caller may not; nothing has changed.
        UsageError: the call is wrong.
    """
    reason = text_of(options.reason) or ""
    target = " ".join(options.target).strip()
    given = None if _named(target) else _given(options.target)
    asked = options.yes or options.dry_run
    made: list[tuple[tuple[KeyBlob, ...], Traces]] = []
    powerless: list[Principal] = []

    def plan(seat: Seat) -> Proposal:
        nonlocal asked
        board = seat.board
        every = " --all" if options.every else ""
        check_maintainer(seat, f"git codifica key revoke {shlex.quote(target)}{every} -m {shlex.quote(reason)}")
        check_sound(board)
        keys = _keys(board.policy, target, given, every=options.every)
        _check_own(seat, keys, f"{shlex.quote(target)}{every}")
        found = traces_of(board, keys)
        if not asked:
            _ask(board, keys, found, reason)
            asked = True
        made[:] = [(keys, found)]
        files = {REVOKED_FILE: _with_keys(board, keys, reason)}
        left = keepers(policy_with(board, files), board.now)
        powerless[:] = [
            m for m in board.policy.guard.maintainers if m in listed_for(board.policy, keys) and m not in left
        ]
        return Proposal(files=files, subject=f"codifica: revoke {_whose(board.policy, keys)}")

    landed = land_change(options, plan)
    keys, found = made[0]
    board = landed.seat.board
    reclaims = tuple(_reclaim(task.id, reason) for task in found.held)
    lines = [
        *_told(board, keys, found, reason, done=True),
        f"commit   {place(landed)}, signed by {landed.seat.actor}{', pushed' if landed.pushed else ''}",
    ]
    lines += [
        f"note     {name} stays a maintainer by name: git codifica policy set maintainers NAMES" for name in powerless
    ]
    data: RevokedKeys = {
        "keys": [
            {
                "fingerprint": fingerprint(key),
                "public": public_line(key),
                "principals": list(listed_for(board.policy, (key,))),
            }
            for key in keys
        ],
        "reason": reason,
        "commits": found.merged,
        "all_commits": found.whole,
        "unmerged": [{"branch": b.branch, "here": b.here, "commits": b.commits} for b in found.unmerged],
        "held": [{"task": task.id, "owner": task.owner, "do": _reclaim(task.id, reason)} for task in found.held],
        "branch": board.name,
        "commit": None if landed.commit is None else landed.commit.id.decode(),
        "pushed": landed.pushed,
    }
    outcome = told(landed, lines, data, reclaims if landed.commit is not None else ())
    if landed.commit is None:  # what it would come to is as good to know as the line itself
        return replace(outcome, lines=(*printable(_told(board, keys, found, reason, done=False)), *outcome.lines))
    return outcome


# -- which keys


def _named(target: str) -> bool:
    """Whether a principal or a fingerprint is meant, and no file or line."""
    return target.startswith("SHA256:") or is_principal(target)


def _given(words: Sequence[str]) -> KeyBlob:
    """The key of a file or a line.

    Raises:
        UsageError: it is none.
    """
    try:
        return read_public(words).blob
    except UsageError as error:
        if len(words) == 1 and NAME.fullmatch(words[0]):
            raise UsageError(f"{error}; a principal is human:{words[0]} or agent:{words[0]}") from error
        raise


def _keys(policy: Policy, target: str, given: KeyBlob | None, *, every: bool) -> tuple[KeyBlob, ...]:
    """The keys that are meant, none of them revoked.

    Raises:
        Stopped: there is none left, or there are several of them.
        UsageError: nothing is known by that name.
    """
    listed = dict.fromkeys((*(line.key for line in policy.signers), *sorted(policy.revoked)))
    if given is not None:
        known = [given]
    elif is_principal(target):
        known = list(dict.fromkeys(line.key for line in policy.signers if target in names(line)))
    else:
        known = [key for key in listed if fingerprint(key) == target]
    if not known:
        raise UsageError(f"no key is listed here as {plain(target)}: git codifica key list")
    keys = tuple(key for key in known if key not in policy.revoked)
    if not keys:
        raise Stopped(f"revoked already, for good: {', '.join(fingerprint(key) for key in known)}")
    if len(keys) > 1 and not every:
        shown = ", ".join(fingerprint(key) for key in keys)
        raise UsageError(f"{target} has {len(keys)} keys: say which one by its fingerprint, or --all of them: {shown}")
    return keys


def _with_keys(board: Board, keys: Sequence[KeyBlob], reason: str) -> bytes:
    """The list of revoked keys with some more at its end, the reason in a comment above each."""
    data = file_at(board.desk, board.tip, REVOKED_FILE) or b""
    short = " ".join(reason.split())
    short = short if len(short) <= _REASON else f"{short[: _REASON - 3]}..."
    for key in keys:
        owners = ",".join(listed_for(board.policy, (key,)))
        data = with_line(data, f"# {show_time(board.now)} {owners or 'nobody'}: {short}")
        data = with_line(data, f"{public_line(key)}{f' {owners}' if owners else ''}")
    return data


# -- what may not be


def _check_own(seat: Seat, keys: Sequence[KeyBlob], words: str) -> None:
    """Nothing where another key signs the revocation than one that it revokes.

    Args:
        seat: who revokes.
        keys: what is to be revoked.
        words: how the command says that, for a shell.

    Raises:
        Stopped: it would be signed by a key that is worth nothing from then on; the text says what to do instead.
    """
    own = seat.hand.signer.key
    if own not in keys:
        return
    shown = fingerprint(own)
    left = keepers(policy_with(seat.board, {REVOKED_FILE: _with_keys(seat.board, keys, "")}), seat.board.now)
    again = f"git codifica key revoke {words} -m WHY"
    if not left:
        steps = (
            f"git codifica key rotate {seat.actor} --new FILE.pub",
            f"git codifica key revoke {shown} -m WHY",
        )
        told = "\n".join((f"do: {steps[0]}", f"then, with the new key: {steps[1]}"))
        raise Stopped(
            f"{shown} signs this commit, and no maintainer has another key that counts\n{told}", next=steps[:1]
        )
    if seat.actor in left:
        raise Stopped(
            f"{shown} signs this commit itself: sign with another key of yours\ndo: CODIFICA_SIGNING_KEY=FILE {again}"
        )
    raise Stopped(
        f"{shown} signs this commit itself: another maintainer has to do it\nask {', '.join(left)} to run: {again}"
    )


def _ask(board: Board, keys: Sequence[KeyBlob], found: Traces, reason: str) -> None:
    """Ask whether the keys are to be gone for good.

    Raises:
        NeedsTerminal: nobody is there to answer.
        Stopped: they are not.
    """
    if not somebody_there():
        raise NeedsTerminal(
            f"a revoked key never comes back: look at {_whose(board.policy, keys)}, then again with --yes"
        )
    tell(*_told(board, keys, found, reason, done=False))
    if not yes_or_no(f"revoke {_whose(board.policy, keys)} for good?", default=False):
        raise Stopped("not revoked")


# -- what is told


def _whose(policy: Policy, keys: Sequence[KeyBlob]) -> str:
    """Keys for people: whose they are, and which."""
    owners = plain(", ".join(listed_for(policy, keys)))
    return f"{'a key' if len(keys) == 1 else f'{len(keys)} keys'} of {owners or 'nobody here'}, {' '.join(map(fingerprint, keys))}"


def _told(board: Board, keys: Sequence[KeyBlob], found: Traces, reason: str, *, done: bool) -> list[str]:
    lines = [
        f"{'revoked' if done else 'revokes'}  {fingerprint(key)}   {plain(', '.join(listed_for(board.policy, (key,)))) or 'nobody here'}: "
        f"{_RECEIPTS if _is_servers(board.policy, key) else _COMMITS} from this commit on"
        for key in keys
    ]
    if all(_is_servers(board.policy, key) for key in keys):
        lines += [f"         {text}" for text in _SERVER]
    else:
        lines.append(f"         {_older(board, found, 'its' if len(keys) == 1 else 'their')}")
    for row in found.unmerged:
        where = f"{plain(row.branch)}{' (here)' if row.here else ''}"
        whole = "it is" if row.commits == 1 else "they are"
        lines.append(f"unmerged {_count(row.commits, 'commit')} on {where}: can no longer be merged as {whole}")
    if found.unmerged:
        lines.append(
            "         what is wanted of that is committed anew, without the signature: git codifica explain ID105"
        )
    for task in found.held:
        note = f"   (or {task.owner} goes on with its other key)" if task.owner in found.stay else ""
        lines.append(f"holds    {plain(task.id)} in_progress   {_reclaim(task.id, reason)}{note}")
    return lines


def _is_servers(policy: Policy, key: KeyBlob) -> bool:
    """Whether a key signs receipts, and no commits of people and agents."""
    owners = listed_for(policy, (key,))
    return bool(owners) and all(owner.startswith("server:") for owner in owners)


def _older(board: Board, found: Traces, whose: str) -> str:
    """What becomes of what was signed and let in before."""
    if found.whole and not found.merged:
        return f"no commit on {board.name} carries {whose} signature"
    least = "" if found.whole else "at least "
    verbs = ("carries", "stays") if found.merged == 1 else ("carry", "stay")
    return f"{least}{_count(found.merged, 'commit')} on {board.name} {verbs[0]} {whose} signature, and {verbs[1]} proven as before"


def _reclaim(task: str, reason: str) -> str:
    return f"git codifica reclaim {word(task)} -m {shlex.quote(' '.join(reason.split()))}"


def _count(number: int, noun: str) -> str:
    return f"{number} {noun}{'' if number == 1 else 's'}"
