"""Who may list a server: a commit that holds by itself, as the judge sees it. No receipt vouches for the key that signed it."""

from codifica_guard.audit.source import Source
from codifica_guard.engine.judge import Court, judge_step
from codifica_guard.engine.refs import Refs
from codifica_guard.engine.segments import Segment
from codifica_guard.engine.trust import Trust
from codifica_guard.engine.world import World
from codifica_guard.model.finding import Severity
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.packs.all import REGISTRY


class Listing:
    """Tells which commits of the coordination branch may list a server's key."""

    def __init__(self, source: Source, coordination: RefName) -> None:
        """Nothing is judged before the first question."""
        self._source, self._coordination = source, coordination

    def __call__(self, world: World, oid: ObjectId) -> bool:
        """Whether a commit breaks no rule, by its own date and the policy of its parents; the introduction has its own."""
        commit = world.store.commit(oid)
        base = commit.parents[0] if commit.parents else None
        step = Segment(base=base, tip=oid, new=(oid,), with_base=frozenset({oid}))
        refs = Refs(
            world=world,
            location=self._source.location,
            coordination=self._coordination,
            coordination_tip=None,
            policy_tip=None,
        )
        court = Court(
            world=world,
            refs=refs,
            trust=Trust(pinned=world.introduction),
            registry=REGISTRY,
            now=commit.committer_time,
            whole=True,
        )
        return all(found.severity is not Severity.ERROR for found in judge_step(court, step, None))
