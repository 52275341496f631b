"""Where the lines of a field end in the text of a task block, by the parser's marks."""

from codifica_guard.state.nodes import Node


def colon(text: str, key: Node) -> int:
    """The offset behind a field's colon."""
    return text.index(":", key.end) + 1


def line_end(text: str, at: int) -> int:
    """The offset of the line behind the one that an offset lies in."""
    return text.index("\n", at) + 1


def behind(text: str, key: Node, node: Node) -> int:
    """The offset of the line behind a field's last line; blank lines and comments behind its value are no part of it."""
    return behind_value(text, node, node.end if node.end > node.start else colon(text, key))


def behind_value(text: str, node: Node, at: int) -> int:
    """The offset of the line behind a value's last line; `at` is where it ends if nothing of it is written down."""
    leaf, written = node, node.end > node.start
    while leaf.kind != "scalar" and not leaf.flow:
        leaf = leaf.items[-1] if leaf.kind == "list" else leaf.fields[-1][1]
    if written:
        at = leaf.end
    if leaf.style not in {"|", ">"}:
        while text[at - 1] in " \r\n":
            at -= 1
    elif "+" not in text[leaf.start : line_end(text, leaf.start)].split("#", 1)[0]:
        while text[at - 1] in "\r\n":
            at -= 1
    else:
        return at  # the blank lines behind it are a part of it
    return line_end(text, at)
