"""The strict reading of one task block by the full YAML parser."""

from typing import Final

from codifica_guard import limits
from codifica_guard.model.document import Fault, Task
from codifica_guard.state import characters, scalars
from codifica_guard.state.fields import SWALLOWED
from codifica_guard.state.nodes import Node, Refused, compose

_EXACT: Final = ("id", "state", "owner")  # fields whose text decides who may do what
_BLOCK_STYLES: Final = frozenset({"|", ">"})


def read_strict(raw: bytes) -> Task | Fault:
    """What `read_block` gives, always by the full parser and never from the cache."""
    if len(raw) > limits.BLOCK_BYTES:
        found = f"a task of {len(raw)} bytes, more than {limits.BLOCK_BYTES}"
        return Fault(code="ST107", line=1, found=found, do="move its long texts to files under assets/")
    if raw.startswith(characters.BOM):
        return Fault(
            code="ST108",
            line=1,
            column=1,
            found=f"forbidden character {characters.name(chr(0xFEFF))}",
            do="delete that character",
        )
    fault = characters.document_fault(raw)
    if fault is not None:
        return fault
    text = raw.decode()
    try:
        root, values = compose(text)
        _check_exact(root)
        _check_end(text, values)
    except Refused as refused:
        return refused.fault
    lines = {key.text: key.line + 1 for key, _ in root.fields}
    return Task(data=root.data(), lines=lines, warnings=_warnings(text, values))


def _check_exact(root: Node) -> None:
    """The head line, and the fields whose text must be the same for every reader and every eye."""
    first = root.fields[0] if root.fields else None
    if first is None or first[0].text != "id" or first[0].style is not None or first[0].line != 0:
        raise Refused(
            Fault(
                code="ST101",
                line=1,
                found="a task that does not start with its id",
                do="write the first line as `- id: <id>`",
            )
        )
    value = first[1]
    if value.kind != "scalar" or value.style in _BLOCK_STYLES or value.line != 0 or value.last != 0:
        raise Refused(
            Fault(
                code="ST101",
                line=1,
                found="an id that is no text on the first line",
                do="write the first line as `- id: <id>`",
            )
        )
    for key, node in root.fields:
        if key.text not in _EXACT or node.kind != "scalar" or not node.text:
            continue
        line, column = node.line + 1, node.column + 1
        if key.text != "id" and node.style is None and scalars.TYPED.get(node.text, node.text) is None:
            continue  # every reader takes it for null: a field that is not filled in
        if node.style is None and scalars.differs(node.text):
            found = f"{key.text}: {node.text} is not the same text to every reader of YAML"
            raise Refused(
                Fault(
                    code="ST103",
                    found=found,
                    do=f'put it in quotes: {key.text}: "{node.text}"',
                    line=line,
                    column=column,
                )
            )
        if why := characters.foreign(node.text):
            raise Refused(
                Fault(code="ST108", found=f"{key.text} with {why}", do="write it in ASCII", line=line, column=column)
            )


def _check_end(text: str, values: list[Node]) -> None:
    """A last value that keeps the blank lines behind it would reach beyond the task: those belong to nobody."""
    last = values[-1]
    if last.style in _BLOCK_STYLES and "+" in text[last.start : text.find("\n", last.start)].split("#", 1)[0]:
        raise Refused(
            Fault(
                code="ST101",
                line=last.line + 1,
                column=last.column + 1,
                found=f"{last.style}+ at the end of a task",
                do=f"write {last.style} without +",
            )
        )


def _warnings(text: str, values: list[Node]) -> tuple[Fault, ...]:
    found = []
    for node in values:
        if node.style in _BLOCK_STYLES:
            lines = text[node.start : node.end].split("\n")
            for number, line in enumerate(lines[1:], node.line + 2):
                if hit := SWALLOWED.match(line):
                    do = f"if {hit[1]} is meant as a field, indent it like the other fields"
                    found.append(
                        Fault(
                            code="ST110", line=number, found=f"{hit[1]}: stands inside a text, so it is no field", do=do
                        )
                    )
        elif node.style is None and node.end > node.start:
            end = text.find("\n", node.end)
            rest = text[node.end : end if end >= 0 else len(text)].rstrip("\r")
            cut = rest.lstrip(" ")
            # A comment has a blank behind its mark; `#12` was most likely meant as text.
            if cut != rest and cut[:1] == "#" and cut[1:2].strip():
                do = f'if it belongs to the value, put all in quotes: "{node.text}{rest}"'
                found.append(
                    Fault(
                        code="ST112",
                        line=node.last + 1,
                        column=node.column + 1,
                        found=f"{rest} is cut off as a comment",
                        do=do,
                    )
                )
    return tuple(found)
