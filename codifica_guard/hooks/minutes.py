"""The minutes of a push: what its receipts will say, taken down while it is judged."""

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from codifica_guard import __version__
from codifica_guard.engine.expand import Expansion
from codifica_guard.engine.refs import HEADS, Refs
from codifica_guard.engine.world import World
from codifica_guard.limits import RECEIPT_TEXT, RECEIPT_WARNINGS
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId, RefName
from codifica_guard.model.push import RefUpdate
from codifica_guard.model.receipt import PUSH, Line, Pusher, Receipt, Warned
from codifica_guard.rules.view import CommitView, RefView

if TYPE_CHECKING:
    from codifica_guard.audit.pause import Pause

NOBODY: Final = Pusher()


class _Entry:
    """What is taken down about one judged branch."""

    __slots__ = ("coordinating", "findings", "lines", "ref", "update")

    def __init__(self, ref: RefName, update: RefUpdate, *, coordinating: bool) -> None:
        self.ref = ref
        self.update = update
        self.coordinating = coordinating
        self.lines: list[Line] = []
        self.findings: tuple[Finding, ...] = ()


class Minutes:
    """What is taken down about one push."""

    def __init__(self) -> None:
        self._entries: list[_Entry] = []
        self._now: _Entry | None = None
        self._update: RefUpdate | None = None
        self.introduction: ObjectId | None = None
        self.coordination: ObjectId | None = None
        self.repository = ""
        self.ruleset = 0

    @property
    def empty(self) -> bool:
        """Whether no judged branch is in the push."""
        return not self._entries

    def begin(self, update: RefUpdate) -> None:
        """A ref update is about to be judged."""
        self._update, self._now = update, None

    def enter(self, view: RefView) -> None:
        """It is one of this branch; only judged ones are taken down."""
        if view.judged and self._update is not None:
            self._now = _Entry(view.ref, self._update, coordinating=view.coordination)
            self._entries.append(self._now)

    def see(self, expansion: Expansion, view: CommitView) -> None:
        """It brings this commit."""
        if self._now is not None and (view.changes or view.is_merge):
            from codifica_guard.audit.lines import lines_of  # noqa: PLC0415 - most pushes move no task

            self._now.lines += lines_of(expansion, view)

    def end(self, findings: tuple[Finding, ...]) -> None:
        """This was found about it."""
        if self._now is not None:
            self._now.findings = findings

    def close(self, world: World, refs: Refs) -> None:
        """The push was judged by this."""
        introduction = world.introduction
        policy = refs.policy() or (world.policy(introduction) if introduction is not None else None)
        self.introduction, self.coordination = introduction, refs.coordination_tip
        if policy is not None:
            self.repository, self.ruleset = policy.guard.repository, policy.guard.ruleset

    def unread(
        self, updates: Iterable[tuple[RefName, RefUpdate]], coordination: RefName | None, error: Finding
    ) -> None:
        """The guard failed, so nobody can say which branches are judged: each is taken down, with why it would have been refused."""
        self._entries = [
            _Entry(ref, update, coordinating=ref == coordination) for ref, update in updates if ref.startswith(HEADS)
        ]
        for entry in self._entries:
            entry.findings = (error,)

    def drafts(
        self,
        push: str,
        now: int,
        stands: Callable[[RefName], ObjectId | None],
        pusher: Pusher = NOBODY,
        pause: "Pause | None" = None,
    ) -> tuple[Receipt, ...]:
        """What the receipts will say, one a branch; a branch that is not where its update begins cannot be moved by it, and has none.

        Args:
            push: tells this push from all others.
            now: the clock it was judged by, seconds since the epoch.
            stands: where a branch is.
            pusher: who pushes.
            pause: the pause that let the push in; None where it was let in by rules.
        """
        found: dict[RefName, Receipt] = {}
        for entry in self._entries:
            if entry.ref not in found and stands(entry.ref) == entry.update.old:
                found[entry.ref] = Receipt(
                    number=0,
                    kind=PUSH,
                    repository=self.repository,
                    server="",
                    guard=__version__,
                    ruleset=self.ruleset,
                    time=now,
                    introduction=self.introduction,
                    push=push,
                    ref=entry.ref,
                    old=entry.update.old,
                    new=entry.update.new,
                    coordination=self.coordination,
                    coordinating=entry.coordinating,
                    pusher=pusher,
                    paused=pause is not None,
                    until=pause.until if pause is not None else None,
                    reason=pause.reason[:RECEIPT_TEXT] if pause is not None else "",
                    refused=_refused(entry.findings) if pause is not None else (),
                    warnings=_warnings(entry.findings),
                    lines=tuple(entry.lines),
                )
        return tuple(found.values())


def _refused(findings: Iterable[Finding]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(f.code for f in findings if f.severity is Severity.ERROR))


def _warnings(findings: Iterable[Finding]) -> tuple[Warned, ...]:
    told = (
        Warned(code=f.code, task=f.task[:RECEIPT_TEXT] if f.task is not None else None, commit=f.commit)
        for f in findings
        if f.severity is Severity.WARNING
    )
    return tuple(dict.fromkeys(told))[:RECEIPT_WARNINGS]
