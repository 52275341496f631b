"""The page of `simulate`, where it has much to say."""

from codifica_guard.cli.simulated import COMMITS_SHOWN, page
from codifica_guard.engine.replay import Told
from codifica_guard.model.finding import Finding, Severity
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.verbs.simulation import Simulation, Wanted


def told(number: int, found: str = "it is wrong") -> Told:
    finding = Finding(
        code="CD201",
        name="no-such-transition",
        severity=Severity.ERROR,
        found=found,
        path=RepoPath(b"work.md"),
        line=7,
        task=TaskId("FEAT-1"),
        commit=ObjectId(b"%040x" % number),
        actor="agent:a",
    )
    return Told(finding=finding, at=number, source="author", first=True)


def lines(*rows: Told) -> list[str]:
    found = Simulation(
        wanted=Wanted(text="main", tip=ObjectId(b"a" * 40)),
        commits=len(rows),
        judged=len(rows),
        first=None,
        told=rows,
        blind=(),
        failed=(),
        unknown={},
    )
    return list(page(found, ruled=False))


def test_commits_beyond_those_that_are_shown_are_counted() -> None:
    text = lines(*(told(number) for number in range(COMMITS_SHOWN + 2)))
    assert "and 2 more commits, all of them: --json" in text
    assert sum("it is wrong" in line for line in text) == COMMITS_SHOWN
    assert "would have been refused: 202 commits" in text


def test_hostile_text_is_escaped_and_long_text_folded() -> None:
    text = lines(told(1, "a\x1b[31m\u202e " + "word " * 40))
    assert not any(c in line for line in text for c in "\x1b\u202e")
    assert max(map(len, text)) <= 100
    assert "  CD201  FEAT-1  work.md:7: a" in "\n".join(text)
