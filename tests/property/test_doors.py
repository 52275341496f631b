"""Whatever comes in by any door, nothing but our own errors comes out: a traceback is an answer to nobody."""

import contextlib
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from cryptography.hazmat.primitives.asymmetric import ec
from hypothesis import given, settings
from hypothesis import strategies as st

from codifica_guard.clone import draft_message
from codifica_guard.errors import GuardError, KeyUnavailable, RepositoryError, SignatureError, StateError
from codifica_guard.git import message, quoting
from codifica_guard.git.config import check_format, read_config
from codifica_guard.git.location import discover
from codifica_guard.git.raw import check_tree, parse_commit, parse_tree
from codifica_guard.git.refs import check_name, head_branch, resolve, tips
from codifica_guard.git.store import open_store
from codifica_guard.hooks.environment import parse_updates
from codifica_guard.identity import agent, tokens
from codifica_guard.identity.allowed_signers import parse_revoked, parse_signers
from codifica_guard.identity.private_keys import load_private, peek_private
from codifica_guard.identity.signing import Signer, check_path
from codifica_guard.model.document import Block
from codifica_guard.model.ids import ObjectId, RepoPath, TaskId
from codifica_guard.model.times import parse_time
from codifica_guard.packs.core.st106 import fold
from codifica_guard.policy.json_text import read_json
from codifica_guard.report.escape import escape, escape_words
from codifica_guard.report.plain import plain, plain_words
from codifica_guard.state.blocks import split
from codifica_guard.state.edit import add_block, edit_block
from codifica_guard.state.heads import put_ids_first
from codifica_guard.state.quotes import find_quotes, put_quotes
from codifica_guard.state.yaml import read_block
from tests.building import tasks
from tests.building.board import document, fence
from tests.property.damage import damaged
from tests.unit.engine.land import key_of
from tests.unit.git.plain import Plain
from tests.unit.identity.sshkit import false_agent, text_of

quick = settings(max_examples=120, deadline=None, derandomize=True)
slow = settings(max_examples=30, deadline=None, derandomize=True)

OID = ObjectId(b"a" * 40)
PERSON = b"A <a@example.org> 1700000000 +0100"
ARMOUR = b"gpgsig -----BEGIN SSH SIGNATURE-----\n U1NIU0lHAAAAAQ==\n -----END SSH SIGNATURE-----\n"
COMMITS = [
    b"tree %s\nparent %s\nauthor %s\ncommitter %s\n%s\ns\n\nCodifica-Actor: agent:a\n" % (b"b" * 40, OID, PERSON, PERSON, more)
    for more in (b"", ARMOUR, b"encoding latin-1\nmergetag object x\n y\n" + ARMOUR, ARMOUR.replace(b"gpgsig", b"gpgsig-sha256"))
]  # fmt: skip
HEADERS = (b"tree ", b"parent ", b"author ", b"committer ", b"gpgsig ", b"\n ", b" -0000", b"mergetag ", b"<", b"> ")


@quick
@given(damaged(COMMITS, HEADERS))
def test_a_commit(data: bytes) -> None:
    with contextlib.suppress(RepositoryError):
        found = parse_commit(OID, data)
        assert isinstance(found.committer_time, int)
        assert message.parse_trailers(found.message).all is not None
        assert isinstance(message.subject(found.message), bytes)


TREES = [b"100644 a\0" + b"x" * 20 + b"40000 b\0" + b"y" * 20, b"120000 l\0" + b"z" * 20, b""]


@quick
@given(damaged(TREES, (b"100644 ", b"040000 ", b"160000 ", b".git\0", b"../\0", b"x" * 20)), st.sampled_from([20, 32]))
def test_a_tree(data: bytes, width: int) -> None:
    for read in (parse_tree, check_tree):
        with contextlib.suppress(RepositoryError):
            read(data, width)


@pytest.fixture(scope="module")
def repo() -> Iterator[Plain]:
    """A repository with everything in it that a server's has."""
    with tempfile.TemporaryDirectory() as folder:
        made = Plain(Path(folder) / "repo.git", bare=True)
        blob = made.put("blob", b"text\n" * 300)
        tree = made.put_tree((b"100644", b"a", blob), (b"100644", b"b", made.put("blob", b"text\n" * 301)))
        for number in range(6):
            oid = made.put_commit((), message=b"%d\n" % number)
            made.git("update-ref", f"refs/heads/b{number}", oid.decode())
        made.git("update-ref", "refs/heads/main", oid.decode())
        made.git("update-ref", "refs/keep/tree", tree.decode())
        made.git("pack-refs", "--all")
        yield made


def with_file(repo: Plain, name: str, data: bytes) -> contextlib.AbstractContextManager[None]:
    """Give a file of a repository other bytes for a while."""

    @contextlib.contextmanager
    def changed() -> Iterator[None]:
        path = repo.git_dir / name
        before = path.read_bytes() if path.exists() else None
        path.parent.mkdir(parents=True, exist_ok=True)
        path.unlink(missing_ok=True)
        path.write_bytes(data)
        try:
            yield
        finally:
            path.unlink()
            if before is not None:
                path.write_bytes(before)

    return changed()


CONFIG = b'[core]\n\trepositoryformatversion = 1\n\tbare = true # x\n[extensions "a.b"]\n\tobjectFormat=sha1\n[codifica]\n\tintroduction = "a\\nb" \\\n  c\n[include]\n\tpath = x\n'


@quick
@given(
    data=damaged([CONFIG], (b"[", b"]", b'"', b"\\\n", b"\\x", b";", b"[extensions]\n", b"refStorage=reftable\n", b"1k", b"a" * 300))
)  # fmt: skip
def test_a_config(repo: Plain, data: bytes) -> None:
    with with_file(repo, "config", data), contextlib.suppress(RepositoryError):
        config = read_config(repo.location)
        assert check_format(config) in {"sha1", "sha256"}
        for key in ("core.bare", "codifica.introduction", "include.path", "extensions.a.b.objectFormat"):
            config.get(key)
            with contextlib.suppress(RepositoryError):
                config.flag(key, default=False)


@quick
@given(
    name=st.sampled_from(["HEAD", "packed-refs", "refs/heads/main"]),
    data=damaged([b"ref: refs/heads/main\n", b"a" * 40 + b"\n", b"# pack-refs with: peeled fully-peeled sorted \n" + OID + b" refs/heads/main\n^" + OID + b"\n"], (b"ref: ", b"refs/heads/", b"..", b"^", b"# ")),
    ref=damaged([b"refs/heads/main", b"refs/heads/x/y"], (b"..", b"/", b"@{", b".lock", b"*")),
)  # fmt: skip
def test_refs(repo: Plain, name: str, data: bytes, ref: bytes) -> None:
    with with_file(repo, name, data):
        for asked in (b"HEAD", b"refs/heads/main", ref):
            with contextlib.suppress(RepositoryError):
                resolve(repo.location, asked)
        with contextlib.suppress(RepositoryError):
            head_branch(repo.location)
        with contextlib.suppress(RepositoryError):
            list(tips(repo.location, b"refs/heads/"))
        with contextlib.suppress(GuardError):
            check_name(ref)


@slow
@given(
    name=st.sampled_from(["objects/info/alternates", "commondir"]),
    data=damaged([b"../../pool\n", b'"../po\\157l"\n# x\n', b"."], (b'"', b"\\", b"/", b"\n")),
)
def test_where_a_repository_keeps_its_objects(repo: Plain, name: str, data: bytes) -> None:
    with with_file(repo, name, data), contextlib.suppress(RepositoryError):
        discover(os.fsencode(repo.path), {b"GIT_ALTERNATE_OBJECT_DIRECTORIES": data.replace(b"\0", b"")})


@slow
@given(data=damaged([b"gitdir: ../repo.git\n", b"gitdir: /nowhere"], (b"gitdir: ", b"\r\n", b"/", b"..")))
def test_a_link_to_a_repository(repo: Plain, data: bytes) -> None:
    folder = repo.path.parent / "linked"
    folder.mkdir(exist_ok=True)
    (folder / ".git").write_bytes(data)
    with contextlib.suppress(RepositoryError):
        discover(os.fsencode(folder), {})


@pytest.fixture(scope="module")
def packed(repo: Plain) -> Plain:
    """The same repository, all in one pack with deltas."""
    repo.git("repack", "-a", "-d", "-f", "-q", "--depth=20")
    repo.git("prune-packed")
    for path in (repo.git_dir / "objects" / "pack").iterdir():
        path.chmod(0o644)
    return repo


@settings(max_examples=60, deadline=None, derandomize=True)
@given(kind=st.sampled_from([".pack", ".idx"]), data=st.data())
def test_packs(packed: Plain, kind: str, data: st.DataObject) -> None:
    path = next(p for p in (packed.git_dir / "objects" / "pack").iterdir() if p.suffix == kind)
    listed = packed.git("for-each-ref", "--format=%(objectname)").split(b"\n")
    other = with_file(packed, f"objects/pack/{path.name}", data.draw(damaged([path.read_bytes()])))
    with other, contextlib.suppress(GuardError), open_store(packed.location, "sha1") as store:
        for oid in {*listed, OID}:
            for read in (store.raw, store.commit):
                with contextlib.suppress(GuardError):
                    read(ObjectId(oid))


@quick
@given(data=st.data())
def test_loose_objects(repo: Plain, data: st.DataObject) -> None:
    oid = repo.put("blob", b"some bytes of a blob")
    name = f"objects/{oid[:2].decode()}/{oid[2:].decode()}"
    sample = (repo.git_dir / name).read_bytes()
    with with_file(repo, name, data.draw(damaged([sample]))), repo.store() as store:
        for read in (store.raw, store.commit, store.tree, store.peel):
            with contextlib.suppress(RepositoryError):
                read(oid)


@quick
@given(damaged([b'"a\\tb\\303\\274"', b'"x":y:"z'], (b"\\4", b"\\400", b'"', b":")))
def test_quoted_paths(text: bytes) -> None:
    with contextlib.suppress(RepositoryError, GuardError):
        quoting.c_unquote(text)
    with contextlib.suppress(RepositoryError, GuardError):
        quoting.split_path_list(text)


UPDATES = [OID + b" " + b"b" * 40 + b" refs/heads/main\n" + b"0" * 40 + b" " + OID + b" refs/heads/x\n"]


@quick
@given(damaged(UPDATES, (b" ", b"refs/", b"0" * 64, b"A" * 40)))
def test_what_git_asks_a_hook(data: bytes) -> None:
    with contextlib.suppress(GuardError):
        assert parse_updates(data)


# -- keys, signatures, tokens


KEYS = [text_of(ec.derive_private_key(9, ec.SECP256R1())).encode()]


@quick
@given(damaged(KEYS, (b"-----", b"BEGIN", b"AAAA", b"====")), st.sampled_from([None, "", "words"]))
def test_key_files(data: bytes, passphrase: str | None) -> None:
    with contextlib.suppress(KeyUnavailable, SignatureError):
        peek_private(data, "a key")
    with contextlib.suppress(KeyUnavailable, SignatureError):
        load_private(data, passphrase, "a key")
    with contextlib.suppress(KeyUnavailable, SignatureError):
        Signer.from_text(data.decode("utf-8", "replace"), passphrase).sign(b"x", "git")


@slow
@given(damaged(KEYS))
def test_key_files_by_their_path(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "key"
        path.write_bytes(data)
        with contextlib.suppress(KeyUnavailable, SignatureError):
            Signer.from_file(path, None, environ={})
        path.with_name("key.pub").write_bytes(data)
        with contextlib.suppress(KeyUnavailable, SignatureError):
            Signer.from_file(path.with_name("key.pub"), None, environ={})
        with contextlib.suppress(KeyUnavailable, SignatureError):
            check_path(data.decode("utf-8", "replace"))


@slow
@given(damaged([b"cgw1_" + b"A" * 43 + b"\n"], (b"cgw1_", b"=", b"-", b"_")))
def test_token_files_and_variables(data: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "FEAT-1"
        path.write_bytes(data)
        path.chmod(0o600)
        with contextlib.suppress(KeyUnavailable):
            assert all(isinstance(t, tokens.WriterToken) for t in tokens.load_tokens(Path(folder), {}))
        told = {tokens.TOKEN_VARIABLE: data.decode("utf-8", "surrogateescape").replace("\0", "")}
        with contextlib.suppress(KeyUnavailable):
            tokens.load_tokens(Path(folder) / "none", told)


SIGNERS = [
    b'human:alice namespaces="git,codifica-guard",valid-after="20260101" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIA== c\n# x\n\n'
]


@quick
@given(damaged(SIGNERS, (b"cert-authority ", b'valid-before="', b'"', b",", b"!", b"*", b"agent:", b"99999999")))
def test_lists_of_signers(data: bytes) -> None:
    parse_signers(data)
    parse_revoked(data)


@slow
@given(damaged([b"\0\0\0\x09\x0c\0\0\0\1\0\0\0\0", b"\0\0\0\x0b\x0e\0\0\0\6\0\0\0\1x\0"]))
def test_answers_of_a_key_agent(reply: bytes) -> None:
    with tempfile.TemporaryDirectory() as folder, false_agent(Path(folder), reply, reply) as environ:
        place = environ["SSH_AUTH_SOCK"]
        with contextlib.suppress(KeyUnavailable):
            agent.identities(place)
        with contextlib.suppress(KeyUnavailable):
            agent.sign(place, key_of("alice").key, b"data")


# -- texts


@quick
@given(
    damaged(
        [b'{"a": [1, 2.5e3, "x\\u00e9"], "b": {"c": null, "d": true}}'],
        (b'"a":', b"\\u", b"\\ud800", b"[" * 100, b"NaN", b"1e999"),
    )
)
def test_json(data: bytes) -> None:
    with contextlib.suppress(GuardError):
        read_json(data)


TASKS = [tasks.block(tasks.task(name, state)) for name, state in (("FEAT-1", "todo"), ("FEAT-2", "done"))]
DOCUMENTS = [document(fence(*TASKS)).encode(), document(fence(*TASKS)).replace("\n", "\r\n").encode()]
MARKS = (b"```", b"~~~", b"- id: ", b"  ", b"\n- ", b"# ", b"<!--", b"> ", b"&a", b"*a", b"!!", b"|\n", b": ", b"`", b"@", b"[", b"{", b"\xef\xbb\xbf", b"<<<<<<<\n")  # fmt: skip


@quick
@given(damaged(DOCUMENTS, MARKS))
def test_documents(data: bytes) -> None:
    found = split(RepoPath(b"w"), data)
    for block in found.blocks:
        read_block(block.raw)
        with contextlib.suppress(StateError):
            edit_block(block.raw, sets={"state": "done"}, append={"execution_notes": [{"by": "x", "note": "y"}]})
        with contextlib.suppress(StateError):
            put_quotes(data, find_quotes(block))
    with contextlib.suppress(StateError):
        add_block(data, TASKS[0].encode())
    with contextlib.suppress(StateError):
        put_ids_first(data)


@quick
@given(damaged([text.encode() for text in TASKS], MARKS))
def test_task_blocks(raw: bytes) -> None:
    read_block(raw)
    with contextlib.suppress(StateError):
        edit_block(raw, sets={"title": "x"}, drop=["labels"], append={"artifacts": ["y"]})
    find_quotes(Block(id=TaskId("FEAT-1"), line=1, raw=raw, start=0, end=len(raw), fence=1))


@quick
@given(damaged([b"s\n\nbody\n\n# ------------------------ >8 ------------------------\nx\n"], (b"#", b";", b">8")), st.sampled_from(["#", ";", "auto", "//", ""]), st.booleans())  # fmt: skip
def test_drafts_of_messages(data: bytes, comment: str, edited: bool) -> None:  # noqa: FBT001
    text, rest = draft_message.cut(data, comment, edited=edited)
    assert isinstance(draft_message.stored(text, comment, edited=edited), bytes)
    assert isinstance(rest, bytes)


@quick
@given(st.text(max_size=30), st.binary(max_size=30))
def test_words_on_the_way_out(text: str, data: bytes) -> None:
    odd = text + data.decode("utf-8", "surrogateescape")
    for show in (plain, plain_words, escape, escape_words):
        shown = show(odd)
        assert not {"\x1b", "\r", "\0", "\x07"} & set(shown)
        assert "\n" not in shown or show in {plain_words, escape_words}
    assert escape(odd).isascii()
    fold(data)
    assert parse_time(odd) is None or isinstance(parse_time(odd), float)


@quick
@given(damaged([b"2026-11-30T09:14:00Z", b"2026-11-30T09:14:00.123456789+01:00"], (b"T", b":", b"60", b"+", b"99")))
def test_times(data: bytes) -> None:
    found = parse_time(data.decode("utf-8", "replace"))
    assert found is None or isinstance(found, float)
