"""How a decision is known: six facts about one commit, each with what repeats it by hand."""

from collections.abc import Callable, Mapping
from typing import Final

from codifica_guard.errors import UsageError
from codifica_guard.git.config import INTRODUCTION
from codifica_guard.git.history import is_ancestor
from codifica_guard.identity.keys import parse_public
from codifica_guard.model.act import Act, Deed
from codifica_guard.model.identity import Proof
from codifica_guard.model.ids import ObjectId, TaskId, short
from codifica_guard.model.times import show_time
from codifica_guard.model.value import value
from codifica_guard.packs.core.id107 import key_wanted
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.rules.snapshot import EMPTY
from codifica_guard.rules.view import TaskChange
from codifica_guard.verbs.changing import Changing
from codifica_guard.verbs.evidence import Evidence
from codifica_guard.verbs.history import History, parent_of
from codifica_guard.verbs.keyed import of_key
from codifica_guard.verbs.permitted import of_right
from codifica_guard.verbs.proof_case import Case, Told, key_shown
from codifica_guard.verbs.receipted import of_receipt
from codifica_guard.verbs.sheet import Names, Row, Sheet, blob, holds_text, reached, span
from codifica_guard.verbs.stopped import Stopped

SAID: Final[Mapping[Deed, str]] = {
    Deed.NEW: "filed",
    Deed.CLAIM: "claimed",
    Deed.RESUME: "resumed",
    Deed.HAND_IN: "handed in",
    Deed.APPROVE: "approved",
    Deed.CLOSE: "closed",
    Deed.RETURN: "returned",
    Deed.BLOCK: "blocked",
    Deed.UNBLOCK: "unblocked",
    Deed.REJECT: "rejected",
    Deed.REOPEN: "reopened",
    Deed.RECLAIM: "took back",
    Deed.EDIT: "changed",
    Deed.DELETE: "deleted",
    Deed.CHOOSE: "decided in a merge about",
    Deed.OTHER: "moved",
}
"""What somebody did to a task."""


@value
class Fact:
    """One of the six.

    Attributes:
        number: its number, from 1.
        name: what it is about.
        lines: what is so, for people; may repeat pushed text, escaped.
        holds: whether it speaks for the decision; a fact that is not known speaks neither way and holds.
        rows: what repeats it by hand.
    """

    number: int
    name: str
    lines: tuple[str, ...]
    holds: bool
    rows: tuple[Row, ...]


@value
class Proven:
    """A decision and the facts about it.

    Attributes:
        task: the task; None where a commit was asked for that is about none.
        commit: the commit.
        question: what was asked.
        answer: who and when.
        act: what the commit did to the task; None where it is about none.
        facts: the six facts.
        names: the commands that set what the others call commits.
        files: the files that commands meet, by their names in the folder.
    """

    task: TaskId | None
    commit: ObjectId
    question: str
    answer: str
    act: Act | None
    facts: tuple[Fact, ...]
    names: tuple[str, ...]
    files: Mapping[str, bytes]

    @property
    def holds(self) -> bool:
        """Whether no fact speaks against it."""
        return all(fact.holds for fact in self.facts)


def prove(past: History, task: TaskId | None, at: str | None, named: str | None = None) -> Proven:
    """What is known about a decision.

    Args:
        past: the history.
        task: the task that it is about; None for whatever a commit did.
        at: the commit; None for the newest decision about the task.
        named: the introduction that the reader knows from elsewhere; None where he names none.

    Raises:
        UsageError: there is no such task, commit or decision.
        Stopped: it was made before the guard was there.
    """
    act, oid = _chosen(past, task, at)
    known = None if named is None else past.board.desk.commit_id(named)
    evidence, introduction = Evidence(past, oid, "commit"), past.board.desk.world.introduction
    if evidence.view is None or evidence.law is None or introduction is None:
        text = f"who {_said(act, oid)} cannot be proven: {short(oid)} is older than the introduction of the guard"
        raise Stopped(text, as_of=past.board.as_of)
    view, law = evidence.view, evidence.law
    return _proven(
        Case(past=past, evidence=evidence, view=view, law=law, introduction=introduction, act=act, named=known)
    )


def _chosen(past: History, task: TaskId | None, at: str | None) -> tuple[Act | None, ObjectId]:
    """The decision that is meant, and its commit."""
    board = past.board
    if at is not None:
        oid = board.desk.commit_id(at)
        if not is_ancestor(board.desk.world.store, oid, board.tip):
            raise UsageError(f"{short(oid)} is not on {board.ref}: only what is there was decided")
        act = next(past.acts_of(oid, task), None)
        if act is None and task is not None:
            raise UsageError(f"{short(oid)} changes nothing about {plain(task)} that is recorded: git codifica log")
        return act, oid
    newest: Act | None = None
    for act in past.acts(task):
        if act.is_transition or act.deed is Deed.CHOOSE:
            return act, act.commit
        newest = newest or act
    if newest is None:
        board.record(task or "")
        raise UsageError(f"nothing was decided about {plain(task or '')} yet")
    return newest, newest.commit


def _proven(case: Case) -> Proven:
    names, files = Names(), dict[str, bytes]()
    facts: list[Fact] = []
    names.of(case.commit.id, "commit")
    names.of(case.introduction, "introduction")
    for number, (name, tell) in enumerate(_FACTS, start=1):
        sheet = Sheet(names)
        holds, lines = tell(case, sheet)
        files |= sheet.files
        facts.append(Fact(number=number, name=name, lines=tuple(lines), holds=holds, rows=tuple(sheet.rows)))
    who = case.evidence.attribution.actor or "nobody who is proven"
    seen = "" if case.witness is None else f" (receipt {case.witness.number})"
    return Proven(
        task=None if case.act is None else case.act.task,
        commit=case.commit.id,
        question=f"who {_said(case.act, case.commit.id)}?",
        answer=f"{who}, commit {short(case.commit.id)}, {show_time(case.evidence.at, exact=True)}{seen}",
        act=case.act,
        facts=tuple(facts),
        names=names.lines(),
        files=files,
    )


def _said(act: Act | None, oid: ObjectId) -> str:
    return f"{SAID[act.deed]} {plain(act.task)}" if act is not None else f"made {short(oid)}"


# -- the facts that need few words


def _change(case: Case, sheet: Sheet) -> Told:
    """Which task, where, from what to what, and what else changed."""
    expansion = case.evidence.expansion
    decided: tuple[TaskId, ...] = ()
    if case.view.is_merge and expansion is not None:
        decided = tuple(item.task for item in expansion.merge(case.view).decided if item.kind == "record")
    change = Changing(case.past, case.view, None if case.act is None else case.act.task, decided)
    change.lay(sheet)
    return True, list(change.lines(_moved(case.act)))


def _moved(act: Act | None) -> str:
    """What happened to the task."""
    if act is None:
        return ""
    edited = f"edited {', '.join(map(plain, act.edited))}" if act.edited else ""
    moved = f"{plain(act.source)} -> {plain(act.target)}" if act.source != act.target or not edited else ""
    return ", ".join(text for text in (moved, edited) if text)


def _signature(case: Case, sheet: Sheet) -> Told:
    """Whose signature covers it."""
    attribution = case.evidence.attribution
    if attribution.actor is None or attribution.key is None:
        problems = [f"{problem.code} {plain_words(problem.found)}" for problem in attribution.problems]
        return False, problems or ["there is none"]
    touched = ", user present" if attribution.touched else ""
    trailers = attribution.proof is Proof.TRAILER
    lines = [
        f"SSHSIG, namespace {case.evidence.namespace}, {key_shown(attribution.key)}{touched}",
        "the signed trailers, over what the commit does" if trailers else "Git's own, over the whole commit",
    ]
    case.evidence.lay(sheet)
    if attribution.touched:
        case.evidence.lay_touch(sheet)
    writer = _writer(case)
    if writer is not None:
        covered = '"$d/payload"' if trailers else case.evidence.lay_payload(sheet)
        _lay_named(case, sheet, writer)
        case.evidence.lay_writer(sheet, writer, covered)
        lines.append(f"and the session that holds the task, with its writer key {key_shown(parse_public(writer).blob)}")
    return True, lines


def _lay_named(case: Case, sheet: Sheet, writer: str) -> None:
    """That the task names the writer key: after a claim or a resume, else before the commit."""
    act, view = case.act, case.view
    if act is None:
        return
    starts = act.target == "in_progress"
    record = (view.after if starts else view.parents[0]).record(act.task)
    encoded = writer.split(" ")[1]
    lines = record.raw.split(b"\n") if record is not None else []
    number = next((n for n, line in enumerate(lines) if encoded.encode() in line), None)
    if record is not None and number is not None:
        revision = case.name(sheet) if starts else f"{case.name(sheet)}{parent_of(case.commit, 0)}"
        line = span(blob(revision, record.path), record.line + number, record.line + number)
        sheet.test("the task names the writer key", holds_text(line, encoded))


def _writer(case: Case) -> str | None:
    """The writer key that signed, too; None where none had to, or none did."""
    act, view = case.act, case.view
    if act is None or not act.token:
        return None
    before = view.parents[0] if view.parents else EMPTY
    return key_wanted(TaskChange(id=act.task, before=before.record(act.task), after=view.after.record(act.task)))


def _anchor(case: Case, sheet: Sheet) -> Told:
    """What everything stands on."""
    introduction = case.introduction
    evidence = Evidence(case.past, introduction, "introduction")
    by, key = evidence.attribution.actor, evidence.attribution.key
    evidence.lay(sheet, "anchor.")
    if introduction != case.commit.id:
        sheet.test("this commit stands on it", reached(evidence.name(sheet), case.name(sheet)))
    told = "signed by nobody who is proven" if by is None or key is None else f"by {by}, {key_shown(key)}"
    holds, pinned = _pinned(case, introduction)
    return holds and by is not None, [f"{short(introduction)}, {told}", pinned]


def _pinned(case: Case, introduction: ObjectId) -> tuple[bool, str]:
    """Whether somebody vouches for the introduction who is not the repository itself."""
    if case.named is not None:
        if case.named != introduction:
            return False, f"you named {short(case.named)}, and this history begins elsewhere"
        return True, "pinned: you named it"
    if case.board.desk.config.get(INTRODUCTION) == introduction.decode("ascii"):
        return True, "pinned in this clone (git config codifica.introduction)"
    way = f"--introduction {introduction.decode('ascii')}"
    return True, f"not pinned, taken from the repository itself. If you know it from elsewhere: {way}"


_FACTS: Final[tuple[tuple[str, Callable[[Case, Sheet], Told]], ...]] = (
    ("the change", _change),
    ("the signature", _signature),
    ("the key", of_key),
    ("allowed to", of_right),
    ("seen", of_receipt),
    ("the anchor", _anchor),
)
