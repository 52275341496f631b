"""Writer tokens: the secret stays one, and only its holder signs for the claim."""

import os
import stat
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from codifica_guard import limits
from codifica_guard.errors import KeyUnavailable, LimitExceeded, SignatureError
from codifica_guard.identity import sshsig, tokens
from codifica_guard.identity.keys import public_line
from codifica_guard.identity.tokens import (
    WriterToken,
    check_writer,
    drop_token,
    load_tokens,
    new_token,
    parse_token,
    store_token,
)
from codifica_guard.model.ids import TaskId
from tests.unit.identity.sshkit import SoftFido, run, signer

TOKEN = WriterToken(bytes(range(32)))
PAYLOAD = b"codifica-guard-commit-v1\n"
FEAT = TaskId("FEAT-1")


def line(token: WriterToken, payload: bytes = PAYLOAD) -> bytes:
    return sshsig.to_line(token.sign(payload)).encode()


def test_a_token_comes_back_from_its_text() -> None:
    assert parse_token(TOKEN.text) == TOKEN
    assert TOKEN.text.startswith("cgw1_")
    assert tokens.SECRET.fullmatch(TOKEN.text.encode())
    assert tokens.valid_public(TOKEN.public_line)


def test_each_new_token_is_another_one() -> None:
    assert len({new_token().text for _ in range(5)}) == 5


def test_a_tokens_repr_hides_it() -> None:
    assert TOKEN.text[5:] not in repr(TOKEN)
    assert repr(TOKEN) == "WriterToken()"


def test_a_seed_of_another_length_is_refused() -> None:
    with pytest.raises(SignatureError):
        WriterToken(b"short")


BAD = TOKEN.text[:-1] + chr(ord(TOKEN.text[-1]) + 1)


@pytest.mark.parametrize(
    "text", ["", TOKEN.text + "=", TOKEN.text + "\n", TOKEN.text[:-1], "cgw2" + TOKEN.text[4:], BAD]
)
def test_other_texts_are_no_tokens_and_are_not_repeated(text: str) -> None:
    with pytest.raises(SignatureError) as caught:
        parse_token(text)
    assert TOKEN.text[5:20] not in str(caught.value)


def test_ssh_keygen_accepts_a_tokens_signature(tmp_path: Path) -> None:
    (tmp_path / "allowed").write_text(f'writer namespaces="codifica-writer" {TOKEN.public_line}\n')
    (tmp_path / "sig").write_text(sshsig.armour(TOKEN.sign(PAYLOAD)))
    argv: list[str | Path] = ["ssh-keygen", "-Y", "verify", "-f", "allowed", "-I", "writer", "-n", "codifica-writer"]
    run([*argv, "-s", "sig"], tmp_path, PAYLOAD)


def test_one_fitting_signature_among_others_is_enough() -> None:
    values = [b"junk", line(new_token()), line(TOKEN, b"old"), line(TOKEN)]
    check_writer(values, PAYLOAD, TOKEN.public_line)


@pytest.mark.parametrize(
    ("values", "reason"),
    [
        ([], "no Codifica-Writer"),
        ([b"junk!"], "proper base64"),
        ([line(new_token())], "another token"),
        ([line(TOKEN, b"old")], "does not fit"),
        ([sshsig.to_line(signer(1).sign(PAYLOAD, "codifica-guard")).encode()], "another token"),
    ],
)
def test_without_a_fitting_signature_the_writer_is_refused(values: list[bytes], reason: str) -> None:
    with pytest.raises(SignatureError, match=reason):
        check_writer(values, PAYLOAD, TOKEN.public_line)


def test_a_signature_for_another_namespace_does_not_count() -> None:
    owner = signer(1)
    value = sshsig.to_line(owner.sign(PAYLOAD, "codifica-guard")).encode()
    with pytest.raises(SignatureError, match="namespace"):
        check_writer([value], PAYLOAD, public_line(owner.key))


def test_more_signatures_than_a_commit_can_need_are_refused() -> None:
    with pytest.raises(LimitExceeded):
        check_writer([b"junk"] * (limits.WRITER_SIGNATURES + 1), PAYLOAD, TOKEN.public_line)


@pytest.mark.parametrize(
    "text",
    ["", "nonsense", TOKEN.public_line + " me", TOKEN.public_line.replace(" ", "  "), public_line(SoftFido().key)],
)
def test_other_writer_keys_are_refused(text: str) -> None:
    assert not tokens.valid_public(text)
    with pytest.raises(SignatureError, match="writer key"):
        check_writer([line(TOKEN)], PAYLOAD, text)


def test_a_stored_token_is_found_again_and_only_its_owner_can_read_it(tmp_path: Path) -> None:
    folder = tmp_path / "deep" / "tokens"
    path = store_token(folder, FEAT, TOKEN)

    assert load_tokens(folder, {}) == (TOKEN,)
    assert path == folder / "FEAT-1"
    assert path.stat().st_mode & 0o777 == 0o600
    assert folder.stat().st_mode & 0o777 == 0o700
    assert [p.name for p in folder.iterdir()] == ["FEAT-1"]


def test_older_tokens_of_the_task_stay_behind_the_newest(tmp_path: Path) -> None:
    made = [new_token() for _ in range(tokens.KEPT + 2)]
    for token in [*made, made[-2]]:
        store_token(tmp_path, FEAT, token)
    newest = [made[-2], made[-1], *reversed(made[:-2])]
    assert load_tokens(tmp_path, {}) == tuple(newest[: tokens.KEPT])


def test_a_token_is_taken_out_and_the_others_stay(tmp_path: Path) -> None:
    first, second = new_token(), new_token()
    drop_token(tmp_path, FEAT, first)
    for token in (first, second):
        store_token(tmp_path, FEAT, token)
    drop_token(tmp_path, FEAT, second)
    assert load_tokens(tmp_path, {}) == (first,)
    assert stat.S_IMODE((tmp_path / FEAT).stat().st_mode) == 0o600
    drop_token(tmp_path, FEAT, first)
    assert list(tmp_path.iterdir()) == []


def test_a_token_that_cannot_be_taken_out_is_told(tmp_path: Path) -> None:
    drop_token(tmp_path / "nowhere", FEAT, new_token())
    (tmp_path / "file").touch()
    with pytest.raises(KeyUnavailable, match="cannot be taken out"):
        drop_token(tmp_path / "file", FEAT, new_token())


def test_sessions_that_store_and_drop_at_once_lose_no_token(tmp_path: Path) -> None:
    kept = [new_token() for _ in range(8)]

    def session(token: WriterToken) -> None:
        for _ in range(5):
            other = new_token()
            store_token(tmp_path, FEAT, other)
            store_token(tmp_path, FEAT, token)
            drop_token(tmp_path, FEAT, other)

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(session, kept))
    assert set(load_tokens(tmp_path, {})) == set(kept)


@pytest.mark.parametrize("task", ["../../up", "/abs", ".hidden", "", "a/b", "x" * 300, "\udc80", "nul\0"])
def test_a_hostile_task_id_is_never_a_path(task: str, tmp_path: Path) -> None:
    folder = tmp_path / "tokens"
    path = store_token(folder, TaskId(task), TOKEN)
    assert path.parent == folder
    assert path.name.startswith("_")
    assert load_tokens(folder, {}) == (TOKEN,)


def test_tokens_come_from_the_variable_the_outer_folder_and_the_clone(tmp_path: Path) -> None:
    made = [new_token() for _ in range(4)]
    store_token(tmp_path / "outside" / "shop", FEAT, made[2])
    store_token(tmp_path / "clone", FEAT, made[3])
    environ = {
        "CODIFICA_WRITER_TOKEN": f" {made[0].text}\n{made[1].text} {made[0].text} ",
        "CODIFICA_TOKEN_DIR": str(tmp_path / "outside"),
    }
    assert load_tokens(tmp_path / "clone", environ) == tuple(made)


def test_a_folder_that_is_not_there_holds_nothing(tmp_path: Path) -> None:
    assert load_tokens(tmp_path / "none", {"CODIFICA_TOKEN_DIR": str(tmp_path / "nor")}) == ()


def test_other_files_hidden_ones_and_deep_ones_are_passed_over(tmp_path: Path) -> None:
    (tmp_path / "README").write_text("here lie tokens\n")
    store_token(tmp_path / ".hidden", FEAT, TOKEN)
    store_token(tmp_path / "1" / "2" / "3", FEAT, TOKEN)
    assert load_tokens(tmp_path, {}) == ()


def test_a_malformed_token_is_named_but_not_shown(tmp_path: Path) -> None:
    with pytest.raises(KeyUnavailable, match="CODIFICA_WRITER_TOKEN"):
        load_tokens(tmp_path, {"CODIFICA_WRITER_TOKEN": "secret"})
    path = store_token(tmp_path, FEAT, TOKEN)
    path.write_text(TOKEN.text + "x\n")
    with pytest.raises(KeyUnavailable, match="FEAT-1") as caught:
        load_tokens(tmp_path, {})
    assert TOKEN.text not in str(caught.value)


def test_a_token_file_that_others_can_read_is_refused_with_the_command(tmp_path: Path) -> None:
    path = store_token(tmp_path, FEAT, TOKEN)
    path.chmod(0o640)
    with pytest.raises(KeyUnavailable, match="chmod 600"):
        load_tokens(tmp_path, {})


def test_a_token_that_cannot_be_kept_is_told(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    with pytest.raises(KeyUnavailable, match="cannot be kept"):
        store_token(tmp_path / "file" / "tokens", FEAT, TOKEN)


def test_a_token_file_that_goes_away_while_it_is_read_is_told(tmp_path: Path) -> None:
    with pytest.raises(KeyUnavailable, match="cannot be read"):
        tokens._tokens_in(tmp_path / "gone")


def test_a_left_over_of_a_crash_is_in_nobodys_way(tmp_path: Path) -> None:
    (tmp_path / f".FEAT-1.{os.getpid()}").write_text("half")
    store_token(tmp_path, FEAT, TOKEN)
    assert load_tokens(tmp_path, {}) == (TOKEN,)
