"""A text typed into a task, and where it stands."""

from tests.building import Clone, Push, Repo


def typed(repo: Repo, old: str, new: str, who: str = "alice") -> tuple[Clone, Push]:
    """A push of a signed commit that types a text into FEAT-2, which stands between two other tasks."""
    repo.task("FEAT-1").task("FEAT-2", "in_progress", description="Text").task("FEAT-3")
    clone = repo.clone(who).replace(old, new)
    return clone, clone.commit("FEAT-2: text").push()


def place(clone: Clone, text: str) -> tuple[int, int]:
    """Line and column of a text that the document holds once, both from 1."""
    rows = [(number, row.index(text) + 1) for number, row in enumerate(clone.read().split("\n"), 1) if text in row]
    assert len(rows) == 1
    return rows[0]
