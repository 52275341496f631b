"""Where a new version can be spliced from an old one, and where it must be read whole."""

import pytest

from codifica_guard.engine import resplit as module
from codifica_guard.engine.resplit import resplit
from codifica_guard.model.document import Document
from codifica_guard.model.ids import RepoPath
from codifica_guard.state.blocks import split
from tests.unit.views import document, task

PATH = RepoPath(b"work.md")
OLD = (
    document(task("A-1"), "\n", task("B-1"), task("C-1"), "# about X\n", task("X-1"))
    + "\n## More\n\n~~~yaml\n"
    + task("D-1")
    + "~~~\n"
)


def spliced(new: str, monkeypatch: pytest.MonkeyPatch) -> bool:
    """Whether a new version is read without the whole being read; it always comes out right."""
    before, data = split(PATH, OLD.encode()), new.encode()
    read: list[int] = []

    def counting(path: RepoPath, part: bytes) -> Document:
        read.append(len(part))
        return split(path, part)

    monkeypatch.setattr(module, "split", counting)
    assert resplit(PATH, OLD.encode(), before, data) == split(PATH, data)
    return len(data) not in read


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("- id: A-1\n  type: build\n  state: todo", "- id: A-1\n  type: build\n  state: done"),
        ("\n\n- id: B-1", "\n- id: B-1"),
        ("\n\n- id: B-1", "\n\n" + task("N-1") + "\n- id: B-1"),
        (task("D-1"), task("D-1") + "\n" + task("E-1")),
        (task("D-1"), task("D-1", "  x: y")),
        ("", ""),
        ("- id: A-1", "- id: Z-1"),
        ("\n" + task("B-1"), ""),
    ],
)
def test_changes_of_tasks_are_spliced(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert spliced(OLD.replace(old, new, 1), monkeypatch)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("# about X\n", ""),
        ("# about X", "# on X"),
        ("\n\n- id: B-1", "\n# new\n- id: B-1"),
        ("# Work", "# Works"),
        ("## More", "## Less"),
        (task("D-1"), task("D-1") + "~~~\n"),
        (task("D-1"), task("D-1", "  x: |", "    y", "   ~~~", "    z")),
        (task("D-1"), task("D-1", " x: y")),
        ("  state: todo", "  state: todo\r"),
        (task("D-1"), ""),
        (task("D-1"), task("D-1", "  x: " + "y" * 300_000)),
    ],
)
def test_all_else_is_read_whole(old: str, new: str, monkeypatch: pytest.MonkeyPatch) -> None:
    assert not spliced(OLD.replace(old, new, 1), monkeypatch)
