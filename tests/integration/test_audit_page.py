"""The audit's page as others meet it: a validator, a browser, and somebody with nothing but git and ssh-keygen."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any, Final

import pytest

from codifica_guard.model.act import Act
from codifica_guard.model.audited import Anchor, Audit, Branch, Chain
from codifica_guard.model.identity import Proof
from codifica_guard.model.ids import ObjectId, TaskId
from codifica_guard.model.value import replace
from codifica_guard.report.html import page, pages
from tests.building import Clone, Repo, audits
from tests.building.browser import Browser
from tests.building.machine import Done, run
from tests.building.web import Web, text_of

BIN: Final = Path(sys.executable).parent

AUDITS: Final[Mapping[str, Callable[[], Audit]]] = {
    "clean": audits.clean,
    "empty": audits.empty,
    "hostile": audits.hostile,
    "small": audits.small,
    "unreceipted": audits.unreceipted,
}


# -- by a validator


@pytest.fixture(scope="session")
def validate(tmp_path_factory: pytest.TempPathFactory) -> Callable[[Mapping[str, bytes]], dict[str, list[str]]]:
    """Holds pages against html-validate, as npm brings it: what is wrong with each."""
    folder = tmp_path_factory.mktemp("validator")
    (folder / "package.json").write_text('{"name": "x", "version": "1.0.0", "private": true}\n')
    kinds = [f"html-validate:{name}" for name in ("standard", "document", "a11y")]
    (folder / ".htmlvalidate.json").write_text(json.dumps({"root": True, "extends": kinds}))
    env = os.environ | {"PATH": f"{BIN}:{os.environ['PATH']}"}
    words = ["install", "--no-audit", "--no-fund", "--ignore-scripts", "--no-progress", "html-validate@11"]
    done = subprocess.run([BIN / "npm", *words], cwd=folder, env=env, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout + done.stderr

    def check(files: Mapping[str, bytes]) -> dict[str, list[str]]:
        names = {f"{number}.html": name for number, name in enumerate(files)}
        for number, name in names.items():
            (folder / number).write_bytes(files[name])
        program = folder / "node_modules" / "html-validate" / "bin" / "html-validate.mjs"
        argv: list[str | Path] = [BIN / "node", program, "--formatter", "json", *names]
        with (folder / "told.json").open("wb") as file:  # a pipe would be cut off
            told = subprocess.run(argv, cwd=folder, env=env, stdout=file, stderr=subprocess.PIPE, check=False)
        assert told.returncode in {0, 1}, told.stderr
        wrong: dict[str, list[str]] = {name: [] for name in files}
        for report in json.loads((folder / "told.json").read_bytes()):
            wrong[names[Path(report["filePath"]).name]] = [message["ruleId"] for message in report["messages"]]
        return wrong

    return check


def test_a_validator_finds_nothing(validate: Callable[[Mapping[str, bytes]], dict[str, list[str]]]) -> None:
    files = {name: page(make()) for name, make in AUDITS.items()}
    folder = pages(audits.large(2_100, 2_500))
    files |= {
        "a folder": folder["index.html"],
        "its sheet": folder["tasks/2.html"],
        "its last": folder["tasks/21.html"],
    }
    files["too many"] = page(audits.large(2_100, 2_500))
    assert validate(files) == {name: [] for name in files}


BROKEN: Final = {
    "close-order": (b"</section>", b"</p></section>"),
    "no-dup-id": (b'id="s2"', b'id="s1"'),
    "attribute-allowed-values": (b'scope="col"', b'scope="colonel"'),
    "element-permitted-content": (b'<ul class="legend">', b'<ul class="legend"><p>x</p>'),
    "heading-level": (b"<h1>", b"<h4>x</h4><h1>"),
    "no-missing-references": (b'aria-labelledby="h1"', b'aria-labelledby="nothing"'),
    "wcag/h37": (b"<footer>", b'<footer><img src="data:,">'),
    "wcag/h32": (b"<footer>", b"<footer><form></form>"),
    "wcag/h63": (b'<th scope="col">Mark</th>', b"<th>Mark</th>"),
}


def test_the_validator_would_find_what_is_wrong(
    validate: Callable[[Mapping[str, bytes]], dict[str, list[str]]],
) -> None:
    good = page(audits.small())
    broken = {rule: good.replace(old, new, 1) for rule, (old, new) in BROKEN.items()}
    assert good not in broken.values()
    found = validate(broken)
    assert [rule for rule in broken if rule not in found[rule]] == []


# -- in a browser


@pytest.fixture(scope="module")
def browser(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Browser]:
    """A browser, where there is one."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None:
        pytest.skip("there is no chromium here")
    with Browser(program, tmp_path_factory.mktemp("browser")) as opened:
        yield opened


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """All pages as files."""
    made = tmp_path_factory.mktemp("pages")
    for name, make in AUDITS.items():
        (made / f"{name}.html").write_bytes(page(make()))
    for name, data in pages(audits.large(150, 600)).items():
        (made / "folder" / name).parent.mkdir(parents=True, exist_ok=True)
        (made / "folder" / name).write_bytes(data)
    return made


@pytest.mark.parametrize("width", [1400, 420])
@pytest.mark.parametrize("name", [*AUDITS, "folder/index", "folder/tasks/2"])
def test_a_browser_loads_nothing_else_complains_of_nothing_and_fits_it_into_its_window(
    browser: Browser, folder: Path, name: str, width: int
) -> None:
    file = folder / f"{name}.html"
    browser.open(file, width)
    assert browser.requested() == [file.as_uri()]
    assert browser.complaints() == []
    assert browser.value("innerWidth") == width
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.value("document.scripts.length") == 0
    assert browser.value("document.compatMode") == "CSS1Compat"
    browser.value("document.querySelectorAll('details').forEach(d => d.open = true)")
    assert browser.value("document.documentElement.scrollWidth") <= width
    assert browser.picture().startswith(b"\x89PNG")


def test_what_is_folded_on_a_screen_is_open_on_paper(browser: Browser, folder: Path) -> None:
    browser.open(folder / "small.html", 794)
    height = "document.querySelector('.task table').getBoundingClientRect().height"
    shown = "document.querySelector('.task table').checkVisibility({contentVisibilityAuto: true})"
    assert browser.value(shown) is False
    browser.media("print")
    assert browser.becomes(shown, wanted=True)
    assert browser.value(height) > 50
    assert browser.value("document.documentElement.scrollWidth") <= 794
    browser.media()
    data = browser.pdf()
    assert data.startswith(b"%PDF")
    assert data.count(b"/Type /Page\n") >= 5
    assert b"[0 0 595" in data or b"[0 0 594" in data, "it is not A4"


def test_in_the_dark_it_is_dark_and_on_paper_it_never_is(browser: Browser, folder: Path) -> None:
    browser.open(folder / "small.html", 1400)
    ground = "getComputedStyle(document.body).backgroundColor"
    assert browser.becomes(ground, "rgb(255, 255, 255)")
    browser.media(prefers_color_scheme="dark")
    assert browser.becomes(ground, "rgb(20, 23, 27)")
    browser.media("print", prefers_color_scheme="dark")
    assert browser.becomes(ground, "rgb(255, 255, 255)")
    browser.media()


def test_the_browser_would_tell_of_a_script_and_of_what_is_loaded(browser: Browser, tmp_path: Path) -> None:
    bad = page(audits.small()).replace(
        b"</main>", b'<img src="x.png" alt=""><script>document.title = "x"</script></main>', 1
    )
    (tmp_path / "bad.html").write_bytes(bad)
    browser.open(tmp_path / "bad.html", 1400)
    assert len(browser.complaints()) >= 2
    assert browser.value("document.title") != "x"


# -- by hand


@pytest.fixture
def approved(repo: Repo) -> Clone:
    """Two approvals that are in, one signed by trailers, one by Git, and the server's receipts of them."""
    repo.task("FEAT-1", "to_be_tested", "agent:builder").task("FEAT-2", "to_be_tested", "agent:builder")
    repo.found()
    alice = repo.clone("alice")
    key = " ".join((repo.bare / "codifica-guard" / "receipt_ed25519.pub").read_text().split()[:2])
    signers = alice.read(".codifica/allowed_signers")
    alice.write(".codifica/allowed_signers", f'{signers}server:shop namespaces="git" {key}\n').commit(
        "The server's key"
    )
    alice.push().accepted()
    alice.approve("FEAT-1").commit("FEAT-1: approve", proof="trailers").push().accepted()
    alice.approve("FEAT-2").commit("FEAT-2: approve", proof="git").push().accepted()
    alice.git("fetch", "-q", "origin", "+refs/codifica/*:refs/codifica/*")
    return alice


def oid(clone: Clone, rev: str) -> ObjectId:
    return ObjectId(clone.head(rev).encode())


def audit_of(clone: Clone, proof: Proof) -> Audit:
    """An audit by hand of what a clone has, with one transition that is proven so."""
    rev, task = ("HEAD~1", "FEAT-1") if proof is Proof.TRAILER else ("HEAD", "FEAT-2")
    done: Act = audits.act(task, "to_be_tested", "done", "human:alice", 0, commit=oid(clone, rev), proof=proof)
    last = int(clone.git("rev-list", "--count", "refs/codifica/receipts"))
    server = clone.git("show", "-s", "--format=%an", "refs/codifica/receipts")
    return Audit(
        name="shop",
        guard="1.1.0",
        ruleset=1,
        anchor=Anchor(commit=oid(clone, "HEAD~3"), by="human:alice", key="SHA256:x", pinned=False),
        branches=(Branch(ref=audits.MAIN, tip=oid(clone, "HEAD"), commits=3, order="receipts", coordinating=True),),
        chain=Chain(first=1, last=last, servers=((server, "SHA256:x"),)),
        acts=(done,),
    )


def commands(audit: Audit) -> dict[str, list[str]]:
    """The commands of section 10, step by step."""
    steps = Web(page(audit)).all("#s10 li")
    return {text_of(step.query("h3")[0]): [text_of(block) for block in step.query("pre")] for step in steps}


def in_shell(clone: Clone, folder: Path, lines: list[str]) -> Done:
    """What a shell with git and ssh-keygen comes to."""
    script = "set -e\n" + "\n".join(lines).replace("URL", str(clone.repo.bare)) + "\n"
    return run(["/bin/sh", "-c", script], cwd=folder, home=clone.home, env={"PATH": os.defpath}, check=False)


GOOD: Final = 'Good "codifica-guard" signature for human:alice'


def test_the_commands_hold_without_the_guard(approved: Clone, tmp_path: Path) -> None:
    trailed, signed = audit_of(approved, Proof.TRAILER), audit_of(approved, Proof.GIT)
    told = commands(trailed)
    get, anchor, receipts = told["Get all of it"], told["The anchor"][:1], told["The receipts"]
    one, other = told["One transition, signed by a trailer"], commands(signed)["One transition, signed by Git"]
    lines = [*get, *anchor, *receipts, *one, *other, *told["Keys that no longer count"]]
    done = in_shell(approved, tmp_path, lines)
    assert done.code == 0, done.said
    assert GOOD in done.said
    assert done.said.count('Good "git" signature for human:alice') == 2, "the introduction, and the other approval"
    tip = approved.head()
    assert done.out.startswith(b"it does\n")
    seen = [line for line in done.out.decode().splitlines() if " receipt " in line]
    assert len(seen) == trailed.chain.last
    assert all(line.startswith("G server:") for line in seen), seen
    assert f"\n{trailed.chain.last}\n" in done.out.decode()
    assert f'"refs/heads/main": "{tip}"' in done.out.decode()


@pytest.mark.parametrize(("old", "new"), [("FEAT-1", "FEAT-2"), ("human:alice", "human:bob")])
def test_they_fail_for_another_task_and_for_another_name(approved: Clone, tmp_path: Path, old: str, new: str) -> None:
    told = commands(audit_of(approved, Proof.TRAILER))
    one = [block.replace(old, new) for block in told["One transition, signed by a trailer"]]
    done = in_shell(approved, tmp_path, [*told["Get all of it"], *one])
    assert done.code != 0
    assert GOOD not in done.said


def test_an_introduction_that_is_signed_by_a_trailer_is_checked_by_the_second_block(repo: Repo, tmp_path: Path) -> None:
    alice = repo.not_introduced().found().clone("alice")
    done = alice.guard("init", "--yes", "--as", "human:alice", "--key", repo.keys.public("alice"), "--agent", "builder")
    assert done.code == 0, done.said
    alice.push().accepted()
    approving = replace(
        Audit(
            name="shop",
            guard="1",
            ruleset=1,
            anchor=Anchor(commit=oid(alice, "HEAD"), by="human:alice", key="SHA256:x", pinned=True),
            branches=(Branch(ref=audits.MAIN, tip=oid(alice, "HEAD"), commits=1, order="first parents"),),
        )
    )
    told = commands(approving)
    first, second = told["The anchor"]
    by_trailer = in_shell(
        alice, tmp_path, [*told["Get all of it"], first.replace("git -c gpg", ": git -c gpg"), second]
    )
    assert by_trailer.code == 0, by_trailer.said
    assert GOOD in by_trailer.said
    again = tmp_path / "again"
    again.mkdir()
    forged = second.replace("sum() { git", "sum() { echo x; git")
    assert (
        in_shell(alice, again, [*told["Get all of it"], first.replace("git -c gpg", ": git -c gpg"), forged]).code != 0
    )


def test_of_an_audit_without_an_example_the_commands_say_what_to_put_in() -> None:
    told = commands(audits.empty())
    (block,) = told["One transition, signed by a trailer"]
    assert block.startswith("c=COMMIT id=TASK who=NAME")
    assert "The receipts" not in told


def test_nothing_hostile_gets_into_a_command() -> None:
    task: Any = TaskId("FEAT-1; rm -rf /")
    evil = replace(audits.hostile(), acts=(audits.act(task, "todo", "done", "human:$(id)", 0, proof=Proof.TRAILER),))
    said = " ".join(block for blocks in commands(evil).values() for block in blocks)
    assert "rm -rf" not in said
    assert "$(id)" not in said
    assert "alert" not in said
