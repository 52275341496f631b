"""What an audit came to, put together for those who ask: findings in their order, branches, the introduction, notes."""

from collections.abc import Iterator, Sequence
from typing import Final

from codifica_guard.audit.belief import Belief
from codifica_guard.audit.faults import branch_of
from codifica_guard.audit.replayed import Replayed
from codifica_guard.audit.tally import Tally
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.segments import Segment
from codifica_guard.engine.trust import introduction_view
from codifica_guard.engine.world import World
from codifica_guard.identity.keys import fingerprint
from codifica_guard.model.audited import Anchor, Branch, Chain
from codifica_guard.model.policy import Policy

NOBODY: Final = "nobody who is proven"

BY_DATES: Final = "order from first parents, times are what the committers say"
"""What is said of commits that no receipt orders."""


def told(
    world: World,
    tally: Tally,
    belief: Belief,
    policy: Policy,
    branches: Sequence[Branch],
    *,
    pinned: bool,
    ruleset: int | None,
    only_behind: bool,
) -> Replayed:
    """All that is told.

    Args:
        world: what is read.
        tally: what was found.
        belief: what is believed of the receipts.
        policy: the policy that counts now.
        branches: the judged branches, the coordination branch first.
        pinned: whether the introduction is the auditor's own.
        ruleset: the ruleset that was asked for; None for each policy's.
        only_behind: whether only what came behind the last receipt was to be judged.
    """
    about = [noted for noted in tally.findings.values() if noted.finding.code.startswith("AU")]
    rest = [noted for noted in tally.findings.values() if not noted.finding.code.startswith("AU")]
    stop = () if belief.stop is None else (belief.stop,)
    return Replayed(
        anchor=_anchor(world, tally, pinned=pinned),
        coordination=branches[0].ref,
        tip=branches[0].tip,
        policy=policy,
        ruleset=ruleset or policy.guard.ruleset,
        branches=tuple(branches),
        chain=Chain(
            first=tally.first,
            last=tally.end.number,
            held=belief.stop is None,
            servers=tuple(tally.servers()),
            gaps=tuple(tally.gaps),
            before=tally.before,
        ),
        acts=tuple(tally.acts),
        findings=(*stop, *about, *rest),
        notes=tuple(_notes(tally, belief, branches, only_behind=only_behind)),
        pauses=tuple(tally.pauses),
        introductions=tuple(tally.introductions),
        made=tuple(tally.made.values()),
        served=tuple(tally.served),
    )


def _anchor(world: World, tally: Tally, *, pinned: bool) -> Anchor:
    """The introduction, and who signed it."""
    oid = tally.anchor
    commit, made = world.store.commit(oid), tally.made.get(oid)
    step = Segment(base=None, tip=oid, new=(oid,), with_base=frozenset())
    time = made.at if made is not None else commit.committer_time
    view = introduction_view(Expansion(world, commit, step, time))
    by = view.attribution if view is not None else None
    key = fingerprint(by.key) if by is not None and by.key is not None else ""
    return Anchor(commit=oid, by=(by.actor if by is not None else None) or NOBODY, key=key, pinned=pinned)


def _notes(tally: Tally, belief: Belief, branches: Sequence[Branch], *, only_behind: bool) -> Iterator[str]:
    """What is to be said of how far all of it can be relied on."""
    if only_behind:
        yield (
            f"only what came behind receipt {tally.end.number} was judged"
            if tally.end.number
            else "there is no receipt that is believed: everything was judged"
        )
    loose = [branch_of(b.ref) for b in branches if b.order == "first parents" and b.commits]
    if loose and not (only_behind and tally.end.number):
        yield f"{', '.join(loose)}: {BY_DATES}"
    if tally.before and branches[0].order == "receipts":
        many = "1 commit" if tally.before == 1 else f"{tally.before} commits"
        yield f"{many} of {branch_of(branches[0].ref)} from before the first receipt: {BY_DATES}"
    if tally.lost:
        many = "1 receipt is" if tally.lost == 1 else f"{tally.lost} receipts are"
        yield f"{many} about commits that are not here any more, since a branch was rewound: those are not judged"
    if belief.stop is not None and tally.end.number:
        yield f"receipts are believed up to number {tally.end.number}; what came behind is judged by its own dates"
    yield from tally.notes
