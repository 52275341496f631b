"""Clients leave `refs/codifica/` and `refs/replace/` to the server.

Why: under `refs/codifica/` the server keeps its receipts. A ref under `refs/replace/` shows readers another object than the one
that was judged.

Refused: any update of such a ref, also by `git push --mirror` from a clone that fetched the receipts.

Accepted: branches, tags, notes and all other refs.

Do: push branches and tags only:

    git push --all
    git push --tags
"""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import show_path
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import RefView

CODE, NAME, SPEC = "GT103", "reserved-ref", "codifica-guard, branches"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.REF, True

RESERVED: Final = (b"refs/codifica/", b"refs/replace/")


def check(view: RefView) -> Iterator[Breach]:
    """Judge the ref by the name that the client gave, and by the one that it leads to."""
    for name in dict.fromkeys((view.name, view.ref)):
        if name.startswith(RESERVED):
            yield Breach(
                found=f"{show_path(name)} is not a client's to write",
                expected="branches and tags only; git push --mirror takes all refs",
                do=("git push --all", "git push --tags"),
            )
            return
