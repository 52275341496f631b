"""`sign`: signed trailers on commits that are there already, or dead ones taken away."""

import argparse
import time
from typing import TYPE_CHECKING

from codifica_guard.cli.command import OK, REFUSED, Command, Outcome
from codifica_guard.cli.ranges import Range, commits_of, parse_range, upstream
from codifica_guard.clone.desk import Desk, open_desk
from codifica_guard.clone.fresh import moves
from codifica_guard.clone.hand import find_hand
from codifica_guard.clone.renewal import NotFresh, Renewal, Renewed
from codifica_guard.engine.refs import HEADS
from codifica_guard.errors import KeyUnavailable, UsageError
from codifica_guard.git.history import is_ancestor
from codifica_guard.git.message import subject
from codifica_guard.git.refs import resolve
from codifica_guard.model.finding import Verdict
from codifica_guard.model.ids import ObjectId, short
from codifica_guard.model.policy import Policy
from codifica_guard.report.plain import plain
from codifica_guard.report.terminal import verdict

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import SignData

SUBJECT = 60


def configure(parser: argparse.ArgumentParser) -> None:
    """Add the arguments."""
    parser.add_argument(
        "range",
        nargs="?",
        metavar="RANGE|COMMIT",
        help="A..B, or one commit; else HEAD, or what the upstream branch lacks",
    )
    parser.add_argument("--drop", action="store_true", help="take dead trailers away instead")
    parser.add_argument("--key", metavar="FILE", help="the key to sign with")
    parser.add_argument("--as", dest="actor", metavar="NAME", help="who signs, where the key is listed for several")


def run(options: argparse.Namespace) -> Outcome:
    """Make commits anew, and let the branch be at the last."""
    with open_desk(int(time.time())) as desk:
        policy, head = desk.needs_policy(), desk.head
        if head is None:
            raise UsageError("there is no commit on this branch yet")
        try:
            hand = find_hand(desk, key=options.key, wanted=options.actor)
        except KeyUnavailable:
            if not options.drop:
                raise
            hand = None  # taking away needs no key, unless what stands on it has to be signed again
        renewal = Renewal(desk=desk, policy=_newest(desk, policy) if options.drop else policy, hand=hand)
        try:
            wanted = _wanted(renewal, head, options.range, drop=options.drop)
            if not wanted:
                nothing: SignData = {"commits": []}
                return Outcome(lines=("nothing to drop" if options.drop else "nothing to sign",), data=nothing)
            line = _line(desk, head, wanted)
            made = (
                renewal.drop(line, frozenset(wanted))
                if hand is None or options.drop
                else renewal.sign(line, frozenset(wanted), hand)
            )
        except NotFresh as refused:
            told = verdict(Verdict(findings=(refused.finding,)), "signing").rstrip("\n")
            return Outcome(lines=tuple(told.split("\n")), exit=REFUSED, findings=(refused.finding,))
        desk.git("update-ref", "-m", "codifica-guard: sign", "HEAD", made[-1].new, head)
        return _told(desk, policy, made)


def _newest(desk: Desk, policy: Policy) -> Policy:
    """The coordination branch's policy as last fetched: it knows of keys that were revoked since this branch began."""
    tip = desk.tracked(desk.coordination)
    return (desk.world.policy(tip) if tip is not None else None) or policy


def _wanted(renewal: Renewal, head: ObjectId, text: str | None, *, drop: bool) -> tuple[ObjectId, ...]:
    """The commits that are to be made anew, parents first."""
    store, needs = renewal.desk.world.store, renewal.is_dead if drop else renewal.lacks
    if text is None:
        if needs(store.commit(head)):
            return (head,)
        there = upstream(renewal.desk)
        if there is None:
            return ()
        asked = Range(text=f"{there[0]}..HEAD", old=there[1], new=head)
    else:
        asked = parse_range(renewal.desk, text)
        if not is_ancestor(store, asked.new, head):
            raise UsageError(f"{asked.text} does not lie behind HEAD: go to its branch first")
    commits = commits_of(renewal.desk, asked)
    if asked.old is None and not drop:
        return commits if renewal.open(store.commit(asked.new)) else ()
    return tuple(oid for oid in commits if needs(store.commit(oid)))


def _line(desk: Desk, head: ObjectId, wanted: tuple[ObjectId, ...]) -> tuple[ObjectId, ...]:
    """All that may have to be made anew, parents first, up to HEAD.

    Raises:
        UsageError: one of them is published.
    """
    published = [(name, tip) for name, tip in _published(desk) if tip is not None]
    for oid in wanted:
        for name, tip in published:
            if is_ancestor(desk.world.store, oid, tip):
                raise UsageError(
                    f"{short(oid)} is on {name} already: made anew it would need a forced push. On a branch of your own: "
                    f"git switch --no-track -c NAME, then again"
                )
    floor = [p for oid in wanted for p in desk.world.store.commit(oid).parents]
    lines = desk.git("rev-list", "--topo-order", "--reverse", head, *(b"^" + p for p in _outside(desk, floor, wanted)))
    return tuple(ObjectId(line) for line in lines.split())


def _outside(desk: Desk, floor: list[ObjectId], wanted: tuple[ObjectId, ...]) -> list[ObjectId]:
    """Parents that no wanted commit lies behind: what they reach stays as it is."""
    store = desk.world.store
    return [p for p in dict.fromkeys(floor) if not any(is_ancestor(store, oid, p) for oid in wanted)]


def _published(desk: Desk) -> tuple[tuple[str, ObjectId | None], ...]:
    name = desk.remote.encode() + b"/" + desk.coordination[len(HEADS) :]
    main = (name.decode("utf-8", "replace"), resolve(desk.location, b"refs/remotes/" + name)[1])
    there = upstream(desk)
    return (main,) if there is None else (main, there)


def _told(desk: Desk, policy: Policy, made: tuple[Renewed, ...]) -> Outcome:
    lines, notes = [], []
    data: SignData = {"commits": []}
    for row in made:
        commit = desk.world.store.commit(row.new)
        what = ", ".join(moves(desk, commit, policy)) or subject(commit.message).decode("utf-8", "backslashreplace")
        words = [f"{row.how} {short(row.old)} -> {short(row.new)}", row.actor or "", plain(what, SUBJECT)]
        lines.append("  ".join(word for word in words if word))
        data["commits"].append({"how": row.how, "old": row.old.decode(), "new": row.new.decode(), "actor": row.actor})
        if row.lost is not None:
            notes.append(f"codifica-guard: {short(row.new)} has no longer Git's signature of {row.lost}; it needs none")
        codes = " ".join(dict.fromkeys(f.code for f in desk.judge_one(commit).errors))
        if codes:
            notes.append(
                f"codifica-guard: {short(row.new)} breaks {codes} all the same: git codifica check {short(row.new)}"
            )
    return Outcome(lines=tuple(lines), notes=tuple(notes), exit=OK, data=data)


COMMAND = Command(
    name="sign",
    summary="sign commits by trailers",
    configure=configure,
    run=run,
    text="Put the signed trailers on commits that are not pushed yet, or renew them after a rebase: HEAD, one commit, or those of a range that need it. Commits on top of them are made anew as well; files and index stay as they are.",
)
