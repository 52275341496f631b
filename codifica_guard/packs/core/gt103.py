"""Clients leave `refs/codifica/` and `refs/replace/` to the server, and give no ref a name that hides another.

Why: under `refs/codifica/` the server keeps its receipts. A ref under `refs/replace/` shows readers another object than the one
that was judged. Beside a branch that is called `refs/heads/main`, that is `refs/heads/refs/heads/main`, Git no longer knows which
of the two a push to `refs/heads/main` means, and refuses everybody's. `HEAD` as a branch or tag stands for something else
everywhere, and a name that begins with `-` is read as an option.

Refused: any update of a ref under `refs/codifica/` or `refs/replace/`, also by `git push --mirror` from a clone that fetched the
receipts. By anybody: making or moving a ref below `refs/refs/`, `refs/heads/refs/`, `refs/tags/refs/` or `refs/remotes/refs/`, a
branch or tag `HEAD`, a ref with a part that begins with `-`.

Accepted: branches, tags, notes and all other refs; deleting a ref whose name hides another.

Do: push branches and tags only, and give what hides others another name:

    git push --all
    git push --tags
    git branch -m -- refs/heads/main NAME && git push origin refs/heads/NAME
    git push origin :refs/heads/refs/heads/main       (takes it off the server)
"""

from collections.abc import Iterator
from typing import Final

from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import RefName, show_path
from codifica_guard.rules.advice import quoted
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import RefView

CODE, NAME, SPEC = "GT103", "reserved-ref", "codifica-guard, branches"
SEVERITY, ABOUT, STANDING = Severity.ERROR, About.REF, True

RESERVED: Final = (b"refs/codifica/", b"refs/replace/")

_HEADS, _TAGS = b"refs/heads/", b"refs/tags/"
_NESTED: Final = (b"refs/refs/", b"refs/heads/refs/", b"refs/tags/refs/", b"refs/remotes/refs/")
"""Where Git also looks for what a full name such as `refs/heads/main` means."""

_HEAD: Final = (b"refs/heads/HEAD", b"refs/tags/HEAD")


def hides(name: RefName) -> str | None:
    """What a ref's name would be taken for by Git; None for a name that is its own."""
    if name.startswith(_NESTED):
        return f"hides {show_path(name[name.index(b'refs/', len(b'refs/')) :])} from every push"
    if name in _HEAD:
        return "hides HEAD"
    if any(part.startswith(b"-") for part in name.split(b"/")):
        return "has a part that begins with -, which commands take for an option"
    return None


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
        taken = None if view.deleted else hides(name)
        if taken is not None:
            yield Breach(
                found=f"{show_path(name)} {taken}",
                expected="a name that means one ref",
                do=tuple(_do(view, name)),
            )
            return


def _do(view: RefView, name: RefName) -> Iterator[str]:
    """How the ref gets another name, and where it is there already, how it goes."""
    if name.startswith(_HEADS):
        short = quoted(name[len(_HEADS) :])
        yield f"git branch -m -- {short} NAME && git push origin refs/heads/NAME   (or, without a branch here: git push origin COMMIT:refs/heads/NAME)"
    elif name.startswith(_TAGS):
        yield f"git push origin {quoted(name)}:refs/tags/NAME, then git tag -d -- {quoted(name[len(_TAGS) :])}"
    else:
        yield "git push origin COMMIT:refs/heads/NAME"
    if not view.created:
        yield f"git push origin {quoted(b':' + name)}   (takes it off the server)"
