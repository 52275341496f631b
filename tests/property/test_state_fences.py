"""The fence scanner agrees with an independent CommonMark parser."""

from hypothesis import example, given, settings
from hypothesis import strategies as st
from markdown_it import MarkdownIt

from codifica_guard.state.fences import scan

PARSER = MarkdownIt("commonmark")
PIECES = st.sampled_from(
    [
        "", "", " ", "   ", "text", "more text", "# Head", "#no head", "===", "---", "-", "- item", "-  item", "-\titem", "*", "* * *",
        "1. one", "2. two", "10) ten", "01. one", "1.", "> quote", ">quote", ">", ">\tquote", "> - item", "- > quote", "- - deep", "-     code",
        "```", "```yaml", "``` YML x", "````", "~~~", "~~~ yaml", "~~~~yaml ~", "``` a`b", "```\t", "`` no", "~~", "- ```yaml", "> ~~~", "1. ~~~",
        "<div>", "</div>", "<div", "<div/>", "<!-- a", "-->", "<!-- a -->", "<!-->", "<?php", "?>", "<!DOCTYPE", ">", "<![CDATA[", "]]>", "<script>",
        "</script>", "<PRE", "</pre>", "<span>", "<a href='x' b>", "</span >", "<span> x", "<1>", "<x-y a=b/>", "<search>", '<a b="c\nd">', "- <div>", "> <span>",
        "\ttab", "- id: A", "  state: todo", "\\", "[a](b)", "`code`", "***", "___", "_ _", "<https://a.b>",
    ]
)  # fmt: skip
LINES = st.tuples(
    st.sampled_from(["", "", "", "", " ", "  ", "   ", "    ", "     ", "\t", " \t", "      "]), PIECES
).map("".join)


def oracle(text: str) -> list[tuple[str, int, int | None, int, str]]:
    lines = text.replace("\r\n", "\n").split("\n")
    found = []
    for token in PARSER.parse(text):
        if (
            token.type == "fence"
            and token.level == 0
            and token.map is not None
            and lines[token.map[0]][:1] in ("`", "~")
        ):
            start, end = token.map
            last = lines[end - 1] if end <= len(lines) else ""
            closed = (
                end - 1 > start
                and not last.expandtabs(4).startswith("    ")
                and last.strip(" \t").startswith(token.markup)
                and not last.strip(" \t").strip(token.markup[0])
            )
            words = token.info.split()
            found.append(
                (
                    words[0].lower() if words else "",
                    start,
                    end - 1 if closed else None,
                    len(token.markup),
                    token.markup[0],
                )
            )
    return found


def ours(text: str) -> list[tuple[str, int, int | None, int, str]]:
    return [(f.info, f.open, f.close, f.length, f.char) for f in scan([line.encode() for line in text.split("\n")])]


def without_lazy_marks(text: str) -> str:
    """The text with plain words in place of what is indented by four or more.

    markdown-it asks how far a line is indented beyond the list item that it does not belong to, so it takes a heading, a quote or the like, four
    blanks in, for the end of the item's paragraph. By the specification it cannot begin there, and is a lazy continuation: plain words.
    """
    return "\n".join("    words" if line.expandtabs(4).startswith("    ") else line for line in text.split("\n"))


@settings(max_examples=800, deadline=None)
@given(st.lists(LINES, max_size=14), st.sampled_from(["\n", "\n", "\r\n"]))
@example(["- a", "b", "  ~~~", "```yaml"], "\n")
@example(["> a", "<span>", "```yaml"], "\n")
@example(["-", "", "  ~~~", "```yaml"], "\n")
@example(["  -  item", "    # Head", "</script>", "```"], "\n")
def test_the_fences_are_those_of_commonmark(lines: list[str], end: str) -> None:
    text = end.join(line.replace("\n", end) for line in lines)
    assert ours(text) == oracle(text) or ours(text) == oracle(without_lazy_marks(text))
