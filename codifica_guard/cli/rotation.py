"""What of `.codifica/allowed_signers` changes when a principal's key is replaced, and when it may not be."""

import shlex
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Final

from codifica_guard.cli.maintaining import check_keepers, keepers, policy_with
from codifica_guard.cli.public_keys import read_public
from codifica_guard.cli.signer_lines import check_shared, signer_line, standing, with_ends, with_line
from codifica_guard.errors import UsageError
from codifica_guard.identity.allowed_signers import matches, parse_signers, valid_at
from codifica_guard.identity.keys import PublicKey, fingerprint, is_hardware, public_line
from codifica_guard.identity.patterns import is_literal
from codifica_guard.model.ids import KeyBlob, Principal, RepoPath, is_human, show_path
from codifica_guard.model.policy import SIGNERS_FILE, Policy, SignerLine
from codifica_guard.model.times import SKEW, show_time
from codifica_guard.model.value import replace
from codifica_guard.report.plain import plain
from codifica_guard.verbs.ages import DAY
from codifica_guard.verbs.own_commit import file_at
from codifica_guard.verbs.seat import Seat
from codifica_guard.verbs.stopped import Stopped

OVERLAP: Final = "14d"
"""How long both keys are valid, where nothing is said."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Rotation:
    """A new key beside an old one.

    Attributes:
        old: the key that ends.
        until: when it does, seconds since the epoch.
        files: what changes.
    """

    old: KeyBlob
    until: int
    files: Mapping[RepoPath, bytes]


def rotation_of(
    seat: Seat, principal: Principal, new: PublicKey, overlap: int, *, old: str | None, held: bool
) -> Rotation:
    """What becomes of the lines.

    Args:
        seat: the board, and who asks.
        principal: whose keys they are.
        new: the new key.
        overlap: seconds that both are valid.
        old: which key ends, as it was typed; None where that is not said.
        held: whether the new key's private half is at hand.

    Raises:
        Stopped: the keys may not be these, or nobody could change the policy afterwards.
        UsageError: which key ends is not clear.
    """
    board = seat.board
    policy, now = board.policy, board.now
    _check_new(policy, principal, new, now)
    key = _old_key(seat, principal, new, old)
    lines = [line for line in policy.signers if line.key == key and _lasts(line, now)]
    _check_single(lines, principal)
    until = now + overlap
    ends = {line.line: until for line in lines if line.valid_before is None or line.valid_before > until}
    for line in lines:
        if line.line in ends and line.valid_after is not None and line.valid_after >= until:
            raise Stopped(
                f"line {line.line} of {show_path(SIGNERS_FILE)} begins at {show_time(line.valid_after, exact=True)} only: "
                f"a longer --overlap"
            )
    last = max(ends.get(line.line, line.valid_before or 0) for line in lines)
    listed = any(line.key == new.blob for line in policy.signers)
    if listed and not ends:
        raise Stopped(f"{principal} has both keys already, and the old one ends at {show_time(last)}")
    data = with_ends(file_at(board.desk, board.tip, SIGNERS_FILE) or b"", ends)
    if not listed:
        # The day's beginning: a server whose clock is behind takes the key at once all the same.
        start = (now - SKEW) // DAY * DAY
        data = with_line(data, signer_line(principal, new, namespaces=_namespaces(lines), valid_after=start))
    check_shared(data)
    _check_ends(policy, data, ends)
    rotation = Rotation(old=key, until=last, files={SIGNERS_FILE: data})
    if principal in policy.guard.maintainers:
        _check_trap(seat, new, rotation, held=held)
    return rotation


def _namespaces(lines: Iterable[SignerLine]) -> tuple[str, ...]:
    """What the old key may sign by all of its lines; nothing where one of them does not say, and what is usual counts."""
    listed = [line.namespaces for line in lines]
    return () if () in listed else tuple(dict.fromkeys(name for names in listed for name in names))


def _lasts(line: SignerLine, now: int) -> bool:
    """Whether a line is valid, or will be."""
    return line.valid_before is None or line.valid_before >= now


def _check_new(policy: Policy, principal: Principal, new: PublicKey, now: int) -> None:
    """Nothing where a key can be a principal's new one.

    Raises:
        Stopped: it is revoked, another's, or listed with dates that end it.
    """
    shown = fingerprint(new.blob)
    if new.blob in policy.revoked:
        raise Stopped(f"the key {shown} is revoked, for good: make another one")
    for line in policy.signers:
        if line.key != new.blob:
            continue
        if line.principals != (principal,):
            raise Stopped(
                f"the key {shown} is listed for {plain(','.join(line.principals))} already: make a key of its own"
            )
        if not valid_at(line, now) or line.valid_before is not None:
            raise Stopped(
                f"the key {shown} stands in line {line.line} of {show_path(SIGNERS_FILE)} already, "
                f"{standing(line, policy, now)}, with dates of its own: make another one"
            )
    if policy.guard.human_presence == "hardware-key" and is_human(principal) and not is_hardware(new.blob):
        raise Stopped(
            f"human_presence is hardware-key here, and {shown} lives in a file: {principal} could decide nothing with it"
            "\ndo: ssh-keygen -t ed25519-sk"
        )


def _old_key(seat: Seat, principal: Principal, new: PublicKey, wanted: str | None) -> KeyBlob:
    """The key that is replaced: the one that is named, else the only one, else the caller's own.

    Raises:
        Stopped: the principal has no key that could be.
        UsageError: he has several.
    """
    policy, now = seat.board.policy, seat.board.now
    keys = dict.fromkeys(
        line.key
        for line in policy.signers
        if matches(line, principal) and _lasts(line, now) and line.key not in policy.revoked
    )
    if wanted is not None:
        named = _named(wanted, keys)
        if named == new.blob:
            raise UsageError("the old key and the new one are the same")
        return named
    keys.pop(new.blob, None)
    if seat.hand.signer.key in keys and principal == seat.actor:
        return seat.hand.signer.key
    # A key that ends already has been rotated before.
    staying = [key for key in keys if any(line.key == key and line.valid_before is None for line in policy.signers)]
    if len(staying or keys) == 1:
        return next(iter(staying or keys))
    if keys:
        shown = ", ".join(fingerprint(key) for key in keys)
        raise UsageError(f"{principal} has several keys: say which one ends, --old SHA256:... ({shown})")
    if any(line.key == new.blob for line in policy.signers):
        raise Stopped(f"{principal} has this key already, and no other one")
    add = f"git codifica key add {principal} {shlex.quote(public_line(new.blob))}"
    raise Stopped(f"{principal} has no key that could end\ndo: {add}", next=(add,))


def _named(text: str, keys: Mapping[KeyBlob, None]) -> KeyBlob:
    """One of some keys, by its fingerprint, line or file.

    Raises:
        UsageError: it is none of them.
    """
    found = [key for key in keys if fingerprint(key) == text.strip()]
    if not found and not text.strip().startswith("SHA256:"):
        blob = read_public([text]).blob
        found = [key for key in keys if key == blob]
    if not found:
        raise UsageError(
            f"--old: the principal has no such key; {', '.join(fingerprint(key) for key in keys) or 'none'}"
        )
    return found[0]


def _check_single(lines: list[SignerLine], principal: Principal) -> None:
    """Nothing where lines list a key for one principal.

    Raises:
        Stopped: for others too, whom the new key would not replace.
    """
    for line in lines:
        if line.principals != (principal,) or not is_literal(line.principals[0]):
            raise Stopped(
                f"line {line.line} of {show_path(SIGNERS_FILE)} lists the old key for {plain(','.join(line.principals))}: "
                f"write a line for each of them by hand, git commit -S, git push"
            )


def _check_ends(policy: Policy, data: bytes, ends: Mapping[int, int]) -> None:
    """Nothing where the file says what was meant: the ends of some lines, and all else as before."""
    signers, _ = parse_signers(data)
    after = {line.line: line for line in signers}
    for line in policy.signers:
        found = after.get(line.line)
        if found is None or found.key != line.key or found.valid_before != ends.get(line.line, line.valid_before):
            raise Stopped(
                f"line {line.line} of {show_path(SIGNERS_FILE)} cannot be changed by a command: by hand, git commit -S"
            )


def _check_trap(seat: Seat, new: PublicKey, rotation: Rotation, *, held: bool) -> None:
    """Nothing where somebody can still change the policy when the old key has ended.

    Raises:
        Stopped: nobody could; or nobody but a key that ends the old one at once, and whose private half is not here.
    """
    board = seat.board
    after = rotation.until + 1
    check_keepers(board, rotation.files, after, "git codifica key list, and a key without an end for a maintainer")
    made = policy_with(board, rotation.files)
    others = replace(made, signers=tuple(line for line in made.signers if line.key != new.blob))
    if not held and rotation.until <= board.now and not keepers(others, after):
        raise Stopped(
            f"the private half of {fingerprint(new.blob)} is not here, and nobody else could change the policy if it is lost"
            f"\ndo: try that key first, with an overlap for the old one: --overlap {OVERLAP}"
        )
