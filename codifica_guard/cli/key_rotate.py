"""`key rotate`: a new key beside the old one, which ends after an overlap; one signed commit that the judge has seen."""

import argparse
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Final

from codifica_guard.cli.command import Outcome
from codifica_guard.cli.key_add import ask_owner
from codifica_guard.cli.maintaining import check_maintainer, check_sound, land_change
from codifica_guard.cli.options import place, told
from codifica_guard.cli.own_key import at_hand, use_here
from codifica_guard.cli.public_keys import is_line, read_public
from codifica_guard.cli.rotation import Rotation, rotation_of
from codifica_guard.cli.signer_lines import principal_of
from codifica_guard.errors import UsageError
from codifica_guard.identity.keys import PublicKey, fingerprint, public_line
from codifica_guard.model.ids import Principal, is_human
from codifica_guard.model.times import show_time, stamp
from codifica_guard.verbs.ages import DAY, parse_span
from codifica_guard.verbs.landing import Landed
from codifica_guard.verbs.seat import Proposal, Seat

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import RotatedKey

_LONGEST: Final = 3650 * DAY


def run(options: argparse.Namespace) -> Outcome:
    """List a new key for a principal, and end the old one.

    Raises:
        Stopped: the keys or the caller may not; nothing has changed.
        UsageError: the call is wrong.
    """
    principal = principal_of(options.principal)
    new = read_public([options.new])
    overlap = overlap_of(options.overlap)
    hand = at_hand(new, None if is_line(options.new) or options.new == "-" else options.new)
    asked = options.yes or options.dry_run
    made: list[Rotation] = []

    def plan(seat: Seat) -> Proposal:
        nonlocal asked
        check_maintainer(seat, _command(principal, new, options.overlap))
        check_sound(seat.board)
        rotation = rotation_of(seat, principal, new, overlap, old=options.old, held=hand is not None)
        if not asked and is_human(principal) and principal != seat.actor:
            ask_owner(principal, new)
            asked = True
        made[:] = [rotation]
        subject = f"codifica: rotate the key of {principal}, {fingerprint(rotation.old)} to {fingerprint(new.blob)}"
        return Proposal(files=rotation.files, subject=subject)

    landed = land_change(options, plan)
    return _told(landed, principal, new, made[0], hand)


def overlap_of(text: str) -> int:
    """Seconds of an overlap; `0` is none.

    Raises:
        UsageError: it is no span, or longer than ten years.
    """
    seconds = 0 if text.strip() == "0" else parse_span(text)
    if seconds > _LONGEST:
        raise UsageError(f"--overlap {text}: ten years (3650d) are the most")
    return seconds


def _command(principal: Principal, new: PublicKey, overlap: str) -> str:
    return f"git codifica key rotate {principal} --new {shlex.quote(public_line(new.blob))} --overlap {shlex.quote(overlap)}"


# -- what is told


def _told(landed: Landed, principal: Principal, new: PublicKey, rotation: Rotation, hand: str | None) -> Outcome:
    seat = landed.seat
    old, shown = rotation.old, fingerprint(new.blob)
    by_old, own = seat.hand.signer.key == old, principal == seat.actor
    mine = own and by_old and landed.commit is not None
    ended = rotation.until <= seat.board.now
    until = show_time(rotation.until)
    here = use_here(seat.board.desk.folder, new, hand) if mine else None
    lines = [
        f"old      {fingerprint(old)}   {'ends now' if ended else f'valid until {until}'}",
        f"new      {shown}   valid now",
        f"commit   {place(landed)}, signed by {seat.actor}{' with the old key' if by_old else ''}{', pushed' if landed.pushed else ''}",
    ]
    if here is not None:
        lines += here.lines
    lines += _others(principal, rotation, hand, ended=ended, own=own)
    data: RotatedKey = {
        "principal": principal,
        "old": fingerprint(old),
        "new": shown,
        "until": stamp(rotation.until),
        "signing_key": None if here is None else here.value,
        "branch": seat.board.name,
        "commit": None if landed.commit is None else landed.commit.id.decode(),
        "pushed": landed.pushed,
    }
    return told(landed, lines, data)


def _others(principal: Principal, rotation: Rotation, hand: str | None, *, ended: bool, own: bool) -> list[str]:
    """What is left to do elsewhere."""
    if own:
        return (
            []
            if ended
            else ["else     other machines: git config codifica.signingKey FILE.pub; git codifica doctor says so there"]
        )
    place = os.fspath(Path(hand).with_suffix("")) if hand is not None and hand.endswith(".pub") else "FILE"
    when = "now" if ended else f"by {show_time(rotation.until)}"
    if is_human(principal):
        return [f"next     {principal}, {when}: git config codifica.signingKey FILE.pub"]
    return [f"next     {principal}, {when}: CODIFICA_SIGNING_KEY={shlex.quote(place)}"]
