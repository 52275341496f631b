"""What a run of CI leaves beside its text: annotations in its log, a summary of the job, a SARIF file."""

import argparse
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from urllib.parse import urlsplit

from codifica_guard.cli.command import OK, REFUSED, Outcome
from codifica_guard.cli.report_files import write_report
from codifica_guard.clone.desk import Desk
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import ObjectId
from codifica_guard.report import github
from codifica_guard.report.plain import plain
from codifica_guard.report.sarif import UNKNOWN, Origin, log

SUMMARY_FILE = "GITHUB_STEP_SUMMARY"
RUNNER = "GITHUB_ACTIONS"


@dataclass(frozen=True, slots=True, kw_only=True)
class Wanted:
    """What is to be left.

    Attributes:
        sarif: where the SARIF file goes; None for none.
        annotate: whether there are annotations.
        summary: the file that the summary is added to; None for none.
    """

    sarif: str | None = None
    annotate: bool = False
    summary: str | None = None


NOTHING = Wanted()


def add_reports(parser: argparse.ArgumentParser) -> None:
    """Add the options."""
    group = parser.add_argument_group("reports for machines")
    group.add_argument("--sarif", metavar="FILE", help="write the findings as SARIF 2.1.0, what code scanning reads")
    group.add_argument(
        "--github",
        action=argparse.BooleanOptionalAction,
        default=None,
        help="annotations and a job's summary, as the runners of GitHub, Gitea and Forgejo read them; ci leaves them there unasked",
    )


def wanted(options: argparse.Namespace, environ: Mapping[str, str], *, runner: bool) -> Wanted:
    """What the options ask for.

    Args:
        options: the command's.
        environ: the environment.
        runner: whether annotations go without saying on a runner.
    """
    on_runner = runner and environ.get(RUNNER) == "true"
    annotate = on_runner if options.github is None else bool(options.github)
    return Wanted(
        sarif=options.sarif, annotate=annotate, summary=environ.get(SUMMARY_FILE) or None if annotate else None
    )


def reported(
    outcome: Outcome,
    what: Wanted,
    title: str,
    *,
    failed: Iterable[str] = (),
    told: Iterable[str] = (),
    origin: Origin = UNKNOWN,
) -> Outcome:
    """The same outcome, its reports written and its annotations with it.

    Args:
        outcome: what the command came to.
        what: what is to be left.
        title: what the summary is headed by.
        failed: why it failed, where no rule says it.
        told: what is to be known beside.
        origin: where the findings come from.

    Raises:
        UsageError: a report cannot be written.
    """
    failed, told = tuple(failed), tuple(told)
    # Without a verdict there is no log: one without results would say that all is well.
    if what.sarif is not None and outcome.exit in {OK, REFUSED}:
        write_report(what.sarif, log(Verdict(findings=outcome.findings), origin))
    if not what.annotate:
        return outcome
    commands = (
        *github.annotations(outcome.findings),
        *(github.told("error", note) for note in failed),
        *(github.told("warning", note) for note in told),
    )
    more = _left_out(outcome.findings)
    notes = _summarized(what, title, outcome.findings, (*failed, *told, *more))
    return replace(
        outcome, lines=(*outcome.lines, *more), notes=(*outcome.notes, *notes), commands=(*outcome.commands, *commands)
    )


def _left_out(findings: tuple[Finding, ...]) -> tuple[str, ...]:
    left = len(findings) - len(github.annotations(findings))
    return (f"{left} more findings have no annotation, since runners show {github.SHOWN} of a kind",) if left else ()


def _summarized(what: Wanted, title: str, findings: tuple[Finding, ...], notes: tuple[str, ...]) -> tuple[str, ...]:
    """Add the summary; what there is to say where that fails, which changes no verdict."""
    if what.summary is None:
        return ()
    try:
        with open(what.summary, "a", encoding="utf-8", errors="backslashreplace") as file:  # noqa: PTH123
            file.write(github.summary(title, findings, notes))
    except OSError as error:
        return (f"cannot write the summary to {plain(what.summary, 400)}: {error.strerror}",)
    return ()


def titled(name: str, outcome: Outcome) -> str:
    """A heading: what was judged, and what came of it."""
    verdict = Verdict(findings=outcome.findings)
    counts = [
        f"{len(found)} {noun}{'' if len(found) == 1 else 's'}"
        for found, noun in ((verdict.errors, "error"), (verdict.warnings, "warning"))
        if found
    ]
    ends = {OK: "ok", REFUSED: "refused"}
    return f"codifica-guard: {name}: {', '.join([ends.get(outcome.exit, 'cannot tell'), *counts])}"


def origin_of(desk: Desk, environ: Mapping[str, str], revision: ObjectId | None, branch: str | None) -> Origin:
    """Where findings come from; an address is told without what could be a secret."""
    server, name = environ.get("GITHUB_SERVER_URL"), environ.get("GITHUB_REPOSITORY")
    address = f"{server}/{name}" if server and name else desk.config.get(f"remote.{desk.remote}.url")
    return Origin(repository=public_address(address), revision=revision, branch=branch)


def public_address(address: str | None) -> str | None:
    """An http address of a repository without user, password, query and fragment; None for any other."""
    if address is None or not address.isascii() or not address.isprintable() or " " in address:
        return None
    try:
        parts = urlsplit(address)
        host, port = parts.hostname, parts.port
    except ValueError:
        return None
    if parts.scheme not in {"http", "https"} or not host:
        return None
    return f"{parts.scheme}://{host}{f':{port}' if port else ''}{parts.path}"
