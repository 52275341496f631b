"""Which fences are found, and where they end: CommonMark's rules one by one."""

import pytest

from codifica_guard.state.fences import Fence, scan


def found(text: str) -> list[tuple[str, int, int | None]]:
    return [(fence.info, fence.open, fence.close) for fence in scan([line.encode() for line in text.split("\n")])]


def test_a_fence_is_told_with_all_that_tells_it_apart() -> None:
    assert scan([b"~~~~ YAML  Title=x\r\n", b"~~~\r\n", b"~~~~~ \r\n"]) == (
        Fence(info="yaml", open=0, close=2, length=4, char="~"),
    )
    assert scan([b"```\xff"]) == (Fence(info="\ufffd", open=0, close=None, length=3, char="`"),)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", []),
        ("```\n```", [("", 0, 1)]),
        ("```yaml\na\n```\n```yml\n```", [("yaml", 0, 2), ("yml", 3, 4)]),
        ("```yaml\n   ```", [("yaml", 0, 1)]),
        ("```yaml\n    ```", [("yaml", 0, None)]),
        ("```yaml\n``` x", [("yaml", 0, None)]),
        ("```yaml\n~~~\n````", [("yaml", 0, 2)]),
        ("````yaml\n```\n````", [("yaml", 0, 2)]),
        ("``` a`b", []),
        ("``", []),
        ("~~~ a`b", [("a`b", 0, None)]),
        (" ```yaml\n```", []),
        ("   ~~~\n```yaml\n~~~\n```yaml", [("yaml", 3, None)]),
        ("    ```yaml", []),
        ("\t```yaml", []),
        ("text\n```yaml", [("yaml", 1, None)]),
        ("text\n    ~~~\n```yaml", [("yaml", 2, None)]),
    ],
)
def test_marks_lengths_and_indentation(text: str, expected: list[tuple[str, int, int | None]]) -> None:
    assert found(text) == expected


@pytest.mark.parametrize(
    "text",
    [
        "> ```yaml", ">```yaml\n> ```", "- ```yaml", "1. ~~~", "- a\n\n  ```yaml", "- a\n  ~~~\n  ```yaml\n  ~~~", "> - ```yaml\n>   x",
        "-\n  ```yaml", "- a\nlazy\n  ```yaml", "10) a\n\n    ```yaml", "-\t```yaml", ">\t```yaml", "> a\nlazy\n> ```yaml", "-   a\n\n    ```yaml", "+     code\n  ```yaml",
        "- > a\n  >\n  > ```yaml", "1. a\n2. b\n   ```yaml",
    ],
)  # fmt: skip
def test_a_fence_in_a_list_or_quote_is_none_of_ours_and_ends_with_it(text: str) -> None:
    assert found(text) == []
    lines = text.count("\n") + 1
    assert found(text + "\n```yaml\n```") == [("yaml", lines, lines + 1)]


@pytest.mark.parametrize(
    ("opening", "closing"),
    [
        ("<!-- a", "-->"), ("<script>", "</script>"), ("<PRE a=b>", "</pre>"), ("<style", "</STYLE>"), ("<textarea>", "</textarea> x"), ("<?php", "?>"),
        ("<!DOCTYPE", ">"), ("<![CDATA[", "]]>"), ("<div>", ""), ("</div>", ""), ("<h1", " "), ("<hr/>", ""), ("<span>", ""), ("</x-y >", ""),
        ("<a href='x' b=\"y\" c=z d />", ""), ("   <div>", ""),
    ],
)  # fmt: skip
def test_a_fence_in_html_is_none_until_the_html_ends(opening: str, closing: str) -> None:
    assert found(f"{opening}\n```yaml\n{closing}\n```yaml") == [("yaml", 3, None)]
    if closing.strip():
        assert found(f"{opening}\n\n```yaml\n{closing}\n```yaml") == [("yaml", 4, None)]


@pytest.mark.parametrize(
    "line",
    [
        "<1>",
        "<span> x",
        "<a b=>",
        "<!a",
        "<!-- a -->",
        "<!-->",
        "<?x?>",
        "<!A>",
        "<pre></pre>",
        "text <div>",
        "    <div>",
        "<https://a.b>",
        "< div>",
        "<![CDATA[]]>",
        "<spa n<>",
    ],
)
def test_what_is_no_html_or_ends_at_once_hides_nothing(line: str) -> None:
    hidden = line == "<!a"  # a declaration runs to the next `>`
    assert found(f"{line}\n```yaml") == ([] if hidden else [("yaml", 1, None)])


@pytest.mark.parametrize(
    ("text", "hidden"),
    [
        ("text\n<span>", False), ("> text\n<span>", False), ("- text\n<span>", False), ("text\n\n<span>", True), ("# head\n<span>", True), ("text\n===\n<span>", True),
        ("text\n-\n<span>", True), ("***\n<span>", True), ("> text\n\n<span>", True), ("- a\n***\n<span>", True), ("text\n<div>", True), ("    code\n<span>", True),
        ("> # head\n<span>", True), ("text\n2. x\n<span>", False), ("text\n-\tx\n<span>", False), ("text\n1.\n<span>", False), ("-\n\n  <div>", True), ("- a\n\n  <div>", False),
        ("> <div>", False), ("- <!--\n", False), ("#x\n<span>", False), ("> a\n===\n<span>", False), ("> a\n---\n<span>", True),
    ],
)  # fmt: skip
def test_a_lone_tag_starts_html_only_where_no_paragraph_goes_on(text: str, hidden: bool) -> None:  # noqa: FBT001
    lines = text.count("\n") + 1
    assert found(f"{text}\n```yaml") == ([] if hidden else [("yaml", lines, None)])


@pytest.mark.parametrize(
    "line",
    [
        b"> " * 999_999,
        b"- " * 999_999 + b"x",
        b"<a" + b" b" * 99_999,
        b"* " * 999_999 + b"x",
        b"<a b=' c=" * 99_999,
        b"`" * 999_999 + b"x`",
        b"\t" * 999_999,
        b"#" * 999_999,
    ],
)
def test_a_long_line_of_marks_costs_no_more_than_its_length(line: bytes) -> None:
    assert scan([line, b"", b"```yaml"]) == (Fence(info="yaml", open=2, close=None, length=3, char="`"),)


def test_a_fence_of_many_marks_is_closed_by_as_many() -> None:
    mark = b"`" * 999_999
    assert [(f.close, f.length) for f in scan([mark, mark[1:], mark, b""])] == [(2, 999_999)]
