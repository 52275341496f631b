"""`simulate`: what of a repository's own history would have been refused, without keys and without a trace."""

import argparse
import time
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from codifica_guard.cli.command import CANNOT_TELL, OK, REFUSED, Command, Outcome
from codifica_guard.cli.progress import Progress, visible
from codifica_guard.cli.simulated import KEYED_RULES, page
from codifica_guard.cli.waits import when
from codifica_guard.clone.desk import open_desk
from codifica_guard.engine.replay import Told
from codifica_guard.errors import UsageError
from codifica_guard.model.ids import ObjectId, show_path
from codifica_guard.report.printing import printable
from codifica_guard.verbs.simulation import Simulation, Wanted, counted, moment, scope, simulate

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.look import SimulateData, SimulatedCount, SimulatedFinding, SimulatedGap

QUIET_SECONDS: Final = 2.0
"""Seconds that a replay may take before a terminal is told how far it is."""


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "range",
        nargs="?",
        metavar="RANGE|BRANCH",
        help="a branch with its whole history, or A..B; else what is checked out",
    )
    parser.add_argument(
        "--since", metavar="7d|DATE", help="only commits that are younger, or not before that day (UTC)"
    )
    parser.add_argument("--until", metavar="7d|DATE", help="only commits that are older, or not after that day (UTC)")
    parser.add_argument("--task", metavar="ID", help="only what concerns this task")
    parser.add_argument("--actor", metavar="NAME", help="only what this agent or human is said to have done")


def run(options: argparse.Namespace) -> Outcome:
    """Replay, and tell."""
    now = int(time.time())
    since = moment(options.since, now) if options.since is not None else None
    until = moment(options.until, now, end=True) if options.until is not None else None
    if since is not None and until is not None and since > until:
        raise UsageError("--since lies behind --until: no commit can be in between")
    with open_desk(now) as desk:
        text, tip, known = scope(desk, options.range)
        wanted = Wanted(
            text=text,
            tip=tip,
            known=known,
            since=since,
            until=until,
            task=options.task.strip() if options.task is not None else None,
            actor=options.actor.strip() if options.actor is not None else None,
        )
        progress = Progress(shown=visible(forced=False, quiet=options.quiet), after=QUIET_SECONDS)
        try:
            found = simulate(desk, wanted, progress.tell)
        finally:
            progress.clear()
        ruled = desk.world.trust_ids(tip)[0] is not None
        return Outcome(
            lines=printable(page(found, ruled=ruled)),
            exit=REFUSED if found.refused else CANNOT_TELL if found.doubtful else OK,
            data=_data(found),
            next=tuple(f"git codifica explain {code}" for code in dict.fromkeys(t.finding.code for t in found.refused)),
        )


# -- for programs


def _data(found: Simulation) -> "SimulateData":
    wanted = found.wanted
    refused = found.refused
    return {
        "range": wanted.text,
        "tip": wanted.tip.decode("ascii"),
        "since": when(wanted.since),
        "until": when(wanted.until),
        "identities": "claimed",
        "left_out": list(KEYED_RULES),
        "first": found.first.id.decode("ascii") if found.first is not None else None,
        "commits": found.commits,
        "judged": found.judged,
        "refused": len({told.finding.commit for told in refused}),
        "rules": _counts(told.finding.code for told in refused),
        "actors": _counts(told.finding.actor or "" for told in refused),
        "tasks": _counts(told.finding.task for told in refused if told.finding.task is not None),
        "findings": [_finding(told) for told in found.told],
        "not_judged": [
            *(_gap(oid, "codifica.json cannot be read") for oid in found.blind),
            *(_gap(oid, why) for oid, why in found.failed),
        ],
        "unknown": [{"name": name, "findings": number} for name, number in found.unknown.items()],
    }


def _counts(names: Iterable[str]) -> "list[SimulatedCount]":
    return [{"name": name, "findings": number} for name, number in counted(names)]


def _gap(oid: ObjectId, why: str) -> "SimulatedGap":
    return {"commit": oid.decode("ascii"), "why": why}


def _finding(told: Told) -> "SimulatedFinding":
    finding = told.finding
    return {
        "code": finding.code,
        "name": finding.name,
        "severity": "error" if finding.severity.value == "error" else "warning",
        "commit": (finding.commit or b"").decode("ascii"),
        "at": when(told.at) or "",
        "actor": finding.actor or "",
        "named_by": told.source,
        "task": finding.task,
        "path": None if finding.path is None else show_path(finding.path),
        "line": finding.line,
        "column": finding.column,
        "found": finding.found,
        "expected": finding.expected or None,
        "first": told.first,
    }


COMMAND = Command(
    name="simulate",
    summary="what of this history would have been refused",
    configure=configure,
    run=run,
    text="Replay the history of a branch under the rules of the protocol, in any repository with a codifica.json: no keys, no "
    "policy, nothing installed, nothing written. Who acted is taken from what the commits say; nothing of it is proven, and rules "
    "that need keys are left out. Exit code 0: nothing would have been refused, 1: something, 3: it cannot be told.",
)
