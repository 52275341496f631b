"""A state document taken apart into task blocks and frame, by byte scans: only the frame is read line by line."""

import re
from typing import Final

from codifica_guard import limits
from codifica_guard.model.document import Block, Document, Fault
from codifica_guard.model.ids import RepoPath, TaskId
from codifica_guard.state import characters, scalars
from codifica_guard.state.fences import Leaf, Outline, closes
from codifica_guard.state.yaml import read_block

STATE_WORDS: Final = frozenset({"yaml", "yml"})
"""First words of the info strings of fences that hold tasks."""

_FAULTS: Final = 20  # a document that is no state document at all needs no list of all its lines
_MARKERS: Final = (b"<<<<<<<", b"=======", b">>>>>>>")
_BROKEN: Final = re.compile(rb"\n(?!  |- |#| ?\r?(?:\n|\Z))")
_HEAD: Final = re.compile(rb"\n- (?:id: ([A-Za-z0-9][A-Za-z0-9._-]*+)\r?(?=\n))?")
_OTHER_HEAD: Final = re.compile(r"id: +([^\n]*)")
_QUIET: Final = re.compile(rb"(?: *\r?\n|#[^\n]*\n)*")
_WIDE_BLANKS: Final = re.compile(rb"(?m)^(?: {4,}| *\t[ \t]*)\r?$")
_LIST_OUTSIDE: Final = re.compile(rb"- id:[^\n]*\n(?:  (?!(?:type|state|owner):)[^\n]*\n)*  (?:type|state|owner):")
_HEAD_DO: Final = "write the task's first line as `- id: <id>`"


def split(path: RepoPath, data: bytes) -> Document:
    """The task blocks and the frame of a state document; bad data gives faults and never an exception.

    State fences open at column 0 with the info word `yaml` or `yml` and stand in no list, quote, HTML block or other
    fence. Each of their lines is blank, starts with `- ` or `#`, or is indented by two blanks at least; then no line of one
    block can belong to another, and `read_block` of each gives what the whole fence would give.

    Args:
        path: where the document lies; repeated in the result.
        data: its bytes.
    """
    if len(data) > limits.DOCUMENT_BYTES:
        found = f"{len(data)} bytes, more than {limits.DOCUMENT_BYTES}"
        return _unsplittable(
            path, [Fault(code="ST107", line=1, found=found, do="move finished tasks to another state document")]
        )
    fault = characters.document_fault(data) or _conflict(data)
    if fault is not None:
        return _unsplittable(path, [fault])
    splitter = _Splitter(data)
    splitter.run()
    if splitter.faults:
        return _unsplittable(path, splitter.faults)
    frame = b"".join(splitter.frame)
    if b"\r" in frame:
        frame = frame.replace(b"\r\n", b"\n")
    if frame and not frame.endswith(b"\n"):
        frame += b"\n"
    blocks = tuple(splitter.blocks)
    none = (
        () if blocks else (Fault(code="ST111", line=1, found="no task", expected="a list of tasks in a ```yaml fence"),)
    )
    return Document(path=path, blocks=blocks, frame=frame, faults=none)


def state_fences(data: bytes) -> tuple[tuple[int, int], ...]:
    """Start and end offset of what each state fence of a splittable document holds, without its own two lines."""
    splitter = _Splitter(data)
    splitter.run()
    return tuple(splitter.fences)


def trimmed(raw: bytes) -> int:
    """Length of a block without its trailing blank lines and comment lines at column 0."""
    end = len(raw)
    while end:
        start = raw.rfind(b"\n", 0, end - 1) + 1
        line = raw[start:end]
        if line[:1] != b"#" and line.strip(b" \t\r\n"):
            break
        end = start
    return end


def _unsplittable(path: RepoPath, faults: list[Fault]) -> Document:
    return Document(path=path, faults=tuple(faults[:_FAULTS]), splittable=False)


def _conflict(data: bytes) -> Fault | None:
    """Conflict markers: the three of them at line starts, in order (a setext underline alone is none)."""
    first = at = _at_line_start(data, _MARKERS[0], 0)
    for marker in _MARKERS[1:]:
        at = _at_line_start(data, marker, at) if at >= 0 else -1
    if at < 0:
        return None
    line = data.count(b"\n", 0, first) + 1
    return Fault(
        code="ST105",
        line=line,
        found="conflict markers",
        do="settle the merge, then delete the lines <<<<<<<, ======= and >>>>>>>",
    )


def _at_line_start(data: bytes, marker: bytes, start: int) -> int:
    """Offset of the first line that starts with a marker, from the line start `start` on; -1 where there is none."""
    return start if data.startswith(marker, start) else data.find(b"\n" + marker, start) + 1 or -1


class _Splitter:
    """One pass over a document; `faults` not empty means that nothing else counts."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.blocks: list[Block] = []
        self.frame: list[bytes] = []
        self.faults: list[Fault] = []
        self.fences: list[tuple[int, int]] = []
        self._outline = Outline()
        self._counted_to, self._counted = 0, 1

    def run(self) -> None:
        """Read the whole document."""
        data, outline, at = self.data, self._outline, self._behind_bom()
        while at < len(data) and len(self.faults) < _FAULTS:
            end = data.find(b"\n", at) + 1 or len(data)
            outline.feed(data[at:end])
            self.frame.append(data[at:end])
            if outline.leaf is Leaf.CODE and outline.edge:
                end = self._fence(at, end)
            elif outline.leaf is Leaf.CODE or (outline.leaf is Leaf.HTML and outline.comment):
                pass  # an example in an indented fence, or what a comment hides on purpose
            elif data.startswith(b"- id:", at) and _LIST_OUTSIDE.match(data, at):
                do = "put the tasks between a line ```yaml and a line ``` at the left edge, behind a blank line"
                self._fault("ST104", at, "a list of tasks outside of any yaml fence", do=do)
            at = end
            if len(self.frame) > limits.FRAME_LINES:
                self._fault(
                    "ST107",
                    at,
                    f"more than {limits.FRAME_LINES} lines outside of tasks",
                    do="move the prose to another file",
                )
                return

    def _behind_bom(self) -> int:
        """Feed the first line if a byte order mark precedes it: it must not hide a fence or HTML from some readers."""
        if not self.data.startswith(characters.BOM):
            return 0
        end = self.data.find(b"\n") + 1 or len(self.data)
        self._outline.feed(self.data[len(characters.BOM) : end])
        self.frame.append(self.data[:end])
        if self._outline.leaf in {Leaf.CODE, Leaf.HTML}:
            what = "fence" if self._outline.leaf is Leaf.CODE else "HTML"
            self._fault(
                "ST108",
                0,
                f"a byte order mark (U+FEFF) that hides the {what} behind it from some readers",
                do="save the file without BOM",
            )
        return end

    def _fence(self, start: int, body: int) -> int:
        """Take the fence that the line at `start` opens, its first inner line at `body`; the offset behind it."""
        data, outline = self.data, self._outline
        state = outline.word() in STATE_WORDS
        stop, end = _closing_line(data, body, outline.mark)
        outline.leave()
        if stop < 0:
            self._fault(
                "ST104", start, "a fence that is never closed", do=f"write a line {outline.mark.decode()} at its end"
            )
            return len(data)
        if not state:
            self.frame.append(data[body:stop])
        else:
            if stop > body:
                self._tasks(body, stop)
            if data[stop : stop + 1] == b" " and data[end : end + 1] in {b" ", b"-"}:
                found = "this line ends the fence although it looks like a part of the task: fences may be closed with up to three blanks before them"
                self._fault(
                    "ST101",
                    stop,
                    found,
                    do="indent the text of that field by four blanks or more, or close the fence at the left edge",
                )
            self.fences.append((body, stop))
        self.frame.append(data[stop:end])
        return end

    def _tasks(self, start: int, stop: int) -> None:
        """Take the blocks of a state fence: `start` is behind a line end, `stop` behind the last one."""
        data = self.data
        for broken in _BROKEN.finditer(data, start - 1, stop - 1):
            self._broken(broken.end())
            if len(self.faults) >= _FAULTS:
                break
        if self.faults:
            return
        heads = [(hit.start() + 1, hit[1]) for hit in _HEAD.finditer(data, start - 1, stop)]
        first = heads[0][0] if heads else stop
        quiet = _QUIET.match(data, start, first)
        if quiet is not None and quiet.end() < first:
            self._fault("ST101", quiet.end(), f"text before the first task: {self._show(quiet.end())}", do=_HEAD_DO)
        self._comments(start, first)
        heads.append((stop, None))
        for number, (head, name) in enumerate(heads[:-1]):
            self._block(head, heads[number + 1][0], name)

    def _block(self, head: int, stop: int, name: bytes | None) -> None:
        data = self.data
        raw = data[head:stop]
        end = trimmed(raw)
        if end < len(raw):
            self._behind(head + end, stop, raw[:end])
            raw = raw[:end]
        if len(raw) > limits.BLOCK_BYTES:
            self._fault(
                "ST107",
                head,
                f"a task of {len(raw)} bytes, more than {limits.BLOCK_BYTES}",
                do="move its long texts to files under assets/",
            )
        if len(self.blocks) >= limits.TASKS:
            self._fault(
                "ST107", head, f"more than {limits.TASKS} tasks", do="move finished tasks to another state document"
            )
        ident = name.decode() if name is not None else self._id(head)
        if ident is None or len(self.faults) >= _FAULTS:
            return
        if b"\r" in raw:
            raw = raw.replace(b"\r\n", b"\n")
        line = self._line(head)
        self.blocks.append(
            Block(id=TaskId(ident), line=line, raw=raw, start=head, end=head + end, fence=len(self.fences))
        )

    def _behind(self, start: int, stop: int, raw: bytes) -> None:
        """What follows a block: comments for the frame, and blank lines that must not be a part of its last text."""
        self._comments(start, stop)
        wide = _WIDE_BLANKS.search(self.data, start, stop)
        if wide is not None and read_block(raw) != read_block(self.data[start - len(raw) : stop]):
            found = "a line of blanks that some readers take for a part of the text above"
            self._fault("ST101", wide.start(), found, do="delete the blanks of that line")

    def _comments(self, start: int, stop: int) -> None:
        """Comment lines at column 0 before or between blocks belong to the frame, blank lines to nothing."""
        if self.data.find(b"#", start, stop) >= 0:
            self.frame += [line for line in self.data[start:stop].splitlines(keepends=True) if line.startswith(b"#")]

    def _id(self, head: int) -> str | None:
        """The id of a head line that is not of the usual form; None, and a fault, where it is no `- id: <scalar>`."""
        text = self._text(head)[2:].rstrip(" ")
        rest = _OTHER_HEAD.fullmatch(text)
        if rest is not None and rest[1][:1] in {"&", "*", "!"}:
            what = {"&": "an anchor", "*": "an alias", "!": "a tag"}[rest[1][0]]
            self._fault("ST103", head, f"{what} as an id: {self._show(head)}", do=_HEAD_DO)
            return None
        ident = scalars.read(rest[1]) if rest is not None else None
        if ident is None:
            self._fault("ST101", head, f"a task that does not start with its id: {self._show(head)}", do=_HEAD_DO)
        return ident

    def _broken(self, at: int) -> None:
        text = self._show(at)
        do = "indent the line by two blanks or more; a task starts with `- ` at the left edge, and prose stands outside of the fence"
        what = "begins with a tab" if self._text(at).lstrip(" ").startswith("\t") else "belongs to no task"
        self._fault("ST101", at, f"a line that {what}: {text}", do=do)

    def _fault(self, code: str, at: int, found: str, *, do: str) -> None:
        self.faults.append(Fault(code=code, line=self._line(at), column=1, found=found, do=do))

    def _line(self, at: int) -> int:
        """The line, from 1, of an offset; offsets that grow cost one scan in all."""
        if at < self._counted_to:
            return self.data.count(b"\n", 0, at) + 1
        self._counted += self.data.count(b"\n", self._counted_to, at)
        self._counted_to = at
        return self._counted

    def _text(self, at: int) -> str:
        end = self.data.find(b"\n", at)
        return self.data[at : end if end >= 0 else None].rstrip(b"\r").decode()

    def _show(self, at: int) -> str:
        return self._text(at).strip(" \t")[: limits.VALUE_SHOWN] or "blanks and tabs"


def _closing_line(data: bytes, start: int, mark: bytes) -> tuple[int, int]:
    """Start and end offset of the line that closes a fence whose first inner line is at `start`; (-1, -1): none."""
    at = start
    while (hit := data.find(mark, at)) >= 0:
        line = data.rfind(b"\n", start - 1, hit) + 1
        end = data.find(b"\n", hit) + 1 or len(data)
        if closes(mark, data[line:end].rstrip(b"\r\n")):
            return line, end
        at = end
    return -1, -1
