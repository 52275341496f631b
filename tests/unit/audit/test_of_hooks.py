"""An audit of what the server's own hooks wrote down: nothing of it is found fault with, and a lost receipt is seen."""

from pathlib import Path

import pytest

from codifica_guard.audit.replay import audit
from codifica_guard.audit.replayed import Replayed, Wanted
from codifica_guard.audit.source import open_source
from codifica_guard.identity.keys import public_line
from codifica_guard.model.ids import ObjectId
from tests.building import tasks
from tests.property.tales import Tale, moment
from tests.unit.audit.bench import codes
from tests.unit.audit.keys import SERVER_SIGNER
from tests.unit.engine.land import NOW, Land
from tests.unit.hooks_server.served import MAIN, Served, make_served

RELEASE = "refs/heads/release/1"


@pytest.fixture
def served(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Served:
    return make_served(tmp_path / "r.git", monkeypatch, capsys)


def begun(served: Served) -> ObjectId:
    """The introduction, which lists the server's key, pushed and seen."""
    land = served.land
    begin = land.begin(Tale._files({"FEAT-1": tasks.task("FEAT-1", "todo")}))
    land.point("main", begin)
    files = land.policy()
    lines = files[".codifica/allowed_signers"]
    assert isinstance(lines, str)
    listed = f"{lines}server:git.example.org {public_line(SERVER_SIGNER.key)}\n"
    intro = land.commit({**files, ".codifica/allowed_signers": listed}, begin, by="alice")
    land.config("codifica.trust", "first-push")
    served.push((begin, intro, MAIN))
    return intro


def audited(served: Served) -> Replayed:
    with open_source(bytes(served.git_dir), {}) as source:
        return audit(source, Wanted())


def claimed(land: Land, parent: ObjectId) -> ObjectId:
    """A human's claim, which only warns."""
    row = tasks.entry("todo", "in_progress", "human:alice", when=moment(1))
    task = tasks.changed(
        tasks.task("FEAT-1", "todo"),
        {"state": "in_progress", "owner": "human:alice", "claimed_at": moment(1), "state_transitions": [row]},
    )
    return land.commit(Tale._files({"FEAT-1": task}), parent, by="alice")


def test_what_the_hooks_wrote_down_is_what_an_audit_finds(served: Served) -> None:
    intro = begun(served)
    claim = claimed(served.land, intro)
    code, told = served.pre((intro, claim, MAIN))
    if code:  # whatever is missing in such a task: it comes in in a pause, and its receipt has the same transitions
        served.land.config("codifica.pausedUntil", str(NOW + 60))
        served.pre((intro, claim, MAIN))
    served.move((intro, claim, MAIN))
    served.post((intro, claim, MAIN))
    served.push((None, claim, RELEASE), now=NOW + 120)
    last = served.land.commit({"src/b.py": "b"}, claim)
    served.push((claim, last, MAIN), (claim, last, RELEASE), now=NOW + 180)
    assert [(line.source, line.target) for r in served.sound() for line in r.lines] == [("todo", "in_progress")], told
    found = audited(served)
    assert [noted.finding for noted in found.findings if noted.is_error] == []
    assert {code for code in codes(found) if code.startswith("AU")} == set()
    assert (found.chain.last, found.chain.before) == (5, 0)
    assert [act.at for act in found.acts] == [NOW]


def test_a_receipt_that_was_written_late_covers_its_push(served: Served) -> None:
    intro = begun(served)
    first = served.land.commit({"src/b.py": "b"}, intro)
    served.push((intro, first, MAIN), killed=True)
    assert codes(audited(served)) == ["AU101"]
    served.push((first, served.land.commit({"src/c.py": "c"}, first), MAIN))
    assert [receipt.late for receipt in served.sound()] == [False, True, False]
    assert codes(audited(served)) == []


def test_an_illegal_push_in_a_pause_is_told_by_receipt_and_audit_alike(served: Served) -> None:
    intro = begun(served)
    bad = served.land.commit({"src/b.py": "b", "README.md": "mine"}, intro, by="builder", message="FEAT-1: x")
    served.land.config("codifica.pausedUntil", str(NOW + 60))
    served.land.config("codifica.pauseReason", "a fire")
    served.push((intro, bad, MAIN))
    found = audited(served)
    assert [noted for noted in found.findings if noted.is_error] == []
    (pause,) = found.pauses
    assert [finding.code for finding in pause.findings] == list(pause.receipt.refused) != []
