"""Text in the page: harmless, visible, bounded, wherever it comes from."""

from collections.abc import Callable

import pytest

from codifica_guard.model.act import Deed, Mark
from codifica_guard.model.audited import Artifact, Audit, Key, PolicyChange, TaskNow
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import RepoPath, TaskId
from codifica_guard.model.value import replace
from codifica_guard.report.html import page, pages
from codifica_guard.report.html.text import (
    bare,
    branch,
    count,
    day,
    line,
    name,
    number,
    path,
    prose,
    share,
    until,
    when,
)
from tests.building import audits
from tests.building.web import Web

CODED = '<i class="u">{}</i>'


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("Login form", "Login form"),
        ("<script>", "&lt;script&gt;"),
        ("\"'&amp;", "&quot;&#x27;&amp;amp;"),
        ("Größe, 漢字, café", "Größe, 漢字, café"),
        ("]]></style>", "]]&gt;&lt;/style&gt;"),
        ("a\x00b", "a" + CODED.format("U+0000") + "b"),
        ("a\nb\tc\r", f"a{CODED.format('U+000A')}b{CODED.format('U+0009')}c{CODED.format('U+000D')}"),
        ("\u202egpj", CODED.format("U+202E") + "gpj"),
        ("a\u2066b", "a" + CODED.format("U+2066") + "b"),
        ("\ud800", CODED.format("U+D800")),
        ("\udcff", CODED.format("byte FF")),
        ("\u200b\ufeff", CODED.format("U+200B") + CODED.format("U+FEFF")),
        ("\u3164", CODED.format("U+3164")),
        ("x\ufe0f", "x" + CODED.format("U+FE0F")),
        ("\U000e0041", CODED.format("U+E0041")),
        ("\U000e0100", CODED.format("U+E0100")),
        ("a\u00a0b", "a" + CODED.format("U+00A0") + "b"),
        ("e\u0301", "e\u0301"),
        ("e" + "\u0301" * 5, "e" + "\u0301" * 3 + CODED.format("U+0301") * 2),
        ("שלום", "<bdi>שלום</bdi>"),
        ("", ""),
    ],
)
def test_a_text_on_one_line_shows_what_is_there(text: str, shown: str) -> None:
    assert line(text) == shown


@pytest.mark.parametrize(
    ("show", "text", "shown"),
    [
        (prose, "a\n\tb\x07", "a\n\tb" + CODED.format("U+0007")),
        (prose, "a\n\n\n\nb", "a\n\n" + CODED.format("U+000A") * 2 + "b"),
        (name, "human:\u0430lice", "human:" + CODED.format("U+0430") + "lice"),
        (name, "שלום", "".join(CODED.format(f"U+{ord(c):04X}") for c in "שלום")),
        (bare, 'a"<\n\u202eä', "a&quot;&lt;[U+000A][U+202E][U+00E4]"),
        (bare, "x" * 100, "x" * 80 + "..."),
    ],
)
def test_other_kinds_of_text_as_well(show: Callable[[str], str], text: str, shown: str) -> None:
    assert show(text) == shown


def test_a_long_text_is_cut_and_its_length_is_told() -> None:
    assert line("x" * 10_000) == "x" * 200 + '\u2026 <i class="cut">9,800 more of 10,000 characters</i>'
    assert len(prose("\x00" * 1_000_000)) < 100_000


def test_paths_and_branches_may_be_any_bytes() -> None:
    assert path(b"a/\xff<b>") == f"a/{CODED.format('byte FF')}&lt;b&gt;"
    assert branch(b"refs/heads/\xc3\xa4") == CODED.format("U+00E4")
    assert branch(b"refs/tags/x") == "refs/tags/x"


@pytest.mark.parametrize(
    ("seconds", "shown"),
    [
        (None, "\u2013"),
        (0, "1970-01-01 00:00:00Z"),
        (2**62, "?"),
        (-(2**62), "?"),
        (audits.START, "2026-11-30 09:00:00Z"),
    ],
)
def test_times_are_in_utc_whatever_they_are(seconds: int | None, shown: str) -> None:
    assert when(seconds) == shown
    assert day(seconds) == shown[:10]


def test_numbers_are_read_easily_and_never_rounded_up() -> None:
    assert (number(12_345), count(1, "task"), count(1_200, "task"), count(2, "branch", "branches")) == (
        "12,345",
        "1 task",
        "1,200 tasks",
        "2 branches",
    )
    assert [share(*pair) for pair in ((999_999, 1_000_000), (1, 1), (0, 5), (1, 10_000), (1, 3), (0, 0))] == [
        "99.9 %",
        "100 %",
        "0 %",
        "&lt; 0.1 %",
        "33.3 %",
        "\u2013",
    ]
    assert until(0) == "1970-01-01"
    assert until(1) == "1970-01-01 00:00:01Z"


# -- the whole page


EVIL = [
    "<script>alert(1)</script>",
    "</title></style></head><body onload=alert(1)>",
    "\" onmouseover=alert(1) x='",
    "' autofocus onfocus='x",
    "]]><!--",
    "--><svg onload=alert(1)>",
    "</svg><img src=x onerror=alert(1)>",
    "javascript:alert(1)",
    "\u202e\u2066\u0000\ud800\x1b[31m",
    "&lt;b&gt;&#60;i&#62;",
    "</details></section></main></table></td>",
    "x" * 10_000,
    "<plaintext>",
    "{{7*7}}${7*7}<%= 7 %>",
]
BOGUS = "agent:x"


def _filled(evil: str) -> Audit:
    """An audit in which every text is the same one."""
    raw = evil.encode("utf-8", "replace")
    task = TaskId(evil)
    act = audits.act(evil, evil, "in_progress", evil, audits.START, claimed=evil, key=evil, owner=evil, session=evil, reason=evil, summary=evil, review=evil, edited=(evil,), acceptance=(evil,), migration=evil)  # fmt: skip
    more = replace(act, at=audits.START + 50 * audits.DAY, actor=None, mark=Mark.UNPROVEN, acceptance=(evil, evil + "2"), target="to_be_tested", deed=Deed.HAND_IN)  # fmt: skip
    last = replace(more, at=audits.START + 51 * audits.DAY, actor=evil, source="to_be_tested", target="done", deed=Deed.APPROVE)  # fmt: skip
    finding = Finding(code=evil, name=evil, severity=Severity.ERROR, found=evil, expected=evil, do=(evil,), path=RepoPath(raw), line=1, column=1, task=task, ref=raw, actor=evil)  # fmt: skip
    small, hostile = audits.small(), audits.hostile()
    return replace(
        hostile,
        name=evil,
        guard=evil,
        anchor=replace(hostile.anchor, by=evil, key=evil),
        branches=tuple(replace(told, ref=raw) for told in small.branches),
        chain=replace(small.chain, servers=((evil, evil),), gaps=(replace(small.chain.gaps[0], ref=raw),)),
        acts=(act, more, last),
        findings=(replace(small.findings[0], finding=finding, ref=None, check=(evil,)),),
        notes=(evil,),
        keys=(Key(principal=evil, fingerprint=evil, revoked=audits.oid("x"), revoker=evil), Key(principal=BOGUS, fingerprint=evil)),
        policies=(PolicyChange(commit=audits.oid("x"), at=0, actor=evil, key=evil, subject=evil, lines=("=" + evil, "+" + evil, "-" + evil)),),
        pauses=tuple(replace(p, receipt=replace(p.receipt, reason=evil, refused=(evil,), ref=raw, pusher=replace(p.receipt.pusher, name=evil, by=evil)), findings=(finding,)) for p in hostile.pauses),
        introductions=tuple(replace(r, reason=evil) for r in hostile.introductions),
        tasks=(TaskNow(task=task, title=evil, type=evil, state=evil, owner=evil, acceptance=(evil,), notes=((evil, evil, evil),), artifacts=(Artifact(path=evil, kind=evil, present=False),)),),
        filters={evil: evil},
    )  # fmt: skip


def _shape(data: bytes) -> list[tuple[str, tuple[str, ...], str]]:
    """What a browser makes of a page: elements, their attributes' names, and those values that do something."""
    acting = ("class", "href", "id", "role", "scope", "lang", "content", "http-equiv")
    return [
        (e.name, tuple(e.attrs), " ".join(f"{n}={e.attrs[n]}" for n in acting if n in e.attrs))
        for e in Web(data).elements()
        if e.name not in {"i", "bdi"}
    ]


@pytest.mark.parametrize("evil", EVIL)
def test_no_element_and_no_attribute_comes_from_a_text(evil: str) -> None:
    harmless = "y" * len(evil) if len(evil) > 200 else "harmless"
    for make in (page, lambda audit: pages(audit)["tasks/1.html"]):
        data, plain = make(_filled(evil)), make(_filled(harmless))
        assert _shape(data) == _shape(plain)
        assert Web(data).errors == []


@pytest.mark.parametrize("evil", [e for e in EVIL if e.isascii() and e.isprintable() and len(e) < 40])
def test_what_was_written_is_read_as_it_was_written(evil: str) -> None:
    web = Web(page(_filled(evil)))
    assert [web.text(selector) for selector in ("h1", ".find .what", "#s8 h3", "#s6 summary h3")] == [evil] * 4


def test_no_hidden_character_is_in_the_bytes() -> None:
    data = page(audits.hostile()).decode()
    assert not [c for c in data if not c.isprintable() and c != "\n"]
