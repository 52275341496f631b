"""The page: one file, or a folder where one would be too much. It is made of values only: the same audit gives the same bytes."""

from collections.abc import Iterable, Iterator, Mapping
from typing import Final

from codifica_guard.model.audited import Audit
from codifica_guard.report.html.checks import checks
from codifica_guard.report.html.coverage import coverage
from codifica_guard.report.html.deeds import deeds
from codifica_guard.report.html.duties import duties
from codifica_guard.report.html.events import events
from codifica_guard.report.html.findings import findings
from codifica_guard.report.html.head import head, verdict
from codifica_guard.report.html.index import Index, Told
from codifica_guard.report.html.keys import keys
from codifica_guard.report.html.policies import policies
from codifica_guard.report.html.style import DRAWN, STYLE
from codifica_guard.report.html.tasks import task, tasks
from codifica_guard.report.html.text import bare, branch, count, line
from codifica_guard.report.html.timelines import timelines

POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
"""What a browser may load for the page: nothing."""

INDEX: Final = "index.html"
"""The first page of a folder."""

_TITLES: Final = (
    "Open findings",
    "Signature coverage",
    "Who did what",
    "Separation of duties",
    "Task timelines",
    "Each task",
    "Keys",
    "Policy changes",
    "Pauses, migrations, re-introductions",
    "How to check this without us",
)


def page(audit: Audit, whole: Audit | None = None) -> bytes:
    """One file of HTML: no script, nothing that is loaded, all text escaped, the same bytes for the same audit.

    With more than 2,000 tasks it lists them, and says that what happened to each is in the folder only (`pages`).

    Args:
        audit: what is shown.
        whole: the same before it was narrowed down, whose verdict counts; None where it was not.
    """
    return _first(Index(audit), whole or audit)


def pages(audit: Audit, whole: Audit | None = None) -> Mapping[str, bytes]:
    """The same as a folder, name and content of each file: `index.html`, and `tasks/N.html` with a hundred tasks each.

    They lead to each other by relative links, so the folder can lie anywhere.
    """
    index = Index(audit, folder=True)
    files = {INDEX: _first(index, whole or audit)}
    for number, sheet in enumerate(index.sheets(), 1):
        files[f"tasks/{number}.html"] = _sheet(index, sheet, whole or audit)
    return files


def _first(index: Index, whole: Audit) -> bytes:
    audit = index.audit
    parts = (
        findings(index),
        coverage(audit),
        deeds(index),
        duties(index),
        timelines(index),
        tasks(index),
        keys(audit),
        policies(audit),
        events(index),
        checks(audit),
    )
    links = "".join(f'<li><a href="#s{n}"><b>{n}</b>{title}</a></li>' for n, title in enumerate(_TITLES, 1))
    body = [*head(audit, whole), f'<nav aria-label="Sections"><ol>{links}</ol></nav></header><main>']
    for number, (title, part) in enumerate(zip(_TITLES, parts, strict=True), 1):
        body.append(
            f'<section id="s{number}" aria-labelledby="h{number}"><h2 id="h{number}"><b>{number}</b>{title}</h2>'
        )
        body += part
        body.append("</section>")
    body.append(f"</main>{_foot(audit)}")
    name = f"{bare(audit.name, 60)}: {verdict(whole)}, audit of {branch(audit.branches[0].ref) if audit.branches else 'nothing'}"
    return _document(_plain(name), body)


def _sheet(index: Index, sheet: tuple[Told, ...], whole: Audit) -> bytes:
    audit = index.audit
    title = f"Tasks {sheet[0].number:,} to {sheet[-1].number:,} of {len(index.tasks):,}"
    body = [
        f'<header><p class="kicker"><a href="../{INDEX}#s6">{line(audit.name, 120)}: audit</a></p><h1>{title}</h1>',
        f'<p class="sub">{verdict(whole)}, {count(len(index.tasks), "task")}</p></header><main><section aria-labelledby="h6"><h2 id="h6">Each task</h2>',
    ]
    for told in sheet:
        body += task(index, told, None, back=f"../{INDEX}")
    body.append(f"</section></main>{_foot(audit)}")
    return _document(f"{bare(audit.name, 60)}: {title}", body)


def _foot(audit: Audit) -> str:
    return (
        f"<footer><div>Made by codifica-guard {line(audit.guard, 40)} from the repository alone: no clock, no network. Times are in UTC; "
        "commits are named by their first 12 digits. What people wrote is shown as it is, but for characters that cannot be seen or turn "
        'the line round: those stand as their codes, such as <i class="u">U+202E</i>.</div></footer>'
    )


def _plain(said: str) -> str:
    """A title: what has markup in it loses that."""
    kept: list[str] = []
    for part in said.split("<"):
        kept.append(part.partition(">")[2] if kept else part)
    return "".join(kept)


def _document(title: str, body: Iterable[str]) -> bytes:
    return "".join(_whole(title, body)).encode("utf-8")


def _whole(title: str, body: Iterable[str]) -> Iterator[str]:
    yield '<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">'
    yield f'<meta http-equiv="Content-Security-Policy" content="{POLICY}">'
    yield '<meta name="viewport" content="width=device-width, initial-scale=1"><meta name="referrer" content="no-referrer">'
    yield f"<title>{title}</title><style>{STYLE}</style></head><body>{DRAWN}"
    for part in body:
        yield part
        if part.endswith(("</tr>", "</section>", "</details>", "</article>", "</li>")):
            yield "\n"
    yield "</body></html>\n"
