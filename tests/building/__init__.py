"""The scenario builder: repositories, people, agents, their keys and their pushes, so that a test reads like its story.

    repo.task("FEAT-1")
    builder = repo.clone("builder")
    builder.claim("FEAT-1").commit("FEAT-1: claim")
    builder.push().accepted()

What is done to a repository is done by `git` and `ssh-keygen`; a verdict is what a real `git push` came to.
"""

from tests.building.clone import Clone
from tests.building.keys import Keys
from tests.building.push import Push
from tests.building.repo import NewRepo, Repo, Workshop
from tests.building.times import at

__all__ = ["Clone", "Keys", "NewRepo", "Push", "Repo", "Workshop", "at"]
