"""`.codifica/allowed_signers` and `.codifica/revoked_keys`: OpenSSH's formats, read strictly.

What `ssh-keygen` would not read, or would read in another way than people do, is a fault with its line.
"""

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from datetime import UTC, datetime
from typing import Final

from codifica_guard import limits
from codifica_guard.errors import SignatureError
from codifica_guard.identity.keys import fingerprint, parse_public
from codifica_guard.identity.patterns import is_literal, list_matches, list_reaches
from codifica_guard.model.ids import KeyBlob, Principal, RepoPath, is_principal
from codifica_guard.model.policy import REVOKED_FILE, SIGNERS_FILE, PolicyFault, SignerLine

_OPTION: Final = re.compile(r'([A-Za-z-]+)(?:="([^"\\]*)")?(,|$)')
_OPTIONS: Final = re.compile(r'((?:[^" \t]|"[^"]*")+)[ \t]+')
_KEY_STARTS: Final = ("ssh-", "ecdsa-", "sk-")
_TIME: Final = re.compile(r"([0-9]{4})([0-9]{2})([0-9]{2})(?:([0-9]{2})([0-9]{2})([0-9]{2})?)?Z?")
_VALUED: Final = frozenset({"namespaces", "valid-after", "valid-before"})


def parse_signers(data: bytes) -> tuple[tuple[SignerLine, ...], tuple[PolicyFault, ...]]:
    """The lines of an `allowed_signers` file that can be relied on, and what is wrong with the others.

    Blank lines, lines that start with `#`, and CRLF are fine. A fault is ID109 with its line, or ID113 where one key is
    listed for a human and for an agent. Names that are no principals (mail addresses) are told, not fatal: they never act.

    Args:
        data: the file's bytes. Its times count as UTC, with and without `Z`.
    """
    signers: list[SignerLine] = []
    faults: list[PolicyFault] = []
    count: Counter[KeyBlob] = Counter()
    for number, line in _lines(data, SIGNERS_FILE, faults):
        try:
            signer = _signer(line, number, count)
        except SignatureError as error:
            faults.append(PolicyFault(code="ID109", path=SIGNERS_FILE, found=str(error), line=number))
            continue
        signers.append(signer)
        faults.extend(_strangers(signer))
    faults.extend(_shared(signers))
    return tuple(signers), tuple(faults)


def parse_revoked(data: bytes) -> tuple[frozenset[KeyBlob], tuple[PolicyFault, ...]]:
    """The keys of a `revoked_keys` file, one public key a line, and a fault (ID109) for each line that is none."""
    keys: set[KeyBlob] = set()
    faults: list[PolicyFault] = []
    for number, line in _lines(data, REVOKED_FILE, faults):
        try:
            keys.add(parse_public(line).blob)
        except SignatureError as error:
            faults.append(PolicyFault(code="ID109", path=REVOKED_FILE, found=str(error), line=number))
    return frozenset(keys), tuple(faults)


def principals_of(signers: Iterable[SignerLine], key: KeyBlob, namespace: str) -> tuple[SignerLine, ...]:
    """The lines that list a key for a namespace, in order, whatever their dates."""
    return tuple(s for s in signers if s.key == key and _for_namespace(s, namespace))


def names(line: SignerLine) -> tuple[Principal, ...]:
    """The principals that a line names in full, in order, without those that it takes away again."""
    literal = (p for p in line.principals if is_literal(p) and is_principal(p))
    return tuple(Principal(p) for p in dict.fromkeys(literal) if matches(line, p))


def matches(line: SignerLine, principal: str) -> bool:
    """Whether a line lists a principal, by name or by pattern."""
    return list_matches(line.principals, principal)


def valid_at(line: SignerLine, seconds: int) -> bool:
    """Whether a line holds at a time (seconds since the epoch); both ends belong to it, as in OpenSSH."""
    after = line.valid_after is None or line.valid_after <= seconds
    return after and (line.valid_before is None or seconds <= line.valid_before)


def _for_namespace(line: SignerLine, namespace: str) -> bool:
    return not line.namespaces or list_matches(line.namespaces, namespace)


def _lines(data: bytes, path: RepoPath, faults: list[PolicyFault]) -> Iterator[tuple[int, str]]:
    """The lines that say something, with their numbers from 1; a file that is too large says nothing and is a fault."""
    if len(data) > limits.POLICY_BYTES:
        faults.append(
            PolicyFault(code="ID109", path=path, found=f"the file is larger than {limits.POLICY_BYTES} bytes")
        )
        return
    for number, raw in enumerate(data.split(b"\n"), start=1):
        line = raw.removesuffix(b"\r").decode("utf-8", "backslashreplace").strip(" \t")
        if line and not line.startswith("#"):
            yield number, line


def _signer(line: str, number: int, count: Counter[KeyBlob]) -> SignerLine:
    if not line.replace("\t", " ").isprintable():
        raise SignatureError("the line holds control characters")
    principals, rest = _principals(line)
    options: dict[str, str] = {}
    if not rest.startswith(_KEY_STARTS):
        found = _OPTIONS.match(rest)
        if found is None:
            raise SignatureError("the line has no key; it reads: principals [options] keytype key")
        options, rest = _options(found[1]), rest[found.end() :]
    key = parse_public(rest).blob
    count[key] += 1
    if count[key] > limits.SIGNER_LINES:
        raise SignatureError(f"the key {fingerprint(key)} has more than {limits.SIGNER_LINES} lines")
    after, before = (
        _time(name, options[name]) if name in options else None for name in ("valid-after", "valid-before")
    )
    if after is not None and before is not None and before <= after:
        raise SignatureError("valid-before is not later than valid-after")
    namespaces = _list(options["namespaces"], "namespaces") if "namespaces" in options else ()
    return SignerLine(
        principals=principals, key=key, namespaces=namespaces, valid_after=after, valid_before=before, line=number
    )


def _principals(line: str) -> tuple[tuple[str, ...], str]:
    """The principals, which may stand in quotes, and what follows."""
    if line.startswith('"'):
        text, quote, rest = line[1:].partition('"')
        if not quote or not rest.startswith((" ", "\t")):
            raise SignatureError("the quotes around the principals do not end before a blank")
    else:
        text, *tail = re.split(r"[ \t]", line, maxsplit=1)
        rest = tail[0] if tail else ""
    if '"' in text or " " in text or "\t" in text:
        raise SignatureError("the principals hold a quote or a blank")
    return _list(text, "principals"), rest.strip(" \t")


def _list(text: str, what: str) -> tuple[str, ...]:
    patterns = tuple(text.split(","))
    if any(not p.removeprefix("!") for p in patterns):
        raise SignatureError(f"the list of {what} has an empty part")
    if len(patterns) > limits.SIGNER_PATTERNS or max(map(len, patterns)) > limits.SIGNER_PATTERN_LENGTH:
        raise SignatureError(f"the list of {what} is too long: write several lines")
    return patterns


def _options(text: str) -> dict[str, str]:
    options: dict[str, str] = {}
    at = 0
    while at < len(text):
        found = _OPTION.match(text, at)
        if found is None or (found[3] and found.end() == len(text)):
            raise SignatureError(f"the options {text[:80]!a} cannot be read")
        name, value = found[1].lower(), found[2]
        if name == "cert-authority":
            raise SignatureError("cert-authority is not supported: list each key itself")
        if name not in _VALUED or value is None:
            raise SignatureError(
                f'the option {found[1][:60]!a} is not known; namespaces="…", valid-after, valid-before are'
            )
        if name in options:
            raise SignatureError(f"the option {name} stands twice")
        options[name] = value
        at = found.end()
    return options


def _time(name: str, text: str) -> int:
    """Seconds since the epoch of `YYYYMMDD[HHMM[SS]][Z]`, always UTC: a server's time zone must not decide."""
    found = _TIME.fullmatch(text)
    year, month, day, hour, minute, second = map(int, found.groups("0") if found else (0,) * 6)
    try:  # not strptime: it reads the thirteenth month as the first
        moment = datetime(year, month, day, hour, minute, second, tzinfo=UTC)
    except ValueError as error:
        raise SignatureError(f"{name} is {text[:40]!a}, not a time like 20261130 or 20261130235959Z") from error
    seconds = int(moment.timestamp())
    if seconds < 0:
        raise SignatureError(f"{name} lies before 1970")
    return seconds


def _strangers(line: SignerLine) -> Iterator[PolicyFault]:
    """What is told of names that can never act: they are well-formed for OpenSSH, but no principals."""
    for name in line.principals:
        if is_literal(name) and not is_principal(name):
            found = f"{name[:80]!a} is no principal such as human:alice or agent:builder, so it never acts"
            yield PolicyFault(code="ID109", path=SIGNERS_FILE, found=found, line=line.line, fatal=False)


def _shared(signers: Iterable[SignerLine]) -> Iterator[PolicyFault]:
    """ID113: nobody could tell a human and an agent apart who share a key; namespaces and dates do not part them."""
    kinds: dict[KeyBlob, set[str]] = {}
    for signer in signers:
        seen = kinds.setdefault(signer.key, set())
        before = len(seen)
        seen.update(kind for kind in ("human", "agent") if list_reaches(signer.principals, kind))
        if len(seen) == 2 and before < 2:
            found = f"the key {fingerprint(signer.key)} is listed for a human and for an agent"
            yield PolicyFault(code="ID113", path=SIGNERS_FILE, found=found, line=signer.line)
