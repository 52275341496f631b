"""What people and agents do to tasks by hand, each act whole and legal; `without` names the parts that are left out."""

from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Self

from tests.building import tasks
from tests.building.board import Board, NoSuchTask
from tests.building.times import at


class Acts:
    """Edits of the state documents in a work tree; nothing is committed by them."""

    folder: Path
    principal: str

    def read(self, path: str = "work.md") -> str:
        """A file of the work tree."""
        return (self.folder / path).read_bytes().decode()

    def write(self, path: str, data: str | bytes | None) -> Self:
        """Write a file; None takes it away."""
        target = self.folder / path
        if data is None:
            target.unlink()
        else:
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data.encode() if isinstance(data, str) else data)
        return self

    def rewrite(self, change: Callable[[Board], object], path: str = "work.md") -> Self:
        """Change a document by a function of its board."""
        board = Board(self.read(path))
        before = board.text
        change(board)
        if board.text == before:
            raise NoSuchTask(f"{path}: the edit changes nothing")
        return self.write(path, board.text)

    def replace(self, old: str, new: str, path: str = "work.md") -> Self:
        """Replace a text that stands there exactly once."""
        return self.rewrite(lambda board: board.replace(old, new), path)

    def _home_of(self, ident: str) -> str:
        homes = [
            path
            for path in sorted(self.folder.rglob("*.md"))
            if ".git" not in path.parts and Board(path.read_text()).holds(ident)
        ]
        if len(homes) != 1:
            raise NoSuchTask(f"{ident} stands in {len(homes)} documents")
        return str(homes[0].relative_to(self.folder))

    def fields(self, ident: str) -> tasks.Fields:
        """The fields of a task."""
        return Board(self.read(self._home_of(ident))).fields(ident)

    def edit(self, ident: str, **changes: Any) -> Self:
        """Give fields of a task other values; None takes a field out."""
        return self.rewrite(lambda board: board.change(ident, changes), self._home_of(ident))

    def append(self, ident: str, name: str, item: Any) -> Self:
        """Add an entry to a list of a task."""
        return self.rewrite(lambda board: board.append(ident, name, item), self._home_of(ident))

    def add(
        self, ident: str, state: str = "todo", owner: str | None = None, *, path: str = "work.md", **more: Any
    ) -> Self:
        """Add a task at the end of the first fence."""
        return self.rewrite(lambda board: board.add(tasks.block(tasks.task(ident, state, owner, **more))), path)

    def drop(self, ident: str) -> Self:
        """Take a task out."""
        return self.rewrite(lambda board: board.take(ident), self._home_of(ident))

    # -- moves

    def move(
        self,
        ident: str,
        target: str,
        *,
        source: str | None = None,
        by: str | None = None,
        reason: str | None = "As agreed",
        when: str | None = None,
        without: Collection[str] = (),
        session: str | None = None,
        writer: str | None = None,
        **changes: Any,
    ) -> Self:
        """Move a task to a state, with its entry in the history."""
        before = self.fields(ident)
        if "state" not in without:
            changes["state"] = target
        if "entry" not in without:
            row = tasks.entry(
                source or before["state"],
                target,
                by or self.principal,
                when=when,
                reason=reason,
                session=session,
                writer=writer,
            )
            changes["state_transitions"] = [*before["state_transitions"], row]
        return self.edit(ident, **changes)

    def claim(
        self,
        ident: str,
        *,
        without: Collection[str] = (),
        owner: str | None = None,
        when: str | None = None,
        writer: str | None = None,
        session: str = "s-2",
        **more: Any,
    ) -> Self:
        """Take a task: state, owner, `claimed_at` and entry; `writer` is the line of a writer key."""
        changes: dict[str, Any] = {}
        if "owner" not in without:
            changes["owner"] = owner or self.principal
        if "claimed_at" not in without:
            changes["claimed_at"] = when or at()
        return self.move(
            ident,
            "in_progress",
            without=without,
            when=when,
            writer=writer,
            session=session,
            reason="Starting work",
            **{**changes, **more},
        )

    def note(
        self,
        ident: str,
        text: str = "Half of it is done",
        *,
        summary: str | None = None,
        by: str | None = None,
        when: str | None = None,
    ) -> Self:
        """Add an execution note."""
        return self.append(ident, "execution_notes", tasks.note(by or self.principal, text, summary=summary, when=when))

    def hand_in(
        self,
        ident: str,
        *,
        target: str = "to_be_tested",
        summary: str | None = "The page is there and tested",
        without: Collection[str] = (),
        **more: Any,
    ) -> Self:
        """Hand a task in, with a closing note."""
        if "note" not in without:
            self.note(ident, "Wrote it all", summary=summary)
        done = {"completed_at": at()} if target == "done" and "completed_at" not in without else {}
        return self.move(ident, target, without=without, **{"reason": "Work is complete", **done, **more})

    def close(self, ident: str, *, review: bool = False, without: Collection[str] = (), **more: Any) -> Self:
        """Close a task; `review` adds a human review that passes."""
        changes: dict[str, Any] = {"human_review": tasks.review("pass", self.principal)} if review else {}
        if "completed_at" not in without:
            changes["completed_at"] = at()
        return self.move(ident, "done", without=without, **{"reason": "Looks good", **changes, **more})

    def approve(self, ident: str, **more: Any) -> Self:
        """Close a task as its reviewer does."""
        return self.close(ident, review=True, **more)

    def back(self, ident: str, *, reason: str | None = "The link also works after the change", **more: Any) -> Self:
        """Lead a task to todo, wherever it stands: a return, a reopening, an unblocking."""
        before = self.fields(ident)
        changes: dict[str, Any] = {name: "null" for name in ("claimed_at", "completed_at") if name in before}
        if "blocked_reason" in before:
            changes["blocked_reason"] = None
        return self.move(ident, "todo", reason=reason, **{**changes, **more})

    def reclaim(
        self, ident: str, *, owner: str = "unassigned", reason: str | None = "The agent is gone", **more: Any
    ) -> Self:
        """Take a running task away from its owner."""
        return self.back(ident, reason=reason, owner=owner, **more)

    def block(
        self, ident: str, *, reason: str = "Waits for the supplier", without: Collection[str] = (), **more: Any
    ) -> Self:
        """Block a task."""
        changes = {} if "reason" in without else {"blocked_reason": reason}
        return self.move(ident, "blocked", reason=reason, without=without, **{**changes, **more})

    def unblock(self, ident: str, **more: Any) -> Self:
        """Lead a blocked task on to in_progress."""
        return self.move(ident, "in_progress", **{"reason": "The supplier answered", "blocked_reason": None, **more})

    def reject(self, ident: str, *, reason: str | None = "Not wanted any more", **more: Any) -> Self:
        """Reject a task."""
        return self.move(ident, "rejected", reason=reason, **{"completed_at": at(), **more})

    def resume(self, ident: str, *, writer: str | None, reason: str = "Container lost", session: str = "s-90") -> Self:
        """Take one's own claim over with a new writer key."""
        return self.move(ident, "in_progress", reason=reason, session=session, writer=writer)
