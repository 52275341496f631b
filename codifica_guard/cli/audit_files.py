"""The reports of `audit` that are files: a page for people, a log for code scanning; each whole or not at all."""

import os

from codifica_guard.cli.report_files import write_report
from codifica_guard.errors import UsageError
from codifica_guard.model.audited import Audit
from codifica_guard.report.plain import plain


def write_page(path: str, audit: Audit, whole: Audit | None = None) -> list[str]:
    """Write the audit as one page, or where the path ends in / as a folder of pages; what there is to say of it.

    Of a folder the first page is written last, so it never leads to one that is not there.

    Raises:
        UsageError: it cannot be written there.
    """
    from codifica_guard.report.html import page, pages  # noqa: PLC0415 - only where it is asked for

    if not path.endswith("/") and not os.path.isdir(path):  # noqa: PTH112 - a word of the command line
        write_report(path, page(audit, whole))
        return [f"written: {plain(path, 400)}"]
    files = pages(audit, whole)
    for name in reversed(tuple(files)):
        target = os.path.join(path, name)  # noqa: PTH118 - the same
        try:
            os.makedirs(os.path.dirname(target), exist_ok=True)  # noqa: PTH103, PTH120
        except OSError as error:
            raise UsageError(f"cannot make {plain(os.path.dirname(target), 400)}: {error.strerror}") from error  # noqa: PTH120
        write_report(target, files[name])
    return [f"written: {plain(os.path.join(path, next(iter(files))), 400)}"]  # noqa: PTH118


def write_sarif(path: str, audit: Audit) -> list[str]:
    """Write the findings as SARIF; what there is to say of it.

    Raises:
        UsageError: it cannot be written there.
    """
    from codifica_guard.report.sarif import log  # noqa: PLC0415 - only where it is asked for

    write_report(path, log(audit))
    return [f"written: {plain(path, 400)}"]
