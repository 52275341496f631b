"""Moving a ref by Git itself, so that its locks, its reflog and its hooks are as in any other update."""

import os

from codifica_guard.errors import RepositoryError
from codifica_guard.git.location import Location
from codifica_guard.git.refs import resolve
from codifica_guard.model.ids import ObjectId, RefName

_HELD = b"File exists"
"""How Git says, in its own language, that somebody else holds the lock of a ref."""


def move_ref(location: Location, ref: RefName, new: ObjectId, old: ObjectId | None) -> bool:
    """Move a ref if it is where it was seen; False where it is elsewhere by now, or somebody else holds its lock.

    Only the repository's own configuration counts: Git is started without anything of the caller's environment but PATH.

    Args:
        location: the repository.
        ref: the ref.
        new: where it goes.
        old: where it was seen; None where it was not there.

    Raises:
        RepositoryError: it cannot be moved; Git's own words are in the text.
    """
    import subprocess  # noqa: PLC0415 - loading it takes as long as an ordinary push

    expected = old or b"0" * len(new)
    environ = {
        "PATH": os.environ.get("PATH", os.defpath),
        "GIT_CONFIG_NOSYSTEM": "1",
        "LC_ALL": "C",
        # A repository that logs all refs asks who it was; the user of a server need not have a name.
        "GIT_COMMITTER_NAME": "codifica-guard",
        "GIT_COMMITTER_EMAIL": "codifica-guard@localhost",
    }
    command: list[str | bytes] = ["git", b"--git-dir=" + location.git_dir, "update-ref", ref, new, expected]
    try:
        done = subprocess.run(command, env=environ, stdin=subprocess.DEVNULL, capture_output=True, check=False)
    except OSError as error:
        raise RepositoryError(f"cannot run git: {error.strerror}") from error
    if done.returncode == 0:
        return True
    if _HELD in done.stderr or resolve(location, ref)[1] != old:
        return False
    said = done.stderr.decode("utf-8", "backslashreplace").strip()
    raise RepositoryError(
        f"cannot move {ref.decode('utf-8', 'backslashreplace')}: {said or f'exit code {done.returncode}'}"
    )
