"""What `log --proof` prints and writes holds in a shell that has git and ssh-keygen alone, and fails where something was changed."""

from pathlib import Path

import pytest

from codifica_guard.git.store import ObjectFormat
from codifica_guard.identity.keys import public_line
from codifica_guard.model.ids import ObjectId
from tests.unit.cli_proof.alone import Alone
from tests.unit.cli_proof.stories import Story

KINDS = [("sha1", "ed25519"), ("sha256", "ecdsa256"), ("sha1", "rsa")]


@pytest.mark.parametrize(("object_format", "kind"), KINDS)
def test_the_commands_hold_for_every_kind_of_decision(tmp_path: Path, object_format: ObjectFormat, kind: str) -> None:
    story, alone = Story(tmp_path, object_format, kind), Alone(tmp_path)
    stage, shell = story.stage, "bash" if kind == "rsa" else "sh"
    merged = story.merge()
    for number, (oid, task, who) in enumerate(
        (
            (story.claim, "FEAT-1", "who claimed FEAT-1? agent:robot"),
            (story.hand_in, "FEAT-1", "who handed in FEAT-1? agent:robot"),
            (story.approved, "FEAT-1", "who approved FEAT-1? human:carol"),
            (story.rejected, "FEAT-2", "who rejected FEAT-2? human:carol"),
            (merged, "FEAT-1", "who decided in a merge about FEAT-1? human:alice"),
            (story.listed, None, f"who made {story.listed[:7].decode()}? human:alice"),
            (story.begin, None, f"who made {story.begin[:7].decode()}? human:alice"),
        )
    ):
        folder = tmp_path / f"proof-{number}"
        # A run of the script takes its time: all of them once, and of the other keys those that are of that key.
        written = object_format == "sha256" or number == 2
        words = [*([task] if task else []), "--proof", *([str(folder)] if written else []), "--at", oid.decode()]
        proof = stage.proof(*words)
        assert f"{proof['question']} {proof['answer']}".startswith(f"{who}, commit {oid[:7].decode()}, ")
        assert proof["holds"]
        assert alone.failing(proof, stage.plain.path, shell) == [], who
        assert not written or alone.check(folder, stage.plain.path, shell) == (0, []), who


# -- one byte


def again(story: Story, oid: ObjectId, *changes: tuple[bytes, bytes]) -> str:
    """A commit like another one, but for some of its bytes."""
    data = story.stage.plain.git("cat-file", "commit", oid.decode()) + b"\n"
    for old, new in changes:
        assert data.count(old) == 1, old
        data = data.replace(old, new)
    return story.stage.plain.put("commit", data).decode()


def with_file(story: Story, oid: ObjectId, path: str, old: str, new: str, *changes: tuple[bytes, bytes]) -> str:
    """A commit like another one, but for a byte of one file."""
    stage = story.stage
    mode, blob = stage.trees[oid][path]
    text = stage.plain.git("cat-file", "blob", blob.decode()).decode() + "\n"
    assert text.count(old) == 1
    tree = stage.tree({**stage.trees[oid], path: (mode, stage.plain.put("blob", text.replace(old, new).encode()))})
    return again(story, oid, (stage.tree(stage.trees[oid]), tree), *changes)


@pytest.fixture(scope="module", name="unseen")
def _unseen(tmp_path_factory: pytest.TempPathFactory) -> tuple[Story, Alone]:
    """A story that no server saw; nobody may change it."""
    folder = tmp_path_factory.mktemp("unseen")
    return Story(folder, receipt=False), Alone(folder)


@pytest.fixture(scope="module", name="seen")
def _seen(tmp_path_factory: pytest.TempPathFactory) -> tuple[Story, Alone]:
    """A story that the server saw; nobody may change it."""
    folder = tmp_path_factory.mktemp("seen")
    return Story(folder), Alone(folder)


def swapped(text: bytes) -> bytes:
    """A text with another first byte."""
    return (b"B" if text[:1] == b"A" else b"A") + text[1:]


def test_after_one_byte_of_the_commit_is_changed_the_signature_fails_and_nothing_else(
    unseen: tuple[Story, Alone],
) -> None:
    story, alone = unseen
    stage = story.stage
    proof = stage.proof("FEAT-1", "--proof", "--at", story.approved.decode())
    message = stage.plain.git("cat-file", "commit", story.approved.decode())
    signature = next(line for line in message.split(b"\n") if line.startswith(b"Codifica-Signature: ")).split(b" ")[1]
    tail = signature[-24:]  # the signature itself: the key stands at the beginning
    others = {
        "record": with_file(story, story.approved, "work.md", "id: FEAT-1\n  type: build", "id: FEAT-1\n  type: built"),
        "signature": again(story, story.approved, (tail, swapped(tail))),
        "actor": again(story, story.approved, (b"Codifica-Actor: human:carol", b"Codifica-Actor: human:carom")),
    }
    for what, other in others.items():
        assert alone.failing(proof, stage.plain.path, commit=other) == [2], what
    assert alone.failing(proof, stage.plain.path) == []


def test_after_one_byte_of_the_signers_is_changed_the_signature_fails_and_nothing_else(
    unseen: tuple[Story, Alone],
) -> None:
    story, alone = unseen
    stage = story.stage
    proof = stage.proof("FEAT-1", "--proof", "--at", story.claim.decode())
    key = public_line(stage.signer_of("robot").key)[-20:]
    words = ".codifica/allowed_signers", key, key[:-1] + chr(ord(key[-1]) ^ 1)
    parent = with_file(story, story.listed, *words)
    other = with_file(story, story.claim, *words, (story.listed, parent.encode()))
    assert alone.failing(proof, stage.plain.path, commit=other) == [2]


def test_a_commit_that_git_signed_dies_with_any_of_its_bytes(unseen: tuple[Story, Alone]) -> None:
    story, alone = unseen
    stage = story.stage
    proof = stage.proof("FEAT-2", "--proof", "--at", story.rejected.decode())
    others = {
        "message": again(story, story.rejected, (b"FEAT-1: change", b"FEAT-1: chance")),
        "record": with_file(story, story.rejected, "work.md", "id: FEAT-2\n  type: build", "id: FEAT-2\n  type: built"),
    }
    for what, other in others.items():
        assert alone.failing(proof, stage.plain.path, commit=other) == [2], what
    # What else it touched is no secret of the signature's.
    more = with_file(story, story.rejected, "spec.md", "# Spec", "# Spek")
    assert alone.failing(proof, stage.plain.path, commit=more) == [1, 2]


def test_a_writer_signature_that_is_not_the_sessions_fails(unseen: tuple[Story, Alone]) -> None:
    story, alone = unseen
    stage = story.stage
    proof = stage.proof("FEAT-1", "--proof", "--at", story.claim.decode())
    message = stage.plain.git("cat-file", "commit", story.claim.decode())
    writer = message.rpartition(b"Codifica-Writer: ")[2].strip()[-24:]
    other = again(story, story.claim, (writer, swapped(writer)))
    assert alone.failing(proof, stage.plain.path, commit=other) == [2]


def test_after_one_byte_of_the_receipt_is_changed_it_fails_and_nothing_else(seen: tuple[Story, Alone]) -> None:
    story, alone = seen
    stage = story.stage
    proof = stage.proof("FEAT-1", "--proof", "--at", story.approved.decode())
    receipt = next(line for line in proof["start"] if line.startswith("receipt=")).partition("=")[2]
    body = stage.plain.git("cat-file", "blob", f"{receipt}:receipt.json") + b"\n"
    tree = stage.plain.put_tree(
        (b"100644", b"receipt.json", stage.plain.put("blob", body.replace(b"human:carol", b"human:bobby")))
    )
    own = stage.plain.git("rev-parse", f"{receipt}^{{tree}}")
    other = again(story, ObjectId(receipt.encode()), (own, tree))
    assert alone.failing(proof, stage.plain.path, receipt=other) == [5]
    # A commit that the server did not see.
    same = again(story, story.approved, (b"FEAT-1: change", b"FEAT-1: chance"))
    assert alone.failing(proof, stage.plain.path, commit=same) == [5]


def test_a_byte_of_any_file_of_the_folder_fails_once_and_where_it_belongs(
    seen: tuple[Story, Alone], tmp_path: Path
) -> None:
    story, alone = seen
    folder = tmp_path / "proof"
    story.stage.proof("FEAT-1", "--proof", folder, "--at", story.approved.decode())
    facts = {
        "guard": "4 allowed to",
        "handin": "4 allowed to",
        "listing1": "3 the key",
        "receipt": "5 seen",
        "anchor": "6 the anchor",
    }
    names = [path.name for path in sorted(folder.iterdir()) if path.name not in {"README.txt", "check.sh"}]
    assert {name.partition(".")[0] for name in names} == {*facts, "payload", "signature", "signers"}
    # One of each fact's besides those of the signature itself: a run takes its time.
    for name in [*(n for n in names if "." not in n), *{n.partition(".")[0]: n for n in names if "." in n}.values()]:
        path = folder / name
        whole = path.read_bytes()
        path.write_bytes(whole[:10] + bytes((whole[10] ^ 1,)) + whole[11:])
        code, told = alone.check(folder, story.stage.plain.path)
        assert code == 1
        assert [line.split(": ")[:2] for line in told] == [[facts.get(name.partition(".")[0], "2 the signature"), name]]
        path.write_bytes(whole)
    assert alone.check(folder, story.stage.plain.path) == (0, [])
