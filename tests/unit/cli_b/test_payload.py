"""`payload`: what a signature covers, held against the real ssh-keygen, both ways."""

import base64
from pathlib import Path

import pytest

from tests.building import Clone, Repo
from tests.building.machine import Done, run

KINDS = ("ed25519", "ecdsa", "rsa")


def verify(clone: Clone, who: str, payload: bytes, signature: bytes, namespace: str = "codifica-guard") -> Done:
    """What ssh-keygen says to a signature, by the repository's own list of signers."""
    place = clone.home / "s"
    place.write_bytes(signature)
    argv: list[str | Path] = ["ssh-keygen", "-Y", "verify", "-n", namespace, "-f", ".codifica/allowed_signers", "-I", who, "-s", place]  # fmt: skip
    return run(argv, cwd=clone.folder, home=clone.home, data=payload, check=False)


@pytest.mark.parametrize("kind", KINDS)
def test_ssh_keygen_accepts_what_we_sign(repo: Repo, kind: str) -> None:
    repo.keys.private(f"builder-{kind}", kind)
    repo.without_signer("agent:builder", "builder").signer("agent:builder", f"builder-{kind}").task("FEAT-1")
    builder = repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    assert builder.guard("sign", "--key", repo.keys.private(f"builder-{kind}")).code == 0
    payload, signature = builder.guard("payload").out, builder.guard("payload", "HEAD", "--signature").out
    done = verify(builder, "agent:builder", payload, signature)
    assert done.code == 0, done.said
    assert verify(builder, "agent:builder", payload + b"\n", signature).code != 0
    assert verify(builder, "agent:writer", payload, signature).code != 0
    assert verify(builder, "agent:builder", payload, signature, "git").code != 0
    builder.push().accepted()


@pytest.mark.parametrize("kind", KINDS)
def test_we_accept_what_ssh_keygen_signs(repo: Repo, kind: str) -> None:
    repo.keys.private(f"builder-{kind}", kind)
    repo.without_signer("agent:builder", "builder").signer("agent:builder", f"builder-{kind}").task("FEAT-1")
    builder = repo.clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    payload = builder.guard("payload", "--as", "agent:builder").out
    body = b"".join(repo.keys.armoured(f"builder-{kind}", payload, "codifica-guard").split(b"\n")[1:-2])
    line = base64.b64encode(base64.b64decode(body)).decode()
    message = f"FEAT-1: claim\n\nCodifica-Actor: agent:builder\nCodifica-Signature: {line}\n"
    builder.git("commit", "-q", "--amend", "-m", message)
    assert builder.guard("check").text == "ok, 1 commit"
    assert builder.guard("payload").out == payload
    builder.push().accepted()


def test_gits_own_signature_is_told_apart(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim")
    told = builder.guard("payload")
    assert told.out == builder.payload("HEAD^{tree}", ["HEAD^"], "agent:builder")
    assert b"has Git's own signature" in told.err
    done = builder.guard("payload", "--signature")
    assert b"has Git's own signature" in done.err
    raw = builder.git("cat-file", "commit", "HEAD") + "\n"
    signed = raw[: raw.index("gpgsig ")] + raw[raw.index("\n\n") + 1 :]
    assert verify(builder, "agent:builder", signed.encode(), done.out, "git").code == 0


def test_an_unsigned_commit_has_no_signature_and_nobodys_payload(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").claim("FEAT-1").commit("FEAT-1: claim", proof="none")
    assert builder.guard("payload", "--signature").code == 1
    done = builder.guard("payload")
    assert (done.code, b"--as human:NAME" in done.err) == (2, True)
    assert builder.guard("payload", "--as", "builder").code == 2
    assert builder.guard("payload", "nowhere").code == 2


def test_a_key_that_is_listed_no_more_still_says_whose_payload_it_is(repo: Repo) -> None:
    repo.revoked("writer").task("FEAT-1")
    writer = repo.clone("writer").claim("FEAT-1").commit("FEAT-1: claim", proof="git")
    assert b"\nactor agent:writer\n" in writer.guard("payload").out


def test_programs_get_it_as_text(repo: Repo) -> None:
    builder = repo.task("FEAT-1").clone("builder").write("src/\u00e9.py", "x\n")
    builder.claim("FEAT-1").commit("FEAT-1: claim", proof="trailers")
    answer = builder.guard("payload", "--json").json
    assert answer["data"]["payload"].encode() == builder.guard("payload").out
    assert answer["data"]["actor"] == "agent:builder"
    signature = builder.guard("payload", "--json", "--signature").json["data"]
    assert (signature["by"], signature["signature"].encode()) == (
        "trailer",
        builder.guard("payload", "--signature").out,
    )


def test_without_a_policy_there_is_no_payload(repo: Repo) -> None:
    assert repo.not_introduced().clone("builder").guard("payload").code == 2
