"""Random histories of legal and illegal acts, the same for a seed whatever they are stored in."""

import random
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any, Final

from codifica_guard.identity.sshsig import to_line
from codifica_guard.identity.tokens import WriterToken
from codifica_guard.model.finding import Finding, Verdict
from codifica_guard.model.ids import ObjectId
from tests.building import tasks
from tests.building.board import document, fence
from tests.unit.engine.land import NOW, Land, Leaf, Value

Update = tuple[str, ObjectId | None, ObjectId | None]
Board = Mapping[str, tasks.Fields]

HUMAN: Final = "human:alice"
OWNERS: Final = {"builder": "agent:builder", "writer": "agent:writer", "alice": HUMAN, "bob": "human:bob"}
POLICY: Final[Mapping[str, Any]] = {"protected_branches": ["main", "release/*"], "resume_after_minutes": 60}


def moment(minutes: int) -> str:
    """A time so many minutes before the push, as tasks write it."""
    return datetime.fromtimestamp(NOW - 60 * minutes, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")


class Tale:
    """A history in a land, told by chance: what it holds depends on the seed alone."""

    def __init__(self, land: Land, seed: int, length: int) -> None:
        self.land = land
        self.chance = random.Random(seed)  # noqa: S311 - seeded, to be the same every time
        start = {
            "FEAT-1": self._task("FEAT-1", "todo"),
            "FEAT-2": self._task("FEAT-2", "in_progress", "agent:builder"),
            "FEAT-3": self._task("FEAT-3", "to_be_tested", "agent:writer"),
        }
        begin = land.begin(self._files(start))
        self.intro = land.introduce(begin)
        self.boards: dict[ObjectId, Board] = {begin: start, self.intro: start}
        self.commits = [self.intro]
        for _ in range(length):
            self._go_on()

    def _task(self, ident: str, state: str, owner: str | None = None) -> tasks.Fields:
        fields = tasks.task(ident, state, owner)
        rows = [{**row, "timestamp": moment(600)} for row in fields["state_transitions"]]
        notes = [{**row, "timestamp": moment(600)} for row in fields["execution_notes"]]
        more = {"claimed_at": moment(600)} if "claimed_at" in fields else {}
        return tasks.changed(fields, {"state_transitions": rows, "execution_notes": notes, **more})

    @staticmethod
    def _files(board: Board, prose: str = "Work") -> dict[str, Value]:
        return {"work.md": document(fence(*(tasks.block(fields) for fields in board.values())), title=prose)}

    # -- acts

    def _go_on(self) -> None:
        chance, near = self.chance, self.commits[-4:]
        if len(near) > 1 and chance.random() < 0.2:
            first, second = chance.sample(near, 2)
            self._merge(first, second)
            return
        parent = chance.choice(near)
        act = chance.choice((self._code, self._code, self._outside, self._policy, self._secret, *[self._step] * 6))
        act(parent, len(self.commits))

    def _keep(self, oid: ObjectId, board: Board) -> None:
        self.boards[oid] = board
        self.commits.append(oid)

    def _who(self) -> tuple[str | None, str]:
        who = self.chance.choice(("alice", "bob", "builder", "writer", "builder", "mallory", None))
        return who, self.chance.choice(("git", "trailer"))

    def _code(self, parent: ObjectId, number: int) -> None:
        self._keep(self.land.commit({f"src/{number}.py": f"x = {number}\n"}, parent), self.boards[parent])

    def _outside(self, parent: ObjectId, number: int) -> None:
        who, proof = self._who()
        path = self.chance.choice(("README.md", "src/né.py", ".github/ci.yml", "WORK.md", "assets/FEAT-1/a.txt"))
        oid = self.land.commit({path: f"{number}\n"}, parent, by=who, proof=proof, stale_author=number % 3 == 0)
        self._keep(oid, self.boards[parent])

    def _policy(self, parent: ObjectId, number: int) -> None:
        who, proof = self._who()
        if self.chance.random() < 0.5:
            who = "alice"
        files = self.land.policy(self_approval=self.chance.choice(("warn", "refuse", "allow")), limit=number)
        if self.chance.random() < 0.3:
            files = {".codifica/revoked_keys": files[".codifica/revoked_keys"], ".codifica/note": f"{number}\n"}
        self._keep(self.land.commit(files, parent, by=who, proof=proof), self.boards[parent])

    def _secret(self, parent: ObjectId, number: int) -> None:
        text = self.chance.choice(("cgw1_" + "A" * 43, "cgw1_ is how tokens begin"))
        oid = self.land.commit({f"src/s{number}.py": text}, parent, message=f"{number}")
        self._keep(oid, self.boards[parent])

    def _step(self, parent: ObjectId, number: int) -> None:
        chance, board = self.chance, dict(self.boards[parent])
        who, proof = self._who()
        ident = chance.choice(sorted(board)) if board else "FEAT-9"
        if ident not in board:
            board[ident] = self._task(ident, "todo")
        fields, by = board[ident], OWNERS.get(who or "", HUMAN)
        if chance.random() < 0.6:  # mostly whoever may do it
            by = fields["owner"] if fields["owner"].startswith("agent:") else chance.choice(sorted(OWNERS.values()))
            who = by.partition(":")[2]
        token = WriterToken(bytes([number % 256]) * 32) if chance.random() < 0.5 else None
        kind = chance.choice(("move", "move", "move", "move", "note", "note", "edit", "drop", "add", "order", "broken"))
        if kind == "move":
            board[ident] = self._moved(fields, by, token)
        elif kind == "note":
            row = tasks.note(by, f"Note {number}", summary="Well done", when=moment(chance.choice((0, 1, 2, -30))))
            board[ident] = tasks.changed(fields, {"execution_notes": [*fields["execution_notes"], row]})
        elif kind == "edit":
            name = chance.choice(("title", "acceptance", "owner", "priority", "labels"))
            new: Any = ["web"] if name in {"acceptance", "labels"} else chance.choice(("agent:writer", "low", "Fix #3"))
            board[ident] = tasks.changed(fields, {name: new})
        elif kind == "drop":
            del board[ident]
        elif kind == "add":
            board[f"NEW-{number}"] = self._task(f"NEW-{number}", chance.choice(("todo", "todo", "done")))
        elif kind == "order":
            board = dict(reversed(board.items()))
        self._commit(parent, board, who, proof, token, broken=kind == "broken", number=number)

    def _moved(self, fields: tasks.Fields, by: str, token: WriterToken | None) -> tasks.Fields:
        source = str(fields["state"])
        usual = {"todo": "in_progress", "in_progress": "to_be_tested", "to_be_tested": "done", "done": "todo"}
        target = usual.get(source, "todo")
        if self.chance.random() < 0.2:
            target = self.chance.choice(("todo", "in_progress", "to_be_tested", "done", "blocked", "rejected"))
        when = moment(self.chance.choice((0, 1, 2, 2, 400)))
        line = token.public_line if token and target == "in_progress" else None
        row = tasks.entry(source, target, by, when=when, writer=line, session="s-2" if line else None)
        more: dict[str, Any] = {"state": target, "state_transitions": [*fields["state_transitions"], row]}
        if target == "in_progress":
            more |= {"owner": by, "claimed_at": when}
        if target == "to_be_tested":
            note = tasks.note(by, "Done", summary="It is done", when=when)
            more["execution_notes"] = [*fields["execution_notes"], note]
        if target in {"done", "rejected"}:
            more["completed_at"] = when
        return tasks.changed(fields, more)

    def _commit(
        self,
        parent: ObjectId,
        board: Board,
        who: str | None,
        proof: str,
        token: WriterToken | None,
        *,
        broken: bool,
        number: int,
    ) -> None:
        files = self._files(board, "Work" if number % 11 else "Other work")
        if broken:
            text = files["work.md"]
            assert isinstance(text, str)
            files = {"work.md": text.replace("title: Task", "title: Fix: Task", 1)}
        leaves: dict[str, Leaf] = {p: self.land.leaf(v) for p, v in files.items() if v is not None}
        signed = []
        if token and who in self.land.signers:
            cover = self.land.payload({**self.land.trees[parent], **leaves}, [parent], self.land.signers[str(who)])
            signed = [("Codifica-Writer", to_line(token.sign(cover)))]
        oid = self.land.commit(
            dict(leaves), parent, by=who, proof=proof, trailers=signed, stale_author=self.chance.random() < 0.2
        )
        self._keep(oid, board)

    def _merge(self, first: ObjectId, second: ObjectId) -> None:
        one, other = self.boards[first], self.boards[second]
        board = {name: self.chance.choice((one, other)).get(name, fields) for name, fields in {**one, **other}.items()}
        files: dict[str, Value] = {**self.land.trees[second], **self.land.trees[first], **self._files(board)}
        who, proof = self._who() if self.chance.random() < 0.5 else (None, "git")
        self._keep(self.land.commit(files, first, second, by=who, proof=proof, message="Merge"), board)

    # -- pushes

    def updates(self) -> list[Update]:
        """Ref updates of one push: branches that are judged and free ones, moved, born and deleted."""
        chance = self.chance
        tips = [chance.choice(self.commits[1:] or self.commits) for _ in range(4)]
        self.land.point("topic", self.intro)
        rows: list[Update] = [
            ("refs/heads/main", self.intro, self.commits[-1]),
            ("refs/heads/release/1", None, tips[0]),
            ("refs/heads/topic", self.intro, chance.choice((tips[1], None))),
            ("refs/tags/v1", None, tips[2]),
            ("refs/heads/free", None, tips[3]),
        ]
        kept = [row for row in rows if chance.random() < (0.2 if "release" in row[0] else 0.75)]
        if chance.random() < 0.15:
            kept.append(("refs/codifica/x", None, tips[3]))
        return kept or rows[:1]

    def names(self) -> dict[str, str]:
        """What to call each commit, whatever its id is."""
        everything = [*self.boards]
        return {oid.decode(): f"c{number}" for number, oid in enumerate(everything)}


_ID: Final = re.compile(r"\b[0-9a-f]{7,64}\b")


def told(verdict: Verdict, names: Mapping[str, str]) -> list[tuple[object, ...]]:
    """What a verdict says, its commits by their names, in no order."""

    def named(text: str) -> str:
        return _ID.sub(lambda hit: next((n for oid, n in names.items() if oid.startswith(hit[0])), hit[0]), text)

    def row(f: Finding) -> tuple[object, ...]:
        commit = named(f.commit.decode()) if f.commit else ""
        place = (f.path or b"", f.line or 0, f.column or 0)
        words = (named(f.found), named(f.expected), tuple(map(named, f.do)))
        # What several refs bring is told once, beside the first of them.
        ref = b"" if f.code == "ID108" else f.ref or b""
        return (f.code, f.severity.value, f.task or "", ref, f.actor or "", commit, *place, *words)

    return sorted(map(row, verdict.findings), key=repr)


def permuted(rows: Sequence[Update], seed: int) -> list[Update]:
    """The same updates in another order."""
    mixed = list(rows)
    random.Random(seed).shuffle(mixed)  # noqa: S311 - seeded, to be the same every time
    return mixed
