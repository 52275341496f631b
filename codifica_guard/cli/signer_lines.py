"""Lines of `.codifica/allowed_signers`: how one is written and ended, and how one stands now."""

import re
from collections.abc import Iterable, Mapping
from datetime import UTC, datetime
from typing import Final, Literal

from codifica_guard.errors import UsageError
from codifica_guard.identity.allowed_signers import matches, parse_signers, valid_at
from codifica_guard.identity.keys import PublicKey, public_line
from codifica_guard.model.ids import NAME, Principal, is_principal
from codifica_guard.model.policy import Policy, SignerLine
from codifica_guard.report.plain import plain_words
from codifica_guard.verbs.ages import DAY
from codifica_guard.verbs.stopped import Stopped

NAMESPACES: Final = {
    "human": "git,codifica-guard",
    "agent": "git,codifica-guard,codifica-evidence",
    "server": "git",
}
"""What a key of each kind may sign."""

SOON: Final = 30 * DAY
"""Seconds before its end in which a key is told to expire."""

_PRINCIPALS: Final = re.compile(rb'[ \t]*(?:"[^"]*"|[^ \t"]+)[ \t]+')
_OPTION: Final = re.compile(rb'(?P<name>[A-Za-z-]+)(?:="[^"]*")?(?P<comma>,?)')
_KEY_STARTS: Final = (b"ssh-", b"ecdsa-", b"sk-")

Standing = Literal["valid", "expired", "not yet", "revoked"]


def principal_of(text: str, kind: str | None = None) -> Principal:
    """The principal that somebody typed.

    Args:
        text: `human:alice`, or the name alone where `kind` says what it is.
        kind: `human` or `agent`; None where the text has to say it.

    Raises:
        UsageError: it is none.
    """
    full = f"{kind}:{text}" if kind is not None and ":" not in text else text
    if is_principal(full):
        return Principal(full)
    if NAME.fullmatch(text) is not None:
        raise UsageError(f"{text!a}: say which: human:{text} or agent:{text}")
    raise UsageError(
        f"{text[:80]!a} is no principal such as human:alice or agent:builder; names are of a-z 0-9 . _ - and 64 at most"
    )


def signer_line(
    principal: Principal, key: PublicKey, *, namespaces: Iterable[str] = (), valid_after: int | None = None
) -> str:
    """The line that lists a key, without a line end; the comment stays where it is plain ASCII.

    Args:
        principal: whose it is.
        key: the key.
        namespaces: what it may sign, where that is not what a key of its kind signs.
        valid_after: from when on it counts, seconds since the epoch; None: from now on.
    """
    comment = f" {key.comment}" if key.comment and key.comment.isascii() else ""
    listed = ",".join(namespaces) or NAMESPACES[principal.partition(":")[0]]
    after = "" if valid_after is None else f',valid-after="{_moment(valid_after)}"'
    return f'{principal} namespaces="{listed}"{after} {public_line(key.blob)}{comment}'


def with_line(data: bytes, line: str) -> bytes:
    """The file with one more line at its end; every other byte stays."""
    end = b"" if not data or data.endswith(b"\n") else b"\n"
    return data + end + line.encode() + b"\n"


def check_shared(data: bytes) -> None:
    """Nothing where the lines can be told apart; whatever else is wrong with them the judge tells.

    Raises:
        Stopped: one key is listed for a human and for an agent.
    """
    _, faults = parse_signers(data)
    for fault in faults:
        if fault.code == "ID113":
            raise Stopped(
                plain_words(f"ID113: {fault.found}; a key of its own for the agent: git codifica key new NAME")
            )


def with_ends(data: bytes, ends: Mapping[int, int]) -> bytes:
    """The file with other ends of validity; every other byte stays.

    Args:
        data: an `allowed_signers` file.
        ends: line, from 1, to its `valid-before`, seconds since the epoch. The lines are of those that `parse_signers` gives.
    """
    rows = data.split(b"\n")
    for number, end in ends.items():
        rows[number - 1] = _ended(rows[number - 1], f'valid-before="{_moment(end)}"'.encode("ascii"))
    return b"\n".join(rows)


def _ended(line: bytes, option: bytes) -> bytes:
    found = _PRINCIPALS.match(line)
    start = found.end() if found is not None else 0
    if line.startswith(_KEY_STARTS, start):
        return line[:start] + option + b" " + line[start:]
    at = start
    while (part := _OPTION.match(line, at)) is not None:
        if part["name"].lower() == b"valid-before":
            return line[:at] + option + part["comma"] + line[part.end() :]
        at = part.end()
        if not part["comma"]:
            break
    return line[:at] + b"," + option + line[at:]


def _moment(seconds: int) -> str:
    """A time as OpenSSH reads it, in UTC: the day alone where it begins then."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y%m%d%H%M%SZ").replace("000000Z", "Z")


def standing(line: SignerLine, policy: Policy, now: int) -> Standing:
    """How a line stands: revoked for good, not valid yet, no longer valid, or valid."""
    if line.key in policy.revoked:
        return "revoked"
    if valid_at(line, now):
        return "valid"
    return "not yet" if line.valid_after is not None and now < line.valid_after else "expired"


def best_standing(lines: Iterable[SignerLine], policy: Policy, now: int) -> Standing:
    """How a key stands by the best of its lines; revoked where it has none."""
    stands = {standing(line, policy, now) for line in lines}
    best: tuple[Standing, ...] = ("valid", "not yet", "expired")
    return next((s for s in best if s in stands), "revoked")


def maintains(line: SignerLine, policy: Policy) -> bool:
    """Whether a line lists a maintainer."""
    return any(matches(line, maintainer) for maintainer in policy.guard.maintainers)


def expires_soon(line: SignerLine, now: int) -> bool:
    """Whether a line is valid, and ends within `SOON`."""
    return valid_at(line, now) and line.valid_before is not None and line.valid_before - now < SOON
