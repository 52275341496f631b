"""Keys are found in the order that is promised, and every text of a failure names the next command."""

import base64
import re
from collections.abc import Mapping
from pathlib import Path
from typing import NoReturn

import pytest
from cryptography.hazmat.primitives.asymmetric import ec

from codifica_guard.errors import KeyUnavailable
from codifica_guard.identity import private_keys, sshsig
from codifica_guard.identity.keys import parse_public, public_line
from codifica_guard.identity.signing import Ask, Signer, find_signer
from codifica_guard.identity.wire import pack_string, pack_u32
from codifica_guard.model.ids import KeyBlob
from tests.unit.identity.sshkit import KINDS, SoftFido, false_agent, keygen, real_agent, run, signer, text_of

MESSAGE, SPACE = b"what the commit does", "codifica-guard"


def public(path: Path) -> KeyBlob:
    return parse_public(path.with_name(path.name + ".pub").read_bytes()).blob


def holds(found: Signer, key: KeyBlob) -> bool:
    return found.key == key and sshsig.check(found.sign(MESSAGE, SPACE), MESSAGE, SPACE).key == key


def never(_: str) -> NoReturn:
    raise AssertionError("nobody is to be asked")


@pytest.mark.parametrize("kind", KINDS)
def test_a_private_key_signs_whether_it_or_its_public_half_is_named(kind: str, tmp_path: Path) -> None:
    path = keygen(tmp_path, kind)
    assert holds(Signer.from_file(path, None, environ={}), public(path))
    assert holds(Signer.from_file(f"{path}.pub", never, environ={}), public(path))
    assert holds(Signer.from_text(path.read_text(), None), public(path))


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("cipher", ["", "aes256-cbc", "aes256-gcm@openssh.com"])
def test_an_encrypted_key_is_opened_with_its_passphrase(kind: str, cipher: str, tmp_path: Path) -> None:
    path = keygen(tmp_path, kind, "open sesame", cipher)
    prompts: list[str] = []

    def ask(prompt: str) -> str:
        prompts.append(prompt)
        return "open sesame"

    assert holds(Signer.from_file(path, ask, environ={}), public(path))
    assert len(prompts) == 1
    assert str(path) in prompts[0]
    assert holds(Signer.from_text(path.read_text(), "open sesame"), public(path))


def test_a_wrong_passphrase_may_be_typed_again_but_not_for_ever(tmp_path: Path) -> None:
    path = keygen(tmp_path, "ed25519", "right")
    answers = iter(["wrong", "", "right"])
    assert holds(Signer.from_file(path, lambda _: next(answers), environ={}), public(path))
    with pytest.raises(KeyUnavailable, match="ssh-add"):
        Signer.from_file(path, lambda _: "wrong", environ={})
    with pytest.raises(KeyUnavailable, match="is wrong"):
        Signer.from_text(path.read_text(), "wrong")
    with pytest.raises(KeyUnavailable, match="is encrypted"):
        Signer.from_text(path.read_text(), None)


def test_an_encrypted_key_with_nobody_to_ask_names_ssh_add(tmp_path: Path) -> None:
    path = keygen(tmp_path, "ed25519", "right")
    with pytest.raises(KeyUnavailable, match=re.escape(f"ssh-add {path}")):
        Signer.from_file(path, None, environ={})
    with real_agent(tmp_path) as environ, pytest.raises(KeyUnavailable, match=re.escape(f"ssh-add {path}")):
        Signer.from_file(path, None, environ=environ)


def test_a_cipher_that_cannot_be_read_names_the_agent(tmp_path: Path) -> None:
    path = keygen(tmp_path, "ed25519", "right", "chacha20-poly1305@openssh.com")
    with pytest.raises(KeyUnavailable, match=r"chacha20.*ssh-add"):
        Signer.from_file(path, lambda _: "right", environ={})


def test_the_agent_signs_with_every_kind_of_key_that_it_holds(tmp_path: Path) -> None:
    with real_agent(tmp_path) as environ:
        for kind in KINDS:
            path = keygen(tmp_path, kind)
            run(["ssh-add", "-q", path], tmp_path, extra=environ)
            assert holds(Signer.from_agent(public(path), environ=environ), public(path))


def test_an_encrypted_key_in_the_agent_asks_nobody(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = keygen(tmp_path, "ed25519", "right")
    bare = tmp_path / "copy"
    bare.write_bytes(path.read_bytes())
    bare.chmod(0o600)
    run(["ssh-keygen", "-q", "-p", "-P", "right", "-N", "", "-f", bare], tmp_path)
    with real_agent(tmp_path) as environ:
        run(["ssh-add", "-q", bare], tmp_path, extra=environ)
        assert holds(Signer.from_file(path, never, environ=environ), public(path))
        monkeypatch.setenv("SSH_AUTH_SOCK", environ["SSH_AUTH_SOCK"])
        assert holds(Signer.from_file(path, None), public(path))
        path.unlink()
        assert holds(Signer.from_file(f"{path}.pub", None, environ=environ), public(path))


def test_a_public_key_alone_needs_the_agent(tmp_path: Path) -> None:
    (tmp_path / "x.pub").write_text(public_line(signer(1).key))
    with pytest.raises(KeyUnavailable, match=r"no private key beside it, and there is no ssh-agent \(SSH_AUTH_SOCK\)"):
        Signer.from_file(tmp_path / "x.pub", None, environ={})
    with (
        real_agent(tmp_path) as environ,
        pytest.raises(KeyUnavailable, match=r"does not hold the key SHA256:.*ssh-add"),
    ):
        Signer.from_file(tmp_path / "x.pub", None, environ=environ)


def test_two_files_that_are_not_one_key_are_told(tmp_path: Path) -> None:
    path = keygen(tmp_path, "ed25519")
    (tmp_path / "id_ed25519.pub").write_text(public_line(signer(1).key))
    with pytest.raises(KeyUnavailable, match="ssh-keygen -y -f"):
        Signer.from_file(f"{path}.pub", None, environ={})


def test_a_file_that_is_no_key_or_not_there_is_told(tmp_path: Path) -> None:
    (tmp_path / "junk").write_text("junk")
    with pytest.raises(KeyUnavailable, match="neither"):
        Signer.from_file(tmp_path / "junk", None, environ={})
    with pytest.raises(KeyUnavailable, match=r"No such file.*codifica\.signingKey"):
        Signer.from_file(tmp_path / "none", None, environ={})


def test_a_home_folder_is_found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = keygen(tmp_path, "ed25519")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert Signer.from_file("~/id_ed25519", None, environ={}).key == public(path)


def test_a_home_folder_of_nobody_is_told() -> None:
    with pytest.raises(KeyUnavailable, match="names no home folder that is known here"):
        Signer.from_file("~nobody-of-this-name/key", None)


def key_text(body: bytes) -> str:
    return f"{private_keys.BEGIN}\n{base64.b64encode(body).decode()}\n{private_keys.END}\n"


HEAD = b"openssh-key-v1\0" + pack_string(b"none") * 2 + pack_string(b"")
REST = pack_string(b"\0" * 16)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "no OpenSSH private key"),
        (f"{private_keys.BEGIN}\n!!!\n{private_keys.END}", "ssh-keygen -p"),
        (f"{private_keys.BEGIN}\n\xe4\n{private_keys.END}", "ssh-keygen -p"),
        (key_text(b"x" * 40), "no OpenSSH private key"),
        (key_text(b"openssh-key-v1\0"), "cut off"),
        (key_text(HEAD + pack_u32(2)), "several keys"),
        (key_text(HEAD + pack_u32(1) + pack_string(pack_string(b"ssh-dss"))), "not supported"),
        (key_text(HEAD + pack_u32(1) + pack_string(signer(1).key) + REST), "damaged"),
        (key_text(HEAD + pack_u32(1) + pack_string(SoftFido().key) + REST), "only OpenSSH can use"),
    ],
)
def test_texts_that_are_no_usable_key_are_told(text: str, words: str) -> None:
    with pytest.raises(KeyUnavailable, match=words):
        Signer.from_text(text, None)


def test_a_private_key_with_a_false_public_half_is_told() -> None:
    key = ec.derive_private_key(5, ec.SECP256R1())
    body = base64.b64decode("".join(text_of(key).split("\n")[1:-2]))
    other = ec.derive_private_key(6, ec.SECP256R1())
    mine, false = (Signer.from_text(text_of(k), None).key for k in (key, other))
    with pytest.raises(KeyUnavailable, match=r"damaged|not one key"):
        Signer.from_text(key_text(body.replace(mine, false, 1)), None)


HELPER = """#!/bin/sh
here=$(dirname "$0")
cat > "$here/asked"
echo "$@" > "$here/argv"
cat "$here/answer"
exit $(cat "$here/code")
"""


def test_a_hardware_key_signs_through_ssh_keygen(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fido = SoftFido()
    (tmp_path / "id_sk").write_text(key_text(HEAD + pack_u32(1) + pack_string(fido.key) + REST))
    (tmp_path / "ssh-keygen").write_text(HELPER)
    (tmp_path / "ssh-keygen").chmod(0o755)
    (tmp_path / "code").write_text("0")
    (tmp_path / "answer").write_text(sshsig.armour(fido.sign(MESSAGE, SPACE)))
    monkeypatch.setenv("PATH", str(tmp_path), prepend=":")

    found = Signer.from_file(tmp_path / "id_sk", never, environ={})
    assert sshsig.check(found.sign(MESSAGE, SPACE), MESSAGE, SPACE).touched
    assert (tmp_path / "asked").read_bytes() == MESSAGE
    assert (tmp_path / "argv").read_text() == f"-Y sign -f {tmp_path}/id_sk -n codifica-guard\n"

    with pytest.raises(KeyUnavailable, match="does not hold"):
        found.sign(MESSAGE + b"x", SPACE)
    (tmp_path / "answer").write_text(sshsig.armour(signer(1).sign(MESSAGE, SPACE)))
    with pytest.raises(KeyUnavailable, match="another key"):
        found.sign(MESSAGE, SPACE)
    (tmp_path / "code").write_text("1")
    with pytest.raises(KeyUnavailable, match="ssh-keygen -Y sign -f"):
        found.sign(MESSAGE, SPACE)


def test_a_hardware_key_in_the_agent_signs(tmp_path: Path) -> None:
    fido = SoftFido()
    held = pack_string(b"\x0c" + pack_u32(1) + pack_string(fido.key) + pack_string(b"token"))
    answer = pack_string(b"\x0e" + pack_string(fido.raw(sshsig.to_be_signed(MESSAGE, SPACE))))
    with false_agent(tmp_path, held, answer) as environ:
        assert holds(Signer.from_agent(fido.key, environ=environ), fido.key)


def found_with(
    *,
    explicit: str | None = None,
    environ: Mapping[str, str] | None = None,
    config_key: str | None = None,
    git_signing_key: str | None = None,
    ask: Ask | None = None,
) -> KeyBlob:
    return find_signer(
        explicit=explicit, environ=environ or {}, config_key=config_key, git_signing_key=git_signing_key, ask=ask
    ).key


def test_keys_are_looked_for_in_order(tmp_path: Path) -> None:
    paths = [tmp_path / f"key{n}" for n in range(4)]
    for n, path in enumerate(paths):
        run(["ssh-keygen", "-q", "-t", "ed25519", "-N", "", "-f", path], tmp_path)
        assert path.exists(), n
    named = [str(p) for p in paths]
    env = {"CODIFICA_SIGNING_KEY": named[1]}

    assert found_with(explicit=named[0], environ=env, config_key=named[2], git_signing_key=named[3]) == public(paths[0])
    assert found_with(environ=env, config_key=named[2], git_signing_key=named[3]) == public(paths[1])
    assert found_with(environ={"CODIFICA_SIGNING_KEY": " "}, config_key=named[2], git_signing_key=named[3]) == public(
        paths[2]
    )
    assert found_with(git_signing_key=named[3]) == public(paths[3])
    assert found_with(environ={"CODIFICA_SIGNING_KEY": paths[1].read_text()}) == public(paths[1])


def test_a_setting_that_fails_does_not_fall_through_and_is_named(tmp_path: Path) -> None:
    path = keygen(tmp_path, "ed25519")
    with pytest.raises(KeyUnavailable, match=r"^codifica\.signingKey: "):
        found_with(config_key=str(tmp_path / "none"), git_signing_key=str(path))
    with pytest.raises(KeyUnavailable, match=r"^user\.signingkey: "):
        found_with(git_signing_key="key::nonsense")


@pytest.mark.parametrize("form", ["base64", "body", "windows", "one line", "token"])
def test_a_secret_in_a_form_that_is_not_known_is_never_shown(tmp_path: Path, form: str) -> None:
    text = keygen(tmp_path, "ed25519").read_text()
    body = "".join(text.splitlines()[1:-1])
    value = {
        "base64": base64.b64encode(text.encode()).decode(),
        "body": body,
        "windows": "\r\n" + body + "\r\n" + text,
        "one line": text.replace("\n", " ").removeprefix("-"),
        "token": "cgw1_" + "A" * 43,
    }[form]
    with pytest.raises(KeyUnavailable) as told:
        found_with(environ={"CODIFICA_SIGNING_KEY": value})
    assert f"its value ({len(value.strip())} characters) is neither a file's path nor" in str(told.value)
    assert body[20:40] not in str(told.value)
    assert "AAAA" not in str(told.value)


def test_a_path_that_is_none_is_shown(tmp_path: Path) -> None:
    for value in (str(tmp_path / "none"), "keys/none"):
        with pytest.raises(KeyUnavailable, match=re.escape(f"the key {value} cannot be read")):
            found_with(environ={"CODIFICA_SIGNING_KEY": value})


def test_without_any_setting_the_command_is_named() -> None:
    with pytest.raises(KeyUnavailable, match=r"git config --global codifica\.signingKey .*ssh-keygen -t ed25519"):
        found_with()


def test_a_public_key_in_a_setting_is_used_through_the_agent(tmp_path: Path) -> None:
    path = keygen(tmp_path, "ed25519")
    line = path.with_suffix(".pub").read_text()
    with real_agent(tmp_path) as environ:
        run(["ssh-add", "-q", path], tmp_path, extra=environ)
        assert found_with(environ=environ, git_signing_key=f"key::{line}") == public(path)
        assert found_with(environ=environ, git_signing_key=line) == public(path)


def test_an_encrypted_key_text_asks_for_its_passphrase(tmp_path: Path) -> None:
    path = keygen(tmp_path, "ed25519", "right")
    env = {"CODIFICA_SIGNING_KEY": path.read_text()}
    assert found_with(environ=env, ask=lambda _: "right") == public(path)
    with pytest.raises(KeyUnavailable, match=r"CODIFICA_SIGNING_KEY: .*encrypted"):
        found_with(environ=env)


def test_a_signer_shows_where_its_key_is_and_no_more() -> None:
    assert "PRIVATE" not in repr(signer(1))
    assert "the key text" in repr(signer(1))
