"""Signatures: the real ssh-keygen and Git agree, in both directions; what is not exactly right does not hold."""

import base64
from pathlib import Path

import pytest
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa
from cryptography.hazmat.primitives.serialization import load_ssh_private_key

from codifica_guard import limits
from codifica_guard.errors import SignatureError
from codifica_guard.identity import keys, sshsig
from codifica_guard.identity.signing import Signer
from codifica_guard.identity.wire import Reader, pack_mpint, pack_string, pack_u32
from tests.unit.identity.sshkit import KINDS, SoftFido, keygen, run, signer

MESSAGE = b"codifica-guard-commit-v1\nrepository 00\n\xff\0" * 3
SPACE = "codifica-guard"


def accepted_by_openssh(folder: Path, key: bytes, blob: bytes, message: bytes, namespace: str) -> bool:
    (folder / "allowed").write_text(f'agent:x namespaces="{SPACE},git" {keys.public_line(key)}\n')
    (folder / "sig").write_text(sshsig.armour(blob))
    argv: list[str | Path] = [
        "ssh-keygen",
        "-Y",
        "verify",
        "-f",
        "allowed",
        "-I",
        "agent:x",
        "-n",
        namespace,
        "-s",
        "sig",
    ]
    return run(argv, folder, message, code=None).returncode == 0


@pytest.mark.parametrize("kind", KINDS)
def test_ssh_keygen_and_we_accept_and_refuse_each_others_signatures(kind: str, tmp_path: Path) -> None:
    path = keygen(tmp_path, kind)
    ours = Signer.from_file(path, None, environ={})
    done = run(["ssh-keygen", "-Y", "sign", "-f", path, "-n", SPACE, "-O", "hashalg=sha256"], tmp_path, MESSAGE)
    theirs = sshsig.dearmour(done.stdout)

    assert sshsig.check(theirs, MESSAGE, SPACE) == sshsig.Signed(key=ours.key, touched=False)
    assert sshsig.armour(theirs).encode() == done.stdout
    blob = ours.sign(MESSAGE, SPACE)
    assert accepted_by_openssh(tmp_path, ours.key, blob, MESSAGE, SPACE)
    assert not accepted_by_openssh(tmp_path, ours.key, blob, MESSAGE + b"x", SPACE)
    assert not accepted_by_openssh(tmp_path, ours.key, blob, MESSAGE, "git")
    for signed in (theirs, blob):
        with pytest.raises(SignatureError, match="does not fit"):
            sshsig.check(signed, MESSAGE + b"x", SPACE)
        with pytest.raises(SignatureError, match="namespace"):
            sshsig.check(signed, MESSAGE, "git")


@pytest.mark.parametrize("fido", [SoftFido(), SoftFido(curve=True)])
@pytest.mark.parametrize("flags", [0, 1, 4, 5])
def test_a_hardware_key_holds_with_and_without_the_touch_and_says_so(
    fido: SoftFido, flags: int, tmp_path: Path
) -> None:
    blob = fido.sign(MESSAGE, SPACE, flags)

    assert sshsig.check(blob, MESSAGE, SPACE) == sshsig.Signed(key=fido.key, touched=flags in {1, 5})
    assert accepted_by_openssh(tmp_path, fido.key, blob, MESSAGE, SPACE)
    with pytest.raises(SignatureError, match="does not fit"):
        sshsig.check(blob, MESSAGE + b"x", SPACE)


def test_a_touch_cannot_be_added_to_a_signature_made_without_it() -> None:
    blob = SoftFido().sign(MESSAGE, SPACE, 0)
    at = len(blob) - 5
    with pytest.raises(SignatureError, match="does not fit"):
        sshsig.check(blob[:at] + b"\1" + blob[at + 1 :], MESSAGE, SPACE)


def test_a_hardware_key_signs_for_its_own_application_only() -> None:
    fido, other = SoftFido(), SoftFido(application=b"ssh:other")
    signature = fido.raw(sshsig.to_be_signed(MESSAGE, SPACE))
    with pytest.raises(SignatureError, match="does not fit"):
        sshsig.check(sshsig.envelope(other.key, signature, SPACE), MESSAGE, SPACE)


def test_a_hardware_signature_does_not_pass_as_one_of_a_plain_key() -> None:
    fido = SoftFido()
    plain = pack_string(b"ssh-ed25519") + pack_string(keys.dissect(fido.key).point)
    blob = sshsig.envelope(plain, fido.raw(sshsig.to_be_signed(MESSAGE, SPACE)), SPACE)
    with pytest.raises(SignatureError, match="does not fit the key"):
        sshsig.check(blob, MESSAGE, SPACE)


def envelope(
    key: bytes,
    signature: bytes,
    *,
    magic: bytes = b"SSHSIG",
    version: int = 1,
    namespace: bytes = SPACE.encode(),
    reserved: bytes = b"",
    hash_: bytes = b"sha512",
) -> bytes:
    return magic + pack_u32(version) + b"".join(map(pack_string, (key, namespace, reserved, hash_, signature)))


SIGNER = signer(1)
SIGNATURE = Reader(SIGNER.sign(MESSAGE, SPACE)[10:])
for _ in range(4):
    SIGNATURE.string()
RAW = SIGNATURE.string()


def test_the_envelope_built_here_is_the_real_one() -> None:
    assert sshsig.check(envelope(SIGNER.key, RAW), MESSAGE, SPACE).key == SIGNER.key
    assert sshsig.key_of(envelope(SIGNER.key, b"")) == SIGNER.key


@pytest.mark.parametrize(
    ("blob", "message"),
    [
        (envelope(SIGNER.key, RAW, magic=b"SSHSIX"), "version 1"),
        (envelope(SIGNER.key, RAW, version=2), "version 1"),
        (envelope(SIGNER.key, RAW, reserved=b"x"), "reserved"),
        (envelope(SIGNER.key, RAW, hash_=b"sha1"), "hash"),
        (envelope(SIGNER.key, RAW, hash_=b"sha256"), "does not fit"),
        (envelope(SIGNER.key, RAW, namespace=b""), "namespace"),
        (envelope(SIGNER.key, RAW, namespace=b"\xff"), "namespace"),
        (envelope(SIGNER.key, RAW) + b"\0", "follow"),
        (envelope(SIGNER.key, RAW)[:-1], "cut off"),
        (envelope(SIGNER.key, RAW + b"\0"), "follow"),
        (envelope(SIGNER.key, RAW[:-1]), "cut off"),
        (envelope(SIGNER.key, pack_string(b"ssh-rsa") + RAW[15:]), "algorithm"),
        (envelope(SIGNER.key, RAW[:15] + pack_string(b"\1" * 63)), "does not fit"),
        (envelope(pack_string(b"ssh-ed25519-cert-v01@openssh.com"), RAW), "certificates"),
        (envelope(SIGNER.key, b"\0" * limits.SIGNATURE_BYTES), "longer than"),
        (b"", "cut off"),
    ],
)
def test_envelopes_that_are_not_exactly_right_are_refused(blob: bytes, message: str) -> None:
    with pytest.raises(SignatureError, match=message):
        sshsig.check(blob, MESSAGE, SPACE)


def test_the_empty_namespace_is_never_right() -> None:
    with pytest.raises(SignatureError, match="namespace"):
        sshsig.check(SIGNER.sign(MESSAGE, "x").replace(pack_string(b"x"), pack_string(b"")), MESSAGE, "")


def test_an_ecdsa_key_off_its_curve_is_refused() -> None:
    kind = pack_string(b"ecdsa-sha2-nistp256")
    key = kind + pack_string(b"nistp256") + pack_string(b"\4" + b"\1" * 64)
    raw = kind + pack_string(pack_mpint(1) + pack_mpint(1))
    with pytest.raises(SignatureError, match="does not fit"):
        sshsig.check(envelope(key, raw), MESSAGE, SPACE)


def test_trailing_bytes_inside_an_ecdsa_signature_are_refused(tmp_path: Path) -> None:
    owner = Signer.from_file(keygen(tmp_path, "ecdsa256"), None, environ={})
    reader = Reader(owner.sign(MESSAGE, SPACE)[10:])
    for _ in range(4):
        reader.string()
    inner = Reader(reader.string())
    kind, numbers = inner.string(), inner.string()
    with pytest.raises(SignatureError, match="follow"):
        sshsig.check(envelope(owner.key, pack_string(kind) + pack_string(numbers + b"\0")), MESSAGE, SPACE)


def test_rsa_holds_with_sha2_only_and_without_leading_zeros_too(tmp_path: Path) -> None:
    path = keygen(tmp_path, "rsa")
    private = load_ssh_private_key(path.read_bytes(), None)
    assert isinstance(private, rsa.RSAPrivateKey)
    key = keys.parse_public(path.with_suffix(".pub").read_bytes()).blob

    def made(message: bytes, hash_: hashes.HashAlgorithm) -> bytes:
        return private.sign(sshsig.to_be_signed(message, SPACE), padding.PKCS1v15(), hash_)

    short = next(m for m in (b"%d" % n for n in range(5000)) if made(m, hashes.SHA512())[0] == 0)
    stripped = made(short, hashes.SHA512()).lstrip(b"\0")
    sha1 = made(MESSAGE, hashes.SHA1())  # noqa: S303 - to see it refused
    sha256 = made(MESSAGE, hashes.SHA256())

    blob = envelope(key, pack_string(b"rsa-sha2-512") + pack_string(stripped))
    assert sshsig.check(blob, short, SPACE).key == key
    assert accepted_by_openssh(tmp_path, key, blob, short, SPACE)
    assert sshsig.check(envelope(key, pack_string(b"rsa-sha2-256") + pack_string(sha256)), MESSAGE, SPACE).key == key
    for name, raw in ((b"ssh-rsa", sha1), (b"rsa-sha2-512", sha1), (b"rsa-sha2-512", sha256), (b"rsa-sha2-512", b"")):
        with pytest.raises(SignatureError):
            sshsig.check(envelope(key, pack_string(name) + pack_string(raw)), MESSAGE, SPACE)


def test_an_rsa_key_with_a_senseless_exponent_is_refused() -> None:
    key = pack_string(b"ssh-rsa") + pack_mpint(1) + pack_mpint((1 << 2048) - 1)
    with pytest.raises(SignatureError, match="does not fit"):
        sshsig.check(envelope(key, pack_string(b"rsa-sha2-512") + pack_string(b"\1")), MESSAGE, SPACE)


BLOB = SIGNER.sign(MESSAGE, SPACE)


def test_armour_and_line_give_the_blob_back() -> None:
    assert sshsig.dearmour(sshsig.armour(BLOB)) == BLOB
    assert sshsig.dearmour(sshsig.armour(BLOB).rstrip("\n").encode()) == BLOB
    assert sshsig.dearmour("\n".join([sshsig.BEGIN, sshsig.to_line(BLOB), sshsig.END])) == BLOB
    assert sshsig.from_line(sshsig.to_line(BLOB).encode()) == BLOB


ARMOUR = sshsig.armour(BLOB)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "\n" + ARMOUR,
        " " + ARMOUR,
        ARMOUR + "\n",
        ARMOUR + "more",
        ARMOUR.replace("\n", "\r\n"),
        ARMOUR.replace("BEGIN SSH", "BEGIN PGP"),
        ARMOUR.replace(sshsig.END, ""),
        f"{sshsig.BEGIN}\n{sshsig.END}\n",
        f"{sshsig.BEGIN}\n\n{sshsig.END}\n",
        ARMOUR.replace("U1NI", "U1 NI"),
        ARMOUR.replace("U1NI", "U1NÿI"),
        f"{sshsig.BEGIN}\n{'A' * 4 * limits.SIGNATURE_BYTES}\n{sshsig.END}\n",
    ],
)
def test_other_armour_is_refused(text: str) -> None:
    with pytest.raises(SignatureError):
        sshsig.dearmour(text)
    with pytest.raises(SignatureError):
        sshsig.dearmour(text.encode("latin-1"))


@pytest.mark.parametrize("text", [b"", b" " + base64.b64encode(BLOB), base64.b64encode(BLOB) + b"\n", b"\xff", b"AB=="])
def test_other_lines_are_refused(text: bytes) -> None:
    with pytest.raises(SignatureError):
        sshsig.from_line(text)


@pytest.mark.parametrize("kind", KINDS)
def test_git_verify_commit_agrees_on_key_and_message(kind: str, tmp_path: Path) -> None:
    path = keygen(tmp_path, kind)
    key = keys.parse_public(path.with_suffix(".pub").read_bytes()).blob
    (tmp_path / "allowed").write_text(f"human:alice {keys.public_line(key)}\n")
    config = {"user.name": "a", "user.email": "a@b", "gpg.format": "ssh", "user.signingkey": str(path)}
    config |= {"gpg.ssh.allowedSignersFile": str(tmp_path / "allowed")}
    git: list[str | Path] = ["git", *(part for k, v in config.items() for part in ("-c", f"{k}={v}"))]
    run(["git", "init", "-q", "repo"], tmp_path)
    repo = tmp_path / "repo"
    run([*git, "commit", "-q", "--allow-empty", "-S", "-m", "one"], repo)
    raw = run(["git", "cat-file", "commit", "HEAD"], repo).stdout
    start, end = raw.index(b"gpgsig "), raw.index(b"-----END SSH SIGNATURE-----\n") + 28
    armoured = raw[start + 7 : end].replace(b"\n ", b"\n")
    signed = raw[:start] + raw[end:]

    assert sshsig.check(sshsig.dearmour(armoured), signed, "git").key == key
    run([*git, "verify-commit", "HEAD"], repo)

    changed = raw.replace(b"one", b"two")
    other = run(["git", "hash-object", "-t", "commit", "-w", "--stdin"], repo, changed).stdout.decode().strip()
    assert run([*git, "verify-commit", other], repo, code=None).returncode != 0
    with pytest.raises(SignatureError, match="does not fit"):
        sshsig.check(sshsig.dearmour(armoured), signed.replace(b"one", b"two"), "git")
