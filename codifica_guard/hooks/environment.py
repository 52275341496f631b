"""What Git hands to a receive hook: ref updates on standard input, the repository in the environment."""

from collections.abc import Mapping

from codifica_guard.errors import LimitExceeded, UsageError
from codifica_guard.limits import INPUT_BYTES, REF_NAME_BYTES, REFS
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.push import RefUpdate

_HEX = frozenset(b"0123456789abcdef")


def parse_updates(data: bytes) -> tuple[RefUpdate, ...]:
    """The ref updates that a receive hook is given: lines of old id, new id, ref name.

    Raises:
        UsageError: the input is empty or no list of updates: nothing is ever passed unread.
        LimitExceeded: more updates, or longer names, than may be.
    """
    if not data:
        raise UsageError("no ref updates on standard input: nothing was judged, and so nothing is let in")
    if len(data) > INPUT_BYTES:
        raise LimitExceeded(f"more than {INPUT_BYTES} bytes of ref updates")
    lines = data.split(b"\n")
    if lines[-1]:
        raise UsageError("the list of ref updates is cut short")
    if len(lines) - 1 > REFS:
        raise LimitExceeded(f"more than {REFS} ref updates in one push")
    return tuple(_parse(line) for line in lines[:-1])


def _parse(line: bytes) -> RefUpdate:
    old, _, rest = line.partition(b" ")
    new, _, ref = rest.partition(b" ")
    if not ref or len(old) != len(new):
        raise UsageError("a line of standard input is no ref update")
    if len(ref) > REF_NAME_BYTES:
        raise LimitExceeded(f"a ref name of {len(ref)} bytes")
    return RefUpdate(ref=RefName(ref), old=_id(old), new=_id(new))


def _id(text: bytes) -> ObjectId | None:
    if len(text) not in {40, 64} or not _HEX.issuperset(text):
        raise UsageError("a line of standard input names no object id")
    return ObjectId(text) if text.strip(b"0") else None


def git_dir(environ: Mapping[bytes, bytes]) -> bytes:
    """The repository of a receive hook: `GIT_DIR`, else the current folder."""
    return environ.get(b"GIT_DIR") or b"."
