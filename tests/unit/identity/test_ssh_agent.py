"""The agent's client works with the real one, and takes nothing odd from a false one."""

from pathlib import Path

import pytest

from codifica_guard.errors import KeyUnavailable
from codifica_guard.identity import agent
from codifica_guard.identity.keys import parse_public
from codifica_guard.identity.wire import pack_string, pack_u32
from tests.unit.identity.sshkit import false_agent, keygen, real_agent, run, signer

KEY = signer(1).key


def test_a_real_agent_lists_its_keys_until_it_is_locked_or_loses_them(tmp_path: Path) -> None:
    path = keygen(tmp_path, "ed25519")
    key = parse_public(path.with_suffix(".pub").read_bytes()).blob
    with real_agent(tmp_path) as environ:
        sock = environ["SSH_AUTH_SOCK"]
        assert agent.identities(sock) == ()
        run(["ssh-add", "-q", path], tmp_path, extra=environ)
        assert agent.identities(sock) == ((key, "a comment"),)
        run(["ssh-add", "-q", "-D"], tmp_path, extra=environ)
        with pytest.raises(KeyUnavailable, match="ssh-add -l"):
            agent.sign(sock, key, b"data")


def test_no_agent_is_told(tmp_path: Path) -> None:
    with pytest.raises(KeyUnavailable, match="does not answer"):
        agent.identities(str(tmp_path / "none"))
    with pytest.raises(KeyUnavailable, match="does not answer"):
        agent.identities("x" * 300)


@pytest.mark.parametrize(
    "reply",
    [
        b"",
        b"\0\0",
        pack_u32(100) + b"\x0c",
        pack_u32(agent.REPLY_BYTES + 1),
        pack_string(b""),
        pack_string(b"\x05"),
        pack_string(b"\x0c"),
        pack_string(b"\x0c" + pack_u32(0xFFFFFFFF) + pack_string(KEY) + pack_string(b"")),
        pack_string(b"\x0c" + pack_u32(0) + b"more"),
        pack_string(b"\x0e" + b"\0"),
        pack_string(b"\x0e" + pack_string(b"x") + b"more"),
    ],
)
def test_odd_answers_are_refused(reply: bytes, tmp_path: Path) -> None:
    with false_agent(tmp_path, reply, reply) as environ:
        with pytest.raises(KeyUnavailable):
            agent.identities(environ["SSH_AUTH_SOCK"])
        with pytest.raises(KeyUnavailable):
            agent.sign(environ["SSH_AUTH_SOCK"], KEY, b"data")


def test_an_answer_in_pieces_is_put_together(tmp_path: Path) -> None:
    comment = b"c" * 200_000
    reply = pack_string(b"\x0c" + pack_u32(1) + pack_string(KEY) + pack_string(comment))
    with false_agent(tmp_path, reply) as environ:
        assert agent.identities(environ["SSH_AUTH_SOCK"]) == ((KEY, comment.decode()),)
