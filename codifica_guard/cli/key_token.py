"""`key token`: a writer token for one claim; the private half stays here, the public half goes into the claim's entry."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING

from codifica_guard.cli.command import Outcome
from codifica_guard.clone.desk import open_desk
from codifica_guard.clone.hand import token_folder
from codifica_guard.errors import UsageError
from codifica_guard.identity.tokens import FOLDER_VARIABLE, new_token, store_token
from codifica_guard.model.ids import TASK_ID, TaskId
from codifica_guard.report.printing import printable

if TYPE_CHECKING:
    from codifica_guard.cli.shapes.trust import WriterToken


def run(task: str) -> Outcome:
    """Make a token for a task, keep it 0600, and say what to write into the claim.

    Raises:
        UsageError: the id is none.
        KeyUnavailable: the token cannot be kept.
    """
    if TASK_ID.fullmatch(task) is None:
        raise UsageError(f"{task!r} is no task's id")
    with open_desk(int(time.time())) as desk:
        folder = os.environ.get(FOLDER_VARIABLE)
        token = new_token()
        path = store_token(Path(folder) if folder else token_folder(desk), TaskId(task), token)
    data: WriterToken = {"task": task, "path": str(path), "writer": token.public_line}
    return Outcome(
        lines=printable(
            (
                f"token    {path}   (0600; keep it: only its holder may go on with {task})",
                "write    into the claim's entry of state_transitions, below its timestamp:",
                "               provenance:",
                f'                 writer: "{token.public_line}"',
                "commit   the commit-msg hook signs with the token; without the hook: git codifica sign HEAD",
            )
        ),
        data=data,
    )
