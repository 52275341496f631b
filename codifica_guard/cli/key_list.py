"""`key list`: who signs with which key, how it stands, and when it was last used."""

import argparse
import time
from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Final

from codifica_guard.cli.command import Outcome
from codifica_guard.cli.last_used import NEVER, UNKNOWN, last_uses, show_use
from codifica_guard.cli.maintaining import policy_here
from codifica_guard.cli.signer_lines import SOON, maintains, standing
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.identity.keys import fingerprint, key_type
from codifica_guard.model.ids import KeyBlob
from codifica_guard.model.policy import Policy
from codifica_guard.model.times import parse_time, stamp
from codifica_guard.report.plain import plain

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import KeyList, ListedKey

_HEADS: Final = ("principal", "", "key", "from", "until", "state", "last used")


def run(_: argparse.Namespace) -> Outcome:
    """List every key that the policy lists or has revoked."""
    with open_desk(int(time.time())) as desk:
        policy = policy_here(desk)
        uses = last_uses(desk, policy)
        rows = [*_listed(desk, policy, uses), *_revoked(policy)]
        table = [
            _HEADS,
            *(
                (r["principal"], "M" if r["maintainer"] else "", r["fingerprint"], *_dates(r), _state(r, desk.now), use)
                for r, use in rows
            ),
        ]
    widths = [max(len(row[number]) for row in table) for number in range(len(_HEADS))]
    lines = tuple(
        "  ".join(f"{cell:<{width}}" for cell, width in zip(row, widths, strict=True)).rstrip() for row in table
    )
    data: KeyList = {"keys": [row for row, _ in rows]}
    return Outcome(lines=lines, data=data)


def _listed(desk: Desk, policy: Policy, uses: Mapping[KeyBlob, int | None]) -> "Iterator[tuple[ListedKey, str]]":
    """The keys of the lines, and their use for people."""
    for line in policy.signers:
        seconds = uses.get(line.key)
        yield (
            {
                "principal": plain(",".join(line.principals)),
                "maintainer": maintains(line, policy),
                "fingerprint": fingerprint(line.key),
                "type": key_type(line.key),
                "namespaces": list(line.namespaces),
                "from": _time(line.valid_after),
                "until": _time(line.valid_before),
                "state": standing(line, policy, desk.now),
                "last_used": _time(seconds),
                "line": line.line,
            },
            show_use(seconds, desk.now) if seconds is not None else NEVER if line.key in uses else UNKNOWN,
        )


def _revoked(policy: Policy) -> "Iterator[tuple[ListedKey, str]]":
    """The revoked keys that no line lists: nobody says whose they are, so nothing proves what they signed."""
    for key in sorted(policy.revoked - {line.key for line in policy.signers}):
        yield (
            {
                "principal": "-",
                "maintainer": False,
                "fingerprint": fingerprint(key),
                "type": key_type(key),
                "namespaces": [],
                "from": None,
                "until": None,
                "state": "revoked",
                "last_used": None,
                "line": None,
            },
            UNKNOWN,
        )


def _state(row: "ListedKey", now: int) -> str:
    """How a key stands, for people: what is gone in capitals, and what goes soon."""
    if row["state"] == "revoked":
        return "REVOKED"
    until = parse_time(row["until"])
    return "expiring" if row["state"] == "valid" and until is not None and until - now < SOON else row["state"]


def _time(seconds: int | None) -> str | None:
    return None if seconds is None else stamp(seconds)


def _dates(row: "ListedKey") -> tuple[str, str]:
    """Both ends for people: the day alone where it begins then."""
    first, last = ((end or "-").removesuffix("T00:00:00Z") for end in (row["from"], row["until"]))
    return first, last
