"""When a key was last used: the newest commits of the coordination branch, and whose signature they prove to carry."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import UTC, datetime
from typing import Final

from codifica_guard.clone.desk import Desk
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.segments import Segment
from codifica_guard.errors import GuardError, SignatureError
from codifica_guard.identity import sshsig
from codifica_guard.limits import KEY_USE_COMMITS, KEY_USE_PROOFS
from codifica_guard.model.commit import SIGNATURE, Commit
from codifica_guard.model.ids import KeyBlob, ObjectId
from codifica_guard.model.policy import Policy, SignerLine
from codifica_guard.model.value import replace
from codifica_guard.verbs.ages import HOUR, MINUTE

NEVER: Final = "never"
UNKNOWN: Final = "-"


def last_uses(desk: Desk, policy: Policy) -> Mapping[KeyBlob, int | None]:
    """Listed key to the committer time of the newest commit that it signed; None: never. What cannot be told is left out.

    Looked at are the newest `KEY_USE_COMMITS` commits since the introduction. A signature counts as it did when it was
    made: by the commit's own time, whatever became of the key since.

    Args:
        desk: the clone.
        policy: whose keys they are. Servers sign no commits, so nothing can be told of theirs.
    """
    lines: dict[KeyBlob, list[SignerLine]] = {}
    for line in policy.signers:
        lines.setdefault(line.key, []).append(_open(line))
    wanted = {k for k, rows in lines.items() if any(not p.startswith("server:") for r in rows for p in r.principals)}
    found: dict[KeyBlob, int | None] = {}
    tries = dict.fromkeys(wanted, 0)
    newest, whole = newest_commits(desk)
    for commit in _commits(desk, newest):
        for key in signing_keys(desk, commit) & wanted:
            proven = _proves(desk, commit, key, replace(policy, signers=tuple(lines[key]), revoked=frozenset()))
            tries[key] += 1
            if proven and commit.committer_time:  # 0 where it says none
                found[key] = commit.committer_time
            if proven is not False or tries[key] == KEY_USE_PROOFS:
                wanted.discard(key)
        if not wanted:
            break
    return found | (dict.fromkeys(wanted) if whole else {})


def show_use(seconds: int, now: int) -> str:
    """A time of use for people, days by the calendar in UTC: `now`, `12 min ago`, `today`, `2 days ago`."""
    if 0 <= now - seconds < HOUR:
        return f"{(now - seconds) // MINUTE} min ago" if now - seconds >= MINUTE else "now"
    days = (datetime.fromtimestamp(now, UTC).date() - datetime.fromtimestamp(seconds, UTC).date()).days
    return "today" if days <= 0 else f"{days} day{'' if days == 1 else 's'} ago"


def _open(line: SignerLine) -> SignerLine:
    """The line without its dates: whether the key was listed in time is told by its state, not by its use."""
    return replace(line, valid_after=None, valid_before=None)


def newest_commits(desk: Desk, tip: ObjectId | None = None) -> tuple[list[ObjectId], bool]:
    """The newest commits of the coordination branch, newest first, and whether there are no others since the introduction.

    Args:
        desk: the clone.
        tip: the branch's tip; None for the remote's, as last fetched.
    """
    tip = tip or desk.tracked(desk.coordination)
    if tip is None:
        return [], False
    start = desk.world.introduction
    before = desk.world.store.commit(start).parents if start is not None else ()
    told = desk.git(
        "--no-replace-objects", "rev-list", f"--max-count={KEY_USE_COMMITS + 1}", tip, *(b"^" + p for p in before), "--"
    )
    names = [ObjectId(name) for name in told.split()]
    return names[:KEY_USE_COMMITS], len(names) <= KEY_USE_COMMITS and not desk.cuts


def _commits(desk: Desk, names: Iterable[ObjectId]) -> Iterator[Commit]:
    return (desk.world.store.commit(name) for name in names)


def signing_keys(desk: Desk, commit: Commit) -> set[KeyBlob]:
    """The keys of the signatures that a commit carries, whether they hold or not."""
    found: set[KeyBlob] = set()
    texts: list[tuple[bytes, Callable[[bytes], bytes]]] = []
    if commit.signature is not None:
        texts.append((commit.signature, sshsig.dearmour))
    if SIGNATURE in commit.message:
        texts += [(text, sshsig.from_line) for text in desk.world.trailers(commit).values(SIGNATURE)]
    for text, decode in texts:
        try:
            found.add(sshsig.key_of(decode(text)))
        except SignatureError:
            continue  # no key is named, so none is used
    return found


def _proves(desk: Desk, commit: Commit, key: KeyBlob, policy: Policy) -> bool | None:
    """Whether a commit's signature is proven to be by a key; None where its parents are not here, so that nobody can tell."""
    base = commit.parents[0] if commit.parents else None
    step = Segment(base=base, tip=commit.id, new=(commit.id,), with_base=frozenset({commit.id}))
    try:
        expansion = Expansion(desk.world, commit, step, commit.committer_time)
        return expansion.attribution(policy, lambda _: False).key == key
    except GuardError:
        return None
