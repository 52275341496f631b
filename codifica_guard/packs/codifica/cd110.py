"""`codifica.json` can be read and says what it has to.

Why: it names the state documents and the scope; a file that cannot be read would switch the protocol off for everybody.

Refused: broken JSON, a version other than 0.1 and 0.2, a missing `state`, values of the wrong type.

Accepted: keys that the protocol does not know are only told.

Do: mend what the message names; the schema is schemas/codifica.schema.json.
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.model.policy import CODIFICA_FILE
from codifica_guard.rules.advice import mend
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "CD110", "codifica-json", "Codifica 0.2, 3.1"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge `codifica.json` where the commit brought or changed it."""
    if view.own_policy is None or (CODIFICA_FILE not in view.trust and not view.introduces):
        return
    for fault in view.own_policy.faults:
        if fault.code == CODE:
            yield Breach(
                found=fault.found,
                do=mend(view, "mend codifica.json"),
                path=fault.path,
                line=fault.line,
                severity=None if fault.fatal else Severity.WARNING,
            )
    if view.own_policy.codifica is not None:
        for warning in view.own_policy.codifica.warnings:
            yield Breach(found=warning, path=CODIFICA_FILE, severity=Severity.WARNING)
