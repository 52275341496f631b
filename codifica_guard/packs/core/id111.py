"""Where the policy asks for hardware keys, a human's act is signed with one, and somebody touched it.

Why: an agent on a person's machine can use the person's ssh-agent. It cannot touch a key.

Refused: an approval signed by a key file, or by a hardware key without touch, under `human_presence: hardware-key`.

Accepted: everything an agent may do too, with any listed key; every act where the policy says `any`.

Do: sign again with the hardware key, and touch it:

    ssh-keygen -t ed25519-sk
    git codifica sign HEAD
"""

from collections.abc import Iterator

from codifica_guard.model.finding import Severity
from codifica_guard.rules.rule import About, Breach
from codifica_guard.rules.view import CommitView

CODE, NAME, SPEC = "ID111", "presence-missing", "codifica-guard, human acts"
SEVERITY, ABOUT = Severity.ERROR, About.COMMIT


def check(view: CommitView) -> Iterator[Breach]:
    """Judge a human's act where the policy wants presence."""
    wanted = view.policy.guard.human_presence == "hardware-key"
    if wanted and view.by_human and view.human_act and not view.attribution.touched:
        yield Breach(
            found=f"{view.actor} signed a human's act without a touched hardware key: {view.human_act}",
            expected="a signature by a hardware key (ed25519-sk, ecdsa-sk) that somebody touched",
            do=(
                "git commit --amend -S --no-edit --reset-author   (with the hardware key as user.signingkey)",
                "git push",
            ),
        )
