"""The page as a whole: whole, bounded, the same every time, and with nothing in it that a browser would load or run."""

import hashlib
import os
import re
import subprocess
import sys
from collections.abc import Callable
from itertools import pairwise
from typing import Final

import pytest

from codifica_guard.model.act import BORN
from codifica_guard.model.audited import Audit
from codifica_guard.model.value import replace
from codifica_guard.report.html import page, pages
from codifica_guard.report.html.page import POLICY
from codifica_guard.report.html.style import DRAWN, STYLE
from tests.building import audits
from tests.building.web import Web, text_of

MAKERS: Final[list[Callable[[], Audit]]] = [
    audits.clean,
    audits.empty,
    audits.hostile,
    audits.small,
    audits.unreceipted,
]


@pytest.mark.parametrize("make", MAKERS)
def test_the_same_audit_gives_the_same_bytes(make: Callable[[], Audit]) -> None:
    assert page(make()) == page(make())
    assert pages(make()) == pages(make())


def test_no_order_of_a_set_gets_into_the_bytes() -> None:
    script = (
        "import sys, hashlib; from tests.building import audits; from codifica_guard.report.html import page;"
        "sys.stdout.write(hashlib.sha256(b''.join(page(m()) for m in (audits.small, audits.hostile))).hexdigest())"
    )
    told = set()
    for seed in ("0", "1", "2"):
        env = os.environ | {"PYTHONHASHSEED": seed, "TZ": "Asia/Tokyo" if seed == "1" else "UTC", "LC_ALL": "C"}
        told.add(subprocess.run([sys.executable, "-c", script], env=env, capture_output=True, check=True).stdout)
    assert told == {hashlib.sha256(page(audits.small()) + page(audits.hostile())).hexdigest().encode()}


@pytest.mark.parametrize("make", MAKERS)
def test_it_is_read_without_a_fault_and_every_link_leads_somewhere(make: Callable[[], Audit]) -> None:
    web = Web(page(make()))
    assert web.errors == []
    ids = web.ids()
    assert len(ids) == len(set(ids))
    for href in web.links():
        assert href.startswith("#")
        assert href[1:] in ids
    for element in web.elements():
        for name in ("aria-labelledby",):
            assert set((element.attrs.get(name) or "").split()) <= set(ids)


@pytest.mark.parametrize("make", MAKERS)
def test_a_browser_is_told_to_load_nothing_and_finds_nothing_to_load(make: Callable[[], Audit]) -> None:
    data = page(make())
    web = Web(data)
    assert data.startswith(b'<!DOCTYPE html>\n<html lang="en"><head><meta charset="utf-8">')
    assert web.one("meta[http-equiv=Content-Security-Policy]").attrs["content"] == POLICY
    assert POLICY == "default-src 'none'; style-src 'unsafe-inline'; img-src data:"
    for element in web.elements():
        assert element.name not in {"script", "link", "img", "iframe", "object", "embed", "base", "form", "image"}
        for name, value in element.attrs.items():
            assert not name.startswith("on")
            assert name not in {"src", "srcset", "xlink:href", "action"}
            assert name != "style" or re.fullmatch(r"((fill|stroke|stroke-width):[a-z0-9.()A-Z-]+;?)+", value or "")
            if name == "href":
                assert (value or "").startswith("#")
    for style in (STYLE, DRAWN):
        assert re.findall(r"url\((?!#)|@import|https?:|src:", style) == []


@pytest.mark.parametrize("make", MAKERS)
def test_headings_descend_one_by_one_tables_name_their_columns_and_drawings_what_they_show(
    make: Callable[[], Audit],
) -> None:
    web = Web(page(make()))
    levels = [int(element.name[1]) for element in web.elements() if re.fullmatch("h[1-6]", element.name)]
    assert levels[0] == 1
    assert levels.count(1) == 1
    assert all(after <= before + 1 for before, after in pairwise(levels))
    for cell in web.all("th"):
        assert cell.attrs["scope"] in {"col", "row"}
    for table in web.all("table"):
        assert table.query("th")
    for drawing in web.all("svg:not(.h)"):
        hidden = drawing.attrs.get("aria-hidden") == "true"
        assert hidden or (drawing.attrs["role"] == "img" and drawing.query("title"))


def test_the_sections_are_all_there_in_their_order() -> None:
    heads = [text_of(head) for head in Web(page(audits.empty())).all("h2")]
    assert heads == [
        "1Open findings",
        "2Signature coverage",
        "3Who did what",
        "4Separation of duties",
        "5Task timelines",
        "6Each task",
        "7Keys",
        "8Policy changes",
        "9Pauses, migrations, re-introductions",
        "10How to check this without us",
    ]


def test_the_head_tells_verdict_trust_and_what_was_judged() -> None:
    said = Web(page(audits.small())).text("header")
    for words in (
        "2 errors, 1 warning",
        "21 transitions of 6 tasks: S 10 signed · T 6 signed, token · H 3 signed, touched · A 1 attested · U 1 unproven",
        audits.oid("introduction").decode(),
        "! not pinned by you:",
        "--introduction",
        "1 to 212, ✓ one whole chain",
        "✗ 14 commits came in without one, in 1 gap",
        "main: 9,940 commits up to " + audits.oid("tip").decode(),
        "ruleset 1",
    ):
        assert words in said


@pytest.mark.parametrize(
    ("audit", "words"),
    [
        (audits.clean(), "Nothing is broken"),
        (replace(audits.small(), findings=audits.small().findings[2:]), "No error, 1 warning"),
        (replace(audits.small(), findings=audits.small().findings[:1]), "1 error"),
        (audits.clean(), "the one that you named, or that your clone had pinned"),
        (audits.unreceipted(), "none: the order of pushes is taken from first parents"),
        (replace(audits.small(), chain=replace(audits.small().chain, held=False)), "what follows them is not believed"),
        (
            replace(audits.unreceipted(), chain=replace(audits.unreceipted().chain, held=False)),
            "none of those that are",
        ),
        (audits.empty(), "No task was moved."),
        (replace(audits.empty(), branches=()), "no branch"),
    ],
)
def test_the_head_tells_each_case(audit: Audit, words: str) -> None:
    assert words in Web(page(audit)).text("header")


def test_a_narrowed_report_says_so_first_and_keeps_the_verdict_of_the_whole() -> None:
    whole = audits.small()
    part = replace(whole, findings=(), filters={"--task": "FEAT-101", "--weekly": ""})
    web = Web(page(part, whole))
    told = web.text(".narrowed")
    assert "This report is narrowed down: --task FEAT-101 --weekly." in told
    assert web.text(".verdict .says") == "2 errors, 1 warning"
    assert Web(page(part)).text(".verdict .says") == "No error outside pauses"
    assert "stands in section 9" in Web(page(part)).text("body")
    assert Web(page(replace(part, pauses=()))).text(".verdict .says") == "Nothing is broken"
    assert Web(page(whole)).all(".narrowed") == []
    preview = Web(page(replace(whole, preview=True, ruleset=2))).text(".narrowed")
    assert "judged by ruleset 2" in preview


def test_two_thousand_tasks_and_ten_thousand_transitions_stay_below_five_megabytes() -> None:
    audit = audits.large(2_000, 10_000)
    data = page(audit)
    assert len(data) < 5_000_000
    assert data.count(b'<details class="task"') == 2_000
    assert data.count(b"<tr><td>2026-") + data.count(b"<tr><td>2027-") >= 10_000


def test_more_tasks_are_listed_and_told_to_be_in_the_folder() -> None:
    audit = audits.large(2_001, 2_500)
    web = Web(page(audit))
    assert web.all("details.task") == []
    assert len(web.all("#s6 tbody tr")) == 2_001
    assert "are left out here" in web.text("#s6")
    assert set(web.links()) <= {f"#{ident}" for ident in web.ids()}


def test_of_more_lanes_than_that_those_of_the_tasks_that_moved_last_are_drawn() -> None:
    acts = [audits.act(f"T-{n}", BORN, "todo", audits.ALICE, audits.START - n * 600) for n in range(2_001)]
    data = page(replace(audits.empty(), acts=tuple(acts)))
    assert b"Shown are the 2,000 tasks that moved last, of 2,001." in data
    assert (b">T-1999</a>" in data, b">T-2000</a><svg" in data) == (True, False)


def test_a_folder_holds_a_hundred_tasks_a_sheet_and_its_links_fit() -> None:
    files = pages(audits.large(250, 700))
    assert list(files) == ["index.html", "tasks/1.html", "tasks/2.html", "tasks/3.html"]
    webs = {name: Web(data) for name, data in files.items()}
    assert [len(webs[f"tasks/{n}.html"].all("details.task")) for n in (1, 2, 3)] == [100, 100, 50]
    ids = {name: set(web.ids()) for name, web in webs.items()}
    seen = 0
    for name, web in webs.items():
        assert web.errors == []
        for href in web.links():
            target, _, ident = href.partition("#")
            if target:
                seen += 1
                target = os.path.normpath(os.path.join(os.path.dirname(name), target))  # noqa: PTH118, PTH120
            assert ident in ids[target or name]
    assert seen > 250


@pytest.mark.parametrize("make", MAKERS)
def test_a_folder_of_any_audit_is_sound(make: Callable[[], Audit]) -> None:
    for name, data in pages(make()).items():
        web = Web(data)
        assert web.errors == []
        assert POLICY.encode() in data
        assert name == "index.html" or web.all("details.task")


# -- colours


def _colours(head: str) -> dict[str, str]:
    told = STYLE.partition(head)[2].partition("}")[0]
    return dict(re.findall(r"--(\w+):(#[0-9a-f]{3,6})", told))


def _light(colour: str) -> float:
    digits = "".join(c * 2 for c in colour[1:]) if len(colour) == 4 else colour[1:]
    parts = [int(digits[n : n + 2], 16) / 255 for n in (0, 2, 4)]
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in parts)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _contrast(one: str, other: str) -> float:
    bright, dark = sorted((_light(one), _light(other)), reverse=True)
    return (bright + 0.05) / (dark + 0.05)


TEXT: Final = [
    ("ink", "paper"), ("ink", "wash"), ("ink", "badwash"), ("ink", "warnwash"), ("ink", "goodwash"), ("soft", "paper"),
    ("soft", "wash"), ("soft", "grey"), ("link", "paper"), ("bad", "paper"), ("bad", "badwash"), ("warn", "paper"),
    ("warn", "warnwash"), ("good", "paper"), ("good", "goodwash"), ("on", "S"), ("on", "T"), ("on", "H"), ("A", "paper"),
    ("U", "paper"),
]  # fmt: skip
DRAWN_ON_PAPER: Final = ["S", "T", "H", "A", "U", "work", "test", "done", "block", "no", "hatch", "todo"]


@pytest.mark.parametrize("head", [":root{--paper", "color-scheme:dark;"])
def test_text_and_drawings_stand_out_from_their_ground_as_wcag_aa_asks(head: str) -> None:
    colours = _colours(head) | ({"paper": "#fff"} if head.endswith("paper") else {})
    weak = [(one, other) for one, other in TEXT if _contrast(colours[one], colours[other]) < 4.5]
    weak += [(one, "paper") for one in DRAWN_ON_PAPER if _contrast(colours[one], colours["paper"]) < 3]
    assert weak == []
