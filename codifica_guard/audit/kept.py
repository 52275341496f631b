"""What an audit came to, kept for the next one over the same history: ten new commits later only those are judged.

Everything that the verdict depends on is in the name or in the content: the package's version, the ruleset and the introduction that were
asked for, the coordination branch; and the introduction that was stood on, the newest receipt, and the tips that were reached, which are
held against the repository before anything is used.
"""

import gc
import hashlib
import json
from collections.abc import Iterable
from operator import attrgetter
from typing import Any, Final

from codifica_guard import __version__
from codifica_guard.audit.belief import Servers
from codifica_guard.audit.made import Made
from codifica_guard.audit.receipt_file import read_receipt, write_receipt
from codifica_guard.audit.remembered import end_of, plain_end
from codifica_guard.audit.tally import Row, Tally
from codifica_guard.audit.vault import Vault
from codifica_guard.model.act import Act, Deed, Mark
from codifica_guard.model.audited import Gap, Noted, Pause
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.identity import Proof
from codifica_guard.model.ids import KeyBlob, ObjectId, RefName, RepoPath
from codifica_guard.model.policy import SignerLine
from codifica_guard.model.receipt import Receipt
from codifica_guard.model.value import fields

_FORMAT: Final = 1
_ACT: Final = tuple(
    name for name in fields(Act) if name not in {"commit", "deed", "mark", "proof", "edited", "acceptance"}
)
_FINDING: Final = tuple(name for name in fields(Finding) if name not in {"severity", "do", "path", "commit", "ref"})
_act_values = attrgetter(*_ACT)
_finding_values = attrgetter(*_FINDING)
_DEEDS: Final = {deed.value: deed for deed in Deed}
_MARKS: Final = {mark.value: mark for mark in Mark}
_PROOFS: Final = {proof.value: proof for proof in Proof}


def name_of(ruleset: int | None, given: ObjectId | None, coordination: RefName) -> bytes:
    """The file of the audits that are made in the same way."""
    parts = (__version__, str(_FORMAT), str(ruleset), (given or b"-").decode("ascii"), coordination.hex())
    return b"replay-" + hashlib.sha256("\n".join(parts).encode()).hexdigest()[:40].encode("ascii")


def keep(vault: Vault, name: bytes, tally: Tally, servers: Servers) -> None:
    """Keep what an audit came to."""
    plain = {
        "anchor": _text(tally.anchor),
        "end": plain_end(tally.end),
        "checked": _text(tally.checked),
        "reached": _text(tally.reached),
        "start": None if tally.start is None else [_text(tally.start[0]), tally.start[1]],
        "counts": [tally.first, tally.before, tally.lost],
        "acts": [_plain_act(act) for act in tally.acts],
        "findings": [_plain_noted(noted) for noted in tally.findings.values()],
        "notes": list(tally.notes),
        "gaps": [[_text(g.ref), _text(g.old), _text(g.new), g.commits, g.since, g.until] for g in tally.gaps],
        "pauses": [[_receipt(p.receipt), p.commits, [_plain_finding(f) for f in p.findings]] for p in tally.pauses],
        "introductions": [_receipt(receipt) for receipt in tally.introductions],
        "served": tally.served,
        "made": [
            [_text(m.commit), m.at, m.actor, m.key, m.receipt, m.trust, m.commit in tally.ruled]
            for m in tally.made.values()
        ],
        "strays": [_text(oid) for oid in tally.strays],
        "secrets": [_text(oid) for oid in tally.secrets],
        "rows": [[_text(ref), r.commits, r.first, r.last, r.order] for ref, r in tally.rows.items()],
        "servers": [
            [line.principals, line.key.hex(), line.namespaces, line.valid_after, line.valid_before]
            for line in servers.lines
        ],
    }
    vault.put(name, json.dumps(plain, separators=(",", ":")).encode("ascii"))


def kept(vault: Vault, name: bytes) -> tuple[Tally, Servers] | None:
    """What was kept; None where nothing was that can be relied on."""
    body = vault.get(name)
    if body is None:
        return None
    collects = gc.isenabled()
    gc.disable()  # nothing of what is made here is garbage, and looking for some takes as long as making it
    try:
        return _tally(json.loads(body))
    except (ValueError, TypeError, LookupError):
        return None  # whole, and our own, but of another shape: written by other code of the same version
    finally:
        if collects:
            gc.enable()


def _tally(plain: dict[str, Any]) -> tuple[Tally, Servers]:
    first, before, lost = plain["counts"]
    made = [_made(row) for row in plain["made"]]
    tally = Tally(
        anchor=ObjectId(plain["anchor"].encode("ascii")),
        end=end_of(plain["end"]),
        checked=_oid(plain["checked"]),
        reached=_oid(plain["reached"]),
        start=None if plain["start"] is None else (_oid(plain["start"][0]), plain["start"][1]),
        first=first,
        before=before,
        lost=lost,
        acts=[_act(row) for row in plain["acts"]],
        findings={noted.finding: noted for noted in map(_noted, plain["findings"])},
        notes=dict.fromkeys(plain["notes"]),
        gaps=[_gap(row) for row in plain["gaps"]],
        pauses=[
            Pause(receipt=read_receipt(row[0].encode("ascii")), commits=row[1], findings=tuple(map(_finding, row[2])))
            for row in plain["pauses"]
        ],
        introductions=[read_receipt(text.encode("ascii")) for text in plain["introductions"]],
        served=[(principal, key, time) for principal, key, time in plain["served"]],
        made={row.commit: row for row in made},
        ruled={row.commit for row, plain_row in zip(made, plain["made"], strict=True) if plain_row[6]},
        strays=dict.fromkeys(_oids(plain["strays"])),
        secrets=dict.fromkeys(_oids(plain["secrets"])),
        rows={
            RefName(ref.encode("latin-1")): Row(commits=commits, first=since, last=until, order=order)
            for ref, commits, since, until, order in plain["rows"]
        },
    )
    return tally, Servers(_line(row) for row in plain["servers"])


# -- one value


def _plain_act(act: Act) -> list[Any]:
    own = [_text(act.commit), act.deed.value, act.mark.value, act.proof.value, act.edited, act.acceptance]
    return [*own, *_act_values(act)]


def _act(row: list[Any]) -> Act:
    commit, deed, mark, proof, edited, acceptance, *rest = row
    return Act(
        commit=ObjectId(commit.encode("ascii")),
        deed=_DEEDS[deed],
        mark=_MARKS[mark],
        proof=_PROOFS[proof],
        edited=tuple(edited),
        acceptance=None if acceptance is None else tuple(acceptance),
        **dict(zip(_ACT, rest, strict=True)),
    )


def _plain_finding(found: Finding) -> list[Any]:
    own = [found.severity.value, found.do, _text(found.path), _text(found.commit), _text(found.ref)]
    return [*own, *_finding_values(found)]


def _finding(row: list[Any]) -> Finding:
    severity, do, path, commit, ref, *rest = row
    return Finding(
        severity=Severity(severity),
        do=tuple(do),
        path=None if path is None else RepoPath(path.encode("latin-1")),
        commit=_oid(commit),
        ref=None if ref is None else ref.encode("latin-1"),
        **dict(zip(_FINDING, rest, strict=True)),
    )


def _plain_noted(noted: Noted) -> list[Any]:
    return [_plain_finding(noted.finding), noted.at, _text(noted.ref), noted.receipt, noted.check]


def _noted(row: list[Any]) -> Noted:
    finding, at, ref, receipt, check = row
    return Noted(
        finding=_finding(finding),
        at=at,
        ref=None if ref is None else RefName(ref.encode("latin-1")),
        receipt=receipt,
        check=tuple(check),
    )


def _made(row: list[Any]) -> Made:
    commit, at, actor, key, receipt, trust, _ = row
    return Made(commit=ObjectId(commit.encode("ascii")), at=at, actor=actor, key=key, receipt=receipt, trust=trust)


def _gap(row: list[Any]) -> Gap:
    ref, old, new, commits, since, until = row
    return Gap(
        ref=RefName(ref.encode("latin-1")),
        old=_oid(old),
        new=ObjectId(new.encode("ascii")),
        commits=commits,
        since=since,
        until=until,
    )


def _line(row: list[Any]) -> SignerLine:
    principals, key, namespaces, after, before = row
    return SignerLine(
        principals=tuple(principals),
        key=KeyBlob(bytes.fromhex(key)),
        namespaces=tuple(namespaces),
        valid_after=after,
        valid_before=before,
    )


def _receipt(receipt: Receipt) -> str:
    return write_receipt(receipt).decode("ascii")


def _text(data: bytes | None) -> str | None:
    return None if data is None else data.decode("latin-1")


def _oid(text: str | None) -> ObjectId | None:
    return None if text is None else ObjectId(text.encode("ascii"))


def _oids(texts: Iterable[str]) -> list[ObjectId]:
    return [ObjectId(text.encode("ascii")) for text in texts]
