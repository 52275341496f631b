"""The first thing that a visitor runs: `simulate` and `check` on a site that agents have built without any guard."""

from pathlib import Path

import pytest

from tests.building import tasks
from tests.building.machine import Done, guard
from tests.unit.cli_simulate.tale import Tale, build

pytestmark = pytest.mark.guard


def program(tale: Tale, *argv: str) -> Done:
    """Run the real program, as somebody who has no key and no settings."""
    return guard(argv, cwd=tale.folder, home=tale.home)


@pytest.mark.parametrize("object_format", ["sha1", "sha256"])
def test_a_site_that_agents_built_is_told_what_would_have_been_refused(tmp_path: Path, object_format: str) -> None:
    site = Tale(tmp_path, object_format=object_format)
    names = [f"SITE-{number}" for number in range(1, 15)]
    nested = tasks.note(
        "agent:claude",
        "How to run it:\n\n    ```sh\n    npm start\n    ```\n\nand\n\n      ~~~yaml\n      - a: b\n      ~~~",
    )
    site.begin(*(build(name, execution_notes=[nested]) for name in names))
    for name in names[:3]:  # by the book, but for who approves
        site.claim(name, when=site.now()).commit(f"{name}: claim")
        site.write(f"src/{name}.ts", "x\n").commit(f"{name}: work")
        site.hand_in(name).commit(f"{name}: hand in", when=1)
        site.close(name).commit(f"{name}: done", when=2)
    for name in names[3:5]:  # at once
        site.move(name, "done", owner="agent:claude", completed_at=site.now()).commit(f"{name}: done", when=3)
    site.claim(names[5], when=site.now()).commit(f"{names[5]}: claim", when=4)  # with less to do
    site.hand_in(names[5], acceptance=["It works"]).commit(f"{names[5]}: hand in", when=5)
    site.replace("title: Task SITE-14", "title: Task `SITE-14`").write("src/a.ts", "a\n").commit(
        "SITE-14: title", when=6
    )
    line = site.read().split("\n").index("  title: Task `SITE-14`") + 1
    broken = site.read().replace("  title: Task `SITE-14`", "  title: Task 14\n  labels:\n    - `new`")
    site.write("work.md", broken).commit("SITE-14: label", when=7)
    site.write("src/a.ts", "b\n").commit("SITE-14: code", when=8)

    told = program(site, "simulate", "--json")
    assert told.code == 1
    data = told.json["data"]
    found = {(f["code"], f["task"]) for f in data["findings"] if f["severity"] == "error"}
    assert {("CD213", name) for name in names[:3]} | {("CD201", name) for name in names[3:5]} | {
        ("CD403", names[5])
    } <= found
    assert [f["task"] for f in data["findings"] if f["code"] == "ST101"] == ["SITE-14"]
    assert {f["actor"] for f in data["findings"] if f["code"] == "CD213"} == {"agent:claude"}

    text = program(site, "simulate").text
    assert "nothing is proven" in text
    assert 'agent:claude changed acceptance, dropped: "It is tested"' in text
    assert text.count("SITE-4  work.md") >= 1

    now = program(site, "check", "--json", "--tree")
    assert (now.code, now.json["data"]["tasks"]) == (1, 14)
    (fault,) = [f for f in now.json["findings"] if f["severity"] == "error"]
    assert (fault["code"], fault["path"], fault["line"], fault["column"]) == ("ST101", "work.md", line + 2, 7)
    assert program(site, "check", "work.md").text.splitlines()[0].startswith(f"work.md:{line + 2}:7: ST101 SITE-14: ")
    assert site.git("status", "--porcelain") == ""
