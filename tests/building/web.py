"""A page, read as browsers read it: what is in it, and what is said where."""

from collections.abc import Iterator

from justhtml import JustHTML
from justhtml.dom import Element, Node


class Web:
    """A page of HTML."""

    def __init__(self, data: bytes) -> None:
        self.data = data
        self.document = JustHTML(data, sanitize=False, collect_errors=True, encoding="utf-8")
        self._named: dict[str, Element] = {}
        self.errors = list(self.document.errors)

    def all(self, selector: str) -> list[Element]:
        """Elements that a selector of CSS means."""
        return [node for node in self.document.query(selector) if isinstance(node, Element)]

    def one(self, selector: str) -> Element:
        """The one element that a selector means."""
        (found,) = self.all(selector)
        return found

    def text(self, selector: str = "body") -> str:
        """The text of the one element that a selector means."""
        return text_of(self.one(selector))

    def elements(self) -> Iterator[Element]:
        """All elements."""
        return _walk(self.document.root)

    def at(self, href: str) -> str:
        """The text of what a link inside the page leads to."""
        if not self._named:
            self._named = {ident: element for element in self.elements() if (ident := element.attrs.get("id"))}
        return text_of(self._named[href.removeprefix("#")])

    def table(self, selector: str) -> list[list[str]]:
        """The rows of a table, heads too: the text of each cell."""
        return [
            [text_of(cell) for cell in row.children if isinstance(cell, Element)] for row in self.all(f"{selector} tr")
        ]

    def ids(self) -> list[str]:
        """All names that links can lead to."""
        return [ident for element in self.elements() if (ident := element.attrs.get("id")) is not None]

    def links(self) -> list[str]:
        """Where links lead."""
        return [href for element in self.elements() if element.name == "a" and (href := element.attrs.get("href"))]


def text_of(node: Node) -> str:
    """All text in a node, as it stands there."""
    if node.name == "#text":
        return str(node.data or "")
    return "".join(text_of(child) for child in node.children or ())


def _walk(node: Node) -> Iterator[Element]:
    for child in node.children or ():
        if isinstance(child, Element):
            yield child
        yield from _walk(child)
