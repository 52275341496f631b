"""A task from its claim to its end, told by commits of every kind that proves something."""

from pathlib import Path

from codifica_guard.git.store import ObjectFormat
from codifica_guard.model.ids import ObjectId
from tests.unit.cli_proof.stage import Stage, board, task
from tests.unit.views import entered


def work(one: str, two: str = "", *, state: str = "todo") -> str:
    """The document: FEAT-1 as it is told, and FEAT-2."""
    return board(one, two or task("FEAT-2", state=state), text="# Work\n\nWhat there is to do.\n")


def running(stage: Stage, state: str) -> str:
    """FEAT-1 as robot claimed it, in a state."""
    entries = (
        "  state_transitions:",
        *entered("in_progress", by="agent:robot", writer=stage.token.public_line, session="s-41"),
    )
    return task("FEAT-1", *entries, state=state, owner="agent:robot")


class Story:
    """What happened, in order: each attribute is the commit.

    Attributes:
        listed: alice lists carol, whose key is of another kind.
        claim: robot claims FEAT-1, by trailers and with a token.
        hand_in: robot hands it in; Git's signature, and the token.
        approved: carol approves it, by trailers.
        rejected: carol rejects FEAT-2, by Git's signature.
        merged: alice settles what she and bob did to FEAT-1, each on a side of his own.
    """

    def __init__(
        self, folder: Path, object_format: ObjectFormat = "sha1", kind: str = "ed25519", *, receipt: bool = True
    ) -> None:
        self.stage = stage = Stage(folder, object_format, kind)
        options = stage.listed.pop("carol")
        self.begin = stage.begun({"work.md": work(task("FEAT-1"))})
        stage.listed["carol"] = options
        signers = {".codifica/allowed_signers": stage.policy()[".codifica/allowed_signers"]}
        self.listed = stage.decide(signers, by="alice", proof="git", receipt=receipt)
        self.claim = stage.decide(
            {"work.md": work(running(stage, "in_progress"))}, by="robot", token=stage.token, receipt=receipt
        )
        handed = {"work.md": work(running(stage, "to_be_tested"))}
        self.hand_in = stage.decide(handed, by="robot", token=stage.token, proof="git", receipt=receipt)
        self.approved = stage.decide({"work.md": work(running(stage, "done"))}, by="carol", receipt=receipt)
        two = {"work.md": work(running(stage, "done"), state="rejected")}
        self.rejected = stage.decide(two, by="carol", proof="git", receipt=receipt)
        self._receipt = receipt

    def merge(self) -> ObjectId:
        """The two sides, and the merge that settles them."""
        stage, base = self.stage, self.stage.tip

        def titled(title: str) -> dict[str, str]:
            return {"work.md": work(running(stage, "done").replace("Login form", title), state="rejected")}

        one = stage.decide(titled("Of alice"), base, by="alice", push=False)
        other = stage.decide(titled("Of bob"), base, by="bob", push=False)
        return stage.decide(titled("Of both"), one, other, by="alice", receipt=self._receipt)
