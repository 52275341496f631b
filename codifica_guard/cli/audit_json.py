"""An audit as plain JSON values."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, Literal

from codifica_guard.cli.envelope import finding_json
from codifica_guard.cli.waits import when
from codifica_guard.model.act import Act, Mark
from codifica_guard.model.audited import Anchor, Audit, Branch, Chain, Gap, Key, Noted, Pause, PolicyChange, TaskNow
from codifica_guard.model.ids import ObjectId, show_path
from codifica_guard.model.receipt import Receipt

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.audit import (
        ActData,
        AnchorData,
        AuditData,
        AuditedBranch,
        ChainData,
        GapData,
        KeyUseData,
        NotedData,
        PauseData,
        PolicyChangeData,
        ReceiptData,
        TaskNowData,
    )

_LETTERS: Final[Mapping[Mark, Literal["S", "T", "H", "A", "U"]]] = {
    Mark.SIGNED: "S",
    Mark.TOKEN: "T",
    Mark.TOUCHED: "H",
    Mark.ATTESTED: "A",
    Mark.UNPROVEN: "U",
}
_KINDS: Final[Mapping[str, Literal["push", "pause", "introduction"]]] = {
    "push": "push",
    "pause": "pause",
    "introduction": "introduction",
}


def audit_data(shown: Audit, whole: Audit) -> "AuditData":
    """All of it; the verdict is that of the whole, whatever is shown."""
    return {
        "name": shown.name,
        "guard": shown.guard,
        "ruleset": shown.ruleset,
        "preview": shown.preview,
        "verdict": {"errors": len(whole.errors), "warnings": len(whole.warnings)},
        "anchor": _anchor(shown.anchor),
        "branches": [_branch(branch) for branch in shown.branches],
        "chain": _chain(shown.chain),
        "acts": [_act(act) for act in shown.acts],
        "findings": [_noted(noted) for noted in shown.findings],
        "notes": list(shown.notes),
        "keys": [_key(key) for key in shown.keys],
        "policies": [_policy(change) for change in shown.policies],
        "pauses": [_pause(pause) for pause in shown.pauses],
        "introductions": [_receipt(receipt) for receipt in shown.introductions],
        "tasks": [_task(now) for now in shown.tasks],
        "stale_hours": shown.stale_hours,
        "filters": [{"option": option, "value": text} for option, text in shown.filters.items()],
    }


def _anchor(anchor: Anchor) -> "AnchorData":
    return {"commit": _oid(anchor.commit), "by": anchor.by, "key": anchor.key, "pinned": anchor.pinned}


def _branch(branch: Branch) -> "AuditedBranch":
    return {
        "ref": show_path(branch.ref),
        "tip": _oid(branch.tip),
        "commits": branch.commits,
        "order": branch.order,
        "first": when(branch.first),
        "last": when(branch.last),
        "coordinating": branch.coordinating,
    }


def _chain(chain: Chain) -> "ChainData":
    return {
        "first": chain.first,
        "last": chain.last,
        "held": chain.held,
        "servers": [{"server": server, "key": key} for server, key in chain.servers],
        "gaps": [_gap(gap) for gap in chain.gaps],
        "before": chain.before,
    }


def _gap(gap: Gap) -> "GapData":
    return {
        "ref": show_path(gap.ref),
        "old": _maybe(gap.old),
        "new": _oid(gap.new),
        "commits": gap.commits,
        "since": when(gap.since),
        "until": when(gap.until),
    }


def _act(act: Act) -> "ActData":
    return {
        "task": act.task,
        "deed": act.deed.value,
        "from": act.source,
        "to": act.target,
        "transition": act.is_transition,
        "commit": _oid(act.commit),
        "at": when(act.at),
        "dated": when(act.dated),
        "written": when(act.written),
        "actor": act.actor,
        "claimed": act.claimed,
        "mark": _LETTERS[act.mark],
        "token": act.token,
        "key": act.key,
        "receipt": act.receipt,
        "owner": act.owner,
        "session": act.session,
        "reason": act.reason,
        "summary": act.summary,
        "review": act.review,
        "edited": list(act.edited),
        "acceptance": None if act.acceptance is None else list(act.acceptance),
        "migration": act.migration,
        "judged": act.judged,
    }


def _noted(noted: Noted) -> "NotedData":
    return {
        **finding_json(noted.finding),
        "at": when(noted.at),
        "ref": None if noted.ref is None else show_path(noted.ref),
        "receipt": noted.receipt,
        "check": list(noted.check),
    }


def _key(key: Key) -> "KeyUseData":
    return {
        "principal": key.principal,
        "key": key.fingerprint,
        "since": when(key.since),
        "until": when(key.until),
        "listed": _maybe(key.listed),
        "revoked": _maybe(key.revoked),
        "revoker": key.revoker,
        "gone": key.gone,
        "first": when(key.first),
        "last": when(key.last),
        "uses": key.uses,
        "maintainer": key.maintainer,
    }


def _policy(change: PolicyChange) -> "PolicyChangeData":
    return {
        "commit": _oid(change.commit),
        "at": when(change.at),
        "actor": change.actor,
        "key": change.key,
        "subject": change.subject,
        "lines": list(change.lines),
        "receipt": change.receipt,
    }


def _pause(pause: Pause) -> "PauseData":
    return {
        "receipt": _receipt(pause.receipt),
        "commits": pause.commits,
        "findings": [finding_json(finding) for finding in pause.findings],
    }


def _receipt(receipt: Receipt) -> "ReceiptData":
    pusher = receipt.pusher
    return {
        "number": receipt.number,
        "kind": _KINDS[receipt.kind],
        "server": receipt.server,
        "time": when(receipt.time),
        "ref": None if receipt.ref is None else show_path(receipt.ref),
        "old": _maybe(receipt.old),
        "new": _maybe(receipt.new),
        "introduction": _maybe(receipt.introduction),
        "pusher": {"name": pusher.name, "by": pusher.by, "how": pusher.how},
        "paused": receipt.paused,
        "until": when(receipt.until),
        "reason": receipt.reason,
        "refused": list(receipt.refused),
    }


def _task(now: TaskNow) -> "TaskNowData":
    return {
        "task": now.task,
        "title": now.title,
        "type": now.type,
        "state": now.state,
        "owner": now.owner,
        "acceptance": list(now.acceptance),
        "notes": [{"by": by, "at": at, "text": text} for by, at, text in now.notes],
        "artifacts": [{"path": a.path, "kind": a.kind, "present": a.present} for a in now.artifacts],
    }


def _oid(oid: ObjectId) -> str:
    return oid.decode("ascii")


def _maybe(oid: ObjectId | None) -> str | None:
    return None if oid is None else oid.decode("ascii")
