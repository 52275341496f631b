"""What tests of the policy's verbs share."""

from tests.building import Clone
from tests.building.machine import Done, run

SIGNERS, REVOKED, GUARD = ".codifica/allowed_signers", ".codifica/revoked_keys", ".codifica/guard.json"


def exits(done: Done, code: int, *texts: str, without: str = "") -> Done:
    assert done.code == code, done.said
    for text in texts:
        assert text in done.said, f"does not say {text!r}:\n{done.said}"
    assert not without or without not in done.said, done.said
    return done


def on_main(clone: Clone, path: str) -> str:
    """A file as the server's main has it."""
    return clone.repo.on_server("show", f"main:{path}")


def fingerprint(clone: Clone, name: str) -> str:
    """The fingerprint of a key, by ssh-keygen."""

    done = run(["ssh-keygen", "-l", "-f", clone.repo.keys.public(name)], cwd=clone.folder, home=clone.home)
    return done.text.split()[1]


def changed(clone: Clone, path: str, text: str, message: str = "Policy") -> Clone:
    """A change of the policy by hand, signed and pushed."""
    clone.write(path, text).commit(message).push().accepted(perhaps={"ID109"})
    return clone
